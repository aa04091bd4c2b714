"""Which reader and writer a file has, errors about files; exact JSON, and all that it refuses."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactrelu import files
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.network.formats.load import FORMATS, _function, load, parse_network, save
from exactrelu.network.network import Network
from exactrelu.network.written import network_text

# --- files of every format


XOR = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")
SUFFIXES = [".json", ".json.gz", ".npz", ".onnx"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_over_a_bound(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"xor{suffix}"
    save(XOR, path)
    with pytest.raises(Stopped, match="stopped after 0 s"):
        load(path, effort=Effort(seconds=0))
    with pytest.raises(Stopped, match="the file has more than 16 bytes, the part of 64 bytes for"):
        load(path, max_memory=64)
    enough = 4 * len(path.read_bytes())
    with pytest.raises(Stopped, match=r"needs about [0-9,]+ bytes of memory|stopped at .* of mem"):
        load(path, max_memory=enough)
    before = path.read_bytes()
    with pytest.raises(Stopped, match="stopped after 0 s"):
        save(XOR, path, effort=Effort(seconds=0))
    assert path.read_bytes() == before


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_round_trip(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"xor{suffix}"
    save(XOR, path)
    again = load(str(path))
    assert again == XOR
    assert again.name == "xor"
    assert [again(x)[0] for x in [(1, 1), (1, -1), (-1, 1), (-1, -1)]] == [-3, 1, 1, -1]
    before = path.read_bytes()
    save(again, path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("suffix", [".json", ".npz", ".onnx", ".nnet", ".pt", ".pth"])
def test_missing_directory_and_empty(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"net{suffix}"
    with pytest.raises(InputError, match=r"no such file") as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")
    path.touch()
    with pytest.raises(InputError, match="the file is empty"):
        load(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match="found a directory"):
        load(path)


@pytest.mark.parametrize("name", ["net.txt", "net", "json", ".json.bak"])
def test_unknown_suffix(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("{}")
    with pytest.raises(InputError, match=r"suffix.*\.json, \.npz, \.onnx, \.nnet"):
        load(path)
    with pytest.raises(InputError, match=r"to write: \.json, \.npz, \.onnx \(or packed"):
        save(XOR, path)


def test_suffix_in_capitals(tmp_path: Path) -> None:
    save(XOR, tmp_path / "XOR.JSON")
    assert load(tmp_path / "XOR.JSON") == XOR


@pytest.mark.parametrize("suffix", [".npz", ".onnx", ".pt", ".nnet", ".json", ".json.gz"])
def test_garbage_is_one_clear_line(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"net{suffix}"
    for garbage in [b"\x00", b"\xff" * 100, b"PK\x03\x04 nothing", b"hello\nworld\n", b"\x1f\x8b"]:
        path.write_bytes(garbage)
        with pytest.raises(InputError) as error:
            load(path)
        assert str(error.value).startswith(f"{path}: ")
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_truncation_is_refused(tmp_path: Path, suffix: str) -> None:
    whole, path = tmp_path / f"whole{suffix}", tmp_path / f"part{suffix}"
    save(XOR, whole)
    data = whole.read_bytes().rstrip()
    for length in range(1, len(data), 7):
        path.write_bytes(data[:length])
        with pytest.raises(InputError):
            load(path)


def test_archive_bombs_and_duplicates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "net.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("W1.npy", b"0" * 100_000)
    monkeypatch.setattr(files, "MAX_UNPACKED_BYTES", 50_000)
    with pytest.raises(InputError, match="unpacks to more than"):
        load(path)
    packed = tmp_path / "net.json.gz"
    import gzip

    packed.write_bytes(gzip.compress(b" " * 100_000))
    with pytest.raises(InputError, match="unpacks to more than"):
        load(packed)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("W1.npy", b"0")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("W1.npy", b"1")
    with pytest.raises(InputError, match=r"'W1\.npy' twice"):
        load(path)


@pytest.mark.parametrize("suffix", [".npz", ".onnx"])
def test_floats_are_never_rounded(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"net{suffix}"
    third = Network.from_arrays([[[1], [2]], [[1, "1/3"]]], [[0, 0], [0]])
    with pytest.raises(InputError, match=r"layer 2, row 1, column 2 of the weights: 1/3 is not"):
        save(third, path)
    bias = Network.from_arrays([[[1], [2]]], [[0, 2**53 + 1]])
    with pytest.raises(InputError, match=r"layer 1, bias of row 2: 9007199254740993 is not"):
        save(bias, path)
    for value in ["1e400", "1e-400", 2**1024]:
        with pytest.raises(InputError, match=r"layer 1, row 1, column 1"):
            save(Network.from_arrays([[[value]]], [[0]]), path)
    assert not path.exists()


@pytest.mark.parametrize("suffix", [".npz", ".onnx"])
def test_extreme_floats_survive(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"net{suffix}"
    for values in [(2.0**-149, 2.0**127), (5e-324, 1.7976931348623157e308), (0.1, 2.0**-1074)]:
        net = Network.from_arrays([[list(values)]], [[0]])
        save(net, path)
        assert load(path) == net


def test_import_stays_light() -> None:
    code = (
        "import sys, exactrelu.network.formats.load as f; "
        "print(*[m for m in ('numpy', 'onnx', 'torch', 'pickle') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_who_reads_and_writes_a_format_is_there() -> None:
    """The table names functions: each takes the keywords that stand beside it, and no others."""
    for known in FORMATS.values():
        function = _function(known.reader)
        hints = get_type_hints(function)
        keywords = {
            name
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.kind is parameter.KEYWORD_ONLY
        }
        asked = get_args(hints.get("asked"))
        assert keywords | {name for each in asked for name in get_type_hints(each)} == known.options
        assert not known.writer or callable(_function(known.writer))
        assert bool(known.options) is bool(known.named)


@pytest.mark.parametrize(
    ("suffix", "asked", "whose"),
    [
        (".json", {"batch": 2}, "ONNX"),
        (".onnx", {"normalize": False}, ".nnet"),
        (".nnet", {"normalize": False, "input_shape": (1, 2)}, "PyTorch"),
        (".pt", {"dims": {"n": 2}, "input_shape": (1, 2)}, "ONNX"),
    ],
)
def test_an_option_of_another_format_is_refused(
    tmp_path: Path, suffix: str, asked: dict[str, Any], whose: str
) -> None:
    """Before the file is read, whatever other options are its own."""
    path = tmp_path / f"net{suffix}"
    path.write_bytes(b"no network")
    with pytest.raises(InputError, match=f"for {re.escape(whose)} files only"):
        load(path, **asked)


# --- exact JSON


XOR_TEXT = """{"format": "exactrelu-network/1", "name": "xor",
 "layers": [{"weights": [["1","1"],["1","1"]], "bias": ["1","0"]},
            {"weights": [["2","-4"]], "bias": ["-1"]}]}"""


def test_the_example_of_the_interface() -> None:
    net = parse_network(XOR_TEXT)
    assert (net.name, net.widths) == ("xor", (2, 2, 1))
    assert [net(x)[0] for x in [(1, 1), (1, -1), (-1, 1), (-1, -1)]] == [-3, 1, 1, -1]


def test_the_text_has_one_row_on_a_line() -> None:
    expected = (
        '{"format": "exactrelu-network/1",\n "name": "xor",\n "layers": [\n'
        '  {"weights": [\n    ["1", "1"],\n    ["1", "1"]],\n   "bias": ["1", "0"]},\n'
        '  {"weights": [\n    ["2", "-4"]],\n   "bias": ["-1"]}\n ]}\n'
    )
    assert network_text(parse_network(XOR_TEXT)) == expected


def test_numbers_are_exact() -> None:
    net = parse_network(
        '{"format": "exactrelu-network/1", "layers": [{"weights": '
        '[["0.1", "1e-3", "-6/8", 7, -0, "+.5"]], "bias": [12345678901234567890123]}]}'
    )
    texts = [str(v) for v in net.layers[0].affine.row(0)]
    assert texts == ["1/10", "1/1000", "-3/4", "7", "0", "1/2", "12345678901234567890123"]


@pytest.mark.parametrize("as_string", [True, False])
def test_a_weight_of_5000_digits(tmp_path: Path, as_string: bool) -> None:
    digits = "7" + "1234567890" * 500
    quote = '"' if as_string else ""
    path, again = tmp_path / "big.json", tmp_path / "again.json"
    path.write_text(
        '{"format": "exactrelu-network/1", "layers": [{"weights": '
        f'[[{quote}{digits}{quote}]], "bias": [0]}}, {{"weights": [["-1/3"]], "bias": ["0"]}}]}}'
    )
    net = load(path)
    assert str(net([3])[0]) == f"-{digits}"
    save(net, again)
    assert load(again) == net
    assert f'["{digits}"]' in again.read_text()
    with pytest.raises(InputError, match=r"row 1, column 1 of the weights: 7123.*5001 characters"):
        save(net, tmp_path / "big.npz")


def test_neuron_names(tmp_path: Path) -> None:
    text = XOR_TEXT.replace('"bias": ["1","0"]', '"bias": ["1","0"], "neurons": ["λ", "off"]')
    net = parse_network(text)
    assert net.neuron_names == (("λ", "off"),)
    save(net, tmp_path / "n.json")
    assert load(tmp_path / "n.json").neuron_names == (("λ", "off"),)


def test_layers_without_names_keep_their_numbers() -> None:
    layer = '{"weights": [[1]], "bias": [0]}'
    named = '{"weights": [[1]], "bias": [0], "neurons": ["a"]}'
    net = parse_network(
        f'{{"format": "exactrelu-network/1", "layers": [{layer}, {named}, {layer}]}}'
    )
    assert net.neuron_names == (("(1,1)",), ("a",))


def changed(**changes: Any) -> str:
    """The XOR file with keys of the first layer changed (None: removed)."""
    value = json.loads(XOR_TEXT)
    for key, new in changes.items():
        value["layers"][0][key] = new
        if new is None:
            del value["layers"][0][key]
    return json.dumps(value)


MALFORMED_JSON = [
    (XOR_TEXT[:80], r"line 2, column \d+: not valid JSON"),
    (XOR_TEXT + "x", r"line 3, column \d+: not valid JSON: Extra data"),
    (" ", r"line 1, column 2: not valid JSON"),
    ("[" * 100_000, "nested too deeply"),
    ('{"a":' * 100_000, "nested too deeply"),
    ("[]", "found a list, expected an object"),
    ('"text"', "found the string 'text', expected an object"),
    ("{}", "the key 'format' is missing"),
    (
        XOR_TEXT.replace("network/1", "network/2"),
        "format: found the string 'exactrelu-network/2', exp",
    ),
    (XOR_TEXT.replace('"exactrelu-network/1"', "1"), "format: found the number 1"),
    (XOR_TEXT.replace('"xor"', "3"), "name: found the number 3, expected a string"),
    (
        XOR_TEXT.replace('"name"', '"nmae"'),
        "unknown key 'nmae', expected format, inputs, layers, name, outputs",
    ),
    (XOR_TEXT.replace('"name"', '"format"'), "the key 'format' appears twice"),
    (XOR_TEXT.replace('"bias": ["-1"]', '"bias": ["-1"], "bias": ["2"]'), "'bias' appears twice"),
    ('{"format": "exactrelu-network/1", "layers": []}', "at least one layer"),
    ('{"format": "exactrelu-network/1", "layers": {}}', "layers: found an object, expected a list"),
    ('{"format": "exactrelu-network/1", "layers": [1]}', r"layers\[0\]: found the number 1"),
    (
        XOR_TEXT.replace('"2"', "0.1"),
        r'layers\[1\].weights\[0\]\[0\]: found the JSON float 0.1.*"0.1"',
    ),
    (XOR_TEXT.replace('"2"', "1e5"), r"found the JSON float 1e5"),
    (
        XOR_TEXT.replace('"2"', "NaN"),
        r"layers\[1\].weights\[0\]\[0\]: found NaN, expected a finite",
    ),
    (XOR_TEXT.replace('"2"', "-Infinity"), "found -Infinity, expected a finite"),
    (XOR_TEXT.replace('"2"', '"nan"'), r"layers\[1\].weights\[0\]\[0\]: found 'nan'"),
    (XOR_TEXT.replace('"2"', '"1/0"'), "denominator 0"),
    (XOR_TEXT.replace('"2"', '"1e999999999"'), "exponent 999999999"),
    (XOR_TEXT.replace('"2"', "true"), "found the truth value true"),
    (XOR_TEXT.replace('"2"', "null"), "found null, expected a number"),
    (XOR_TEXT.replace('"2"', "[1]"), "found a list, expected a number"),
    (XOR_TEXT.replace('"2"', '"٣"'), "found '٣'"),
    (XOR_TEXT.replace('"2"', '"1_000"'), "found '1_000'"),
    (
        changed(weights=[["1", "1"], ["1"]]),
        r"layers\[0\].weights\[1\]: found 1 entries, expected 2",
    ),
    (changed(weights="11"), r"layers\[0\].weights: found the string '11', expected a list of rows"),
    (changed(weights={"a": 1}), r"layers\[0\].weights: found an object"),
    (changed(weights=[["1", "1"], "11"]), r"layers\[0\].weights\[1\]: found the string"),
    (changed(weights=[]), r"layers\[0\]"),
    (changed(weights=[[], []]), r"layers\[0\].weights: found shape \(2, 0\)"),
    (changed(weights=None), r"layers\[0\]: the key 'weights' is missing"),
    (changed(bias=None), r"layers\[0\]: the key 'bias' is missing"),
    (changed(bias=["1"]), r"layers\[0\].bias: found 1 entries, expected 2"),
    (changed(weights=[["1", "1"]] * 3, bias=["1"] * 3), r"layer 2 takes 2 inputs.* 3 outputs"),
    (changed(neurons=["a"]), r"neuron names for widths \[1\]"),
    (changed(neurons=["a", 1]), r"layers\[0\].neurons\[1\]: found the number 1, expected a string"),
    (changed(activation="relu"), r"layers\[0\]: unknown key 'activation'"),
    (
        XOR_TEXT.replace('"bias": ["-1"]', '"bias": ["-1"], "neurons": ["a"]'),
        r"layers\[1\]: unknown key 'neurons'",
    ),
]


@pytest.mark.parametrize(("text", "message"), MALFORMED_JSON, ids=[m for _, m in MALFORMED_JSON])
def test_malformed_json(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "net.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_json_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    path.write_bytes(b'{"name": "\xe4"}')
    with pytest.raises(InputError, match=r"byte 10: found 0xe4, expected UTF-8"):
        load(path)


@given(st.lists(st.fractions(), min_size=4, max_size=4), st.text())
def test_any_rationals_and_names_round_trip(values: list[Any], name: str) -> None:
    net = Network.from_arrays([[values[:2]], [[values[2]]]], [[values[3]], [0]], name)
    again = parse_network(network_text(net))
    assert again == net
    assert again.name == name
