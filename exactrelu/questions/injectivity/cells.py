"""The closed cells of a network on a polyhedron, with the records that prove they cover it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from flint import fmpq

from exactrelu.certificates.injective import CELL_RECORD
from exactrelu.certificates.regions import SPLIT_RECORD, empty_record, sides_record
from exactrelu.complex.split_tree import ClosedCell, Empty, Sides, closed_cells, tree
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.integer_rows import IntegerRow

#: A row (a, b) of integers and what it says of a·x + b.
SensedRow = tuple[IntegerRow, Sense]


def proved_cells(
    network: Network, domain: LinearSystem
) -> Iterator[tuple[dict[str, Any], ClosedCell | None]]:
    """The records of the tree of closed cells in preorder, each with the cell that it ends."""
    for node in tree(network, domain, closed_cells(network)):
        if isinstance(node, ClosedCell):
            yield CELL_RECORD, node
        elif isinstance(node, Sides):
            yield sides_record(domain, node.neurons), None
        elif isinstance(node, Empty):
            yield empty_record(domain, node.multipliers), None
        else:
            yield SPLIT_RECORD, None


def cell_rows(domain: LinearSystem, cell: ClosedCell) -> list[SensedRow]:
    """The rows of the domain as the file has them, then those of the cuts."""
    own = [(tuple(map(int, row.integers())), row.sense) for row in domain.rows]
    return [*own, *((cut, Sense.AT_LEAST) for cut in cell.cuts)]


def integer_system(dimension: int, rows: Iterable[SensedRow]) -> LinearSystem:
    """Integer rows as a system, so that multipliers are those of the integer rows."""
    return LinearSystem(
        dimension,
        tuple(Row(tuple(map(fmpq, row[:-1])), fmpq(row[-1]), sense) for row, sense in rows),
    )
