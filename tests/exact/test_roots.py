import itertools

import pytest
import sympy
from flint import fmpq, fmpq_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from exactrelu.exact.eigen import real_roots


@settings(max_examples=60)
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=8).filter(lambda c: any(c[1:])))
def test_against_sympy(coefficients: list[int]) -> None:
    found = real_roots(coefficients)
    x = sympy.Symbol("x")
    expected = sympy.Poly(list(reversed(coefficients)), x).intervals()
    assert len(found) == len(expected)
    for interval, ((low, high), _multiplicity) in zip(found, expected, strict=True):
        assert sympy.Rational(str(interval.lower)) <= high
        assert sympy.Rational(str(interval.upper)) >= low


@given(st.lists(st.fractions(-4, 4, max_denominator=50), min_size=1, max_size=5, unique=True),
       st.integers(1, 3))  # fmt: skip
def test_planted_rational_roots(roots, multiplicity: int) -> None:
    p = fmpq_poly([1])
    for r in roots:
        p *= fmpq_poly([fmpq(-r.numerator, r.denominator), 1]) ** multiplicity
    p *= fmpq_poly([2, 0, 1])  # no further real root
    found = real_roots(p)
    assert all(i.is_exact for i in found)
    assert [i.lower for i in found] == [fmpq(r.numerator, r.denominator) for r in sorted(roots)]


def test_very_close_roots_are_separated() -> None:
    near = fmpq(1) + fmpq(1, 2**300)
    close = fmpq_poly([-2, 0, 1]) * fmpq_poly([-2 - fmpq(1, 2**200), 0, 1])
    for p, n in [(fmpq_poly([-1, 1]) * fmpq_poly([-near, 1]), 2), (close, 4)]:
        found = real_roots(p, bits=8)
        assert len(found) == n
        assert all(a.upper < b.lower for a, b in itertools.pairwise(found))


def test_no_roots_and_the_zero_polynomial() -> None:
    assert real_roots([1, 0, 1]) == ()
    assert real_roots([5]) == ()
    with pytest.raises(ZeroDivisionError):
        real_roots([0, 0])
