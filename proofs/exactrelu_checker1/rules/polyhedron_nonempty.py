"""Nonemptiness of a polyhedron.

Statement. Some x in R^d satisfies every row of the system S.

Evidence. ``point``: such an x. Sound because every row is evaluated at x.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..evidence import check_point
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System, read_system


def _read(claim: Fields, budget: Budget) -> Claim:
    system = read_system(claim["system"], budget)
    return Claim(
        f"{system.text()} has a solution",
        (subject("S", claim["system"]),),
        partial(_check, system),
    )


def _check(system: System, certificate: Certificate, budget: Budget) -> None:
    check_point(certificate, system, budget)


RULE = Rule(frozenset({"system"}), _read)
