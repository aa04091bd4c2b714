"""The programs for those who work on exactrelu: wrong arguments are one line, and start nothing."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
#: Everything that can be started, and calls that are mistakes; --nonsense is one for each.
SCRIPTS = {
    "hatch_build.py": ["x"],
    "proofs/build_pyz.py": ["", "a b", "/proc/nowhere/x"],
    "proofs/count_tokens.py": ["x"],
    "proofs/mutate_checker.py": ["nothing.py", "--jobs 0"],
    "proofs/mutate_pins.py": ["nothing.py", "--jobs x"],
    "proofs/verified/compare.py": ["--mutants x"],
    "proofs/verified/forge.py": ["x"],
    "docs/links.py": ["", "nothing", "a b"],
    "docs/notebooks.py": ["x"],
    "docs/screenshot.py": ["", "a b"],
    "cases/networks/trained-2-8-8-1/train.py": ["", "a b c"],
    "tests/checker/bundles.py": ["", "nothing"],
    "tests/checker/accepted.py": ["nothing", "--number x"],
    "tests/checker/fuel.py": ["--cases x", "--least"],
    "tests/checker/huge.py": ["", "nothing"],
    "tests/checker/test_format.py": ["x"],
    "tests.differential.growth": ["", "x", "1 2 3 4"],
    "tests.differential.hunt": ["", "x"],
    "tests.mutate_package": ["", "nothing", "--count 0 exactrelu"],
    "tests.public.wrong_calls": ["x", "1 x"],
    "tests/network/formats/data/make_torch_fixtures.py": ["x"],
    "tests.extreme.hunt": ["", "nothing 1", "regions", "regions x"],
    "tests.test_case_list": ["", "x"],
    "tests.test_pages": ["", "x", "--write nothing.md"],
    "benchmarks": [
        "nothing",
        "lp --all",
        "--all",
        "recovery --shapes x",
        "properties 1",
        "splits --timeout x",
    ],
    **{f"benchmarks.{name}": ["--all"] for name in ("equivalence", "formats", "genericity")},
    **{f"benchmarks.{name}": ["x"] for name in ("injectivity", "lp", "regions", "small")},
    "benchmarks.knowledge": ["--all"],
    "benchmarks.verified": ["x"],
    "benchmarks.experiments.growth": ["x", "--one a b c", "--some x", "--seconds 0"],
    "benchmarks.experiments.million": ["x", "--width 0"],
    "benchmarks.experiments.shares": ["x", "2,0", "--weights none", "--count 0"],
}
FOLDERS = ("proofs", "docs", "cases", "tests", "benchmarks")
#: Those that need what is not installed everywhere say so whatever they are asked.
NEEDS_TORCH = "benchmarks.experiments.digits"


#: Runs scripts in copies of itself, which have loaded already what takes long to load.
RUNNER = """
import json, os, runpy, sys, tempfile, traceback
import hypothesis, numpy, pytest, sympy
import exactrelu.api, exactrelu.cli.main, exactrelu.questions.applicable

def run(name, arguments):
    sys.argv = [name, *arguments]
    try:
        if name.endswith(".py"):
            sys.path[0] = os.path.dirname(os.path.abspath(name))
            runpy.run_path(name, run_name="__main__")
        else:
            runpy.run_module(name, run_name="__main__", alter_sys=True)
    except SystemExit as stop:
        if isinstance(stop.code, str):
            print(stop.code, file=sys.stderr)
        return stop.code if isinstance(stop.code, int) else bool(stop.code)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

for line in sys.stdin:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            code = run(*json.loads(line))
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said = [(f.seek(0), f.read().decode())[1] for f in (out, err)]
    print(json.dumps([code, *said]), flush=True)
