import json
import pickle
from pathlib import Path

import pytest

from exactrelu.network.formats.load import load

GOOD = Path("cases/xor/network.json").read_text()


def network(**layer: object) -> str:
    first = {"weights": [["1", "2"]], "bias": ["0"], **layer}
    return json.dumps({"format": "exactrelu-network/1", "name": "n", "layers": [first]})


MALFORMED = {
    "truncated.json": GOOD[:-20],
    "ragged.json": network(weights=[["1", "2"], ["3"]], bias=["0", "0"]),
    "float.json": network(bias=[0.1]),
    "nan.json": network(bias=["NaN"]),
    "constant.json": network().replace('["0"]', "[NaN]"),
    "widths.json": network(bias=["0", "1"]),
    "duplicate.json": '{"format": "exactrelu-network/1", "format": "exactrelu-network/1"}',
    "nested.json": "[" * 100_000,
    "format.json": GOOD.replace("network/1", "network/2"),
    "list.json": "[]",
    "binary.json": b"\xff\xfe\x00",
    "empty.json": "",
    "empty.onnx": "",
    "text.onnx": "this is no protobuf",
    "pickle.pt": pickle.dumps({"a": 1}),
    "text.pt": "no archive",
    "text.npz": "no archive",
    "text.nnet": "no numbers",
    "unknown.xyz": "?",
    "no_suffix": "?",
}


@pytest.mark.parametrize("name", MALFORMED)
def test_one_clear_line_and_exit_code_2(run, tmp_path, name: str) -> None:
    content = MALFORMED[name]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    for command, *rest in (["info"], ["eval", "--at", "1,1"], ["convert", tmp_path / "o.json"]):
        result = run(command, path, *rest)
        assert result.code == 2
        assert result.out == ""
        assert result.err.count("\n") == 1
        assert name in result.err
        assert "Traceback" not in result.err
    assert not (tmp_path / "o.json").exists()


@pytest.mark.parametrize(
    "line",
    [
        "regions NET --certificate OUT",
        "convert NET OUT",
        "plot NET -o OUT",
        "folds NET --graph OUT",
        "generic NET --perturb OUT",
    ],
)
def test_no_folder_to_write_to_is_known_before_the_work(run, tmp_path, line: str) -> None:
    out = tmp_path / "nowhere" / "out.json"
    places = {"NET": tmp_path / "nothing.json", "OUT": out}
    result = run(*(places.get(word, word) for word in line.split()))
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(f" error: {out}: cannot be written: there is no such folder\n")
    out.mkdir(parents=True)
    result = run(*(places.get(word, word) for word in line.split()))
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(f" error: {out}: found a directory, expected a file to write\n")


def test_directories_and_missing_files(run, tmp_path) -> None:
    for path, word in [(tmp_path, "directory"), (tmp_path / "nothing.json", "no such file")]:
        result = run("info", path)
        assert result.code == 2
        assert result.err.count("\n") == 1
        assert word in result.err


def test_a_sigmoid_is_named(run, tmp_path) -> None:
    from onnx import TensorProto, helper, save

    node = helper.make_node("Sigmoid", ["x"], ["y"], name="squash")
    value = [helper.make_tensor_value_info(v, TensorProto.FLOAT, [1, 2]) for v in "xy"]
    path = tmp_path / "s.onnx"
    save(helper.make_model(helper.make_graph([node], "g", value[:1], value[1:])), str(path))
    result = run("info", path)
    assert result.code == 2
    assert "Sigmoid" in result.err
    assert "squash" in result.err
    assert result.err.count("\n") == 1


def test_convert_round_trips_exactly(run, tmp_path) -> None:
    xor = load("cases/xor/network.json")
    for name in ("a.json", "b.npz", "c.onnx"):
        assert run("convert", "cases/xor/network.json", tmp_path / name).code == 0
        answer = json.loads(run("info", tmp_path / name, "--json").out)
        assert answer["sha256"] == xor.sha256
        assert (answer["widths"], answer["parameters"]) == ([2, 2, 1], 9)


def test_convert_refuses_rather_than_rounds(run, tmp_path) -> None:
    source = tmp_path / "third.json"
    source.write_text(network(bias=["1/3"]))
    for name in ("t.npz", "t.onnx"):
        result = run("convert", source, tmp_path / name)
        assert result.code == 2
        assert "1/3" in result.err
        assert list(tmp_path.iterdir()) == [source]


def test_a_5000_digit_weight_comes_back_unchanged(run, tmp_path) -> None:
    digits = "8" * 5000 + "/" + "9" * 4999
    source, copy = tmp_path / "long.json", tmp_path / "copy.json"
    source.write_text(network(weights=[[digits, "0"]]))
    assert run("convert", source, copy).code == 0
    assert digits in copy.read_text()
    assert json.loads(run("eval", copy, "--at", "1,0", "--json").out)["output"] == [digits]


def test_unwritable_targets(run, tmp_path) -> None:
    for target in (tmp_path, tmp_path / "no" / "such" / "folder.json"):
        result = run("convert", "cases/xor/network.json", target)
        assert (result.code, result.err.count("\n")) == (2, 1)


def test_convolutions_from_torch_need_the_input_shape(run, tmp_path) -> None:
    source = "tests/network/formats/data/torch/conv2d_sequential.pt"
    asked = run("convert", source, tmp_path / "c.json")
    assert (asked.code, asked.err.count("\n")) == (2, 1)
    assert "--input-shape" in asked.err
    assert run("convert", source, tmp_path / "c.json", "--input-shape", "1,8,8").code == 0
    assert load(tmp_path / "c.json").n_inputs == 64
    for shape in ("1,8,x", "", "-1,2", "0,8,8"):
        assert run("convert", source, tmp_path / "d.json", f"--input-shape={shape}").code == 2
    wrong = run("convert", "cases/xor/network.json", tmp_path / "e.json", "--input-shape", "2")
    assert (wrong.code, "PyTorch files only" in wrong.err) == (2, True)
