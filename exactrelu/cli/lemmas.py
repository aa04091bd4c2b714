"""Commands about published statements, and the search for counterexamples to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import CERTIFICATE, WORKERS, Ask, argument, command, output, seed
from exactrelu.cli.given import positive_number
from exactrelu.cli.outcome import Outcome, done, stopped
from exactrelu.files import make_folder

if TYPE_CHECKING:
    from exactrelu.effort import Stopped
    from exactrelu.lemmas.examine import Counterexample
    from exactrelu.lemmas.record import RecordEntry
    from exactrelu.lemmas.refutation import StatementRefutation
    from exactrelu.lemmas.statement import AnyStatement

#: How long to search, from which seed, and where to put what is found.
_SEARCH = (
    argument(
        "--seconds",
        metavar="S",
        type=positive_number,
        help="how long to search (60, or until --timeout)",
    ),
    seed("of the random phase (0)"),
    CERTIFICATE,
    output("write the counterexample as a case", "DIR"),
    *WORKERS,
)


@command(
    argument("ids", metavar="LEMMA", nargs="*", help="only these, or with this prefix"),
    argument("--report", metavar="OUT", help="write a page with all of them: .html"),
    argument(
        "--search",
        metavar="S",
        type=positive_number,
        help="search again, S seconds each, instead of showing the kept record",
    ),
    seed("of the searches (0)", needs="--search"),
    output(
        "write a case and a certificate of each refutation, with --search record.json too", "DIR"
    ),
    WORKERS,
    fields="lemmas",
    example="S003 --report lemmas.html",
)
def lemmas(ask: Ask) -> Outcome:
    """The published statements under test, each with its status."""
    from exactrelu.lemmas.record import STATEMENTS, known_entry, load_record, statement
    from exactrelu.view.lemmas_page import save_page

    args = ask.args
    for beginning in args.ids:
        if not any(name.startswith(beginning) for name in STATEMENTS):
            # Names of statements are told there.
            statement(beginning)
    chosen = [s for s in STATEMENTS.values() if not args.ids or s.id.startswith(tuple(args.ids))]
    shown = ask.showing(partial(_listed, chosen))
    if args.search is None:
        record = load_record()
        found = _SearchesSoFar([known_entry(statement, record) for statement in chosen])
        if args.output is not None:
            _keep_again(ask, chosen, found.entries)
    else:
        found = _searched(ask, chosen)
    if args.report is not None:
        pairs = list(zip(chosen, found.entries, strict=False))
        with ask.effort.knowing(lambda stop: _SearchesSoFar(found.entries, f"{stop}: no page")):
            save_page(pairs, args.report, ask.effort)
    outcome = shown(found)
    if args.output is None:
        return outcome
    kept = (_certificate(Path(args.output), entry.id) for entry in found.entries)
    return replace(outcome, files=tuple(str(path) for path in kept if path.exists()))


@dataclass
class _SearchesSoFar:
    """The entries so far, and why they are not all."""

    entries: list[RecordEntry]
    stopped: str = ""


def _keep_again(ask: Ask, chosen: list[AnyStatement], entries: list[RecordEntry]) -> None:
    """Write the refutations of the kept record."""
    from exactrelu.lemmas.examine import Counterexample, examine
    from exactrelu.lemmas.statement import Statement

    for statement, entry in zip(chosen, entries, strict=True):
        instance = entry.instance()
        if instance is None or not isinstance(statement, Statement):
            continue
        ask.effort.spend()
        found = examine(statement, instance)
        if not isinstance(found, Counterexample):
            raise ArithmeticError(f"{entry.id}: the kept instance refutes nothing: a bug")
        _keep(found, Path(ask.args.output))


def _keep(found: Counterexample, folder: Path) -> None:
    """Write a counterexample as a case, and its certificate."""
    from exactrelu.lemmas.record import save_case

    name = found.statement.id
    save_case(found, folder / "cases" / "lemmas" / name)
    kept = _certificate(folder, name)
    make_folder(kept.parent)
    found.certificate().save(kept)


def _certificate(folder: Path, name: str) -> Path:
    """Where the certificate of a refutation is."""
    return folder / "certificates" / f"{name}.cert.jsonl"


def _listed(chosen: list[AnyStatement], found: _SearchesSoFar) -> Outcome:
    from exactrelu.lemmas.record import summary

    pairs = list(zip(chosen, found.entries, strict=False))
    lines = [line for pair in pairs for line in _statement_lines(*pair)]
    fields = [_statement_fields(*pair) for pair in pairs]
    words = f"statements: {summary(pairs)}" if pairs else "statements"
    if found.stopped:
        reason = f"{found.stopped}: {len(pairs)} of {len(chosen)} {words}"
        return stopped(reason, lines, lemmas=fields)
    reason = f"{len(pairs)} {words}"
    return done(reason, [*lines, reason], lemmas=fields)


def _statement_lines(statement: AnyStatement, entry: RecordEntry) -> list[str]:
    """A line for the statement, and for a refuted one its class and the reason."""
    from exactrelu.lemmas.record import judgement_of

    line = f"{entry.status:<15} {entry.id:<36} {statement.source}"
    judgement = judgement_of(statement, entry)
    return [line] if judgement is None else [line, f"{'':<15} {judgement}"]


def _statement_fields(statement: AnyStatement, entry: RecordEntry) -> dict[str, Any]:
    from exactrelu.lemmas.record import judgement_of
    from exactrelu.lemmas.refutation import class_of

    return {
        "id": entry.id,
        "source": statement.source,
        "text": statement.text,
        "status": entry.status,
        **class_of(judgement_of(statement, entry)),
        "detail": entry.detail,
        "counterexample": entry.counterexample,
    }


def _searched(ask: Ask, chosen: list[AnyStatement]) -> _SearchesSoFar:
    """Search for each statement, and keep what is found."""
    from exactrelu.effort import Stopped
    from exactrelu.lemmas.record import RECORD, STATEMENTS, save_record

    args = ask.args
    folder = None if args.output is None else Path(args.output)
    searched = _SearchesSoFar([])

    def known(stopped: Stopped) -> _SearchesSoFar:
        return _SearchesSoFar(searched.entries, str(stopped))

    with ask.effort.knowing(known):
        try:
            for entry in _entries(ask, chosen):
                if isinstance(entry, str):
                    searched.stopped = entry
                    break
                searched.entries.append(entry)
                if folder is not None:
                    _keep_again(ask, [STATEMENTS[entry.id]], [entry])
        except Stopped as over:
            searched.stopped = str(over)
    if folder is not None:
        make_folder(folder)
        save_record(searched.entries, folder / RECORD)
    return searched


def _entries(ask: Ask, chosen: list[AnyStatement]) -> Iterator[RecordEntry | str]:
    """The entry of each statement, in order, up to one that the time was not enough for."""
    from exactrelu.lemmas.record import searched
    from exactrelu.work.crew import shared

    names = [statement.id for statement in chosen]
    work = partial(searched, ask.args.search, ask.args.seed)
    return shared(work, names, ask.effort, describe=str, at_once=True)


@command(
    argument("lemma", metavar="LEMMA", help="the id of a statement: exactrelu lemmas"),
    _SEARCH,
    result="lemmas.refutation.StatementRefutation",
    example="S003-lemma-1 --certificate lemma-1.cert.jsonl",
)
def refute(ask: Ask) -> Outcome:
    """An exact counterexample to a published statement, searched and shrunk."""
    from exactrelu.lemmas.record import refute

    args = ask.args
    shown = ask.showing(ask.told)
    verdict = refute(args.lemma, seconds=args.seconds, seed=args.seed, effort=ask.effort)
    return _kept(ask, verdict, shown(verdict))


def _kept(ask: Ask, found: StatementRefutation, told: Outcome) -> Outcome:
    """The same, once a counterexample is written as a case."""
    from exactrelu.lemmas.record import save_case

    folder, counterexample = ask.args.output, found.search.counterexample
    if folder is None:
        return told
    if counterexample is None:
        return replace(told, fields={**told.fields, "case": None})
    save_case(counterexample, Path(folder))
    return replace(told.saying(f"case: {folder}"), fields={**told.fields, "case": folder})


@command(
    argument(
        "file",
        metavar="FILE.py",
        help="a Python program with functions hypotheses and conclusion; it is run",
    ),
    _SEARCH,
    result="lemmas.refutation.OwnRefutation",
    example="my_lemma.py --seconds 30",
)
def conjecture(ask: Ask) -> Outcome:
    """Search a counterexample to a statement of your own."""
    from exactrelu.lemmas.record import refute_conjecture

    args = ask.args
    shown = ask.showing(ask.told)
    verdict = refute_conjecture(args.file, seconds=args.seconds, seed=args.seed, effort=ask.effort)
    return _kept(ask, verdict, shown(verdict))
