"""ONNX files: strange ones are refused; what is written is the same network here and elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from exactrelu.errors import InputError
from exactrelu.exact.scalar import fraction
from exactrelu.network.formats.load import load, save
from exactrelu.network.network import Network
from tests.network.formats.onnx_nodes import node

# --- reading


BFLOAT16 = helper.tensor_dtype_to_np_dtype(TensorProto.BFLOAT16)


@pytest.mark.parametrize("dtype", [np.float16, BFLOAT16, np.float32, np.float64])
def test_every_float_is_the_dyadic_that_it_stores(
    onnx_file: Callable[..., Path], dtype: Any
) -> None:
    W = np.array([[0.1, -3.0, 1e-3]]).astype(dtype)
    net = load(onnx_file([node("Gemm", "x W", transB=1)], {"W": W}, [1, 3], dtype=dtype))
    assert [float(v.p) / float(v.q) for v in net.layers[0].weights.row(0)] == W[0].tolist()


def test_what_is_beside_the_output_is_no_part_of_it(onnx_file: Callable[..., Path]) -> None:
    nodes = [node("Sigmoid", "x", "unused"), node("Relu", "x")]
    assert load(onnx_file(nodes, {"also": np.array(["text"])}, [1, 2])).widths == (2, 2, 2)


def changed(path: Path, change: Callable[[Any], None]) -> Path:
    model = onnx.load_model_from_string(path.read_bytes())
    change(model)
    path.write_bytes(model.SerializeToString())
    return path


def relu(onnx_file: Callable[..., Path]) -> Path:
    A = np.ones((3, 3), np.float32)
    return onnx_file([node("MatMul", "x A", "h"), node("Relu", "h")], {"A": A}, [1, 3])


def external(model: Any) -> None:
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/etc/passwd")


def integer_input(model: Any) -> None:
    model.graph.input[0].type.tensor_type.elem_type = TensorProto.UINT8


def sparse_initializer(model: Any) -> None:
    sparse = model.graph.sparse_initializer.add()
    sparse.values.CopyFrom(numpy_helper.from_array(np.ones(3, np.float32), "values"))


def no_opset(model: Any) -> None:
    model.opset_import[0].domain = "com.example"


def custom_domain(model: Any) -> None:
    model.graph.node[1].domain = "com.example"
    model.opset_import.append(helper.make_opsetid("com.example", 1))


def short_data(model: Any) -> None:
    model.graph.initializer[0].raw_data = b"1234"


def strange_type(model: Any) -> None:
    tensor = helper.make_tensor("A", TensorProto.FLOAT8E4M3FN, [3, 3], [1.0] * 9)
    model.graph.initializer[0].CopyFrom(tensor)


def no_nodes(model: Any) -> None:
    del model.graph.node[:]


def cycle(model: Any) -> None:
    model.graph.node[0].input[0] = "y"


def unknown_attribute(model: Any) -> None:
    model.graph.node[1].attribute.append(helper.make_attribute("slope", 0.5))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (external, r"its data is in another file, which cannot be read"),
        (integer_input, r"input 'x': found the type uint8"),
        (sparse_initializer, r"sparse initializer"),
        (no_opset, r"no valid ONNX model|found opset 0, expected 7 or newer"),
        (custom_domain, r"com\.example\.Relu is not supported"),
        (short_data, r"."),
        (strange_type, r"initializer 'A': found the type float8e4m3fn"),
        (no_nodes, r"no ONNX model with nodes"),
        (cycle, r"node 'matmul-h' reads what it makes itself: a cycle"),
        (unknown_attribute, r"slope"),
    ],
)
def test_strange_models(
    onnx_file: Callable[..., Path], change: Callable[[Any], None], message: str
) -> None:
    path = changed(relu(onnx_file), change)
    with pytest.raises(InputError, match=message) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_without_the_extra(onnx_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from exactrelu.errors import MissingExtra

    path = relu(onnx_file)
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtra, match=r"pip install 'exactrelu\[onnx\]'"):
        load(path)


# --- writing


@pytest.mark.parametrize("widths", [(1, 1), (2, 2, 1), (3, 5, 4, 2), (7, 1, 1, 7)])
def test_the_same_network_comes_back(
    tmp_path: Path,
    make_network: Callable[..., Network],
    dyadic: Callable[..., Any],
    run_onnx: Callable[..., Any],
    exact_rows: Callable[..., Any],
    widths: tuple[int, ...],
) -> None:
    net, path = make_network(widths), tmp_path / "net.onnx"
    save(net, path)
    again = load(path)
    assert again == net
    assert (again.name, again.sha256) == (net.name, net.sha256)
    onnx.checker.check_model(onnx.load_model_from_string(path.read_bytes()), full_check=True)
    points = [dyadic(1, widths[0]) for _ in range(5)]
    assert [net(p.ravel()) for p in points] == exact_rows(run_onnx(path, points))


def test_a_batch_goes_through(tmp_path: Path, make_network: Callable[..., Network]) -> None:
    runtime = pytest.importorskip("onnxruntime")
    net, path = make_network((2, 3, 1)), tmp_path / "net.onnx"
    save(net, path)
    session = runtime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    points = np.array([[0, 0], [1, -1], [0.5, 2]], np.float32)
    (outputs,) = session.run(None, {"input": points})
    assert [[float(fraction(v)) for v in net(p)] for p in points] == outputs.tolist()


def test_doubles_where_float32_does_not_hold_them(tmp_path: Path) -> None:
    for value, elem_type in [(0.5, onnx.TensorProto.FLOAT), (0.1, onnx.TensorProto.DOUBLE)]:
        net = Network.from_arrays([[[value]]], [[0]])
        save(net, tmp_path / "n.onnx")
        model = onnx.load_model_from_string((tmp_path / "n.onnx").read_bytes())
        assert {t.data_type for t in model.graph.initializer} == {elem_type}
        assert load(tmp_path / "n.onnx") == net


def test_a_network_without_a_name_is_named_after_the_file(tmp_path: Path) -> None:
    save(Network.from_arrays([[[1]]], [[0]]), tmp_path / "one.onnx")
    assert load(tmp_path / "one.onnx").name == "one"
