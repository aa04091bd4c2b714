"""Formats of exact numbers, beside those of floats, of Fraction, and of integers by hand."""

from __future__ import annotations

import random
import sys
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq

import exactrelu as er
from exactrelu.exact.number_format import formatted, to_exponent, to_figures

RNG = random.Random("formats")
FLOATS = [
    *(0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -0.5, 0.125, 0.375, 1e-5, 9.9999e-5, 0.0001, 123456.5),
    *(999999.5, 9999995.0, 1e16, 1e22, 1e23, 5e-324, 1.7976931348623157e308, 0.1, 1 / 3, -2e-9),
    *(RNG.uniform(-1, 1) * 10 ** RNG.randint(-12, 12) for _ in range(20)),
]
PRECISIONS = ("", ".0", ".1", ".2", ".3", ".6", ".17", ".40")
FLAGS = (
    *("", "+", " ", "-", "#", "z", "+#", "z#"),
    *("8", "20", "08", "020", "+020", "*>20", "*<20", "*^21", "*=21", "=20", "0=20", "<9"),
    *(",", "_", "20,", "020,", "+021_", "#020,", "*^30,"),
)


@pytest.mark.parametrize("kind", list("eEfFgG%"))
def test_formats_of_dyadic_numbers_are_those_of_floats(kind: str) -> None:
    for value, flags, precision in product(FLOATS, FLAGS, PRECISIONS):
        wanted = flags + precision + kind
        if kind == "%" and abs(value) > 1e300:
            continue  # a float overflows here
        if kind == "%":
            # A float is multiplied by 100, and rounded, first: so the product must be one.
            value = float(int(value * 1024) % 2**20) / 1024
        assert format(er.rational(value), wanted) == format(value, wanted), (value, wanted)


def by_hand(value: Fraction, places: int) -> str:
    """``.{places}f`` by Fraction's own rounding to the even one."""
    digits = str(abs(round(value * 10**places))).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits


def test_formats_are_those_computed_by_hand() -> None:
    for _ in range(300):
        value = Fraction(RNG.randint(-(10**6), 10**6), RNG.randint(1, 10 ** RNG.randint(1, 9)))
        x = er.Rational(value)
        for places in (0, 1, 2, 5, 30):
            fixed = by_hand(value, places)
            assert f"{x:.{places}f}" == fixed
            assert f"{x / 100:.{places}%}" == f"{fixed}%"
            scientific = f"{x:.{places}e}"
            mantissa, exponent = scientific.split("e")
            assert by_hand(value / Fraction(10) ** int(exponent), places) == mantissa
            assert value == 0 or 1 <= abs(Fraction(mantissa)) < 10
            general = f"{x:.{places + 1}g}"
            assert Fraction(general) == Fraction(scientific)
            assert len(general.replace("-", "").replace(".", "").lstrip("0")) <= places + 5


@pytest.mark.skipif(sys.version_info < (3, 13), reason="Fraction has these formats since 3.13")
def test_formats_are_those_of_fractions() -> None:
    values = (Fraction(-22, 7), Fraction(5))
    for value, *parts in product(values, FLAGS, PRECISIONS, ["", *"eEfFgG%"]):
        wanted = "".join(parts)
        assert _or_error(er.Rational(value), wanted) == _or_error(value, wanted)


def _or_error(value: Any, wanted: str) -> str:
    try:
        return format(value, wanted)
    except ValueError:
        return "ValueError"


@pytest.mark.parametrize(
    ("value", "wanted", "text"),
    [
        ("-22/7", "", "-22/7"),
        ("22/7", "+", "+22/7"),
        ("3", "#", "3/1"),
        ("3", "", "3"),
        ("-22/7", "10", "     -22/7"),
        ("-22/7", "*<10", "-22/7*****"),
        ("-22/7", "*^10", "**-22/7***"),
        ("-22/7", "*=10", "-*****22/7"),
        ("1234567/8901", ",", "1,234,567/8,901"),
        ("1234567", "_", "1_234_567"),
        ("0", " ", " 0"),
        ("-1/1000", ".2f", "-0.00"),
        ("-1/1000", "z.2f", "0.00"),
        ("1/8", ".2f", "0.12"),
        ("3/8", ".2f", "0.38"),
        ("2/3", "010,.3f", "00,000.667"),
        ("2/3", "\n^9.1f", "\n\n\n0.7\n\n\n"),
        ("2/3", "0", "2/3"),
    ],
)
def test_a_format_gives_its_text(value: str, wanted: str, text: str) -> None:
    assert format(er.rational(value), wanted) == text


@pytest.mark.parametrize(
    "wanted", ["d", "s", ".3", "010", "<010.3f", "z", "1.f", "..2f", "f2", ",,f", "x", "%%", "n"]
)
def test_what_is_no_format_is_refused(wanted: str) -> None:
    with pytest.raises(ValueError, match=r"Invalid format specifier .* of type 'Rational'"):
        format(er.rational("2/3"), wanted)


def test_numbers_of_any_size_have_formats() -> None:
    huge = er.rational(10) ** 5000
    assert f"{huge:.2f}" == "1" + "0" * 5000 + ".00"
    assert f"{huge:.3e}" == "1.000e+5000"
    assert f"{1 / huge:.3g}" == "1e-5000"
    assert f"{1 / huge:.5001f}" == "0." + "0" * 4999 + "10"
    assert f"{(huge - 1) / huge:.10f}" == "1.0000000000"
    assert f"{huge + er.rational('1/2'):,}".startswith("200,000,")


def test_rounding() -> None:
    assert to_exponent(fmpq(-25, 100), -1) == (True, 2, -1)
    assert to_exponent(fmpq(35, 100), -1) == (False, 4, -1)
    assert to_exponent(fmpq(1250), 2) == (False, 12, 2)
    assert to_exponent(fmpq(1350), 2) == (False, 14, 2)
    assert to_figures(fmpq(9996, 10), 3) == (False, 100, 1)
    assert to_figures(fmpq(0), 3) == (False, 0, -2)
    assert to_figures(fmpq(1, 7), 1) == (False, 1, -1)
    assert formatted(fmpq(1, 7), ".1g") == "0.1"
