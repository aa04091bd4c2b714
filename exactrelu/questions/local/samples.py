"""Files of sample points, with or without labels.

``.csv``: a point a line, numbers separated by commas;
decimals and fractions are taken exactly, and a first line that is no number is a header.
``.json``: a list of rows of exact numbers.  ``.npy``: a two-dimensional array, floats being the
dyadics that they store.  ``.npz``: such an array ``points`` and, if there are any, ``labels``.  A
column more than the network has inputs is the label: an integer from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np
from flint import fmpq

from exactrelu.bounded import bounded
from exactrelu.display import Shown
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector, parse_rational, to_text, vector
from exactrelu.exact.text import as_list, as_number, as_vector, parse_strict
from exactrelu.files import PathLike, errors_in, named, read_bytes, read_text, unpacked_name, unzip
from exactrelu.network.formats.arrays import BYTES_OF_NUMBER, npy_array


@dataclass(frozen=True, repr=False)
class Samples(Outward, Shown):
    """Points, and their labels if they are known."""

    points: tuple[Vector, ...]
    labels: tuple[int, ...] | None = None


@bounded
def load_points(
    effort: Effort,
    /,
    path: PathLike,
    n_inputs: int,
    *,
    labels: PathLike | None = None,
    **limits: Unpack[Limits],
) -> Samples:
    r"""The points of a file, and their labels if it has any.

    Parameters
    ----------
    path : str or path
        ``.csv``, ``.json``, ``.npy`` or ``.npz``; a column more than there are inputs is the label.
    n_inputs : int
        How many coordinates a point has.
    labels : str or path, optional
        A file of labels.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Samples
        ``points`` and ``labels``, None if there are none.

    Raises
    ------
    InputError
        If a row is not a point of that many coordinates.

    Examples
    --------
    >>> import exactrelu as er
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "points.csv"
    ...     _ = path.write_text("x,y,label\n0,1/2,1\n1,0.25,0\n")
    ...     found = er.load_points(path, 2)
    >>> found.points, found.labels
    (((0, 1/2), (1, 1/4)), (1, 0))
    """
    tables = _tables(path, effort)
    found: Sequence[fmpq] | None = None
    with errors_in(path):
        rows = tables["points"]
        if not rows:
            raise InputError("found no points, expected at least one")
        if "labels" in tables:
            found = _column(tables["labels"])
        elif all(len(row) == n_inputs + 1 for row in rows):
            found = [row[-1] for row in rows]
            rows = [row[:-1] for row in rows]
        for k, row in enumerate(rows, 1):
            if len(row) != n_inputs:
                raise InputError(
                    f"point {k} has {len(row)} coordinates, expected {n_inputs} "
                    f"(or {n_inputs + 1} in every row, the last the label)"
                )
        if labels is not None and found is not None:
            raise InputError("found labels with the points, and a file of labels beside it")
        checked = None if found is None else _labels(found, len(rows))
    if labels is not None:
        column = _tables(labels, effort)["points"]
        with errors_in(labels):
            checked = _labels(_column(column), len(rows))
    return Samples(tuple(rows), checked)


def _column(rows: Sequence[Vector]) -> list[fmpq]:
    """One number a row, or all of them in one row."""
    if len(rows) == 1:
        return list(rows[0])
    for k, row in enumerate(rows, 1):
        if len(row) != 1:
            raise InputError(f"row {k} has {len(row)} numbers, expected one label")
    return [row[0] for row in rows]


def _labels(values: Sequence[fmpq], n_points: int) -> tuple[int, ...]:
    if len(values) != n_points:
        raise InputError(f"found {len(values)} labels, expected {n_points}, one for each point")
    for k, value in enumerate(values, 1):
        if value.q != 1 or value < 0 or value > 2**31:
            raise InputError(
                f"label {k}: found {to_text(value)[:40]}, expected a small integer from 0"
            )
    return tuple(int(value.p) for value in values)


def _tables(path: PathLike, effort: Effort) -> dict[str, list[Vector]]:
    name = unpacked_name(path).lower()
    for suffix, read in _READERS.items():
        if name.endswith(suffix):
            return read(path, effort)
    raise InputError(
        f"{named(path)}: expected a file of points: {', '.join(_READERS)} (or packed: .csv.gz)"
    )  # fmt: skip


def _read_csv(path: PathLike, effort: Effort) -> dict[str, list[Vector]]:
    text = read_text(path, effort)
    rows: list[Vector] = []
    with errors_in(path):
        for number, line in enumerate(text.splitlines(), 1):
            effort.spend()
            cells = [cell.strip() for cell in line.split(",")]
            if cells == [""]:
                continue
            try:
                rows.append(tuple(parse_rational(c, f"line {number}") for c in cells))
            except InputError:
                if number == 1 and not any(_is_number(cell) for cell in cells):
                    continue
                raise
    return {"points": rows}


def _is_number(text: str) -> bool:
    try:
        parse_rational(text)
    except InputError:
        return False
    return True


def _read_json(path: PathLike, effort: Effort) -> dict[str, list[Vector]]:
    text = read_text(path, effort)
    with errors_in(path):
        rows = as_list(parse_strict(text), "points", "rows")
        if rows and not any(isinstance(row, list) for row in rows):
            return {"points": [tuple(as_number(v, f"[{i}]") for i, v in enumerate(rows))]}
        found = []
        for i, row in enumerate(rows):
            effort.spend()
            found.append(as_vector(row, f"points[{i}]"))
        return {"points": found}


def _read_npy(path: PathLike, effort: Effort) -> dict[str, list[Vector]]:
    data = read_bytes(path, effort)
    with errors_in(path):
        return {"points": _rows(data, "the array", effort)}


def _read_npz(path: PathLike, effort: Effort) -> dict[str, list[Vector]]:
    data = read_bytes(path, effort)
    with errors_in(path):
        members = {name.removesuffix(".npy"): value for name, value in unzip(data, effort).items()}
        if "points" not in members or set(members) - {"points", "labels"}:
            raise InputError(
                f"found the arrays {sorted(members)[:9]}, expected points and, if known, labels"
            )
        return {name: _rows(value, f"array {name!r}", effort) for name, value in members.items()}


def _rows(data: bytes, where: str, effort: Effort) -> list[Vector]:
    array = npy_array(data, where)
    if array.ndim not in (1, 2) or array.dtype.kind not in "fiu":
        raise InputError(
            f"{where}: found shape {array.shape} of {array.dtype}, expected a table of numbers"
        )
    effort.need(BYTES_OF_NUMBER * array.size, f"{where}: a table of shape {array.shape}")
    found = []
    for i, row in enumerate(np.atleast_2d(array)):
        effort.spend()
        found.append(vector(row, f"{where}[{i}]"))
    return found


_READERS: dict[str, Callable[[PathLike, Effort], dict[str, list[Vector]]]] = {
    ".csv": _read_csv,
    ".json": _read_json,
    ".npy": _read_npy,
    ".npz": _read_npz,
}
