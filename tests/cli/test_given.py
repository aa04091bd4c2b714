"""What was given means something together, and nothing is written over what is read."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import pytest

from exactrelu.cli.command import EVERYWHERE
from exactrelu.cli.given import one_line
from exactrelu.cli.main import COMMANDS
from exactrelu.network.formats.load import save
from exactrelu.network.network import Network

XOR = "example:xor"
MATRIX = "cases/three-layers/S002-P10-nonneg-column-rank/triangle.matrix.json"

#: What was typed, and the end of the line that refuses it.
REFUSED = (
    ("eval XOR --at=--", "argument --at: found '--', expected a value (see --help)"),
    ("eval XOR --at 1,1 --timeout=--", "argument --timeout: found '--', expected a value"),
    ("eval XOR --at 1,1 --timeout 3 --timeout 9", "argument --timeout: given twice (see --help)"),
    ("regions XOR --domain box:-1..1 --dom R", "argument --domain: given twice (see --help)"),
    ("injective XOR --layer 1 --inputs orthant", "--inputs: only with --domain image"),
    ("injective XOR --layer 1 --at 1,1 --domain orthant", "--at: not with --domain"),
    ("injective XOR --layer 1 --at 1,1 --shortcuts", "--at: not with --shortcuts"),
    ("injective XOR --at 1,1", "--at: only with --layer"),
    ("injective XOR --layer 1 --shortcuts --domain orthant", "--shortcuts: not with --domain"),
    ("injective XOR --layer 1 --domain image --method tree", "--method: not with --domain image"),
    ("identifiable XOR --volume", "--volume: only with --architecture"),
    ("identifiable XOR --seed 3", "--seed: only with --share"),
    (
        "identifiable --architecture 2,2,2,1 --volume --domain R",
        "--architecture: not with --domain",
    ),
    ("identifiable --architecture 2,2,2,1 --volume --second x.json", "not with --second"),
    ("fiber XOR --seed 3", "--seed: only with --sample"),
    ("fiber XOR --member XOR --sample 2", "--member: not with --sample"),
    ("fiber XOR --sample 0", "argument --sample: found '0', expected a positive integer"),
    ("recover XOR --max-counterexamples -1", "found '-1', expected an integer, at least 0"),
    ("build identifiable 2,2,1 -o x.json --certificates points.json/d", "expected a folder"),
    ("certify XOR -o points.json", "points.json: found the file points.json, expected a folder"),
    ("fiber XOR --minimal --path XOR", "--path: not with --minimal"),
    ("fiber XOR --component - --parts", "--component: not with --parts"),
    ("fiber XOR --format latex --translate 1", "--format: not with --translate"),
    ("generic XOR --all --perturb near.json", "--all: not with --perturb"),
    ("local XOR --points P --seed 3", "--seed: only with --clusters"),
    ("local XOR --points P --test-labels P", "--test-labels: only with --test"),
    ("local XOR --points P --test P", "--test P: found no labels: expected them, to be counted"),
    ("build identifiable 2,2,1 -o x.json --matrix M", "--matrix: only for injective networks"),
    ("build non-localizable 2,2,2,2,1 -o x.json --complete M", "--complete: only for injective"),
    ("build injective 2,8 -o x.json --scales 1,2", "--scales: only with --matrix"),
    ("build injective 2,6 -o x.json --matrix M --seed 3", "--matrix: not with --seed"),
    ("build injective 2,6 -o x.json --certificates d", "--certificates: one certificate proves it"),
    ("lemmas S000-bend --seed 3", "--seed: only with --search"),
    ("lemmas S000-bend nope", "statement 'nope': not known; `exactrelu lemmas` lists them"),
    ("stability XOR --bound upper --certificate c", "--bound: only with --layer"),
    ("regions XOR --cluster foo", "cluster: found 'foo', expected tcp://HOST:PORT"),
    ("equivalent XOR XOR --cluster foo:x", "cluster: found 'foo:x', expected tcp://HOST:PORT"),
    ("generic XOR --cluster foo", "cluster: found 'foo', expected tcp://HOST:PORT"),
    ("regions XOR --piece 3", "--piece: only with --shards"),
)


@pytest.mark.parametrize(("line", "words"), REFUSED)
def test_what_would_be_left_out_is_refused(run, tmp_path, monkeypatch, line, words) -> None:
    files = {"XOR": XOR, "M": str(Path(MATRIX).resolve()), "P": "points.json"}
    (tmp_path / "points.json").write_text("[[1, 2]]")
    monkeypatch.chdir(tmp_path)
    before = sorted(os.listdir())
    result = run(*(files.get(word, word) for word in line.split()))
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert words.replace(" P:", " points.json:") in result.err
    assert sorted(os.listdir()) == before


def test_options_that_need_or_exclude_others_are_options() -> None:
    """Every name is one that the command has, so that none is a slip."""
    for command in COMMANDS:
        names = {argument.name for argument in command.arguments}
        for argument in command.arguments:
            assert {*argument.needs, *argument.excludes} <= names - {argument.name}


def test_destinations_are_those_of_argparse() -> None:
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        command.add_arguments(parser)
        found = {action.dest for action in parser._actions} - {"help"}
        assert found == {a.destination for a in (*command.arguments, *EVERYWHERE)}


@pytest.fixture
def net(tmp_path: Path) -> Path:
    """A network whose fourth neuron is dead."""
    rows = [[1, 1], [1, 0], [0, 1], [0, 0]]
    save(Network.from_arrays([rows, [[1, 1, 1, 1]]], [[0] * 4, [0]]), tmp_path / "n.json")
    return tmp_path / "n.json"


@pytest.mark.parametrize(
    "call",
    [
        "eval NET --at 1,1 --certificate NET",
        "info NET --dot NET",
        "equivalent NET LINK --certificate LINK",
        "regions NET --certificate ./folder/../n.json",
        "verify NET --network f=NET --certificate NET",
        "plot NET -o NET",
        "recover NET -o NET",
        "simplify NET --domain DOMAIN -o DOMAIN",
        "simplify NET -o NET --certificate NET",
    ],
)
def test_what_is_read_is_not_written(run, net, tmp_path, monkeypatch, call) -> None:
    """Neither under its own name nor under another one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.json").symlink_to(net)
    (tmp_path / "domain.json").write_text('{"format": "exactrelu-polyhedron/1"}')
    files = {"NET": "n.json", "LINK": "link.json", "DOMAIN": "domain.json"}
    words = [word.replace("NET", "n.json") for word in call.split()]
    before = {path: path.read_bytes() for path in tmp_path.glob("*.json")}
    result = run(*(files.get(word, word) for word in words))
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(": found a file that is read too, expected another to write\n")
    assert {path: path.read_bytes() for path in tmp_path.glob("*.json")} == before


