"""The form of a network with at most one hidden layer on all of space or on the orthant x > 0.

With s = ReLU, a neuron with the row ±g·(h, c), g > 0, where h and c are coprime integers and the
first nonzero entry of h is positive, computes g·s(h·x + c) for the sign +, and g·s(h·x + c) -
g·(h·x + c) for the sign -. Where (h, c) >= 0 and D is the orthant, s(t) = t on it, and a constant
neuron adds a constant. So a network is a sum of terms u·s(h·x + c), one for each hyperplane, and an
affine map. The form has no terms u = 0; its terms, the *bends*, come in the order of the first
neurons on them. Two networks have the same values on D iff their forms are equal: a function bends
at the hyperplanes of its terms, which all meet the interior of D, by u.

*No member.* Let a network with this function have neurons of one side only on some bends, with the
signs S, and of both sides on others, Q. Let k of its neurons be linear, with rows W >= 0 (on all of
space k = 0), and let t hyperplanes that are no bends carry neurons of both sides, with the normals
c. Where all h·x + c <= 0 the neurons with the sign - are active. On a bend with one side the output
columns add up to u; on a hyperplane that is no bend they add up to 0 and matter only if there are
both sides. So with A the linear part there, and u·h added for each sign - in S,

    A = V·W - Σ_Q v_h·h - Σ v_c·c:

the rows of A are in the span of the h of Q, of k rows W >= 0 and of t more. Let B be A and the h of
Q, and r at least the rank of the h of Q (``kernel``; r = 0 without a record if Q is empty).

``rank-too-large r``   a ``minor``: rank B > r + k + t, against this.
``not-pointed r r'``   a ``minor``: rank B >= r + k + t, so that the rows of W are in the span of B;
                       a ``dependency`` λ > 0 of nonzero columns Z of B, B·λ = 0. Then W·λ = 0, and
                       W is 0 on Z. So on Z the rank of B is that of the h of Q plus at most t. If Q
                       is empty and t = 0 (r' = 0), B would be 0 on Z, and it is not. Else a
                       ``minor`` of B on Z has size r' + t + 1, r' as r for the h of Q on Z.
"""

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from .file import Proof, form, need
from .numbers import Row, Rows, bits
from .objects import Network, System
from .ranks import dependency, kernel, minor


class Form(NamedTuple):
    """Σ u·s(h·x + c) + an affine map, all over one denominator; terms are (h, c): u."""

    den: int
    terms: dict[Row, list[int]]
    affine: list[list[int]]


def is_orthant(domain: System) -> bool:
    """Tell whether a domain is the orthant, open or closed; it must be that or all of space."""
    n = domain.dim
    places = {row.index(1) for row in domain.rows if sorted(row) == [0] * n + [1] and not row[-1]}
    ok = "eq" not in domain.senses and len(domain.rows) == len(places) and len(places) in (0, n)
    form(ok, "domain-not-simple", "the domain is neither all of space nor the orthant")
    return bool(places)


