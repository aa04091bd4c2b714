"""A cell of the joint tree of two networks: its rows, its points, and the signs of atoms on it.

An atom that is affine on the cell has a sign there, by Farkas multipliers, or points of both signs,
near one that is known or by a linear program.  One that is not affine has a sign if a relaxation
shows it (:mod:`exactrelu.cells.forms`).
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence

from exactrelu.cells.forms import Atoms, Facts, Form, refutation
from exactrelu.cells.joint_nodes import Sample
from exactrelu.cells.walk import negated, strict_row
from exactrelu.effort import Effort
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
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

#: How many of the points of a cell are moved to the other side of a neuron before an LP is solved.
MAX_STARTS = 2
#: A neuron with more atoms inside is not asked for its sign: it waits for the cell to be cut.
MAX_ATOMS = 128
#: Entries of all relaxations that are solved in one cell, a few seconds; then it is cut.
MAX_ENTRIES = 4_000_000

#: An atom, its sign, and why it has no other.
Signed = tuple[int, int, Multipliers, Facts]


class JointPoint:
    """A point of a cell, with the values of atoms there."""

    def __init__(self, point: Vector) -> None:
        self.point = point
        self._homogeneous = homogeneous(point)
        self._values: dict[int, int] = {}

    def sign(self, atoms: Atoms, number: int) -> int:
        """The sign of an atom."""
        value = atoms.value(number, self._homogeneous, self._values)
        return (value > 0) - (value < 0)


class JointRows:
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

    def beyond(self, row: IntegerRow, points: Sequence[JointPoint]) -> Solution | Infeasible:
        """A point of the cell where a row is positive: near one of these, or by an LP."""
        for start in reversed(points[-MAX_STARTS:]):
            found = moved_into(self._integers, row, start.point)
            if found is not None:
                return Solution(found)
        self.push(row)
        answer = self._prober.feasible()
        self.pop()
        return answer


class JointSigns:
    """The signs of atoms on a cell, each found out once; more ``points`` are found on the way."""

    def __init__(
        self, atoms: Atoms, rows: JointRows, points: Sequence[JointPoint], effort: Effort
    ) -> None:
        self.points = list(points)
        self._atoms, self._rows, self._effort = atoms, rows, effort
        self._tried: set[int] = set()
        self._left = MAX_ENTRIES

    def found(self, numbers: Collection[int]) -> Generator[Sample, None, list[Signed]]:
        """The signs of those of these atoms that were not asked before; yields new points."""
        new = sorted(set(numbers) - self._tried)
        # Those that are affine are cheap to decide, and they settle others.
        affine = [k for k in new if self._atoms.is_affine(k)]
        for some in (affine, sorted({*new} - {*affine})):
            signed = []
            for number in some:
                self._tried.add(number)
                n_points = len(self.points)
                answer = self._sign(number)
                for point in self.points[n_points:]:
                    yield Sample(point.point)
                if answer is not None:
                    signed.append((number, *answer))
            if signed:
                return signed
        return []

    def _sign(self, number: int) -> tuple[int, Multipliers, Facts] | None:
        """The sign of an atom with multipliers, or None where none is found.

        An affine atom without a sign cuts the cell, and then points lie on both sides.
        """
        form = self._atoms.forms[number]
        row = self._atoms.row(form)
        signs = {x.sign(self._atoms, number) for x in self.points}
        for sign in (1, -1):
            if -sign in signs:
                continue
            if row is None:
                refuted = self._refutation({term: -sign * value for term, value in form.items()})
                if refuted is not None:
                    return sign, *refuted
                continue
            answer = self._rows.beyond(row if sign < 0 else negated(row), self.points)
            if isinstance(answer, Infeasible):
                return sign, answer.multipliers, ()
            self.points.append(JointPoint(answer.flint_point))
        return None

    def _refutation(self, form: Form) -> tuple[Multipliers, Facts] | None:
        """Why ``form`` > 0 has no solution in the cell, or None if no proof is found."""
        cell = self._rows.system
        n_atoms = len(self._atoms.closure(form))
        n_entries = (cell.dimension + n_atoms) * (len(cell.rows) + 2 * n_atoms)
        if n_atoms > MAX_ATOMS or n_entries > self._left:
            return None
        self._left -= n_entries
        return refutation(self._atoms, cell, form, self._effort)
