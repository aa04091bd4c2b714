"""Cases of the claim kind ``layer-injective``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, hexes, network, system

LINE, PLANE = system(1), system(2)
RAY = system(1, ("ge", [1, 0]))
NOTHING = system(1, ("ge", [1, -1]), ("ge", [-1, 0]))
TOUCH = system(1, ("ge", [1, -1]), ("ge", [-1, 1]))  # the point 1
OPEN_TOUCH = system(1, ("gt", [1, -1]), ("ge", [-1, 1]))  # nothing
DIAGONAL = system(2, ("eq", [1, -1, 0]))
FLAT = system(2, ("ge", [1, -1, 0]), ("ge", [-1, 1, 0]))  # the diagonal again
# x and -x.
BOTH = network([[1, 0], [-1, 0]], [[1, 1, 0]])
# x + 1 and -x - 1: Lemma 1 of Puthawala et al. would say no.
SHIFTED = network([[1, 1], [-1, -1]], [[1, 1, 0]])
# x - 1 and -x - 1: both negative between -1 and 1.
GAP = network([[1, -1], [-1, -1]], [[1, 1, 0]])
ONE = network([[1, 0]], [[1, 0]])
DEAD = network([[0, 0], [0, 1]], [[1, 1, 0]])
# [B; -B] for B = 1.
PAIRS = network([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], [[1, 1, 1, 1, 0]])
# x, -x, y, x - y, -x - y: on each side of x = 0 two of the last three are a cover.
SIDES = network([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [1, -1, 0], [-1, -1, 0]], [[1, 1, 1, 1, 1, 0]])
# -x, x, y, -y and -x, x alone.
TURNED = network([[-1, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, 1, 1, 1, 0]])
BLIND = network([[-1, 0, 0], [1, 0, 0]], [[1, 1, 0]])
LEFT, RIGHT = system(2, ("ge", [-1, 0, 0])), system(2, ("ge", [1, 0, 0]))
HALVES = network([[Fraction(1, 2), Fraction(1, 3)], [-1, Fraction(1, 5)]], [[1, 1, 0]])
TALL = network([[1, 0], [1, 1]], [[1, 2, 0], [3, 4, 1], [5, 6, 0]])
FLAT_LAST = network([[1, 0], [1, 1]], [[1, 2, 0], [2, 4, 1]])
FOLDED_LAST = network([[1, 0], [1, 1]], [[1, 1, 0], [-1, -1, 0]])
SEVENS = network([[7, 0], [-7, 0]], [[1, 1, 0]])


def header(
    method: str = "flats", q: int = 7, rows: Sequence[int] = (), values: Sequence[int] = ()
) -> Json:
    """Return the first record of a proof."""
    return {"modulus": f"{q:x}", "record": method, "rows": list(rows), "values": hexes(values)}


def cover(*pairs: tuple[int, int]) -> Json:
    """Return a cover record from pairs of a row and its weight."""
    rows, values = [row for row, _ in pairs], [value for _, value in pairs]
    return {"record": "cover", "rows": rows, "values": hexes(values)}


def claim(of: Json, on: Json = LINE, layer: object = 0) -> Json:
    """Return the claim that a layer is injective."""
    return {"domain": on, "kind": "layer-injective", "layer": layer, "network": of}


def proof(of: Json, *records: Json, on: Json = LINE, layer: object = 0) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, on, layer), *records)


F, T = header(), header("tree")
EACH = cover((0, 1), (1, 1))
X_PAIR, Y_PAIR = cover((0, 1), (2, 1)), cover((1, 1), (3, 1))
# Three rows in a plane, with their negatives, and the third axis: the plane is reached three times.
MERGED = network(
    [
        *([1, 0, 0, 0], [0, 1, 0, 0], [-1, -1, 0, 0]),
        *([0, 0, 1, 0], [0, 0, -1, 0], [0, -1, 0, 0], [-1, 0, 0, 0]),
    ],
    [[1] * 7 + [0]],
)
MERGED_PROOF = proof(
    MERGED,
    *(F, cover((0, 1), (1, 1), (2, 1))),
    *(cover((1, 1), (5, 1)), cover((0, 1), (6, 1)), cover((0, 1), (6, 1))),
    cover((3, 1), (4, 1)),
    on=system(3),
)
SIDES_PROOF = proof(
    SIDES, T, EACH, cover((0, 1), (3, 1), (4, 1)), cover((0, 1), (4, 1), (6, 1)), on=PLANE
)
BOTH_TEXT = (
    "layer 1 (ReLU) of the network N of widths 1-2-1 is injective "
    "on the polyhedron D of 0 rows in R^1"
)
LAST_TEXT = (
    "layer 2 (affine) of the network N of widths 1-2-3 is injective "
    "on the polyhedron D of 0 rows in R^2"
)
CASES = (
    Case("accept/both", proof(BOTH, F, EACH)),
    Case("accept/both-by-its-sentence", proof(BOTH, F, EACH), ("--expect", BOTH_TEXT)),
    Case(
        "accept/last-layer-by-its-sentence",
        proof(TALL, F, on=PLANE, layer=1),
        ("--expect", LAST_TEXT),
    ),
    Case("accept/modulus-two", proof(BOTH, header(q=2), EACH)),
    Case("accept/plane-reached-three-times", MERGED_PROOF),
    Case(
        "reject/offset-positive--dependency-in-the-plane",
        proof(
            PAIRS,
            *(header(rows=[0, 1], values=[1, 1]), cover((2, 1), (4, 1))),
            on=system(2, ("ge", [1, -1, 0]), ("ge", [-1, 1, 1])),
        ),
    ),
    Case("malformed/dimensions-differ--line", proof(PAIRS, F, X_PAIR, Y_PAIR)),
    Case("accept/both-by-a-tree", proof(BOTH, T, EACH)),
    Case("accept/shifted", proof(SHIFTED, F, EACH)),
    Case("accept/halves", proof(HALVES, F, cover((0, 2), (1, 1)))),
    Case("accept/one-row-on-a-ray", proof(ONE, F, cover((0, 1), (1, 1)), on=RAY)),
    Case("accept/pairs", proof(PAIRS, F, X_PAIR, Y_PAIR, on=PLANE)),
    Case(
        "accept/pairs-by-a-tree",
        proof(PAIRS, T, X_PAIR, cover((2, 1), (4, 1)), cover((3, 1), (5, 1)), on=PLANE),
    ),
    Case(
        "accept/tree-with-known-sides",
        SIDES_PROOF,
    ),
    Case(
        "accept/tree-with-an-empty-cell",
        proof(
            TURNED, T, cover((1, 1), (2, 1)), cover((4, 1), (5, 1)), cover((0, 1), (1, 1)), on=LEFT
        ),
    ),
    Case(
        "reject/offset-not-negative--closed-sides",
        proof(BLIND, T, cover((1, 1), (2, 1)), cover((0, 1), (1, 1)), on=RIGHT),
    ),
    Case(
        "reject/combination-not-zero--side-of-the-sibling",
        proof(SIDES, T, EACH, *[cover((0, 1), (3, 1), (4, 1))] * 2, on=PLANE),
    ),
    Case(
        "reject/combination-not-zero--flats-have-no-sides",
        proof(SIDES, F, EACH, cover((0, 1), (3, 1), (4, 1)), on=PLANE),
    ),
    Case("accept/empty-domain", proof(GAP, F, cover((0, 1), (1, 1)), on=NOTHING)),
    Case("accept/empty-by-a-strict-row", proof(GAP, F, cover((0, 1), (1, 1)), on=OPEN_TOUCH)),
    Case("accept/point", proof(GAP, header(rows=[0, 1], values=[1, 1]), on=TOUCH)),
    Case("accept/equation", proof(PAIRS, F, cover((1, 1), (3, 1)), on=DIAGONAL)),
    Case(
        "accept/implicit-equation",
        proof(PAIRS, header(rows=[0, 1], values=[1, 1]), cover((2, 1), (4, 1)), on=FLAT),
    ),
    Case(
        "accept/equation-with-a-negative-weight",
        # x and -y on the diagonal: -x + y + (x - y) = 0.
        proof(
            network([[1, 0, 0], [0, -1, 0]], [[1, 1, 0]]),
            *(F, cover((0, 1), (1, 1), (2, 1))),
            on=DIAGONAL,
        ),
    ),
    Case("accept/last-layer", proof(TALL, F, on=PLANE, layer=1)),
    Case(
        "accept/last-layer-on-nothing",
        proof(FLAT_LAST, F, cover((0, 1)), layer=1, on=system(2, ("gt", [0, 0, 0]))),
    ),
    Case("accept/composite-modulus", proof(BOTH, header(q=15), EACH)),
    Case("reject/offset-not-negative--gap", proof(GAP, F, EACH)),
    Case(
        "reject/offset-not-negative--nothing-strict", proof(GAP, F, cover((0, 1), (1, 1)), on=TOUCH)
    ),
    Case("reject/offset-not-negative--empty-cover", proof(ONE, F, cover())),
    Case("reject/combination-not-zero--one-row", proof(ONE, F, cover((0, 1)))),
    Case(
        "reject/combination-not-zero--dependency",
        proof(GAP, header(rows=[0], values=[1]), on=TOUCH),
    ),
    Case("reject/multiplier-not-positive--cover", proof(GAP, F, cover((0, -1), (1, -1)))),
    Case(
        "reject/multiplier-not-positive--one-side",
        proof(network([[1, 1], [1, 0]], [[1, 1, 0]]), F, cover((0, 1), (1, -1))),
    ),
    Case(
        "reject/multiplier-not-positive--inequality",
        proof(network([[-1, -1], [0, 0]], [[1, 1, 0]]), F, cover((0, -1), (1, 1)), on=RAY),
    ),
    Case(
        "reject/multiplier-zero--equation",
        proof(PAIRS, F, cover((0, 0), (1, 1), (3, 1)), on=DIAGONAL),
    ),
    Case(
        "reject/offset-positive--dependency",
        proof(
            GAP, header(rows=[0, 1], values=[1, 1]), on=system(1, ("ge", [1, 0]), ("ge", [-1, 1]))
        ),
    ),
    Case("reject/no-unit-pivot--zero-row", proof(DEAD, F, cover((1, 1)))),
    Case("reject/no-unit-pivot--known-row", proof(PAIRS, F, X_PAIR, X_PAIR, on=PLANE)),
    Case("reject/no-unit-pivot--modulus-divides", proof(SEVENS, F, EACH)),
    Case(
        "reject/no-unit-pivot--zero-divisor",
        proof(network([[3, 0], [-3, 0]], [[1, 1, 0]]), header(q=9), EACH),
    ),
    Case(
        "reject/no-unit-pivot--last-layer",
        proof(FOLDED_LAST, F, EACH, on=PLANE, layer=1),
    ),
    Case("reject/modulus-too-small--one", proof(BOTH, header(q=1), EACH)),
    Case("reject/modulus-too-small--zero", proof(BOTH, header(q=0), EACH)),
    Case("reject/missing-record--no-proof", proof(BOTH)),
    Case("reject/missing-record--no-cover", proof(BOTH, F)),
    Case("reject/missing-record--second-space", proof(PAIRS, F, X_PAIR, on=PLANE)),
    Case(
        "reject/missing-record--tree-not-merged",
        proof(PAIRS, T, X_PAIR, cover((2, 1), (4, 1)), on=PLANE),
    ),
    Case(
        "reject/missing-record--last-layer-not-of-full-rank", proof(FLAT_LAST, F, on=PLANE, layer=1)
    ),
    Case("reject/missing-record--last-layer-counted-as-hidden", proof(TALL, F, on=LINE, layer=0)),
    Case("reject/missing-record--implicit-equation-not-proved", proof(GAP, F, on=TOUCH)),
    Case("reject/surplus-record--cover", proof(BOTH, F, EACH, EACH)),
    Case("reject/surplus-record--merged", proof(PAIRS, F, X_PAIR, Y_PAIR, Y_PAIR, on=PLANE)),
    Case("reject/wrong-record--other-method", proof(BOTH, header("cells"), EACH)),
    Case("reject/wrong-record--split", proof(BOTH, F, {"record": "split"})),
    Case("reject/index-out-of-range--row", proof(BOTH, F, cover((0, 1), (2, 1)))),
    Case("reject/index-out-of-range--layer", proof(BOTH, F, EACH, layer=2)),
    Case("reject/not-increasing--rows", proof(BOTH, F, cover((1, 1), (0, 1)))),
    Case("malformed/dimensions-differ--plane", proof(BOTH, F, EACH, on=PLANE)),
    Case(
        "malformed/wrong-fields--no-modulus",
        proof(BOTH, {"record": "flats", "rows": [], "values": []}, EACH),
    ),
    Case("malformed/wrong-fields--cover", proof(BOTH, F, {"record": "cover", "rows": [0]})),
    Case("malformed/wrong-length--values", proof(BOTH, F, {**EACH, "values": ["1"]})),
    Case("malformed/not-an-index--layer", proof(BOTH, F, EACH, layer=-1)),
)
