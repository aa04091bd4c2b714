"""Identifiable networks of any widths: built where a theorem says how, else sought and proved.

For widths d_0 ≥ … ≥ d_{L−1} ≥ 2, d_L = 1 and a bounded domain there is an explicit construction
(:mod:`~exactrelu.questions.folds.construction`).  For all other widths, and on all of space,
networks with small integer weights are tried one after the other, until
:func:`~exactrelu.questions.identifiability.identifiable.identifiable` proves one of them.

Identifiable networks are dense enough where every neuron is seen: it has to change its sign
where the layers after it are active.  With depth that becomes rare by chance, so that biases
are not drawn like the weights: of a sample of points, the bias of a neuron is such that it is
positive at some of them and negative at others, a quarter of them at least where that is possible.
Identifiable parameters contain an open set for all widths ≥ 2 (Grillo and Montúfar, arXiv
2605.03601), so that there is something to be found; for smaller widths there need not be.

=======================  ==========  ============
of 40 networks, locally  biases as   biases by
identifiable             weights     points
=======================  ==========  ============
2-3-2-1                  21          35
2-2-2-2-1                3           13
3-2-2-2-1                7           20
2-2-2-2-2-1              0           10
2-2-2-2-2-2-1            1           4
=======================  ==========  ============
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Unpack

from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.folds.construction import BuiltOn, construct, forecast, has_widths
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.questions.question import Call, question

#: Weights are integers up to this, and not 0.
HEIGHT = 3
#: Points that show whether a neuron changes its sign, and how far from 0 they are.
N_POINTS = 64
SPAN = 4
#: Networks that are tried before giving up.
MAX_TRIES = 1000
#: The part of the time that is left for one of them.
SHARE_OF_ONE = 0.3


@dataclass(frozen=True, repr=False)
class Sought(BuiltOn):
    """A network that was found identifiable, as the ``n_tried``-th of those that were tried."""

    n_tried: int

    def bundle(self, effort: Effort = UNLIMITED) -> dict[str, Verdict]:
        """The verdict alone: it has no conditions that are claims of their own."""
        return {"identifiable": self.verdict}


@question
def build_identifiable(
    call: Call[BuiltOn],
    widths: Sequence[int],
    domain: DomainLike = None,
    *,
    seed: int = 0,
    **limits: Unpack[Limits],
) -> BuiltOn:
    """A network that its function determines, with the proof.

    Parameters
    ----------
    widths : sequence of int
        The widths, inputs first, with at least one hidden layer.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    seed : int, optional
        The same seed gives the same result.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    BuiltOn
        ``network`` and ``verdict``: that of :func:`is_in_theorem_class` where the network was
        constructed, else that of :func:`is_identifiable`.

    Raises
    ------
    Stopped
        Over a bound, or if none of the networks that were tried is proved identifiable.

    Notes
    -----
    Constructed for d_0 ≥ d_1 ≥ … ≥ d_{L−1} ≥ 2 and one output on a bounded domain; else small
    integer networks are tried in turn, which may take long for many neurons.

    References
    ----------
    Phuong & Lampert, *Functional vs. parametric equivalence of ReLU networks*, Theorem 1 and Lemma
    4 (A.17).

    Examples
    --------
    >>> import exactrelu as er
    >>> built = er.identifiability.build_identifiable((2, 2, 1), "box:-1..1")
    >>> built.network.widths, built.verdict.answer
    ((2, 2, 1), True)
    >>> er.identifiability.build_identifiable((2, 3, 2)).verdict.answer
    True
    """
    sizes = tuple(widths)
    if len(sizes) < 3 or min(sizes) < 1:
        raise InputError(f"widths {_text(sizes)}: expected n0,n1,…,nL with L >= 2")
    effort = call.effort
    forecast(sizes, effort)
    place = call.place
    if place.is_flat:
        raise InputError("no network is identifiable on a flat domain")
    if is_constructed(sizes, place):
        return construct(sizes, place, seed=seed, effort=effort)
    return _sought(sizes, place, seed, effort)


def is_constructed(widths: tuple[int, ...], place: Domain) -> bool:
    """Whether there is a construction for these widths on this domain."""
    return has_widths(widths) and Polyhedron(place.inside).is_bounded


def _sought(widths: tuple[int, ...], place: Domain, seed: int, effort: Effort) -> Sought:
    rng = random.Random(f"{list(widths)} {seed}")
    where = None if place.is_everywhere else place
    for n_tried in range(1, MAX_TRIES + 1):
        network = candidate(place, widths, rng)
        effort.spend("networks")
        verdict = identifiable(network, where, effort=effort.part(share=SHARE_OF_ONE))
        if verdict.answer:
            return Sought(network, verdict, place, n_tried)
        effort.spend()
    raise Stopped(
        f"none of {MAX_TRIES:,} networks of widths {_text(widths)} is proved identifiable: "
        "another seed may do"
    )


def candidate(place: Domain, widths: Sequence[int], rng: random.Random) -> Network:
    """A network of small integers whose neurons change their signs, as far as points show it.

    >>> candidate(Domain.of("R", 2), (2, 3, 2, 1), random.Random(0)).widths
    (2, 3, 2, 1)
    """
    active = [_point(place, rng) for _ in range(N_POINTS)]
    weights, biases = [], []
    for n_inputs, n_rows in pairwise(widths):
        rows = [tuple(rng.choice(_NONZERO) for _ in range(n_inputs)) for _ in range(n_rows)]
        sums = [[dot(row, point) for point in active] for row in rows]
        bias = [-_between(values, rng) for values in sums]
        active = [
            tuple(max(ZERO, value + b) for value, b in zip(column, bias, strict=True))
            for column in zip(*sums, strict=True)
        ]
        weights.append(rows)
        biases.append(bias)
    return Network.from_arrays(weights, biases, name="identifiable-" + "-".join(map(str, widths)))


_NONZERO = [fmpq(w) for w in range(-HEIGHT, HEIGHT + 1) if w]


def _point(place: Domain, rng: random.Random) -> Vector:
    """A point inside, of small integers where there is room for them."""
    step = [fmpq(rng.randint(-SPAN, SPAN)) for _ in range(place.dimension)]
    while True:
        x = tuple(fmpq(a) + b for a, b in zip(place.flint_point, step, strict=True))
        if place.inside.contains(x):
            return x
        step = [b / 2 for b in step]


def _between(values: Sequence[fmpq], rng: random.Random) -> fmpq:
    """A number between the first and the last quarter of the values, an integer if they are far."""
    ordered = sorted(values)
    low, high = ordered[len(values) // 4], ordered[3 * len(values) // 4]
    unit = ONE
    while low < high < low + 4 * unit:
        unit /= 2
    first, last = (low / unit).ceil(), (high / unit).floor()
    return unit * rng.randint(int(first), int(last)) if low < high else low


def _text(widths: tuple[int, ...]) -> str:
    return ",".join(map(str, widths))
