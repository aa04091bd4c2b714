"""JSON of exact numbers: strict, and with errors that name the place.

Numbers are strings (``"3"``, ``"-3/4"``, ``"0.125"``: that decimal exactly) or JSON
integers, of any length.  A JSON float is refused: whether ``0.1`` is the decimal or
the double is for the author to say.  Duplicate and unknown keys are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.scalar import Vector, parse_rational, rational, to_text


@dataclass(frozen=True)
class NotExact:
    """A JSON float or constant as it stands in the text, kept until its place is known."""

    text: str


def parse_strict(text: str) -> Any:
    """JSON with exact integers; floats wait as :class:`NotExact` for their place."""
    try:
        return json.loads(
            text,
            parse_int=parse_rational,
            parse_float=NotExact,
            parse_constant=NotExact,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}"
        ) from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"the key {twice!r} appears twice in one object")
    return result


def require_keys(
    value: Any, where: str, required: Iterable[str], optional: Iterable[str] = ()
) -> None:
    """An object with all required keys and no others than those and the optional ones."""
    at = f"{where}: " if where else ""
    if not isinstance(value, dict):
        raise InputError(f"{at}found {shown(value)}, expected an object")
    for key in required:
        if key not in value:
            raise InputError(f"{at}the key {key!r} is missing")
    known = {*required, *optional}
    for key in value:
        if key not in known:
            raise InputError(f"{at}unknown key {key!r}, expected {', '.join(sorted(known))}")


def require_format(value: Any, expected: str) -> None:
    """The ``format`` of a file is exactly the expected one."""
    if value != expected:
        raise InputError(f"format: found {shown(value)}, expected {expected!r}")


def as_list(value: Any, where: str, of: str) -> list[Any]:
    """The value, which must be a list."""
    if not isinstance(value, list):
        raise InputError(f"{where}: found {shown(value)}, expected a list of {of}")
    return value


def as_string(value: Any, where: str) -> str:
    """The value, which must be a string."""
    if not isinstance(value, str):
        raise InputError(f"{where}: found {shown(value)}, expected a string")
    return value


def as_vector(value: Any, where: str) -> Vector:
    """A list of exact numbers."""
    entries = as_list(value, where, "numbers")
    return tuple(as_number(entry, f"{where}[{i}]") for i, entry in enumerate(entries))


def as_rows(value: Any, where: str) -> list[Vector]:
    """A list of lists of exact numbers."""
    rows = as_list(value, where, "rows")
    return [as_vector(row, f"{where}[{i}]") for i, row in enumerate(rows)]


def as_number(value: Any, where: str) -> fmpq:
    """An exact number: a JSON integer, or a string."""
    if isinstance(value, fmpq):
        return value
    if isinstance(value, NotExact):
        if value.text in ("NaN", "Infinity", "-Infinity"):
            raise InputError(f"{where}: found {value.text}, expected a finite number")
        raise InputError(
            f"{where}: found the JSON float {value.text[:40]}, expected a string or an integer "
            f'(is it the decimal or the double? write "{value.text[:40]}" for the decimal, '
            "a fraction for the double)"
        )
    if not isinstance(value, str):
        raise InputError(f"{where}: found {shown(value)}, expected a number as a string")
    return rational(value, where)


def shown(value: Any) -> str:
    """A value of a file in a few words."""
    if isinstance(value, str):
        return f"the string {value[:40]!r}"
    if isinstance(value, fmpq):
        return f"the number {to_text(value)[:40]}"
    if isinstance(value, NotExact):
        return f"the number {value.text[:40]}"
    if isinstance(value, bool):
        return f"the truth value {str(value).lower()}"
    kinds: dict[type, str] = {list: "a list", dict: "an object", type(None): "null"}
    return kinds.get(type(value), "something else")
