"""``exactrelu regions NET``: the activation regions and linear regions on a domain."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import UNDECIDED, Command, Outcome, add_domain, add_jobs, add_limits

if TYPE_CHECKING:
    from exactrelu.complex.split_tree import Region
    from exactrelu.questions.regions import Regions


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    add_domain(parser)
    parser.add_argument("--list", action="store_true", help="list the regions")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "regions")
    add_jobs(parser)


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.domain import flat_words, network_on_domain, restriction
    from exactrelu.cli.progress import counting
    from exactrelu.complex.search import LimitReached
    from exactrelu.questions.regions import regions
    from exactrelu.view.text import count

    network, domain, where = network_on_domain(args)
    with counting("regions") as progress:
        found = regions(
            network,
            domain,
            max_regions=args.max_regions,
            timeout=args.timeout,
            certify=args.certificate is not None,
            jobs=args.jobs,
            progress=progress,
        )
    listed = {"regions": [_as_json(found, r) for r in found.regions]} if args.list else {}
    lines = [line for r in found.regions for line in _as_text(found, r)] if args.list else []
    computed = (*restriction(args), *(("the list of regions",) if args.list else ()))
    if not found.is_complete:
        n_found = count(found.n_regions, "activation region")
        reason = f"stopped at a limit: at least {n_found}{where}"
        fields = {"n_regions": found.n_regions, "n_linear_regions": None, **listed}
        text = "\n".join([*lines, reason])
        computed = (*computed, "the number so far")
        return Outcome(
            text, reason, fields, verdict="undecided", exit_code=UNDECIDED, computed=computed
        )
    certified = () if domain.is_flat else ("n_regions",)
    fields = {"n_regions": found.n_regions, "n_linear_regions": None, **listed}
    try:
        fields["n_linear_regions"] = found.n_linear_regions
    except LimitReached:
        n_found = count(found.n_regions, "activation region")
        reason = f"{n_found}{where}; stopped at a limit before they were merged"
        text = "\n".join([*lines, reason])
        return Outcome(
            text,
            reason,
            fields,
            found.certificate,
            "undecided",
            UNDECIDED,
            certified,
            computed,
        )
    fields["n_affine_maps"] = found.n_affine_maps
    reason = (
        f"{count(found.n_regions, 'activation region')}{where}, "
        f"{count(found.n_linear_regions, 'linear region')}, "
        f"{count(found.n_affine_maps, 'affine map')}{flat_words(domain)}"
    )
    return Outcome(
        "\n".join([*lines, reason]),
        reason,
        fields,
        found.certificate,
        certified=certified,
        computed=(*computed, "linear regions", "affine maps"),
    )


def _as_json(found: Regions, region: Region) -> dict[str, Any]:
    from exactrelu.exact.scalar import to_texts
    from exactrelu.view.text import pattern_numbers

    local = found.affine_map(region)
    closure = found.polyhedron(region)
    return {
        "pattern": pattern_numbers(region.pattern),
        "point": to_texts(region.point),
        "jacobian": [to_texts(row) for row in local.matrix.rows()],
        "offset": to_texts(local.offset),
        "inequalities": [
            {"normal": to_texts(row.normal), "offset": str(row.offset)}
            for row in closure.constraints.rows
        ],
        # With a line in it a polyhedron has no vertices.
        "vertices": [] if closure.lineality else [to_texts(v) for v in closure.vertices],
        "bounded": closure.is_bounded,
    }


def _as_text(found: Regions, region: Region) -> list[str]:
    from exactrelu.view import text

    local = "; ".join(text.affine_map(found.affine_map(region)))
    return [f"{text.pattern(region.pattern)}  at {text.point(region.point)}  {local}"]


REGIONS = Command(
    "regions",
    "activation regions and linear regions of a network on a domain",
    "exactrelu regions cases/xor/network.json --list",
    _add_arguments,
    _run,
)
