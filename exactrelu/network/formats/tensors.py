"""Tensors that are exact affine functions of a layer's input.

Readers of ONNX and PyTorch walk through a network with one value, the
:class:`AffineTensor`: which ReLU layers came before (``layers``), and the tensor as
the affine map [A|c] of the output of the last of them (``affine``, one row for each
element in row-major order).  Affine operations multiply into [A|c], so consecutive
ones merge exactly.  A ReLU closes the layer [A|c], and the tensor after it is the
identity of the new layer's output.  At the end [A|c] is the last, affine layer; a
network that ends with a ReLU therefore gets an identity after it.

A max pool is layers too: max(a, b) = a + s(b − a), and a passes the ReLU as s(a) − s(−a), or as
s(a) where it is known to be ≥ 0, as it is after a ReLU.  Windows of more are halved until one is
left.  After a ReLU this adds no place at which a neuron changes its sign but those at which
another element becomes the greatest; else also those at which one of two elements is 0.

Two tensors can be added only if they are functions of the same layer's input:
what skips over a ReLU is no layered network, and is refused.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import FORMATS_PAGE, ShapeError, UnsupportedFormat
from exactrelu.exact.scalar import ONE, to_text
from exactrelu.network.formats.arrays import Array
from exactrelu.network.formats.convolution import (
    BYTES_OF_TAP,
    Row,
    SparseMatrix,
    Window,
    average_pool,
    convolution,
    max_pool_windows,
    require_size,
)
from exactrelu.network.network import Layer, Network

#: In small letters, the operators of ONNX and the modules of PyTorch that are curved.
_CURVED = """
acos asin atan bilinear celu cos elu erf exp gelu glu groupnorm groupnormalization gru hardswish
instancenormalization layernorm layernormalization log logsigmoid logsoftmax lrn lstm mish
multiheadattention reciprocal selu sigmoid silu sin softmax softmin softplus softsign sqrt swish
tan tanh tanhshrink
"""
#: Those that a network of ReLUs computes too, and that no reader knows.
_PIECEWISE = """
abs adaptiveavgpool1d adaptiveavgpool2d adaptivemaxpool1d adaptivemaxpool2d clip concat
convtranspose convtranspose1d convtranspose2d depthtospace expand gather globalaveragepool
globalmaxpool hardsigmoid hardtanh leakyrelu max mean min neg pad prelu reducemax reducemean
reducemin reducesum relu6 resize rrelu slice softshrink split squeeze sum unsqueeze upsample
zeropad2d
"""

#: Bytes of a row of a sparse matrix that has one entry.
BYTES_OF_ROW = 300


@dataclass(frozen=True)
class AffineTensor:
    """A tensor as an affine function [A|c] of the output of the ReLU layers before it.

    >>> x = AffineTensor.variable((2,))
    >>> ones = np.array([[fmpq(1), fmpq(1)]])
    >>> matmul(ones, matmul(ones.T, matmul(ones, x)).relu()).network("n").widths
    (2, 2, 1)
    """

    shape: tuple[int, ...]
    affine: SparseMatrix
    #: Tensors of one layer share this tuple itself: it tells layers apart.
    layers: tuple[Layer, ...]
    #: What the work on it is paid from.
    effort: Effort = field(default=UNLIMITED, compare=False, repr=False)

    @classmethod
    def variable(cls, shape: Sequence[int], effort: Effort = UNLIMITED) -> AffineTensor:
        """The input of the network."""
        return cls._identity(tuple(shape), (), effort)

    @classmethod
    def _identity(
        cls, shape: tuple[int, ...], layers: tuple[Layer, ...], effort: Effort
    ) -> AffineTensor:
        require_size(shape)
        n = math.prod(shape)
        effort.need(BYTES_OF_ROW * n, f"a tensor of {n:,} elements")
        return cls(shape, SparseMatrix.identity(n, n + 1), layers, effort)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def index(self) -> Array:
        """The number of each element, in the tensor's shape."""
        return np.arange(self.size).reshape(self.shape)

    def gather(self, index: Array) -> AffineTensor:
        """The tensor of the elements with these numbers, in the shape of ``index``."""
        require_size(index.shape)
        return replace(self, shape=index.shape, affine=self.affine.take(index.ravel().tolist()))

    def reshape(self, shape: Sequence[int]) -> AffineTensor:
        if math.prod(shape) != self.size:
            raise ShapeError(f"cannot reshape {self.shape} to {tuple(shape)}")
        return replace(self, shape=tuple(shape))

    def transpose(self, axes: Sequence[int]) -> AffineTensor:
        return self.gather(transpose_array(self.index, axes))

    def broadcast_to(self, shape: tuple[int, ...]) -> AffineTensor:
        require_size(shape)
        return self if shape == self.shape else self.gather(np.broadcast_to(self.index, shape))

    def linear(self, matrix: SparseMatrix, shape: Sequence[int]) -> AffineTensor:
        """``matrix`` times the flattened tensor."""
        affine = matrix.times(self.affine, self.effort)
        return replace(self, shape=tuple(shape), affine=affine)

    def add_constant(self, constant: Array) -> AffineTensor:
        """Elementwise, with broadcasting."""
        shape = broadcast_shape(self.shape, constant.shape)
        tensor = self.broadcast_to(shape)
        last = self.affine.n_columns - 1
        values = np.broadcast_to(constant, shape).ravel().tolist()
        offsets: tuple[Row, ...] = tuple({last: c} if c else {} for c in values)
        return replace(tensor, affine=tensor.affine + SparseMatrix(last + 1, offsets))

    def scale(self, factors: Array) -> AffineTensor:
        """Elementwise product with constants, with broadcasting."""
        shape = broadcast_shape(self.shape, factors.shape)
        tensor = self.broadcast_to(shape)
        values = np.broadcast_to(factors, shape).ravel().tolist()
        return replace(tensor, affine=tensor.affine.scale_rows(values))

    def add(self, other: AffineTensor) -> AffineTensor:
        """Elementwise sum with another function of the same layer's input."""
        if self.layers is not other.layers:
            raise UnsupportedFormat(
                "adds tensors from different sides of a ReLU (a skip connection), "
                "expected a network of layers"
            )
        shape = broadcast_shape(self.shape, other.shape)
        left, right = self.broadcast_to(shape), other.broadcast_to(shape)
        return replace(left, affine=left.affine + right.affine)

    def convolve(
        self, kernel: Array, bias: Array | None, window: Window, groups: int
    ) -> AffineTensor:
        """The convolution of a tensor of shape (1, channels, …)."""
        channels = self._channels(len(window.kernel))
        matrix, shape = convolution(kernel, window, channels, groups, self.effort)
        result = self.linear(matrix, (1, *shape))
        return result if bias is None else result.add_constant(per_channel(bias, result.shape))

    def average_pool(
        self, window: Window, count_include_pad: bool, ceil_mode: bool
    ) -> AffineTensor:
        """The average pool of a tensor of shape (1, channels, …)."""
        channels = self._channels(len(window.kernel))
        matrix, shape = average_pool(window, channels, count_include_pad, ceil_mode, self.effort)
        return self.linear(matrix, (1, *shape))

    def max_pool(self, window: Window, ceil_mode: bool) -> AffineTensor:
        """The max pool of a tensor of shape (1, channels, …)."""
        channels = self._channels(len(window.kernel))
        windows, shape = max_pool_windows(window, channels, ceil_mode, self.effort)
        return self.maxima(windows, (1, *shape))

    def maxima(self, windows: Sequence[Sequence[int]], shape: Sequence[int]) -> AffineTensor:
        """The greatest element of each window (numbers of elements), by halving the windows.

        >>> x = AffineTensor.variable((3,))
        >>> network = x.maxima([[0, 1, 2], [2]], (2,)).network("max")
        >>> network([-3, -1, -2]), network.widths
        ((-1, -2), (3, 5, 5, 2))
        """
        tensor, waiting = self, [list(dict.fromkeys(window)) for window in windows]
        while any(len(window) > 1 for window in waiting):
            tensor, waiting = tensor._halved(waiting)
        return replace(
            tensor, shape=tuple(shape), affine=tensor.affine.take(window[0] for window in waiting)
        )

    def _halved(self, windows: Sequence[Sequence[int]]) -> tuple[AffineTensor, list[list[int]]]:
        """The greater of each two neighbours in a window, as the elements of the next layer."""
        pairs = [[tuple(window[k : k + 2]) for k in range(0, len(window), 2)] for window in windows]
        numbers = {pair: k for k, pair in enumerate(dict.fromkeys(p for w in pairs for p in w))}
        rows = self.affine.rows
        neurons: dict[tuple[int, ...], int] = {}
        parts: list[Row] = []
        sums: list[Row] = []
        for pair in numbers:
            self.effort.spend()
            a = pair[0]
            terms: dict[tuple[int, ...], fmpq] = {(a,): ONE}
            if not self._is_nonnegative(a):
                terms[(a, a)] = -ONE
            if len(pair) == 2:
                terms[pair] = ONE
            for key in terms:
                if key not in neurons:
                    neurons[key] = len(neurons)
                    parts.append(_difference(rows, key))
            sums.append({neurons[key]: sign for key, sign in terms.items()})
        width = self.affine.n_columns
        layer = Layer(SparseMatrix(width, tuple(parts)).to_matrix(self.effort))
        affine = SparseMatrix(len(neurons) + 1, tuple(sums))
        after = AffineTensor((len(sums),), affine, (*self.layers, layer), self.effort)
        return after, [[numbers[pair] for pair in window] for window in pairs]

    def _is_nonnegative(self, element: int) -> bool:
        """Whether its form says so: a combination of outputs of ReLUs without minus."""
        row = self.affine.rows[element]
        last = self.affine.n_columns - 1
        return all(v > 0 and (j == last or bool(self.layers)) for j, v in row.items())

    def _channels(self, n_axes: int) -> tuple[int, ...]:
        if len(self.shape) != n_axes + 2 or self.shape[0] != 1:
            raise ShapeError(
                f"found an input of shape {self.shape}, "
                f"expected (1, channels, …) with {n_axes} spatial axes"
            )
        return self.shape[1:]

    def batch_norm(
        self, scale: Array, shift: Array, mean: Array, variance: Array, epsilon: fmpq
    ) -> AffineTensor:
        """scale·(x − mean)/√(variance + ε) + shift for each channel (axis 1)."""
        if len(self.shape) < 2:
            raise ShapeError(f"found an input of shape {self.shape}, expected (1, channels, …)")
        roots = np.empty(len(variance), dtype=object)
        roots[:] = [_rational_root(v + epsilon, c) for c, v in enumerate(variance.tolist())]
        factors = per_channel(scale / roots, self.shape)
        return (
            self.add_constant(-per_channel(mean, self.shape))
            .scale(factors)
            .add_constant(per_channel(shift, self.shape))
        )

    def relu(self) -> AffineTensor:
        """Close the layer: the next tensor is a function of this one's ReLU."""
        layer = Layer(self.affine.to_matrix(self.effort))
        return self._identity(self.shape, (*self.layers, layer), self.effort)

    def network(self, name: str) -> Network:
        """The network whose output is this tensor, flattened."""
        return Network((*self.layers, Layer(self.affine.to_matrix(self.effort))), name)


