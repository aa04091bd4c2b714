"""A chain of affine steps over t, with units of three kinds between them, and goals at its end.

A *step* computes the rows  z = W·v + b  of what the step before passes on (first: v = t), and each
of its *units* makes of its row what it passes on:

    relu     max(z, 0)
    linear   z
    gap      max(z_f, 0) − max(z_g, 0)  for two neurons with  z = δ = z_f − z_g

Networks *side by side* need the first two kinds only.  Of two networks f and g of one shape the
gaps come first, then the neurons of g; z_f is *watched*: its row is known, nobody passes it on.

A *goal* is a row over what the last step passes on, over t and 1.  Where it is > 0 the case that it
belongs to is refuted: it is a row of this case, negated, or an equation of it.

How a property becomes a chain: :mod:`exactrelu.questions.properties.chain`.  Bounds of chains, in
floats: :mod:`.crown`.

Symbols: [W|b] ``affine``, the number of units ``n_units``, goals over (v, t, 1) ``goals``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import to_float

Floats = npt.NDArray[np.float64]


class UnitKind(IntEnum):
    """What a unit makes of its row."""

    RELU = 0
    LINEAR = 1
    GAP = 2


@dataclass(frozen=True)
class Step:
    """Rows [W|b] over what is passed on; the first of them belong to units, the others are watched.

    Gaps come first, then the neurons of g, then the watched ones of f, all in one order.
    """

    exact: Matrix
    kinds: tuple[UnitKind, ...]

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.exact.n_rows

    @property
    def n_units(self) -> int:
        """The number of units, which pass something on."""
        return len(self.kinds)

    @cached_property
    def affine(self) -> Floats:
        """[W|b] in floats."""
        return floats(self.exact)

    def of_kind(self, kind: UnitKind) -> npt.NDArray[np.intp]:
        """The numbers of the units of a kind."""
        return np.array([i for i, other in enumerate(self.kinds) if other is kind], dtype=np.intp)

    @cached_property
    def relus(self) -> npt.NDArray[np.intp]:
        """The numbers of the neurons."""
        return self.of_kind(UnitKind.RELU)

    @cached_property
    def linear(self) -> npt.NDArray[np.intp]:
        """The numbers of the linear units."""
        return self.of_kind(UnitKind.LINEAR)

    @cached_property
    def gaps(self) -> npt.NDArray[np.intp]:
        """The numbers of the gaps."""
        return self.of_kind(UnitKind.GAP)

    @property
    def n_pairs(self) -> int:
        """Gap i belongs to the rows i, i + n_pairs and i + 2·n_pairs; 0 if there are none."""
        return self.n_rows - self.n_units

    def passed(self, z: Floats) -> Floats:
        """What the units pass on, of rows at many points."""
        found = z[:, : self.n_units].copy()
        found[:, self.relus] = np.maximum(found[:, self.relus], 0)
        if len(self.gaps):
            n = self.n_pairs
            ends = np.maximum(z[:, n:], 0)
            found[:, self.gaps] = ends[:, n + self.gaps] - ends[:, self.gaps]
        return found


@dataclass(frozen=True)
class Goal:
    """A row of a case, negated, or an equation itself: where it is > 0 the case is not."""

    case: int
    row: int
    #: −1: the negated row; +1: an equation as it is written.
    sign: int


@dataclass(frozen=True)
class Chain:
    """Steps over t, and the goals over what the last step passes on, over t and 1."""

    n_inputs: int
    steps: tuple[Step, ...]
    goals: tuple[Goal, ...]
    exact_goals: Matrix
    #: The numbers of the cases of each clause, if there are several.
    groups: tuple[range, ...] = ()

    def most(self, by_case: Floats) -> Floats:
        """Of what is left of each case, on the last axis, that of the clause with most left.

        All cases of a clause must be refuted, but of clauses one will do.
        """
        if not self.groups:
            least: Floats = by_case.min(axis=-1)
            return least
        most: Floats = self.by_clause(by_case).max(axis=-1)
        return most

    def by_clause(self, by_case: Floats) -> Floats:
        """The least of the cases of each clause."""
        return np.stack([by_case[..., list(group)].min(axis=-1) for group in self.groups], axis=-1)

    @cached_property
    def goal_rows(self) -> Floats:
        """The goals over (v, t, 1) in floats, each scaled so that its largest entry is 1."""
        with np.errstate(all="ignore"):
            scaled: Floats = floats(self.exact_goals) / self.sizes[:, None]
        return scaled

    @cached_property
    def sizes(self) -> Floats:
        """The largest entry of each goal, 1 if all are 0."""
        found = np.abs(floats(self.exact_goals)).max(axis=1)
        sizes: Floats = np.where(found > 0, found, 1)
        return sizes

    @cached_property
    def is_finite(self) -> bool:
        """Whether floats hold all numbers."""
        found = (self.goal_rows, *(step.affine for step in self.steps))
        return all(bool(np.isfinite(rows).all()) for rows in found)

    @property
    def has_equations(self) -> bool:
        """Whether a case has an equation."""
        return any(goal.sign > 0 for goal in self.goals)

    @property
    def has_gaps(self) -> bool:
        """Whether there are gaps."""
        return any(step.n_pairs for step in self.steps)

    @cached_property
    def n_cases(self) -> int:
        """The number of cases."""
        return 1 + max(goal.case for goal in self.goals)

    @cached_property
    def cases(self) -> tuple[npt.NDArray[np.intp], ...]:
        """For each case the numbers of its goals."""
        numbers = range(len(self.goals))
        return tuple(
            np.array([g for g in numbers if self.goals[g].case == case], dtype=np.intp)
            for case in range(self.n_cases)
        )

    def values(self, t: Floats) -> tuple[list[Floats], Floats]:
        """The rows of all steps and the goals at many points."""
        rows, passed = [], t
        for step in self.steps:
            rows.append(passed @ step.affine[:, :-1].T + step.affine[:, -1])
            passed = step.passed(rows[-1])
        if not self.steps:
            passed = t[:, :0]
        everything = np.hstack([passed, t, np.ones((len(t), 1))])
        return rows, everything @ self.goal_rows.T


def floats(matrix: Matrix) -> Floats:
    """The nearest floats, infinite where a number is too large."""
    found = np.zeros(matrix.shape)
    for row, entries in zip(found, matrix.nonzeros(), strict=True):
        if entries:
            places, values = zip(*entries, strict=True)
            row[list(places)] = list(map(to_float, values))
    return found
