import json
from pathlib import Path

import exactrelu as er
from exactrelu.network.formats import load, save
from exactrelu.network.network import Network

CASES = Path(__file__).parents[2] / "cases"
XOR = CASES / "xor" / "network.json"
DEAD = CASES / "S002-E05-dead-changes-case" / "theta.json"


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


def test_over_a_limit(run, tmp_path) -> None:
    weights = [[int((i - j) % 6 in (0, 1)) for j in range(6)] for i in range(6)]
    net = Network.from_arrays([[[1]] * 6, weights, [[1] * 6]], [[0] * 6, [1] * 6, [0]])
    path = tmp_path / "ring.json"
    save(net, path)
    assert run("isomorphic", path, path, "--max-refinements", "1").code == 3
    stopped = run("canonical", path, "-o", tmp_path / "no.json", "--max-refinements", "1", "--json")
    assert (stopped.code, json.loads(stopped.out)["verdict"]) == (3, "undecided")
    assert not (tmp_path / "no.json").exists()


def test_simplify(run, tmp_path) -> None:
    path, proof = tmp_path / "s.json", tmp_path / "s.cert.jsonl"
    result = run("simplify", DEAD, "-o", path, "--certificate", proof)
    assert result.out.startswith("2-2-2-1 became 2-2-1-1, with the same function\n  1 dead neuron ")
    assert load(path).widths == (2, 2, 1, 1)
    assert run("check", proof).code == 0
    again = run("simplify", path, "-o", path)
    assert again.out == "2-2-1-1: nothing to remove by signs\n"


def test_shallow(run) -> None:
    answer = json.loads(run("shallow", XOR, "--json").out)
    assert [h["jump"] for h in answer["hyperplanes"]] == [["-4"], ["2"]]
    assert answer["offset"] == ["-1"]
    assert "y1 = -2 x1 - 2 x2 + 1" in run("shallow", XOR, "--domain", "orthant").out
    for options in ([DEAD], [XOR, "--domain", "box:1,0"]):
        result = run("shallow", *options)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "box:1,0: the domain is empty" in result.err
    for place in ("box:0,1", "box:0,1;2,2"):
        result = run("shallow", XOR, "--domain", place)
        assert (result.code, result.err) == (3, "")
        words = "shallow forms are known on all of space and on the orthant only"
        assert result.out == f"undecided: {words}\n"
        answer = json.loads(run("shallow", XOR, "--domain", place, "--json").out)
        assert (answer["verdict"], answer["reason"]) == ("undecided", words)


def test_groups_in_info(run, tmp_path) -> None:
    path = tmp_path / "n.json"
    save(Network.from_arrays([[[1], [2], [-1]], [[1, 1, -3]]], [[1, 2, -1], [0]]), path)
    assert "groups      1 with one hyperplane, 1 with duplicates, 1 cancelling" in (
        run("info", path).out
    )


def test_simplify_by_lp(run, tmp_path) -> None:
    net = er.Network.from_arrays([[[1, 1], [1, -1]], [[3, 1]]], [[-2, 0], [0]])
    source, small, proof = (tmp_path / name for name in ("n.json", "s.json", "s.cert.jsonl"))
    er.save(net, source)
    plain = run("simplify", source, "-o", small, "--domain", "box:0,1")
    assert plain.out == "2-2-1: nothing to remove by signs on box:0,1\n"
    options = ("--by-lp", "--timeout", "60", "--certificate", proof)
    found = run("simplify", source, "-o", small, "--domain", "box:0,1", *options)
    assert found.out.startswith("2-2-1 became 2-1-1, with the same function on box:0,1\n")
    assert run("check", proof, "--network", source, "--network", small).code == 0
    assert er.load(small).widths == (2, 1, 1)
