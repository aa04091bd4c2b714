"""The command about fibers."""

import json
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
import z3

from exactrelu.network.formats.load import network_from_object, save
from exactrelu.network.network import Network

CASES = Path(__file__).parents[2] / "cases"
BOTH = CASES / "three-layers/S002-P04-fiber-case3-both"
THETA = BOTH / "theta.json"
RIGID = CASES / "three-layers/S002-P01-fiber-case1-k0" / "theta.json"
FLIPS = CASES / "three-layers/S002-P14-hiding-flips"
ORTHANT = ("--domain", "orthant")
LINEAR_2 = CASES / "three-layers/S002-P13-hiding-translation"


def test_listing(run, tmp_path) -> None:
    proof = tmp_path / "fiber.cert.jsonl"
    result = run("fiber", THETA, *ORTHANT, "--certificate", proof, "--json")
    answer = json.loads(result.out)
    assert result.code == 0
    assert (answer["case"], answer["minimal"], answer["complete"]) == (3, True, True)
    assert [c["orientation"] for c in answer["components"]] == [["+"], ["-"]]
    assert [c["reversed"] for c in answer["components"]] == [[], [1]]
    assert [c["dimension"] for c in answer["components"]] == [1, 1]
    assert [c["jacobian_dimension"] for c in answer["components"]] == [1, 1]
    assert all(c["nonempty"] and c["generic_points"] for c in answer["components"])
    assert answer["components"][1]["compensation"] == [["2", "1/2", "5/4"]]
    assert "W1_11 ≥ 0" in answer["components"][0]["description"]
    for component in answer["components"]:
        path = tmp_path / "sample.json"
        save(network_from_object(component["sample"]), path)
        member = run("fiber", THETA, *ORTHANT, "--member", path, "--json", "--certificate", proof)
        assert member.code == 0
        assert json.loads(member.out)["component"] == component["orientation"]
        assert json.loads(member.out)["name"] == component["name"]
        assert run("check", proof).code == 0
    text = run("fiber", RIGID, *ORTHANT, "--certificate", proof).out
    assert "1 of 4 orientations have members" in text
    assert run("check", proof).out.startswith("ACCEPTED of the networks with the widths of N1")


def test_component_and_formats(run, tmp_path) -> None:
    proof = tmp_path / "dimension.cert.jsonl"
    text = run("fiber", THETA, *ORTHANT, "--component", "-", "--certificate", proof)
    assert (text.code, text.out.splitlines()[4]) == (0, "W1_21 = -4/7")
    assert "of dimension 1 " in run("check", proof).out
    smt = run("fiber", THETA, *ORTHANT, "--component", "-", "--format", "smt2").out
    solver = z3.Solver()
    solver.from_string(smt)
    assert solver.check() == z3.sat
    assert run("fiber", THETA, *ORTHANT, "--format", "latex").out.startswith(r"\begin{align*}")
    assert len(json.loads(run("fiber", THETA, *ORTHANT, "--format", "json").out)["variables"]) == 9
    bad = run("fiber", THETA, *ORTHANT, "--component", "+-")
    assert bad.code == 2
    assert "expected signs on 1 bends, as in +" in bad.err


def test_not_a_member(run, tmp_path) -> None:
    proof = tmp_path / "no.cert.jsonl"
    other = CASES / "three-layers/S002-P08-fiber-case4" / "theta.json"
    result = run("fiber", THETA, *ORTHANT, "--member", other, "--json", "--certificate", proof)
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"], answer["component"]) == (1, "no", None)
    assert len(answer["witness"]) == 2
    assert run("check", proof).code == 0


def test_samples(run, tmp_path) -> None:
    result = run("fiber", THETA, *ORTHANT, "--sample", 3, "--seed", 5, "--json")
    samples = json.loads(result.out)["samples"]
    assert len(samples) == 3
    for sample in samples:
        path = tmp_path / "sample.json"
        save(network_from_object(sample), path)
        assert run("fiber", THETA, *ORTHANT, "--member", path).code == 0
    assert run("fiber", THETA, *ORTHANT, "--sample", 1).out.startswith('{"format"')


def test_general(run) -> None:
    result = run("fiber", CASES / "three-layers/S002-E08-zero-row" / "theta.json", "--general")
    assert result.code == 0
    assert "1 constant" in result.out
    assert "canceling +" in result.out


