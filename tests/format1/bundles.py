"""The cases of the checker: files, and what it must say about each.

A bundle ``cases/NAME.txt`` holds the cases of one kind of claim and of its opposite::

    # What is special about it.
    == value/xor: accept
    {"claim":{"kind":"value",…},"format":"exactrelu-certificate/1"}
    == value/wrong-signs--zero-called-positive: reject
    from value/xor
    1 "signs":["+0"] → "signs":["++"]
    == limits/out-of-fuel--xor--one-over: limit | --max-fuel 7
    from value/xor

The head of a section has the kind, the name, which begins with the reason code of what is refused,
the verdict and the options of the program. Then follow the lines of the file without its footer,
which is added. ``from`` takes those of an accepted case that is written out, and the lines below
say where this one differs: ``5 OLD → NEW`` replaces the only OLD in line 5, ``5 -`` and ``5-9 -``
leave lines out, ``5 + TEXT`` puts a line before line 5; the numbers are those of the case before
the changes. After ``raw`` stand bytes as Python escapes them, ``\n`` included, and ``times N TEXT``
for many of them: nothing is added. The verdict ``file`` marks a file for an option, ``./NAME``.

    python bundles.py KIND/NAME              prints a file
    python bundles.py KIND/NAME FILE         prints the section of a FILE as changes of a case
    python bundles.py --write FOLDER         writes all files
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from forge import sealed

CASES = Path(__file__).resolve().parent / "cases"
EXIT_CODES = {"accept": 0, "reject": 1, "malformed": 3, "incomplete": 4, "limit": 4, "usage": 2}
VERDICTS = {
    "accept": "ACCEPTED",
    "reject": "REJECTED",
    "malformed": "MALFORMED",
    "incomplete": "INCOMPLETE",
    "limit": "LIMIT",
    "usage": "",
}


@dataclass(frozen=True)
class Case:
    """A section of a bundle."""

    bundle: str
    name: str
    expectation: str
    data: bytes
    arguments: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """What stands before the slash: the kind of claim, as a rule."""
        return self.name.split("/")[0]

    @property
    def code(self) -> str:
        """The reason code; empty for an accepted file and for a usage error."""
        named = self.name.split("/", 1)[1].split("--")[0]
        return "" if self.expectation in ("accept", "usage", "file") else named

    @property
    def verdict(self) -> str:
        """The first word of the line."""
        return VERDICTS[self.expectation]

    @property
    def exit_code(self) -> int:
        """The exit code of the program."""
        return EXIT_CODES[self.expectation]

    def path(self, folder: Path) -> Path:
        """Where ``write`` puts the file."""
        name = self.name.removesuffix(".gz")
        ending = self.name[len(name) :]
        return folder / (name if self.expectation == "file" else f"{name}.cert.jsonl{ending}")

    def write(self, folder: Path) -> Path:
        """Write the file, and return where it is."""
        path = self.path(folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data)
        return path

    def options(self, folder: Path) -> list[str]:
        """Options of the program for this file, with the files that they name below a folder."""
        here = f"{folder / self.kind}{os.sep}"
        return [here + a[2:] if a.startswith("./") else a for a in self.arguments]

    def __str__(self) -> str:
        return self.name


def read(*paths: Path) -> list[Case]:
    """Return the cases of bundles."""
    sections = [(path.stem, *section) for path in paths for section in split(path.read_text())]
    plain = {
        head.split(":")[0]: lines
        for _, head, lines in sections
        if head.split(" ")[1] == "accept" and lines[0][:1] == "{"
    }
    cases = []
    for bundle, head, lines in sections:
        name, expectation, options = re.fullmatch(r"(\S+): (\w+)(?: \| (.*))?", head).groups()  # type: ignore[union-attr]
        if lines[:1] == ["raw"]:
            data = b"".join(map(unescaped, lines[1:]))
        elif expectation == "file":
            data = "".join(f"{line}\n" for line in lines).encode()
        elif lines and lines[0].startswith("from "):
            data = sealed(*changed(plain[lines[0][5:]], lines[1:]))
        else:
            data = sealed(*lines)
        cases.append(Case(bundle, name, expectation, data, tuple(shlex.split(options or ""))))
    return cases


def split(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield head and lines of every section."""
    for section in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        head, *lines = (line for line in section.split("\n") if line and line[:2] != "# ")
        yield head, lines


