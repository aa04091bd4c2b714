"""What is read of a file: info and convert, and their options."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactrelu as er
from exactrelu.view import layers
from tests.network.formats.onnx_nodes import model, node

F = np.float32
W = F([[1, -2, 3], [0, 1, 1]])


def written(folder: Path) -> Path:
    """Two outputs, the first behind a Softmax, and a skip connection."""
    nodes = [
        node("MatMul", "x W", "z"),
        node("Relu", "z", "h"),
        node("Add", "h z", "logits"),
        node("Softmax", "logits", "p"),
        node("BatchNormalization", "z s t t s", "n", epsilon=1.0),
    ]
    constants = {"W": W, "s": F([1, 1, 1]), "t": F([0, 0, 0])}
    made = model(nodes, constants, {"x": ["batch", 2]}, outputs=["p", "n"])
    path = folder / "net.onnx"
    path.write_bytes(made.SerializeToString())
    return path


OPTIONS: list[tuple[list[str], dict[str, Any], str]] = [
    (["--until", "logits"], {"until": "logits"}, "until logits"),
    (
        ["--outputs", "p", "--drop-last", "Softmax"],
        {"outputs": "p", "drop_last": "Softmax"},
        "without the last Softmax; outputs p",
    ),
    (
        ["--outputs", "n", "--roots", "float64"],
        {"outputs": "n", "roots": "float64"},
        "outputs n; roots: float64",
    ),
    (
        ["--until", "z", "--batch", "2"],
        {"until": "z", "batch": 2},
        "until z; batch 2",
    ),
    (
        ["--until", "z", "--dim", "batch=3"],
        {"until": "z", "dims": {"batch": 3}},
        "until z; batch = 3",
    ),
]


@pytest.mark.parametrize(("arguments", "keywords", "words"), OPTIONS, ids=lambda v: str(v)[:40])
def test_options_of_info_and_convert(
    run, tmp_path: Path, arguments: list[str], keywords: dict[str, Any], words: str
) -> None:
    path, out = written(tmp_path), tmp_path / "out.json"
    expected = er.load(path, **keywords)
    assert expected.name == f"g ({words})"
    found = run("convert", path, out, *arguments)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert found.code == 0
    assert found.out.splitlines()[1:4] == [
        f"file sha256 {digest}",
        f"read {words}",
        f"sha256 {expected.sha256}",
    ]
    # Whatever is asked later is asked of the converted file, which says what it is.
    assert er.load(out) == expected
    assert er.load(out).name == expected.name
    told = run("info", path, *arguments)
    assert f"read        {words}\n" in told.out
    assert f"file        sha256 {digest}\n" in told.out
    answer = json.loads(run("info", path, *arguments, "--json").out)
    assert answer["sha256"] == expected.sha256
    assert answer["file_sha256"] == digest
    assert answer["options"].keys() == keywords.keys()


def test_outputs_are_separated_or_repeated(run, tmp_path: Path) -> None:
    path = written(tmp_path)
    for given in (["--outputs", "n,p"], ["--outputs", "n", "--outputs", "p"]):
        told = run("info", path, "--drop-last", "Softmax", *given)
        assert (told.code, told.err.count("\n")) == (2, 1)
        assert "output 'n' comes from BatchNormalization, not from Softmax" in told.err


def test_a_last_softmax_says_what_to_type(run, tmp_path: Path) -> None:
    path = written(tmp_path)
    err = run("info", path, "--outputs", "p").err
    assert "arg max is the same on both sides, probabilities are not" in err
    command = err.split(": exactrelu ")[1].split(" leaves it out")[0].split()
    assert command == ["convert", str(path), "out.json", "--drop-last", "Softmax"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dim", "3"], "--dim 3: expected a name and a size such as N=1"),
        (["--dim", "n=0"], "--dim n=0: expected a positive integer"),
        (["--batch", "many"], "--batch many: expected a positive integer"),
        (["--until", "nothing"], "no value or node 'nothing' in the graph"),
        (["--roots", "float16"], "--roots"),
    ],
)
def test_bad_options(run, tmp_path: Path, arguments: list[str], message: str) -> None:
    found = run("info", written(tmp_path), *arguments)
    assert found.code == 2
    assert message in found.err


def test_options_of_other_formats(run) -> None:
    found = run("info", "example:xor", "--until", "z")
    assert found.code == 2
    assert "until: for ONNX files only" in found.err


def test_info_counts_linear_units(run, tmp_path: Path) -> None:
    path = written(tmp_path)
    told = run("info", path, "--until", "logits").out
    assert "widths      2-3+3-3\n" in told
    assert "neurons     3 hidden: 3 nonlinear\n" in told
    assert "linear      3 units without a ReLU\n" in told
    answer = json.loads(run("info", path, "--until", "logits", "--json").out)
    assert answer["linear_units"] == 3
    assert answer["widths"] == [2, 6, 3]
    assert [layer["neurons"] for layer in answer["layers"]] == [3, 0]
    assert [layer["linear_units"] for layer in answer["layers"]] == [3, 0]
    assert answer["layers"][1]["outputs"] == 3


def test_the_layers_are_drawn(run, tmp_path: Path) -> None:
    path, target = written(tmp_path), tmp_path / "layers.dot"
    told = run("info", path, "--until", "logits", "--graph", "--dot", target)
    assert told.out.splitlines()[-3:-1] == [
        "layer 1   2 inputs → 3 neurons + 3 linear units   10 entries   2 bits",
        "layer 2   6 units → 3 outputs                      6 entries   1 bit",
    ]
    drawn = target.read_text()
    assert drawn.startswith('digraph "g (until logits)" {')
    assert drawn.count("->") == 2
    assert '[label="3 neurons + 3 linear units"]' in drawn


def test_a_hash_that_takes_minutes_is_computed_when_asked(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layers, "MAX_HASHED", 5)
    told = run("info", "example:xor").out
    assert "sha256      takes minutes for so large a network: --sha256 computes it\n" in told
    assert json.loads(run("info", "example:xor", "--json").out)["sha256"] is None
    digest = er.load("example:xor").sha256
    assert f"sha256      {digest}\n" in run("info", "example:xor", "--sha256").out


def test_roles_of_a_network_that_is_too_large(run, monkeypatch: pytest.MonkeyPatch) -> None:
    from exactrelu.network import roles

    monkeypatch.setattr(roles, "_SAMPLED", 5)
    assert "their roles are not looked for\n" in run("info", "example:xor").out
    answer = json.loads(run("info", "example:xor", "--json").out)
    assert (answer["roles"], answer["neurons"]) == (None, None)


def test_loading_keeps_the_bounds(tmp_path: Path) -> None:
    """A small file of a large graph, read by a program that holds nothing of other tests."""
    nodes = [node("MaxPool", "x", kernel_shape=[5, 5])]
    path = tmp_path / "large.onnx"
    path.write_bytes(model(nodes, {}, {"x": [1, 1, 900, 900]}).SerializeToString())
    program = [sys.executable, "-m", "exactrelu", "info", str(path), "--max-memory", "700M"]
    found = subprocess.run(program, capture_output=True, text=True, check=False)
    assert found.returncode == 3
    assert "a convolution with 20,070,400 taps needs about 1.2 GB of memory" in found.stdout
