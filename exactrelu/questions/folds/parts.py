"""What an answer about folds has: pieces, dependencies, facets, each as text and as JSON has it.

A search that was stopped knows some facets and hyperplanes.  Whether they are pieces only all faces
could say, and so all other parts are null then.  Facets are counted as those of the network: sides
of a union of boxes may cut them into parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from exactrelu.answer import Names, Part
from exactrelu.questions.folds.pieces import graph_json
from exactrelu.words import Words, count


def _numbers(found: Any, _: Words) -> Iterator[str]:
    """How large the fold-set is; over a bound the sentence says it."""
    if found.is_complete:
        yield found.size


def _unseen(found: Any, _: Words) -> Iterator[str]:
    for unit in found.units if found.is_complete else ():
        if unit.invisible:
            facets = count(found.count(unit.invisible), "facet")
            yield f"unit {found.network.neuron_name(*unit.unit)}: {facets} invisible"


def _pieces(found: Any) -> list[dict[str, Any]]:
    """What JSON has of the pieces."""
    entries: list[dict[str, Any]] = graph_json(found.graph)["pieces"]
    for entry, piece in zip(entries, found.representation.pieces, strict=True):
        forced = None if found.layers is None else found.layers[piece.hyperplane]
        entry["layers"] = None if forced is None else [forced.lowest, forced.highest]
        entry["n_facets"] = found.count(piece.facets)
        entry["point"] = found.cells.found.place.lift(piece.facets[0].facet.point)
    return entries


def _piece_lines(found: Any, _: Words) -> Iterator[str]:
    for number, piece in enumerate(found.representation.pieces if found.is_complete else (), 1):
        after = [head + 1 for head in found.graph.successors(number - 1)]
        units = " ".join(found.network.neuron_name(*unit) for unit in piece.units)
        layers = "" if found.layers is None else f", layer {found.layers[piece.hyperplane].words}"
        needs = f", pieces {', '.join(map(str, after))} depend on it" if after else ""
        yield f"piece {number}: level {piece.level}, unit {units}{layers}{needs}"


def _no_layers(found: Any, _: Words) -> Iterator[str]:
    if found.is_complete and found.no_layers is not None:
        yield f"no layers: not general and transparent, {found.no_layers}"


def _dependencies(found: Any, _: Words) -> Iterator[str]:
    if found.is_complete:
        longest = max(map(len, found.longest_paths.values()), default=1) - 1
        edges = count(found.graph.number_of_edges(), "edge")
        yield f"dependency graph: {edges}, longest path {longest}"


def _facet_lines(found: Any, words: Words) -> Iterator[str]:
    facets = list(found.drawn_facets()) if found.is_complete else []
    words = words.of_list(x for f in facets for v in (*f.vertices, *f.rays) for x in v)
    for facet in facets:
        piece = "no piece" if facet.piece is None else f"piece {facet.piece + 1}"
        ends = " ".join(map(words.listed, facet.vertices))
        rays = " ".join(f"+ t{words.listed(ray)}" for ray in facet.rays)
        yield f"facet of {piece}: {ends} {rays}".rstrip()


def _facets(found: Any) -> list[dict[str, Any]]:
    """What JSON has of the facets."""
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


def _of_all(
    name: str, about: str, value: Callable[[Any], Any], proved: Names | bool = True, **more: Any
) -> Part:
    """A part that is known, and perhaps proved, once all faces are found."""
    return Part(
        name,
        about,
        of=lambda found: value(found) if found.is_complete else None,
        proved=lambda found: found.is_complete and proved,
        takes_work=name != "n_facets",
        **more,
    )


def _shown(words: str, has: Callable[[Any], Any]) -> Callable[[Any], str]:
    """What no certificate proves, where there is something of it."""
    return lambda found: words if found.is_complete and has(found) else ""


#: What an answer about folds consists of.
FOLDS: tuple[Part, ...] = (
    _of_all(
        "order",
        "the largest level, or null if the fold-set is no piece-wise linear surface",
        lambda found: found.order,
    ),
    _of_all(
        "n_facets",
        "number of visible facets",
        lambda found: found.count(found.facets),
        claim="facets",
        said=_numbers,
    ),
    Part(
        "n_facets_at_least",
        "as many were found",
        of=lambda found: found.count(found.facets),
        unproved=lambda found: "" if found.is_complete else "the numbers so far",
    ),
    _of_all(
        "n_hyperplanes",
        "number of hyperplanes that they lie in",
        lambda found: len(found.hyperplanes),
        claim="hyperplanes",
    ),
    Part(
        "n_hyperplanes_at_least",
        "of those that were found",
        of=lambda found: len(found.hyperplanes),
    ),
    _of_all("n_pieces", "number of pieces", lambda found: len(found.representation.pieces)),
    _of_all(
        "n_remaining_facets",
        "facets that are in no piece",
        lambda found: found.count(found.representation.remainder),
        claim="remaining",
    ),
    _of_all(
        "is_union_of_zero_sets",
        "whether the folds are all the points at which a unit is 0",
        lambda found: found.is_union_of_zero_sets,
    ),
    _of_all(
        "pieces",
        "of each `piece` its `level`, `hyperplane`, a `point`, its `units`, `layers` and "
        "`n_facets`",
        _pieces,
        ("level", "hyperplane", "point"),
        said=_piece_lines,
        unproved=_shown("units and layers of pieces", lambda found: found.representation.pieces),
    ),
    _of_all(
        "invisible",
        "units with facets across which nothing bends",
        lambda found: [
            {"unit": unit.unit, "n_facets": found.count(unit.invisible)}
            for unit in found.units
            if unit.invisible
        ],
        proved=False,
        said=_unseen,
        unproved=_shown("invisible facets", lambda found: found.has_invisible),
    ),
    _of_all(
        "no_layers",
        "why no layers are told, or null",
        lambda found: found.no_layers,
        proved=False,
        said=_no_layers,
    ),
    _of_all(
        "edges",
        "which piece (`to`) depends on which (`from`), with a point (`witness`)",
        lambda found: graph_json(found.graph)["edges"],
        said=_dependencies,
    ),
    _of_all(
        "longest_paths",
        "for each piece a longest path of dependencies from it",
        lambda found: [[v + 1 for v in path] for _, path in sorted(found.longest_paths.items())],
    ),
    _of_all(
        "facets",
        "`vertices`, `rays`, `level`, `piece` and `units` of each facet",
        _facets,
        proved=False,
        said=_facet_lines,
        unproved=_shown("vertices and rays of facets", lambda found: found.facets),
        is_listed=True,
    ),
)
