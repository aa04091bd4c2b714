"""ONNX graphs of affine operators and ReLU, read and written exactly.

*Read*: the graph has one input that is no initializer, of shape (n,) or (1, …) or
(batch, …): a symbolic batch is taken as 1.  It has one output.  Every node between
them is in :data:`~exactrelu.network.formats.onnx_operators.OPERATORS` or refused by
name; nodes that the output does not depend on are no part of the function.
Constants (initializers, also those that are listed as graph inputs, and Constant
nodes) are float16, bfloat16, float32 or float64: the dyadics that they store.

*Written*: Gemm and Relu in turn, read back as the same network.  Weights are float32
if every one of them is a float32, else float64; a weight that is neither is refused by
name.  The input has the shape (batch, n_0).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, MissingExtra, UnsupportedFormat
from exactrelu.files import PathLike, errors_in, read_bytes, stem, write_bytes
from exactrelu.network.formats.arrays import Array, float_layers
from exactrelu.network.formats.onnx_operators import OPERATORS, Node, Value
from exactrelu.network.formats.tensors import AffineTensor, not_supported
from exactrelu.network.network import Network

#: Before opset 7, broadcasting, batch normalisation and dropout meant something else.
OLDEST_OPSET = 7

#: What is written, with the IR version that opset 13 came with: every tool that knows the one
#: knows the other.
_OPSET, _IR_VERSION = 13, 7


def import_onnx(purpose: str) -> Any:
    """The onnx package, or an error that says how to install it."""
    try:
        import onnx
        import onnx.checker
        import onnx.numpy_helper
    except ImportError:
        raise MissingExtra("onnx", "onnx", purpose) from None
    return onnx


def load_onnx(path: PathLike, effort: Effort = UNLIMITED) -> Network:
    """The network of an ONNX file, named after its graph (or after the file)."""
    onnx = import_onnx("reading .onnx files")
    data = read_bytes(path)
    with errors_in(path):
        model = _parse(onnx, data)
        return _GraphReader(onnx, model, effort).network(model.graph.name or stem(path))


def _parse(onnx: Any, data: bytes) -> Any:
    """The model, after ONNX's own checks of its structure."""
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

    try:
        model = onnx.load_model_from_string(data)
    except DecodeError:
        raise InputError("found no ONNX model: the data cannot be decoded") from None
    graph = model.graph
    if not graph.node:
        raise InputError("found no ONNX model with nodes in its graph")
    for tensor in graph.initializer:
        _require_inside(onnx, tensor, f"initializer {tensor.name!r}")
    for source in graph.input:
        if not source.type.tensor_type.HasField("shape"):
            raise UnsupportedFormat(f"input {source.name!r}: found no shape, expected a fixed one")
    for result in graph.output:
        # ONNX's checker asks for the output's shape; it is computed here, not believed.
        result.type.tensor_type.shape.SetInParent()
    if graph.sparse_initializer:
        raise UnsupportedFormat("found a sparse initializer, expected dense ones")
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError as error:
        raise InputError(
            f"found no valid ONNX model: {str(error).strip().splitlines()[0]}"
        ) from None
    return model


def _require_inside(onnx: Any, tensor: Any, what: str) -> None:
    if tensor.data_location == onnx.TensorProto.EXTERNAL or tensor.external_data:
        raise UnsupportedFormat(
            f"{what}: its data is in another file, expected it in the model "
            "(onnx.save with save_as_external_data=False)"
        )


