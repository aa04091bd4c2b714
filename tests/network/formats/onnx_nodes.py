"""Nodes and models of ONNX, written shortly, and onnxruntime as it computes without optimising."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper


def node(op: str, inputs: str, output: str = "y", **attributes: Any) -> Any:
    """Inputs and outputs separated by blanks, ``-`` for none; the name says what and where."""
    names = ["" if name == "-" else name for name in inputs.split()]
    return helper.make_node(op, names, output.split(), f"{op.lower()}-{output}", **attributes)


def model(
    nodes: Sequence[Any],
    constants: Mapping[str, Any],
    shapes: Mapping[str, Sequence[Any]],
    opset: int = 17,
    outputs: Sequence[str] = ("y",),
) -> Any:
    """A model with inputs of these shapes, float32."""
    graph = helper.make_graph(
        list(nodes),
        "g",
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in shapes.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(v), name) for name, v in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    made.ir_version = 8 if opset < 19 else 10
    return made


def runtime_values(data: bytes, points: Sequence[Mapping[str, Any]]) -> list[Any]:
    """All outputs at some points, flattened, one after the other.

    Optimisations change the values of quantised models by 1 %: they are off.
    """
    runtime = pytest.importorskip("onnxruntime")
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    return [
        np.concatenate([np.ravel(value) for value in session.run(None, dict(point))])
        for point in points
    ]
