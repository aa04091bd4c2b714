"""Number of activation regions of a network on a domain.

Statement. The network N has exactly k activation regions on the open polyhedron D: D is cut, by
one hidden neuron after the other, into the parts where its preactivation is negative and where it
is positive, unless it is constant; k of the cells that result are not empty.

Evidence. A split tree. ``cell``: a point of a cell on which every neuron is decided. Sound because
the cells at the leaves are all those of the definition, each is empty or counted once, and a point
or multipliers show which.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..domain import domain_text, read_domain
from ..integers import combine
from ..network import Network, read_network
from ..reader import Certificate
from ..split_tree import SplitTree
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import read_index, read_rational_vector
from ..verdicts import Reason, Refused

_LEAVES: Mapping[str, frozenset[str]] = MappingProxyType({"cell": frozenset({"point"})})


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_domain(claim["domain"], network, budget)
    count = read_index(claim["n_regions"])
    return Claim(
        f"the network N of widths {widths_text(network.widths())} has exactly {count} "
        f"activation regions on {domain_text(domain)}",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, domain, count),
        (network,),
    )


def _check(
    network: Network, domain: System, count: int, certificate: Certificate, budget: Budget
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


RULE = Rule(frozenset({"domain", "n_regions", "network"}), _read)
