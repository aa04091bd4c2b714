"""Cases of the claim kind ``injective-by-blocks``."""

from collections.abc import Sequence

from forge import Case, Json, certificate, network, without

from .layer_injective import EACH, F, cover

# x, -x, y, -y: two blocks with one matrix.
PAIRS = network([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, 1, 1, 1, 0]])
# The second pair has a bias of its own.
BIASED = network([[1, 0, 0], [-1, 0, 0], [0, 1, 2], [0, -1, -2]], [[1, 1, 1, 1, 0]])
# x, -x, y only: not one-to-one.
THREE = network([[1, 0, 0], [-1, 0, 0], [0, 1, 0]], [[1, 1, 1, 0]])
# x, -x, y and x - y.
CROSSED = network([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [1, -1, 0]], [[1, 1, 1, 1, 0]])
# The wrong bias: y and -y - 2 are both negative between.
GAP = network([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, -2]], [[1, 1, 1, 1, 0]])
# (x, y), (x, -y) and their negatives, listed in another order.
SQUARE = network([[1, 1, 0], [1, -1, 0], [-1, -1, 0], [-1, 1, 0]], [[1, 1, 1, 1, 0]])
DEEP = network([[1, 0], [1, 0]], [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, 1, 1, 1, 0]])
AFFINE = network([[1, 0]], [[1, 0], [-1, 0]])
TEXT = "layer 1 (ReLU) of the network N of widths 2-4-1 is injective on R^2"


def claim(of: Json, layer: object = 0) -> Json:
    """Return the claim that a layer is one-to-one."""
    return {"kind": "injective-by-blocks", "layer": layer, "network": of}


def blocks(*parts: tuple[Sequence[int], Sequence[int], int]) -> Json:
    """Return a blocks record from inputs, rows and number of the proof of each."""
    return {
        "inputs": [list(inputs) for inputs, _, _ in parts],
        "proofs": [number for _, _, number in parts],
        "record": "blocks",
        "rows": [list(rows) for _, rows, _ in parts],
    }


def proof(of: Json, *records: Json, layer: object = 0) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, layer), *records)


X, Y = ([0], [0, 1], 0), ([1], [2, 3], 0)
ONE = (F, EACH)
Y_ANEW = ([1], [2, 3], 1)
TURNED = (F, cover((0, 1), (2, 1)), cover((1, 1), (3, 1)))

CASES = (
    Case("accept/two-pairs", proof(PAIRS, blocks(X, Y), *ONE)),
    Case(
        "accept/two-pairs-by-their-sentence", proof(PAIRS, blocks(X, Y), *ONE), ("--expect", TEXT)
    ),
    Case("accept/two-proofs", proof(BIASED, blocks(X, Y_ANEW), *ONE, *ONE)),
    Case("accept/one-matrix-proved-twice", proof(PAIRS, blocks(X, Y_ANEW), *ONE, *ONE)),
    Case("accept/blocks-overlap", proof(PAIRS, blocks(X, Y, X), *ONE)),
    Case("accept/one-block", proof(SQUARE, blocks(([0, 1], [0, 1, 2, 3], 0)), *TURNED)),
    Case(
        "accept/inputs-in-another-order", proof(SQUARE, blocks(([1, 0], [0, 3, 2, 1], 0)), *TURNED)
    ),
    Case("accept/second-layer", proof(DEEP, blocks(X, Y), *ONE, layer=1)),
    Case("reject/input-not-covered--second", proof(PAIRS, blocks(X), *ONE)),
    Case("reject/input-not-covered--no-blocks", proof(PAIRS, blocks())),
    Case("reject/input-outside--row-sees-both", proof(CROSSED, blocks(X, ([1], [2, 3], 0)), *ONE)),
    Case("reject/blocks-differ--bias", proof(BIASED, blocks(X, Y), *ONE)),
    Case("reject/blocks-differ--gap", proof(GAP, blocks(X, Y), *ONE)),
    Case("reject/blocks-differ--rows", proof(THREE, blocks(X, ([1], [2], 0)), *ONE)),
    Case("reject/blocks-differ--number-too-large", proof(PAIRS, blocks(X, ([1], [2, 3], 2)), *ONE)),
    Case("reject/input-repeated--inputs", proof(PAIRS, blocks(([0, 0], [0, 1], 0)), *ONE)),
    Case("reject/input-repeated--rows", proof(PAIRS, blocks(([0], [0, 0], 0)), *ONE)),
    Case(
        "reject/combination-not-zero--block",
        proof(THREE, blocks(X, ([1], [2], 1)), *ONE, F, cover((0, 1))),
    ),
    Case("reject/index-out-of-range--input", proof(PAIRS, blocks(X, ([2], [2, 3], 0)), *ONE)),
    Case("reject/index-out-of-range--row", proof(PAIRS, blocks(X, ([1], [2, 4], 0)), *ONE)),
    Case("reject/index-out-of-range--last-layer", proof(AFFINE, blocks(X), *ONE, layer=1)),
    Case(
        "malformed/wrong-fields--layer",
        certificate(without(claim(PAIRS), "layer"), blocks(X, Y), *ONE),
    ),
    Case("malformed/wrong-length--rows", proof(PAIRS, {**blocks(X, Y), "rows": [[0, 1]]}, *ONE)),
    Case("malformed/not-an-index--proof", proof(PAIRS, {**blocks(X, Y), "proofs": [0, "0"]}, *ONE)),
)
