"""Numbers for people: every decimal is compared with what :mod:`decimal` and fractions say."""

from __future__ import annotations

import random
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq, fmpz

import exactrelu as er
from exactrelu.digits import (
    ENDS,
    MOST_DIGITS,
    above,
    below,
    between,
    decimal,
    decimals,
    exact,
    is_decimal,
    show,
    whole,
)

NEAR_ONE = [1 + Fraction(s, 2**k) for k in (3, 14, 40, 1000) for s in (-1, 1)]
DEGENERATE = [
    *(Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 3), Fraction(-2, 3), Fraction(1, 7)),
    # Ties, and numbers around a power of ten.
    *(Fraction(s * n, 10**k) for s in (-1, 1) for n in (12345, 12355, 99995, 99994, 100005)
      for k in (0, 3, 4, 5, 9, 40)),
    *NEAR_ONE,
    *(-q for q in NEAR_ONE),
    *(n + Fraction(1, 3**k) for n in (7, 1234, 99999, 10**11, 10**12, 10**30) for k in (1, 5, 80)),
    *(Fraction(2) ** k for k in (-1000, -20, -19, 19, 20, 39, 40, 1000)),
    *(Fraction(10) ** k for k in (-50, -5, -4, 3, 4, 12, 50)),
    Fraction(3**700, 7**300),
    Fraction(7**300, 3**700),
]  # fmt: skip


def random_numbers(seed: int, n: int) -> list[Fraction]:
    """Numerators and denominators of all lengths, and numbers just beside an integer."""
    chance = random.Random(seed)

    def integer(bits: int) -> int:
        return chance.getrandbits(chance.randint(1, bits)) + 1

    found = []
    for _ in range(n):
        bits = chance.choice([4, 10, 30, 90, 400])
        q = Fraction(chance.choice([-1, 1]) * integer(bits), integer(bits))
        found += [q, round(q) + Fraction(1, integer(bits) + 1), Fraction(q.numerator, 2**bits)]
    return found


SEED = 20
NUMBERS = [*DEGENERATE, *random_numbers(SEED, 150)]


def read(text: str) -> Fraction:
    """The number that a decimal says, ``1 − 1.301e-18`` too."""
    whole_part, sign, rest = text.partition(" ") if " " in text else (text, "", "")
    if not sign:
        return Fraction(text)
    assert rest[:2] in ("+ ", "− "), text
    return Fraction(whole_part) + Fraction(rest[2:]) * (1 if rest[0] == "+" else -1)


def n_significant(text: str) -> int:
    """Digits from the first that is not 0."""
    return len(text.split("e")[0].lstrip("-").replace(".", "").lstrip("0"))


def by_library(q: Fraction, digits: int, rounding: str) -> Fraction:
    """The second way: one division of the standard library."""
    context = Context(prec=digits, rounding=rounding, Emin=-(10**6), Emax=10**6)
    return Fraction(context.divide(Decimal(q.numerator), Decimal(q.denominator)))


@pytest.mark.parametrize("digits", [1, 4, 9])
def test_a_decimal_is_the_nearest_one_with_its_digits(digits: int) -> None:
    for q in NUMBERS:
        text = decimal(q, digits)
        if is_decimal(q, digits):
            assert read(text) == q
        elif " " in text:
            closest, rest = round(q), text.split(" ")[2]
            assert text.startswith(f"{closest} {'+' if q > closest else '−'} ")
            assert n_significant(rest) == digits
            assert Fraction(rest) == by_library(abs(q - closest), digits, ROUND_HALF_EVEN)
        else:
            asked = n_significant(text)
            # A number that is not large shows that it is not an integer.
            assert digits <= asked <= max(digits, len(str(abs(int(q)))) + 1) + 3
            assert read(text) == by_library(q, asked, ROUND_HALF_EVEN), (q, text)


def test_an_exact_decimal_is_said_to_be_exact() -> None:
    """``=`` stands before the number itself, ``≈`` before another one."""
    for q in NUMBERS:
        text = show(q)
        if " = " in text:
            assert read(text.split(" = ")[1].split(" (")[0]) == q
        elif " ≈ " in text:
            assert read(text.split(" ≈ ")[1].split(" (")[0]) != q
        else:
            assert Fraction(text) == q
            assert q.denominator == 1


