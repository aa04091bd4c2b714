"""``exactrelu cone FILE``: does the cone of the rows of a matrix contain no line?"""

from __future__ import annotations

import argparse
from typing import Any

from exactrelu.cli.command import Command, Outcome, add_matrix_arguments


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.exact.matrix_json import load_matrix
    from exactrelu.exact.scalar import to_texts
    from exactrelu.questions.cone import is_pointed
    from exactrelu.view import text

    generators = load_matrix(args.matrix)
    verdict = is_pointed(generators.rows(), generators.n_columns)
    if verdict.answer:
        shown = f"functional {text.point(verdict.witness)}"
        fields: dict[str, Any] = {"functional": to_texts(verdict.witness)}
    else:
        shown = " + ".join(f"{value}·g{i + 1}" for i, value in verdict.witness) + " = 0"
        fields = {"dependency": [[i + 1, str(value)] for i, value in verdict.witness]}
    lines = [f"pointed: {verdict.word}, {verdict.reason}", f"  {shown}"]
    return Outcome.of(verdict, "\n".join(lines), fields, ("verdict", *fields))


CONE = Command(
    "cone",
    "does the cone of the rows of a matrix contain no line?",
    "exactrelu cone cases/S002-P10-nonneg-column-rank/triangle.matrix.json",
    add_matrix_arguments,
    _run,
)
