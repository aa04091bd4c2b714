"""The joint split tree of two networks: where are they equal, and where is which affine?

On a cell, an open polyhedron, the difference of the networks is computed formally
(:mod:`exactrelu.cells.forms`): neurons without a sign stay as atoms.  A branch ends as soon
as the difference has no atoms left: it is 0, or one affine function.  Otherwise the
cell is cut by a neuron that matters: one whose atom occurs in the difference, or inside
an atom that does, and that is affine on the cell; first those that only one of the
networks has.  Neurons that do not cut the cell are decided with Farkas multipliers, also
where their preactivation is not affine (:mod:`exactrelu.cells.forms`).  A neuron keeps its sign on
the parts of a cell.

The nodes are in preorder, the negative side first, and are about the integer preactivations z_k of
the checker (:mod:`exactrelu.certificates.pair_trees` writes them): neurons k are numbered through
both networks, and only those that name an atom have nodes.  z_k and what it has inside depend on
signs of smaller neurons only.  So signs that are found on one cell are given from the largest k
on: none of them changes what the next ones say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from math import gcd, inf
from typing import NamedTuple

from flint import fmpq

from exactrelu.cells.box_bounds import has_ends, input_ranges
from exactrelu.cells.forms import (
    Atoms,
    Facts,
    Form,
    Passed,
    integer_layers,
    total,
)
from exactrelu.cells.joint_cells import JointPoint, JointRows, JointSigns
from exactrelu.cells.joint_nodes import (
    IntervalSides,
    JointSides,
    JointSplit,
    Leaf,
    Node,
    Refutation,
    Unlike,
)
from exactrelu.cells.walk import negated
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Network, signs_text
from exactrelu.network.roles import signs_on_box
from exactrelu.polyhedra.answers import (
    IntegerRow,
    Multipliers,
)
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.work.crew import shared

#: How many points of a cell are remembered to tell that a neuron cuts it.
MAX_POINTS = 32
#: Subtrees below so many cuts are walked by whoever shares the work.
SHARED_CUTS = 6


@dataclass(frozen=True)
class _JointCell:
    """A cell to be visited, with points inside; its last row is put on ``n_below`` others."""

    signs: Mapping[int, int]
    n_below: int
    row: IntegerRow | None
    points: tuple[JointPoint, ...]


def pair_tree(
    a: Network,
    b: Network,
    domain: DomainLike,
    points: Sequence[Vector] = (),
    effort: Effort = UNLIMITED,
    known: Mapping[int, int] | None = None,
) -> Iterator[Node]:
    """The nodes of the tree on the relative interior of a domain, in the coordinates t of its hull.

    ``points`` are known to lie in it: they tell without an LP what cuts it.  So are signs of some
    neurons on all of it, ``known`` by number, which have no nodes.  If the ``effort`` is shared the
    subtrees below the first cuts are walked by a crew; the nodes are the same.

    >>> a = Network.from_arrays([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    >>> b = Network.from_arrays([[[1]]], [[0]])
    >>> [node.is_same for node in pair_tree(a, b, None) if isinstance(node, Leaf)]
    [True]
    """
    place = Domain.of(domain, a.n_inputs, effort)
    inside = points or (place.coordinates(place.flint_point),)
    root = _JointCell(known or {}, 0, None, tuple(map(JointPoint, inside)))
    pair = _JointPair(a, b, place, effort, is_bounded=bool(known) and has_ends(place))
    top = _walk(pair, JointRows(place.inside, effort), root, SHARED_CUTS)
    if not effort.is_shared:
        for node in top:
            yield from (
                _below(a, b, place, node, effort) if isinstance(node, _JointSubtree) else (node,)
            )
        return
    plan: list[Node | _JointSubtree] = []
    for node in top:
        # Whoever looks on may have seen enough before there is anything to share.
        if plan or isinstance(node, _JointSubtree):
            plan.append(node)
        else:
            yield node
    subtrees = [part for part in plan if isinstance(part, _JointSubtree)]
    walked = shared(partial(_listed, a, b, place), subtrees, effort, describe=str)
    for part in plan:
        yield from next(walked) if isinstance(part, _JointSubtree) else (part,)


def is_affine(
    a: Network, b: Network, domain: Domain, known: Mapping[int, int], effort: Effort = UNLIMITED
) -> bool:
    """Whether the difference is affine on all of a domain, as signs show that need no search.

    >>> net, other = (Network.from_arrays([[[1]], [[1]]], [[b], [0]]) for b in (2, 3))
    >>> [is_affine(net, other, Domain.of(None, 1), signs) for signs in ({0: 1, 1: -1}, {0: 1})]
    [True, False]
    """
    pair = _JointPair(a, b, domain, effort)
    signs = dict(known)
    while (found := pair.difference(signs)).counts:
        sides = found.implied(pair.atoms.n_inputs)
        if not sides:
            return False
        signs |= {neuron: sign for neuron, sign, _ in sides}
    return True


class _JointSubtree(NamedTuple):
    """A cell whose subtree may be walked in another process: the cuts on its path, and more."""

    rows: tuple[IntegerRow, ...]
    signs: Mapping[int, int]
    points: tuple[Vector, ...]

    def __str__(self) -> str:
        signs = signs_text((tuple(self.signs[k] for k in sorted(self.signs)),))
        return f"the joint cells where {len(self.signs)} neurons have the signs {signs}"


def _walk(
    pair: _JointPair, prober: JointRows, root: _JointCell, most: float = inf
) -> Iterator[Node | _JointSubtree]:
    """The nodes of a cell and those below it, and subtrees after so many cuts."""
    stack = [root]
    while stack:
        cell = stack.pop()
        while prober.n_pushed > cell.n_below:
            prober.pop()
        if cell.row is not None:
            if cell.n_below >= most:
                points = tuple(x.point for x in cell.points)
                yield _JointSubtree((*prober.pushed, cell.row), cell.signs, points)
                continue
            prober.push(cell.row)
        below = yield from _visit(pair, prober, cell)
        stack += reversed(below)


def _below(
    a: Network, b: Network, place: Domain, subtree: _JointSubtree, effort: Effort
) -> Iterator[Node]:
    """The nodes of a subtree.

    Atoms are numbered anew, and decide which of equals comes first: so it does not matter who
    walks it, and what was walked before.
    """
    prober = JointRows(place.inside, effort)
    *rows, row = subtree.rows
    for before in rows:
        prober.push(before)
    root = _JointCell(subtree.signs, len(rows), row, tuple(map(JointPoint, subtree.points)))
    nodes = _walk(_JointPair(a, b, place, effort), prober, root)
    return (node for node in nodes if not isinstance(node, _JointSubtree))


def _listed(
    a: Network, b: Network, place: Domain, subtree: _JointSubtree, effort: Effort
) -> list[Node]:
    """All of them at once, as they are sent."""
    return list(_below(a, b, place, subtree, effort))


@dataclass(frozen=True)
class _OutputDifference:
    """Outputs of A minus those of B over a denominator, and what is left in them.

    ``counts`` are the atoms in the outputs or inside such atoms, and how often each occurs.
    """

    forms: Sequence[Form]
    den: int
    counts: Counter[int]
    passed: Passed

    def side(
        self, number: int, sign: int, multipliers: Multipliers, facts: Facts
    ) -> tuple[int, int, Refutation]:
        """The sign of the neuron of an atom h, where that of h is known.

        The last multiplier is that of ∓h.
        """
        neuron, g = self.passed.names[number]
        *rows, (_, last) = multipliers
        named = tuple(self._fact(k, u, v) for k, u, v in facts)
        refuted = Refutation(fmpq(last) / abs(g), tuple(rows), named)
        return neuron, sign if g > 0 else -sign, refuted

    def implied(self, n: int) -> list[tuple[int, int, Refutation]]:
        """Neurons of atoms that are left, with signs that need no search; n is the term 1."""
        numbers = [k for k in self.counts if k in self.passed.implied]
        # A twin is larger than its neuron: other signs would change it.
        twins = [k for k in numbers if self.passed.implied[k].twin is not None]
        return [self._implied(k, n) for k in twins[:1] or numbers]

    def _implied(self, number: int, n: int) -> tuple[int, int, Refutation]:
        """The sign of a neuron that is ± a sum of what is ≥ 0, or has a twin with a sign."""
        found = self.passed.implied[number]
        neuron, g = self.passed.names[number]
        if found.twin is not None:
            share = fmpq(1, gcd(*found.form.values()))
            positive = self.passed.signs[found.twin] > 0
            fact = (found.twin, *((share, fmpq(0)) if positive else (fmpq(0), share)))
            return neuron, found.sign, Refutation(fmpq(1, abs(g)), (), (fact,))
        facts = []
        for term, value in found.form.items():
            if term > n:
                k, is_reversed = divmod(term - n - 1, 2)
                shares = fmpq(abs(value)), fmpq(0)
                facts.append(self._fact(k, *(shares[::-1] if is_reversed else shares)))
        refuted = Refutation(fmpq(1), (), tuple(facts), abs(found.form.get(n, 0)))
        return neuron, found.sign, refuted

    def _fact(self, number: int, u: fmpq, v: fmpq) -> tuple[int, fmpq, fmpq]:
        """Multipliers of s(h) ≥ 0 and s(h) − h ≥ 0 as those of the neuron with z = g·h.

        If g < 0, then s(z) = |g|·(s(h) − h) and s(z) − z = |g|·s(h).
        """
        neuron, g = self.passed.names[number]
        return (neuron, u / g, v / g) if g > 0 else (neuron, v / -g, u / -g)


class _JointPair:
    """The two networks and the atoms that they have in common."""

    def __init__(
        self, a: Network, b: Network, domain: Domain, effort: Effort, *, is_bounded: bool = False
    ) -> None:
        """It is bounded if known signs are those of intervals too."""
        self.effort, self._is_bounded = effort, is_bounded
        self.atoms = Atoms(domain.chart, effort)
        self._networks = (a, b)
        self._domain = domain
        self._layers = (integer_layers(a), integer_layers(b))

    def difference(self, signs: Mapping[int, int]) -> _OutputDifference:
        """A − B where some neurons have a known sign."""
        passed = self.atoms.through(self._layers, signs)
        (p, q), pairs = passed.dens, zip(*passed.outputs, strict=True)
        forms = [self.atoms.plain(total([(q, f), (-p, g)])) for f, g in pairs]
        return _OutputDifference(forms, p * q, self._occurring(forms), passed)

    @cached_property
    def _signs(self) -> dict[int, int]:
        """Signs of neurons on the domain, by interval arithmetic."""
        box = input_ranges(self._domain, self.effort)
        found: dict[int, int] = {}
        first = 0
        for network in self._networks:
            starts = list(accumulate(network.hidden_widths, initial=first))
            signs = signs_on_box(network, box, self.effort)
            found |= {starts[l] + i: sign for (l, i), sign in signs.items()}
            first = starts[-1]
        return found

    def bounded(self, found: _OutputDifference) -> dict[int, int]:
        """Neurons of atoms that are left whose sign interval arithmetic tells."""
        if self._is_bounded:
            return {}
        named = (found.passed.names[number][0] for number in found.counts)
        return {k: self._signs[k] for k in named if k in self._signs}

    def cut(self, found: _OutputDifference) -> int:
        """The affine atom that cuts a cell: first those that only one of the networks has."""
        users = found.passed.users
        return max(
            (k for k in found.counts if self.atoms.is_affine(k)),
            key=lambda k: (len(users[k]) == 1, found.counts[k], -k),
        )

    def _occurring(self, forms: Sequence[Form]) -> Counter[int]:
        found: Counter[int] = Counter()
        stack = list(forms)
        while stack:
            for number in self.atoms.inside(stack.pop()):
                if number not in found:
                    stack.append(self.atoms.forms[number])
                found[number] += 1
        return found


def _visit(
    pair: _JointPair, rows: JointRows, cell: _JointCell
) -> Generator[Node, None, list[_JointCell]]:
    """The nodes of a cell; returns the two cells below it if the last of them is a split."""
    signs = dict(cell.signs)
    on_cell = JointSigns(pair.atoms, rows, cell.points, pair.effort)
    is_new = cell.row is None
    while True:
        found = pair.difference(signs)
        if not found.counts:
            outputs = tuple(row for f in found.forms if (row := pair.atoms.row(f)) is not None)
            yield Leaf(outputs, found.den, rows.system, on_cell.points[0].point)
            return []
        bounded = pair.bounded(found) if is_new else {}
        if bounded:
            signs |= bounded
            yield IntervalSides(tuple(bounded.items()))
            continue
        sides = found.implied(pair.atoms.n_inputs)
        if is_new and not sides:
            is_new = False
            yield Unlike()
        if not sides:
            signed = yield from on_cell.found(found.counts)
            sides = [found.side(*one) for one in signed]
        if not sides:
            number = pair.cut(found)
            neuron, g = found.passed.names[number]
            yield JointSplit(neuron, abs(g))
            below = []
            for side in (-1, 1):
                sign = side if g > 0 else -side
                inside = {**signs, neuron: side}
                below.append(_part(pair.atoms, rows, number, sign, inside, on_cell.points))
            return below
        signs |= {neuron: sign for neuron, sign, _ in sides}
        yield JointSides(tuple(sorted(sides, key=lambda side: -side[0])))


def _part(
    atoms: Atoms,
    rows: JointRows,
    number: int,
    sign: int,
    signs: Mapping[int, int],
    points: Sequence[JointPoint],
) -> _JointCell:
    """The part of a cell where an affine atom has a sign."""
    row = atoms.row(atoms.forms[number]) or ()
    inside = tuple(x for x in points if x.sign(atoms, number) == sign)[-MAX_POINTS:]
    return _JointCell(signs, rows.n_pushed, row if sign > 0 else negated(row), inside)
