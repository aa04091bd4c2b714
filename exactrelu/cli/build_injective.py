"""``exactrelu build injective n,m -o OUT``: layers that are one-to-one, with their proof."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from exactrelu.cli.command import Outcome
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.network.network import Layer


def add_injective_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``build injective``."""
    parser.add_argument(
        "--matrix", metavar="B", help="injective: the rows of B and their opposites, from a file"
    )
    parser.add_argument(
        "--scales",
        metavar="d1,d2,…",
        help="injective: [B; −DB] with this diagonal, all 1 if left out",
    )
    parser.add_argument(
        "--complete",
        metavar="W",
        help="injective: the rows of W and the fewest opposite rows that make it so, from a file",
    )


def build_injective(args: argparse.Namespace, widths: tuple[int, ...]) -> Outcome:
    """Build the layer, prove it injective, and write it as a network."""
    from exactrelu.network.formats import save
    from exactrelu.questions.injectivity import is_injective
    from exactrelu.questions.injectivity.construction import as_network

    layer, words = _layer(args, widths)
    network = as_network(layer)
    if network.widths[: len(widths)] != widths:
        found = ",".join(map(str, network.widths[:2]))
        raise InputError(f"widths {args.widths}: the layer has {found}, inputs and rows")
    verdict = is_injective(network, 1, timeout=args.timeout)
    save(network, args.output)
    text = f"{args.output}: {words}\n  layer 1 injective: {verdict.word}, {verdict.reason}"
    fields = {"network": str(args.output), "widths": list(network.widths)}
    return Outcome.of(verdict, text, fields, ("verdict", "widths"))


def _layer(args: argparse.Namespace, widths: tuple[int, ...]) -> tuple[Layer, str]:
    from exactrelu.exact.matrix_json import load_matrix
    from exactrelu.exact.scalar import ZERO, vector
    from exactrelu.network.network import Layer
    from exactrelu.questions.injectivity.construction import (
        completion,
        minimal_layer,
        random_injective_layer,
    )

    if args.complete is not None:
        given = load_matrix(args.complete)
        completed = completion(Layer.of(given, [ZERO] * given.n_rows), timeout=args.timeout)
        if completed is None:
            raise InputError("no completion was found in time")
        return completed.layer, f"{completed.n_added} rows added to {args.complete}"
    if args.matrix is not None:
        scales = None if args.scales is None else vector(args.scales.split(","), "--scales")
        return minimal_layer(load_matrix(args.matrix), scales), f"[B; −DB] with B of {args.matrix}"
    if len(widths) != 2:
        raise InputError(f"widths {args.widths}: expected n,m, inputs and rows")
    return random_injective_layer(widths[1], widths[0], args.seed), "a random layer"
