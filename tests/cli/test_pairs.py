"""Commands about two networks."""

import json
from fractions import Fraction
from pathlib import Path

import exactrelu as er
from exactrelu.network.formats.load import save
from exactrelu.network.network import Network

HIDING = "cases/three-layers/S002-P13-hiding-translation/"
THETA = HIDING + "theta.json"
CASES = Path(__file__).parents[2] / "cases"
XOR = CASES / "xor" / "network.json"
DEAD = CASES / "three-layers/S002-E05-dead-changes-case" / "theta.json"


def test_yes_no_and_undecided(run, tmp_path) -> None:
    proof = tmp_path / "e.cert.jsonl"
    yes = run("equivalent", THETA, HIDING + "t100.json", "--json", "--certificate", proof)
    answer = json.loads(yes.out)
    assert (yes.code, answer["verdict"], answer["witness"]) == (0, "yes", None)
    assert run("check", proof, "--network", THETA, "--network", HIDING + "t100.json").code == 0
    no = run("equivalent", THETA, HIDING + "tm2.json", "--json", "--certificate", proof)
    answer = json.loads(no.out)
    assert (no.code, answer["verdict"]) == (1, "no")
    assert (answer["witness"], answer["outputs"]) == (["0", "0"], [["0"], ["2"]])
    assert run("check", proof).code == 0
    text = run("equivalent", THETA, HIDING + "tm2.json").out
    assert text.splitlines()[1:-1] == ["  x    = (0, 0)", "  A(x) = 0", "  B(x) = 2"]
    clip = er.Network.from_arrays([[[1], [1]], [[1, -1]]], [[0, -1], [0]])
    ramp = er.Network.from_arrays([[[1]], [[-1]], [[-1]]], [[0], [1], [1]])
    paths = tmp_path / "clip.json", tmp_path / "ramp.json"
    for net, path in zip((clip, ramp), paths, strict=True):
        er.save(net, path)
    stopped = run("equivalent", *paths, "--max-regions", "1", "--json")
    answer = json.loads(stopped.out)
    assert (stopped.code, answer["verdict"]) == (3, "undecided")
    assert (answer["n_cells"], answer["share"]) == (1, "1/4")


def test_within(run, tmp_path) -> None:
    proof = tmp_path / "w.cert.jsonl"
    options = ("--within", "2", "--domain", "box:-1,1", "--certificate", proof)
    yes = run("equivalent", THETA, HIDING + "tm2.json", *options, "--json")
    largest = json.loads(yes.out)["largest"]
    assert (yes.code, largest["value"], largest["is_attained"]) == (0, "2", True)
    assert run("check", proof).code == 0
    no = run("equivalent", THETA, HIDING + "tm2.json", "--within", "1/100", "--certificate", proof)
    assert no.code == 1
    assert no.out.startswith("equivalent within 1/100: no, the largest difference is 2\n")
    assert "\n  largest difference 2, in output 1 at (0, 0)\n" in no.out
    assert run("check", proof).code == 0
    grows = run("equivalent", "cases/xor/network.json", THETA, "--within", "5")
    assert grows.code == 1
    assert "output 1 differs without bound" in grows.out
    assert " along (" in grows.out


def test_difference(run, tmp_path) -> None:
    proof = tmp_path / "d.cert.jsonl"
    found = run("difference", THETA, HIDING + "tm2.json", "--json", "--certificate", proof)
    largest = json.loads(found.out)["largest"]
    assert (found.code, largest["value"], largest["is_attained"]) == (0, "2", True)
    checked = run("check", proof, "--network", THETA, "--network", HIDING + "tm2.json")
    assert checked.code == 0
    assert "its supremum, is exactly 2 [by cells; trusts NOTHING]" in checked.out
    grows = run("difference", "cases/xor/network.json", THETA, "--certificate", proof)
    assert grows.out.startswith("unbounded: output 1 grows from (-1/3, 3) along (0, 1)\n")
    assert "its supremum, is exactly infinite [by ray; " in run("check", proof).out
    bounds = ("--domain", "box:-1,1", "--max-regions", "1", "--certificate", proof)
    stopped = run("difference", THETA, HIDING + "tm2.json", *bounds, "--json")
    answer = json.loads(stopped.out)
    assert (stopped.code, answer["largest"], answer["lower"]) == (3, None, "2")
    assert int(answer["upper"]) >= 2
    both = run("check", proof).out
    assert "its supremum, is at least 2" in both
    assert "no output of N1 differs from that of N2 by more than" in both
    text = run("difference", THETA, HIDING + "tm2.json", *bounds).out
    assert text.startswith("stopped at 1 regions: between 2 and ")
    assert "computed, not certified" not in text


def test_bad_input(run) -> None:
    flips = "cases/three-layers/S002-P14-hiding-flips/theta.json"
    for options in ([flips], [THETA, "--within", "-1"], [THETA, "--within", "x"]):
        result = run("equivalent", THETA, *options)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)


