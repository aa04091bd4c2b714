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
            "hardshrink",
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
    ([node("CumSum", "x a")], {"a": np.array(4)}, [1, 3], 14, r"found the axes \[4\]"),
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
    ([node("CumSum", "x x")], {}, [1, 3], 14, r"input 2 \('x'\) is no constant of integers"),
    ([node("ReduceSum", "x x")], {}, [1, 3], 18, r"input 2 \('x'\) is no constant of integers"),
    ([node("ConstantOfShape", "x")], {}, [3], 18, r"input 1 \('x'\) is no constant of integers"),
    ([node("Resize", "x - - x")], {}, [1, 3], 18, r"input 4 \('x'\) is no constant of integers"),
    ([node("Add", "x a")], {"a": ints(1, 2, 3)}, [1, 3], 18, "has integers, expected floats"),
    ([node("Cast", "x", to=99)], {}, [1, 3], 18, "found the type number 99"),
    *(
        (
            [node("BatchNormalization", f"x {names}")],
            {"s": F([1]), "t": F([[1]]), "u": F(1), "v": F([1, 2])},
            [1, 1],
            14,
            "found statistics of the shapes",
        )
        for names in ("s s s t", "u s s s", "s v s s", "t t t t")
    ),
    (
        [node("Add", "x d"), node("DequantizeLinear", "q s z", "d")],
        {"q": np.array([[1, 2]], np.int8), "s": F(0.5), "z": np.array([1, 2], np.int8)},
        [1, 2],
        13,
        "found scales of shape",
    ),
    (
        [node("Add", "x d"), node("DequantizeLinear", "q s", "d", axis=-9)],
        {"q": np.array([[1, 2]], np.int8), "s": F([1, 2])},
        [1, 2],
        13,
        r"found the axes \[-9\] for 2 dimensions",
    ),
    (
        [node("Add", "x d"), node("DequantizeLinear", "q s", "d", output_dtype=10)],
        {"q": np.array([[1, 2]], np.int8), "s": F(0.5)},
        [1, 2],
        23,
        "rounds to the type output_dtype",
    ),
    *(
        ([node("Shrink", "x", lambd=a, bias=b)], {}, [1, 3], 9, "is not continuous with lambd")
        for a, b in ((0.5, 0.0), (0.5, 0.25), (-0.5, -0.5), (-0.5, 0.25), (0.0, 1.0))
    ),
    ([node("Shrink", "x")], {}, [1, 3], 9, r"is not continuous with lambd 0\.5 and bias 0\.0"),
    ([node("Clip", "x a")], {"a": F(np.inf)}, [1, 3], 13, "found the min inf, expected a finite"),
    ([node("Clip", "x - a")], {"a": F(-np.inf)}, [1, 3], 13, "found the max -inf, expected a fin"),
    *(
        ([node(name, "x a")], {"a": ints(1, -1)}, [1, 3], 18, r"\[1, -1\], expected each of them")
        for name in ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1")
    ),
    ([node("ReduceSum", "x", axes=[0, 0])], {}, [1, 3], 11, "expected each of them once"),
    (
        [node("Slice", "x s e a")],
        {"s": ints(0, 1), "e": ints(2, 3), "a": ints(1, -1)},
        [1, 3],
        13,
        "expected each of them once",
    ),
    (
        [node("Pad", "x p - a")],
        {"p": ints(0, 1, 1, 0), "a": ints(1, 1)},
        [1, 3],
        18,
        "expected each of them once",
    ),
    (
        [node("Resize", "x - s", axes=[1, -1])],
        {"s": F([2, 2])},
        [1, 3],
        18,
        "expected each of them once",
    ),
    (
        [node("CenterCropPad", "x s", axes=[1, 1])],
        {"s": ints(2, 2)},
        [1, 3],
        18,
        "expected each of them once",
    ),
    ([node("CumSum", "x a")], {"a": ints(0, 1)}, [1, 3], 14, r"the axes \[0, 1\], expected one"),
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


@pytest.mark.parametrize("number", [-1, 29, 99, 2**31 - 1])
def test_a_type_that_is_none_is_refused(number: int) -> None:
    made = model([node("MatMul", "x w")], {"w": np.ones((3, 2), F)}, {"x": [1, 3]}, 13)
    made.graph.initializer[0].data_type = number
    with pytest.raises(InputError, match=f"initializer 'w': found the type number {number}, exp"):
        from_onnx(made)


