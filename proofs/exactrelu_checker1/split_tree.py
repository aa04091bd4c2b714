"""Split trees: an open polyhedron cut by the hidden neurons of a network, one after the other.

A cell is given by strict rows a·x + b > 0: those of the domain, then one for each cut on the way
from the root. On it every neuron before the next one is decided, active or not, so that the
preactivations of its layer are affine functions of x. The proof has records for each cell, in
preorder, the side where the preactivation is negative before the side where it is positive:

``sides``  some neurons of the layer have one sign on the whole cell: positive weights on rows of it
           and on the opposite side of the neuron add up to 0·x + b with b <= 0. The cell stays
           open, and the neurons are decided when it is their turn.
``split``  the cell is cut by the next neuron that is neither decided nor constant on it.
``empty``  the cell is empty: positive weights on rows of it that add up to 0·x + b with b <= 0.

Every other record ends its branch too; the rule that walks the tree says what it proves.

Integers only: the rows of hidden layer l are den_1·…·den_l times its preactivations. The factor
is positive, so the signs are right; ReLU keeps it; and the bias of the next layer is multiplied by
it. Cells are never changed, and cells of one branch share what they have in common.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

from .budget import Budget
from .canonical import Fields
from .integers import combine, multiply
from .network import Network
from .reader import Certificate
from .system import System
from .tree import (
    Chain,
    Row,
    chained,
    combination,
    is_positive,
    listed,
    opposite,
    read_sides,
    require_contradiction,
)
from .verdicts import Reason, Refused

_INNER: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "empty": frozenset({"rows", "values"}),
        "sides": frozenset({"neurons", "rows", "signs", "values"}),
        "split": frozenset(),
    }
)
_NOTHING: Mapping[int, bool] = MappingProxyType({})

Active = tuple[int, Row]  # a neuron of a layer that is positive, and the row of its preactivation


class Cell(NamedTuple):
    """A node of the tree, and the neuron that is next on it."""

    rows: Chain[Row] | None
    layer: int
    neuron: int
    preactivations: Sequence[Row]  # of all neurons of this layer
    ahead: Mapping[int, bool]  # neurons of this layer that are decided, and whether active
    active: Chain[Active] | None  # the neurons so far that are positive
    passed: Chain[Sequence[Active]] | None  # those of the layers before


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
            elif name == "sides":
                stack.append(self._with_sides(cell, record))
            elif name == "empty":
                self._require_empty(self.rows(cell), (), record["rows"], record["values"])
            else:
                yield record, cell

    def next_neuron(self, cell: Cell) -> tuple[Cell, Row | None]:
        """Pass the neurons that are constant on a cell or decided, up to the first that is not.

        Return the cell with that neuron next, and the row of its preactivation; or the cell with
        every hidden neuron decided, and None.
        """
        while cell.layer < len(self._layers):
            if cell.neuron < len(cell.preactivations):
                row = cell.preactivations[cell.neuron]
                self._budget.spend(len(row))
                if not any(row[:-1]):
                    is_active = row[-1] > 0
                elif cell.neuron in cell.ahead:
                    is_active = cell.ahead[cell.neuron]
                else:
                    return cell, row
                cell = _decided(cell, cell.rows, row, is_active)
            else:
                cell = self._next_layer(cell)
        return cell, None

    def rows(self, cell: Cell) -> list[Row]:
        """Return the rows of a cell: those of the domain, then those of the cuts."""
        return listed(cell.rows, self._budget)

    def _root(self) -> Cell:
        rows = chained(self._domain.rows)
        first = self._layers[0].rows if self._layers else ()
        return Cell(rows, 0, 0, first, _NOTHING, None, None)

    def _sides(self, cell: Cell) -> tuple[Cell, Cell]:
        """Cut a cell; return its positive side and its negative side, which is read first."""
        cell, row = self.next_neuron(cell)
        if row is None:
            raise Refused(Reason.NOTHING_TO_SPLIT, "every neuron left is constant on the cell")
        return (
            _decided(cell, Chain(cell.rows, row), row, True),
            _decided(cell, Chain(cell.rows, opposite(row)), row, False),
        )

    def _with_sides(self, cell: Cell, record: Fields) -> Cell:
        """Return a cell with more neurons decided ahead, each by its own multipliers."""
        cell, _ = self.next_neuron(cell)
        sides = list(read_sides(record, len(cell.preactivations)))
        self._budget.spend(len(cell.ahead) + len(sides))
        ahead = dict(cell.ahead)
        on_path = self.rows(cell)
        for neuron, sign, used, weights in sides:
            row = cell.preactivations[neuron]
            if neuron < cell.neuron or neuron in cell.ahead or not any(row[:-1]):
                raise Refused(Reason.NEURON_DECIDED, f"neuron {neuron} is decided already")
            ahead[neuron] = is_positive(sign)
            beyond = opposite(row) if ahead[neuron] else row
            self._require_empty(on_path, [beyond], used, weights)
        return cell._replace(ahead=MappingProxyType(ahead))

    def _next_layer(self, cell: Cell) -> Cell:
        """Go to the next layer, which sees the active neurons, and the scale with its bias."""
        layer = cell.layer + 1
        weights = self._layers[layer].rows if layer < len(self._layers) else ()
        active = listed(cell.active, self._budget)
        self._budget.spend(len(active) * self._domain.dim)
        bias = [0] * self._domain.dim + [self._scales[cell.layer]]
        numbers = [number for number, _ in active] + [len(cell.preactivations)]
        columns = list(zip(*(row for _, row in active), bias, strict=True))
        preactivations = [
            combine([row[number] for number in numbers], columns, self._budget) for row in weights
        ]
        passed = Chain[Sequence[Active]](cell.passed, active)
        return Cell(cell.rows, layer, 0, preactivations, _NOTHING, None, passed)

    def _require_empty(
        self, rows: Sequence[Row], beyond: Sequence[Row], used: object, weights: object
    ) -> None:
        """Refuse unless positive multiples of some rows add up to 0·x + b > 0 with b <= 0."""
        require_contradiction(combination([*rows, *beyond], used, weights, self._budget))


def _decided(cell: Cell, rows: Chain[Row] | None, row: Row, is_active: bool) -> Cell:
    """Go to the next neuron; this one is active or inactive."""
    active = Chain(cell.active, (cell.neuron, row)) if is_active else cell.active
    return cell._replace(rows=rows, neuron=cell.neuron + 1, active=active)
