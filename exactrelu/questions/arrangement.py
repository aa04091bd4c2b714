"""The cells of hyperplanes, counted with a proof, and their position.

The cells of m hyperplanes are the activation regions of a layer of m neurons, so the certificate of
their number is that of the regions of such a network.  By Zaslavsky's theorem the number is also
|χ(−1)|, χ the characteristic polynomial, which is computed in another way
(:mod:`exactrelu.polyhedra.arrangement`): both are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Found
from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.polyhedra.arrangement import (
    Arrangement,
    characteristic_polynomial,
    degeneracy,
    evaluate,
)
from exactrelu.questions.regions import Regions
from exactrelu.words import PEOPLE, Words, count


def _in_position(value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What is known once the position of the hyperplanes is."""
    return lambda found: value(found) if found.has_position else None


def _polynomial(found: ArrangementCells, _: Words) -> Iterator[str]:
    if found.has_position:
        terms = ", ".join(map(str, found.polynomial))
        yield f"characteristic polynomial, constant term first: ({terms})"


@dataclass(frozen=True, repr=False)
class ArrangementCells(Found):
    """The cells of an arrangement, as the regions of a layer, and its position.

    ``effort`` is what may be spent on the position.
    """

    PARTS = (
        Part("n_cells", "number of cells; null if not all were found", proved=True, claim="count"),
        Part(
            "n_cells_at_least",
            "as many were found",
            claim="count",
            proved=lambda found: found.cells.has_all_shown,
            unproved=lambda found: "" if found.cells.has_all_shown else "the number so far",
        ),
        Part(
            "general_position",
            "whether the hyperplanes are in general position",
            of=_in_position(lambda found: not found.dependent),
            unproved="general position",
        ),
        Part(
            "characteristic_polynomial",
            "its coefficients, the constant term first",
            of=_in_position(lambda found: found.polynomial),
            said=_polynomial,
            unproved="characteristic polynomial",
        ),
        Part(
            "dependent_hyperplanes",
            "hyperplanes that show that they are not, from 1",
            of=_in_position(lambda found: found.dependent),
        ),
    )

    arrangement: Arrangement
    cells: Regions
    effort: Effort = UNLIMITED

    @property
    def stopped(self) -> str:
        """Why not all cells were found."""
        return self.cells.reason

    @property
    def certificate(self) -> Certificate | None:
        """The proof of the number of cells."""
        return self.cells.certificate

    @property
    def _has_proof(self) -> bool:
        return self.cells.is_complete or bool(len(self.cells.regions))

    @property
    def n_cells(self) -> int | None:
        """The number of cells, if all were found."""
        return self.cells.n_regions

    @property
    def n_cells_at_least(self) -> int:
        """How many were found."""
        return self.cells.n_regions_at_least

    @cached_property
    def left_open(self) -> str:
        """Why the position is not known, if the work for it was stopped."""
        try:
            _ = self.cells.is_complete and (self.polynomial, self.dependent)
        except Stopped as stopped:
            return f"{stopped} before their position was known"
        return ""

    @property
    def has_position(self) -> bool:
        """Whether the position of the hyperplanes is known."""
        return self.cells.is_complete and not self.left_open

    @cached_property
    def polynomial(self) -> tuple[int, ...]:
        """The coefficients of the characteristic polynomial, the constant term first."""
        found = tuple(characteristic_polynomial(self.arrangement, self.effort))
        if self.n_cells != abs(evaluate(found, -1)):
            raise ArithmeticError("the cells disagree with Zaslavsky's theorem: a bug")
        return found

    @cached_property
    def dependent(self) -> list[int]:
        """Hyperplanes, from 1, that show that they are not in general position."""
        fault = degeneracy(self.arrangement, self.effort)
        return [] if fault is None else [i + 1 for i in fault.hyperplanes]

    def sentence(self, _words: Words = PEOPLE) -> str:
        """How many cells there are, and whether the hyperplanes are in general position."""
        number = count(self.n_cells_at_least, "cell")
        hyperplanes = count(self.arrangement.n_hyperplanes, "hyperplane")
        where = f"{hyperplanes} in R^{self.arrangement.dimension}"
        if not self.cells.is_complete:
            return f"{self.stopped}: {where}, at least {number}"
        if self.left_open:
            return f"{where}: {number}; {self.left_open}"
        position = "in general position"
        if self.dependent:
            named = ", ".join(map(str, self.dependent))
            position = f"not in general position: see hyperplanes {named}"
        return f"{where}: {number}, {position}"
