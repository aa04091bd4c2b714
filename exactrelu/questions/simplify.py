"""A smaller network with provably the same function on a domain.

Removes, until nothing is left to remove: dead neurons, neurons that lead nowhere, duplicates
(rows that are positive multiples), linear and constant neurons beyond rank₊ of their
map V_I W_I (theory 1.5: so many linear neurons are needed and suffice), and whole
layers without nonlinear neurons.  Roles are read off signs (theory 1.2); with ``by_lp`` also
what takes geometry to see goes: neurons that a bound tree shows to be dead
(:mod:`exactrelu.complex.bound_tree`), then the rest (:mod:`.geometric`).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from exactrelu.certificates.certificate import Certificate, Record
from exactrelu.certificates.moves import rewriting_claim
from exactrelu.complex.search import Limit, LimitReached
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network
from exactrelu.network.rewriting import (
    Compose,
    Drop,
    Merge,
    Refactor,
    Step,
    has_sign,
    positive_coordinates,
    rewritten,
)
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.equivalence.dropping import candidates, drop_dead
from exactrelu.questions.equivalence.witness import samples
from exactrelu.questions.geometric import smaller, uncut_proof
from exactrelu.questions.nonnegative_rank import nonnegative_column_rank


@dataclass(frozen=True)
class Simplified:
    """``network`` computes the function of ``original`` on ``place``.

    On a flat domain the steps are those of the restriction to its affine hull, and the network
    looks at the free coordinates only.
    """

    original: Network
    network: Network
    place: Domain
    steps: tuple[Step, ...]
    #: A tree without cuts that proves the rest, if the steps do not lead all the way.
    cells: tuple[Record, ...] = ()

    @property
    def certificate(self) -> Certificate | None:
        """The certificate of the claim ``equal-by-rewriting``; there is none on a flat domain."""
        if self.place.is_flat:
            return None
        return rewriting_claim(
            self.original, self.network, self.place.inside, self.steps, (), self.cells
        )


def simplify(
    network: Network,
    domain: DomainLike = None,
    *,
    by_lp: bool = False,
    timeout: float | None = None,
) -> Simplified:
    """The network after all steps that apply; over the time limit, after the steps by signs.

    >>> net = Network.from_arrays([[[1], [2], [0]], [[3, 1, 5]]], [[1, 2, 4], [0]])
    >>> small = simplify(net)
    >>> small.network.widths, [layer.affine for layer in small.network.layers]
    ((1, 1, 1), [Matrix([[1, 1]]), Matrix([[5, 20]])])
    """
    place = Domain.of(domain, network.n_inputs)
    if place.is_flat:
        there = simplify(place.restricted(network), place.inside, by_lp=by_lp, timeout=timeout)
        return Simplified(network, _widened(there.network, place), place, there.steps)
    inside = place.inside
    positive = positive_coordinates(inside)
    current, steps = _by_signs(network, positive)
    if by_lp:
        limit = Limit(None, timeout)
        with suppress(LimitReached):
            current, steps = _without_dead(current, steps, inside, limit)
            small = current
            while (next_one := smaller(small, inside, limit.tick)) is not None:
                small = _by_signs(next_one, positive)[0]
            cells = () if small is current else uncut_proof(current, small, inside, limit.tick)
            if cells:
                return Simplified(network, small, place, steps, tuple(cells))
    return Simplified(network, current, place, steps)


def _widened(restriction: Network, place: Domain) -> Network:
    """A network in x with the values of one in the free coordinates of x."""
    first = Layer(Matrix([place.lift_row(row) for row in restriction.layers[0].affine.rows()]))
    return Network((first, *restriction.layers[1:]), restriction.name, restriction.neuron_names)


def _by_signs(network: Network, positive: frozenset[int]) -> tuple[Network, tuple[Step, ...]]:
    steps: list[Step] = []
    while (step := _next_step(network, positive)) is not None:
        network = rewritten(network, step, positive)
        steps.append(step)
    return network, tuple(steps)


def _without_dead(
    network: Network, steps: tuple[Step, ...], domain: LinearSystem, limit: Limit
) -> tuple[Network, tuple[Step, ...]]:
    """Without neurons that are proved to be dead, and without what signs show then."""
    points = samples(domain)
    while True:
        network, dropped = drop_dead(network, domain, candidates(network, points), limit.tick)
        if not dropped:
            return network, steps
        network, more = _by_signs(network, positive_coordinates(domain))
        steps = (*steps, *dropped, *more)


def without_linear_biases(
    network: Network, domain: LinearSystem
) -> tuple[Network, tuple[Step, ...]]:
    """The network after all steps by signs, with the biases of linear neurons in the next layer.

    Networks that are equal but for what linear neurons pass on may be isomorphic after that.
    """
    positive = positive_coordinates(domain)
    network, steps = _by_signs(network, positive)
    for l in range(len(network.layers) - 1):
        rows = network.layers[l].affine.rows()
        linear = [i for i, row in enumerate(rows) if has_sign(row, 1, l, positive)]
        if any(rows[i][-1] for i in linear):
            step = _refactored(network, l, linear)
            network = rewritten(network, step, positive)
            steps = (*steps, step)
    return network, steps


def _next_step(network: Network, positive: frozenset[int]) -> Step | None:
    for l in range(len(network.layers) - 1):
        step = _step_in(network, l, positive)
        if step is not None:
            return step
    return None


def _step_in(network: Network, l: int, positive: frozenset[int]) -> Step | None:
    """A step that makes hidden layer l smaller, if there is one."""
    rows = network.layers[l].affine.rows()
    columns = list(zip(*network.layers[l + 1].affine.rows(), strict=True))
    linear = [i for i, row in enumerate(rows) if has_sign(row, 1, l, positive)]
    dead = [
        i for i, row in enumerate(rows) if has_sign(row, -1, l, positive) or not any(columns[i])
    ]
    if len({*linear, *dead}) == len(rows):
        return Compose(l)
    if dead:
        return Drop(l, dead[0])
    return duplicate(l, rows) or _refactor(network, l, linear)


def duplicate(l: int, rows: tuple[Vector, ...]) -> Merge | None:
    """The step that removes a neuron whose row is a positive multiple of an earlier one."""
    first: dict[object, int] = {}
    for i, row in enumerate(rows):
        into = first.setdefault(primitive(row), i)
        if into != i:
            return Merge(l, i, into)
    return None


def _refactor(network: Network, l: int, linear: list[int]) -> Refactor | None:
    """Fewer linear neurons with the same map, if there are too many."""
    if not linear:
        return None
    step = _refactored(network, l, linear)
    return step if step.right.n_rows < len(linear) else None


def _refactored(network: Network, l: int, linear: list[int]) -> Refactor:
    """As few linear neurons as possible with the same map, without biases."""
    n_inputs = network.layers[l].n_inputs
    weights = network.layers[l].affine.take(linear, range(n_inputs))
    outgoing = network.layers[l + 1].affine.take(columns=linear)
    found = nonnegative_column_rank(outgoing @ weights)
    left = Matrix.from_entries(outgoing.n_rows, found.value, found.left.entries())
    right = Matrix.from_entries(found.value, n_inputs, found.right.entries())
    return Refactor(l, tuple(linear), left, right)
