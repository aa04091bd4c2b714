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
    refutation,
    total,
)
from exactrelu.cells.joint_nodes import (
    IntervalSides,
    JointSides,
    JointSplit,
    Leaf,
    Node,
    Refutation,
    Sample,
    Unlike,
)
from exactrelu.cells.walk import negated, strict_row
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, signs_text
from exactrelu.network.roles import signs_on_box
from exactrelu.polyhedra.answers import (
    Infeasible,
    IntegerRow,
    Multipliers,
    Solution,
    homogeneous,
    integer_row,
)
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.interior import moved_into
from exactrelu.polyhedra.prober import Prober
from exactrelu.work.crew import shared

#: How many points of a cell are remembered to tell that a neuron cuts it.
MAX_POINTS = 32
#: How many of them are moved to the other side of a neuron before an LP is solved.
MAX_STARTS = 2
#: A neuron with more atoms inside is not asked for its sign: it waits for the cell to be cut.
MAX_ATOMS = 128
#: Entries of all relaxations that are solved in one cell, a few seconds; then it is cut.
MAX_ENTRIES = 4_000_000
#: Subtrees below so many cuts are walked by whoever shares the work.
SHARED_CUTS = 6


class _Point:
    """A point of a cell, with the values of atoms there."""

    def __init__(self, point: Vector) -> None:
        self.point = point
        self._homogeneous = homogeneous(point)
        self._values: dict[int, int] = {}

    def sign(self, atoms: Atoms, number: int) -> int:
        """The sign of an atom."""
        value = atoms.value(number, self._homogeneous, self._values)
        return (value > 0) - (value < 0)


class _JointRows:
    """The rows of a cell, as integers and in a :class:`Prober`."""

    def __init__(self, domain: LinearSystem, effort: Effort) -> None:
        self._prober = Prober(domain, effort=effort)
        self._integers: list[IntegerRow] = []
        for row in domain.rows:
            effort.spend()
            self._integers.append(integer_row(row.flint_normal, row.flint_offset)[0])

    @property
    def system(self) -> LinearSystem:
        return self._prober.system

    @property
    def n_pushed(self) -> int:
        return self._prober.n_pushed

    @property
    def pushed(self) -> tuple[IntegerRow, ...]:
        return tuple(self._integers[len(self._integers) - self.n_pushed :])

    def push(self, row: IntegerRow) -> None:
        self._prober.push(strict_row(row))
        self._integers.append(row)

    def pop(self) -> None:
        self._prober.pop()
        self._integers.pop()

    def beyond(self, row: IntegerRow, points: Sequence[_Point]) -> Solution | Infeasible:
        """A point of the cell where a row is positive: near one of these, or by an LP."""
        for start in reversed(points[-MAX_STARTS:]):
            found = moved_into(self._integers, row, start.point)
            if found is not None:
                return Solution(found)
        self.push(row)
        answer = self._prober.feasible()
        self.pop()
        return answer


