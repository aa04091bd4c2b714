"""``exactrelu injective NET [--layer L]``: is a network, or a layer, one-to-one on a domain?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import NO, YES, Command, Names, Outcome, add_limits
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.network.network import Layer


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
    parser.add_argument(
        "--at", metavar="X", help="ask only whether the rows active at the point X span"
    )
    parser.add_argument(
        "--shortcuts", action="store_true", help="what the named theorems say of the layer on R^n"
    )
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "regions")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.injectivity import is_injective
    from exactrelu.questions.injectivity.cell_pairs import injective_by_pairs
    from exactrelu.questions.injectivity.injective import layer_of
    from exactrelu.questions.injectivity.stage import Stage

    network = load(args.network)
    if args.at is not None or args.shortcuts:
        if args.layer is None:
            raise InputError("--at and --shortcuts are about a layer: say which with --layer")
        chosen = layer_of(network, args.layer)
        return _at(chosen, args) if args.at is not None else _shortcuts(chosen, args)
    limits: dict[str, Any] = {"max_regions": args.max_regions, "timeout": args.timeout}
    if args.domain == "image":
        if args.layer is None:
            raise InputError("--domain image: say which layer with --layer")
        layer_of(network, args.layer)
        inputs = Domain.of(args.inputs, network.n_inputs)
        stage = Stage.of(network, inputs, args.layer - 1, args.layer)
        with counting("regions") as progress:
            verdict = injective_by_pairs(stage, **limits, progress=progress)
    else:
        n = network.n_inputs if args.layer is None else layer_of(network, args.layer).n_inputs
        domain = Domain.of(args.domain, n)
        with counting("steps") as progress:
            verdict = is_injective(
                network, args.layer, domain, method=args.method, **limits, progress=progress
            )
    where = "" if args.domain == "R" else f" on {args.domain}"
    name = "" if args.layer is None else f"layer {args.layer} "
    lines = [f"{name}injective{where}: {verdict.word}, {verdict.reason}"]
    fields: dict[str, Any] = {"witness": None}
    certified: Names = ("verdict",)
    if verdict.witness is not None:
        lines += _pair_text(verdict.witness)
        fields["witness"] = _pair_json(verdict.witness)
        certified += ("witness",)
    return Outcome.of(verdict, "\n".join(lines), fields, certified)


def _at(layer: Layer, args: argparse.Namespace) -> Outcome:
    from exactrelu.questions.injectivity.directed_spanning import active_rows

    found = active_rows(layer.weights, layer.bias, args.at.split(","))
    spans = found.proof.rank == layer.n_inputs
    names = ", ".join(str(i + 1) for i in found.rows) or "none"
    reason = f"active rows {names}, of rank {found.proof.rank} in R^{layer.n_inputs}"
    line = f"spanning at ({args.at}): {'yes' if spans else 'no'}, {reason}"
    fields = {"active": [i + 1 for i in found.rows], "rank": found.proof.rank}
    word, code = ("yes", YES) if spans else ("no", NO)
    return Outcome(
        line,
        reason,
        fields,
        found.certificate,
        word,
        code,
        certified=("rank",),
        computed=("which rows are active",),
    )


def _shortcuts(layer: Layer, args: argparse.Namespace) -> Outcome:
    from exactrelu.questions.injectivity.shortcuts import shortcuts

    words = {True: "injective", False: "not injective", None: "says nothing"}
    results = shortcuts(layer.weights, layer.bias, args.timeout)
    lines = [f"{r.name}\n  {words[r.answer]}, {r.reason}" for r in results]
    fields = {
        "shortcuts": [{"name": r.name, "answer": r.answer, "reason": r.reason} for r in results]
    }
    computed = ("what the theorems say (without --shortcuts the answer is proved)",)
    return Outcome("\n".join(lines), "named results", fields, computed=computed)


def _pair_text(points: Any) -> list[str]:
    from exactrelu.view.text import point

    return [f"  {name} = {point(x)}" for name, x in zip("xy", points, strict=True)]


def _pair_json(points: Any) -> list[list[str]]:
    from exactrelu.exact.scalar import to_texts

    return [to_texts(x) for x in points]


INJECTIVE = Command(
    "injective",
    "is the network, or one of its layers, one-to-one on a domain?",
    "exactrelu injective cases/S003-P1-2n-biased/tight.json --layer 1 --domain box:-1,1",
    _add_arguments,
    _run,
)
