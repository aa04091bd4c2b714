"""Roles of hidden neurons, where they are decidable cheaply: dead, linear, nonlinear, grouped.

With z the preactivation of a neuron as a function of the network's input, on all of R^n: *dead*:
z ≤ 0 everywhere; *linear*: z ≥ 0 everywhere and not dead; *nonlinear*: z takes both signs.  Bounds
of z by interval arithmetic prove the first two (they contain the sign test of theory 1.2: inputs
of later layers are ≥ 0), two sample points prove the third.  Whatever neither decides is
*undecided*, never guessed.

On a domain, rows with just one coordinate bound that coordinate; the bounds pass from layer to
layer.  A neuron whose bounds are ≥ 0 is linear on the domain, one whose bounds are ≤ 0 dead.

Neurons of a layer with one hyperplane w·y + b = 0 form a *group* (theory 1.3).  It has
*duplicates* if two rows in it are positive multiples of each other, and it is *cancelling* if its
jumps add up to 0: then the layer's map does not bend there.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Unpack

from flint import fmpq

from exactrelu.bounded import bounded
from exactrelu.display import Shown
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.errors import InputError
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network, trace_batch, widths_text
from exactrelu.network.shallow import Hyperplane, oriented
from exactrelu.words import count

#: (lower, upper); None is infinite.
Interval = tuple[fmpq | None, fmpq | None]


#: Points at which signs of neurons are looked at, and products of weights and points for all of it.
MAX_SAMPLES, _SAMPLED = 256, 10_000_000


class Role(Enum):
    """What a hidden neuron does on a domain: dead, linear, nonlinear, or undecided."""

    DEAD = "dead"
    LINEAR = "linear"
    NONLINEAR = "nonlinear"
    UNDECIDED = "undecided"
    #: No neuron: a linear unit, which has no ReLU.
    CARRIED = "carried"


@bounded
def neuron_roles(
    effort: Effort, /, network: Network, *, n_samples: int = MAX_SAMPLES, **limits: Unpack[Limits]
) -> tuple[tuple[Role, ...], ...]:
    """Which hidden neurons are dead, linear or nonlinear on all of space, as far as is easily seen.

    Parameters
    ----------
    network : Network
        The network.
    n_samples : int, optional
        At so many points it is looked for both signs.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    tuple of tuples of Role
        For each hidden layer the role of each neuron; ``UNDECIDED`` where intervals and samples do
        not tell, and :func:`exact_roles` does.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays(
    ...     [[[1], [0]], [[-1, 0], [1, 1]], [[1, 1]]], [[0, -1], [0, 0], [0]])
    >>> [[role.value for role in layer] for layer in er.layers.neuron_roles(net)]
    [['nonlinear', 'dead'], ['dead', 'linear']]
    """
    if n_samples < 0:
        raise InputError(f"n_samples: found {n_samples}, expected none or more")
    effort.need(n_samples * (network.n_inputs + sum(network.widths)), "so many samples")
    seen = _observed_signs(network, n_samples)
    inputs: list[Interval] = [(None, None)] * network.n_inputs
    roles = []
    for l, layer in enumerate(network.layers[:-1]):
        bounds = layer_bounds(layer, inputs, effort)
        # On R^n a first-layer neuron with w ≠ 0 takes every value.
        onto = [l == 0 and lower is None for lower, _ in bounds]
        roles.append(
            tuple(
                Role.CARRIED
                if is_linear
                else Role.NONLINEAR
                if takes_all
                else _role(interval, signs)
                for is_linear, takes_all, interval, signs in zip(
                    layer.passes, onto, bounds, seen[l], strict=True
                )
            )
        )
        inputs = activated(layer, bounds)
    return tuple(roles)


def _role(interval: Interval, signs: set[int]) -> Role:
    lower, upper = interval
    if upper is not None and upper <= 0:
        return Role.DEAD
    if lower is not None and lower >= 0:
        return Role.LINEAR
    return Role.NONLINEAR if signs >= {-1, 1} else Role.UNDECIDED


def activated(layer: Layer, bounds: Sequence[Interval]) -> list[Interval]:
    """Bounds of what the units of a hidden layer pass on, from those of z."""
    return [
        bound if is_linear else (_relu(bound[0]) or ZERO, _relu(bound[1]))
        for bound, is_linear in zip(bounds, layer.passes, strict=True)
    ]


def _relu(value: fmpq | None) -> fmpq | None:
    return None if value is None else max(value, ZERO)


def layer_bounds(
    layer: Layer, inputs: Sequence[Interval], effort: Effort = UNLIMITED
) -> list[Interval]:
    """Bounds of Wx + b over the box of the inputs."""
    bounds: list[Interval] = []
    for row in layer.affine.nonzeros():
        effort.spend()
        minus_lower = _maximum([(j, -w) for j, w in row], inputs)
        lower = None if minus_lower is None else -minus_lower
        bounds.append((lower, _maximum(row, inputs)))
    return bounds


def _maximum(row: Sequence[tuple[int, fmpq]], inputs: Sequence[Interval]) -> fmpq | None:
    """The maximum of row·(x, 1) over the box, None if it is infinite."""
    total = ZERO
    for j, weight in row:
        if j == len(inputs):
            total += weight
            continue
        lower, upper = inputs[j]
        end = upper if weight > 0 else lower
        if end is None:
            return None
        total += weight * end
    return total


def _observed_signs(network: Network, n_samples: int) -> list[list[set[int]]]:
    """The signs that each preactivation takes on a fixed sample of points."""
    points = _sample(network.n_inputs, n_samples)
    patterns = [evaluation.pattern for evaluation in trace_batch(network, points)]
    return [
        [{pattern[l][i] for pattern in patterns} for i in range(n)]
        for l, n in enumerate(network.hidden_widths)
    ]


def _sample(n: int, n_samples: int) -> list[Vector]:
    """The origin and points of all magnitudes, the same ones every time."""
    rng = random.Random(0)
    points: list[Vector] = [(ZERO,) * n]
    for k in range(n_samples):
        scale = fmpq(2) ** (k % 16 - 6)
        points.append(tuple(scale * rng.randint(-9, 9) for _ in range(n)))
    return points


def box_around(domain: LinearSystem) -> list[Interval]:
    """Bounds of each coordinate, as far as rows with one coordinate give them.

    >>> box_around(LinearSystem.box([(0, 1)]))
    [(0, 1)]
    """
    box: list[Interval] = [(None, None)] * domain.dimension
    for row in domain.rows:
        used = [j for j, a in enumerate(row.flint_normal) if a != 0]
        if len(used) == 1:
            j, a = used[0], row.flint_normal[used[0]]
            lower, upper = box[j]
            end = -row.flint_offset / a
            if a > 0:
                box[j] = (end if lower is None else max(lower, end), upper)
            else:
                box[j] = (lower, end if upper is None else min(upper, end))
    return box


def bounded_signs(
    network: Network, domain: LinearSystem, effort: Effort = UNLIMITED
) -> dict[tuple[int, int], int]:
    """The sign of hidden neurons (layer, number), from 0, whose bounds have one.

    >>> net = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, -2], [0]])
    >>> bounded_signs(net, LinearSystem.box([(0, 1)]))
    {(0, 0): 1, (0, 1): -1}
    """
    return signs_on_box(network, box_around(domain), effort)


def signs_on_box(
    network: Network, inputs: Sequence[Interval], effort: Effort = UNLIMITED
) -> dict[tuple[int, int], int]:
    """The sign of hidden neurons whose bounds, by those of the inputs, have one."""
    signs = {}
    for l, layer in enumerate(network.layers[:-1]):
        bounds = layer_bounds(layer, inputs, effort)
        for i, (lower, upper) in enumerate(bounds):
            if layer.passes[i]:
                continue
            if lower is not None and lower >= 0:
                signs[l, i] = 1
            elif upper is not None and upper <= 0:
                signs[l, i] = -1
        inputs = activated(layer, bounds)
    return signs


@dataclass(frozen=True, repr=False)
class Group(Shown):
    """Two or more neurons of a hidden layer, both counted from 1, with the same hyperplane."""

    layer: int
    neurons: tuple[int, ...]
    has_duplicates: bool
    is_cancelling: bool


def quick_roles(
    network: Network, effort: Effort = UNLIMITED
) -> tuple[tuple[Role, ...], ...] | None:
    """The roles, from fewer points for a large network; None if it is too large for any."""
    n_samples = min(_SAMPLED // _n_entries(network), MAX_SAMPLES)
    return neuron_roles(network, n_samples=n_samples, effort=effort) if n_samples else None


def has_roles(network: Network) -> bool:
    """Whether a network is small enough for :func:`quick_roles`."""
    return _n_entries(network) <= _SAMPLED


def _n_entries(network: Network) -> int:
    return max(sum(layer.affine.n_entries for layer in network.layers), 1)


def neuron_groups(network: Network) -> tuple[Group, ...]:
    """The groups of neurons of a layer that have one hyperplane.

    Parameters
    ----------
    network : Network
        The network.

    Returns
    -------
    tuple of Group
        ``layer`` and ``neurons``, both from 0; ``has_duplicates``, two on one ray;
        ``is_cancelling``, their jumps add up to 0.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [2], [-1]], [[1, 1, -3]]], [[1, 2, -1], [0]])
    >>> [found.neurons for found in er.layers.neuron_groups(net)]
    [(1, 2, 3)]
    """
    found = []
    for l, (layer, following) in enumerate(pairwise(network.layers), 1):
        # Hyperplanes by their weights that are not 0, with the places of these.
        groups: dict[tuple[tuple[int, ...], Hyperplane], list[tuple[int, fmpq]]] = {}
        for i, row in enumerate(layer.affine.nonzeros()):
            weights = [entry for entry in row if entry[0] < layer.n_inputs]
            if weights and not layer.passes[i]:
                bias = row[-1][1] if row[-1][0] == layer.n_inputs else ZERO
                h, factor = oriented((*(v for _, v in weights), bias))
                places = tuple(j for j, _ in weights)
                groups.setdefault((places, h), []).append((i, factor))
        for members in groups.values():
            if len(members) > 1:
                sides = [factor > 0 for _, factor in members]
                jumps = following.affine.take(columns=[i for i, _ in members]).flint_apply(
                    [abs(factor) for _, factor in members]
                )
                has_duplicates = max(sides.count(True), sides.count(False)) > 1
                numbers = tuple(i + 1 for i, _ in members)
                found.append(Group(l, numbers, has_duplicates, not any(jumps)))
    return tuple(found)


def _in_words(roles: Sequence[Sequence[Role]] | None) -> str:
    """How many neurons have each role."""
    if roles is None:
        return "so many that their roles are not looked for"
    totals = Counter(role for layer in roles for role in layer)
    kinds = [role for role in Role if role is not Role.CARRIED and totals[role]]
    return ", ".join(f"{totals[role]} {role.value}" for role in kinds)


def described(network: Network) -> list[tuple[str, str]]:
    """What there is to say about a network at a glance, but for its hash, each with its name."""
    roles = quick_roles(network)
    found = _in_words(roles)
    lines = [
        ("name", network.name or "(none)"),
        ("widths", widths_text(network)),
        ("parameters", f"{network.n_parameters:,}"),
        ("size", f"at most {count(network.bits, 'bit')} in numerator or denominator"),
        ("neurons", f"{network.n_hidden_neurons:,} hidden" + (f": {found}" if found else "")),
    ]
    if network.n_linear_units:
        lines.append(("linear", f"{count(network.n_linear_units, 'unit')} without a ReLU"))
    sparse = sum(layer.affine.is_sparse for layer in network.layers)
    if sparse:
        n_entries = sum(layer.affine.n_entries for layer in network.layers)
        lines.append(("sparse", f"{count(sparse, 'layer')}; {n_entries:,} entries that are not 0"))
    if network.activation != "ReLU":
        lines.append(("activation", network.activation))
    groups = () if roles is None else neuron_groups(network)
    if groups:
        found_kinds = [("with duplicates", sum(g.has_duplicates for g in groups))]
        found_kinds.append(("cancelling", sum(g.is_cancelling for g in groups)))
        what = "".join(f", {n} {kind}" for kind, n in found_kinds if n)
        lines.append(("groups", f"{len(groups)} with one hyperplane{what}"))
    return lines
