"""Tensors of a graph: a shape, and for each element an exact affine form over its variables.

Operations are exact.  What is linear is a sparse map of the forms; what bends is made of ReLUs:

    |z| = 2·s(z) − z,   leaky: a·z + (1 − a)·s(z),   max(a, b) = a + s(b − a),
    clip to [lo, hi]:  lo + s(z − lo) − s(z − hi).

The z of a leaky unit and the a of a maximum are read twice: they become shared linear variables
(:mod:`exactrelu.network.graph.lowering`).  A maximum of more than two is taken by halving.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq_mat

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import ShapeError, UnsupportedFormat
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE
from exactrelu.exact.sparse import SparseMatrix, is_worth_it
from exactrelu.network.graph.dyadics import (
    Integers,
    Numbers,
    floats_if_exact,
    is_nonzero,
    joined,
    objects,
    over_one_denominator,
)
from exactrelu.network.graph.forms import Combination, Forms
from exactrelu.network.graph.lowering import LoweredGraph, SparseRows
from exactrelu.network.graph.roots import Normalisation
from exactrelu.network.graph.windows import (
    MAX_ENTRIES,
    KernelWindow,
    average_pool,
    convolution,
    max_pool_windows,
    require_size,
    transposed_convolution,
)
from exactrelu.network.network import Layer, Network

#: Bytes of a form that is a variable: where it begins, its column, value and constant, its shape.
BYTES_OF_FORM = 40
#: Bytes of an entry of a layer: in a dense matrix, and once more over one denominator.
BYTES_OF_ENTRY = 50


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor of a graph.

    >>> x = Tensor.variable((2,))
    >>> x.maximum(x.gather(np.array([1, 0]))).network("m")([3, 5])
    (5, 5)
    """

    shape: tuple[int, ...]
    forms: Forms
    graph: LoweredGraph

    @classmethod
    def variable(cls, shape: Sequence[int], effort: Effort = UNLIMITED) -> Tensor:
        """The input of a new graph."""
        require_size(shape)
        n = math.prod(shape)
        effort.need(BYTES_OF_FORM * n, f"a tensor of {n:,} elements")
        graph = LoweredGraph(n, effort)
        return cls(tuple(shape), graph.inputs, graph)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def effort(self) -> Effort:
        return self.graph.effort

    @property
    def index(self) -> Integers:
        """The number of each element, in the tensor's shape."""
        return np.arange(self.size).reshape(self.shape)

    def of(self, forms: Forms, shape: Sequence[int] | None = None) -> Tensor:
        """Another tensor of the same graph."""
        return Tensor(self.shape if shape is None else tuple(shape), forms, self.graph)

    def constant(self, values: Numbers) -> Tensor:
        """A constant as a tensor of the same graph."""
        return self.of(Forms.of_constants(values.ravel()), values.shape)

    def gather(self, index: Integers) -> Tensor:
        """The tensor of the elements with these numbers, in the shape of ``index``."""
        require_size(index.shape)
        return self.of(self.forms.take(index.ravel()), index.shape)

    def reshape(self, shape: Sequence[int]) -> Tensor:
        if math.prod(shape) != self.size:
            raise ShapeError(f"cannot reshape {self.shape} to {tuple(shape)}")
        return self.of(self.forms, shape)

    def transpose(self, axes: Sequence[int]) -> Tensor:
        return self.gather(transpose_array(self.index, axes))

    def broadcast_to(self, shape: tuple[int, ...]) -> Tensor:
        require_size(shape)
        return self if shape == self.shape else self.gather(np.broadcast_to(self.index, shape))

    def shared(self) -> Tensor:
        """The same tensor, to be read many times."""
        return self.of(self.graph.shared(self.forms))

    # --- Linear maps

    def linear(self, map_: Combination, shape: Sequence[int]) -> Tensor:
        """A linear map of the flattened tensor."""
        return self.of(self.graph.combined(self.forms, map_), shape)

    def add_constant(self, constant: Numbers) -> Tensor:
        """Elementwise, with broadcasting."""
        shape = broadcast_shape(self.shape, constant.shape)
        tensor = self.broadcast_to(shape)
        return self.of(tensor.forms.shifted(np.broadcast_to(constant, shape).ravel()), shape)

    def scale(self, factors: Numbers) -> Tensor:
        """Elementwise product with constants, with broadcasting."""
        shape = broadcast_shape(self.shape, factors.shape)
        tensor = self.broadcast_to(shape)
        return self.of(tensor.forms.scaled(np.broadcast_to(factors, shape).ravel()), shape)

    def negated(self) -> Tensor:
        return self.scale(np.array(-1.0))

    def add(self, other: Tensor) -> Tensor:
        """Elementwise sum, with broadcasting."""
        shape = broadcast_shape(self.shape, other.shape)
        left, right = self.broadcast_to(shape), other.broadcast_to(shape)
        return self.of(left.forms.plus(right.forms), shape)

    def multiply(self, other: Tensor) -> Tensor:
        """Elementwise product, where one of the two is constant at each element."""
        shape = broadcast_shape(self.shape, other.shape)
        left, right = self.broadcast_to(shape).forms, other.broadcast_to(shape).forms
        both = np.flatnonzero(~left.is_constant & ~right.is_constant)
        if len(both):
            raise UnsupportedFormat("multiplies two tensors that both depend on the input")
        constant = np.flatnonzero(left.is_constant)
        varying = np.flatnonzero(~left.is_constant)
        parts = [
            right.take(constant).scaled(left.constants[constant]),
            left.take(varying).scaled(right.constants[varying]),
        ]
        order = np.argsort(np.concatenate([constant, varying]))
        return self.of(Forms.joined(parts).take(order), shape)

    def sums(self, axes: Sequence[int], keepdims: bool) -> tuple[Tensor, int]:
        """The sums along some axes, and of how many elements each is."""
        kept = [k for k in range(len(self.shape)) if k not in axes]
        last = self.index.transpose([*kept, *axes]).reshape(
            math.prod(self.shape[k] for k in kept), -1
        )
        n_rows, count = last.shape
        map_ = Combination(
            np.arange(n_rows + 1) * count, np.sort(last, axis=1).ravel(), np.ones(last.size)
        )
        shape = tuple(
            1 if k in axes else n for k, n in enumerate(self.shape) if keepdims or k not in axes
        )
        return self.linear(map_, shape), count

    def convolve(
        self, kernel: Numbers, bias: Numbers | None, window: KernelWindow, groups: int
    ) -> Tensor:
        """The convolution of a tensor of shape (batch, channels, …)."""
        channels = self._channels(len(window.kernel))
        map_, shape = convolution(kernel, window, channels, groups, self.effort)
        return self._for_each_image(map_, shape)._with_bias(bias)

    def convolve_transposed(
        self,
        kernel: Numbers,
        bias: Numbers | None,
        window: KernelWindow,
        groups: int,
        more: Sequence[int],
    ) -> Tensor:
        """The transposed convolution of a tensor of shape (batch, channels, …)."""
        channels = self._channels(len(window.kernel))
        map_, shape = transposed_convolution(kernel, window, channels, groups, more, self.effort)
        return self._for_each_image(map_, shape)._with_bias(bias)

    def average_pool(self, window: KernelWindow, count_include_pad: bool) -> Tensor:
        """The average pool of a tensor of shape (batch, channels, …)."""
        channels = self._channels(len(window.kernel))
        map_, shape = average_pool(window, channels, count_include_pad, self.effort)
        return self._for_each_image(map_, shape)

    def normalised(self, by: Normalisation) -> Tensor:
        """Each channel (axis 1) times a factor, and shifted."""
        if len(self.shape) < 2:
            raise ShapeError(f"found an input of shape {self.shape}, expected (batch, channels, …)")
        scaled = self.scale(per_channel(by.factors, self.shape))
        return scaled.add_constant(per_channel(by.offsets, self.shape))

    def _with_bias(self, bias: Numbers | None) -> Tensor:
        return self if bias is None else self.add_constant(per_channel(bias, self.shape))

    def _channels(self, n_axes: int) -> tuple[int, ...]:
        if len(self.shape) != n_axes + 2:
            raise ShapeError(
                f"found an input of shape {self.shape}, "
                f"expected (batch, channels, …) with {n_axes} spatial axes"
            )
        return self.shape[1:]

    def _for_each_image(self, map_: Combination, shape: Sequence[int]) -> Tensor:
        """The same map for each entry of the batch."""
        batch, n = self.shape[0], math.prod(self.shape[1:])
        if batch == 1:
            return self.linear(map_, (1, *shape))
        images = np.arange(batch)[:, None]
        steps = (images * len(map_.elements) + map_.start[:-1]).ravel()
        whole = Combination(
            np.append(steps, batch * len(map_.elements)),
            (images * n + map_.elements).ravel(),
            np.tile(map_.weights, batch),
        )
        return self.linear(whole, (batch, *shape))

    # --- What bends

    def relu(self) -> Tensor:
        """A neuron for each element."""
        return self.of(self.graph.relu(self.forms))

    def positive_part(self) -> Tensor:
        """s of each element, by as few neurons as it takes."""
        return self.of(self.graph.helper(self.forms))

    def leaky(self, slopes: Numbers) -> Tensor:
        """a·z + (1 − a)·s(z)."""
        shape = broadcast_shape(self.shape, slopes.shape)
        if shape != self.shape:
            raise ShapeError(f"slopes of shape {slopes.shape} for a tensor of shape {self.shape}")
        z = self.shared()
        bend = floats_if_exact(np.asarray(ONE - objects(slopes)))
        return z.scale(slopes).add(z.relu().scale(bend))

    def absolute(self) -> Tensor:
        """2·s(z) − z."""
        z = self.shared()
        return z.positive_part().scale(np.array(2.0)).add(z.negated())

    def maximum(self, other: Tensor) -> Tensor:
        """a + s(b − a), elementwise."""
        shape = broadcast_shape(self.shape, other.shape)
        a, b = self.broadcast_to(shape).shared(), other.broadcast_to(shape)
        return a.add(b.add(a.negated()).positive_part())

    def clip(self, low: Numbers | None, high: Numbers | None) -> Tensor:
        """The nearest numbers between two bounds, either of which may be missing."""
        if low is None and high is None:
            return self
        z = self.shared()
        if low is None or high is None:
            # z − s(z − hi), or lo + s(z − lo).
            bound = np.asarray(high if low is None else low)
            beyond = z.add_constant(-bound).positive_part()
            return z.add(beyond.negated()) if low is None else beyond.add_constant(bound)
        above = z.add_constant(-low).positive_part()
        beyond = z.add_constant(-high).positive_part()
        return above.add(beyond.negated()).add_constant(low)

    def max_pool(self, window: KernelWindow) -> Tensor:
        """The max pool of a tensor of shape (batch, channels, …)."""
        channels = self._channels(len(window.kernel))
        windows, shape = max_pool_windows(window, channels, self.effort)
        batch, n = self.shape[0], math.prod(self.shape[1:])
        images = [[i + n * k for i in place] for k in range(batch) for place in windows]
        return self.maxima(images, (batch, *shape))

    def maxima(self, windows: Sequence[Sequence[int]], shape: Sequence[int]) -> Tensor:
        """The greatest element of each window (numbers of elements), by halving the windows.

        >>> x = Tensor.variable((3,))
        >>> network = x.maxima([[0, 1, 2], [2]], (2,)).network("max")
        >>> network([-3, -1, -2])
        (-1, -2)
        """
        tensor, waiting = self.reshape((self.size,)), [list(dict.fromkeys(w)) for w in windows]
        while any(len(window) > 1 for window in waiting):
            self.effort.spend()
            pairs = [
                [tuple(window[k : k + 2]) for k in range(0, len(window), 2)] for window in waiting
            ]
            numbers = {p: k for k, p in enumerate(dict.fromkeys(p for w in pairs for p in w))}
            first = np.array([pair[0] for pair in numbers])
            second = np.array([pair[-1] for pair in numbers])
            single = np.flatnonzero(first == second)
            both = np.flatnonzero(first != second)
            greater = tensor.gather(first[both]).maximum(tensor.gather(second[both]))
            order = np.argsort(np.concatenate([single, both]))
            forms = Forms.joined([tensor.forms.take(first[single]), greater.forms]).take(order)
            tensor = self.of(forms, (len(numbers),))
            waiting = [[numbers[pair] for pair in window] for window in pairs]
        return tensor.gather(np.array([window[0] for window in waiting])).reshape(shape)

    # --- The network

    def network(self, name: str) -> Network:
        """The network whose output is this tensor, flattened."""
        layers: list[Layer] = []
        n_entries = 0
        # One layer at a time, so that a large one is not kept in two forms longer than needed.
        for rows in self.graph.layers_from_last(self.forms):
            n_entries += _n_kept(rows)
            if n_entries > MAX_ENTRIES:
                raise UnsupportedFormat(
                    f"the layers would have {n_entries:,} entries or more, more than the limit of "
                    f"{MAX_ENTRIES:,}"
                )
            self.effort.need(BYTES_OF_ENTRY * n_entries, f"layers of {n_entries:,} entries")
            layers.append(_layer(rows, self.effort))
        return Network(tuple(layers[::-1]), name)


