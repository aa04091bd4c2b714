"""The cases of the checker: files, and what it must say about each.

A bundle ``cases/MODULE.txt`` has sections::

    == name: accept
    {"claim":{…},"format":"exactrelu-certificate/2"}
    by cells
    == other: reject region-count | --max-fuel 100
    from name
    1 "count":1 → "count":2

After the verdict comes the code (after ``accept`` what is trusted, NOTHING, which may be left out),
then options of the program; after ``--ledger`` come the accepted cases of the bundle that are in
the ledger. The footer is added. ``from`` takes
the lines of an accepted case of the bundle; ``5 OLD → NEW`` replaces the only OLD in line 5, ``5
-`` leaves it out, ``5 + TEXT`` puts a line before it. In ``file.txt`` a section may be ``raw``:
then follow Python expressions, each the bytes of a part of the file; SEALED is the file of the
case named by ``from``, GZIP(SEALED) the same compressed, GZIP(SEALED, 99) to 99 bytes by a long
name in its header. Elsewhere ``0{99}`` is 99 zeros, ``( 0 1){9}`` nine pairs.

``python tests/checker/bundles.py BUNDLE/NAME`` prints a file.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import hashlib
import json
import os
import re
import shlex
import sys
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path

CASES = Path(__file__).resolve().parent / "cases"
_PROGRAM = Path(__file__).resolve().parents[2] / "proofs" / "exactrelu_checker" / "__init__.py"
VERSION = _PROGRAM.read_text(encoding="utf-8").split('__version__ = "')[1].partition('"')[0]
_REPEATED = re.compile(r"(\([^)]*\)|.)\{(\d+)\}")
VERDICTS = {
    "accept": "ACCEPTED",
    "reject": "REJECTED",
    "malformed": "MALFORMED",
    "incomplete": "INCOMPLETE",
    "limit": "LIMIT",
}


@dataclass(frozen=True)
class Case:
    """A section of a bundle: a file, the options, and what the checker must say."""

    bundle: str
    name: str
    verdict: str
    code: str
    trusts: str
    options: tuple[str, ...]
    lines: tuple[str, ...]
    data: bytes
    ledger: str = ""

    def arguments(self, path: Path) -> list[str]:
        """The options and the file, which lies at a path; the ledger is written anew beside it."""
        if "--ledger" not in self.options:
            return [*self.options, str(path)]
        ledger = path.with_suffix(f".{os.getpid()}")
        ledger.write_text(self.ledger, encoding="ascii")
        at = self.options.index("--ledger") + 1
        return [*self.options[:at], str(ledger), *self.options[at:], str(path)]

    @property
    def line(self) -> str:
        """The line of a ledger about this file."""
        claim = json.loads(self.lines[0])["claim"]
        text = json.dumps(claim, sort_keys=True, separators=(",", ":"))
        digests = (hashlib.sha256(data).hexdigest() for data in (text.encode(), self.data))
        return f"{' '.join(digests)} {VERSION}\n"


def sealed(lines: tuple[str, ...] | list[str]) -> bytes:
    """The bytes of a file: the lines and their footer."""
    text = "".join(f"{line}\n" for line in lines).encode()
    return text + f"end {len(lines):x} {hashlib.sha256(text).hexdigest()}\n".encode()


@cache
def cases() -> dict[str, Case]:
    """All cases by bundle/name."""
    found: dict[str, Case] = {}
    for path in sorted(CASES.glob("*.txt")):
        for section in ("\n" + path.read_text(encoding="utf-8")).split("\n== ")[1:]:
            case = _case(path.stem, section, found)
            key = f"{case.bundle}/{case.name}"
            if key in found:
                raise ValueError(f"two cases {key}")
            found[key] = case
    return found


def _case(bundle: str, section: str, known: dict[str, Case]) -> Case:
    head, *body = section.rstrip("\n").split("\n")
    head, _, options = head.partition(" | ")
    name, _, verdict = head.partition(": ")
    word, _, code = verdict.partition(" ")
    lines = [_REPEATED.sub(_repeated, line) for line in body if not line.startswith("#")]
    base: tuple[str, ...] = ()
    if lines and lines[0].startswith("from "):
        base = known[f"{bundle}/{lines.pop(0)[5:]}"].lines
    if lines and lines[0] == "raw":
        data = b"".join(_part(line, sealed(base)) for line in lines[1:])
    else:
        base = _changed(base, lines) if base else tuple(lines)
        data = sealed(base)
    code, trusts = ("", code) if word == "accept" else (code, "")
    chosen, named, ledger = shlex.split(options), [], ""
    if "--ledger" in chosen:
        at = chosen.index("--ledger") + 1
        named = list(takewhile(lambda word: not word.startswith("--"), chosen[at:]))
        parts = [known[f"{bundle}/{part}"] for part in named]
        if any(part.verdict != "ACCEPTED" for part in parts):
            raise ValueError(f"{name}: what is in a ledger is accepted")
        ledger = "".join(part.line for part in parts)
        del chosen[at : at + len(named)]
    return Case(bundle, name, VERDICTS[word], code, trusts, tuple(chosen), base, data, ledger)


def _repeated(found: re.Match[str]) -> str:
    return found[1].strip("()") * int(found[2])


def _part(expression: str, whole: bytes) -> bytes:
    """The bytes of SEALED, SEALED[a:b], GZIP(SEALED), or a literal."""
    if expression.startswith("GZIP"):
        packed = gzip.compress(whole, mtime=0)
        call, _, stop = expression.rstrip("]").partition("[:")
        _, _, size = call.strip("GZIP()").partition(", ")
        name = b"n" * (int(size) - len(packed) - 1) + b"\0" if size else b""
        packed = packed[:3] + bytes([8 if name else 0]) + packed[4:10] + name + packed[10:]
        return packed[: int(stop) if stop else None]
    if expression.startswith("SEALED"):
        start, _, stop = expression[6:].strip("[]").partition(":")
        return whole[int(start) if start else None : int(stop) if stop else None]
    literal, _, times = expression.partition(" * ")
    value = ast.literal_eval(literal)
    return bytes(value) * int(times or 1)


def _changed(base: tuple[str, ...], changes: list[str]) -> tuple[str, ...]:
    """The lines of a case after changes, whose numbers are those before."""
    lines: dict[int, list[str]] = {i: [line] for i, line in enumerate(base, 1)}
    lines[len(base) + 1] = []
    for change in changes:
        number, _, what = change.partition(" ")
        at = lines[int(number)]
        if what == "-":
            at.pop()
        elif what.startswith("+ "):
            at.insert(0, what[2:])
        else:
            old, _, new = what.partition(" → ")
            if at[-1].count(old) != 1:
                raise ValueError(f"{at[-1].count(old)} times {old!r} in {at[-1]!r}")
            at[-1] = at[-1].replace(old, new)
    return tuple(line for number in sorted(lines) for line in lines[number])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the bytes of a case to stdout.")
    parser.add_argument("name", metavar="BUNDLE/NAME")
    known, name = cases(), parser.parse_args().name
    if name not in known:
        parser.error(f"no case {name!r}")
    sys.stdout.buffer.write(known[name].data)
