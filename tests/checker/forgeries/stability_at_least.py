"""Cases of the claim kind ``stability-at-least``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, empty, hexes, matrix, network, number, system

from forgeries.layer_injective import BOTH, DIAGONAL, FLAT, LINE, PLANE, RAY

SEVENTH, ONE = Fraction(7, 10), Fraction(1)
THIRDS = network([[Fraction(1, 3), 0], [Fraction(-1, 3), 0]], [[1, 1, 0]])
ACROSS = network([[1, 0, 0], [-1, 0, 0]], [[1, 1, 0]])
LAST = network([[1, 0], [1, 1]], [[1, 0, 0], [0, 2, 1]])
SLANTED = network([[1, 0, 0], [1, 2, 0]], [[1, 1, 0]])
QUADRANT = system(2, ("ge", [1, 0, 0]), ("ge", [0, 1, 0]))


def header(
    always: Sequence[int] = (),
    factor: int = 0,
    rows: Sequence[int] = (),
    values: Sequence[int] = (),
) -> Json:
    """Return the first record."""
    return {
        "always": list(always),
        "factor": f"{factor:x}",
        "record": "equations",
        "rows": list(rows),
        "values": hexes(values),
    }


def split(neuron: object) -> Json:
    """Return a split by a row of the layer."""
    return {"neuron": neuron, "record": "split"}


def bound(*rows: Sequence[Fraction | int]) -> Json:
    """Return a bound record with a lower triangular factor."""
    return {"factor": matrix(rows), "record": "bound"}


def claim(of: Json, r: Fraction | int, on: Json = LINE, layer: object = 0) -> Json:
    """Return the claim that a layer keeps points r times as far apart."""
    return {
        "bound": number(r),
        "domain": on,
        "kind": "stability-at-least",
        "layer": layer,
        "network": of,
    }


def proof(of: Json, r: Fraction | int, *records: Json, on: Json = LINE, layer: object = 0) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, r, on, layer), *records)


H, B, NULL = header(), bound([0]), bound([0, 0], [0, 0])
TREE = (split(0), split(1), empty([0, 1], [1, 1]), B, B)
ON_LINE = (split(0), split(1), empty([1, 2], [1, 1]))
L_EQ = bound([Fraction(21, 10), 0], [Fraction(-19, 10), 0])
L_FLAT = bound([Fraction(8, 5), 0], [Fraction(-5, 4), 0])
TWICE = (
    *(split(0), split(1), empty([0, 1], [1, 1])),
    *(split(1), empty([1, 2], [1, 1]), B),
    *(split(0), empty([0, 1], [1, 1]), B),
)
# |W·v|² = v1² + (v1 + 2·v2)² on the quadrant, where both rows are active.
SLANTED_PROOF = (
    header([0, 1]),
    *(empty([0, 2], [1, 1]), empty([0, 1, 2], [1, 2, 1])),
    bound([Fraction(7, 4), 0], [Fraction(9, 4), Fraction(7, 5)]),
)
SENTENCE = (
    "layer 1 (ReLU) of the network N of widths 1-2-1 satisfies |F(x) - F(y)| >= 7/10 |x - y| "
    "for all x, y in the polyhedron D of 0 rows in R^1"
)
EQUATION_PROOF = proof(ACROSS, Fraction(2, 5), header(factor=2), *ON_LINE, L_EQ, L_EQ, on=DIAGONAL)
CASES = (
    Case("accept/both", proof(BOTH, SEVENTH, H, *TREE)),
    Case("accept/both-by-its-sentence", proof(BOTH, SEVENTH, H, *TREE), ("--expect", SENTENCE)),
    Case("accept/thirds", proof(THIRDS, Fraction(7, 30), H, *TREE)),
    Case("accept/bound-zero", proof(BOTH, 0, H, B)),
    Case("accept/always-active", proof(BOTH, 1, header([0]), empty([0, 1], [1, 1]), B, on=RAY)),
    Case("accept/cut-twice", proof(BOTH, SEVENTH, H, *TWICE)),
    Case("accept/last-layer", proof(LAST, 1, H, NULL, on=PLANE, layer=1)),
    Case("accept/equation", EQUATION_PROOF),
    Case(
        "accept/implicit-equation",
        proof(
            *(ACROSS, Fraction(2, 5), header(factor=1, rows=[0, 1], values=[1, 1])),
            *(split(0), split(1), empty([2, 3], [1, 1]), L_FLAT, L_FLAT),
            on=FLAT,
        ),
    ),
    Case("accept/slanted", proof(SLANTED, Fraction(3, 5), *SLANTED_PROOF, on=QUADRANT)),
    Case(
        "accept/empty-domain",
        proof(BOTH, 9, H, empty([0, 1], [1, 1]), on=system(1, ("ge", [1, -1]), ("ge", [-1, 0]))),
    ),
    Case("reject/not-diagonally-dominant--too-large", proof(BOTH, Fraction(3, 4), H, *TREE)),
    Case("reject/not-diagonally-dominant--thirds", proof(THIRDS, SEVENTH, H, *TREE)),
    Case("reject/not-diagonally-dominant--counted-twice", proof(BOTH, 1, H, *TWICE)),
    Case(
        "reject/not-diagonally-dominant--counted-thrice",
        proof(
            *(BOTH, Fraction(6, 5), header([0]), empty([0, 1], [1, 1])),
            *(split(0), empty([0, 1], [1, 1]), B),
            on=RAY,
        ),
    ),
    Case(
        "reject/not-diagonally-dominant--negative-side",
        proof(BOTH, SEVENTH, H, split(0), B, B),
    ),
    Case("reject/not-diagonally-dominant--nothing-active", proof(BOTH, SEVENTH, H, B)),
    Case(
        "reject/not-diagonally-dominant--last-layer",
        proof(LAST, Fraction(6, 5), H, split(0), NULL, NULL, on=PLANE, layer=1),
    ),
    Case(
        "reject/not-diagonally-dominant--factor-forgotten",
        proof(ACROSS, Fraction(2, 5), header(factor=0), *ON_LINE, L_EQ, L_EQ, on=DIAGONAL),
    ),
    Case(
        "reject/not-diagonally-dominant--factor-too-large",
        proof(
            SLANTED,
            Fraction(3, 5),
            *SLANTED_PROOF[:-1],
            bound([2, 0], [2, Fraction(3, 2)]),
            on=QUADRANT,
        ),
    ),
    Case(
        "reject/not-lower-triangular--factor",
        proof(LAST, 1, H, bound([0, 1], [0, 0]), on=PLANE, layer=1),
    ),
    Case("reject/bound-negative--r", proof(BOTH, -1, H, *TREE)),
    Case(
        "reject/offset-not-negative--thin-cell",
        proof(
            BOTH,
            SEVENTH,
            H,
            split(0),
            split(1),
            empty([0, 1], [1, 1]),
            B,
            split(1),
            B,
            empty([0, 1], [1, 1]),
        ),
    ),
    Case(
        "reject/offset-not-negative--always",
        proof(
            network([[1, -1], [-1, 0]], [[1, 1, 0]]),
            *(1, header([0]), empty([0, 1], [1, 1]), B),
            on=RAY,
        ),
    ),
    Case(
        "reject/offset-positive--dependency",
        proof(
            *(ACROSS, Fraction(2, 5), header(factor=1, rows=[0, 1], values=[1, 1])),
            *(split(0), split(1), empty([2, 3], [1, 1]), L_FLAT, L_FLAT),
            on=system(2, ("ge", [1, -1, 0]), ("ge", [-1, 1, 1])),
        ),
    ),
    Case(
        "reject/combination-not-zero--always",
        proof(BOTH, 1, header([0]), empty([1], [1]), B, on=RAY),
    ),
    Case(
        "reject/combination-not-zero--side", proof(BOTH, SEVENTH, H, split(0), empty([0], [1]), B)
    ),
    Case(
        "reject/multiplier-not-positive--empty",
        proof(BOTH, SEVENTH, H, split(0), split(1), empty([0, 1], [-1, -1]), B, B),
    ),
    Case("reject/wrong-record--always-without-proof", proof(BOTH, 1, header([0]), B, on=RAY)),
    Case("reject/wrong-record--no-equations", proof(BOTH, SEVENTH, *TREE)),
    Case(
        "reject/wrong-record--cover",
        proof(BOTH, SEVENTH, H, {"record": "cover", "rows": [], "values": []}),
    ),
    Case("reject/missing-record--last", proof(BOTH, SEVENTH, H, *TREE[:-1])),
    Case("reject/missing-record--always", proof(BOTH, 1, header([0]), on=RAY)),
    Case("reject/surplus-record--extra", proof(BOTH, SEVENTH, H, *TREE, B)),
    Case("reject/index-out-of-range--split", proof(BOTH, SEVENTH, H, split(2), B, B)),
    Case("reject/index-out-of-range--always", proof(BOTH, 1, header([2]), B, on=RAY)),
    Case("reject/index-out-of-range--layer", proof(BOTH, SEVENTH, H, *TREE, layer=2)),
    Case(
        "reject/not-increasing--always",
        proof(BOTH, 1, header([0, 0]), *[empty([0, 1], [1, 1])] * 2, B, on=RAY),
    ),
    Case("malformed/not-an-index--split", proof(BOTH, SEVENTH, H, split(-1), B, B)),
    Case("malformed/wrong-length--factor", proof(BOTH, SEVENTH, H, NULL)),
    Case(
        "malformed/wrong-fields--no-always",
        proof(BOTH, SEVENTH, {k: v for k, v in H.items() if k != "always"}, *TREE),
    ),
    Case("malformed/not-an-integer--factor", proof(BOTH, SEVENTH, {**H, "factor": "x"}, *TREE)),
    Case("malformed/dimensions-differ--plane", proof(BOTH, SEVENTH, H, *TREE, on=PLANE)),
)
