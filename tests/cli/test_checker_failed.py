"""What commands and Python say where the independent checker comes to no verdict."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu.certificates import checkers, program
from exactrelu.effort import Effort
from exactrelu.errors import CheckerFailed

PROGRAM = Path(__file__).resolve().parents[2] / "proofs" / "exactrelu_checker"


@pytest.fixture
def good(tmp_path: Path) -> str:
    found = er.regions(er.load("example:xor")).certificate
    assert found is not None
    return str(found.save(tmp_path / "good.cert"))


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """What exactrelu takes for the checker, with a line before one of its modules."""

    def breaks(module: str, line: str) -> None:
        folder = tmp_path / "exactrelu_checker"
        shutil.copytree(PROGRAM, folder)
        path = folder / f"{module}.py"
        path.write_text(f"{line}\n{path.read_text()}")
        started = [sys.executable, "-I", str(folder)]
        for user in (program, checkers):
            monkeypatch.setattr(user, "checker_program", lambda: started)

    return breaks


@pytest.mark.parametrize(
    ("module", "line", "code"),
    [
        ("claims", "import nothing_of_that_name", 70),
        ("numbers", "import os; os.kill(os.getpid(), 9)", -9),
        ("file", "import os; os._exit(120)", 120),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_exactrelu_says_that_the_checker_failed(
    broken: Callable[[str, str], None], run, module: str, line: str, code: int, jobs: int, good: str
) -> None:
    """Neither accepted nor rejected, in Python and on the command line."""
    broken(module, line)
    said = f"the checker ended with exit code {code}, which is no verdict: "
    for options in ([], ["--json"], ["--statement"]):
        found = run("check", *options, "--jobs", str(jobs), good, good)
        assert (found.code, found.out) == (70, "")
        assert found.err.startswith(f"exactrelu check: error: {said}")
    with pytest.raises(CheckerFailed, match=said):
        er.regions(er.load("example:xor")).check()
    with pytest.raises(CheckerFailed, match=said):
        checkers.run_checkers(["--json"], [good, good], Effort(jobs=jobs))


def test_certify_takes_nothing_for_checked(
    broken: Callable[[str, str], None], run, tmp_path: Path
) -> None:
    broken("claims", "import nothing_of_that_name")
    found = run("certify", "example:spike", "-o", tmp_path / "out", "--json")
    assert found.code == 3
    assert '"n_accepted": 0' in found.out
    assert "not checked: the checker ended with exit code 70" in found.out


def test_a_module_that_is_missing_is_met_late(
    broken: Callable[[str, str], None], run, good: str
) -> None:
    """The module of one method: LIMIT, as of anything that nobody foresaw."""
    broken("cells", "import nothing_of_that_name")
    found = run("check", good)
    assert (found.code, found.out[:6]) == (4, "LIMIT ")
    assert "internal-error: ModuleNotFoundError in the checker" in found.out
