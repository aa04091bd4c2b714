"""ONNX graphs of piecewise linear operators, read and written exactly.

*Read*: every input that is no initializer, in order, flattened and one after the other, is the input
of the network; the outputs likewise its output.  A first dimension that is symbolic is 1, and other
symbolic ones are given by name (:class:`Reading`).  Nodes that the outputs do not depend on are no
part of the function.  Constants are float16, bfloat16, float32 or float64, the dyadics that they
store, or integers.  What a node means is in :mod:`~exactrelu.network.formats.onnx_operators`, and
any other operator is refused by name.  A tensor that several nodes read is a shared variable of the
graph (:mod:`exactrelu.network.graph.lowering`).

What is not the whole graph as it is stored is asked for, and recorded in the name of the network:
only up to a value, without a last operator, some outputs, roots rounded.

*Written*: Gemm and Relu in turn, read back as the same network; where a layer has linear units, the
neurons are gathered, go through Relu, and are put before the linear units.  Weights are float32
if every one of them is a float32, else float64; a weight that is neither is refused by
name.  The input has the shape (batch, n_0).
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, MissingExtra, UnsupportedFormat
from exactrelu.files import PathLike, errors_in, read_bytes, stem, write_bytes
from exactrelu.network.formats.arrays import Array, float_layers
from exactrelu.network.formats.onnx_operators import Node, Value, applied
from exactrelu.network.formats.refusals import not_supported
from exactrelu.network.graph.forms import Forms
from exactrelu.network.graph.roots import Roots
from exactrelu.network.graph.tensor import Tensor
from exactrelu.network.graph.windows import require_size
from exactrelu.network.network import Network

#: Before opset 7, broadcasting, batch normalisation and dropout meant something else: such
#: models are converted to opset 9, which changes no weight.
OLDEST_OPSET, _CONVERTED = 7, 9

#: What is written, with the IR version that opset 13 came with: every tool that knows the one
#: knows the other.
_OPSET, _IR_VERSION = 13, 7

#: Numbers of one constant.
MAX_WEIGHTS = 50_000_000


@dataclass(frozen=True)
class Reading:
    """What is read of a graph, if it is not all of it as it is."""

    #: Up to this value, or to the outputs of this node.
    until: str | None = None
    #: The operator that the output comes from, and that is left out.
    drop_last: str | None = None
    #: What becomes of irrational square roots.
    roots: Roots = Roots.EXACT
    #: The outputs, by name; all of them if there are none.
    outputs: tuple[str, ...] = ()
    #: Symbolic dimensions by name.
    dims: Mapping[str, int] = field(default_factory=dict)
    #: The first dimension of every input, in place of a fixed one.
    batch: int | None = None

    @property
    def words(self) -> str:
        """What is said of it in the name of the network."""
        said = []
        if self.until is not None:
            said.append(f"until {self.until}")
        if self.drop_last is not None:
            said.append(f"without the last {self.drop_last}")
        if self.outputs:
            said.append(f"outputs {', '.join(self.outputs)}")
        said += [f"{name} = {n}" for name, n in self.dims.items()]
        if self.batch is not None:
            said.append(f"batch {self.batch}")
        if self.roots is not Roots.EXACT:
            said.append(f"roots: {self.roots.value}")
        return f" ({'; '.join(said)})" if said else ""


def import_onnx(purpose: str) -> Any:
    """The onnx package, or an error that says how to install it."""
    try:
        import onnx
        import onnx.checker
        import onnx.numpy_helper
    except ImportError:
        raise MissingExtra("onnx", "onnx", purpose) from None
    return onnx


def load_onnx(
    path: PathLike, effort: Effort = UNLIMITED, reading: Reading | None = None
) -> Network:
    """The network of an ONNX file, named after its graph (or after the file)."""
    onnx = import_onnx("reading .onnx files")
    data = read_bytes(path)
    with errors_in(path):
        model = _decoded(onnx, data)
        return network_of_model(
            model, stem(path), os.path.dirname(os.fspath(path)), effort, reading
        )


def network_of_model(
    model: Any,
    name: str = "",
    folder: str = "",
    effort: Effort = UNLIMITED,
    reading: Reading | None = None,
) -> Network:
    """The network of a model of the onnx package; external data are looked for in the folder."""
    onnx = import_onnx("reading ONNX models")
    asked = reading or Reading()
    model = _prepared(onnx, model, folder)
    network = _GraphReader(onnx, model, asked, effort).network()
    return network.renamed((model.graph.name or name) + asked.words)


def _decoded(onnx: Any, data: bytes) -> Any:
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

    try:
        return onnx.load_model_from_string(data)
    except DecodeError:
        raise InputError("found no ONNX model: the data cannot be decoded") from None


def _prepared(onnx: Any, model: Any, folder: str) -> Any:
    """The model with its data, functions inlined, nodes in order, after ONNX's own checks."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    model = copy
    if not model.graph.node:
        raise InputError("found no ONNX model with nodes in its graph")
    if any(tensor.data_location == onnx.TensorProto.EXTERNAL for tensor in _tensors(model.graph)):
        try:
            onnx.load_external_data_for_model(model, folder)
        except Exception as error:
            why = " ".join(str(error).split())[:200]
            raise InputError(f"its data is in another file, which cannot be read: {why}") from None
    if model.functions:
        import onnx.inliner

        model = onnx.inliner.inline_local_functions(model)
    graph = model.graph
    if graph.sparse_initializer:
        raise UnsupportedFormat("found a sparse initializer, expected dense ones")
    _sort(graph)
    for source in graph.input:
        if not source.type.tensor_type.HasField("shape"):
            raise UnsupportedFormat(f"input {source.name!r}: found no shape, expected a fixed one")
    for result in graph.output:
        # ONNX's checker asks for the output's shape; it is computed here, not believed.
        result.type.tensor_type.shape.SetInParent()
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError as error:
        raise InputError(
            f"found no valid ONNX model: {str(error).strip().splitlines()[0]}"
        ) from None
    if 0 < _opset(model) < OLDEST_OPSET:
        return _converted(onnx, model)
    return model


