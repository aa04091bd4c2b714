"""Networks with at most one hidden layer on a domain with interior: their form; equality.

*Sides.* Let D have interior points, and let the row (h, c) have coprime entries, the first
nonzero one of h positive. If h = 0 the row is a constant. Else h·x + c has both signs
inside D, or is >= 0 on D, or <= 0. On all of space it has both; on the orthant x >= 0 it is
>= 0 if no entry is < 0, and else it has both. On other domains a record says it, once for
each row:

``zero p den``       a point inside D where h·x + c = 0. As h is not 0 there are both signs
                     near it.
``sided f m r λ…``   f != 0 and multipliers λ > 0 of rows of D, of which the last, after
                     those of the claim, is 1 >= 0: f·(h, c) = Σ λ·row + a constant >= 0. So
                     f·(h·x + c) >= 0 on the closure of D.

*Form.* Let s = ReLU. The row of a neuron is ±g·(h, c) with g > 0, the sign being + if h =
0. The neuron computes

    s(±gc), a constant, if h = 0;
    ±g·(h·x + c) if that is >= 0 on D, and 0 if it is <= 0 there;
    g·s(h·x + c) for the sign +, and g·s(h·x + c) - g·(h·x + c) for -, otherwise,

as s(-t) = s(t) - t, and s(t) = t for t >= 0. Weighted by the outgoing columns and added up,
this is one vector u for each (h, c), the *bends*, and an affine map. Vectors that are 0 are
left out. The order of the bends is that of the first neurons on them.

The orthant is x >= 0: a domain with these n rows, and perhaps others without negative
entries, which say nothing more of its closure.

``equal`` by ``shallow``: no records. If D is the orthant, each network is its form there at
every point of the closure of D; else its form on all of space, which contains D. The forms
are equal.
``equal`` by ``sides``: the same with the forms on D, and the records of their rows. (Forms
of functions that are equal on D are equal; this is not needed.) Networks with linear units
are refused.
"""

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from .evidence import as_point, refute
from .file import Numbers, Proof, form, need
from .numbers import Row, Rows, dots, longest, paired
from .objects import Network, System, contains, coordinates, system_of


class Form(NamedTuple):
    """Vectors of the bends (h, c) and rows of the affine map, all over den > 0."""

    den: int
    bends: dict[Row, Numbers]
    affine: list[Numbers]
    bits: int  # of all entries


def orthant(proof: Proof, n: int) -> System:
    """Return x >= 0."""
    return System(n, ("ge",) * n, coordinates(proof, n))


def is_orthant(domain: System) -> bool:
    """Tell whether the closure of a domain is x >= 0."""
    n, rows = domain.dim, set(domain.rows)
    ok = "eq" not in domain.senses and 0 < n <= len(rows) and min(map(min, rows)) >= 0
    return ok and sum(sum(row) == 1 and not row[-1] for row in rows) == n


