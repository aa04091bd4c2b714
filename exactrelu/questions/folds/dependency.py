"""The dependency graph of a fold-set (Phuong & Lampert, Definition A.5; theory 4).

Vertices are the pieces of the canonical representation, and there is an edge H → H' iff
level(H) < level(H') and H ∩ cl H' ≠ ∅.  Pieces are relatively open: a face in the closure of
H lies in H iff no piece of a lower level touches it.  So at each face the pieces of the lowest
level that touch it contain it, and have edges to all other pieces that touch it.
"""

from __future__ import annotations

from typing import Any

import networkx as nx

from exactrelu.exact.scalar import to_texts
from exactrelu.network.evaluate import Pattern
from exactrelu.questions.folds.canonical import Representation
from exactrelu.questions.folds.cells import Cells


def dependency_graph(cells: Cells, representation: Representation) -> nx.DiGraph:
    """Pieces by their number, with ``level``; edges with a ``witness``, a point of H ∩ cl H'.

    The witness is in a face of the largest dimension that H ∩ cl H' has.  Hyperplanes and points
    are in the coordinates of x.
    """
    pieces = representation.pieces
    place = cells.found.place
    graph = nx.DiGraph()
    of_facet: dict[Pattern, int] = {}
    for number, piece in enumerate(pieces):
        plane = place.lift_row(piece.hyperplane)
        graph.add_node(number, level=piece.level, units=piece.units, hyperplane=plane)
        of_facet.update((jump.facet.signs, number) for jump in piece.facets)
    lower = (face for face in cells.faces if face.dimension < cells.dimension - 1)
    for face in sorted(lower, key=lambda face: -face.dimension):
        around = (jump.facet.signs for jump in cells.visible_around.around(face.signs))
        touching = sorted({of_facet[signs] for signs in around if signs in of_facet})
        if len(touching) < 2:
            continue
        lowest = min(pieces[number].level for number in touching)
        for tail in touching:
            for head in touching:
                is_edge = pieces[tail].level == lowest < pieces[head].level
                if is_edge and not graph.has_edge(tail, head):
                    graph.add_edge(tail, head, witness=place.lift(face.point))
    return graph


def longest_paths(graph: nx.DiGraph) -> dict[int, list[int]]:
    """For each vertex of an acyclic graph a longest path that starts there, itself first."""
    found: dict[int, list[int]] = {}
    for vertex in reversed(list(nx.lexicographical_topological_sort(graph))):
        below = [found[other] for other in sorted(graph.successors(vertex))]
        found[vertex] = [vertex, *max(below, key=len, default=[])]
    return found


def graph_json(graph: nx.DiGraph) -> dict[str, Any]:
    """The graph as ``--json`` writes it; pieces are numbered from 1."""
    return {
        "pieces": [
            {
                "piece": number + 1,
                "level": data["level"],
                "hyperplane": [str(a) for a in data["hyperplane"]],
                "units": [list(unit) for unit in data["units"]],
            }
            for number, data in graph.nodes(data=True)
        ],
        "edges": [
            {"from": tail + 1, "to": head + 1, "witness": to_texts(witness)}
            for tail, head, witness in graph.edges(data="witness")
        ],
    }


def dot_text(graph: nx.DiGraph) -> str:
    """The graph in the language of Graphviz, one rank for each level."""
    lines = ["digraph dependencies {", "  rankdir=TB;"]
    levels: dict[int, list[int]] = {}
    for number, level in graph.nodes(data="level"):
        levels.setdefault(level, []).append(number)
    for level, numbers in sorted(levels.items()):
        vertices = " ".join(f'{n + 1} [label="{_label(graph, n)}"];' for n in numbers)
        lines.append(f"  {{ rank=same; /* level {level} */ {vertices} }}")
    for tail, head, witness in graph.edges(data="witness"):
        lines.append(f'  {tail + 1} -> {head + 1} [tooltip="({", ".join(to_texts(witness))})"];')
    return "\n".join([*lines, "}", ""])


def graphml_text(graph: nx.DiGraph) -> str:
    """The graph in GraphML, with exact numbers as text."""
    plain = nx.DiGraph()
    for number, data in graph.nodes(data=True):
        plain.add_node(
            number + 1,
            level=data["level"],
            hyperplane=" ".join(map(str, data["hyperplane"])),
            units=" ".join(f"({l},{i})" for l, i in data["units"]),
        )
    for tail, head, witness in graph.edges(data="witness"):
        plain.add_edge(tail + 1, head + 1, witness=" ".join(to_texts(witness)))
    return "\n".join(nx.generate_graphml(plain)) + "\n"


def _label(graph: nx.DiGraph, number: int) -> str:
    units = " ".join(f"({l},{i})" for l, i in graph.nodes[number]["units"])
    return f"{number + 1}: {units}" if units else str(number + 1)