def _n_kept(rows: SparseRows) -> int:
    """How many entries of a layer are kept in memory."""
    m, n = rows.matrix.n_rows, rows.n_inputs + 1
    n_entries = len(rows.matrix.elements)
    return n_entries + m if is_worth_it(m, n, n_entries) else m * n


def _layer(rows: SparseRows, effort: Effort) -> Layer:
    map_ = rows.matrix
    if is_worth_it(map_.n_rows, rows.n_inputs + 1, len(map_.elements)):
        return Layer(_sparse(rows), rows.linear)
    table = fmpq_mat(map_.n_rows, rows.n_inputs + 1)
    effort.spend()
    entries = zip(
        map_.rows.tolist(), map_.elements.tolist(), objects(map_.weights).tolist(), strict=True
    )
    for i, j, value in entries:
        table[i, j] = value
    effort.spend()
    for i in np.flatnonzero(is_nonzero(rows.constants)).tolist():
        table[i, rows.n_inputs] = objects(rows.constants[[i]])[0]
    return Layer(Matrix.wrap(table), rows.linear)


def _sparse(rows: SparseRows) -> SparseMatrix:
    """The matrix [W|b] of a layer by its entries."""
    map_, n = rows.matrix, rows.n_inputs
    shifted = np.flatnonzero(is_nonzero(rows.constants))
    with_bias = Combination.of(
        map_.n_rows,
        np.concatenate([map_.rows, shifted]),
        np.concatenate([map_.elements, np.full(len(shifted), n)]),
        joined([map_.weights, rows.constants[shifted]]),
    )
    numerators, denominator = over_one_denominator(with_bias.weights)
    return SparseMatrix(
        map_.n_rows, n + 1, with_bias.start, with_bias.elements, numerators, denominator
    )


