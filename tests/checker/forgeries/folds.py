"""Cases of the claim kind ``folds``."""

from fractions import Fraction
from typing import Any

from determined_networks import SQUARE, TWO
from face_networks import (
    AFFINE,
    BENT,
    CANCELLED,
    CROSS,
    DEAD,
    FOLD,
    HALF,
    LINE,
    NOTHING,
    ONE,
    PLANE,
    SPACE,
    TWICE,
    VALLEY,
    XOR,
    ZERO,
    property_claim,
)
from face_trees import face_tree
from forge import Case, Json, certificate, hexes, network, vector, without
from surface_truth import Surface, frame, refined, union

Q = Fraction


def claim(of: Json, on: Json, **changes: Any) -> Json:
    """Return the true claim, with some fields changed."""
    surface = Surface(of, on)
    fields = {**property_claim("folds", of, on), **surface.counts(), **surface.lists()}
    return {**fields, **changes}


def records(of: Json, on: Json) -> list[Json]:
    """Return the evidence: on a convex domain the face tree of the network itself."""
    return Surface(of, on).records() if "boxes" in on else face_tree(of, on)


def planes(*rows: list[int]) -> Json:
    """Return a record of planes."""
    return {"record": "planes", "rows": [hexes(row) for row in rows]}


def proof(of: Json, on: Json, **changes: Any) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, on, **changes), *records(of, on))


# s(y - s(x)) with y = s(y) - s(-y): the line y = 0 is seen where x < 0, x = 0 where y > 0.
STAIRS = network([[1, 0, 0], [0, 1, 0], [0, -1, 0]], [[-1, 1, -1, 0]], [[1, 0]])
# s(2x/3 + 1/3) and s(-x - 1/2) fold at one point: rows in lowest terms, with one sign.
SAME = network([[Q(2, 3), Q(1, 3)], [-1, -Q(1, 2)]], [[1, 1, 0]])
# A unit that is 0 everywhere comes before x and x - 1.
CONSTANT_FIRST = network([[0, 0], [1, 0], [1, -1]], [[1, 1, 2, 0]])
# s(x) and s(y), and the line x + y = 1 bends at both.
CORNER = network([[1, 0, 0], [0, 1, 0]], [[1, 1, -1]], [[1, 0]])
# Seen on both sides of x = 0: s(x), s(y) and s(x + y - 1) in the second layer, where x and y go on.
THREE = network([[1, 0, 0], [0, 1, 0]], [[1, 1, -1], [1, 0, 5], [0, 1, 5]], [[1, 1, 1, 0]])
SLANTED = network([[1, 1, -1]], [[1, 0]])
HORIZONTAL = network([[0, 2, -1]], [[1, 0]])
ON_A_SIDE = network([[1, 0, -1]], [[1, 0]])
BELOW = network([[0, 2, 1]], [[1, 0]])
THREE_PLANES = network([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], [[1, 1, 1, 0]])
ALONE = network([[0, 1]], [[1, 0]])
# The fold of the second layer is y = 1 where x < 0, and y = 1 + 2x where x > 0.
ARM = network([[1, 0, 0], [0, 1, 9]], [[-2, 1, -10]], [[1, 0]])
# Two arms and a strip below them: y = 1 goes through the one on the right, and is not seen there.
ARMS = union([(-2, -1), (-1, 2)], [(1, 2), (-1, 2)], [(-2, 2), (-1, 0)])
# The same without the strip.
NO_STRIP = union([(-2, -1), (-1, 2)], [(1, 2), (-1, 2)])
# x + y = 1 passes through the two ends of the L, and not through its corner.
ELL = union([(-2, 2), (-2, -Q(1, 2))], [(-2, -Q(1, 2)), (-2, 2)])
APART = union([(-2, -1), (0, 1)], [(1, 2), (0, 1)])
JOINED = union([(0, 1), (0, 1)], [(1, 2), (0, 1)])
CORNERS = union([(0, 1), (0, 1)], [(1, 2), (-1, 0)])
THIRDS = union([(Q(1, 3), Q(1, 2)), (0, 1)], [(Q(1, 2), 2), (0, 3)])
NESTED = union([(-1, 1), (-1, 1)], [(0, 1), (0, 1)])
FLAT_BOX = union([(0, 0), (-1, 1)])
FLAT_TOO = union([(1, 1), (-1, 1)], [(0, 2), (0, 1)])
TURNED_BOX = union([(1, -1), (0, 1)])
GAP = union([(-3, -1)], [(-1, 0)], [(2, 3)])
GOOD = claim(STAIRS, PLANE)
TREE = face_tree(STAIRS, PLANE)
BEND = claim(THREE, PLANE)
BEND_TREE = face_tree(THREE, PLANE)
FAR = claim(HORIZONTAL, APART)
FAR_PROOF = records(HORIZONTAL, APART)
ONCE = claim(HORIZONTAL, SQUARE)
SEEN = claim(ARM, ARMS)
SEEN_PROOF = records(ARM, ARMS)
SEEN_COARSE = face_tree(refined(ARM, frame(ARMS)[1]), frame(ARMS)[0])


