"""``exactrelu local NET --points FILE``: regions, local maps and distances at sample points."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Outcome
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.questions.local import Local, Samples
    from exactrelu.questions.local.boundary import Distance


#: What a certificate proves of each point in the list.
_LISTED = ("points.point", "points.region", "points.linf.value", "points.l2_squared.value")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    parser.add_argument(
        "--points", metavar="FILE", required=True, help="points: .csv, .json, .npy or .npz"
    )
    parser.add_argument(
        "--labels", metavar="FILE", help="their labels, if they are no last column of the points"
    )
    parser.add_argument(
        "--test", metavar="FILE", help="labelled points on which to count what is right"
    )
    parser.add_argument("--test-labels", metavar="FILE", help="their labels, likewise")
    parser.add_argument(
        "--clusters",
        metavar="K1,K2,…",
        help="classify with so many clusters of local maps for each output (extra 'clusters')",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="of the clustering (default 0)"
    )
    parser.add_argument(
        "--other", metavar="NET2", help="map the local maps of each network to those of the other"
    )
    parser.add_argument("--list", action="store_true", help="every point")
    parser.add_argument("--duals", metavar="FILE", help="write the matrices C_j as JSON")
    parser.add_argument(
        "--certificate", metavar="FILE", help="write the certificate of regions and distances"
    )


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.network.formats import load
    from exactrelu.questions.local import load_points, local
    from exactrelu.view import text

    network = load(args.network)
    other = None if args.other is None else load(args.other)
    sizes = _cluster_sizes(args.clusters)
    samples = load_points(args.points, network.n_inputs, args.labels)
    if args.test is None and args.test_labels is not None:
        raise InputError("--test-labels needs --test, the points that they belong to")
    tests = samples
    if args.test is not None:
        tests = load_points(args.test, network.n_inputs, args.test_labels)
    with counting("points") as progress:
        found = local(network, samples.points, progress=progress)
    lines, fields = _regions(found)
    certified, computed = tuple(fields), []
    if args.list:
        certified += _LISTED
        computed.append("signs, affine maps and nearest neurons of points")
        listed = [_place(found, k) for k in range(len(found.places))]
        lines = [line for described, _ in listed for line in described] + lines
        fields["points"] = [described for _, described in listed]
    more, accuracy = _accuracies(found, samples, tests, sizes, args.seed, other)
    if accuracy:
        computed.append("how many are right")
    if args.duals is not None:
        _write_duals(found, args.duals)
        more.append(f"C_1 … C_{network.n_outputs} written to {args.duals}")
        computed.append("these matrices")
    reason = (
        f"{text.count(len(found.places), 'point')} in {text.count(len(found.regions), 'region')}"
    )
    return Outcome(
        "\n".join(lines + more),
        reason,
        {**fields, **accuracy},
        found.certificate,
        certified=certified,
        computed=tuple(computed),
    )


def _cluster_sizes(given: str | None) -> list[int]:
    if given is None:
        return []
    sizes = given.split(",")
    if not all(size.isascii() and size.isdigit() and int(size) > 0 for size in sizes):
        raise InputError(f"--clusters {given[:40]}: expected positive integers, as in 1,10,100")
    return [int(size) for size in sizes]


def _regions(found: Local) -> tuple[list[str], dict[str, Any]]:
    """What holds of all points together."""
    from exactrelu.view import text

    n_points, n_regions = len(found.places), len(found.regions)
    sizes = Counter(region.n_points for region in found.regions)
    line = f"{text.count(n_points, 'point')} in {text.count(n_regions, 'region')} of equal signs"
    if found.n_sharing:
        line += f", {found.n_sharing:,} share one"
    if found.n_on_boundary:
        line += f", {found.n_on_boundary:,} on a boundary"
    lines = [line]
    for name, key in (("ℓ∞", "linf"), ("ℓ2²", "l2_squared")):
        values = [d.value for p in found.places if (d := getattr(p.boundary, key)) is not None]
        if values:
            low, high = text.number(min(values)), text.number(max(values))
            lines.append(f"{name} distance to the boundary: from {low} to {high}")
    fields = {
        "n_points": n_points,
        "n_regions": n_regions,
        "n_sharing": found.n_sharing,
        "n_on_boundary": found.n_on_boundary,
        "region_sizes": {str(size): n for size, n in sorted(sizes.items())},
    }
    return lines, fields


def _place(found: Local, k: int) -> tuple[list[str], dict[str, Any]]:
    """The text and the JSON fields of one point."""
    from exactrelu.exact.scalar import to_texts
    from exactrelu.view import text

    place = found.places[k]
    region = found.regions[place.region]
    boundary = place.boundary
    lines = [
        f"{text.point(place.evaluation.point)} in region {place.region + 1}, "
        f"{text.pattern(region.pattern)}"
    ]
    for j, row in enumerate(region.affine.rows(), 1):
        lines.append(f"  y{j} = {text.linear_form(row[:-1], row[-1])}")
    if boundary.linf is None or boundary.l2_squared is None:
        lines.append("  no boundary: the region is all of space")
    elif boundary.ties:
        neurons = ", ".join(f"({l},{i})" for l, i in boundary.ties)
        lines.append(f"  on the boundary of {neurons}: counted as inactive")
    else:
        lines.append(f"  boundary at ℓ∞ {_shown(boundary.linf)}, ℓ2² {_shown(boundary.l2_squared)}")
    fields = {
        "point": to_texts(place.evaluation.point),
        "output": to_texts(place.evaluation.output),
        "region": place.region + 1,
        "pattern": text.pattern_numbers(region.pattern),
        "dual_points": [to_texts(row) for row in region.affine.rows()],
        "ties": [list(neuron) for neuron in boundary.ties],
        "linf": _fields(boundary.linf),
        "l2_squared": _fields(boundary.l2_squared),
    }
    return lines, fields


def _shown(distance: Distance) -> str:
    from exactrelu.view import text

    layer, index = distance.neuron
    return f"{text.number(distance.value)} of ({layer},{index})"


def _fields(distance: Distance | None) -> dict[str, Any] | None:
    from exactrelu.exact.scalar import to_text

    if distance is None:
        return None
    return {"value": to_text(distance.value), "neuron": list(distance.neuron)}


def _accuracies(
    found: Local,
    samples: Samples,
    tests: Samples,
    sizes: list[int],
    seed: int,
    other: Any,
) -> tuple[list[str], dict[str, Any]]:
    """How many labels are right: of the network, with clusters, after mapping."""
    from exactrelu.questions.local import (
        clustered_classes,
        local,
        mapped_classes,
        maps_between,
        n_correct,
        network_classes,
    )
    from exactrelu.questions.local.classify import require_labels
    from exactrelu.view import text

    labels = tests.labels
    if labels is None:
        if sizes or other is not None:
            raise InputError("--clusters and --other count what is right: the points need labels")
        return [], {}
    require_labels(labels, found.network.n_outputs)
    test = found if tests is samples else local(found.network, tests.points)
    total = f"of {len(labels):,}"
    right = n_correct(network_classes(test), labels)
    lines = [f"right: {right:,} {total}"]
    fields: dict[str, Any] = {"n_tests": len(labels), "n_correct": right}
    clustered = {k: n_correct(clustered_classes(found, test, k, seed), labels) for k in sizes}
    lines += [
        f"  {text.count(k, 'cluster')} for each output: {n:,} {total}" for k, n in clustered.items()
    ]
    if sizes:
        fields["clusters"] = {str(k): n for k, n in clustered.items()}
    if other is not None:
        second = local(other, samples.points)
        second_test = second if tests is samples else local(other, tests.points)
        own = n_correct(network_classes(second_test), labels)
        there = n_correct(mapped_classes(maps_between(found, second), test), labels)
        back = n_correct(mapped_classes(maps_between(second, found), second_test), labels)
        lines += [
            f"  NET2 itself: {own:,} {total}",
            f"  NET mapped to NET2: {there:,} {total}",
            f"  NET2 mapped to NET: {back:,} {total}",
        ]
        fields["other"] = {"n_correct": own, "from_net": there, "to_net": back}
    return lines, fields


def _write_duals(found: Local, path: str) -> None:
    import json

    from exactrelu.exact.scalar import to_texts
    from exactrelu.files import write_bytes

    matrices = [[to_texts(row) for row in C.rows()] for C in found.dual_matrices]
    write_bytes(path, (json.dumps(matrices) + "\n").encode())


LOCAL = Command(
    "local",
    "activation regions, local affine maps and distances at sample points; clusters, maps",
    "exactrelu local cases/xor/network.json --points cases/xor/points.csv --list",
    _add_arguments,
    _run,
)
