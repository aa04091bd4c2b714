"""``exactrelu convert IN OUT``: exact conversion between formats."""

from __future__ import annotations

import argparse

from exactrelu.cli.command import Command, Outcome
from exactrelu.errors import InputError


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help="network file in any format")
    parser.add_argument("target", metavar="OUT", help="file to write: .json, .npz or .onnx")
    parser.add_argument(
        "--input-shape",
        metavar="C,H,W",
        help="of a PyTorch file that begins with a convolution, which does not hold it",
    )


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.network.formats import load, save

    network = load(args.source, _shape(args.input_shape))
    save(network, args.target)
    reason = f"{args.target} holds the same {network.n_parameters:,} parameters exactly"
    fields = {"widths": list(network.widths), "sha256": network.sha256}
    return Outcome(f"{reason}\nsha256 {network.sha256}", reason, fields)


def _shape(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    sizes = text.split(",")
    if not all(size.isascii() and size.isdecimal() and 0 < len(size) < 10 for size in sizes):
        raise InputError(f"--input-shape {text}: expected positive integers such as 1,8,8")
    return tuple(map(int, sizes))


CONVERT = Command(
    "convert",
    "convert a network exactly, or refuse where the format would round",
    "exactrelu convert model.onnx model.json",
    _add_arguments,
    _run,
)
