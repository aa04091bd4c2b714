"""What stands on a page: the answers with what the checker says of them, and the pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Found
from exactrelu.display import Shown
from exactrelu.questions.catalogue import Asked
from exactrelu.view.report.explorer import Explorer
from exactrelu.words import PEOPLE, Words, count


@dataclass(frozen=True, repr=False)
class CheckedAnswer(Shown):
    """An answer, the name of its certificate file, and what the checker says of it."""

    asked: Asked
    file: str | None
    line: str

    @property
    def is_accepted(self) -> bool:
        """Whether the checker accepted the certificate."""
        return self.line.startswith("ACCEPTED")


def _number(name: str, about: str, is_one: Callable[[CheckedAnswer], Any]) -> Part:
    """How many of the answers are so."""
    return Part(name, about, of=lambda found: sum(map(bool, map(is_one, found.checked))))


@dataclass(frozen=True, repr=False)
class Report(Found):
    """What stands on the page."""

    PARTS = (
        Part("output", "the page", of=lambda found: str(found.path)),
        _number("n_verdicts", "number of questions", lambda e: e.asked.verdict != "left out"),
        _number("n_undecided", "how many are undecided", lambda e: e.asked.verdict == "undecided"),
        _number(
            "n_left_out",
            "how many are too large, or not about such networks",
            lambda e: e.asked.verdict == "left out",
        ),
        _number(
            "n_certificates",
            "number of certificates in the page",
            lambda e: e.file is not None,
        ),
        _number("n_accepted", "how many the checker accepted", lambda e: e.is_accepted),
        Part("n_regions", "number of regions of each picture"),
    )

    path: Path
    checked: tuple[CheckedAnswer, ...]
    explorer: Explorer
    #: Why the certificates were not checked, if they were not.
    unchecked: str = ""

    @property
    def n_regions(self) -> list[int | None]:
        """The number of regions of each picture, None where there is none."""
        scenes = (part.scene for part in self.explorer.slices)
        return [None if scene is None else len(scene.cells) for scene in scenes]

    @property
    def are_accepted(self) -> bool:
        """Whether the checker accepted every certificate."""
        return all(entry.is_accepted for entry in self.checked if entry.file is not None)

    @property
    def reason(self) -> str:
        """What was not done, in words, since the time of the whole was over."""
        late = [e.asked.reason for e in self.checked if e.asked.verdict == "not asked"]
        parts = [f"{count(len(late), 'question')} not asked: {late[0]}"] if late else []
        return ", ".join([*parts, *([f"not checked: {self.unchecked}"] if self.unchecked else [])])

    def sentence(self, _words: Words = PEOPLE) -> str:
        """What was drawn, asked and accepted, and what was not done."""
        known = {part.name: part.value(self) for part in self.PARTS}
        drawn = count(len(self.n_regions), "slice")
        if len(self.n_regions) == 1:
            (n,) = self.n_regions
            drawn = "no picture" if n is None else count(n, "region")
        undecided, left_out = known["n_undecided"], known["n_left_out"]
        more = f", {undecided} undecided" if undecided else ""
        if left_out:
            more += f"; {count(left_out, 'question')} left out, with the reasons"
        late = f"; {self.reason}" if self.reason else ""
        return (
            f"{self.path}: {drawn}; {count(known['n_verdicts'], 'verdict')}{more}; the checker "
            f"accepted {known['n_accepted']} of {count(known['n_certificates'], 'certificate')}"
            f"{late}"
        )

    def _headline(self) -> str:
        n = sum(entry.is_accepted for entry in self.checked)
        more = f", {self.unchecked}" if self.unchecked else ""
        return f"Report: {len(self.checked)} questions, {n} certificates accepted{more}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        for entry in self.checked:
            yield entry.asked.question, entry.line or "no certificate"