class _GraphReader:
    """Computes the graph's output node by node, in the order that ONNX prescribes."""

    def __init__(self, onnx: Any, model: Any, effort: Effort) -> None:
        self._onnx = onnx
        self._effort = effort
        self._graph = model.graph
        opsets = [o.version for o in model.opset_import if o.domain in ("", "ai.onnx")]
        opset = opsets[0] if opsets else 0
        if opset < OLDEST_OPSET:
            raise UnsupportedFormat(
                f"found opset {opset}, expected {OLDEST_OPSET} or newer "
                "(onnx.version_converter converts)"
            )
        self._initializers = {tensor.name: tensor for tensor in self._graph.initializer}
        self._values: dict[str, Value] = {}

    def network(self, name: str) -> Network:
        source = self._input()
        self._values[source.name] = AffineTensor.variable(self._input_shape(source), self._effort)
        outputs = [o.name for o in self._graph.output]
        if len(outputs) != 1:
            raise UnsupportedFormat(f"found {len(outputs)} outputs {outputs}, expected one")
        for number, node in self._ancestors(outputs[0]):
            self._effort.spend()
            with errors_in(_label(number, node)):
                self._values[node.output[0]] = self._apply(node)
        if not isinstance(result := self._values.get(outputs[0]), AffineTensor):
            raise UnsupportedFormat(f"output {outputs[0]!r} does not depend on the input")
        return result.network(name)

    def _input(self) -> Any:
        inputs = [i for i in self._graph.input if i.name not in self._initializers]
        if len(inputs) != 1:
            names = [i.name for i in inputs]
            raise UnsupportedFormat(f"found {len(inputs)} inputs {names}, expected one")
        return inputs[0]

    def _input_shape(self, source: Any) -> tuple[int, ...]:
        where = f"input {source.name!r}"
        tensor_type = source.type.tensor_type
        self._float_type(tensor_type.elem_type, where)
        # 0 stands for a symbolic or unknown dimension (some exporters write 0 or -1 for it).
        dims = [max(d.dim_value, 0) for d in tensor_type.shape.dim]
        shown = [d.dim_param or d.dim_value or "?" for d in tensor_type.shape.dim]
        if not dims or 0 in dims[1:] or dims == [0]:
            raise UnsupportedFormat(
                f"{where}: found the shape {shown}, expected fixed dimensions after the batch"
            )
        if len(dims) > 1 and dims[0] > 1:
            raise UnsupportedFormat(
                f"{where}: found the shape {shown}, expected a batch dimension of 1 (or symbolic)"
            )
        return (dims[0] or 1, *dims[1:])

    def _ancestors(self, output: str) -> list[tuple[int, Any]]:
        """The nodes that the output depends on, in the graph's order, numbered from 1."""
        needed, chosen = {output}, []
        for number, node in reversed(list(enumerate(self._graph.node, 1))):
            if needed.intersection(node.output):
                needed.update(node.input)
                chosen.append((number, node))
        return chosen[::-1]

    def _apply(self, node: Any) -> Value:
        name = node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}.{node.op_type}"
        operator = OPERATORS.get(name)
        if operator is None:
            raise UnsupportedFormat(f"the operator {name} {not_supported(name)}")
        inputs = [self._value(name) if name else None for name in node.input]
        attributes = {a.name: self._attribute(a) for a in node.attribute}
        n_outputs = sum(1 for name in node.output if name)
        operation = Node(inputs, list(node.input), attributes, n_outputs, self._effort)
        return operator(operation)

    def _value(self, name: str) -> Value:
        if name not in self._values:
            if name not in self._initializers:
                raise UnsupportedFormat(f"its input {name!r} is no first output of an earlier node")
            tensor = self._initializers[name]
            self._values[name] = self._constant(tensor, f"initializer {name!r}")
        return self._values[name]

    def _attribute(self, attribute: Any) -> Any:
        value = self._onnx.helper.get_attribute_value(attribute)
        if attribute.type == self._onnx.AttributeProto.TENSOR:
            where = f"attribute {attribute.name!r}"
            _require_inside(self._onnx, value, where)
            return self._constant(value, where)
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else value

    def _constant(self, tensor: Any, where: str) -> Array:
        """The stored numbers as float64 (which holds every float type exactly) or int64.

        Integers are shapes and flags, never weights.
        """
        proto = self._onnx.TensorProto
        is_integer = tensor.data_type in (proto.INT64, proto.INT32, proto.BOOL)
        if not is_integer:
            self._float_type(tensor.data_type, where)
        try:
            array = self._onnx.numpy_helper.to_array(tensor)
        except (ValueError, TypeError) as error:
            raise InputError(f"{where}: cannot be read: {error}") from None
        return np.asarray(array).astype(np.int64 if is_integer else np.float64)

    def _float_type(self, elem_type: int, where: str) -> None:
        proto = self._onnx.TensorProto
        if elem_type not in (proto.FLOAT, proto.DOUBLE, proto.FLOAT16, proto.BFLOAT16):
            known = elem_type in proto.DataType.values()
            found = proto.DataType.Name(elem_type).lower() if known else f"number {elem_type}"
            raise UnsupportedFormat(
                f"{where}: found the type {found}, expected float16, bfloat16, float32 or float64"
            )


def _label(number: int, node: Any) -> str:
    name = f"node {node.name!r}" if node.name else f"node {number} (output {node.output[0]!r})"
    return f"{name}: {node.op_type}"


def save_onnx(network: Network, path: PathLike, effort: Effort = UNLIMITED) -> None:
    """Write an ONNX file, or refuse where a weight is no float."""
    onnx = import_onnx("writing .onnx files")
    layers = float_layers(network, path, effort)
    helper = onnx.helper
    elem_type = helper.np_dtype_to_tensor_dtype(layers[0][0].dtype)
    nodes: list[Any] = []
    initializers: list[Any] = []
    value = "input"
    for l, (W, b) in enumerate(layers, 1):
        initializers.append(onnx.numpy_helper.from_array(W, f"W{l}"))
        initializers.append(onnx.numpy_helper.from_array(b, f"b{l}"))
        is_last = l == len(layers)
        after = "output" if is_last else f"z{l}"
        nodes.append(
            helper.make_node("Gemm", [value, f"W{l}", f"b{l}"], [after], f"affine{l}", transB=1)
        )
        if not is_last:
            value = f"x{l}"
            nodes.append(helper.make_node("Relu", [after], [value], f"relu{l}"))
    graph = helper.make_graph(
        nodes,
        network.name or stem(path),
        [helper.make_tensor_value_info("input", elem_type, ["batch", network.n_inputs])],
        [helper.make_tensor_value_info("output", elem_type, ["batch", network.n_outputs])],
        initializers,
    )
    opsets = [helper.make_opsetid("", _OPSET)]
    model = helper.make_model(graph, opset_imports=opsets, producer_name="exactrelu")
    model.ir_version = _IR_VERSION
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError as error:
        raise InputError(f"{path}: cannot be an ONNX model: {str(error).splitlines()[0]}") from None
    write_bytes(path, model.SerializeToString(deterministic=True))
