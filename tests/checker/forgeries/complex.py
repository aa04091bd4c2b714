"""Cases of the claim kind ``complex``, and of face trees as such."""

from collections.abc import Sequence
from fractions import Fraction

from face_trees import CUT, face_tree, subtree_end
from forge import (
    Case,
    Json,
    certificate,
    empty,
    face,
    hexes,
    network,
    point,
    sides,
    system,
    without,
)

HALF = Fraction(1, 2)
OUT = [[1, 0]]
LINE, PLANE, SPACE = system(1), system(2), system(3)
POSITIVE = system(1, ("gt", [1, 0]))
SEGMENT = system(1, ("gt", [1, 0]), ("gt", [-1, 1]))
NOTHING = system(1, ("gt", [1, -1]), ("gt", [-1, 0]))
STRIP = system(2, ("gt", [1, 0, 0]), ("gt", [-1, 0, 1]))


def side(sign: str, rows: Sequence[int], values: Sequence[int], neuron: int = 1) -> Json:
    """Return a sides record about one neuron, the second of its layer if not said otherwise."""
    return sides(sign, (neuron, rows, values))


# x + y + 1 and x + y: two parallel lines.
XOR = network([[1, 1, 1], [1, 1, 0]], [[2, -4, -1]])
XOR_TREE = (
    *(CUT, side("-", [0, 1], [1, 1]), face(-2, 0)),
    face(-1, 0),
    *(CUT, face(-HALF, 0), face(0, 0), face(1, 0)),
)
# One input: x and -x, then |x| - 1.
FOLD = network([[1, 0], [-1, 0]], [[1, 1, -1]], OUT)
FOLD_TREE = (
    *(CUT, side("+", [0, 1], [1, 1]), CUT, face(-HALF), face(-1), face(-2)),
    face(0),
    *(side("-", [0, 1], [1, 1]), CUT, face(HALF), face(1), face(2)),
)
ONE = network([[1, 0]], OUT)
ONE_TREE = (CUT, face(-1), face(0), face(1))
AFFINE = network([[3, 1]])
# ReLU of x twice: the second neuron is 0 where x <= 0.
TWICE = network([[1, 0]], [[1, 0]], OUT)
TWICE_TREE = (CUT, face(-1), face(0), side("+", [0, 1], [1, 1], 0), face(1))
CONSTANTS = network([[0, 1], [1, 0], [0, 0], [0, -1]], [[1, 1, 1, 1, -2]], OUT)
# Where x > 0: x + 1 and -x - 2 have one sign each, and so has x + 2 in the second layer.
AHEAD = network([[1, 1], [-1, -2]], [[1, 1, 1]], OUT)
AHEAD_TREE = (
    sides("+-", (0, [0, 1], [1, 1]), (1, [0, 1], [1, 1])),
    *(side("+", [0, 1], [1, 1], 0), face(1)),
)
# x, y and 2x; where x = 0, the third is 0 too, and y is next.
DOUBLED = network([[1, 0, 0], [0, 1, 0], [2, 0, 0]], [[1, 1, 1, 0]])
DOUBLED_TREE = face_tree(DOUBLED, PLANE)
DOUBLED_ZERO = subtree_end(DOUBLED_TREE, 1)
CROSS = network([[1, 0, 0], [0, 1, 0]], [[1, 1, 0]])
CROSS_TREE = (
    *(CUT, CUT, face(-1, -1), face(-1, 0), face(-1, 1)),
    *(CUT, face(0, -1), face(0, 0), face(0, 1)),
    *(CUT, face(1, -1), face(1, 0), face(1, 1)),
)
# Denominators 2 and 3: cuts at 0, 2 and 8.
SCALED = network([[HALF, 0]], [[1, -1]], [[Fraction(1, 3), -1]], OUT)
SCALED_TREE = (CUT, face(-1), face(0), CUT, face(1), face(2), CUT, face(7), face(8), face(9))
# The same with the denominator 3 in the second layer.
SCALED_LATER = network([[HALF, 0]], [[Fraction(1, 3), Fraction(-1, 3)]], [[1, -1]], OUT)
# x, y and x + y meet in a point; 2x + y - 3.
PENCIL = network([[1, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, -3]], [[1, 1, 1, 1, 0]])
TWO_LAYERS = network(
    [[1, HALF, 0], [-1, 1, Fraction(1, 3)]],
    [[1, -2, -1], [-1, 1, Fraction(1, 5)]],
    [[1, 1, 0]],
)
THREE_LAYERS = network(
    [[HALF, 1], [-1, 1]],
    [[Fraction(1, 3), 1, -1], [1, -1, Fraction(1, 7)]],
    [[1, -1, Fraction(1, 5)]],
    OUT,
)
CORNER = network([[1, 2, 3, 0], [2, 1, -1, 0], [3, 3, 1, -1]], [[1, 1, 1, 0]])
LONG = 10**5000


