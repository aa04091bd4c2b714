"""Commands about files of networks: what is read of them, and the same in another format.

An ONNX graph need not be read as a whole; what is asked for here is recorded in the name of the
network.  Whatever is asked later is asked of the converted file.
"""

from __future__ import annotations

from typing import Any

from exactrelu.cli.command import NETWORK_FILE, Ask, argument, command, switch
from exactrelu.cli.outcome import Outcome, done
from exactrelu.errors import InputError

#: What is read of an ONNX graph.  ``--output`` is the file that other commands write.
READING = (
    argument("--until", metavar="NAME", help="of an ONNX graph: read up to this value or node"),
    argument("--drop-last", metavar="OP", help="leave out this last operator, such as Softmax"),
    argument(
        "--roots",
        choices=("float32", "float64"),
        help="replace irrational square roots by the nearest float; without it they are refused",
    ),
    argument("--outputs", metavar="A,B", action="append", help="read these outputs only"),
    argument("--dim", metavar="NAME=N", action="append", help="the size of a symbolic dimension"),
    argument("--batch", metavar="N", help="the first dimension of every input"),
)


@command(
    argument("network", metavar="NET", help=f"{NETWORK_FILE}; example: lists the examples"),
    READING,
    switch("--graph", "draw the layers, a line each"),
    argument("--dot", metavar="OUT", help="write the layers as a graph for Graphviz"),
    switch("--sha256", "hash the network even where that takes minutes"),
    results="view.summary.Summary",
    example="example:xor",
)
def info(ask: Ask) -> Outcome:
    """Architecture, parameters, size of the rationals, roles of the neurons."""
    from exactrelu.files import write_bytes
    from exactrelu.network.formats.load import EXAMPLES
    from exactrelu.view.layers import dot
    from exactrelu.view.summary import Source, Summary

    args = ask.args
    if args.network.strip() == "example:":
        lines = [f"example:{name:<13} {words}" for name, words in EXAMPLES.items()]
        reason = f"{len(EXAMPLES)} networks come with the package"
        return done(reason, lines, examples=[f"example:{name}" for name in EXAMPLES])
    options = _options(ask)
    network = ask.load(args.network, **options)
    ask.effort.spend()
    told = ask.told(Summary(network, Source(args.network, options), args.sha256, args.graph))
    if args.dot is not None:
        write_bytes(args.dot, dot(network).encode())
    return told


@command(
    argument("source", metavar="IN", help=NETWORK_FILE),
    argument("target", metavar="OUT", replaces=True, help="file to write: .json, .npz or .onnx"),
    argument(
        "--input-shape",
        metavar="C,H,W",
        help="of a PyTorch file that begins with a convolution, which does not hold it",
    ),
    READING,
    results="view.summary.Converted",
    example="example:moons moons.json",
)
def convert(ask: Ask) -> Outcome:
    """Convert a network exactly, or refuse where the format would round."""
    from exactrelu.network.formats.load import load, save
    from exactrelu.view.summary import Converted, Source

    source, target = ask.args.source, ask.args.target
    options = _options(ask)
    shape = _shape(ask.args.input_shape)
    network = load(source, input_shape=shape, **options, **ask.reading(source), effort=ask.effort)
    converted = Converted(network, Source(source, options), target)
    # Before it is written, as one may take the place of the other.
    _ = converted.source.sha256
    save(network, target, effort=ask.effort)
    return ask.told(converted)


def _options(ask: Ask) -> dict[str, Any]:
    """What is asked of the graph, as :func:`exactrelu.load` takes it."""
    args = ask.args
    outputs = [name for given in args.outputs or () for name in given.split(",") if name]
    found = {
        "until": args.until,
        "drop_last": args.drop_last,
        "roots": args.roots,
        "outputs": tuple(outputs),
        "dims": dict(map(_dimension, args.dim or ())),
        "batch": None if args.batch is None else _size(args.batch, f"--batch {args.batch}"),
    }
    return {name: value for name, value in found.items() if value not in (None, (), {})}


def _dimension(given: str) -> tuple[str, int]:
    name, equals, size = given.rpartition("=")
    if not equals or not name:
        raise InputError(f"--dim {given}: expected a name and a size such as N=1")
    return name, _size(size, f"--dim {given}")


def _size(given: str, where: str) -> int:
    if not (given.isascii() and given.isdecimal() and len(given) < 10 and int(given)):
        raise InputError(f"{where}: expected a positive integer")
    return int(given)


def _shape(given: str | None) -> tuple[int, ...] | None:
    if given is None:
        return None
    sizes = given.split(",")
    if not all(size.isascii() and size.isdecimal() and 0 < len(size) < 10 for size in sizes):
        raise InputError(f"--input-shape {given}: expected positive integers such as 1,8,8")
    return tuple(map(int, sizes))
