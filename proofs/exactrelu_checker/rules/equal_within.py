"""Equality of two networks up to a bound.

Statement. At every point of the open polyhedron D, no output of A differs from that of B by more
than the bound.

Evidence. A split tree of both networks (see ``pair_tree``). ``within``: on the cell every output of
A minus that of B is an affine function d/den; with the bound p/q, for each output first the row
q·d - p·den > 0 and then q·(-d) - p·den > 0 has no solution in the cell, by multipliers of the rows
of the cell and of this one. Sound because the cells cover D up to a null set, and networks are
continuous.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ..budget import Budget
from ..integers import combine, multiply
from ..network import Network
from ..pair import bounded_pair_rule
from ..pair_tree import PairCell, PairTree
from ..reader import Certificate
from ..split_tree import Row, require_empty
from ..system import System
from ..values import RationalVector, read_list
from ..verdicts import Reason, Refused

_LEAVES: Mapping[str, frozenset[str]] = MappingProxyType({"within": frozenset({"rows", "values"})})


def _check(
    a: Network,
    b: Network,
    domain: System,
    bound: RationalVector,
    certificate: Certificate,
    budget: Budget,
) -> None:
    tree = PairTree(a, b, domain, budget)
    for record, cell in tree.leaves(certificate, _LEAVES):
        beyond = list(_beyond(tree, cell, bound, budget))
        rows, values = (read_list(record[name], len(beyond)) for name in ("rows", "values"))
        for row, used, weights in zip(beyond, rows, values, strict=True):
            budget.spend(len(cell.rows))
            require_empty([*cell.rows, row], used, weights, budget)


def _beyond(tree: PairTree, cell: PairCell, bound: RationalVector, budget: Budget) -> Iterator[Row]:
    """Return the two sides beyond the bound, for every output."""
    forms, den = tree.differences(cell)
    limit = multiply(bound.nums[0], den, budget)
    for form in forms:
        row = tree.row(form)
        if row is None:
            raise Refused(Reason.NEURON_UNDECIDED, "an output is not affine on the cell")
        for sign in (1, -1):
            *normal, offset = combine((sign * bound.den,), [(entry,) for entry in row], budget)
            yield [*normal, offset - limit]


RULE = bounded_pair_rule("differ by at most {} in every output on", _check)