def unescaped(line: str) -> bytes:
    """Return the bytes that a line of a raw section stands for."""
    times, text = re.fullmatch(r"(?:times (\d+) )?(.*)", line).groups()  # type: ignore[union-attr]
    return text.encode().decode("unicode_escape").encode("latin-1") * int(times or 1)


def changed(base: list[str], changes: Iterable[str]) -> list[str]:
    """Return the lines of another case after changes; line numbers are those of that case."""
    places: list[list[str]] = [[line] for line in base] + [[]]
    for change in changes:
        first, last, what = re.fullmatch(r"(\d+)(?:-(\d+))? (.*)", change).groups()  # type: ignore[union-attr]
        start, end = int(first) - 1, int(last or first)
        if what == "-":
            places[start:end] = [place[:-1] for place in places[start:end]]
        elif what.startswith("+ "):
            places[start].insert(-1 if start < len(base) else len(places[start]), what[2:])
        else:
            old, new = what.split(" → ")
            line = places[start][-1]
            if old not in line or line.find(old) != line.rfind(old):
                raise ValueError(f"line {first} has {'several' if old in line else 'no'} {old}")
            places[start][-1] = places[start][-1].replace(old, new)
    return [line for place in places for line in place]


@cache
def all_cases() -> tuple[Case, ...]:
    """Return every case that is a certificate."""
    return tuple(case for case in everything() if case.expectation != "file")


@cache
def everything() -> tuple[Case, ...]:
    """Return every section of the bundles."""
    return tuple(read(*sorted(CASES.glob("*.txt"))))


def named(name: str) -> Case:
    """Return the case with a name."""
    return next(case for case in everything() if case.name == name)


def as_changes(base: list[str], lines: list[str]) -> Iterator[str]:
    """Yield changes that make lines of a base, whole lines where they are not one place each."""
    matcher = difflib.SequenceMatcher(None, base, lines, autojunk=False)
    for _, a, b, c, d in matcher.get_opcodes():
        if base[a:b] == lines[c:d]:
            continue
        pairs = list(zip(base[a:b], lines[c:d], strict=False))
        for number, (old, new) in enumerate(pairs, start=a + 1):
            yield f"{number} {' → '.join(place(old, new))}"
        if a + len(pairs) < b:
            yield f"{a + len(pairs) + 1}-{b} -"
        yield from (f"{b + 1} + {line}" for line in lines[c + len(pairs) : d])


def place(old: str, new: str) -> tuple[str, str]:
    """Return the part of a line that is changed, long enough to be the only one, and the change."""
    start = common(old, new)
    end = common(old[start:][::-1], new[start:][::-1])
    before, after = max(0, start - 1), max(0, end - 1)
    while True:
        part, other = old[before : len(old) - after], new[before : len(new) - after]
        if old.find(part) == old.rfind(part) and part and other:
            return part, other
        before, after = max(0, before - 4), max(0, after - 1)


def common(one: str, other: str) -> int:
    """Return the length of what two texts begin with."""
    ends = (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(ends, min(len(one), len(other)))


def main(arguments: list[str]) -> None:
    """Print a file or a section, or write all files."""
    if arguments[0] == "--write":
        for case in everything():
            case.write(Path(arguments[1]))
    elif len(arguments) == 1:
        sys.stdout.buffer.write(named(arguments[0]).data)
    else:
        base = named(arguments[0]).data.decode().splitlines()[:-1]
        lines = Path(arguments[1]).read_text().splitlines()[:-1]
        print(f"from {arguments[0]}", *as_changes(base, lines), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
