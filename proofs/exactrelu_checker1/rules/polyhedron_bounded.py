"""Boundedness of a polyhedron.

Statement. The set of x in R^d that satisfy every row of the system S is bounded; it may be empty.

Evidence. ``multipliers``: λ, not 0 on equations and positive on inequalities, with Σλa = 0; then
``minor``: d rows, each used by λ or an equation, whose normals have rank d.

Sound. Let r be a recession direction of the closed system: a·r = 0 on equations, a·r >= 0 on
inequalities. Then 0 = Σλ(a·r) is a sum of nonnegative terms, so a·r = 0 on every row used, and on
every equation. Normals of rank d among these rows give r = 0. A closed convex set without a
nonzero recession direction is bounded, and the solutions of S lie in it.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..evidence import check_minor, check_multipliers
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System, read_system
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    system = read_system(claim["system"], budget)
    return Claim(
        f"the solution set of {system.text()} is bounded",
        (subject("S", claim["system"]),),
        partial(_check, system),
    )


def _check(system: System, certificate: Certificate, budget: Budget) -> None:
    used, _ = check_multipliers(certificate, system, budget)
    vanishing = {row for row, sense in enumerate(system.senses) if sense == "eq"}.union(used)
    spanning = check_minor(certificate, system.normals(), system.dim, system.dim, budget)
    for row in spanning:
        if row not in vanishing:
            raise Refused(Reason.ROW_NOT_USED, f"row {row} of the minor has no multiplier")


RULE = Rule(frozenset({"system"}), _read)
