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
    Names,
    Outcome,
    answered,
    argument,
    command,
    done,
    limits,
    stopped,
    switch,
)
from exactrelu.cli.regions import undecided
from exactrelu.cli.shards import (
    SHARDS,
    complex_in_pieces,
    is_in_pieces,
    transparent_in_pieces,
)
from exactrelu.effort import Stopped
from exactrelu.view import text

if TYPE_CHECKING:
    from exactrelu.cells.faces import Face
    from exactrelu.cells.facets import FacetJump
    from exactrelu.certificates.certificate import Verdict
    from exactrelu.exact.scalar import Vector
    from exactrelu.questions.complex import PolyhedralComplex
    from exactrelu.questions.genericity.senses import GenericSense
    from exactrelu.questions.injectivity.inversion import Inversion


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
    network = ask.network
    faces = [found.lifted(face) for face in found.faces] if ask.args.list else []
    listed = {"faces": [_face_fields(face) for face in faces]} if ask.args.list else {}
    words = ask.words.of_list(value for face in faces for value in face.point)
    lines = [
        f"dimension {face.dimension}  {text.pattern(face.signs)}  at {words.listed(face.point)}"
        for face in faces
    ]
    computed = (*ask.restriction, *(("the list of faces",) if ask.args.list else ()))
    fields: dict[str, Any] = {
        "f_vector": found.f_vector,
        "f_vector_at_least": found.f_vector_at_least,
        **listed,
    }
    if not found.is_complete:
        number = text.count(len(found.faces), "face")
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
        facets = text.count(entry["n_facets"], "facet")
        lines.append(f"bent hyperplane of {network.neuron_name(*entry['neuron'])}: {facets}")
    visible = found.breakpoint_facets
    facets = f"{text.count(len(visible), 'breakpoint facet')} of {len(found.facet_jumps)} facets"
    ridges = f"{text.count(n_ridges, 'ridge')}, {n_bending} bending"
    if is_plain:
        facets = f"{facets}, {len(cancelled)} cancelled"
        ridges = f"{ridges}, {len(dishonest)} dishonest"
        fields |= {
            "cancelled_facets": lambda: [
                _face_fields(found.lifted(jump.facet)) for jump in cancelled
            ],
            "dishonest_ridges": lambda: [
                _face_fields(found.lifted(ridge.face)) for ridge in dishonest
            ],
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
        breakpoint_facets=lambda: [_jump_fields(jump) for jump in found.lifted_jumps(visible)],
        n_ridges=n_ridges,
        n_bending_ridges=n_bending,
        **fields,
    )


def _face_fields(face: Face) -> dict[str, Any]:
    return {
        "pattern": text.pattern_numbers(face.signs),
        "dimension": face.dimension,
        "point": face.point,
    }


def _jump_fields(jump: FacetJump) -> dict[str, Any]:
    return {**_face_fields(jump.facet), "jump": jump.jump}


@command(ON_DOMAIN, CERTIFICATE, limits("faces"), WORKERS, fields="failures", example="example:xor")
def honest(ask: Ask) -> Outcome:
    """Does the breakpoint complex bend wherever layers meet?"""
    from exactrelu.questions.faces import is_honest

    shown = ask.showing(partial(_honest, ask))
    return shown(is_honest(ask.network, ask.domain, effort=ask.effort))


def _honest(ask: Ask, verdict: Verdict) -> Outcome:
    failures = [
        {**_face_fields(ridge.face), "layers": sorted(ridge.layers)}
        for ridge in verdict.witness or ()
    ]
    computed = (*ask.restriction, *(("which ridge it is",) if failures else ()))
    return answered(verdict, f"honest{ask.where}", computed=computed, failures=failures)


@command(ON_DOMAIN, CERTIFICATE, limits("faces"), WORKERS, fields="failures", example="example:xor")
def cancellation_free(ask: Ask) -> Outcome:
    """Is no jump 0 but where a layer is dead?"""
    from exactrelu.questions.faces import is_cancellation_free

    shown = ask.showing(partial(_cancellation_free, ask))
    return shown(is_cancellation_free(ask.network, ask.domain, effort=ask.effort))


