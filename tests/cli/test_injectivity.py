"""Commands about layers and networks that are one-to-one."""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from exactrelu.network.formats.load import load, save
from exactrelu.network.network import Network

TIGHT, VIOLATED = (
    f"cases/injective-layers/S003-P1-2n-biased/{name}.json" for name in ("tight", "viol")
)
SHARP = "cases/injective-layers/S003-E7-sharp-constant/L.json"
CASES = Path(__file__).parents[2] / "cases"
XOR = CASES / "xor" / "network.json"
LOSSY = CASES / "injective-layers/lossy-layer" / "N.json"
CONVOLUTION = CASES / "injective-layers/convolution-width-3" / "valid.json"


@pytest.mark.parametrize("method", ["auto", "flats", "tree"])
def test_injective_layers(run, tmp_path, method: str) -> None:
    path = tmp_path / "yes.cert.jsonl"
    result = run(
        "injective", TIGHT, "--layer", 1, "--method", method, "--certificate", path, "--json"
    )
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"], answer["witness"]) == (0, "yes", None)
    assert run("check", path).code == 0


def test_layers_that_are_not(run, tmp_path) -> None:
    path = tmp_path / "no.cert.jsonl"
    result = run("injective", VIOLATED, "--layer", 1, "--certificate", path, "--json")
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"], len(answer["witness"])) == (1, "no", 2)
    assert run("check", path).code == 0
    text = run("injective", VIOLATED, "--layer", 1).out.splitlines()
    assert text[0] == "layer 1 injective: no, two points have one image"
    assert [line[:6] for line in text[1:]] == ["  x = ", "  y = "]


def test_domains(run) -> None:
    assert run("injective", VIOLATED, "--layer", 1, "--domain", "orthant").code == 1
    assert run("injective", VIOLATED, "--layer", 1, "--domain", "box:3,4").code == 0
    assert run("injective", VIOLATED, "--layer", 2).code == 0


def test_at_a_point(run, tmp_path) -> None:
    path = tmp_path / "rank.cert.jsonl"
    result = run("injective", TIGHT, "--layer", 1, "--at", "0,0", "--json", "--certificate", path)
    answer = json.loads(result.out)
    assert (result.code, answer["active"], answer["rank"]) == (0, [1, 4], 2)
    assert run("check", path).code == 0
    lost = run("injective", VIOLATED, "--layer", 1, "--at", "0,97/100")
    assert (lost.code, "rank 1" in lost.out) == (1, True)


def test_shortcuts(run) -> None:
    result = run("injective", TIGHT, "--layer", 1, "--shortcuts", "--json")
    answers = {r["name"][:6]: r["answer"] for r in json.loads(result.out)["shortcuts"]}
    assert (result.code, answers["m = 2n"], answers["m < 2n"]) == (0, True, None)


def test_stability_of_a_network(run, tmp_path) -> None:
    """(s(x), s(−x)), then both as they are: 1/√2, times 1; and a limit that stops it."""
    path, network = tmp_path / "one.cert.jsonl", tmp_path / "both.json"
    save(Network.from_arrays([[[1], [-1]], [[1, 0], [0, 1]]], [[0, 0], [0, 0]]), network)
    result = run("stability", network, "--certificate", path, "--json")
    answer = json.loads(result.out)
    assert result.code == 0
    first, last = map(Fraction, answer["factors"])
    assert Fraction(7, 10) ** 2 < first**2 <= Fraction(1, 2)
    assert Fraction(99, 100) < last <= 1
    assert Fraction(answer["lower"]) == first * last
    assert run("check", path).code == 0
    stopped = run("stability", network, "--timeout", "1e-9", "--json")
    answer = json.loads(stopped.out)
    assert (stopped.code, answer["lower"], answer["factors"]) == (3, "0", [])
    assert answer["reason"].startswith("stopped after 1e-09 s: between 0 and ")
    assert Fraction(answer["upper"]) > 0
    stopped = run("stability", network, "--timeout", "1e-9", "--certificate", path)
    assert (stopped.code, stopped.err.count("\n")) == (3, 1)
    assert "no certificate is written: the question is undecided" in stopped.err


def test_stability(run, tmp_path) -> None:
    for bound in ("lower", "upper"):
        path = tmp_path / f"{bound}.cert.jsonl"
        result = run(
            "stability", SHARP, "--layer", 1, "--bound", bound, "--certificate", path, "--json"
        )
        answer = json.loads(result.out)
        assert result.code == 0
        assert answer["lower"] != answer["upper"]
        assert len(answer["points"]) == 2
        assert run("check", path).code == 0


