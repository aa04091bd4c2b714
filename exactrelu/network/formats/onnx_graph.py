"""ONNX graphs of piecewise linear operators, read exactly.

Every input that is no initializer, in order, flattened and one after the other, is the input of the
network; the outputs likewise its output.  A first dimension that is symbolic is 1, and other
symbolic ones are given by name (:class:`Reading`).  Nodes that the outputs do not depend on are no
part of the function.  Constants are float16, bfloat16, float32 or float64, the dyadics that they
store, or integers.  What a node means is in :mod:`~exactrelu.network.formats.onnx_operators`, and
any other operator is refused by name.  A tensor that several nodes read is a shared variable of the
graph (:mod:`exactrelu.network.graph.lowering`).

What is not the whole graph as it is stored is asked for, and recorded in the name of the network:
only up to a value, without a last operator, some outputs, roots rounded.
"""

from __future__ import annotations

import math
import os
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypedDict, Unpack

import numpy as np

from exactrelu.bounded import bounded
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.errors import InputError, ShapeError, UnsupportedFormat, one_line, said, shortened
from exactrelu.files import PathLike, errors_in, read_bytes, require_file, stem
from exactrelu.network.declared import declared_by, fit
from exactrelu.network.formats.arrays import Array
from exactrelu.network.formats.onnx_model import (
    OLDEST_OPSET,
    decoded,
    import_onnx,
    opset_of,
    prepared,
)
from exactrelu.network.formats.onnx_node import Node, Value
from exactrelu.network.formats.onnx_operators import KNOWN, applied
from exactrelu.network.formats.support import is_no_function_of_a_network, not_supported
from exactrelu.network.graph.forms import Forms
from exactrelu.network.graph.roots import Roots
from exactrelu.network.graph.tensor import Tensor
from exactrelu.network.graph.windows import require_size
from exactrelu.network.network import Network

#: Numbers of one constant.
MAX_WEIGHTS = 50_000_000


class Options(TypedDict, total=False):
    """The keywords that say what is read of a graph."""

    until: str | None
    drop_last: str | None
    roots: Literal["exact", "float32", "float64"] | None
    outputs: str | Sequence[str]
    dims: Mapping[str, int] | None
    batch: int | None


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

    def __post_init__(self) -> None:
        sizes = [(f"dimension {name}", n) for name, n in self.dims.items()]
        if self.batch is not None:
            sizes.append(("batch", self.batch))
        for what, n in sizes:
            if not isinstance(n, int) or isinstance(n, bool) or n < 1:
                raise InputError(f"{what}: found {n!r}, expected a positive integer")

    @classmethod
    def of(cls, **asked: Unpack[Options]) -> Reading:
        """What is asked with the keywords of :func:`exactrelu.load`.

        >>> Reading.of(until="logits", roots="float64").words
        ' (until logits; roots: float64)'
        """
        roots = asked.get("roots")
        known = [kind.value for kind in Roots]
        if roots is not None and roots not in known:
            raise InputError(f"roots: found {shortened(roots)}, expected one of {', '.join(known)}")
        outputs = asked.get("outputs") or ()
        return cls(
            asked.get("until"),
            asked.get("drop_last"),
            Roots(roots or "exact"),
            (outputs,) if isinstance(outputs, str) else tuple(outputs),
            dict(asked.get("dims") or {}),
            asked.get("batch"),
        )

    @property
    def is_of_all(self) -> bool:
        """Whether the inputs and outputs are those that the graph declares."""
        return not (self.until or self.drop_last or self.outputs or self.batch)

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


