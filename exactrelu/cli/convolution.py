"""``exactrelu convolution FILE``: is a convolutional layer one-to-one?"""

from __future__ import annotations

import argparse
from typing import Any

from exactrelu.cli.command import Command, Names, Outcome, add_limits


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="kernels, input shape, stride, padding and bias, as JSON"
    )
    parser.add_argument("--box", metavar="P1,P2,…", help="try boxes of this shape only")
    parser.add_argument("-o", "--output", metavar="OUT", help="write the layer as a network")
    parser.add_argument(
        "--opposites",
        action="store_true",
        help="add the opposite of every kernel first, which makes pairs",
    )
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser)


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.exact.scalar import to_texts
    from exactrelu.network.convolution import load_convolution
    from exactrelu.network.formats import save
    from exactrelu.questions.injectivity.blocks import convolution_injective, parse_box
    from exactrelu.view import text

    convolution = load_convolution(args.file)
    if args.opposites:
        convolution = convolution.with_opposites()
    box = None if args.box is None else parse_box(args.box, convolution)
    network = convolution.network()
    if args.output is not None:
        save(network, args.output)
    with counting("covers") as progress:
        verdict = convolution_injective(convolution, box, timeout=args.timeout, progress=progress)
    m, n = network.layers[0].weights.shape
    lines = [f"{m} × {n} convolutional layer injective: {verdict.word}, {verdict.reason}"]
    fields: dict[str, Any] = {"witness": None, "box": None, "rows": m, "columns": n}
    certified: Names = ("verdict", "rows", "columns")
    if verdict.answer is False:
        certified += ("witness",)
        fields["witness"] = [to_texts(x) for x in verdict.witness]
        lines += [
            f"  {name} = {text.point(x)}" for name, x in zip("xy", verdict.witness, strict=True)
        ]
    elif verdict.witness is not None:
        fields["box"] = list(verdict.witness)
    computed = ("that the layer is this convolution",) if verdict.answer is not None else ()
    return Outcome.of(verdict, "\n".join(lines), fields, certified, computed)


CONVOLUTION = Command(
    "convolution",
    "is ReLU of a convolution one-to-one, as an operator on its inputs?",
    "exactrelu convolution cases/convolution-width-3/valid.json",
    _add_arguments,
    _run,
)