def _tensors(graph: Any) -> list[Any]:
    inside = [a.t for node in graph.node for a in node.attribute if a.HasField("t")]
    return [*graph.initializer, *inside]


def _sort(graph: Any) -> None:
    """Put the nodes in an order in which each comes after what it reads; runtimes do not mind."""
    known = {tensor.name for tensor in graph.initializer} | {i.name for i in graph.input} | {""}
    made = {name for node in graph.node for name in node.output}
    waiting, ordered = list(graph.node), []
    while waiting:
        ready = [node for node in waiting if all(n in known or n not in made for n in node.input)]
        if not ready:
            raise InputError(f"node {waiting[0].name!r} reads what it makes itself: a cycle")
        first = waiting.index(ready[0])
        ordered.append(waiting.pop(first))
        known.update(ordered[-1].output)
    if [id(n) for n in ordered] != [id(n) for n in graph.node]:
        copies = []
        for node in ordered:
            copy = type(node)()
            copy.CopyFrom(node)
            copies.append(copy)
        del graph.node[:]
        graph.node.extend(copies)


def _opset(model: Any) -> int:
    found = [o.version for o in model.opset_import if o.domain in ("", "ai.onnx")]
    return int(found[0]) if found else 0


def _converted(onnx: Any, model: Any) -> Any:
    """A model of an old opset, in a newer one: every weight is kept."""
    import onnx.version_converter

    try:
        return onnx.version_converter.convert_version(model, _CONVERTED)
    except Exception as error:
        why = " ".join(str(error).split())[:200]
        raise UnsupportedFormat(
            f"found opset {_opset(model)}, which cannot be converted to {_CONVERTED}: {why}"
        ) from None


