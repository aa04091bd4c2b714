"""The joint split tree of two networks: where are they equal, and where is which affine?

On a cell, an open polyhedron, the difference of the networks is computed formally
(:mod:`exactrelu.cells.forms`): neurons without a sign stay as atoms.  A branch ends as soon
as the difference has no atoms left: it is 0, or one affine function.  Otherwise the
cell is cut by a neuron that matters: one whose atom occurs in the difference, or inside
an atom that does, and that is affine on the cell; first those that only one of the
networks has.  Neurons that do not cut the cell are decided with Farkas multipliers, also
where their preactivation is not affine (:mod:`exactrelu.cells.forms`).  The nodes are
the records of the certificates ``equal-by-cells`` and ``equal-within``, in preorder, the
negative side first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from flint import fmpq

from exactrelu.cells.forms import Atoms, Facts, Form, integer_layers, refutation, total
from exactrelu.cells.walk import negated, strict_row
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.network.roles import bounded_signs
from exactrelu.polyhedra.answers import (
    Infeasible,
    IntegerRow,
    Multipliers,
    Solution,
    homogeneous,
    integer_row,
)
from exactrelu.polyhedra.interior import moved_into
from exactrelu.polyhedra.prober import Prober

#: (network, hidden layer, number), all from 0.
Neuron = tuple[int, int, int]

#: How many points of a cell are remembered to tell that a neuron cuts it.
MAX_POINTS = 32
#: How many of them are moved to the other side of a neuron before an LP is solved.
MAX_STARTS = 2
#: A neuron with more atoms inside is not asked for its sign: it waits for the cell to be cut.
MAX_ATOMS = 128
#: Entries of all relaxations that are solved in one cell, a few seconds; then it is cut.
MAX_ENTRIES = 4_000_000


@dataclass(frozen=True)
class Refutation:
    """Why a row has no solution in a cell.

    Multipliers of the rows of the cell, the domain's first, and, last, of that row; and for
    some neurons with preactivation z multipliers u of s(z) ≥ 0 and v of s(z) − z ≥ 0.
    """

    multipliers: Multipliers
    facts: tuple[tuple[Neuron, fmpq, fmpq], ...] = ()


@dataclass(frozen=True)
class Split:
    """The cell is cut by a neuron; its negative side follows, then its positive side."""

    neuron: Neuron


@dataclass(frozen=True)
class Sides:
    """Neurons with their sign on the whole cell, and why the other side is empty."""

    neurons: tuple[tuple[Neuron, int, Refutation], ...]


@dataclass(frozen=True)
class Bounds:
    """Neurons whose sign on the whole cell interval arithmetic tells."""

    neurons: tuple[Neuron, ...]


@dataclass(frozen=True)
class Empty:
    """The domain is empty: multipliers of its rows."""

    refutation: Refutation


@dataclass(frozen=True)
class Leaf:
    """A cell on which output k of A minus that of B is the affine function rows[k]/den.

    ``system`` are the rows of the cell, the domain's first, and ``point`` lies inside.
    """

    rows: tuple[IntegerRow, ...]
    den: int
    system: LinearSystem
    point: Vector

    @property
    def is_same(self) -> bool:
        """Whether the networks are equal on the cell."""
        return not any(any(row) for row in self.rows)


@dataclass(frozen=True)
class Sample:
    """A point of the domain that was found on the way; no record of a certificate."""

    point: Vector


@dataclass(frozen=True)
class Unlike:
    """The networks are not the same form on the domain, which is about to be cut; no record."""


class Coverage:
    """How much of a tree is closed, by its nodes: each cut counts as two halves.

    >>> seen = Coverage()
    >>> for node in (Split((0, 0, 0)), Split((0, 0, 1)), Leaf((), 1, LinearSystem(0), ())):
    ...     seen.add(node)
    >>> seen.share, seen.n_cells, seen.n_pending
    (1/4, 1, 2)
    """

    def __init__(self) -> None:
        #: 2^−depth of the cells that are closed, added up.
        self.share = fmpq(0)
        #: How many cells are closed.
        self.n_cells = 0
        self._pending = [fmpq(1)]

    @property
    def n_pending(self) -> int:
        """How many cells are known that are not closed."""
        return len(self._pending)

    def add(self, node: Node) -> None:
        """Take the next node of the tree."""
        match node:
            case Split():
                half = self._pending.pop() / 2
                self._pending += [half, half]
            case Leaf() | Empty():
                self.share += self._pending.pop()
                self.n_cells += isinstance(node, Leaf)

    @property
    def words(self) -> str:
        """ "12 cells, 3 are left; about 41 % of the search"."""
        cells = "1 cell" if self.n_cells == 1 else f"{self.n_cells:,} cells"
        left = "1 is left" if self.n_pending == 1 else f"{self.n_pending:,} are left"
        percent = 100 * self.share.p // self.share.q
        return f"{cells} so far, {left}; about {percent} % of the search"


Node = Split | Sides | Bounds | Empty | Leaf | Sample | Unlike


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


class _Rows:
    """The rows of a cell, as integers and in a :class:`Prober`."""

    def __init__(self, domain: LinearSystem, effort: Effort) -> None:
        self._prober = Prober(domain, effort=effort)
        self._integers: list[IntegerRow] = []
        for row in domain.rows:
            effort.spend()
            self._integers.append(integer_row(row.normal, row.offset)[0])

    @property
    def system(self) -> LinearSystem:
        return self._prober.system

    @property
    def n_pushed(self) -> int:
        return self._prober.n_pushed

    def feasible(self) -> Solution | Infeasible:
        return self._prober.feasible()

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
class _Cell:
    """A cell to be visited, with points inside; its last row is put on ``n_below`` others."""

    positive: Mapping[int, bool]
    n_below: int
    row: IntegerRow | None
    points: tuple[_Point, ...]


def pair_tree(
    a: Network,
    b: Network,
    domain: LinearSystem,
    points: Sequence[Vector] = (),
    effort: Effort = UNLIMITED,
) -> Iterator[Node]:
    """The nodes of the tree on an open ``domain``, all of whose rows are strict.

    ``points`` are known to lie in the domain: they tell without an LP what cuts it.

    >>> a = Network.from_arrays([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    >>> b = Network.from_arrays([[[1]]], [[0]])
    >>> [node.is_same for node in pair_tree(a, b, LinearSystem(1)) if isinstance(node, Leaf)]
    [True]
    """
    prober = _Rows(domain, effort)
    if not points:
        answer = prober.feasible()
        if isinstance(answer, Infeasible):
            yield Empty(Refutation(answer.multipliers))
            return
        points = (answer.point,)
    pair = _Pair(a, b, domain, effort)
    stack = [_Cell({}, 0, None, tuple(map(_Point, points)))]
    while stack:
        cell = stack.pop()
        while prober.n_pushed > cell.n_below:
            prober.pop()
        if cell.row is not None:
            prober.push(cell.row)
        below = yield from _visit(pair, prober, cell)
        stack += reversed(below)


@dataclass(frozen=True)
class _Difference:
    """Outputs of A minus those of B over a denominator, and what is left in them.

    ``counts`` are the atoms in the outputs or inside such atoms, and how often each occurs.
    ``neurons`` has for each atom a neuron and the factor of its integer row; ``in_both`` are
    the atoms that both networks have.
    """

    forms: Sequence[Form]
    den: int
    counts: Counter[int]
    neurons: Mapping[int, tuple[Neuron, int]]
    in_both: frozenset[int]


class _Pair:
    """The two networks and the atoms that they have in common."""

    def __init__(self, a: Network, b: Network, domain: LinearSystem, effort: Effort) -> None:
        self.effort = effort
        self.atoms = Atoms(a.n_inputs, effort)
        self._networks = (a, b)
        self._domain = domain
        self._layers = (integer_layers(a), integer_layers(b))

    def difference(self, positive: Mapping[int, bool]) -> _Difference:
        """A − B where some atoms have a known sign."""
        left, right = (self.atoms.through(layers, positive) for layers in self._layers)
        neurons: dict[int, tuple[Neuron, int]] = {}
        for network, passed in enumerate((left, right)):
            for number, (l, i, factor) in passed.neurons.items():
                neurons.setdefault(number, ((network, l, i), factor))
        forms = [
            self.atoms.plain(total([(right.den, f), (-left.den, g)]))
            for f, g in zip(left.outputs, right.outputs, strict=True)
        ]
        in_both = frozenset(left.neurons.keys() & right.neurons.keys())
        counts = self._occurring(forms)
        return _Difference(forms, left.den * right.den, counts, neurons, in_both)

    @cached_property
    def _signs(self) -> list[dict[tuple[int, int], int]]:
        """Signs of neurons on the domain, by interval arithmetic."""
        return [bounded_signs(n, self._domain, self.effort) for n in self._networks]

    def bounded(self, found: _Difference) -> dict[int, tuple[Neuron, bool]]:
        """Atoms that are left, with their neuron, whose sign interval arithmetic tells."""
        if not self._domain.rows:
            return {}
        decided = {}
        for number in found.counts:
            (network, l, i), factor = found.neurons[number]
            sign = self._signs[network].get((l, i))
            if sign is not None:
                decided[number] = (network, l, i), sign * factor > 0
        return decided

    def _occurring(self, forms: Sequence[Form]) -> Counter[int]:
        found: Counter[int] = Counter()
        stack = list(forms)
        while stack:
            for number in self.atoms.inside(stack.pop()):
                if number not in found:
                    stack.append(self.atoms.forms[number])
                found[number] += 1
        return found


def _visit(pair: _Pair, prober: _Rows, cell: _Cell) -> Generator[Node, None, list[_Cell]]:
    """The nodes of a cell; returns the two cells below it if the last of them is a split."""
    atoms = pair.atoms
    positive, points = dict(cell.positive), list(cell.points)
    tried: set[int] = set()
    relaxations = _Relaxations(atoms, prober, pair.effort)
    while True:
        found = pair.difference(positive)
        if not found.counts:
            rows = tuple(row for f in found.forms if (row := atoms.row(f)) is not None)
            yield Leaf(rows, found.den, prober.system, points[0].point)
            return []
        if cell.row is None and not tried:
            if not positive:
                yield Unlike()
            decided = pair.bounded(found)
            if decided:
                positive.update((k, upright) for k, (_, upright) in decided.items())
                yield Bounds(tuple(neuron for neuron, _ in decided.values()))
                continue
        sides = []
        new = sorted(found.counts.keys() - tried)
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
                    sign, multipliers, facts = answer
                    positive[number] = sign > 0
                    neuron, factor = found.neurons[number]
                    named = tuple(_named(found.neurons[k], u, v) for k, u, v in facts)
                    side = sign if factor > 0 else -sign
                    sides.append((neuron, side, Refutation(multipliers, named)))
            if sides:
                break
        if sides:
            yield Sides(tuple(sides))
            continue
        number = max(
            (k for k in found.counts if atoms.is_affine(k)),
            key=lambda k: (k not in found.in_both, found.counts[k], -k),
        )
        neuron, factor = found.neurons[number]
        yield Split(neuron)
        row = atoms.row(atoms.forms[number]) or ()
        below = []
        for side in (-1, 1):
            sign = side if factor > 0 else -side
            inside = tuple(x for x in points if x.sign(atoms, number) == sign)[-MAX_POINTS:]
            oriented = row if sign > 0 else negated(row)
            known = {**positive, number: sign > 0}
            below.append(_Cell(known, prober.n_pushed, oriented, inside))
        return below


def _named(neuron: tuple[Neuron, int], u: fmpq, v: fmpq) -> tuple[Neuron, fmpq, fmpq]:
    """Multipliers of s(h) ≥ 0 and s(h) − h ≥ 0 as those of a neuron with the row z = g·h.

    If g < 0, then s(z) = |g|·(s(h) − h) and s(z) − z = |g|·s(h).
    """
    name, g = neuron
    return (name, u / g, v / g) if g > 0 else (name, v / -g, u / -g)


class _Relaxations:
    """The linear programs about neurons that are not affine on a cell, as far as they go."""

    def __init__(self, atoms: Atoms, prober: _Rows, effort: Effort) -> None:
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
    prober: _Rows,
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
        points.append(_Point(answer.point))
    return None
