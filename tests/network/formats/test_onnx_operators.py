"""Every supported operator against onnxruntime, every refusal by name.

Weights and points are small dyadic numbers, chosen so that float arithmetic makes
no error whatever its order: exact results and onnxruntime's must be *equal*.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

from exactrelu.errors import InputError, UnsupportedFormat
from exactrelu.network.formats.load import load
from exactrelu.network.formats.onnx_graph import from_onnx
from tests.network.formats.onnx_nodes import model, node

# --- reading


Dyadic = Callable[..., Any]


def graphs(d: Dyadic) -> dict[str, tuple[list[Any], dict[str, Any], list[Any], tuple[int, ...]]]:
    """name → nodes, constants, input shape, expected widths."""
    powers = np.array([0.5, 2, 4], np.float32)
    stats = {"s": d(2), "t": d(2), "m": d(2), "v": np.array([3.75, 0], np.float32)}
    return {
        "matmul-add-relu": (
            [
                node("MatMul", "x A", "h"),
                node("Add", "h b", "z"),
                node("Relu", "z", "r"),
                node("MatMul", "r B"),
            ],
            {"A": d(3, 4), "b": d(4), "B": d(4, 2)},
            [1, 3],
            (3, 4, 2),
        ),
        "constant-on-the-left": (
            [node("MatMul", "A x", "h"), node("Relu", "h", "r"), node("MatMul", "B r")],
            {"A": d(4, 3), "B": d(2, 4)},
            [3],
            (3, 4, 2),
        ),
        "gemm": (
            [
                node("Gemm", "x A b", "h", alpha=0.5, beta=2.0, transB=1),
                node("Relu", "h", "r"),
                node("Gemm", "B r", "y", transA=1, transB=1, alpha=-1.0),
            ],
            {"A": d(4, 3), "b": d(1, 4), "B": d(4, 2)},
            ["batch", 3],
            (3, 4, 2),
        ),
        "normalised-input": (
            [
                node("Sub", "x m", "c"),
                node("Div", "c p", "n"),
                node("MatMul", "n A", "h"),
                node("Relu", "h", "r"),
                node("Mul", "p r", "q"),
                node("Sub", "one q", "y"),
            ],
            {"m": d(3), "p": powers, "A": d(3, 3), "one": np.array(1, np.float32)},
            [1, 3],
            (3, 3, 3),
        ),
        "constants-among-themselves": (
            [
                node("Transpose", "A", "At"),
                node("MatMul", "At B", "C"),
                node("Add", "C A", "D"),
                node("Constant", "", "two", value_float=2.0),
                node("Div", "D two", "E"),
                node("Sub", "E B", "F"),
                node("Mul", "F two", "G"),
                node("Identity", "G", "H"),
                node("Gemm", "x H"),
            ],
            {"A": d(3, 3), "B": d(3, 3)},
            [1, 3],
            (3, 3),
        ),
        "shapes": (
            [
                node("Reshape", "x s1", "a"),
                node("Transpose", "a", "b", perm=[0, 2, 1]),
                node("Flatten", "b", "c", axis=-1),
                node("Constant", "", "s2", value_ints=[0, 1, -1]),
                node("Reshape", "c s2", "e"),
                node("Transpose", "e", "f"),
                node("Dropout", "f ratio no", "g"),
                node("Flatten", "g", "h", axis=0),
                node("MatMul", "h A"),
            ],
            {
                "s1": np.array([1, 2, 6]),
                "A": d(12, 2),
                "ratio": np.array(0.5, np.float32),
                "no": np.array(False),
            },
            [1, 3, 4],
            (12, 2),
        ),
        "batched-matmul": (
            [node("MatMul", "x A", "h"), node("Relu", "h", "r"), node("MatMul", "B r")],
            {"A": d(2, 3, 4), "B": d(2, 1, 3, 2)},
            [1, 2, 3],
            (6, 16, 48),
        ),
        "sum-of-branches": (
            [
                node("MatMul", "x A", "h"),
                node("Add", "h x", "s"),
                node("Sub", "s h", "t"),
                node("Relu", "t", "y"),
            ],
            {"A": d(3, 3)},
            [1, 3],
            (3, 3, 3),
        ),
        "convolutional": (
            [
                node("Conv", "x K", "c", pads=[1, 1, 0, 0]),
                node("BatchNormalization", "c s t m v", "n", epsilon=0.25),
                node("Relu", "n", "r"),
                node("AveragePool", "r", "p", kernel_shape=[2, 2], strides=[2, 2]),
                node("Flatten", "p", "f"),
                node("Gemm", "f A b"),
            ],
            {"K": d(2, 1, 2, 2), "A": d(8, 3), "b": d(3), **stats},
            [1, 1, 4, 4],
            (16, 32, 3),
        ),
    }


@pytest.mark.parametrize("also_inputs", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", graphs(lambda *shape: np.zeros(shape)))
def test_equal_to_onnxruntime(
    dyadic: Dyadic,
    onnx_file: Callable[..., Path],
    run_onnx: Callable[..., Any],
    exact_rows: Callable[..., Any],
    name: str,
    dtype: Any,
    also_inputs: bool,
) -> None:
    nodes, constants, shape, widths = graphs(dyadic)[name]
    if dtype == np.float64 and {"Constant", "Conv"} & {n.op_type for n in nodes}:
        pytest.skip("value_float is float32, and onnxruntime has no Conv of float64")
    constants = {
        key: value.astype(dtype) if value.dtype.kind == "f" else value
        for key, value in constants.items()
    }
    path = onnx_file(nodes, constants, shape, dtype=dtype, also_inputs=also_inputs)
    net = load(path)
    assert net.widths == widths
    concrete = [1 if isinstance(n, str) else n for n in shape]
    points = [dyadic(*concrete, dtype=dtype) for _ in range(5)]
    assert [net(p.ravel()) for p in points] == exact_rows(run_onnx(path, points))


def test_division_is_exact(onnx_file: Callable[..., Path]) -> None:
    three = np.array(3, np.float32)
    net = load(onnx_file([node("Div", "x three")], {"three": three}, [1, 1]))
    assert net([1])[0] * 3 == 1


def test_the_default_epsilon_is_a_float32(onnx_file: Callable[..., Path]) -> None:
    epsilon = np.float32(1e-5)
    constants = {
        "s": np.ones(1), "t": np.ones(1), "m": np.zeros(1), "v": np.array([1 - float(epsilon)])
    }  # fmt: skip
    nodes = [node("BatchNormalization", "x s t m v")]
    net = load(onnx_file(nodes, constants, [1, 1, 2], dtype=np.float64))
    assert net([2, 3]) == (3, 4)


X = np.ones((3, 3), np.float32)
NAN = np.array([[1, 0, 0], [0, np.nan, 0], [0, 0, 1]], np.float32)
KERNEL = np.ones((1, 3, 2), np.float32)
ONES = np.ones(3, np.float32)
REFUSED: list[tuple[list[Any], dict[str, Any], list[Any], str]] = [
    ([node("Sigmoid", "x")], {}, [1, 3], r"node 'sigmoid-y': Sigmoid: .*supported: it is curved"),
    (
        [helper.make_node("Tanh", ["x"], ["y"])],
        {},
        [1, 3],
        r"node 1 \(output 'y'\): Tanh: the operator Tanh is not supported",
    ),
    ([node("LpPool", "x", kernel_shape=[2])], {}, [1, 1, 4], r"'lppool-y': LpPool"),
    ([node("Mul", "x x")], {}, [1, 3], r"node 'mul-y': Mul: multiplies two tensors"),
    ([node("MatMul", "x x")], {}, [3, 3], r"node 'matmul-y': MatMul: multiplies two tensors"),
    ([node("MatMul", "x x")], {}, [1, 1], r"node 'matmul-y': MatMul: multiplies two tensors"),
    ([node("Div", "A x")], {"A": X}, [1, 3], r"node 'div-y': Div: the divisor 'x' depends on"),
    (
        [node("Div", "x A")],
        {"A": np.zeros(3, np.float32)},
        [1, 3],
        r"node 'div-y': Div: the divisor 'A' contains 0",
    ),
    ([node("MatMul", "x A")], {"A": X}, [1, 4], r"cannot multiply shapes \(1, 4\) and \(3, 3\)"),
    (
        [node("MatMul", "A B", "C"), node("MatMul", "x C")],
        {"A": X, "B": np.ones((2, 2), np.float32)},
        [1, 3],
        r"'matmul-C': MatMul: cannot multiply shapes \(3, 3\) and \(2, 2\)",
    ),
    ([node("Add", "x A")], {"A": np.ones(4, np.float32)}, [1, 3], r"do not broadcast"),
    (
        [node("MatMul", "x A")],
        {"A": NAN},
        [1, 3],
        r"constant 'A'\[1, 1\]: found nan, expected a fin",
    ),
    ([node("Relu", "A")], {"A": X}, [1, 3], r"output 'y' does not depend on the input"),
    ([node("Identity", "A")], {"A": X}, [1, 3], r"output 'y' does not depend on the input"),
    ([node("Relu", "x", "z")], {}, [1, 3], r"output 'y'|no valid ONNX"),
    ([node("Relu", "w")], {}, [1, 3], r"no valid ONNX model|its input 'w' is no first output"),
    (
        [node("Reshape", "x s", "r"), node("Relu", "r")],
        {"s": np.array([2, -1])},
        [1, 3],
        r"'reshape-r': Reshape: cannot be applied to its inputs: cannot reshape array of size 3",
    ),
    ([node("Reshape", "x s")], {"s": np.array([-1, -1])}, [1, 3], r"can only specify one unknown"),
    ([node("Reshape", "x s")], {"s": np.array([1, 1, 0])}, [1, 3], r"out of bounds"),
    (
        [node("Reshape", "x s")],
        {"s": np.array([2, 2])},
        [1, 3],
        r"cannot reshape array of size 3",
    ),
    ([node("Flatten", "x", axis=5)], {}, [1, 3], r"found axis 5"),
    (
        [node("Transpose", "x", perm=[0, 0])],
        {},
        [1, 3],
        r"'transpose-y': Transpose: .*repeated axis",
    ),
    ([node("Gemm", "x A")], {"A": np.ones(3, np.float32)}, [1, 3], r"expected two dimensions"),
    (
        [node("Gemm", "x A b")],
        {"A": X, "b": np.ones((2, 3), np.float32)},
        [1, 3],
        r"input 3 does not broadcast",
    ),
    (
        [node("Dropout", "x r t")],
        {"r": np.array(0.5, np.float32), "t": np.array(True)},
        [1, 3],
        r"found training_mode",
    ),
    (
        [node("BatchNormalization", "x s s s s")],
        {"s": ONES},
        [1, 3],
        r"'batchnormalization-y': .*entry 1: the square root is irrational.*--roots",
    ),
    (
        [node("BatchNormalization", "x s s s s", training_mode=1)],
        {"s": ONES},
        [1, 3],
        r"found training mode",
    ),
    ([node("Conv", "x K", strides=[0])], {"K": KERNEL}, [1, 3, 5], r"Conv: .*positive"),
    (
        [node("Conv", "x K", pads=[1])],
        {"K": KERNEL},
        [1, 3, 5],
        r"Conv: found pads \(1,\), expected 2",
    ),
    (
        [node("Conv", "x K", pads=[1, 1], auto_pad="SAME_UPPER")],
        {"K": KERNEL},
        [1, 3, 5],
        r"pads .* together with auto_pad",
    ),
    ([node("Conv", "x K", auto_pad="EVEN")], {"K": KERNEL}, [1, 3, 5], r"auto_pad 'EVEN'"),
    ([node("Conv", "x K", kernel_shape=[3])], {"K": KERNEL}, [1, 3, 5], r"kernel_shape does not"),
    ([node("Conv", "x K")], {"K": KERNEL}, [1, 3], r"Conv: found a kernel \(2,\) for an input"),
    ([node("Conv", "x K")], {"K": KERNEL}, [1, 4, 5], r"in 1 groups for 4 channels"),
    (
        [node("AveragePool", "x", kernel_shape=[2, 2])],
        {},
        [1, 3, 5],
        r"AveragePool: found a kernel",
    ),
    (
        [
            node(
                "AveragePool",
                "x",
                kernel_shape=[2],
                strides=[2],
                ceil_mode=1,
                count_include_pad=1,
            )
        ],
        {},
        [1, 3, 5],
        r"AveragePool: .*ceil_mode.*tools disagree",
    ),
    ([node("Relu", "x")], {}, ["N", "features"], r"input 'x': found the shape .*'features'"),
    ([node("Relu", "x")], {}, ["N"], r"expected fixed dimensions after the first; --dim N=N"),
    ([node("Relu", "x")], {}, [1, 10**12], r"more than the limit"),
    ([node("Relu", "x")], {}, None, r"input 'x': found no shape"),
]


@pytest.mark.parametrize(
    ("nodes", "constants", "shape", "message"), REFUSED, ids=lambda v: str(v)[:60]
)
def test_refusals(
    onnx_file: Callable[..., Path],
    nodes: list[Any],
    constants: dict[str, Any],
    shape: Any,
    message: str,
) -> None:
    path = onnx_file(nodes, constants, shape)
    with pytest.raises(InputError, match=message) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_arithmetic_on_integers_truncates(onnx_file: Callable[..., Path]) -> None:
    """As ONNX divides integers: it is about shapes."""
    seven, two = np.array([7]), np.array([2])
    nodes = [node("Div", "a b", "s"), node("Reshape", "x s", "r"), node("Relu", "r")]
    assert load(onnx_file(nodes, {"a": seven, "b": two}, [1, 3])).widths == (3, 3, 3)


def test_constants_cannot_explode(onnx_file: Callable[..., Path]) -> None:
    squares = [node("Mul", f"c{i} c{i}", f"c{i + 1}") for i in range(60)]
    path = onnx_file([*squares, node("Mul", "x c60")], {"c0": np.array(3, np.float32)}, [1, 1])
    with pytest.raises(UnsupportedFormat, match="a constant of more than"):
        load(path)
    tall, wide = np.ones((10**4, 1), np.float32), np.ones((1, 10**4), np.float32)
    for op in ("Add", "MatMul"):
        path = onnx_file([node(op, "a b", "c"), node("Add", "x c")], {"a": tall, "b": wide}, [1, 1])
        with pytest.raises(UnsupportedFormat, match="more than the limit"):
            load(path)


@pytest.mark.parametrize("size", [0.0, 0.5, 2.0])
def test_shrink_is_exact_where_it_is_continuous(size: float) -> None:
    made = model([node("Shrink", "x", lambd=size, bias=size)], {}, {"x": [1, 9]}, 9)
    points = np.arange(-4, 5, dtype=np.float32)[None] / 2
    network = from_onnx(made)
    (expected,) = ReferenceEvaluator(made).run(None, {"x": points})
    assert [float(y) for y in network(points[0].tolist())] == expected[0].tolist()
    assert network.n_hidden_neurons == (18 if size else 0)


def test_a_bound_of_clip_that_is_the_largest_float_is_one_on_its_own_side_only() -> None:
    largest = np.finfo(np.float32).max
    made = model([node("Clip", "x a")], {"a": np.array(largest)}, {"x": [1, 1]}, 13)
    assert [float(y) for y in from_onnx(made)([0])] == [largest]
