"""ONNX operators that move elements, or compute shapes: left to ONNX's own reference.

An operator that only moves elements does the same to their numbers.  All elements of its data
inputs, tensors and constants, are numbered through from 1; ``onnx.reference`` applies the operator,
as its opset defines it, to the numbers; and the result says which element stands where.  0 is where
the operator fills in a zero of its own.  What is no data (shapes, axes, indices) must be constant.

Arithmetic on integers is about shapes, and is left to the reference too.  The reference allocates
whatever a file asks for, so sizes are checked before it runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from exactrelu.errors import InputError, ShapeError, UnsupportedFormat, said
from exactrelu.network.formats.onnx_node import distinct_axes
from exactrelu.network.graph.dyadics import Numbers, joined, zeros
from exactrelu.network.graph.forms import Forms
from exactrelu.network.graph.tensor import Tensor, broadcast_shape
from exactrelu.network.graph.windows import MAX_ENTRIES, require_size

if TYPE_CHECKING:
    from exactrelu.network.formats.onnx_node import Node, Value

#: The data inputs of each operator that moves elements; None: all of them.
DATA_INPUTS: dict[str, tuple[int, ...] | None] = {
    "CenterCropPad": (0,),
    "Compress": (0,),
    "Concat": None,
    "DepthToSpace": (0,),
    "Expand": (0,),
    "Flatten": (0,),
    "Gather": (0,),
    "GatherElements": (0,),
    "GatherND": (0,),
    "Identity": (0,),
    "Pad": (0, 2),
    "Reshape": (0,),
    "ReverseSequence": (0,),
    "ScatterElements": (0, 2),
    "ScatterND": (0, 2),
    "Slice": (0,),
    "SpaceToDepth": (0,),
    "Split": (0,),
    "Squeeze": (0,),
    "Tile": (0,),
    "Transpose": (0,),
    "Trilu": (0,),
    "Unsqueeze": (0,),
    "Where": (1, 2),
}

#: What is done to integers only: shapes, indices, conditions.
ON_INTEGERS = frozenset(
    [
        "Abs",
        "Add",
        "And",
        "Cast",
        "ConstantOfShape",
        "CumSum",
        "Div",
        "Equal",
        "Gather",
        "Greater",
        "GreaterOrEqual",
        "Less",
        "LessOrEqual",
        "Max",
        "Min",
        "Mod",
        "Mul",
        "Neg",
        "NonZero",
        "Not",
        "Or",
        "Range",
        "ReduceMax",
        "ReduceMin",
        "ReduceProd",
        "ReduceSum",
        "Shape",
        "Sign",
        "Size",
        "Sub",
        "Where",
        "Xor",
    ]
)


def is_integer(value: Value | None) -> bool:
    """Whether a value is a constant of integers or truth values."""
    return not isinstance(value, Tensor) and value is not None and value.dtype.kind in "iub"


def moved(node: Node) -> list[Value]:
    """The outputs of an operator that moves elements."""
    chosen = DATA_INPUTS[node.kind]
    data = [
        i
        for i, value in enumerate(node.inputs)
        if value is not None and (chosen is None or i in chosen)
    ]
    _require_movement(node, data)
    _require_fitting(node)
    n_moved = sum(math.prod(node.raw(i).shape) for i in data)
    require_size([max(n_moved, 1)], "what is moved", MAX_ENTRIES)
    fed: list[Any] = list(node.inputs)
    first = 1
    for i in data:
        shape = node.raw(i).shape
        size = math.prod(shape)
        fed[i] = np.arange(first, first + size).reshape(shape)
        first += size
    values = [node.raw(i) for i in data]
    if node.kind == "Pad":
        if "value" in node.attributes:
            # Before opset 11 what is filled in is an attribute.
            values.append(np.array([node.attributes["value"]]))
        # The last number is that of what is filled in; 0 is a zero.
        fill = sum(math.prod(value.shape) for value in values) if len(values) > 1 else 0
        return [_picked(values, _padded(node, fed[0], fill))]
    found = evaluated(node, fed)
    return [_picked(values, np.asarray(numbers).astype(np.int64)) for numbers in found]


def _require_movement(node: Node, data: Sequence[int]) -> None:
    """Refuse what depends on the network's input beside the data, and what does more than move."""
    for i, value in enumerate(node.inputs):
        if isinstance(value, Tensor) and i not in data:
            raise UnsupportedFormat(
                f"input {i + 1} ({node.input_names[i]!r}) depends on the network's input, "
                "expected a constant"
            )
    if node.attributes.get("reduction", "none") != "none":
        raise UnsupportedFormat(f"found the reduction {node.attributes['reduction']!r}")
    if node.kind == "Flatten":
        rank, axis = len(node.raw(0).shape), int(node.attributes.get("axis", 1))
        if not -rank <= axis <= rank:
            raise InputError(f"found axis {axis} for {rank} dimensions")
    if node.attributes.get("mode", "constant") != "constant" and node.kind == "Pad":
        raise UnsupportedFormat(f"found the mode {node.attributes['mode']!r}, expected 'constant'")


