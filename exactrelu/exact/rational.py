"""The numbers that leave the library.

Inside, a number is FLINT's ``fmpq`` (:mod:`exactrelu.exact.scalar`): fast, but a stranger in
Python.  ``fmpq(1, 2) == 0.5`` is False, it has no order with floats and no format.  What users get
is a :class:`Rational`: it compares, computes, formats and converts like the ``Fraction`` of the
standard library, of Python 3.13 where they differ.

It derives from ``fmpq``, and not from ``Fraction``: so a result can be given back to the library,
or to FLINT, as it is; becoming one costs a tenth of a microsecond; and its arithmetic is FLINT's,
whose numbers may have any size.  :func:`outward` is the way out.  The way in is
:func:`exactrelu.exact.scalar.rational`, which makes plain ``fmpq`` of it again.
"""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, TypeVar, overload

from flint import fmpq, fmpz

from exactrelu.digits import DIGITS, MOST_DIGITS, MOST_SHOWN, decimal, show
from exactrelu.errors import InputError, ZeroDenominator, shortened
from exactrelu.exact import scalar
from exactrelu.exact.number_format import formatted

if TYPE_CHECKING:
    import sympy

#: What computes with a rational and gives one.
Exact: TypeAlias = int | fmpz | fmpq | Fraction
#: What is ordered with it.
Comparable: TypeAlias = Exact | float | Decimal

_Binary: TypeAlias = Callable[[Any, Any], Any]


class _Operator(Protocol):
    """An operator: exact with exact numbers, a float with a float."""

    @overload
    def __call__(self, other: Exact, /) -> Rational: ...
    @overload
    def __call__(self, other: float, /) -> float: ...
    @overload
    def __call__(self, other: complex, /) -> complex: ...


class _WholeOperator(Protocol):
    """An operator whose exact value is an integer."""

    @overload
    def __call__(self, other: Exact, /) -> int: ...
    @overload
    def __call__(self, other: float, /) -> float: ...


class _Equality(Protocol):
    """A comparison with anything."""

    def __call__(self, other: object, /) -> bool: ...


class _Order(Protocol):
    """A comparison with numbers."""

    def __call__(self, other: Comparable, /) -> bool: ...


class _Quotient(Protocol):
    """Quotient and remainder."""

    @overload
    def __call__(self, other: Exact, /) -> tuple[int, Rational]: ...
    @overload
    def __call__(self, other: float, /) -> tuple[float, float]: ...


def _forward(exact: _Binary, floating: _Binary) -> Any:
    """``x ∘ other``, by the rules of ``Fraction``."""

    def forward(x: Rational, other: Any) -> Any:
        found = exact(x, other)
        if found is not NotImplemented:
            # FLINT knows its own numbers and integers.
            return _made(found) if type(found) is fmpq else found
        if isinstance(other, Fraction):
            return outward(exact(x, fmpq(*other.as_integer_ratio())))
        if isinstance(other, float):
            return floating(float(x), other)
        return floating(complex(x), other) if isinstance(other, complex) else NotImplemented

    return forward


def _reverse(exact: _Binary, floating: _Binary) -> Any:
    """``other ∘ x``, by the rules of ``Fraction``."""

    def reverse(x: Rational, other: Any) -> Any:
        if isinstance(other, int | fmpq | fmpz):
            return outward(exact(fmpq(other), x))
        if isinstance(other, numbers.Rational):
            return outward(exact(fmpq(int(other.numerator), int(other.denominator)), x))
        if isinstance(other, numbers.Real):
            return floating(float(other), float(x))
        if isinstance(other, numbers.Complex):
            return floating(complex(other), complex(x))
        return NotImplemented

    return reverse


def _divided(x: fmpq, other: Any) -> tuple[int, Rational] | Any:
    """Quotient and remainder, which FLINT has for integers only."""
    quotient = fmpq.__truediv__(x, other)
    if quotient is NotImplemented:
        return NotImplemented
    whole = quotient.floor()
    return int(whole), _made(fmpq.__sub__(x, fmpq.__mul__(fmpq(other), whole)))


