"""Regions, which need not be convex, the faces of a network in them, and its rows on these.

A *region* Z is the relative interior of a domain, whose ``inside`` follows ``by``; or the
interior of a union of boxes, {"boxes": M}, M a matrix with a row a_1, b_1, …, a_n, b_n for
each box a_i <= x_i <= b_i, a_i < b_i: so that Z is never empty. A union is kept as a
system, whose rows are those of M with the denominator after them, of the sense ``box``.

The *frame* of a union is the smallest open box around it, a domain in normal form, with
rows > 0. The *grid* has for each i in turn a row x_i - c for each entry c of boxes but the
least and the greatest, in increasing order; all rows are primitive.

Faces in Z: ``faces m``, then m records ``face k P M``, and a proof of ``sign-vectors`` that
these are all faces of N in the frame (or in the domain), with the grid and then some more
rows as ``planes``. Such faces refine those of N. Each lies in Z or outside: the grid cuts
the frame into boxes, each of which is in a box of the union or meets none inside; and a
point is in the interior of the union iff all boxes of the grid around it, at most two in
each direction, are in the union. A box of the grid is in a box iff its lower ends x have a
<= x < b: no end is between its two ends.

*A face F lies in the closure of a face G iff every sign of F is 0 or that of G.* If F does,
what is not 0 on F has the same sign nearby, so on G. Conversely let x be in F and y in G.
By induction over the layers every preactivation is affine on the segment from x to y, since
a neuron that is 0 at x passes 0 there whether it is called active or not; and its sign is
that of G on the whole segment but for x. So the segment lies in G but for x. If F is in Z,
so are all faces around it, near F.

*A part*: ``part a… b a… b…``, rows over x, cuts out of a domain D the part P of relint D
where they are > 0. P is open in the affine hull of D, so its faces are the nonempty sets F
∩ P for faces F on D, with the same signs and dimensions; and a face G on D with F in its
closure meets P if F does, near a point of F.

*A local optimum 0* of a preactivation, strict or not, is on a face F iff the neuron is 0 on
F, and is negative on none of the faces with F in their closure, or positive on none: these
are the faces near a point of F.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

from . import claims, objects
from .file import Numbers, Proof, form, need
from .numbers import (
    Entries,
    Row,
    Rows,
    dots,
    longest,
    multiplied,
    opposite,
    paired,
    plane_of,
    sign_of,
)
from .objects import Chart, Network, System, Vector, chart, contains, normal_form, system_of

_MEMORY = 16  # fuel for a sign that is kept

Signs = tuple[int, ...]  # of the hidden neurons of the network, and then of rows


class Faces(NamedTuple):
    """The faces of a network and of rows in a region, with their codimensions."""

    proof: Proof
    network: Network
    frame: System
    planes: Sequence[Row]
    codimensions: Mapping[Signs, int]

    def at(self, point: Vector) -> Signs:
        """Return the signs at a point of the region."""
        signs = signs_at(self.proof, self.network, self.planes, point)
        ok = contains(self.proof, self.frame, point, inner=True)
        need(
            ok and signs in self.codimensions,
            "point-outside",
            "the point is not in the region",
        )
        return signs

    def sides(self) -> dict[Signs, list[tuple[Signs, list[list[Row]]]]]:
        """Return the two cells beside each facet, and the rows over t of all layers on
        them.
        """
        proof, network, base = self.proof, self.network, chart(self.proof, self.frame)
        cells = (s for s, codimension in self.codimensions.items() if codimension == 0)
        stars = Stars(proof, {s: (s, rows_on(proof, network, base, s)) for s in cells})
        return {s: stars.around(s) for s, codim in self.codimensions.items() if codim == 1}


def signs_at(proof: Proof, network: Network, planes: Sequence[Row], point: Vector) -> Signs:
    """Return the signs of the hidden neurons and of rows at a point."""
    values = [z for layer in network.values(proof, point)[:-1] for z in layer.nums]
    values += dots(proof, planes, (*point.nums, point.den), longest(planes))
    return tuple(map(sign_of, values))


def layers_of(network: Network, signs: Signs) -> tuple[Signs, ...]:
    """Return the signs of each hidden layer."""
    known = iter(signs)
    return tuple(tuple(islice(known, width)) for width in network.widths[1:-1])


def rows_on(proof: Proof, network: Network, base: Chart, signs: Signs) -> list[list[Row]]:
    """Return the rows over t of all layers, each times a factor > 0 of its own, on a
    face.
    """
    passed, factor, known = base.inputs, base.factor, iter(signs)
    zero, found = (0,) * (base.dim + 1), []
    for layer in network.layers:
        found.append(
            multiplied(proof, layer.rows, (*passed, (*zero[1:], factor)), len(zero))
        )
        factor *= layer.den
        passed = tuple(row if next(known, 1) > 0 else zero for row in found[-1])
    return found


class Stars:
    """Things that are kept by the signs of faces, in a tree with a level for each place."""

    def __init__(self, proof: Proof, items: Mapping[Signs, Any]) -> None:
        self._proof, self._root = proof, dict[Any, Any]()
        for signs, item in items.items():
            node = self._root
            for sign in signs:
                proof.spend(_MEMORY)
                node = node.setdefault(sign, {})
            node["item"] = item

    def around(self, signs: Signs) -> list[Any]:
        """Return the items of the faces that have the face with these signs in their
        closure.
        """
        nodes = [self._root]
        for sign in signs:
            self._proof.spend(len(nodes) + 1)
            nodes = [
                n[s]
                for n in nodes
                for s in ((-1, 0, 1) if sign == 0 else (sign,))
                if s in n
            ]
        return [node["item"] for node in nodes if "item" in node]


def read_faces(
    proof: Proof, network: Network, region: System, more: Sequence[Row] = ()
) -> Faces:
    """Read the faces of a network, refined by the grid and more rows, and their proof."""
    frame, planes, ends = region, list[Row](), list[Numbers]()
    boxes = [row for sense, row in region.pairs if sense == "box"]
    if boxes:
        frame, planes, ends = _grid(proof, region.dim, boxes)
    own = sum(network.widths[1:-1])
    planes += more
    (number,) = proof.numbers("faces", 1)
    faces = [tuple(proof.numbers("face", 3)) for _ in range(number)]
    about = {"network": network, "domain": frame, "planes": planes, "faces": faces}
    claims.prove(proof, claims.Claim("sign-vectors", True, about))
    codimensions, places = {}, range(own + len(planes))
    for k, plus, minus in faces:
        proof.spend(_MEMORY * len(places))
        signs = tuple((plus >> i & 1) - (minus >> i & 1) for i in places)
        if not ends or _is_inside(proof, boxes, ends, signs[own:]):
            codimensions[signs] = k
    return Faces(proof, network, frame, planes, codimensions)


def _grid(proof: Proof, dim: int, boxes: Rows) -> tuple[System, list[Row], list[Numbers]]:
    """Return the frame of boxes, the rows of their grid, the ends of each coordinate."""
    proof.spend(64 * len(boxes) * dim * (dim + 1))
    sides, planes, ends = list[Row](), list[Row](), list[Numbers]()
    for i in range(dim):
        found = sorted({end for box in boxes for end in box[2 * i : 2 * i + 2]})
        axis = [boxes[0][-1] * (i == j) for j in range(dim)]
        low, *rows, high = [plane_of((*axis, -end)) for end in found]
        sides += [low, opposite(high)]
        planes += rows
        ends.append(found)
    return normal_form(System(dim, ("gt",) * len(sides), tuple(sides))), planes, ends


def _is_inside(proof: Proof, boxes: Rows, ends: Rows, signs: Signs) -> bool:
    """Tell by its signs on the grid whether a face is in the interior of a union."""
    known, around = iter(signs), list[set[int]]()
    for found in ends:
        here = [next(known) for _ in found[1:-1]]
        around.append({found[here.count(1)], found[len(here) - here.count(-1)]})
    proof.spend(len(boxes) * len(ends) << sum(len(lows) > 1 for lows in around))

    def has(box: Entries, cell: Entries) -> bool:
        return all(a <= x < b for x, a, b in zip(cell, box[::2], box[1::2]))

    return all(any(has(box, cell) for box in boxes) for cell in product(*around))


def read_rows(proof: Proof, word: str, dim: int) -> list[Row]:
    """Read a record of rows over x, one after the other."""
    numbers, size = proof.record(word)[1], dim + 1
    form(len(numbers) % size == 0, "wrong-length", "rows in the space of the inputs")
    return [tuple(numbers[i : i + size]) for i in range(0, len(numbers), size)]


def part_of(proof: Proof, domain: System) -> System:
    """Read the part of a domain where some rows are > 0."""
    rows = read_rows(proof, "part", domain.dim)
    return system_of(domain.dim, [*domain.pairs, *(("gt", row) for row in rows)])


def components(pairs: Iterable[Sequence[Any]]) -> Mapping[Any, Any]:
    """Return for each thing of some pairs of neighbours one that stands for its
    component.
    """
    parts: dict[Any, list[Any]] = {}
    for pair in pairs:
        small, large = sorted((parts.setdefault(thing, [thing]) for thing in pair), key=len)
        if small is not large:
            large += small
            parts |= dict.fromkeys(small, large)
    return {thing: part[0] for thing, part in parts.items()}


def has_optimum(faces: Faces) -> bool:
    """Tell whether a neuron is 0 on a face, and not of both signs on those around it."""
    stars = Stars(faces.proof, {signs: signs for signs in faces.codimensions})
    for signs in faces.codimensions:
        around = stars.around(signs)
        faces.proof.spend(len(around) * len(signs))
        pairs = paired(signs, paired(*around))
        if any(not sign and len(set(beside)) < 3 for sign, beside in pairs):
            return True
    return False


def _read_region(value: Any) -> System:
    if not isinstance(value, dict) or "boxes" not in value:
        return objects.read_domain(value)
    matrix = objects.read_matrix(*objects.read_fields(value, "boxes"))
    dim = matrix.width // 2
    pairs = [(row[2 * i], row[2 * i + 1]) for row in matrix.rows for i in range(dim)]
    ok = matrix.rows and matrix.width == 2 * dim and all(low < high for low, high in pairs)
    form(ok, "bad-box", "boxes a_1 < b_1, ..., at least one")
    return system_of(dim, [("box", (*row, matrix.den)) for row in matrix.rows])


def _text(region: System, value: Any, book: claims.Book) -> str:
    if "box" not in region.senses:
        return f"the relative interior of {claims.domain.text(region, value, book)}"
    book.domains["union"] = region  # no domain of the user's is this one
    about = f"{len(region.rows)} boxes in R^{region.dim}"
    return f"the interior of the union {book.name('U', value, about)}"


region = claims.Field(_read_region, _text)
