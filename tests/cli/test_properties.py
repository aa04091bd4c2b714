"""The commands about properties: verify, holds, judge, real-query and supports."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu.cli.main import COMMANDS
from exactrelu.cli.outcome import Outcome
from exactrelu.cli.properties import CAPABILITIES, given_networks
from exactrelu.effort import STOPPED
from exactrelu.errors import InputError
from exactrelu.network.formats.load import load
from exactrelu.work.worker import Ended

XOR = Path("cases/xor").absolute()
NET = XOR / "network.json"
TREE = XOR / "tree.aptp"
QUERY, RESULT = XOR / "query.vnnlib", XOR / "result.txt"


def test_judge_no_and_yes(run, tmp_path: Path) -> None:
    no = run("judge", QUERY, "--network", NET, "--result", RESULT)
    first, second, third = no.out.splitlines()
    assert no.code == 1
    assert first == "counterexample: no, line 8: (>= Y_0 1) fails by 8e-17"
    assert second.startswith("  claimed outputs are off by at most 1/12500000000000000 = 8e-17")
    assert third.startswith("computed, not certified: what the query means, the margins")
    result = tmp_path / "result.txt"
    result.write_text("sat\n((X_0 0.125)\n(X_1 -0.125))")
    proof = tmp_path / "yes.cert.jsonl"
    given = ("judge", QUERY, "--network", f"any={NET}", "--result", result)
    yes = run(*given, "--certificate", proof)
    assert yes.code == 0
    assert yes.out.startswith("counterexample: yes, all constraints hold, the least by 0: line 8\n")
    assert run("check", proof).code == 0
    answer = json.loads(run(*given, "--json").out)
    assert (answer["verdict"], answer["margin"], answer["largest_error"]) == ("yes", "0", None)
    assert [one["margin"] for one in answer["constraints"]] == ["9/8", "7/8", "7/8", "9/8", "0"]
    assert answer["values"] == {"Y_0": "1"}


def test_judge_lists_what_fails_and_notes_what_is_vacuous(run, tmp_path: Path) -> None:
    query, result = tmp_path / "query.vnnlib", tmp_path / "result.txt"
    head = "(declare-const X_0 Real)(declare-const X_1 Real)(declare-const Y_0 Real)\n"
    query.write_text(f"{head}(assert (< X_0 0))\n(assert (> X_0 1))\n(assert (< Y_0 -9))")
    result.write_text("sat\nX real [2]\n1/3\n1\n")
    found = run("judge", query, "--network", NET, "--result", result)
    assert found.code == 1
    assert found.out.splitlines()[1:5] == [
        "  line 2: (< X_0 0) fails by 1/3",
        "  line 3: (> X_0 1) fails by 2/3",
        "  line 4: (< Y_0 -9) fails by 22/3",
        "  note: no input satisfies the constraints on inputs",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([QUERY, "--network", NET, "--result", NET], "expected sat and a counterexample"),
        ([QUERY, "--network", NET, "--result", "none.txt"], "none.txt: no such file"),
        (["none.vnnlib", "--network", NET, "--result", RESULT], "none.vnnlib: no such file"),
        ([NET, "--network", NET, "--result", RESULT], "network.json: line 1: found '{"),
        ([QUERY, "--network", "N=none.json", "--result", RESULT], "none.json: no such file"),
        (
            [QUERY, "--network", "example:spike", "--result", RESULT],
            "X Real [2]: declared 2 inputs",
        ),
        ([QUERY, "--network", "a=x", "--network", "b=y", "--result", RESULT], "not declared"),
        ([XOR / "float32.vnnlib", "--network", NET, "--result", RESULT], "exactrelu real-query"),
        ([QUERY, "--result", RESULT], "--network"),
    ],
)
def test_bad_input_is_one_line(run, arguments: list[object], message: str) -> None:
    found = run("judge", *arguments)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert message in found.err


def test_networks_are_named_once() -> None:
    assert given_networks(["f=a=b.onnx", "C:/x.onnx"]) == {"f": "a=b.onnx", "": "C:/x.onnx"}
    for twice in (["f=a", "f=b"], ["./a", "./b"]):
        with pytest.raises(InputError, match="expected NAME=FILE once for each network"):
            given_networks(twice)


def test_real_query_writes_the_same_bytes_but_types(run, tmp_path: Path) -> None:
    source, target = tmp_path / "query.vnnlib", tmp_path / "real.vnnlib"
    content = (XOR / "float32.vnnlib").read_bytes().replace(
        b"\n", b"\r\n"
    ) + b"; caf\xc3\xa9 float32"
    source.write_bytes(content)
    found = run("real-query", source, "-o", target)
    assert (found.code, found.err) == (0, "")
    assert found.out == f"{source}: 2 types rewritten as real; written to {target}\n"
    assert target.read_bytes() == content.replace(b" float32 [", b" real [")
    again = json.loads(run("real-query", target, "-o", target, "--json").out)
    assert (again["n_types"], again["sha256"]) == (0, again["query_sha256"])
    assert "all types are real" in again["reason"]


def test_real_query_to_stdout(tmp_path: Path) -> None:
    def ran(path: Path) -> subprocess.CompletedProcess[bytes]:
        program = [sys.executable, "-m", "exactrelu", "real-query", str(path)]
        return subprocess.run(program, capture_output=True, check=True)

    found = ran(XOR / "float32.vnnlib")
    expected = (XOR / "float32.vnnlib").read_bytes().replace(b" float32 [", b" real [")
    assert found.stdout == expected
    assert found.stderr.endswith(b"float32.vnnlib: 2 types rewritten as real\n")
    first = ran(QUERY)
    assert first.stdout == QUERY.read_bytes()
    assert b"nothing to rewrite: VNN-LIB 1.0 is about real numbers" in first.stderr


def test_real_query_refuses_what_is_no_query(run, tmp_path: Path) -> None:
    path = tmp_path / "query.vnnlib"
    for content, message in [
        (b"(declare-network f\n(declare-input X int8 [1])", "line 2: found the type 'int8'"),
        (b"\xff", "byte 0: found 0xff, expected UTF-8"),
        (b"; nothing", "found no query"),
    ]:
        path.write_bytes(content)
        found = run("real-query", path)
        assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
        assert message in found.err


def test_the_first_line_is_the_word_of_the_standard(run, tmp_path: Path) -> None:
    proof = tmp_path / "sat.cert.jsonl"
    sat = run("verify", QUERY, "--network", NET, "--certificate", proof)
    assert sat.code == 1
    assert sat.out == "sat\n((X_0 0.0)\n (X_1 0.0)\n (Y_0 1.0))\n"
    assert sat.err.splitlines()[-1] == f"certificate: {proof}"
    # What is printed is a result that ``judge`` reads.
    result = tmp_path / "result.txt"
    result.write_text(sat.out)
    assert run("judge", QUERY, "--network", NET, "--result", result).code == 0
    above = tmp_path / "above.vnnlib"
    above.write_text(QUERY.read_text().replace("(>= Y_0 1)", "(> Y_0 1)"))
    unsat = run("verify", above, "--network", f"any={NET}", "--certificate", proof)
    assert (unsat.code, unsat.out) == (0, "unsat\n")
    assert run("check", proof, "--expect", "property").code == 0
    late = run("verify", above, "--network", NET, "--timeout", "1e-9")
    assert (late.code, late.out) == (3, "timed-out\n")


def test_a_tree_of_another_verifier_is_a_start(run, tmp_path: Path) -> None:
    above, proof = tmp_path / "above.vnnlib", tmp_path / "unsat.cert.jsonl"
    above.write_text(QUERY.read_text().replace("(>= Y_0 1)", "(> Y_0 1)"))
    found = run("verify", above, "--network", NET, "--tree", TREE, "--certificate", proof)
    assert (found.code, found.out) == (0, "unsat\n")
    assert "3 parts from trees, 0 cut further, 0 that no leaf has" in found.err
    assert "by splits" in run("check", proof).out
    sat = run("verify", QUERY, "--network", NET, "--tree", TREE)
    assert (sat.code, sat.out.split("\n")[0]) == (1, "sat")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tree", "none.aptp"], "none.aptp: no such file"),
        (["--tree", QUERY], "query.vnnlib: found no signs of neurons, expected one (assert (or"),
        (["--tree", TREE, "--tree", TREE], "the query has another tree for these outputs already"),
        (["--tree", TREE, "--shards", "pieces"], "--tree"),
    ],
)
def test_a_tree_that_cannot_be_used_has_one_line(run, arguments, message: str) -> None:
    found = run("verify", QUERY, "--network", NET, *arguments)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert message in found.err


@pytest.mark.parametrize("report", [True, False])
@pytest.mark.parametrize(
    ("why", "word"),
    [("stopped after 5 s", "timed-out"), ("stopped at 1.0 MB of memory", "unknown")],
)
def test_the_word_is_there_whoever_ends_the_work(
    monkeypatch: pytest.MonkeyPatch, capsys, report: bool, why: str, word: str
) -> None:
    """Also if the process is ended from outside, with or without a report of what it knew."""
    from exactrelu.cli import main as program

    notes = (f"{STOPPED}: floats find no point in 30 % of the box",)
    known = Outcome("unknown", notes[0], {"share": 0.3}, None, "undecided", 3, notes=notes)

    def ended(*_: object) -> None:
        raise Ended(why, known if report else None)

    monkeypatch.setattr(program, "forked", ended)
    given = ["exactrelu", "verify", str(QUERY), "--network", str(NET)]
    for more in ([], ["--json"]):
        monkeypatch.setattr(sys, "argv", [*given, *more])
        assert program.main() == 3
        out, err = capsys.readouterr()
        if more:
            answer = json.loads(out)
            assert (answer["result"], answer["verdict"]) == (word, "undecided")
            assert answer["share"] == (0.3 if report else None)
        else:
            assert out == f"{word}\n"
        assert err == (
            f"{why}: floats find no point in 30 % of the box\n" if report else f"{why}\n"
        )


def test_numbers_without_a_finite_decimal_are_on_stderr(run, tmp_path: Path) -> None:
    query = tmp_path / "third.vnnlib"
    text = QUERY.read_text().replace("(>= Y_0 1)", "(== X_0 (/ 1 3))")
    query.write_text(text)
    found = run("verify", query, "--network", NET)
    assert found.out.startswith("sat\n((X_0 0.3333333333333333333333333)\n")
    assert "X_0 = 1/3\n" in found.err
    assert (
        json.loads(run("verify", query, "--network", NET, "--json").out)["assignment"]["X_0"]
        == "1/3"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", QUERY], "--network"),
        (["verify", "none.vnnlib", "--network", NET], "none.vnnlib: no such file"),
        (["verify", QUERY, "--network", "none.onnx"], "none.onnx"),
        (["verify", XOR / "float32.vnnlib", "--network", NET], "real-query"),
        (["verify", NET, "--network", NET], "network.json: line 1"),
        (["holds", NET], "CONSTRAINT"),
        (["holds", NET, "y2 > 0"], "'y2 > 0': found y2, expected an output from y1 to y1"),
        (["holds", NET, "y1"], "'y1': found no comparison"),
        (["holds", NET, "1 <= 2", "y1 >= y1"], "say nothing about inputs or outputs"),
        (["holds", NET, "y1 > 0", "--domain", "box:1..0"], "the domain is empty"),
    ],
)
def test_what_is_no_query_has_one_line(run, arguments, message: str) -> None:
    found = run(*arguments)
    assert found.code == 2
    assert message in found.err
    assert "Traceback" not in found.err


def test_holds_yes_and_no(run, tmp_path: Path) -> None:
    proof = tmp_path / "yes.cert.jsonl"
    yes = run("holds", NET, "y1 <= 1", "--domain", "box:-1..1", "--certificate", proof)
    assert yes.code == 0
    assert yes.out.startswith("holds on box:-1..1: yes, the constraints hold")
    assert run("check", proof, "--domain", "box:-1..1", "--network", NET).code == 0
    no = json.loads(run("holds", NET, "y1 < 1", "--domain", "box:-1..1", "--json").out)
    assert (no["verdict"], no["output"]) == ("no", ["1"])


ONE = """(vnnlib-version <2.0>)
(declare-network f (declare-input X real [1]) (declare-output Y real [1]))"""


def second(word: str) -> str:
    """Another network, perhaps one that has to do with the first."""
    link = f"({word} f)" if word else ""
    return f"(declare-network g {link} (declare-input V real [1]) (declare-output W real [1]))"


def told(run, capability: str) -> list[str]:
    found = run("supports", f"--{capability}")
    assert (found.code, found.err) == (0, "")
    return found.out.splitlines()


def test_supports_tells_one_capability_or_all(run) -> None:
    from exactrelu.network.formats.onnx_operators import KNOWN

    assert told(run, "vnnlib-versions") == ["1.0", "2.0"]
    assert told(run, "onnx-element-types") == ["real"]
    assert set(told(run, "onnx-operators")) == KNOWN
    assert told(run, "onnx-operators-unsat-proofs") == told(run, "onnx-operators")
    for name in ("serialise-assignments", "unsat-proofs"):
        # An option that is not there.
        assert told(run, name) == ["false"]
        assert run("verify", QUERY, "--network", NET, f"--{name}", "x").code == 2
    everything = run("supports").out.splitlines()
    assert [line.partition(":")[0] for line in everything] == list(CAPABILITIES)
    answer = json.loads(run("supports", "--json").out)["capabilities"]
    assert answer["hidden-node-theories"] == ["NH", "H"]
    assert len(answer) == len(everything) == 13
    assert [f"{name}: {' '.join(values)}" for name, values in answer.items()] == everything


@pytest.mark.parametrize(
    ("theory", "text", "files"),
    [
        ("BND", "(assert (<= X[0] 0.0))(assert (> Y[0] 1.0))", "f"),
        ("OUTC", "(assert (> Y[0] X[0]))", "f"),
        ("LIN", "(assert (> (- (* 2.0 Y[0]) X[0]) Y[0]))", "f"),
        ("POLY", "(assert (> (* X[0] Y[0]) 1.0))", ""),
        ("MNC", "(assert (> Y[0] X[0]))", "f"),
        ("MENET", f"{second('equal-to')}(assert (== X[0] V[0]))(assert (> Y[0] W[0]))", "f"),
        ("MINET", f"{second('isomorphic-to')}(assert (< Y[0] X[0]))(assert (> W[0] V[0]))", "fg"),
        ("MNET", f"{second('')}(assert (< Y[0] X[0]))(assert (> W[0] V[0]))", "fg"),
    ],
)
def test_theories_are_supported_as_is_told(
    run, tmp_path: Path, theory: str, text: str, files: str
) -> None:
    query, line = tmp_path / "query.vnnlib", tmp_path / "line.json"
    query.write_text(ONE + text)
    line.write_text(
        '{"format": "exactrelu-network/1", "layers": [{"weights": [["1"]], "bias": ["0"]}]}'
    )
    theories = json.loads(run("supports", "--json").out)["capabilities"]
    assert any(theory in values for values in theories.values()) is bool(files)
    networks = [word for name in files or "f" for word in ("--network", f"{name}={line}")]
    found = run("verify", query, *networks)
    assert (found.code, found.out) == ((0, "unsat\n") if files else (2, ""))


def test_a_radius_that_is_not_attained(run, tmp_path: Path) -> None:
    """y2 comes up to y1 nearest to (3, 0) at (1, 1), and the domain is x2 < 1."""
    net, below = tmp_path / "plane.json", tmp_path / "below.json"
    er.save(er.Network.from_arrays([[[1, 0], [0, 1]]], [[0, 0]]), net)
    row = {"normal": [0, -1], "offset": 1, "strict": True}
    below.write_text(json.dumps({"format": "exactrelu-polyhedron/1", "inequalities": [row]}))
    given = ("robust", net, "--at", "3,0", "--domain", below)
    proof = tmp_path / "radius.cert.jsonl"
    answer = json.loads(run(*given, "--certificate", proof, "--json").out)
    assert (answer["lower"], answer["upper"], answer["is_attained"]) == ("2", "2", False)
    assert answer["certified"] == ["lower", "witness"]
    assert run("check", proof).code == 0
    assert "points come near to and none has" in run(*given).out


# --- What the normalisation of an NNet file makes of a query

ACASXU = "cases/acasxu-1-1/network"


@pytest.fixture
def near_zero(tmp_path: Path) -> Path:
    """|X_i| ≤ 0.001 for all inputs, and Y_0 ≤ 0."""
    text = "".join(f"(declare-const {v}_{i} Real)" for v in "XY" for i in range(5))
    for i in range(5):
        text += f"(assert (<= X_{i} 0.001))(assert (>= X_{i} -0.001))"
    (tmp_path / "q.vnnlib").write_text(text + "(assert (<= Y_0 0))")
    return tmp_path / "q.vnnlib"


def test_a_note_says_that_a_normalisation_is_folded_in(run, near_zero: Path) -> None:
    def asked(suffix: str, *options: str) -> tuple[str, bool, bool]:
        call = ("verify", near_zero, "--network", f"{ACASXU}.{suffix}", *options)
        flags = json.loads(run(*call, "--json").out)["flags"]
        shown = run(*call)
        said = "the normalisation of the NNet file is folded in"
        return shown.out.split()[0], said in shown.err, any(said in flag for flag in flags)

    assert asked("onnx") == ("sat", False, False)
    assert asked("nnet") == ("unsat", True, True)
    assert asked("nnet", "--no-normalize") == ("sat", False, False)


def test_a_counterexample_is_judged_with_the_network_that_is_meant(
    run, tmp_path, near_zero
) -> None:
    result = tmp_path / "r.txt"
    result.write_text("sat\n(" + "".join(f"(X_{i} 0)" for i in range(5)) + ")")
    call = ("judge", near_zero, "--result", result, "--json", "--network")
    stored = json.loads(run(*call, f"{ACASXU}.nnet", "--no-normalize").out)
    scaled = json.loads(run(*call, f"{ACASXU}.nnet").out)
    of_onnx = json.loads(run(*call, f"{ACASXU}.onnx").out)
    assert stored["verdict"] == of_onnx["verdict"]
    assert [float(Fraction(stored["values"][v])) for v in of_onnx["values"]] == pytest.approx(
        [float(Fraction(y)) for y in of_onnx["values"].values()], rel=1e-4
    )
    assert stored["values"] != scaled["values"]
    assert any("NNet" in flag for flag in scaled["flags"])
    assert not any("NNet" in flag for flag in stored["flags"])


@pytest.mark.parametrize(
    "call", ["holds NET 'y1 <= 1e9' --domain box:0..1", "robust NET --at 0,0,0,0,0 --timeout 9"]
)
def test_constraints_on_an_nnet_file_have_the_note(run, tmp_path: Path, call: str) -> None:
    lines = ("1,5,1,5,", "5,1,", "0,", "0,0,0,0,0,", "1,1,1,1,1,", "1,1,1,1,1,4,", "2,2,2,2,2,3,")
    text = "\n".join((*lines, "1,0,0,0,0,", "1,", ""))
    (tmp_path / "n.nnet").write_text(text)
    words = [str(tmp_path / "n.nnet") if w == "NET" else w for w in shlex.split(call)]
    found = run(*words)
    assert "note: " in found.err
    assert "normalisation of the NNet file is folded in" in found.err
    assert "note" not in run(*words, "--no-normalize").err
    assert run(*words, "--no-normalize").out != found.out or call.startswith("holds")


def test_every_command_that_reads_a_network_reads_the_layers_alone(run, tmp_path: Path) -> None:
    raw = tmp_path / "raw.json"
    assert run("convert", f"{ACASXU}.nnet", raw, "--no-normalize").code == 0
    stored = load(raw)
    assert stored == er.load(f"{ACASXU}.nnet", normalize=False)
    assert stored != load(f"{ACASXU}.nnet")
    at = ("--at", "0,0,0,0,0", "--json")
    value = json.loads(run("eval", f"{ACASXU}.nnet", *at, "--no-normalize").out)["output"]
    assert value == [str(y) for y in stored([0] * 5)]
    assert run("isomorphic", raw, f"{ACASXU}.nnet", "--no-normalize").code == 0
    refused = run("eval", "example:xor", "--at", "1,1", "--no-normalize")
    line = "exactrelu eval: error: --no-normalize: no network is a .nnet file\n"
    assert (refused.code, refused.err) == (2, line)
    with pytest.raises(InputError, match=r"normalize: for \.nnet files only"):
        er.load("example:xor", normalize=False)
    reading = {c.name for c in COMMANDS if any(a.name == "--no-normalize" for a in c.arguments)}
    # Those with a network that only the checker reads, or a manifest names, have none.
    assert {c.name for c in COMMANDS} - reading == {
        *("real-query", "supports", "convolution", "injective-table", "build", "rank", "nnrank"),
        *("sigma", "spark", "polyhedron", "cone", "arrangement", "lemmas", "refute"),
        *("conjecture", "check", "pin"),
    }
