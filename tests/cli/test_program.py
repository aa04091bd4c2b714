"""The program as a user starts it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from exactrelu.cli import main
from exactrelu.cli.main import COMMANDS
from exactrelu.cli.outcome import Outcome
from exactrelu.cli.shown import Kept
from exactrelu.network.formats.load import load
from exactrelu.work.worker import Ended


def program(*arguments: str, module: str = "exactrelu") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False
    )


def test_help_everywhere_with_an_example(run) -> None:
    assert "example: exactrelu" in run("--help").out
    for command in COMMANDS:
        result = run(command.name, "--help")
        assert result.code == 0
        assert "example: exactrelu" in result.out


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from exactrelu.cli.main import _parser\n"
        "_parser().format_help()\n"
        "heavy = {'flint', 'numpy', 'ppl', 'highspy', 'onnx', 'sympy', 'networkx', 'tqdm'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


@pytest.mark.parametrize("arguments", [[], ["frobnicate"], ["eval"], ["eval", "x.json"], ["info"]])
def test_usage_errors_are_one_line(run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)


def test_as_a_program() -> None:
    assert program("--version").stdout.startswith("0.")
    found = program("info", "cases/xor/network.json", "--json")
    assert (found.returncode, found.stderr) == (0, "")
    assert json.loads(found.stdout)["widths"] == [2, 2, 1]
    missing = program("info", "nothing.json")
    assert missing.returncode == 2
    assert missing.stderr == "exactrelu info: error: nothing.json: no such file\n"


def test_the_module_of_the_program_is_the_program() -> None:
    """An exit code 0 would be a yes."""
    found = program("eval", "cases/xor/network.json", "--at", "1,0", module="exactrelu.cli.main")
    assert found.stdout == program("eval", "cases/xor/network.json", "--at", "1,0").stdout != ""


@pytest.mark.parametrize("name", ["api", "cli.pairs", "questions.regions", "nothing"])
def test_a_module_that_is_no_program_is_refused(name: str) -> None:
    """It would do nothing, with exit code 0."""
    found = program("equivalent", "a.json", "b.json", module=f"exactrelu.{name}")
    assert (found.returncode, found.stdout) == (2, "")
    line = f"exactrelu: {name} is no program; python -m exactrelu COMMAND is one\n"
    assert found.stderr == line
    path = Path("exactrelu", *name.split(".")).with_suffix(".py")
    if path.exists():
        run = [sys.executable, str(path), "equivalent", "a.json", "b.json"]
        by_path = subprocess.run(run, capture_output=True, text=True, check=False)
        assert (by_path.returncode, by_path.stdout, by_path.stderr) == (2, "", line)


def test_an_interrupt_while_it_is_loaded_is_one_line() -> None:
    """As if somebody pressed Ctrl-C the moment that the first module is looked for."""
    code = (
        "import sys\n"
        "class Impatient:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'argparse':\n"
        "            raise KeyboardInterrupt\n"
        "sys.modules.pop('argparse', None)\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "from exactrelu.__main__ import run\n"
        "sys.exit(run())\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (130, "exactrelu: interrupted\n")


def test_a_closed_pipe_is_no_error() -> None:
    shell = f"{sys.executable} -m exactrelu info cases/xor/network.json | true"
    found = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert found.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_is_no_no() -> None:
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [sys.executable, "-m", "exactrelu", "info", "cases/xor/network.json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert found.returncode == 2
    assert found.stderr == "exactrelu: error: stdout: No space left on device\n"


def test_a_certificate_of_a_report_that_cannot_be_written(monkeypatch, tmp_path) -> None:
    """The worker was ended, and its last report has a certificate."""
    known = Outcome("stopped", "stopped", certificate=Kept(b"x"), exit_code=3)

    def ended(*_: object) -> None:
        (tmp_path / "proof").mkdir()
        raise Ended("stopped after 2 s", known)

    monkeypatch.setattr(main, "forked", ended)
    arguments = ["regions", "nothing.json", "--certificate", str(tmp_path / "proof")]
    printed = main._in_worker(main._parser().parse_args(arguments))
    assert (printed.out, printed.exit_code) == ("", 2)
    assert printed.err.endswith("proof: found a directory, expected a file to write\n")


@pytest.mark.parametrize(
    "error", [ArithmeticError("a bug\nin two lines"), RecursionError(), KeyError(3)]
)
def test_internal_errors_are_one_line(run, monkeypatch, tmp_path, error: Exception) -> None:
    """With what has to be reported: the error, its place, and the hashes of the networks."""

    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("exactrelu.questions.equivalence.equivalent.equivalent", fails)
    paths = ["cases/equal/tiny-cell/A.json", "cases/equal/tiny-cell/B.json"]
    certificate = tmp_path / "c.json"
    certificate.write_text(Path(paths[0]).read_text())
    result = run("equivalent", *paths, "--certificate", certificate)
    assert (result.code, result.out, result.err.count("\n")) == (70, "", 1)
    assert result.err.startswith("exactrelu equivalent: error: internal error, please report it: ")
    assert f"{type(error).__name__}: " in result.err
    assert "(test_program.py:" in result.err
    hashes = [f"{path} sha256 {load(path).sha256}" for path in paths]
    assert result.err.endswith(f"; networks: {', '.join(hashes)}\n")


def test_internal_errors_without_networks(run, monkeypatch) -> None:
    monkeypatch.setattr("exactrelu.network.formats.load.load", lambda path: 1 / 0)
    result = run("info", "cases/xor/network.json")
    assert (result.code, result.out, result.err.count("\n")) == (70, "", 1)
    assert result.err.endswith("; networks: none\n")
    assert "70 an error of exactrelu itself" in run("--help").out
