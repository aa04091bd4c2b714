"""One small model for every operator and every opset that changed its meaning, against onnxruntime.

Weights and points are small multiples of 1/4.  onnxruntime computes in float32: what it finds is
within 2·10⁻⁶ of the largest output.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np
import pytest
from onnx import numpy_helper

from exactrelu.network.formats.onnx_graph import from_onnx
from exactrelu.network.formats.onnx_operators import KNOWN
from exactrelu.network.formats.support import RULES
from tests.network.formats.onnx_nodes import model, node, runtime_values
from tests.seeds import seeds

N_POINTS = 20
TOLERANCE = 2e-6

Constants = dict[str, Any]


def numbers(*shape: int, seed: int = 0) -> Any:
    drawn = random.Random(repr((shape, seed)))
    size = int(np.prod(shape))
    values = [drawn.randint(-8, 8) / 4 for _ in range(size)]
    return np.array(values, np.float32).reshape(shape)


def ints(*values: int) -> Any:
    return np.array(values, np.int64)


class Case(NamedTuple):
    nodes: list[Any]
    constants: Constants
    shape: tuple[int, ...]
    opsets: tuple[int, ...]


IMAGE = (1, 2, 5, 6)
K = numbers(4, 2, 2, 3)
F = np.float32

CASES: dict[str, Case] = {}


def case(
    name: str,
    opsets: int | tuple[int, ...],
    nodes: Any,
    shape: tuple[int, ...] = (1, 3),
    **constants: Any,
) -> None:
    assert name not in CASES
    given = (opsets,) if isinstance(opsets, int) else opsets
    CASES[name] = Case(nodes if isinstance(nodes, list) else [nodes], constants, shape, given)


# --- What bends
case("relu", (7, 13, 14, 21), node("Relu", "x"))
case("leaky-default", (7, 16), node("LeakyRelu", "x"))
case("leaky", (7, 16), node("LeakyRelu", "x", alpha=0.3))
case("prelu-scalar", (7, 9, 16), node("PRelu", "x a"), a=F([0.25]))
case("prelu-channels", (7, 9, 16), node("PRelu", "x a"), IMAGE, a=numbers(2, 1, 1))
case("prelu-elements", (9, 16), node("PRelu", "x a"), (2, 3), a=numbers(2, 3))
case("abs", (7, 13), node("Abs", "x"))
case("reduce-l1", (7, 11, 13), node("ReduceL1", "x", axes=[1], keepdims=0), (2, 3))
case("reduce-l1-input", 18, node("ReduceL1", "x a"), (2, 3), a=ints(-1))
case("max-of-three", (8, 12, 13), node("Max", "x a b"), (2, 3), a=numbers(3), b=numbers(2, 1))
case("min-of-three", (8, 12, 13), node("Min", "x a b"), (2, 3), a=numbers(3), b=numbers(2, 1))
case("max-of-one", (8, 13), node("Max", "x"))
case("max-with-itself", 13, [node("Neg", "x", "n"), node("Max", "x n")])
for OP in ("ReduceMax", "ReduceMin"):
    case(f"{OP}", (7, 11, 12, 13), node(OP, "x", axes=[0, 2]), (2, 3, 3))
    case(f"{OP}-flat", (7, 13), node(OP, "x", keepdims=0), (2, 3))
    case(f"{OP}-input", (18, 20), node(OP, "x a", keepdims=0), (2, 3), a=ints(-2))
    case(f"{OP}-noop", 18, node(OP, "x a", noop_with_empty_axes=1), (2, 3), a=ints())
case("clip-attributes", (7,), node("Clip", "x", min=-0.5, max=1.25))
case("clip-one-sided", (7,), node("Clip", "x", max=0.75))
case("clip", (11, 12, 13), node("Clip", "x l h"), l=F(-0.5), h=F(1.25))
case("clip-above", (11, 13), node("Clip", "x - h"), h=F(0.5))
case("clip-below", (11, 13), node("Clip", "x l"), l=F(0.5))
case("clip-nothing", 13, [node("Clip", "x", "c"), node("Relu", "c")])
case("clip-relu6", 13, [node("Relu", "x", "r"), node("Clip", "r l h")], l=F(0), h=F(6))
case(
    "clip-largest",
    13,
    node("Clip", "x l h"),
    l=F(-1),
    h=np.finfo(np.float32).max,
)
case("clip-infinite", 13, node("Clip", "x l h"), l=F(-np.inf), h=F(1))
case("hard-sigmoid-default", 7, node("HardSigmoid", "x"))
case("hard-sigmoid", 7, node("HardSigmoid", "x", alpha=0.75, beta=0.125))
case("thresholded-relu", 10, node("ThresholdedRelu", "x", alpha=0.0))
case("shrink", 9, node("Shrink", "x", lambd=0.75, bias=0.75))
case("shrink-of-nothing", 9, node("Shrink", "x", lambd=-1.0, bias=0.0))

# --- Linear
for OP in ("Add", "Sub", "Mul"):
    case(f"{OP}", (7, 13, 14), node(OP, "x a"), (2, 3), a=numbers(3))
    case(f"{OP}-left", (7, 14), node(OP, "a x"), (1, 3), a=numbers(2, 1))
case("add-itself", 13, [node("Relu", "x", "r"), node("Add", "r x")])
case("div", (7, 13, 14), node("Div", "x a"), a=F([0.5, 3, -7]))
case("neg", (7, 13), node("Neg", "x"))
case("sum", (8, 13), node("Sum", "x a x"), (2, 3), a=numbers(3))
case("sum-of-one", (8, 13), node("Sum", "x"))
case("mean", (8, 13), node("Mean", "x a x"), (2, 3), a=numbers(3))
case("gemm", (7, 9, 11, 13), node("Gemm", "x a c", alpha=0.5, beta=2.0), a=numbers(3, 4), c=F([1]))
case("gemm-transposed", (11, 13), node("Gemm", "x a", transA=1, transB=1), (3, 2), a=numbers(4, 3))
case("gemm-left", (11, 13), node("Gemm", "a x", transB=1), (2, 3), a=numbers(4, 3))
case("gemm-shift", 13, node("Gemm", "a b x", beta=0.5), (2, 4), a=numbers(2, 3), b=numbers(3, 4))
case("matmul", (7, 9, 13), node("MatMul", "x a"), (2, 3), a=numbers(3, 4))
case("matmul-left", (9, 13), node("MatMul", "a x"), (2, 3, 4), a=numbers(5, 1, 2, 3))
case("matmul-vector", 13, node("MatMul", "x a"), (2, 3), a=numbers(3))
case("reduce-sum", (7, 11), node("ReduceSum", "x", axes=[0, -1], keepdims=0), (2, 3, 2))
case("reduce-sum-input", 13, node("ReduceSum", "x a"), (2, 3, 2), a=ints(1))
case("reduce-sum-all", (11, 13), node("ReduceSum", "x"), (2, 3))
case("reduce-sum-noop", 13, node("ReduceSum", "x", noop_with_empty_axes=1), (2, 3))
case("reduce-mean", (7, 11, 13), node("ReduceMean", "x", axes=[1]), (2, 3))
case("reduce-mean-input", 18, node("ReduceMean", "x a", keepdims=0), (2, 3), a=ints(0))
for EXCLUSIVE, REVERSE in ((0, 0), (1, 0), (0, 1), (1, 1)):
    case(
        f"cumsum-{EXCLUSIVE}{REVERSE}",
        (11, 14),
        node("CumSum", "x a", exclusive=EXCLUSIVE, reverse=REVERSE),
        (2, 4, 2),
        a=np.array(-2),
    )

# --- Images
case(
    "conv",
    (7, 11),
    node("Conv", "x k b", pads=[1, 0, 2, 1], strides=[2, 1]),
    IMAGE,
    k=K,
    b=F(range(4)),
)
case("conv-same", 11, node("Conv", "x k", auto_pad="SAME_LOWER", strides=[2, 2]), IMAGE, k=K)
case("conv-groups", 11, node("Conv", "x k", group=2), IMAGE, k=numbers(4, 1, 2, 2))
case("conv-batch", 11, node("Conv", "x k", dilations=[2, 1]), (2, 2, 5, 4), k=K)
case("conv-1d", 11, node("Conv", "x k", strides=[2], pads=[1, 1]), (1, 2, 7), k=numbers(3, 2, 3))
KT = numbers(2, 3, 2, 3)
case("transposed", (7, 11), node("ConvTranspose", "x k b"), (1, 2, 3, 2), k=KT, b=F([1, 2, 3]))
case(
    "transposed-strides",
    11,
    node("ConvTranspose", "x k", strides=[2, 3], pads=[1, 0, 0, 1], output_padding=[1, 0]),
    (1, 2, 3, 2),
    k=KT,
)
case(
    "transposed-groups",
    11,
    node("ConvTranspose", "x k", group=2, dilations=[2, 1]),
    (2, 2, 3, 2),
    k=numbers(2, 2, 2, 2),
)
case(
    "transposed-shape",
    11,
    node("ConvTranspose", "x k", strides=[2, 2], output_shape=[5, 4]),
    (1, 2, 3, 2),
    k=KT,
)
case(
    "max-pool",
    (8, 10, 11, 12),
    node("MaxPool", "x", kernel_shape=[2, 3], strides=[2, 1], pads=[1, 0, 1, 1]),
    IMAGE,
)
case(
    "max-pool-ceil",
    (10, 11, 12),
    node("MaxPool", "x", kernel_shape=[3, 2], strides=[2, 4], ceil_mode=1),
    IMAGE,
)
case(
    "max-pool-dilated", (10, 12), node("MaxPool", "x", kernel_shape=[2, 2], dilations=[2, 3]), IMAGE
)
case(
    "max-pool-same",
    12,
    node("MaxPool", "x", kernel_shape=[3, 2], auto_pad="SAME_UPPER", strides=[2, 2]),
    IMAGE,
)
case("max-pool-batch", 12, node("MaxPool", "x", kernel_shape=[2]), (2, 1, 3))
case(
    "average-pool",
    (7, 10, 11, 19),
    node("AveragePool", "x", kernel_shape=[2, 3], pads=[1, 1, 0, 1]),
    IMAGE,
)
case(
    "average-pool-counted",
    (7, 11, 19),
    node("AveragePool", "x", kernel_shape=[2, 3], pads=[1, 1, 0, 1], count_include_pad=1),
    IMAGE,
)
case(
    "average-pool-ceil",
    (11, 19),
    node("AveragePool", "x", kernel_shape=[3, 2], strides=[2, 2], ceil_mode=1),
    IMAGE,
)
case(
    "average-pool-dilated",
    19,
    node("AveragePool", "x", kernel_shape=[2, 2], dilations=[2, 1]),
    IMAGE,
)
case("global-average", 7, node("GlobalAveragePool", "x"), IMAGE)
case("global-max", 7, node("GlobalMaxPool", "x"), IMAGE)
STATISTICS = {"s": numbers(2), "t": numbers(2, seed=1), "m": numbers(2, seed=2), "v": F([3.75, 0])}
case(
    "batch-normalization",
    (7, 9, 14, 15),
    node("BatchNormalization", "x s t m v", epsilon=0.25),
    IMAGE,
    **STATISTICS,
)
case(
    "batch-normalization-momentum",
    (7, 9, 14, 15),
    node("BatchNormalization", "x s t m v", epsilon=0.25, momentum=0.5),
    (1, 2),
    **STATISTICS,
)

# --- Quantised weights
Q = np.array([[1, -7], [3, 0], [100, -128]], np.int8)
case(
    "dequantize",
    (10, 13, 19, 21),
    [node("DequantizeLinear", "q s z", "w"), node("MatMul", "x w")],
    q=Q,
    s=F(0.25),
    z=np.int8(3),
)
case(
    "dequantize-no-zero",
    (10, 13),
    [node("DequantizeLinear", "q s", "w"), node("MatMul", "x w")],
    q=Q.astype(np.uint8),
    s=F(0.25),
)
case(
    "dequantize-axis",
    (13, 21),
    [node("DequantizeLinear", "q s z", "w", axis=1), node("MatMul", "x w")],
    q=Q,
    s=F([0.25, 0.5]),
    z=np.array([3, -1], np.int8),
)
case(
    "dequantize-int32",
    13,
    [node("DequantizeLinear", "q s", "b"), node("Add", "x b")],
    q=np.array([70000, -3, 2], np.int32),
    s=F(0.125),
)

# --- What moves
case("concat", (7, 11, 13), node("Concat", "x a x", axis=-1), (2, 3), a=numbers(2, 2))
case("concat-first", 7, node("Concat", "a x", axis=0), (2, 3), a=numbers(1, 3))
case("depth-to-space", (7, 11, 13), node("DepthToSpace", "x", blocksize=2), (1, 8, 2, 3))
case(
    "depth-to-space-crd", (11, 13), node("DepthToSpace", "x", blocksize=2, mode="CRD"), (1, 8, 2, 3)
)
case("space-to-depth", (7, 13), node("SpaceToDepth", "x", blocksize=2), (1, 2, 4, 2))
case("expand", (8, 13), node("Expand", "x s"), (3, 1), s=ints(2, 1, 4))
case("flatten", (7, 9, 11, 13, 21), node("Flatten", "x", axis=2), (2, 3, 2))
case("flatten-negative", (11, 13), node("Flatten", "x", axis=-1), (2, 3, 2))
case("identity", (7, 13, 14), [node("Identity", "x", "i"), node("Relu", "i")])
case("reshape", (7, 13, 14), node("Reshape", "x s"), (2, 3, 2), s=ints(0, -1))
case("reshape-allowzero", 14, node("Reshape", "x s", allowzero=1), (2, 3), s=ints(3, -1))
case(
    "split-attribute",
    (7, 11),
    [node("Split", "x", "p q", axis=1, split=[1, 2]), node("Concat", "q p", axis=1)],
    (2, 3),
)
case(
    "split-input",
    13,
    [node("Split", "x s", "p q", axis=1), node("Concat", "q p", axis=1)],
    (2, 3),
    s=ints(2, 1),
)
case("split-even", (7, 11, 13), [node("Split", "x", "p q", axis=1), node("Sub", "q p")], (2, 4))
case(
    "split-uneven",
    18,
    [node("Split", "x", "p q", axis=1, num_outputs=2), node("Concat", "q p", axis=1)],
    (2, 3),
)
case("squeeze", (7, 11), node("Squeeze", "x", axes=[0, 2]), (1, 3, 1))
case("squeeze-input", 13, node("Squeeze", "x a"), (1, 3, 1), a=ints(-1))
case("squeeze-all", (7, 13), node("Squeeze", "x"), (1, 3, 1))
case("unsqueeze", (7, 11), node("Unsqueeze", "x", axes=[0, 2]), (2, 3))
case("unsqueeze-input", 13, node("Unsqueeze", "x a"), (2, 3), a=ints(-1, 0))
case("tile", (7, 13), node("Tile", "x r"), (2, 3), r=ints(2, 3))
case("transpose", (7, 13), node("Transpose", "x", perm=[2, 0, 1]), (2, 3, 4))
case("transpose-default", 13, node("Transpose", "x"), (2, 3, 4))
case("trilu-upper", 14, node("Trilu", "x"), (3, 3))
case("trilu-lower", 14, node("Trilu", "x k", upper=0), (2, 3, 4), k=np.array(-1))
case("center-crop-pad", 18, node("CenterCropPad", "x s"), (3, 4), s=ints(5, 2))
case("compress", (9, 11), node("Compress", "x c", axis=1), (2, 3), c=np.array([True, False, True]))
case("gather", (7, 11, 13), node("Gather", "x i", axis=1), (2, 3), i=np.array([[2, 0], [1, 1]]))
case("gather-negative", (11, 13), node("Gather", "x i", axis=-1), (2, 3), i=np.array(-1))
case(
    "gather-elements",
    (11, 13),
    node("GatherElements", "x i", axis=1),
    (2, 3),
    i=np.array([[2, 0], [1, -1]]),
)
case("gather-nd", (11, 12, 13), node("GatherND", "x i"), (2, 3, 2), i=np.array([[1, 2], [0, 0]]))
case(
    "gather-nd-batch", 12, node("GatherND", "x i", batch_dims=1), (2, 3, 2), i=np.array([[1], [0]])
)
case(
    "reverse-sequence",
    10,
    node("ReverseSequence", "x l", batch_axis=1, time_axis=0),
    (3, 2),
    l=ints(3, 2),
)
case("slice-attributes", 7, node("Slice", "x", starts=[1, 0], ends=[9, -1], axes=[0, 2]), (3, 2, 3))
case(
    "slice",
    (10, 11, 13),
    node("Slice", "x s e a t"),
    (3, 2, 5),
    s=ints(-1, 0),
    e=ints(-9, 9),
    a=ints(0, 2),
    t=ints(-2, 2),
)
case("slice-no-axes", (10, 13), node("Slice", "x s e"), (3, 2), s=ints(1, 0), e=ints(3, 1))
case("pad-attributes", 7, node("Pad", "x", pads=[1, 0, 0, 2], value=1.5), (2, 3))
case("pad", (11, 13), node("Pad", "x p c"), (2, 3), p=ints(1, 0, 0, 2), c=F(-0.75))
case("pad-zero", (11, 13), node("Pad", "x p"), (2, 3), p=ints(0, 1, 1, 0))
case("pad-negative", (11, 13), node("Pad", "x p c"), (3, 4), p=ints(-1, 2, 1, -2), c=F(2))
case("pad-negative-attributes", 7, node("Pad", "x", pads=[0, -1, -1, 1], value=1.5), (3, 4))
case(
    "pad-axes", (18, 19, 21), node("Pad", "x p c a"), (2, 3, 2), p=ints(1, 2), c=F(0.5), a=ints(-1)
)
SCATTERED = np.array([[1.5, -2]], np.float32)
case(
    "scatter-elements",
    (11, 13, 16, 18),
    node("ScatterElements", "x i u", axis=1),
    (2, 3),
    i=np.array([[2, 0]]),
    u=SCATTERED,
)
case(
    "scatter-elements-tensor",
    16,
    [node("Slice", "x s e", "u"), node("ScatterElements", "x i u", axis=1)],
    (2, 3),
    i=np.array([[2, 0]]),
    s=ints(1, 1),
    e=ints(2, 3),
)
case(
    "scatter-nd",
    (11, 13, 16, 18),
    node("ScatterND", "x i u"),
    (3, 2),
    i=np.array([[2], [0]]),
    u=numbers(2, 2),
)
case(
    "where",
    (9, 16),
    node("Where", "c x a"),
    (2, 3),
    c=np.array([True, False, True]),
    a=numbers(2, 3),
)
case(
    "where-tensors",
    16,
    [node("Neg", "x", "n"), node("Where", "c n x")],
    (2, 3),
    c=np.array([[True], [False]]),
)

# --- Sizes
case("upsample-attribute", 7, node("Upsample", "x", scales=[1.0, 1.0, 2.0, 3.0]), (1, 1, 2, 2))
case("upsample-input", 9, node("Upsample", "x s"), (1, 1, 2, 2), s=F([1, 1, 2, 3]))
case("upsample-linear", 9, node("Upsample", "x s", mode="linear"), (1, 1, 2, 3), s=F([1, 1, 2, 2]))
case("resize-10", 10, node("Resize", "x s"), (1, 1, 2, 4), s=F([1, 1, 2, 0.5]))
case("resize-10-linear", 10, node("Resize", "x s", mode="linear"), (1, 1, 2, 3), s=F([1, 1, 2, 2]))
for MODE in ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"):
    case(
        f"resize-linear-{MODE}",
        (11, 13, 18),
        node("Resize", "x r s", mode="linear", coordinate_transformation_mode=MODE),
        (1, 1, 2, 3),
        r=F([]),
        s=F([1, 1, 2, 3]),
    )
    # An empty roi is what exporters of opset 11 write.
    case(
        f"resize-linear-sizes-{MODE}",
        (13, 18),
        node("Resize", "x - - z", mode="linear", coordinate_transformation_mode=MODE),
        (1, 1, 2, 3),
        z=ints(1, 1, 5, 4),
    )
for ROUNDING in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"):
    case(
        f"resize-nearest-{ROUNDING}",
        (11, 13, 18, 19),
        node("Resize", "x r s", nearest_mode=ROUNDING, coordinate_transformation_mode="asymmetric"),
        (1, 1, 2, 4),
        r=F([]),
        s=F([1, 1, 2, 0.5]),
    )
case(
    "resize-nearest",
    (11, 13, 18, 19),
    node("Resize", "x r s"),
    (1, 1, 2, 4),
    r=F([]),
    s=F([1, 1, 2, 0.5]),
)
case(
    "resize-axes",
    18,
    node(
        "Resize",
        "x - s",
        axes=[3],
        coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    ),
    (1, 1, 2, 2),
    s=F([2]),
)
case(
    "resize-symmetric",
    19,
    node("Resize", "x - s", mode="linear", coordinate_transformation_mode="half_pixel_symmetric"),
    (1, 1, 1, 5),
    s=F([1, 1, 1, 0.75]),
)

# --- Constants, shapes, types
case(
    "cast",
    (7, 9, 13, 19, 21),
    [node("Cast", "x", "d", to=11), node("Cast", "d", "f", to=1), node("Relu", "f")],
)
case("cast-constant", 13, [node("Cast", "i", "f", to=1), node("Mul", "x f")], i=ints(3, -1, 2))
case("cast-like", 15, [node("CastLike", "i x", "f"), node("Mul", "x f")], i=ints(3, -1, 2))
case("dropout", (7, 10, 12, 13), [node("Dropout", "x", "d"), node("Relu", "d")])
case(
    "constant",
    (7, 9, 11, 12, 13),
    [
        node("Constant", "", "c", value=numpy_helper.from_array(numbers(3))),
        node("Add", "x c"),
    ],
)
case(
    "constant-floats",
    (12, 13),
    [node("Constant", "", "c", value_floats=[1.0, 2.0, -0.5]), node("Mul", "x c")],
)
case(
    "constant-of-shape",
    (9, 21),
    [node("ConstantOfShape", "s", "z"), node("Concat", "x z", axis=1)],
    s=ints(1, 2),
)
case(
    "shape",
    (7, 13, 15),
    [node("Reshape", "x f", "r"), node("Shape", "x", "s"), node("Reshape", "r s")],
    (2, 3),
    f=ints(-1),
)
case(
    "shape-part",
    15,
    [node("Shape", "x", "s", start=1, end=-1), node("Reshape", "x s2", "r"), node("Expand", "r s")],
    (1, 3, 1),
    s2=ints(3, 1),
)
case(
    "size",
    (7, 13),
    [
        node("Size", "x", "n"),
        node("Reshape", "n one", "u"),
        node("Reshape", "x u"),
    ],
    (2, 3),
    one=ints(1),
)
case("sqrt", (7, 13), [node("Sqrt", "c", "r"), node("Mul", "x r")], c=F([4, 0.25, 9]))
case(
    "flatten-by-arithmetic",
    (7, 13),
    [
        node("Shape", "x", "s"),
        node("Gather", "s zero", "b", axis=0),
        node("Gather", "s one", "c", axis=0),
        node("Mul", "c three", "p"),
        node("Sub", "p three", "q"),
        node("Add", "q three", "w"),
        node("Div", "w three", "d"),
        node("Reshape", "d list", "e"),
        node("Reshape", "b list", "g"),
        node("Concat", "g e", "t", axis=0),
        node("Reshape", "x t"),
    ],
    (2, 3, 1),
    zero=np.array(0),
    one=np.array(1),
    three=np.array(3),
    list=ints(1),
)
case(
    "range",
    11,
    [node("Range", "a b c", "i"), node("Gather", "x i", axis=1)],
    (2, 5),
    a=np.array(4),
    b=np.array(-1),
    c=np.array(-2),
)
case(
    "conditions",
    16,
    [
        node("Greater", "i one", "g"),
        node("LessOrEqual", "i two", "l"),
        node("And", "g l", "c"),
        node("Equal", "i one", "e"),
        node("Or", "c e", "o"),
        node("Not", "o", "n"),
        node("Xor", "n e", "k"),
        node("Less", "i one", "b"),
        node("GreaterOrEqual", "i two", "h"),
        node("Or", "k b", "m"),
        node("And", "m m", "w"),
        node("Or", "w h", "z"),
        node("Where", "z x a"),
    ],
    (1, 4),
    i=ints(0, 1, 2, 3),
    one=ints(1),
    two=ints(2),
    a=numbers(4),
)
case(
    "integers",
    13,
    [
        node("Mod", "i three", "m"),
        node("Abs", "m", "a"),
        node("Neg", "a", "g"),
        node("Sign", "g", "s"),
        node("Max", "s i", "u"),
        node("Min", "u three", "v"),
        node("ReduceProd", "three", "p", keepdims=1),
        node("NonZero", "v", "n"),
        node("Reshape", "n flat", "f"),
        node("Gather", "x f", "y", axis=1),
    ],
    (1, 4),
    i=ints(0, 1, -4, 3),
    three=ints(3),
    flat=ints(-1),
)
for OP in ("Floor", "Ceil"):
    # As exporters compute the size of what is resized.
    case(
        f"{OP}-of-sizes",
        13,
        [
            node("Shape", "x", "s"),
            node("Cast", "s", "f", to=1),
            node("Mul", "f k", "m"),
            node(OP, "m", "r"),
            node("Cast", "r", "z", to=7),
            node("Resize", "x - - z", mode="linear"),
        ],
        (1, 1, 3, 2),
        k=F([1, 1, 1.5, 1.25]),
    )

PAIRS = [(name, opset) for name, given in CASES.items() for opset in given.opsets]


@pytest.mark.parametrize(("name", "opset"), PAIRS)
def test_as_onnxruntime(name: str, opset: int) -> None:
    given = CASES[name]
    made = model(given.nodes, given.constants, {"x": given.shape}, opset)
    network = from_onnx(made)
    points = [numbers(*given.shape, seed=100 + k) for k in range(N_POINTS)]
    computed = runtime_values(made.SerializeToString(), [{"x": point} for point in points])
    for point, row in zip(points, computed, strict=True):
        ours = np.array([float(v) for v in network(point.ravel())])
        assert ours.shape == row.shape
        assert np.abs(ours - row).max() <= TOLERANCE * max(1, np.abs(row).max())


def test_every_operator_has_a_model() -> None:
    seen = {n.op_type for given in CASES.values() for n in given.nodes}
    assert seen >= KNOWN
    listed = [name for rule in RULES for name in rule.names]
    assert sorted(listed) == sorted(KNOWN)


def grown(rng: random.Random) -> tuple[list[Any], Constants]:
    """A random graph on vectors of four: everything may read everything before it."""
    nodes: list[Any] = []
    constants: Constants = {"low": F(-1), "high": F(2), "order": ints(2, 0, 3, 1)}
    values = ["x"]
    for k in range(rng.randint(4, 12)):
        a, b, name = rng.choice(values), rng.choice(values[-3:]), f"v{k}"
        kind = rng.choice(
            [
                "Relu",
                "LeakyRelu",
                "Abs",
                "Clip",
                "Max",
                "Min",
                "Add",
                "Sub",
                "Mean",
                "Mul",
                "MatMul",
                "Gather",
                "Concat",
            ]
        )
        if kind in ("Relu", "Abs"):
            nodes.append(node(kind, b, name))
        elif kind == "LeakyRelu":
            nodes.append(node(kind, b, name, alpha=0.125))
        elif kind == "Clip":
            nodes.append(node(kind, f"{b} low high", name))
        elif kind in ("Max", "Min", "Add", "Sub", "Mean"):
            nodes.append(node(kind, f"{a} {b}", name))
        elif kind == "Gather":
            nodes.append(node(kind, f"{b} order", name, axis=1))
        elif kind == "Concat":
            constants[f"w{k}"] = numbers(8, 4, seed=rng.randrange(10**6)) / 4
            nodes.append(node(kind, f"{a} {b}", f"c{k}", axis=1))
            nodes.append(node("MatMul", f"c{k} w{k}", name))
        else:
            shape = (4,) if kind == "Mul" else (4, 4)
            constants[f"w{k}"] = numbers(*shape, seed=rng.randrange(10**6)) / 2
            nodes.append(node(kind, f"{b} w{k}", name))
        values.append(name)
    nodes.append(node("Identity", values[-1]))
    return nodes, constants


@pytest.mark.parametrize("seed", seeds(60))
def test_random_graphs_as_onnxruntime(seed: int) -> None:
    nodes, constants = grown(random.Random(seed))
    made = model(nodes, constants, {"x": (1, 4)})
    network = from_onnx(made)
    points = [numbers(1, 4, seed=seed + k) for k in range(N_POINTS)]
    computed = runtime_values(made.SerializeToString(), [{"x": point} for point in points])
    for point, row in zip(points, computed, strict=True):
        ours = np.array([float(v) for v in network(point.ravel())])
        assert np.abs(ours - row).max() <= 1e-5 * max(1, np.abs(row).max())
