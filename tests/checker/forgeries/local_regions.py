"""Cases of the claim kind ``local-regions``."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network, number, point, vector, without

# Xor: rows are weights and then the bias.
XOR = network([[1, 1, 1], [1, 1, 0]], [[2, -4, -1]])
# y = s(x1 + 2 x2), z = s(3 - 2y): the second layer is constant where the first is dead.
DEEP = network([[1, 2, 0]], [[-2, 3], [0, 1]], [[1, 1, 0]])
# The second layer doubles a half, and its denominator is not that of the first.
SCALED = network([[Fraction(1, 2), 0], [-1, 1]], [[Fraction(2, 3), 1, -1]], [[1, 0]])
CONSTANT = network([[0, 0, 1], [0, 0, 0]], [[1, 1, 0]])
AFFINE = network([[3, 1]])
FIRST_ZERO = network([[0, 2, 1]], [[1, 0]])


def claim(of: Json, *places: tuple[Sequence[Fraction | int], int, Any, Any]) -> Json:
    """Return a claim about points, each with its number and its two distances."""
    return {
        "kind": "local-regions",
        "l2-squared": [[] if p[3] is None else number(p[3]) for p in places],
        "linf": [[] if p[2] is None else number(p[2]) for p in places],
        "network": of,
        "points": [vector(*p[0]) for p in places],
        "regions": [p[1] for p in places],
    }


XOR_PLACES: tuple[Any, ...] = (
    ((1, 1), 0, 1, 2),
    ((1, -1), 1, 0, 0),
    ((2, 1), 0, Fraction(3, 2), Fraction(9, 2)),
    ((Fraction(-1, 3), 0), 2, Fraction(1, 6), Fraction(1, 18)),
)
XOR_CLAIM = claim(XOR, *XOR_PLACES)
# At (1, 0): 1/3 to the first neuron, and 3 - 2(x1 + 2 x2) = 1 is 1/6 away, 1/20 in squares.
DEEP_CLAIM = claim(
    DEEP, ((1, 0), 0, Fraction(1, 6), Fraction(1, 20)), ((-1, 0), 1, Fraction(1, 3), Fraction(1, 5))
)
# At x = 3: 3/2 of slope 1/2, -2 of slope -1, and 2/3·3/2 - 1 = 0.
SCALED_CLAIM = claim(SCALED, ((3,), 0, 0, 0), ((6,), 1, 3, 9), ((-1,), 2, 1, 1))


def changed(position: int, *place: Any) -> bytes:
    """Return the claim about XOR with one place changed."""
    return certificate(
        claim(XOR, *XOR_PLACES[:position], place, *XOR_PLACES[position + 1 :])  # type: ignore[arg-type]
    )


CASES = (
    Case("accept/xor", certificate(XOR_CLAIM)),
    Case("accept/deep", certificate(DEEP_CLAIM)),
    Case("accept/scaled", certificate(SCALED_CLAIM)),
    Case("accept/no-points", certificate(claim(XOR))),
    Case(
        "accept/constant-neurons",
        certificate(claim(CONSTANT, ((1, 2), 0, None, None), ((0, 0), 0, None, None))),
    ),
    Case(
        "accept/first-weight-zero",
        certificate(claim(FIRST_ZERO, ((5, 1), 0, Fraction(3, 2), Fraction(9, 4)))),
    ),
    Case(
        "reject/wrong-distance--first-weight-zero-called-constant",
        certificate(claim(FIRST_ZERO, ((5, 1), 0, None, None))),
    ),
    Case("accept/affine", certificate(claim(AFFINE, ((5,), 0, None, None)))),
    Case("reject/wrong-signs--shared-region-split", changed(2, (2, 1), 1, *XOR_PLACES[2][2:])),
    Case(
        "reject/wrong-signs--regions-joined",
        changed(3, (Fraction(-1, 3), 0), 0, *XOR_PLACES[3][2:]),
    ),
    Case("reject/wrong-signs--numbers-out-of-order", changed(0, (1, 1), 1, 1, 2)),
    Case("reject/wrong-signs--first-is-not-zero", certificate(claim(XOR, ((1, 1), 1, 1, 2)))),
    Case("reject/wrong-signs--boundary-joined-to-a-region", changed(1, (1, -1), 0, 0, 0)),
    Case(
        "reject/wrong-distance--too-large-another-neuron", changed(0, (1, 1), 0, Fraction(3, 2), 2)
    ),
    Case("reject/wrong-distance--too-small", changed(0, (1, 1), 0, Fraction(1, 2), 2)),
    Case("reject/wrong-distance--negative", changed(0, (1, 1), 0, -1, 2)),
    Case("reject/wrong-distance--euclidean-too-large", changed(0, (1, 1), 0, 1, Fraction(9, 2))),
    Case("reject/wrong-distance--euclidean-too-small", changed(0, (1, 1), 0, 1, 1)),
    Case(
        "reject/wrong-distance--euclidean-not-squared",
        changed(2, (2, 1), 0, Fraction(3, 2), Fraction(3, 2)),
    ),
    Case(
        "reject/wrong-distance--denominator-of-the-point-lost",
        changed(3, (Fraction(-1, 3), 0), 2, Fraction(1, 2), Fraction(1, 18)),
    ),
    Case(
        "reject/wrong-distance--square-of-the-denominator-lost",
        changed(3, (Fraction(-1, 3), 0), 2, Fraction(1, 6), Fraction(1, 6)),
    ),
    Case("reject/wrong-distance--none-beside-a-boundary", changed(0, (1, 1), 0, None, 2)),
    Case("reject/wrong-distance--none-in-the-euclidean-norm", changed(0, (1, 1), 0, 1, None)),
    Case("reject/wrong-distance--zero-forgotten", changed(1, (1, -1), 1, Fraction(1, 2), 0)),
    Case(
        "reject/wrong-distance--last-point",
        changed(3, (Fraction(-1, 3), 0), 2, Fraction(1, 3), Fraction(1, 18)),
    ),
    Case(
        "reject/wrong-distance--constant-neuron-at-zero",
        certificate(claim(CONSTANT, ((1, 2), 0, 0, 0))),
    ),
    Case(
        "reject/wrong-distance--of-a-constant-in-one-norm",
        certificate(claim(CONSTANT, ((1, 2), 0, None, 0))),
    ),
    Case(
        "reject/wrong-distance--second-layer-forgotten",
        certificate(claim(DEEP, ((1, 0), 0, Fraction(1, 3), Fraction(1, 5)))),
    ),
    Case(
        "reject/wrong-distance--inactive-neuron-passed-on",
        certificate(claim(DEEP, ((-1, 0), 0, Fraction(1, 3), Fraction(1, 20)))),
    ),
    Case(
        "reject/wrong-distance--tie-in-the-second-layer",
        certificate(claim(SCALED, ((3,), 0, 2, 0))),
    ),
    Case("reject/surplus-record--evidence-where-none-belongs", certificate(XOR_CLAIM, point(0))),
    Case(
        "malformed/wrong-length--region-missing", certificate({**XOR_CLAIM, "regions": [0, 1, 0]})
    ),
    Case("malformed/wrong-length--distance-missing", certificate({**XOR_CLAIM, "linf": []})),
    Case("malformed/wrong-length--square-missing", certificate({**XOR_CLAIM, "l2-squared": []})),
    Case(
        "malformed/wrong-length--point-too-short",
        certificate({**XOR_CLAIM, "points": [vector(1)] * 4}),
    ),
    Case("malformed/not-an-index--region", certificate({**XOR_CLAIM, "regions": ["0", 1, 0, 2]})),
    Case("malformed/not-a-list--points", certificate({**XOR_CLAIM, "points": "1"})),
    Case("malformed/not-a-list--distance-is-null", certificate({**XOR_CLAIM, "linf": [None] * 4})),
    Case(
        "malformed/not-lowest-terms--distance", certificate({**XOR_CLAIM, "linf": [["2", "2"]] * 4})
    ),
    Case("malformed/wrong-fields--no-squares", certificate(without(XOR_CLAIM, "l2-squared"))),
)
