"""``exactrelu honest NET``: does the breakpoint complex bend wherever layers meet?"""

from __future__ import annotations

import argparse
from typing import Any

from exactrelu.cli.command import Command, Outcome, add_domain, add_limits


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of a question about the faces of a network."""
    parser.add_argument("network", metavar="NET", help="network file")
    add_domain(parser)
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "faces")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.complex import face_json
    from exactrelu.cli.domain import network_on_domain, restriction
    from exactrelu.cli.progress import counting
    from exactrelu.questions.honest import is_honest

    network, domain, where = network_on_domain(args)
    with counting("faces") as progress:
        verdict = is_honest(
            network, domain, max_faces=args.max_faces, timeout=args.timeout, progress=progress
        )
    failures: list[dict[str, Any]] = [
        {**face_json(ridge.face), "layers": sorted(ridge.layers)} for ridge in verdict.witness or ()
    ]
    text = f"honest{where}: {verdict.word}, {verdict.reason}"
    computed = (*restriction(args), *(("which ridge it is",) if failures else ()))
    return Outcome.of(verdict, text, {"failures": failures}, computed=computed)


HONEST = Command(
    "honest",
    "does the breakpoint complex bend wherever layers meet?",
    "exactrelu honest cases/xor/network.json",
    add_arguments,
    _run,
)
