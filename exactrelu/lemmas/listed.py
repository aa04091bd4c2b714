"""The published statements as a list, each with its status: as it is on record, or searched again.

Where a folder is named, each refutation is written there as a case with its certificate, and the
entries of a new search as a record.  A search that is stopped knows the entries so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Listing
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.files import make_folder
from exactrelu.lemmas.examine import Counterexample, examine
from exactrelu.lemmas.record import (
    RECORD,
    STATEMENTS,
    RecordEntry,
    judgement_of,
    known_entry,
    load_record,
    save_case,
    save_record,
    searched,
    statement,
    summary,
)
from exactrelu.lemmas.refutation import class_of
from exactrelu.lemmas.statement import AnyStatement, Statement
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words
from exactrelu.work.crew import shared


def _fields(asked: AnyStatement, entry: RecordEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "source": asked.source,
        "text": asked.text,
        "status": entry.status,
        **class_of(judgement_of(asked, entry)),
        "detail": entry.detail,
        "counterexample": entry.counterexample,
    }


def _lines(found: StatementList, _: Words) -> Iterator[str]:
    """A line for each statement, and for a refuted one its class and the reason."""
    for asked, entry in found.pairs:
        yield f"{entry.status:<15} {entry.id:<36} {asked.source}"
        judgement = judgement_of(asked, entry)
        if judgement is not None:
            yield f"{'':<15} {judgement}"


@dataclass(frozen=True, repr=False)
class StatementList(Listing):
    """Statements that were chosen, and the entries of those that are known so far."""

    PARTS = (
        Part(
            "lemmas",
            "of each statement its `id`, `source`, `text`, `status`, `class` with `class_reason` "
            "and `mended_by`, `detail` and `counterexample`",
            of=lambda found: [_fields(*pair) for pair in found.pairs],
            said=_lines,
        ),
    )
    ITEM = "statement"

    chosen: tuple[AnyStatement, ...]
    entries: tuple[RecordEntry, ...]
    #: Where cases and certificates are written, if they are.
    folder: Path | None = None
    #: Why these are not all, if they are not.
    reason: str = ""
    certificate: Certificate | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all that were chosen have an entry."""
        return not self.reason

    @property
    def pairs(self) -> list[tuple[AnyStatement, RecordEntry]]:
        """Each statement with its entry."""
        return list(zip(self.chosen, self.entries, strict=False))

    @property
    def files(self) -> tuple[str, ...]:
        """The certificates that were written."""
        if self.folder is None:
            return ()
        kept = (_certificate(self.folder, entry.id) for entry in self.entries)
        return tuple(str(path) for path in kept if path.exists())

    def _items(self) -> Sequence[RecordEntry]:
        return self.entries

    def sentence(self, _words: Words = PEOPLE) -> str:
        """How many statements have each status."""
        words = f"statements: {summary(self.pairs)}" if self.pairs else "statements"
        n = len(self.pairs)
        return (
            f"{self.reason}: {n} of {len(self.chosen)} {words}" if self.reason else f"{n} {words}"
        )


@question
def statement_list(
    call: Call[StatementList],
    names: Sequence[str] = (),
    *,
    seconds: float | None = None,
    seed: int = 0,
    folder: Path | None = None,
    **limits: Unpack[Limits],
) -> StatementList:
    """The statements whose ids begin so, or all, and what is on record of each.

    With ``seconds`` they are searched again, each for so long.
    """
    for beginning in names:
        if not any(name.startswith(beginning) for name in STATEMENTS):
            # Names of statements are told there.
            statement(beginning)
    chosen = tuple(s for s in STATEMENTS.values() if not names or s.id.startswith(tuple(names)))
    if seconds is not None:
        return _searched(call, chosen, seconds, seed, folder)
    record = load_record()
    entries = tuple(known_entry(s, record) for s in chosen)
    for pair in zip(chosen, entries, strict=True):
        _keep(folder, *pair, call.effort)
    return StatementList(chosen, entries, folder)


def _searched(
    call: Call[StatementList],
    chosen: tuple[AnyStatement, ...],
    seconds: float,
    seed: int,
    folder: Path | None,
) -> StatementList:
    """Search for each statement, and keep what is found."""
    entries: list[RecordEntry] = []

    def so_far(why: str) -> StatementList:
        return StatementList(chosen, tuple(entries), folder, why)

    call.knows(lambda stopped: so_far(str(stopped)))
    why = ""
    names, work = [s.id for s in chosen], partial(searched, seconds, seed)
    try:
        for entry in shared(work, names, call.effort, describe=str, at_once=True):
            if isinstance(entry, str):
                # The time was not enough for it.
                why = entry
                break
            entries.append(entry)
            _keep(folder, STATEMENTS[entry.id], entry, call.effort)
    except Stopped as over:
        why = str(over)
    if folder is not None:
        make_folder(folder)
        save_record(entries, folder / RECORD)
    return so_far(why)


def _keep(folder: Path | None, asked: AnyStatement, entry: RecordEntry, effort: Effort) -> None:
    """Write a refutation as a case, and its certificate, if there is a folder for it."""
    instance = entry.instance()
    if folder is None or instance is None or not isinstance(asked, Statement):
        return
    effort.spend()
    found = examine(asked, instance)
    if not isinstance(found, Counterexample):
        raise ArithmeticError(f"{entry.id}: the kept instance refutes nothing: a bug")
    save_case(found, folder / "cases" / "lemmas" / entry.id)
    kept = _certificate(folder, entry.id)
    make_folder(kept.parent)
    found.certificate().save(kept)


def _certificate(folder: Path, name: str) -> Path:
    """Where the certificate of a refutation is."""
    return folder / "certificates" / f"{name}.cert.jsonl"
