"""What is not read: every operator by its name, its node and the reason; and files that would fill
the machine, before anything is allocated."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper

from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError, UnsupportedFormat
from exactrelu.network.formats.onnx_graph import from_onnx
from exactrelu.network.formats.onnx_operators import KNOWN
from exactrelu.network.formats.support import CONTROL, CURVED, JUMPING, operator_table
from tests.network.formats.onnx_nodes import model, node

F = np.float32
OPSET = 20


def ints(*values: int) -> Any:
    return np.array(values, np.int64)


def schemas() -> dict[str, Any]:
    """Every operator of ONNX's own domain that is not deprecated at this opset."""
    found = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "" and schema.since_version <= OPSET:
            newest = found.get(schema.name)
            if newest is None or schema.since_version > newest.since_version:
                found[schema.name] = schema
    return {name: schema for name, schema in found.items() if not schema.deprecated}


def alone(name: str) -> Any:
    """A node of this operator that passes ONNX's checker: required attributes are filled in."""
    schema = schemas()[name]
    values: dict[Any, Any] = {
        onnx.defs.OpSchema.AttrType.INT: 1,
        onnx.defs.OpSchema.AttrType.FLOAT: 1.0,
        onnx.defs.OpSchema.AttrType.STRING: "linear",
        onnx.defs.OpSchema.AttrType.INTS: [1],
        onnx.defs.OpSchema.AttrType.STRINGS: ["a"],
        onnx.defs.OpSchema.AttrType.FLOATS: [1.0],
        onnx.defs.OpSchema.AttrType.GRAPH: helper.make_graph([], "inner", [], []),
        onnx.defs.OpSchema.AttrType.TYPE_PROTO: helper.make_tensor_type_proto(1, [1]),
    }
    attributes = {
        key: values[attribute.type]
        for key, attribute in schema.attributes.items()
        if attribute.required
    }
    inputs = " ".join(["x"] * max(schema.min_input, 1 if schema.max_input else 0))
    outputs = " ".join(["y", *(f"o{k}" for k in range(1, schema.min_output))])
    made = node(name, inputs, outputs, **attributes)
    made.name = "it"
    return made


REFUSED = sorted(set(schemas()) - KNOWN)


@pytest.mark.parametrize("name", REFUSED)
def test_every_other_operator_is_refused_by_name(name: str) -> None:
    made = model([alone(name)], {}, {"x": [1, 4]}, OPSET)
    with pytest.raises(InputError) as error:
        from_onnx(made)
    said = str(error.value)
    assert "\n" not in said
    if "no valid ONNX model" in said:
        # A graph inside a node that is none: ONNX's checker is first.
        assert name in ("If", "Loop", "Scan", "SequenceMap")
        return
    assert said.startswith(f"node 'it': {name}: the operator {name} is not supported: ")
    reason = said.split("not supported: ")[1]
    small = name.lower()
    if small in CURVED:
        assert reason.startswith("it is curved")
    elif small in JUMPING:
        assert reason.startswith("it jumps")
    elif small in CONTROL:
        assert reason.startswith("control flow")


def test_the_lists_are_of_operators_that_there_are() -> None:
    """Names of ONNX are spelled as there; the others are modules of PyTorch."""
    known = {name.lower() for name in schemas()}
    modules = {
        *("bilinear", "glu", "groupnorm", "layernorm", "logsigmoid", "multiheadattention", "silu"),
        *(
            "groupnormalization",
            "softmin",
            "swish",
            "tanhshrink",
            "threshold",
            "celu",
            "lstm",
            "gru",
            "rnn",
        ),
    }
    assert known | modules >= CURVED | JUMPING | CONTROL
    assert sum(name.lower() in CURVED | JUMPING | CONTROL for name in REFUSED) > 50


