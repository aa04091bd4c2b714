"""Commands that ask a network for values: at sample points, or to recover its parameters."""

from __future__ import annotations

from collections import Counter
from functools import partial
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
from exactrelu.cli.outcome import Names, Outcome, done, stopped
from exactrelu.display import plain
from exactrelu.errors import InputError
from exactrelu.words import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import fmpq

    from exactrelu.network.network import Network
    from exactrelu.questions.local.boundary import Distance
    from exactrelu.questions.local.places import Local, Samples
    from exactrelu.words import Words


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
    fields="n_points n_regions n_sharing n_on_boundary region_sizes",
    example="example:xor --points points.csv --list",
)
def local(ask: Ask) -> Outcome:
    """Activation regions, local affine maps and distances at sample points; clusters, maps."""
    from exactrelu.effort import Stopped
    from exactrelu.questions.local.places import load_points, local

    args, network = ask.args, ask.network
    other = None if args.other is None else ask.load(args.other)
    sizes = _cluster_sizes(args.clusters)
    samples = load_points(args.points, network.n_inputs, labels=args.labels, effort=ask.effort)
    tests = samples
    if args.test is not None:
        tests = load_points(args.test, network.n_inputs, labels=args.test_labels, effort=ask.effort)
    n_points = len(samples.points)
    shown = ask.showing(partial(_first_points, ask, n_points))
    found = local(network, samples.points, effort=ask.effort)
    if not found.is_complete:
        return shown(found)
    reason, lines, fields = _regions_of_points(ask, found)
    certified: Names = tuple(name for name in fields if name != "points")
    computed: Names = ()
    if args.list:
        certified += _LISTED
        computed += ("signs, affine maps and nearest neurons of points",)

    def later(why: str | None) -> Outcome:
        text = f"{why}: {reason}; what is right was not counted"
        return stopped(text, lines, computed=("all of this",), **fields)

    def so_far(places: Local) -> Outcome:
        return later(places.stopped)

    ask.showing(so_far)
    try:
        more, accuracy = _accuracies(ask, found, samples, tests, sizes, other)
    except Stopped as over:
        return later(str(over))
    if accuracy:
        computed += ("how many are right",)
    if args.duals is not None:
        _write_duals(found, args.duals)
        more.append(f"C_1 … C_{network.n_outputs} written to {args.duals}")
        computed += ("these matrices",)
    return done(
        reason,
        lines + more,
        found.certificate,
        certified=certified,
        computed=computed,
        **fields,
        **accuracy,
    )


def _first_points(ask: Ask, n_points: int, found: Local) -> Outcome:
    """Over a bound: what is known of the points that were come to."""
    reason, lines, fields = _regions_of_points(ask, found)
    reason = f"{found.stopped}: the first {reason}, of {n_points:,} points"
    return stopped(reason, lines, computed=("all of this",), **fields)


#: What a certificate proves of each point in the list.
_LISTED = ("points.point", "points.region", "points.linf.value", "points.l2_squared.value")


def _cluster_sizes(given: str | None) -> list[int]:
    if given is None:
        return []
    sizes = given.split(",")
    if not all(size.isascii() and size.isdigit() and int(size) > 0 for size in sizes):
        raise InputError(f"--clusters {given[:40]}: expected positive integers, as in 1,10,100")
    return [int(size) for size in sizes]


def _regions_of_points(ask: Ask, found: Local) -> tuple[str, list[str], dict[str, Any]]:
    """What holds of all points together, and of each of them."""
    n_points, n_regions = len(found.places), len(found.regions)
    reason = f"{count(n_points, 'point')} in {count(n_regions, 'region')}"
    sizes = Counter(region.n_points for region in found.regions)
    line = f"{count(n_points, 'point')} in {count(n_regions, 'region')} of equal signs"
    if found.n_sharing:
        line += f", {found.n_sharing:,} share one"
    if found.n_on_boundary:
        line += f", {found.n_on_boundary:,} on a boundary"
    lines = [line]
    words = ask.words.of_list(_numbers(found) if ask.args.list else ())
    for name, key in (("ℓ∞", "linf"), ("ℓ2²", "l2_squared")):
        values = [d.value for p in found.places if (d := getattr(p.boundary, key)) is not None]
        if values:
            low, high = words.listed(min(values)), words.listed(max(values))
            lines.append(f"{name} distance to the boundary: from {low} to {high}")
    fields: dict[str, Any] = {
        "n_points": n_points,
        "n_regions": n_regions,
        "n_sharing": found.n_sharing,
        "n_on_boundary": found.n_on_boundary,
        "region_sizes": {str(size): n for size, n in sorted(sizes.items())},
    }
    if ask.args.list:
        everywhere = range(n_points)
        lines = [line for k in everywhere for line in _place_lines(words, found, k)] + lines
        fields["points"] = lambda: [_place_fields(found, k) for k in everywhere]
    return reason, lines, fields


def _numbers(found: Local) -> Iterator[fmpq]:
    """What the list of points shows."""
    for region in found.regions:
        yield from (value for row in region.affine.rows() for value in row)
    for place in found.places:
        yield from place.evaluation.point
        distances = (place.boundary.linf, place.boundary.l2_squared)
        yield from (distance.value for distance in distances if distance is not None)


def _place_lines(words: Words, found: Local, k: int) -> list[str]:
    """One point, for people."""
    from exactrelu.network.evaluation import pattern_text

    place = found.places[k]
    region = found.regions[place.region]
    boundary = place.boundary
    lines = [
        f"{words.listed(place.evaluation.point)} in region {place.region + 1}, "
        f"{pattern_text(region.pattern)}"
    ]
    for j, row in enumerate(region.affine.rows(), 1):
        lines.append(words.affine_form(f"  y{j}", row[:-1], row[-1]))
    if boundary.linf is None or boundary.l2_squared is None:
        lines.append("  no boundary: the region is all of space")
    elif boundary.ties:
        neurons = ", ".join(f"({l},{i})" for l, i in boundary.ties)
        lines.append(f"  on the boundary of {neurons}: counted as inactive")
    else:
        near, nearest = (
            f"{words.listed(distance.value)} of ({layer},{index})"
            for distance in (boundary.linf, boundary.l2_squared)
            for layer, index in (distance.neuron,)
        )
        lines.append(f"  boundary at ℓ∞ {near}, ℓ2² {nearest}")
    return lines


def _place_fields(found: Local, k: int) -> dict[str, Any]:
    """One point, for ``--json``."""
    from exactrelu.network.evaluation import pattern_numbers

    place = found.places[k]
    region = found.regions[place.region]
    return {
        "point": place.evaluation.point,
        "output": place.evaluation.output,
        "region": place.region + 1,
        "pattern": pattern_numbers(region.pattern),
        "dual_points": region.affine,
        "ties": place.boundary.ties,
        "linf": _distance_fields(place.boundary.linf),
        "l2_squared": _distance_fields(place.boundary.l2_squared),
    }


def _distance_fields(distance: Distance | None) -> dict[str, Any] | None:
    return None if distance is None else {"value": distance.value, "neuron": distance.neuron}


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
