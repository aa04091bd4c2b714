"""How far two networks are apart, by bounds on boxes.

*within* ε and *largest-difference* ``bounds`` or ``splits``: the records of ``property``
for two networks on one input. The cases are, for every output k, that A's is above B's by
more than ε, and then that it is below. A largest difference has a ``point`` before them,
where it is taken.
"""

from typing import Any

from .claims import from_module
from .file import Proof
from .objects import Network, System, Vector
from .pairs import exact
from .property import Boxes, Line


def within_by_bounds(
    proof: Proof, a: Network, b: Network, bound: Vector, domain: System, trees: Any = Boxes
) -> None:
    """No output is above or below the other by more than the bound."""
    boxes, n = trees(proof, [a, b], domain, 2), len(a.layers[-1].rows)
    base = boxes.chart
    proof.spend(32 * n * (2 * n + base.dim))
    limit = (0,) * base.dim + (-bound.nums[0] * base.factor,)
    pairs = [(k, sign * bound.den) for k in range(n) for sign in (1, -1)]
    rows = (tuple(e * (j == k) - e * (j == k + n) for j in range(2 * n)) for k, e in pairs)
    boxes.require_none([[Line(True, limit, row)] for row in rows])


def within_by_splits(proof: Proof, **pair: Any) -> None:
    """No output is above or below, by signs of neurons."""
    within_by_bounds(proof, **pair, trees=from_module("splits", "Splits"))


largest_difference_by_bounds = exact(within_by_bounds)
largest_difference_by_splits = exact(within_by_splits)