def _difference(rows: Sequence[Row], key: tuple[int, ...]) -> Row:
    """The form whose ReLU is needed: (a) for a, (a, a) for −a, (a, b) for b − a."""
    if len(key) == 1:
        return rows[key[0]]
    a, b = key
    total = {j: -v for j, v in rows[a].items()}
    if a != b:
        for j, v in rows[b].items():
            total[j] = total[j] + v if j in total else v
    return {j: v for j, v in total.items() if v}


def matmul(left: AffineTensor | Array, right: AffineTensor | Array) -> AffineTensor:
    """The matrix product, as numpy's, of a tensor and a constant in either order."""
    if isinstance(left, AffineTensor):
        if isinstance(right, AffineTensor):
            raise UnsupportedFormat("multiplies two tensors that both depend on the input")
        tensor, a, b = left, left.index, right
    elif isinstance(right, AffineTensor):
        tensor, a, b = right, left, right.index
    else:
        raise ShapeError("a product of constants is no tensor")
    batch, kept = matmul_shape(a.shape, b.shape)
    n_products = math.prod((*batch, *kept)) * a.shape[-1]
    tensor.effort.need(BYTES_OF_TAP * n_products, f"a matrix product of {n_products:,} terms")
    rows_of, columns_of = np.atleast_2d(a), b.reshape(-1, 1) if b.ndim == 1 else b
    rows_of = np.broadcast_to(rows_of, (*batch, *rows_of.shape[-2:]))
    columns_of = np.broadcast_to(columns_of, (*batch, *columns_of.shape[-2:]))
    entries: list[Row] = []
    for t in np.ndindex(*batch):
        columns = columns_of[t].T.tolist()
        for row in rows_of[t].tolist():
            tensor.effort.spend()
            for column in columns:
                numbers, weights = (row, column) if tensor is left else (column, row)
                entries.append({k: w for k, w in zip(numbers, weights, strict=True) if w})
    return tensor.linear(SparseMatrix(tensor.size, tuple(entries)), (*batch, *kept))


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


