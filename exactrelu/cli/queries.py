"""Commands that ask a network for values: at sample points, or to recover its parameters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from exactrelu.cli.command import (
    CERTIFICATE,
    NETWORK,
    WORKERS,
    Ask,
    argument,
    command,
    output,
    seed,
    switch,
)
from exactrelu.cli.given import any_number
from exactrelu.cli.outcome import Outcome, stopped
from exactrelu.display import plain
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.network.network import Network
    from exactrelu.questions.local.clusters import Accuracies
    from exactrelu.questions.local.places import Local
    from exactrelu.questions.local.samples import Samples


@command(
    NETWORK,
    argument("--points", metavar="FILE", required=True, help="points: .csv, .json, .npy or .npz"),
    argument(
        "--labels", metavar="FILE", help="their labels, if they are no last column of the points"
    ),
    argument("--test", metavar="FILE", help="labelled points on which to count what is right"),
    argument("--test-labels", metavar="FILE", needs="--test", help="their labels, likewise"),
    argument(
        "--clusters",
        metavar="K1,K2,…",
        help="classify with so many clusters of local maps for each output (extra 'clusters')",
    ),
    seed("of the clustering (default 0)", needs="--clusters"),
    argument(
        "--other", metavar="NET2", help="map the local maps of each network to those of the other"
    ),
    switch("--list", "every point"),
    argument("--duals", metavar="OUT", help="write the matrices C_j as JSON"),
    argument(
        "--certificate", metavar="FILE", help="write the certificate of regions and distances"
    ),
    asks="questions.local.places.local",
    results="questions.local.clusters.Accuracies",
    example="example:xor --points points.csv --list",
)
def local(ask: Ask) -> Outcome:
    """Activation regions, local affine maps and distances at sample points; clusters, maps."""
    from exactrelu.effort import Stopped
    from exactrelu.questions.local.places import local
    from exactrelu.questions.local.samples import load_points

    args, network = ask.args, ask.network
    other = None if args.other is None else ask.load(args.other)
    sizes = _cluster_sizes(args.clusters)
    samples = load_points(args.points, network.n_inputs, labels=args.labels, effort=ask.effort)
    tests = samples
    if args.test is not None:
        tests = load_points(args.test, network.n_inputs, labels=args.test_labels, effort=ask.effort)
    shown = ask.showing(ask.told)
    found = local(network, samples.points, effort=ask.effort)
    told = shown(found)
    if not found.is_complete:
        return told

    def later(why: str | None) -> Outcome:
        reason = f"{why}: {told.reason}; what is right was not counted"
        return stopped(reason, [told.text], computed=("all of this",), **told.fields)

    def so_far(places: Local) -> Outcome:
        return later(places.stopped)

    ask.showing(so_far)
    try:
        right = _accuracies(ask, found, samples, tests, sizes, other)
    except Stopped as over:
        return later(str(over))
    lines, fields, computed = [], dict(told.fields), told.computed
    if right is not None:
        lines += right.told("", ask.words)
        fields |= {name: value for name, value in right.known().items() if value() is not None}
        computed += right.computed
    if args.duals is not None:
        _write_duals(found, args.duals)
        lines.append(f"C_1 … C_{network.n_outputs} written to {args.duals}")
        computed += ("these matrices",)
    return replace(told.saying(*lines), fields=fields, computed=computed)


def _cluster_sizes(given: str | None) -> list[int]:
    if given is None:
        return []
    sizes = given.split(",")
    if not all(size.isascii() and size.isdigit() and int(size) > 0 for size in sizes):
        raise InputError(f"--clusters {given[:40]}: expected positive integers, as in 1,10,100")
    return [int(size) for size in sizes]


def _accuracies(
    ask: Ask,
    found: Local,
    samples: Samples,
    tests: Samples,
    sizes: list[int],
    other: Network | None,
) -> Accuracies | None:
    """How many labels are right, if there are any."""
    from exactrelu.questions.local.clusters import accuracies, require_labels

    labels = tests.labels
    if labels is None:
        if sizes or other is not None:
            raise InputError("--clusters and --other count what is right: the points need labels")
        if tests is not samples:
            raise InputError(
                f"--test {ask.args.test}: found no labels: expected them, to be counted"
            )
        return None
    require_labels(labels, found.network.n_outputs)
    test = found if tests is samples else _everywhere(ask, found.network, tests)
    others = None
    if other is not None:
        second = _everywhere(ask, other, samples)
        others = second, second if tests is samples else _everywhere(ask, other, tests)
    seed = ask.args.seed
    return accuracies(found, test, labels, sizes, others, seed=seed, effort=ask.effort)


def _everywhere(ask: Ask, network: Network, samples: Samples) -> Local:
    """A network at all points of a file, or undecided."""
    from exactrelu.effort import Stopped
    from exactrelu.questions.local.places import local

    found = local(network, samples.points, effort=ask.effort)
    if found.stopped is not None:
        raise Stopped(found.stopped)
    return found


def _write_duals(found: Local, path: str) -> None:
    import json

    from exactrelu.files import write_bytes

    matrices = plain(list(found.dual_matrices))
    write_bytes(path, (json.dumps(matrices) + "\n").encode())


@command(
    argument("network", metavar="NET", help="network file; it is only evaluated"),
    output("write the recovered network"),
    CERTIFICATE,
    seed("choice of the random lines (default 0)"),
    argument(
        "--max-counterexamples",
        metavar="N",
        type=any_number,
        default=24,
        help="go on at most N times from a point where NET and the result differ (default 24; 0: "
        "queries alone)",
    ),
    WORKERS,
    asks="questions.recovery.recover.recover",
    example="example:xor -o recovered.json",
)
def recover(ask: Ask) -> Outcome:
    """Reconstruct the parameters of a network from queries, and prove the result."""
    from exactrelu.network.formats.load import save
    from exactrelu.questions.recovery.recover import recover

    args, network = ask.args, ask.network
    shown = ask.showing(ask.telling("recovered"))
    found = recover(
        network,
        seed=args.seed,
        max_counterexamples=args.max_counterexamples,
        effort=ask.effort,
    )
    told = shown(found)
    if found.network is None or not found.answer or args.output is None:
        return told
    save(found.network, args.output)
    return told.saying(f"  written to {args.output}")
