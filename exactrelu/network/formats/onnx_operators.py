"""ONNX operators on exact tensors and constants, one function for each.

A value is a :class:`Tensor` of a graph, or a constant: a numpy array of float64 or rationals, or of
integers and truth values.  An operator takes a :class:`Node` and returns its outputs, or refuses
with the reason.  What moves elements or computes shapes is in
:mod:`exactrelu.network.formats.onnx_movement`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, ShapeError, UnsupportedFormat
from exactrelu.exact.scalar import ONE, bits, rational
from exactrelu.network.formats.arrays import Array
from exactrelu.network.formats.onnx_movement import (
    DATA_INPUTS,
    ON_INTEGERS,
    is_integer,
    moved,
    on_integers,
)
from exactrelu.network.formats.onnx_resize import resized
from exactrelu.network.formats.refusals import not_supported
from exactrelu.network.graph.dyadics import (
    Numbers,
    floats_if_exact,
    is_nonzero,
    objects,
    product,
    total,
)
from exactrelu.network.graph.forms import Combination
from exactrelu.network.graph.roots import Roots, square_roots
from exactrelu.network.graph.tensor import Tensor, broadcast_shape, matmul, matmul_shape
from exactrelu.network.graph.windows import Window

Value: TypeAlias = Tensor | Array

#: Constants computed from constants may not grow beyond this: squaring a number
#: forty times is forty nodes of a file and a number that fits no machine.
MAX_CONSTANT_BITS = 100_000

#: A bound of this size is none: exporters write the largest float32 for infinity.
_INFINITE = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Node:
    """One node with its inputs computed (None: an optional input that is left out)."""

    kind: str
    inputs: Sequence[Value | None]
    input_names: Sequence[str]
    attributes: dict[str, Any]
    n_outputs: int
    opset: int
    proto: Any
    roots: Roots = Roots.EXACT
    effort: Effort = field(default=UNLIMITED, repr=False)

    def with_attributes(self, **changed: float) -> Node:
        """The same node with other numbers as attributes."""
        import onnx

        proto = onnx.NodeProto()
        proto.CopyFrom(self.proto)
        kept = [a for a in proto.attribute if a.name not in changed]
        del proto.attribute[:]
        proto.attribute.extend(kept)
        proto.attribute.extend(onnx.helper.make_attribute(n, v) for n, v in changed.items())
        return replace(self, proto=proto, attributes={**self.attributes, **changed})

    def raw(self, i: int) -> Value:
        """Input i as it is."""
        value = self.inputs[i] if i < len(self.inputs) else None
        if value is None:
            raise InputError(f"input {i + 1} is missing")
        return value

    def has(self, i: int) -> bool:
        """Whether input i is given."""
        return i < len(self.inputs) and self.inputs[i] is not None

    def value(self, i: int) -> Value:
        """Input i for arithmetic: a tensor or exact numbers."""
        value = self.raw(i)
        return value if isinstance(value, Tensor) else self.constant(i)

    def values(self) -> list[Value]:
        """All inputs for arithmetic."""
        return [self.value(i) for i in range(len(self.inputs))]

    def tensor(self, i: int) -> Tensor:
        value = self.raw(i)
        if not isinstance(value, Tensor):
            raise UnsupportedFormat(f"input {i + 1} ({self.input_names[i]!r}) is a constant")
        return value

    def constant(self, i: int) -> Numbers:
        """Input i, which must be a constant, as exact numbers."""
        value = self.raw(i)
        name = self.input_names[i]
        if isinstance(value, Tensor):
            raise UnsupportedFormat(f"input {i + 1} ({name!r}) depends on the network's input")
        if value.dtype.kind in "iub":
            return value.astype(np.float64)
        if value.dtype != object and not np.isfinite(value).all():
            where = np.argwhere(~np.isfinite(value))[0].tolist()
            raise InputError(
                f"constant {name!r}{where}: found {value[tuple(where)]}, expected a finite number"
            )
        return value

    def optional_constant(self, i: int) -> Numbers | None:
        return self.constant(i) if self.has(i) else None

    def integers(self, name: str, default: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(v) for v in self.attributes.get(name, default))

    def number(self, name: str, default: float) -> Numbers:
        """A float attribute; the defaults of ONNX are float32."""
        value = self.attributes.get(name, float(np.float32(default)))
        rational(value, name)
        return np.array(float(value))

    def bounds(self, i: int, name: str) -> Numbers | None:
        """A bound of Clip: an input, or an attribute before opset 11; None for none."""
        if self.has(i):
            value = self.raw(i)
            if isinstance(value, Tensor):
                raise UnsupportedFormat(
                    f"input {i + 1} ({self.input_names[i]!r}) depends on the network's input, "
                    "expected a constant bound"
                )
            array = np.asarray(value)
        elif name in self.attributes:
            array = np.array(self.attributes[name])
        else:
            return None
        if array.size != 1:
            raise ShapeError(f"input {i + 1} has shape {array.shape}, expected one number")
        bound = array.reshape(())
        if array.dtype != object:
            if np.isnan(bound):
                raise InputError(f"input {i + 1}: found nan, expected a number")
            if abs(float(bound)) >= _INFINITE:
                return None
        return np.asarray(bound, dtype=None if array.dtype == object else np.float64)


# --- Arithmetic


def _negated(value: Value) -> Value:
    return value.negated() if isinstance(value, Tensor) else np.asarray(-value)


def _plus(a: Value, b: Value) -> Value:
    if isinstance(a, Tensor):
        return a.add(b) if isinstance(b, Tensor) else a.add_constant(b)
    return b.add_constant(a) if isinstance(b, Tensor) else _constants(total, a, b)


def _times(a: Value, b: Value) -> Value:
    if isinstance(a, Tensor):
        return a.multiply(b) if isinstance(b, Tensor) else a.scale(b)
    return b.scale(a) if isinstance(b, Tensor) else _constants(product, a, b)


def _product(a: Value, b: Value) -> Value:
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return matmul(a, b)
    matmul_shape(a.shape, b.shape)
    return _bounded(np.asarray(np.matmul(objects(a), objects(b)), dtype=object))


def _constants(operation: Callable[[Array, Array], Array], a: Array, b: Array) -> Array:
    shape = broadcast_shape(a.shape, b.shape)
    return _bounded(operation(np.broadcast_to(a, shape), np.broadcast_to(b, shape)))


def _bounded(array: Array) -> Array:
    found = floats_if_exact(np.asarray(array))
    if found.dtype == object and any(bits(v) > MAX_CONSTANT_BITS for v in found.ravel().tolist()):
        raise UnsupportedFormat(f"a constant of more than {MAX_CONSTANT_BITS} bits")
    return found


def _add(node: Node) -> Value:
    return _plus(node.value(0), node.value(1))


def _sub(node: Node) -> Value:
    return _plus(node.value(0), _negated(node.value(1)))


def _sum(node: Node) -> Value:
    first, *rest = node.values()
    for value in rest:
        first = _plus(first, value)
    return first


def _mean(node: Node) -> Value:
    share = floats_if_exact(np.array(ONE / len(node.inputs), dtype=object))
    return _times(_sum(node), share)


def _neg(node: Node) -> Value:
    return _negated(node.value(0))


def _mul(node: Node) -> Value:
    return _times(node.value(0), node.value(1))


def _div(node: Node) -> Value:
    divisor = node.raw(1)
    if isinstance(divisor, Tensor):
        if not divisor.forms.is_constant.all():
            raise UnsupportedFormat(
                f"the divisor {node.input_names[1]!r} depends on the network's input"
            )
        divisor = divisor.forms.constants.reshape(divisor.shape)
    else:
        divisor = node.constant(1)
    if not is_nonzero(divisor).all():
        raise InputError(f"the divisor {node.input_names[1]!r} contains 0")
    inverse = floats_if_exact(np.asarray(ONE / objects(divisor), dtype=object))
    return _times(node.value(0), inverse)


def _matmul(node: Node) -> Value:
    return _product(node.value(0), node.value(1))


def _gemm(node: Node) -> Value:
    """alpha · A' B' + beta · C."""
    factors = []
    for i, flag in enumerate(("transA", "transB")):
        value = node.value(i)
        if len(value.shape) != 2:
            raise ShapeError(f"input {i + 1} has shape {value.shape}, expected two dimensions")
        factors.append(value.transpose((1, 0)) if node.attributes.get(flag, 0) else value)
    result = _scaled(_product(*factors), node.attributes.get("alpha", 1.0), "alpha")
    if not node.has(2):
        return result
    added = _plus(result, _scaled(node.value(2), node.attributes.get("beta", 1.0), "beta"))
    if added.shape != result.shape:
        raise ShapeError(f"input 3 does not broadcast to the product's shape {result.shape}")
    return added


def _scaled(value: Value, factor: float, name: str) -> Value:
    rational(factor, name)
    return value if factor == 1 else _times(value, np.array(float(factor)))


def _dequantize(node: Node) -> Value:
    """(q − zero)·scale of constants, for the whole tensor or along an axis."""
    value = node.raw(0)
    if isinstance(value, Tensor):
        raise UnsupportedFormat("dequantises a tensor that depends on the network's input")
    scale, shape = node.constant(1), value.shape
    zero = node.constant(2) if node.has(2) else np.zeros(scale.shape)
    if scale.ndim == 1 and scale.size > 1:
        axis = int(node.attributes.get("axis", 1))
        around = [1] * len(shape)
        around[axis] = scale.size
        scale, zero = scale.reshape(around), zero.reshape(around)
    elif scale.ndim > 1 and scale.size > 1:
        raise UnsupportedFormat(f"found scales of shape {scale.shape}, expected one for each axis")
    else:
        scale, zero = scale.reshape(()), zero.reshape(())
    numbers = node.constant(0)
    return _constants(product, _constants(total, numbers, -zero), scale)


# --- Reductions


def _axes(node: Node, rank: int) -> tuple[int, ...] | None:
    """The axes of a reduction; None if nothing is to be done."""
    if node.has(1):
        given = [int(a) for a in np.asarray(node.raw(1)).ravel()]
    else:
        given = list(node.integers("axes", ()))
    if not given:
        return None if node.attributes.get("noop_with_empty_axes", 0) else tuple(range(rank))
    if any(not -rank <= axis < rank for axis in given):
        raise ShapeError(f"found the axes {given} for {rank} dimensions")
    return tuple(sorted({axis % rank for axis in given}))


def _reduced(node: Node, of: Callable[[Tensor], Tensor] = lambda x: x) -> tuple[Value, int]:
    x = node.tensor(0)
    axes = _axes(node, len(x.shape))
    if axes is None:
        return of(x), 1
    return of(x).sums(axes, bool(node.attributes.get("keepdims", 1)))


def _reduce_sum(node: Node) -> Value:
    return _reduced(node)[0]


def _reduce_l1(node: Node) -> Value:
    return _reduced(node, Tensor.absolute)[0]


def _reduce_mean(node: Node) -> Value:
    summed, count = _reduced(node)
    return _times(summed, floats_if_exact(np.array(ONE / count, dtype=object)))


def _reduce_max(node: Node) -> Value:
    return _greatest(node, node.tensor(0))


def _reduce_min(node: Node) -> Value:
    return _negated(_greatest(node, node.tensor(0).negated()))


def _greatest(node: Node, x: Tensor) -> Tensor:
    axes = _axes(node, len(x.shape))
    if axes is None:
        return x
    keepdims = bool(node.attributes.get("keepdims", 1))
    kept = [k for k in range(len(x.shape)) if k not in axes]
    windows = x.index.transpose([*kept, *axes]).reshape(math.prod(x.shape[k] for k in kept), -1)
    shape = tuple(1 if k in axes else n for k, n in enumerate(x.shape) if keepdims or k not in axes)
    return x.maxima(windows.tolist(), shape)


def _cumulative_sum(node: Node) -> Value:
    x = node.tensor(0)
    axis = int(np.asarray(node.raw(1)).ravel()[0])
    rank = len(x.shape)
    if not -rank <= axis < rank:
        raise ShapeError(f"found the axis {axis} for {rank} dimensions")
    index = np.moveaxis(x.index, axis, -1)
    n = index.shape[-1]
    reads = np.tri(n, k=-1 if node.attributes.get("exclusive", 0) else 0, dtype=bool)
    reads = reads[::-1, ::-1] if node.attributes.get("reverse", 0) else reads
    rows, places = np.nonzero(np.tile(reads, (index.size // n, 1)))
    elements = index.reshape(-1, n)[rows // n, places]
    map_ = Combination.of(index.size, rows, elements, np.ones(len(rows)))
    moved_to = np.moveaxis(np.arange(x.size).reshape(index.shape), -1, axis)
    return x.linear(map_, index.shape).gather(moved_to)


# --- What bends


def _relu(node: Node) -> Value:
    value = node.value(0)
    return value.relu() if isinstance(value, Tensor) else np.maximum(value, 0 * value)


def _leaky_relu(node: Node) -> Value:
    return node.tensor(0).leaky(node.number("alpha", 0.01))


def _prelu(node: Node) -> Value:
    return node.tensor(0).leaky(node.constant(1))


def _thresholded_relu(node: Node) -> Value:
    if node.attributes.get("alpha", 1.0) != 0:
        raise UnsupportedFormat("is not continuous where alpha is not 0")
    return node.tensor(0).relu()


def _abs(node: Node) -> Value:
    value = node.value(0)
    return value.absolute() if isinstance(value, Tensor) else np.abs(value)


def _max(node: Node) -> Value:
    return _extreme(node.values())


def _min(node: Node) -> Value:
    return _negated(_extreme([_negated(value) for value in node.values()]))


def _extreme(values: Sequence[Value]) -> Value:
    tensor = next((value for value in values if isinstance(value, Tensor)), None)
    if tensor is None:
        found = values[0]
        for value in values[1:]:
            found = _constants(np.maximum, found, value)
        return found
    waiting = [v if isinstance(v, Tensor) else tensor.constant(np.asarray(v)) for v in values]
    while len(waiting) > 1:
        pairs = [waiting[k : k + 2] for k in range(0, len(waiting), 2)]
        waiting = [pair[0] if len(pair) == 1 else pair[0].maximum(pair[1]) for pair in pairs]
    return waiting[0]


def _clip(node: Node) -> Value:
    low, high = node.bounds(1, "min"), node.bounds(2, "max")
    if low is not None and high is not None and low > high:
        # ONNX says min(max(z, low), high).
        return node.tensor(0).scale(np.array(0.0)).add_constant(high)
    return node.tensor(0).clip(low, high)


def _hard_sigmoid(node: Node) -> Value:
    z = node.tensor(0).scale(node.number("alpha", 0.2)).add_constant(node.number("beta", 0.5))
    return z.clip(np.array(0.0), np.array(1.0))


# --- Convolutions and pools


def _conv(node: Node) -> Value:
    x, kernel = node.tensor(0), _kernel(node)
    window = _window(node, kernel.shape[2:], x.shape[2:])
    groups = int(node.attributes.get("group", 1))
    return x.convolve(kernel, node.optional_constant(2), window, groups)


def _kernel(node: Node) -> Numbers:
    kernel = node.constant(1)
    if kernel.ndim < 3:
        raise ShapeError(f"found a kernel of shape {kernel.shape}, expected (outputs, inputs, …)")
    if node.integers("kernel_shape", kernel.shape[2:]) != kernel.shape[2:]:
        raise ShapeError(f"kernel_shape does not fit the kernel of shape {kernel.shape}")
    return kernel


def _conv_transpose(node: Node) -> Value:
    x, kernel = node.tensor(0), _kernel(node)
    n = kernel.ndim - 2
    if node.attributes.get("auto_pad", "NOTSET") not in ("NOTSET", "VALID"):
        raise UnsupportedFormat(f"found auto_pad {node.attributes['auto_pad']!r}")
    window = _window(node, kernel.shape[2:], x.shape[2:])
    more = list(node.integers("output_padding", (0,) * n))
    if "output_shape" in node.attributes:
        wanted = node.integers("output_shape", ())[-n:]
        pads = []
        for k in range(n):
            size = window.strides[k] * (x.shape[2 + k] - 1) + more[k]
            size += window.dilations[k] * (window.kernel[k] - 1) + 1
            over = size - wanted[k]
            if over < 0:
                raise UnsupportedFormat("found an output_shape larger than the kernel reaches")
            pads.append((over // 2, over - over // 2))
        window = replace(window, pads=tuple(pads))
    groups = int(node.attributes.get("group", 1))
    return x.convolve_transposed(kernel, node.optional_constant(2), window, groups, more)


def _average_pool(node: Node) -> Value:
    x = node.tensor(0)
    window = _window(node, node.integers("kernel_shape", ()), x.shape[2:])
    return x.average_pool(window, bool(node.attributes.get("count_include_pad", 0)))


def _max_pool(node: Node) -> Value:
    if node.n_outputs != 1:
        raise UnsupportedFormat("found the output of indices, expected the values only")
    x = node.tensor(0)
    return x.max_pool(_window(node, node.integers("kernel_shape", ()), x.shape[2:]))


def _global_average_pool(node: Node) -> Value:
    summed, count = node.tensor(0).sums(range(2, len(node.tensor(0).shape)), keepdims=True)
    return _times(summed, floats_if_exact(np.array(ONE / count, dtype=object)))


def _global_max_pool(node: Node) -> Value:
    x = node.tensor(0)
    windows = x.index.reshape(math.prod(x.shape[:2]), -1)
    return x.maxima(windows.tolist(), (*x.shape[:2], *(1,) * (len(x.shape) - 2)))


def _window(node: Node, kernel: tuple[int, ...], spatial: tuple[int, ...]) -> Window:
    n = len(kernel)
    if n == 0 or n != len(spatial):
        raise ShapeError(f"found a kernel {kernel} for an input with spatial axes {spatial}")
    strides = node.integers("strides", (1,) * n)
    dilations = node.integers("dilations", (1,) * n)
    pads = node.integers("pads", (0,) * 2 * n)
    if len(pads) != 2 * n:
        raise ShapeError(f"found pads {pads}, expected {2 * n} numbers")
    pairs = tuple(zip(pads[:n], pads[n:], strict=True))
    explicit = Window(kernel, strides, pairs, dilations, bool(node.attributes.get("ceil_mode", 0)))
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
    if node.n_outputs != 1 or node.attributes.get("training_mode", 0):
        raise UnsupportedFormat("found training mode, expected the inference form")
    if node.attributes.get("spatial", 1) != 1:
        raise UnsupportedFormat("found spatial = 0, expected statistics for each channel")
    scale, shift, mean, variance = (node.constant(i) for i in range(1, 5))
    roots = square_roots(total(variance, node.number("epsilon", 1e-5)), node.roots)
    return node.tensor(0).batch_norm(scale, shift, mean, roots)


# --- Constants, types


def _sqrt(node: Node) -> Value:
    values = node.constant(0)
    return square_roots(values.ravel(), node.roots).reshape(values.shape)


def _dropout(node: Node) -> Value:
    """In inference the identity; ``training_mode`` must not be asked for."""
    training = node.inputs[2] if len(node.inputs) > 2 else None
    if training is not None and (isinstance(training, Tensor) or training.any()):
        raise UnsupportedFormat("found training_mode, expected dropout in inference form")
    return node.raw(0)


def _constant(node: Node) -> Value:
    if len(node.attributes) != 1:
        raise InputError("found no single value, expected one")
    ((name, value),) = node.attributes.items()
    if name == "value":
        return np.asarray(value)
    if name not in ("value_float", "value_floats", "value_int", "value_ints"):
        raise UnsupportedFormat(f"the attribute {name!r} is not supported")
    return np.asarray(value, dtype=np.float64 if "float" in name else np.int64)


def _constant_of_shape(node: Node) -> Value:
    shape = [int(n) for n in np.asarray(node.raw(0)).ravel()]
    from exactrelu.network.graph.windows import require_size

    require_size(shape)
    value = np.asarray(node.attributes.get("value", np.zeros(1)))
    return np.broadcast_to(value.ravel()[0], shape).copy()


def _shape(node: Node) -> Value:
    shape = np.array(node.raw(0).shape, np.int64)
    start, end = int(node.attributes.get("start", 0)), node.attributes.get("end")
    return shape[start : None if end is None else int(end)]


def _size(node: Node) -> Value:
    return np.array(math.prod(node.raw(0).shape), np.int64)


def _cast(node: Node) -> Value:
    """The identity to float32 and float64; constants are converted."""
    import onnx

    kinds = onnx.TensorProto
    if node.kind == "CastLike":
        like = node.raw(1)
        to = kinds.DOUBLE if isinstance(like, Tensor) or like.dtype.kind in "fO" else kinds.INT64
    else:
        to = int(node.attributes["to"])
    value = node.raw(0)
    wide = to in (kinds.FLOAT, kinds.DOUBLE)
    if isinstance(value, Tensor):
        if wide:
            return value
        raise UnsupportedFormat(f"rounds a tensor to {kinds.DataType.Name(to).lower()}")
    if value.dtype.kind in "iub":
        return value.astype(np.float64) if wide else value.astype(np.int64)
    if wide:
        return value
    if to == kinds.BOOL:
        return np.asarray(is_nonzero(value))
    if to not in (kinds.INT64, kinds.INT32, kinds.INT16, kinds.INT8, kinds.UINT8):
        raise UnsupportedFormat(f"rounds a constant to {kinds.DataType.Name(to).lower()}")
    return np.asarray([int(v) for v in objects(value).ravel().tolist()], np.int64).reshape(
        value.shape
    )


#: Every operator that computes with tensors.
OPERATORS: dict[str, Callable[[Node], Value]] = {
    "Abs": _abs,
    "Add": _add,
    "AveragePool": _average_pool,
    "BatchNormalization": _batch_normalization,
    "Cast": _cast,
    "CastLike": _cast,
    "Clip": _clip,
    "Constant": _constant,
    "ConstantOfShape": _constant_of_shape,
    "Conv": _conv,
    "ConvTranspose": _conv_transpose,
    "CumSum": _cumulative_sum,
    "DequantizeLinear": _dequantize,
    "Div": _div,
    "Dropout": _dropout,
    "Gemm": _gemm,
    "GlobalAveragePool": _global_average_pool,
    "GlobalMaxPool": _global_max_pool,
    "HardSigmoid": _hard_sigmoid,
    "LeakyRelu": _leaky_relu,
    "MatMul": _matmul,
    "Max": _max,
    "MaxPool": _max_pool,
    "Mean": _mean,
    "Min": _min,
    "Mul": _mul,
    "Neg": _neg,
    "PRelu": _prelu,
    "ReduceL1": _reduce_l1,
    "ReduceMax": _reduce_max,
    "ReduceMean": _reduce_mean,
    "ReduceMin": _reduce_min,
    "ReduceSum": _reduce_sum,
    "Relu": _relu,
    "Resize": resized,
    "Shape": _shape,
    "Size": _size,
    "Sqrt": _sqrt,
    "Sub": _sub,
    "Sum": _sum,
    "ThresholdedRelu": _thresholded_relu,
    "Upsample": resized,
}

def applied(node: Node) -> list[Value]:
    """The outputs of a node, or why it has none here."""
    given = [value for value in node.inputs if value is not None]
    if node.kind in ON_INTEGERS and given and all(map(is_integer, given)):
        return on_integers(node)
    if node.kind in DATA_INPUTS:
        return moved(node)
    operator = OPERATORS.get(node.kind)
    if operator is not None:
        return [operator(node)]
    raise UnsupportedFormat(f"the operator {node.kind} {not_supported(node.kind)}")
