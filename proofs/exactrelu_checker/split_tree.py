"""Split trees: an open polyhedron cut by the hidden neurons of a network, one after the other.

A cell is given by strict rows a·x + b > 0: those of the domain, then one for each cut on the way
from the root. On it every neuron before the next one is decided, active or not, so that the
preactivation of the next one is an affine function of x. The proof has one record for each cell,
in preorder, the side where the preactivation is negative before the side where it is positive:

``split``  the cell is cut by the next neuron whose preactivation is not constant on it.
``empty``  the cell is empty: positive weights on rows of it that add up to 0·x + b with b <= 0.

Every other record ends its branch too; the rule that walks the tree says what it proves.

Integers only: the rows of hidden layer l are den_1·…·den_l times its preactivations. The factor
is positive, so the signs are right; ReLU keeps it; and the bias of the next layer is multiplied by
it. Cells are never changed, and cells of one branch share what they have in common.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from .budget import Budget
from .canonical import Fields
from .evidence import require_positive
from .integers import combine, multiply
from .network import Network
from .reader import Certificate
from .system import System
from .values import read_indices, read_vector
from .verdicts import Reason, Refused

_INNER: Mapping[str, frozenset[str]] = MappingProxyType(
    {"empty": frozenset({"rows", "values"}), "split": frozenset()}
)
Row = Sequence[int]  # a_1, …, a_n, b
Item = TypeVar("Item")


class Chain(NamedTuple, Generic[Item]):
    """A list that is never changed: an item, and the shared list of those before it."""

    before: "Chain[Item] | None"
    item: Item


class Inputs(NamedTuple):
    """What a layer sees: the numbers of the inputs that are not 0, and columns of their rows."""

    numbers: Sequence[int]
    columns: Sequence[Row]


class Cell(NamedTuple):
    """A node of the tree, and the neuron that is next on it."""

    rows: Chain[Row] | None
    layer: int
    neuron: int
    inputs: Inputs | None  # None: the coordinates, in the first layer
    active: Chain[tuple[int, Row]] | None  # the neurons of this layer that are positive on it


class SplitTree:
    """The tree of a network on a domain."""

    def __init__(self, network: Network, domain: System, budget: Budget) -> None:
        self._layers = network.layers[:-1]
        denominators = [layer.den for layer in self._layers]
        self._scales = tuple(accumulate(denominators, lambda s, den: multiply(s, den, budget)))
        self._domain = domain
        self._budget = budget

    def leaves(
        self, certificate: Certificate, types: Mapping[str, frozenset[str]]
    ) -> Iterator[tuple[Fields, Cell]]:
        """Read the tree; yield every record of the given types with the cell that it closes."""
        known = {**_INNER, **types}
        stack = [self._root()]
        while stack:
            cell = stack.pop()
            name, record = certificate.one_of(known)
            if name == "split":
                stack.extend(self._sides(cell))
            elif name == "empty":
                self._require_empty(cell, record)
            else:
                yield record, cell

    def next_neuron(self, cell: Cell) -> tuple[Cell, Row | None]:
        """Decide the neurons that are constant on a cell, up to the first that is not.

        Return the cell with that neuron next, and the row of its preactivation; or the cell with
        every hidden neuron decided, and None.
        """
        while cell.layer < len(self._layers):
            if cell.neuron < len(self._layers[cell.layer].rows):
                row = self._preactivation(cell)
                if any(row[:-1]):
                    return cell, row
                cell = _decided(cell, cell.rows, row if row[-1] > 0 else None)
            else:
                cell = self._next_layer(cell)
        return cell, None

    def rows(self, cell: Cell) -> list[Row]:
        """Return the rows of a cell: those of the domain, then those of the cuts."""
        return self._listed(cell.rows)

    def _root(self) -> Cell:
        rows: Chain[Row] | None = None
        for row in self._domain.rows:
            rows = Chain(rows, row)
        return Cell(rows, 0, 0, None, None)

    def _sides(self, cell: Cell) -> tuple[Cell, Cell]:
        """Cut a cell; return its positive side and its negative side, which is read first."""
        cell, row = self.next_neuron(cell)
        if row is None:
            raise Refused(Reason.NOTHING_TO_SPLIT, "every neuron left is constant on the cell")
        opposite = [-entry for entry in row]
        return (
            _decided(cell, Chain(cell.rows, row), row),
            _decided(cell, Chain(cell.rows, opposite), None),
        )

    def _preactivation(self, cell: Cell) -> Row:
        """Return the row of the next neuron on a cell, times the scale of its layer."""
        row = self._layers[cell.layer].rows[cell.neuron]
        self._budget.spend(len(row))
        if cell.inputs is None:
            return row
        weights = [row[number] for number in cell.inputs.numbers]
        return combine(weights, cell.inputs.columns, self._budget)

    def _next_layer(self, cell: Cell) -> Cell:
        """Go to the next layer, which sees the active neurons, and the scale with its bias."""
        active = self._listed(cell.active)
        self._budget.spend(len(active) * self._domain.dim)
        bias = [0] * self._domain.dim + [self._scales[cell.layer]]
        numbers = [number for number, _ in active] + [len(self._layers[cell.layer].rows)]
        columns = list(zip(*(row for _, row in active), bias, strict=True))
        return Cell(cell.rows, cell.layer + 1, 0, Inputs(numbers, columns), None)

    def _require_empty(self, cell: Cell, record: Fields) -> None:
        """Refuse unless positive multiples of some rows add up to 0·x + b > 0 with b <= 0."""
        rows = self.rows(cell)
        used = read_indices(record["rows"], len(rows))
        values = read_vector(record["values"], len(used), self._budget)
        if not used:
            raise Refused(Reason.DEPENDENCY_EMPTY, "multipliers on no row")
        for position, value in zip(used, values, strict=True):
            require_positive(value, position)
        columns = list(zip(*(rows[position] for position in used), strict=True))
        *normal, offset = combine(values, columns, self._budget)
        if any(normal):
            raise Refused(Reason.COMBINATION_NOT_ZERO, "the combination of the normals is not 0")
        if offset > 0:
            raise Refused(Reason.OFFSET_POSITIVE, "the combination of the offsets is positive")

    def _listed(self, chain: Chain[Item] | None) -> list[Item]:
        """Return a chain as a list, the first item first."""
        items: list[Item] = []
        while chain is not None:
            items.append(chain.item)
            chain = chain.before
        self._budget.spend(len(items))
        return items[::-1]


def _decided(cell: Cell, rows: Chain[Row] | None, row: Row | None) -> Cell:
    """Go to the next neuron; this one is inactive if it has no row, else active."""
    active = cell.active if row is None else Chain(cell.active, (cell.neuron, row))
    return Cell(rows, cell.layer, cell.neuron + 1, cell.inputs, active)
