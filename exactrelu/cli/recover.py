"""``exactrelu recover NET``: the parameters of a network from queries alone."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Names, Outcome, add_limits

if TYPE_CHECKING:
    from exactrelu.questions.recovery.recover import Recovery


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file; it is only evaluated")
    parser.add_argument("-o", "--output", metavar="OUT", help="write the recovered network")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="choice of the random lines (default 0)"
    )
    parser.add_argument(
        "--max-counterexamples",
        metavar="N",
        type=int,
        default=24,
        help="go on at most N times from a point where NET and the result differ (default 24; 0: "
        "queries alone)",
    )
    add_limits(parser, "queries")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.network.formats import load, save
    from exactrelu.questions.recovery.recover import recover
    from exactrelu.view.text import count, network_json

    network = load(args.network)
    with counting("queries") as progress:
        found = recover(
            network,
            seed=args.seed,
            timeout=args.timeout,
            max_queries=args.max_queries,
            max_counterexamples=args.max_counterexamples,
            progress=progress,
        )
    lines = [f"recovered: {found.word}, {found.reason}"]
    n = network.n_parameters
    lines.append(f"  {found.n_queries} queries for {n} parameters, {found.n_queries / n:.0f} each")
    if found.n_counterexamples:
        n_points = count(found.n_counterexamples, "point")
        lines.append(f"  {n_points} came from comparing an earlier result with the original")
    for obstruction in found.obstructions:
        fits = "" if obstruction.second is None else " (a second network fits all answers)"
        lines.append(f"  {obstruction.name}: {obstruction.description}{fits}")
    if args.output is not None and found.network is not None:
        save(found.network, args.output)
        lines.append(f"  written to {args.output}")
    fields: dict[str, Any] = {
        "n_queries": found.n_queries,
        "n_counterexamples": found.n_counterexamples,
        "network": network_json(found.network),
        "isomorphic": found.is_isomorphic,
        "obstructions": [
            {"name": o.name, "description": o.description, "second": network_json(o.second)}
            for o in found.obstructions
        ],
    }
    return Outcome.of(found, "\n".join(lines), fields, *_proved(found))


def _proved(found: Recovery) -> tuple[Names, Names]:
    """What the certificate of a recovery proves, and what it does not."""
    certified: Names = ("verdict", "network")
    computed: Names = ()
    if found.is_isomorphic:
        certified += ("isomorphic",)
    elif found.answer:
        computed += ("that it is not isomorphic",)
    if found.obstructions:
        computed += ("what the function does not show",)
    return certified, computed


RECOVER = Command(
    "recover",
    "reconstruct the parameters of a network from queries, and prove the result",
    "exactrelu recover cases/S000-P1-sign-recovery/N.json -o recovered.json",
    _add_arguments,
    _run,
)