@bounded
def from_onnx(
    effort: Effort,
    /,
    path_or_model: Any,
    *,
    until: str | None = None,
    drop_last: str | None = None,
    roots: Literal["exact", "float32", "float64"] | None = None,
    outputs: str | Sequence[str] = (),
    dims: Mapping[str, int] | None = None,
    batch: int | None = None,
    **limits: Unpack[Limits],
) -> Network:
    """The network of an ONNX file, or of a model of the ``onnx`` package, exactly.

    Parameters
    ----------
    path_or_model : str, path or onnx.ModelProto
        The graph.
    until : str, optional
        Of an ONNX graph: the name of a value or a node, up to which it is read.
    drop_last : str, optional
        An operator such as ``"Softmax"`` that the output comes from, and that is left out.
    roots : {"exact", "float32", "float64"}, optional
        What becomes of an irrational square root, as in most batch normalisations: the file is
        refused, or each is replaced by the nearest float.  Everything else stays exact.
    outputs : str or sequence of str, optional
        The names of some of the outputs; all of them by default.
    dims : mapping of str to int, optional
        Sizes of symbolic dimensions by name; a symbolic first one is 1 if nothing is said.
    batch : int, optional
        The first dimension of every input, in place of the one that is stored.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Network
        The same real function; nothing is dropped or rounded but what was asked for, which the
        name of the network records.

    Raises
    ------
    InputError
        If the graph is not piecewise linear, or damaged: the message names the node and the reason.

    Examples
    --------
    >>> import exactrelu as er
    >>> from onnx import TensorProto, helper
    >>> ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 2]) for name in "xy"]
    >>> node = helper.make_node("LeakyRelu", ["x"], ["y"], alpha=0.25)
    >>> model = helper.make_model(helper.make_graph([node], "leaky", ends[:1], ends[1:]))
    >>> er.from_onnx(model)([-4, 4])
    (-1, 4)
    """
    asked: Options = {
        "until": until,
        "drop_last": drop_last,
        "roots": roots,
        "outputs": outputs,
        "dims": dims,
        "batch": batch,
    }
    reading = Reading.of(**asked)
    if isinstance(path_or_model, str | os.PathLike):
        require_file(path_or_model)
        return load_onnx(path_or_model, effort, **asked)
    if not hasattr(path_or_model, "graph"):
        found = type(path_or_model).__name__
        raise InputError(f"found a {found}, expected the path of an ONNX file or a model of onnx")
    return network_of_model(path_or_model, "", "", effort, reading)


def load_onnx(path: PathLike, effort: Effort = UNLIMITED, **asked: Unpack[Options]) -> Network:
    """The network of an ONNX file, named after its graph (or after the file)."""
    reading = Reading.of(**asked)
    onnx = import_onnx("reading .onnx files")
    data = read_bytes(path, effort)
    with errors_in(path):
        model = decoded(onnx, data)
        folder = os.path.dirname(os.fspath(path))
        return network_of_model(model, stem(path), folder, effort, reading, os.fspath(path))


def network_of_model(
    model: Any,
    name: str = "",
    folder: str = "",
    effort: Effort = UNLIMITED,
    reading: Reading | None = None,
    file: str = "",
) -> Network:
    """The network of a model of the onnx package; external data are looked for in the folder.

    ``file`` is how errors call the model in a command; without one they speak Python.
    """
    onnx = import_onnx("reading ONNX models")
    asked = reading or Reading()
    inputs, outputs = declared_by(model.graph) if asked.is_of_all else ([], [])
    is_old = 0 < opset_of(model) < OLDEST_OPSET
    model = prepared(onnx, model, folder, effort)
    network = _GraphReader(onnx, model, asked, effort, file, is_old).network()
    return replace(
        network,
        name=(model.graph.name or name) + asked.words,
        input_tensors=tuple(inputs) if fit(inputs, network.n_inputs) else (),
        output_tensors=tuple(outputs) if fit(outputs, network.n_outputs) else (),
    )