"""


def started(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A script by its path, a module by its name, as a program."""
    how = [name] if name.endswith(".py") else ["-m", name]
    return subprocess.run(
        [sys.executable, *how, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
        timeout=100,
    )


@pytest.fixture(scope="module")
def ran() -> Iterator[Callable[..., list[Any]]]:
    """The exit code of a script, what it prints, and what it says on stderr."""
    with subprocess.Popen(
        [sys.executable, "-c", RUNNER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    ) as runner:
        assert runner.stdin is not None
        assert runner.stdout is not None
        asked, answers = runner.stdin, runner.stdout

        def run(name: str, *arguments: str) -> list[Any]:
            print(json.dumps([name, arguments]), file=asked, flush=True)
            return list(json.loads(answers.readline()))

        yield run


@pytest.mark.parametrize("name", SCRIPTS)
def test_help_is_help(name: str, ran: Callable[..., list[Any]]) -> None:
    code, out, err = ran(name, "--help")
    assert (code, err) == (0, "")
    # Benchmarks with options of their own have a heading.
    heading = f"== {name.rpartition('.')[2]}\n"
    assert out.removeprefix(heading).startswith("usage: ")


@pytest.mark.sweep
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_needs_nothing_that_others_load(name: str, ran: Callable[..., list[Any]]) -> None:
    found = started(name, "--help")
    assert [found.returncode, found.stdout, found.stderr] == ran(name, "--help")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        # One of each script, and a sweep has all.
        pytest.param(name, call, marks=[pytest.mark.sweep] if k else [])
        for name, calls in SCRIPTS.items()
        for k, call in enumerate((*calls, "--nonsense"))
    ],
)
def test_a_mistake_is_one_line(name: str, arguments: str, ran: Callable[..., list[Any]]) -> None:
    code, _, err = ran(name, *arguments.split())
    assert (code, "Traceback" in err) == (2, False), err
    assert ": error: " in err.splitlines()[-1]


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="would train networks")
def test_what_is_not_installed_is_said() -> None:
    found = started(NEEDS_TORCH)
    assert "Traceback" not in found.stderr
    assert found.stderr.startswith("digits: the package 'torch' is not installed")


def test_every_script_is_here() -> None:
    """What has a part that runs when it is started, but for what people start as a program."""
    paths = [*ROOT.glob("*.py"), *(p for f in FOLDERS for p in (ROOT / f).rglob("*.py"))]
    found = set()
    for path in paths:
        tests = (n.test for n in ast.parse(path.read_bytes()).body if isinstance(n, ast.If))
        if any("'__main__'" in ast.unparse(test) for test in tests):
            found.add(path.relative_to(ROOT).as_posix())
    found = {path for path in found if not path.startswith("proofs/exactrelu_c")}
    assert found == {_path(name) for name in (*SCRIPTS, NEEDS_TORCH)}


def _path(name: str) -> str:
    if name.endswith(".py"):
        return name
    place = name.replace(".", "/")
    return f"{place}/__main__.py" if (ROOT / place).is_dir() else f"{place}.py"


def test_a_benchmark_whose_peer_is_missing_is_left_out() -> None:
    """The others run: here one that is named after it, as fast as its help."""
    code = (
        "import runpy, sys\n"
        "sys.modules['z3'] = None\n"
        "sys.argv = ['benchmarks', 'injectivity', 'recovery', '--help']\n"
        "runpy.run_module('benchmarks', run_name='__main__')\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert found.stderr == ""
    assert found.stdout.startswith(
        "== injectivity: left out, as the package 'z3' is not installed\n\n== recovery\nusage: "
    )


def vnncomp(script: str, *arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
    """A script of the contract of VNN-COMP."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [str(ROOT / "benchmarks" / "vnncomp" / script), *map(str, arguments)],
        capture_output=True, text=True, check=False, env={**os.environ, "PATH": path, **more},
    )  # fmt: skip


def test_instances_are_run_as_vnncomp_asks(tmp_path: Path) -> None:
    xor, result = ROOT / "cases" / "xor", tmp_path / "result.txt"
    given = ("v1", "xor", xor / "network.json", xor / "query.vnnlib")
    assert vnncomp("prepare_instance.sh", *given).returncode == 0
    assert vnncomp("prepare_instance.sh", *given[:3], tmp_path / "none").returncode != 0
    found = vnncomp("run_instance.sh", *given, result, 20, CERTIFICATES=str(tmp_path))
    assert found.returncode == 0
    assert result.read_text().splitlines()[:2] == ["sat", "((X_0 0.0)"]
    assert list(tmp_path.glob("*.cert.jsonl"))
    assert vnncomp("run_instance.sh", *given[:3], tmp_path / "none", result, 20).returncode == 1
    assert result.read_text() == "error\n"
    for script in ("install_tool.sh", "prepare_instance.sh", "run_instance.sh"):
        assert vnncomp(script).returncode == 1
        assert vnncomp(script).stderr.startswith("usage: ")


def test_a_case_says_how_it_was_made(tmp_path: Path) -> None:
    """The script still trains a network; the kept file counts."""
    found = started("cases/networks/trained-2-8-8-1/train.py", str(tmp_path / "net.json"))
    assert (found.returncode, found.stderr) == (0, "")
    assert (tmp_path / "net.json").is_file()
