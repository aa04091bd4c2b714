"""Transparency of a network on a domain.

Statement. For every point of the open polyhedron D and every hidden layer of the network N, some
unit of the layer has a preactivation that is not negative.

Evidence. A split tree. ``active``: on the cell every hidden layer has a unit that is positive, or
0 everywhere; the last layer may have undecided neurons. Sound because points where a whole layer is
negative would form an open set, and the cells cover D up to a null set.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..budget import Budget
from ..domain import domain_rule
from ..network import Network
from ..reader import Certificate
from ..split_tree import Cell, SplitTree
from ..system import System
from ..verdicts import Reason, Refused

_LEAVES: Mapping[str, frozenset[str]] = MappingProxyType({"active": frozenset()})


def check_transparent(
    network: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    """Check that the network is transparent."""
    tree = _LivingTree(network, domain, budget)
    hidden = len(network.layers) - 1
    for _, cell in tree.leaves(certificate, _LEAVES):
        end, _ = tree.next_neuron(cell)
        if end.layer < hidden - 1:
            raise Refused(Reason.NEURON_UNDECIDED, "an undecided neuron before the last layer")
        if end.layer < hidden:
            tree.require_active(end)


class _LivingTree(SplitTree):
    """A split tree that refuses to leave a layer that is negative on a cell."""

    def require_active(self, cell: Cell) -> None:
        """Refuse unless some unit of the layer of a cell is positive, or 0 everywhere, on it."""
        self._budget.spend(len(cell.preactivations) * self._domain.dim)
        if (
            cell.active is None
            and not any(cell.ahead.values())
            and all(map(any, cell.preactivations))
        ):
            raise Refused(
                Reason.LAYER_NEGATIVE, f"no unit of layer {cell.layer + 1} is known to be active"
            )

    def _next_layer(self, cell: Cell) -> Cell:
        self.require_active(cell)
        return super()._next_layer(cell)


RULE = domain_rule("is transparent", check_transparent)
