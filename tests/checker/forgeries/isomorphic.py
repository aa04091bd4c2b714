"""Cases of the claim kind ``isomorphic``."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network, number, point, without

HALF = Fraction(1, 2)


def claim(a: Json, b: Json) -> Json:
    """Return an isomorphic claim."""
    return {"a": a, "b": b, "kind": "isomorphic"}


def symmetry(permutation: Sequence[Any], *scalings: Fraction | int) -> Json:
    """Return the record of one hidden layer."""
    return {
        "permutation": list(permutation),
        "record": "symmetry",
        "scalings": [number(s) for s in scalings],
    }


SHALLOW = network([[1, 2, 3], [4, 5, 6]], [[7, 8, 9]])
# Neurons swapped, the first of them then scaled by 1/2, the second by 3.
MOVED = network([[2, Fraction(5, 2), 3], [3, 6, 9]], [[16, Fraction(7, 3), 9]])
MOVE = symmetry([1, 0], HALF, 3)
DEEP = network([[1, 0], [1, 1]], [[2, 3, 1], [0, 1, -1], [1, 0, 0]], [[1, 2, 3, 4], [5, 6, 7, 8]])
# First layer: swapped, then scaled by 2 and 1/3. Second layer: rotated, scaled by 1, 5, 1/2.
DEEP_MOVED = network(
    [[2, 2], [Fraction(1, 3), 0]],
    [[HALF, 0, -1], [0, 15, 0], [Fraction(3, 4), 3, HALF]],
    [[2, Fraction(3, 5), 2, 4], [6, Fraction(7, 5), 10, 8]],
)
DEEP_MOVES = (symmetry([1, 0], 2, Fraction(1, 3)), symmetry([1, 2, 0], 1, 5, HALF))
AFFINE = network([[3, 1]])
TRUE = claim(SHALLOW, MOVED)

CASES = (
    Case("accept/swap-and-scale", certificate(TRUE, MOVE)),
    Case("accept/deep", certificate(claim(DEEP, DEEP_MOVED), *DEEP_MOVES)),
    Case("accept/itself", certificate(claim(SHALLOW, SHALLOW), symmetry([0, 1], 1, 1))),
    Case("accept/affine", certificate(claim(AFFINE, AFFINE))),
    Case(
        "reject/weights-differ--permutation-forgotten",
        certificate(TRUE, symmetry([0, 1], HALF, 3)),
    ),
    Case("reject/weights-differ--scaling-forgotten", certificate(TRUE, symmetry([1, 0], 1, 1))),
    Case(
        "reject/weights-differ--scaling-inverted",
        certificate(TRUE, symmetry([1, 0], 2, Fraction(1, 3))),
    ),
    Case(
        "reject/weights-differ--output-bias",
        certificate(
            claim(SHALLOW, network([[1, 2, 3], [4, 5, 6]], [[7, 8, 10]])), symmetry([0, 1], 1, 1)
        ),
    ),
    Case(
        "reject/weights-differ--output-bias-smaller",
        certificate(
            claim(SHALLOW, network([[1, 2, 3], [4, 5, 6]], [[7, 8, 8]])), symmetry([0, 1], 1, 1)
        ),
    ),
    Case(
        "reject/weights-differ--outgoing-weight-not-divided",
        certificate(
            claim(SHALLOW, network([[2, 4, 6], [4, 5, 6]], [[7, 8, 9]])), symmetry([0, 1], 2, 1)
        ),
    ),
    Case(
        "reject/weights-differ--column-not-moved",
        certificate(
            claim(SHALLOW, network([[4, 5, 6], [1, 2, 3]], [[7, 8, 9]])), symmetry([1, 0], 1, 1)
        ),
    ),
    Case(
        "reject/weights-differ--hidden-bias",
        certificate(
            claim(SHALLOW, network([[1, 2, 4], [4, 5, 6]], [[7, 8, 9]])), symmetry([0, 1], 1, 1)
        ),
    ),
    Case("reject/weights-differ--affine", certificate(claim(AFFINE, network([[3, 2]])))),
    Case(
        "reject/weights-differ--layers-exchanged",
        certificate(claim(DEEP, DEEP), *(symmetry([1, 0], 1, 1), symmetry([0, 1, 2], 1, 1, 1))),
    ),
    Case("reject/scaling-not-positive--zero", certificate(TRUE, symmetry([1, 0], 0, 3))),
    Case(
        "reject/scaling-not-positive--negative",
        certificate(
            claim(SHALLOW, network([[-1, -2, -3], [4, 5, 6]], [[-7, 8, 9]])),
            symmetry([0, 1], -1, 1),
        ),
    ),
    Case(
        "reject/not-a-permutation--one-neuron-twice", certificate(TRUE, symmetry([1, 1], HALF, 3))
    ),
    Case(
        "reject/not-a-permutation--out-of-range",
        certificate(TRUE, symmetry([1, 2], HALF, 3)),
    ),
    Case(
        "reject/shapes-differ--inputs", certificate(claim(network([[1, 0]]), network([[1, 1, 0]])))
    ),
    Case(
        "reject/shapes-differ--one-more-neuron",
        certificate(
            claim(SHALLOW, network([[1, 2, 3], [4, 5, 6], [0, 0, 0]], [[7, 8, 0, 9]])),
            symmetry([0, 1], 1, 1),
        ),
    ),
    Case(
        "reject/shapes-differ--one-neuron-less",
        certificate(
            claim(network([[1, 2, 3], [4, 5, 6], [0, 0, 0]], [[7, 8, 0, 9]]), SHALLOW),
            symmetry([0, 1], 1, 1),
        ),
    ),
    Case(
        "reject/not-a-permutation--first-neuron-twice",
        certificate(TRUE, symmetry([0, 0], HALF, 3)),
    ),
    Case("reject/missing-record--no-symmetry", certificate(TRUE)),
    Case(
        "reject/missing-record--second-layer", certificate(claim(DEEP, DEEP_MOVED), DEEP_MOVES[0])
    ),
    Case("reject/surplus-record--for-the-output-layer", certificate(TRUE, MOVE, symmetry([0], 1))),
    Case("reject/wrong-record--point", certificate(TRUE, point(1, 1))),
    Case("malformed/wrong-fields--no-scalings", certificate(TRUE, without(MOVE, "scalings"))),
    Case("malformed/wrong-length--scalings", certificate(TRUE, symmetry([1, 0], HALF))),
    Case("malformed/wrong-length--permutation", certificate(TRUE, symmetry([1, 0, 2], HALF, 3))),
    Case("malformed/not-an-index--permutation", certificate(TRUE, symmetry([1, -1], HALF, 3))),
)
