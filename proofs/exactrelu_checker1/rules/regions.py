"""Number of activation regions of a network on a domain.

Statement. The network N has exactly k activation regions on the open polyhedron D: D is cut, by
one hidden neuron after the other, into the parts where its preactivation is negative and where it
is positive, unless it is constant; k of the cells that result are not empty.

Evidence. A split tree. ``cell``: a point of a cell on which every neuron is decided. Sound because
the cells at the leaves are all those of the definition, each is empty or counted once, and a point
or multipliers show which.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..budget import Budget
from ..domain import count_rule
from ..integers import combine
from ..network import Network
from ..reader import Certificate
from ..split_tree import SplitTree
from ..system import System
from ..values import read_rational_vector
from ..verdicts import Reason, Refused

_LEAVES: Mapping[str, frozenset[str]] = MappingProxyType({"cell": frozenset({"point"})})


def _check(
    count: int, network: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    tree = SplitTree(network, domain, budget)
    found = 0
    for record, cell in tree.leaves(certificate, _LEAVES):
        if tree.next_neuron(cell)[1] is not None:
            raise Refused(Reason.NEURON_UNDECIDED, "a neuron left is not constant on the cell")
        point = read_rational_vector(record["point"], domain.dim, budget)
        at = (*point.nums, point.den)
        for number, value in enumerate(combine(at, tree.rows(cell), budget)):
            if value <= 0:
                raise Refused(Reason.POINT_OUTSIDE, f"the point violates row {number} of the cell")
        found += 1
    if found != count:
        raise Refused(Reason.REGION_COUNT, f"the tree has {found} cells, the claim {count}")


RULE = count_rule("n_regions", "has exactly {} activation regions", _check)
