"""Commands about the cells into which a network cuts a domain, and about their faces."""

from __future__ import annotations

from functools import partial
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
    limits,
    switch,
)
from exactrelu.cli.outcome import Names, Outcome, done, stopped
from exactrelu.cli.regions import undecided
from exactrelu.cli.shards import (
    SHARDS,
    complex_in_pieces,
    is_in_pieces,
    transparent_in_pieces,
)
from exactrelu.effort import Stopped
from exactrelu.words import count

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import Verdict
    from exactrelu.exact.scalar import Vector
    from exactrelu.questions.complex import PolyhedralComplex
    from exactrelu.questions.genericity.senses import GenericSense
    from exactrelu.questions.injectivity.inversion import Inversion
    from exactrelu.questions.roles import Roles


@command(
    ON_DOMAIN,
    switch("--list", "list the faces"),
    CERTIFICATE,
    limits("faces"),
    WORKERS,
    SHARDS,
    fields="bent_hyperplanes n_facets breakpoint_facets cancelled_facets n_ridges "
    "n_bending_ridges dishonest_ridges f_vector f_vector_at_least",
    example="example:xor --domain box:-2..2",
)
def complex(ask: Ask) -> Outcome:
    """Canonical polyhedral complex: faces, bent hyperplanes, breakpoints."""
    from exactrelu.questions.complex import polyhedral_complex

    if is_in_pieces(ask):
        return complex_in_pieces(ask)
    shown = ask.showing(partial(_complex, ask))
    certify = ask.wants_certificate
    return shown(polyhedral_complex(ask.network, ask.domain, certify=certify, effort=ask.effort))


def _complex(ask: Ask, found: PolyhedralComplex) -> Outcome:
    """What is told of the faces, all of them or those found so far."""
    from exactrelu.network.evaluation import pattern_text

    network = ask.network
    faces = [found.lifted(face) for face in found.faces] if ask.args.list else []
    listed = {"faces": faces} if ask.args.list else {}
    words = ask.words.of_list(value for face in faces for value in face.point)
    lines = [
        f"dimension {face.dimension}  {pattern_text(face.signs)}  at {words.listed(face.point)}"
        for face in faces
    ]
    computed = (*ask.restriction, *(("the list of faces",) if ask.args.list else ()))
    fields: dict[str, Any] = {
        "f_vector": found.f_vector,
        "f_vector_at_least": found.f_vector_at_least,
        **listed,
    }
    if not found.is_complete:
        number = count(len(found.faces), "face")
        reason = f"{found.reason}: at least {number}{ask.where}"
        return stopped(reason, lines, computed=(*computed, "the number so far"), **fields)
    numbers = f"f-vector ({', '.join(map(str, found.f_vector_at_least))}){ask.where}"
    certified: Names = ("f_vector", "f_vector_at_least")
    is_plain = network.is_plain
    try:
        # Cancelled facets and dishonest ridges are known for layers of ReLUs only.
        cancelled = found.cancelled_facets if is_plain else ()
        dishonest = found.dishonest_ridges if is_plain else ()
        n_ridges, n_bending = len(found.ridges), sum(ridge.is_bending for ridge in found.ridges)
    except Stopped as stop:
        reason = f"{numbers}; {stop} before the jumps across facets were known"
        return undecided(ask, found, reason, lines, fields, certified, computed)
    bent: list[dict[str, Any]] = [
        {"neuron": [l, i], "n_facets": len(found.bent_hyperplane(l, i))}
        for l, layer in enumerate(network.layers[:-1], 1)
        for i in range(1, layer.n_outputs + 1)
        if i not in layer.linear
    ]
    for entry in bent:
        facets = count(entry["n_facets"], "facet")
        lines.append(f"bent hyperplane of {network.neuron_name(*entry['neuron'])}: {facets}")
    visible = found.breakpoint_facets
    facets = f"{count(len(visible), 'breakpoint facet')} of {len(found.facet_jumps)} facets"
    ridges = f"{count(n_ridges, 'ridge')}, {n_bending} bending"
    if is_plain:
        facets = f"{facets}, {len(cancelled)} cancelled"
        ridges = f"{ridges}, {len(dishonest)} dishonest"
        fields |= {
            "cancelled_facets": lambda: found.lifted_jumps(cancelled),
            "dishonest_ridges": lambda: found.lifted_ridges(dishonest),
        }
    reason = f"{numbers}; {facets}; {ridges}{found.words}"
    return done(
        reason,
        [*lines, reason],
        found.certificate,
        certified=(*certified, "n_facets"),
        computed=(*computed, "bent hyperplanes", "breakpoint facets", "ridges"),
        bent_hyperplanes=bent,
        n_facets=len(found.facet_jumps),
        breakpoint_facets=lambda: found.lifted_jumps(visible),
        n_ridges=n_ridges,
        n_bending_ridges=n_bending,
        **fields,
    )


@command(
    ON_DOMAIN,
    CERTIFICATE,
    limits("faces"),
    WORKERS,
    result="questions.faces.Honesty",
    example="example:xor",
)
def honest(ask: Ask) -> Outcome:
    """Does the breakpoint complex bend wherever layers meet?"""
    from exactrelu.questions.faces import is_honest

    shown = ask.showing(ask.telling("honest"))
    return shown(is_honest(ask.network, ask.domain, effort=ask.effort))


