"""Commands about the cells into which a network cuts a domain, and about their faces."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import (
    CERTIFICATE,
    DOMAIN,
    NETWORK,
    ON_DOMAIN,
    SLICE,
    WORKERS,
    Ask,
    argument,
    command,
    switch,
)
from exactrelu.cli.outcome import Outcome, done, stopped
from exactrelu.cli.shards import (
    SHARDS,
    complex_in_pieces,
    is_in_pieces,
    regions_in_pieces,
    transparent_in_pieces,
)
from exactrelu.display import plain
from exactrelu.effort import Stopped
from exactrelu.errors import InputError
from exactrelu.words import count

if TYPE_CHECKING:
    from exactrelu.polyhedra.boxes import BoxUnion
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.genericity.senses import GenericSense


def flat_words(domain: Domain | BoxUnion) -> str:
    """What a sentence about cells and faces says of a flat domain."""
    from exactrelu.polyhedra.boxes import BoxUnion

    return "" if isinstance(domain, BoxUnion) or not domain.is_flat else f"; {domain.words}"


@command(
    ON_DOMAIN,
    switch("--list", "list the regions"),
    switch("--stream", "print regions as JSON Lines, as they come; then the object of --json"),
    CERTIFICATE,
    WORKERS,
    SHARDS,
    asks="questions.regions.regions",
    results="questions.shards.answers.Sharded",
    example="example:xor --list",
)
def regions(ask: Ask) -> Outcome:
    """Activation regions and linear regions of a network on a domain."""
    if is_in_pieces(ask):
        return regions_in_pieces(ask)
    if ask.args.stream:
        return _streamed(ask)
    return ask.asked(ask.network, ask.domain, certify=ask.wants_certificate)


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


@command(
    ON_DOMAIN,
    switch("--list", "list the faces"),
    CERTIFICATE,
    WORKERS,
    SHARDS,
    asks="questions.complex.polyhedral_complex",
    results="questions.shards.answers.Sharded",
    example="example:xor --domain box:-2..2",
)
def complex(ask: Ask) -> Outcome:
    """Canonical polyhedral complex: faces, bent hyperplanes, breakpoints."""
    if is_in_pieces(ask):
        return complex_in_pieces(ask)
    return ask.asked(ask.network, ask.domain, certify=ask.wants_certificate)


@command(
    ON_DOMAIN,
    CERTIFICATE,
    WORKERS,
    asks="questions.faces.is_honest",
    example="example:xor",
)
def honest(ask: Ask) -> Outcome:
    """Does the breakpoint complex bend wherever layers meet?"""
    return ask.asked(ask.network, ask.domain)


@command(
    ON_DOMAIN,
    CERTIFICATE,
    WORKERS,
    asks="questions.faces.is_cancellation_free",
    example="example:xor",
)
def cancellation_free(ask: Ask) -> Outcome:
    """Is no jump 0 but where a layer is dead?"""
    return ask.asked(ask.network, ask.domain)


@command(
    NETWORK,
    argument(
        "--sense",
        metavar="SENSE",
        help="generic (default), masked-rank, supertransversal, general, non-proportional",
    ),
    DOMAIN,
    SLICE,
    switch("--all", "list all failures that are minimal", excludes="--perturb"),
    argument("--perturb", metavar="OUT", help="write a generic network nearby to OUT"),
    CERTIFICATE,
    WORKERS,
    asks="questions.genericity.senses.is_generic",
    results="questions.genericity.senses.Perturbed",
    example="example:moons --sense supertransversal",
)
def generic(ask: Ask) -> Outcome:
    """Is the network generic, in a sense of the papers?"""
    from exactrelu.questions.genericity.senses import DEFAULT_SENSE

    sense: GenericSense = ask.args.sense or DEFAULT_SENSE
    if ask.args.perturb is not None:
        return _perturbed(ask, sense)
    chosen = {"sense": sense, "all_failures": ask.args.all}
    return ask.asked(ask.network, ask.domain, **chosen, called=sense)


def _perturbed(ask: Ask, sense: GenericSense) -> Outcome:
    """Write a generic network; the certificate is that of the sense asked for."""
    from exactrelu.network.formats.load import save
    from exactrelu.questions.genericity.senses import make_generic

    path = ask.args.perturb
    found = make_generic(ask.network, ask.domain, senses=(sense,), effort=ask.effort)
    save(found.network, path)
    return ask.told(found, text=f"{path}: {found.sentence(ask.words)}", network=path)


@command(
    ON_DOMAIN,
    CERTIFICATE,
    WORKERS,
    SHARDS,
    asks="questions.activity.is_transparent",
    results="questions.shards.answers.Sharded",
    example="example:transparent --domain box:-1..1",
)
def transparent(ask: Ask) -> Outcome:
    """Has every layer of the network an active unit everywhere on a domain."""
    from exactrelu.questions.activity import Transparency

    if is_in_pieces(ask):
        return transparent_in_pieces(ask, lambda found: ask.told(Transparency.of(found)))
    return ask.asked(ask.network, ask.domain)


@command(
    ON_DOMAIN,
    switch("--list", "list the neurons"),
    CERTIFICATE,
    asks="questions.roles.roles",
    example="example:moons --domain box:0..1/2",
)
def roles(ask: Ask) -> Outcome:
    """Which hidden neurons are dead, linear or nonlinear on a domain."""
    return ask.asked(ask.network, ask.domain)


@command(
    NETWORK,
    argument("--value", metavar="y1,y2,…", required=True, help="the output wanted"),
    DOMAIN,
    SLICE,
    CERTIFICATE,
    asks="questions.injectivity.inversion.invert",
    example="example:xor --value 1",
)
def invert(ask: Ask) -> Outcome:
    """A point that the network takes to a given output, or a proof that there is none."""
    from exactrelu.exact.scalar import parse_vector

    wanted = parse_vector(ask.args.value, "--value")
    called = f"value {ask.words.said(wanted)} taken"
    return ask.asked(ask.network, wanted, ask.domain, called=called)
