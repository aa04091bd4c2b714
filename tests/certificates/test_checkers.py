"""Several checkers say what one says, in the order of the files, with its exit code."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
from pathlib import Path

import pytest

from exactrelu.certificates import checkers
from exactrelu.certificates.checkers import run_checkers
from exactrelu.certificates.program import run_checker
from exactrelu.effort import Effort, Stopped

KEPT = Path(__file__).parents[2] / "proofs" / "certificates"
GOOD = sorted(map(str, KEPT.glob("xor.*.cert.jsonl")))[:3]


@pytest.fixture(autouse=True)
def _each_file_is_a_portion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkers, "SMALL", 1)
    monkeypatch.setattr(checkers, "PORTIONS", 10**6)


@pytest.fixture
def fates(tmp_path: Path) -> dict[str, str]:
    """A file of each fate."""
    good = (KEPT / "xor.value-at-0.cert.jsonl").read_bytes()
    body = good.replace(b'"output":["1",["1"]]', b'"output":["1",["2"]]')
    body = b"".join(body.splitlines(keepends=True)[:-1])
    contents = {
        "rejected": body + b"end 2 " + hashlib.sha256(body).hexdigest().encode() + b"\n",
        "malformed": b"nothing of the kind\n",
        "incomplete": b"".join(good.splitlines(keepends=True)[:-1]),
        "empty": b"",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return {name: str(tmp_path / name) for name in (*contents, "missing")}


def told(found: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    return found.returncode, found.stdout, found.stderr


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_they_say_what_one_says(options: list[str], fates: dict[str, str]) -> None:
    files = [GOOD[0], *fates.values(), GOOD[1]]
    random.Random(3).shuffle(files)
    found = run_checkers(options, files, Effort(jobs=3))
    assert told(found) == told(run_checker([*options, "--", *files]))
    assert found.returncode == 2


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("rejected", "malformed", "incomplete"), 1),
        (("malformed", "incomplete"), 3),
        (("incomplete", "malformed"), 3),
        (("incomplete",), 4),
        ((), 0),
        (("missing",), 2),
    ],
)
def test_the_exit_code_is_that_of_one(
    names: tuple[str, ...], code: int, fates: dict[str, str]
) -> None:
    files = [*(fates[name] for name in names), GOOD[0]]
    assert run_checkers([], files, Effort(jobs=2)).returncode == code
    assert run_checker(["--", *files]).returncode == code


def test_what_is_wrong_for_all_is_said(fates: dict[str, str]) -> None:
    options = [f"--network={fates['missing']}"]
    found = run_checkers(options, GOOD, Effort(jobs=2))
    alone = run_checker([*options, "--", *GOOD])
    assert (found.returncode, found.stdout) == (alone.returncode, alone.stdout) == (2, "")
    assert set(found.stderr.splitlines()) == set(alone.stderr.splitlines())


def test_portions_have_all_files_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkers, "SMALL", 100)
    monkeypatch.setattr(checkers, "PORTIONS", 2)
    rng = random.Random(1)
    for _ in range(20):
        files = [tmp_path / f"{k}" for k in range(rng.randint(1, 30))]
        for file in files:
            file.write_bytes(b"x" * rng.choice((0, 1, 50, 100, 1000)))
        names = [*map(str, files), str(tmp_path / "missing")]
        portions = checkers._portions(names, 3)
        assert [name for portion in portions for name in portion] == names
        assert all(portions)
        assert len(portions) <= 2 * 2 * 3 + 1


def test_the_time_is_kept_and_nobody_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import time; time.sleep(600)"
    monkeypatch.setattr(checkers, "checker_program", lambda: [sys.executable, "-c", code])
    started = []
    start = subprocess.Popen

    def noted(*args: object, **options: object) -> subprocess.Popen[str]:
        started.append(start(*args, **options))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(checkers.subprocess, "Popen", noted)
    with pytest.raises(Stopped, match=r"stopped after 0\.3 s"):
        run_checkers([], GOOD, Effort(seconds=0.3, jobs=2))
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)
