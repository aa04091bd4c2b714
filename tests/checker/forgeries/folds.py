"""Cases of the claim kind ``folds``."""

from fractions import Fraction

from determined_networks import SQUARE, TWO
from face_networks import (
    AFFINE,
    BENT,
    CANCELLED,
    CROSS,
    DEAD,
    LINE,
    NOTHING,
    ONE,
    PLANE,
    TWICE,
    VALLEY,
    XOR,
    ZERO,
    property_claim,
)
from face_trees import face_tree
from forge import Case, Json, certificate, network, without

Q = Fraction


def claim(of: Json, on: Json, facets: int, hyperplanes: int, hidden: int) -> Json:
    """Return a claim."""
    counts = {"facets": facets, "hidden": hidden, "hyperplanes": hyperplanes}
    return {**property_claim("folds", of, on), **counts}


def proof(of: Json, on: Json, *counts: int) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, on, *counts), *face_tree(of, on))


# s(y - s(x)) with y = s(y) - s(-y): the line y = 0 is seen where x < 0, x = 0 where y > 0.
STAIRS = network([[1, 0, 0], [0, 1, 0], [0, -1, 0]], [[-1, 1, -1, 0]], [[1, 0]])
# s(2x/3 + 1/3) and s(-x - 1/2) fold at one point: rows in lowest terms, with one sign.
SAME = network([[Q(2, 3), Q(1, 3)], [-1, -Q(1, 2)]], [[1, 1, 0]])
# A unit that is 0 everywhere comes before x and x - 1.
CONSTANT_FIRST = network([[0, 0], [1, 0], [1, -1]], [[1, 1, 2, 0]])
GOOD = claim(STAIRS, PLANE, 3, 3, 2)
TREE = face_tree(STAIRS, PLANE)
CASES = (
    Case("accept/bent", proof(BENT, PLANE, 13, 7, 1)),
    Case("accept/stairs", certificate(GOOD, *TREE)),
    Case("accept/two-layers-in-a-square", proof(TWO, SQUARE, 11, 8, 0)),
    Case("accept/cross", proof(CROSS, PLANE, 4, 2, 0)),
    Case("accept/parallel", proof(XOR, PLANE, 2, 2, 0)),
    Case("accept/one-point", proof(ONE, LINE, 1, 1, 0)),
    Case("accept/two-units-at-one-point", proof(SAME, LINE, 1, 1, 0)),
    Case("accept/valley", proof(VALLEY, LINE, 1, 1, 0)),
    Case("accept/unit-0-on-a-cell", proof(TWICE, LINE, 1, 1, 1)),
    Case("accept/cancelled", proof(CANCELLED, LINE, 0, 0, 1)),
    Case("accept/dead", proof(DEAD, LINE, 0, 0, 1)),
    Case("accept/zero", proof(ZERO, LINE, 0, 0, 1)),
    Case("accept/constant-unit-first", proof(CONSTANT_FIRST, LINE, 2, 2, 3)),
    Case("accept/affine", proof(AFFINE, LINE, 0, 0, 0)),
    Case("accept/empty-domain", proof(ONE, NOTHING, 0, 0, 0)),
    Case("reject/fold-count--one-facet-less", proof(STAIRS, PLANE, 2, 3, 2)),
    Case("reject/fold-count--all-facets", proof(STAIRS, PLANE, 5, 3, 2)),
    Case("reject/fold-count--hyperplanes-as-facets", proof(CROSS, PLANE, 4, 4, 0)),
    Case("reject/fold-count--one-hyperplane-less", proof(STAIRS, PLANE, 3, 2, 2)),
    Case("reject/fold-count--nothing-hidden", proof(STAIRS, PLANE, 3, 3, 0)),
    Case("reject/fold-count--cancelled", proof(CANCELLED, LINE, 1, 1, 0)),
    Case("reject/fold-count--dead", proof(DEAD, LINE, 0, 0, 0)),
    Case("reject/fold-count--lower-faces-hidden", proof(CROSS, PLANE, 4, 2, 1)),
    Case("reject/fold-count--two-points", proof(SAME, LINE, 1, 2, 0)),
    Case("reject/fold-count--zero-set-of-a-cell-seen", proof(TWICE, LINE, 1, 1, 0)),
    Case("reject/fold-count--constant-unit", proof(ZERO, LINE, 0, 0, 0)),
    Case("reject/fold-count--valley-not-seen", proof(VALLEY, LINE, 0, 0, 1)),
    Case("reject/fold-count--one-plane-for-two", proof(CONSTANT_FIRST, LINE, 2, 1, 3)),
    Case("reject/missing-record--no-tree", certificate(GOOD)),
    Case("reject/missing-record--last-face", certificate(GOOD, *TREE[:-1])),
    Case("reject/surplus-record--face", certificate(GOOD, *TREE, TREE[-1])),
    Case("malformed/wrong-fields--no-hidden", certificate(without(GOOD, "hidden"), *TREE)),
    Case("malformed/not-an-index--negative", certificate({**GOOD, "facets": -3}, *TREE)),
)
