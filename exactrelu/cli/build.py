"""``exactrelu build WHAT WIDTHS -o OUT``: networks with proved properties."""

from __future__ import annotations

import argparse
from pathlib import Path

from exactrelu.cli.command import Command, Outcome


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["non-localizable"], help="the property")
    parser.add_argument("widths", metavar="n0,n1,…", help="the widths, input first")
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="network file to write"
    )
    parser.add_argument("--certificates", metavar="DIR", help="write all certificates to DIR")
    parser.add_argument(
        "--certificate", metavar="FILE", help="write the certificate that the whole is not"
    )


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.errors import InputError
    from exactrelu.network.formats import save
    from exactrelu.questions.identifiability.non_localizable import non_localizable

    try:
        widths = tuple(int(part) for part in args.widths.split(","))
    except ValueError:
        raise InputError(f"widths {args.widths}: expected integers n0,n1,n2,n3,n4") from None
    found = non_localizable(widths)
    save(found.network, args.output)
    lines = [
        f"{args.output}: a network of widths {args.widths}",
        f"  layers 1–3: identifiable, {found.first.reason}",
        f"  layers 2–4: identifiable, {found.second.reason}",
        f"  layers 1–4: not identifiable, {found.whole.reason}",
    ]
    if args.certificates is not None:
        folder = Path(args.certificates)
        folder.mkdir(parents=True, exist_ok=True)
        for name, verdict in found.verdicts.items():
            if verdict.certificate is not None:
                verdict.certificate.save(folder / f"{name}.cert.jsonl")
    reason = "consecutive parts are identifiable, the network is not"
    fields = {"network": str(args.output), "widths": list(widths)}
    return Outcome("\n".join(lines), reason, fields, found.whole.certificate)


BUILD = Command(
    "build",
    "a network with proved properties",
    "exactrelu build non-localizable 3,3,2,2,1 -o network.json",
    _add_arguments,
    _run,
)
