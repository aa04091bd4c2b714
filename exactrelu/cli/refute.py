"""``exactrelu refute LEMMA``: an exact counterexample to a published statement."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Names, Outcome, positive_number

if TYPE_CHECKING:
    from exactrelu.lemmas.judgement import Judgement
    from exactrelu.lemmas.search import Search
    from exactrelu.verdict import Verdict


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    """How long to search, from which seed, and where to put what is found."""
    parser.add_argument(
        "--seconds", metavar="S", type=positive_number, default=60.0, help="how long to search (60)"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of the random phase (0)")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    parser.add_argument("-o", "--output", metavar="DIR", help="write the counterexample as a case")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lemma", metavar="LEMMA", help="the id of a statement: exactrelu lemmas")
    add_search_arguments(parser)


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.lemmas.refute import refute

    with counting("instances") as progress:
        verdict = refute(args.lemma, seconds=args.seconds, seed=args.seed, progress=progress)
    return search_outcome(verdict, args, ("verdict", "counterexample"))


def class_fields(judgement: Judgement | None) -> dict[str, str | None]:
    """The class of a refuted statement, the reason, and what mends an edge case, as JSON fields."""
    if judgement is None:
        return {"class": None, "class_reason": None, "mended_by": None}
    return {
        "class": judgement.name,
        "class_reason": judgement.reason,
        "mended_by": judgement.mended_by or None,
    }


def search_outcome(
    verdict: Verdict, args: argparse.Namespace, certified: Names, computed: Names = ()
) -> Outcome:
    """What a search found, as text and as fields; the names are about a counterexample."""
    from pathlib import Path

    from exactrelu.lemmas.case import save_case
    from exactrelu.lemmas.instance_json import instance_object
    from exactrelu.view.text import instance_lines

    found: Search = verdict.witness
    fields: dict[str, Any] = {
        "examined": found.tally.examined,
        "within_hypotheses": found.tally.within,
        "undecided": found.tally.undecided,
        "completed": [level.bound for level in found.completed],
        "counterexample": None,
        **class_fields(None),
    }
    lines = [f"{found.statement.source}: {found.statement.text}", verdict.reason]
    counterexample = found.counterexample
    if counterexample is None:
        lines += [f"  all of {level.bound}: {level.within:,}" for level in found.completed]
        computed = ("that there is none among them",)
    else:
        lines += instance_lines(counterexample.instance)
        lines += [f"  holds: {fact.text}" for fact in counterexample.hypotheses]
        lines.append(f"  FAILS: {counterexample.conclusion.text}")
        fields["counterexample"] = instance_object(counterexample.instance)
        judgement = found.statement.judgement
        fields |= class_fields(judgement)
        if judgement is not None:
            lines.append(str(judgement))
        if args.output is not None:
            save_case(counterexample, Path(args.output))
            lines.append(f"case: {args.output}")
    return Outcome.of(verdict, "\n".join(lines), fields, certified, computed)


REFUTE = Command(
    "refute",
    "an exact counterexample to a published statement, searched and shrunk",
    "exactrelu refute S003-lemma-1 --certificate lemma-1.cert.jsonl",
    _add_arguments,
    _run,
)
