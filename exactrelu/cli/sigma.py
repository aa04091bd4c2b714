"""``exactrelu sigma FILE``: certified bounds of the least singular value of a matrix."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from exactrelu.cli.command import Command, Names, Outcome, add_matrix_arguments
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import Certificate


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_matrix_arguments(parser)
    parser.add_argument(
        "--bound",
        choices=("lower", "upper"),
        default="lower",
        help="which bound the certificate is for (default: lower)",
    )


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.exact.matrix_json import load_matrix
    from exactrelu.questions.singular_values import sigma_min_bounds
    from exactrelu.view.text import number

    bounds = sigma_min_bounds(load_matrix(args.matrix))
    certificates = {"lower": bounds.lower_certificate, "upper": bounds.upper_certificate}
    if args.certificate is not None and certificates[args.bound] is None:
        raise InputError("σ_min ≥ 0 needs no certificate: ask for --bound upper")
    reason = f"{number(bounds.lower)} ≤ σ_min ≤ {number(bounds.upper)}"
    fields = {"lower": str(bounds.lower), "upper": str(bounds.upper)}
    certificate = certificates[args.bound]
    return Outcome(
        reason,
        reason,
        fields,
        certificate,
        certified=() if certificate is None else (args.bound,),
        computed=other_bound(args, certificates),
    )


def other_bound(args: argparse.Namespace, certificates: Mapping[str, Certificate | None]) -> Names:
    """A certificate that is written proves one bound; the other one, if it has one too."""
    other = {"lower": "upper", "upper": "lower"}[args.bound]
    if args.certificate is None or certificates[other] is None:
        return ()
    return (f"the {other} bound (--bound {other})",)


SIGMA = Command(
    "sigma",
    "certified rational bounds of the least singular value of a matrix",
    "exactrelu sigma cases/S002-P10-nonneg-column-rank/full_col.matrix.json",
    _add_arguments,
    _run,
)