def transpose_array(array: Array, axes: Sequence[int]) -> Array:
    if sorted(axes) != list(range(array.ndim)):
        raise ShapeError(
            f"found the permutation {tuple(axes)} for a tensor of shape {array.shape}, "
            f"expected one of 0 … {array.ndim - 1}"
        )
    return array.transpose(tuple(axes))


def not_supported(name: str) -> str:
    """Why an operator or a module of this name is refused, and where to read on.

    >>> not_supported("Tanh")
    'is not supported: it is curved, not piecewise affine (see howto/load in the manual)'
    """
    why = "no reader knows it"
    if name.lower() in _CURVED.split():
        why = "it is curved, not piecewise affine"
    elif name.lower() in _PIECEWISE.split():
        why = "it is piecewise affine, but no reader knows it yet"
    return f"is not supported: {why} (see {FORMATS_PAGE} in the manual)"


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        raise ShapeError(f"shapes {' and '.join(map(str, shapes))} do not broadcast") from None
    require_size(shape)
    return shape


def per_channel(values: Array, shape: tuple[int, ...]) -> Array:
    """A vector along axis 1 of a tensor of this shape."""
    if values.shape != (shape[1],):
        raise ShapeError(f"found shape {values.shape}, expected one number for {shape[1]} channels")
    return values.reshape(1, -1, *(1,) * (len(shape) - 2))


def _rational_root(value: fmpq, channel: int) -> fmpq:
    if value <= 0:
        raise UnsupportedFormat(
            f"channel {channel + 1}: variance + epsilon is {to_text(value)}, expected more than 0"
        )
    if not (value.p.is_square() and value.q.is_square()):
        raise UnsupportedFormat(
            f"channel {channel + 1}: the square root of variance + epsilon is irrational, so the "
            "normalisation has no rational weights; fold it into the layer before it"
        )
    return fmpq(value.p.isqrt(), value.q.isqrt())
