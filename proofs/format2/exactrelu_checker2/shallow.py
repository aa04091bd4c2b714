"""Networks with at most one hidden layer, on all of space or the orthant: their form; equality.

*Form.* Let s = ReLU. The row of a neuron is ±g·(h, c) with g > 0, h and c coprime integers and the
first nonzero entry of h positive (the sign is + if h = 0). The neuron computes

    s(±gc), a constant, if h = 0;
    g·(h·x + c) for the sign +, and 0 for -, if D is the orthant and (h, c) >= 0;
    g·s(h·x + c) for the sign +, and g·s(h·x + c) - g·(h·x + c) for -, otherwise,

as s(-t) = s(t) - t, and s(t) = t for t >= 0. Weighted by the outgoing columns and added up, this is
one vector u for each (h, c), the *bends*, and an affine map. Vectors that are 0 are left out. The
order of the bends is that of the first neurons on them.

``equal`` by ``shallow``: no records. Each network is its form at every point of the closure of D,
all of space or x >= 0, and the forms are equal. (Forms of equal functions are equal; this is not
needed.) Networks with linear units are refused.
"""

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from .file import Proof, need
from .numbers import Row
from .objects import Network, System


class Form(NamedTuple):
    """Vectors of the bends (h, c) and rows of the affine map, all over den > 0."""

    den: int
    bends: dict[Row, list[int]]
    affine: list[list[int]]
    bits: int  # of all entries


def is_orthant(domain: System) -> bool:
    """Tell whether the closure of a domain is x >= 0; it must be that or all of space."""
    n, rows = domain.dim, set(domain.rows)
    units = {(0,) * i + (1,) + (0,) * (n - i) for i in range(n)} if len(rows) == n else ()
    ok = not rows or (rows == units and "eq" not in domain.senses)
    need(ok, "domain-not-simple", "the domain is neither all of space nor the orthant")
    return bool(rows)


def shallow_form(proof: Proof, network: Network, orthant: bool) -> Form:
    """Return the form of a network with at most one hidden layer."""
    need(len(network.layers) <= 2, "not-shallow", "a network with more than one hidden layer")
    need(network.is_plain, "linear-units", "a network without linear units is needed")
    last = network.layers[-1]
    if not network.hidden:
        return Form(last.den, {}, [list(row) for row in last.rows], last.bits)
    hidden = network.layers[0]
    n, size = len(hidden.rows[0]), hidden.bits + last.bits
    proof.spend(16 * len(hidden.rows) * n, hidden.bits, hidden.bits)
    proof.spend(4 * len(hidden.rows) * len(last.rows) * n, hidden.bits, last.bits)
    jumps: dict[Row, list[int]] = {}
    affine = [[0] * (n - 1) + [row[-1] * hidden.den] for row in last.rows]
    for number, entries in enumerate(hidden.rows):
        column = [row[number] for row in last.rows]
        common, sign, row = oriented(entries)
        if not any(row[:-1]) or (orthant and min(row) >= 0):
            # Constant, or of one sign on the orthant: linear or 0.
            share = common * max(sign, 0) if row[-1] >= 0 else 0
        else:
            old = jumps.get(row, [0] * len(column))
            jumps[row] = [u + common * weight for u, weight in zip(old, column, strict=True)]
            share = common * min(sign, 0)
        for out, weight in zip(affine, column, strict=True):
            out[:] = [x + weight * share * entry for x, entry in zip(out, row, strict=True)]
    bends = {row: jump for row, jump in jumps.items() if any(jump)}
    return Form(hidden.den * last.den, bends, affine, size)


def oriented(entries: Sequence[int]) -> tuple[int, int, Row]:
    """Return g, the sign and (h, c) with entries = sign·g·(h, c); a constant row has the sign +."""
    common = gcd(*entries)
    sign = -1 if next((entry for entry in entries[:-1] if entry), 1) < 0 else 1
    return common, sign, tuple(sign * (entry // (common or 1)) for entry in entries)


def require_same(proof: Proof, form: Form, other: Form) -> None:
    """Refuse two forms that differ."""
    need(form.bends.keys() == other.bends.keys(), "forms-differ", "other hyperplanes of bends")
    left = [*(form.bends[row] for row in form.bends), *form.affine]
    right = [*(other.bends[row] for row in form.bends), *other.affine]
    proof.spend(2 * sum(map(len, left)), form.bits, other.bits)
    for ours, theirs in zip(left, right, strict=True):
        same = [x * other.den for x in ours] == [y * form.den for y in theirs]
        need(same, "forms-differ", "a bend or the affine map differs")


def equal_by_shallow(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Compare the forms of both networks."""
    orthant = is_orthant(domain)
    require_same(proof, *(shallow_form(proof, network, orthant) for network in (a, b)))