@command(
    ON_DOMAIN,
    CERTIFICATE,
    limits("faces"),
    WORKERS,
    result="questions.faces.Cancellation",
    example="example:xor",
)
def cancellation_free(ask: Ask) -> Outcome:
    """Is no jump 0 but where a layer is dead?"""
    from exactrelu.questions.faces import is_cancellation_free

    shown = ask.showing(ask.telling("cancellation-free"))
    return shown(is_cancellation_free(ask.network, ask.domain, effort=ask.effort))


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
    limits("masks", "faces"),
    WORKERS,
    result="questions.genericity.senses.Genericity",
    example="example:moons --sense supertransversal",
)
def generic(ask: Ask) -> Outcome:
    """Is the network generic, in a sense of the papers?"""
    from exactrelu.questions.genericity.senses import DEFAULT_SENSE, is_generic

    sense: GenericSense = ask.args.sense or DEFAULT_SENSE
    if ask.args.perturb is not None:
        return _perturbed(ask, sense)
    shown = ask.showing(partial(_generic_shown, ask, sense))
    every = ask.args.all
    return shown(
        is_generic(ask.network, ask.domain, sense=sense, all_failures=every, effort=ask.effort)
    )


def _generic_shown(ask: Ask, sense: str, verdict: Verdict) -> Outcome:
    listed = [failure.text() for failure in verdict.witness or ()] if ask.args.all else []
    line = f"{sense}{ask.where}: {verdict.word}, {verdict.reason}"
    text = "\n".join([*listed, line])
    return Outcome.told(verdict, text, verdict.known(), ask.restriction)


def _perturbed(ask: Ask, sense: GenericSense) -> Outcome:
    """Write a generic network; the certificate is that of the sense asked for."""
    from exactrelu.network.formats.load import save
    from exactrelu.questions.genericity.senses import make_generic

    path = ask.args.perturb
    found = make_generic(ask.network, ask.domain, senses=(sense,), effort=ask.effort)
    save(found.network, path)
    return done(
        f"{path}: {sense}{ask.where}; parameters moved by at most {ask.words.said(found.distance)}",
        None,
        found.verdicts[sense].certificate,
        certified=("sense",),
        computed=(*ask.restriction, "how far they moved"),
        distance=found.distance,
        sense=sense,
        network=path,
    )


@command(
    ON_DOMAIN,
    CERTIFICATE,
    limits("regions"),
    WORKERS,
    SHARDS,
    result="questions.activity.Transparency",
    example="example:transparent --domain box:-1..1",
)
def transparent(ask: Ask) -> Outcome:
    """Has every layer of the network an active unit everywhere on a domain."""
    from exactrelu.questions.activity import Transparency, is_transparent

    if is_in_pieces(ask):
        return transparent_in_pieces(
            ask, lambda found: ask.told(Transparency.of(found), "transparent")
        )
    shown = ask.showing(ask.telling("transparent"))
    return shown(is_transparent(ask.network, ask.domain, effort=ask.effort))


@command(
    ON_DOMAIN,
    switch("--list", "list the neurons"),
    CERTIFICATE,
    limits("regions"),
    result="questions.roles.Roles",
    example="example:moons --domain box:0..1/2",
)
def roles(ask: Ask) -> Outcome:
    """Which hidden neurons are dead, linear or nonlinear on a domain."""
    from exactrelu.questions.roles import roles

    shown = ask.showing(partial(_roles, ask))
    return shown(roles(ask.network, ask.domain, effort=ask.effort))


def _roles(ask: Ask, found: Roles) -> Outcome:
    from exactrelu.questions.roles import counted

    lines = [f"layer {l}: {counted(layer)}" for l, layer in enumerate(found.table, 1)]
    for part in found.PARTS if ask.args.list else ():
        names = [ask.network.neuron_name(*neuron) for neuron in part.value(found)]
        lines += [f"{part.name}: {', '.join(names)}"] if names else []
    text = "\n".join([f"{found.reason}{ask.where}", *lines])
    return Outcome.told(found, text, found.known(), ask.restriction)


@command(
    NETWORK,
    argument("--value", metavar="y1,y2,…", required=True, help="the output wanted"),
    DOMAIN,
    SLICE,
    CERTIFICATE,
    limits("regions"),
    result="questions.injectivity.inversion.Inversion",
    example="example:xor --value 1",
)
def invert(ask: Ask) -> Outcome:
    """A point that the network takes to a given output, or a proof that there is none."""
    from exactrelu.exact.scalar import parse_vector
    from exactrelu.questions.injectivity.inversion import invert

    network, domain = ask.network, ask.domain
    wanted = parse_vector(ask.args.value, "--value")
    shown = ask.showing(partial(_invert, ask, wanted))
    return shown(invert(network, wanted, domain, effort=ask.effort))


def _invert(ask: Ask, wanted: Vector, verdict: Inversion) -> Outcome:
    line = f"value {ask.words.said(wanted)} taken{ask.where}: {verdict.word}, {verdict.reason}"
    if verdict.point is not None:
        line += ask.words.equation(": x", verdict.point)
    return Outcome.told(verdict, line, verdict.known(), ask.restriction)
