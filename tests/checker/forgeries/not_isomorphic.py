"""Cases of the claim kind ``not-isomorphic``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, network, point, without

Rows = Sequence[Sequence[Fraction | int]]
THIRD = Fraction(1, 3)


def claim(a: Json, b: Json) -> Json:
    """Return a not-isomorphic claim."""
    return {"a": a, "b": b, "kind": "not-isomorphic"}


def choose(side: int, layer: int, neuron: int) -> Json:
    """Return the record that individualises a neuron."""
    return {"layer": layer, "network": side, "neuron": neuron, "record": "individualise"}


def between(weights: Rows, bias: int = 1) -> Json:
    """Return a network that shows nothing but the weights between its two hidden layers."""
    first = [[1, 0]] * len(weights[0])
    return network(first, [[*row, bias] for row in weights], [[1] * len(weights) + [0]])


def free(weights: Rows) -> Json:
    """Return a network whose hidden neurons are joined to no input, bias or output."""
    first = [[0, 0]] * len(weights[0])
    return network(first, [[*row, 0] for row in weights], [[0] * len(weights) + [0]])


# A cycle of 8 neurons and two of 4: every neuron sees two others.
CYCLE = [[int((j - i) % 4 in (0, 1)) for j in range(4)] for i in range(4)]
SQUARES = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
HIDDEN_PAIR = claim(between(CYCLE), between(SQUARES))
BASE = network([[1, 2], [3, -1]], [[1, 2, 1], [0, 4, 0]], [[1, 5, 7]])
FREE_PAIR = claim(free([[1, 1], [1, 2]]), free([[1, 1], [1, 3]]))


def beside(weight: int) -> Json:
    """Return a free component beside a neuron that is joined to the output only."""
    rows = [[1, 1, 0], [1, weight, 0], [0, 0, 0]]
    return network([[0, 0], [0, 0]], rows, [[0, 0, 1, 0]])


def diagonal(*weights: int) -> Json:
    """Return a network in which each neuron sees one neuron of the layer before."""
    size = range(len(weights))
    return between([[weight * (i == j) for j in size] for i, weight in enumerate(weights)])


FREE_BESIDE = claim(beside(2), beside(3))


def differs(a: Json, b: Json, *records: Json) -> tuple[bytes, bytes]:
    """Return the certificate of a pair, and of the pair exchanged."""
    return certificate(claim(a, b), *records), certificate(claim(b, a), *records)


# Pairs that colours tell apart: in which entry they differ.
APART = {
    "input-weight": (BASE, network([[1, 3], [3, -1]], [[1, 2, 1], [0, 4, 0]], [[1, 5, 7]])),
    "hidden-weight": (BASE, network([[1, 2], [3, -1]], [[1, 2, 1], [1, 4, 0]], [[1, 5, 7]])),
    "sign-of-a-weight": (BASE, network([[1, 2], [3, -1]], [[1, 2, 1], [0, -4, 0]], [[1, 5, 7]])),
    "hidden-bias-sign": (BASE, network([[1, 2], [3, -1]], [[1, 2, -1], [0, 4, 0]], [[1, 5, 7]])),
    "output-weight": (BASE, network([[1, 2], [3, -1]], [[1, 2, 1], [0, 4, 0]], [[2, 5, 7]])),
    "output-bias": (BASE, network([[1, 2], [3, -1]], [[1, 2, 1], [0, 4, 0]], [[1, 5, 8]])),
    "scaled-on-one-side-only": (
        BASE, network([[2, 4], [3, -1]], [[1, 2, 1], [0, 4, 0]], [[1, 5, 7]])
    ),
    "one-of-two-input-weights": (
        network([[1, 2, 1]], [[3, 0]]), network([[1, 3, 1]], [[3, 0]])
    ),
    "input-weight-of-an-unused-neuron": (
        network([[1, 2]], [[0, 0]]), network([[1, 3]], [[0, 0]])
    ),
    "inputs-that-nobody-sees": (network([[0, 0, 0]], [[0, 0]]), network([[0, 0]], [[0, 0]])),
    "negative-scaling": (network([[1, 2]], [[3, 0]]), network([[-1, -2]], [[-3, 0]])),
    "widths": (network([[1, 2]], [[3, 0]]), network([[1, 2], [0, 0]], [[3, 0, 0]])),
    "depth": (network([[1, 2]], [[3, 0]]), network([[3, 6]])),
    "affine": (network([[3, 1]]), network([[4, 1]])),
    "affine-bias": (network([[3, 1]]), network([[3, 2]])),
    "denominator": (network([[3, 1]]), network([[3 * THIRD, THIRD]])),
    "number-of-twins": (
        network([[1, 0], [1, 0], [2, 1]], [[1, 1, 1, 0]]),
        network([[1, 0], [2, 1], [2, 1]], [[1, 1, 1, 0]]),
    ),
    "which-neuron-is-joined": (between([[1, 0], [0, 1]]), between([[1, 1], [0, 0]])),
    "largest-outgoing-weight": (
        network([[0, 0], [1, 1]], [[2, 1, 1], [6, 1, 2]], [[1, 1, 0]]),
        network([[0, 0], [1, 1]], [[2, 1, 1], [7, 1, 2]], [[1, 1, 0]]),
    ),
    "largest-incoming-weight": (
        network([[1, 0], [2, 1]], [[3, 1, 0]], [[1, 0]]),
        network([[1, 0], [2, 1]], [[3, 2, 0]], [[1, 0]]),
    ),
    "outgoing-of-a-zero-row": (
        network([[0, 0], [1, 1]], [[2, 3, 0], [4, 1, 0]], [[1, 1, 0]]),
        network([[0, 0], [1, 1]], [[2, 3, 0], [5, 1, 0]], [[1, 1, 0]]),
    ),
    "sign-in-a-free-component": (free([[1, 1], [1, 1]]), free([[1, 1], [1, -1]])),
    "free-and-anchored": (free([[1]]), network([[0, 0]], [[1, 0]], [[1, 0]])),
}  # fmt: skip

# Isomorphic pairs, each scaled where one part of the normal scaling must undo it.
SAME = {
    "itself": (BASE, BASE),
    "swapped": (between(SQUARES), between([[1, 0, 1, 0], [0, 1, 0, 1]] * 2)),
    "row-scaled": (
        BASE, network([[2, 4], [3, -1]], [[Fraction(1, 2), 2, 1], [0, 4, 0]], [[1, 5, 7]])
    ),
    "scaled-by-bias": (
        BASE, network([[1, 2], [3, -1]], [[3, 6, 3], [0, 4, 0]], [[THIRD, 5, 7]])
    ),
    "scaled-by-output": (
        network([[0, 0]], [[5, 0], [2, 0]]), network([[0, 0]], [[10, 0], [4, 0]])
    ),
    "scaled-by-incoming": (
        network([[1, 0], [2, 1]], [[3, 1, 0]], [[0, 0]]),
        network([[1, 0], [2, 1]], [[6, 2, 0]], [[0, 0]]),
    ),
    "scaled-by-incoming-with-a-larger-second": (
        network([[1, 0], [2, 1]], [[3, 8, 0]], [[0, 0]]),
        network([[1, 0], [1, THIRD * Fraction(3, 2)]], [[6, 32, 0]], [[0, 0]]),
    ),
    "scaled-by-outgoing": (
        network([[0, 0], [1, 1]], [[2, 1, 1], [6, 1, 2]], [[1, 1, 0]]),
        network([[0, 0], [1, 1]], [[1, 1, 1], [3, 1, 2]], [[1, 1, 0]]),
    ),
    "scaled-by-outgoing-with-scaled-ends": (
        network([[0, 0], [1, 1]], [[2, 1, 1], [6, 1, 2]], [[1, 1, 0]]),
        network([[0, 0], [1, 1]], [[5, 5, 5], [3, 1, 2]], [[Fraction(1, 5), 1, 0]]),
    ),
    "largest-incoming-permuted": (
        network([[1, 0], [2, 1]], [[3, 8, 0]], [[0, 0]]),
        network([[2, 1], [1, 0]], [[8, 3, 0]], [[0, 0]]),
    ),
    "largest-outgoing-permuted": (
        network([[0, 0], [1, 1]], [[2, 1, 1], [6, 1, 2]], [[1, 1, 0]]),
        network([[0, 0], [1, 1]], [[6, 1, 2], [2, 1, 1]], [[1, 1, 0]]),
    ),
    "another-neuron-first": (
        between([[5, 0, 0], [0, 1, 0], [0, 0, 1]]), between([[1, 0, 0], [0, 1, 0], [0, 0, 5]])
    ),
    "two-steps-from-the-root": (
        network([[1, 0]], [[2, 0]], [[3, 0]], [[0, 0]]),
        network([[1, 0]], [[4, 0]], [[15, 0]], [[0, 0]]),
    ),
    "free-component-scaled": (free([[1, 2], [3, 5]]), free([[2, 4], [9, 15]])),
    "free-component-permuted": (free([[1, 2], [3, 5]]), free([[15, 9], [4, 2]])),
    "free-neuron": (network([[0, 0], [1, 1]], [[0, 1, 0]]), network([[1, 1], [0, 0]], [[1, 0, 0]])),
    "denominators": (
        network([[THIRD, 1]], [[1, Fraction(1, 7)]]), network([[1, 3]], [[THIRD, Fraction(1, 7)]])
    ),
    "twins": (
        network([[1, 0], [2, 0]], [[2, 1, 0]]),
        network([[3, 0], [5, 0]], [[2 * THIRD, Fraction(2, 5), 0]]),
    ),
}  # fmt: skip

CASES = (
    # A neuron that is scaled by what leads on from it: nothing to one output, 3 or -3 to the other.
    Case(
        "accept/seen-by-one-output-of-two",
        certificate(
            claim(
                network([[1, 0]], [[1, 0]], [[0, 0], [3, 0]]),
                network([[1, 0]], [[1, 0]], [[0, 0], [-3, 0]]),
            )
        ),
    ),
    Case(
        "reject/missing-record--seen-by-two-outputs-and-scaled",
        certificate(
            claim(
                network([[1, 0]], [[1, 0]], [[1, 0], [-3, 0]]),
                network([[1, 0]], [[2, 0]], [[Fraction(1, 2), 0], [-3 * Fraction(1, 2), 0]]),
            )
        ),
    ),
    *(Case(f"accept/{name}", differs(a, b)[0]) for name, (a, b) in APART.items()),
    *(Case(f"accept/{name}-exchanged", differs(a, b)[1]) for name, (a, b) in APART.items()),
    Case("accept/cycle-and-squares", certificate(HIDDEN_PAIR, choose(0, 0, 0))),
    Case("accept/cycle-and-squares-from-the-other", certificate(HIDDEN_PAIR, choose(1, 1, 2))),
    Case(
        "accept/free-component",
        certificate(FREE_PAIR, choose(0, 0, 0)),
    ),
    Case("accept/free-beside-anchored", certificate(FREE_BESIDE, choose(0, 0, 0))),
    Case(
        "accept/free-component-from-above",
        certificate(FREE_PAIR, choose(1, 1, 1)),
    ),
    *(
        Case(f"reject/missing-record--{name}", certificate(claim(a, b)))
        for name, (a, b) in SAME.items()
    ),
    *(
        Case(
            f"reject/missing-record--{name}-with-a-choice",
            certificate(claim(a, b), choose(0, 0, 0)),
        )
        for name, (a, b) in SAME.items()
    ),
    *(
        Case(
            f"reject/missing-record--{name}-with-a-choice-in-b",
            certificate(claim(a, b), choose(1, 0, 0)),
        )
        for name, (a, b) in SAME.items()
    ),
    # The neuron that is named and those that look like it stand at different places.
    Case(
        "reject/missing-record--places-in-a-and-in-b",
        certificate(claim(diagonal(5, 1, 1, 7), diagonal(1, 7, 1, 5)), choose(1, 0, 0)),
    ),
    Case(
        "reject/missing-record--places-in-b-and-in-a",
        certificate(claim(diagonal(1, 7, 1, 5), diagonal(5, 1, 1, 7)), choose(0, 0, 0)),
    ),
    Case("reject/missing-record--cycle-and-squares-without-a-tree", certificate(HIDDEN_PAIR)),
    Case("reject/missing-record--free-component-without-a-tree", certificate(FREE_PAIR)),
    Case(
        "reject/missing-record--isomorphic-affine",
        certificate(claim(network([[3, 1]]), network([[3, 1]]))),
    ),
    Case("reject/index-out-of-range--network", certificate(HIDDEN_PAIR, choose(2, 0, 0))),
    Case("reject/index-out-of-range--layer", certificate(HIDDEN_PAIR, choose(0, 2, 0))),
    Case("reject/index-out-of-range--neuron", certificate(HIDDEN_PAIR, choose(0, 0, 4))),
    Case(
        "reject/surplus-record--a-tree-too-many",
        certificate(HIDDEN_PAIR, choose(0, 0, 0), choose(0, 0, 0)),
    ),
    Case(
        "reject/surplus-record--where-none-is-needed",
        certificate(claim(*APART["widths"]), choose(0, 0, 0)),
    ),
    Case("reject/wrong-record--point", certificate(HIDDEN_PAIR, point(0))),
    Case(
        "malformed/wrong-fields--no-network",
        certificate(HIDDEN_PAIR, without(choose(0, 0, 0), "network")),
    ),
    Case("malformed/not-an-index--neuron", certificate(HIDDEN_PAIR, choose(0, 0, -1))),
    Case("malformed/wrong-fields--no-b", certificate(without(HIDDEN_PAIR, "b"))),
)
