"""What is read of a graph, and in which forms graphs come."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import exactrelu as er
from exactrelu.errors import InputError, UnsupportedFormat
from exactrelu.network.formats.load import load
from exactrelu.network.formats.onnx_graph import from_onnx
from exactrelu.network.network import Network, widths_text
from tests.network.formats.onnx_nodes import model, node, runtime_values

F = np.float32
A = F([[1, -2, 3], [0, 1, 1]])


def written(folder: Path, made: Any, name: str = "net.onnx") -> Path:
    path = folder / name
    path.write_bytes(made.SerializeToString())
    return path


def same_as_runtime(made: Any, shapes: dict[str, tuple[int, ...]], **options: Any) -> Network:
    """The network, whose values are those of onnxruntime at 20 points: numbers are exact here."""
    network = from_onnx(made, **options)
    rng = np.random.default_rng(3)
    points = [
        {name: (rng.integers(-8, 9, shape) / 4).astype(F) for name, shape in shapes.items()}
        for _ in range(20)
    ]
    for point, row in zip(points, runtime_values(made.SerializeToString(), points), strict=True):
        flat = np.concatenate([point[name].ravel() for name in shapes])
        assert [float(v) for v in network(flat)] == row.tolist()
    return network


# --- Inputs and outputs


def two_inputs() -> Any:
    """y = relu(a·W + b), z = a·W, w = b: b comes first in the graph."""
    nodes = [
        node("MatMul", "a W", "z"),
        node("Add", "z b", "s"),
        node("Relu", "s", "y"),
        node("Identity", "b", "w"),
    ]
    return model(nodes, {"W": A}, {"b": [1, 3], "a": [1, 2]}, outputs=["y", "z", "w"])


SHAPES = {"b": (1, 3), "a": (1, 2)}


def test_all_inputs_and_outputs_in_their_order() -> None:
    network = same_as_runtime(two_inputs(), SHAPES)
    assert (network.n_inputs, network.n_outputs) == (5, 9)
    assert widths_text(network) == "5-3+6-9"
    assert network.name == "g"


def test_some_outputs() -> None:
    only = from_onnx(two_inputs(), outputs="z")
    assert (only.widths, only.name) == ((5, 3), "g (outputs z)")
    # In the order of the graph, whatever the order of the names.
    both = from_onnx(two_inputs(), outputs=["w", "y"])
    assert both.name == "g (outputs w, y)"
    assert both([1, 2, 3, 0, 1])[3:] == (1, 2, 3)
    with pytest.raises(InputError, match=r"no output 'k', expected one of \['y', 'z', 'w'\]"):
        from_onnx(two_inputs(), outputs=["k"])


def test_until_a_value_or_a_node() -> None:
    for name in ("s", "add-s"):
        network = from_onnx(two_inputs(), until=name)
        assert network.widths == (5, 3)
        assert network.name == f"g (until {name})"
        assert network([1, 0, 0, 1, 0]) == (2, -2, 3)
    with pytest.raises(InputError, match="no value or node 'k' in the graph"):
        from_onnx(two_inputs(), until="k")


def softmax() -> Any:
    nodes = [node("Gemm", "x W", "logits"), node("Softmax", "logits", "y", axis=1)]
    return model(nodes, {"W": A}, {"x": [1, 2]})


def test_without_the_last_operator() -> None:
    network = from_onnx(softmax(), drop_last="Softmax")
    assert network.name == "g (without the last Softmax)"
    assert network([1, 1]) == (1, -1, 4)
    with pytest.raises(InputError, match="output 'y' comes from Softmax, not from Tanh"):
        from_onnx(softmax(), drop_last="Tanh")


def test_a_last_softmax_names_the_command(tmp_path: Path) -> None:
    path = written(tmp_path, softmax(), "my net.onnx")
    with pytest.raises(UnsupportedFormat) as error:
        load(path)
    assert (
        f"exactrelu convert '{path}' out.json --drop-last Softmax leaves it out; "
        "arg max is the same on both sides, probabilities are not"
    ) in str(error.value)
    # In the middle there is nothing to leave out.
    nodes = [node("Softmax", "x", "s"), node("Relu", "s")]
    with pytest.raises(UnsupportedFormat, match="curved") as inside:
        from_onnx(model(nodes, {}, {"x": [1, 2]}))
    assert "--drop-last" not in str(inside.value)


def test_roots_are_rounded_when_asked() -> None:
    constants = {"s": F([1]), "t": F([0]), "m": F([0]), "v": F([2])}
    made = model([node("BatchNormalization", "x s t m v", epsilon=0.0)], constants, {"x": [1, 1]})
    with pytest.raises(UnsupportedFormat, match=r"'batchnormalization-y': .*irrational.*--roots"):
        from_onnx(made)
    for roots, kind in (("float32", np.float32), ("float64", np.float64)):
        network = from_onnx(made, roots=roots)
        assert network.name == f"g (roots: {roots})"
        assert network([float(np.sqrt(kind(2)))]) == (1,)
    with pytest.raises(InputError, match="found 'float8', expected one of exact, float32, float64"):
        from_onnx(made, roots="float8")


def test_dimensions() -> None:
    made = model([node("Relu", "x")], {}, {"x": ["batch", "n", 2]})
    with pytest.raises(UnsupportedFormat, match=r"\['batch', 'n', 2\].*--dim n=N"):
        from_onnx(made)
    network = from_onnx(made, dims={"n": 3})
    assert (network.widths, network.name) == ((6, 6, 6), "g (n = 3)")
    assert from_onnx(made, dims={"n": 3, "batch": 2}).n_inputs == 12
    assert from_onnx(made, dims={"n": 3}, batch=4).n_inputs == 24
    for wrong in (0, -1, True, "2"):
        with pytest.raises(InputError, match="expected a positive integer"):
            from_onnx(made, dims={"n": wrong})


def test_a_fixed_first_dimension_is_part_of_the_function() -> None:
    made = model([node("Relu", "x")], {}, {"x": [5, 2]})
    assert from_onnx(made).widths == (10, 10, 10)
    alone = from_onnx(made, batch=1)
    assert (alone.widths, alone.name) == ((2, 2, 2), "g (batch 1)")
    with pytest.raises(InputError, match="batch: found 0"):
        from_onnx(made, batch=0)


def test_options_are_recorded_together(tmp_path: Path) -> None:
    path = written(tmp_path, two_inputs())
    network = er.load(path, until="s", batch=1)
    assert network.name == "g (until s; batch 1)"
    assert er.from_onnx(str(path), until="s", batch=1) == network
    assert er.from_onnx(path) == er.load(path)


def test_options_are_for_onnx(tmp_path: Path) -> None:
    er.save(er.load("example:xor"), tmp_path / "xor.json")
    with pytest.raises(InputError, match=r"xor\.json: until, roots: for ONNX files only"):
        er.load(tmp_path / "xor.json", until="z", roots="float64")
    with pytest.raises(InputError, match="found a list, expected the path of an ONNX file"):
        er.from_onnx([])
    with pytest.raises(InputError, match="no such file"):
        er.from_onnx(tmp_path / "none.onnx")


# --- Forms of files


def test_nodes_that_are_not_sorted() -> None:
    """Two public files are not, and runtimes take them."""
    nodes = [node("Relu", "h"), node("Add", "m c", "h"), node("MatMul", "x W", "m")]
    made = model(nodes, {"W": A, "c": F([1, -1, 0])}, {"x": [1, 2]})
    assert widths_text(same_as_runtime(made, {"x": (1, 2)})) == "2-3-3"


def test_an_old_opset_is_converted() -> None:
    """Opset 6 broadcasts by an attribute; no weight changes."""
    nodes = [
        node("MatMul", "x W", "m"),
        node("Add", "m c", "h", broadcast=1, axis=1),
        node("Relu", "h"),
    ]
    c = F([0.1, -1, 0])
    shapes = {"x": [1, 2], "W": [2, 3], "c": [3]}
    made = model(nodes, {"W": A, "c": c}, shapes, 6)
    made.ir_version = 3
    network = from_onnx(made)
    new = from_onnx(
        model(
            [node("MatMul", "x W", "m"), node("Add", "m c", "h"), node("Relu", "h")],
            {"W": A, "c": c},
            {"x": [1, 2]},
        )
    )
    assert network == new


def test_local_functions_are_inlined() -> None:
    body = [node("Relu", "a", "r"), node("Add", "r a", "b")]
    function = helper.make_function(
        "local", "Skip", ["a"], ["b"], body, [helper.make_opsetid("", 17)]
    )
    call = helper.make_node("Skip", ["x"], ["y"], "call", domain="local")
    made = model([call], {}, {"x": [1, 2]})
    made.functions.append(function)
    made.opset_import.append(helper.make_opsetid("local", 1))
    assert widths_text(from_onnx(made)) == "2-2+2-2"
    assert from_onnx(made)([3, -5]) == (6, -5)


def external(location: str) -> Any:
    made = model([node("MatMul", "x W")], {"W": A}, {"x": [1, 2]})
    tensor = made.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    return made


def test_data_in_another_file(tmp_path: Path) -> None:
    path = written(tmp_path, external("weights.bin"))
    with pytest.raises(InputError, match=r"net\.onnx: its data is in another file, which cannot"):
        load(path)
    (tmp_path / "weights.bin").write_bytes(A.tobytes())
    assert load(path)([1, 1]) == (1, -1, 4)
    (tmp_path / "weights.bin").write_bytes(A.tobytes()[:-4])
    with pytest.raises(InputError, match=r"^[^\n]*net\.onnx: [^\n]*$"):
        load(path)


@pytest.mark.parametrize("location", ["../weights.bin", "{outside}/weights.bin", "inner/../../w"])
def test_data_outside_the_folder_is_not_read(tmp_path: Path, location: str) -> None:
    (tmp_path / "inside" / "inner").mkdir(parents=True)
    for name in ("weights.bin", "w"):
        (tmp_path / name).write_bytes(A.tobytes())
    path = written(tmp_path / "inside", external(location.format(outside=tmp_path)))
    with pytest.raises(InputError, match="its data is in another file, which cannot be read"):
        load(path)


def test_data_behind_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "weights.bin").write_bytes(A.tobytes())
    (tmp_path / "inside" / "weights.bin").symlink_to(tmp_path / "weights.bin")
    path = written(tmp_path / "inside", external("weights.bin"))
    with pytest.raises(InputError, match="which cannot be read"):
        load(path)


def test_packed_files_are_known_by_their_content(tmp_path: Path) -> None:
    data = softmax().SerializeToString()
    for name in ("net.onnx.gz", "net.onnx"):
        (tmp_path / name).write_bytes(gzip.compress(data))
        assert load(tmp_path / name, until="logits").widths == (2, 3)


def test_a_model_is_not_changed_by_reading_it() -> None:
    made = model([node("Relu", "h"), node("MatMul", "x W", "h")], {"W": A}, {"x": [1, 2]})
    before = made.SerializeToString()
    from_onnx(made)
    assert made.SerializeToString() == before


# --- Pitfalls


def test_what_fills_in_zeros_does_not_fill_in_the_first_element() -> None:
    """Elements are numbered from 1: the reference fills in 0."""
    made = model([node("Trilu", "x", upper=0)], {}, {"x": [2, 2]}, 14)
    assert from_onnx(made)([5, 6, 7, 8]) == (5, 0, 7, 8)
    made = model([node("CenterCropPad", "x s")], {"s": np.array([1, 4])}, {"x": [1, 2]}, 18)
    assert from_onnx(made)([5, 6]) == (0, 5, 6, 0)


def test_the_bounds_of_clip() -> None:
    def clipped(low: Any, high: Any) -> Callable[[Any], Any]:
        constants = {"l": F(low), "h": F(high)}
        return from_onnx(model([node("Clip", "x l h")], constants, {"x": [1, 1]}, 13))

    largest = np.finfo(F).max
    assert widths_text(clipped(-largest, largest)) == "1-1"
    assert widths_text(clipped(0, largest)) == "1-1-1"
    assert widths_text(clipped(-np.inf, 2)) == "1-1+1-1"
    # ONNX says min(max(z, lo), hi).
    assert [clipped(3, 1)([v])[0] for v in (-9, 2, 9)] == [1, 1, 1]


def test_momentum_does_not_normalise_by_the_batch() -> None:
    constants = {"s": F([2]), "t": F([1]), "m": F([3]), "v": F([4])}
    for opset in (7, 9, 14):
        made = model(
            [node("BatchNormalization", "x s t m v", epsilon=0.0, momentum=0.1)],
            constants,
            {"x": [1, 1]},
            opset,
        )
        assert from_onnx(made)([5]) == (3,)


def test_a_tie_of_resize_is_decided_by_rationals() -> None:
    """align_corners: 3 places of 2 have the coordinates 0, 1/2, 1."""
    for rounding, middle in (("round_prefer_floor", 7), ("round_prefer_ceil", 9), ("floor", 7)):
        made = model(
            [
                node(
                    "Resize",
                    "x - - z",
                    coordinate_transformation_mode="align_corners",
                    nearest_mode=rounding,
                )
            ],
            {"z": np.array([1, 3])},
            {"x": [1, 2]},
            13,
        )
        assert from_onnx(made)([7, 9]) == (7, middle, 9)


def test_quantised_weights_are_what_they_stand_for() -> None:
    """With optimisations on, onnxruntime computes this in int8."""
    q = np.array([[127, -3], [5, 77]], np.int8)
    nodes = [
        node("DequantizeLinear", "q s z", "w"),
        node("MatMul", "x w", "h"),
        node("Relu", "h"),
    ]
    constants = {"q": q, "s": F(0.03), "z": np.int8(2)}
    network = from_onnx(model(nodes, constants, {"x": [1, 2]}, 13))
    scale = er.rational(float(F(0.03)))
    assert network.layers[0].weights.row(0) == (scale * 125, scale * 3)


def test_integers_become_numbers_where_they_meet_tensors() -> None:
    made = model(
        [node("Cast", "i", "f", to=1), node("Mul", "x f")], {"i": np.array([3])}, {"x": [1, 1]}
    )
    assert from_onnx(made)([2]) == (6,)


def test_constants_of_every_type() -> None:
    for kind in (TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE):
        tensor = helper.make_tensor("c", kind, [1], [0.5])
        made = model([node("Add", "x c")], {}, {"x": [1, 1]})
        made.graph.initializer.append(tensor)
        assert from_onnx(made)([1]) == (er.rational("3/2"),)


def test_what_is_lowered_is_written_and_read_again(tmp_path: Path) -> None:
    """Neurons come first in a layer, so that the order is kept: the same hash."""
    nodes = [
        node("MatMul", "x W", "m"),
        node("LeakyRelu", "m", "l", alpha=0.25),
        node("Abs", "l", "a"),
        node("Max", "a l", "b"),
        node("Add", "b m"),
    ]
    network = same_as_runtime(model(nodes, {"W": A}, {"x": [1, 2]}), {"x": (1, 2)})
    assert network.n_linear_units
    for name in ("net.onnx", "net.json", "net.npz"):
        er.save(network, tmp_path / name)
        again = er.load(tmp_path / name)
        assert (again, again.sha256) == (network, network.sha256)
    onnx.checker.check_model(onnx.load(tmp_path / "net.onnx"), full_check=True)


def test_weights_that_several_nodes_read_are_read_once() -> None:
    tensor = numpy_helper.from_array(A, "W")
    made = model([node("MatMul", "x W", "m"), node("Gemm", "m W", transB=1)], {}, {"x": [1, 2]})
    made.graph.initializer.append(tensor)
    assert from_onnx(made)([1, 0]) == (14, 1)
