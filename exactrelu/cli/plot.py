"""``exactrelu plot NET -o F.svg``: the picture of a network, or of a training run."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import (
    UNDECIDED,
    Command,
    Outcome,
    add_domain_or_union,
    add_limits,
    add_slice,
)
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.view.scene import Scene


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", nargs="?", metavar="NET", help="network file")
    parser.add_argument(
        "--training", metavar="DIR", help="animate the network files of a folder, sorted by name"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="file to write: .svg, .png or .pdf; of --training .gif or .html",
    )
    add_domain_or_union(parser)
    add_slice(parser)
    parser.add_argument(
        "--show",
        metavar="PANELS",
        default="complex",
        help="some of complex,dual,folds,dependency (default: complex)",
    )
    parser.add_argument(
        "--colour",
        metavar="C",
        default="pattern",
        help="colour regions by pattern (default) or by affine map",
    )
    add_limits(parser, "regions")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.complex.search import LimitReached
    from exactrelu.view.text import count

    if (args.network is None) == (args.training is None):
        raise InputError("give a network file, or --training and a folder")
    with counting("regions") as progress:
        options: dict[str, Any] = {
            "show": args.show.split(","),
            "colour": args.colour,
            "max_regions": args.max_regions,
            "timeout": args.timeout,
            "progress": progress,
        }
        try:
            if args.training is not None:
                return _training(args, options)
            return _one(args, options)
        except LimitReached as stopped:
            found = count(stopped.n_cells, "region")
            reason = f"stopped at a limit after {found}: nothing was drawn"
            return Outcome(reason, reason, verdict="undecided", exit_code=UNDECIDED)


def _one(args: argparse.Namespace, options: dict[str, Any]) -> Outcome:
    from exactrelu.cli.domain import flat_words, network_on_domain_or_union
    from exactrelu.view.plot import plot

    network, domain, where = network_on_domain_or_union(args)
    found = plot(network, args.output, domain, **options)
    note = flat_words(domain, certified=False)
    text = f"{args.output}: {_described(found)}{where}{note}"
    return Outcome(text, text, {"output": args.output, **_fields(found)})


def _training(args: argparse.Namespace, options: dict[str, Any]) -> Outcome:
    from exactrelu.cli.domain import on_domain_or_union
    from exactrelu.view.animation import animate, checkpoints
    from exactrelu.view.text import count

    loaded = checkpoints(args.training)
    placed = {name: on_domain_or_union(args, network) for name, network in loaded.items()}
    networks = {name: network for name, (network, _, _) in placed.items()}
    _, domain, where = next(iter(placed.values()))
    scenes = animate(networks, args.output, domain, **options)
    numbers = [len(found.cells) for found in scenes]
    text = (
        f"{args.output}: {count(len(scenes), 'checkpoint')}, "
        f"{min(numbers)} to {max(numbers)} regions{where}"
    )
    frames = [
        {"checkpoint": name, **_fields(found)} for name, found in zip(networks, scenes, strict=True)
    ]
    return Outcome(text, text, {"output": args.output, "frames": frames})


def _described(found: Scene) -> str:
    from exactrelu.view.text import count, number

    hidden = sum(not wall.is_visible for wall in found.walls)
    unseen = f" ({hidden} not visible)" if hidden else ""
    sides = " × ".join(f"[{number(a)}, {number(b)}]" for a, b in found.window.sides)
    regions, facets = count(len(found.cells), "region"), count(len(found.walls), "facet")
    return f"{regions}, {facets}{unseen} in {sides}"


def _fields(found: Scene) -> dict[str, Any]:
    from exactrelu.exact.scalar import to_texts

    return {
        "n_regions": len(found.cells),
        "n_facets": len(found.walls),
        "n_invisible_facets": sum(not wall.is_visible for wall in found.walls),
        "window": [to_texts(side) for side in found.window.sides],
    }


PLOT = Command(
    "plot",
    "regions, bent hyperplanes, folds and dual points as a picture (SVG, PNG, PDF)",
    "exactrelu plot cases/xor/network.json -o xor.svg",
    _add_arguments,
    _run,
)
