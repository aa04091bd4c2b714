"""Commands about files of networks: what is read of them, and the same in another format.

An ONNX graph need not be read as a whole; what is asked for here is recorded in the name of the
network.  Whatever is asked later is asked of the converted file.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import NETWORK_FILE, Ask, argument, command, switch
from exactrelu.cli.outcome import Outcome, done
from exactrelu.errors import InputError
from exactrelu.files import kind_named, unpacked_name
from exactrelu.words import count

if TYPE_CHECKING:
    from exactrelu.network.network import Network

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
    fields="name widths parameters bits sha256 activation neurons roles groups "
    "linear_units layers file_sha256 options",
    example="example:xor",
)
def info(ask: Ask) -> Outcome:
    """Architecture, parameters, size of the rationals, roles of the neurons."""
    from exactrelu.files import write_bytes
    from exactrelu.network.formats.load import EXAMPLES
    from exactrelu.network.network import widths_text
    from exactrelu.network.roles import described, has_roles
    from exactrelu.view.layers import dot, drawn, layer_sizes, takes_long_to_hash

    args = ask.args
    if args.network.strip() == "example:":
        lines = [f"example:{name:<13} {words}" for name, words in EXAMPLES.items()]
        reason = f"{len(EXAMPLES)} networks come with the package"
        return done(reason, lines, examples=[f"example:{name}" for name in EXAMPLES])
    options = _options(ask)
    network = ask.load(args.network, **options)
    ask.effort.spend()
    is_long = takes_long_to_hash(network) and not args.sha256
    sha256 = None if is_long else network.sha256
    file_sha256 = _hash_of_file(args.network)
    reason = (
        f"{network.name or 'the network'} is a {widths_text(network)} ReLU network with "
        f"{count(network.n_parameters, 'parameter')} "
        f"of at most {count(network.bits, 'bit')}"
    )
    rows = [
        *described(network),
        *([("read", _words(options))] if options else []),
        *([("file", f"sha256 {file_sha256}")] if _is_foreign(args.network) else []),
        ("sha256", sha256 or "takes minutes for so large a network: --sha256 computes it"),
    ]
    lines = [f"{name:<11} {words}" for name, words in rows]
    if args.graph:
        lines += drawn(network)
    if args.dot is not None:
        write_bytes(args.dot, dot(network).encode())
    return done(
        reason,
        lines,
        computed=("roles of neurons",) if network.n_hidden_neurons and has_roles(network) else (),
        name=network.name,
        widths=network.widths,
        parameters=network.n_parameters,
        bits=network.bits,
        sha256=sha256,
        activation=network.activation,
        neurons=lambda: _counts(network),
        roles=lambda: _names(network),
        groups=lambda: _groups(network),
        linear_units=network.n_linear_units,
        layers=[size.to_object() for size in layer_sizes(network)],
        file_sha256=file_sha256,
        options=options,
    )


def _counts(network: Network) -> dict[str, int] | None:
    """How many neurons have each role; None in a network too large for that."""
    from exactrelu.network.roles import Role

    names = _names(network)
    totals = Counter(name for layer in names or () for name in layer)
    return None if names is None else {role.value: totals[role.value] for role in Role}


def _names(network: Network) -> list[list[str]] | None:
    """The roles of all neurons, layer by layer."""
    from exactrelu.network.roles import quick_roles

    roles = quick_roles(network)
    return None if roles is None else [[role.value for role in layer] for layer in roles]


def _groups(network: Network) -> list[dict[str, Any]]:
    """The neurons with one hyperplane."""
    from exactrelu.network.roles import neuron_groups

    return [
        {
            "layer": group.layer,
            "neurons": list(group.neurons),
            "duplicates": group.has_duplicates,
            "cancelling": group.is_cancelling,
        }
        for group in neuron_groups(network)
    ]


@command(
    argument("source", metavar="IN", help=NETWORK_FILE),
    argument("target", metavar="OUT", replaces=True, help="file to write: .json, .npz or .onnx"),
    argument(
        "--input-shape",
        metavar="C,H,W",
        help="of a PyTorch file that begins with a convolution, which does not hold it",
    ),
    READING,
    fields="widths sha256 file_sha256 options",
    example="example:moons moons.json",
)
def convert(ask: Ask) -> Outcome:
    """Convert a network exactly, or refuse where the format would round."""
    from exactrelu.network.formats.load import load, save

    source, target = ask.args.source, ask.args.target
    options = _options(ask)
    shape = _shape(ask.args.input_shape)
    network = load(source, input_shape=shape, **options, **ask.reading(source), effort=ask.effort)
    file_sha256 = _hash_of_file(source)
    save(network, target, effort=ask.effort)
    reason = f"{target} holds the same {network.n_parameters:,} parameters exactly"
    lines = [reason]
    if _is_foreign(source):
        lines.append(f"file sha256 {file_sha256}")
    if options:
        lines.append(f"read {_words(options)}")
    lines.append(f"sha256 {network.sha256}")
    if network.activation != "ReLU":
        lines.append(f"activation {network.activation}")
    return done(
        reason,
        lines,
        widths=network.widths,
        sha256=network.sha256,
        file_sha256=file_sha256,
        options=options,
    )


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


def _words(options: dict[str, Any]) -> str:
    """The options as the name of the network has them."""
    from exactrelu.network.formats.onnx_graph import Reading

    return Reading.of(**options).words.strip(" ()")


def _is_foreign(path: str) -> bool:
    """Whether a file is the work of other programs: exact JSON is the network as it is."""
    return not kind_named(path) and not unpacked_name(path).lower().endswith(".json")


def _hash_of_file(path: str) -> str:
    """The hash of a file as it is stored."""
    from exactrelu.network.formats.load import network_file

    with open(network_file(path), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _shape(given: str | None) -> tuple[int, ...] | None:
    if given is None:
        return None
    sizes = given.split(",")
    if not all(size.isascii() and size.isdecimal() and 0 < len(size) < 10 for size in sizes):
        raise InputError(f"--input-shape {given}: expected positive integers such as 1,8,8")
    return tuple(map(int, sizes))