def test_stability_of_networks(run, tmp_path) -> None:
    """A bound, the constant 0, and a bound that says nothing: the last is no answer."""
    path = tmp_path / "network.json"
    proof = tmp_path / "network.cert.jsonl"

    def asked(weights, biases, *options) -> tuple[int, dict]:
        save(Network.from_arrays(weights, biases), path)
        result = run("stability", path, *options, "--json")
        return result.code, json.loads(result.out)

    pair = [[[1], [-1]], [[1, 0], [0, 1]]]
    code, answer = asked(pair, [[0, 0], [0, 0]], "--certificate", proof)
    assert (code, answer["is_trivial"]) == (0, False)
    assert 0 <= Fraction(answer["upper"]) - Fraction(answer["lower"]) < Fraction(1, 10**4)
    assert "layer by layer" in answer["reason"]
    assert run("check", proof).code == 0
    code, answer = asked([[[1], [1]], [[1, 0]]], [[0, 1], [0]])
    assert (code, answer["lower"], answer["upper"], answer["is_trivial"]) == (0, "0", "0", False)
    assert answer["reason"] == "c = 0, layer 1 takes two points to one"
    # s(x) + s(−x) collapses, s(x) − s(−x) does not: the bound of the last layer is 0 for both.
    code, answer = asked([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    assert (code, answer["reason"]) == (0, "c = 0, two points have one image")
    assert (answer["lower"], answer["upper"], len(answer["points"])) == ("0", "0", 2)
    code, answer = asked([[[1], [-1]], [[1, -1]]], [[0, 0], [0]], "--certificate", proof)
    assert (code, answer["verdict"], answer["is_trivial"]) == (3, "undecided", True)
    assert answer["reason"].startswith("only the trivial bound c ≥ 0: layer 2 is not injective")
    assert (answer["lower"], answer["certificate"]) == ("0", None)
    assert Fraction(answer["upper"]) >= 1
    collapsing = run("stability", path, "--layer", 2)
    assert "c = 0, two points have one image" in collapsing.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("injective", TIGHT, "--layer", 3),
        ("injective", TIGHT, "--at", "0,0"),
        ("injective", TIGHT, "--layer", 1, "--at", "0"),
        ("injective", TIGHT, "--layer", 1, "--domain", "box:0,1;0,1;0,1"),
        ("stability", TIGHT, "--layer", 0),
        ("stability", SHARP, "--layer", 1, "--domain", "box:1,1"),
    ],
    ids=str,
)
def test_bad_input(run, arguments) -> None:
    result = run(*arguments)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)


def answered(run, *arguments) -> tuple[int, dict]:
    result = run(*arguments, "--json")
    return result.code, json.loads(result.out)


def test_injective_networks(run, tmp_path) -> None:
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
    example = CASES / "injective-layers/convolution-example-1" / "valid.json"
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


# --- over a bound: what is known


@pytest.fixture
def large(tmp_path) -> Path:
    """Layers of 8 → 40 → 3, far from decided in no time."""
    rng = random.Random(21)
    weights = [
        [[rng.randint(-9, 9) for _ in range(n)] for _ in range(m)] for n, m in ((8, 40), (40, 3))
    ]
    path = tmp_path / "large.json"
    save(Network.from_arrays(weights, [[0] * 40, [0] * 3]), path)
    return path


def test_injective_over_a_bound(run, large) -> None:
    code, answer = answered(run, "injective", large, "--layer", 1, "--max-regions", 7)
    assert (code, answer["verdict"], answer["witness"]) == (3, "undecided", None)
    assert answer["reason"].startswith("stopped at 7 covers: 7 covers so far")
    assert (answer["n_covers"], answer["injective_layers"]) == (7, [])
    assert answer["n_left"] >= 1
    image = ("--layer", 1, "--domain", "image")
    code, answer = answered(run, "injective", LOSSY, *image, "--max-regions", 1)
    assert (code, answer["n_regions"]) == (3, 1)
    assert answer["reason"] == "stopped at 1 regions: no collision among 1 regions so far"


def test_stability_over_a_bound(run, large, tmp_path) -> None:
    for limit in (("--max-regions", 5), ("--timeout", "1e-9")):
        proof = tmp_path / "upper.cert.jsonl"
        asked = ("stability", large, "--layer", 1, "--domain", "box:1,2", *limit)
        code, answer = answered(run, *asked, "--bound", "upper", "--certificate", proof)
        assert (code, answer["verdict"], answer["lower"]) == (3, "undecided", "0")
        assert Fraction(answer["upper"]) > 0
        assert answer["reason"].startswith("stopped a")
        assert ": between 0 and " in answer["reason"]
        assert run("check", proof).code == 0
        assert run(*asked, "--certificate", tmp_path / "none.cert.jsonl").code == 3


def test_invert_over_a_bound(run, large) -> None:
    code, answer = answered(run, "invert", large, "--value", "1000000000,-1,-1", "--max-regions", 3)
    assert (code, answer["point"]) == (3, None)
    assert answer["n_excluded"] <= 3
    assert answer["reason"].startswith("stopped at 3 regions: the value is not taken on ")


def test_tables_and_named_results_over_a_bound(run, large) -> None:
    code, answer = answered(run, "injective-table", 2, "--samples", 5, "--timeout", "1e-9")
    assert (code, answer["verdict"]) == (3, "undecided")
    assert [row["undecided"] for row in answer["table"]] == [5] * 5
    code, answer = answered(
        run, "injective", large, "--layer", 1, "--shortcuts", "--timeout", "1e-9"
    )
    assert (code, len(answer["shortcuts"])) == (3, 5)
    code, answer = answered(run, "convolution", CONVOLUTION, "--timeout", "1e-9")
    assert (code, answer["tried"], answer["rows"]) == (3, [], 16)
    code, answer = answered(run, "convolution", CONVOLUTION, "--box", 3)
    assert (code, answer["tried"]) == (3, [[3]])


def test_build_over_a_bound(run, tmp_path) -> None:
    three = tmp_path / "W.json"
    three.write_text('[["1","0"],["0","1"],["-1","-1"]]')
    result = run(
        "build",
        "injective",
        2,
        "--complete",
        three,
        "-o",
        tmp_path / "no.json",
        "--timeout",
        "1e-9",
    )
    assert result.code == 3
    assert "it takes at least 0 rows" in result.out
    assert not (tmp_path / "no.json").exists()
