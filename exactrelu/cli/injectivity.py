"""Commands about layers and networks that are one-to-one, and how far apart they keep points."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import (
    BOUND,
    CERTIFICATE,
    NETWORK,
    WORKERS,
    Ask,
    argument,
    command,
    domain,
    output,
    seed,
    switch,
)
from exactrelu.cli.given import parse_integers, refuse
from exactrelu.cli.linear import one_bound
from exactrelu.cli.outcome import Outcome
from exactrelu.errors import InputError, Unanswered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exactrelu.network.network import Layer
    from exactrelu.questions.identifiability.identifiable import NonLocalizable
    from exactrelu.questions.injectivity.constructions import Built
    from exactrelu.questions.injectivity.network import Injectivity
    from exactrelu.questions.injectivity.stability import Stability


@command(
    NETWORK,
    argument("--layer", metavar="L", type=int, help="which layer, from 1"),
    domain(
        "of the inputs of the layer: R, orthant, box:a..b[,a..b…], a polyhedron file, or "
        "image for what the layers before make of --inputs"
    ),
    argument(
        "--inputs", metavar="D", default="R", help="inputs of the network, with --domain image"
    ),
    argument(
        "--method",
        choices=("auto", "flats", "tree"),
        default="auto",
        help="how to prove a yes: spans that are reached, cells, or both in turns",
    ),
    argument(
        "--at",
        metavar="X",
        needs="--layer",
        excludes="--shortcuts --domain --method",
        help="ask only whether the rows active at the point X span",
    ),
    switch(
        "--shortcuts",
        "what the named theorems say of the layer on R^n",
        needs="--layer",
        excludes="--domain --method",
    ),
    CERTIFICATE,
    WORKERS,
    asks="questions.injectivity.network.is_injective",
    results="questions.injectivity.named_results.SpanningAt "
    "questions.injectivity.named_results.NamedResults",
    example="example:moons --layer 1 --domain box:-1..1",
)
def injective(ask: Ask) -> Outcome:
    """Is the network, or one of its layers, one-to-one on a domain?"""
    from exactrelu.exact.scalar import parse_vector
    from exactrelu.network.network import plain
    from exactrelu.questions.injectivity.named_results import is_spanning_at, shortcuts
    from exactrelu.questions.injectivity.network import layer_of

    args, network = ask.args, ask.given
    if args.layer is not None:
        network = plain(network, "injectivity of a single layer")
    layer = None if args.layer is None else layer_of(network, args.layer)
    if args.domain != "image":
        refuse(args, "--inputs", "only with --domain image")
    if layer is not None and args.at is not None:
        found = is_spanning_at(layer, parse_vector(args.at, f"--at {args.at}"))
        return ask.told(found, f"spanning at ({args.at})")
    if layer is not None and args.shortcuts:
        return ask.told(shortcuts(layer.weights, layer.bias, effort=ask.effort))
    called = "injective" if layer is None else f"layer {args.layer} injective"
    if args.domain == "image":
        refuse(args, "--method", "not with --domain image, where pairs of cells are compared")
        return ask.showing(ask.telling(called))(_injective_on_image(ask))
    domain = ask.domain_in(network.n_inputs if layer is None else layer.n_inputs)
    return ask.asked(network, domain, layer=args.layer, method=args.method, called=called)


def _injective_on_image(ask: Ask) -> Injectivity:
    """On what the layers before make of ``--inputs``."""
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.injectivity.network import LayerStage, injective_by_pairs

    args, network = ask.args, ask.given
    if args.layer is None:
        raise InputError("--domain image: say which layer with --layer")
    inputs = Domain.of(args.inputs, network.n_inputs, ask.for_reading)
    stage = LayerStage.of(network, inputs, args.layer - 1, args.layer)
    return injective_by_pairs(stage, effort=ask.effort)


@command(
    argument(
        "file", metavar="FILE", help="kernels, input shape, stride, padding and bias, as JSON"
    ),
    argument("--box", metavar="P1,P2,…", help="try boxes of this shape only"),
    output("write the layer as a network"),
    switch("--opposites", "add the opposite of every kernel first, which makes pairs"),
    CERTIFICATE,
    asks="questions.injectivity.blocks.convolution_injective",
    example="cases/injective-layers/convolution-width-3/valid.json",
)
def convolution(ask: Ask) -> Outcome:
    """Is ReLU of a convolution one-to-one, as an operator on its inputs?"""
    from exactrelu.network.convolution import load_convolution
    from exactrelu.network.formats.load import save
    from exactrelu.questions.injectivity.blocks import parse_box
    from exactrelu.questions.injectivity.constructions import need_matrices

    args = ask.args
    convolution = load_convolution(args.file, effort=ask.for_reading)
    if args.opposites:
        convolution = convolution.with_opposites()
    box = None if args.box is None else parse_box(args.box, convolution)
    if args.output is not None:
        need_matrices(*convolution.shape, ask.effort)
        save(convolution.network(ask.effort), args.output, effort=ask.effort)
    m, n = convolution.shape
    return ask.asked(convolution, box, called=f"{m} × {n} convolutional layer injective")


@command(
    argument("inputs", metavar="N", type=int, help="the number of inputs"),
    argument("--rows", metavar="m1,m2,…", help="numbers of rows (default: 2N to 6N)"),
    argument("--samples", metavar="K", type=int, default=50, help="layers of each"),
    seed("of the random numbers (0)"),
    asks="questions.injectivity.constructions.injective_fractions",
    example="2 --samples 100",
)
def injective_table(ask: Ask) -> Outcome:
    """How many random layers are one-to-one, for several numbers of rows."""
    args, n = ask.args, ask.args.inputs
    rows: Sequence[int] = range(2 * n, 6 * n + 1, max(n, 1))
    if args.rows is not None:
        rows = parse_integers(args.rows, f"--rows {args.rows}: expected integers m1,m2,…")
    if n < 1 or args.samples < 1 or min(rows) < 1:
        raise InputError("inputs, rows and samples must be positive")
    return ask.asked(n, rows, args.samples, args.seed)


@command(
    NETWORK,
    argument("--layer", metavar="L", type=int, help="which, from 1 (default: all, by composition)"),
    domain("of the inputs of the layer: R, orthant, box:a..b[,a..b…] or a polyhedron file"),
    CERTIFICATE,
    # The whole network has a lower bound by composition, and no upper one.
    replace(BOUND, needs=("--layer",)),
    asks="questions.injectivity.stability.stability",
    results="questions.injectivity.network_stability.NetworkStability",
    example="example:xor --layer 1",
)
def stability(ask: Ask) -> Outcome:
    """Certified bounds of the inverse Lipschitz constant of a layer."""
    from exactrelu.questions.injectivity.network import layer_of
    from exactrelu.questions.injectivity.network_stability import network_stability
    from exactrelu.questions.injectivity.stability import stability

    args, network = ask.args, ask.given
    if args.layer is None:
        # Of the whole network: the product of the bounds of its layers.
        return ask.showing(ask.told)(network_stability(ask.network, ask.domain, effort=ask.effort))
    domain = ask.domain_in(layer_of(network, args.layer).n_inputs)
    shown = ask.showing(partial(_stability, ask))
    return shown(stability(network, domain, layer=args.layer, effort=ask.effort))


def _stability(ask: Ask, found: Stability) -> Outcome:
    is_missing = ask.args.bound == "lower" and found.lower_certificate is None
    if ask.wants_certificate and is_missing and found.stopped is None:
        raise InputError("there is no lower bound to certify: ask for --bound upper")
    return one_bound(ask, found)


#: The options of ``build injective``.
BUILD_OPTIONS = (
    argument(
        "--matrix",
        metavar="B",
        excludes="--seed",
        help="injective: the rows of B and their opposites, from a file",
    ),
    argument(
        "--scales",
        metavar="d1,d2,…",
        needs="--matrix",
        help="injective: [B; −DB] with this diagonal, all 1 if left out",
    ),
    argument(
        "--complete",
        metavar="W",
        excludes="--matrix --seed",
        help="injective: the rows of W and the fewest opposite rows that make it so, from a file",
    ),
)


def build_injective(ask: Ask, widths: tuple[int, ...]) -> Outcome:
    """Build a layer, prove it injective, and write it as a network."""
    from exactrelu.questions.injectivity.constructions import Built, as_network
    from exactrelu.questions.injectivity.network import is_injective

    args = ask.args
    refuse(args, "--certificates", "one certificate proves it: expected --certificate")
    layer, words = _built_layer(ask, widths)
    network = as_network(layer)
    if network.widths[: len(widths)] != widths:
        found = ",".join(map(str, network.widths[:2]))
        raise InputError(f"widths {args.widths}: the layer has {found}, inputs and rows")
    built = Built(network, is_injective(network, layer=1, effort=ask.effort))
    told = f"layer 1 injective: {built.word}, {built.reason}"
    if not built.answer:
        return ask.told(built, text=f"{words}, not written: {told}")
    return written(ask, built, words, f"  {told}")


def written(
    ask: Ask, found: Built | NonLocalizable, words: str, *lines: str, **more: Any
) -> Outcome:
    """What was built, once it is in a file."""
    from exactrelu.network.formats.load import save

    save(found.network, ask.args.output)
    text = "\n".join([f"{ask.args.output}: {words}", *lines])
    return ask.told(found, text=text, network=ask.args.output, **more)


def _built_layer(ask: Ask, widths: tuple[int, ...]) -> tuple[Layer, str]:
    from exactrelu.exact.scalar import ZERO, parse_vector
    from exactrelu.exact.text import load_matrix
    from exactrelu.network.network import Layer
    from exactrelu.questions.injectivity.constructions import (
        completion,
        minimal_layer,
        need_matrices,
        random_injective_layer,
    )

    args = ask.args
    if args.complete is not None:
        given = load_matrix(args.complete, effort=ask.for_reading)
        completed = completion(Layer.of(given, [ZERO] * given.n_rows), effort=ask.effort)
        if completed.layer is None:
            raise Unanswered(
                f"{completed.stopped}: it takes at least {completed.n_added_at_least} rows"
            )
        return completed.layer, f"{completed.n_added} rows added to {args.complete}"
    if args.matrix is not None:
        scales = None if args.scales is None else parse_vector(args.scales, "--scales")
        return minimal_layer(ask.matrix, scales=scales), f"[B; −DB] with B of {args.matrix}"
    if len(widths) != 2:
        raise InputError(f"widths {args.widths}: expected n,m, inputs and rows")
    n, m = widths
    need_matrices(m, n, ask.effort)
    return random_injective_layer(m, n, args.seed), "a random layer"
