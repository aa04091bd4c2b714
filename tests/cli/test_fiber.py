import json
from pathlib import Path

import z3

from exactrelu.network.formats import save
from exactrelu.network.formats.exact_json import network_from_object
from exactrelu.network.network import Network

CASES = Path(__file__).parents[2] / "cases"
BOTH = CASES / "S002-P04-fiber-case3-both"
THETA = BOTH / "theta.json"
RIGID = CASES / "S002-P01-fiber-case1-k0" / "theta.json"
ORTHANT = ("--domain", "orthant")


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
        assert run("check", proof).code == 0
    text = run("fiber", RIGID, *ORTHANT, "--certificate", proof).out
    assert "1 of 4 orientations have members" in text
    assert run("check", proof).out.startswith("ACCEPTED among the networks")


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
    assert "expected signs for 1 bends" in bad.err


def test_not_a_member(run, tmp_path) -> None:
    proof = tmp_path / "no.cert.jsonl"
    other = CASES / "S002-P08-fiber-case4" / "theta.json"
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
    result = run("fiber", CASES / "S002-E08-zero-row" / "theta.json", "--general")
    assert result.code == 0
    assert "1 constant" in result.out
    assert "canceling +" in result.out


def test_undecided_and_bad_input(run, tmp_path) -> None:
    stopped = run("fiber", RIGID, "--max-components", 3, "--json")
    assert (stopped.code, json.loads(stopped.out)["verdict"]) == (3, "undecided")
    deep = CASES / "S002-P22-nonlocalizable" / "N.json"
    assert "hidden layers" in run("fiber", deep).err
    assert run("fiber", RIGID, "--domain", "box:0,1").code == 2
    many = tmp_path / "many.json"
    rows = [[1, -i] for i in range(1, 6)]
    save(Network.from_arrays([rows, [[1] * 5] * 2], [[1] * 5, [0, 0]]), many)
    assert run("fiber", many, "--domain", "orthant").code == 0