def matmul(left: Tensor | Numbers, right: Tensor | Numbers) -> Tensor:
    """The matrix product, as numpy's, of a tensor and a constant in either order."""
    if isinstance(left, Tensor):
        if isinstance(right, Tensor):
            raise UnsupportedFormat("multiplies two tensors that both depend on the input")
        tensor, a, b = left, left.index, right
    elif isinstance(right, Tensor):
        tensor, a, b = right, left, right.index
    else:
        raise ShapeError("a product of constants is no tensor")
    batch, kept = matmul_shape(a.shape, b.shape)
    rows_of, columns_of = np.atleast_2d(a), b.reshape(-1, 1) if b.ndim == 1 else b
    k = a.shape[-1]
    n_products = math.prod((*batch, *kept)) * k
    tensor.effort.need(BYTES_OF_ENTRY * n_products, f"a matrix product of {n_products:,} terms")
    rows_of = np.broadcast_to(rows_of, (*batch, *rows_of.shape[-2:]))
    columns_of = np.broadcast_to(columns_of, (*batch, *columns_of.shape[-2:]))
    shape = (*batch, rows_of.shape[-2], columns_of.shape[-1], k)
    one = np.broadcast_to(rows_of[..., :, None, :], shape).reshape(-1, k)
    two = np.broadcast_to(np.swapaxes(columns_of, -1, -2)[..., None, :, :], shape).reshape(-1, k)
    numbers, weights = (one, two) if tensor is left else (two, one)
    order = np.argsort(numbers, axis=1, kind="stable")
    numbers = np.take_along_axis(numbers, order, axis=1)
    weights = np.take_along_axis(weights, order, axis=1)
    rows, places = np.nonzero(is_nonzero(weights))
    start = np.searchsorted(rows, np.arange(len(numbers) + 1))
    map_ = Combination(start, numbers[rows, places], weights[rows, places])
    return tensor.linear(map_, (*batch, *kept))