class _GraphReader:
    """Computes the graph's outputs node by node, in the order that ONNX prescribes."""

    def __init__(self, onnx: Any, model: Any, reading: Reading, effort: Effort) -> None:
        self._onnx = onnx
        self._effort = effort
        self._reading = reading
        self._graph = model.graph
        self._opset = _opset(model)
        if self._opset < OLDEST_OPSET:
            raise UnsupportedFormat(f"found opset {self._opset}, expected {OLDEST_OPSET} or newer")
        self._initializers = {tensor.name: tensor for tensor in self._graph.initializer}
        self._values: dict[str, Value] = {}

    def network(self) -> Network:
        """The network of the outputs that are read."""
        outputs = self._outputs()
        self._read_inputs()
        nodes = self._ancestors(outputs)
        reads = Counter(name for _, node in nodes for name in {*node.input})
        reads.update(outputs)
        self._share(reads, [i.name for i in self._graph.input])
        for number, node in nodes:
            self._effort.spend()
            with errors_in(_label(number, node)):
                found = self._apply(node)
                self._values.update(zip(node.output, found, strict=False))
            self._share(reads, list(node.output))
        parts = []
        for name in outputs:
            value = self._values.get(name)
            if value is None and name in self._initializers:
                value = self._constant(self._initializers[name], f"initializer {name!r}")
            if value is None:
                raise InputError(f"output {name!r}: no node makes it")
            parts.append(value)
        tensor = next((part for part in parts if isinstance(part, Tensor)), None)
        if tensor is None:
            raise UnsupportedFormat(f"output {outputs[0]!r} does not depend on the input")
        forms = [
            p.forms if isinstance(p, Tensor) else Forms.of_constants(_floats(p).ravel())
            for p in parts
        ]
        joined = Forms.joined(forms) if len(forms) > 1 else forms[0]
        return tensor.of(joined, (joined.n,)).network("")

    def _share(self, reads: Counter[str], names: list[str]) -> None:
        """Tensors that several nodes read become variables."""
        for name in names:
            value = self._values.get(name)
            if isinstance(value, Tensor) and reads[name] > 1:
                self._values[name] = value.shared()

    def _outputs(self) -> list[str]:
        """The names of the values that are the output."""
        asked = self._reading
        names = [o.name for o in self._graph.output]
        if asked.outputs:
            missing = [name for name in asked.outputs if name not in names]
            if missing:
                raise InputError(f"no output {missing[0]!r}, expected one of {names}")
            names = [name for name in names if name in asked.outputs]
        if asked.until is not None:
            names = self._until(asked.until)
        if asked.drop_last is None:
            return names
        found = []
        for name in names:
            node = next((node for node in self._graph.node if name in node.output), None)
            if node is None or node.op_type != asked.drop_last:
                last = "no node" if node is None else node.op_type
                raise InputError(f"output {name!r} comes from {last}, not from {asked.drop_last}")
            found.append(node.input[0])
        return found

    def _until(self, name: str) -> list[str]:
        """The value of this name, or the first output of the node of this name."""
        made = {output for node in self._graph.node for output in node.output}
        if name in made:
            return [name]
        for node in self._graph.node:
            if node.name == name:
                return [node.output[0]]
        raise InputError(f"no value or node {name!r} in the graph")

    def _read_inputs(self) -> None:
        """All inputs of the graph, as parts of one vector of variables."""
        sources = [i for i in self._graph.input if i.name not in self._initializers]
        if not sources:
            raise UnsupportedFormat("found no input, expected one at least")
        shapes = [self._input_shape(source) for source in sources]
        sizes = [math.prod(shape) for shape in shapes]
        whole = Tensor.variable((sum(sizes),), self._effort)
        first = 0
        for source, shape, size in zip(sources, shapes, sizes, strict=True):
            part = np.arange(first, first + size).reshape(shape)
            self._values[source.name] = whole.gather(part)
            first += size

    def _input_shape(self, source: Any) -> tuple[int, ...]:
        where = f"input {source.name!r}"
        tensor_type = source.type.tensor_type
        self._float_type(tensor_type.elem_type, where)
        asked = self._reading
        shape = []
        shown = [d.dim_param or d.dim_value or "?" for d in tensor_type.shape.dim]
        for k, dim in enumerate(tensor_type.shape.dim):
            # Some exporters write 0 or -1 for a dimension that is not known.
            n = max(dim.dim_value, 0)
            if k == 0 and asked.batch is not None and len(shown) > 1:
                n = asked.batch
            elif dim.dim_param in asked.dims:
                n = asked.dims[dim.dim_param]
            elif n == 0 and k == 0 and len(shown) > 1:
                n = 1
            if n < 1:
                name = dim.dim_param or "?"
                raise UnsupportedFormat(
                    f"{where}: found the shape {shown}, expected fixed dimensions after the first; "
                    f"--dim {name}=N says what {name} is"
                )
            shape.append(n)
        require_size(shape, where)
        return tuple(shape)

    def _ancestors(self, outputs: list[str]) -> list[tuple[int, Any]]:
        """The nodes that the outputs depend on, in the graph's order, numbered from 1."""
        needed, chosen = set(outputs), []
        for number, node in reversed(list(enumerate(self._graph.node, 1))):
            if needed.intersection(node.output):
                needed.update(node.input)
                chosen.append((number, node))
        return chosen[::-1]

    def _apply(self, node: Any) -> list[Value]:
        if node.domain not in ("", "ai.onnx"):
            name = f"{node.domain}.{node.op_type}"
            raise UnsupportedFormat(f"the operator {name} {not_supported(name)}")
        operation = Node(
            node.op_type,
            [self._value(name) if name else None for name in node.input],
            list(node.input),
            {a.name: self._attribute(a) for a in node.attribute},
            sum(1 for name in node.output if name),
            self._opset,
            node,
            self._reading.roots,
            self._effort,
        )
        return applied(operation)

    def _value(self, name: str) -> Value:
        if name not in self._values:
            if name not in self._initializers:
                raise UnsupportedFormat(f"its input {name!r} is made by no node before it")
            tensor = self._initializers[name]
            self._values[name] = self._constant(tensor, f"initializer {name!r}")
        return self._values[name]

    def _attribute(self, attribute: Any) -> Any:
        value = self._onnx.helper.get_attribute_value(attribute)
        if attribute.type == self._onnx.AttributeProto.TENSOR:
            return self._constant(value, f"attribute {attribute.name!r}")
        if attribute.type in (self._onnx.AttributeProto.GRAPH, self._onnx.AttributeProto.GRAPHS):
            return None
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else value

    def _constant(self, tensor: Any, where: str) -> Array:
        """The stored numbers as float64 (which holds every float type exactly), or integers."""
        require_size([int(n) for n in tensor.dims] or [1], where, MAX_WEIGHTS)
        try:
            array = np.asarray(self._onnx.numpy_helper.to_array(tensor))
        except (ValueError, TypeError) as error:
            raise InputError(f"{where}: cannot be read: {error}") from None
        proto = self._onnx.TensorProto
        if tensor.data_type == proto.BOOL:
            return array.astype(bool)
        if array.dtype.kind in "iu":
            return array.astype(np.int64)
        self._float_type(tensor.data_type, where)
        return array.astype(np.float64)

    def _float_type(self, elem_type: int, where: str) -> None:
        proto = self._onnx.TensorProto
        if elem_type not in (proto.FLOAT, proto.DOUBLE, proto.FLOAT16, proto.BFLOAT16):
            known = elem_type in proto.DataType.values()
            found = proto.DataType.Name(elem_type).lower() if known else f"number {elem_type}"
            raise UnsupportedFormat(
                f"{where}: found the type {found}, expected float16, bfloat16, float32 or float64"
            )


