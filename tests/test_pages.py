"""The pages show what the programs print: every example of README.md and docs/ is run again.

    python -m tests.test_pages --write [PAGE…]

writes what they print now into the pages, all of them or those that are named.

An example is a line ``$ command`` and what it prints, in a block that is marked ``console``, or in
an unmarked one that begins with ``$``; or a line ``>>> …`` in a block marked ``python`` or
``pycon``.  Those of a page are run in their order, in one fresh folder with ``cases`` and ``tests``
in it; names of Python live until the end of the page.  A command line goes on after a backslash,
and knows the exit code of the one before it as ``$?``.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from exactrelu_checker.main import main as check

from exactrelu.cli.main import main
from tests.checking import AS_PROGRAMS

ROOT = Path(__file__).parents[1]
PROGRAMS = {} if AS_PROGRAMS else {"exactrelu": main, "exactrelu-check": check}
#: How wide a terminal the programs see.
COLUMNS = "100"

#: Also the first of an item of a list.
_FENCE = re.compile(r"( *(?:(?:[-*]|\d+\.) +)?)(`{3,}|~{3,})([^`]*)$")
#: A word with one of these outside quotes is for a shell; "box:-2,3;-2,2" is not.
_SHELL = re.compile(r"[;&<>*?$`~{|]")
_PICTURE = re.compile(r"!\[[^]]+\]\(([^)]+)\)")


@dataclass(frozen=True)
class Example:
    """A command or a statement, and what a page says that it prints.

    ``start`` and ``end`` are the lines of the page, from 0, between which that stands, and
    ``margin`` is what stands before each of them.
    """

    source: str
    expected: str
    start: int
    end: int
    margin: str
    python: doctest.Example | None = None

    def __str__(self) -> str:
        prompt = "$" if self.python is None else ">>>"
        return f"line {self.start}: {prompt} {self.source.rstrip()}"


def examples(text: str) -> Iterator[Example]:
    """The examples of a page."""
    lines = text.splitlines()
    ends: list[str] = []
    k = 0
    while k < len(lines):
        fence = _FENCE.match(lines[k])
        k += 1
        if fence is None:
            continue
        if ends and lines[k - 1] == ends[-1]:
            ends.pop()
            continue
        if fence[3].strip().startswith("{"):
            # A directive of Sphinx: blocks inside it are blocks.
            ends.append(" " * len(fence[1]) + fence[2])
            continue
        margin, first = " " * len(fence[1]), k
        while k < len(lines) and lines[k] != margin + fence[2]:
            k += 1
        body = [line.removeprefix(margin) for line in lines[first:k]]
        k += 1
        kind = fence[3].strip()
        if kind in ("python", "pycon"):
            yield from _statements(body, first, margin)
        elif kind == "console" or (not kind and body and body[0].startswith("$ ")):
            yield from _commands(body, first, margin)


def _commands(body: list[str], first: int, margin: str) -> Iterator[Example]:
    k = 0
    while k < len(body):
        assert body[k].startswith("$ "), f"line {first + k + 1}: expected $ and a command"
        command = body[k].removeprefix("$ ")
        k += 1
        while command.endswith("\\"):
            command = f"{command[:-1].rstrip()} {body[k].strip()}"
            k += 1
        start = k
        while k < len(body) and not body[k].startswith("$ "):
            k += 1
        expected = "".join(f"{line}\n" for line in body[start:k])
        yield Example(command, expected, first + start, first + k, margin)


def _statements(body: list[str], first: int, margin: str) -> Iterator[Example]:
    for found in doctest.DocTestParser().get_examples("\n".join(body) + "\n"):
        start = first + found.lineno + found.source.count("\n")
        end = start + found.want.count("\n")
        inner = margin + " " * found.indent
        yield Example(found.source, found.want, start, end, inner, found)


class Session:
    """A folder that looks like the project's, in which the examples of a page are run."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.status = 0

    def wrong(self, page: list[Example]) -> Iterator[tuple[Example, str]]:
        """The examples that print something else, and what."""
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for name in ("cases", "tests"):
                Path(name).symlink_to(ROOT / name)
            with mock.patch.dict(os.environ, COLUMNS=COLUMNS):
                for example in page:
                    printed = self.printed(example)
                    if printed is not None:
                        yield example, printed

    def printed(self, example: Example) -> str | None:
        """What an example prints, or None where that is what the page says."""
        if example.python is not None:
            return _Recorder().printed(example.python, self.names)
        found = self.shown(example.source)
        return None if found == example.expected else found

    def shown(self, command: str) -> str:
        """What a command prints; the programs run in this process, the rest in a shell.

        What ``exactrelu-check --trust`` lists is what its process has loaded.
        """
        own, _, rest = command.partition(" | ")
        name, *arguments = shlex.split(own, comments=True)
        plain = re.sub(r"'[^']*'|\"[^\"$`]*\"", "", own)
        if name not in PROGRAMS or _SHELL.search(plain) or "--trust" in arguments:
            return self.in_a_shell(command)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                self.status = PROGRAMS[name](arguments)
            except SystemExit as end:
                self.status = int(end.code or 0)
        printed = self.in_a_shell(rest, out.getvalue()) if rest else out.getvalue()
        return printed + err.getvalue()

    def in_a_shell(self, command: str, text: str = "") -> str:
        """What a command prints that reads a text."""
        programs = Path(sys.executable).parent
        environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        run = ["bash", "-c", f"(exit {self.status}); {command}"]
        found = subprocess.run(
            run, input=text, capture_output=True, text=True, env=environment, check=False
        )
        self.status = found.returncode
        return found.stdout + found.stderr