def test_no_other_number_is_shown_as_an_integer() -> None:
    for q in NUMBERS:
        for text in (decimal(q), below(q), above(q)):
            if q.denominator > 1 and "e" not in text:
                assert read(text).denominator > 1, (q, text)
    assert show(Fraction(2305843009213693946, 2305843009213693949)) == (
        "2305843009213693946/2305843009213693949 ≈ 1 − 1.301e-18"
    )
    assert decimal(Fraction(12341, 10)) == "1234.1"
    assert decimal(1234567 + Fraction(1, 3)) == "1234567.3"
    assert decimal(12345678 + Fraction(1, 3)) == "1.235e7"
    assert decimal(Fraction(-99999, 100000)) == "-0.99999"
    assert decimal(-1 - Fraction(1, 2**1000)) == "-1 − 9.333e-302"


@pytest.mark.parametrize("digits", [1, 4, 9])
def test_bounds_are_true_and_as_near_as_their_digits_allow(digits: int) -> None:
    for q in NUMBERS:
        low, high = below(q, digits), above(q, digits)
        assert read(low) <= q <= read(high)
        for text, rounding in ((low, ROUND_FLOOR), (high, ROUND_CEILING)):
            if " " not in text and read(text) != q:
                assert read(text) == by_library(q, n_significant(text), rounding)
        if by_library(q, digits, ROUND_HALF_EVEN) == q:
            assert read(low) == q == read(high)
    assert between(Fraction(35351, 10**5), "c", Fraction(35359, 10**5)) == "0.3535 ≤ c ≤ 0.3536"
    assert between(1 - Fraction(1, 10**9), "c", 1 + Fraction(1, 10**9)) == "0.9999 ≤ c ≤ 1.001"
    assert between(0, "c", Fraction(1, 2)) == "0 ≤ c ≤ 0.5"


def test_long_numbers_keep_their_ends_and_say_how_long_they_are() -> None:
    n_long = 0
    for q in NUMBERS:
        text = exact(q)
        n, d = whole(abs(q.numerator)), whole(q.denominator)
        if "…" not in text:
            assert eval_power(text) == q
            continue
        n_long += 1
        counts = f"({len(n)}/{len(d)} digits)" if q.denominator > 1 else f"({len(n)} digits)"
        shown, _, said = text.partition(" ")
        assert said == counts
        assert (text[0] == "-") == (q < 0)
        for part, digits in zip(shown.lstrip("-").split("/"), (n, d), strict=False):
            if "…" in part:
                assert part == f"{digits[:ENDS]}…{digits[-ENDS:]}"
                assert len(digits) > len(part)
            else:
                assert eval_power(part) == int(digits)
        assert len(n) + len(d) > MOST_DIGITS
    assert n_long > 50


def eval_power(text: str) -> Fraction:
    """A fraction in which powers of two may stand."""
    sign = -1 if text.startswith("-") else 1
    parts = []
    for part in text.lstrip("-").split("/"):
        base, _, exponent = part.partition("^")
        parts.append(Fraction(int(base)) ** int(exponent or 1))
    return sign * (parts[0] / parts[1] if len(parts) > 1 else parts[0])


@pytest.mark.parametrize(
    ("q", "text"),
    [
        (0, "0"),
        (-12, "-12"),
        (10**39, "1" + "0" * 39),
        (10**40, "100000…000000 = 1e40 (41 digits)"),
        (Fraction(1, 4), "1/4 = 0.25"),
        (Fraction(1, 3), "1/3 ≈ 0.3333"),
        (Fraction(-5684369, 2**30), "-5684369/2^30 ≈ -0.005294"),
        (Fraction(1, 2**40), "2^-40 ≈ 9.095e-13"),
        (Fraction(-1, 2**20), "-2^-20 ≈ -9.537e-7"),
        (2**20, "2^20 = 1048576"),
        (-(2**60), "-2^60 ≈ -1.153e18"),
        (Fraction(2**60, 3), "2^60/3 ≈ 3.843e17"),
        (Fraction(1, 2**19), "1/524288 ≈ 1.907e-6"),
        (Fraction(99995, 10**4), "19999/2000 = 9.9995"),
        (Fraction(17, 32), "17/32 = 0.53125"),
        (Fraction(999951, 10**6), "999951/1000000 = 0.999951"),
        (Fraction(9999511, 10**7), "9999511/10000000 ≈ 0.99995"),
        (Fraction(1, 2305843009213693949), "1/2305843009213693949 ≈ 4.337e-19"),
        (Fraction(10**20, 3), "100000000000000000000/3 ≈ 3.333e19"),
        (0.1, "3602879701896397/2^55 ≈ 0.1000"),
    ],
)
def test_how_numbers_are_shown(q: Fraction | int | float, text: str) -> None:
    assert show(q) == er.show(q) == text