@dataclass(frozen=True)
class _JointCell:
    """A cell to be visited, with points inside; its last row is put on ``n_below`` others."""

    signs: Mapping[int, int]
    n_below: int
    row: IntegerRow | None
    points: tuple[_Point, ...]


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
    root = _JointCell(known or {}, 0, None, tuple(map(_Point, inside)))
    pair = _JointPair(a, b, place, effort, is_bounded=bool(known) and has_ends(place))
    top = _walk(pair, _JointRows(place.inside, effort), root, SHARED_CUTS)
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
    pair: _JointPair, prober: _JointRows, root: _JointCell, most: float = inf
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
    prober = _JointRows(place.inside, effort)
    *rows, row = subtree.rows
    for before in rows:
        prober.push(before)
    root = _JointCell(subtree.signs, len(rows), row, tuple(map(_Point, subtree.points)))
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
    pair: _JointPair, prober: _JointRows, cell: _JointCell
) -> Generator[Node, None, list[_JointCell]]:
    """The nodes of a cell; returns the two cells below it if the last of them is a split."""
    atoms = pair.atoms
    signs, points = dict(cell.signs), list(cell.points)
    tried: set[int] = set()
    is_new = cell.row is None
    relaxations = _Relaxations(atoms, prober, pair.effort)
    while True:
        found = pair.difference(signs)
        if not found.counts:
            rows = tuple(row for f in found.forms if (row := atoms.row(f)) is not None)
            yield Leaf(rows, found.den, prober.system, points[0].point)
            return []
        bounded = pair.bounded(found) if is_new else {}
        if bounded:
            signs |= bounded
            yield IntervalSides(tuple(bounded.items()))
            continue
        sides = found.implied(atoms.n_inputs)
        if is_new and not sides:
            is_new = False
            yield Unlike()
        new = [] if sides else sorted(found.counts.keys() - tried)
        # Those that are affine are cheap to decide, and they settle others.
        for numbers in ([k for k in new if atoms.is_affine(k)], new):
            for number in numbers:
                if number in tried:
                    continue
                tried.add(number)
                n_points = len(points)
                answer = _sign(atoms, prober, number, points, relaxations)
                for point in points[n_points:]:
                    yield Sample(point.point)
                if answer is not None:
                    sides.append(found.side(number, *answer))
            if sides:
                break
        if sides:
            signs |= {neuron: sign for neuron, sign, _ in sides}
            yield JointSides(tuple(sorted(sides, key=lambda side: -side[0])))
            continue
        names, users = found.passed.names, found.passed.users
        number = max(
            (k for k in found.counts if atoms.is_affine(k)),
            key=lambda k: (len(users[k]) == 1, found.counts[k], -k),
        )
        neuron, g = names[number]
        yield JointSplit(neuron, abs(g))
        row = atoms.row(atoms.forms[number]) or ()
        below = []
        for side in (-1, 1):
            sign = side if g > 0 else -side
            inside = tuple(x for x in points if x.sign(atoms, number) == sign)[-MAX_POINTS:]
            oriented = row if sign > 0 else negated(row)
            below.append(_JointCell({**signs, neuron: side}, prober.n_pushed, oriented, inside))
        return below


class _Relaxations:
    """The linear programs about neurons that are not affine on a cell, as far as they go."""

    def __init__(self, atoms: Atoms, prober: _JointRows, effort: Effort) -> None:
        self._atoms, self._prober, self._effort = atoms, prober, effort
        self._left = MAX_ENTRIES

    def refutation(self, form: Form) -> tuple[Multipliers, Facts] | None:
        """Why ``form`` > 0 has no solution in the cell, or None if no proof is found."""
        cell = self._prober.system
        n_atoms = len(self._atoms.closure(form))
        n_entries = (cell.dimension + n_atoms) * (len(cell.rows) + 2 * n_atoms)
        if n_atoms > MAX_ATOMS or n_entries > self._left:
            return None
        self._left -= n_entries
        return refutation(self._atoms, cell, form, self._effort)


def _sign(
    atoms: Atoms,
    prober: _JointRows,
    number: int,
    points: list[_Point],
    relaxations: _Relaxations,
) -> tuple[int, Multipliers, Facts] | None:
    """The sign of an atom on the cell with multipliers, or None where none is found.

    An affine atom without a sign cuts the cell, and then ``points`` lie on both sides.
    """
    form = atoms.forms[number]
    row = atoms.row(form)
    signs = {x.sign(atoms, number) for x in points}
    for sign in (1, -1):
        if -sign in signs:
            continue
        beyond = {term: -sign * value for term, value in form.items()}
        if row is None:
            refuted = relaxations.refutation(beyond)
            if refuted is not None:
                return sign, *refuted
            continue
        answer = prober.beyond(row if sign < 0 else negated(row), points)
        if isinstance(answer, Infeasible):
            return sign, answer.multipliers, ()
        points.append(_Point(answer.flint_point))
    return None
