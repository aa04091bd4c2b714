"""Equations of components against small networks: who satisfies them, and who is a member.

Everything is decided again on an interval, a half-line or the line: parts of neurons by where they
are 0, functions by their values at kinks, constraints by reading their texts.
"""

from __future__ import annotations

import random
import re
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import exactrelu as er
from exactrelu.questions.fibers.shallow import shallow_fiber
from tests.seeds import seeds, shifted

#: The ends of each domain of R, where it has any.
ENDS = {"R": (), "orthant": (0,), "box:-1..1": (-1, 1)}
Rows = list[tuple[Fraction, Fraction]]
Small = tuple[Rows, list[Fraction], Fraction]  # rows of neurons, output weights, the last bias


def small_networks(size: int) -> list[Small]:
    """All networks 1-2-1 with such entries, those of rows that are multiples but once."""
    entries = [Fraction(x) for x in range(-size, size + 1)]
    rows = [(w, b) for w in entries for b in entries]
    return [
        ([one, two], [u, v], c)
        for one, two in product(rows, repeat=2)
        for u, v in product(entries, repeat=2)
        for c in entries
    ]


def value(of: Small, x: Fraction) -> Fraction:
    rows, out, bias = of
    return bias + sum(v * max(w * x + b, Fraction(0)) for (w, b), v in zip(rows, out, strict=True))


def inside(x: Fraction, domain: str) -> bool:
    """Whether a point is in the interior of a domain."""
    ends = ENDS[domain]
    return (not ends or x > ends[0]) and (len(ends) < 2 or x < ends[1])


def kinks(of: Small, domain: str) -> set[Fraction]:
    return {-b / w for w, b in of[0] if w and inside(-b / w, domain)}


def at_kinks(of: Small, among: set[Fraction], domain: str) -> tuple[Fraction, ...]:
    """The values that determine a function on a domain, given all points where it may bend."""
    points = sorted({*among, *map(Fraction, ENDS[domain])}) or [Fraction(0)]
    if len(ENDS[domain]) < 2:
        points.append(points[-1] + 1)
    if not ENDS[domain]:
        points.insert(0, points[0] - 1)
    return tuple(value(of, x) for x in points)


def bends(of: Small, x: Fraction) -> bool:
    """Whether the function bends at a point, its neurons being far from 0 nearby or at it."""
    jump = sum(v * abs(w) for (w, b), v in zip(of[0], of[1], strict=True) if w * x + b == 0)
    return jump != 0


def parts(of: Small, domain: str) -> list[Any]:
    """What neurons do: a bend and a side; another point, whom it is shared with and how; a sign."""
    found: list[Any] = []
    for w, b in of[0]:
        at = -b / w if w else None
        if at is not None and inside(at, domain):
            if bends(of, at):
                found.append((at, w > 0))
                continue
            same = [(i, (v > 0) == (w > 0)) for i, (v, c) in enumerate(of[0]) if v and -c / v == at]
            found.append(same)
        else:
            ends = [Fraction(x) for x in ENDS[domain]] or [Fraction(0)]
            far = ends[0] + 1 if len(ends) == 1 else ends[1]
            found.append(max(w * x + b for x in (*ends, far)) > 0)
    return found


def is_at_least_0(row: tuple[Fraction, Fraction], domain: str) -> bool:
    (w, b), ends = row, ENDS[domain]
    slopes = {0: w == 0, 1: w >= 0, 2: True}[len(ends)]
    return slopes and all(w * x + b >= 0 for x in (ends or (0,)))


def multiple(row: tuple[Fraction, ...], wanted: tuple[Fraction, ...]) -> Fraction | None:
    """The factor > 0 between two rows."""
    factor = next((y / x for x, y in zip(row, wanted, strict=True) if x), None)
    if factor is None or factor <= 0 or tuple(factor * x for x in row) != wanted:
        return None
    return factor


