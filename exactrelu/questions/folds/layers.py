"""The layers that a fold-set forces on its hyperplanes.

Let h be general and transparent with fold-set S, the union of the zero sets of its units.  All
facets of S in one hyperplane belong to one unit, with one activation indicator below it: two
different pairs have no proportional affine functions (Lemma A.11).  So hyperplanes have layers.

A *bend* is a ridge of S at which exactly one hyperplane H goes on straight, and others, H', end.
Then layer(H) < layer(H').  Proof: let λ be the least layer of a unit that is 0 on the ridge.
Near it the units of layer λ are affine and change their signs, so that their zero sets, which
lie in S, are straight: each is H.  A facet in H' belongs to another unit, of a later layer. ∎

So a hyperplane from which a path of m bends starts is of layer L−1−m at most; one at which such a
path ends is of layer m+1 at least; and a piece of level k is of layer k at least.

The paper's Lemma 3 (A.18) says the first for the paths of the dependency graph, where an edge
H → H' asks only that cl H' meets H.  This is FALSE: a hyperplane of the last layer that meets no
other unit's folds has level 1, and cuts the folds of its own layer into pieces of level 2 that
"depend" on it and do not bend there (case S001-E3).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import networkx as nx

from exactrelu.questions.folds.canonical import Representation
from exactrelu.questions.folds.cells import Cells, Hyperplane, hyperplane


def bending_graph(cells: Cells) -> nx.DiGraph:
    """Hyperplanes of the fold-set; an edge H → H' with a ``witness`` on a bend of H' at H."""
    graph = nx.DiGraph()
    planes = {jump.facet.signs: hyperplane(jump) for jump in cells.visible}
    graph.add_nodes_from(planes.values())
    for face in cells.faces:
        if face.dimension != cells.dimension - 2:
            continue
        around = cells.visible_around.around(face.signs)
        met = Counter(planes[jump.facet.signs] for jump in around)
        straight = [plane for plane, n in met.items() if n == 2]
        if len(straight) == 1:
            for plane in met:
                if plane != straight[0] and not graph.has_edge(straight[0], plane):
                    graph.add_edge(straight[0], plane, witness=face.point)
    return graph


@dataclass(frozen=True)
class LayerRange:
    """The layers that a hyperplane can have in a general transparent network of some depth.

    Without one in it no such network has this fold-set.
    """

    lowest: int
    highest: int

    def __contains__(self, layer: int) -> bool:
        return self.lowest <= layer <= self.highest

    @property
    def is_ambiguous(self) -> bool:
        return self.lowest < self.highest


def forced_layers(
    representation: Representation, bends: nx.DiGraph, n_hidden_layers: int
) -> dict[Hyperplane, LayerRange] | None:
    """The range of each hyperplane; None if the bends go round in a circle.

    None means that the fold-set is that of no general transparent network at all.
    """
    if not nx.is_directed_acyclic_graph(bends):
        return None
    before = _longest_from(bends.reverse(copy=False))
    after = _longest_from(bends)
    level: dict[Hyperplane, int] = {}
    for piece in representation.pieces:
        level[piece.hyperplane] = max(piece.level, level.get(piece.hyperplane, 1))
    return {
        plane: LayerRange(
            max(level.get(plane, 1), before[plane] + 1), n_hidden_layers - after[plane]
        )
        for plane in bends
    }


def _longest_from(graph: nx.DiGraph) -> dict[Hyperplane, int]:
    """The length of a longest path that starts at each vertex."""
    found: dict[Hyperplane, int] = {}
    for vertex in reversed(list(nx.topological_sort(graph))):
        found[vertex] = max((found[other] + 1 for other in graph.successors(vertex)), default=0)
    return found
