"""Sample points of a network, and the activation regions that they lie in.

**Files of points**, with or without labels.  ``.csv``: a point a line, numbers separated by commas;
decimals and fractions are taken exactly, and a first line that is no number is a header.
``.json``: a list of rows of exact numbers.  ``.npy``: a two-dimensional array, floats being the
dyadics that they store.  ``.npz``: such an array ``points`` and, if there are any, ``labels``.  A
column more than the network has inputs is the label: an integer from 0.

**Regions** (Sattelberg et al.; theory 7).  The region of x is {y : every hidden preactivation has
at y the sign that it has at x}: the intersection of the half-spaces ±(a·y + b) > 0 over the
neurons whose preactivation a·y + b is not constant there.  On it f(y) = W y + b.  The *dual
points* of x are the rows (w_j, b_j) of [W|b], in R^{d+1}; C_j has the dual points of output j at
all sample points as its rows.

Ties: where a preactivation that is not constant is exactly 0, x lies on the boundary, the
distance is 0, and the map is one of several that agree at x (neurons at 0 count as inactive).
A preactivation that is 0 and constant near x is no tie.

There is no domain, so that no signs are known before the points are evaluated.

Symbols: [W|b] → ``SampledRegion.affine``, C_j → ``Local.dual_matrices``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Unpack

import numpy as np
from flint import fmpq

from exactrelu.bounded import bounded
from exactrelu.certificates.certificate import Certificate, Found, claim
from exactrelu.display import Shown
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError, place_in
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward, Point
from exactrelu.exact.scalar import Vector, parse_rational, to_text, vector
from exactrelu.exact.text import as_list, as_number, as_vector, parse_strict
from exactrelu.files import PathLike, errors_in, named, read_bytes, read_text, unpacked_name, unzip
from exactrelu.network.formats.arrays import BYTES_OF_NUMBER, npy_array
from exactrelu.network.network import Evaluation, Network, Pattern, signs_text, trace_batch
from exactrelu.questions.local.boundary import Boundaries, Distance, RegionBoundary, output_maps
from exactrelu.questions.question import Call, question

#: Products of floats for one batch of points; one of exact numbers takes as long as some of them.
_MAX_PRODUCTS, _EXACT = 300_000_000, 30
#: Points of a batch, however small the network.
_MAX_POINTS = 1_000


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


# --- The regions of points


@dataclass(frozen=True)
class Place:
    """A point, the region that it lies in, and the boundary of it."""

    evaluation: Evaluation
    #: The number of the region, from 0, in the order in which the points meet them.
    region: int
    boundary: RegionBoundary


@dataclass(frozen=True)
class SampledRegion:
    """A sign pattern that some points have, the map [W|b] there, and how many have it."""

    pattern: Pattern
    affine: Matrix
    n_points: int

    @property
    def signs(self) -> str:
        """The signs of the hidden neurons as text, "+", "-" or "0", a word for each layer; "=" for
        a linear unit, which has none.
        """
        return signs_text(self.pattern)


@dataclass(frozen=True, repr=False)
class Local(Found):
    """What a network does at sample points; over a bound at the first of them only."""

    network: Network
    places: tuple[Place, ...]
    regions: tuple[SampledRegion, ...]
    #: Why these are not all points.
    stopped: str | None = None

    @property
    def is_complete(self) -> bool:
        """Whether these are all points."""
        return self.stopped is None

    @property
    def n_on_boundary(self) -> int:
        """How many points lie on the boundary of their region."""
        return sum(1 for place in self.places if place.boundary.ties)

    @property
    def n_sharing(self) -> int:
        """How many points have another point in their region."""
        return sum(region.n_points for region in self.regions if region.n_points > 1)

    def dual_points(self, k: int) -> tuple[Point, ...]:
        """The dual points of point k (from 0): one for each output."""
        place = self.places[place_in(k, len(self.places), "point")]
        return self.regions[place.region].affine.rows()

    @cached_property
    def dual_matrices(self) -> tuple[Matrix, ...]:
        """For each output j the matrix C_j of the dual points of all sample points."""
        rows = [region.affine.flint_rows() for region in self.regions]
        width = self.network.n_inputs + 1
        return tuple(
            Matrix.from_entries(
                len(self.places),
                width,
                [v for place in self.places for v in rows[place.region][j]],
            )
            for j in range(self.network.n_outputs)
        )

    @cached_property
    def homogeneous_points(self) -> Matrix:
        """The points (x, 1), one row each; f_j(x) is the product with row x of C_j."""
        one = fmpq(1)
        entries = [v for place in self.places for v in (*place.evaluation.flint_point, one)]
        return Matrix.from_entries(len(self.places), self.network.n_inputs + 1, entries)

    @property
    def certificate(self) -> Certificate:
        """The claim ``local-regions`` about the region of every point and its distances."""
        return claim(
            "local-regions",
            "evaluation",
            network=self.network,
            points=[place.evaluation.flint_point for place in self.places],
            regions=[place.region for place in self.places],
            linf=[_value(place.boundary.linf) for place in self.places],
            squares=[_value(place.boundary.l2_squared) for place in self.places],
        )


@question
def local(
    call: Call[Local],
    network: Network,
    points: Iterable[Iterable[Any]],
    **limits: Unpack[Limits],
) -> Local:
    """The regions of sample points, the affine maps there and the distances to their boundaries.

    Parameters
    ----------
    network : Network
        The network.
    points : iterable of points
        A row for each point.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Local
        ``places``, one for each point, with ``region`` (from 0) and ``boundary``; ``regions`` with
        ``pattern``, ``affine`` and ``n_points``; ``certificate``.

    Notes
    -----
    Quick: one pass through the network for each point, and its neurons for the distances.  Over a
    bound only the first points.

    References
    ----------
    Sattelberg et al., *Locally linear attributes of ReLU neural networks*, section 2.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.local(er.load("example:xor"), [(1, 1), (2, 0), (1, -1)])
    >>> [place.region for place in found.places], found.n_on_boundary
    ([0, 0, 1], 1)
    >>> found.places[0].boundary.linf.value, found.places[0].boundary.l2_squared.value
    (1, 2)
    """
    effort = call.effort
    waiting = iter(points)
    cost = network.n_parameters * (network.n_inputs + _EXACT * (network.n_outputs + 2))
    at_once = min(_MAX_POINTS, max(1, _MAX_PRODUCTS // cost))
    run = _PointsRun(network, effort)
    call.knows(lambda stopped: run.result(str(stopped)))
    if isinstance(points, Sequence):
        effort.expect("points", len(points))
    while some := list(islice(waiting, at_once)):
        run.add(some)
    if not run.places:
        raise InputError("found no points, expected at least one")
    return run.result()


class _PointsRun:
    """The points so far, with the regions that they lie in."""

    def __init__(self, network: Network, effort: Effort) -> None:
        self.network = network
        self.effort = effort
        self.places: list[Place] = []
        self._boundaries = Boundaries(network, effort)
        self._members: Counter[Pattern] = Counter()
        self._number: dict[Pattern, int] = {}
        self._maps: list[Matrix] = []

    def add(self, points: Sequence[Iterable[Any]]) -> None:
        """A batch of points: all of it, or none."""
        self.effort.spend("points", len(points))
        evaluations = trace_batch(self.network, points)
        boundaries = self._boundaries.of(evaluations)
        new = dict.fromkeys(e.pattern for e in evaluations if e.pattern not in self._number)
        self._maps += list(output_maps(self.network, list(new), self.effort))
        for pattern in new:
            self._number[pattern] = len(self._number)
        for e, boundary in zip(evaluations, boundaries, strict=True):
            self._members[e.pattern] += 1
            self.places.append(Place(e, self._number[e.pattern], boundary))

    def result(self, stopped: str | None = None) -> Local:
        regions = (
            SampledRegion(pattern, self._maps[i], self._members[pattern])
            for pattern, i in self._number.items()
        )
        return Local(self.network, tuple(self.places), tuple(regions), stopped)


def _value(distance: Distance | None) -> fmpq | list[fmpq]:
    """The distance; none at all, an empty list, where the region is all of space."""
    return [] if distance is None else distance.value
