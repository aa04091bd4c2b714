"""Domains as text and as files: the rows that are meant.

``R`` is all of space, ``orthant`` x ≥ 0, ``box:a,b`` a ≤ x_i ≤ b for every i,
``box:a1..b1,a2..b2,…`` the same as ``box:a1,b1;a2,b2;…``, whose semicolons a shell takes for its
own.  Anything else is the name of a JSON file
``{"format": "exactrelu-polyhedron/1", "inequalities": [{"normal": […], "offset": …}]}``
whose inequalities mean normal·x + offset ≥ 0; ``equations`` of the same form are optional and mean
= 0, and ``"strict": true`` in an inequality means > 0.
"""

from __future__ import annotations

import os
from typing import Any, Unpack

from exactrelu.bounded import bounded
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError, one_line
from exactrelu.exact.scalar import parse_vector, vector
from exactrelu.exact.system import BYTES, LinearSystem, Row, Sense
from exactrelu.exact.text import (
    as_list,
    as_number,
    as_vector,
    read_strict,
    require_format,
    require_keys,
)
from exactrelu.files import PathLike, errors_in, kind_named

FORMAT = "exactrelu-polyhedron/1"


_BOXES = "box:a..b, box:a1..b1,a2..b2,… or box:a1,b1;a2,b2;…"


@bounded
def parse_domain(
    effort: Effort, /, text: str, dimension: int, **limits: Unpack[Limits]
) -> LinearSystem:
    """The rows of a domain that is given as text.

    Parameters
    ----------
    text : str
        ``"R"``, ``"orthant"``, ``"box:-1..1"`` (each coordinate), ``"box:-1..1,0..2"``, or the name
        of a JSON file.
    dimension : int
        The number of coordinates.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    LinearSystem
        Its rows; the set may be empty.  :meth:`Domain.of` refuses that.

    Raises
    ------
    InputError
        If the text is none of these.

    Examples
    --------
    >>> import exactrelu as er
    >>> len(er.polyhedra.parse_domain("box:-1..1", 2).rows)
    4
    >>> square = er.polyhedra.LinearSystem.box([(-1, 1), (0, 2)])
    >>> er.polyhedra.parse_domain("box:-1..1,0..2", 2) == square
    True
    """
    if dimension < 0:
        raise InputError(f"dimension: found {dimension}, expected 0 or more")
    n_numbers = dimension if text == "R" else dimension**2
    effort.need(BYTES * n_numbers, "a domain of so many coordinates")
    if text == "R":
        return LinearSystem(dimension)
    if text == "orthant":
        return LinearSystem.orthant(dimension)
    if kind := kind_named(text):
        if kind == "box":
            return _box(text, dimension)
        raise InputError(
            f"{one_line(text)}: found {kind!r}, expected R, orthant, {_BOXES} or a file"
        )
    if not os.path.exists(text):
        raise InputError(f"{one_line(text)}: no such file, and none of R, orthant, {_BOXES}")
    system = load_polyhedron(text, effort=effort)
    if system.dimension != dimension:
        raise InputError(
            f"{one_line(text)}: a polyhedron in {system.dimension} variables, expected {dimension}"
        )
    return system


def _box(text: str, dimension: int) -> LinearSystem:
    _, _, sides = text.partition(":")
    if ".." in sides:
        # Of 0...5 nobody knows where the first number ends.
        parts = [] if "..." in sides else [side.split("..") for side in sides.split(",")]
        intervals = [vector((end.strip() for end in part), text) for part in parts]
    else:
        intervals = [parse_vector(side, text) for side in sides.split(";")]
    if not intervals or any(len(interval) != 2 for interval in intervals):
        raise InputError(f"{text}: expected {_BOXES}")
    if len(intervals) == 1:
        intervals *= dimension
    if len(intervals) != dimension:
        raise InputError(f"{text}: found {len(intervals)} intervals, expected {dimension}")
    return LinearSystem.box((lower, upper) for lower, upper in intervals)


@bounded
def load_polyhedron(effort: Effort, /, path: PathLike, **limits: Unpack[Limits]) -> LinearSystem:
    """The polyhedron in a JSON file.

    Parameters
    ----------
    path : str or path
        A file ``{"format": "exactrelu-polyhedron/1", "inequalities": [{"normal": […], "offset":
        …}]}``, each meaning normal·x + offset ≥ 0; ``"strict": true`` makes it > 0, and
        ``"equations"`` mean = 0.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    LinearSystem
        Its rows; the set may be empty.

    Raises
    ------
    InputError
        If the file is not of this form.

    Examples
    --------
    >>> import exactrelu as er
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = '''{"format": "exactrelu-polyhedron/1",
    ...            "inequalities": [{"normal": [1, 1], "offset": "-1/2"}]}'''
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "half-plane.json"
    ...     _ = path.write_text(text)
    ...     half = er.polyhedra.load_polyhedron(path)
    >>> half.contains(er.matrices.vector([1, 0])), half.contains(er.matrices.vector([0, 0]))
    (True, False)
    """
    value = read_strict(path, effort)
    with errors_in(path):
        require_keys(value, "", required=("format", "inequalities"), optional=("equations",))
        require_format(value["format"], FORMAT)
        rows = [
            *_rows(value["inequalities"], "inequalities", Sense.AT_LEAST),
            *_rows(value.get("equations", []), "equations", Sense.EQUAL),
        ]
        if not rows:
            raise InputError("no rows: the dimension of the polyhedron is unknown")
        return LinearSystem(len(rows[0].flint_normal), tuple(rows))


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
