"""Facets, the faces of codimension 1, and what happens across them; cancelled facets.

*Beside a face.* Let x be on a face and v a direction. At x + ε·v with small ε > 0 a neuron that is
not 0 at x has its sign at x. By induction over the layers the rows that are computed with the signs
there are its preactivations; one that is 0 at x has at x + ε·v the value ε·(its slope along v).

*Facets.* The face of x is open in the common zeros of the rows, on the face, of the neurons that
are 0 at x: its codimension is the rank of their normals, and these rows vanish at x. So it is a
facet iff those of them that are not constant have one hyperplane. The normal ν of the facet is that
of the primitive row of it, whose first entry is positive. A neuron *bends* on a facet if it is 0
on it, and not 0 on one of the cells beside it. The *jump* is the Jacobian on the side of ν less
that on the other, up to one factor > 0 for all facets; a facet is *visible* if its jump is not 0.

*Cancelled*: the jump is 0, although in every hidden layer after the first that bends on the facet
some neuron is positive on it. (Were a layer before dead on the facet, nothing later would bend.)
``faces``: a tree of faces, no facet of which is cancelled. ``point``, the negation: ``point x den``
of relint D that lies on a cancelled facet.
"""

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from .evidence import inside
from .faces import FaceTree, Signs, about_faces
from .file import Proof, need
from .numbers import Row, bits, dot, opposite
from .objects import Network, System, Vector

cancellation_free = about_faces(
    "{network} has no cancelled facet on the relative interior of {domain}",
    "{network} has a cancelled facet on the relative interior of {domain}",
)


class Facet(NamedTuple):
    """The jump of a facet, the layers (from 0) that bend, its hyperplane, the cells beside it."""

    jump: tuple[Row, ...]
    layers: frozenset[int]
    plane: Row
    cells: tuple[Signs, Signs]

    @property
    def is_visible(self) -> bool:
        """Whether the Jacobian jumps."""
        return any(map(any, self.jump))


def signs_at(proof: Proof, networks: Sequence[Network], point: Vector) -> Signs:
    """Return the signs at a point."""
    layers = [z for network in networks for z in network.values(proof, point)[:-1]]
    return tuple(tuple((z > 0) - (z < 0) for z in layer.nums) for layer in layers)


def plane_of(row: Row) -> Row:
    """Return the primitive row of a hyperplane, whose first entry that is not 0 is positive."""
    common = gcd(*row) or 1
    found = tuple(entry // common for entry in row)
    return max(found, opposite(found))


def beside(
    tree: FaceTree, networks: Sequence[Network], signs: Signs, direction: Sequence[int] = ()
) -> tuple[list[tuple[Row, ...]], Signs, tuple[Row, ...]]:
    """Return what holds at x + ε·direction, ε > 0 small, where x has these signs.

    That is, rows and signs of all hidden layers, and the outputs of the first network.
    """
    base, known = tree.chart, iter(signs)
    found: list[tuple[Row, ...]] = []
    there: list[tuple[int, ...]] = []
    outputs = []
    for network in networks:
        passed: tuple[Row | None, ...] = base.inputs
        factor, size = base.factor, bits([base.factor, *(x for row in base.inputs for x in row)])
        for layer in network.hidden:
            rows = tree.layer_rows(base.dim, layer, passed, factor, size)
            factor, size = factor * layer.den, size + layer.bits
            tree.proof.spend(len(rows) * base.dim, size, bits(direction))
            pairs = zip(next(known), (dot(row, direction) for row in rows), strict=True)
            new = tuple(sign or (slope > 0) - (slope < 0) for sign, slope in pairs)
            passed = tuple(row if s > 0 else None for row, s in zip(rows, new, strict=True))
            found.append(rows)
            there.append(new)
        outputs.append(tree.layer_rows(base.dim, network.layers[-1], passed, factor, size))
    return found, tuple(there), outputs[0]


def zero_rows(tree: FaceTree, networks: Sequence[Network], signs: Signs) -> list[Row]:
    """Return the rows, where some signs hold, of the neurons that are 0 there."""
    pairs = zip(beside(tree, networks, signs)[0], signs, strict=True)
    return [row for rows, s in pairs for row, sign in zip(rows, s, strict=True) if not sign]


def facet(tree: FaceTree, networks: Sequence[Network], signs: Signs) -> Facet:
    """Return the facet with these signs, which occur somewhere; refuse another face.

    The jump is that of the first network.
    """
    rows = [row for row in zero_rows(tree, networks, signs) if any(row[:-1])]
    size = max(map(bits, rows), default=0)
    tree.proof.spend(len(rows) * (tree.chart.dim + 1), size, size)
    planes = {plane_of(row) for row in rows}
    need(len(planes) == 1, "not-a-facet", "the face has not codimension 1")
    (plane,) = planes
    (_, over, above), (_, under, below) = (
        beside(tree, networks, signs, row[:-1]) for row in (plane, opposite(plane))
    )
    pairs = zip(above, below, strict=True)
    jump = tuple(tuple(a - b for a, b in zip(x[:-1], y[:-1], strict=True)) for x, y in pairs)
    bent = frozenset(k for k, here in enumerate(signs) if not here == over[k] == under[k])
    return Facet(jump, bent, plane, (under, over))


def _is_cancelled(tree: FaceTree, network: Network, signs: Signs) -> bool:
    """Tell whether a facet is invisible though every layer after its first bent one is active."""
    found = facet(tree, [network], signs)
    return not found.is_visible and all(1 in layer for layer in signs[min(found.layers) + 1 :])


def cancellation_free_by_faces(proof: Proof, network: Network, domain: System) -> None:
    """No facet of a tree of faces is cancelled."""
    tree = FaceTree(proof, [network], domain)
    for codimension, signs in tree.faces():
        ok = codimension != 1 or not _is_cancelled(tree, network, signs)
        need(ok, "facet-cancelled", "a facet without a jump in an active network")


def cancellation_free_by_point(proof: Proof, network: Network, domain: System) -> None:
    """The facet of a point is cancelled."""
    signs = signs_at(proof, [network], inside(proof, domain, "point"))
    ok = _is_cancelled(FaceTree(proof, [network], domain), network, signs)
    need(ok, "facet-not-cancelled", "the facet is visible, or a later layer is dead")
