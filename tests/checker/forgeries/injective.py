"""Cases of the claim kind ``injective``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, empty, hexes, network, sides, split, system, without

LINE = system(1)
S, C = split(), {"record": "cell"}
Proof = tuple[Sequence[int], Sequence[int]]


def claim(of: Json, first: int = 0, last: int = 2, on: Json = LINE) -> Json:
    """Return the claim that a stage of a network is one-to-one."""
    return {"domain": on, "first": first, "kind": "injective", "last": last, "network": of}


def pair(*proofs: Proof) -> Json:
    """Return a pair record: rows and values of each list."""
    return {
        "record": "pair",
        "rows": [list(rows) for rows, _ in proofs],
        "values": [hexes(values) for _, values in proofs],
    }


def proof(of: Json, *records: Json, first: int = 0, last: int = 2, on: Json = LINE) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, first, last, on), *records)


# x -> (s(x), s(-x)): one-to-one. The second neuron has a side on either side of the first.
BOTH = network([[1, 0], [-1, 0]], [[1, 0, 0], [0, 1, 0]])
PLUS, MINUS = sides("+", (1, [0, 1], [1, 1])), sides("-", (1, [0, 1], [1, 1]))
TREE = (S, PLUS, C, MINUS, C)
# Rows of a pair: 0 and 1 the cells, 2 and 3 the outputs, 4 the further row y - x > 0.
NEGATIVE = pair(([3, 4], [1, 1]))
APART = pair(([1, 2], [1, -1]))
POSITIVE = pair(([2, 4], [-1, 1]))
GOOD = (*TREE, NEGATIVE, APART, POSITIVE)
# The same in thirds, with a bias: x -> (s(x/3 - 1), s(1/2 - x/6)).
THIRDS = network(
    [[Fraction(1, 3), -1], [Fraction(-1, 6), Fraction(1, 2)]], [[Fraction(1, 5), 0, 0], [0, 1, 0]]
)
THIRDS_TREE = (
    *(S, sides("+", (1, [0, 1], [1, 2])), C, sides("-", (1, [0, 1], [1, 2])), C),
    pair(([3, 4], [1, 5])),
    pair(([1, 2], [1, -1])),
    pair(([2, 4], [-1, 2])),
)
# x -> |x|: one-to-one where x >= 0 only.
ABSOLUTE = network([[1, 0], [-1, 0]], [[1, 1, 0]])
RAY = system(1, ("ge", [1, 0]))
ON_RAY = (sides("+-", (0, [0, 1], [1, 1]), (1, [0, 1], [1, 1])), C, pair(([2, 3], [-1, 1])))
OPEN_RAY = system(1, ("gt", [1, 0]))
POINT = system(1, ("eq", [1, -1]))
# On the point x = 1 everything is one-to-one: x = 1 and y = 1, so that not y > x.
ON_POINT = (
    sides("+-", (0, [0, 1], [1, 1]), (1, [0, 1], [1, 1])),
    C,
    pair(([0, 1, 3], [1, -1, 1])),
)
NOTHING = system(1, ("ge", [1, -1]), ("ge", [-1, 0]))
TOUCH = system(1, ("ge", [1, 0]), ("ge", [-1, 0]))
STRICT_NOTHING = system(1, ("gt", [1, 0]), ("ge", [-1, 0]))
# (x, -x) -> s of the first: the second layer is not one-to-one on the image (s(x), s(-x)).
FOLD = network([[1, 0], [-1, 0]], [[1, 0, 0], [0, 1, 0]], [[1, 1, 0]])
IDENTITY_ON_IMAGE = (
    *(S, PLUS, sides("+", (1, [0, 1], [1, 1])), C),
    *(MINUS, sides("+", (0, [0, 1], [1, 1])), C),
    # Outputs of layer 1 and of layer 2: (0, -x) and (x, 0).
    pair(([4], [1]), ([3, 4], [-1, 1])),
    pair(([1, 2], [1, -1])),
    pair(([2, 4], [-1, 1]), ([4], [1])),
)
# Layer 2 is |x|, and the output determines it, though x and -x have one output.
TWICE = network([[1, 0], [-1, 0]], [[1, 1, 0]], [[1, 0]])
TWICE_TREE = (
    *(S, PLUS, sides("+", (0, [0, 1], [1, 1])), C),
    *(MINUS, sides("+", (0, [0, 1], [1, 1])), C),
)
SAME = pair(([2, 3], [-1, 1]))
LARGER_AND_SMALLER = pair(([2, 3], [-1, 1]), ([2, 3], [1, 1]))
AFFINE = network([[2, 1]])
# A curve in the plane that comes along an axis, goes round, and touches it at x = 2.
TOUCHING = network(
    [[1, 0], [1, -1], [1, -2], [-1, 0]],
    [[0, 1, -1, 1, 0], [1, -2, 2, 0, 0]],
)
TOUCHING_TREE = (
    S,
    sides("--+", (1, [0, 1], [1, 1]), (2, [0, 1], [1, 1]), (3, [0, 1], [1, 1])),
    C,
    *(sides("-", (3, [0, 1], [1, 1])), S, sides("-", (2, [1, 2], [1, 1])), C, S, C, C),
)
TOUCHING_PAIRS = (
    pair(([2, 4], [1, 1])),
    pair(([1, 4], [1, -1])),
    pair(([5, 6], [-1, 1])),
)
ROOM = system(1, ("gt", [1, 1]), ("ge", [-1, 0]))
BOX = system(1, ("ge", [1, 1]), ("ge", [-1, 1]))
IN_BOX = (
    *(S, sides("+", (1, [2, 3], [1, 1])), C, sides("-", (1, [2, 3], [1, 1])), C),
    *(pair(([7, 8], [1, 1])), pair(([5, 6], [1, -1])), pair(([6, 8], [-1, 1]))),
)
# The sum of the coordinates on the diagonal of the plane.
SUM = network([[1, 1, 0]])
DIAGONAL = system(2, ("eq", [1, -1, 0]))
ON_DIAGONAL = (C, pair(([0, 1, 2, 3], [1, -1, -1, 2]), ([0, 1, 2, 3], [-1, 1, -1, 2])))
ROTATION = network([[1, 1, 0], [1, -1, 0]])
ROTATED = (C, pair(([0, 1, 2], [-1, -1, 2]), ([0, 1, 2], [-1, 1, 2])))
WHOLE = "the network N of widths 1-2-2 on the polyhedron D of 0 rows in R^1 is one-to-one"
HIDDEN = (
    "the part of the network N of widths 1-2-1 up to layer 1 on the polyhedron D of 0 rows in R^1 "
    "is one-to-one"
)
ON_IMAGE = (
    "the part of the network N of widths 1-2-2-1 up to layer 2 on the image of the polyhedron D of "
    "0 rows in R^1 under layer 1 is one-to-one"
)

CASES = (
    Case("accept/in-a-box", proof(BOTH, *IN_BOX, on=BOX)),
    Case("accept/on-the-diagonal", proof(SUM, *ON_DIAGONAL, last=1, on=DIAGONAL)),
    Case("accept/rotation", proof(ROTATION, *ROTATED, last=1, on=system(2))),
    Case("accept/sentence-of-a-network", proof(BOTH, *GOOD), ("--expect", WHOLE)),
    Case("accept/sentence-of-a-layer", proof(ABSOLUTE, *GOOD, last=1), ("--expect", HIDDEN)),
    Case(
        "accept/sentence-of-an-image",
        proof(FOLD, *IDENTITY_ON_IMAGE, first=1),
        ("--expect", ON_IMAGE),
    ),
    Case("accept/both-signs", proof(BOTH, *GOOD)),
    Case("accept/denominators", proof(THIRDS, *THIRDS_TREE)),
    Case("accept/absolute-on-a-ray", proof(ABSOLUTE, *ON_RAY, on=RAY)),
    Case("accept/absolute-on-an-open-ray", proof(ABSOLUTE, *ON_RAY, on=OPEN_RAY)),
    Case("accept/absolute-at-a-point", proof(ABSOLUTE, *ON_POINT, on=POINT)),
    Case("accept/nothing", proof(ABSOLUTE, empty([0, 1], [1, 1]), on=NOTHING)),
    Case("accept/nothing-strictly", proof(ABSOLUTE, empty([0, 1], [1, 1]), on=STRICT_NOTHING)),
    Case("accept/affine", proof(AFFINE, C, pair(([0, 1], [-1, 2])), last=1)),
    Case("accept/hidden-layer", proof(ABSOLUTE, *GOOD, last=1)),
    Case("accept/layer-on-its-image", proof(FOLD, *IDENTITY_ON_IMAGE, first=1)),
    Case(
        "accept/last-layer-on-its-image",
        proof(TWICE, *TWICE_TREE, SAME, LARGER_AND_SMALLER, SAME, first=2, last=3),
    ),
    Case(
        "accept/two-lists-of-two-cells",
        proof(BOTH, *TREE, NEGATIVE, pair(([1, 2], [1, -1]), ([0, 1, 4], [1, 1, 1])), POSITIVE),
    ),
    Case(
        "reject/combination-not-zero--absolute",
        proof(ABSOLUTE, *TREE, pair(([2, 3], [1, 1])), pair(([0, 1, 2], [1, 1, 1])), POSITIVE),
    ),
    Case(
        "reject/combination-not-zero--beyond-a-neuron",
        proof(BOTH, S, sides("+", (1, [0, 1], [2, 1])), C, MINUS, C, NEGATIVE, APART, POSITIVE),
    ),
    Case("reject/offset-not-negative--touching", proof(ABSOLUTE, empty([0, 1], [1, 1]), on=TOUCH)),
    Case(
        "reject/offset-not-negative--corner-of-the-curve",
        proof(TOUCHING, *TOUCHING_TREE, *TOUCHING_PAIRS, pair(([3, 5], [1, -1]))),
    ),
    Case(
        "reject/offset-not-negative--equation-alone",
        proof(BOTH, *TREE, pair(([2], [1])), APART, POSITIVE),
    ),
    Case(
        "reject/offset-not-negative--positive",
        proof(AFFINE, C, pair(([0, 1], [1, 1])), last=1, on=ROOM),
    ),
    Case(
        "reject/offset-not-negative--side-not-strict",
        proof(ABSOLUTE, sides("+", (0, [0, 1], [1, 1])), C, on=TOUCH),
    ),
    Case(
        "reject/multiplier-not-positive--of-a-cell",
        proof(BOTH, *TREE, NEGATIVE, pair(([1, 2], [-1, 1])), POSITIVE),
    ),
    Case(
        "reject/multiplier-not-positive--of-the-further-row",
        proof(BOTH, *TREE, pair(([3, 4], [-1, -1])), APART, POSITIVE),
    ),
    Case(
        "reject/multiplier-not-positive--zero",
        proof(BOTH, *TREE, pair(([2, 4], [1, 0])), APART, POSITIVE),
    ),
    Case("reject/offset-not-negative--no-row", proof(BOTH, *TREE, pair(([], [])), APART, POSITIVE)),
    Case("reject/pair-not-covered--one-cell", proof(BOTH, *TREE, pair(), APART, POSITIVE)),
    Case(
        "reject/pair-not-covered--one-cell-twice",
        proof(BOTH, *TREE, pair(([3, 4], [1, 1]), ([3, 4], [1, 1])), APART, POSITIVE),
    ),
    Case("reject/pair-not-covered--two-cells", proof(BOTH, *TREE, NEGATIVE, pair(), POSITIVE)),
    Case(
        "reject/pair-not-covered--larger-only",
        proof(FOLD, *IDENTITY_ON_IMAGE[:8], pair(([1, 2], [1, -1]), ([1, 2], [1, -1])), first=1),
    ),
    Case(
        "reject/index-out-of-range--larger-only-on-the-image",
        proof(TWICE, *TWICE_TREE, SAME, pair(([2, 3], [-1, 1])), SAME, first=2, last=3),
    ),
    Case(
        "reject/combination-not-zero--smaller-is-larger",
        proof(
            TWICE,
            *(*TWICE_TREE, SAME, pair(([2, 3], [-1, 1]), ([2, 3], [-1, 1])), SAME),
            first=2,
            last=3,
        ),
    ),
    Case("reject/neuron-undecided--leaf-too-soon", proof(BOTH, S, C, MINUS, C)),
    Case("reject/combination-not-zero--inputs-not-outputs", proof(TWICE, *TWICE_TREE, SAME)),
    Case(
        "reject/index-out-of-range--further-row-of-two-cells",
        proof(BOTH, *TREE, NEGATIVE, pair(([1, 4], [1, 1])), POSITIVE),
    ),
    Case("reject/index-out-of-range--layers-equal", proof(BOTH, *GOOD, first=2)),
    Case("reject/index-out-of-range--layer-beyond", proof(BOTH, *GOOD, last=3)),
    Case("malformed/dimensions-differ--domain", proof(BOTH, *GOOD, on=system(2))),
    Case("malformed/wrong-fields--domain", certificate(without(claim(BOTH), "domain"), *GOOD)),
    Case(
        "malformed/wrong-length--values",
        proof(BOTH, *TREE, {"record": "pair", "rows": [[3, 4]], "values": []}),
    ),
    Case("malformed/not-a-list--rows", proof(BOTH, *TREE, {**NEGATIVE, "rows": 3})),
)
