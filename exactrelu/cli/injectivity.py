"""Commands about layers and networks that are one-to-one, and how far apart they keep points."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import (
    BOUND,
    CERTIFICATE,
    NETWORK,
    NO,
    UNDECIDED,
    WORKERS,
    YES,
    Ask,
    Names,
    Outcome,
    answered,
    argument,
    command,
    done,
    limits,
    parse_integers,
    stopped,
    switch,
)
from exactrelu.cli.linear import other_bound
from exactrelu.errors import InputError, Unanswered

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exactrelu.exact.scalar import Vector
    from exactrelu.network.network import Layer
    from exactrelu.questions.injectivity.blocks import ConvolutionVerdict
    from exactrelu.questions.injectivity.constructions import Table
    from exactrelu.questions.injectivity.network import Injectivity
    from exactrelu.questions.injectivity.network_stability import NetworkStability
    from exactrelu.questions.injectivity.stability import Stability


@command(
    NETWORK,
    argument("--layer", metavar="L", type=int, help="which layer, from 1"),
    argument(
        "--domain",
        metavar="D",
        default="R",
        help="of the inputs of the layer: R, orthant, box:a..b[,a..b…], a polyhedron file, or "
        "image for what the layers before make of --inputs",
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
    argument("--at", metavar="X", help="ask only whether the rows active at the point X span"),
    switch("--shortcuts", "what the named theorems say of the layer on R^n"),
    CERTIFICATE,
    limits("regions"),
    WORKERS,
    fields="witness n_regions n_covers n_pairs n_left injective_layers",
    example="example:moons --layer 1 --domain box:-1..1",
)
def injective(ask: Ask) -> Outcome:
    """Is the network, or one of its layers, one-to-one on a domain?"""
    from exactrelu.network.network import plain
    from exactrelu.questions.injectivity.network import is_injective, layer_of

    args, network = ask.args, ask.given
    if args.layer is not None:
        network = plain(network, "injectivity of a single layer")
    layer = None if args.layer is None else layer_of(network, args.layer)
    if args.at is not None or args.shortcuts:
        if layer is None:
            raise InputError("--at and --shortcuts are about a layer: say which with --layer")
        return _spanning_at(layer, args.at) if args.at is not None else _shortcuts(ask, layer)
    shown = ask.showing(partial(_injective, ask))
    if args.domain == "image":
        return shown(_injective_on_image(ask))
    domain = ask.domain_in(network.n_inputs if layer is None else layer.n_inputs)
    return shown(
        is_injective(network, domain, layer=args.layer, method=args.method, effort=ask.effort)
    )


def _injective(ask: Ask, verdict: Injectivity) -> Outcome:
    name = "" if ask.args.layer is None else f"layer {ask.args.layer} "
    question = f"{name}injective{ask.where}"
    settled: dict[str, Any] = {
        "injective_layers": verdict.layers,
        "n_covers": verdict.n_covers,
        "n_regions": verdict.n_regions,
        "n_pairs": verdict.n_pairs,
        "n_left": verdict.n_left,
    }
    if verdict.witness is None:
        return answered(verdict, question, witness=None, **settled)
    lines, certified = _two_points(ask, verdict.witness), ("verdict", "witness")
    witness = verdict.witness
    return answered(verdict, question, lines, certified=certified, witness=witness, **settled)


def _injective_on_image(ask: Ask) -> Injectivity:
    """On what the layers before make of ``--inputs``."""
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.injectivity.network import Stage, injective_by_pairs

    args, network = ask.args, ask.given
    if args.layer is None:
        raise InputError("--domain image: say which layer with --layer")
    inputs = Domain.of(args.inputs, network.n_inputs)
    stage = Stage.of(network, inputs, args.layer - 1, args.layer)
    return injective_by_pairs(stage, effort=ask.effort)


def _two_points(ask: Ask, points: Iterable[Vector]) -> list[str]:
    return [ask.words.equation(f"  {name}", x) for name, x in zip("xy", points, strict=True)]


def _spanning_at(layer: Layer, at: str) -> Outcome:
    from exactrelu.exact.scalar import parse_vector
    from exactrelu.questions.injectivity.named_results import active_rows

    found = active_rows(layer.weights, layer.bias, parse_vector(at, f"--at {at}"))
    spans = found.proof.rank == layer.n_inputs
    names = ", ".join(str(i + 1) for i in found.rows) or "none"
    reason = f"active rows {names}, of rank {found.proof.rank} in R^{layer.n_inputs}"
    word, code = ("yes", YES) if spans else ("no", NO)
    return Outcome(
        f"spanning at ({at}): {word}, {reason}",
        reason,
        {"active": [i + 1 for i in found.rows], "rank": found.proof.rank},
        found.certificate,
        word,
        code,
        certified=("rank",),
        computed=("which rows are active",),
    )


def _shortcuts(ask: Ask, layer: Layer) -> Outcome:
    from exactrelu.questions.injectivity.named_results import shortcuts

    words = {True: "injective", False: "not injective", None: "says nothing"}
    results = shortcuts(layer.weights, layer.bias, effort=ask.effort)
    lines = [f"{r.name}\n  {words[r.answer]}, {r.reason}" for r in results]
    computed = ("what the theorems say (without --shortcuts the answer is proved)",)
    fields = [{"name": r.name, "answer": r.answer, "reason": r.reason} for r in results]
    over = [r.stopped for r in results if r.stopped is not None]
    if over:  # the last one had all of the time that was left
        return stopped(over[-1], lines, computed=computed, shortcuts=fields)
    return done("named results", lines, computed=computed, shortcuts=fields)


@command(
    argument(
        "file", metavar="FILE", help="kernels, input shape, stride, padding and bias, as JSON"
    ),
    argument("--box", metavar="P1,P2,…", help="try boxes of this shape only"),
    argument("-o", "--output", metavar="OUT", help="write the layer as a network"),
    switch("--opposites", "add the opposite of every kernel first, which makes pairs"),
    CERTIFICATE,
    fields="witness box rows columns tried n_covered",
    example="cases/convolution-width-3/valid.json",
)
def convolution(ask: Ask) -> Outcome:
    """Is ReLU of a convolution one-to-one, as an operator on its inputs?"""
    from exactrelu.network.convolution import load_convolution
    from exactrelu.network.formats.load import save
    from exactrelu.questions.injectivity.blocks import convolution_injective, parse_box
    from exactrelu.questions.injectivity.constructions import need_matrices

    args = ask.args
    convolution = load_convolution(args.file)
    if args.opposites:
        convolution = convolution.with_opposites()
    box = None if args.box is None else parse_box(args.box, convolution)
    if args.output is not None:
        need_matrices(*convolution.shape, ask.effort)
        save(convolution.network(ask.effort), args.output, effort=ask.effort)
    shown = ask.showing(partial(_convolution, ask, convolution.shape))
    return shown(convolution_injective(convolution, box, effort=ask.effort))


def _convolution(ask: Ask, shape: tuple[int, int], verdict: ConvolutionVerdict) -> Outcome:
    m, n = shape
    certified: Names = ("verdict", "rows", "columns")
    is_no = verdict.answer is False
    return answered(
        verdict,
        f"{m} × {n} convolutional layer injective",
        _two_points(ask, verdict.witness) if is_no else (),
        certified=(*certified, "witness") if is_no else certified,
        computed=() if verdict.answer is None else ("that the layer is this convolution",),
        witness=verdict.witness if is_no else None,
        box=None if is_no else verdict.witness,
        rows=m,
        columns=n,
        tried=verdict.tried,
        n_covered=verdict.n_covered,
    )


@command(
    argument("inputs", metavar="N", type=int, help="the number of inputs"),
    argument("--rows", metavar="m1,m2,…", help="numbers of rows (default: 2N to 6N)"),
    argument("--samples", metavar="K", type=int, default=50, help="layers of each"),
    argument("--seed", metavar="S", type=int, default=0),
    fields="table",
    example="2 --samples 100",
)
def injective_table(ask: Ask) -> Outcome:
    """How many random layers are one-to-one, for several numbers of rows."""
    from exactrelu.questions.injectivity.constructions import injective_fractions

    args, n = ask.args, ask.args.inputs
    rows: Sequence[int] = range(2 * n, 6 * n + 1, max(n, 1))
    if args.rows is not None:
        rows = parse_integers(args.rows, f"--rows {args.rows}: expected integers m1,m2,…")
    if n < 1 or args.samples < 1 or min(rows) < 1:
        raise InputError("inputs, rows and samples must be positive")
    shown = ask.showing(partial(_table, ask))
    return shown(injective_fractions(n, rows, args.samples, args.seed, effort=ask.effort))


def _table(ask: Ask, table: Table) -> Outcome:
    lines = ["  m    m/n   injective  not  undecided"]
    lines += [
        f"{row.m:3}  {row.m / row.n:5.2f}  {row.n_injective:10}  {row.n_not:3}  {row.n_undecided:9}"
        for row in table.fractions
    ]
    fields = [
        {
            "rows": row.m,
            "injective": row.n_injective,
            "not": row.n_not,
            "undecided": row.n_undecided,
        }
        for row in table.fractions
    ]
    samples, n = ask.args.samples, ask.args.inputs
    reason = f"{samples} random layers of {n} inputs for each number of rows"
    if table.stopped is not None:
        n_left = sum(row.n_undecided for row in table.fractions)
        reason = f"{table.stopped}: {n_left:,} layers left of {reason}"
        return stopped(reason, lines, computed=("these numbers",), table=fields)
    return done(reason, lines, computed=("these numbers",), table=fields)


@command(
    NETWORK,
    argument("--layer", metavar="L", type=int, help="which, from 1 (default: all, by composition)"),
    argument(
        "--domain",
        metavar="D",
        default="R",
        help="of the inputs of the layer: R, orthant, box:a..b[,a..b…] or a polyhedron file",
    ),
    CERTIFICATE,
    BOUND,
    limits("regions"),
    fields="lower upper points",
    example="example:xor --layer 1",
)
def stability(ask: Ask) -> Outcome:
    """Certified bounds of the inverse Lipschitz constant of a layer."""
    from exactrelu.questions.injectivity.network import layer_of
    from exactrelu.questions.injectivity.stability import stability

    args, network = ask.args, ask.given
    if args.layer is None:
        return _by_composition(ask)
    domain = ask.domain_in(layer_of(network, args.layer).n_inputs)
    shown = ask.showing(partial(_stability, ask))
    return shown(stability(network, domain, layer=args.layer, effort=ask.effort))


def _stability(ask: Ask, found: Stability) -> Outcome:
    certificates = {"lower": found.lower_certificate, "upper": found.upper_certificate}
    certificate = certificates[ask.args.bound]
    if ask.wants_certificate and certificate is None and found.stopped is None:
        raise InputError("there is no lower bound to certify: ask for --bound upper")
    words = ask.words
    between = f"between {words.at_least(found.lower)} and {words.at_most(found.upper)}"
    if found.stopped is not None:
        reason = f"{found.stopped}: {between}"
    elif found.upper == 0:
        reason = "c = 0, two points have one image"
    else:
        reason = words.bounds(found.lower, "c", found.upper)
    lines = [f"|F(x) − F(y)| ≥ c·|x − y|: {reason}"]
    computed = other_bound(ask, certificates)
    if found.active is not None:
        rows = ", ".join(map(str, found.active))
        cells = "1 cell covers" if found.n_cells == 1 else f"{found.n_cells:,} cells cover"
        lines.append(f"  least where the active rows are {rows}; {cells} the domain")
        computed += ("where it is least",)
    if found.published is not None:
        lines.append(f"  published bound (with 1/√(2m)): {words.at_least(found.published)}")
        computed += ("the published bound",)
    lines += _two_points(ask, found.points)
    fields = {
        "lower": found.lower,
        "upper": found.upper,
        "published": found.published,
        "active": found.active,
        "points": found.points,
        "n_cells": found.n_cells,
    }
    verdict, code = (None, YES) if found.stopped is None else ("undecided", UNDECIDED)
    proved = {"lower": ("lower",), "upper": ("upper", "points")}[ask.args.bound]
    certified = () if certificate is None else proved
    shown = "\n".join(lines)
    return Outcome(shown, reason, fields, certificate, verdict, code, certified, computed)


def _by_composition(ask: Ask) -> Outcome:
    """Of the whole network: the product of the bounds of its layers."""
    from exactrelu.questions.injectivity.network_stability import network_stability

    shown = ask.showing(partial(_network_stability, ask))
    return shown(network_stability(ask.network, ask.domain, effort=ask.effort))


def _network_stability(ask: Ask, found: NetworkStability) -> Outcome:
    words = ask.words
    between = f"between {words.at_least(found.lower)} and {words.at_most(found.upper)}"
    if found.is_zero:
        collapsed = "two points have one image"
        is_first = found.collapsing_layer == 1
        reason = f"c = 0, {'layer 1 takes two points to one' if is_first else collapsed}"
    elif found.stopped is not None:
        reason = f"{found.stopped}: {between}, no bound of layer {len(found.factors) + 1}"
    elif found.is_trivial:
        reason = (
            f"only the trivial bound c ≥ 0: layer {found.collapsing_layer} is not injective on the "
            "orthant, though it may be on what it gets"
        )
    else:
        reason = f"c ≥ {words.at_least(found.lower)}, layer by layer"
    certified = ("lower", "upper", "points") if found.is_zero else ("lower", "factors")
    is_undecided = found.is_trivial
    return Outcome(
        f"|N(x) − N(y)| ≥ c·|x − y|: {reason}",
        reason,
        {
            "lower": found.lower,
            "upper": found.upper,
            "trivial": found.is_trivial,
            "factors": found.factors,
            "points": found.points,
        },
        None if is_undecided else found.certificate,
        "undecided" if is_undecided else None,
        UNDECIDED if is_undecided else YES,
        certified=() if is_undecided or found.certificate is None else certified,
    )


#: The options of ``build injective``.
BUILD_OPTIONS = (
    argument(
        "--matrix", metavar="B", help="injective: the rows of B and their opposites, from a file"
    ),
    argument(
        "--scales",
        metavar="d1,d2,…",
        help="injective: [B; −DB] with this diagonal, all 1 if left out",
    ),
    argument(
        "--complete",
        metavar="W",
        help="injective: the rows of W and the fewest opposite rows that make it so, from a file",
    ),
)


def build_injective(ask: Ask, widths: tuple[int, ...]) -> Outcome:
    """Build a layer, prove it injective, and write it as a network."""
    from exactrelu.network.formats.load import save
    from exactrelu.questions.injectivity.constructions import as_network
    from exactrelu.questions.injectivity.network import is_injective

    args = ask.args
    layer, words = _built_layer(ask, widths)
    network = as_network(layer)
    if network.widths[: len(widths)] != widths:
        found = ",".join(map(str, network.widths[:2]))
        raise InputError(f"widths {args.widths}: the layer has {found}, inputs and rows")
    verdict = is_injective(network, layer=1, effort=ask.effort)
    save(network, args.output)
    shown = f"{args.output}: {words}\n  layer 1 injective: {verdict.word}, {verdict.reason}"
    fields = {"network": args.output, "widths": network.widths}
    return Outcome.of(verdict, shown, fields, ("verdict", "widths"))


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
        given = load_matrix(args.complete)
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