def test_isomorphic(run, tmp_path) -> None:
    path = tmp_path / "c.json"
    proof = tmp_path / "c.cert.jsonl"
    assert run("canonical", XOR, "-o", path, "--certificate", proof).code == 0
    assert run("check", proof).code == 0
    result = run("isomorphic", XOR, path, "--json", "--certificate", proof)
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"]) == (0, "yes")
    assert answer["permutations"] == [[2, 1]]
    assert answer["scalings"] == [["1", "1"]]
    assert run("check", proof).code == 0
    no = run("isomorphic", XOR, DEAD, "--json", "--certificate", proof)
    assert (no.code, json.loads(no.out)["verdict"]) == (1, "no")
    assert run("check", proof).code == 0


def test_a_difference_is_seen_at_a_glance(run, tmp_path) -> None:
    """Its value first, then how long it is; not 221 digits in a line."""
    value = Fraction(7**120, 10**110)
    for name, bias in (("a", value), ("b", 0)):
        save(Network.from_arrays([[[1]]], [[bias]]), tmp_path / f"{name}.json")
    pair = tmp_path / "a.json", tmp_path / "b.json"
    shown = "258086…672001/100000…000000 ≈ 2.581e-9 (102/111 digits)"
    found = run("difference", *pair, "--domain", "box:0,1")
    assert found.out.startswith(f"largest difference {shown}, in output 1 at (")
    exact = run("difference", *pair, "--domain", "box:0,1", "--exact")
    assert exact.out.startswith(f"largest difference {7**120}/{10**110}, in output 1 at (")
    within = run("equivalent", *pair, "--domain", "box:0,1", "--within", "1")
    first, second, *_ = within.out.splitlines()
    assert first.endswith(": yes, the largest difference is ≈ 2.581e-9")
    assert second.startswith(f"  largest difference {shown}, ")
    answer = json.loads(run("difference", *pair, "--domain", "box:0,1", "--json").out)
    assert answer["largest"]["value"] == f"{7**120}/{10**110}"


def test_what_is_not_an_integer_is_not_shown_as_one(run) -> None:
    shown = run("equivalent", "example:spike", "example:zero").out.splitlines()
    assert shown[:4] == [
        "equivalent: no, the values differ at the witness",
        "  x    = 1/2305843009213693949 ≈ 4.337e-19",
        "  A(x) = 2305843009213693946/2305843009213693949 ≈ 1 − 1.301e-18",
        "  B(x) = 0",
    ]


def test_values_that_differ_look_different(run, tmp_path) -> None:
    third = Fraction(1, 3)
    for name, bias in (("a", third), ("b", third + Fraction(1, 10**12))):
        save(Network.from_arrays([[[0]]], [[bias]]), tmp_path / f"{name}.json")
    shown = run("equivalent", tmp_path / "a.json", tmp_path / "b.json").out.splitlines()
    assert shown[2:4] == [
        "  A(x) = 1/3 ≈ 0.333333333333",
        "  B(x) = 1000000000003/3000000000000 ≈ 0.333333333334",
    ]


def test_an_isomorphism_says_what_moves(run, tmp_path) -> None:
    same = run("isomorphic", "example:moons", "example:moons").out.splitlines()
    assert same[1] == "  the identity: no neuron moves"
    net = er.load("example:moons")
    permutations = (tuple(range(1, 9)), (1, 3, 2, *range(4, 9)))
    scalings = (er.vector([1] * 8), er.vector([1, 1, "1/3", *[1] * 5]))
    other = er.Symmetry(permutations, scalings).apply(net)
    er.save(other, tmp_path / "moved.json")
    moved = run("isomorphic", "example:moons", tmp_path / "moved.json").out.splitlines()
    assert moved[1:] == ["  layer 2 of B: 2 is 3 of A, 3 is 2 of A × 1/3, the others stay"]


def test_a_difference_without_bound_says_so(run, tmp_path) -> None:
    save(Network.from_arrays([[[1]], [[1]]], [["-5/3"], [0]]), tmp_path / "a.json")
    save(Network.from_arrays([[[0]]], [[0]]), tmp_path / "b.json")
    found = run("difference", tmp_path / "a.json", tmp_path / "b.json").out
    assert found.startswith("unbounded: output 1 grows from (20/3) along (1)\n")


def test_over_a_limit(run, tmp_path) -> None:
    weights = [[int((i - j) % 6 in (0, 1)) for j in range(6)] for i in range(6)]
    net = Network.from_arrays([[[1]] * 6, weights, [[1] * 6]], [[0] * 6, [1] * 6, [0]])
    path = tmp_path / "ring.json"
    save(net, path)
    assert run("isomorphic", path, path, "--max-refinements", "1").code == 3
    stopped = run("canonical", path, "-o", tmp_path / "no.json", "--max-refinements", "1", "--json")
    assert (stopped.code, json.loads(stopped.out)["verdict"]) == (3, "undecided")
    assert not (tmp_path / "no.json").exists()
