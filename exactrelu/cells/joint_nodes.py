"""The nodes of the joint split tree of two networks (:mod:`exactrelu.cells.pairs`).

They come in preorder, the negative side first, and are about the integer preactivations z_k of the
checker; :mod:`exactrelu.certificates.pair_trees` writes them.  Two of them are no records: they say
what was seen on the way.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.polyhedra.answers import IntegerRow, Multipliers


@dataclass(frozen=True)
class Refutation:
    """Why ∓z_k > 0 has no solution in a cell: positive sums of what is ≥ 0 there cancel it.

    ``weight`` is the multiplier of ∓z_k, ``multipliers`` those of the rows of the cell, the
    domain's first, ``constant`` that of 1; for some neurons j ``facts`` has multipliers u of
    s(z_j) ≥ 0 and v of s(z_j) − z_j ≥ 0.
    """

    weight: fmpq
    multipliers: Multipliers = ()
    facts: tuple[tuple[int, fmpq, fmpq], ...] = ()
    constant: int = 0


@dataclass(frozen=True)
class JointSplit:
    """The cell is cut by a neuron; its negative side follows, then its positive side.

    z_k or −z_k is ``scale`` > 0 times the row that the cell gets.
    """

    neuron: int
    scale: int


@dataclass(frozen=True)
class JointSides:
    """Neurons with their sign on the whole cell, in decreasing order, and why not the other."""

    neurons: tuple[tuple[int, int, Refutation], ...]


@dataclass(frozen=True)
class IntervalSides:
    """Neurons with the sign on the whole cell that interval arithmetic tells."""

    neurons: tuple[tuple[int, int], ...]


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
    >>> for node in (JointSplit(0, 1), JointSplit(1, 1), Leaf((), 1, LinearSystem(0), ())):
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
            case JointSplit():
                half = self._pending.pop() / 2
                self._pending += [half, half]
            case Leaf():
                self.share += self._pending.pop()
                self.n_cells += 1

    @property
    def words(self) -> str:
        """ "12 cells, 3 are left; about 41 % of the search"."""
        cells = "1 cell" if self.n_cells == 1 else f"{self.n_cells:,} cells"
        left = "1 is left" if self.n_pending == 1 else f"{self.n_pending:,} are left"
        percent = 100 * self.share.p // self.share.q
        return f"{cells} so far, {left}; about {percent} % of the search"


Node = JointSplit | JointSides | IntervalSides | Leaf | Sample | Unlike