def _floor_divided(x: fmpq, other: Any) -> Any:
    found = _divided(x, other)
    return found if found is NotImplemented else found[0]


def _remainder(x: fmpq, other: Any) -> Any:
    found = _divided(x, other)
    return found if found is NotImplemented else found[1]


def _comparison(exact: _Binary, compare: _Binary) -> Any:
    """A comparison; floats are the numbers that they store."""

    def comparison(x: fmpq, other: Any) -> Any:
        found = exact(x, other)
        if found is not NotImplemented:
            return found
        if isinstance(other, numbers.Rational):
            return exact(x, fmpq(int(other.numerator), int(other.denominator)))
        if compare in (operator.eq, operator.ne) and isinstance(other, numbers.Complex):
            other = other.real if other.imag == 0 else other
        if not isinstance(other, numbers.Real) or not hasattr(other, "as_integer_ratio"):
            return NotImplemented
        try:
            return exact(x, fmpq(*map(int, other.as_integer_ratio())))
        except (OverflowError, ValueError):
            # Infinities and NaN compare with all numbers as they do with 0.
            return bool(compare(0.0, other))

    return comparison


class _Maker(type):
    """``Rational(…)`` takes whatever :func:`rational` takes."""

    def __call__(cls, value: Any = 0, denominator: Any = 1) -> Any:
        made, below = scalar.rational(value), scalar.rational(denominator)
        if below == 0:
            raise ZeroDenominator(f"found the denominator 0 of {show(made)}")
        return _made(made if below == 1 else made / below)