def test_names_and_what_is_listed(run, tmp_path) -> None:
    """The components of s(x) with a second neuron; by default those without a shared bend."""
    net = tmp_path / "relu.json"
    save(Network.from_arrays([[[1], [0]], [[1, 1]]], [[0, 1], [0]]), net)
    short = json.loads(run("fiber", net, "--json").out)
    assert short["listed"] == "members with one neuron on each bend and none that cancel"
    assert [c["name"] for c in short["components"] if c["nonempty"]] == ["+", "+ 0"]
    assert "all with --general" in run("fiber", net).out
    full = run("fiber", net, "--general")
    listed = [line for line in full.out.splitlines() if "  dimension" in line]
    names = [line.partition("  ")[0] for line in listed]
    assert names == ["+", "+ 0", "+ (+)", "++", "+-"]
    assert "listed are" not in full.out
    for name in names:
        one = json.loads(run("fiber", net, "--general", "--component", name, "--json").out)
        assert one["name"] == name


def test_undecided_and_bad_input(run, tmp_path) -> None:
    stopped = run("fiber", RIGID, "--max-components", 3, "--json")
    assert (stopped.code, json.loads(stopped.out)["verdict"]) == (3, "undecided")
    deep = CASES / "three-layers/S002-P22-nonlocalizable" / "N.json"
    assert "hidden layers" in run("fiber", deep).err
    deep_domains = [(FLIPS / "theta.json", place) for place in ("box:0,1", "box:2,2")]
    for network, place in [(RIGID, "box:2,2"), *deep_domains]:
        result = run("fiber", network, "--domain", place)
        assert (result.code, result.err) == (3, "")
        assert result.out.startswith("undecided: ")
        assert result.out.endswith(" only\n")
    answer = json.loads(run("fiber", RIGID, "--domain", "box:2,2", "--json").out)
    assert answer["verdict"] == "undecided"
    for place in ("box:1,0", "box:0,1;2,1"):
        result = run("fiber", RIGID, "--domain", place)
        assert (result.code, result.out) == (2, "")
        assert result.err == f"exactrelu fiber: error: {place}: the domain is empty\n"
    many = tmp_path / "many.json"
    rows = [[1, -i] for i in range(1, 6)]
    save(Network.from_arrays([rows, [[1] * 5] * 2], [[1] * 5, [0, 0]]), many)
    assert run("fiber", many, "--domain", "orthant").code == 0


def test_three_layers(run, tmp_path) -> None:
    proof = tmp_path / "fiber.cert.jsonl"
    listing = run("fiber", FLIPS / "theta.json", "--certificate", proof, "--json")
    answer = json.loads(listing.out)
    assert (listing.code, answer["complete"]) == (0, True)
    assert [c["orientation"] for c in answer["components"]] == [[], [2], [3], [2, 3]]
    assert "these are all generic networks with its widths" in run("check", proof).out
    member = run(
        *("fiber", FLIPS / "theta.json", "--member", FLIPS / "A23_t5.json", "--json"),
        *("--certificate", proof),
    )
    assert (member.code, json.loads(member.out)["component"]) == (0, [2, 3])
    assert "are equal on the closure of" in run("check", proof).out
    text = run("fiber", FLIPS / "theta.json", "--member", FLIPS / "A23_t5.json").out
    assert "in the component {2,3}" in text
    samples = json.loads(run("fiber", FLIPS / "theta.json", "--sample", 3, "--json").out)
    for sample in samples["samples"]:
        save(network_from_object(sample), tmp_path / "sample.json")
        assert run("fiber", FLIPS / "theta.json", "--member", tmp_path / "sample.json").code == 0
    moved = run("fiber", FLIPS / "theta.json", "--component", "2,3", "--translate", "5", "--json")
    save(network_from_object(json.loads(moved.out)["samples"][0]), tmp_path / "moved.json")
    assert run("isomorphic", tmp_path / "moved.json", FLIPS / "A23_t5.json").code == 0


def test_formats_of_three_layers(run, tmp_path) -> None:
    proof = tmp_path / "member.cert.jsonl"
    text = run("fiber", FLIPS / "theta.json", "--component", "2", "--certificate", proof).out
    assert "b2_1 + b1_1 = " in text
    assert "ACCEPTED" in run("check", proof).out
    smt = run("fiber", FLIPS / "theta.json", "--component", "2", "--format", "smt2").out
    solver = z3.Solver()
    solver.from_string(smt)
    assert solver.check() == z3.sat
    latex = run("fiber", FLIPS / "theta.json", "--format", "latex").out
    assert latex.startswith(r"\begin{align*}")
    assert "b^{(2)}_{1} + " in latex
    assert json.loads(run("fiber", FLIPS / "theta.json", "--format", "json").out)["variables"]
    other = LINEAR_2 / "tm2.json"
    no = run("fiber", LINEAR_2 / "theta.json", "--member", other, "--certificate", proof)
    assert (no.code, "at the witness: (" in no.out) == (1, True)
    assert "ACCEPTED" in run("check", proof).out
    assert run("fiber", FLIPS / "theta.json", "--translate", "1,2").code == 2
    assert run("fiber", FLIPS / "theta.json", "--component", "x").code == 2


