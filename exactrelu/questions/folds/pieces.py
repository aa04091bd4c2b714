"""The pieces of a fold-set: its canonical representation, what depends on what, and forced layers.

*Canonical representations of piece-wise linear surfaces* (Phuong & Lampert, A.1; theory 4).  S is
the fold-set, a closed subset of the open set Z.  A *piece* of level l is the set
H = {z ∈ P : w·z + b = 0} ⊂ S, not empty, with P a component of Z minus the pieces of lower levels.
□_k S is the largest union of pieces of levels 1, …, k; the *canonical representation* has
at each level all pieces that are possible, and the *order* of S is the first k with □_k S = S.

P is open, and a union of cells and of faces between them.  H ⊂ S iff the hyperplane passes through
no cell of P and no facet of P in it is invisible.  If Z is convex, so is P, by induction over the
levels; then H is connected, and H ⊂ S iff no facet of P in H is invisible and at no face of P just
one visible facet in H ends: no vertices are needed (the proof is on the page of the claim
``folds``).  If Z is not convex, P need not be, nor H connected.  If some □_k S ≠ S has no further
piece, S is no piece-wise linear surface: this happens only if some zero set of a unit is invisible,
by Corollary A.1.

*The dependency graph* (Phuong & Lampert, Definition A.5; theory 4).  Vertices are the pieces of
the canonical representation, and there is an edge H → H' iff level(H) < level(H') and
H ∩ cl H' ≠ ∅.  Pieces are relatively open: a face in the closure of H lies in H iff no piece of a
lower level touches it.  So at each face the pieces of the lowest level that touch it contain it,
and have edges to all other pieces that touch it.

*The layers that a fold-set forces on its hyperplanes.*  Let h be general and transparent with
fold-set S, the union of the zero sets of its units.  All facets of S in one hyperplane belong to
one unit, with one activation indicator below it: two different pairs have no proportional affine
functions (Lemma A.11).  So hyperplanes have layers.

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

Symbols: □_k S ``Representation.box(k)``, the components P ``Cells.components``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx

from exactrelu.cells.facets import FacetJump
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import to_texts
from exactrelu.network.network import Pattern
from exactrelu.questions.folds.cells import Cells, Hyperplane, hyperplane


@dataclass(frozen=True)
class FoldPiece(Outward):
    """A piece of the canonical representation; its closure is that of its facets."""

    level: int
    hyperplane: Hyperplane
    facets: tuple[FacetJump, ...]
    #: The units (layer, index), from 1, that bend on all of it: one in a general network.
    units: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Representation:
    """The pieces by level, and the facets of S that are in none of them."""

    pieces: tuple[FoldPiece, ...]
    remainder: tuple[FacetJump, ...]

    @property
    def order(self) -> int | None:
        """The order of S, 0 for the empty set; None if S is no piece-wise linear surface."""
        if self.remainder:
            return None
        return max((piece.level for piece in self.pieces), default=0)

    def box(self, k: int) -> tuple[FacetJump, ...]:
        """□_k S, by its facets."""
        return tuple(facet for p in self.pieces if p.level <= k for facet in p.facets)


def canonical_representation(cells: Cells) -> Representation:
    """The canonical representation of the fold-set, computed with cells and their neighbours.

    >>> from exactrelu.network.network import Network
    >>> from exactrelu.questions.folds.cells import cells
    >>> net = Network.from_arrays([[[1, 0], [0, 1]], [[1, 2]], [[1]]], [[0, 3], [-7], [0]])
    >>> canonical_representation(cells(net)).order is None
    True
    """
    left: dict[Pattern, FacetJump] = {jump.facet.signs: jump for jump in cells.visible}
    planes = {signs: hyperplane(jump) for signs, jump in left.items()}
    obstacles = tuple(_obstacles(cells, planes))
    placed: set[Pattern] = set()
    pieces: list[FoldPiece] = []
    level = 1
    while left:
        part = cells.components(placed)
        blocked = {
            (obstacle.plane, part[obstacle.region])
            for obstacle in obstacles
            if placed.isdisjoint(obstacle.walls)
        }
        groups: dict[tuple[Hyperplane, int], list[FacetJump]] = {}
        for signs, jump in left.items():
            group = (planes[signs], part[jump.below])
            if group not in blocked:
                groups.setdefault(group, []).append(jump)
        if not groups:
            break
        for (plane, _), facets in groups.items():
            pieces.append(FoldPiece(level, plane, tuple(facets), _units(cells, facets)))
            for jump in facets:
                placed.add(jump.facet.signs)
                del left[jump.facet.signs]
        level += 1
    return Representation(tuple(pieces), tuple(left.values()))


@dataclass(frozen=True)
class _Obstacle:
    """What keeps a hyperplane from being a piece in the component of a region.

    It counts as long as none of the facets ``walls`` is in a piece.
    """

    plane: Hyperplane
    region: Pattern
    walls: tuple[Pattern, ...] = ()


def _obstacles(cells: Cells, planes: Mapping[Pattern, Hyperplane]) -> Iterator[_Obstacle]:
    for jump in cells.facets:
        if not jump.is_visible:
            yield _Obstacle(hyperplane(jump), jump.below)
    if cells.union is not None:
        for plane in set(planes.values()):
            yield from (_Obstacle(plane, region) for region in cells.cut_by(plane))
        return
    for face in cells.faces:
        if face.dimension < cells.dimension - 1:
            around = cells.visible_around.around(face.signs)
            walls = tuple(jump.facet.signs for jump in around)
            met = Counter(planes[signs] for signs in walls)
            for plane in met:
                if met[plane] == 1:
                    yield _Obstacle(plane, around[0].below, walls)


def _units(cells: Cells, facets: list[FacetJump]) -> tuple[tuple[int, int], ...]:
    common = set(cells.bent_neurons(facets[0]))
    for jump in facets[1:]:
        common &= set(cells.bent_neurons(jump))
    return tuple(sorted(common))


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
        """Whether several layers are possible."""
        return self.lowest < self.highest

    @property
    def words(self) -> str:
        """``2``, or ``1 to 2``."""
        return f"{self.lowest} to {self.highest}" if self.is_ambiguous else f"{self.lowest}"


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
