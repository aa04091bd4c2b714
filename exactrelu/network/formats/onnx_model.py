"""ONNX models as files: decoded and made ready to be read, and written.

*Made ready*: data in other files are read, from the folder of the model only; local functions are
inlined; nodes are put in an order in which each comes after what it reads; ONNX's own checker has
no objection; and a model of an old opset is converted, which changes no weight.  No simplifier is
used: all of them round constants.

*Written*: Gemm and Relu in turn, read back as the same network; where a layer has linear units, the
neurons are gathered, go through Relu, and are put before the linear units.  Weights are float32 if
every one of them is a float32, else float64; a weight that is neither is refused by name.  The
input has the shape (batch, n_0).
"""

from __future__ import annotations

import heapq
import os
from typing import Any

import numpy as np

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, MissingExtra, UnsupportedFormat, said
from exactrelu.files import PathLike, stem, write_bytes
from exactrelu.network.formats.arrays import float_layers
from exactrelu.network.formats.support import NEWEST_OPSET
from exactrelu.network.network import Network

#: Before opset 7, broadcasting, batch normalisation and dropout meant something else: such
#: models are converted to opset 9, which changes no weight.
OLDEST_OPSET, _CONVERTED = 7, 9

#: No tensor has so many axes.
MAX_AXIS = 64

#: Nodes of a graph whose functions are inlined.
MAX_NODES = 100_000

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


def decoded(onnx: Any, data: bytes) -> Any:
    """The model in the bytes of a file."""
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

    try:
        return onnx.load_model_from_string(data)
    except DecodeError:
        raise InputError("found no ONNX model: the data cannot be decoded") from None


