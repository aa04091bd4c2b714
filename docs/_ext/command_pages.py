"""The pages of commands: what their declarations say, beside what is written by hand.

Nothing is generated into files.  ``docs/commands/NAME.md`` is written by hand and has two
directives, which are filled from ``exactrelu.cli.main.COMMANDS`` when the site is built, so that
they cannot grow old::

    ```{usage} regions
    ```
    ```{command} regions
    :yes: …            what exit code 0 means, if it is a question; else ``:done:``
    :no: …             what exit code 1 means
    :undecided: …      what exit code 3 means, if it is not the usual
    text: …            a field of the JSON object in words, which the result does not declare
    ```

The index has ``{commands}``: a table of all of them by family.  The page of answers has
``{answers}``: the parts that results declare.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from reference import function_of
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from exactrelu.answer import Part
from exactrelu.cli.command import EVERYWHERE, Command
from exactrelu.cli.given import CommandArgument
from exactrelu.cli.main import COMMANDS, INTERNAL_ERROR, INTERRUPTED

BY_NAME = {command.name: command for command in COMMANDS}
#: The files of ``exactrelu/cli`` with the commands of a family, in the order of the index.
FAMILIES = {
    "reading": "Networks, files and values",
    "networks": "Networks, files and values",
    "cells": "Regions, faces and genericity",
    "folds": "Folds and identifiability",
    "architectures": "Folds and identifiability",
    "pairs": "Two networks",
    "properties": "Properties and queries",
    "injectivity": "One-to-one",
    "fibers": "Fibers",
    "queries": "Points and black boxes",
    "linear": "Matrices and polyhedra",
    "lemmas": "Statements of papers, and your own",
    "documents": "Pictures, pages and certificates",
    "pins": "Pictures, pages and certificates",
}
#: Fields of every JSON object.
FIELDS = {
    "reason": "a sentence",
    "certificate": "the path of the certificate that was written, or null",
    "certified": "the names of the fields that the certificate proves",
}
VERDICT = {"verdict": "`yes`, `no` or `undecided`"}
UNDECIDED = {"verdict": "`undecided` where a bound was reached; else it is left out"}


def family(command: Command) -> str:
    """The family of a command."""
    return FAMILIES[command.run.__module__.rpartition(".")[2]]


def usage(command: Command, width: int = 84) -> str:
    """The usage as ``--help`` has it, in lines that fit on a page."""
    parser = argparse.ArgumentParser(prog=f"exactrelu {command.name}", add_help=False)
    command.add_arguments(parser)
    line = " ".join(parser.format_usage().removeprefix("usage: ").split())
    # An option and its value stay together.
    joined = re.sub(r"\[[^]]*\]", lambda option: option[0].replace(" ", "\0"), line)
    wrap = textwrap.TextWrapper(
        width, subsequent_indent=" " * 4, break_on_hyphens=False, break_long_words=False
    )
    return wrap.fill(joined).replace("\0", " ")


def _row(*cells: str) -> str:
    escaped = (cell.replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _argument(given: CommandArgument) -> str:
    """A row of the table of arguments."""
    options = given.options
    shown = options.get("metavar") or "|".join(map(str, options.get("choices", ())))
    names = ", ".join(f"`{name}`" for name in given.names)
    is_option = given.names[0].startswith("-")
    called = f"{names} `{shown}`" if is_option and shown else names if is_option else f"`{shown}`"
    words = (options.get("help") or "").replace("%%", "%")
    return _row(called, words + (" (required)" if options.get("required") else ""))


def _table(rows: list[str]) -> str:
    return "\n".join(["| | |", "|---|---|", *rows])


class Usage(SphinxDirective):
    """How the command is called, and the function of the same question."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        command = BY_NAME[self.arguments[0]]
        summary = command.summary[:1].upper() + command.summary[1:]
        text = (
            f"{summary}{'' if summary.endswith('?') else '.'}\n\n```text\n{usage(command)}\n```\n"
        )
        function = function_of(command.name)
        if function is not None:
            text += f"\nIn Python: {{py:obj}}`er.{function} <exactrelu.{function}>`\n"
        return self.parse_text_to_nodes(text)


