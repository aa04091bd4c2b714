"""What became of all questions about some networks: verdicts, files, what the checker says of them.

Each file has a claim of its own, or all the claims about a network; there is no certificate of all
of them.  A run whose time is over knows the verdicts so far, and which questions were not asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Listing
from exactrelu.public.journal import Certified
from exactrelu.questions.catalogue import Asked, is_open
from exactrelu.words import PEOPLE, Words, count

#: What becomes of a question.
_WORDS = ("yes", "no", "undecided", "not asked", "left out")
#: The file in the folder with all verdicts.
SUMMARY = "summary.json"


def _number(word: str, about: str) -> Part:
    """How many questions have a word."""
    return Part(f"n_{word.replace(' ', '_')}", about, of=lambda found: found.number(word))


def _claims(found: CertifiedNetworks) -> tuple[str, ...]:
    """The sentences, where the checker said each of them."""
    is_proved = found.files and len(found.accepted) == len(found.files)
    return ("claim",) if is_proved and not found.together else ()


@dataclass(frozen=True, repr=False)
class CertifiedNetworks(Listing):
    """The verdicts about some networks, with the files of their certificates.

    ``is_complete`` if every question that applies has an answer and the checker accepts every file;
    else ``reason`` says what is missing.
    """

    PARTS = (
        Part("n_certificates", "number of certificates", of=lambda found: len(found.files)),
        Part("n_accepted", "how many the checker accepted", of=lambda found: len(found.accepted)),
        Part(
            "n_questions",
            "how many questions the catalogue has for these networks, the sum of the next five",
            of=len,
        ),
        _number("yes", "how many are answered yes"),
        _number("no", "how many are answered no"),
        _number("undecided", "how many are undecided"),
        _number("not asked", "how many were not asked, as the time was over"),
        _number("left out", "how many are too large, or not about such networks"),
        Part(
            "summary",
            "of each question `network`, `question`, `verdict`, `reason`, `certificate` and "
            "`claim`",
            proved=_claims,
        ),
    )

    folder: Path
    entries: tuple[Certified, ...]
    #: What the checker says of each file.
    results: Mapping[str, Any] = field(default_factory=dict)
    #: Whether a file has all claims about a network.
    together: bool = False
    #: Why the files were not checked, if they were not.
    unchecked: str = ""
    #: What the checker ended with.
    exit_code: int = 0
    #: Whether there is a summary in the folder: not if the work was ended from outside.
    is_summed_up: bool = True
    certificate: Certificate | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """The certificates, each once."""
        written = (entry.certificate for entry in self.entries if entry.certificate is not None)
        return tuple(dict.fromkeys(written))

    @property
    def accepted(self) -> frozenset[str]:
        """The files that the checker accepts."""
        return frozenset(self._said_of("verdict", "ACCEPTED"))

    @property
    def dear(self) -> tuple[str, ...]:
        """The files that take more fuel than the checker has by default."""
        return tuple(self._said_of("code", "out-of-fuel"))

    def _said_of(self, name: str, value: str) -> Iterator[str]:
        return (path for path in self.files if self.results.get(path, {}).get(name) == value)

    @property
    def missing(self) -> list[str]:
        """What was not done, or is not answered, in words."""
        unchecked = [f"not checked: {self.unchecked}"] if self.unchecked else []
        return [*unanswered(self.entries), *unchecked]

    @property
    def reason(self) -> str:
        """What is missing; nothing if it is complete."""
        is_refused = len(self.accepted) < len(self.files)
        refused = ["the checker does not accept every certificate"] if is_refused else []
        return next(iter([*self.missing, *refused]), "")

    @property
    def is_complete(self) -> bool:
        """Whether every question that applies has an answer, and every file is accepted."""
        return not self.reason

    @property
    def word_told(self) -> str | None:
        """Undecided, if something is missing and nothing is wrong."""
        return "undecided" if self.missing and self.exit_code in (0, 3) else None

    @property
    def _has_proof(self) -> bool:
        return True

    @property
    def summary(self) -> list[dict[str, Any]]:
        """All questions; the sentence of a file with all claims would stand at each of them."""
        claims: dict[str | None, Any] = {
            path: None if self.together else self.results.get(path, {}).get("claim")
            for path in self.files
        }
        return [{**vars(entry), "claim": claims.get(entry.certificate)} for entry in self.entries]

    def number(self, word: str) -> int:
        """How many questions became that."""
        return _number_of(self.entries, word)

    def sentence(self, _words: Words = PEOPLE) -> str:
        """How many files are accepted, and what is missing."""
        n, m = len(self.files), len(self.accepted)
        accepted = f"the independent checker accepted {m:,} of {count(n, 'certificate')}"
        return "; ".join([accepted, *self.missing])

    def told(self, _question: str, words: Words) -> list[str]:
        """A table of the questions, what is left out and why, and what was accepted."""
        place = f"; summary in {self.folder / SUMMARY}" if self.is_summed_up else ""
        ending = f"{self.sentence(words)}{place}"
        return [*self._table(), "", *self._left_out(), ending]

    def _table(self) -> Iterator[str]:
        """One line for each kind of question: how many networks, verdicts, accepted files."""
        words = [*_WORDS[:3], *(word for word in _WORDS[3:] if self.number(word))]
        head = "".join(f"{word:>11}" for word in ("networks", *words, "accepted"))
        yield f"{'question':<22}{head}"
        families: dict[str, list[Certified]] = {}
        for entry in self.entries:
            families.setdefault(re.sub(r"-W[0-9]+$", "", entry.question), []).append(entry)
        for family, entries in families.items():
            numbers = [
                len({entry.network for entry in entries}),
                *(_number_of(entries, word) for word in words),
                sum(entry.certificate in self.accepted for entry in entries),
            ]
            yield f"{family:<22}" + "".join(f"{number:>11,}" for number in numbers)

    def _left_out(self) -> list[str]:
        """Which questions are left out, a line for each reason."""
        names: dict[str, dict[str, None]] = {}
        for entry in self.entries:
            if entry.verdict == "left out":
                names.setdefault(entry.reason, {})[entry.question] = None
        return [f"left out: {', '.join(asked)}: {reason}" for reason, asked in names.items()]

    def _items(self) -> Sequence[Certified]:
        return self.entries

    def _headline(self) -> str:
        n, m = len(self.files), len(self.accepted)
        return f"Certified: {m} of {count(n, 'certificate')} accepted"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield from ((entry.question, f"{entry.verdict}: {entry.reason}") for entry in self.entries)


def _number_of(entries: Iterable[Certified], word: str) -> int:
    return sum(entry.verdict == word for entry in entries)


def unanswered(entries: Sequence[Certified | Asked]) -> list[str]:
    """The questions that apply and have no answer, in words: how many, and the first reason."""
    kinds: dict[str, list[str]] = {}
    for entry in entries:
        if is_open(entry.verdict, entry.reason):
            kinds.setdefault(entry.verdict, []).append(entry.reason)
    return [f"{count(len(r), 'question')} {word}: {r[0]}" for word, r in kinds.items()]
