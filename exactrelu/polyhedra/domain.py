"""Domains: the sets of inputs that questions are asked on.

``R`` (all of space), ``orthant`` (x ≥ 0), ``box:a,b`` (a ≤ x_i ≤ b for every i),
``box:a1,b1;a2,b2;…``, or a JSON file
``{"format": "exactrelu-polyhedron/1", "inequalities": [{"normal": […], "offset": …}]}``
whose inequalities mean normal·x + offset ≥ 0; ``equations`` of the same form are
optional and mean = 0, and ``"strict": true`` in an inequality means > 0.
"""

from __future__ import annotations

from typing import Any

from exactrelu.errors import InputError
from exactrelu.exact.scalar import vector
from exactrelu.exact.strict_json import (
    as_list,
    as_number,
    as_vector,
    parse_strict,
    require_format,
    require_keys,
)
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.files import PathLike, errors_in, read_text

FORMAT = "exactrelu-polyhedron/1"


def parse_domain(text: str, dimension: int) -> LinearSystem:
    """The domain that ``text`` names, in R^dimension.

    >>> len(parse_domain("box:-1,1", 2).rows), parse_domain("R", 3).rows
    (4, ())
    """
    if text == "R":
        return LinearSystem(dimension)
    if text == "orthant":
        return LinearSystem.orthant(dimension)
    if text.startswith("box:"):
        return _box(text, dimension)
    system = load_polyhedron(text)
    if system.dimension != dimension:
        raise InputError(
            f"{text}: a polyhedron in {system.dimension} variables, expected {dimension}"
        )
    return system


def _box(text: str, dimension: int) -> LinearSystem:
    parts = text.removeprefix("box:").split(";")
    intervals = [vector(part.split(","), text) for part in parts]
    if any(len(interval) != 2 for interval in intervals):
        raise InputError(f"{text}: expected box:a,b or box:a1,b1;a2,b2;…")
    if len(intervals) == 1:
        intervals *= dimension
    if len(intervals) != dimension:
        raise InputError(f"{text}: found {len(intervals)} intervals, expected {dimension}")
    return LinearSystem.box((lower, upper) for lower, upper in intervals)


def load_polyhedron(path: PathLike) -> LinearSystem:
    """The polyhedron in a JSON file."""
    text = read_text(path)
    with errors_in(path):
        value = parse_strict(text)
        require_keys(value, "", required=("format", "inequalities"), optional=("equations",))
        require_format(value["format"], FORMAT)
        rows = [
            *_rows(value["inequalities"], "inequalities", Sense.AT_LEAST),
            *_rows(value.get("equations", []), "equations", Sense.EQUAL),
        ]
        if not rows:
            raise InputError("no rows: the dimension of the polyhedron is unknown")
        return LinearSystem(len(rows[0].normal), tuple(rows))


def _rows(value: Any, where: str, sense: Sense) -> list[Row]:
    rows = []
    for i, item in enumerate(as_list(value, where, "rows")):
        place = f"{where}[{i}]"
        optional = ("strict",) if sense is Sense.AT_LEAST else ()
        require_keys(item, place, required=("normal", "offset"), optional=optional)
        strict = item.get("strict", False)
        if not isinstance(strict, bool):
            raise InputError(f"{place}.strict: expected true or false")
        normal = as_vector(item["normal"], f"{place}.normal")
        offset = as_number(item["offset"], f"{place}.offset")
        rows.append(Row(normal, offset, Sense.GREATER if strict else sense))
    return rows
