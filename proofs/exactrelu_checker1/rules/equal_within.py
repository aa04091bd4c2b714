"""Equality of two networks up to a bound.

Statement. At every point of the open polyhedron D, no output of A differs from that of B by more
than the bound.

Evidence. A split tree of both networks (see ``pair_tree``). ``within``: with d/den the difference
of an output of A and of B on the cell, and p/q the bound, q·d - p·den > 0 and -q·d - p·den > 0 are
refuted, output by output. ``intervals``: the bounds of the outputs of A and of B on the cell, by
interval arithmetic (see ``bounds``), are not further apart than the bound. Sound because the cells
cover D up to a null set, and networks are continuous.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..bounds import require_near
from ..budget import Budget
from ..network import Network
from ..pair import bounded_pair_rule
from ..pair_tree import PairTree
from ..reader import Certificate
from ..system import System
from ..values import RationalVector, read_list

_LEAVES: Mapping[str, frozenset[str]] = MappingProxyType(
    {"intervals": frozenset(), "within": frozenset({"facts", "rows", "values"})}
)


def check_within(
    a: Network,
    b: Network,
    domain: System,
    bound: RationalVector,
    certificate: Certificate,
    budget: Budget,
) -> None:
    """Check a tree on whose leaves no output differs by more than the bound."""
    tree = PairTree(a, b, domain, budget)
    for record, cell in tree.leaves(certificate, _LEAVES):
        if record["record"] == "intervals":
            require_near(a, b, cell.rows, bound, budget)
            continue
        beyond = tree.beyond(cell, bound)
        proofs = [read_list(record[name], len(beyond)) for name in ("rows", "values", "facts")]
        for form, *proof in zip(beyond, *proofs, strict=True):
            tree.refute(cell, [form], *proof)


RULE = bounded_pair_rule("differ by at most {} in every output on", check_within)
