"""Calls with odd values: one clear line, or an answer that is proved, about what was asked.

The search is :mod:`tests.cli.odd`, what has to hold of every call :mod:`tests.cli.oracle`.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from exactrelu.cli.command import EVERYWHERE
from exactrelu.cli.given import CommandArgument
from exactrelu.cli.main import COMMANDS
from exactrelu.work import crew, worker
from tests.budget import tries
from tests.cli.odd import MEANT, SECONDS, calls, copied, examples, make_subjects, with_value
from tests.cli.oracle import Ran, faults, ran
from tests.seeds import SEED, seeds
from tests.small_work import ALONE

#: Calls every day, and in each part of the sweep: 10,000 in all.
DAILY, SWEEP, PARTS = 30, 500, 20
#: A part of the sweep ends after so many seconds on the clock, whatever is left of it: before
#: pytest shows where a test is that takes two minutes.
MOST = 100


@pytest.fixture(autouse=True)
def _small_work_is_shared_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the program: small work is not worth other processes, however many are asked for."""
    monkeypatch.setattr(crew, "ALONE", ALONE)


@pytest.fixture(scope="module")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What calls are about; no call may change it."""
    folder = tmp_path_factory.mktemp("odd") / "subjects"
    folder.mkdir()
    make_subjects(folder)
    return folder


def search(
    name: str, n: int, subjects: Path, folder: Path, seconds: float | None = None
) -> list[tuple[list[str], list[str]]]:
    """What is wrong with n calls, in words, by the call."""
    rng = random.Random(f"{SEED} odd calls {name}")
    shutil.copytree(subjects, folder / "subjects")
    before = marks(folder / "subjects")
    found = []
    for _, call in zip(
        tries(n, seconds, "odd calls"), calls(rng, folder / "subjects"), strict=False
    ):
        wrong = list(judged(call, folder / "work", rng))
        after = marks(folder / "subjects")
        if changed := dict(before.items() ^ after.items()):
            # A certificate and a network may be written over files that this call does not read.
            before = after
            if not any(path.name in word for path in changed for word in call):
                wrong.append(f"{', '.join(map(str, changed))}: changed")
        if wrong:
            found.append((call, wrong))
    return found


def marks(folder: Path) -> dict[Path, tuple[int, int]]:
    """What tells files from others that were written in their place."""
    found = {path: path.stat() for path in folder.rglob("*") if path.is_file()}
    return {path: (status.st_ino, status.st_mtime_ns) for path, status in found.items()}


def judged(call: list[str], folder: Path, rng: random.Random) -> list[str]:
    """The faults of one call, and where it differs in JSON and from itself."""
    first = ran(call, folder)
    wrong = list(faults(first, folder))
    is_answer = first.code in (0, 1, 3)
    #: Who is ended from outside is ended somewhere else the next time.
    is_bounded = any(w.startswith(("--timeout=", "--seconds", "--max-memory")) for w in call)
    if is_answer and "--json" not in call and rng.random() < 0.5:
        told = ran([*call, "--json"], folder)
        wrong += [f"--json: {fault}" for fault in faults(told, folder)]
        is_refused = told.code == 2 and "--json" in told.err
        if told.code != first.code and not is_bounded and not is_refused:
            wrong.append(f"exit code {told.code} with --json, {first.code} without it")
    if is_answer and not is_bounded and rng.random() < 0.2:
        again = ran(call, folder)
        if again != Ran(**{**vars(first), "cpu": again.cpu}):
            wrong.append("not the same twice")
    return wrong


def test_odd_calls(subjects: Path, tmp_path: Path) -> None:
    assert search("every day", DAILY, subjects, tmp_path) == []


@pytest.mark.sweep
@pytest.mark.parametrize("part", seeds(PARTS))
def test_many_odd_calls(subjects: Path, tmp_path: Path, part: int) -> None:
    assert search(f"sweep {part}", SWEEP, subjects, tmp_path, MOST) == []


def test_a_fault_is_noticed(tmp_path: Path) -> None:
    """Each of these would be one."""
    good = Ran(("eval", "--json"), 0, '{"verdict": null}', "", 0.1, {})
    assert list(faults(good, tmp_path)) == []
    for words, changed in (
        ("exit code 70", {"code": 70}),
        ("exit code None", {"code": None}),
        ("a traceback", {"err": "Traceback (most recent call last):"}),
        ("bad input is not one line", {"code": 2, "out": "", "err": "one\ntwo\n"}),
        ("bad input is not one line", {"code": 2, "out": "", "err": ""}),
        ("bad input prints an answer", {"code": 2, "err": "exactrelu eval: error: no\n"}),
        ("bad input writes x", {"code": 2, "out": "", "err": "exactrelu: error: no\n"}),
        ("no JSON: NaN", {"out": '{"value": NaN}'}),
        ("no JSON: a key twice", {"out": '{"value": 1, "value": 2}'}),
        ("verdict no with exit code 0", {"out": '{"verdict": "no"}'}),
        ("9.0 s of 3 s", {"call": ("eval", "--timeout=3"), "cpu": 9.0}),
        ("no certificate, and no word of it", {"call": ("eval", "--certificate=c")}),
        ("a temporary file is left", {"files": {".c.tmp": b""}}),
    ):
        files = {"x": b""} if words.endswith("writes x") else {}
        bad = Ran(**{**vars(good), "files": files, **changed})
        assert words in list(faults(bad, tmp_path))


def test_the_program_does_the_same(subjects: Path, tmp_path: Path) -> None:
    """In a process of its own, without any module of the tests."""
    rng = random.Random(f"{SEED} programs")
    for call in islice(calls(rng, subjects), 3):
        here = ran(call, tmp_path / "here")
        (tmp_path / "there").mkdir()
        program = [sys.executable, "-m", "exactrelu", *call]
        there = subprocess.run(program, cwd=tmp_path / "there", capture_output=True, check=False)
        assert there.returncode == here.code, call
        assert there.stdout == here.out.encode("utf-8", "surrogateescape"), call
        assert there.stderr == here.err.encode("utf-8", "surrogateescape"), call
        shutil.rmtree(tmp_path / "there")


#: Questions that ask others, whose answers so far are no answers to the first.
ASKING_OTHERS = (
    "fiber {flips}/theta.json --member {flips}/A23_t5.json",
    "fiber {flips}/theta.json --component 2 --certificate proof.cert.jsonl",
    "lemmas S003-lemma-1 --report page.html",
    "theorem-class {ties}/ok.json --domain box:-1,1 --other {ties}/ok.json",
)


def at_any_moment(monkeypatch: pytest.MonkeyPatch, call: list[str], folder: Path) -> None:
    """What is known is told at every look at the clock, and changes nothing."""
    plain = ran(call, folder)
    with monkeypatch.context() as patched:
        patched.setattr(worker, "INTERVAL", 0.0)
        patched.setattr(worker, "REPORT_SHARE", 1e12)
        told = ran(call, folder)
    assert list(faults(told, folder)) == []
    assert told == Ran(**{**vars(plain), "cpu": told.cpu})


@pytest.mark.parametrize("line", ASKING_OTHERS)
@pytest.mark.parametrize("more", [(), ("--json",)], ids=["text", "json"])
def test_what_is_known_is_told_at_any_moment(
    monkeypatch, subjects: Path, tmp_path: Path, line: str, more: tuple[str, ...]
) -> None:
    call = [copied(word, subjects) for word in line.split()]
    at_any_moment(monkeypatch, [*call, *more], tmp_path / "work")


@pytest.mark.sweep
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_tells_what_is_known_at_any_moment(
    monkeypatch, command, subjects: Path, tmp_path: Path
) -> None:
    for example in examples(subjects)[command.name]:
        if "0.001" not in example:
            at_any_moment(monkeypatch, [*example, "--json"], tmp_path / "work")


@pytest.mark.parametrize(
    "bound", ["--timeout=1e-9", pytest.param("--max-memory=1", marks=pytest.mark.sweep)]
)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_least_bound_is_kept(command, bound: str, subjects: Path, tmp_path: Path) -> None:
    """Nothing is known by then, and that is said."""
    for example in examples(subjects)[command.name][:1]:
        found = ran([*example, bound, "--json"], tmp_path / "work")
        assert list(faults(found, tmp_path / "work")) == []


#: Options that may leave every byte as it is: bounds that are not met, and who does the work.
SILENT = {a.name for a in EVERYWHERE} | {"--jobs", "--cluster", "--seconds-each", "--seconds"}
#: What else may, and why.
SAME = {
    "info --sha256": "a small network is hashed in any case",
    "plot --colour": "no two regions of the examples have one map",
    "refute --seed": "the kept counterexample is the first in any case",
    "conjecture --seed": "the smallest instance is one in any case",
    "check --no-theorems": "no proof quotes one",
    "sigma --bound": "without a certificate both bounds are told",
    "simplify --by-lp": "there is nothing more to remove in the example",
    "simplify --keep-weights": "there is nothing to merge in the example",
    "supports --vnnlib-versions": "the example has it already",
}


def meant(argument: CommandArgument) -> list[str | None]:
    """Values that a reader could mean."""
    options = argument.options
    if options.get("action") == "store_true":
        return [None]
    by_name = MEANT.get(argument.name, MEANT.get(options.get("metavar", ""), ()))
    return list(options.get("choices", by_name))[:4] or ["1", "1,1", "7"]


@pytest.mark.sweep
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_no_option_is_always_left_out(command, subjects: Path, tmp_path: Path) -> None:
    """Each changes a byte of what is printed or written, in some example, or is refused there."""
    options = {a.name: a for a in command.arguments if a.name.startswith("-")}
    unheard = {name for name in options if name not in SILENT and not name.startswith("--max-")}
    for example in examples(subjects)[command.name]:
        call = [*example, "--timeout", SECONDS]
        plain = ran(call, tmp_path / "work")
        if command.name == "pin":
            # What it pins is beside the manifest, and a new folder is empty.
            assert "the folder of the manifest" in plain.err
            return
        for name in sorted(unheard):
            for value in meant(options[name]):
                given = None if value is None else copied(value, subjects)
                if name == "--certificate" and "proof" not in str(given):
                    continue
                found = ran(with_value(call, options[name], given), tmp_path / "work")
                if Ran(**{**vars(found), "call": plain.call, "cpu": plain.cpu}) != plain:
                    unheard.discard(name)
                    break
    assert {f"{command.name} {name}" for name in unheard} <= SAME.keys()
