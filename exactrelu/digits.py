"""Exact numbers for people: the number itself, then a decimal that can be relied on.

A rational number q is shown exactly, followed by ``=`` and its decimal, if that is exact, or by
``≈`` and the decimal of four significant digits that is nearest to q (of two, the even one).

>>> show(Fraction(1, 4)), show(Fraction(1, 3)), show(Fraction(-5684369, 2**30))
('1/4 = 0.25', '1/3 ≈ 0.3333', '-5684369/2^30 ≈ -0.005294')

Four rules keep it from misleading.  The value is never hidden behind its length: over
:data:`MOST_DIGITS` a number keeps its ends and says how long it is.  What is not an integer is not
shown as one.  Different numbers of one list have different decimals (:func:`decimals`).  A decimal
bound is rounded outward, so that what is printed is true (:func:`between`).

Only integers are computed with, and numbers may have any size.  A number is anything with a
numerator and a denominator, such as ``int``, ``Fraction`` and those of FLINT, or a float, which is
the dyadic number that it stores.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

from exactrelu.errors import InputError, WrongType, attempted, shortened

#: Significant digits of a decimal, where nothing else is asked for.
DIGITS = 4
#: A number of more digits, numerator and denominator together, is shortened to its ends.
MOST_DIGITS = 40
#: Digits at each end of what is shortened.
ENDS = 6
#: Powers of two are written as powers from this exponent on.
LEAST_POWER = 20
#: Integers of so many digits are their own decimal; larger numbers are rounded.
INTEGER_DIGITS = 7
#: Beside its fraction a decimal that is exact may have so many digits more than asked for.
EXACT_DIGITS = 2
#: Digits that may be added to tell a number from an integer; a number that is nearer is written
#: as the integer and what is missing.
MORE_DIGITS = 3
#: A fraction, or an integer, of at most so many digits can stand in a sentence as it is.
SHORT_DIGITS, SHORT_INTEGER = 8, 12
#: Of these denominators everybody knows the decimals.
OBVIOUS = (1, 2, 4, 5, 8, 10)

#: Numerator and denominator.
_Ratio: TypeAlias = tuple[int, int]

#: Which neighbour a decimal is: the greatest below, the nearest, or the least above.
_DOWN, _NEAREST, _UP = -1, 0, 1


#: So many digits of a decimal nobody reads.
MOST_SHOWN = 100_000


def show(q: Any, *, digits: int = DIGITS) -> str:
    """A number or a point for people: exact, then as a decimal.

    Parameters
    ----------
    q : exact number, or a sequence of them
        What is shown.
    digits : int, optional
        Significant digits of a decimal that is rounded.

    Returns
    -------
    str
        ``=`` stands before a decimal that is exact, ``≈`` before one that is rounded.

    Examples
    --------
    >>> import exactrelu as er
    >>> from fractions import Fraction
    >>> er.show(Fraction(1, 3)), er.show(Fraction(1, 4))
    ('1/3 ≈ 0.3333', '1/4 = 0.25')
    >>> er.show([Fraction(1, 3), Fraction(-2, 7)])
    '(1/3, -2/7) ≈ (0.3333, -0.2857)'
    """
    if hasattr(q, "__iter__") and not isinstance(q, str):
        point = attempted(tuple, q, "")
        return show_point(point, apart(point, digits))
    n, d = _ratio(q)
    if not 1 <= digits <= MOST_SHOWN:
        found = shortened(digits)
        raise InputError(f"digits: found {found}, expected a number from 1 to {MOST_SHOWN:,}")
    near = _decimal(n, d, digits)
    longer = near if near.is_exact else _rounded(n, d, digits + EXACT_DIGITS, _NEAREST)
    return show_number(q, longer if longer.is_exact else near)


def show_number(q: Any, near: Near) -> str:
    """A number with a decimal that is chosen already."""
    n, d = _ratio(q)
    text, counts = _exact(n, d)
    is_plain = d == 1 and text == written(n)
    return text if is_plain else f"{text} {'=' if near.is_exact else '≈'} {near.text}{counts}"


def show_point(point: Sequence[Any], near: Sequence[Near]) -> str:
    """A point with decimals that are chosen already."""
    exact_texts = [_exact(*_ratio(q)) for q in point]
    rounded = f"({', '.join(one.text for one in near)})"
    is_exact = all(one.is_exact for one in near)
    n_digits = sum(_n_shown(text) for text, _ in exact_texts)
    if n_digits > MOST_DIGITS or any(counts for _, counts in exact_texts):
        return rounded if is_exact else f"≈ {rounded}"
    text = f"({', '.join(text for text, _ in exact_texts)})"
    if text == rounded or all(_ratio(q)[1] in OBVIOUS for q in point):
        return text
    return f"{text} {'=' if is_exact else '≈'} {rounded}"


def say(q: Any, digits: int = DIGITS) -> str:
    """A number or a point in a sentence: exact where it is short, else as a decimal.

    >>> say(Fraction(5, 3)), say([Fraction(5, 3), 1]), say([Fraction(1, 3**9), 1])
    ('5/3', '(5/3, 1)', '(1/19683, 1)')
    >>> say(Fraction(1, 3**99)), say([Fraction(1, 3**99), 1])
    ('≈ 5.821e-48', '≈ (5.821e-48, 1)')
    """
    if hasattr(q, "__iter__") and not isinstance(q, str):
        point = tuple(q)
        if all(map(is_short, point)) and sum(_n_shown(whole(v)) for v in point) <= MOST_DIGITS:
            return f"({', '.join(map(whole, point))})"
        near = f"({', '.join(decimals(point, digits))})"
        return near if all(is_decimal(v, digits) for v in point) else f"≈ {near}"
    if is_short(q):
        return whole(q)
    return decimal(q, digits) if is_decimal(q, digits) else f"≈ {decimal(q, digits)}"


def at_least(q: Any, digits: int = DIGITS) -> str:
    """A lower bound in a sentence: exact where it is short, else a decimal that is not above it.

    >>> f"at least {at_least(Fraction(2, 3))}", f"at least {at_least(Fraction(2 * 10**30, 3))}"
    ('at least 2/3', 'at least 6.666e29')
    """
    return whole(q) if is_short(q) else below(q, digits)


def at_most(q: Any, digits: int = DIGITS) -> str:
    """An upper bound in a sentence: exact where it is short, else a decimal that is not below it.

    >>> f"at most {at_most(Fraction(1, 3))}", f"at most {at_most(Fraction(10**30, 3))}"
    ('at most 1/3', 'at most 3.334e29')
    """
    return whole(q) if is_short(q) else above(q, digits)


def is_short(q: Any) -> bool:
    """Whether all digits of a number are taken in at a glance.

    >>> is_short(Fraction(-1, 1024)), is_short(Fraction(5684369, 2**30))
    (True, False)
    """
    n, d = _ratio(q)
    if d == 1:
        return n.bit_length() <= 4 * SHORT_INTEGER and _n_digits(abs(n)) <= SHORT_INTEGER
    # What has more bits than these need not be counted.
    is_small = max(n.bit_length(), d.bit_length()) <= 4 * SHORT_DIGITS
    return is_small and _n_digits(abs(n)) + _n_digits(d) <= SHORT_DIGITS


def exact(q: Any) -> str:
    """The number as a fraction; a long one by its ends, with the numbers of its digits.

    >>> exact(Fraction(-3, 2**20)), exact(10**50 + 1)
    ('-3/2^20', '100000…000001 (51 digits)')
    """
    return "".join(_exact(*_ratio(q)))


def whole(q: Any) -> str:
    """All digits of the number, however many.

    >>> whole(Fraction(-3, 2**20)), len(whole(10**5000))
    ('-3/1048576', 5001)
    """
    n, d = _ratio(q)
    return written(n) if d == 1 else f"{written(n)}/{written(d)}"


def decimal(q: Any, digits: int = DIGITS) -> str:
    """The nearest decimal of so many significant digits; fewer, if those are exact.

    >>> decimal(Fraction(1, 8)), decimal(Fraction(2, 3)), decimal(Fraction(10**20, 3))
    ('0.125', '0.6667', '3.333e19')
    >>> decimal(1 - Fraction(1, 3**40)), decimal(Fraction(12345, 10))
    ('1 − 8.225e-20', '1234.5')
    """
    return _decimal(*_ratio(q), digits).text


def is_decimal(q: Any, digits: int = DIGITS) -> bool:
    """Whether :func:`decimal` is the number itself.

    >>> is_decimal(Fraction(1, 8)), is_decimal(Fraction(1, 3))
    (True, False)
    """
    return _decimal(*_ratio(q), digits).is_exact


def below(q: Any, digits: int = DIGITS) -> str:
    """The greatest decimal of so many digits that is at most the number.

    >>> below(Fraction(2, 3)), below(Fraction(-2, 3))
    ('0.6666', '-0.6667')
    """
    return _decimal(*_ratio(q), digits, _DOWN).text


def above(q: Any, digits: int = DIGITS) -> str:
    """The least decimal of so many digits that is at least the number.

    >>> above(Fraction(1, 3)), above(Fraction(-1, 3))
    ('0.3334', '-0.3333')
    """
    return _decimal(*_ratio(q), digits, _UP).text


def between(lower: Any, name: str, upper: Any, digits: int = DIGITS) -> str:
    """What lies between two numbers: decimals that are rounded outward.

    >>> between(Fraction(35351, 10**5), "c", Fraction(35359, 10**5))
    '0.3535 ≤ c ≤ 0.3536'
    """
    return f"{below(lower, digits)} ≤ {name} ≤ {above(upper, digits)}"


def decimals(values: Iterable[Any], digits: int = DIGITS) -> list[str]:
    """The decimals of a list; different numbers get as many digits as tell them apart.

    >>> decimals([Fraction(1, 3), Fraction(3334, 10002), Fraction(10**6, 3 * 10**6 + 1), 2])
    ['0.3333333', '0.3333333', '0.3333332', '2']
    """
    return [near.text for near in apart(values, digits)]


def apart(values: Iterable[Any], digits: int = DIGITS) -> list[Near]:
    """The same, and which of them are exact."""
    ratios = [_ratio(q) for q in values]
    asked = dict.fromkeys(ratios, digits)
    found = {ratio: _decimal(*ratio, digits) for ratio in asked}
    #: Which numbers have a decimal, by its value.
    holders: dict[tuple[int, int], list[_Ratio]] = {}
    changed = list(found)
    while changed:
        values = [found[ratio].value for ratio in changed]
        for value, ratio in zip(values, changed, strict=True):
            holders.setdefault(value, []).append(ratio)
        groups = [holders.pop(value) for value in dict.fromkeys(values) if len(holders[value]) > 1]
        for group in groups:
            more = max(1 + max(asked[ratio] for ratio in group), _digits_apart(found, group))
            for ratio in group:
                asked[ratio] = more
                found[ratio] = _decimal(*ratio, more)
        changed = [ratio for group in groups for ratio in group]
    return [found[ratio] for ratio in ratios]


def _digits_apart(found: dict[_Ratio, Near], group: list[_Ratio]) -> int:
    """About so many digits are needed: numbers at a distance of 10^-300 are not tried with each."""
    ordered = sorted(Fraction(*ratio) for ratio in group)
    gap = min(b - a for a, b in pairwise(ordered))
    leading = min(found[ratio].leading for ratio in group)
    return leading - _leading(gap.numerator, gap.denominator)


@dataclass(frozen=True, slots=True)
class Near:
    """A decimal near a number: ``mantissa * 10^exponent``, and whether it is the number itself.

    Where a number is near an integer, that is ``whole``, and the decimal is what is added to it.
    """

    mantissa: int
    exponent: int
    is_exact: bool
    digits: int
    whole: int | None = None

    @property
    def value(self) -> tuple[int, int]:
        """A mantissa and an exponent, the same for all ways to write a decimal."""
        m, e = self.mantissa, self.exponent
        if self.whole is not None:
            m += self.whole * 10**-e
        return _stripped(m, e)

    @property
    def leading(self) -> int:
        """The exponent of the first of its digits."""
        return self.exponent + _n_digits(abs(self.mantissa)) - 1

    @property
    def text(self) -> str:
        m, e = self.mantissa, self.exponent
        if self.whole is None:
            return _plain(m, e, self.digits)
        sign = "−" if m < 0 else "+"
        return f"{written(self.whole)} {sign} {_plain(abs(m), e, self.digits)}"


def _decimal(n: int, d: int, digits: int, direction: int = _NEAREST) -> Near:
    """The decimal for n/d with at least so many digits, unless it is exact with fewer."""
    if digits < 1:
        raise ValueError(f"{digits} digits: expected at least 1")
    if d == 1 and abs(n) < 10**INTEGER_DIGITS:
        return Near(*_stripped(n, 0), True, INTEGER_DIGITS)
    asked, first = digits, _rounded(n, d, digits, direction)
    if d == 1 or first.leading >= INTEGER_DIGITS:
        return first
    digits = max(digits, first.leading + 2)
    near = first if digits == asked else _rounded(n, d, digits, direction)
    for more in range(1, MORE_DIGITS + 1):
        if not _is_integer(near):
            return near
        near = _rounded(n, d, digits + more, direction)
    if not _is_integer(near):
        return near
    closest = (2 * n + d) // (2 * d)
    rest = n - closest * d
    small = _rounded(rest, d, asked, direction)
    return Near(small.mantissa, small.exponent, small.is_exact, asked, closest)


def _is_integer(near: Near) -> bool:
    return not near.is_exact and near.value[1] >= 0


def _rounded(n: int, d: int, digits: int, direction: int) -> Near:
    """n/d, which is not 0, with so many significant digits."""
    exponent = _leading(abs(n), d) + 1 - digits
    if exponent < 0:
        n *= 10**-exponent
    else:
        d *= 10**exponent
    m, rest = divmod(n, d)
    if rest == 0:
        return Near(*_stripped(m, exponent), True, digits)
    is_up = direction == _UP
    if direction == _NEAREST:
        is_up = 2 * rest > d or (2 * rest == d and m % 2 == 1)
    m += is_up
    if abs(m) == 10**digits:
        m, exponent = m // 10, exponent + 1
    return Near(m, exponent, False, digits)


def _stripped(m: int, e: int) -> tuple[int, int]:
    """The same decimal without zeros at its end."""
    if m == 0:
        return 0, 0
    while m % 10 == 0:
        m, e = m // 10, e + 1
    return m, e


def _plain(m: int, e: int, digits: int) -> str:
    """``m * 10^e`` as people write it: 0.0002323, 12.5, 3.333e19."""
    sign = "-" if m < 0 else ""
    text = written(abs(m))
    leading = e + len(text) - 1
    if leading < -4 or (e > 0 and leading >= digits):
        after = f".{text[1:]}" if len(text) > 1 else ""
        return f"{sign}{text[0]}{after}e{leading}"
    if e >= 0:
        return f"{sign}{text}{'0' * e}"
    if leading < 0:
        return f"{sign}0.{'0' * (-leading - 1)}{text}"
    return f"{sign}{text[: leading + 1]}.{text[leading + 1 :]}"


def _exact(n: int, d: int) -> tuple[str, str]:
    """The fraction, and the numbers of its digits if some are left out."""
    sign = "-" if n < 0 else ""
    if n and d > 1 and abs(n) == 1 and (power := _power(d)):
        return f"{sign}2^-{power}", ""
    parts = [abs(n)] if d == 1 else [abs(n), d]
    powers = [_power(part) for part in parts]
    counts = [_n_digits(part) for part in parts]
    shown = [len(str(p)) + 1 if p else c for p, c in zip(powers, counts, strict=True)]
    is_long = sum(shown) > MOST_DIGITS
    texts = [
        f"2^{power}" if power else _ends(part, count) if is_long else written(part)
        for part, power, count in zip(parts, powers, counts, strict=True)
    ]
    said = f" ({'/'.join(f'{count:,}' for count in counts)} digits)" if is_long else ""
    return sign + "/".join(texts), said


def _ends(n: int, n_digits: int) -> str:
    if n_digits <= 2 * ENDS + 1:
        return written(n)
    return f"{n // 10 ** (n_digits - ENDS)}…{n % 10**ENDS:0{ENDS}}"


def _power(n: int) -> int:
    """The exponent of a power of two that is written as one, else 0."""
    exponent = n.bit_length() - 1
    return exponent if exponent >= LEAST_POWER and n & (n - 1) == 0 else 0


def _n_shown(text: str) -> int:
    return sum(character.isdigit() for character in text)


def _leading(n: int, d: int) -> int:
    """The exponent of the leading digit of n/d: 10^k <= n/d < 10^(k+1)."""
    k = _n_digits(n) - _n_digits(d)
    is_less: bool = n < d * 10**k if k >= 0 else n * 10**-k < d
    return k - is_less


def _n_digits(n: int) -> int:
    """How many decimal digits an integer n ≥ 0 has."""
    if n.bit_length() < 10_000:
        return len(str(n))
    # A little less than log10(2), so that at most a step or two are missing.
    k = (n.bit_length() - 1) * 30102999566 // 10**11
    while 10**k <= n:
        k += 1
    return k


def written(n: int) -> str:
    """The decimal digits of an integer: Python itself stops at 4,300."""
    if n < 0:
        return f"-{written(-n)}"
    if n.bit_length() < 10_000:
        return str(n)
    half = _n_digits(n) // 2
    high, low = divmod(n, 10**half)
    return written(high) + written(low).rjust(half, "0")


def _ratio(q: Any) -> _Ratio:
    """Numerator and denominator, as the number has them."""
    if isinstance(q, type):
        raise WrongType(f"found {shortened(q)}, expected an exact number")
    if hasattr(q, "numerator") and hasattr(q, "denominator"):
        n, d = int(q.numerator), int(q.denominator)
    elif hasattr(q, "as_integer_ratio"):
        n, d = attempted(lambda number: number.as_integer_ratio(), q, "")
    else:
        raise WrongType(f"found {shortened(q)}, expected an exact number")
    return n, d