class Place:
    """A domain with interior, and the sides of rows on it."""

    def __init__(self, proof: Proof, domain: System) -> None:
        """Take a domain; records are read for those that are not simple."""
        need("eq" not in domain.senses, "domain-flat", "the domain has no interior points")
        self.proof, self.domain, self._known = proof, domain, dict[Row, int]()
        self.everywhere, self.orthant = not domain.rows, is_orthant(domain)
        self.rows = (*domain.rows, (0,) * domain.dim + (1,))

    def side(self, row: Row) -> int:
        """Return 1 or -1 if a row is >= 0 or <= 0 on D, and 0 if it has both signs
        there.
        """
        if not any(row[:-1]):
            return 1 if row[-1] >= 0 else -1
        if self.everywhere or self.orthant:
            return int(self.orthant and min(row) >= 0)
        if row not in self._known:
            word, numbers = self.proof.record("zero", "sided")
            form(
                len(numbers) == len(row) or word == "sided",
                "wrong-length",
                "a point is needed",
            )
            self._known[row] = self.sided(row, numbers)[0] if word == "sided" else 0
            if word == "zero":
                there = system_of(len(row) - 1, [*self.domain.pairs, ("eq", row)])
                ok = contains(self.proof, there, as_point(numbers), inner=True)
                need(ok, "not-a-zero", "the row is not 0 there, or the point is not inside")
        return self._known[row]

    def sided(self, row: Row, numbers: Numbers) -> tuple[int, Numbers]:
        """Check that f·row >= 0 on D; return the sign of f and the rows with
        multipliers.
        """
        factor, *rest = numbers or [0]
        need(factor, "factor-zero", "0 times a row is no evidence")
        size = longest([*self.rows, row])
        used = refute(
            self.proof, self.rows, [False] * len(self.rows), rest, size, [(-factor, row)]
        )
        return 1 if factor > 0 else -1, used

    def columns(self, matrix: Rows) -> tuple[Rows, Rows]:
        """Return directions in which D has no end, and the products of a matrix with
        them.
        """
        if self.everywhere or self.orthant:
            return coordinates(self.proof, self.domain.dim), [*paired(*matrix)]
        numbers, n = self.proof.record("rays")[1], self.domain.dim
        form(len(numbers) % n == 0, "wrong-length", f"rays of {n} numbers are needed")
        rays = [numbers[i : i + n] for i in range(0, len(numbers), n)]
        size = longest([*self.rows, *matrix])
        ok = all(min(dots(self.proof, self.rows, (*ray, 0), size)) >= 0 for ray in rays)
        need(ok, "ray-leaves", "the domain has an end in this direction")
        return rays, [dots(self.proof, matrix, ray, size) for ray in rays]

    def idle(self, spare: int) -> list[tuple[int, int]]:
        """Return all k and t, the largest ones, for so many neurons that are not needed on
        bends.

        k are linear and 2t on t hyperplanes that are no bends; k = 0 on all of space. On
        the orthant two linear neurons do what such a hyperplane does.
        """
        most = 1 if self.orthant else spare // 2 + 1
        return (
            [(0, spare // 2)]
            if self.everywhere
            else [(spare - 2 * t, t) for t in range(most)]
        )


def shallow_form(proof: Proof, network: Network, place: Place) -> Form:
    """Return the form of a network with at most one hidden layer."""
    need(
        len(network.layers) <= 2, "not-shallow", "a network with more than one hidden layer"
    )
    need(network.is_plain, "linear-units", "a network without linear units is needed")
    hidden, last = network.layers[0], network.layers[-1]
    if not network.hidden:
        return Form(last.den, {}, [list(row) for row in last.rows], last.bits)
    n, size = hidden.width, hidden.bits + last.bits
    proof.spend(16 * len(hidden.rows) * n, hidden.bits, hidden.bits)
    proof.spend(4 * len(hidden.rows) * len(last.rows) * n, hidden.bits, last.bits)
    jumps: dict[Row, Numbers] = {}
    affine = [[0] * (n - 1) + [row[-1] * hidden.den] for row in last.rows]
    for entries, column in zip(hidden.rows, paired(*last.rows)):
        common, sign, row = oriented(entries)
        side = place.side(row)
        share = common * sign if sign * side > 0 else 0
        if not side:
            old = jumps.get(row, [0] * len(column))
            jumps[row] = [u + common * weight for u, weight in paired(old, column)]
            share = common * min(sign, 0)
        for out, weight in paired(affine, column):
            out[:] = [x + weight * share * entry for x, entry in paired(out, row)]
    return Form(
        hidden.den * last.den, {h: u for h, u in jumps.items() if any(u)}, affine, size
    )


def oriented(entries: Sequence[int]) -> tuple[int, int, Row]:
    """Return g, the sign and (h, c) with entries = sign·g·(h, c); a constant row has the
    sign +.
    """
    common = gcd(*entries)
    sign = -1 if next((entry for entry in entries[:-1] if entry), 1) < 0 else 1
    return common, sign, tuple(sign * (entry // (common or 1)) for entry in entries)


def require_same(proof: Proof, form: Form, other: Form) -> None:
    """Refuse two forms that differ."""
    need(
        form.bends.keys() == other.bends.keys(),
        "forms-differ",
        "other hyperplanes of bends",
    )
    ours, theirs = (
        [*(f.bends[row] for row in form.bends), *f.affine] for f in (form, other)
    )
    proof.spend(2 * sum(map(len, ours)), form.bits, other.bits)
    left = [[x * other.den for x in row] for row in ours]
    right = [[y * form.den for y in row] for row in theirs]
    need(left == right, "forms-differ", "a bend or the affine map differs")


def equal_by_shallow(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Compare the forms of both networks, on all of space if D is not the orthant."""
    equal_by_sides(
        proof, a, b, domain if is_orthant(domain) else System(domain.dim, (), ())
    )


def equal_by_sides(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Compare the forms of both networks on D."""
    place = Place(proof, domain)
    require_same(proof, *(shallow_form(proof, network, place) for network in (a, b)))