def _padded(node: Node, numbers: Any, fill: int) -> Any:
    """The numbers cropped where pads are negative, with ``fill`` around them.

    The reference has no negative pads.
    """
    pads = _pads(node)
    inside = numbers[tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in pads)]
    around = [(max(a, 0), max(b, 0)) for _, (a, b) in pads]
    return np.pad(inside, around, constant_values=fill)


def _picked(values: Sequence[Value], numbers: Any) -> Value:
    """The elements with these numbers; 0 is a zero."""
    tensor = next((value for value in values if isinstance(value, Tensor)), None)
    if tensor is None:
        constants = [value for value in values if not isinstance(value, Tensor)]
        if all(value.dtype.kind in "iub" for value in constants):
            zero = np.zeros(1, constants[0].dtype)
            return np.asarray(np.concatenate([zero, *(v.ravel() for v in constants)])[numbers])
        return np.asarray(joined([zeros(1), *(_numbers(v).ravel() for v in constants)])[numbers])
    require_size(numbers.shape)
    parts = [Forms.of_constants(zeros(1))]
    for value in values:
        if isinstance(value, Tensor):
            parts.append(value.forms)
        else:
            parts.append(Forms.of_constants(_numbers(value).ravel()))
    return tensor.of(Forms.joined(parts).take(numbers.ravel()), numbers.shape)


def _numbers(value: Any) -> Numbers:
    """A constant as exact numbers."""
    if value.dtype.kind in "iub":
        return np.asarray(value, dtype=np.float64)
    return np.asarray(value)


