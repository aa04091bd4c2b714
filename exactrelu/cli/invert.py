"""``exactrelu invert NET --value y1,y2,…``: a point with this output, or a proof of none."""

from __future__ import annotations

import argparse
from typing import Any

from exactrelu.cli.command import Command, Names, Outcome, add_domain, add_limits


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    parser.add_argument("--value", metavar="y1,y2,…", required=True, help="the output wanted")
    add_domain(parser)
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "regions")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.domain import network_on_domain, restriction
    from exactrelu.cli.progress import counting
    from exactrelu.exact.scalar import to_texts, vector
    from exactrelu.questions.injectivity.inversion import invert
    from exactrelu.view import text

    network, domain, where = network_on_domain(args)
    wanted = vector(args.value.split(","), "--value")
    with counting("regions") as progress:
        verdict = invert(
            network,
            wanted,
            domain,
            max_regions=args.max_regions,
            timeout=args.timeout,
            progress=progress,
        )
    place = ""
    certified: Names = ("verdict",)
    computed = restriction(args)
    fields: dict[str, Any] = {"point": None, "is_unique": None}
    if verdict.witness is not None:
        place = f": x = {text.point(verdict.witness.point)}"
        fields = {
            "point": to_texts(verdict.witness.point),
            "is_unique": verdict.witness.is_unique,
        }
        certified = ("verdict", "point")
        if not domain.is_everywhere:
            # The certificate is about the value at the point.
            certified = ("point",)
            computed += ("that x lies in the domain",)
        if verdict.witness.is_unique:
            computed += ("that there is no other point",)
    line = f"value {text.point(wanted)} taken{where}: {verdict.word}, {verdict.reason}{place}"
    return Outcome.of(verdict, line, fields, certified, computed)


INVERT = Command(
    "invert",
    "a point that the network takes to a given output, or a proof that there is none",
    "exactrelu invert cases/xor/network.json --value 1",
    _add_arguments,
    _run,
)
