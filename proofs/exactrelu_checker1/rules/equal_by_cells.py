"""Equality of two networks by cutting the domain into cells.

Statement. A and B have the same value at every point of the open polyhedron D.

Evidence. A split tree of both networks (see ``pair_tree``). ``same``: on the cell the outputs of A
and of B are the same form, where neurons that are not decided stay as they are. Sound because equal
forms are equal functions, the cells cover D up to a null set, and networks are continuous.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..budget import Budget
from ..network import Network
from ..pair import pair_rule
from ..pair_tree import PairTree
from ..reader import Certificate
from ..system import System
from ..verdicts import Reason, Refused

_LEAVES: Mapping[str, frozenset[str]] = MappingProxyType({"same": frozenset()})


def check_cells(
    a: Network, b: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    """Check a tree on whose leaves the networks are the same form."""
    tree = PairTree(a, b, domain, budget)
    for _, cell in tree.leaves(certificate, _LEAVES):
        if any(tree.differences(cell)[0]):
            raise Refused(Reason.FORMS_DIFFER, "the outputs are not the same form on the cell")


RULE = pair_rule("have the same values on", check_cells)