def test_minimal(run, tmp_path) -> None:
    proof = tmp_path / "minimal.cert.jsonl"
    yes = run("fiber", THETA, *ORTHANT, "--minimal", "--certificate", proof)
    assert (yes.code, yes.out[:23]) == (0, "minimal on orthant: yes")
    assert "none of them wider, and fewer neurons is equal to it" in run("check", proof).out
    doubled = tmp_path / "doubled.json"
    save(Network.from_arrays([[[1], [1]], [[1, 2]]], [[0, 0], [0]]), doubled)
    no = run("fiber", doubled, "--minimal", "--json", "--certificate", proof)
    assert (no.code, len(json.loads(no.out)["smaller"]["layers"][0]["bias"])) == (1, 1)
    assert "some plain network with as many layers as N1" in run("check", proof).out
    assert run("fiber", FLIPS / "theta.json", "--minimal").code == 2
    constant = tmp_path / "constant.json"
    save(Network.from_arrays([[[1]], [[0]]], [[0], [3]]), constant)
    no = run("fiber", constant, "--minimal", "--certificate", proof)
    assert no.out.startswith("minimal: no, the function is constant: no hidden neuron is needed\n")
    assert "N2 (1-1, " in run("check", proof).out
    assert "; it is not minimal\n" in run("fiber", constant).out


def test_fiber_of_three_layers(run) -> None:
    answer = json.loads(run("fiber", FLIPS / "theta.json", "--json").out)
    assert answer["complete"] is True
    assert answer["flips"] == [[], [2], [3], [2, 3]]
    assert [c["t_above"] for c in answer["components"]] == ["-2"] * 4
    assert [c["name"] for c in answer["components"]] == ["{}", "{2}", "{3}", "{2,3}"]
    for component in answer["components"]:
        given = ("--component", component["name"], "--json")
        assert json.loads(run("fiber", FLIPS / "theta.json", *given).out)["name"] == given[1]
    one = json.loads(run("fiber", FLIPS / "theta.json", "--component", "2,3", "--json").out)
    assert "after the flips {2,3}" in one["reason"]
    assert run("fiber", FLIPS / "theta.json", "--component", "+-").code == 2
    other = json.loads(run("fiber", "cases/three-layers/S002-P23-conserved/N.json", "--json").out)
    assert other["complete"] in (True, False)
    assert other["components"][0]["nonempty"] in (True, False)


def test_a_network_of_other_widths_is_no_member(run, tmp_path) -> None:
    relu, wider, proof = (tmp_path / name for name in ("relu.json", "wider.json", "no.cert.jsonl"))
    save(Network.from_arrays([[[1]], [[1]]], [[0], [0]]), relu)
    save(Network.from_arrays([[[1], [1]], [[1, 0]]], [[0, 0], [0]]), wider)
    result = run("fiber", relu, "--member", wider, "--certificate", proof)
    assert result.code == 1
    no = "member: no, the same function, but the widths 1-2-1 instead of 1-1-1\n"
    assert result.out.startswith(no)
    checked = run("check", proof).out
    assert "N1 (1-1-1, " in checked
    assert "N2 (1-2-1, " in checked


def many_components(tmp_path: Path, *hidden: int) -> Path:
    """A network whose fiber has more components than are listed."""
    rng = random.Random(3)
    widths = (3, *hidden, 1)
    weights = [
        [[rng.randint(-9, 9) for _ in range(m)] for _ in range(n)] for m, n in pairwise(widths)
    ]
    biases = [[rng.randint(-9, 9) for _ in range(n)] for n in widths[1:]]
    path = tmp_path / "many.json"
    save(Network.from_arrays(weights, biases), path)
    return path


@pytest.mark.parametrize("hidden", [(18,), (3, 18)])
def test_more_components_than_are_listed_have_samples(run, tmp_path, hidden: tuple[int]) -> None:
    path = many_components(tmp_path, *hidden)
    result = run("fiber", path, "--sample", 1, "--max-components", 3, "--json")
    answer = json.loads(result.out)
    assert (result.code, len(answer["samples"])) == (0, 1)
    assert "1 member of the components that are listed" in answer["reason"]


def test_what_is_known_of_another_question_is_told_in_its_words(tmp_path) -> None:
    """The program reports what is known from time to time; in a process of its own it did not."""
    path = many_components(tmp_path, 3, 12)
    asked = [sys.executable, "-m", "exactrelu", "fiber", path, "--member", path]
    result = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("member: yes")
