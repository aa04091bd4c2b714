"""Live PyTorch modules of any class, by ONNX: what their ``forward`` computes, exported and read.

``torch.export`` finds the graph, ``torch.onnx.export`` writes it, and
:mod:`~exactrelu.network.formats.onnx_graph` reads it.  Nothing is folded on the way: by default
torch multiplies batch normalisations into the weights in float32, which is another network.
Weights are those of the module; numbers that torch keeps as doubles of Python and ONNX as float32
(a slope of 0.01, an epsilon) are the float32.

The graph is found with tensors that have no values, so that code that looks at values
(``if x.sum() > 0``) is refused.  The older exporter of torch, by TorchScript, writes down one run:
of such code it makes another function, most of the times with a warning, and it is not used here.

The module is exported as it is used, in eval mode; its own flags are as before afterwards.
"""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any

import numpy as np

from exactrelu.errors import InputError, MissingExtra, UnsupportedFormat
from exactrelu.network.formats.onnx_model import import_onnx


def exported(model: Any, shape: Sequence[Any]) -> Any:
    """The ONNX model of a live module for one input of this shape, or one for each of several."""
    onnx = import_onnx("reading a module by ONNX")
    torch = _import_torch()
    if not isinstance(model, torch.nn.Module):
        raise InputError(
            f"found a value of type {type(model).__name__}, expected a state_dict or a module"
        )
    kind = type(model).__name__
    shapes = shapes_of(shape)
    example = next((p for p in _tensors(model) if p.is_floating_point()), torch.zeros(1))
    inputs = tuple(
        torch.zeros((1, *dims), dtype=example.dtype, device=example.device) for dims in shapes
    )
    with _in_eval_mode(model), _silent(), torch.no_grad():
        try:
            program = torch.export.export(model, inputs, strict=False)
            found = torch.onnx.export(program, dynamo=True, optimize=False, verbose=False)
            graph = found.model_proto
        except Exception as error:
            given = " and ".join(str(tuple(x.shape)) for x in inputs)
            raise UnsupportedFormat(
                f"torch cannot export {kind} for an input of shape {given}: {_reason(error)}"
            ) from None
    return _without_sequences(onnx, graph)


def shapes_of(shape: Sequence[Any]) -> list[tuple[int, ...]]:
    """The shapes of all inputs, without the batch.

    >>> shapes_of((3, 32, 32)), shapes_of([(2,), (3,)])
    ([(3, 32, 32)], [(2,), (3,)])
    """
    inside = [part for part in shape if isinstance(part, Sequence)]
    shapes = [tuple(part) for part in inside] if inside else [tuple(shape)]
    is_mixed = 0 < len(inside) < len(shape)
    if is_mixed or not all(isinstance(n, int) and n > 0 for dims in shapes for n in dims):
        raise InputError(
            f"input shape: found {shape!r}, expected sizes without the batch, as (3, 32, 32), "
            "or such a shape for each input"
        )
    return shapes


def _import_torch() -> Any:
    missing = "torch"
    try:
        import torch
        import torch.onnx

        missing = "onnxscript"
        import onnxscript  # noqa: F401
    except ImportError:
        raise MissingExtra(missing, "torch", "exporting a module") from None
    return torch


def _tensors(model: Any) -> Iterator[Any]:
    yield from model.parameters()
    yield from model.buffers()


@contextmanager
def _in_eval_mode(model: Any) -> Iterator[None]:
    """All flags of the module off, and as they were afterwards; its own methods are not called."""
    flags = [(module, module.training) for module in model.modules()]
    try:
        for module, _ in flags:
            module.training = False
        yield
    finally:
        for module, flag in flags:
            module.training = flag


@contextmanager
def _silent() -> Iterator[None]:
    """Without what the exporter says about itself; what goes wrong is told by its error."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with (
            warnings.catch_warnings(),
            redirect_stdout(io.StringIO()),
            redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _reason(error: BaseException) -> str:
    """What began it all: its kind, and the first line."""
    while error.__cause__ is not None:
        error = error.__cause__
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return ": ".join([type(error).__name__, *lines[:1]])[:300]


def _without_sequences(onnx: Any, model: Any) -> Any:
    """The model with a ``Slice`` for each part of a list: so torch writes ``chunk`` and ``split``.

    A list that is made or read in any other way stays, and is refused by name.
    """
    graph = model.graph
    lists = {node.output[0]: node for node in graph.node if node.op_type == "SplitToSequence"}
    constants = {
        node.output[0]: onnx.numpy_helper.to_array(attribute.t)
        for node in graph.node
        for attribute in node.attribute
        if node.op_type == "Constant" and attribute.name == "value"
    }
    for node in graph.node:
        if node.op_type != "SequenceAt" or node.input[0] not in lists:
            continue
        made = lists[node.input[0]]
        sizes, part = (constants.get(name) for name in (*made.input[1:2], node.input[1]))
        if sizes is None or part is None or part < 0:
            continue
        axis = {a.name: a.i for a in made.attribute}.get("axis", 0)
        first = int(part * sizes if sizes.ndim == 0 else sizes[:part].sum())
        last = first + int(sizes if sizes.ndim == 0 else sizes[part])
        names = [f"{node.output[0]}_{which}" for which in ("starts", "ends", "axes")]
        for name, number in zip(names, (first, last, axis), strict=True):
            array = np.array([number], np.int64)
            graph.initializer.append(onnx.numpy_helper.from_array(array, name))
        inputs = [made.input[0], *names]
        node.CopyFrom(onnx.helper.make_node("Slice", inputs, list(node.output), node.name))
    return model
