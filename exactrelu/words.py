"""Numbers in sentences and lists, for people.

:class:`Words` says numbers, in one of two ways: a decimal beside or instead of what is long, as
:mod:`exactrelu.digits` has them, or all digits (``--exact``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from exactrelu.digits import (
    Near,
    above,
    apart,
    below,
    between,
    is_short,
    say,
    show,
    show_number,
    show_point,
    whole,
)

if TYPE_CHECKING:
    from typing import TypeAlias

    from flint import fmpq, fmpz

    _Number: TypeAlias = int | fmpq | fmpz


class Affine(Protocol):
    """An affine map, as far as it is known here: a matrix by rows, and an offset."""

    @property
    def matrix(self) -> Any: ...

    @property
    def offset(self) -> Any: ...


@dataclass(frozen=True)
class Words:
    """How numbers are said: exactly and as decimals, or with all their digits and nothing else.

    ``known`` has the decimals of a list, which are told apart; of none if it is empty.  ``where``
    says in a sentence where it was asked, as in ``" on box:0..1"``; ``lists`` whether what is long
    is said too.
    """

    has_all_digits: bool = False
    known: Mapping[_Number, Near] = field(default_factory=dict)
    where: str = ""
    lists: bool = False

    def of_list(self, values: Iterable[fmpq]) -> Words:
        """The words for a list or a page with these numbers, of which no two look the same."""
        if self.has_all_digits:
            return self
        # A coefficient stands behind its sign.
        different = list(dict.fromkeys(v for q in values for v in (q, abs(q))))
        return replace(self, known=dict(zip(different, apart(different), strict=True)))

    def number(self, value: fmpq | fmpz) -> str:
        """``1/3 ≈ 0.3333``."""
        if self.has_all_digits:
            return whole(value)
        return show_number(value, self.known[value]) if self.known else show(value)

    def point(self, values: Sequence[fmpq]) -> str:
        """``(1/3, -2/7) ≈ (0.3333, -0.2857)``."""
        if self.has_all_digits:
            return f"({', '.join(map(whole, values))})"
        return show_point(values, [self.known[v] for v in values]) if self.known else show(values)

    def equation(self, name: str, values: Sequence[fmpq]) -> str:
        """``x = (1/3, -2/7) ≈ (0.3333, -0.2857)``, and a single number without brackets."""
        return equals(name, self.number(values[0]) if len(values) == 1 else self.point(values))

    def said(self, values: _Number | Sequence[_Number]) -> str:
        """A number or a point in a sentence, or in a matrix: exact where it is short."""
        text = say(values)
        is_better = self.has_all_digits or (self.known and "≈" in text)
        return self.listed(values) if is_better else text

    def bounds(self, lower: fmpq, name: str, upper: fmpq) -> str:
        """``0.3535 ≤ c ≤ 0.3536``."""
        if self.has_all_digits:
            return f"{whole(lower)} ≤ {name} ≤ {whole(upper)}"
        return between(lower, name, upper)

    def at_least(self, value: fmpq) -> str:
        """A lower bound."""
        return whole(value) if self.has_all_digits else below(value)

    def at_most(self, value: fmpq) -> str:
        """An upper bound."""
        return whole(value) if self.has_all_digits else above(value)

    def listed(self, values: _Number | Sequence[_Number]) -> str:
        """A number or a point of a list: ``≈ (0.3333, -0.2857)``, without ≈ where it is exact."""
        several = values if isinstance(values, Sequence) else (values,)
        near = self._near(several)
        texts = map(whole, several) if self.has_all_digits else (one.text for one in near)
        text = ", ".join(texts)
        text = f"({text})" if isinstance(values, Sequence) else text
        is_exact = self.has_all_digits or all(one.is_exact for one in near)
        return text if is_exact else f"≈ {text}"

    def vectors(self, name: str, rows: Iterable[Sequence[_Number]]) -> list[str]:
        """One line for each vector, the first with a name in front."""
        lines = [self.said(row) for row in rows]
        return [f"{name if i == 0 else ' ' * len(name)} {line}" for i, line in enumerate(lines)]

    def affine_map(self, f: Affine) -> list[str]:
        """One line ``y1 = 2 x1 - 4 x2 - 1`` for each output."""
        rows = zip(f.matrix.rows(), f.offset, strict=True)
        words = self if self.known else self.of_list(coefficients(f))
        return [words.affine_form(f"y{i}", row, c) for i, (row, c) in enumerate(rows, 1)]

    def affine_form(self, name: str, row: Sequence[fmpq], constant: fmpq) -> str:
        """``y1 = 2 x1 - 4 x2 - 1``, or decimals where a coefficient is long."""
        return equals(name, self.linear_form(row, constant))

    def linear_form(self, row: Sequence[fmpq], constant: fmpq) -> str:
        """``2 x1 - 4 x2 - 1``."""
        terms = [(a, f" x{j}") for j, a in enumerate(row, 1) if a != 0]
        if constant != 0 or not terms:
            terms.append((constant, ""))
        sizes = [abs(coefficient) for coefficient, _ in terms]
        is_whole = self.has_all_digits or all(map(is_short, sizes))
        near = self._near(sizes)
        text = ""
        for size, one, (coefficient, name) in zip(sizes, near, terms, strict=True):
            number = whole(size) if is_whole else one.text
            number = f"({number})" if " " in number else number
            term = name.strip() if name and size == 1 else number + name
            lead = "-" if coefficient < 0 else ""
            text += f" {lead or '+'} {term}" if text else lead + term
        return text if is_whole or all(one.is_exact for one in near) else f"≈ {text}"

    def _near(self, values: Sequence[_Number]) -> list[Near]:
        """The decimals of a list, or those that tell these numbers apart."""
        return [self.known[v] for v in values] if self.known else apart(values)


#: As people read numbers, and with all their digits.
PEOPLE, EXACT = Words(), Words(has_all_digits=True)


def equals(name: str, text: str) -> str:
    """``x = 1/2``, or ``x ≈ 0.3333``."""
    return f"{name} {text}" if text.startswith("≈") else f"{name} = {text}"


def coefficients(f: Affine) -> Iterator[fmpq]:
    """All numbers of an affine map."""
    for row in f.matrix.rows():
        yield from row
    yield from f.offset


def count(n: int, noun: str) -> str:
    """``1 region``, ``2 regions``."""
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def figure(n: int) -> str:
    """A number, or its size where it has too many digits to be read.

    >>> figure(1234567), figure(3**100)
    ('1,234,567', 'about 2^158')
    """
    return f"{n:,}" if n < 10**15 else f"about 2^{n.bit_length() - 1}"
