"""Cases of the claim kind ``masked-rank``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, hexes, network, without

HALF = Fraction(1, 2)
Rows = Sequence[Sequence[Fraction | int]]
PRIME = 2**61 - 1
NODES = (3, 10, 1000, 77, 5)


def net(*weights: Rows) -> Json:
    """Return a network whose biases are all 1."""
    return network(*([[*row, 1] for row in rows] for rows in weights))


def claim(of: Json) -> Json:
    """Return the claim that all masked ranks of a network are maximal."""
    return {"kind": "masked-rank", "network": of}


def modulus(of: Json, q: int, nodes: Sequence[int] = NODES) -> Json:
    """Return a modulus record with as many nodes as the widest layer has neurons."""
    widest = max(max(layer["inputs"], layer["outputs"]) for layer in of["layers"])
    return {"modulus": f"{q:x}", "nodes": hexes(nodes[:widest]), "record": "modulus"}


def proof(of: Json, q: int = PRIME, nodes: Sequence[int] = NODES) -> bytes:
    """Return a certificate."""
    return certificate(claim(of), modulus(of, q, nodes))


TWO = net([[1, 2], [3, 1]], [[1, 5], [2, 3]], [[1, 7]])
ACCEPT = {
    "one-layer": net([[1, 2], [3, 4], [5, 7]]),
    "one-number": net([[5]]),
    "two-hidden-layers": TWO,
    "bottleneck": net([[1, 2, 0], [0, 1, 1]], [[1, 2], [1, 3], [2, 1]], [[1, 1, -7], [3, 1, 1]]),
    "denominators": net([[HALF, 2], [3, 1]], [[1, Fraction(5, 3)]]),
    "wide-then-narrow": net([[1, 2], [3, 1], [1, 1]], [[1, 1, 1]]),
    "wide-with-a-larger-layer": net(
        [[1, 2, 3], [2, -1, 5], [7, 1, 1], [1, 4, 9]], [[1, 2, 3, 5], [3, 1, -2, 4]]
    ),
    # Every zero 2 x 2 minor of W2 is of no importance: one input, so only rank 1 and 3 are asked.
    "small-minor-of-no-importance": net(
        [[1], [2], [3]], [[1, 1, 1], [1, 1, 2], [1, 2, 5]], [[1, 1, 1]]
    ),
    # Cancels with all three neurons, but then two masks of more than one neuron are no minimum.
    "four-layers": net([[1], [2]], [[1, 3], [2, 1]], [[1, 2], [5, 1]], [[3, 1]]),
    "zero-weight-to-no-importance": net([[0, 1], [1, 0]], [[1, 1]]),
    "first-layer-full": net([[1, 2], [3, 1], [1, 1]], [[1, 2, 5], [3, 1, 1], [1, 4, 2]]),
    "three-outputs-of-two-neurons": net([[1], [1]], [[1, 2], [3, 1], [1, 1]]),
    "wide-later": net([[1], [2], [3]], [[1, 2, 3], [3, 1, 1]]),
}
# In each of these networks one kind of minor is 0, and no other.
DEFICIENT = {
    "zero-weight-of-the-second-layer": net([[1, 2], [3, 1]], [[1, 0]]),
    "parallel-rows-of-the-first-layer": net([[1, 2], [2, 4], [1, 1]], [[1, 1, 5]]),
    "singular-two-by-two-of-the-second-layer": net([[1, 2], [3, 1]], [[1, 2], [2, 4]], [[1, 3]]),
    "one-input-and-a-singular-second-layer": net([[1], [2]], [[1, 2], [2, 4]], [[1, 3]]),
    "zero-first-layer": net([[0]], [[1]]),
    "zero-row-with-two-inputs": net([[0, 0]], [[1]]),
    "cancels-in-the-second-layer": net([[1, 2], [3, 1], [-4, -3]], [[1, 1, 1]]),
    "two-of-three-cancel": net([[1, 2], [-1, -2], [3, 1]], [[1, 1, 5]]),
    "second-and-third-layer-cancel": net([[2]], [[1], [-1]], [[1, 1]]),
    "second-to-fourth-layer-cancel": net([[2]], [[1], [2]], [[2, -1], [2, 2]], [[3, 5]]),
    "full-with-a-mask": net([[1], [2], [-3]], [[1, 1, 1], [2, 1, 5]]),
    "three-layers-of-the-first-start": net(
        [[1, 2], [3, 1], [1, 1]],
        [[1, 2, 5], [3, 1, 1], [1, 4, 2]],
        [[-64, 39, 33]],
    ),
}
WIDE = {
    "parallel-rows-with-three-inputs": net([[1, 2, 3], [2, 4, 6]], [[1, 1]]),
    "wide-second-layer": net([[1], [2], [3]], [[1, 2, 3], [2, 4, 6]]),
}

CASES = (
    *(Case(f"accept/{name}", proof(of)) for name, of in ACCEPT.items()),
    Case("accept/modulus-two", proof(net([[1]], [[1]]), 2)),
    Case("accept/modulus-composite", proof(TWO, 6 * PRIME)),
    *(Case(f"reject/minor-zero--{name}", proof(of)) for name, of in DEFICIENT.items()),
    *(Case(f"reject/no-unit-pivot--{name}", proof(of)) for name, of in WIDE.items()),
    Case("reject/minor-zero--modulus-divides-a-weight", proof(TWO, 5)),
    Case("accept/nodes-negative", proof(ACCEPT["wide-with-a-larger-layer"], nodes=(-3, -10, 1, 2))),
    # The row (1, -1) is not 0, but the node 1 adds up its entries.
    Case("reject/minor-zero--node-one", proof(net([[1, -1]], [[1]]), nodes=(1, 1))),
    Case(
        "reject/minor-zero--second-power-of-a-node", proof(net([[4, 0, -1]], [[1]]), nodes=(2,) * 3)
    ),
    Case("accept/other-node", proof(net([[1, -1]], [[1]]), nodes=(2, 1))),
    Case(
        "reject/no-unit-pivot--equal-nodes",
        proof(net([[1, 2, 3], [3, 1, 1]]), nodes=(5, 5, 5)),
    ),
    Case(
        "malformed/wrong-length--too-few-nodes",
        certificate(claim(TWO), {**modulus(TWO, PRIME), "nodes": ["1"]}),
    ),
    Case(
        "malformed/wrong-length--too-many-nodes",
        certificate(claim(TWO), {**modulus(TWO, PRIME), "nodes": ["1", "2", "3"]}),
    ),
    Case("reject/modulus-too-small--one", proof(TWO, 1)),
    Case("reject/modulus-too-small--zero", proof(TWO, 0)),
    Case("reject/modulus-too-small--negative", proof(TWO, -PRIME)),
    Case("reject/missing-record--no-modulus", certificate(claim(TWO))),
    Case(
        "reject/surplus-record--two-moduli",
        certificate(claim(TWO), modulus(TWO, PRIME), modulus(TWO, PRIME)),
    ),
    Case(
        "reject/wrong-record--other-type",
        certificate(claim(TWO), {**modulus(TWO, PRIME), "record": "prime"}),
    ),
    Case(
        "malformed/wrong-fields--no-modulus-in-the-record",
        certificate(claim(TWO), without(modulus(TWO, PRIME), "modulus")),
    ),
    Case(
        "malformed/wrong-fields--claim-with-masks",
        certificate({**claim(TWO), "masks": []}, modulus(TWO, PRIME)),
    ),
    Case(
        "malformed/not-an-integer--decimal-modulus",
        certificate(claim(TWO), {**modulus(TWO, PRIME), "modulus": 7}),
    ),
    Case(
        "malformed/widths-differ--layers",
        proof(network([[1, 1], [2, 1]], [[1, 1, 1, 1]])),
    ),
)
