"""Equality of two networks with at most one hidden layer.

Statement. A and B have the same value at every point of D, all of space or the open orthant.

Evidence. None. The checker computes the forms of both networks, a sum of terms u·s(h·x + c), one
for each hyperplane, and an affine map, and compares them. Equal forms are equal functions.
"""

from ..budget import Budget
from ..network import Network
from ..pair import pair_rule
from ..reader import Certificate
from ..shallow_form import require_equal, require_simple, shallow_form
from ..system import System


def check_equal_shallow(
    a: Network, b: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    """Compare the forms of two networks."""
    orthant = require_simple(domain, budget)
    left, right = (shallow_form(network, orthant, budget) for network in (a, b))
    require_equal(left, right, budget)


RULE = pair_rule("have the same values on", check_equal_shallow)
