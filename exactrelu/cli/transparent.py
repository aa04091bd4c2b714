"""``exactrelu transparent NET``: has every layer an active unit at every point of a domain?"""

from __future__ import annotations

import argparse

from exactrelu.cli.command import Command, Outcome, add_domain, add_limits


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    add_domain(parser)
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "regions")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.domain import network_on_domain, restriction
    from exactrelu.cli.progress import counting
    from exactrelu.exact.scalar import to_texts
    from exactrelu.questions.transparency import is_transparent
    from exactrelu.view import text

    network, domain, where = network_on_domain(args)
    with counting("cells") as progress:
        verdict = is_transparent(
            network,
            domain,
            max_regions=args.max_regions,
            timeout=args.timeout,
            progress=progress,
        )
    witness, place = None, ""
    if verdict.witness is not None:
        point = verdict.witness.point
        witness = {"layer": verdict.witness.layer, "point": to_texts(point)}
        place = f"\n  x = {text.point(point)}"
    line = f"transparent{where}: {verdict.word}, {verdict.reason}{place}"
    certified = ("verdict",) if witness is None else ("verdict", "witness")
    return Outcome.of(verdict, line, {"witness": witness}, certified, restriction(args))


TRANSPARENT = Command(
    "transparent",
    "has every layer of the network an active unit everywhere on a domain",
    "exactrelu transparent cases/S001-P1-transparent/N.json --domain box:-1,1",
    _add_arguments,
    _run,
)