def bent(tree: list[Json] = BEND_TREE, **changes: Any) -> bytes:
    """Return a claim about a line that bends twice, with some fields changed."""
    return certificate({**BEND, **changes}, *tree)


def far(**changes: Any) -> bytes:
    """Return a claim about a line in two boxes, with some fields changed."""
    return certificate({**FAR, **changes}, *FAR_PROOF)


def with_entry(entries: list[Any], number: int, *fields: Any) -> list[Any]:
    """Return a list of pieces or edges with other first fields in one of them."""
    entry = [*fields, *entries[number][len(fields) :]]
    return [*entries[:number], entry, *entries[number + 1 :]]


SAYS = (
    "in the open polyhedron D of 0 rows in R^2 the fold-set of the network N of widths 2-2-3-1 has "
    "9 facets in 5 hyperplanes; 0 faces in the zero sets of hidden units are not in it; it is a "
    "piece-wise linear surface of order 2; its canonical representation has 5 pieces, as listed, "
    "and 4 dependencies, with a longest path of 1"
)
SAYS_NONE = (
    "in the open polyhedron D of 0 rows in R^2 the fold-set of the network N of widths 2-3-1-1 has "
    "3 facets in 3 hyperplanes; 2 faces in the zero sets of hidden units are not in it; it is no "
    "piece-wise linear surface, as 3 facets are in no piece; its canonical representation has 0 "
    "pieces, as listed, and 0 dependencies, with a longest path of 0"
)
SAYS_UNION = (
    "in the interior of the union D of 2 boxes in R^2 the fold-set of the network N of widths "
    "2-1-1 has 1 facets in 1 hyperplanes; 0 faces in the zero sets of hidden units are not in it; "
    "it is a piece-wise linear surface of order 1; its canonical representation has 2 pieces, as "
    "listed, and 0 dependencies, with a longest path of 0"
)
PIECES, EDGES = BEND["pieces"], BEND["edges"]
(_, PLANE_0, POINT_0), (_, PLANE_1, POINT_1) = PIECES[:2]
LEFT, RIGHT = FAR["pieces"]
CASES = (
    Case("accept/bent", proof(BENT, PLANE)),
    Case("accept/bent-in-a-square", proof(BENT, SQUARE)),
    Case("accept/stairs", certificate(GOOD, *TREE)),
    Case("accept/two-layers-in-a-square", proof(TWO, SQUARE)),
    Case("accept/cross", proof(CROSS, PLANE)),
    Case("accept/corner", proof(CORNER, PLANE)),
    Case("accept/corner-in-a-square", proof(CORNER, SQUARE)),
    Case("accept/three", bent()),
    Case(
        "accept/three-in-another-order",
        bent(
            pieces=PIECES[::-1],
            edges=[[len(PIECES) - 1 - a, len(PIECES) - 1 - b, x] for a, b, x in EDGES[::-1]],
        ),
    ),
    Case(
        "accept/point-where-two-pieces-cross",
        bent(pieces=with_entry(PIECES, 0, 1, PLANE_0, vector(0, 0))),
    ),
    Case("accept/three-planes", proof(THREE_PLANES, SPACE)),
    Case("accept/sentence", proof(THREE, PLANE), ("--expect", SAYS)),
    Case("accept/sentence-no-surface", proof(STAIRS, PLANE), ("--expect", SAYS_NONE)),
    Case("accept/sentence-union", far(), ("--expect", SAYS_UNION)),
    Case("accept/parallel", proof(XOR, PLANE)),
    Case("accept/one-point", proof(ONE, LINE)),
    Case("accept/two-units-at-one-point", proof(SAME, LINE)),
    Case("accept/valley", proof(VALLEY, LINE)),
    Case("accept/unit-0-on-a-cell", proof(TWICE, LINE)),
    Case("accept/cancelled", proof(CANCELLED, LINE)),
    Case("accept/dead", proof(DEAD, LINE)),
    Case("accept/zero", proof(ZERO, LINE)),
    Case("accept/constant-unit-first", proof(CONSTANT_FIRST, LINE)),
    Case("accept/affine", proof(AFFINE, LINE)),
    Case("accept/empty-domain", proof(ONE, NOTHING)),
    Case("accept/union-arms", certificate(SEEN, *SEEN_PROOF)),
    Case("accept/union-without-the-strip", proof(ARM, NO_STRIP)),
    Case("accept/union-ell", proof(SLANTED, ELL)),
    Case("accept/union-ell-horizontal", proof(HORIZONTAL, ELL)),
    Case("accept/union-apart", far()),
    Case("accept/union-joined", proof(HORIZONTAL, JOINED)),
    Case("accept/union-corners", proof(SLANTED, CORNERS)),
    Case("accept/union-thirds", proof(SLANTED, THIRDS)),
    Case("accept/union-nested", proof(SLANTED, NESTED)),
    Case("accept/union-flat", proof(HORIZONTAL, FLAT_BOX)),
    Case("accept/union-flat-and-another", proof(ON_A_SIDE, FLAT_TOO)),
    Case("accept/union-flat-is-not-thick", proof(BELOW, FLAT_TOO)),
    Case("accept/union-turned", proof(HORIZONTAL, TURNED_BOX)),
    Case("accept/union-fold-on-a-side", proof(ON_A_SIDE, JOINED)),
    Case("accept/union-two-bends", proof(THREE, union([(-1, 2), (-1, 2)], [(2, 3), (0, 1)]))),
    Case("accept/union-on-a-line", proof(FOLD, GAP)),
    Case("accept/union-affine", proof(AFFINE, GAP)),
    Case("accept/union-affine-in-one-box", proof(AFFINE, union([(0, 1)]))),
    Case("accept/union-constant", proof(ALONE, GAP)),
    Case("reject/fold-count--one-facet-less", proof(STAIRS, PLANE, facets=2)),
    Case("reject/fold-count--all-facets", proof(STAIRS, PLANE, facets=5)),
    Case("reject/fold-count--hyperplanes-as-facets", proof(CROSS, PLANE, hyperplanes=4)),
    Case("reject/fold-count--one-hyperplane-less", proof(STAIRS, PLANE, hyperplanes=2)),
    Case("reject/fold-count--nothing-hidden", proof(STAIRS, PLANE, hidden=0)),
    Case("reject/fold-count--nothing-remains", proof(STAIRS, PLANE, remaining=0)),
    Case("reject/fold-count--cancelled", proof(CANCELLED, LINE, facets=1, hidden=0)),
    Case("reject/fold-count--dead", proof(DEAD, LINE, hidden=0)),
    Case("reject/fold-count--lower-faces-hidden", proof(CROSS, PLANE, hidden=1)),
    Case("reject/fold-count--two-points", proof(SAME, LINE, hyperplanes=2)),
    Case("reject/fold-count--zero-set-of-a-cell-seen", proof(TWICE, LINE, hidden=0)),
    Case("reject/fold-count--constant-unit", proof(ZERO, LINE, hidden=0)),
    Case("reject/fold-count--valley-not-seen", proof(VALLEY, LINE, facets=0, hidden=1)),
    Case("reject/fold-count--one-plane-for-two", proof(CONSTANT_FIRST, LINE, hyperplanes=1)),
    Case("reject/fold-count--parts-of-a-facet", proof(HORIZONTAL, JOINED, facets=2)),
    Case("reject/fold-count--outside-the-union", proof(ON_A_SIDE, APART, facets=1, hyperplanes=1)),
    Case("reject/fold-count--frame", proof(SLANTED, ELL, facets=0)),
    Case(
        "reject/fold-count--y-is-not-seen-on-the-right",
        certificate(
            {**SEEN, "pieces": claim(ARM, NO_STRIP)["pieces"], "remaining": 0}, *SEEN_PROOF
        ),
    ),
    Case("reject/pieces-differ--one-missing", bent(pieces=PIECES[:-1], edges=[])),
    Case("reject/pieces-differ--one-twice", bent(pieces=[*PIECES, PIECES[0]])),
    Case(
        "reject/pieces-differ--one-for-another", bent(pieces=[PIECES[0], *PIECES[:1], *PIECES[2:]])
    ),
    Case("reject/pieces-differ--level", bent(pieces=with_entry(PIECES, 0, 2))),
    Case("reject/pieces-differ--all-of-level-1", bent(pieces=[[1, *p[1:]] for p in PIECES])),
    Case("reject/pieces-differ--plane", bent(pieces=with_entry(PIECES, 0, 1, PLANE_1))),
    Case(
        "reject/pieces-differ--not-lowest-terms",
        bent(pieces=with_entry(PIECES, 0, 1, ["0", "2", "0"])),
    ),
    Case("reject/pieces-differ--turned", bent(pieces=with_entry(PIECES, 0, 1, ["0", "-1", "0"]))),
    Case(
        "reject/pieces-differ--point-of-another",
        bent(pieces=with_entry(PIECES, 0, 1, PLANE_0, POINT_1)),
    ),
    Case(
        "reject/pieces-differ--point-off",
        bent(pieces=with_entry(PIECES, 0, 1, PLANE_0, vector(3, 4))),
    ),
    Case(
        "reject/pieces-differ--point-of-a-lower-level",
        bent(pieces=with_entry(PIECES, 2, *PIECES[2][:2], vector(0, 1))),
    ),
    Case("reject/pieces-differ--one-piece-in-two-boxes", far(pieces=[LEFT])),
    Case("reject/pieces-differ--one-box-twice", far(pieces=[LEFT, LEFT])),
    Case(
        "reject/pieces-differ--two-pieces-in-joined-boxes",
        proof(HORIZONTAL, JOINED, pieces=[[*LEFT[:2], vector(x, HALF)] for x in (HALF, 3 * HALF)]),
    ),
    Case("reject/edges-differ--one-missing", bent(edges=EDGES[1:])),
    Case("reject/edges-differ--none", bent(edges=[])),
    Case("reject/edges-differ--one-twice", bent(edges=[*EDGES, EDGES[0]])),
    Case(
        "reject/edges-differ--turned-round",
        bent(edges=with_entry(EDGES, 0, EDGES[0][1], EDGES[0][0])),
    ),
    Case("reject/edges-differ--of-one-level", bent(edges=[*EDGES, [0, 1, vector(0, 0)]])),
    Case("reject/edges-differ--loop", bent(edges=[*EDGES, [0, 0, vector(0, 0)]])),
    Case(
        "reject/edges-differ--point", bent(edges=with_entry(EDGES, 0, *EDGES[0][:2], vector(0, 0)))
    ),
    Case(
        "reject/edges-differ--point-of-another",
        bent(edges=with_entry(EDGES, 0, *EDGES[0][:2], EDGES[-1][2])),
    ),
    Case("reject/index-out-of-range--tail", bent(edges=with_entry(EDGES, 0, 5))),
    Case("reject/index-out-of-range--head", bent(edges=with_entry(EDGES, 0, 0, 5))),
    Case(
        "reject/point-outside--of-the-square",
        proof(
            HORIZONTAL,
            SQUARE,
            pieces=with_entry(ONCE["pieces"], 0, *ONCE["pieces"][0][:2], vector(1, HALF)),
        ),
    ),
    Case(
        "reject/point-outside--between-the-boxes",
        far(pieces=[LEFT, [*RIGHT[:2], vector(0, HALF)]]),
    ),
    Case(
        "reject/point-outside--on-a-side",
        far(pieces=[LEFT, [*RIGHT[:2], vector(1, HALF)]]),
    ),
    Case("reject/plane-not-cut--no-planes", certificate(SEEN, planes(), *SEEN_COARSE)),
    Case(
        "reject/plane-not-cut--piece-in-one-arm",
        certificate(
            {**SEEN, "pieces": claim(ARM, NO_STRIP)["pieces"], "remaining": 0},
            planes(),
            *SEEN_COARSE,
        ),
    ),
    Case("reject/missing-record--no-tree", certificate(GOOD)),
    Case("reject/missing-record--last-face", certificate(GOOD, *TREE[:-1])),
    Case("reject/surplus-record--face", certificate(GOOD, *TREE, TREE[-1])),
    Case("reject/surplus-record--planes-at-the-end", certificate(GOOD, *TREE, planes())),
    Case("reject/wrong-record--planes-on-a-convex-domain", certificate(GOOD, planes(), *TREE)),
    Case("reject/wrong-record--no-planes", certificate(FAR, *FAR_PROOF[1:])),
    Case("malformed/wrong-length--no-boxes", far(domain={"boxes": ["1", []]})),
    Case("malformed/wrong-fields--no-hidden", certificate(without(GOOD, "hidden"), *TREE)),
    Case("malformed/wrong-fields--no-edges", certificate(without(GOOD, "edges"), *TREE)),
    Case("malformed/wrong-fields--union-with-rows", far(domain={**APART, "rows": []})),
    Case("malformed/not-an-index--negative", certificate({**GOOD, "facets": -3}, *TREE)),
    Case("malformed/not-an-index--level", bent(pieces=with_entry(PIECES, 0, "1"))),
    Case("malformed/wrong-length--piece", bent(pieces=[[1, PLANE_0]])),
    Case("malformed/wrong-length--plane", bent(pieces=with_entry(PIECES, 0, 1, ["1", "0"]))),
    Case("malformed/wrong-length--edge", bent(edges=[[0, 1]])),
    Case("malformed/wrong-length--box", far(domain={"boxes": ["1", [["0", "1"]]]})),
    Case("malformed/wrong-length--boxes", far(domain={"boxes": ["1"]})),
    Case("malformed/wrong-length--row-of-planes", certificate(FAR, planes([1, 0]), *FAR_PROOF[1:])),
    Case("malformed/not-lowest-terms--boxes", far(domain={"boxes": ["2", [["0", "2", "0", "2"]]]})),
    Case("malformed/not-an-object--domain", far(domain=[["0", "1"]])),
)
