"""Commands about whole networks that are one-to-one or not: injective, invert, convolution."""

import json
from pathlib import Path

from exactrelu.network.formats import load

CASES = Path(__file__).parents[2] / "cases"
XOR = CASES / "xor" / "network.json"
LOSSY = CASES / "injective-lossy-layer" / "N.json"
CONVOLUTION = CASES / "convolution-width-3" / "valid.json"


def answered(run, *arguments) -> tuple[int, dict]:
    result = run(*arguments, "--json")
    return result.code, json.loads(result.out)


def test_injective(run, tmp_path) -> None:
    proof = tmp_path / "c.cert.jsonl"
    code, yes = answered(run, "injective", LOSSY, "--certificate", proof)
    assert (code, yes["verdict"], yes["witness"]) == (0, "yes", None)
    assert run("check", proof).code == 0
    code, no = answered(run, "injective", XOR, "--certificate", proof)
    assert (code, no["verdict"], len(no["witness"])) == (1, "no", 2)
    assert run("check", proof).code == 0
    image = ("--layer", 2, "--domain", "image")
    code, on_image = answered(run, "injective", LOSSY, *image, "--certificate", proof)
    assert (code, on_image["verdict"]) == (0, "yes")
    assert run("check", proof).code == 0
    assert run("injective", LOSSY, *image, "--inputs", "box:0,1").code == 0
    assert run("injective", LOSSY, *image, "--timeout", "1e-9").code == 3
    assert run("injective", LOSSY, "--layer", 2).code == 1


def test_injective_with_bad_input(run) -> None:
    bad = run("injective", LOSSY, "--domain", "image")
    assert (bad.code, bad.err.count("\n")) == (2, 1)
    assert "say which layer" in bad.err
    assert run("injective", LOSSY, "--layer", 9, "--domain", "image").code == 2


def test_invert(run, tmp_path) -> None:
    proof = tmp_path / "c.cert.jsonl"
    code, yes = answered(run, "invert", XOR, "--value", "-1", "--certificate", proof)
    assert (code, yes["verdict"]) == (0, "yes")
    assert [str(y) for y in load(XOR)(yes["point"])] == ["-1"]
    assert run("check", proof).code == 0
    code, no = answered(run, "invert", XOR, "--value", "2", "--certificate", proof)
    assert (code, no["verdict"], no["point"]) == (1, "no", None)
    assert run("check", proof).code == 0
    assert run("invert", XOR, "--value", "1,2").code == 2
    text = run("invert", XOR, "--value", "1", "--domain", "box:0,1").out
    assert text.splitlines() == [
        "value (1) taken on box:0,1: yes, the value is taken at this point: x = (0, 0)",
        "computed, not certified: that x lies in the domain",
    ]


def test_convolution(run, tmp_path) -> None:
    proof, path = tmp_path / "c.cert.jsonl", tmp_path / "layer.json"
    code, yes = answered(run, "convolution", CONVOLUTION, "-o", path, "--certificate", proof)
    assert (code, yes["verdict"], yes["box"], yes["rows"]) == (0, "yes", [4], 16)
    assert run("check", "--network", path, proof).code == 0
    assert run("injective", path, "--layer", 1).code == 0
    assert run("convolution", CONVOLUTION, "--box", 3).code == 3
    assert run("convolution", CONVOLUTION, "--box", 7).code == 2
    assert run("convolution", CONVOLUTION, "--opposites", "--box", 4).code == 0
    assert run("convolution", XOR).code == 2
    example = CASES / "convolution-example-1" / "valid.json"
    code, no = answered(run, "convolution", example)
    assert (code, no["witness"][1]) == (1, ["1"] * 100)


def test_table(run) -> None:
    code, found = answered(run, "injective-table", 1, "--rows", "1,4", "--samples", 10)
    assert code == 0
    assert [row["rows"] for row in found["table"]] == [1, 4]
    assert found["table"][0]["injective"] == 0
    assert all(row["injective"] + row["not"] == 10 for row in found["table"])
    assert run("injective-table", 1, "--rows", "x").code == 2
    assert run("injective-table", 0).code == 2


def test_build(run, tmp_path) -> None:
    path, proof = tmp_path / "layer.json", tmp_path / "c.cert.jsonl"
    basis, three = tmp_path / "B.json", tmp_path / "W.json"
    basis.write_text('[["1","2"],["0","1"]]')
    three.write_text('[["1","0"],["0","1"],["-1","-1"]]')
    code, pairs = answered(
        run, "build", "injective", 2, "--matrix", basis, "--scales", "1,3", "-o", path
    )
    assert (code, pairs["widths"]) == (0, [2, 4, 4])
    assert [str(w) for w in load(path).layers[0].weights.row(3)] == ["0", "-3"]
    code, completed = answered(
        run, "build", "injective", 2, "--complete", three, "-o", path, "--certificate", proof
    )
    assert (code, completed["widths"]) == (0, [2, 5, 5])
    assert run("check", "--network", path, proof).code == 0
    assert run("build", "injective", "2,6", "-o", path, "--seed", 4).code == 0
    assert run("build", "injective", "2,3", "-o", path).code == 2
    assert run("build", "injective", 2, "-o", path).code == 2
    wrong = run("build", "injective", 3, "--matrix", basis, "-o", tmp_path / "no.json")
    assert (wrong.code, wrong.err.count("\n")) == (2, 1)
    assert not (tmp_path / "no.json").exists()