CURVED_OR_JUMPING = [
    ("ThresholdedRelu", {}, "is not continuous where alpha is not 0"),
    ("Sign", {}, "it jumps"),
    ("Floor", {}, "it jumps"),
    ("Not", {}, "it jumps"),
    ("ReduceProd", {}, "it is curved"),
    ("Sqrt", {}, r"input 1 \('x'\) depends on the network's input"),
    ("Cast", {"to": 7}, "rounds a tensor to int64"),
    ("Cast", {"to": 10}, "rounds a tensor to float16"),
    ("ReduceMax", {"axes": [5]}, r"found the axes \[5\] for 2 dimensions"),
]


@pytest.mark.parametrize(("name", "attributes", "reason"), CURVED_OR_JUMPING)
def test_operators_of_tensors_that_are_read_of_constants_only(
    name: str, attributes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(InputError, match=f"node '{name.lower()}-y': {name}: .*{reason}"):
        from_onnx(model([node(name, "x", **attributes)], {}, {"x": [1, 4]}, 13))


CONDITIONS: list[tuple[list[Any], dict[str, Any], list[int], int, str]] = [
    ([node("PRelu", "x x")], {}, [1, 3], 16, r"input 2 \('x'\) depends on"),
    ([node("PRelu", "x a")], {"a": F([[1], [2]])}, [1, 3], 16, r"slopes of shape \(2, 1\)"),
    ([node("Clip", "x x")], {}, [1, 3], 13, "expected a constant bound"),
    ([node("Clip", "x a")], {"a": F([1, 2])}, [1, 3], 13, "expected one number"),
    ([node("Clip", "x a")], {"a": F(np.nan)}, [1, 3], 13, "found nan"),
    ([node("MaxPool", "x", "y i", kernel_shape=[2])], {}, [1, 1, 4], 12, "output of indices"),
    (
        [node("MaxPool", "x", kernel_shape=[1], pads=[1, 0])],
        {},
        [1, 1, 4],
        12,
        "nothing but padding",
    ),
    (
        [node("ConvTranspose", "x k", auto_pad="SAME_UPPER")],
        {"k": np.ones((1, 1, 2), F)},
        [1, 1, 4],
        11,
        "auto_pad 'SAME_UPPER'",
    ),
    (
        [node("ConvTranspose", "x k", output_shape=[9])],
        {"k": np.ones((1, 1, 2), F)},
        [1, 1, 4],
        11,
        "larger than the kernel reaches",
    ),
    ([node("Conv", "x x")], {}, [1, 1, 4], 11, r"input 2 \('x'\) depends on"),
    ([node("Gather", "a x")], {"a": F([1, 2])}, [1, 1], 13, "expected a constant"),
    ([node("Reshape", "x x")], {}, [1, 1], 13, "expected a constant"),
    (
        [node("ScatterElements", "x i u", reduction="add")],
        {"i": np.array([[0]]), "u": F([[1]])},
        [1, 2],
        16,
        "found the reduction 'add'",
    ),
    ([node("Pad", "x p", mode="reflect")], {"p": ints(0, 1, 0, 0)}, [1, 3], 13, "mode 'reflect'"),
    ([node("Pad", "x p")], {"p": ints(0, -2, 0, -1)}, [1, 3], 13, "leave the shape"),
    ([node("Pad", "x p")], {"p": ints(0, 1)}, [1, 3], 13, r"found pads \[0, 1\]"),
    ([node("Where", "c x a")], {"c": np.array([True]), "a": F([1, 2])}, [1, 3], 16, "cannot be"),
    ([node("Resize", "x - s", mode="cubic")], {"s": F([1, 2])}, [1, 3], 13, "mode 'cubic'"),
    (
        [node("Resize", "x r s", coordinate_transformation_mode="tf_crop_and_resize")],
        {"s": F([1, 2]), "r": F([0, 0, 1, 1])},
        [1, 3],
        13,
        "coordinates 'tf_crop_and_resize'",
    ),
    ([node("Resize", "x - s")], {"s": F([1, 0])}, [1, 3], 13, "not positive"),
    ([node("Resize", "x - s")], {"s": F([2])}, [1, 3], 13, "for 2 axes"),
    (
        [node("Resize", "x - s", antialias=1)],
        {"s": F([1, 2])},
        [1, 3],
        18,
        "found antialias",
    ),
    ([node("CumSum", "x a")], {"a": np.array(4)}, [1, 3], 14, "found the axis 4"),
    (
        [node("DequantizeLinear", "x s")],
        {"s": F(1)},
        [1, 3],
        13,
        "dequantises a tensor that depends",
    ),
    (
        [node("BatchNormalization", "x s s s s", spatial=0)],
        {"s": F([1])},
        [1, 1],
        7,
        "found spatial = 0",
    ),
    ([node("Div", "x a")], {"a": F([1, 0, 2])}, [1, 3], 13, "the divisor 'a' contains 0"),
    ([node("Add", "x a")], {"a": F([1, np.inf, 2])}, [1, 3], 13, r"'a'\[1\]: found inf"),
]


@pytest.mark.parametrize(("nodes", "constants", "shape", "opset", "reason"), CONDITIONS)
def test_conditions(
    nodes: list[Any], constants: dict[str, Any], shape: list[int], opset: int, reason: str
) -> None:
    last = nodes[-1]
    with pytest.raises(InputError, match=f"node '{last.name}': {last.op_type}: .*{reason}"):
        from_onnx(model(nodes, constants, {"x": shape}, opset))


# --- Bombs

MANY = 10**6
BOMBS: dict[str, tuple[list[Any], dict[str, Any], int]] = {
    "expand": ([node("Expand", "x s")], {"s": ints(MANY, MANY, 1, 3)}, 13),
    "expand a constant": (
        [node("Expand", "c s", "e"), node("Add", "x e")],
        {"c": F(1), "s": ints(MANY, MANY)},
        13,
    ),
    "tile": ([node("Tile", "x r")], {"r": ints(MANY, MANY)}, 13),
    "tile integers": (
        [node("Tile", "s r", "t"), node("Reshape", "x t")],
        {"s": ints(3), "r": ints(MANY * MANY)},
        13,
    ),
    "constant of shape": (
        [node("ConstantOfShape", "s", "z"), node("Add", "x z")],
        {"s": ints(MANY, MANY)},
        13,
    ),
    "range": (
        [node("Range", "a b c", "i"), node("Gather", "x i", axis=1)],
        {"a": np.array(0), "b": np.array(MANY * MANY), "c": np.array(1)},
        13,
    ),
    "resize": ([node("Resize", "x - s")], {"s": F([1e6, 1e6])}, 13),
    "resize to sizes": ([node("Resize", "x - - z")], {"z": ints(MANY, MANY)}, 13),
    "upsample": ([node("Upsample", "x s")], {"s": F([1e6, 1e6])}, 9),
    "pad": ([node("Pad", "x p")], {"p": ints(MANY, MANY, 0, 0)}, 13),
    "pad an old one": ([node("Pad", "x", pads=[MANY, MANY, 0, 0])], {}, 9),
    "center crop pad": ([node("CenterCropPad", "x s")], {"s": ints(MANY, MANY)}, 18),
    "gather": (
        [node("Gather", "x i", "g", axis=0), node("Gather", "g i", "h", axis=1)],
        {"i": np.zeros(2000, np.int64)},
        13,
    ),
    "gather slices": (
        [node("Gather", "x i", "g", axis=1), node("GatherND", "g k")],
        {"i": np.zeros(2000, np.int64), "k": np.zeros((2000, 1), np.int64)},
        13,
    ),
    "outer sum": (
        [node("Add", "a b", "c"), node("Add", "x c")],
        {"a": np.ones((10**4, 1), F), "b": np.ones((1, 10**4), F)},
        13,
    ),
    "outer sum of integers": (
        [node("Add", "a b", "c"), node("Reshape", "x c")],
        {"a": np.ones((10**4, 1), np.int64), "b": np.ones((1, 10**4), np.int64)},
        13,
    ),
    "squares": (
        [*(node("Mul", f"c{i} c{i}", f"c{i + 1}") for i in range(40)), node("Mul", "x c40")],
        {"c0": F(3)},
        13,
    ),
    "convolution": (
        [node("Conv", "x4 k", pads=[MANY, MANY, MANY, MANY])],
        {"k": np.ones((1, 1, 1, 1), F)},
        11,
    ),
    "powers of a matrix": (
        [*(node("MatMul", f"c{i} c{i}", f"c{i + 1}") for i in range(40)), node("MatMul", "x c40")],
        {"c0": np.full((3, 3), 3, F)},
        13,
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_sizes_are_looked_at_before_anything_is_allocated(name: str) -> None:
    nodes, constants, opset = BOMBS[name]
    is_image = any("x4" in n.input for n in nodes)
    shapes = {"x4": [1, 1, 2, 2]} if is_image else {"x": [1, 3]}
    made = model(nodes, constants, shapes, opset, [nodes[-1].output[0]])
    tracemalloc.start()
    try:
        with pytest.raises(UnsupportedFormat, match="more than"):
            from_onnx(made)
        assert tracemalloc.get_traced_memory()[1] < 30 * 2**20
    finally:
        tracemalloc.stop()


def test_sums_of_very_many_terms_are_refused() -> None:
    made = model([node("CumSum", "x a")], {"a": np.array(1)}, {"x": [1, MANY]}, 14)
    with pytest.raises(UnsupportedFormat, match=r"what is summed .* more than the limit"):
        from_onnx(made)


def doubling(depth: int) -> Any:
    """Functions f1, f2, …, each of which calls the one before it twice."""
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    functions = []
    for k in range(depth):
        domain = "local" if k else ""
        name = f"f{k - 1}" if k else "Relu"
        body = [
            helper.make_node(name, ["a"], ["b"], domain=domain),
            helper.make_node(name, ["b"], ["c"], domain=domain),
        ]
        functions.append(helper.make_function("local", f"f{k}", ["a"], ["c"], body, opsets))
    call = helper.make_node(f"f{depth - 1}", ["x"], ["y"], "call", domain="local")
    made = model([call], {}, {"x": [1, 1]})
    made.functions.extend(functions)
    made.opset_import.append(helper.make_opsetid("local", 1))
    return made


def test_functions_that_double_are_refused_before_they_are_inlined() -> None:
    assert from_onnx(doubling(3))([5]) == (5,)
    with pytest.raises(UnsupportedFormat, match="functions become 1,099,511,627,776 nodes"):
        from_onnx(doubling(40))
    made = doubling(2)
    made.functions[0].node[0].op_type = "f1"
    made.functions[0].node[0].domain = "local"
    with pytest.raises(InputError, match="the function 'f1' calls itself"):
        from_onnx(made)


# --- Bounds on the work


def deep(n: int) -> Any:
    nodes = [node("Relu", "x", "r0")]
    for k in range(n):
        nodes += [node("MatMul", f"r{k} a", f"m{k}"), node("Relu", f"m{k}", f"r{k + 1}")]
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(50, 50)).astype(F)
    return model(nodes, {"a": weights}, {"x": [1, 50]}, outputs=[f"r{n}"])


def test_loading_keeps_the_bounds() -> None:
    made = deep(4)
    with pytest.raises(Stopped, match="stopped after 0 s"):
        from_onnx(made, effort=Effort(seconds=0))
    with pytest.raises(Stopped, match="of memory"):
        from_onnx(made, max_memory=10_000)
    assert from_onnx(made, timeout=100).widths == (50,) * 7


# --- The table of the manual


def test_the_table_has_every_operator_with_its_condition() -> None:
    lines = operator_table().splitlines()
    for name in KNOWN:
        (row,) = (line for line in lines if f"`{name}`" in line)
        assert len(row.split("|")) == 5
        assert all(cell.strip() for cell in row.split("|")[1:-1])


def test_the_page_of_the_manual_has_the_table() -> None:
    page = Path(__file__).parents[3] / "docs" / "operators.md"
    assert operator_table() in page.read_text(encoding="utf-8")