class CommandReference(SphinxDirective):
    """Arguments, exit codes, fields."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = dict.fromkeys(
        ("yes", "no", "done", "undecided"), directives.unchanged_required
    )

    def run(self) -> list[nodes.Node]:
        command = BY_NAME[self.arguments[0]]
        arguments = _table([_argument(a) for a in (*command.arguments, *EVERYWHERE)])
        text = "\n\n".join(
            [
                "```{rubric} Arguments\n```",
                arguments,
                "```{rubric} Exit codes\n```",
                _table(list(self._exit_codes())),
                "```{rubric} Fields of the JSON object\n```",
                _table([_row(f"`{name}`", words) for name, words in self._fields().items()]),
            ]
        )
        return self.parse_text_to_nodes(text)

    def _exit_codes(self) -> Iterator[str]:
        if "done" in self.options:
            yield _row("0", f"done: {self.options['done']}")
        else:
            yield _row("0", f"yes: {self.options['yes']}")
        if "no" in self.options:
            yield _row("1", f"no: {self.options['no']}")
        yield _row("2", "bad input or usage: one line on stderr says what was found, and where")
        bound = "a bound was reached, or something is missing; what is known is told"
        yield _row("3", f"undecided: {self.options.get('undecided', bound)}")
        yield _row(f"{INTERNAL_ERROR}, {INTERRUPTED}", "an error of exactrelu itself; interrupted")

    def _fields(self) -> dict[str, str]:
        command = BY_NAME[self.arguments[0]]
        own = {part.name: part.about for part in command.parts}
        own |= dict(line.split(": ", 1) for line in self.content if line.strip())
        return {**(VERDICT if "yes" in self.options else UNDECIDED), **FIELDS, **own}


class Commands(SphinxDirective):
    """All commands by family, with a line each."""

    def run(self) -> list[nodes.Node]:
        # Summaries may change without this page.
        self.env.note_reread()
        parts = []
        for title in dict.fromkeys(FAMILIES.values()):
            rows = [
                _row(
                    f"[`{command.name}`]({command.name}.md)", command.summary, self._python(command)
                )
                for command in COMMANDS
                if family(command) == title
            ]
            parts.append(f"```{{rubric}} {title}\n```")
            parts.append("\n".join(["| command | | Python |", "|---|---|---|", *rows]))
        ordered = [
            c.name
            for title in dict.fromkeys(FAMILIES.values())
            for c in COMMANDS
            if family(c) == title
        ]
        parts.append("\n".join(["```{toctree}", ":hidden:", "", *ordered, "```"]))
        return self.parse_text_to_nodes("\n\n".join(parts))

    def _python(self, command: Command) -> str:
        function = function_of(command.name)
        link = f"{{py:obj}}`er.{function} <exactrelu.{function}>`"
        return "" if function is None else link


def _proved(part: Part) -> str:
    """Whether a certificate proves a part."""
    where = f", `{part.claim}` of the claim" if part.claim else ""
    if callable(part.proved):
        return f"it depends{where}"
    if isinstance(part.proved, tuple):
        return ", ".join(f"`{entry}`" for entry in part.proved)
    return f"proved{where}" if part.proved else ""


class Answers(SphinxDirective):
    """The parts of the answer to every command that declares them."""

    def run(self) -> list[nodes.Node]:
        # Declarations may change without this page.
        self.env.note_reread()
        found = []
        for command in COMMANDS:
            if not command.parts:
                continue
            rows = [_row(f"`{p.name}`", p.about, _proved(p)) for p in command.parts]
            found.append(f"```{{rubric}} {command.name}\n```")
            found.append("\n".join(["| part | | |", "|---|---|---|", *rows]))
        return self.parse_text_to_nodes("\n\n".join(found))


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives."""
    app.add_directive("usage", Usage)
    app.add_directive("command", CommandReference)
    app.add_directive("commands", Commands)
    app.add_directive("answers", Answers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
