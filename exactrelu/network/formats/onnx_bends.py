"""ONNX operators that bend: each is made of ReLUs and of the values themselves.

How many neurons and linear units each of them takes is in :mod:`exactrelu.network.graph.tensor`.
What jumps is no function of a network, and refused.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from exactrelu.errors import UnsupportedFormat
from exactrelu.network.formats.onnx_node import (
    Node,
    Operator,
    Value,
    negated,
    of_constants,
    plus,
)
from exactrelu.network.graph.tensor import Tensor


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


def _shrink(node: Node) -> Value:
    """z + β below −λ, z − β above λ, 0 between: continuous where β = λ, or nothing is between."""
    size, bias = node.number("lambd", 0.5), node.number("bias", 0.0)
    z = node.tensor(0)
    if size <= 0 and bias == 0:
        return z
    if size != bias or size < 0:
        raise UnsupportedFormat(f"is not continuous with lambd {size} and bias {bias}")
    shared = z.shared()
    below, above = (side.add_constant(-size).relu() for side in (shared.negated(), shared))
    return plus(above, negated(below))


def _abs(node: Node) -> Value:
    value = node.value(0)
    return value.absolute() if isinstance(value, Tensor) else np.abs(value)


def _max(node: Node) -> Value:
    return _extreme(node.values())


def _min(node: Node) -> Value:
    return negated(_extreme([negated(value) for value in node.values()]))


def _extreme(values: Sequence[Value]) -> Value:
    tensor = next((value for value in values if isinstance(value, Tensor)), None)
    if tensor is None:
        found, *rest = (value for value in values if not isinstance(value, Tensor))
        for value in rest:
            found = of_constants(np.maximum, found, value)
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


def _reduce_max(node: Node) -> Value:
    return _greatest(node, node.tensor(0))


def _reduce_min(node: Node) -> Value:
    return negated(_greatest(node, node.tensor(0).negated()))


def _greatest(node: Node, x: Tensor) -> Tensor:
    axes = node.axes(len(x.shape))
    if axes is None:
        return x
    keepdims = bool(node.attributes.get("keepdims", 1))
    kept = [k for k in range(len(x.shape)) if k not in axes]
    windows = x.index.transpose([*kept, *axes]).reshape(math.prod(x.shape[k] for k in kept), -1)
    shape = tuple(1 if k in axes else n for k, n in enumerate(x.shape) if keepdims or k not in axes)
    return x.maxima(windows.tolist(), shape)


BENDS: dict[str, Operator] = {
    "Abs": _abs,
    "Clip": _clip,
    "HardSigmoid": _hard_sigmoid,
    "LeakyRelu": _leaky_relu,
    "Max": _max,
    "Min": _min,
    "PRelu": _prelu,
    "ReduceMax": _reduce_max,
    "ReduceMin": _reduce_min,
    "Relu": _relu,
    "Shrink": _shrink,
    "ThresholdedRelu": _thresholded_relu,
}
