"""Unboundedness of a polyhedron.

Statement. The set of x in R^d that satisfy every row of the system S is unbounded.

Evidence. ``point``: a solution x. ``ray``: r != 0 with a·r = 0 on equations and a·r >= 0 on
inequalities. Sound because x + t·r then satisfies every row for every t >= 0, strict rows too.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..evidence import check_point
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System, read_system
from ..values import read_vector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    system = read_system(claim["system"], budget)
    return Claim(
        f"the solution set of {system.text()} is unbounded",
        (subject("S", claim["system"]),),
        partial(_check, system),
    )


def _check(system: System, certificate: Certificate, budget: Budget) -> None:
    check_point(certificate, system, budget)
    record = certificate.record("ray", frozenset({"ray"}))
    ray = read_vector(record["ray"], system.dim, budget)
    if not any(ray):
        raise Refused(Reason.RAY_ZERO, "the ray is 0")
    system.require_ray(ray, budget)


RULE = Rule(frozenset({"system"}), _read)
