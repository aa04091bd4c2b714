from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from exactrelu.errors import InputError
from exactrelu.exact.scalar import (
    bits,
    fraction,
    parse_rational,
    primitive,
    rational,
    rational_rows,
    sign,
    to_float,
    to_hex,
    to_text,
    vector,
)


@given(st.fractions())
def test_fraction_text_round_trip(x: Fraction) -> None:
    assert fraction(parse_rational(str(x))) == x
    assert to_text(rational(x)) == str(x)
    assert rational(x) == fmpq(x.numerator, x.denominator)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30))
def test_decimals_are_exact(x) -> None:
    assert fraction(parse_rational(str(x))) == Fraction(x)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("+7", "7"),
        ("007", "7"),
        ("-6/8", "-3/4"),
        ("0.5", "1/2"),
        (".5", "1/2"),
        ("5.", "5"),
        ("1e3", "1000"),
        ("1.5E-3", "3/2000"),
        ("-0.0", "0"),
    ],
)
def test_accepted_texts(text: str, value: str) -> None:
    assert to_text(parse_rational(text)) == value


@pytest.mark.parametrize(
    "text",
    ["", " 1", "1 ", "1/0", "1/-2", "1//2", "1/2/3", "--1", "1_000", "0x10", "١", "１", "1,5",
     "nan", "inf", "-", ".", "e5", "1e", "1e0.5", "1/2.5", "1e999999999", "1e-100001", "−1", "1\n"],
)  # fmt: skip
def test_refused_texts(text: str) -> None:
    with pytest.raises(InputError, match="weights"):
        parse_rational(text, "weights[0]")


def test_5000_digits() -> None:
    digits = "7" * 5000
    value = parse_rational(f"{digits}/{digits[:-1]}3")
    assert to_text(value).startswith("7" * 100)
    assert to_text(parse_rational(digits)) == digits
    assert rational(int("9" * 4000) ** 2) == rational(fmpz(10) ** 4000 - 1) ** 2


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_dyadic_it_stores(x: float) -> None:
    assert fraction(rational(x)) == Fraction(x)
    assert to_float(rational(x)) == x


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_numpy_floats(dtype: type) -> None:
    array = np.array([0.1, -2.5, 0, 6e-5], dtype=dtype)
    for exact, stored in zip(vector(array), array, strict=True):
        assert fraction(exact) == Fraction(*map(int, stored.as_integer_ratio()))
    assert vector(array) == tuple(rational(x) for x in array)


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.int64])
def test_numpy_integers(dtype: type) -> None:
    largest = np.iinfo(dtype).max
    assert vector(np.array([0, largest], dtype=dtype)) == (0, int(largest))


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_nan_and_infinity_are_refused_with_their_place(bad: float) -> None:
    with pytest.raises(InputError, match=r"W\[1\]: found -?(nan|inf)"):
        vector(np.array([0, bad]), "W")
    with pytest.raises(InputError, match=r"W\[0\]\[1\]: found"):
        rational_rows([[0, bad]], "W")
    with pytest.raises(InputError, match=r"W\[1\]\[0\]: found"):
        rational_rows(np.array([[1, 2], [bad, 0]], dtype=np.float32), "W")


@pytest.mark.parametrize("bad", [True, np.True_, None, 1j, [1], object()])
def test_other_types_are_refused(bad: object) -> None:
    with pytest.raises(InputError, match=r"x: found"):
        rational(bad, "x")


def test_ragged_rows_are_refused() -> None:
    with pytest.raises(InputError, match=r"W\[1\]: found 1 entries, expected 2"):
        rational_rows([[1, 2], [3]], "W")
    for bad in ("12", 5, [1, 2]):
        with pytest.raises(InputError, match="expected a list"):
            rational_rows(bad, "W")


@given(st.lists(st.fractions(), max_size=5))
def test_primitive_is_the_smallest_integer_vector_on_the_ray(xs: list[Fraction]) -> None:
    import math

    v = vector(xs)
    integers = [int(i) for i in primitive(v)]
    assert [(i > 0) - (i < 0) for i in integers] == [(x > 0) - (x < 0) for x in xs]
    assert all(integers[0] * b == integers[k] * xs[0] for k, b in enumerate(xs))
    assert math.gcd(*integers) in ((1,) if any(xs) else (0,))


def test_small_helpers() -> None:
    assert [sign(fmpq(x)) for x in (-2, 0, 5)] == [-1, 0, 1]
    assert (to_hex(fmpz(-16)), to_hex(0)) == ("-10", "0")
    assert bits(fmpq(255, 256)) == 9
    assert to_float(fmpq(10) ** 400) == float("inf")
    assert to_float(-(fmpq(10) ** 400)) == -float("inf")
