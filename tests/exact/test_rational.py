"""Numbers that leave the library behave like the standard library's Fraction."""

from __future__ import annotations

import copy
import math
import operator
import pickle
import random
import statistics
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import sympy
from flint import fmpq, fmpq_mat, fmpz

import exactrelu as er
from exactrelu.exact import scalar
from exactrelu.exact.rational import Rational, outward

RNG = random.Random("rational")
#: Degenerate values, then random ones.
VALUES = [
    *(Fraction(n) for n in (0, 1, -1, 2, -7, 10**30, 2**61 - 1, -(2**61 - 1))),
    *(Fraction(1, d) for d in (2, -2, 3, 2**61 - 1, 2**70, 10**30)),
    *(Fraction(n, 2) for n in (1, 3, 5, -1, -3, -5)),
    Fraction(0.1),
    Fraction(10**400 + 1, 3),
    Fraction(3, 10**400 + 1),
    *(Fraction(RNG.randint(-99, 99), RNG.randint(1, 99)) for _ in range(12)),
    *(Fraction(RNG.getrandbits(90) - 2**89, RNG.getrandbits(80) + 1) for _ in range(4)),
]
FEW = [*VALUES[:5], Fraction(1, 2), Fraction(-5, 2), Fraction(0.1), VALUES[-1], VALUES[-9]]
#: What stands on the other side of an operator.
OTHERS: list[Any] = [
    *(0, 1, -3, True, 10**400),
    *(0.0, -0.0, 0.5, 0.1, -2.5, 1e300, math.inf, -math.inf, math.nan),
    *(0j, 0.5 + 0j, 1 + 2j),
    *(np.float64(0.5), np.float32(0.1), np.float16(-2.5), np.float64("inf"), np.float32("nan")),
    *(np.int64(3), np.int8(-1), np.uint64(2**63)),
    *(Decimal("0.5"), Decimal("-7"), Decimal("0.1")),
    *(None, "1/2", [], object),
]
COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
ARITHMETIC: tuple[Callable[[Any, Any], Any], ...] = (
    *(operator.add, operator.sub, operator.mul, operator.truediv),
    *(operator.floordiv, operator.mod, divmod),
)


def rational(value: Fraction) -> Rational:
    return er.Rational(value)


def outcome(function: Callable[[], Any]) -> Any:
    """What comes of it: the type and the value, or the type of the error."""
    try:
        with np.errstate(all="ignore"):
            found = function()
    except Exception as error:
        return type(error)
    return described(found)


def described(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(described, value))
    if isinstance(value, Fraction | Rational):
        return "rational", value.numerator, value.denominator
    return type(value), repr(value)


@pytest.mark.parametrize("other", OTHERS, ids=lambda v: f"{type(v).__name__} {v!s:.9}")
def test_operators_with_other_numbers_are_those_of_fractions(other: Any) -> None:
    for op, x in product((*COMPARISONS, *ARITHMETIC), VALUES):
        y = rational(x)
        if isinstance(other, np.generic) and op in COMPARISONS:
            # Fraction is at the mercy of numpy's roundings here; see the next test.
            continue
        assert outcome(lambda: op(y, other)) == outcome(lambda: op(x, other)), (op, x)  # noqa: B023
        assert outcome(lambda: op(other, y)) == outcome(lambda: op(other, x)), (op, x)  # noqa: B023


@pytest.mark.parametrize("op", COMPARISONS, ids=lambda op: op.__name__)
def test_numbers_of_numpy_are_compared_exactly(op: Callable[[Any, Any], Any]) -> None:
    for other in (v for v in OTHERS if isinstance(v, np.generic)):
        plain = int(other) if isinstance(other, np.integer) else float(other)
        for x in VALUES:
            assert bool(op(rational(x), other)) == op(x, plain)
            assert bool(op(other, rational(x))) == op(plain, x)


@pytest.mark.parametrize("op", [*COMPARISONS, *ARITHMETIC], ids=lambda op: op.__name__)
def test_operators_with_exact_numbers_are_those_of_fractions(op: Callable[[Any, Any], Any]) -> None:
    for x, y in product(FEW, VALUES):
        expected = outcome(lambda: op(x, y))  # noqa: B023
        a, b = rational(x), rational(y)
        plain = fmpq(x.numerator, x.denominator), fmpq(y.numerator, y.denominator)
        for left, right in ((a, b), (a, y), (x, b), (a, plain[1]), (plain[0], b)):
            assert outcome(lambda: op(left, right)) == expected, (x, y)  # noqa: B023
        if y.denominator == 1:
            assert outcome(lambda: op(a, fmpz(y.numerator))) == expected  # noqa: B023
        if x.denominator == 1:
            assert outcome(lambda: op(fmpz(x.numerator), b)) == expected  # noqa: B023


@pytest.mark.parametrize(
    "power", [0, 1, -1, 5, -5, 0.5, -1.5, 2 + 1j, Fraction(1, 2), Fraction(4, 2), None, "2"]
)
def test_powers_are_those_of_a_fraction(power: Any) -> None:
    for x in (v for v in VALUES if abs(v) < 10**99):
        y = rational(x)
        assert outcome(lambda: y**power) == outcome(lambda: x**power)  # noqa: B023
        if isinstance(power, Fraction):
            assert outcome(lambda: y ** rational(power)) == outcome(lambda: x**power)  # noqa: B023
        if abs(x) < 100:
            assert outcome(lambda: power**y) == outcome(lambda: power**x)  # noqa: B023
    assert er.rational(2) ** fmpz(3) == 8
    assert er.rational(4) ** fmpq(1, 2) == 2.0


