"""``injective``, ``stability`` and ``spark`` on the command line."""

import json
from fractions import Fraction

import pytest

from exactrelu.network.formats import save
from exactrelu.network.network import Network

TIGHT, VIOLATED = (f"cases/S003-P1-2n-biased/{name}.json" for name in ("tight", "viol"))
SHARP = "cases/S003-E7-sharp-constant/L.json"
TRIANGLE = "cases/S002-P10-nonneg-column-rank/triangle.matrix.json"


@pytest.mark.parametrize("method", ["auto", "flats", "tree"])
def test_yes(run, tmp_path, method: str) -> None:
    path = tmp_path / "yes.cert.jsonl"
    result = run(
        "injective", TIGHT, "--layer", 1, "--method", method, "--certificate", path, "--json"
    )
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"], answer["witness"]) == (0, "yes", None)
    assert run("check", path).code == 0


def test_no(run, tmp_path) -> None:
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
    assert (stopped.code, answer["lower"], answer["factors"]) == (3, None, [])
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
    assert (code, answer["trivial"], answer["upper"]) == (0, False, None)
    assert "layer by layer" in answer["reason"]
    assert run("check", proof).code == 0
    code, answer = asked([[[1], [1]], [[1, 0]]], [[0, 1], [0]])
    assert (code, answer["lower"], answer["upper"], answer["trivial"]) == (0, "0", "0", False)
    assert answer["reason"] == "c = 0, layer 1 takes two points to one"
    # s(x) + s(−x) collapses, s(x) − s(−x) does not: the bound of the last layer is 0 for both.
    for out in ([1, 1], [1, -1]):
        code, answer = asked([[[1], [-1]], [out]], [[0, 0], [0]], "--certificate", proof)
        assert (code, answer["verdict"], answer["trivial"]) == (3, "undecided", True)
        assert answer["reason"].startswith("only the trivial bound c ≥ 0: layer 2 is not injective")
        assert (answer["lower"], answer["upper"], answer["certificate"]) == ("0", None, None)
    collapsing = run("stability", path, "--layer", 2)
    assert "c = 0, two points have one image" in collapsing.out


def test_spark(run, tmp_path) -> None:
    path = tmp_path / "spark.cert.jsonl"
    matrix = tmp_path / "m.json"
    matrix.write_text("[[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]")
    result = run("spark", matrix, "--json", "--certificate", path)
    answer = json.loads(result.out)
    assert (result.code, answer["spark"], answer["rows"]) == (0, 3, [1, 2, 4])
    assert run("check", path).code == 0
    assert run("spark", TRIANGLE).out == "all rows are independent: there is no dependent set\n"
    assert run("spark", matrix, "--max-sets", 5).code == 3


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
