"""A crash of the checker, of any kind and anywhere, has an exit code that is no verdict."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bundles import cases

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
PROGRAM = PROOFS / "exactrelu_checker"

BREAKS = {
    "before anything is loaded": "block('exactrelu_checker.main')",
    "while it is loaded": "block('exactrelu_checker.claims')",
    "while options are loaded": "block('exactrelu_checker.options')",
    "while a program for CI is loaded": "block('exactrelu_ci.job')",
    "while it is asked": "patch('main', '_run')",
    "while a file is checked": "patch('options', 'checked')",
    "while it is printed": "patch('main', 'line_of')",
    "while a claim is printed": "patch('statement', 'sayer')",
}
BROKEN = """
import sys
sys.path.insert(0, {proofs!r})

def block(name):
    class Broken:
        def find_spec(self, found, *_):
            if found == name:
                raise {error}
    sys.meta_path.insert(0, Broken())

def patch(module, name):
    from importlib import import_module
    def fails(*_, **__):
        raise {error}
    setattr(import_module("exactrelu_checker." + module), name, fails)

{breaks}
sys.argv = ["exactrelu-check", *{arguments!r}]
from exactrelu_checker.program import run
sys.exit(run())
"""
OPTIONS = {
    "while a program for CI is loaded": ["--format=github"],
    "while a claim is printed": ["--statement"],
}


@pytest.fixture
def good(tmp_path: Path) -> str:
    path = tmp_path / "good.cert"
    path.write_bytes(cases()["file/relu"].data)
    return str(path)


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("place", BREAKS)
@pytest.mark.parametrize(
    "error",
    [
        "ImportError('x')",
        "MemoryError()",
        "RecursionError('too deep')",
        "SystemExit(1)",
        "SystemExit('gone')",
        "UnicodeEncodeError('ascii', 'x', 0, 1, 'no')",
        "GeneratorExit()",
        "type('Odd', (BaseException,), {})()",
    ],
)
def test_a_crash_is_no_verdict(place: str, error: str, good: str) -> None:
    arguments = [*OPTIONS.get(place, []), good]
    breaks = BREAKS[place]
    found = ran(
        "-c", BROKEN.format(proofs=str(PROOFS), error=error, breaks=breaks, arguments=arguments)
    )
    # Before any file is read, a ValueError is taken for one about what the user gave.
    is_value = error.startswith("Unicode")
    assert found.returncode == 70 or (is_value and found.returncode == 2), found
    assert found.stdout == ""
    assert found.stderr.startswith("exactrelu-check: ")
    assert found.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "options", [["--help"], ["--version"], [], ["--json"], ["--statement"], ["--trust", "regions"]]
)
@pytest.mark.parametrize("to", [">/dev/full", ">&-"])
def test_where_nothing_can_be_written(options: list[str], to: str, good: str) -> None:
    files = [] if "--trust" in options else [good]
    call = ["sh", "-c", f'exec "$@" {to}', "sh", sys.executable, str(PROGRAM), *options, *files]
    found = subprocess.run(call, capture_output=True, text=True, check=False)
    assert found.returncode in ((2, 70) if "--trust" in options else (70,))
    assert found.stderr.startswith("exactrelu-check: ")
    assert found.stderr.count("\n") == 1


def test_a_reader_that_goes_away(good: str) -> None:
    """What is left unchecked is not accepted, and there is nobody to tell."""
    call = f"{sys.executable} {PROGRAM} {' '.join([good] * 300)} | true; exit ${{PIPESTATUS[0]}}"
    found = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (70, "")
