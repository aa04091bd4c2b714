"""What is known about each statement: the record of the last searches, kept with the package.

The record is no proof: a refuted statement has its certificate in ``proofs/certificates/lemmas``,
and the tests search again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from exactrelu.files import atomic_write
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.instance_json import instance_object, instance_of
from exactrelu.lemmas.judgement import CLASSES, Judgement
from exactrelu.lemmas.search import Search
from exactrelu.lemmas.statement import AnyStatement, Statement, Untestable

RECORD = "record.json"


@dataclass(frozen=True)
class Entry:
    """The status of a statement, in the words of the interface, and what stands behind it.

    ``detail`` is a sentence; ``counterexample`` the instance as JSON, if there is one.
    """

    id: str
    status: str
    detail: str
    counterexample: dict[str, Any] | None = None

    def instance(self) -> Instance | None:
        """The counterexample as an instance."""
        return None if self.counterexample is None else instance_of(self.counterexample)


def entry_of(found: Search, seconds: float) -> Entry:
    """The entry of a statement after a search that took so long."""
    name = found.statement.id
    if found.counterexample is not None:
        instance = found.counterexample.instance
        numbers, _ = instance.size()
        detail = (
            f"refuted after {found.tally.examined:,} instances in {seconds:.1f} s "
            f"({found.phase}), shrunk to {numbers} numbers"
        )
        return Entry(name, found.status, detail, instance_object(instance))
    detail = f"no counterexample in {found.tally.within:,} instances within the hypotheses"
    settled = [level for level in found.completed if level.within and not level.undecided]
    if settled:
        detail += "; all of " + "; ".join(f"{level.bound} ({level.within:,})" for level in settled)
    return Entry(name, found.status, detail)


def untestable_entry(statement: Untestable) -> Entry:
    """The entry of a statement that no search can settle."""
    return Entry(statement.id, "untestable", statement.why)


def load_record() -> dict[str, Entry]:
    """The kept entries by id."""
    text = files("exactrelu.lemmas").joinpath(RECORD).read_text(encoding="utf-8")
    return {fields["id"]: Entry(**fields) for fields in json.loads(text)}


def known_entry(statement: AnyStatement, record: dict[str, Entry]) -> Entry:
    """The entry of a statement, ``open`` if nobody has searched yet."""
    if isinstance(statement, Untestable):
        return untestable_entry(statement)
    return record.get(statement.id, Entry(statement.id, "open", "not searched yet"))


def judgement_of(statement: AnyStatement, entry: Entry) -> Judgement | None:
    """What a refutation says about the paper; None for what is not refuted, or not judged yet."""
    if entry.status != "refuted" or not isinstance(statement, Statement):
        return None
    return statement.judgement


def summary(pairs: Sequence[tuple[AnyStatement, Entry]]) -> str:
    """How many statements have each status, and the refuted ones by class."""
    statuses = Counter(entry.status for _, entry in pairs)
    judgements = [judgement_of(*pair) for pair in pairs if pair[1].status == "refuted"]
    classes = Counter("not judged" if j is None else j.name for j in judgements)
    by_class = ", ".join(
        f"{classes[name]} {name}" for name in (*CLASSES, "not judged") if classes[name]
    )
    return ", ".join(
        f"{statuses[status]} {status}" + (f" ({by_class})" if status == "refuted" else "")
        for status in sorted(statuses)
    )


def save_record(entries: Iterable[Entry], path: Path) -> None:
    """Write a record, a line for each statement."""
    lines = ",\n".join(json.dumps(asdict(entry), ensure_ascii=False) for entry in entries)
    atomic_write(path, f"[\n{lines}\n]\n".encode())
