"""``exactrelu eval NET --at x1,x2,…``: exact value, pattern and local affine map."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Outcome
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.network.evaluate import Evaluation
    from exactrelu.network.network import Network


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    parser.add_argument(
        "--at",
        metavar="X1,X2,…",
        action="append",
        required=True,
        help="a point: integers, fractions or decimals; repeat it for several points",
    )
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate of one value")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.certificates.value import value_certificate
    from exactrelu.exact.scalar import vector
    from exactrelu.network.evaluate import trace_batch
    from exactrelu.network.formats import load

    if args.certificate is not None and len(args.at) > 1:
        raise InputError("--certificate proves the value at one point: give --at once")
    network = load(args.network)
    points = [vector(at.split(","), f"--at {at}") for at in args.at]
    evaluations = trace_batch(network, points)
    described = [_describe(network, evaluation) for evaluation in evaluations]
    reason = f"exact values of {network.name or 'the network'} at {len(points)} point(s)"
    text = "\n".join(text for text, _ in described)
    if len(points) > 1:
        computed = ("all of this (a certificate is about one point)",)
        return Outcome(text, reason, {"points": [f for _, f in described]}, computed=computed)
    return Outcome(
        text,
        reason,
        described[0][1],
        value_certificate(network, evaluations[0]),
        certified=("point", "output", "pattern"),
        computed=("local affine map",),
    )


def _describe(network: Network, evaluation: Evaluation) -> tuple[str, dict[str, Any]]:
    """The text and the JSON fields of one point."""
    from exactrelu.exact.scalar import to_texts
    from exactrelu.network.evaluate import local_affine_map
    from exactrelu.view import text

    pattern = evaluation.pattern
    local = local_affine_map(network, pattern)
    lines = [
        f"f{text.point(evaluation.point)} = {text.point(evaluation.output)}",
        f"  pattern  {text.pattern(pattern)}",
        *(f"  locally  {line}" for line in text.affine_map(local)),
    ]
    if any(s == 0 for layer in pattern for s in layer):
        lines.append("  note     a preactivation is exactly 0: x lies on a breakpoint candidate")
    fields = {
        "point": to_texts(evaluation.point),
        "output": to_texts(evaluation.output),
        "pattern": text.pattern_numbers(pattern),
        "jacobian": [to_texts(row) for row in local.matrix.rows()],
        "offset": to_texts(local.offset),
    }
    return "\n".join(lines), fields


EVAL = Command(
    "eval",
    "exact value at a point, activation pattern, local affine map",
    "exactrelu eval cases/xor/network.json --at 1,-1",
    _add_arguments,
    _run,
)
