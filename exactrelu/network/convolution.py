"""Convolutional layers with exact kernels: the file, and the layer that it is.

A layer has kernels K of shape (M, C, k_1, …, k_d) on inputs of shape (C, n_1, …, n_d), strides,
a bias for each of the M outputs, and a padding: ``valid`` (none), ``zero`` (zeros around
the input, so that an axis of n inputs has ⌈n/stride⌉ outputs) or ``periodic`` (the input
goes on as on a torus, with as many outputs).  Puthawala et al., definitions 2 and 3, have
stride 1 and leave the padding open; the order of taps in a kernel is that of the input.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any, Literal, Unpack, get_args

import numpy as np
from flint import fmpq

from exactrelu.bounded import bounded
from exactrelu.display import Shown
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.errors import InputError, ShapeError, require_word
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward, outward
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.text import (
    as_list,
    as_number,
    as_vector,
    read_strict,
    require_format,
    require_keys,
)
from exactrelu.files import PathLike, errors_in
from exactrelu.network.formats.arrays import BYTES_OF_NUMBER, Array
from exactrelu.network.graph.dyadics import objects
from exactrelu.network.graph.forms import Combination
from exactrelu.network.graph.windows import KernelWindow, convolution
from exactrelu.network.network import Layer, Network

FORMAT = "exactrelu-convolution/1"
Padding = Literal["valid", "zero", "periodic"]
PADDINGS: tuple[Padding, ...] = get_args(Padding)


@dataclass(frozen=True, repr=False)
class Convolution(Outward, Shown):
    """A convolutional layer with exact kernels, before it is written as a matrix.

    Parameters
    ----------
    kernels : array of rationals
        Of shape (M, C, k_1, …): outputs, channels, window.
    input_shape : tuple of int
        (C, n_1, …).
    strides : tuple of int
        A step for each axis.
    padding : str
        ``"valid"``, ``"zero"`` or ``"periodic"``.
    bias : tuple of rationals
        A number for each of the M outputs.

    References
    ----------
    Puthawala et al., *Globally injective ReLU networks*, definitions 2 and 3.

    Examples
    --------
    >>> import exactrelu as er
    >>> import numpy as np
    >>> kernels = np.array([[er.matrices.vector([1, -1])]], dtype=object)
    >>> step = er.layers.Convolution(kernels, (1, 3), (1,), "valid", er.matrices.vector([0]))
    >>> step.layer().weights
    Matrix([[1, -1, 0], [0, 1, -1]])
    """

    kernels: Array
    input_shape: tuple[int, ...]
    strides: tuple[int, ...]
    padding: Padding
    bias: Vector

    def __post_init__(self) -> None:
        super().__post_init__()
        vars(self)["kernels"] = np.vectorize(outward, otypes=[object])(self.kernels)
        n_axes = len(self.input_shape) - 1
        if n_axes < 1 or self.kernels.ndim != n_axes + 2:
            raise ShapeError(
                f"found kernels of shape {self.kernels.shape} for inputs of shape "
                f"{self.input_shape}, expected (M, C, k_1, …) and (C, n_1, …)"
            )
        if len(self.strides) != n_axes or len(self.bias) != self.kernels.shape[0]:
            raise ShapeError(
                f"found {len(self.strides)} strides and {len(self.bias)} biases, "
                f"expected {n_axes} and {self.kernels.shape[0]}"
            )
        require_word(self.padding, PADDINGS, "padding")

    @property
    def window(self) -> tuple[int, ...]:
        """(k_1, …, k_d)."""
        return tuple(self.kernels.shape[2:])

    @property
    def spatial(self) -> tuple[int, ...]:
        """(n_1, …, n_d)."""
        return self.input_shape[1:]

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns of the matrix of the layer."""
        sides = zip(self.spatial, self.window, self.strides, strict=True)
        is_valid = self.padding == "valid"
        outputs = [(n - k) // s + 1 if is_valid else -(-n // s) for n, k, s in sides]
        return len(self.bias) * math.prod(outputs), math.prod(self.input_shape)

    def with_opposites(self, scales: Vector | None = None) -> Convolution:
        """The kernels c and −d·c with d > 0: what Corollary 2 pairs, for the whole layer."""
        factors = scales or (fmpq(1),) * len(self.bias)
        if len(factors) != len(self.bias) or any(d <= 0 for d in factors):
            raise InputError(f"expected {len(self.bias)} positive scales, one for each kernel")
        column = np.array(factors, dtype=object).reshape(-1, *[1] * (self.kernels.ndim - 1))
        kernels = np.concatenate([self.kernels, -column * self.kernels])
        opposite = tuple(-d * b for d, b in zip(factors, self.bias, strict=True))
        return Convolution(
            kernels, self.input_shape, self.strides, self.padding, (*self.bias, *opposite)
        )

    def layer(self, effort: Effort = UNLIMITED) -> Layer:
        """The layer: one row for each output and position, positions last."""
        map_ = self._map(effort)
        n_rows, width = self.shape
        what = f"a layer of {n_rows:,} × {width:,} entries"
        effort.need(BYTES_OF_NUMBER * n_rows * width, what)
        entries = [[ZERO] * width for _ in range(n_rows)]
        weights = objects(map_.weights).tolist()
        for i, j, w in zip(map_.rows.tolist(), map_.elements.tolist(), weights, strict=True):
            effort.spend()
            entries[i][j] = w
        bias = [b for b in self.bias for _ in range(n_rows // len(self.bias))]
        return Layer.of(Matrix(entries, width), bias)

    def network(self, effort: Effort = UNLIMITED) -> Network:
        """ReLU of the layer, followed by the identity."""
        layer = self.layer(effort)
        n = layer.n_outputs
        effort.need(BYTES_OF_NUMBER * n * n, f"the identity of {n:,} outputs")
        return Network((layer, Layer.of(Matrix.identity(n), [ZERO] * n)), "convolution")

    def _map(self, effort: Effort) -> Combination:
        """The layer as a sparse map, without the bias."""
        unit = (1,) * len(self.spatial)
        window = KernelWindow(self.window, self.strides, ((0, 0),) * len(unit), unit)
        if self.padding == "valid":
            return convolution(self.kernels, window, self.input_shape, effort=effort)[0]
        if self.padding == "zero":
            window = KernelWindow.same(self.window, self.strides, unit, self.spatial)
            return convolution(self.kernels, window, self.input_shape, effort=effort)[0]
        # On the torus: the map on a longer input, whose places are taken modulo n.
        longer = tuple(
            s * ((n - 1) // s) + k
            for n, k, s in zip(self.spatial, self.window, self.strides, strict=True)
        )
        shape = (self.input_shape[0], *longer)
        map_, _ = convolution(self.kernels, window, shape, effort=effort)
        channel, *position = np.unravel_index(map_.elements, shape)
        inside = [i % n for i, n in zip(position, self.spatial, strict=True)]
        places = np.ravel_multi_index((channel, *inside), self.input_shape)
        return Combination.of(map_.n_rows, map_.rows, places, map_.weights)


@bounded
def load_convolution(effort: Effort, /, path: PathLike, **limits: Unpack[Limits]) -> Convolution:
    """The convolutional layer in a JSON file.

    Parameters
    ----------
    path : str or path
        A file with ``format``, ``kernels``, ``input``, and perhaps ``strides``, ``padding``,
        ``bias``.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Convolution
        The layer.

    Raises
    ------
    InputError
        If the file is not of this form.

    Examples
    --------
    >>> import exactrelu as er
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = '{"format": "exactrelu-convolution/1", "kernels": [[[1, -1]]], "input": [1, 3]}'
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "step.json"
    ...     _ = path.write_text(text)
    ...     er.layers.load_convolution(path).shape
    (2, 3)
    """
    value = read_strict(path, effort)
    with errors_in(path):
        optional = ("bias", "padding", "stride")
        require_keys(value, "", required=("format", "input", "kernels"), optional=optional)
        require_format(value["format"], FORMAT)
        kernels = _tensor(value["kernels"])
        shape = _counts(value["input"], "input")
        stride = value.get("stride", "1")
        n_axes = len(shape) - 1
        strides = _counts(stride if isinstance(stride, list) else [stride] * n_axes, "stride")
        padding = require_word(value.get("padding", "valid"), PADDINGS, "padding")
        zeros = ["0"] * kernels.shape[0]
        return Convolution(
            kernels, shape, strides, padding, as_vector(value.get("bias", zeros), "bias")
        )


def _counts(value: Any, where: str) -> tuple[int, ...]:
    """A list of positive integers."""
    counts = []
    for i, entry in enumerate(as_list(value, where, "integers")):
        number = as_number(entry, f"{where}[{i}]")
        if number.q != 1 or number < 1:
            raise InputError(f"{where}[{i}]: found {number}, expected a positive integer")
        counts.append(int(number.p))
    return tuple(counts)


def _tensor(value: Any) -> Array:
    """Nested lists of numbers, all of one depth and of one length at each depth."""
    shape = []
    level = as_list(value, "kernels", "numbers")
    while isinstance(level, list):
        shape.append(len(level))
        if not level:
            raise InputError("kernels: an empty list, expected numbers")
        level = level[0]
    entries = []
    for place in itertools.product(*map(range, shape)):
        level, where = value, "kernels"
        for depth, i in enumerate(place):
            if not isinstance(level, list) or len(level) != shape[depth]:
                raise InputError(f"{where}: expected a list of {shape[depth]}")
            level, where = level[i], f"{where}[{i}]"
        entries.append(as_number(level, where))
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array.reshape(shape)
