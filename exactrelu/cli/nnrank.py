"""``exactrelu nnrank FILE``: rank and nonnegative column rank of a rational matrix."""

from __future__ import annotations

import argparse

from exactrelu.cli.command import Command, Names, Outcome, add_matrix_arguments


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.exact.matrix_json import load_matrix
    from exactrelu.exact.scalar import to_texts
    from exactrelu.questions.nonnegative_rank import nonnegative_column_rank
    from exactrelu.view.text import vectors

    A = load_matrix(args.matrix)
    found = nonnegative_column_rank(A)
    rank = found.rank_proof.rank
    why = "the cone of its nonzero columns is pointed"
    if found.dependency is not None:
        columns = ", ".join(f"{value}·a{j + 1}" for j, value in found.dependency)
        why = f"a positive combination of its columns is 0 ({columns})"
    reason = (
        f"the {A.n_rows} × {A.n_columns} matrix has rank {rank} and "
        f"nonnegative column rank {found.value}: {why}"
    )
    fields = {
        "rank": rank,
        "nonnegative_column_rank": found.value,
        "factors": {
            "left": [to_texts(row) for row in found.left.rows()],
            "right": [to_texts(row) for row in found.right.rows()],
        },
        "dependency": [[j + 1, str(value)] for j, value in found.dependency or ()],
    }
    lines = [
        reason,
        "A = U·B with B ≥ 0:",
        *vectors("  U", found.left.rows()),
        *vectors("  B", found.right.rows()),
    ]
    certified: Names = ("rank", "nonnegative_column_rank", "factors")
    if found.dependency is not None:
        certified += ("dependency",)
    return Outcome("\n".join(lines), reason, fields, found.certificate, certified=certified)


NNRANK = Command(
    "nnrank",
    "rank and nonnegative column rank of a matrix, with the factors",
    "exactrelu nnrank cases/S002-P10-nonneg-column-rank/triangle.matrix.json",
    add_matrix_arguments,
    _run,
)
