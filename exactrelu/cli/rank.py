"""``exactrelu rank FILE``: the rank of a rational matrix."""

from __future__ import annotations

import argparse

from exactrelu.cli.command import Command, Outcome, add_matrix_arguments


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.certificates.rank import rank_certificate
    from exactrelu.exact.linear import rank_proof
    from exactrelu.exact.matrix_json import load_matrix
    from exactrelu.view.text import vectors

    A = load_matrix(args.matrix)
    proof = rank_proof(A)
    kernel = proof.kernel.vectors
    reason = f"the {A.n_rows} × {A.n_columns} matrix has rank {proof.rank}"
    fields = {"rank": proof.rank, "kernel": [[str(x) for x in v] for v in kernel]}
    lines = [reason, *vectors("kernel", kernel)]
    certificate = rank_certificate(A, proof)
    return Outcome("\n".join(lines), reason, fields, certificate, certified=("rank", "kernel"))


RANK = Command(
    "rank",
    "rank of a rational matrix, with a basis of its kernel",
    "exactrelu rank cases/S002-P10-nonneg-column-rank/triangle.matrix.json",
    add_matrix_arguments,
    _run,
)
