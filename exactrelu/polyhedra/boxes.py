"""Finite unions of boxes: domains that need not be convex, nor connected.

``{"format": "exactrelu-union/1", "boxes": [[["-1","1"],["2","3"]], …]}``: a box is a list of
intervals [a, b], one for each coordinate, and the set is the union of the closed boxes.  Where an
open set is wanted it is the interior of that union: two boxes with a common side are one piece.

The sides of the boxes lie in the *grid*, finitely many hyperplanes x_i = c.  They cut the
space into open grid cells, products of intervals between neighbouring values, and the union is a
set of closed grid cells.  A point is in the interior iff every grid cell around it is in the set.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Unpack

from flint import fmpq

from exactrelu.bounded import bounded
from exactrelu.display import Shown, brief
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector
from exactrelu.exact.scalar import point as vector_of
from exactrelu.exact.system import LinearSystem
from exactrelu.exact.text import as_list, as_vector, read_strict, require_format, require_keys
from exactrelu.files import PathLike, errors_in, kind_named
from exactrelu.polyhedra.domain import Domain

FORMAT = "exactrelu-union/1"

Interval = tuple[fmpq, fmpq]


@dataclass(frozen=True, repr=False)
class BoxUnion(Outward, Shown):
    """A union of closed boxes, for questions about folds on a domain that is not convex.

    Parameters
    ----------
    boxes : tuple of tuples of pairs of rationals
        For each box the two ends of each of its sides.

    Examples
    --------
    >>> import exactrelu as er
    >>> vector = er.matrices.vector
    >>> wide = (vector([0, 1]), vector([0, 1]))
    >>> high = (vector([1, 2]), vector([0, 2]))
    >>> ell = er.polyhedra.BoxUnion((wide, high))
    >>> [ell.contains_inside(vector([1, y])) for y in ("1/2", 1, "3/2")]
    [True, False, False]
    """

    boxes: tuple[tuple[Interval, ...], ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.boxes:
            raise InputError("a union of no boxes: its dimension is unknown")
        if len({len(box) for box in self.boxes}) > 1:
            raise ShapeError("the boxes have different dimensions")
        if not self.cells:
            raise InputError("the union of the boxes has no interior points")

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return len(self.boxes[0])

    @cached_property
    def values(self) -> tuple[Vector, ...]:
        """For each coordinate the ends of the intervals, increasing."""
        return tuple(
            tuple(sorted({end for box in self.boxes for end in box[i]}))
            for i in range(self.dimension)
        )

    @property
    def frame(self) -> LinearSystem:
        """The smallest box around the union."""
        return LinearSystem.box((ends[0], ends[-1]) for ends in self.values)

    @property
    def solid(self) -> BoxUnion:
        """The union of the boxes that have interior points; the others add nothing to its own."""
        return BoxUnion(tuple(box for box in self.boxes if all(a < b for a, b in box)))

    @property
    def parts(self) -> tuple[LinearSystem, ...]:
        """The boxes that have interior points."""
        return tuple(map(LinearSystem.box, self.solid.boxes))

    @property
    def grid(self) -> tuple[tuple[int, fmpq], ...]:
        """The hyperplanes x_i = c inside the frame, as pairs (i, c)."""
        return tuple((i, c) for i, ends in enumerate(self.values) for c in ends[1:-1])

    @cached_property
    def cells(self) -> frozenset[tuple[int, ...]]:
        """The grid cells in the union; cell k of a coordinate starts at its k-th value."""
        found: set[tuple[int, ...]] = set()
        for box in self.boxes:
            sides = zip(self.values, box, strict=True)
            ranges = [range(bisect_left(v, a), bisect_left(v, b)) for v, (a, b) in sides]
            found |= set(product(*ranges))
        return frozenset(found)

    def contains_inside(self, point: Sequence[fmpq]) -> bool:
        """Whether a point lies in the interior of the union."""
        around = []
        for values, x in zip(self.values, vector_of(point, self.dimension), strict=True):
            k = bisect_left(values, x)
            is_end = k < len(values) and values[k] == x
            around.append((k - 1, k) if is_end else (k - 1,))
        return all(cell in self.cells for cell in product(*around))

    def box_around(self, point: Sequence[fmpq]) -> LinearSystem:
        """A box with a point of the interior inside, and its own interior in the union."""
        if not self.contains_inside(point):
            raise InputError(f"point {brief(point)}: expected one in the interior of the union")
        sides = []
        for values, x in zip(self.values, vector_of(point, self.dimension), strict=True):
            sides.append((values[bisect_left(values, x) - 1], values[bisect_right(values, x)]))
        return LinearSystem.box(sides)


def union_of(value: Any) -> BoxUnion:
    """The union that the value of a JSON text describes."""
    require_keys(value, "", required=("format", "boxes"))
    require_format(value["format"], FORMAT)
    boxes = []
    for k, box in enumerate(as_list(value["boxes"], "boxes", "boxes")):
        intervals = []
        for i, side in enumerate(as_list(box, f"boxes[{k}]", "intervals")):
            interval = as_vector(side, f"boxes[{k}][{i}]")
            if len(interval) != 2 or interval[0] > interval[1]:
                raise InputError(f"boxes[{k}][{i}]: expected [a, b] with a <= b")
            intervals.append((interval[0], interval[1]))
        if not intervals:
            raise InputError(f"boxes[{k}]: expected an interval for each coordinate")
        boxes.append(tuple(intervals))
    return BoxUnion(tuple(boxes))


@bounded
def load_union(effort: Effort, /, path: PathLike, **limits: Unpack[Limits]) -> BoxUnion:
    """The union of boxes in a JSON file.

    Parameters
    ----------
    path : str or path
        A file ``{"format": "exactrelu-union/1", "boxes": [[[a, b], …], …]}``: for each box an
        interval for each coordinate.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    BoxUnion
        The boxes.

    Raises
    ------
    InputError
        If the file is not of this form.

    Examples
    --------
    >>> import exactrelu as er
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "union.json"
    ...     _ = path.write_text('{"format": "exactrelu-union/1", "boxes": [[[0, 1]], [[1, 2]]]}')
    ...     er.polyhedra.load_union(path).contains_inside(er.matrices.vector([1]))
    True
    """
    value = read_strict(path, effort)
    with errors_in(path):
        return union_of(value)


def parse_domain_or_union(
    text: str, dimension: int, effort: Effort = UNLIMITED
) -> Domain | BoxUnion:
    """What ``--domain`` names where unions are welcome: a file may hold one."""
    is_other = text in ("R", "orthant") or kind_named(text)
    if is_other or not os.path.exists(text) or not _is_union(text, effort):
        return Domain.of(text, dimension, effort)
    union = load_union(text, effort=effort)
    if union.dimension != dimension:
        raise InputError(f"{text}: boxes in {union.dimension} variables, expected {dimension}")
    return union


def _is_union(path: PathLike, effort: Effort) -> bool:
    """Whether a file says that it holds a union of boxes."""
    value = read_strict(path, effort)
    return isinstance(value, dict) and value.get("format") == FORMAT