def test_integers_that_no_int64_holds_are_refused() -> None:
    made = model([node("Reshape", "x s")], {"s": np.array([2**63 + 3], np.uint64)}, {"x": [1, 3]})
    with pytest.raises(InputError, match="found 9223372036854775811, expected integers below"):
        from_onnx(made)


def test_an_opset_that_nobody_knows_is_refused() -> None:
    made = model([node("Relu", "x")], {}, {"x": [1, 3]}, 9999)
    with pytest.raises(InputError, match="found opset 9999, expected at most 28"):
        from_onnx(made)


def test_an_attribute_without_a_value_is_refused() -> None:
    made = model([node("LeakyRelu", "x", alpha=0.5)], {}, {"x": [1, 3]})
    made.graph.node[0].attribute[0].ref_attr_name = "slope"
    with pytest.raises(InputError, match="attribute 'alpha': found no value"):
        from_onnx(made)


def test_a_graph_without_outputs_is_refused() -> None:
    made = model([node("Relu", "x")], {}, {"x": [1, 3]})
    del made.graph.output[:]
    with pytest.raises(InputError, match="found no output, expected one"):
        from_onnx(made)


def test_functions_that_do_not_fit_their_nodes_are_refused() -> None:
    made = model([helper.make_node("f", ["x", "x"], ["y"], domain="local")], {}, {"x": [1, 3]})
    body = [node("Relu", "a", "c")]
    function = helper.make_function("local", "f", ["a"], ["c"], body, [helper.make_opsetid("", 17)])
    made.functions.append(function)
    made.opset_import.append(helper.make_opsetid("local", 1))
    with pytest.raises(InputError, match="its functions cannot be inlined: Number of actual"):
        from_onnx(made)


def test_an_axis_of_old_broadcasting_that_no_tensor_has_is_refused() -> None:
    made = model(
        [node("Add", "x a", axis=-(2**63), broadcast=1)], {"a": F([1, 2])}, {"x": [1, 2]}, 6
    )
    made.graph.input.append(helper.make_tensor_value_info("a", 1, [2]))
    with pytest.raises(InputError, match="Add: found the axis -9223372036854775808"):
        from_onnx(made)


def test_old_broadcasting_fits_the_second_input_to_the_first() -> None:
    made = model([node("Add", "x a", axis=16, broadcast=1)], {"a": F([1, 2])}, {"x": [1, 2]}, 6)
    made.graph.input.append(helper.make_tensor_value_info("a", 1, [2]))
    with pytest.raises(InputError, match=r"Add: input 2 is not broadcast to the shape \(1, 2\)"):
        from_onnx(made)


def test_the_name_of_an_operator_is_one_line() -> None:
    made = model([helper.make_node("No\nne", ["x"], ["y"], domain="a\nb")], {}, {"x": [1, 3]})
    made.opset_import.append(helper.make_opsetid("a\nb", 1))
    with pytest.raises(InputError) as error:
        from_onnx(made)
    assert "\n" not in str(error.value)


def test_a_name_that_is_no_text_is_refused() -> None:
    """It comes as bytes, and ONNX's own checker says so in bytes that Python cannot read."""
    data = model([node("Relu", "x")], {}, {"x": [1, 3]}).SerializeToString()
    for old, new in ((b"\x04Relu", b"\x04Re\xc2u"), (b"\x12\x01g", b"\x12\x01\xe7")):
        assert old in data
        broken = onnx.load_model_from_string(data.replace(old, new))
        with pytest.raises(InputError, match=r"found b'.*', expected UTF-8 text"):
            from_onnx(broken)


def test_two_opsets_are_refused() -> None:
    made = model([node("Relu", "x")], {}, {"x": [1, 3]}, 13)
    made.opset_import.append(helper.make_opsetid("ai.onnx", 11))
    with pytest.raises(InputError, match=r"found the opsets \[11, 13\], expected one"):
        from_onnx(made)


def test_the_table_has_every_operator_with_its_condition() -> None:
    lines = operator_table().splitlines()
    for name in KNOWN:
        (row,) = (line for line in lines if f"`{name}`" in line)
        assert len(row.split("|")) == 5
        assert all(cell.strip() for cell in row.split("|")[1:-1])


def test_the_page_of_the_manual_has_the_table() -> None:
    page = Path(__file__).parents[3] / "docs" / "operators.md"
    assert operator_table() in page.read_text(encoding="utf-8")
