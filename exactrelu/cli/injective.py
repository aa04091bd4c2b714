"""``exactrelu injective NET [--layer L]``: is a network, or a layer, one-to-one on a domain?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Outcome, add_limits

if TYPE_CHECKING:
    from exactrelu.network.network import Network


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    parser.add_argument("--layer", metavar="L", type=int, help="which layer, from 1")
    parser.add_argument(
        "--domain",
        metavar="D",
        default="R",
        help="of the inputs of the layer: R, orthant, box:a,b[;a,b…], a polyhedron file, or image "
        "for what the layers before make of --inputs",
    )
    parser.add_argument(
        "--inputs", metavar="D", default="R", help="inputs of the network, with --domain image"
    )
    parser.add_argument(
        "--method",
        choices=("auto", "flats", "tree"),
        default="auto",
        help="how to prove a yes: spans that are reached, cells, or both in turns",
    )
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "regions")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.errors import InputError
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.domain import parse_domain
    from exactrelu.questions.injectivity import is_injective
    from exactrelu.questions.injectivity.cell_pairs import injective_by_pairs
    from exactrelu.questions.injectivity.injective import layer_of
    from exactrelu.questions.injectivity.stage import Stage

    network = load(args.network)
    limits: dict[str, Any] = {"max_regions": args.max_regions, "timeout": args.timeout}
    if args.domain == "image":
        if args.layer is None:
            raise InputError("--domain image: say which layer with --layer")
        layer_of(network, args.layer)
        inputs = parse_domain(args.inputs, network.n_inputs)
        stage = Stage.of(network, inputs, args.layer - 1, args.layer)
        with counting("regions") as progress:
            verdict = injective_by_pairs(stage, **limits, progress=progress)
    else:
        n = network.n_inputs if args.layer is None else layer_of(network, args.layer).n_inputs
        domain = parse_domain(args.domain, n)
        with counting("steps") as progress:
            verdict = is_injective(
                network, args.layer, domain, method=args.method, **limits, progress=progress
            )
    where = "" if args.domain == "R" else f" on {args.domain}"
    name = "" if args.layer is None else f"layer {args.layer} "
    lines = [f"{name}injective{where}: {verdict.word}, {verdict.reason}"]
    fields: dict[str, Any] = {"witness": None}
    if verdict.witness is not None:
        lines += _pair_text(network, args.layer, verdict.witness)
        fields["witness"] = _pair_json(verdict.witness)
    return Outcome.of(verdict, "\n".join(lines), fields)


def _pair_text(network: Network, layer: int | None, points: Any) -> list[str]:
    from exactrelu.cli.text import point

    return [f"  {name} = {point(x)}" for name, x in zip("xy", points, strict=True)]


def _pair_json(points: Any) -> list[list[str]]:
    from exactrelu.exact.scalar import to_texts

    return [to_texts(x) for x in points]


INJECTIVE = Command(
    "injective",
    "is the network, or one of its layers, one-to-one on a domain?",
    "exactrelu injective cases/S003-P1-2n-biased/tight.json --layer 1",
    _add_arguments,
    _run,
)