class Rational(fmpq, metaclass=_Maker):
    """An exact number that computes, compares and formats like :class:`fractions.Fraction`.

    ``str`` has all digits; ``repr`` shortens what is long.

    Parameters
    ----------
    value : int, float, str, Fraction or any exact number, optional
        What ``er.matrices.rational`` takes; the numerator, if there is a denominator.
    denominator : any exact number, optional
        What it is divided by.

    Examples
    --------
    >>> import exactrelu as er
    >>> x = er.Rational(2, 3)
    >>> x < 0.7, x == 2 / 3, x + 1, f"{x:.3f}"
    (True, False, 5/3, '0.667')
    """

    __slots__ = ()

    if TYPE_CHECKING:

        def __init__(self, value: Any = 0, denominator: Any = 1) -> None: ...

    # --- Conversions

    @property
    def numerator(self) -> int:  # type: ignore[override]
        """The numerator, in lowest terms."""
        return int(self.p)

    @property
    def denominator(self) -> int:  # type: ignore[override]
        """The denominator, in lowest terms and positive."""
        return int(self.q)

    @property
    def real(self) -> Rational:
        """The number itself."""
        return self

    @property
    def imag(self) -> int:
        """The number 0."""
        return 0

    def conjugate(self) -> Rational:
        """The number itself: it is real."""
        return self

    def as_integer_ratio(self) -> tuple[int, int]:
        """Numerator and denominator, in lowest terms."""
        return int(self.p), int(self.q)

    def is_integer(self) -> bool:
        """Whether the denominator is 1."""
        return bool(self.q == 1)

    def limit_denominator(self, max_denominator: int = 1_000_000) -> Rational:
        """The nearest number with at most this denominator."""
        fraction = Fraction(*self.as_integer_ratio())
        return rational(fraction.limit_denominator(max_denominator))

    def __int__(self) -> int:
        return int(self.p) // int(self.q) if self.p >= 0 else -(-int(self.p) // int(self.q))

    __trunc__ = __int__  # type: ignore[assignment]

    def __float__(self) -> float:
        # The quotient of two ints is rounded once, however large they are.
        return int(self.p) / int(self.q)

    def __complex__(self) -> complex:
        return complex(float(self))

    def __floor__(self) -> int:  # type: ignore[override]
        return int(self.floor())

    def __ceil__(self) -> int:  # type: ignore[override]
        return int(self.ceil())

    @overload  # type: ignore[override]
    def __round__(self, ndigits: None = None) -> int: ...
    @overload
    def __round__(self, ndigits: int) -> Rational: ...

    def __round__(self, ndigits: int | None = None) -> int | Rational:
        rounded = round(Fraction(*self.as_integer_ratio()), ndigits)
        return rounded if isinstance(rounded, int) else Rational(rounded)

    def __reduce__(self) -> tuple[Any, ...]:
        return Rational, self.as_integer_ratio()

    def __copy__(self) -> Rational:
        return self

    def __deepcopy__(self, memo: object) -> Rational:
        return self

    def _sympy_(self) -> sympy.Rational:
        import sympy

        return sympy.Rational(*self.as_integer_ratio())

    # --- Texts

    @property
    def exact(self) -> str:
        """The full text ``p/q``, of any length."""
        return str(self)

    def decimal(self, digits: int = DIGITS) -> str:
        """The nearest decimal of so many significant digits; fewer, if those are exact."""
        if not 1 <= digits <= MOST_SHOWN:
            expected = f"expected a number from 1 to {MOST_SHOWN:,}"
            raise InputError(f"digits: found {shortened(digits)}, {expected}")
        return decimal(self, digits)

    def __format__(self, spec: str) -> str:
        return formatted(self, spec)

    def __repr__(self) -> str:
        text = str(self)
        n_digits = len(text) - (self < 0) - (self.q != 1)
        return text if n_digits <= MOST_DIGITS else show(self)

    # --- Comparisons; the hash is that of Fraction and int already

    __hash__ = fmpq.__hash__
    __eq__: ClassVar[_Equality] = _comparison(fmpq.__eq__, operator.eq)
    __ne__: ClassVar[_Equality] = _comparison(fmpq.__ne__, operator.ne)
    __lt__: ClassVar[_Order] = _comparison(fmpq.__lt__, operator.lt)
    __le__: ClassVar[_Order] = _comparison(fmpq.__le__, operator.le)
    __gt__: ClassVar[_Order] = _comparison(fmpq.__gt__, operator.gt)
    __ge__: ClassVar[_Order] = _comparison(fmpq.__ge__, operator.ge)

    # --- Arithmetic

    __add__: ClassVar[_Operator] = _forward(fmpq.__add__, operator.add)
    __radd__: ClassVar[_Operator] = _reverse(fmpq.__add__, operator.add)
    __sub__: ClassVar[_Operator] = _forward(fmpq.__sub__, operator.sub)
    __rsub__: ClassVar[_Operator] = _reverse(fmpq.__sub__, operator.sub)
    __mul__: ClassVar[_Operator] = _forward(fmpq.__mul__, operator.mul)
    __rmul__: ClassVar[_Operator] = _reverse(fmpq.__mul__, operator.mul)
    __truediv__: ClassVar[_Operator] = _forward(fmpq.__truediv__, operator.truediv)
    __rtruediv__: ClassVar[_Operator] = _reverse(fmpq.__truediv__, operator.truediv)
    __floordiv__: ClassVar[_WholeOperator] = _forward(_floor_divided, operator.floordiv)  # type: ignore[assignment]
    __rfloordiv__: ClassVar[_WholeOperator] = _reverse(_floor_divided, operator.floordiv)  # type: ignore[assignment]
    __mod__: ClassVar[_Operator] = _forward(_remainder, operator.mod)
    __rmod__: ClassVar[_Operator] = _reverse(_remainder, operator.mod)
    __divmod__: ClassVar[_Quotient] = _forward(_divided, divmod)  # type: ignore[assignment]
    __rdivmod__: ClassVar[_Quotient] = _reverse(_divided, divmod)  # type: ignore[assignment]

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, numbers.Rational | fmpz | fmpq):
            power = scalar.rational(other)
            if power.q == 1:
                return _made(fmpq.__pow__(self, power.p))
            # The root of a rational is rarely one.
            return float(self) ** float(Rational(power))
        return float(self) ** other if isinstance(other, float | complex) else NotImplemented

    def __rpow__(self, other: Any) -> Any:
        if self.q == 1 and self.p >= 0:
            return other ** int(self.p)
        if isinstance(other, numbers.Rational | fmpz | fmpq):
            return Rational(other) ** self
        return other ** int(self.p) if self.q == 1 else other ** float(self)

    def __neg__(self) -> Rational:
        return _made(fmpq.__neg__(self))

    def __pos__(self) -> Rational:
        return self

    def __abs__(self) -> Rational:
        return _made(fmpq.__abs__(self))


