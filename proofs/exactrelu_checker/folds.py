"""The fold-set of a network on a region, its pieces and their dependencies.

*Folds.* In the region Z (the relative interior of a domain, or the interior of a union of
boxes) the set S of points at which the network is not differentiable, its fold-set, is the
union of the closures in Z of visible facets, across which the Jacobian jumps. ``facets``
facets of the complex of N are visible somewhere in Z; they lie in ``hyperplanes``
hyperplanes. Of the faces of N that meet Z and on which a hidden neuron is 0, ``hidden`` do
not lie in S there. The canonical representation of S (Phuong and Lampert, *Functional vs.
parametric equivalence of ReLU networks*, A.1) has exactly the pieces [level, [w…, b],
point], and its dependency graph exactly the edges [H, H', point] (numbers of pieces from 0,
a point of H in the closure of H'); ``remaining`` facets are not, or not everywhere in Z, in
a piece. If Z is flat, all this is said in its affine hull, a row (w, b) too.

- A *piece* of level k is a set H = {z in P : w·z + b = 0} in S, not empty, with P a
  component of Z without the pieces of levels below k. The representation has all pieces of
  level 1, all of level 2, and so on, as long as there are any.
- H → H' is an *edge* iff the level of H is smaller than that of H' and H meets the closure
  of H'.

``faces``: on a union a record ``planes w… b w… b…``, rows that refine the complex; then its
faces and their proof (see ``unions``). A *facet* is a face of codimension 1; it lies
between two cells. It is visible iff the affine functions of N on these differ; as both are
N on the facet, its hyperplane is then where they are equal. Components P are found by cells
that are neighbours through a facet in no piece so far. A hyperplane h with a visible facet
in P makes a piece unless there is an *obstacle*: a facet in h and P that is not visible, h
the zero set of a neuron of the first layer or of a row; or a face F of P of codimension 2
or more such that just one visible facet in h has F in its closure. (F is in P iff no facet
around it is in a piece so far.) On a union each hyperplane of a visible facet must be that
of a neuron of the first layer, of the grid, or one of ``planes``.

*Two cells beside a facet.* Let F be a facet in Z, open in the hyperplane h. The closure of
a face around F that is not in h has points of h and one outside: the face is a cell. So
near a point of F each side of h is full of cells; these are open and disjoint, so each side
is in one cell. The two cells differ, as cells are convex and do not meet F. No other cell
has F in its closure.

*S is as said.* N is affine on cells. If x is in the closure of no facet with a jump, all
cells around x have the same gradients, as near x cells are connected through facets, and N
is affine near x. Otherwise gradients of two cells around x differ; N(x + v) - N(x) is
positively homogeneous for small v, so it would be linear if N were differentiable, and N
affine near x. A face lies in S or has no point in it, as closures of facets are unions of
faces. Neurons that nothing listens to change no jump: facets of a refined complex are
visible as the facet of N that they lie in.

*Components.* The union W of the pieces so far is closed in Z, and a union of closures of
facets. Z without W is the union of its cells, of the facets not in W, and of lower faces,
each of which has around it only cells and facets outside W, connected there. So its
components are those of cells.

*Obstacles obstruct.* Let h ∩ P be in S. It is covered by closures of visible facets; those
in other hyperplanes cover sets of lower dimension in h only, so those in h cover it. So a
facet in h ∩ P is visible. A face F of P in the closure of a facet in h lies in h, near F
all of h is covered, and as the closure of one facet is convex with F on its boundary, at
least two are needed.

*Without obstacles h ∩ P is in S.* On a union, h is the zero set of a neuron of a first
layer, so h ∩ P is a union of faces, in which those of codimension 1 are dense; all are
visible. If Z is convex, so is every P: pieces in a convex P are h ∩ P, and cut it into
convex parts. Then h ∩ P is convex, open in h, and connected without its faces of
codimension > 2. Of what is left let A be the part in the closure of visible facets in h. It
is not empty, closed, and open: at a point of A in a face of codimension 2, two visible
facets in h meet, one on each side. So A is everything.

*Edges.* A face F in Z that lies in the closure of a piece H lies in H iff no piece of a
lower level touches it: the boundary of P in Z lies in lower pieces, and F lies in h.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

from . import claims
from .file import Proof, form, need
from .numbers import Row, bits, longest, paired, plane_of, total
from .objects import (
    Network,
    System,
    Vector,
    chart,
    read_index,
    read_list,
    read_row,
    read_vector,
)
from .unions import Faces, Signs, Stars, components, read_faces, read_rows, region

Edge = tuple[int, int]


def _read_piece(value: Any) -> tuple[int, Row, Vector]:
    level, plane, point = read_list(value, 3)
    row = read_row(plane)
    form(row == plane_of(row), "plane-not-normal", "gcd 1, the first entry positive")
    return read_index(level), row, read_vector(point)


def _read_edge(value: Any) -> tuple[int, int, Vector]:
    tail, head, point = read_list(value, 3)
    return read_index(tail), read_index(head), read_vector(point)


@claims.kind(
    "in {domain} the fold-set of {network} has {facets} facets in {hyperplanes} "
    "hyperplanes; {hidden} faces in the zero sets of hidden units are not in it; its "
    "canonical representation has the pieces {pieces} and the dependencies {edges}; "
    "{remaining} facets are not in it",
    domain=region,
    pieces=claims.listed(_read_piece),
    edges=claims.listed(_read_edge),
)
def folds(network: Network, pieces: Any, edges: Any, **others: Any) -> None:
    """Pieces and points in the space of the inputs; edges between pieces."""
    sizes = {len(row) - 1 for _, row, _ in pieces} | {
        point.dim for *_, point in (*pieces, *edges)
    }
    form(
        sizes <= {network.widths[0]},
        "dimensions-differ",
        "points and rows of pieces in the space of the inputs",
    )
    ok = all(max(tail, head) < len(pieces) for tail, head, _ in edges)
    form(ok, "index-out-of-range", "an edge between pieces that are not there")


def folds_by_faces(proof: Proof, network: Network, domain: System, **said: Any) -> None:
    """Find the pieces and edges from the faces, and compare."""
    is_union = "box" in domain.senses
    more = read_rows(proof, "planes", domain.dim) if is_union else ()
    faces = read_faces(proof, network, domain, more)
    surface = Surface(proof, faces)
    ok = not is_union or surface.cuts.keys() >= set(surface.planes.values())
    need(ok, "plane-not-cut", "the hyperplane of a facet is not in the tree")
    own = sum(network.widths[1:-1])
    zeros = (s for s, walls in surface.around.items() if 0 in s[:own] and not walls)
    found = {
        "facets": len({s[:own] for s in surface.planes}),
        "hidden": len({s[:own] for s in zeros}),
        "hyperplanes": len(set(surface.planes.values())),
        "remaining": len({s[:own] for s in surface.planes if s not in surface.piece_of}),
    }
    need(found.items() <= said.items(), "fold-count", f"the fold-set has {found}")
    _check_lists(faces, surface, said["pieces"], said["edges"])


def _check_lists(faces: Faces, surface: "Surface", pieces: Any, edges: Any) -> None:
    """Refuse unless the pieces and edges listed are those of the surface, each once."""
    numbers = []
    for level, row, point in pieces:
        piece = (level, plane_of(surface.base.pulled(row)))
        at, _ = surface.pieces_at(faces.at(point))
        numbers += [number for number in at if surface.pieces[number] == piece]
    ok = len(numbers) == len(pieces) and sorted(numbers) == list(range(len(surface.pieces)))
    need(ok, "pieces-differ", "a piece is missing, there twice, or none of the surface")
    found = []
    for tail, head, point in edges:
        found.append((numbers[tail], numbers[head]))
        need(
            found[-1] in surface.edges_at(faces.at(point)),
            "edges-differ",
            "no such edge there",
        )
    known = set[Edge]().union(*map(surface.edges_at, faces.codimensions))
    need(
        sorted(found) == sorted(known), "edges-differ", "an edge is missing, or there twice"
    )


class Surface:
    """The visible facets among faces, and the pieces that they make up."""

    def __init__(self, proof: Proof, faces: Faces) -> None:
        self._proof, self._faces, self.base = proof, faces, chart(proof, faces.frame)
        self.cuts = self._read_cuts()
        self._cells: dict[Signs, tuple[Signs, Signs]] = {}  # beside facets
        self.planes: dict[Signs, Row] = {}  # of visible facets
        # Obstacles: hyperplane, a cell beside, the facets that take the obstacle out of P.
        self._obstacles: list[tuple[Row, Signs, Sequence[Signs]]] = []
        self._compare_sides()
        stars = Stars(proof, {signs: signs for signs in self.planes})
        # The visible facets with a face in their closure.
        self.around: dict[Signs, list[Signs]] = {
            s: stars.around(s) for s in faces.codimensions
        }
        for signs, walls in self.around.items():
            met = Counter(
                self.planes[wall] for wall in walls if faces.codimensions[signs] > 1
            )
            once = (plane for plane, number in met.items() if number == 1)
            self._obstacles += [(plane, self._cells[walls[0]][0], walls) for plane in once]
        self.pieces: list[tuple[int, Row]] = []  # level, hyperplane
        self.piece_of: dict[Signs, int] = {}
        while self._add_level():
            pass

    def _read_cuts(self) -> dict[Row, int]:
        """Return the places of rows whose zero sets are unions of faces, by hyperplane.

        On a flat domain, where nothing is asked of them, they are no hyperplanes of facets.
        """
        network, planes = self._faces.network, self._faces.planes
        first = [row for layer in network.hidden[:1] for row in layer.rows]
        size = longest([*first, *planes])
        self._proof.spend((len(first) + len(planes)) * (network.widths[0] + 1), size, size)
        places = (*enumerate(first), *enumerate(planes, sum(network.widths[1:-1])))
        return {plane_of(row): place for place, row in places}

    def _compare_sides(self) -> None:
        """Find the cells beside facets, visible facets, and obstacles among the others."""
        for signs, ((cell, rows), (other, others)) in self._faces.sides().items():
            self._cells[signs] = (cell, other)
            self._proof.spend(len(self.cuts) + len(rows[-1]) * (self.base.dim + 1))
            jumps = (total((1, -1), pair) for pair in paired(rows[-1], others[-1]))
            jump = next(filter(any, jumps), ())
            if jump:
                self._proof.spend(len(jump), bits(jump), bits(jump))
                self.planes[signs] = plane_of(jump)
            else:
                cut = (plane for plane, place in self.cuts.items() if signs[place] == 0)
                self._obstacles += [(plane, cell, ()) for plane in cut]

    def pieces_at(self, signs: Signs) -> tuple[set[int], set[int]]:
        """Return the pieces that contain a face, and the others that have it in their
        closure.
        """
        touching = {
            self.piece_of[wall] for wall in self.around[signs] if wall in self.piece_of
        }
        lowest = min((self.pieces[number][0] for number in touching), default=0)
        beside = {number for number in touching if self.pieces[number][0] > lowest}
        return touching - beside, beside

    def edges_at(self, signs: Signs) -> set[Edge]:
        """Return the edges H → H' such that a face lies in H and in the closure of H'."""
        at, beside = self.pieces_at(signs)
        self._proof.spend(len(at) * len(beside) + 1)
        return set(product(at, beside))

    def _add_level(self) -> bool:
        """Add the pieces of the next level, and tell whether there are any."""
        steps = len(self._cells) + sum(len(walls) + 1 for _, _, walls in self._obstacles)
        self._proof.spend(4 * steps * len(next(iter(self._cells), ())))
        level = self.pieces[-1][0] + 1 if self.pieces else 1
        free = {
            signs: both for signs, both in self._cells.items() if signs not in self.piece_of
        }
        part = components(free.values())
        there = (
            obstacle
            for obstacle in self._obstacles
            if not self.piece_of.keys() & obstacle[2]
        )
        blocked = {(plane, part[cell]) for plane, cell, _ in there}
        new: dict[tuple[Row, Signs], list[Signs]] = {}
        for signs, (cell, _) in free.items():
            place = (self.planes.get(signs, ()), part[cell])
            if signs in self.planes and place not in blocked:
                new.setdefault(place, []).append(signs)
        for (plane, _), walls in new.items():
            self.piece_of |= dict.fromkeys(walls, len(self.pieces))
            self.pieces.append((level, plane))
        return bool(new)