def _cancellation_free(ask: Ask, verdict: Verdict) -> Outcome:
    failures = [
        {**_face_fields(jump.facet), "neurons": list(jump.bent_neurons())}
        for jump in verdict.witness or ()
    ]
    computed = (*ask.restriction, *(("which neurons bend there",) if failures else ()))
    return answered(verdict, f"cancellation-free{ask.where}", computed=computed, failures=failures)


@command(
    NETWORK,
    argument(
        "--sense",
        metavar="SENSE",
        help="generic (default), masked-rank, supertransversal, general, non-proportional",
    ),
    DOMAIN,
    SLICE,
    switch("--all", "list all failures that are minimal"),
    argument("--perturb", metavar="OUT", help="write a generic network nearby to OUT"),
    CERTIFICATE,
    limits("masks", "faces"),
    WORKERS,
    fields="sense failures",
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
    failures = verdict.witness or ()
    listed = [failure.text() for failure in failures] if ask.args.all else []
    line = f"{sense}{ask.where}: {verdict.word}, {verdict.reason}"
    fields = {"sense": sense, "failures": [failure.fields() for failure in failures]}
    certified, computed = _proved(verdict, ask.args.all)
    computed = (*ask.restriction, *computed)
    return Outcome.of(verdict, "\n".join([*listed, line]), fields, certified, computed)


#: By the kind of its certificate: what of a single failure is proved, and what is not.
_PROVED: dict[str, tuple[Names, Names]] = {
    "masked-rank": (("layers", "masks", "expected_rank", "kernel"), ()),
    "non-proportional": (("units.unit", "units.indicator"), ("the two functions",)),
    "supertransversal": (("point", "dependency"), ("neurons and dimension of the face",)),
    "zero-optimum": ((), ("neuron, place and kind of the optimum",)),
}


def _proved(verdict: Verdict, is_listed: bool) -> tuple[Names, Names]:
    """What the certificate proves, and what it does not: it is about the first failure."""
    if verdict.certificate is None or not verdict.witness:
        return ("verdict",), ()
    names, computed = _PROVED[verdict.certificate.kind]
    if len(verdict.witness) > 1:
        return ("verdict",), ("all failures but one",) if is_listed else computed
    return ("verdict", *(f"failures.{name}" for name in names)), computed


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
    fields="witness",
    example="example:transparent --domain box:-1..1",
)
def transparent(ask: Ask) -> Outcome:
    """Has every layer of the network an active unit everywhere on a domain."""
    from exactrelu.questions.activity import is_transparent

    if is_in_pieces(ask):
        return transparent_in_pieces(ask, partial(_transparent, ask))
    shown = ask.showing(partial(_transparent, ask))
    return shown(is_transparent(ask.network, ask.domain, effort=ask.effort))


def _transparent(ask: Ask, verdict: Verdict) -> Outcome:
    question, computed = f"transparent{ask.where}", ask.restriction
    if verdict.witness is None:
        return answered(verdict, question, computed=computed, witness=None)
    place = verdict.witness
    return answered(
        verdict,
        question,
        [ask.words.equation("  x", place.point)],
        certified=("verdict", "witness.point"),
        computed=(*computed, "which layer it is"),
        witness={"layer": place.layer, "point": place.point},
    )


@command(
    NETWORK,
    argument("--value", metavar="y1,y2,…", required=True, help="the output wanted"),
    DOMAIN,
    SLICE,
    CERTIFICATE,
    limits("regions"),
    fields="point is_unique n_excluded",
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
    certified: Names = ("verdict",)
    computed = ask.restriction
    fields: dict[str, Any] = {"point": None, "is_unique": None, "n_excluded": verdict.n_excluded}
    if verdict.witness is not None:
        found = verdict.witness
        line += ask.words.equation(": x", found.point)
        fields |= {"point": found.point, "is_unique": found.is_unique}
        certified = ("verdict", "point")
        if found.is_unique:
            computed += ("that there is no other point",)
    return Outcome.of(verdict, line, fields, certified, computed)