def matmul_shape(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The batch axes of a matrix product and the axes after them.

    A one-dimensional factor has no row, or no column, of its own in the product.
    """
    if 0 in (len(a), len(b)) or a[-1] != b[-2 if len(b) > 1 else 0]:
        raise ShapeError(f"cannot multiply shapes {a} and {b}")
    batch = broadcast_shape(a[:-2], b[:-2])
    kept = (*a[-2:-1], *(b[-1:] if len(b) > 1 else ()))
    require_size((*batch, *kept))
    return batch, kept


def transpose_array(array: Any, axes: Sequence[int]) -> Any:
    """The array with its axes in this order."""
    if sorted(axes) != list(range(array.ndim)):
        raise ShapeError(
            f"found the permutation {tuple(axes)} for a tensor of shape {array.shape}, "
            f"expected one of 0 … {array.ndim - 1}"
        )
    return array.transpose(tuple(axes))


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The common shape, if it is not too large."""
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        raise ShapeError(f"shapes {' and '.join(map(str, shapes))} do not broadcast") from None
    require_size(shape)
    return shape


def per_channel(values: Numbers, shape: tuple[int, ...]) -> Numbers:
    """A vector along axis 1 of a tensor of this shape."""
    if values.shape != (shape[1],):
        raise ShapeError(f"found shape {values.shape}, expected one number for {shape[1]} channels")
    return values.reshape(1, -1, *(1,) * (len(shape) - 2))
