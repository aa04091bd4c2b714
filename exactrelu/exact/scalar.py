"""The one scalar type, and the one place that converts numbers.

A *rational* is ``flint.fmpq`` everywhere inside exactrelu; a *vector* is a tuple of
them.  Python ``int`` and ``Fraction``, FLINT's ``fmpz``, floats, numpy scalars
and arrays, and text all become rationals here and nowhere else.  (PPL's ``mpz``
takes and gives Python ints, so ``int(...)`` is the whole bridge to it.)  Numbers
that leave the library are of a subclass: :mod:`exactrelu.exact.rational`.

A float is the dyadic rational that it stores.  NaN and infinities are refused
with the place where they stand.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from flint import fmpq, fmpz

from exactrelu.errors import InputError, ShapeError, WrongType, attempted

if TYPE_CHECKING:
    import numpy as np

Vector: TypeAlias = tuple[fmpq, ...]

ZERO = fmpq(0)
ONE = fmpq(1)

_FRACTION = re.compile(r"([+-]?[0-9]+)(?:/([0-9]+))?", re.ASCII)
_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,9}))?", re.ASCII)
_BETWEEN = re.compile(r"\s*,\s*|\s+")

#: A decimal exponent beyond this is refused: ``1e999999999`` is nine characters
#: of text and a gigabyte of number.
MAX_DECIMAL_EXPONENT = 100_000


def parse_rational(text: str, where: str = "") -> fmpq:
    """The exact value of ``"3"``, ``"-3/4"``, ``"0.125"`` or ``"1.5e-3"``.

    >>> parse_rational("-6/8"), parse_rational("0.1"), parse_rational("1.5e-3")
    (-3/4, 1/10, 3/2000)
    """
    if match := _FRACTION.fullmatch(text):
        numerator, denominator = match.groups()
        if denominator is None:
            return fmpq(_parse_int(numerator))
        q = _parse_int(denominator)
        if q == 0:
            raise InputError(f"{_at(where)}denominator 0 in {_shorten(text)}")
        return fmpq(_parse_int(numerator), q)
    match = _DECIMAL.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        raise InputError(
            f"{_at(where)}found {_shorten(text)}, expected an integer, a fraction p/q or a decimal"
        )
    sign, whole, decimals, exponent_text = match.groups()
    decimals = decimals or ""
    exponent = int(exponent_text or 0)
    if abs(exponent) > MAX_DECIMAL_EXPONENT:
        raise InputError(
            f"{_at(where)}exponent {exponent} in {_shorten(text)} is beyond "
            f"the limit of {MAX_DECIMAL_EXPONENT}"
        )
    digits = _parse_int(whole + decimals)
    shift = exponent - len(decimals)
    scale = fmpz(10) ** abs(shift)
    value = fmpq(digits * scale) if shift >= 0 else fmpq(digits, scale)
    return -value if sign == "-" else value


def _parse_int(digits: str) -> fmpz:
    # FLINT parses decimals of any length; Python's int() stops at 4,300 digits.
    return fmpz(digits.removeprefix("+"))


def rational(value: Any, where: str = "") -> fmpq:
    """Any exact number as a rational: the one gate through which numbers come in.

    >>> from fractions import Fraction
    >>> rational(3), rational(0.5), rational("1/3"), rational(Fraction(2, 6))
    (3, 1/2, 1/3, 1/3)
    """
    if type(value) is fmpq:
        return value
    if isinstance(value, fmpq):
        # A number that had left: see exactrelu.exact.rational.
        return fmpq(value)
    if isinstance(value, str):
        return parse_rational(value, where)
    if isinstance(value, bool) or type(value).__name__ == "bool":
        raise InputError(f"{_at(where)}found the truth value {value}, expected a number")
    if isinstance(value, (int, fmpz)):
        return fmpq(value)
    if isinstance(value, numbers.Rational):
        return fmpq(int(value.numerator), int(value.denominator))
    if isinstance(value, numbers.Integral):
        return fmpq(int(value))
    if isinstance(value, numbers.Real) or hasattr(value, "as_integer_ratio"):
        return _from_float(value, where)
    if hasattr(value, "detach") and hasattr(value, "item"):
        return rational(attempted(lambda tensor: tensor.item(), value, where), where)
    raise WrongType(f"{_at(where)}found {_kind(value)}, expected a rational number")


def _from_float(value: Any, where: str) -> fmpq:
    try:
        numerator, denominator = value.as_integer_ratio()
    except (ValueError, OverflowError):
        raise InputError(f"{_at(where)}found {value}, expected a finite number") from None
    except Exception:
        raise WrongType(f"{_at(where)}found {_kind(value)}, expected a number") from None
    return fmpq(int(numerator), int(denominator))


def vector(values: Iterable[Any], where: str = "") -> Vector:
    """A tuple of rationals; arrays and tensors of floats are the dyadics that they store."""
    if hasattr(values, "detach") and hasattr(values, "tolist"):
        # A tensor of PyTorch: its list has Python's floats, which hold each of its numbers.
        values = values.detach().tolist()
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise WrongType(f"{_at(where)}found {_kind(values)}, expected a list of numbers")
    if (array := _float_array(values)) is not None and array.ndim == 1:
        check_finite(array, where)
        return tuple(fmpq(*v.as_integer_ratio()) for v in array.astype("float64").tolist())
    listed = values if type(values) in (tuple, list) else attempted(list, values, where)
    return tuple([rational(v, f"{where}[{i}]") for i, v in enumerate(listed)])


def point(values: Iterable[Any], n: int, where: str = "point") -> Vector:
    """A vector of so many coordinates.

    >>> point([1, "1/2"], 2)
    (1, 1/2)
    """
    found = vector(values, where)
    if len(found) != n:
        raise ShapeError(f"{_at(where)}found {len(found)} coordinates, expected {n}")
    return found


def parse_vector(text: str, where: str = "") -> Vector:
    """A point as people write it: commas or spaces between the numbers, brackets or none.

    >>> parse_vector("1,-2/3") == parse_vector("(1, -2/3)") == parse_vector("[1 -2/3]")
    True
    """
    inside = text.strip()
    if inside[:1] + inside[-1:] in ("()", "[]"):
        inside = inside[1:-1].strip()
    return vector(_BETWEEN.split(inside), where)


def is_table(values: object) -> bool:
    """Whether these are rows of numbers, and not numbers.

    >>> is_table([(1, 2), (3, 4)]), is_table([1, 2]), is_table(["1/2", "3"])
    (True, False, False)
    """
    if hasattr(values, "ndim"):
        return bool(values.ndim == 2)
    first = values[0] if isinstance(values, Sequence) and values else None
    is_row = isinstance(first, Iterable) and not isinstance(first, str)
    return is_row and getattr(first, "ndim", 1) > 0


def rational_rows(rows: Any, where: str = "") -> list[Vector]:
    """A rectangular table of rationals from nested sequences or a 2-D numpy array."""
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise WrongType(f"{_at(where)}found {_kind(rows)}, expected a list of rows")
    table = [vector(row, f"{where}[{i}]") for i, row in enumerate(attempted(list, rows, where))]
    for i, row in enumerate(table):
        if len(row) != len(table[0]):
            raise InputError(
                f"{_at(f'{where}[{i}]')}found {len(row)} entries, "
                f"expected {len(table[0])} as in the first row"
            )
    return table


def _float_array(values: object) -> np.ndarray[Any, Any] | None:
    """``values`` if it is a numpy array whose entries a double holds exactly."""
    dtype = getattr(values, "dtype", None)
    is_double = getattr(dtype, "kind", None) == "f" and getattr(dtype, "itemsize", 16) <= 8
    return values if is_double else None  # type: ignore[return-value]


def check_finite(array: np.ndarray[Any, Any], where: str) -> None:
    """Refuse NaN and infinities, naming the entry where the first one stands."""
    import numpy as np

    finite = np.isfinite(array)
    if not finite.all():
        index = tuple(int(i) for i in np.argwhere(~finite)[0])
        place = where + "".join(f"[{i}]" for i in index)
        raise InputError(f"{_at(place)}found {array[index]}, expected a finite number")


def fraction(value: fmpq) -> Fraction:
    """A rational as the :class:`fractions.Fraction` of the standard library.

    Parameters
    ----------
    value : rational
        A number of exactrelu.

    Returns
    -------
    Fraction
        The same number.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.matrices.fraction(er.matrices.rational("2/6"))
    Fraction(1, 3)
    """
    return Fraction(int(value.p), int(value.q))


def to_text(value: fmpq) -> str:
    """``p`` or ``p/q`` in decimal, of any length (FLINT converts, Python would refuse)."""
    return str(value)


def to_texts(values: Iterable[fmpq]) -> list[str]:
    """The decimal text of each entry of a vector."""
    return [to_text(v) for v in values]


def to_float(value: fmpq) -> float:
    """The nearest double, or ±inf: a *guess* for float solvers, never an answer."""
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def to_hex(value: fmpz | int) -> str:
    """Lowercase hexadecimal with a leading minus, as certificates write integers.

    >>> to_hex(fmpz(-255)), to_hex(0)
    ('-ff', '0')
    """
    return format(int(value), "x")


def bits(value: fmpq) -> int:
    """The size of a rational: bits of the larger of numerator and denominator."""
    return int(value.height_bits())


def sign(value: fmpq | fmpz) -> int:
    """−1, 0 or +1."""
    return (value > 0) - (value < 0)


def common_denominator(values: Iterable[fmpq]) -> fmpz:
    """The least common multiple of the denominators; 1 for no values."""
    result = fmpz(1)
    for value in values:
        result = result.lcm(value.q)
    return result


def primitive(values: Sequence[fmpq]) -> tuple[fmpz, ...]:
    """The smallest integer vector on the same ray; the zero vector stays zero.

    >>> primitive((fmpq(1, 2), fmpq(-3, 4)))
    (2, -3)
    """
    denominator = common_denominator(values)
    integers = [v.p * (denominator // v.q) for v in values]
    divisor = fmpz(0)
    for integer in integers:
        divisor = divisor.gcd(integer)
    return tuple(i // divisor for i in integers) if divisor > 1 else tuple(integers)


def dot(left: Sequence[fmpq], right: Sequence[fmpq]) -> fmpq:
    """The scalar product of two vectors of one length."""
    return sum((a * b for a, b in zip(left, right, strict=True)), ZERO)


def square_root(value: fmpq, *, up: bool, bits: int = 30) -> fmpq:
    """√value to about ``bits`` significant bits, rounded up or down; 0 for 0."""
    if value == 0:
        return ZERO
    magnitude = value.p.bit_length() - value.q.bit_length()
    shift = max(0, bits - magnitude // 2)
    scale = fmpz(2) ** shift
    root = ((value.p * scale * scale) // value.q).isqrt()
    if up:
        root += 1
    return fmpq(root, scale)


def _at(where: str) -> str:
    return f"{where}: " if where else ""


def _shorten(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:30]}…{text[-5:]}")


def _kind(value: Any) -> str:
    return f"a value of type {type(value).__name__}"
