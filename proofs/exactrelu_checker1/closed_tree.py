"""Split trees on closed cells: every point of a polyhedron D lies in the cell of some leaf.

The tree is that of ``split_tree``, but the rows of cuts say a·x + b >= 0, and those of D what their
senses say. The two sides of a cut share their border, where ReLU is 0 by either of its branches, so
that the affine functions of a cell are right on all of it. A row beyond a neuron is strict: if it
is refuted, the neuron is >= 0, or <= 0, on the closed cell. Weights may be negative on equations of
D, and a sum b = 0 is a contradiction only if a strict row is used. ``cell``: every neuron is
decided.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .budget import Budget
from .evidence import refute
from .integers import combine, multiply
from .network import Network
from .reader import Certificate
from .split_tree import Active, SplitTree
from .system import System
from .tree import Row, listed
from .verdicts import Reason, Refused

_MEMORY = 64  # fuel for an entry of a matrix that no file has: it takes memory too

_LEAVES: Mapping[str, frozenset[str]] = MappingProxyType({"cell": frozenset()})


def orthant(dim: int, budget: Budget) -> System:
    """Return the orthant of R^dim: the coordinates, as rows, are at least 0."""
    budget.spend(_MEMORY * dim * dim)
    rows = (tuple(int(i == j) for j in range(dim + 1)) for i in range(dim))
    return System(dim, ("ge",) * dim, tuple(rows))


class ClosedCell(NamedTuple):
    """The rows of a cell, those of the domain first, and the outputs of layers as rows on it."""

    rows: Sequence[Row]
    layers: Sequence[Sequence[Row]]  # the coordinates, then the outputs of every layer


class ClosedTree(SplitTree):
    """The closed cells of a network on a domain."""

    def __init__(self, network: Network, domain: System, budget: Budget) -> None:
        super().__init__(network, domain, budget)
        self._last = network.layers[-1]
        before = self._scales[-1] if self._scales else 1
        self.scale = multiply(before, self._last.den, budget)  # of the rows of the last layer
        self._coordinates = orthant(domain.dim, budget).rows

    def cells(self, certificate: Certificate) -> Iterator[ClosedCell]:
        """Read the tree; yield its cells."""
        for _, cell in self.leaves(certificate, _LEAVES):
            end, row = self.next_neuron(cell)
            if row is not None:
                raise Refused(Reason.NEURON_UNDECIDED, "a neuron left is not constant on the cell")
            yield ClosedCell(self.rows(cell), self._outputs(listed(end.passed, self._budget)))

    def _outputs(self, passed: Sequence[Sequence[Active]]) -> list[Sequence[Row]]:
        """Return the coordinates and the outputs of the layers, the last of which is affine.

        The rows of a layer are its outputs times the denominators of the layers up to it.
        """
        outputs: list[Sequence[Row]] = [self._coordinates]
        zero = [0] * (self._domain.dim + 1)
        for layer, active in zip(self._layers, passed, strict=True):
            self._budget.spend(len(layer.rows))
            rows = dict(active)
            outputs.append([rows.get(number, zero) for number in range(len(layer.rows))])
        before = self._scales[-1] if self._scales else 1
        self._budget.spend((len(outputs[-1]) + 1) * len(zero))
        inputs = list(zip(*outputs[-1], [*zero[:-1], before], strict=True))
        outputs.append([combine(row, inputs, self._budget) for row in self._last.rows])
        return outputs

    def _require_empty(
        self, rows: Sequence[Row], beyond: Sequence[Row], used: object, weights: object
    ) -> None:
        system = self.system(rows, beyond)
        refute({"rows": used, "values": weights}, system, self._budget)

    def system(self, rows: Sequence[Row], beyond: Sequence[Row] = ()) -> System:
        """Return the rows of a cell with their senses, and strict ones after them."""
        own = self._domain.senses
        self._budget.spend(len(rows) + len(beyond))
        senses = (*own, *("ge",) * (len(rows) - len(own)), *("gt",) * len(beyond))
        return System(self._domain.dim, senses, tuple(map(tuple, (*rows, *beyond))))
