"""``exactrelu folds NET``: the fold-set, its canonical representation and dependency graph."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import UNDECIDED, Command, Outcome, add_domain_or_union, add_limits

if TYPE_CHECKING:
    from exactrelu.questions.folds.folds import Folds


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    add_domain_or_union(parser)
    parser.add_argument("--list", action="store_true", help="list the facets with their vertices")
    parser.add_argument(
        "--graph", metavar="OUT", help="write the dependency graph: .dot, .json or .graphml"
    )
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "faces", "regions")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.domain import flat_words, network_on_domain_or_union
    from exactrelu.cli.progress import counting
    from exactrelu.questions.folds.folds import folds
    from exactrelu.view import text

    network, domain, where = network_on_domain_or_union(args)
    write = _graph_writer(args.graph)
    with counting("faces") as progress:
        found = folds(
            network,
            domain,
            max_faces=args.max_faces,
            max_regions=args.max_regions,
            timeout=args.timeout,
            certify=args.certificate is not None,
            progress=progress,
        )
    if not found.is_complete:
        n_faces = len(found.cells.found.faces)
        reason = f"stopped at a limit after {text.count(n_faces, 'face')}{where}"
        fields: dict[str, Any] = {"order": None, "n_pieces": None, "edges": None}
        return Outcome(
            reason,
            reason,
            fields,
            verdict="undecided",
            exit_code=UNDECIDED,
            computed=("the number so far",),
        )
    if write is not None:
        write(found.graph)
    flat = flat_words(domain)
    reason = _reason(found) + where + flat
    lines = [*_lines(found), *(_listed(found) if args.list else ()), reason]
    listed = {"facets": _facets(found)} if args.list else {}
    return Outcome(
        "\n".join(lines),
        reason,
        {**_fields(found), **listed},
        found.certificate,
        certified=() if flat else _CERTIFIED,
        computed=tuple(_computed(found, args.list)),
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


def _graph_writer(path: str | None) -> Any:
    """A function that writes the graph, by the name of the file."""
    import json

    from exactrelu.errors import InputError
    from exactrelu.files import write_bytes
    from exactrelu.questions.folds.dependency import dot_text, graph_json, graphml_text

    if path is None:
        return None
    formats = {
        ".dot": dot_text,
        ".json": lambda graph: json.dumps(graph_json(graph), indent=1) + "\n",
        ".graphml": graphml_text,
    }
    for suffix, make in formats.items():
        if path.endswith(suffix):
            return lambda graph: write_bytes(path, make(graph).encode())
    raise InputError(f"{path}: expected a name that ends in {', '.join(formats)}")


def _reason(found: Folds) -> str:
    from exactrelu.view.text import count

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
    from exactrelu.view import text

    lines = [
        f"{text.count(found.count(found.facets), 'facet')} in "
        f"{text.count(len(found.hyperplanes), 'hyperplane')}"
    ]
    for unit in found.units:
        if unit.invisible:
            facets = text.count(found.count(unit.invisible), "facet")
            lines.append(f"unit {found.network.neuron_name(*unit.unit)}: {facets} invisible")
    for number, piece in enumerate(found.representation.pieces, 1):
        after = [head + 1 for head in found.graph.successors(number - 1)]
        units = " ".join(found.network.neuron_name(*unit) for unit in piece.units)
        layers = _layer_text(found, piece.hyperplane)
        needs = f", pieces {', '.join(map(str, after))} depend on it" if after else ""
        lines.append(f"piece {number}: level {piece.level}, unit {units}{layers}{needs}")
    if found.no_layers is not None:
        lines.append(f"no layers: not general and transparent, {found.no_layers}")
    longest = max(map(len, found.longest_paths.values()), default=1) - 1
    edges = text.count(found.graph.number_of_edges(), "edge")
    lines.append(f"dependency graph: {edges}, longest path {longest}")
    return lines


def _layer_text(found: Folds, plane: tuple[int, ...]) -> str:
    """The layers, where the network may be general and transparent."""
    if found.layers is None:
        return ""
    forced = found.layers[plane]
    if forced.is_ambiguous:
        return f", layer {forced.lowest} to {forced.highest}"
    return f", layer {forced.lowest}"


def _listed(found: Folds) -> list[str]:
    from exactrelu.view import text

    lines = []
    for facet in found.drawn_facets():
        piece = "no piece" if facet.piece is None else f"piece {facet.piece + 1}"
        ends = " ".join(map(text.point, facet.vertices))
        rays = " ".join(f"+ t{text.point(ray)}" for ray in facet.rays)
        lines.append(f"facet of {piece}: {ends} {rays}".rstrip())
    return lines


def _facets(found: Folds) -> list[dict[str, Any]]:
    from exactrelu.exact.scalar import to_texts

    return [
        {
            "vertices": [to_texts(v) for v in facet.vertices],
            "rays": [to_texts(v) for v in facet.rays],
            "level": facet.level,
            "piece": None if facet.piece is None else facet.piece + 1,
            "units": [list(unit) for unit in facet.units],
        }
        for facet in found.drawn_facets()
    ]


def _fields(found: Folds) -> dict[str, Any]:
    from exactrelu.exact.scalar import to_texts
    from exactrelu.questions.folds.dependency import graph_json

    graph = graph_json(found.graph)
    layers = found.layers
    for entry, piece in zip(graph["pieces"], found.representation.pieces, strict=True):
        forced = None if layers is None else layers[piece.hyperplane]
        entry["layers"] = None if forced is None else [forced.lowest, forced.highest]
        entry["n_facets"] = found.count(piece.facets)
        entry["point"] = to_texts(found.cells.found.place.lift(piece.facets[0].facet.point))
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
            {"unit": list(unit.unit), "n_facets": found.count(unit.invisible)}
            for unit in found.units
            if unit.invisible
        ],
        "longest_paths": [[v + 1 for v in path] for _, path in sorted(found.longest_paths.items())],
    }


FOLDS = Command(
    "folds",
    "fold-set, canonical representation and dependency graph",
    "exactrelu folds cases/S001-P1-transparent/N.json --domain box:-1,1",
    _add_arguments,
    _run,
)
