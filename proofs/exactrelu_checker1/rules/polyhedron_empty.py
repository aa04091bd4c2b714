"""Emptiness of a polyhedron.

Statement. No x in R^d satisfies every row of the system S.

Evidence. ``multipliers`` (Farkas, Motzkin): λ, not 0 on the equations used and positive on the
inequalities used, with Σλa = 0, and Σλb < 0, or Σλb = 0 with a strict row used. A solution x
would give Σλ(a·x + b) >= 0, and > 0 if a strict row is used; but the sum is Σλb.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..evidence import check_multipliers, require_refutation
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System, read_system


def _read(claim: Fields, budget: Budget) -> Claim:
    system = read_system(claim["system"], budget)
    return Claim(
        f"{system.text()} has no solution",
        (subject("S", claim["system"]),),
        partial(_check, system),
    )


def _check(system: System, certificate: Certificate, budget: Budget) -> None:
    used, values = check_multipliers(certificate, system, budget)
    require_refutation(system, used, values, budget)


RULE = Rule(frozenset({"system"}), _read)
