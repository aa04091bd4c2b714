"""Canonical representations of small fold-sets by their definition, with fractions.

The complex is refined by all hyperplanes that have a fold and by the sides of all boxes, so that
{z in P: w·z + b = 0} is a set of faces, and lies in the fold-set iff all its facets do. Faces and
points are those of :mod:`face_points`; jumps are differences of Jacobians.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any

from face_points import face_points
from face_truth import Complex, Signs
from forge import Json, network, system
from truth import rank, read_matrix

Plane = tuple[int, ...]
Point = list[Fraction]


def numbers(entry: Any) -> Point:
    """Return a rational vector."""
    return [Fraction(int(x, 16), int(entry[0], 16)) for x in entry[1]]


def lowest(row: list[Fraction]) -> Plane:
    """Return coprime integers on the same line, the first one that is not 0 positive."""
    scale = math.lcm(*(x.denominator for x in row))
    whole = [int(x * scale) for x in row]
    common = math.gcd(*whole) * (1 if next(x for x in whole if x) > 0 else -1)
    return tuple(x // common for x in whole)


def intervals(domain: Json) -> list[list[tuple[Fraction, Fraction]]]:
    """Return the intervals of the boxes of a union."""
    rows = read_matrix(domain["boxes"]["matrix"])
    return [list(zip(row[::2], row[1::2], strict=True)) for row in rows]


def frame(domain: Json) -> tuple[Json, list[Plane]]:
    """Return the open polyhedron around a domain, and the sides of boxes inside it."""
    if "boxes" not in domain:
        return domain, []
    boxes = intervals(domain)
    dim = len(boxes[0])
    rows, sides = [], []
    for i in range(dim):
        ends = sorted({end for box in boxes for end in box[i]})
        unit = [Fraction(i == j) for j in range(dim)]
        found = [lowest([*unit, -end]) for end in ends]
        rows += [("gt", list(found[0])), ("gt", [-x for x in found[-1]])]
        sides += found[1:-1]
    return system(dim, *rows), sides


def refined(of: Json, rows: list[Plane]) -> Json:
    """Return a network with more neurons in its first layer that nothing listens to."""
    if not rows:
        return of
    layers = [read_matrix(layer["matrix"]) for layer in of["layers"]]
    if len(layers) == 1:
        return network(rows, [[0] * len(rows) + [0]])
    den = int(of["layers"][0]["matrix"][0], 16)
    first = layers[0] + [[Fraction(x, den) for x in row] for row in rows]
    second = [[*row[:-1], *[Fraction(0)] * len(rows), row[-1]] for row in layers[1]]
    return network(first, second, *layers[2:])


class Folded:
    """The faces and folds of a network in a domain, which lies in an open polyhedron."""

    def __init__(self, of: Json, frame: Json, domain: Json) -> None:
        self.network, self.frame, self.domain = of, frame, domain
        self.complex = Complex(of, frame)

    @cached_property
    def points(self) -> dict[Signs, Point]:
        """Return a point of each face in the frame, by its signs."""
        return {self.signs_at(x): x for x in face_points(self.network, self.frame)}

    def signs_at(self, x: Point) -> Signs:
        """Return the signs of the hidden neurons."""
        values, signs = x, []
        for layer in self.complex.layers[:-1]:
            values = [sum((w * v for w, v in zip(r, values, strict=False)), r[-1]) for r in layer]
            signs.append("".join("+" if v > 0 else "-" if v < 0 else "0" for v in values))
            values = [max(v, Fraction(0)) for v in values]
        return tuple(signs)

    def codimension(self, signs: Signs) -> int:
        """Return the codimension of a face."""
        return rank(self.complex.normals(signs))

    @cached_property
    def faces(self) -> dict[Signs, Point]:
        """Return the faces in the domain."""
        cells = {s: x for s, x in self.points.items() if not self.codimension(s)}
        inside = {s for s, x in cells.items() if self.in_a_box(x)}
        return {
            s: x
            for s, x in self.points.items()
            if all(cell in inside for cell in cells if is_face(s, cell))
        }

    def in_a_box(self, x: Point) -> bool:
        """Tell whether a point is in the interior of a box."""
        if "boxes" not in self.domain:
            return True
        return any(
            all(a < y < b for (a, b), y in zip(box, x, strict=True))
            for box in intervals(self.domain)
        )

    @cached_property
    def facets(self) -> dict[Signs, tuple[Plane, list[Signs], bool]]:
        """Return the hyperplane of each facet, the cells beside it, and whether it is visible."""
        found = {}
        cells = [s for s in self.faces if not self.codimension(s)]
        for signs in self.faces:
            if self.codimension(signs) == 1:
                beside = [cell for cell in cells if is_face(signs, cell)]
                low, high = (self.complex.jacobian(cell) for cell in beside)
                forms = chain.from_iterable(self.complex.forms(signs))
                pairs = zip(forms, "".join(signs), strict=False)
                row = next(f for f, sign in pairs if sign == "0" and any(f[:-1]))
                found[signs] = (lowest(row), beside, low != high)
        return found

    @cached_property
    def visible(self) -> dict[Signs, Plane]:
        """Return the hyperplanes of the visible facets."""
        return {signs: plane for signs, (plane, _, seen) in self.facets.items() if seen}


class Surface(Folded):
    """The fold-set of a network in a domain, refined by its own hyperplanes."""

    def __init__(self, of: Json, domain: Json) -> None:
        around, sides = frame(domain)
        hidden = of["layers"][:-1]
        rows = read_matrix(hidden[0]["matrix"]) if hidden else []
        first = {lowest(row) for row in rows if any(row[:-1])}
        coarse = set(Folded(of, around, around).visible.values())
        self.width = len(rows)
        self.more = sorted(coarse - set(sides) - first)
        super().__init__(refined(of, [*sides, *self.more]), around, domain)

    @cached_property
    def levels(self) -> list[list[tuple[Plane, set[Signs]]]]:
        """Return the pieces of each level, as sets of facets."""
        found: list[list[tuple[Plane, set[Signs]]]] = []
        walls: set[Signs] = set()
        while True:
            part = self.components(walls)
            groups: dict[tuple[Plane, int], set[Signs]] = {}
            for signs, (plane, beside, _) in self.facets.items():
                if signs not in walls:
                    groups.setdefault((plane, part[beside[0]]), set()).add(signs)
            pieces = [(h, group) for (h, _), group in groups.items() if group <= set(self.visible)]
            if not pieces:
                return found
            found.append(pieces)
            walls |= set().union(*(group for _, group in pieces))

    def components(self, walls: set[Signs]) -> dict[Signs, int]:
        """Return for each cell the number of its component outside the walls."""
        part = {s: k for k, s in enumerate(s for s in self.faces if not self.codimension(s))}
        for signs, (_, (one, other), _) in self.facets.items():
            if signs not in walls:
                old, new = part[one], part[other]
                part = {cell: new if k == old else k for cell, k in part.items()}
        return part

    @cached_property
    def pieces(self) -> list[tuple[int, Plane, set[Signs]]]:
        """Return level, hyperplane and facets of the pieces."""
        return [(k, h, group) for k, row in enumerate(self.levels, 1) for h, group in row]

    def at(self, signs: Signs) -> tuple[set[int], set[int]]:
        """Return the pieces that contain a face, and those that have it in their closure."""
        touching = {
            k
            for k, (_, _, group) in enumerate(self.pieces)
            if any(is_face(signs, s) for s in group)
        }
        low = min((self.pieces[k][0] for k in touching), default=0)
        return {k for k in touching if self.pieces[k][0] == low}, touching

    @cached_property
    def edges(self) -> dict[tuple[int, int], Point]:
        """Return the edges of the dependency graph, each with a point."""
        found = {}
        for signs, x in self.faces.items():
            inside, touching = self.at(signs)
            for a in inside:
                for b in touching - inside:
                    found[a, b] = x
        return found

    def own(self, signs: Signs) -> Signs:
        """Return the signs without those of the refinement."""
        return (*(s[: self.width] for s in signs[:1]), *signs[1:])

    def counts(self) -> dict[str, int]:
        """Return the numbers of a claim."""
        hidden = {
            self.own(s)
            for s in self.faces
            if "0" in "".join(self.own(s)) and not any(is_face(s, t) for t in self.visible)
        }
        placed = set().union(*(group for _, _, group in self.pieces))
        return {
            "facets": len({self.own(s) for s in self.visible}),
            "hidden": len(hidden),
            "hyperplanes": len(set(self.visible.values())),
            "remaining": len({self.own(s) for s in self.visible if s not in placed}),
        }

    def has_lists(self, claim: Json) -> bool:
        """Tell whether the pieces and edges of a claim are right."""
        names = []
        for level, plane, point in claim["pieces"]:
            signs = self.face_at(numbers(point))
            inside = self.at(signs)[0] if signs else set()
            row = tuple(int(x, 16) for x in plane)
            names += [k for k in inside if self.pieces[k][:2] == (level, row)] or [-1]
        if sorted(names) != list(range(len(self.pieces))):
            return False
        found = []
        for a, b, point in claim["edges"]:
            signs = self.face_at(numbers(point))
            inside, touching = self.at(signs) if signs else (set(), set())
            if names[a] not in inside or names[b] not in touching - inside:
                return False
            found.append((names[a], names[b]))
        return sorted(found) == sorted(self.edges)

    def face_at(self, x: Point) -> Signs | None:
        """Return the face of the domain with a point, if there is one."""
        rows = ([Fraction(int(a, 16)) for a in row] for _, row in self.frame["rows"])
        inside = all(sum((a * y for a, y in zip(r, x, strict=False)), r[-1]) > 0 for r in rows)
        signs = self.signs_at(x)
        return signs if inside and signs in self.faces else None


def is_face(signs: Signs, of: Signs) -> bool:
    """Tell whether a face lies in the closure of another one."""
    return all(s in ("0", t) for s, t in zip("".join(signs), "".join(of), strict=True))