def test_one_file_does_not_hold_two_things(run, net, tmp_path) -> None:
    out = tmp_path / "x.json"
    result = run("simplify", net, "-o", out, "--certificate", out)
    assert (result.code, result.out, out.exists()) == (2, "", False)
    assert result.err.endswith(": found one file to write twice, expected two\n")
    # A device takes both.
    assert run("simplify", net, "-o", tmp_path / "x.json", "--certificate", os.devnull).code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_device_that_is_full_is_named(run, net, tmp_path) -> None:
    for call in ("info NET --dot /dev/full", "eval NET --at 1,1 --certificate /dev/full"):
        result = run(*call.replace("NET", str(net)).split())
        assert (result.code, result.out) == (2, "")
        assert result.err.endswith("/dev/full: cannot be written: No space left on device\n")


def test_a_network_may_take_the_place_of_the_one_it_was_made_of(run, net) -> None:
    for command in ("simplify", "canonical"):
        assert run(command, net, "-o", net).code == 0
    assert run("convert", net, net).code == 0
    assert json.loads(run("info", net, "--json").out)["widths"] == [2, 3, 1]


@pytest.mark.parametrize(
    ("call", "code", "why"),
    [
        ("identifiable example:identifiable --second OUT", 0, "there is none for this answer"),
        ("folds example:transparent --max-faces 1 --graph OUT", 3, "the question is undecided"),
        ("recover example:xor --max-queries 1 -o OUT", 3, "the question is undecided"),
    ],
)
def test_a_note_says_that_a_file_was_not_written(run, tmp_path, call, code, why) -> None:
    out = tmp_path / "out.json"
    for content in (None, "what was there before"):
        if content is not None:
            out.write_text(content)
        result = run(*call.replace("OUT", str(out)).split())
        assert (result.code, result.err) == (code, f"nothing is written to {out}: {why}\n")
        assert (out.read_text() if out.exists() else None) == content


def test_an_error_is_a_line_that_can_be_read(run) -> None:
    """However long the value is, and whatever is in it."""
    for value in ("x" * 50_000, "1," * 9_000, "\x1b[31m", "a\nb", "\u200b\u202e", "\udcff"):
        for call in (("eval", XOR, f"--at={value}"), ("info", XOR, f"--batch={value}")):
            result = run(*call)
            assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
            assert len(result.err) < 1100
            assert result.err.removesuffix("\n").isprintable()
    assert one_line("–" * 1000) == "–" * 1000
