"""``exactrelu conjecture FILE.py``: a user's own statement under the same search."""

from __future__ import annotations

import argparse

from exactrelu.cli.command import Command, Names, Outcome
from exactrelu.cli.refute import add_search_arguments, search_outcome


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE.py",
        help="a Python program with functions hypotheses and conclusion; it is run",
    )
    add_search_arguments(parser)


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.lemmas.refute import refute_conjecture

    with counting("instances") as progress:
        verdict = refute_conjecture(
            args.file, seconds=args.seconds, seed=args.seed, progress=progress
        )
    # The checker knows the facts of a counterexample, not the program that asked for them.
    computed: Names = ("that these facts refute the statement",)
    found = verdict.witness.counterexample
    if found is not None and len(found.fact_certificates()) <= len(found.hypotheses):
        computed = ("facts that are a plain bool", *computed)
    return search_outcome(verdict, args, (), computed)


CONJECTURE = Command(
    "conjecture",
    "search a counterexample to a statement of your own",
    "exactrelu conjecture my_lemma.py --seconds 30",
    _add_arguments,
    _run,
)
