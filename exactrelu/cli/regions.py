"""The command ``regions``: counted, listed, streamed, or in pieces."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import CERTIFICATE, ON_DOMAIN, WORKERS, Ask, command, limits, switch
from exactrelu.cli.outcome import Outcome, done, stopped
from exactrelu.cli.shards import SHARDS, is_in_pieces, regions_in_pieces
from exactrelu.display import plain
from exactrelu.effort import Stopped
from exactrelu.errors import InputError
from exactrelu.words import count

if TYPE_CHECKING:
    from exactrelu.polyhedra.boxes import BoxUnion
    from exactrelu.polyhedra.domain import Domain


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
    result="questions.regions.Regions",
    example="example:xor --list",
)
def regions(ask: Ask) -> Outcome:
    """Activation regions and linear regions of a network on a domain."""
    from exactrelu.questions.regions import regions

    if is_in_pieces(ask):
        return regions_in_pieces(ask)
    if ask.args.stream:
        return _streamed(ask)
    return ask.asked(regions, ask.network, ask.domain, certify=ask.wants_certificate)


def _streamed(ask: Ask) -> Outcome:
    """Print the regions one by one, without keeping them."""
    from exactrelu.network.network import local_affine_map
    from exactrelu.questions.regions import entry, iter_regions

    if ask.wants_certificate or ask.args.list:
        raise InputError("--stream: found --certificate or --list too, which hold all regions")
    n_printed, stop = 0, None
    try:
        for region in iter_regions(ask.network, ask.domain, effort=ask.effort):
            local = local_affine_map(ask.network, region.pattern)
            print(json.dumps(plain(entry(region, local))), flush=True)
            n_printed += 1
            ask.effort.spend()
    except Stopped as over:
        stop = over
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
    return stopped(f"{stop}: at least {number}", **fields)
