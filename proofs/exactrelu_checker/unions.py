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
    """The relative interior of a domain; or, in R^dim, the interior of boxes a_1/den, b_1/den, …"""

    domain: System
    boxes: Sequence[Row] = ()
    den: int = 1


class Faces(NamedTuple):
    """The faces of networks in a region, with their codimensions, and their tree in the frame."""

    frame: System
    tree: FaceTree
    networks: Sequence[Network]
    codimensions: Mapping[Signs, int]

    def at(self, point: Vector) -> Signs:
        """Return the signs at a point of the region."""
        signs = signs_at(self.tree.proof, self.networks, point)
        ok = contains(self.tree.proof, self.frame, point, inner=True)
        need(ok and signs in self.codimensions, "point-outside", "the point is not in the region")
        return signs


def require_inside(proof: Proof, region: Region) -> None:
    """Read the point inside a region that is no union."""
    if not region.boxes:
        inside(proof, region.domain)


def read_faces(proof: Proof, network: Network, region: Region, planes: Sequence[Row] = ()) -> Faces:
    """Read the tree of faces of a network, refined by the grid and some hyperplanes."""
    frame, dim, grid, ends = region.domain, region.domain.dim, list[Row](), list[tuple[int, int]]()
    if region.boxes:
        proof.spend(64 * len(region.boxes) * dim * (dim + 1))
        sides: list[Row] = []
        for i in range(dim):
            found = sorted({end for box in region.boxes for end in box[2 * i : 2 * i + 2]})
            rows = [plane_of((*(region.den * (i == j) for j in range(dim)), -c)) for c in found]
            sides += [rows[0], opposite(rows[-1])]
            grid += rows[1:-1]
            ends += [(i, c) for c in found[1:-1]]
        frame = System(dim, ("gt",) * len(sides), tuple(sides))
    networks = [network]
    if more := (*grid, *planes):
        size = max(map(bits, more)) + dim.bit_length() + 1
        last = Layer(1, ((0,) * (len(more) + 1),), frozenset(), 1)
        networks.append(Network((Layer(1, more, frozenset(), size), last)))
    tree = FaceTree(proof, networks, frame)
    faces = {signs: codimension for codimension, signs in tree.faces()}
    if grid:
        proof.spend(len(faces) * len(region.boxes) * len(grid))
        cells = {s: _is_in_a_box(region.boxes, ends, s[-1]) for s, k in faces.items() if not k}
        stars = Stars(proof, cells)
        faces = {signs: k for signs, k in faces.items() if all(stars.around(signs))}
    return Faces(frame, tree, networks, faces)


def _is_in_a_box(
    boxes: Sequence[Row], ends: Sequence[tuple[int, int]], signs: Sequence[int]
) -> bool:
    """Tell whether a cell, by its signs on the grid, is in a box."""
    pairs = list(zip(ends, signs, strict=False))
    return any(
        all(box[2 * i] < c if sign < 0 else c < box[2 * i + 1] for (i, c), sign in pairs)
        for box in boxes
    )


def _read_region(value: Any) -> Region:
    if not isinstance(value, dict) or "boxes" not in value:
        return Region(read_domain(value))
    matrix = read_matrix(*read_fields(value, "boxes"))
    dim = matrix.width // 2
    pairs = [(row[2 * i], row[2 * i + 1]) for row in matrix.rows for i in range(dim)]
    ok = matrix.rows and matrix.width == 2 * dim and all(low < high for low, high in pairs)
    form(ok, "bad-box", "boxes a_1 < b_1, ..., at least one")
    return Region(System(dim, (), ()), matrix.rows, matrix.den)


def _text(region: Region, value: Any, book: Book) -> str:
    if not region.boxes:
        return f"the relative interior of {claims.domain.text(region.domain, value, book)}"
    dim = region.domain.dim
    book.domains.append(System(dim, ("union",), ()))  # no domain of the user's is this one
    about = f"{len(region.boxes)} boxes in R^{dim}"
    return f"the interior of the union {book.name('U', value, about)}"


region = Field(_read_region, _text)
