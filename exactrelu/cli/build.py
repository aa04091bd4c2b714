"""``exactrelu build WHAT WIDTHS -o OUT``: networks with proved properties."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from exactrelu.cli.build_injective import add_injective_arguments, build_injective
from exactrelu.cli.command import Command, Outcome, add_limits

if TYPE_CHECKING:
    from exactrelu.verdict import Verdict


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", choices=["non-localizable", "identifiable", "injective"], help="the property"
    )
    parser.add_argument("widths", metavar="n0,n1,…", help="the widths, input first")
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="network file to write"
    )
    parser.add_argument(
        "--domain",
        metavar="D",
        help="identifiable: where its function determines the network, box:a,b[;a,b…] or a file "
        "(default box:-1,1)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="another network for each (not all use it)"
    )
    add_injective_arguments(parser)
    parser.add_argument("--certificates", metavar="DIR", help="write all certificates to DIR")
    parser.add_argument(
        "--certificate", metavar="FILE", help="write the certificate of the whole network"
    )
    add_limits(parser)


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.errors import InputError

    try:
        widths = tuple(int(part) for part in args.widths.split(","))
    except ValueError:
        raise InputError(f"widths {args.widths}: expected integers n0,n1,…") from None
    if args.what == "identifiable":
        return _identifiable(args, widths)
    if args.domain is not None:
        raise InputError("--domain: only for identifiable networks")
    if args.what == "injective":
        return build_injective(args, widths)
    return _non_localizable(args, widths)


def _non_localizable(args: argparse.Namespace, widths: tuple[int, ...]) -> Outcome:
    from exactrelu.network.formats import save
    from exactrelu.questions.identifiability.non_localizable import non_localizable

    found = non_localizable(widths)
    save(found.network, args.output)
    lines = [
        f"{args.output}: a network of widths {args.widths}",
        f"  layers 1–3: identifiable, {found.first.reason}",
        f"  layers 2–4: identifiable, {found.second.reason}",
        f"  layers 1–4: not identifiable, {found.whole.reason}",
    ]
    _save_all(args.certificates, found.verdicts)
    reason = "consecutive parts are identifiable, the network is not"
    fields = {"network": str(args.output), "widths": list(widths)}
    parts = "that the parts are identifiable (--certificates DIR)"
    return Outcome(
        "\n".join(lines),
        reason,
        fields,
        found.whole.certificate,
        certified=("widths",),
        computed=() if args.certificates is not None or args.certificate is None else (parts,),
    )


def _identifiable(args: argparse.Namespace, widths: tuple[int, ...]) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.network.formats import save
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.folds.construction import build_identifiable

    where = args.domain or "box:-1,1"
    domain = Domain.of(where, widths[0])
    with counting("masks or faces") as progress:
        found = build_identifiable(
            widths, domain, seed=args.seed, timeout=args.timeout, progress=progress
        )
    save(found.network, args.output)
    lines = [
        f"{args.output}: a network of widths {args.widths}",
        f"  on {where}: {found.verdict.word}, {found.verdict.reason}",
    ]
    if args.certificates is not None:
        _save_all(args.certificates, found.bundle())
    fields = {"network": str(args.output), "widths": list(widths), "domain": where}
    return Outcome.of(found.verdict, "\n".join(lines), fields, ("verdict", "widths"))


def _save_all(folder: str | None, verdicts: Mapping[str, Verdict]) -> None:
    """Write each certificate under its name."""
    if folder is None:
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, verdict in verdicts.items():
        if verdict.certificate is not None:
            verdict.certificate.save(Path(folder) / f"{name}.cert.jsonl")


BUILD = Command(
    "build",
    "a network with proved properties",
    "exactrelu build identifiable 3,3,2,1 --domain box:-1,1 -o network.json",
    _add_arguments,
    _run,
)
