"""What a node of an ONNX graph computes: all operators, and those on constants, shapes and types.

Operators are in three more files by what they do: linear ones
(:mod:`~exactrelu.network.formats.onnx_arithmetic`), those that bend
(:mod:`~exactrelu.network.formats.onnx_bends`), those on images
(:mod:`~exactrelu.network.formats.onnx_windows`).  What moves elements or computes shapes is in
:mod:`~exactrelu.network.formats.onnx_movement`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from flint import fmpq, fmpz

from exactrelu.errors import InputError, UnsupportedFormat
from exactrelu.network.formats.onnx_arithmetic import ARITHMETIC
from exactrelu.network.formats.onnx_bends import BENDS
from exactrelu.network.formats.onnx_movement import (
    DATA_INPUTS,
    ON_INTEGERS,
    is_integer,
    moved,
    on_integers,
)
from exactrelu.network.formats.onnx_node import Node, Operator, Value
from exactrelu.network.formats.onnx_resize import resized
from exactrelu.network.formats.onnx_windows import WINDOWS
from exactrelu.network.formats.support import not_supported
from exactrelu.network.graph.dyadics import is_nonzero, objects
from exactrelu.network.graph.roots import square_roots
from exactrelu.network.graph.tensor import Tensor
from exactrelu.network.graph.windows import require_size


def _sqrt(node: Node) -> Value:
    values = node.constant(0)
    return square_roots(values.ravel(), node.roots).reshape(values.shape)


def _floor(node: Node) -> Value:
    return _to_integers(node, lambda v: v.floor())


def _ceil(node: Node) -> Value:
    return _to_integers(node, lambda v: v.ceil())


def _to_integers(node: Node, rounded: Callable[[fmpq], fmpz]) -> Value:
    """Of constants, as in the arithmetic of sizes; a tensor would jump."""
    if isinstance(node.raw(0), Tensor):
        raise UnsupportedFormat(f"the operator {node.kind} {not_supported(node.kind)}")
    values = node.constant(0)
    found = [float(int(rounded(v))) for v in objects(values).ravel().tolist()]
    return np.array(found).reshape(values.shape)


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
    shape = node.listed(0)
    require_size([max(n, 1) for n in shape])
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
        is_float = isinstance(like, Tensor) or like.dtype.kind in "fO"
        to = int(kinds.DOUBLE if is_float else kinds.INT64)
    else:
        to = int(node.attributes["to"])
    if to not in kinds.DataType.values():
        raise InputError(f"found the type number {to}, expected one of ONNX's")
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
OPERATORS: dict[str, Operator] = {
    **ARITHMETIC,
    **BENDS,
    **WINDOWS,
    "Cast": _cast,
    "CastLike": _cast,
    "Ceil": _ceil,
    "Constant": _constant,
    "ConstantOfShape": _constant_of_shape,
    "Dropout": _dropout,
    "Floor": _floor,
    "Resize": resized,
    "Shape": _shape,
    "Size": _size,
    "Sqrt": _sqrt,
    "Upsample": resized,
}


#: Every operator that is read, somewhere.
KNOWN = frozenset([*OPERATORS, *DATA_INPUTS, *ON_INTEGERS])


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
