"""Commands about published statements, and the search for counterexamples to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from exactrelu.cli.command import CERTIFICATE, WORKERS, Ask, argument, command, output, seed
from exactrelu.cli.given import positive_number
from exactrelu.cli.outcome import Outcome

if TYPE_CHECKING:
    from exactrelu.lemmas.listed import StatementList
    from exactrelu.lemmas.refutation import StatementRefutation

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
    asks="lemmas.listed.statement_list",
    example="S003 --report lemmas.html",
)
def lemmas(ask: Ask) -> Outcome:
    """The published statements under test, each with its status."""
    from exactrelu.view.lemmas_page import save_page

    args = ask.args
    shown = ask.showing(_listed(ask))
    found: StatementList = args.command.question(
        args.ids,
        seconds=args.search,
        seed=args.seed,
        folder=None if args.output is None else Path(args.output),
        effort=ask.effort,
    )
    if args.report is not None:
        with ask.effort.knowing(lambda stop: replace(found, reason=f"{stop}: no page")):
            save_page(found.pairs, args.report, ask.effort)
    return shown(found)


def _listed(ask: Ask) -> Callable[[StatementList], Outcome]:
    return lambda found: replace(ask.told(found), files=found.files)


@command(
    argument("lemma", metavar="LEMMA", help="the id of a statement: exactrelu lemmas"),
    _SEARCH,
    asks="lemmas.record.refute",
    example="S003-lemma-1 --certificate lemma-1.cert.jsonl",
)
def refute(ask: Ask) -> Outcome:
    """An exact counterexample to a published statement, searched and shrunk."""
    return _sought(ask, ask.args.lemma)


def _sought(ask: Ask, statement: str) -> Outcome:
    """Search for a counterexample, and write it as a case."""
    from exactrelu.lemmas.record import save_case

    args, folder = ask.args, ask.args.output
    shown = ask.showing(ask.told)
    options = {"seconds": args.seconds, "seed": args.seed, "effort": ask.effort}
    found: StatementRefutation = args.command.question(statement, **options)
    told, counterexample = shown(found), found.search.counterexample
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
    asks="lemmas.record.refute_conjecture",
    example="my_lemma.py --seconds 30",
)
def conjecture(ask: Ask) -> Outcome:
    """Search a counterexample to a statement of your own."""
    return _sought(ask, ask.args.file)