def complex_claim(of: Json, on: Json, counts: Sequence[int]) -> Json:
    """Return a claim about the numbers of faces."""
    return {"domain": on, "f_vector": list(counts), "kind": "complex", "network": of}


def tree(of: Json, on: Json, counts: Sequence[int], *records: Json) -> bytes:
    """Return a certificate."""
    return certificate(complex_claim(of, on, counts), *records)


def xor(*records: Json, counts: Sequence[int] = (0, 2, 3)) -> bytes:
    """Return a certificate about xor on the plane."""
    return tree(XOR, PLANE, counts, *records)


def changed(place: int, *records: Json, of: Sequence[Json] = XOR_TREE) -> tuple[Json, ...]:
    """Return a tree with other records in the place of one."""
    return (*of[:place], *records, *of[place + 1 :])


def claim_with(**changes: object) -> bytes:
    """Return the certificate of xor with changed fields of its claim."""
    return certificate({**complex_claim(XOR, PLANE, [0, 2, 3]), **changes}, *XOR_TREE)


ACCEPT = {
    "xor-on-a-strip": (XOR, STRIP, [0, 2, 3]),
    "one-neuron-on-a-ray": (ONE, POSITIVE, [0, 1]),
    "scale-of-the-third-layer": (SCALED, system(1, ("gt", [-1, 6])), [2, 3]),
    "later-denominator": (SCALED_LATER, LINE, [3, 4]),
    "constants": (CONSTANTS, LINE, [2, 3]),
    "no-hidden-layer": (AFFINE, LINE, [0, 1]),
    "no-hidden-layer-on-nothing": (AFFINE, NOTHING, [0, 0]),
    "empty-domain": (FOLD, NOTHING, [0, 0]),
    "domain-row-never-true": (XOR, system(2, ("gt", [0, 0, 0])), [0, 0, 0]),
    "domain-row-always-true": (ONE, system(1, ("gt", [0, 1])), [1, 2]),
    "duplicate-neurons": (
        network([[1, 2, 3], [1, 2, 3], [-2, -4, -6]], [[1, 1, 1, 0]]),
        PLANE,
        [0, 1, 2],
    ),
    "pencil": (PENCIL, PLANE, [4, 13, 10]),
    "two-layers": (TWO_LAYERS, PLANE, [3, 10, 8]),
    "three-layers": (THREE_LAYERS, LINE, [6, 7]),
    "corner": (CORNER, SPACE, [1, 6, 12, 8]),
    "five-thousand-digits": (network([[LONG, 1], [1, 0]], [[1, 1, 0]]), LINE, [2, 3]),
}


def file(name: str) -> bytes:
    """Return the accepted file of a name."""
    of, on, counts = ACCEPT[name]
    return tree(of, on, counts, *face_tree(of, on))