class _Recorder(doctest.DocTestRunner):
    """Keeps what an example printed if that is not what was expected."""

    def __init__(self) -> None:
        super().__init__(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
        self.found: str | None = None

    def printed(self, example: doctest.Example, names: dict[str, Any]) -> str | None:
        test = doctest.DocTest([example], names, "page", None, None, None)
        test.globs = names
        self.run(test, out=lambda _: None, clear_globs=False)
        return self.found

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.found = re.sub(r"^[ ]*$(?=\n)", "<BLANKLINE>", got, flags=re.MULTILINE)

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        kind, error, _ = exc_info
        self.found = f"Traceback (most recent call last):\n    ...\n{kind.__name__}: {error}\n"


def pages() -> dict[str, Path]:
    """All pages by name."""
    written = (p for p in (ROOT / "docs").rglob("*.md") if "_build" not in p.parts)
    found = sorted([*ROOT.glob("*.md"), *written])
    return {path.relative_to(ROOT).as_posix(): path for path in found}


def with_examples(found: Mapping[str, Path]) -> list[str]:
    """The pages with something to run."""
    return [name for name, path in found.items() if any(examples(path.read_text()))]


PAGES = pages()


@pytest.mark.parametrize("name", with_examples(PAGES))
def test_a_page_shows_what_the_programs_print(name: str) -> None:
    text = PAGES[name].read_text()
    page = list(examples(text))
    n_statements = sum(example.python is not None for example in page)
    assert n_statements == len(re.findall(r"^ *>>> ", text, re.MULTILINE)), "not in a python block"
    wrong = list(Session().wrong(page))
    told = [f"{example}\nexpected\n{example.expected}found\n{found}" for example, found in wrong]
    assert not wrong, "\n".join([*told, f"python -m tests.test_pages --write {name}"])


def test_every_picture_is_there_and_small() -> None:
    shown = 0
    for path in PAGES.values():
        for picture in _PICTURE.findall(path.read_text()):
            assert 1_000 < (path.parent / picture).stat().st_size < 100_000, picture
            shown += 1
    assert shown >= 5


def rewritten(text: str) -> tuple[str, int]:
    """A page with what its examples print now, and how many of them print something else."""
    wrong = list(Session().wrong(list(examples(text))))
    lines = text.splitlines()
    for example, found in reversed(wrong):
        new = [f"{example.margin}{line}".rstrip() for line in found.splitlines()]
        lines[example.start : example.end] = new
    return "".join(f"{line}\n" for line in lines), len(wrong)


PAGE = """\
A page.

````{note}
```{usage} regions
```
```console
$ echo 1
```
````

```console
$ echo one \\
    two
one two
$ exactrelu nothing
$ echo $?
2
```

- ```python
  >>> from fractions import Fraction
  >>> Fraction(1, 2)
  1/2
  >>> print("a\\n\\nb")
  ```

```sh
$ not run
```
"""


def test_pages_are_rewritten() -> None:
    found, n_wrong = rewritten(PAGE)
    assert n_wrong == 4
    assert "$ echo 1\n1\n```\n````\n" in found
    usage = "exactrelu: error: no command 'nothing'"
    assert f"$ exactrelu nothing\n{usage}" in found
    assert "$ echo $?\n2\n" in found
    assert "  >>> Fraction(1, 2)\n  Fraction(1, 2)\n" in found
    assert "  a\n  <BLANKLINE>\n  b\n  ```\n" in found
    assert rewritten(found) == (found, 0)


def test_what_is_not_expected_is_noticed() -> None:
    said = next(iter(examples("```console\n$ echo 1\n1\n```\n")))
    assert Session().printed(said) is None
    assert Session().printed(replace(said, expected="2\n")) == "1\n"
    (python,) = examples("```python\n>>> 1 / 0\n1\n```\n")
    assert "ZeroDivisionError" in (Session().printed(python) or "")


def write(names: list[str]) -> None:
    """Write what the examples of pages print now into them."""
    for name in names or with_examples(PAGES):
        path = PAGES[name]
        text, n_changed = rewritten(path.read_text())
        if n_changed:
            path.write_text(text)
            print(f"{name}: {n_changed} changed")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write what examples print now into the pages.")
    parser.add_argument("--write", nargs="*", metavar="PAGE", required=True)
    given = parser.parse_args().write
    if wrong := [name for name in given if name not in PAGES]:
        parser.error(f"no page {wrong[0]!r}")
    write(given)