numbers.Rational.register(Rational)

#: A rational of an ``fmpq``, as fast as FLINT makes one.
_made: Callable[[fmpq | fmpz], Rational] = partial(type.__call__, Rational)

Point: TypeAlias = tuple[Rational, ...]
T = TypeVar("T")


@overload
def outward(value: fmpq | fmpz) -> Rational: ...
@overload
def outward(value: tuple[fmpq, ...] | tuple[fmpz, ...]) -> Point: ...
@overload
def outward(value: T) -> T: ...


def outward(value: Any) -> Any:
    """The value as users get it: FLINT's numbers become rationals, in tuples, lists and dicts too.

    >>> outward((fmpq(1, 2), [fmpz(3)], {"a": fmpq(1)}))[0] == 0.5
    True
    """
    kind = type(value)
    if kind is fmpq:
        return _made(value)
    if kind is tuple:
        return tuple([_made(v) if type(v) is fmpq else outward(v) for v in value])
    if kind is list:
        return [outward(v) for v in value]
    if kind is dict:
        return {outward(key): outward(v) for key, v in value.items()}
    return _made(value) if kind is fmpz else value


class Outward:
    """A dataclass whose fields hold the numbers that users get, from the moment that it is made.

    Where a value is made in great numbers, or computed with, the field is FLINT's instead: it is
    called ``flint_x``, and a property ``x`` is what users see.
    """

    def __post_init__(self) -> None:
        # The dictionary, since the dataclass is frozen.
        vars(self).update({name: outward(value) for name, value in vars(self).items()})


def rational(value: Any, where: str = "") -> Rational:
    """Any exact number as a rational: the one gate through which numbers come in.

    Parameters
    ----------
    value : int, float, str, Fraction or any exact number
        ``"1/3"``, ``"0.1"`` (the decimal), ``0.1`` (the dyadic rational that the float stores).
    where : str, optional
        What an error calls the place of the number.

    Returns
    -------
    Rational
        The same number, exactly.

    Raises
    ------
    InputError
        For what is no finite number.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.matrices.rational("1/3"), er.matrices.rational(0.5), er.matrices.rational("0.1")
    (1/3, 1/2, 1/10)
    >>> er.matrices.rational(0.1) == er.matrices.rational("0.1")
    False
    >>> er.rational("1/2") == 0.5, er.rational("0.1") < 0.1, f"{er.rational('2/3'):.3f}"
    (True, True, '0.667')
    """
    return _made(scalar.rational(value, where))


def vector(values: Iterable[Any], where: str = "") -> Point:
    """Numbers as a tuple of rationals, each of them exactly.

    Parameters
    ----------
    values : iterable, array or tensor of numbers
        Floats are the dyadic rationals that they store.
    where : str, optional
        What an error calls the place of the numbers.

    Returns
    -------
    tuple of rationals
        As many as were given.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.matrices.vector([1, "1/2", 0.25])
    (1, 1/2, 1/4)
    """
    return tuple(map(_made, scalar.vector(values, where)))
