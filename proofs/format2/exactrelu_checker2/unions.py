"""Domains that need not be convex: the interior of a union of boxes, beside domains as elsewhere.

A union is {"boxes": M}, M a matrix with a row a_1, b_1, …, a_n, b_n for each box a_i <= x_i <= b_i,
a_i < b_i: so that its interior, the *region*, is not empty. (A region that is given as a domain is
its relative interior; its ``inside`` follows ``by``.)

The *frame* of a union is the smallest open box around it: for each i in turn the row x_i - a > 0
with the least a, and b - x_i > 0 with the greatest b. The *grid* has for each i in turn a row x_i -
c for each other entry c of boxes, in increasing order; all rows are primitive. The grid is a second
network, with these rows as its neurons, after those of N in the numbers of records: faces in the
frame of both networks refine those of N, and each lies inside the union or outside. A cell, a face
of dimension n, lies inside iff it is in a box, by its signs on the grid; any other face iff all
cells around it do (see ``stars``), as it is then in the interior of the union.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from . import claims
from .claims import Book, Field
from .evidence import inside
from .faces import FaceTree, Signs
from .facets import plane_of, signs_at
from .file import Proof, form, need
from .numbers import Row, bits, opposite
from .objects import Layer, Network, System, Vector, contains, read_domain, read_fields, read_matrix
from .stars import Stars


class Region(NamedTuple):
    """An open set in a frame: all of it, or the interior of boxes a_1, b_1, … over den."""

    frame: System
    boxes: Sequence[Row] = ()
    grid: Sequence[Row] = ()
    ends: Sequence[tuple[int, int]] = ()  # i and den·c of the rows of the grid

    def has(self, signs: Sequence[int]) -> bool:
        """Tell whether a cell, by its signs on the grid, is in a box."""
        pairs = list(zip(self.ends, signs, strict=False))
        return any(
            all(box[2 * i] < c if s < 0 else c < box[2 * i + 1] for (i, c), s in pairs)
            for box in self.boxes
        )


class Faces(NamedTuple):
    """A tree of faces in a region: its networks, the codimensions of the faces in it."""

    region: Region
    tree: FaceTree
    networks: Sequence[Network]
    codimensions: Mapping[Signs, int]

    def at(self, point: Vector) -> Signs:
        """Return the signs at a point of the region."""
        proof, frame = self.tree.proof, self.region.frame
        signs = signs_at(proof, self.networks, point)
        ok = contains(proof, frame, point, inner=True) and signs in self.codimensions
        need(ok, "point-outside", "the point is not in the region")
        return signs


def require_inside(proof: Proof, region: Region) -> None:
    """Read the point inside a region that is no union."""
    if not region.boxes:
        inside(proof, region.frame)


def read_faces(proof: Proof, network: Network, region: Region, planes: Sequence[Row] = ()) -> Faces:
    """Read the tree of faces of a network, refined by the grid and some hyperplanes."""
    rows = (*region.grid, *planes)
    networks = [network]
    if rows:
        size = max(map(bits, rows)) + region.frame.dim.bit_length() + 1
        last = Layer(1, ((0,) * (len(rows) + 1),), frozenset(), 1)
        networks.append(Network((Layer(1, rows, frozenset(), size), last)))
    tree = FaceTree(proof, networks, region.frame)
    found = {signs: codimension for codimension, signs in tree.faces()}
    if region.grid:
        proof.spend(len(found) * len(region.boxes) * len(region.grid))
        stars = Stars(proof, {signs: region.has(signs[-1]) for signs, k in found.items() if not k})
        found = {signs: k for signs, k in found.items() if all(stars.around(signs))}
    return Faces(region, tree, networks, found)


def _read_region(value: Any) -> Region:
    if not isinstance(value, dict) or "boxes" not in value:
        return Region(read_domain(value))
    matrix = read_matrix(*read_fields(value, "boxes"))
    dim = matrix.width // 2
    pairs = [(row[2 * i], row[2 * i + 1]) for row in matrix.rows for i in range(dim)]
    ok = matrix.rows and matrix.width == 2 * dim and all(low < high for low, high in pairs)
    form(ok, "bad-box", "boxes a_1 < b_1, ..., at least one")
    frame: list[Row] = []
    grid: list[Row] = []
    places: list[tuple[int, int]] = []
    for i in range(dim):
        ends = sorted({end for row in matrix.rows for end in row[2 * i : 2 * i + 2]})
        rows = [plane_of((*(matrix.den * (i == j) for j in range(dim)), -end)) for end in ends]
        frame += [rows[0], opposite(rows[-1])]
        grid += rows[1:-1]
        places += [(i, end) for end in ends[1:-1]]
    return Region(System(dim, ("gt",) * len(frame), tuple(frame)), matrix.rows, grid, places)


def _text(region: Region, value: Any, book: Book) -> str:
    frame, n_boxes = region.frame, len(region.boxes)
    if not n_boxes:
        return f"the relative interior of {claims.domain.text(frame, value, book)}"
    book.domains.append(System(frame.dim, ("union",), ()))  # no domain of the user's is this one
    about = f"{n_boxes} boxes in R^{frame.dim}"
    return f"the interior of the union {book.name('U', value, about)}"


region = Field(_read_region, _text)
