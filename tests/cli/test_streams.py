"""What is printed, in encodings with few signs, and where nothing can be written."""

from __future__ import annotations

import ast
import io
import json
import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import pytest

from exactrelu.__main__ import run
from exactrelu.cli.main import COMMANDS, main
from exactrelu.cli.streams import writable
from tests.budget import tries
from tests.seeds import SEED

ROOT = Path(__file__).parents[2]
POOR = ("cp1252", "latin-1", "ascii")
#: Calls whose answers have signs that some encoding does not have; the last are plain.
CALLS = (
    "invert example:moons --value 1",
    "eval example:moons --at 1/3,1/7",
    "stability example:spike",
    "robust example:moons --at 1/3,1/7",
    "difference example:spike example:zero --domain box:-1..1",
    "regions example:moons --list --domain box:0..1",
    "shallow example:xor",
    "refute S000-L3",
    "equivalent example:spike example:zero",
    "equivalent example:spike",
    "info nothing-−.json",
    "--help",
    "refute --help",
    "--completion zsh",
)
ANSWERS = {0, 1, 3}
#: What a sweep gives to each command.
SECONDS = 60


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that looks like the project's: some examples write files."""
    for name in ("cases", "proofs"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)


def started(call: str, encoding: str = "utf-8") -> tuple[int, bytes]:
    """The exit code of a call as a program and what it prints, stderr too, on a pipe."""
    found = subprocess.run(
        [sys.executable, "-m", "exactrelu", *shlex.split(call)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )
    return found.returncode, found.stdout


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, bytes]]:
    """The same without a program, which takes longer to start than to answer."""
    monkeypatch.setenv("COLUMNS", "80")

    def ask(call: str, encoding: str = "utf-8") -> tuple[int, bytes]:
        pipe = io.BytesIO()
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout", io.TextIOWrapper(pipe, encoding))
            patch.setattr("sys.stderr", io.TextIOWrapper(pipe, encoding, "backslashreplace"))
            patch.setattr("exactrelu.cli.main.main", partial(main, shlex.split(call)))
            return run(), pipe.getvalue()

    return ask


