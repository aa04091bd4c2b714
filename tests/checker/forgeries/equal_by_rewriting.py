"""Cases of the claim kind ``equal-by-rewriting``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, matrix, network, number, point, system, without

HALF = Fraction(1, 2)
LINE, PLANE = system(1), system(2)
RAY = system(1, ("gt", [1, 0]))
FAR_RAY = system(1, ("gt", [2, -3]))
QUADRANT = system(2, ("gt", [1, 0, 0]), ("gt", [0, 1, 0]))
FIRST_POSITIVE = system(2, ("gt", [1, 0, 0]))
END = {"record": "result"}


def claim(a: Json, b: Json, domain: Json = LINE) -> Json:
    """Return an equal-by-rewriting claim."""
    return {"a": a, "b": b, "domain": domain, "kind": "equal-by-rewriting"}


def drop(layer: int, neuron: int) -> Json:
    """Return the step that drops a dead neuron."""
    return {"layer": layer, "neuron": neuron, "record": "drop"}


def merge(layer: int, neuron: int, into: int) -> Json:
    """Return the step that merges a neuron into another."""
    return {"into": into, "layer": layer, "neuron": neuron, "record": "merge"}


def compose(layer: int) -> Json:
    """Return the step that joins a layer with the next."""
    return {"layer": layer, "record": "compose"}


def translate(layer: int, neuron: int, shift: Fraction | int) -> Json:
    """Return the step that moves a hidden neuron."""
    return {"layer": layer, "neuron": neuron, "record": "translate", "shift": number(shift)}


def flip(layer: int, neuron: int, *neurons: int) -> Json:
    """Return the step that turns other neurons than a hidden one around."""
    return {"layer": layer, "neuron": neuron, "neurons": list(neurons), "record": "flip"}


Rows = Sequence[Sequence[Fraction | int]]


def refactor(layer: int, neurons: Sequence[int], left: Rows, right: Rows) -> Json:
    """Return the step that replaces linear neurons."""
    return {
        "layer": layer,
        "left": matrix(left) if left[0] else ["1", [[] for _ in left]],
        "neurons": list(neurons),
        "rank": len(right),
        "record": "refactor",
        "right": matrix(right) if right else ["1", []],
    }


def proof(a: Json, b: Json, *steps: Json, domain: Json = LINE) -> bytes:
    """Return a certificate with its last record."""
    return certificate(claim(a, b, domain), *steps, END)


def cells(a: Json, b: Json, *records: Json) -> bytes:
    """Return a certificate on the plane that ends with a tree."""
    return certificate(claim(a, b, PLANE), *records)


OTHER, CELLS, SAME = ({"record": name} for name in ("other", "cells", "same"))


BEND = [1, -1]
DEAD = network([BEND, [0, -2]], [[3, 4, 5]])
UNUSED = network([BEND, [5, 5]], [[3, 0, 5]])
ONE = network([BEND], [[3, 5]])
TWICE = network([BEND, [2, -2]], [[3, 4, 5]])
MERGED = network([BEND], [[11, 5]])
THIRDS = network([[3, -3], [2, -2]], [[3, 4, 5], [1, 6, 0]])
THIRDS_MERGED = network([[3, -3]], [[Fraction(17, 3), 5], [5, 0]])
# The second layer sees nonnegative inputs only.
DEEP = network([BEND, [-1, 2]], [[1, 2, 1], [1, 1, 0], [1, -1, 0]], [[1, 1, 1, 0]])
DEEP_SMALL = network([BEND, [-1, 2]], [[1, -1, 0], [2, 3, 0]], [[1, 1, 1]])
DEEP_DEAD = network([BEND, [-1, 2]], [[-1, -2, 0], [1, -1, 0]], [[7, 1, 0]])
CONSTANT = network([BEND, [0, HALF]], [[3, 4, 5]])
CONSTANT_FOLDED = network([BEND], [[3, 7]])
FLAT = network([[2, 1], [0, -1]], [[3, 5, 1]])
FLAT_JOINED = network([[6, 4]])
MIXED = network([[1, 1, 0], [1, -1, 0]], [[2, 1, 0]])

# Steps in the first of two hidden layers: the next layer is not the last one.
THREE = network([BEND, [2, -2], [5, 5]], [[3, 4, 0, 5], [1, -1, 0, 2]], [[1, 2, 0]])
THREE_SMALL = network([BEND], [[11, 5], [-1, 2]], [[1, 2, 0]])
LINEAR_FIRST = network([[1, 2, 1]], [[2, -30], [-1, 3]], [[1, 1, 0]])
LINEAR_JOINED = network([[2, 4, -28], [-1, -2, 2]], [[1, 1, 0]])
LINEAR_SECOND = network([BEND, [-1, 2]], [[1, 2, 1], [1, 1, 0]], [[1, 1, 3]])
SECOND_JOINED = network([BEND, [-1, 2]], [[2, 3, 4]])

# The first neuron is hidden by both neurons of the next layer, with other ratios of weights.
X, Y = [1, 0, 0], [0, 1, 1]
HIDING = network([X, Y], [[2, -1, -3], [1, -2, -4]], [[1, 5, 0]])
MOVED = network([[1, 0, HALF], Y], [[2, -1, -4], [1, -2, Fraction(-9, 2)]], [[1, 5, 0]])
AT_END = network([[1, 0, Fraction(-3, 2)], Y], [[2, -1, 0], [1, -2, Fraction(-5, 2)]], [[1, 5, 0]])
BEYOND = network([[1, 0, -2], Y], [[2, -1, 1], [1, -2, -2]], [[1, 5, 0]])
# One ratio, with which flips are possible: y1 - y2/2 and -y2.
SINGLE = network([X, Y], [[2, -1, -3], [4, -2, -1]], [[1, 5, 0]])
FLIPPED = network([[1, -HALF, -HALF], [0, -1, -1]], [[2, -1, -3], [4, -2, -1]], [[1, 5, 0]])
THIRD = [1, 1, -2]
TRIPLE = network([X, Y, THIRD], [[2, -1, -3, -1]], [[1, 0]])
TRIPLE_FLIPPED = network(
    [[Fraction(-1, 2), -2, Fraction(5, 2)], [0, -1, -1], [-1, -1, 2]], [[2, -1, -3, -1]], [[1, 0]]
)
ONE_TURNED = network([[1, -HALF, -HALF], [0, -1, -1], THIRD], [[2, -1, -3, -1]], [[1, 0]])
OTHER_TURNED = network([[-HALF, Fraction(-3, 2), 3], Y, [-1, -1, 2]], [[2, -1, -3, -1]], [[1, 0]])
LATER = network([X], [[1, 0], [1, -1]], [[1, -1, -1]], [[1, 0]])
LATER_MOVED = network([X], [[1, 2], [1, -1]], [[1, -1, -3]], [[1, 0]])
FREE = network([X, Y], [[2, -1, -3], [-1, 2, -4]], [[1, 5, 0]])
FREE_MOVED = network([[1, 0, 1], Y], [[2, -1, -5], [-1, 2, -3]], [[1, 5, 0]])

CASES = (
    Case("accept/translated", proof(HIDING, MOVED, translate(0, 0, HALF), domain=PLANE)),
    Case(
        "accept/translated-to-the-end",
        proof(HIDING, AT_END, translate(0, 0, Fraction(-3, 2)), domain=PLANE),
    ),
    Case("accept/translated-back", proof(MOVED, HIDING, translate(0, 0, -HALF), domain=PLANE)),
    Case("accept/translated-by-nothing", proof(HIDING, HIDING, translate(0, 0, 0), domain=PLANE)),
    Case(
        "accept/translated-beside-a-dead-neuron",
        proof(
            network([X, Y], [[2, -1, -3], [-1, -2, -4]], [[1, 5, 0]]),
            network([[1, 0, -1], Y], [[2, -1, -1], [-1, -2, -5]], [[1, 5, 0]]),
            translate(0, 0, -1),
            domain=PLANE,
        ),
    ),
    Case(
        "accept/translated-in-a-later-layer",
        proof(LATER, LATER_MOVED, translate(1, 0, 2), domain=PLANE),
    ),
    Case("accept/flipped", proof(SINGLE, FLIPPED, flip(0, 0, 1), domain=PLANE)),
    Case("accept/flipped-back", proof(FLIPPED, SINGLE, flip(0, 0, 1), domain=PLANE)),
    Case("accept/flipped-two", proof(TRIPLE, TRIPLE_FLIPPED, flip(0, 0, 1, 2), domain=PLANE)),
    Case("accept/flipped-none", proof(SINGLE, SINGLE, flip(0, 0), domain=PLANE)),
    Case(
        "accept/flipped-on-both-sides",
        proof(ONE_TURNED, OTHER_TURNED, flip(0, 0, 1), OTHER, flip(0, 0, 2), domain=PLANE),
    ),
    Case(
        "accept/translated-on-both-sides",
        proof(AT_END, MOVED, translate(0, 0, 1), OTHER, translate(0, 0, -1), domain=PLANE),
    ),
    Case(
        "accept/the-same-form-after-translations",
        cells(
            HIDING,
            network(
                [[0, 2, 2], [3, 0, 3]],
                [[-HALF, Fraction(2, 3), -5], [-1, Fraction(1, 3), -5]],
                [[1, 5, 0]],
            ),
            translate(0, 0, 1),
            CELLS,
            SAME,
        ),
    ),
    Case(
        "accept/cells-of-the-other",
        cells(MOVED, HIDING, OTHER, translate(0, 0, HALF), CELLS, SAME),
    ),
    Case("reject/forms-differ--before-the-translation", cells(MOVED, HIDING, CELLS, SAME)),
    Case(
        "reject/forms-differ--translated-twice",
        cells(MOVED, HIDING, OTHER, translate(0, 0, HALF), translate(0, 0, 1), CELLS, SAME),
    ),
    Case("reject/missing-record--no-tree", cells(HIDING, HIDING, CELLS)),
    Case("reject/wrong-record--result-in-the-tree", cells(HIDING, HIDING, CELLS, END)),
    Case(
        "reject/result-differs--steps-about-the-other",
        proof(HIDING, MOVED, OTHER, translate(0, 0, HALF), domain=PLANE),
    ),
    Case(
        "reject/result-differs--translated-the-other-way",
        proof(HIDING, MOVED, translate(0, 0, -HALF), domain=PLANE),
    ),
    Case(
        "reject/result-differs--flips-not-of-all",
        proof(TRIPLE, TRIPLE_FLIPPED, flip(0, 0, 1), domain=PLANE),
    ),
    Case(
        "reject/neuron-not-hidden--beyond-the-end",
        proof(HIDING, BEYOND, translate(0, 0, -2), domain=PLANE),
    ),
    Case(
        "reject/neuron-not-hidden--from-beyond-the-end",
        proof(BEYOND, HIDING, translate(0, 0, 2), domain=PLANE),
    ),
    Case(
        "reject/neuron-not-hidden--another-neuron",
        proof(
            HIDING,
            network([X, [0, 1, 2]], [[2, -1, -2], [1, -2, -2]], [[1, 5, 0]]),
            translate(0, 1, 1),
            domain=PLANE,
        ),
    ),
    Case(
        "reject/neuron-not-hidden--not-by-all",
        proof(FREE, FREE_MOVED, translate(0, 0, 1), domain=PLANE),
    ),
    Case(
        "reject/neuron-not-hidden--by-the-outputs",
        proof(
            network([X, Y], [[2, -1, -3], [1, -2, -4]]),
            network([[1, 0, 1], Y], [[2, -1, -5], [1, -2, -5]]),
            translate(0, 0, 1),
            domain=PLANE,
        ),
    ),
    Case(
        "reject/neuron-not-hidden--flipped-before-the-outputs",
        proof(
            network([X, Y], [[2, -1, -3]]),
            network([[1, -HALF, -HALF], [0, -1, -1]], [[2, -1, -3]]),
            flip(0, 0, 1),
            domain=PLANE,
        ),
    ),
    Case(
        "reject/neuron-not-hidden--flipped-with-a-positive-bias",
        proof(
            network([X, Y], [[2, -1, 3]], [[1, 0]]),
            network([[1, -HALF, -HALF], [0, -1, -1]], [[2, -1, 3]], [[1, 0]]),
            flip(0, 0, 1),
            domain=PLANE,
        ),
    ),
    Case(
        "reject/neuron-not-hidden--flipped-with-a-dead-neuron",
        proof(
            network([X, Y], [[-2, -1, -3]], [[1, 0]]),
            network([[1, HALF, HALF], [0, -1, -1]], [[-2, -1, -3]], [[1, 0]]),
            flip(0, 0, 1),
            domain=PLANE,
        ),
    ),
    Case(
        "reject/neuron-not-hidden--flipped-with-a-neuron-of-weight-zero",
        proof(
            network([X, Y], [[0, -1, -3]], [[1, 0]]),
            network([X, [0, -1, -1]], [[0, -1, -3]], [[1, 0]]),
            flip(0, 0, 1),
            domain=PLANE,
        ),
    ),
    Case(
        "reject/neuron-not-hidden--flips-itself",
        proof(
            network([X], [[1, -1]], [[1, 0]]),
            network([[-1, 0, 0]], [[1, -1]], [[1, 0]]),
            flip(0, 0, 0),
            domain=PLANE,
        ),
    ),
    Case(
        "reject/not-proportional--flipped-with-other-ratios",
        proof(
            HIDING,
            network([[1, -HALF, -HALF], [0, -1, -1]], [[2, -1, -3], [1, -2, -4]], [[1, 5, 0]]),
            flip(0, 0, 1),
            domain=PLANE,
        ),
    ),
    Case(
        "reject/not-proportional--flipped-with-a-smaller-ratio",
        proof(
            network([X, Y], [[2, -2, -3], [2, -1, -4]], [[1, 5, 0]]),
            network([[1, -1, -1], [0, -1, -1]], [[2, -2, -3], [2, -1, -4]], [[1, 5, 0]]),
            flip(0, 0, 1),
            domain=PLANE,
        ),
    ),
    Case(
        "reject/index-out-of-range--translated",
        proof(HIDING, HIDING, translate(0, 2, 0), domain=PLANE),
    ),
    Case("reject/index-out-of-range--flipped", proof(SINGLE, SINGLE, flip(0, 0, 2), domain=PLANE)),
    Case(
        "malformed/denominator-not-positive--shift",
        proof(HIDING, HIDING, {**translate(0, 0, 0), "shift": ["0", "0"]}, domain=PLANE),
    ),
    Case("reject/not-increasing--flips", proof(TRIPLE, TRIPLE, flip(0, 0, 2, 1), domain=PLANE)),
    Case("accept/first-of-two-layers", proof(THREE, THREE_SMALL, drop(0, 2), merge(0, 1, 0))),
    Case(
        "accept/composed-first-of-two-layers",
        proof(LINEAR_FIRST, LINEAR_JOINED, compose(0), domain=QUADRANT),
    ),
    Case("accept/composed-second-of-two-layers", proof(LINEAR_SECOND, SECOND_JOINED, compose(1))),
    Case(
        "reject/result-differs--composed-without-the-layers-before",
        proof(
            network([[-1, 0]], [[1, 0]], [[1, 0]], [[1, 0]]),
            network([[1, 0]], [[1, 0]]),
            compose(1),
        ),
    ),
    Case(
        "accept/constant-in-the-first-of-two-layers",
        proof(
            network([BEND, [0, 2]], [[3, 4, 5], [1, -1, 2]], [[1, 2, 0]]),
            network([BEND], [[3, 13], [1, 0]], [[1, 2, 0]]),
            refactor(0, [1], [[], []], []),
        ),
    ),
    Case(
        "accept/a-neuron-added",
        proof(ONE, network([BEND, [1, 0]], [[3, 0, 5]]), refactor(0, [], [[0]], [[1]]), domain=RAY),
    ),
    Case(
        "accept/merged-with-first-weight-zero",
        proof(
            network([[0, 1, -1], [0, 2, -2]], [[3, 4, 5]]),
            network([[0, 1, -1]], [[11, 5]]),
            merge(0, 1, 0),
            domain=PLANE,
        ),
    ),
    Case("accept/domain-with-a-row-of-zeros", proof(ONE, ONE, domain=system(1, ("gt", [0, 1])))),
    Case(
        "reject/neuron-not-dead--used-in-the-next-layer",
        proof(
            network([BEND, [5, 5]], [[3, 1, 5], [1, 0, 2]], [[0, 0, 0]]),
            network([BEND], [[3, 5], [1, 2]], [[0, 0, 0]]),
            drop(0, 1),
        ),
    ),
    Case("accept/no-steps", proof(ONE, ONE)),
    Case("accept/dead", proof(DEAD, ONE, drop(0, 1))),
    Case("accept/unused", proof(UNUSED, ONE, drop(0, 1))),
    Case(
        "accept/dead-in-the-second-layer",
        proof(DEEP_DEAD, network([BEND, [-1, 2]], [[1, -1, 0]], [[1, 0]]), drop(1, 0)),
    ),
    Case(
        "accept/dead-on-the-ray",
        proof(
            network([[-1, 0], BEND], [[3, 4, 5]]), network([BEND], [[4, 5]]), drop(0, 0), domain=RAY
        ),
    ),
    Case(
        "accept/dead-on-a-far-ray",
        proof(
            network([[-1, 0], BEND], [[3, 4, 5]]),
            network([BEND], [[4, 5]]),
            drop(0, 0),
            domain=FAR_RAY,
        ),
    ),
    Case("accept/merged", proof(TWICE, MERGED, merge(0, 1, 0))),
    Case(
        "accept/merged-into-the-second",
        proof(TWICE, network([[2, -2]], [[Fraction(11, 2), 5]]), merge(0, 0, 1)),
    ),
    Case("accept/merged-with-a-fraction", proof(THIRDS, THIRDS_MERGED, merge(0, 1, 0))),
    Case(
        "accept/merged-negative",
        proof(
            network([[-1, 1], [-2, 2]], [[3, 4, 5]]), network([[-1, 1]], [[11, 5]]), merge(0, 1, 0)
        ),
    ),
    Case("accept/refactored", proof(DEEP, DEEP_SMALL, refactor(1, [0, 1], [[1]], [[2, 3]]))),
    Case(
        "accept/refactored-with-denominators",
        proof(
            network(
                [BEND, [-1, 2]],
                [[1, 2, HALF], [1, 1, 0], [HALF, -1, 0]],
                [[HALF, 1, 1, 0], [1, 2, 0, 3]],
            ),
            network(
                [BEND, [-1, 2]],
                [[HALF, -1, 0], [Fraction(1, 4), Fraction(1, 3), 0]],
                [[1, 6, Fraction(1, 4)], [0, 12, Fraction(7, 2)]],
            ),
            refactor(1, [0, 1], [[6], [12]], [[Fraction(1, 4), Fraction(1, 3)]]),
        ),
    ),
    Case("accept/constant-folded", proof(CONSTANT, CONSTANT_FOLDED, refactor(0, [1], [[]], []))),
    Case("accept/composed", proof(FLAT, FLAT_JOINED, compose(0), domain=RAY)),
    Case(
        "accept/composed-dead-on-the-line",
        proof(network([[0, -1]], [[5, 1]]), network([[0, 1]]), compose(0)),
    ),
    Case("accept/composed-unused", proof(network([BEND], [[0, 1]]), network([[0, 1]]), compose(0))),
    Case(
        "accept/composed-with-denominators",
        proof(
            network([[HALF, 1]], [[HALF, HALF]]),
            network([[Fraction(1, 4), 1]]),
            compose(0),
            domain=RAY,
        ),
    ),
    Case(
        "accept/several-steps",
        proof(
            network([BEND, [2, -2], [0, -1]], [[3, 4, 9, 5]]), MERGED, drop(0, 2), merge(0, 1, 0)
        ),
    ),
    Case(
        "accept/orthant-in-two-variables",
        proof(
            network([[1, 2, 0], [1, -1, 0], [1, 1, 3]], [[1, 1, 1, 0]]),
            network([[1, -1, 0], [2, 3, 0]], [[1, 1, 3]]),
            refactor(0, [0, 2], [[1]], [[2, 3]]),
            domain=QUADRANT,
        ),
    ),
    Case("reject/neuron-not-dead--it-bends", proof(DEAD, network([[0, -2]], [[4, 5]]), drop(0, 0))),
    Case("reject/neuron-not-dead--positive-bias", proof(CONSTANT, ONE, drop(0, 1))),
    Case(
        "reject/neuron-not-dead--dead-only-on-the-ray",
        proof(network([[-1, 0], BEND], [[3, 4, 5]]), network([BEND], [[4, 5]]), drop(0, 0)),
    ),
    Case(
        "reject/neuron-not-dead--the-other-ray",
        proof(
            network([[-1, 0], BEND], [[3, 4, 5]]),
            network([BEND], [[4, 5]]),
            drop(0, 0),
            domain=system(1, ("gt", [-1, 0])),
        ),
    ),
    Case(
        "reject/neuron-not-dead--the-ray-starts-below-zero",
        proof(
            network([[-1, 0], BEND], [[3, 4, 5]]),
            network([BEND], [[4, 5]]),
            drop(0, 0),
            domain=system(1, ("gt", [1, 1])),
        ),
    ),
    Case(
        "reject/neuron-not-dead--positive-sum-only",
        proof(
            network([[-1, 0, 0], [1, -1, 0]], [[3, 4, 5]]),
            network([[1, -1, 0]], [[4, 5]]),
            drop(0, 0),
            domain=system(2, ("gt", [1, 1, 0])),
        ),
    ),
    Case(
        "reject/neuron-not-dead--other-coordinate",
        proof(
            network([[0, -1, 0], [1, -1, 0]], [[3, 4, 5]]),
            network([[1, -1, 0]], [[4, 5]]),
            drop(0, 0),
            domain=FIRST_POSITIVE,
        ),
    ),
    Case(
        "reject/neuron-not-dead--linear",
        proof(
            network([[1, 0], BEND], [[3, 4, 5]]), network([BEND], [[4, 5]]), drop(0, 0), domain=RAY
        ),
    ),
    Case(
        "reject/neuron-not-dead--used-by-the-second-output",
        proof(
            network([BEND, [5, 5]], [[3, 0, 5], [1, 1, 0]]),
            network([BEND], [[3, 5], [1, 0]]),
            drop(0, 1),
        ),
    ),
    Case(
        "reject/neuron-not-linear--refactored",
        proof(
            network([BEND, [1, 1]], [[1, 1, 0]]),
            network([[2, 0]], [[1, 0]]),
            refactor(0, [0, 1], [[1]], [[2]]),
            domain=RAY,
        ),
    ),
    Case(
        "reject/neuron-not-linear--on-the-line",
        proof(
            network([[1, 0], [1, 1]], [[1, 1, 0]]),
            network([[2, 0]], [[1, 1]]),
            refactor(0, [0, 1], [[1]], [[2]]),
        ),
    ),
    Case(
        "reject/neuron-not-linear--new-neuron",
        proof(
            MIXED,
            network([[3, 1, 0]], [[1, 0]]),
            refactor(0, [0, 1], [[1]], [[3, 1]]),
            domain=QUADRANT,
        ),
    ),
    Case(
        "reject/neuron-not-linear--new-neuron-with-a-negative-weight",
        proof(
            network([[1, 0, 0], [0, 1, 0], [1, -1, 0]], [[1, -1, 1, 0]]),
            network([[1, -1, 0], [1, -1, 0]], [[1, 1, 0]]),
            refactor(0, [0, 1], [[1]], [[1, -1]]),
            domain=QUADRANT,
        ),
    ),
    Case(
        "reject/neuron-not-linear--composed",
        proof(network([[1, 0], BEND], [[1, 1, 0]]), network([[2, -1]]), compose(0), domain=RAY),
    ),
    Case(
        "reject/neuron-not-linear--composed-on-the-line",
        proof(network([[1, 0]], [[1, 0]]), network([[1, 0]]), compose(0)),
    ),
    Case(
        "reject/product-differs--factors",
        proof(DEEP, DEEP_SMALL, refactor(1, [0, 1], [[1]], [[2, 4]])),
    ),
    Case(
        "reject/product-differs--smaller-factors",
        proof(DEEP, DEEP_SMALL, refactor(1, [0, 1], [[1]], [[2, 2]])),
    ),
    Case(
        "reject/product-differs--denominator",
        proof(DEEP, DEEP_SMALL, refactor(1, [0, 1], [[HALF]], [[2, 3]])),
    ),
    Case(
        "reject/product-differs--not-constant",
        proof(
            network([BEND, [1, HALF]], [[3, 4, 5]]),
            network([BEND], [[3, 7]]),
            refactor(0, [1], [[]], []),
            domain=RAY,
        ),
    ),
    Case(
        "reject/not-proportional--opposite",
        proof(network([BEND, [-1, 1]], [[3, 4, 5]]), network([BEND], [[7, 5]]), merge(0, 1, 0)),
    ),
    Case(
        "reject/not-proportional--other-bias",
        proof(network([BEND, [2, -1]], [[3, 4, 5]]), MERGED, merge(0, 1, 0)),
    ),
    Case(
        "reject/not-proportional--larger-bias",
        proof(network([BEND, [2, -3]], [[3, 4, 5]]), MERGED, merge(0, 1, 0)),
    ),
    Case(
        "reject/not-proportional--itself",
        proof(TWICE, network([[2, -2]], [[4, 5]]), merge(0, 0, 0)),
    ),
    Case(
        "reject/not-proportional--zero-into-another",
        proof(network([BEND, [0, 0]], [[3, 4, 5]]), ONE, merge(0, 1, 0)),
    ),
    Case(
        "reject/not-proportional--into-zero",
        proof(network([BEND, [0, 0]], [[3, 4, 5]]), network([[0, 0]], [[4, 5]]), merge(0, 0, 1)),
    ),
    Case(
        "reject/not-proportional--zero-into-zero",
        proof(network([[0, 0], [0, 0]], [[3, 4, 5]]), network([[0, 0]], [[3, 5]]), merge(0, 1, 0)),
    ),
    Case(
        "reject/layer-empty--last-neuron",
        proof(network([[0, -1]], [[3, 5]]), network([[0, 5]]), drop(0, 0)),
    ),
    Case("reject/result-differs--no-steps", proof(DEAD, ONE)),
    Case("reject/result-differs--weights", proof(TWICE, network([BEND], [[7, 5]]), merge(0, 1, 0))),
    Case(
        "reject/result-differs--larger-weights",
        proof(TWICE, network([BEND], [[12, 5]]), merge(0, 1, 0)),
    ),
    Case("reject/result-differs--bias-forgotten", proof(CONSTANT, ONE, refactor(0, [1], [[]], []))),
    Case("reject/result-differs--depth", proof(FLAT, FLAT_JOINED, domain=RAY)),
    Case(
        "reject/result-differs--inputs-of-a-layer",
        proof(network([BEND], [[3, 5]]), network([BEND, BEND], [[3, 1, 5]])),
    ),
    Case("reject/index-out-of-range--layer", proof(DEAD, ONE, drop(1, 0))),
    Case("reject/index-out-of-range--neuron", proof(DEAD, ONE, drop(0, 2))),
    Case("reject/index-out-of-range--merged", proof(TWICE, MERGED, merge(0, 2, 0))),
    Case("reject/index-out-of-range--into", proof(TWICE, MERGED, merge(0, 1, 2))),
    Case(
        "reject/index-out-of-range--refactored",
        proof(CONSTANT, CONSTANT_FOLDED, refactor(0, [2], [[]], [])),
    ),
    Case("reject/missing-record--no-result", certificate(claim(ONE, ONE))),
    Case("reject/surplus-record--after-the-result", certificate(claim(ONE, ONE), END, END)),
    Case("reject/wrong-record--point", certificate(claim(ONE, ONE), point(1))),
    Case("reject/domain-not-open--closed", proof(ONE, ONE, domain=system(1, ("ge", [1, 0])))),
    Case("reject/shapes-differ--outputs", proof(ONE, network([BEND], [[3, 5], [0, 0]]))),
    Case("malformed/wrong-fields--no-neuron", proof(DEAD, ONE, without(drop(0, 1), "neuron"))),
    Case(
        "malformed/wrong-length--left",
        proof(DEEP, DEEP_SMALL, refactor(1, [0, 1], [[1], [1]], [[2, 3]])),
    ),
    Case(
        "malformed/wrong-length--right",
        proof(DEEP, DEEP_SMALL, refactor(1, [0, 1], [[1]], [[2, 3, 4]])),
    ),
    Case("malformed/not-an-index--layer", proof(DEAD, ONE, drop(-1, 1))),
    Case("malformed/dimensions-differ--domain", proof(ONE, ONE, domain=PLANE)),
)