def prepared(onnx: Any, model: Any, folder: str, effort: Effort = UNLIMITED) -> Any:
    """The model with its data, functions inlined, nodes in order, after ONNX's own checks."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    model = copy
    if not model.graph.node:
        raise InputError("found no ONNX model with nodes in its graph")
    _require_text(model)
    outside = [t for t in _tensors(model.graph) if t.data_location == onnx.TensorProto.EXTERNAL]
    if outside:
        n_bytes = sum(_external_bytes(tensor, folder) for tensor in outside)
        effort.need(2 * n_bytes, f"its data in other files, {n_bytes:,} bytes,")
        try:
            onnx.load_external_data_for_model(model, folder)
        except Exception as error:
            why = said(error)
            raise InputError(f"its data is in another file, which cannot be read: {why}") from None
    if model.functions:
        import onnx.inliner

        _require_short(model)
        try:
            model = onnx.inliner.inline_local_functions(model)
        except Exception as error:
            raise InputError(f"its functions cannot be inlined: {said(error)}") from None
    graph = model.graph
    _require_known_opset(onnx, model)
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
    except Exception as error:
        # Also of its own message, where a name is no UTF-8.
        raise InputError(f"found no valid ONNX model: {said(error)}") from None
    if 0 < opset_of(model) < OLDEST_OPSET:
        return _converted(onnx, model)
    return model


def _require_short(model: Any) -> None:
    """Refuse functions that call functions … so often that the graph fills the machine."""
    bodies = {(f.domain, f.name): f.node for f in model.functions}
    sizes: dict[tuple[str, str], int] = {}

    def size(nodes: Any, inside: frozenset[tuple[str, str]]) -> int:
        total = 0
        for node in nodes:
            key = (node.domain, node.op_type)
            if key in inside:
                raise InputError(f"the function {node.op_type!r} calls itself")
            if key in bodies and key not in sizes:
                sizes[key] = size(bodies[key], inside | {key})
            total += sizes.get(key, 1)
        return total

    n_nodes = size(model.graph.node, frozenset())
    if n_nodes > MAX_NODES:
        raise UnsupportedFormat(f"functions become {n_nodes:,} nodes, more than {MAX_NODES:,}")


def _require_text(model: Any) -> None:
    """Refuse names that are no UTF-8: protobuf hands them out as bytes."""
    waiting = [model]
    while waiting:
        for field, value in waiting.pop().ListFields():
            is_one = hasattr(value, "ListFields") or isinstance(value, str | bytes)
            values = [value] if is_one else value
            if field.message_type is not None:
                waiting += values
            elif field.type == field.TYPE_STRING:
                wrong = next((one for one in values if isinstance(one, bytes)), None)
                if wrong is not None:
                    raise InputError(f"{field.name}: found {wrong[:40]!r}, expected UTF-8 text")


def _external_bytes(tensor: Any, folder: str) -> int:
    """How many bytes of another file a tensor is: a file may have a length and no content."""
    entries = {entry.key: entry.value for entry in tensor.external_data}
    try:
        size = os.stat(os.path.join(folder, entries.get("location", ""))).st_size
        return max(0, min(int(entries.get("length") or size), size))
    except (OSError, ValueError):
        return 0


def _require_known_opset(onnx: Any, model: Any) -> None:
    """Refuse a model whose operators may mean something that nobody here knows."""
    versions = {o.version for o in model.opset_import if o.domain in ("", "ai.onnx")}
    if len(versions) > 1:
        raise InputError(f"found the opsets {sorted(versions)}, expected one")
    newest = min(NEWEST_OPSET, onnx.defs.onnx_opset_version())
    if opset_of(model) > newest:
        raise UnsupportedFormat(
            f"found opset {opset_of(model)}, expected at most {newest}, the newest that is known"
        )


def _tensors(graph: Any) -> list[Any]:
    inside = [a.t for node in graph.node for a in node.attribute if a.HasField("t")]
    return [*graph.initializer, *inside]


def _sort(graph: Any) -> None:
    """Put the nodes in an order in which each comes after what it reads; runtimes do not mind.

    Of those that are ready the first one is next, so that an order that is right is kept.
    """
    nodes = list(graph.node)
    maker = {name: i for i, node in enumerate(nodes) for name in node.output if name}
    readers: dict[int, list[int]] = {}
    n_missing = []
    for i, node in enumerate(nodes):
        needed = {maker[name] for name in node.input if name in maker}
        for k in needed:
            readers.setdefault(k, []).append(i)
        n_missing.append(len(needed))
    ready = [i for i, n in enumerate(n_missing) if n == 0]
    order = []
    while ready:
        order.append(heapq.heappop(ready))
        for i in readers.get(order[-1], ()):
            n_missing[i] -= 1
            if n_missing[i] == 0:
                heapq.heappush(ready, i)
    if len(order) < len(nodes):
        stuck = next(node for node, n in zip(nodes, n_missing, strict=True) if n)
        raise InputError(f"node {stuck.name!r} reads what it makes itself: a cycle")
    if order != list(range(len(nodes))):
        copies = []
        for i in order:
            copy = type(nodes[i])()
            copy.CopyFrom(nodes[i])
            copies.append(copy)
        del graph.node[:]
        graph.node.extend(copies)


def opset_of(model: Any) -> int:
    """The version of ONNX's own operators; 0 if none is said."""
    found = [o.version for o in model.opset_import if o.domain in ("", "ai.onnx")]
    return int(found[0]) if found else 0


def _converted(onnx: Any, model: Any) -> Any:
    """A model of an old opset, in a newer one: every weight is kept."""
    import onnx.version_converter

    for node in model.graph.node:
        # The converter has 32 bits for it, and no look at the shapes.
        axes = [a.i for a in node.attribute if a.name == "axis" and not -MAX_AXIS < a.i < MAX_AXIS]
        if axes:
            raise InputError(f"{node.op_type}: found the axis {axes[0]}, expected one of its input")

    try:
        return onnx.version_converter.convert_version(model, _CONVERTED)
    except Exception as error:
        why = said(error)
        raise UnsupportedFormat(
            f"found opset {opset_of(model)}, which cannot be converted to {_CONVERTED}: {why}"
        ) from None


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
        raise InputError(f"{path}: cannot be an ONNX model: {said(error)}") from None
    write_bytes(path, model.SerializeToString(deterministic=True))