def on_a_terminal(call: str, encoding: str) -> tuple[int, bytes]:
    """The same on a terminal, as wide as a pipe is."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "80"}
    with subprocess.Popen(
        [sys.executable, "-m", "exactrelu", *shlex.split(call)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
    ) as process:
        os.close(theirs)
        shown = b""
        # The other end is closed: EIO.
        while chunk := _read(ours):
            shown += chunk
    os.close(ours)
    return process.returncode, shown.replace(b"\r\n", b"\n")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


def plain(shown: bytes, encoding: str) -> str:
    """What UTF-8 shows, as this encoding has it."""
    return writable(shown.decode("utf-8"), encoding)


@pytest.mark.parametrize("call", CALLS)
def test_every_answer_is_printed_in_every_encoding(
    call: str, printed: Callable[..., tuple[int, bytes]]
) -> None:
    code, shown = printed(call)
    assert b"Traceback" not in shown
    for encoding in POOR:
        assert printed(call, encoding) == (code, plain(shown, encoding).encode(encoding))
    # What is started says the same; a sweep starts each command in each encoding.
    encoding = POOR[CALLS.index(call) % len(POOR)]
    assert started(call, encoding) == (code, plain(shown, encoding).encode(encoding))


@pytest.mark.parametrize("call", [CALLS[0], CALLS[3], CALLS[9], "--help"])
def test_and_on_a_terminal(call: str) -> None:
    code, shown = on_a_terminal(call, "utf-8")
    assert on_a_terminal(call, "ascii") == (code, plain(shown, "ascii").encode("ascii"))


@pytest.mark.sweep
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_in_every_encoding(command) -> None:
    """Its example, and its help; some examples name files that are not here, which is told."""
    calls = (command.example.removeprefix("exactrelu "), f"{command.name} --help")
    pairs = list(product(calls, POOR))
    Random(f"{SEED} {command.name}").shuffle(pairs)
    for k in tries(len(pairs), SECONDS, f"encodings of {command.name}"):
        call, encoding = pairs[k]
        code, shown = started(call)
        assert b"Traceback" not in shown
        assert started(f"{call} --json", "ascii")[0] == code
        assert started(call, encoding) == (code, plain(shown, encoding).encode(encoding))
        assert on_a_terminal(call, encoding)[0] == code


@pytest.mark.parametrize("encoding", ["utf-8", *POOR, "utf-16"])
def test_json_is_json_in_every_encoding(encoding: str) -> None:
    code, shown = started(f"{CALLS[0]} --json", encoding)
    assert code == 0
    text = shown.decode(encoding)
    assert text.isascii()
    assert json.loads(text)["verdict"] == "yes"


@pytest.mark.parametrize(
    ("text", "encoding", "typed"),
    [
        ("a ≤ b·x ≥ −1 ± ε…", "ascii", "a <= b*x >= -1 +- epsilon..."),
        ("a ≤ b·x ≥ −1 ± ε…", "cp1252", "a <= b·x >= -1 ± epsilon…"),
        ("2⁻⁶⁰ + 2²⁰ + 2²", "ascii", "2^-60 + 2^20 + 2^2"),
        ("2⁻⁶⁰ + 2²⁰ + 2²", "latin-1", "2^-60 + 2^20 + 2²"),
        ("θ̄, ⌊n/2⌋, ñ", "ascii", "theta_bar, floor(n/2), n"),
        ("½ ≠ ⅓ ≈ 0.3 → y₁, Aᵀ", "ascii", "1/2 != 1/3 ~ 0.3 -> y1, A^T"),
        ("Σ σ Ŵ ℓ 𝒮 Ω", "ascii", "Sigma sigma W l S Omega"),
        ("Δ σ € 漢 \U0010ffff", "cp1252", "Delta sigma € ? ?"),
        ("a\udcffb", "utf-8", "a?b"),
        ("plain", "ascii", "plain"),
    ],
)
def test_signs_as_they_are_typed(text: str, encoding: str, typed: str) -> None:
    assert writable(text, encoding) == typed


def test_what_the_user_wants_is_done() -> None:
    assert writable("a ≤ b", "ascii", "replace") == "a ≤ b"
    assert started(CALLS[0], "ascii:replace")[1].count(b" ? (") == 1


def test_every_sign_of_the_program_has_something_plain() -> None:
    """All that stands in a string, whether it is printed or not."""
    signs = {
        sign
        for path in (ROOT / "exactrelu").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for sign in node.value
        if not sign.isascii()
    }
    assert {"≈", "≤", "…", "⁻"} < signs
    assert [s for s in sorted(signs) if writable(s, "ascii") in ("", "?")] == []
    for encoding in POOR:
        writable("".join(signs), encoding).encode(encoding)


def test_a_name_of_a_file_that_is_no_text(tmp_path: Path) -> None:
    """Its bytes in a locale that takes any; in UTF-8 a sign for what is none."""
    path = os.fsencode(tmp_path) + b"/\xff.json"
    found = subprocess.run(
        [sys.executable, "-m", "exactrelu", "convert", "example:xor", path],
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        capture_output=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, b"")
    assert b"/?.json holds the same 9 parameters exactly" in found.stdout


def test_the_checker_needs_ascii_only() -> None:
    """All that it can print; what comes from a file or an argument it escapes."""
    for path in (ROOT / "proofs").glob("exactrelu_c*/**/*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        read = {n.value for n in ast.walk(tree) if isinstance(n, ast.Expr)}
        strings = {n for n in ast.walk(tree) if isinstance(n, ast.Constant)} - read
        assert [
            n.value for n in strings if isinstance(n.value, str) and not n.value.isascii()
        ] == []
    program = [sys.executable, "-m", "exactrelu_checker"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": "proofs"}
    for arguments, code in (
        (["--help"], 0),
        (["\u2212.json"], 2),
        (["--domain", "\u2212", "x"], 2),
    ):
        found = subprocess.run(
            [*program, *arguments], env=environment, capture_output=True, check=False
        )
        assert (found.returncode, b"Traceback" in found.stderr) == (code, False)


# --- Where nothing can be written


def shell(redirected: str) -> subprocess.CompletedProcess[str]:
    """A line of bash in which ``exactrelu`` is the program."""
    line = f'exactrelu() {{ "{sys.executable}" -m exactrelu "$@"; }}; {redirected}'
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)


FULL, CLOSED = "No space left on device", "it is closed"
NO_ANSWERS = ("--help", "--version", "--completion bash", "regions example:moons --list")


@pytest.mark.parametrize("call", [*NO_ANSWERS, "equivalent example:spike example:zero"])
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(("where", "why"), [(">/dev/full", FULL), (">&-", CLOSED)])
def test_an_answer_that_cannot_be_written(call: str, buffered: str, where: str, why: str) -> None:
    found = shell(f"PYTHONUNBUFFERED={buffered} exactrelu {call} {where}")
    line = f"exactrelu: error: stdout: {why}\n"
    assert (found.returncode, found.stderr) == (2, line)


def test_a_stream_that_cannot_be_written() -> None:
    found = shell("exactrelu regions example:moons --stream >/dev/full")
    line = f"exactrelu regions: error: stdout: {FULL}\n"
    assert (found.returncode, found.stderr) == (2, line)


@pytest.mark.parametrize("where", ["2>/dev/full", "2>&-"])
@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("equivalent example:spike example:zero", 1),
        ("info nothing.json", 2),
        ("frobnicate", 2),
        ("regions example:moons --max-regions 3 --certificate /dev/null", 3),
    ],
)
def test_nobody_hears_stderr(call: str, code: int, where: str) -> None:
    found = shell(f"exactrelu {call} {where}")
    assert (found.returncode, found.stderr) == (code, "")


def test_nobody_hears_anything() -> None:
    for closed in ("<&- >&- 2>&-", ">/dev/full 2>/dev/full"):
        assert shell(f"exactrelu equivalent example:spike example:zero {closed}").returncode == 2


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("equivalent example:spike example:zero", 1),
        ("regions example:moons --list", 0),
        ("--help", 0),
        ("--completion bash", 0),
    ],
)
def test_the_answer_stays_where_its_reader_goes_away(call: str, code: int) -> None:
    found = shell(f"exactrelu {call} | true; exit ${{PIPESTATUS[0]}}")
    assert (found.returncode, found.stderr) == (code, "")


# --- Crashes

BREAKS = {
    "while it is loaded": "block('exactrelu.cli.main', {error})",
    "before anything is loaded": "block('exactrelu.cli.streams', {error})",
    "in the caller": "patch('forked', {error})",
    "in the worker": "patch('_answered', {error})",
    "while it is asked": "patch('_outcome', {error})",
    "while it is printed": "patch('shown', {error})",
}
BROKEN = """
import sys

