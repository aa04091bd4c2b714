"""How values show themselves: a line for ``repr``, a few for ``print``, a table in a notebook.

A result may hold a million numbers, and none of them is written only to be cut off again.  A class
that derives from :class:`Shown` says its *headline* and its *facts*, pairs of a name and a text;
without them it is shown like any dataclass, by its fields.  For programs there is JSON, with all
digits (:func:`plain`).

>>> brief(tuple(range(1000)), 30)
'(0, 1, 2, 3, 4, … 995 more)'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from html import escape
from itertools import islice
from typing import Any

from exactrelu.digits import decimals, is_short, say

#: The most characters of a line, and the most lines.
WIDTH, LINES = 100, 8

#: How lists and tuples show themselves that are nothing more.
_SEQUENCES = (tuple.__repr__, list.__repr__)


def clipped(text: str, width: int = WIDTH) -> str:
    """The text in one line of at most so many characters; ``…`` where some are missing.

    >>> clipped("a long\\n  sentence", 8)
    'a long …'
    """
    # A line has at most so many words: the rest need not be looked at.
    line = " ".join(text[: 4 * width].split())
    return line if len(line) <= width and len(text) <= 4 * width else f"{line[: width - 1]}…"


def brief(value: object, width: int = WIDTH) -> str:
    """About so many characters of the ``repr`` of a value, which is not written as a whole.

    Numbers are written as in a sentence; many numbers, if some are long, as decimals.

    >>> from fractions import Fraction
    >>> brief((Fraction(1, 3), 2)), brief([(Fraction(1, 3**30), 2), (0, 1)])
    ('(1/3, 2)', '≈ [(4.857e-15, 2), (0, 1)]')
    """
    if _is_number(value):
        return say(value)
    if _is_sequence(value):
        leaves = list(islice(_leaves(value), width))
        if all(map(_is_number, leaves)) and not all(map(is_short, leaves)):
            return f"≈ {_brief(value, width - 2, dict(zip(leaves, decimals(leaves), strict=True)))}"
    return _brief(value, width, {})


def _is_number(value: object) -> bool:
    """Whether it is an exact number, and nothing more, such as a truth value or a name."""
    has_own_text = isinstance(value, bool | Enum) or hasattr(value, "_plain")
    return hasattr(value, "numerator") and not has_own_text


def _is_sequence(value: object) -> bool:
    """Whether it is a list or a tuple, and shown as one."""
    return isinstance(value, tuple | list) and type(value).__repr__ in _SEQUENCES


def _leaves(value: Any) -> Iterator[Any]:
    for entry in value:
        if _is_sequence(entry):
            yield from _leaves(entry)
        else:
            yield entry


def _brief(value: Any, width: int, known: Mapping[Any, str]) -> str:
    """The same, with the decimals of numbers."""
    if known and _is_number(value):
        return known.get(value, "…")
    if _is_sequence(value):
        left, right = "()" if isinstance(value, tuple) else "[]"
        comma = "," if isinstance(value, tuple) and len(value) == 1 else ""
        return f"{left}{_listed(value, width - 2, known=known)}{comma}{right}"
    if isinstance(value, frozenset | set):
        return f"{{{_listed(list(islice(value, width)), width - 2, len(value))}}}"
    if isinstance(value, Mapping):
        # Keys alone: values are what is long.
        return f"{{{_listed(list(islice(value, width)), width - 2, len(value))}}}"
    if is_dataclass(value) and not isinstance(value, Shown | type):
        return clipped(f"{type(value).__name__}({_of_fields(value, width)})", width)
    return say(value) if _is_number(value) else clipped(repr(value), width)


def _listed(
    values: Sequence[object],
    width: int,
    n_values: int | None = None,
    known: Mapping[Any, str] | None = None,
) -> str:
    n_values = len(values) if n_values is None else n_values
    parts: list[str] = []
    used = 0
    for value in values:
        part = _brief(value, width, known) if known else brief(value, width)
        used += len(part) + 2
        is_last = len(parts) + 1 == n_values
        if parts and used > width - (0 if is_last else len(f"… {n_values:,} more")):
            break
        parts.append(part)
    more = [f"… {n_values - len(parts):,} more"] if len(parts) < n_values else []
    return ", ".join([*parts, *more])


def _of_fields(value: Any, width: int) -> str:
    """``name=value`` of the fields that a dataclass shows, as many as there is room for."""
    parts: list[str] = []
    used = 0
    for field in fields(value):
        if field.repr and used <= width:
            name = _public(field.name)
            parts.append(assigned(name, getattr(value, name), width))
            used += len(parts[-1]) + 2
    return ", ".join(parts)


def _public(name: str) -> str:
    """What users call a field that holds numbers of FLINT."""
    return name.removeprefix("flint_")


def assigned(name: str, value: object, width: int = WIDTH) -> str:
    """``x=(1/2, 1)``, or ``x ≈ (0.3333, 1)``."""
    text = brief(value, width)
    return f"{name} {text}" if text.startswith("≈") else f"{name}={text}"


class Shown:
    """A value with a headline, and facts below it."""

    def _headline(self) -> str:
        """One line, which is cut where it is too long."""
        return f"{type(self).__name__}({_of_fields(self, WIDTH)})"

    def _facts(self) -> Iterable[tuple[str, object]]:
        """What else is to be said, by name; texts as they are, other values in brief."""
        return ()

    def _texts(self) -> list[tuple[str, str]]:
        """The facts as texts, as many as there are lines for them."""
        facts = islice(self._facts(), LINES)
        texts = [(name, fact if isinstance(fact, str) else brief(fact)) for name, fact in facts]
        return texts if len(texts) < LINES else [*texts[: LINES - 2], ("…", "")]

    def __repr__(self) -> str:
        return clipped(self._headline())

    def __str__(self) -> str:
        rows = self._texts()
        width = max((len(name) for name, _ in rows), default=0)
        room = WIDTH - width - 4
        lines = (f"  {name:<{width}}  {clipped(text, room)}".rstrip() for name, text in rows)
        return "\n".join([repr(self), *lines])

    def _repr_html_(self) -> str:
        # Front ends put text to the right, and break a caption at the width of its table.
        left = 'style="text-align: left; white-space: nowrap"'
        cells = (
            f"<tr><td {left}>{escape(name)}</td><td {left}>{escape(clipped(text))}</td></tr>"
            for name, text in self._texts()
        )
        return f"<table><caption {left}>{escape(repr(self))}</caption>{''.join(cells)}</table>"

    def _plain(self) -> Any:
        """What JSON has of it: its fields."""
        names = (_public(f.name) for f in fields(self) if f.repr)  # type: ignore[arg-type]
        return {name: getattr(self, name) for name in names}


def plain(value: Any) -> Any:
    """What JSON has of a value: an exact number as a string, a network as its file has it.

    A function stands for what it returns, and is called here.
    """
    if hasattr(value, "_plain"):
        return plain(value._plain())
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {name: plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if is_dataclass(value):
        names = (_public(f.name) for f in fields(value) if f.repr)
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Enum):
        return value.value
    if callable(value):
        return plain(value())
    from flint import fmpq, fmpz

    if isinstance(value, fmpq | fmpz):
        return str(value)
    raise TypeError(f"{type(value).__name__}: no exact value")
