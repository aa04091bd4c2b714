"""The README shows what the program prints: every command in it is run again."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```\n(\$ .*?)^```$", README, re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder that looks like the project's, for the files that the tour writes."""
    for name in ("cases", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_tour(folder: Path) -> None:
    programs = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    n_commands = 0
    for block in BLOCKS:
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = step.partition("\n")
            found = subprocess.run(
                ["bash", "-c", command],
                capture_output=True,
                text=True,
                env=environment,
                check=False,
            )
            assert found.stdout + found.stderr == expected, command
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
