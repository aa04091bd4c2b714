"""The closed cells of a network on a polyhedron, with the records that prove they cover it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flint import fmpq

from exactrelu.certificates.certificate import Record
from exactrelu.certificates.trees import tree_record
from exactrelu.complex.split_tree import ClosedCell, closed_cells, tree
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.integer_rows import IntegerRow

#: A row (a, b) of integers and what it says of a·x + b.
SensedRow = tuple[IntegerRow, Sense]


def proved_cells(
    network: Network, domain: LinearSystem
) -> Iterator[tuple[Record, ClosedCell | None]]:
    """The records of the tree of closed cells in preorder, each with the cell that it ends."""
    for node in tree(network, domain, closed_cells(network)):
        yield tree_record(node, domain), node if isinstance(node, ClosedCell) else None


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
