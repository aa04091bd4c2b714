"""A line for every command, typed from the arguments that it declares.

What stands for an argument is written here once, by its name; so a command whose arguments have
names that are known is asked whatever every command is asked, without a line for it anywhere.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping

from exactrelu.cli.command import Command
from exactrelu.cli.main import COMMANDS

#: What is typed for an argument that must be given; words in capitals are files of a test.
VALUES: Mapping[str, tuple[str, ...]] = {
    "network": ("NET",),
    "networks": ("NET",),
    "source": ("NET",),
    "a": ("NET",),
    "b": ("OTHER",),
    "target": ("OUT.json",),
    "constraints": ("y1 <= 9",),
    "--at": ("1/2,0",),
    "--value": ("1",),
    "--points": ("POINTS",),
}
#: What else a command cannot do without, or is short by.
MORE: Mapping[str, tuple[str, ...]] = {
    "build": ("identifiable", "2,2,1"),
    "stability": ("--layer", "1"),
    "report": ("--seconds-each", "5"),
}
_SUFFIX = re.compile(r"\.[a-z]{3,}")


def actions(command: Command) -> list[argparse.Action]:
    """The arguments as they are parsed."""
    parser = argparse.ArgumentParser(add_help=False)
    command.add_arguments(parser)
    return parser._actions


def has(command: Command, option: str) -> bool:
    """Whether a command has an option."""
    return any(option in action.option_strings for action in actions(command))


def is_about_a_network(command: Command) -> bool:
    """Whether the first thing that a command is given is a network."""
    first = next((a for a in actions(command) if not a.option_strings), None)
    return first is not None and VALUES.get(first.dest) == ("NET",)


def line_of(command: Command, **values: tuple[str, ...]) -> list[str]:
    """The words after the name of a command, with other values for some arguments."""
    line: list[str] = []
    for action in actions(command):
        is_positional = not action.option_strings
        name = action.dest if is_positional else action.option_strings[-1]
        if action.dest in values:
            given = values[action.dest]
        elif name == "--output" and action.required:
            # Its help names the files that it writes.
            suffix = _SUFFIX.search(action.help or ".json")
            given = ("OUT" if action.metavar == "DIR" or not suffix else f"OUT{suffix.group()}",)
        elif name in VALUES and (is_positional or action.required):
            given = VALUES[name]
        else:
            continue
        line += given if is_positional else (name, *given)
    return [*line, *MORE.get(command.name, ())]


def command(name: str) -> Command:
    """The command of a name."""
    return next(found for found in COMMANDS if found.name == name)