def test_numbers_of_any_size() -> None:
    """Python writes integers of 4,300 digits at most, and floats end at 10^308."""
    assert show(Fraction(2) ** 100_000) == "2^100000 ≈ 9.990e30102"
    assert show(Fraction(2) ** -100_000) == "2^-100000 ≈ 1.001e-30103"
    assert show(Fraction(3**20_000, 2)).endswith("/2 ≈ 1.331e9542 (9,543/1 digits)")
    assert show(10**5000) == "100000…000000 = 1e5000 (5,001 digits)"
    assert show(10**5000 - 1).endswith("999999…999999 ≈ 1.000e5000 (5,000 digits)")
    n = 3**20_000
    assert whole(-n) == "-" + str(fmpz(n))
    assert whole(Fraction(1, n)) == f"1/{fmpz(n)}"
    assert whole(10**9000) == "1" + "0" * 9000


@pytest.mark.parametrize("kind", [lambda q: q, lambda q: fmpq(q.numerator, q.denominator)])
def test_all_kinds_of_numbers_are_shown_alike(kind: object) -> None:
    q = kind(Fraction(-7, 3))  # type: ignore[operator]
    assert show(q) == "-7/3 ≈ -2.333"
    assert show(fmpz(5)) == show(5) == "5"
    assert whole(q) == exact(q) == "-7/3"
    with pytest.raises(TypeError, match=r"found .1/3., expected an exact number"):
        show("1/3")
    with pytest.raises(ValueError, match="digits: found 0, expected a number from 1"):
        show(q, digits=0)


def test_different_numbers_of_a_list_have_different_decimals() -> None:
    third = Fraction(1, 3)
    crowd = [
        *NUMBERS,
        *(third + Fraction(k, 10**e) for e in (5, 9, 30, 300) for k in (-1, 0, 1)),
        *(q + Fraction(1, 10**6) for q in NUMBERS[:200]),
        *(10**e + Fraction(k, 5) for e in (5, 6, 7, 8) for k in range(6)),
        *(1234567 + Fraction(2, 5), Fraction(1234999), Fraction(12349999), 12345678 + third),
    ]
    shown = dict(zip(crowd, decimals(crowd), strict=True))
    assert len({read(text) for text in shown.values()}) == len(set(crowd))
    # Rounding keeps the order, so that what is told apart is told apart the right way round.
    in_order = [read(shown[q]) for q in sorted(shown)]
    assert all(a < b for a, b in pairwise(in_order))
    for q, text in shown.items():
        assert abs(read(text) - q) <= abs(read(decimal(q)) - q)


def test_digits_are_added_only_where_they_are_needed() -> None:
    third, near = Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**6)
    values = [third, near, Fraction(2, 3), Fraction(1, 1000), third, Fraction(1000001, 10**9)]
    assert decimals(values) == [
        *("0.333333", "0.333334", "0.6667", "0.001", "0.333333"),
        "0.001000001",
    ]
    assert decimals([]) == []


@pytest.mark.parametrize(
    ("point", "text"),
    [
        ((), "()"),
        ((1, 0), "(1, 0)"),
        ((Fraction(1, 2), -1), "(1/2, -1)"),
        ((Fraction(1, 3), Fraction(-2, 7)), "(1/3, -2/7) ≈ (0.3333, -0.2857)"),
        ((Fraction(1, 1000), 1), "(1/1000, 1) = (0.001, 1)"),
        ((Fraction(1, 3**50), Fraction(1, 3**40)), "≈ (1.393e-24, 8.225e-20)"),
        ((Fraction(1, 3**90), 2), "≈ (1.146e-43, 2)"),
        ((Fraction(1, 10**50), 2), "(1e-50, 2)"),
        ((2**30, 0), "(2^30, 0)"),
    ],
)  # fmt: skip
def test_points(point: tuple[Fraction, ...], text: str) -> None:
    assert show(point) == show(list(point)) == show(iter(point)) == text
