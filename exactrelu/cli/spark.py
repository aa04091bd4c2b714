"""``exactrelu spark FILE``: the size of the smallest dependent set of rows of a matrix."""

from __future__ import annotations

import argparse

from exactrelu.cli.command import UNDECIDED, Command, Outcome, add_limits, add_matrix_arguments


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_matrix_arguments(parser)
    add_limits(parser, "sets")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.exact.matrix_json import load_matrix
    from exactrelu.questions.injectivity.directed_spanning import spark

    A = load_matrix(args.matrix)
    found = spark(A, max_sets=args.max_sets, timeout=args.timeout)
    fields = {"spark": found.value, "at_least": found.at_least, "rows": found.rows}
    if found.value is not None and found.rows is not None:
        rows = ", ".join(map(str, found.rows))
        reason = f"spark {found.value}: rows {rows} are dependent, and no smaller set"
        return Outcome(reason, reason, fields, found.certificate, certified=tuple(fields))
    if found.at_least > A.n_rows:
        reason = "all rows are independent: there is no dependent set"
        return Outcome(reason, reason, fields, found.certificate, certified=("at_least",))
    reason = f"spark at least {found.at_least}, stopped at a limit"
    computed = ("this bound",)
    return Outcome(reason, reason, fields, None, "undecided", UNDECIDED, computed=computed)


SPARK = Command(
    "spark",
    "the size of the smallest dependent set of rows of a matrix",
    "exactrelu spark cases/S002-P10-nonneg-column-rank/triangle.matrix.json",
    _add_arguments,
    _run,
)
