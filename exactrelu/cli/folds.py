"""Commands about folds, and about what a function tells of its network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from exactrelu.cli.architectures import SHARE_OPTIONS, about_widths
from exactrelu.cli.command import (
    CERTIFICATE,
    DOMAIN_OR_UNION,
    NETWORK,
    WORKERS,
    Ask,
    argument,
    command,
    limits,
    switch,
)
from exactrelu.cli.outcome import Outcome, answered, done, stopped
from exactrelu.errors import InputError
from exactrelu.words import count

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import Verdict
    from exactrelu.network.network import Network
    from exactrelu.polyhedra.boxes import BoxUnion
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.folds.folds import Folds
    from exactrelu.questions.identifiability.functional_dimension import FunctionalDimension


@command(
    NETWORK,
    DOMAIN_OR_UNION,
    switch("--list", "list the facets with their vertices"),
    argument("--graph", metavar="OUT", help="write the dependency graph: .dot, .json or .graphml"),
    CERTIFICATE,
    limits("faces", "regions"),
    WORKERS,
    fields="order n_pieces pieces edges longest_paths n_facets n_hyperplanes "
    "n_remaining_facets is_union_of_zero_sets no_layers invisible",
    example="example:transparent --domain box:-1..1",
)
def folds(ask: Ask) -> Outcome:
    """Fold-set, canonical representation and dependency graph."""
    from exactrelu.questions.folds.folds import folds

    domain, is_listed = ask.domain_or_union, ask.args.list
    write = _graph_writer(ask.args.graph)
    found = folds(ask.network, domain, certify=ask.wants_certificate, effort=ask.effort)
    if not found.is_complete:
        return _folds_so_far(ask, found)
    if write is not None:
        write(found.graph)
    reason = f"{_surface(found)}{ask.where}{found.cells.found.words}"
    listed = {"facets": lambda: _facet_fields(found)} if is_listed else {}
    return done(
        reason,
        [*_lines(found), *(_facet_lines(ask, found) if is_listed else ()), reason],
        found.certificate,
        certified=_CERTIFIED,
        computed=tuple(_computed(found, is_listed)),
        **_fields(found),
        **listed,
    )


def _folds_so_far(ask: Ask, found: Folds) -> Outcome:
    """Facets that are in the fold-set; whether they are pieces only all faces could say."""
    n_facets, n_planes = found.count(found.facets), len(found.hyperplanes)
    known = f"{count(n_facets, 'facet')} in {count(n_planes, 'hyperplane')} so far"
    reason = f"{found.cells.found.undecided.reason}, {known}{ask.where}"
    return stopped(
        reason,
        computed=("the numbers so far",),
        order=None,
        n_pieces=None,
        edges=None,
        n_facets=n_facets,
        n_hyperplanes=n_planes,
    )


#: The fields that a certificate of folds proves.
_CERTIFIED = (
    "order",
    "n_pieces",
    "edges",
    "pieces.level",
    "pieces.hyperplane",
    "pieces.point",
    "n_facets",
    "n_hyperplanes",
    "n_remaining_facets",
    "is_union_of_zero_sets",
    "longest_paths",
)


def _computed(found: Folds, is_listed: bool) -> Iterator[str]:
    """What the text shows that a certificate does not prove."""
    if found.representation.pieces:
        yield "units and layers of pieces"
    if any(unit.invisible for unit in found.units):
        yield "invisible facets"
    if is_listed and found.facets:
        yield "vertices and rays of facets"


def _graph_writer(path: str | None) -> Callable[[Any], object] | None:
    """A function that writes the graph, by the name of the file."""
    import json

    from exactrelu.files import write_bytes
    from exactrelu.questions.folds.pieces import dot_text, graph_json, graphml_text

    if path is None:
        return None
    formats: dict[str, Callable[[Any], str]] = {
        ".dot": dot_text,
        ".json": lambda graph: json.dumps(graph_json(graph), indent=1) + "\n",
        ".graphml": graphml_text,
    }
    for suffix, make in formats.items():
        if path.endswith(suffix):
            return lambda graph: write_bytes(path, make(graph).encode())
    raise InputError(f"{path}: expected a name that ends in {', '.join(formats)}")


def _surface(found: Folds) -> str:
    """The sentence about the fold-set."""
    pieces = count(len(found.representation.pieces), "piece")
    surface = (
        f"no piece-wise linear surface: {pieces}, "
        f"{count(found.count(found.representation.remainder), 'facet')} in none"
        if found.order is None
        else f"a piece-wise linear surface of order {found.order} with {pieces}"
    )
    union = "" if found.is_union_of_zero_sets else "not "
    return f"the fold-set is {surface}; it is {union}the union of the zero sets of the units"


def _lines(found: Folds) -> list[str]:
    lines = [
        f"{count(found.count(found.facets), 'facet')} in "
        f"{count(len(found.hyperplanes), 'hyperplane')}"
    ]
    for unit in found.units:
        if unit.invisible:
            facets = count(found.count(unit.invisible), "facet")
            lines.append(f"unit {found.network.neuron_name(*unit.unit)}: {facets} invisible")
    for number, piece in enumerate(found.representation.pieces, 1):
        after = [head + 1 for head in found.graph.successors(number - 1)]
        units = " ".join(found.network.neuron_name(*unit) for unit in piece.units)
        layers = _layers(found, piece.hyperplane)
        needs = f", pieces {', '.join(map(str, after))} depend on it" if after else ""
        lines.append(f"piece {number}: level {piece.level}, unit {units}{layers}{needs}")
    if found.no_layers is not None:
        lines.append(f"no layers: not general and transparent, {found.no_layers}")
    longest = max(map(len, found.longest_paths.values()), default=1) - 1
    edges = count(found.graph.number_of_edges(), "edge")
    lines.append(f"dependency graph: {edges}, longest path {longest}")
    return lines


def _layers(found: Folds, plane: tuple[int, ...]) -> str:
    """The layers, where the network may be general and transparent."""
    if found.layers is None:
        return ""
    forced = found.layers[plane]
    if forced.is_ambiguous:
        return f", layer {forced.lowest} to {forced.highest}"
    return f", layer {forced.lowest}"


def _fields(found: Folds) -> dict[str, Any]:
    from exactrelu.questions.folds.pieces import graph_json

    graph = graph_json(found.graph)
    layers = found.layers
    for entry, piece in zip(graph["pieces"], found.representation.pieces, strict=True):
        forced = None if layers is None else layers[piece.hyperplane]
        entry["layers"] = None if forced is None else [forced.lowest, forced.highest]
        entry["n_facets"] = found.count(piece.facets)
        entry["point"] = found.cells.found.place.lift(piece.facets[0].facet.point)
    return {
        "order": found.order,
        "n_pieces": len(found.representation.pieces),
        "edges": graph["edges"],
        "pieces": graph["pieces"],
        "n_facets": found.count(found.facets),
        "n_hyperplanes": len(found.hyperplanes),
        "n_remaining_facets": found.count(found.representation.remainder),
        "no_layers": found.no_layers,
        "is_union_of_zero_sets": found.is_union_of_zero_sets,
        "invisible": [
            {"unit": unit.unit, "n_facets": found.count(unit.invisible)}
            for unit in found.units
            if unit.invisible
        ],
        "longest_paths": [[v + 1 for v in path] for _, path in sorted(found.longest_paths.items())],
    }


def _facet_lines(ask: Ask, found: Folds) -> Iterator[str]:
    facets = list(found.drawn_facets())
    words = ask.words.of_list(x for f in facets for v in (*f.vertices, *f.rays) for x in v)
    for facet in facets:
        piece = "no piece" if facet.piece is None else f"piece {facet.piece + 1}"
        ends = " ".join(map(words.listed, facet.vertices))
        rays = " ".join(f"+ t{words.listed(ray)}" for ray in facet.rays)
        yield f"facet of {piece}: {ends} {rays}".rstrip()


def _facet_fields(found: Folds) -> list[dict[str, Any]]:
    return [
        {
            "vertices": facet.vertices,
            "rays": facet.rays,
            "level": facet.level,
            "piece": None if facet.piece is None else facet.piece + 1,
            "units": facet.units,
        }
        for facet in found.drawn_facets()
    ]


@command(
    NETWORK,
    DOMAIN_OR_UNION,
    argument("--other", metavar="NET2", help="run the identification argument on a second network"),
    CERTIFICATE,
    limits("masks", "faces"),
    WORKERS,
    result="questions.folds.theorem_class.ClassMembership",
    example="example:transparent --domain box:-1..1",
)
def theorem_class(ask: Ask) -> Outcome:
    """Does its function determine a deep network, by the theorem of Phuong and Lampert?"""
    from exactrelu.questions.folds.theorem_class import is_in_theorem_class

    network, domain = ask.network, ask.domain_or_union
    question = f"in the theorem's class{ask.where}"
    ask.showing(partial(_class_so_far, question))
    verdict = is_in_theorem_class(network, domain, effort=ask.effort)
    lines = [f"{question}: {verdict.word}, {verdict.reason}"]
    more: dict[str, Any] = {}
    for chain in verdict.chains or ():
        places = " ".join(map(ask.words.said, chain["points"]))
        lines.append(f"  unit {network.neuron_name(*chain['unit'])}: {places}")
    if ask.args.other is not None:
        other = ask.load(ask.args.other)
        ask.asking_more()
        said, more["identification"] = _identified(ask, network, other, domain)
        lines += said
    told = Outcome.told(verdict, "\n".join(lines), {**verdict.known(), **more})
    compared = ("the comparison with NET2",) if more else ()
    return replace(told, computed=(*told.computed, *compared))


def _class_so_far(question: str, verdict: Verdict) -> Outcome:
    return answered(verdict, question, chains=None)


def _identified(
    ask: Ask, theta: Network, eta: Network, domain: Domain | BoxUnion
) -> tuple[list[str], dict[str, Any]]:
    from exactrelu.questions.folds.theorem_class import have_same_function, identify

    same = have_same_function(theta, eta, domain, effort=ask.effort)
    found = identify(theta, eta)
    word = {True: "yes", False: "no", None: "undecided"}[same]
    lines = [f"the same function: {word}", f"identification: {found.reason}"]
    fields: dict[str, Any] = {
        "same_function": same,
        "reason": found.reason,
        "layer": found.layer,
        "permutations": None,
        "scalings": None,
    }
    if found.symmetry is not None:
        lines += found.symmetry.lines(ask.words)
        fields |= {
            "permutations": found.symmetry.permutations,
            "scalings": found.symmetry.scalings,
        }
    return lines, fields


@command(
    argument("network", metavar="NET", nargs="?", help="network file"),
    CERTIFICATE,
    argument(
        "--domain",
        metavar="D",
        help="by the values there alone: R, orthant, box:a..b[,a..b…] or a polyhedron file",
    ),
    argument(
        "--second",
        metavar="OUT",
        excludes="--dimension",
        help="write the second network of a no to OUT",
    ),
    argument(
        "--architecture",
        metavar="n0,n1,n2,n3",
        needs="--volume",
        excludes="NET --share --dimension --domain --second --certificate",
        help="ask about all networks of these widths",
    ),
    switch("--volume", "the exact fraction of identifiable parameters", needs="--architecture"),
    switch(
        "--dimension",
        "the functional dimension, and whether it is the largest possible",
        needs="NET",
    ),
    argument(
        "--at",
        metavar="X1,X2,…",
        needs="--dimension",
        help="--dimension: on the region of this point alone",
    ),
    SHARE_OPTIONS,
    limits("masks", "regions"),
    result="questions.identifiability.beside.Identifiability "
    "questions.identifiability.functional_dimension.FunctionalDimension "
    "questions.identifiability.second.Volume questions.identifiability.share.Share",
    example="example:identifiable",
)
def identifiable(ask: Ask) -> Outcome:
    """Does its function determine a network, up to permutation and scaling?"""
    from exactrelu.network.formats.load import save
    from exactrelu.questions.identifiability.identifiable import identifiable

    args = ask.args
    if (of_widths := about_widths(ask)) is not None:
        return of_widths
    if args.dimension:
        return _dimension(ask)
    network = ask.network
    domain = None if args.domain is None else ask.domain
    shown = ask.showing(ask.telling("identifiable"))
    told = shown(identifiable(network, domain, effort=ask.effort))
    if told.verdict == "no" and args.second is not None:
        save(told.fields["witness"](), args.second)
        return replace(told, text=f"{told.text}\n  second network: {args.second}")
    return told


def _dimension(ask: Ask) -> Outcome:
    """How many directions of parameters change the function, on a domain or a region."""
    from exactrelu.exact.scalar import parse_vector
    from exactrelu.questions.identifiability.functional_dimension import functional_dimension

    at = None if ask.args.at is None else parse_vector(ask.args.at, f"--at {ask.args.at}")
    ask.showing(partial(_dimension_shown, ask))
    domain = None if ask.args.domain is None else ask.domain
    found = functional_dimension(ask.network, domain, at=at, effort=ask.effort)
    return _dimension_shown(ask, found)


def _dimension_shown(ask: Ask, found: FunctionalDimension) -> Outcome:
    told = Outcome.told(found, f"{found.sentence(ask.words)}{ask.where}", found.known())
    return replace(told, certificate=found.proof if ask.wants_certificate else None)
