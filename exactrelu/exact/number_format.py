"""``format(x, spec)`` of an exact number, as Python 3.13 has it for ``Fraction``.

With one of the types e, f, g and % the number is rounded to the digits that are asked for, once, to
the nearest and of two the even one: no float stands between.  Without a type the text is exact.
Numbers may have any size: FLINT writes their digits, where Python's ``int`` stops at 4,300.

>>> from flint import fmpq
>>> formatted(fmpq(2, 3), ".3f"), formatted(fmpq(1, 3), ".1%"), formatted(fmpq(-7, 2), "+>8")
('0.667', '33.3%', '++++-7/2')
"""

from __future__ import annotations

import re
from typing import NamedTuple

from flint import fmpq, fmpz

_SPEC = re.compile(
    r"""
    (?:(?P<fill>.)?(?P<align>[<>=^]))?
    (?P<sign>[-+ ]?)
    (?P<positive_zero>z?)
    (?P<alternate>\#?)
    (?P<zeros>(?:0(?=[0-9]))?)
    (?P<width>[0-9]*)
    (?P<separator>[,_]?)
    (?:\.(?P<precision>[0-9]+))?
    (?P<type>[eEfFgG%]?)
    """,
    re.VERBOSE | re.DOTALL,
)
#: Where nothing else is asked for, as for floats.
PRECISION = 6
#: A smaller power of ten is written as one by the type g.
LEAST_POWER = -4


class _Rounded(NamedTuple):
    """``digits`` times 10^``exponent``, and whether it is to be written with a minus."""

    is_negative: bool
    digits: fmpz
    exponent: int


def formatted(value: fmpq, spec: str) -> str:
    """The number as a format specification wants it; ValueError if that is none."""
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise _invalid(spec)
    is_exact = not match["type"]
    if is_exact and (match["precision"] or match["zeros"] or match["positive_zero"]):
        raise _invalid(spec)
    if match["align"] and match["zeros"]:
        # Where would the zeros go?
        raise _invalid(spec)
    sign, whole, after = _exact(value, match) if is_exact else _rounded(value, match)
    sign = sign or match["sign"].replace("-", "")
    width = int(match["width"] or 0)
    if match["zeros"]:
        # Separators are put between the zeros too: four places for three digits.
        room = width - len(sign) - len(after)
        whole = whole.zfill(3 * room // 4 + 1 if match["separator"] else room)
    body = _grouped(whole, match["separator"]) + after
    padding = (match["fill"] or " ") * (width - len(sign) - len(body))
    half = len(padding) // 2
    return {
        "<": sign + body + padding,
        "^": padding[:half] + sign + body + padding[half:],
        "=": sign + padding + body,
    }.get(match["align"], padding + sign + body)


def _invalid(spec: str) -> ValueError:
    return ValueError(f"Invalid format specifier {spec!r} for object of type 'Rational'")


def _exact(value: fmpq, match: re.Match[str]) -> tuple[str, str, str]:
    """Sign, numerator, and the denominator with its stroke."""
    has_stroke = value.q != 1 or bool(match["alternate"])
    below = f"/{_grouped(str(value.q), match['separator'])}" if has_stroke else ""
    return "-" if value < 0 else "", str(abs(value.p)), below


def _rounded(value: fmpq, match: re.Match[str]) -> tuple[str, str, str]:
    """Sign, the digits before the point, and the rest."""
    kind = match["type"]
    precision = int(match["precision"] or PRECISION)
    suffix = ""
    if kind in "fF%":
        # A per cent has two more digits before its point.
        near = to_exponent(value, -precision - 2 * (kind == "%"))
        n_after = precision
        suffix = "%" if kind == "%" else ""
    else:
        figures = max(precision, 1) if kind in "gG" else precision + 1
        near = to_figures(value, figures)
        power = near.exponent + figures - 1
        n_after = -near.exponent
        if kind in "eE" or near.exponent > 0 or power < LEAST_POWER:
            n_after = figures - 1
            suffix = f"{'E' if kind.isupper() else 'e'}{power:+03d}"
    digits = str(near.digits).zfill(n_after + 1)
    cut = len(digits) - n_after
    after = digits[cut:]
    if kind in "gG" and not match["alternate"]:
        after = after.rstrip("0")
    point = "." if after or match["alternate"] else ""
    is_negative = near.is_negative and not (match["positive_zero"] and near.digits == 0)
    return "-" if is_negative else "", digits[:cut], point + after + suffix


def _grouped(digits: str, separator: str) -> str:
    """The digits in threes from the right."""
    if not separator:
        return digits
    first = len(digits) % 3
    groups = [digits[:first]] if first else []
    return separator.join([*groups, *(digits[i : i + 3] for i in range(first, len(digits), 3))])


def to_exponent(value: fmpq, exponent: int) -> _Rounded:
    """The nearest multiple of 10^exponent; of two, the even one."""
    power = fmpz(10) ** abs(exponent)
    n, d = (abs(value.p), value.q * power) if exponent > 0 else (abs(value.p) * power, value.q)
    digits, rest = divmod(n, d)
    if 2 * rest > d or (2 * rest == d and digits % 2):
        digits += 1
    return _Rounded(value < 0, digits, exponent)


def to_figures(value: fmpq, figures: int) -> _Rounded:
    """The nearest number of so many significant digits; of two, the even one."""
    if not value:
        return _Rounded(False, fmpz(0), 1 - figures)
    n, d = str(abs(value.p)), str(value.q)
    # The power of ten above the number: texts of one length are ordered as their numbers are, and
    # of two lengths like digits after a point.
    above = len(n) - len(d) + (d <= n)
    near = to_exponent(value, above - figures)
    if near.digits == fmpz(10) ** figures:
        return near._replace(digits=near.digits // 10, exponent=near.exponent + 1)
    return near
