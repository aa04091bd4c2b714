"""Two networks that differ at a point of a domain.

Statement. A and B have other values at some point of the open polyhedron D.

Evidence. ``point``: a point of D. The checker evaluates both networks there.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..domain import domain_text, read_domain
from ..integers import dot
from ..network import Network
from ..pair import PAIR_FIELDS, pair_subjects, pair_text, read_comparable
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import read_rational_vector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    a, b = read_comparable(claim, budget)
    domain = read_domain(claim["domain"], a, budget)
    return Claim(
        f"{pair_text(a, b)} differ at a point of {domain_text(domain)}",
        (*pair_subjects(a, b), subject("D", claim["domain"])),
        partial(_check, a, b, domain),
        (a, b),
    )


def _check(
    a: Network, b: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    record = certificate.record("point", frozenset({"point"}))
    point = read_rational_vector(record["point"], domain.dim, budget)
    domain.require_point(point, budget)
    left, right = a.evaluate(point, budget)[0], b.evaluate(point, budget)[0]
    pairs = zip(left.nums, right.nums, strict=True)
    if not any(dot(pair, (right.den, -left.den), budget) for pair in pairs):
        raise Refused(Reason.OUTPUTS_AGREE, "both networks have the same value at the point")


RULE = Rule(PAIR_FIELDS | {"domain"}, _read)
