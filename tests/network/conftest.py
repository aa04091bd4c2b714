"""What the format tests share: random networks, ONNX models, and onnxruntime."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactrelu.exact.scalar import Vector, rational
from exactrelu.network.network import Network

DATA = Path(__file__).parent / "formats" / "data"


@pytest.fixture
def data() -> Path:
    return DATA


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Seeded by the test's name, so that a failure repeats."""
    return random.Random(request.node.nodeid.rpartition("::")[2])


@pytest.fixture
def make_network(rng: random.Random) -> Callable[..., Network]:
    """A random network of the given widths whose numbers are k/denominator."""

    def make(widths: Sequence[int], denominator: int = 8, name: str = "random") -> Network:
        def number() -> Any:
            return rational(rng.randint(-20, 20)) / denominator

        pairs = list(zip(widths[1:], widths, strict=False))
        weights = [[[number() for _ in range(n)] for _ in range(m)] for m, n in pairs]
        return Network.from_arrays(weights, [[number() for _ in range(m)] for m, _ in pairs], name)

    return make


@pytest.fixture
def dyadic(rng: random.Random) -> Callable[..., Any]:
    """Random arrays of small multiples of 1/4: sums of products stay exact in floats."""

    def make(*shape: int, dtype: Any = np.float32) -> Any:
        size = int(np.prod(shape))
        return (
            (np.array([rng.randint(-8, 8) for _ in range(size)]) / 4).reshape(shape).astype(dtype)
        )

    return make


@pytest.fixture
def onnx_file(tmp_path: Path) -> Callable[..., Path]:
    """Write an ONNX model of nodes, constants and an input shape; return its path."""
    from onnx import helper, numpy_helper

    def write(
        nodes: Sequence[Any],
        constants: dict[str, Any],
        shape: Sequence[Any],
        opset: int = 17,
        dtype: Any = np.float32,
        also_inputs: bool = False,
    ) -> Path:
        elem = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        inputs = [helper.make_tensor_value_info("x", elem, shape)]
        if also_inputs:
            inputs += [
                helper.make_tensor_value_info(
                    name, helper.np_dtype_to_tensor_dtype(np.asarray(v).dtype), np.shape(v)
                )
                for name, v in constants.items()
            ]
        graph = helper.make_graph(
            list(nodes),
            "g",
            inputs,
            [helper.make_tensor_value_info("y", elem, None)],
            [numpy_helper.from_array(np.asarray(v), name) for name, v in constants.items()],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
        model.ir_version = 8
        path = tmp_path / "net.onnx"
        path.write_bytes(model.SerializeToString())
        return path

    return write


@pytest.fixture
def run_onnx() -> Callable[..., Any]:
    """The outputs of onnxruntime at points of one shape, flattened, one row for each."""
    runtime = pytest.importorskip("onnxruntime")

    def run(path: Path, points: Any) -> Any:
        options = runtime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = 1
        session = runtime.InferenceSession(
            path.read_bytes(), options, providers=["CPUExecutionProvider"]
        )
        (source,) = session.get_inputs()
        return np.stack([session.run(None, {source.name: p})[0].ravel() for p in points])

    return run


@pytest.fixture
def exact_rows() -> Callable[[Any], list[Vector]]:
    """Rows of floats as the rationals that they store."""
    return lambda rows: [tuple(rational(float(v)) for v in np.ravel(row)) for row in rows]
