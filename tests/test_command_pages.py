"""Each command has a page with an example, a word on each option, and all fields of its JSON."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from exactrelu.cli.command import EVERYWHERE, Command
from exactrelu.cli.main import COMMANDS
from tests.test_pages import examples

PAGES = Path(__file__).parents[1] / "docs" / "commands"
#: What every JSON object has; docs/_ext/command_pages.py describes them.
COMMON = {"verdict", "reason", "certificate", "certified"}
_REFERENCE = re.compile(r"^```\{command\} (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)

each_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)


def text_of(command: Command) -> str:
    return (PAGES / f"{command.name}.md").read_text()


def described(text: str) -> list[str]:
    """The names of the fields that a page describes."""
    (reference,) = (body for _, body in _REFERENCE.findall(text))
    return re.findall(r"^(\w+): ", reference, re.MULTILINE)


def listed(command: Command) -> list[str]:
    """The names of what the result of a command has, also where a list is asked for."""
    return [part.name for part in command.parts]


def test_a_page_is_that_of_a_command() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == {"index", *(c.name for c in COMMANDS)}


def test_every_command_is_in_a_family_of_the_index() -> None:
    """Sphinx loads this table, and is not there every day."""
    path = PAGES.parent / "_ext" / "command_pages.py"
    (families,) = (
        ast.literal_eval(line.value)
        for line in ast.parse(path.read_text()).body
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "FAMILIES"
    )
    assert {command.run.__module__.rpartition(".")[2] for command in COMMANDS} == set(families)


@each_command
def test_a_page_has_what_the_command_declares(command: Command) -> None:
    text = text_of(command)
    assert text.startswith(f"# `{command.name}`\n")
    assert f"```{{usage}} {command.name}\n```" in text
    ((name, reference),) = _REFERENCE.findall(text)
    assert name == command.name
    assert re.search(r"^:(yes|done): \S", reference, re.MULTILINE)


@each_command
def test_a_page_has_an_example(command: Command) -> None:
    commands = [example.source for example in examples(text_of(command))]
    assert any(line.startswith(f"exactrelu {command.name} ") for line in commands)


@each_command
def test_a_page_has_a_word_on_each_option(command: Command) -> None:
    """What is written by hand has: here, or for options of many commands on the page of all."""
    written = _BLOCK.sub("", text_of(command) + (PAGES / "index.md").read_text())
    missing = [
        option
        for given in (*command.arguments, *EVERYWHERE)
        for option in given.names[-1:]
        if option.startswith("--")
        and not any(re.search(rf"`[^`]*{name}\b(?!-)", written) for name in given.names)
    ]
    assert missing == []


@each_command
def test_a_page_describes_the_fields(command: Command) -> None:
    """Those that are declared; those of every example are compared where it is run."""
    names = described(text_of(command))
    assert len(names) == len(set(names))
    # What a result declares has its words there.
    assert set(names).isdisjoint(part.name for part in command.parts)
    assert set(command.given_fields) - COMMON <= set(names)
