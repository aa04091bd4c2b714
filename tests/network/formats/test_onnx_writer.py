"""Written ONNX: valid, the same network when read back, the same function elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from exactrelu.exact.scalar import fraction
from exactrelu.network.formats.load import load, save
from exactrelu.network.network import Network


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
