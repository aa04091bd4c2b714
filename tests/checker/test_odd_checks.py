"""Calls of the checker with odd values, two options at a time, as ``tests.cli.test_odd_calls``.

Which options there are its parser says, so that a new one takes part. Whatever was asked: an exit
code of the list, which is that of the lines; a line for each file; bad input in one line; and
nothing is written over what is read.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from bundles import cases
from exactrelu_checker.main import _EXIT
from exactrelu_checker.options import parser
from exactrelu_checker.program import run
from jobs import made

from tests.budget import tries
from tests.cli.odd import DOMAINS, ODD
from tests.cli.oracle import Ran, ran
from tests.seeds import SEED, seeds

DAILY, SWEEP, PARTS, MOST = 60, 500, 4, 120
#: What the checker keeps of a call where it has no verdict, by design: memory that was too small.
NO_MEMORY = "no verdict: MemoryError"
LINE = re.compile(rf"({'|'.join(_EXIT)}) .*|::error file=.*::.*")
#: What options could mean; ``{tmp}`` is the folder of the subjects.
MEANT = {
    "files": ("{tmp}/good.cert", "{tmp}/bad.cert", "{tmp}/cut.cert.gz", "{tmp}/shards", "{tmp}"),
    "manifest": ("{tmp}/job/certificates.toml", "{tmp}/wrong/certificates.toml"),
    "network": ("{tmp}/job/models/relu.json", "{tmp}/job/models/line.json", "{tmp}/deep.json"),
    "domain": (*DOMAINS, "{tmp}/job/models/cut.json"),
    "expect": ("regions", "not regions", "within", "equal"),
    "ledger": ("ledger", "{tmp}/ledger", "{tmp}/good.cert", "/dev/null"),
    "trust": ("equal", "regions:cells", "regions:nope", "nope", ":"),
    "summary": ("table.md", "{tmp}/good.cert", "{tmp}/job/models/relu.json", "{tmp}/ledger"),
}
LIMITS = ("1", "2", "1000", "100000", "1000000000")
ENDLESS = ("/dev/zero", "/dev/full", "/dev/null", "{tmp}/sparse.json", "{tmp}/random.bin")


def make_subjects(folder: Path) -> None:
    made(folder / "job")
    made(folder / "wrong").write("models/line.json", "{")
    good = cases()["file/relu"].data
    (folder / "good.cert").write_bytes(good)
    (folder / "bad.cert").write_bytes(good.replace(b'"count":2', b'"count":3'))
    (folder / "cut.cert.gz").write_bytes(b"\x1f\x8b\x08")
    (folder / "ledger").write_text("")
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "random.bin").write_bytes(random.Random(0).randbytes(500))
    (folder / "shards").mkdir()
    for name, own in (("whole", "two-shards"), ("piece-1", "left"), ("piece-2", "right")):
        path = folder / "shards" / f"{name}.cert.jsonl"
        path.write_bytes(cases()[f"shards/{own}"].data)
    with (folder / "sparse.json").open("wb") as file:
        file.truncate(1 << 34)


ACTIONS = [action for action in parser("")._actions if action.dest != "help"]


def words(action: argparse.Action, rng: random.Random, folder: Path) -> list[str]:
    """An option with a value that a reader could mean, or an odd one."""
    name = action.option_strings[-1] if action.option_strings else ""
    if action.nargs == 0:
        return [name]
    meant = action.choices or MEANT.get(action.dest, LIMITS)
    value = rng.choice([*(meant if rng.random() < 0.6 else (*ODD, *ENDLESS))])
    value = value.replace("{tmp}", str(folder))
    return [f"{name}={value}"] if name else [value]


def calls(rng: random.Random, folder: Path) -> Iterator[list[str]]:
    """Calls without end: each pair of options in turn, with a file or a manifest."""
    pairs = list(combinations(ACTIONS, 2))
    while True:
        for pair in rng.sample(pairs, len(pairs)):
            call = [word for action in pair for word in words(action, rng, folder)]
            if not any(word.startswith("--manifest") for word in call):
                call = [*call, f"{folder}/{rng.choice(['good.cert', 'bad.cert', 'shards'])}"]
            yield odder(call, rng) if rng.random() < 0.2 else call


def odder(call: list[str], rng: random.Random) -> list[str]:
    """A word twice, or something written to what another option or a file names."""
    word = rng.choice(call)
    if rng.random() < 0.5 or not word.rpartition("=")[2].startswith("/"):
        return [*call, word]
    return [f"{rng.choice(['--summary', '--ledger'])}={word.rpartition('=')[2]}", *call]


def faults(found: Ran) -> Iterator[str]:
    """What is wrong with a call, in words."""
    call, out, err = found.call, found.out.splitlines(), found.err.splitlines()
    if found.code == 70 and NO_MEMORY in found.err and "--max-memory" in " ".join(call):
        return
    if found.code not in (0, 1, 2, 3, 4):
        yield f"exit code {found.code}"
    if "Traceback" in found.out + found.err:
        yield "a traceback"
    if found.code == 2 and found.err.startswith("exactrelu-check: "):
        if found.out or len(err) != 1 or not err[0].isprintable():
            yield "bad input is not one line"
        if any(found.files.values()):
            yield f"bad input writes {', '.join(found.files)}"
        return
    if {"--version", "-h", "--help"} & {*call} or any(w.startswith("--trust") for w in call):
        return
    if {"--json", "--format=json"} & {*call}:
        try:
            told = json.loads(found.out)
        except ValueError as error:
            yield f"no JSON: {error}"
            return
        verdicts = [result["verdict"] for result in told["results"]]
        if told["exit"] != found.code:
            yield f"exit code {found.code} and in JSON {told['exit']}"
    elif {"--statement", "--format=statement"} & {*call}:
        return
    else:
        if strange := [line for line in out + err if not LINE.fullmatch(line)]:
            yield f"no line of a file: {strange[0]}"
            return
        verdicts = [line.split()[0] for line in out + err]
    if not verdicts:
        yield "no line"
        return
    # Behind "--" all words are files.
    k = call.index("--") if "--" in call else len(call)
    n_files = sum(not w.startswith("-") or w == "-" for w in call[:k]) + len(call[k + 1 :])
    is_list = any(w.startswith("--manifest") or os.path.isdir(w) for w in call)
    if len(verdicts) != n_files and not is_list:
        yield f"{len(verdicts)} lines for {n_files} files"
    if "--format=github" not in call:
        codes = [_EXIT[verdict] for verdict in verdicts]
        if found.code != min(codes, key=(2, 1, 3, 4, 0).index):
            yield f"exit code {found.code} of {', '.join(verdicts)}"


def contents(folder: Path) -> dict[Path, tuple[int, int]]:
    """What tells files from others that were written in their place, or to."""
    found = {path: path.stat() for path in folder.rglob("*")}
    return {path: (status.st_size, status.st_mtime_ns) for path, status in found.items()}


def written(call: list[str]) -> set[Path]:
    """What a call may write to: the files that it names for that, and does not read."""
    kept = {True: set[Path](), False: set[Path]()}
    for word in call:
        name, is_option, value = word.rpartition("=")
        kept[name in ("--summary", "--ledger")].add(Path(value if is_option else word))
    return kept[True] - kept[False]


def test_a_fault_is_noticed() -> None:
    """Each of these would be one."""
    line = "REJECTED a: line 1: code: why\n"
    good = Ran(("a",), 1, line, "", 0.1, {})
    assert list(faults(good)) == []
    for words_of_it, changed in (
        ("exit code 99", {"code": 99}),
        ("exit code 70", {"code": 70, "err": f"exactrelu-check: {NO_MEMORY}\n"}),
        ("exit code None", {"code": None}),
        ("a traceback", {"err": "Traceback (most recent call last):"}),
        ("bad input is not one line", {"code": 2, "err": "exactrelu-check: a\nb\n", "out": ""}),
        ("bad input is not one line", {"code": 2, "err": "exactrelu-check: no\n"}),
        ("bad input writes b", {"code": 2, "err": "exactrelu-check: no\n", "out": "",
                                "files": {"b": b"x"}}),
        ("no line", {"out": ""}),
        ("no line of a file: more", {"out": f"{line}more\n"}),
        ("1 lines for 2 files", {"call": ("a", "b")}),
        ("exit code 0 of REJECTED", {"code": 0}),
        ("exit code 1 and in JSON 0", {"call": ("--json", "a"),
                                       "out": '{"exit": 0, "results": [{"verdict": "REJECTED"}]}'}),
    ):  # fmt: skip
        assert words_of_it in list(faults(Ran(**{**vars(good), **changed})))
    own = {Path("b")}
    assert written(["--summary=b", "a"]) == written(["--ledger=b", "--network=a"]) == own
    assert written(["--summary=b", "b"]) == written(["--ledger=b", "--network=b"]) == set()


def search(
    name: str, n: int, folder: Path, seconds: float | None = None
) -> list[tuple[list[str], list[str]]]:
    """What is wrong with n calls, in words, by the call."""
    rng = random.Random(f"{SEED} odd checks {name}")
    subjects = folder / "subjects"
    make_subjects(subjects)
    before = contents(subjects)
    found = []
    for _, call in zip(tries(n, seconds, "odd checks"), calls(rng, subjects), strict=False):
        result = ran(call, folder / "work", run, "exactrelu-check")
        wrong = list(faults(result))
        after = contents(subjects)
        changed = {path for path, _ in before.items() ^ after.items()} - {subjects}
        if changed - written(call):
            wrong.append(f"{', '.join(map(str, changed))}: changed")
        if changed:
            shutil.rmtree(subjects)
            make_subjects(subjects)
            after = contents(subjects)
        before = after
        if wrong:
            found.append((call, wrong))
    return found


def test_odd_checks(tmp_path: Path) -> None:
    assert search("every day", DAILY, tmp_path) == []


@pytest.mark.sweep
@pytest.mark.parametrize("part", seeds(PARTS))
def test_many_odd_checks(tmp_path: Path, part: int) -> None:
    assert search(f"sweep {part}", SWEEP, tmp_path, MOST) == []