def block(name, error):
    class Broken:
        def find_spec(self, found, *_):
            if found == name:
                raise error
    sys.meta_path.insert(0, Broken())

def patch(name, error):
    from exactrelu.cli import main
    def fails(*_, **__):
        raise error
    setattr(main, name, fails)

{breaks}
sys.argv = ["exactrelu", "equivalent", "example:spike", "example:zero"]
from exactrelu.__main__ import run
sys.exit(run())
"""


ERRORS = (
    "ImportError('x')",
    "MemoryError()",
    "RecursionError('too deep')",
    "SystemExit(1)",
    "SystemExit('gone')",
    "BrokenPipeError(32, 'Broken pipe')",
    "UnicodeEncodeError('ascii', 'x', 0, 1, 'no')",
    "GeneratorExit()",
    "type('Odd', (BaseException,), {{}})()",
)


@pytest.mark.parametrize(
    ("place", "error"),
    [
        # Each error in two places at least, and three errors in each; a sweep has all.
        pytest.param(place, error, marks=[pytest.mark.sweep] if (j - i) % 3 else [])
        for i, place in enumerate(BREAKS)
        for j, error in enumerate(ERRORS)
    ],
)
def test_a_crash_has_the_exit_code_of_no_answer(place: str, error: str) -> None:
    broken = BROKEN.format(breaks=BREAKS[place].format(error=error.replace("{{}}", "{}")))
    found = subprocess.run(
        [sys.executable, "-c", broken], capture_output=True, text=True, check=False
    )
    if place == "while it is asked" and error == "MemoryError()":
        # That is caught there: the question is undecided.
        return
    assert found.returncode in (2, 70), found
    assert found.stdout == ""
    assert re.fullmatch(r"exactrelu( equivalent)?: error: .*\n", found.stderr)


@pytest.mark.parametrize(
    "end", ["os._exit(0)", "os._exit(1)", "os._exit(3)", "os.kill(os.getpid(), 11)", "sys.exit(0)"]
)
def test_a_worker_that_ends_itself(end: str) -> None:
    breaks = f"import os\nfrom exactrelu.cli import main\nmain._work = lambda *_: {end}"
    found = subprocess.run(
        [sys.executable, "-c", BROKEN.format(breaks=breaks)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stdout) == (70, "")


def test_a_worker_whose_stderr_is_gone() -> None:
    """It ends all the same, and runs nothing of its caller's."""
    breaks = (
        "from exactrelu.cli import main\n"
        "class Gone:\n"
        "    def flush(self): raise OSError\n"
        "def work(*_):\n"
        "    sys.stderr = Gone()\n"
        "    return main.Printed('once\\n', '', 3)\n"
        "main._work = work\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", BROKEN.format(breaks=breaks)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stdout) == (3, "once\n")
