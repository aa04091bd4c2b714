"""Commands that ask a network for values: at sample points, or to recover its parameters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import (
    CERTIFICATE,
    NETWORK,
    WORKERS,
    Ask,
    argument,
    command,
    limits,
    switch,
)
from exactrelu.cli.given import any_number
from exactrelu.cli.outcome import Names, Outcome, stopped
from exactrelu.display import plain
from exactrelu.errors import InputError
from exactrelu.words import count

if TYPE_CHECKING:
    from exactrelu.network.network import Network
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
    argument(
        "--seed",
        metavar="N",
        type=int,
        default=0,
        needs="--clusters",
        help="of the clustering (default 0)",
    ),
    argument(
        "--other", metavar="NET2", help="map the local maps of each network to those of the other"
    ),
    switch("--list", "every point"),
    argument("--duals", metavar="OUT", help="write the matrices C_j as JSON"),
    argument(
        "--certificate", metavar="FILE", help="write the certificate of regions and distances"
    ),
    result="questions.local.places.Local",
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
        lines, accuracy = _accuracies(ask, found, samples, tests, sizes, other)
    except Stopped as over:
        return later(str(over))
    computed: Names = ("how many are right",) if accuracy else ()
    if args.duals is not None:
        _write_duals(found, args.duals)
        lines.append(f"C_1 … C_{network.n_outputs} written to {args.duals}")
        computed += ("these matrices",)
    told = told.saying(*lines)
    fields = {**told.fields, **accuracy}
    return replace(told, fields=fields, computed=(*told.computed, *computed))


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
) -> tuple[list[str], dict[str, Any]]:
    """How many labels are right: of the network, with clusters, after mapping."""
    from exactrelu.questions.local.clusters import (
        clustered_classes,
        mapped_classes,
        maps_between,
        n_correct,
        network_classes,
        require_labels,
    )

    labels = tests.labels
    if labels is None:
        if sizes or other is not None:
            raise InputError("--clusters and --other count what is right: the points need labels")
        if tests is not samples:
            raise InputError(
                f"--test {ask.args.test}: found no labels: expected them, to be counted"
            )
        return [], {}
    require_labels(labels, found.network.n_outputs)
    test = found if tests is samples else _everywhere(ask, found.network, tests)
    total = f"of {len(labels):,}"
    right = n_correct(network_classes(test), labels)
    lines = [f"right: {right:,} {total}"]
    fields: dict[str, Any] = {"n_tests": len(labels), "n_correct": right}
    clustered = {}
    for k in sizes:
        ask.effort.spend()
        clustered[k] = n_correct(clustered_classes(found, test, k, seed=ask.args.seed), labels)
    lines += [
        f"  {count(k, 'cluster')} for each output: {n:,} {total}" for k, n in clustered.items()
    ]
    if sizes:
        fields["clusters"] = {str(k): n for k, n in clustered.items()}
    if other is not None:
        second = _everywhere(ask, other, samples)
        second_test = second if tests is samples else _everywhere(ask, other, tests)
        own = n_correct(network_classes(second_test), labels)
        ask.effort.spend()
        there = n_correct(mapped_classes(maps_between(found, second), test), labels)
        ask.effort.spend()
        back = n_correct(mapped_classes(maps_between(second, found), second_test), labels)
        lines += [
            f"  NET2 itself: {own:,} {total}",
            f"  NET mapped to NET2: {there:,} {total}",
            f"  NET2 mapped to NET: {back:,} {total}",
        ]
        fields["other"] = {"n_correct": own, "from_net": there, "to_net": back}
    return lines, fields


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
    argument("-o", "--output", metavar="OUT", help="write the recovered network"),
    CERTIFICATE,
    argument(
        "--seed", metavar="N", type=int, default=0, help="choice of the random lines (default 0)"
    ),
    argument(
        "--max-counterexamples",
        metavar="N",
        type=any_number,
        default=24,
        help="go on at most N times from a point where NET and the result differ (default 24; 0: "
        "queries alone)",
    ),
    limits("queries"),
    WORKERS,
    result="questions.recovery.recover.Recovery",
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