@pytest.mark.parametrize(
    "function",
    [
        *(hash, bool, int, float, complex, abs, operator.neg, operator.pos),
        *(round, math.floor, math.ceil, math.trunc, Fraction, str),
        *(lambda v, n=n: round(v, n) for n in (-31, -1, 0, 1, 20)),
        lambda v: v.limit_denominator(10),
        lambda v: v.limit_denominator(),
        lambda v: v.limit_denominator(0),
        *(lambda v: v.as_integer_ratio(), lambda v: v.numerator, lambda v: v.denominator),
        *(lambda v: v.real, lambda v: v.imag, lambda v: v.conjugate()),
        *(math.sqrt, math.isfinite, lambda v: np.array([v], dtype=float).tolist()),
        *(lambda v: np.array([v, v]).sum(), lambda v: np.array([v]).dtype),
        *(lambda v: statistics.mean([v, 1]), lambda v: statistics.median([v, 1, 2.5])),
        *(lambda v: sum([v, v]), lambda v: max(v, 0.5), lambda v: min(v, 0.5, Fraction(1, 3))),
        *(lambda v: v in {0: 1, 1: 2, Fraction(1, 2): 3}, lambda v: 1 if v else 2),
        *(sympy.sympify, lambda v: sympy.Rational(v) + 1, lambda v: sympy.Symbol("x") * v),
        lambda v: Decimal(v.numerator) / Decimal(v.denominator),
    ],
)
def test_functions_of_python_give_what_they_give_for_a_fraction(
    function: Callable[[Any], Any],
) -> None:
    for x in VALUES:
        assert outcome(lambda: function(rational(x))) == outcome(lambda: function(x)), x  # noqa: B023


def test_it_is_a_rational_of_python_and_of_flint() -> None:
    x = er.rational("-6/8")
    assert isinstance(x, er.Rational)
    assert isinstance(x, fmpq)
    assert type(x.numerator) is type(x.denominator) is int
    assert type(x.p) is type(x.q) is fmpz
    assert fmpq_mat(1, 1, [x])[0, 0] == x
    assert type(scalar.rational(x)) is fmpq
    assert type(scalar.vector([x])[0]) is fmpq
    assert x.is_integer() is False
    assert er.rational(4).is_integer() is True
    assert {x: 1}[Fraction(-3, 4)] == {Fraction(-3, 4): 1}[x] == {fmpq(-3, 4): 1}[x] == 1


@pytest.mark.parametrize(
    "value", [3, "1/3", "0.1", 0.1, Fraction(2, 3), fmpq(2, 3), fmpz(7), np.float32(0.1)]
)
def test_it_is_made_of_any_number(value: Any) -> None:
    assert er.Rational(value) == er.rational(value) == scalar.rational(value)
    assert type(er.Rational(value)) is type(er.rational(value)) is Rational
    assert er.Rational(value, 3) == scalar.rational(value) / 3


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(er.InputError, match="expected a finite number"):
        er.Rational(math.nan)
    with pytest.raises(er.InputError, match="found a value of type list"):
        er.Rational([])
    with pytest.raises(ZeroDivisionError):
        er.Rational(1, 0)
    assert er.Rational() == 0


@pytest.mark.parametrize("x", VALUES, ids=lambda x: f"{x!s:.12}")
def test_copies_and_pickles_are_the_same_number(x: Fraction) -> None:
    y = rational(x)
    copies = [copy.copy(y), copy.deepcopy([y])[0]]
    copies += [pickle.loads(pickle.dumps(y, k)) for k in range(pickle.HIGHEST_PROTOCOL + 1)]
    for z in copies:
        assert type(z) is Rational
        assert z == y == x
        assert hash(z) == hash(x)


def test_long_numbers_are_shown_by_their_ends_and_size() -> None:
    assert [repr(er.rational(v)) for v in ("-5/3", 7, "0")] == ["-5/3", "7", "0"]
    longest = er.rational("-" + "1" * 20 + "/" + "3" * 19 + "1")
    assert repr(longest) == str(longest) == longest.exact
    assert repr(10 * longest) == "-111111…111110/333333…333331 ≈ -3.333 (21/20 digits)"
    assert repr(1 / (10 * longest)) == "-333333…333331/111111…111110 ≈ -0.3000 (20/21 digits)"
    assert repr(er.rational(10) ** 50) == "100000…000000 = 1e50 (51 digits)"
    assert repr(er.rational(3) ** -9000) == "1/123393…980001 ≈ 8.104e-4295 (1/4,295 digits)"
    huge = er.rational(7) ** 20_000 / er.rational(2) ** 30_000
    assert huge.exact == f"{huge.p}/{huge.q}"
    assert len(huge.exact) == 16_902 + 9_031 + 1
    assert er.rational("1/3").decimal(7) == "0.3333333"
    assert er.rational("1/4").decimal() == "0.25"
    with pytest.raises(ValueError, match="digits: found 0, expected a number from 1"):
        er.rational(1).decimal(0)


def test_what_leaves_is_rational_at_any_depth() -> None:
    inside = {"a": (fmpq(1, 2), [fmpz(3), ("x", fmpq(2))]), "b": None, fmpq(5): 2.5}
    outside = outward(inside)
    assert outside == {"a": (0.5, [3, ("x", 2.0)]), "b": None, 5: 2.5}
    assert type(outside["a"][0]) is type(outside["a"][1][1][1]) is Rational
    assert type(outside["a"][1][0]) is Rational
    assert {type(key) for key in outside} == {str, Rational}
    assert outward(outside) == outside


def test_a_value_has_formats_and_is_compared_with_floats() -> None:
    net = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    x = net([1, "1/3"])[0]
    assert f"{x:.3f}" == "-1.667"
    assert x < -0.5
    assert er.rational("1/2") == 0.5
