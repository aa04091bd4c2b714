"""What is written while an answer is undecided or no: nothing, or what is provably what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from exactrelu_checker.main import main as check

import exactrelu as er
from exactrelu.cli.main import COMMANDS

CASES = Path(__file__).parents[2] / "cases"
MATRIX = CASES / "three-layers/S002-P10-nonneg-column-rank" / "full_col.matrix.json"
LAYER = CASES / "injective-layers/convolution-width-3" / "valid.json"
#: Seconds of a clock that goes on by a millisecond at each look.
TIMES = ("0.001", "0.004", "0.016", "0.064", "0.25", "1", "1000")

#: Calls that write a file of their own; the last ones may have the answer no.
CALLS = {
    "build injective": "build injective 2,6 --seed 1 -o {out}.json",
    "build --complete": f"build injective 2,5 --complete {MATRIX} -o {{out}}.json",
    "build identifiable": "build identifiable 2,3,3,1 -o {out}.json",
    "build non-localizable": "build non-localizable 2,2,2,2,1 -o {out}.json",
    "canonical": "canonical example:moons -o {out}.json",
    "convert": "convert example:moons {out}.npz",
    "convolution": f"convolution {LAYER} -o {{out}}.json",
    "folds": "folds example:transparent --domain box:-1..1 --graph {out}.json",
    "generic": "generic example:moons --perturb {out}.json",
    "info": "info example:moons --dot {out}.dot",
    "plot": "plot example:xor --domain box:-1..1 -o {out}.svg",
    "recover": "recover example:xor -o {out}.json",
    "identifiable": "identifiable example:moons --second {out}.json",
}
#: What a command prints while it is undecided is what it writes, too.
SO_FAR = {"simplify", "report", "certify"}
#: Folders, whose files are written one by one, each an answer; and what is no answer to a question.
OTHERS = {"lemmas", "refute", "conjecture", "pin", "real-query", "local"}


def test_every_command_that_writes_is_here() -> None:
    """Beside certificates, which have a test of their own."""
    written = {
        command.name
        for command in COMMANDS
        for argument in command.arguments
        if argument.is_written and argument.name not in ("--certificate", "--certificates")
    }
    assert written <= {call.split()[0] for call in CALLS.values()} | SO_FAR | OTHERS


@pytest.mark.usefixtures("steady_clock")
@pytest.mark.parametrize("name", CALLS)
def test_nothing_is_written_that_is_not_the_answer(run, tmp_path: Path, name: str) -> None:
    codes = set()
    for timeout in TIMES:
        out = tmp_path / f"out{timeout}"
        result = run(*CALLS[name].format(out=out).split(), "--timeout", timeout)
        codes.add(result.code)
        (path,) = (
            word for word in CALLS[name].format(out=out).split() if word.startswith(str(out))
        )
        if result.code == 3:
            assert not Path(path).exists()
            assert f"nothing is written to {path}: the question is undecided\n" in result.err
        else:
            is_said = f"nothing is written to {path}: there is none for this answer" in result.err
            assert Path(path).exists() is not is_said
    assert codes & {0, 1}


#: Calls that fill a folder, and where there is nothing to put there.
FOLDERS = {
    "refute S003-lemma-1 -o {out}": "refute S000-lemma-1 --seconds 0.1 -o {out}",
    "conjecture {false} -o {out}": "conjecture {true} --seconds 0.1 -o {out}",
    "lemmas S003-lemma-1 -o {out}": "lemmas S000-lemma-1 -o {out}",
    "lemmas S000-lemma-1 --search 0.1 -o {out}": "",
    # A summary says what was not asked, a journal which pieces are left.
    "certify example:xor -o {out} --timeout 1": "",
    "regions example:xor --shards {out}": "",
    "identifiable --share 1,2,1 --count 2 --certificates {out}": (
        "identifiable --share 1,2,1 --count 2 --certificates {out} --timeout 1e-9"
    ),
    "build identifiable 2,3,3,1 -o {out}.json --certificates {out}": (
        "build identifiable 2,3,3,1 -o {out}.json --certificates {out} --timeout 1e-9"
    ),
}


def test_every_command_that_fills_a_folder_is_here() -> None:
    filling = {
        (command.name, argument.names[0])
        for command in COMMANDS
        for argument in command.arguments
        if argument.is_filled
    }
    called = {(call.split()[0], word) for call in FOLDERS for word in call.split()}
    # Pieces are asked and written in one way, whatever the question.
    assert {pair for pair in filling if pair[1] != "--shards"} <= called


@pytest.mark.parametrize("call", FOLDERS)
def test_a_folder_that_is_as_it_was_is_said(run, tmp_path: Path, call: str) -> None:
    programs = {}
    for name in ("true", "false"):
        programs[name] = tmp_path / f"{name}.py"
        body = f"return {name.capitalize()}"
        programs[name].write_text(
            f"def hypotheses(N):\n    return True\n\n\ndef conclusion(N):\n    {body}\n"
        )
    new, old = tmp_path / "new", tmp_path / "old"
    old.mkdir()
    (old / "mine").write_text("kept")
    for out in (new, old):
        if FOLDERS[call]:
            result = run(*FOLDERS[call].format(out=out, **programs).split())
            assert result.code in (0, 3)
            why = "the question is undecided" if result.code else "there is none for this answer"
            assert f"nothing is written to {out}: {why}\n" in result.err
            assert [path.name for path in out.glob("*")] == (["mine"] if out is old else [])
    # Written, and written again.
    for out in (new, new) if "--shards" not in call else (new,):
        result = run(*call.format(out=out, **programs).split())
        assert result.code in ((0, 3) if "--timeout" in call else (0,))
        assert "nothing is written" not in result.err
        assert any(out.iterdir())
    assert [path.name for path in old.iterdir()] == ["mine"]


def test_pieces_that_are_there_are_not_written_again(run, tmp_path: Path) -> None:
    call = ("regions", "example:xor", "--shards", tmp_path / "new")
    assert run(*call).code == 0
    again = run(*call, "--resume")
    assert again.code == 0
    assert "nothing is written" not in again.err


def test_a_case_that_is_not_written_is_null(run, tmp_path: Path) -> None:
    out = tmp_path / "case"
    for lemma, more, case in (
        ("S003-lemma-1", ("-o", out), str(out)),
        ("S003-lemma-1", (), None),
        ("S000-lemma-1", ("-o", out, "--seconds", "0.1"), None),
    ):
        assert json.loads(run("refute", lemma, *more, "--json").out).get("case") == case


@pytest.mark.usefixtures("steady_clock")
def test_a_network_that_is_simplified_so_far_has_the_same_function(run, tmp_path: Path) -> None:
    network = er.load("example:moons")
    codes = set()
    for timeout in TIMES:
        out = tmp_path / f"{timeout}.json"
        result = run(
            *("simplify", "example:moons", "--domain", "box:0..1", "-o", out), "--timeout", timeout
        )
        codes.add(result.code)
        assert (result.code == 3) is ("so far, with the same function on box:0..1" in result.out)
        small = er.load(out)
        assert er.is_equivalent(network, small, "box:0..1").answer
    assert codes == {0, 3}


@pytest.mark.usefixtures("steady_clock")
@pytest.mark.parametrize(
    "call",
    [
        "regions example:moons --domain box:0..1",
        "complex example:moons --domain box:0..1",
        "difference example:spike example:zero --domain box:-1..1",
        "equivalent example:moons example:moons",
        "robust example:moons --at 1/3,1/7",
        "stability example:moons",
        "roles example:moons --domain box:0..1",
        "folds example:transparent --domain box:-1..1",
        "fiber example:xor",
        "injective example:moons",
        "simplify example:moons --domain box:0..1 -o {out}.json",
        f"spark {MATRIX}",
        f"sigma {MATRIX}",
        f"nnrank {MATRIX}",
    ],
)
def test_a_certificate_of_what_is_undecided_is_accepted(
    run, capsys: pytest.CaptureFixture[str], tmp_path: Path, call: str
) -> None:
    """It proves what is known, and says so; else there is none, and that is said."""
    for timeout in TIMES:
        out = tmp_path / f"out{timeout}"
        path = Path(f"{out}.cert.jsonl")
        words = call.format(out=out).split()
        result = run(*words, "--certificate", path, "--timeout", timeout)
        assert result.code in (0, 1, 3)
        assert path.exists() is not ("no certificate is written: " in result.err)
        if path.exists():
            assert check([str(path)]) == 0
            assert capsys.readouterr().out.startswith("ACCEPTED ")
