"""Equality of two networks with at most one hidden layer.

Statement. A and B have the same value at every point of D, all of space or the open orthant.

Evidence. None. The checker computes the forms of both networks, a sum of terms u·s(h·x + c), one
for each hyperplane, and an affine map, and compares them. Equal forms are equal functions.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..domain import domain_text, read_domain
from ..network import Network
from ..pair import PAIR_FIELDS, pair_subjects, pair_text, read_comparable
from ..reader import Certificate
from ..shallow_form import require_equal, require_simple, shallow_form
from ..statement import Claim, Rule, subject
from ..system import System


def _read(claim: Fields, budget: Budget) -> Claim:
    a, b = read_comparable(claim, budget)
    domain = read_domain(claim["domain"], a, budget)
    return Claim(
        f"{pair_text(a, b)} have the same values on {domain_text(domain)}",
        (*pair_subjects(a, b), subject("D", claim["domain"])),
        partial(_check, a, b, domain),
        (a, b),
    )


def _check(
    a: Network, b: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    orthant = require_simple(domain, budget)
    left, right = (shallow_form(network, orthant, budget) for network in (a, b))
    require_equal(left, right, budget)


RULE = Rule(PAIR_FIELDS | {"domain"}, _read)
