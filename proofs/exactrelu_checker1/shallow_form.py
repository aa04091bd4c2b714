"""The form of a network with at most one hidden layer on all of space or the open orthant.

With s = ReLU, a neuron with row ±g·(h, c), g > 0, where h and c are coprime integers and the first
nonzero entry of h is positive, computes g·s(h·x + c) for the sign +, and g·s(h·x + c) - g·(h·x + c)
for the sign -. Where (h, c) >= 0 and D is the orthant, s(t) = t on it, and a constant neuron adds a
constant. So a network is a sum of terms u·s(h·x + c), one for each hyperplane, and an affine
map. The form has no terms u = 0; its terms come in the order of the first neurons on them.
"""

import math
from collections.abc import Sequence

from .budget import Budget
from .integers import combine, dot, multiply, pay_euclid
from .network import Network
from .system import System
from .verdicts import Reason, Refused

Row = tuple[int, ...]
Form = tuple[int, dict[Row, list[int]], list[list[int]]]  # denominator, terms, affine map


def require_simple(domain: System, budget: Budget) -> bool:
    """Return whether a domain is the open orthant; it must be that or all of space."""
    budget.spend(domain.dim * domain.dim)
    units = tuple(tuple(int(i == j) for j in range(domain.dim + 1)) for i in range(domain.dim))
    if domain.rows not in ((), units):
        raise Refused(Reason.DOMAIN_NOT_SIMPLE, "the domain is neither all of space nor x > 0")
    return bool(domain.rows)


def require_equal(form: Form, other: Form, budget: Budget) -> None:
    """Refuse two forms that differ."""
    (den, terms, affine), (other_den, other_terms, other_affine) = form, other
    if terms.keys() != other_terms.keys():
        raise Refused(Reason.FORMS_DIFFER, "the functions bend at different hyperplanes")
    left = [*(terms[row] for row in terms), *affine]
    right = [*(other_terms[row] for row in terms), *other_affine]
    for ours, theirs in zip(left, right, strict=True):
        for pair in zip(ours, theirs, strict=True):
            if dot(pair, (other_den, -den), budget) != 0:
                raise Refused(Reason.FORMS_DIFFER, "a bend or the affine map differs")


def shallow_form(network: Network, orthant: bool, budget: Budget) -> Form:
    if len(network.layers) > 2:
        raise Refused(Reason.NOT_SHALLOW, "a network with more than one hidden layer")
    *before, last = network.layers
    if not before:
        return last.den, {}, [list(row) for row in last.rows]
    hidden = before[0]
    jumps: dict[Row, list[Row]] = {}
    affine = [
        [0] * (hidden.width - 1) + [multiply(row[-1], hidden.den, budget)] for row in last.rows
    ]
    for number, entries in enumerate(hidden.rows):
        column = [row[number] for row in last.rows]
        common, sign, row = oriented(entries, budget)
        positive = all(entry >= 0 for entry in row)
        if not any(row[:-1]) or (orthant and positive):
            # Constant, or of one sign on the orthant: linear or 0.
            share = common * max(sign, 0) if row[-1] >= 0 else 0
        else:
            jump = combine((common,), [(entry,) for entry in column], budget)
            jumps.setdefault(row, []).append(jump)
            share = common * min(sign, 0)
        for out, weight in zip(affine, column, strict=True):
            factor = multiply(weight, share, budget)
            added = combine((factor,), [(entry,) for entry in row], budget)
            out[:] = map(sum, zip(out, added, strict=True))
    sums = {row: list(map(sum, zip(*parts, strict=True))) for row, parts in jumps.items()}
    bends = {row: total for row, total in sums.items() if any(total)}
    return multiply(hidden.den, last.den, budget), bends, affine


def oriented(entries: Sequence[int], budget: Budget) -> tuple[int, int, Row]:
    """Return g, the sign and (h, c) with entries = sign·g·(h, c); a constant row has the sign +."""
    common = 0
    for entry in entries:
        pay_euclid(common, entry, budget)
        common = math.gcd(common, entry)
    first = next((entry for entry in entries[:-1] if entry), 1)
    sign = first // abs(first)
    return common, sign, tuple(sign * (entry // (common or 1)) for entry in entries)