class _GraphReader:
    """Computes the graph's outputs node by node, in the order that ONNX prescribes."""

    def __init__(
        self,
        onnx: Any,
        model: Any,
        reading: Reading,
        effort: Effort,
        file: str,
        is_old: bool = False,
    ) -> None:
        self._onnx = onnx
        self._is_old = is_old
        self._file = file
        self._effort = effort
        self._reading = reading
        self._graph = model.graph
        self._opset = opset_of(model)
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
                self._values.update(zip(node.output, self._apply(node, outputs), strict=False))
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
        if not names:
            raise InputError("found no output, expected one at least")
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
                name = " ".join(dim.dim_param.split()) or "?"
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

    def _apply(self, node: Any, outputs: list[str]) -> list[Value]:
        kind = node.op_type
        if node.domain not in ("", "ai.onnx"):
            kind = one_line(f"{node.domain}.{kind}")
        if kind not in KNOWN:
            is_last = set(outputs) <= set(node.output) and is_no_function_of_a_network(kind)
            last = self._without(node) if is_last else ""
            raise UnsupportedFormat(f"the operator {kind} {not_supported(kind)}{last}")
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
        found = applied(operation)
        if self._is_old and kind in _FITTED and found[0].shape != operation.raw(0).shape:
            # In old opsets the second input is fitted to the first one, never the other way round.
            raise ShapeError(f"input 2 is not broadcast to the shape {operation.raw(0).shape}")
        return found

    def _without(self, node: Any) -> str:
        """What to do about a last operator that is not read."""
        if self._reading.drop_last is not None:
            return ""
        same = ""
        if node.op_type in ("Softmax", "LogSoftmax"):
            same = "; arg max is the same on both sides, probabilities are not"
        option = f"drop_last={node.op_type!r}"
        if self._file:
            option = f"exactrelu convert {shlex.quote(self._file)} out.json"
            option += f" --drop-last {node.op_type}"
        return f": {option} leaves it out{same}"

    def _value(self, name: str) -> Value:
        if name not in self._values:
            if name not in self._initializers:
                raise UnsupportedFormat(f"its input {name!r} is made by no node before it")
            tensor = self._initializers[name]
            self._values[name] = self._constant(tensor, f"initializer {name!r}")
        return self._values[name]

    def _attribute(self, attribute: Any) -> Any:
        if attribute.ref_attr_name:
            raise InputError(f"attribute {attribute.name!r}: found no value, expected one")
        value = self._onnx.helper.get_attribute_value(attribute)
        if attribute.type == self._onnx.AttributeProto.TENSOR:
            return self._constant(value, f"attribute {attribute.name!r}")
        if attribute.type in (self._onnx.AttributeProto.GRAPH, self._onnx.AttributeProto.GRAPHS):
            return None
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else value

    def _constant(self, tensor: Any, where: str) -> Array:
        """The stored numbers as float64 (which holds every float type exactly), or integers."""
        # Some are empty: a region that is not asked for, a list of no axes.
        require_size([max(int(n), 1) for n in tensor.dims], where, MAX_WEIGHTS)
        if tensor.data_type not in self._onnx.TensorProto.DataType.values():
            self._float_type(tensor.data_type, where)
        try:
            array = np.asarray(self._onnx.numpy_helper.to_array(tensor))
        except (ValueError, TypeError) as error:
            raise InputError(f"{where}: cannot be read: {said(error)}") from None
        proto = self._onnx.TensorProto
        if tensor.data_type == proto.BOOL:
            return array.astype(bool)
        if array.dtype.kind in "iu":
            return _as_integers(array, where)
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


def _as_integers(array: Array, where: str) -> Array:
    """Integers as int64, which holds all but the largest ones without a sign."""
    found = array.astype(np.int64)
    if array.dtype.kind == "u" and (found < 0).any():
        raise UnsupportedFormat(f"{where}: found {array.max()}, expected integers below 2^63")
    return found


def _floats(constant: Array) -> Array:
    return constant.astype(np.float64) if constant.dtype.kind in "iub" else constant


#: What fits its second input to the first one before opset 7.
_FITTED = ("Add", "Div", "Mul", "Sub")


def _label(number: int, node: Any) -> str:
    name = f"node {node.name!r}" if node.name else f"node {number} (output {node.output[0]!r})"
    return f"{name}: {one_line(node.op_type)}"
