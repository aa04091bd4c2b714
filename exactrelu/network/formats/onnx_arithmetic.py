"""ONNX operators that are linear in the tensor: sums, products with constants, and what is summed.

Of two factors one must be constant, for a matrix product as a whole, else for each element.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from exactrelu.errors import InputError, ShapeError, UnsupportedFormat
from exactrelu.exact.scalar import ONE, rational
from exactrelu.network.formats.onnx_node import (
    Node,
    Operator,
    Value,
    distinct_axes,
    matrix_product,
    negated,
    of_constants,
    one_over,
    plus,
    times,
)
from exactrelu.network.graph.dyadics import floats_if_exact, is_nonzero, objects, product, total
from exactrelu.network.graph.forms import BYTES_OF_PRODUCT, Combination
from exactrelu.network.graph.tensor import Tensor
from exactrelu.network.graph.windows import MAX_ENTRIES, require_size

#: float32 and float64 in ONNX.
_WIDE = (1, 11)


def _add(node: Node) -> Value:
    return plus(node.value(0), node.value(1))


def _sub(node: Node) -> Value:
    return plus(node.value(0), negated(node.value(1)))


def _sum(node: Node) -> Value:
    first, *rest = node.values()
    for value in rest:
        first = plus(first, value)
    return first


def _mean(node: Node) -> Value:
    share = one_over(len(node.inputs))
    return times(_sum(node), share)


def _neg(node: Node) -> Value:
    return negated(node.value(0))


def _mul(node: Node) -> Value:
    return times(node.value(0), node.value(1))


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
    return times(node.value(0), inverse)


def _matmul(node: Node) -> Value:
    return matrix_product(node.value(0), node.value(1))


def _gemm(node: Node) -> Value:
    """alpha · A' B' + beta · C."""
    factors = []
    for i, flag in enumerate(("transA", "transB")):
        value = node.value(i)
        if len(value.shape) != 2:
            raise ShapeError(f"input {i + 1} has shape {value.shape}, expected two dimensions")
        factors.append(value.transpose((1, 0)) if node.attributes.get(flag, 0) else value)
    result = _scaled(matrix_product(*factors), node.attributes.get("alpha", 1.0), "alpha")
    if not node.has(2):
        return result
    added = plus(result, _scaled(node.value(2), node.attributes.get("beta", 1.0), "beta"))
    if added.shape != result.shape:
        raise ShapeError(f"input 3 does not broadcast to the product's shape {result.shape}")
    return added


def _scaled(value: Value, factor: float, name: str) -> Value:
    rational(factor, name)
    return value if factor == 1 else times(value, np.array(float(factor)))


def _dequantize(node: Node) -> Value:
    """(q − zero)·scale of constants, for the whole tensor or along an axis."""
    value = node.raw(0)
    if isinstance(value, Tensor):
        raise UnsupportedFormat("dequantises a tensor that depends on the network's input")
    scale, shape = node.constant(1), value.shape
    zero = node.constant(2) if node.has(2) else np.zeros(scale.shape)
    if zero.size != scale.size:
        raise ShapeError(f"found scales of shape {scale.shape} and zeros of shape {zero.shape}")
    if node.attributes.get("output_dtype", 0) not in (0, *_WIDE):
        raise UnsupportedFormat("rounds to the type output_dtype, expected float32 or float64")
    if scale.ndim == 1 and scale.size > 1:
        (axis,) = distinct_axes([int(node.attributes.get("axis", 1))], len(shape))
        around = [1] * len(shape)
        around[axis] = scale.size
        scale, zero = scale.reshape(around), zero.reshape(around)
    elif scale.ndim > 1 and scale.size > 1:
        raise UnsupportedFormat(f"found scales of shape {scale.shape}, expected one for each axis")
    else:
        scale, zero = scale.reshape(()), zero.reshape(())
    numbers = node.constant(0)
    return of_constants(product, of_constants(total, numbers, -zero), scale)


# --- Sums along axes


def _reduced(node: Node, of: Callable[[Tensor], Tensor] = lambda x: x) -> tuple[Value, int]:
    x = node.tensor(0)
    axes = node.axes(len(x.shape))
    if axes is None:
        return of(x), 1
    return of(x).sums(axes, bool(node.attributes.get("keepdims", 1)))


def _reduce_sum(node: Node) -> Value:
    return _reduced(node)[0]


def _reduce_l1(node: Node) -> Value:
    return _reduced(node, Tensor.absolute)[0]


def _reduce_mean(node: Node) -> Value:
    summed, count = _reduced(node)
    return times(summed, one_over(count))


def _cumulative_sum(node: Node) -> Value:
    x = node.tensor(0)
    named = node.listed(1)
    if len(named) != 1:
        raise InputError(f"found the axes {named}, expected one")
    (axis,) = distinct_axes(named, len(x.shape))
    index = np.moveaxis(x.index, axis, -1)
    n = index.shape[-1]
    require_size([index.size, n], "what is summed", MAX_ENTRIES)
    node.effort.need(BYTES_OF_PRODUCT * index.size * n, f"{index.size * n:,} terms of sums")
    reads = np.tri(n, k=-1 if node.attributes.get("exclusive", 0) else 0, dtype=bool)
    reads = reads[::-1, ::-1] if node.attributes.get("reverse", 0) else reads
    rows, places = np.nonzero(np.tile(reads, (index.size // n, 1)))
    elements = index.reshape(-1, n)[rows // n, places]
    map_ = Combination.of(index.size, rows, elements, np.ones(len(rows)))
    moved_to = np.moveaxis(np.arange(x.size).reshape(index.shape), -1, axis)
    return x.linear(map_, index.shape).gather(moved_to)


ARITHMETIC: dict[str, Operator] = {
    "Add": _add,
    "CumSum": _cumulative_sum,
    "DequantizeLinear": _dequantize,
    "Div": _div,
    "Gemm": _gemm,
    "MatMul": _matmul,
    "Mean": _mean,
    "Mul": _mul,
    "Neg": _neg,
    "ReduceL1": _reduce_l1,
    "ReduceMean": _reduce_mean,
    "ReduceSum": _reduce_sum,
    "Sub": _sub,
    "Sum": _sum,
}
