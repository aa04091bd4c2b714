"""The command ``regions``: counted, listed, streamed, or in pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import CERTIFICATE, ON_DOMAIN, WORKERS, Ask, command, limits, switch
from exactrelu.cli.outcome import UNDECIDED, Names, Outcome, done
from exactrelu.cli.shards import (
    SHARDS,
    is_in_pieces,
    regions_in_pieces,
)
from exactrelu.display import plain
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.words import coefficients, count

if TYPE_CHECKING:
    from exactrelu.cells.tree import Region
    from exactrelu.network.network import AffineMap
    from exactrelu.polyhedra.boxes import BoxUnion
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.polyhedra.polyhedron import Polyhedron
    from exactrelu.questions.complex import PolyhedralComplex
    from exactrelu.questions.regions import Regions


def flat_words(domain: Domain | BoxUnion) -> str:
    """What a sentence about cells and faces says of a flat domain."""
    from exactrelu.polyhedra.boxes import BoxUnion

    return "" if isinstance(domain, BoxUnion) or not domain.is_flat else f"; {domain.words}"


@command(
    ON_DOMAIN,
    switch("--list", "list the regions"),
    switch("--stream", "print regions as JSON Lines, as they come; then the object of --json"),
    CERTIFICATE,
    limits("regions"),
    WORKERS,
    SHARDS,
    fields="n_regions n_regions_at_least n_linear_regions n_affine_maps",
    example="example:xor --list",
)
def regions(ask: Ask) -> Outcome:
    """Activation regions and linear regions of a network on a domain."""
    from exactrelu.questions.regions import regions

    if is_in_pieces(ask):
        return regions_in_pieces(ask)
    if ask.args.stream:
        return _streamed(ask)
    shown = ask.showing(partial(_regions, ask))
    certify = ask.wants_certificate
    return shown(regions(ask.network, ask.domain, certify=certify, effort=ask.effort))


def _streamed(ask: Ask) -> Outcome:
    """Print the regions one by one, without keeping them."""
    from exactrelu.network.network import local_affine_map
    from exactrelu.questions.regions import iter_regions

    if ask.wants_certificate or ask.args.list:
        raise InputError("--stream: found --certificate or --list too, which hold all regions")
    n_printed, stop = 0, None
    try:
        for region in iter_regions(ask.network, ask.domain, effort=ask.effort):
            local = local_affine_map(ask.network, region.pattern)
            print(json.dumps(plain(_pattern_fields(region, local))), flush=True)
            n_printed += 1
            ask.effort.spend()
    except Stopped as stopped:
        stop = stopped
    except BrokenPipeError:
        # The reader went away (`| head`).
        stop = Stopped("nobody reads on")
    except OSError as error:
        raise InputError(f"stdout: {error.strerror or error}") from None
    n = n_printed if stop is None else max(n_printed, ask.effort.counts["regions"])
    number = f"{count(n, 'activation region')}{ask.where}"
    fields: dict[str, Any] = {"n_regions": n if stop is None else None, "n_regions_at_least": n}
    if stop is None:
        return done(f"{number}{flat_words(ask.domain)}", **fields)
    reason = f"{stop}: at least {number}"
    return Outcome(reason, reason, fields, None, "undecided", UNDECIDED)


def _regions(ask: Ask, found: Regions) -> Outcome:
    """What is told of the regions, all of them or those found so far."""
    is_listed, domain = ask.args.list, ask.domain
    lines = _region_lines(ask, found) if is_listed else []
    fields: dict[str, Any] = {
        "n_regions": found.n_regions,
        "n_regions_at_least": found.n_regions_at_least,
        "n_linear_regions": None,
    }
    if is_listed:
        fields["regions"] = lambda: list(_region_fields(found, ask.effort))
    computed = (*ask.restriction, *(("the list of regions",) if is_listed else ()))
    number = count(found.n_regions_at_least, "activation region")
    certified: Names = ("n_regions", "n_regions_at_least")
    if not found.is_complete:
        reason = f"{found.reason}: at least {number}{ask.where}"
        n_shown = len(found.regions)
        if n_shown < found.n_regions_at_least:
            computed += (f"the number so far (the certificate has {n_shown:,} of them)",)
            certified = ()
        return undecided(ask, found, reason, lines, fields, certified[1:], computed)
    try:
        fields["n_linear_regions"] = found.n_linear_regions
    except Stopped as stop:
        reason = f"{number}{ask.where}; {stop} before they were merged"
        return undecided(ask, found, reason, lines, fields, certified, computed)
    fields["n_affine_maps"] = found.n_affine_maps
    reason = (
        f"{number}{ask.where}, {count(found.n_linear_regions, 'linear region')}, "
        f"{count(found.n_affine_maps, 'affine map')}{flat_words(domain)}"
    )
    return done(
        reason,
        [*lines, reason],
        found.certificate,
        certified=certified,
        computed=(*computed, "linear regions", "affine maps"),
        **fields,
    )


def undecided(
    ask: Ask,
    found: Regions | PolyhedralComplex,
    reason: str,
    lines: list[str],
    fields: dict[str, Any],
    certified: Names,
    computed: Names,
) -> Outcome:
    """Over a bound, but with a proof of a part of the answer."""
    proof = found.certificate if ask.wants_certificate else None
    shown = "\n".join([*lines, reason])
    return Outcome(shown, reason, fields, proof, "undecided", UNDECIDED, certified, computed)


def _region_lines(ask: Ask, found: Regions) -> list[str]:
    from exactrelu.network.evaluation import pattern_text

    maps = [found.affine_map(region) for region in found.regions]
    words = ask.words.of_list(
        value
        for region, local in zip(found.regions, maps, strict=True)
        for value in (*region.point, *coefficients(local))
    )
    return [
        f"{pattern_text(region.pattern)}  at {words.listed(region.point)}  "
        + "; ".join(words.affine_map(local))
        for region, local in zip(found.regions, maps, strict=True)
    ]


def _region_fields(found: Regions, effort: Effort) -> Iterator[dict[str, Any]]:
    """The regions, with their closures as long as there is time for them."""
    is_over = not found.is_complete
    for region in found.regions:
        closure: dict[str, Any] = {"inequalities": None, "vertices": None, "bounded": None}
        if not is_over:
            try:
                closure = _closure_fields(found.polyhedron(region, effort))
                effort.spend()
            except Stopped:
                is_over = True
        local = found.affine_map(region)
        yield {**_pattern_fields(region, local), **closure}


def _pattern_fields(region: Region, local: AffineMap) -> dict[str, Any]:
    from exactrelu.network.evaluation import pattern_numbers

    return {
        "pattern": pattern_numbers(region.pattern),
        "point": region.point,
        "jacobian": local.matrix,
        "offset": local.offset,
    }


def _closure_fields(closure: Polyhedron) -> dict[str, Any]:
    return {
        "inequalities": [
            {"normal": row.normal, "offset": row.offset} for row in closure.constraints.rows
        ],
        # With a line in it a polyhedron has no vertices.
        "vertices": [] if closure.lineality else closure.vertices,
        "bounded": closure.is_bounded,
    }
