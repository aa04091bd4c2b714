"""The exact matrices of convolutions and average pools, and the windows of max pools.

With input x of shape (C, n_1, …, n_d), kernel K of shape (M, C/g, k_1, …, k_d),
strides s, dilations δ, padding p before and p' after each axis and g groups, output
channel m in group γ is (⌊(n + p + p' − δ(k−1) − 1)/s⌋ + 1 positions an axis)

    y[m, o] = Σ_{c, t} K[m, c, t] · x[γ C/g + c, s·o + δ·t − p],

where x is 0 in the padding.  It is linear in x, and its matrix has one row for
each output and an entry only where a tap meets an input.  An average pool is the
same with equal weights: 1 over the number of taps (padding counts or not).

Rows and columns run over the flattened (row-major) outputs and inputs.  The matrices
are sparse until they become layers: row i is a dictionary from columns to nonzero
entries; it is never changed once made, so that rows are shared freely.

Symbols: K ``kernel``, s ``strides``, δ ``dilations``, (p, p') ``pads``, g ``groups``,
(n_1, …, n_d) ``spatial``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq, fmpq_mat

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import ShapeError, UnsupportedFormat
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE
from exactrelu.network.formats.arrays import Array

Row: TypeAlias = dict[int, fmpq]

#: A layer is stored as a dense matrix of 16 bytes an entry and more; beyond this
#: the file is refused instead of the machine running out of memory.
MAX_ENTRIES = 50_000_000

#: Bytes of an entry: of the dictionary of a sparse row, and of a dense matrix.
BYTES_OF_TAP, BYTES_OF_ENTRY = 100, 24

#: A tensor with more elements is refused before anything of its size is made.
MAX_ELEMENTS = 1_000_000

#: One FLINT operation against one of a Python loop (400 × 400 dyadic matrices:
#: 0.17 s dense, about 30 s row by row).
_DENSE_ADVANTAGE = 100


def require_size(shape: Sequence[int], what: str = "a tensor") -> None:
    """Refuse shapes that hold nothing, or too much to hold."""
    size = math.prod(shape)
    if size == 0:
        raise ShapeError(f"{what} of shape {tuple(shape)} has no elements")
    if size > MAX_ELEMENTS:
        raise UnsupportedFormat(
            f"{what} of shape {tuple(shape)} has more than the limit of {MAX_ELEMENTS} elements"
        )


@dataclass(frozen=True)
class SparseMatrix:
    """An m × n matrix; ``rows[i]`` maps columns to the nonzero entries of row i."""

    n_columns: int
    rows: tuple[Row, ...]

    @classmethod
    def identity(cls, n: int, n_columns: int) -> SparseMatrix:
        """[I|0] with n rows."""
        return cls(n_columns, tuple({i: ONE} for i in range(n)))

    @property
    def n_entries(self) -> int:
        return sum(map(len, self.rows))

    def take(self, rows: Iterable[int]) -> SparseMatrix:
        """The given rows, in the given order, any of them repeatedly."""
        return SparseMatrix(self.n_columns, tuple(self.rows[i] for i in rows))

    def scale_rows(self, factors: Iterable[fmpq]) -> SparseMatrix:
        """Row i times factors[i]."""
        pairs = zip(self.rows, factors, strict=True)
        return SparseMatrix(
            self.n_columns,
            tuple(
                {j: v * factor for j, v in row.items()} if factor else {} for row, factor in pairs
            ),
        )

    def __add__(self, other: SparseMatrix) -> SparseMatrix:
        pairs = zip(self.rows, other.rows, strict=True)
        return SparseMatrix(self.n_columns, tuple(_add(a, b) for a, b in pairs))

    def __matmul__(self, other: SparseMatrix) -> SparseMatrix:
        """The exact product."""
        return self.times(other)

    def times(self, other: SparseMatrix, effort: Effort = UNLIMITED) -> SparseMatrix:
        """The exact product, by FLINT where it is dense enough for that to be faster.

        >>> A = SparseMatrix(2, ({0: fmpq(2), 1: fmpq(1)}, {}))
        >>> (A @ SparseMatrix(3, ({2: fmpq(1, 2)}, {0: fmpq(5)}))).rows
        ({2: 1, 0: 5}, {})
        """
        if self.n_columns != len(other.rows):
            raise ShapeError(f"found {len(other.rows)} inputs, expected {self.n_columns}")
        work = sum(len(other.rows[k]) for row in self.rows for k in row)
        full = len(self.rows) * self.n_columns * other.n_columns
        if work > 10_000 and work * _DENSE_ADVANTAGE > full:
            left, right = self.to_matrix(effort), other.to_matrix(effort)
            effort.need(BYTES_OF_TAP * left.n_rows * right.n_columns, _shape(left, right))
            return _sparse(left @ right)
        rows = []
        for row in self.rows:
            effort.spend()
            rows.append(_combine(row, other.rows))
        return SparseMatrix(other.n_columns, tuple(rows))

    def to_matrix(self, effort: Effort = UNLIMITED) -> Matrix:
        """The dense matrix."""
        n_entries = len(self.rows) * self.n_columns
        if n_entries > MAX_ENTRIES:
            raise UnsupportedFormat(
                f"a layer would be a matrix of {len(self.rows)} × {self.n_columns} entries, "
                f"more than the limit of {MAX_ENTRIES}"
            )
        what = f"a layer of {len(self.rows):,} × {self.n_columns:,} entries"
        effort.need(BYTES_OF_ENTRY * n_entries, what)
        mat = fmpq_mat(len(self.rows), self.n_columns)
        for i, row in enumerate(self.rows):
            effort.spend()
            for j, value in row.items():
                mat[i, j] = value
        return Matrix.wrap(mat)


def _shape(left: Matrix, right: Matrix) -> str:
    return f"a product of {left.n_rows:,} × {right.n_columns:,} entries"


def _sparse(matrix: Matrix) -> SparseMatrix:
    rows = ({j: v for j, v in enumerate(row) if v} for row in matrix.flint_rows())
    return SparseMatrix(matrix.n_columns, tuple(rows))


def _combine(coefficients: Row, rows: Sequence[Row]) -> Row:
    """Σ_k coefficients[k] · rows[k]."""
    total: Row = {}
    for k, c in coefficients.items():
        for j, v in rows[k].items():
            total[j] = total[j] + c * v if j in total else c * v
    return _without_zeros(total)


def _add(a: Row, b: Row) -> Row:
    total = dict(a)
    for j, v in b.items():
        total[j] = total[j] + v if j in total else v
    return _without_zeros(total)


def _without_zeros(row: Row) -> Row:
    return row if all(row.values()) else {j: v for j, v in row.items() if v}


#: Tap t of a window, as a place in the flattened kernel, and the flattened input it meets.
Tap = tuple[int, int]


@dataclass(frozen=True)
class Window:
    """How a kernel moves over the spatial axes; one entry for each axis."""

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    pads: tuple[tuple[int, int], ...]
    dilations: tuple[int, ...]

    def __post_init__(self) -> None:
        lengths = {len(self.kernel), len(self.strides), len(self.pads), len(self.dilations)}
        if len(lengths) != 1:
            raise ShapeError(
                f"found kernel {self.kernel}, strides {self.strides}, pads {self.pads}, "
                f"dilations {self.dilations}, expected one of each for every axis"
            )
        if min(*self.kernel, *self.strides, *self.dilations, 1) < 1:
            raise ShapeError(
                f"found kernel {self.kernel}, strides {self.strides}, "
                f"dilations {self.dilations}, expected positive numbers"
            )
        if any(before < 0 or after < 0 for before, after in self.pads):
            raise UnsupportedFormat(f"negative padding {self.pads}")

    @classmethod
    def same(
        cls,
        kernel: tuple[int, ...],
        strides: tuple[int, ...],
        dilations: tuple[int, ...],
        spatial: Sequence[int],
        more_before: bool = False,
    ) -> Window:
        """Padding such that an axis of n inputs has ⌈n/stride⌉ outputs.

        An odd one goes after the input, or before it with ``more_before``.
        """
        pads = []
        for k, s, d, n in zip(kernel, strides, dilations, spatial, strict=True):
            total = max((-(-n // s) - 1) * s + d * (k - 1) + 1 - n, 0)
            small, large = total // 2, total - total // 2
            pads.append((large, small) if more_before else (small, large))
        return cls(kernel, strides, tuple(pads), dilations)

    def output_shape(self, spatial: Sequence[int]) -> tuple[int, ...]:
        """Positions of the kernel along each axis."""
        if len(spatial) != len(self.kernel):
            raise ShapeError(
                f"found an input with {len(spatial)} spatial axes, expected {len(self.kernel)}"
            )
        room = self._room(spatial)
        if min(room) < 0:
            raise ShapeError(f"the kernel {self.kernel} is larger than the padded input {spatial}")
        return tuple(r // s + 1 for r, s in zip(room, self.strides, strict=True))

    def wastes_input(self, spatial: Sequence[int]) -> bool:
        """Whether rounding the number of positions up would add one, beyond the padding."""
        return any(r % s for r, s in zip(self._room(spatial), self.strides, strict=True))

    def _room(self, spatial: Sequence[int]) -> list[int]:
        """How far the kernel can move along each axis."""
        return [
            n + before + after - d * (k - 1) - 1
            for n, (before, after), d, k in zip(
                spatial, self.pads, self.dilations, self.kernel, strict=True
            )
        ]

    def positions(self, spatial: Sequence[int]) -> Iterator[list[Tap]]:
        """For each output position, in order, the taps that meet an input."""
        axes = [
            [self._axis(axis, o, n) for o in range(size)]
            for axis, (size, n) in enumerate(zip(self.output_shape(spatial), spatial, strict=True))
        ]
        for position in itertools.product(*axes):
            taps = []
            for combination in itertools.product(*position):
                tap = place = 0
                for (t, i), k, n in zip(combination, self.kernel, spatial, strict=True):
                    tap, place = tap * k + t, place * n + i
                taps.append((tap, place))
            yield taps

    def _axis(self, axis: int, o: int, n: int) -> list[Tap]:
        start = o * self.strides[axis] - self.pads[axis][0]
        step = self.dilations[axis]
        inside = ((t, start + step * t) for t in range(self.kernel[axis]))
        return [(t, i) for t, i in inside if 0 <= i < n]


def convolution(
    kernel: Array,
    window: Window,
    input_shape: Sequence[int],
    groups: int = 1,
    effort: Effort = UNLIMITED,
) -> tuple[SparseMatrix, tuple[int, ...]]:
    """The matrix of a convolution and its output shape (M, …).

    ``kernel`` is an exact array of shape (M, C/groups, k_1, …), ``input_shape`` (C, n_1, …).
    """
    channels, *spatial = input_shape
    n_outputs, in_group = kernel.shape[:2]
    if groups < 1 or channels != in_group * groups or n_outputs % groups:
        raise ShapeError(
            f"found a kernel of shape {kernel.shape} in {groups} groups for {channels} channels, "
            "expected (outputs, channels/groups, …) with both divisible by the groups"
        )
    shape = (n_outputs, *window.output_shape(spatial))
    require_size(shape)
    area = math.prod(spatial)
    n_taps = math.prod(window.kernel)
    n_entries = math.prod(shape) * in_group * n_taps
    if n_entries > MAX_ENTRIES:
        raise UnsupportedFormat(f"a convolution with more than {MAX_ENTRIES} taps")
    effort.need(BYTES_OF_TAP * n_entries, f"a convolution with {n_entries:,} taps")
    flat = kernel.reshape(n_outputs, in_group, n_taps)
    positions = list(window.positions(spatial))
    rows: list[Row] = []
    for m in range(n_outputs):
        first = (m // (n_outputs // groups)) * in_group
        weights = [(area * (first + c), flat[m, c]) for c in range(in_group)]
        for taps in positions:
            effort.spend()
            rows.append(
                {base + i: channel[t] for base, channel in weights for t, i in taps if channel[t]}
            )
    return SparseMatrix(channels * area, tuple(rows)), shape


def average_pool(
    window: Window,
    input_shape: Sequence[int],
    count_include_pad: bool,
    ceil_mode: bool = False,
    effort: Effort = UNLIMITED,
) -> tuple[SparseMatrix, tuple[int, ...]]:
    """The matrix of an average pool of every channel and its output shape (C, …).

    ``ceil_mode`` is accepted where it makes no difference.
    """
    channels, *spatial = input_shape
    shape = (channels, *window.output_shape(spatial))
    require_size(shape)
    if ceil_mode and window.wastes_input(spatial):
        raise UnsupportedFormat(
            f"average pooling of {tuple(spatial)} with ceil_mode, where the last window leaves "
            "the padded input: tools disagree on its divisor"
        )
    area = math.prod(spatial)
    n_taps = math.prod(window.kernel)
    n_entries = math.prod(shape) * n_taps
    if n_entries > MAX_ENTRIES:
        raise UnsupportedFormat(f"an average pool with more than {MAX_ENTRIES} taps")
    effort.need(BYTES_OF_TAP * n_entries, f"an average pool with {n_entries:,} taps")
    positions = list(window.positions(spatial))
    if not all(positions):
        raise UnsupportedFormat("average pooling of a window that holds nothing but padding")
    rows: list[Row] = []
    for c in range(channels):
        for taps in positions:
            effort.spend()
            weight = fmpq(1, n_taps if count_include_pad else len(taps))
            rows.append({area * c + i: weight for _, i in taps})
    return SparseMatrix(channels * area, tuple(rows)), shape


def max_pool_windows(
    window: Window,
    input_shape: Sequence[int],
    ceil_mode: bool = False,
    effort: Effort = UNLIMITED,
) -> tuple[list[list[int]], tuple[int, ...]]:
    """For each output the inputs that it is the greatest of, and the output shape (C, …).

    Padding counts as −∞, so that it is left out.  ``ceil_mode`` is accepted where it makes no
    difference.
    """
    channels, *spatial = input_shape
    shape = (channels, *window.output_shape(spatial))
    require_size(shape)
    if ceil_mode and window.wastes_input(spatial):
        raise UnsupportedFormat(
            f"max pooling of {tuple(spatial)} with ceil_mode, where the last window leaves "
            "the padded input"
        )
    n_entries = math.prod(shape) * math.prod(window.kernel)
    if n_entries > MAX_ENTRIES:
        raise UnsupportedFormat(f"a max pool with more than {MAX_ENTRIES} taps")
    effort.need(BYTES_OF_TAP * n_entries, f"a max pool with {n_entries:,} taps")
    area = math.prod(spatial)
    positions = [[place for _, place in taps] for taps in window.positions(spatial)]
    if not all(positions):
        raise UnsupportedFormat("max pooling of a window that holds nothing but padding")
    return [[area * c + i for i in taps] for c in range(channels) for taps in positions], shape
