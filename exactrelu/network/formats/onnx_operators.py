"""ONNX operators on exact affine tensors and constants, one function for each.

A value is an :class:`AffineTensor`, or a constant: a numpy array of float64 or int64
as it was stored, or of rationals as it was computed.  An operator takes a
:class:`Node` and returns its first output, or refuses with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, ShapeError, UnsupportedFormat
from exactrelu.exact.scalar import ONE, bits, rational
from exactrelu.network.formats.arrays import Array, exact_array, exact_scalar
from exactrelu.network.formats.convolution import Window
from exactrelu.network.formats.tensors import (
    AffineTensor,
    broadcast_shape,
    matmul,
    matmul_shape,
    transpose_array,
)

Value: TypeAlias = AffineTensor | Array

#: Constants computed from constants may not grow beyond this: squaring a number
#: forty times is forty nodes of a file and a number that fits no machine.
MAX_CONSTANT_BITS = 100_000


@dataclass(frozen=True)
class Node:
    """One node with its inputs computed (None: an optional input that is left out)."""

    inputs: Sequence[Value | None]
    input_names: Sequence[str]
    attributes: dict[str, Any]
    n_outputs: int
    effort: Effort = UNLIMITED

    def allow(self, *names: str) -> None:
        """Refuse every attribute but these: what is not understood is not ignored."""
        for name in self.attributes:
            if name not in names:
                raise UnsupportedFormat(f"the attribute {name!r} is not supported")

    def raw(self, i: int) -> Value:
        """Input i as it is."""
        value = self.inputs[i] if i < len(self.inputs) else None
        if value is None:
            raise InputError(f"input {i + 1} is missing")
        return value

    def value(self, i: int) -> Value:
        """Input i for arithmetic: a tensor or an exact array."""
        value = self.raw(i)
        return value if isinstance(value, AffineTensor) else self.constant(i)

    def tensor(self, i: int) -> AffineTensor:
        value = self.raw(i)
        if not isinstance(value, AffineTensor):
            raise UnsupportedFormat(f"input {i + 1} ({self.input_names[i]!r}) is a constant")
        return value

    def constant(self, i: int) -> Array:
        """Input i, which must be a constant of floats, exactly."""
        value = self.raw(i)
        name = self.input_names[i]
        if isinstance(value, AffineTensor):
            raise UnsupportedFormat(f"input {i + 1} ({name!r}) depends on the network's input")
        if value.dtype == np.int64:
            raise UnsupportedFormat(f"input {i + 1} ({name!r}): arithmetic on integers")
        return exact_array(value, f"constant {name!r}", self.effort)

    def optional_constant(self, i: int) -> Array | None:
        has_it = i < len(self.inputs) and self.inputs[i] is not None
        return self.constant(i) if has_it else None

    def integers(self, name: str, default: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(v) for v in self.attributes.get(name, default))


def _negated(value: Value) -> Value:
    return value.scale(exact_scalar(-1)) if isinstance(value, AffineTensor) else -value


def _plus(a: Value, b: Value) -> Value:
    if isinstance(a, AffineTensor):
        return a.add(b) if isinstance(b, AffineTensor) else a.add_constant(b)
    return b.add_constant(a) if isinstance(b, AffineTensor) else _constants(np.add, a, b)


def _times(a: Value, b: Value) -> Value:
    if isinstance(a, AffineTensor):
        if isinstance(b, AffineTensor):
            raise UnsupportedFormat("multiplies two tensors that both depend on the input")
        return a.scale(b)
    return b.scale(a) if isinstance(b, AffineTensor) else _constants(np.multiply, a, b)


def _product(a: Value, b: Value) -> Value:
    if isinstance(a, AffineTensor) or isinstance(b, AffineTensor):
        return matmul(a, b)
    matmul_shape(a.shape, b.shape)
    return _bounded(np.asarray(np.matmul(a, b), dtype=object))


def _constants(operation: Callable[[Array, Array], Array], a: Array, b: Array) -> Array:
    broadcast_shape(a.shape, b.shape)
    return _bounded(np.asarray(operation(a, b), dtype=object))


def _bounded(array: Array) -> Array:
    if any(bits(v) > MAX_CONSTANT_BITS for v in array.ravel().tolist()):
        raise UnsupportedFormat(f"a constant of more than {MAX_CONSTANT_BITS} bits")
    return array


def _add(node: Node) -> Value:
    node.allow()
    return _plus(node.value(0), node.value(1))


def _sub(node: Node) -> Value:
    node.allow()
    return _plus(node.value(0), _negated(node.value(1)))


def _mul(node: Node) -> Value:
    node.allow()
    return _times(node.value(0), node.value(1))


def _div(node: Node) -> Value:
    node.allow()
    divisor = node.constant(1)
    if not all(divisor.ravel().tolist()):
        raise InputError(f"the divisor {node.input_names[1]!r} contains 0")
    return _times(node.value(0), np.asarray(ONE / divisor, dtype=object))


def _matmul(node: Node) -> Value:
    node.allow()
    return _product(node.value(0), node.value(1))


def _gemm(node: Node) -> Value:
    """alpha · A' B' + beta · C."""
    node.allow("alpha", "beta", "transA", "transB")
    factors = []
    for i, flag in enumerate(("transA", "transB")):
        value = node.value(i)
        if len(value.shape) != 2:
            raise ShapeError(f"input {i + 1} has shape {value.shape}, expected two dimensions")
        factors.append(_transposed(value, (1, 0)) if node.attributes.get(flag, 0) else value)
    result = _scaled(_product(*factors), node.attributes.get("alpha", 1.0), "alpha")
    if len(node.inputs) < 3 or node.inputs[2] is None:
        return result
    total = _plus(result, _scaled(node.value(2), node.attributes.get("beta", 1.0), "beta"))
    if total.shape != result.shape:
        raise ShapeError(f"input 3 does not broadcast to the product's shape {result.shape}")
    return total


def _scaled(value: Value, factor: float, name: str) -> Value:
    return value if factor == 1 else _times(value, exact_scalar(rational(factor, name)))


def _relu(node: Node) -> Value:
    node.allow()
    return node.tensor(0).relu()


def _identity(node: Node) -> Value:
    node.allow()
    return node.raw(0)


def _dropout(node: Node) -> Value:
    """In inference the identity; ``training_mode`` must not be asked for."""
    node.allow("ratio", "seed")
    training = node.inputs[2] if len(node.inputs) > 2 else None
    if training is not None and (isinstance(training, AffineTensor) or training.any()):
        raise UnsupportedFormat("found training_mode, expected dropout in inference form")
    return node.raw(0)


def _constant(node: Node) -> Value:
    node.allow("value", "value_float", "value_floats", "value_int", "value_ints")
    if len(node.attributes) != 1:
        raise InputError("found no single value, expected one")
    ((name, value),) = node.attributes.items()
    if name == "value":
        return np.asarray(value)
    return np.asarray(value, dtype=np.float64 if "float" in name else np.int64)


def _reshaped(value: Value, shape: Sequence[int]) -> Value:
    if isinstance(value, AffineTensor):
        return value.reshape(shape)
    if math.prod(shape) != value.size:
        raise ShapeError(f"cannot reshape {value.shape} to {tuple(shape)}")
    return value.reshape(tuple(shape))


def _transposed(value: Value, axes: Sequence[int]) -> Value:
    if isinstance(value, AffineTensor):
        return value.transpose(axes)
    return transpose_array(value, axes)


def _flatten(node: Node) -> Value:
    node.allow("axis")
    value = node.raw(0)
    rank = len(value.shape)
    axis = int(node.attributes.get("axis", 1))
    if not -rank <= axis <= rank:
        raise ShapeError(f"found axis {axis} for a tensor of shape {value.shape}")
    axis = axis + rank if axis < 0 else axis
    return _reshaped(value, (math.prod(value.shape[:axis]), math.prod(value.shape[axis:])))


def _reshape(node: Node) -> Value:
    """-1 stands for what is left; 0 copies a dimension unless ``allowzero``."""
    node.allow("allowzero")
    value, target = node.raw(0), node.raw(1)
    if isinstance(target, AffineTensor) or target.dtype != np.int64 or target.ndim != 1:
        raise UnsupportedFormat("found a shape that is no constant list of integers")
    shape = target.tolist()
    if min(shape, default=0) < -1 or shape.count(-1) > 1:
        raise ShapeError(f"found the shape {shape}, expected at most one -1 and no other negatives")
    for i, size in enumerate(shape):
        if size == 0 and not node.attributes.get("allowzero", 0):
            if i >= len(value.shape):
                raise ShapeError(
                    f"found the shape {shape}: no dimension {i} to copy in {value.shape}"
                )
            shape[i] = value.shape[i]
    if -1 in shape:
        known = math.prod(size for size in shape if size != -1)
        if known == 0 or math.prod(value.shape) % known:
            raise ShapeError(f"cannot reshape {value.shape} to {shape}")
        shape[shape.index(-1)] = math.prod(value.shape) // known
    return _reshaped(value, shape)


def _transpose(node: Node) -> Value:
    node.allow("perm")
    value = node.raw(0)
    return _transposed(value, node.integers("perm", range(len(value.shape))[::-1]))


def _conv(node: Node) -> Value:
    node.allow("auto_pad", "dilations", "group", "kernel_shape", "pads", "strides")
    x, kernel = node.tensor(0), node.constant(1)
    if kernel.ndim < 3:
        raise ShapeError(f"found a kernel of shape {kernel.shape}, expected (outputs, inputs, …)")
    if node.integers("kernel_shape", kernel.shape[2:]) != kernel.shape[2:]:
        raise ShapeError(f"kernel_shape does not fit the kernel of shape {kernel.shape}")
    window = _window(node, kernel.shape[2:], x.shape[2:])
    groups = int(node.attributes.get("group", 1))
    return x.convolve(kernel, node.optional_constant(2), window, groups)


def _average_pool(node: Node) -> Value:
    node.allow(
        "auto_pad", "ceil_mode", "count_include_pad", "dilations", "kernel_shape", "pads", "strides"
    )
    x = node.tensor(0)
    window = _window(node, node.integers("kernel_shape", ()), x.shape[2:])
    include = bool(node.attributes.get("count_include_pad", 0))
    return x.average_pool(window, include, bool(node.attributes.get("ceil_mode", 0)))


def _max_pool(node: Node) -> Value:
    node.allow(
        "auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "storage_order", "strides"
    )
    if node.n_outputs != 1:
        raise UnsupportedFormat("found the output of indices, expected the values only")
    x = node.tensor(0)
    window = _window(node, node.integers("kernel_shape", ()), x.shape[2:])
    return x.max_pool(window, bool(node.attributes.get("ceil_mode", 0)))


def _window(node: Node, kernel: tuple[int, ...], spatial: tuple[int, ...]) -> Window:
    n = len(kernel)
    if n == 0 or n != len(spatial):
        raise ShapeError(f"found a kernel {kernel} for an input with spatial axes {spatial}")
    strides = node.integers("strides", (1,) * n)
    dilations = node.integers("dilations", (1,) * n)
    pads = node.integers("pads", (0,) * 2 * n)
    if len(pads) != 2 * n:
        raise ShapeError(f"found pads {pads}, expected {2 * n} numbers")
    explicit = Window(kernel, strides, tuple(zip(pads[:n], pads[n:], strict=True)), dilations)
    auto_pad = node.attributes.get("auto_pad", "NOTSET")
    if auto_pad == "NOTSET":
        return explicit
    if any(pads):
        raise InputError(f"found pads {pads} together with auto_pad {auto_pad}")
    if auto_pad == "VALID":
        return explicit
    if auto_pad not in ("SAME_UPPER", "SAME_LOWER"):
        raise InputError(f"found auto_pad {auto_pad!r}")
    return Window.same(kernel, strides, dilations, spatial, more_before=auto_pad == "SAME_LOWER")


def _batch_normalization(node: Node) -> Value:
    node.allow("epsilon", "momentum", "training_mode", "spatial")
    if node.n_outputs != 1 or node.attributes.get("training_mode", 0):
        raise UnsupportedFormat("found training mode, expected the inference form")
    if node.attributes.get("spatial", 1) != 1:
        raise UnsupportedFormat("found spatial = 0, expected statistics for each channel")
    scale, shift, mean, variance = (node.constant(i) for i in range(1, 5))
    # The default of the schema is a float32, like every float attribute.
    epsilon = node.attributes.get("epsilon", float(np.float32(1e-5)))
    return node.tensor(0).batch_norm(scale, shift, mean, variance, rational(epsilon, "epsilon"))


#: Every operator that is read; any other is refused by name.
OPERATORS: dict[str, Callable[[Node], Value]] = {
    "Add": _add,
    "AveragePool": _average_pool,
    "BatchNormalization": _batch_normalization,
    "Constant": _constant,
    "Conv": _conv,
    "Div": _div,
    "Dropout": _dropout,
    "Flatten": _flatten,
    "Gemm": _gemm,
    "Identity": _identity,
    "MatMul": _matmul,
    "MaxPool": _max_pool,
    "Mul": _mul,
    "Relu": _relu,
    "Reshape": _reshape,
    "Sub": _sub,
    "Transpose": _transpose,
}