def satisfies(of: Small, texts: list[str], domain: str) -> bool:
    """Whether parameters satisfy constraints after positive scaling."""
    rows, out, bias = [*of[0]], [*of[1]], of[2]
    for text in texts:
        like = re.fullmatch(r"r(\d) = (-?)r(\d)", text)
        fixed = re.fullmatch(r"r(\d) = ([^r]+), ([^r]+)", text)
        if not (like or fixed):
            continue
        match = like or fixed
        assert match is not None
        i = int(match[1]) - 1
        if fixed:
            wanted = (Fraction(match[2]), Fraction(match[3]))
        else:
            other, sign = rows[int(match[3]) - 1], -1 if match[2] else 1
            wanted = (sign * other[0], sign * other[1])
        factor = multiple(rows[i], wanted)
        if factor is None:
            return False
        rows[i], out[i] = wanted, out[i] / factor
    for text in texts:
        if sign_of := re.fullmatch(r"r(\d) ([<>])= 0 on D", text):
            w, b = rows[int(sign_of[1]) - 1]
            turn = 1 if sign_of[2] == ">" else -1
            if not is_at_least_0((turn * w, turn * b), domain):
                return False
        elif text[0] != "r":
            left, right = text.split(" = ")
            total = [Fraction(0), Fraction(0)]
            for term in left.split(" + "):
                if term == "b2_1":
                    total[1] += bias
                elif "*" in term:
                    i = int(term[-1]) - 1
                    assert term == f"W2_1{i + 1}*r{i + 1}"
                    total = [t + out[i] * x for t, x in zip(total, rows[i], strict=True)]
                else:
                    total[1] += out[int(term[-1]) - 1]
            values = [Fraction(x) for x in right.split(", ")]
            if total != [Fraction(0)] * (2 - len(values)) + values:
                return False
    return True


def as_network(of: Small) -> er.Network:
    rows, out, bias = of
    weights = [[[str(w)] for w, _ in rows], [[str(v) for v in out]]]
    return er.from_arrays(weights, [[str(b) for _, b in rows], [str(bias)]])


@pytest.mark.parametrize("domain", ENDS)
@pytest.mark.parametrize("seed", seeds(1, 8))
def test_who_satisfies_the_equations_is_a_member_and_the_other_way_round(
    domain: str, seed: int
) -> None:
    rng = random.Random(shifted(seed))
    known = small_networks(1)
    # Rows with such entries are 0 at −1, 0, 1 or nowhere.
    everywhere = {x for x in map(Fraction, (-1, 0, 1)) if inside(x, domain)}
    alike: dict[tuple[Fraction, ...], list[Small]] = {}
    for of in known:
        alike.setdefault(at_kinks(of, everywhere, domain), []).append(of)
    n_members = n_others = n_roles = 0
    for of in rng.sample(known, 5):
        network, twins = as_network(of), alike[at_kinks(of, everywhere, domain)]
        found = shallow_fiber(network, domain, general=True)
        points = kinks(of, domain)
        for component in found.nonempty:
            certificate = found.equations(component)
            assert certificate is not None
            assert certificate.check().is_accepted
            texts = certificate.fields["constraints"]
            first, last = certificate.fields["member"]["layers"]
            member = as_small(first, last)
            role = parts(member, domain)
            for other in [*rng.sample(twins, min(len(twins), 60)), *rng.sample(known, 30), of]:
                among = points | kinks(other, domain)
                same = at_kinks(of, among, domain) == at_kinks(other, among, domain)
                good = satisfies(other, texts, domain)
                assert same or not good, (of, other, texts)
                does_so = same and parts(other, domain) == role
                assert good or not does_so, (of, other, texts)
                n_roles += does_so
                n_members += good
                n_others += not good
            assert satisfies(member, texts, domain)
    assert n_members >= n_roles > 12
    assert n_others > 100


def as_small(first: Any, last: Any) -> Small:
    """The network of the JSON of a claim."""
    (den, rows), (last_den, out) = first["matrix"], last["matrix"]
    hidden = [
        (Fraction(int(w, 16), int(den, 16)), Fraction(int(b, 16), int(den, 16))) for w, b in rows
    ]
    *weights, bias = (Fraction(int(x, 16), int(last_den, 16)) for x in out[0])
    return hidden, weights, bias


def test_an_empty_component_has_no_equations() -> None:
    network = er.from_arrays([[[1, 1], [1, -2]], [[1, 1]]], [[1, 1], [0]])
    found = er.fiber(network, "orthant")
    empty = [c for c in found.components if not c.is_nonempty]
    assert empty
    assert found.equations(empty[0]) is None


def test_long_numbers_stand_in_hexadecimal() -> None:
    tiny = f"1/{2**200}"
    network = er.from_arrays([[[tiny], [1]], [[1, tiny]]], [["1/3", 1], [0]])
    found = er.fiber(network)
    certificate = found.equations(found.own)
    assert certificate is not None
    assert any("/0x" in text for text in certificate.fields["constraints"])
    assert certificate.check().is_accepted
