"""``exactrelu lemmas``: the published statements under test, and what is known of each."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Outcome, positive_number
from exactrelu.cli.refute import class_fields

if TYPE_CHECKING:
    from exactrelu.lemmas.record import Entry
    from exactrelu.lemmas.statement import AnyStatement


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", metavar="LEMMA", nargs="*", help="only these, or with this prefix")
    parser.add_argument("--report", metavar="FILE.html", help="write a page with all of them")
    parser.add_argument(
        "--search",
        metavar="S",
        type=positive_number,
        help="search again, S seconds each, instead of showing the kept record",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of the searches (0)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        help="with --search: write record.json, and a case and a certificate of each refutation",
    )


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.lemmas.catalogue import STATEMENTS, statement
    from exactrelu.lemmas.record import known_entry, load_record, summary
    from exactrelu.view.lemmas_page import save_page

    chosen = [s for s in STATEMENTS.values() if not args.ids or s.id.startswith(tuple(args.ids))]
    if not chosen:
        statement(args.ids[0])
    record = load_record() if args.search is None else {}
    entries = (
        [known_entry(statement, record) for statement in chosen]
        if args.search is None
        else _search(chosen, args)
    )
    pairs = list(zip(chosen, entries, strict=True))
    if args.report is not None:
        save_page(pairs, args.report)
    reason = f"{len(entries)} statements: {summary(pairs)}"
    lines = [line for pair in pairs for line in _lines(*pair)]
    listed = [_object(*pair) for pair in pairs]
    return Outcome("\n".join([*lines, reason]), reason, {"lemmas": listed})


def _lines(statement: AnyStatement, entry: Entry) -> list[str]:
    """A line for the statement, and for a refuted one its class and the reason."""
    from exactrelu.lemmas.record import judgement_of

    line = f"{entry.status:<15} {entry.id:<36} {statement.source}"
    judgement = judgement_of(statement, entry)
    return [line] if judgement is None else [line, f"{'':<15} {judgement}"]


def _object(statement: AnyStatement, entry: Entry) -> dict[str, Any]:
    from exactrelu.lemmas.record import judgement_of

    return {
        "id": entry.id,
        "source": statement.source,
        "text": statement.text,
        "status": entry.status,
        **class_fields(judgement_of(statement, entry)),
        "detail": entry.detail,
        "counterexample": entry.counterexample,
    }


def _search(chosen: list[AnyStatement], args: argparse.Namespace) -> list[Entry]:
    """Search for each statement, and keep what is found."""
    import time
    from pathlib import Path

    from exactrelu.cli.progress import counting
    from exactrelu.lemmas.case import save_case
    from exactrelu.lemmas.record import RECORD, entry_of, save_record, untestable_entry
    from exactrelu.lemmas.search import search
    from exactrelu.lemmas.statement import Untestable

    entries = []
    with counting("instances") as progress:
        for statement in chosen:
            if isinstance(statement, Untestable):
                entries.append(untestable_entry(statement))
                continue
            start = time.monotonic()
            found = search(statement, seconds=args.search, seed=args.seed, progress=progress)
            entries.append(entry_of(found, time.monotonic() - start))
            if args.output is not None and found.counterexample is not None:
                folder = Path(args.output)
                save_case(found.counterexample, folder / "cases" / f"lemma-{statement.id}")
                kept = folder / "certificates"
                kept.mkdir(parents=True, exist_ok=True)
                found.counterexample.certificate().save(kept / f"{statement.id}.cert.jsonl")
    if args.output is not None:
        Path(args.output).mkdir(parents=True, exist_ok=True)
        save_record(entries, Path(args.output) / RECORD)
    return entries


LEMMAS = Command(
    "lemmas",
    "the published statements under test, each with its status",
    "exactrelu lemmas S003 --report lemmas.html",
    _add_arguments,
    _run,
)