CASES = (
    *(Case(f"accept/{name}", file(name)) for name in ACCEPT),
    Case("accept/xor", xor(*XOR_TREE)),
    Case("accept/fold", tree(FOLD, LINE, [3, 4], *FOLD_TREE)),
    Case("accept/one-neuron", tree(ONE, LINE, [1, 2], *ONE_TREE)),
    Case("accept/cross", tree(CROSS, PLANE, [1, 4, 4], *CROSS_TREE)),
    Case("accept/zero-on-one-side", tree(TWICE, LINE, [1, 2], *TWICE_TREE)),
    Case("accept/sides-of-two-neurons", tree(AHEAD, POSITIVE, [0, 1], *AHEAD_TREE)),
    Case(
        "accept/sides-before-a-cut",
        tree(
            *(network([[1, -1], [1, 1]], [[1, 1, 0]]), POSITIVE, [1, 2]),
            *(side("+", [0, 1], [1, 1]), CUT, face(HALF), face(1), face(2)),
        ),
    ),
    Case("accept/denominators", tree(SCALED, LINE, [3, 4], *SCALED_TREE)),
    # Numbers of faces.
    Case("reject/face-count--one-more", xor(*XOR_TREE, counts=[0, 2, 4])),
    Case("reject/face-count--one-less", xor(*XOR_TREE, counts=[0, 2, 2])),
    Case("reject/face-count--dimensions-swapped", xor(*XOR_TREE, counts=[0, 3, 2])),
    Case("reject/face-count--reversed", xor(*XOR_TREE, counts=[3, 2, 0])),
    Case(
        "reject/face-count--empty-domain",
        tree(ONE, NOTHING, [0, 1], empty([0, 1], [1, 1])),
    ),
    Case(
        "reject/face-count--vertex-counted-as-an-edge", tree(CROSS, PLANE, [0, 5, 4], *CROSS_TREE)
    ),
    # The shape of the tree.
    Case("reject/missing-record--no-tree", xor(counts=[0, 0, 0])),
    Case("reject/missing-record--last-face", xor(*XOR_TREE[:-1], counts=[0, 2, 2])),
    Case("reject/missing-record--positive-part", xor(*XOR_TREE[:4], counts=[0, 1, 1])),
    Case("reject/wrong-signs--zero-set-left-out", tree(ONE, LINE, [0, 2], CUT, face(-1), face(1))),
    Case(
        "reject/missing-record--node-after-a-side",
        tree(ONE, POSITIVE, [0, 1], side("+", [0, 1], [1, 1], 0)),
    ),
    Case("reject/surplus-record--extra-face", xor(*XOR_TREE, face(2, 0))),
    Case(
        "reject/surplus-record--below-an-empty-root",
        tree(ONE, NOTHING, [0, 0], empty([0, 1], [1, 1]), CUT),
    ),
    Case("reject/wrong-record--empty-below-the-root", xor(*changed(1, empty([0], [1])))),
    Case("reject/wrong-record--split", xor({"record": "split"}, *XOR_TREE[1:])),
    Case("reject/wrong-record--cell", xor(*changed(2, {**point(-2, 0), "record": "cell"}))),
    Case(
        "reject/nothing-to-split--cut-after-the-last-neuron",
        xor(*changed(2, CUT, face(-2, 0), face(-3, 0), face(-4, 0))),
    ),
    Case(
        "reject/index-out-of-range--side-after-the-last-neuron",
        xor(*changed(2, side("-", [0, 1], [1, 1], 0), face(-2, 0))),
    ),
    Case("reject/nothing-to-split--no-hidden-layer", tree(AFFINE, LINE, [1, 2], *ONE_TREE)),
    Case(
        "reject/nothing-to-split--constant-on-the-zero-set",
        tree(FOLD, LINE, [3, 4], *changed(6, CUT, face(0), face(0), face(0), of=FOLD_TREE)),
    ),
    Case(
        "reject/index-out-of-range--0-on-the-negative-side",
        tree(
            TWICE,
            LINE,
            [1, 2],
            *changed(1, side("-", [0], [1], 0), face(-1), of=TWICE_TREE),
        ),
    ),
    Case(
        "reject/nothing-to-split--after-the-second-equation",
        tree(CROSS, PLANE, [3, 4, 4], *changed(7, CUT, *[face(0, 0)] * 3, of=CROSS_TREE)),
    ),
    Case("reject/neuron-undecided--root", xor(face(0, 0), counts=[0, 0, 1])),
    Case("reject/neuron-undecided--second-neuron", xor(CUT, face(-2, 0), face(-1, 0), face(1, 0))),
    Case(
        "reject/neuron-undecided--second-layer",
        tree(FOLD, LINE, [1, 2], CUT, FOLD_TREE[1], face(-2), face(0), FOLD_TREE[7], face(2)),
    ),
    Case(
        "reject/neuron-undecided--on-the-zero-set",
        tree(CROSS, PLANE, [0, 3, 4], *CROSS_TREE[:5], face(0, 0), *CROSS_TREE[9:]),
    ),
    # Points.
    Case(
        "reject/wrong-signs--parts-in-another-order",
        tree(ONE, LINE, [1, 2], CUT, face(1), face(0), face(-1)),
    ),
    Case(
        "reject/wrong-signs--point-beside-the-zero-set",
        tree(ONE, LINE, [1, 2], CUT, face(-1), face(HALF), face(1)),
    ),
    Case(
        "reject/wrong-signs--point-on-the-zero-set",
        tree(ONE, LINE, [1, 2], CUT, face(-1), face(0), face(0)),
    ),
    Case("reject/wrong-signs--second-neuron", xor(*changed(5, face(0, 0)))),
    Case(
        "reject/wrong-signs--second-layer",
        tree(FOLD, LINE, [3, 4], *changed(3, face(-2), of=FOLD_TREE)),
    ),
    Case(
        "reject/wrong-signs--cut-where-there-is-nothing",
        tree(ONE, POSITIVE, [1, 2], CUT, face(1), face(2), face(3)),
    ),
    Case("reject/point-outside--domain-ignored", tree(ONE, POSITIVE, [1, 2], *ONE_TREE)),
    Case("reject/point-outside--boundary-of-the-domain", tree(AFFINE, SEGMENT, [0, 1], face(1))),
    Case("reject/point-outside--empty-domain", tree(AFFINE, NOTHING, [0, 1], face(HALF))),
    # Multipliers.
    Case("reject/dependency-empty--side", xor(*changed(1, side("-", [], [])))),
    Case("reject/dependency-empty--domain", tree(AFFINE, LINE, [0, 0], empty([], []))),
    Case(
        "reject/multiplier-not-positive--zero",
        xor(*changed(1, side("-", [0, 1], [1, 0]))),
    ),
    Case(
        "reject/multiplier-not-positive--negative",
        tree(CROSS, PLANE, [1, 3, 3], CUT, side("-", [0, 1], [1, -1]), *CROSS_TREE[2:]),
    ),
    Case(
        "reject/multiplier-not-positive--both-negative",
        tree(TWICE, LINE, [1, 2], *changed(3, side("+", [0, 1], [-1, -1], 0), of=TWICE_TREE)),
    ),
    Case("reject/index-out-of-range--row", xor(*changed(1, side("-", [0, 2], [1, 1])))),
    Case(
        "reject/index-out-of-range--domain-has-no-rows",
        tree(AFFINE, LINE, [0, 0], empty([0], [1])),
    ),
    Case(
        "reject/not-increasing--duplicate",
        xor(*changed(1, side("-", [0, 0, 1], [1, 1, 2]))),
    ),
    Case(
        "reject/combination-not-zero--neuron-that-cuts",
        xor(*changed(4, side("+", [0], [1]))),
    ),
    Case(
        "reject/combination-not-zero--weights",
        xor(*changed(1, side("-", [0, 1], [1, 2]))),
    ),
    Case(
        "reject/combination-not-zero--only-the-neuron",
        xor(*changed(1, side("-", [1], [1]))),
    ),
    Case(
        "reject/combination-not-zero--wrong-sign",
        xor(*changed(1, side("+", [0, 1], [1, 1]))),
    ),
    Case(
        "reject/combination-not-zero--domain",
        tree(AFFINE, SEGMENT, [0, 0], empty([0], [1])),
    ),
    Case(
        "reject/combination-not-zero--equation-of-the-sibling",
        tree(CROSS, PLANE, [1, 4, 4], *changed(1, side("-", [1], [1]), of=CROSS_TREE)),
    ),
    Case(
        "reject/offset-positive--neuron-that-cuts",
        tree(
            *(network([[1, 0], [-1, 1]], [[1, 1, 0]]), LINE, [1, 2], CUT),
            *(side("+", [0, 1], [1, 1]), face(-1), face(0)),
            *(side("-", [0, 1], [1, 1]), face(2)),
        ),
    ),
    Case(
        "reject/offset-positive--domain-with-points",
        tree(ONE, SEGMENT, [0, 0], empty([0, 1], [1, 1])),
    ),
    # Sides.
    Case("reject/dependency-empty--sides-of-no-neuron", xor(sides(""), *XOR_TREE)),
    Case(
        "reject/neuron-decided--before-the-next",
        xor(*changed(1, side("-", [0, 1], [1, 1], 0), *XOR_TREE[1:2])),
    ),
    Case(
        "reject/neuron-decided--twice",
        tree(AHEAD, POSITIVE, [0, 1], *[side("-", [0, 1], [1, 1])] * 2, CUT),
    ),
    Case(
        "reject/neuron-decided--constant-on-the-zero-set",
        tree(
            *(DOUBLED, PLANE, [1, 4, 4], *DOUBLED_TREE[:DOUBLED_ZERO]),
            *(sides("+", (2, [0], [1])), *DOUBLED_TREE[DOUBLED_ZERO:]),
        ),
    ),
    Case(
        "reject/neuron-decided--constant-that-is-0",
        tree(CONSTANTS, LINE, [2, 3], sides("+", (2, [0], [1])), *face_tree(CONSTANTS, LINE)),
    ),
    Case(
        "reject/neuron-undecided--sides-of-the-sibling",
        xor(*XOR_TREE[:3], face(-1, 0), face(-HALF, 0), counts=[0, 1, 2]),
    ),
    Case(
        "reject/neuron-undecided--sides-of-the-layer-before",
        tree(AHEAD, POSITIVE, [0, 1], sides("+", (0, [0, 1], [1, 1])), face(1)),
    ),
    Case("reject/index-out-of-range--neuron", xor(*changed(1, side("-", [0, 1], [1, 1], 2)))),
    Case(
        "reject/nothing-to-split--neuron-with-a-side",
        tree(ONE, POSITIVE, [1, 2], side("+", [0, 1], [1, 1], 0), CUT, *[face(1)] * 3),
    ),
    Case("malformed/unknown-sense--zero", xor(*changed(1, {**XOR_TREE[1], "signs": ["0"]}))),
    Case("malformed/unknown-sense--number", xor(*changed(1, {**XOR_TREE[1], "signs": [1]}))),
    Case("malformed/wrong-length--signs", xor(*changed(1, {**XOR_TREE[1], "signs": []}))),
    Case("malformed/wrong-length--rows", xor(*changed(1, {**XOR_TREE[1], "rows": []}))),
    # Fields.
    Case(
        "malformed/wrong-fields--cut-with-a-row",
        xor({**CUT, "row": hexes([1, 1, 1])}, *XOR_TREE[1:]),
    ),
    Case("malformed/wrong-fields--face-without-point", xor(*changed(2, {"record": "face"}))),
    Case(
        "malformed/wrong-fields--face-with-dimension", xor(*changed(2, {**face(-2, 0), "dim": 2}))
    ),
    Case(
        "malformed/wrong-fields--side-without-values",
        xor(*changed(1, without(XOR_TREE[1], "values"))),
    ),
    Case("malformed/wrong-length--point", xor(*changed(2, face(-2)))),
    Case("malformed/wrong-length--values", xor(*changed(1, side("-", [0, 1], [1])))),
    Case("malformed/wrong-length--f-vector-too-short", xor(*XOR_TREE, counts=[2, 3])),
    Case("malformed/wrong-length--f-vector-too-long", xor(*XOR_TREE, counts=[0, 2, 3, 0])),
    Case("malformed/not-an-index--count-negative", xor(*XOR_TREE, counts=[0, 2, -3])),
    Case("malformed/not-an-index--count-as-a-string", claim_with(f_vector=["0", "2", "3"])),
    Case("malformed/not-a-list--f-vector", claim_with(f_vector=3)),
    Case(
        "malformed/wrong-fields--no-f-vector",
        certificate(without(complex_claim(XOR, PLANE, [0, 2, 3]), "f_vector"), *XOR_TREE),
    ),
    Case("malformed/dimensions-differ--domain", claim_with(domain=LINE)),
    Case("reject/domain-not-open--ge", tree(AFFINE, system(1, ("ge", [1, 0])), [0, 1], face(1))),
)