def on_integers(node: Node) -> list[Value]:
    """The outputs of an operator all of whose inputs are integers."""
    if node.kind in ("Add", "Div", "Max", "Min", "Mul", "Sub", "Where"):
        broadcast_shape(*(value.shape for value in node.inputs if value is not None))
    if node.kind == "ConstantOfShape":
        require_size([max(n, 1) for n in node.listed(0)])
    if node.kind == "Range":
        start, limit, step = (_one(node, i) for i in range(3))
        require_size([max(1, -(-(limit - start) // step)) if step else 0])
    return [_stored(value) for value in evaluated(node, list(node.inputs))]


def _one(node: Node, i: int) -> int:
    """Input i, one integer."""
    found = node.listed(i)
    if len(found) != 1:
        raise ShapeError(f"input {i + 1} has {len(found)} integers, expected one")
    return found[0]


def _stored(value: Any) -> Value:
    array = np.asarray(value)
    if array.dtype.kind == "f":
        return array.astype(np.float64)
    return array.astype(bool if array.dtype.kind == "b" else np.int64)


def evaluated(node: Node, inputs: Sequence[Any]) -> list[Any]:
    """What ``onnx.reference`` makes of some arrays."""
    import onnx
    from onnx.reference import ReferenceEvaluator

    names = [f"i{k}" if value is not None else "" for k, value in enumerate(inputs)]
    outputs = [f"o{k}" for k in range(node.n_outputs)]
    proto = onnx.NodeProto()
    proto.CopyFrom(node.proto)
    del proto.input[:], proto.output[:]
    proto.input.extend(names)
    proto.output.extend(outputs)
    helper = onnx.helper
    kinds = {"b": onnx.TensorProto.BOOL, "f": onnx.TensorProto.DOUBLE}
    given = [
        helper.make_tensor_value_info(
            name, kinds.get(np.asarray(value).dtype.kind, onnx.TensorProto.INT64), None
        )
        for name, value in zip(names, inputs, strict=True)
        if name
    ]
    results = [helper.make_tensor_value_info(o, onnx.TensorProto.INT64, None) for o in outputs]
    graph = helper.make_graph([proto], "node", given, results)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", node.opset)])
    feeds = {name: np.asarray(v) for name, v in zip(names, inputs, strict=True) if name}
    try:
        return list(ReferenceEvaluator(model).run(None, feeds))
    except MemoryError:
        raise
    except Exception as error:
        raise InputError(f"cannot be applied to its inputs: {said(error)}") from None


def _require_fitting(node: Node) -> None:
    """Refuse a result that is too large before it is made."""
    measure = _MEASURES.get(node.kind)
    if measure is not None:
        require_size(measure(node), "its result")


def _expanded(node: Node) -> Sequence[int]:
    return broadcast_shape(node.raw(0).shape, tuple(node.listed(1)))


def _tiled(node: Node) -> Sequence[int]:
    repeats = node.listed(1)
    return [n * max(k, 0) for n, k in zip(node.raw(0).shape, repeats, strict=False)]


def _padded_shape(node: Node) -> Sequence[int]:
    shape = [n + a + b for n, (a, b) in _pads(node)]
    if min(shape, default=1) < 1:
        raise ShapeError(f"found pads that leave the shape {tuple(shape)}")
    return shape


def _pads(node: Node) -> list[tuple[int, tuple[int, int]]]:
    """The size of each axis, and how much is added before and after it."""
    shape = node.raw(0).shape
    rank = len(shape)
    attribute = "pads" in node.attributes
    pads = list(node.integers("pads", ())) if attribute else node.listed(1)
    axes = node.listed(3) if not attribute and node.has(3) else list(range(rank))
    if len(pads) != 2 * len(axes):
        raise ShapeError(f"found pads {pads} of axes {axes} for {rank} dimensions")
    pairs = zip(pads[: len(axes)], pads[len(axes) :], strict=True)
    found = dict(zip(distinct_axes(axes, rank), pairs, strict=True))
    return [(n, found.get(axis, (0, 0))) for axis, n in enumerate(shape)]


def _gathered(node: Node) -> Sequence[int]:
    shape, index = node.raw(0).shape, node.raw(1).shape
    axis = int(node.attributes.get("axis", 0))
    if not -len(shape) <= axis < len(shape):
        return shape
    return (*shape[:axis], *index, *shape[axis:][1:])


def _gathered_slices(node: Node) -> Sequence[int]:
    shape, index = node.raw(0).shape, node.raw(1).shape
    if not index:
        return shape
    return (*index[:-1], *shape[int(node.attributes.get("batch_dims", 0)) + index[-1] :])


def _cropped(node: Node) -> Sequence[int]:
    shape = list(node.raw(0).shape)
    sizes = node.listed(1)
    axes = distinct_axes(node.integers("axes", range(len(shape))), len(shape))
    for axis, n in zip(axes, sizes, strict=False):
        shape[axis] = max(n, 1)
    return shape


def _sliced(node: Node) -> Sequence[int]:
    shape = node.raw(0).shape
    if node.has(3):
        distinct_axes(node.listed(3), len(shape))
    return shape


_MEASURES: dict[str, Callable[[Node], Sequence[int]]] = {
    "CenterCropPad": _cropped,
    "Expand": _expanded,
    "Gather": _gathered,
    "GatherND": _gathered_slices,
    "Pad": _padded_shape,
    "Slice": _sliced,
    "Tile": _tiled,
}