def _floats(constant: Array) -> Array:
    return constant.astype(np.float64) if constant.dtype.kind in "iub" else constant


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
    # The order of the units before a layer, as they come out of the graph.
    order = list(range(network.n_inputs))
    for l, (W, b) in enumerate(layers, 1):
        W = np.ascontiguousarray(W[:, order])
        initializers.append(onnx.numpy_helper.from_array(W, f"W{l}"))
        initializers.append(onnx.numpy_helper.from_array(b, f"b{l}"))
        is_last = l == len(layers)
        after = "output" if is_last else f"z{l}"
        nodes.append(
            helper.make_node("Gemm", [value, f"W{l}", f"b{l}"], [after], f"affine{l}", transB=1)
        )
        if is_last:
            break
        value = f"x{l}"
        passes = network.layers[l - 1].passes
        order = [i for i in range(len(passes)) if not passes[i]]
        n_neurons = len(order)
        order += [i for i in range(len(passes)) if passes[i]]
        if n_neurons == len(passes):
            nodes.append(helper.make_node("Relu", [after], [value], f"relu{l}"))
            continue
        parts = []
        for name, numbers in (("neurons", order[:n_neurons]), ("linear", order[n_neurons:])):
            if numbers:
                index = onnx.numpy_helper.from_array(np.array(numbers), f"{name}{l}")
                initializers.append(index)
                parts.append(f"{name}_of{l}")
                nodes.append(helper.make_node("Gather", [after, f"{name}{l}"], parts[-1:], axis=1))
        if n_neurons:
            nodes.append(helper.make_node("Relu", parts[:1], [f"h{l}"], f"relu{l}"))
            parts[0] = f"h{l}"
        nodes.append(helper.make_node("Concat", parts, [value], f"units{l}", axis=1))
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
