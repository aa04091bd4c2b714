"""All of a claim, for a reader: ``--statement``.

A sentence is for one line, so long lists are shortened in it, and its words are those of
the field. Here nothing is shortened: what is long has a name in the sentence, L1, L2, …,
and stands below it, as the networks, domains, systems, matrices and unions do that the
sentence names; and each word that is not plain has its definition, or the page of ``rules``
that has it.

It is printed of a file that was accepted, and of no other. The claim is read from the file
again, and is the accepted one if its sentence is: a sentence determines its claim.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from typing import Any

from .check import Outcome
from .claims import Book, quotient, read_claim, row_text
from .file import Json, Limits, Proof, Refused
from .main import line_of
from .objects import read_matrix, read_network, read_system

# Patterns of words in sentences, and what they mean; a reader meets them in this order.
_LINES = files(__package__).joinpath("words.txt").read_text(encoding="utf-8").splitlines()
WORDS = tuple(line.split("  =  ") for line in _LINES)


class Whole(Book):
    """The subjects of a sentence in which nothing is shortened."""

    def __init__(self) -> None:
        super().__init__()
        self.below: list[tuple[str, Sequence[str]]] = []

    def name(self, letter: str, value: Any, about: str) -> str:
        """Keep what gets a name."""
        said = super().name(letter, value, about)
        if " " in said:
            self.below.append((said, list(_entries(value))))
        return said

    def short(self, text: str, entries: Sequence[str] = ()) -> str:
        """Give a name to what is long."""
        if text == super().short(text):
            return text
        name = f"L{sum(name[0] == 'L' for name, _ in self.below) + 1}"
        self.below.append((name, entries or [text]))
        return name


def sayer(limits: Limits) -> Callable[[Outcome, bool], str]:
    """Return what says all of a claim that was accepted, and the usual line of another
    file.
    """

    def said(outcome: Outcome, pinned: bool) -> str:
        line = line_of(outcome, pinned)
        if outcome.verdict != "ACCEPTED":
            return line
        try:
            with open(outcome.file, "rb") as stream:
                value = Proof(stream, limits).claim()
            sentence, book = read_claim(value, Book()).sentence, Whole()
        except (OSError, Refused):
            sentence = ""
        if sentence != outcome.claim:
            return f"{line}\n  (the file is another one now: all of its claim is not known)"
        return "\n".join([line, *_statement(value, read_claim(value, book).sentence, book)])

    return said


def _statement(value: Json, sentence: str, book: Whole) -> Iterator[str]:
    yield f"  what was proved: {sentence}"
    for name, entries in book.below:
        yield f"  {name}, {len(entries)} in all:"
        yield from (f"    {entry}" for entry in entries)
    for pattern, meaning in WORDS:
        found = re.search(rf"(?<![\w-])({pattern})(?![\w-])", sentence)
        if found:
            yield f"  {found[0].strip()}: {meaning}"
    facts = value["facts"]["list"] if "facts" in value else []
    kinds = dict.fromkeys([value["kind"], *(fact["kind"] for fact in facts)])
    yield f"  what it means exactly: {', '.join(f'rules/{kind}.md' for kind in kinds)}"


def _entries(value: Json) -> Iterator[str]:
    """Yield the rows of what has a name in a sentence."""
    if "layers" in value:
        for number, layer in enumerate(read_network(value).layers, 1):
            for unit, row in enumerate(layer.rows, 1):
                linear = ", linear" if unit - 1 in layer.linear else ""
                *weights, bias = (quotient(entry, layer.den) for entry in row)
                said = ", ".join(weights) or "none"
                yield f"layer {number}, unit {unit}{linear}: weights {said}; bias {bias}"
    elif "dim" in value:
        yield from (row_text(sense, row) for sense, row in read_system(value).pairs)
    else:
        matrix = read_matrix(value.get("boxes", value))
        yield from (", ".join(quotient(x, matrix.den) for x in row) for row in matrix.rows)
