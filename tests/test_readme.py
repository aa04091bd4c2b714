"""The README shows what the program prints: every command in it is run again."""

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from exactrelu_checker.main import main as check

from exactrelu.cli.main import main
from tests.checking import AS_PROGRAMS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PROGRAMS = {} if AS_PROGRAMS else {"exactrelu": main, "exactrelu-check": check}
BLOCKS = re.findall(r"^```\n(\$ .*?)^```$", README, re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder that looks like the project's, for the files that the tour writes."""
    for name in ("cases", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(command: str) -> str:
    """What a command of the tour prints; the programs run in this process, the rest in a shell."""
    own, _, rest = command.partition(" | ")
    name, *arguments = shlex.split(own)
    if name not in PROGRAMS:
        return in_a_shell(command)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        PROGRAMS[name](arguments)
    return (in_a_shell(rest, out.getvalue()) if rest else out.getvalue()) + err.getvalue()


def in_a_shell(command: str, text: str = "") -> str:
    """What a command prints that reads a text."""
    programs = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    run = ["bash", "-c", command]
    found = subprocess.run(
        run, input=text, capture_output=True, text=True, env=environment, check=False
    )
    return found.stdout + found.stderr


def test_the_tour(folder: Path) -> None:
    n_commands = 0
    for block in BLOCKS:
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = step.partition("\n")
            assert shown(command) == expected, command
            n_commands += 1
    assert n_commands >= 8


def test_the_python_tour(folder: Path) -> None:
    source = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert source
    flags = doctest.NORMALIZE_WHITESPACE
    for k, block in enumerate(source):
        test = doctest.DocTestParser().get_doctest(block, {}, f"README {k}", "README.md", 0)
        assert doctest.DocTestRunner(optionflags=flags).run(test).failed == 0


def test_every_command_is_in_the_readme() -> None:
    from exactrelu.cli.main import COMMANDS

    for command in COMMANDS:
        assert f"`{command.name} " in README


def test_every_picture_is_there_and_small() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert len(pictures) >= 5
    for picture in pictures:
        assert 1_000 < (ROOT / picture).stat().st_size < 100_000, picture