def oriented(proof: Proof, entries: Row) -> tuple[int, int, Row]:
    """Return g, the sign and (h, c) with entries = sign·g·(h, c); a constant row has the sign +."""
    size = bits(entries)
    proof.spend(16 * len(entries), size, size)  # greatest common divisors, quotients
    common = gcd(*entries)
    first = next((entry for entry in entries[:-1] if entry), 1)
    sign = 1 if first > 0 else -1
    return common, sign, tuple(sign * (entry // (common or 1)) for entry in entries)


def is_bent(row: Row, orthant: bool) -> bool:
    """Tell whether the hyperplane of a row is one, and meets the interior of the domain."""
    return any(row[:-1]) and not (orthant and min(row) * max(row) >= 0)


def shallow_form(proof: Proof, network: Network, orthant: bool) -> Form:
    """Return the form of a network with at most one hidden layer."""
    form(len(network.layers) <= 2, "not-shallow", "a network with more than one hidden layer")
    last = network.layers[-1]
    if len(network.layers) == 1:
        return Form(last.den, {}, [list(row) for row in last.rows])
    hidden = network.layers[0]
    n, many = network.widths[0], len(last.rows)
    proof.spend(2 * len(hidden.rows) * many * (n + 1), hidden.bits, hidden.bits + last.bits)
    terms: dict[Row, list[int]] = {}
    affine = [[0] * n + [row[-1] * hidden.den] for row in last.rows]
    for number, entries in enumerate(hidden.rows):
        common, sign, row = oriented(proof, entries)
        if is_bent(row, orthant):
            jump = terms.setdefault(row, [0] * many)
            jump[:] = [u + common * out[number] for u, out in zip(jump, last.rows, strict=True)]
            share = common * min(sign, 0)
        else:
            # Of one sign on the domain: linear if its entries are >= 0, else 0.
            share = common if min(entries) >= 0 else 0
        for total, out in zip(affine, last.rows, strict=True):
            factor = out[number] * share
            total[:] = [value + factor * entry for value, entry in zip(total, row, strict=True)]
    bends = {row: jump for row, jump in terms.items() if any(jump)}
    return Form(hidden.den * last.den, bends, affine)


def require_same_form(proof: Proof, one: Form, other: Form) -> None:
    """Refuse two forms that differ."""
    need(one.terms.keys() == other.terms.keys(), "forms-differ", "they bend at other hyperplanes")
    left = [*(one.terms[row] for row in one.terms), *one.affine]
    right = [*(other.terms[row] for row in one.terms), *other.affine]
    for ours, theirs in zip(left, right, strict=True):
        proof.spend(2 * len(ours), max(bits(ours), bits(theirs)), bits((one.den, other.den)))
        same = all(x * other.den == y * one.den for x, y in zip(ours, theirs, strict=True))
        need(same, "forms-differ", "a bend or the affine map differs")


def compensation(proof: Proof, shape: Form, bends: Sequence[str]) -> list[list[int]]:
    """Return A, up to a positive factor, for sides + or - of the bends, or both."""
    slope = [row[:-1] for row in shape.affine]
    for sides, (row, jump) in zip(bends, shape.terms.items(), strict=True):
        proof.spend(len(slope) * len(row), bits(jump), bits(row))
        if sides == "-":
            slope = [
                [entry + u * h for entry, h in zip(out, row[:-1], strict=True)]
                for out, u in zip(slope, jump, strict=True)
            ]
    return slope


def no_member(proof: Proof, shape: Form, bends: Sequence[str], k: int, t: int) -> None:
    """Check that no network has the sides ``+``, ``-`` or ``+-`` of the bends, k and t as above."""
    slope = compensation(proof, shape, bends)
    both = [row[:-1] for row, sides in zip(shape.terms, bends, strict=True) if sides == "+-"]
    matrix, width = [*slope, *both], len(slope[0])
    word, known = proof.record("rank-too-large", "not-pointed")
    form(len(known) == 1 + (word == "not-pointed"), "wrong-length", "one rank, or two")
    _require_rank(proof, both, width, known[0])
    if word == "rank-too-large":
        minor(proof, matrix, width, known[0] + k + t + 1)
        return
    minor(proof, matrix, width, known[0] + k + t)
    columns = [[row[j] for row in matrix] for j in range(width)]
    used = dependency(proof, columns, len(matrix))
    inside, outside = ([[row[j] for j in used] for row in rows] for rows in (both, matrix))
    _require_rank(proof, inside, len(used), known[1])
    if both or t:
        minor(proof, outside, len(used), known[1] + t + 1)


def _require_rank(proof: Proof, rows: Rows, width: int, rank: int) -> None:
    """Check an upper bound of the rank of some rows, by a kernel if there are any."""
    if rows:
        kernel(proof, rows, width, rank)
    need(rows or rank == 0, "rank-of-nothing", "without rows the rank is 0")
