"""Cases of the claim kind ``not-identifiable``."""

from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network
from pair_trees import SAME

from .fiber_half_lines import ONE_TREE
from .fiber_half_lines import UNIT as ONE_ROWS
from .fiber_member import by

HALF = Fraction(1, 2)
Rows = list[list[Any]]


def proof(a: list[Rows], b: list[Rows], *records: Json) -> bytes:
    """Return a certificate about two networks."""
    claim = {"a": network(*a), "b": network(*b), "kind": "not-identifiable"}
    return certificate(claim, *records)


def move(kind: str, layer: Any, neuron: Any) -> Json:
    """Return the record of a move of a neuron."""
    return {"layer": layer, "neuron": neuron, "record": kind}


def individualise(side: int, layer: int, neuron: int) -> Json:
    """Return a choice of the proof that networks are not isomorphic."""
    return {"layer": layer, "network": side, "neuron": neuron, "record": "individualise"}


LINE: Json = {"record": "line"}
FIRST = [[1, 0, 0], [0, 1, 0]]
# Neuron 1 of layer 2 is dead, linear, or hides; neuron 0 is nothing of that.
DEAD = [FIRST, [[1, -1, 2], [-1, -2, -1]], [[1, 5, 0], [2, 7, 1]]]
DEAD_B = [FIRST, [[1, -1, 2], [-3, 0, -HALF]], [[1, 4, 0], [2, -9, 1]]]
LINEAR = [FIRST, [[1, -1, 2], [1, 2, 1]], [[1, 5, 0], [2, 7, 1]]]
LINEAR_B = [FIRST, [[1, -1, 2], [1, 2, 0]], [[1, 5, 5], [2, 7, 8]]]
LINEAR_UP = [FIRST, [[1, -1, 2], [1, 2, HALF]], [[1, 5, Fraction(5, 2)], [2, 7, Fraction(9, 2)]]]
HIDING = [[[0, 1, 1], [1, 0, 3]], [[-1, 2, -1], [-2, 1, -3]], [[1, 5, 0], [2, 7, 1]]]
HIDING_B = [[[0, 1, 1], [1, 0, 4]], [[-1, 2, -3], [-2, 1, -4]], [[1, 5, 0], [2, 7, 1]]]
HIDING_END = [
    [[0, 1, 1], [1, 0, Fraction(5, 2)]],
    [[-1, 2, 0], [-2, 1, -5 * HALF]],
    [[1, 5, 0], [2, 7, 1]],
]
HIDING_BEYOND = [[[0, 1, 1], [1, 0, 2]], [[-1, 2, 1], [-2, 1, -2]], [[1, 5, 0], [2, 7, 1]]]
# A dead neuron beside a hiding one: positive if t is too large.
MIXED = [[[1, 0, 0], [0, 1, 0]], [[1, -1, -2], [-1, -1, -3]], [[1, 1, 0]]]
MIXED_B = [[[1, 0, 3], [0, 1, 0]], [[1, -1, -5], [-1, -1, 0]], [[1, 1, 0]]]
MIXED_BEYOND = [[[1, 0, 4], [0, 1, 0]], [[1, -1, -6], [-1, -1, 1]], [[1, 1, 0]]]
# Layer 2 is bounded by 1 and 2, so layer 3 is at least 1: linear, though its weights are negative.
DEEP = [
    [[1, 0, 0], [0, 1, 0]],
    [[-1, -HALF, 1], [-HALF, -1, 2]],
    [[-1, -2, 6], [3, 1, -7]],
    [[1, 1, 0]],
]
DEEP_B = [*DEEP[:2], [[-1, -2, 7], [3, 1, -7]], [[1, 1, -1]]]
DEEP_LESS = [*DEEP[:2], [[-1, -2, 5], [3, 1, -7]], [[1, 1, 1]]]
DEEP_BEYOND = [*DEEP[:2], [[-1, -2, 4], [3, 1, -7]], [[1, 1, 2]]]
# Layer 2 is between 1 and 3 and between 0 and 2: layer 3 is between -8 and 0 at most.
LOW = [
    [[0, 1], [1, 0]],
    [[2, 0, 1], [0, -HALF, 2]],
    [[1, 1, -5], [-1, 0, 2]],
    [[1, 1, 0]],
]
LOW_B = [*LOW[:2], [[1, 1, -6], [-1, 0, 2]], [[2, 1, 0]]]
LOW_BEYOND = [*LOW[:2], [[1, 1, -4], [-1, 0, 2]], [[1, 1, 0]]]
# Layer 2 is 3, then between 0 and 2: layer 3 is at most 0 only because the former is at least 3.
ABOVE = [*LOW[:2], [[-1, 1, 1], [-1, 0, 4]], [[1, 1, 0]]]
ABOVE_B = [*LOW[:2], [[-2, 2, 1], [-1, 0, 4]], [[2, 1, 0]]]
# s(x) and its double beyond 3; 0 and s(-x).
RIGHT = [[[1, 0]], [[1, -3]], [[1, 0]]]
RIGHT_B = [[[1, 0]], [[1, -3]], [[2, 0]]]
ZERO = [[[1, 0]], [[1, 0]], [[0, 0]]]
LEFT = [[[-1, 0]], [[1, 0]], [[1, 0]]]
# With y = x + 6: s(1 - s(y)), and a ramp from 1 at y = -1 to 0 at y = 1; they differ at y = 0 alone
# of the points where neurons vanish. Then the same in a plane.
STEEP = [[[1, 6]], [[-1, 1]], [[1, 0]]]
RAMP = [[[-1, -5]], [[-1, 2]], [[-HALF, 1]]]
STEEP_PLANE = [[[2, -2, 6]], [[-1, 1]], [[1, 0]]]
RAMP_PLANE = [[[-2, 2, -5]], [[-1, 2]], [[-HALF, 1]]]
ONE_WAY = [[[1, -1, 0]], [[-1, 1]], [[1, 0]]]
# One function of the first coordinate where the second one is 0: the directions agree in one place.
ALONG, ASKEW = [[[1, 0, 0]], [[-1, 1]], [[1, 0]]], [[[-1, 5, 1]], [[-1, 1]], [[-1, 1]]]
# s(1 - s(x + 2)), and the same less 3 s(-x - 7): every neuron vanishes between -7 and -1.
BEFORE = [[[1, 2]], [[-1, 1], [0, -1]], [[1, 0, 0]]]
BEFORE_B = [[[-1, -1]], [[-1, 1], [1, -6]], [[-1, 3, 1]]]
# f = s(1 - s(x)) and its mirror image 1 - s(1 - s(1 - x)); then with two neurons in layer 2.
MIRROR = [[[1, 0]], [[-1, 1]], [[1, 0]]]
MIRROR_B = [[[-1, 1]], [[-1, 1]], [[-1, 1]]]
PLANE = [[[2, -2, 1]], [[-3, 1]], [[5, 2]]]
PLANE_B = [
    [[-HALF, HALF, Fraction(-1, 6)]],
    [[-4, Fraction(1, 3)]],
    [[-15, 7]],
]
TWO = [[[1, 0]], [[-1, 1], [-1, 3]], [[2, 5, 0]]]
TWO_B = [[[-1, 3]], [[-1, 2], [-1, 3]], [[2, -7, 17]]]
FLAT = [[[1, 0]], [[0, 1], [-1, 1]], [[1, 1, 0]]]
FLAT_B = [[[-1, 1]], [[0, 1], [-1, 1]], [[1, -1, 1]]]
WIDE = [[[1, 0], [1, -1]], [[-1, 0, 1]], [[1, 0]]]
WIDE_B = [[[-1, 1], [1, -1]], [[-1, 0, 1]], [[-1, 1]]]
SHALLOW = [[[1, 0]], [[1, 0]]]
CONSTANT = [[[0, 1]], [[-1, 1]], [[1, 0]]]
# Two neurons that only a choice tells apart from what they are in B.
TWINS = [[[1, 0]], [[1, 1], [1, 1]], [[1, 1, 0]]]


def changed(layers: list[Rows], layer: int, row: int, column: int) -> list[Rows]:
    """Add 1 to a parameter."""
    new = [[list(r) for r in m] for m in layers]
    new[layer][row][column] += 1
    return new


DEAD_2, LINEAR_2 = move("dead", 1, 1), move("linear", 1, 1)
HIDDEN = move("translation", 0, 1)
# A hidden flip, and |x| + s(x) as two neurons on each side or on one: proofs of equality.
FLIP = [ONE_ROWS, [[1, -1, -1]], [[1, 0]]]
FLIP_B = [[[1, -1, 0], [0, -1, 0]], [[1, -1, -1]], [[1, 0]]]
SUM = [[[1, 0], [1, 0]], [[1, 1, 0]]]
SUM_B = [[[1, 0], [1, 0]], [[3, -1, 0]]]
SUM_OTHER = [[[1, 0], [1, 0]], [[3, -2, 0]]]
BY_CELLS, BY_FORM = by("equal-by-cells"), by("equal-shallow")
CASES = (
    Case("accept/flip-by-cells", proof(FLIP, FLIP_B, BY_CELLS, *ONE_TREE)),
    Case("accept/equal-shallow", proof(SUM, SUM_B, BY_FORM)),
    Case("reject/forms-differ--shallow", proof(SUM, SUM_OTHER, BY_FORM)),
    Case("reject/forms-differ--cells", proof(FLIP, FLIP_B, BY_CELLS, SAME)),
    Case("reject/missing-record--equal-shallow-same", proof(SUM, SUM, BY_FORM)),
    Case(
        "reject/missing-record--no-symmetry",
        proof(SUM, [SUM[0], [[2, 0, 0]]], by("isomorphic")),
    ),
    Case(
        "reject/shapes-differ--equal-shallow",
        proof(SUM, [[[1, 0]], [[2, 0]]], BY_FORM),
    ),
    Case("accept/dead", proof(DEAD, DEAD_B, DEAD_2)),
    Case("accept/linear", proof(LINEAR, LINEAR_B, LINEAR_2)),
    Case("accept/linear-with-fractions", proof(LINEAR, LINEAR_UP, LINEAR_2)),
    Case("accept/linear-back", proof(LINEAR_B, LINEAR, LINEAR_2)),
    Case("accept/hidden", proof(HIDING, HIDING_B, HIDDEN)),
    Case("accept/hidden-back", proof(HIDING_B, HIDING, HIDDEN)),
    Case("accept/hidden-to-the-end", proof(HIDING, HIDING_END, HIDDEN)),
    Case("accept/hidden-beside-a-dead-neuron", proof(MIXED, MIXED_B, move("translation", 0, 0))),
    Case("accept/linear-by-bounds", proof(DEEP, DEEP_B, move("linear", 2, 0))),
    Case("accept/linear-at-the-bound", proof(DEEP, DEEP_LESS, move("linear", 2, 0))),
    Case("accept/dead-by-bounds", proof(LOW, LOW_B, move("dead", 2, 0))),
    Case("accept/dead-by-a-lower-bound", proof(ABOVE, ABOVE_B, move("dead", 2, 0))),
    Case("accept/mirror", proof(MIRROR, MIRROR_B, LINE)),
    Case("accept/mirror-in-the-plane", proof(PLANE, PLANE_B, LINE)),
    Case("accept/mirror-of-two", proof(TWO, TWO_B, LINE)),
    Case("accept/mirror-with-a-constant", proof(FLAT, FLAT_B, LINE)),
    Case("accept/mirror-back", proof(TWO_B, TWO, LINE)),
    Case("reject/neuron-not-dead--first", proof(LINEAR_B, LINEAR_B, move("dead", 1, 0))),
    Case(
        "reject/neuron-not-dead--other-neuron",
        proof(DEAD, changed(DEAD, 1, 0, 2), move("dead", 1, 0)),
    ),
    Case("reject/neuron-not-dead--only-in-a", proof(DEAD, changed(DEAD_B, 1, 1, 2), DEAD_2)),
    Case("reject/neuron-not-dead--only-in-b", proof(changed(DEAD_B, 1, 1, 2), DEAD, DEAD_2)),
    Case(
        "reject/neuron-not-dead--beyond-the-bound",
        proof(LOW, LOW_BEYOND, move("dead", 2, 0)),
    ),
    Case(
        "reject/neuron-not-dead--first-layer",
        proof(DEAD, [[[-1, 0, -1], [0, 1, 0]], *DEAD[1:]], move("dead", 0, 0)),
    ),
    Case("reject/neuron-not-linear--dead", proof(DEAD, DEAD, DEAD_2 | {"record": "linear"})),
    Case(
        "reject/neuron-not-linear--only-in-a",
        proof(
            LINEAR,
            [FIRST, [[1, -1, 2], [1, 2, -1]], [[1, 5, 10], [2, 7, 15]]],
            LINEAR_2,
        ),
    ),
    Case(
        "reject/neuron-not-linear--only-in-b",
        proof(
            [FIRST, [[1, -1, 2], [1, 2, -1]], [[1, 5, 10], [2, 7, 15]]],
            LINEAR,
            LINEAR_2,
        ),
    ),
    Case(
        "reject/neuron-not-linear--beyond-the-bound",
        proof(DEEP, DEEP_BEYOND, move("linear", 2, 0)),
    ),
    Case(
        "reject/neuron-not-linear--other-neuron",
        proof(
            LINEAR, [FIRST, [[1, -1, 3], [1, 2, 1]], [[1, 5, -1], [2, 7, -1]]], move("linear", 1, 0)
        ),
    ),
    Case("reject/neuron-not-hidden--beyond-the-end", proof(HIDING, HIDING_BEYOND, HIDDEN)),
    Case("reject/neuron-not-hidden--from-beyond-the-end", proof(HIDING_BEYOND, HIDING, HIDDEN)),
    Case(
        "reject/neuron-not-hidden--dead-neuron-wakes",
        proof(MIXED, MIXED_BEYOND, move("translation", 0, 0)),
    ),
    Case(
        "reject/neuron-not-hidden--next-layer-is-the-last",
        proof(
            [[[1, 0], [1, 3]], [[2, -1, -1]]],
            [[[1, 1], [1, 3]], [[2, -1, -3]]],
            move("translation", 0, 0),
        ),
    ),
    Case(
        "reject/neuron-not-hidden--positive-weight",
        proof(
            [HIDING[0], [[-1, 2, -1], [1, 1, -3]], HIDING[2]],
            [HIDING_B[0], [[-1, 2, -3], [1, 1, -4]], HIDING[2]],
            HIDDEN,
        ),
    ),
    Case(
        "reject/weights-differ--compensation-forgotten",
        proof(HIDING, [HIDING_B[0], *HIDING[1:]], HIDDEN),
    ),
    Case(
        "reject/weights-differ--linear-compensated-the-wrong-way",
        proof(LINEAR, [FIRST, LINEAR_B[1], [[1, 5, -5], [2, 7, -6]]], LINEAR_2),
    ),
    Case(
        "reject/weights-differ--second-output",
        proof(LINEAR, changed(LINEAR_B, 2, 1, 2), LINEAR_2),
    ),
    Case(
        "reject/weights-differ--first-output", proof(LINEAR, changed(LINEAR_B, 2, 0, 2), LINEAR_2)
    ),
    *(
        Case(
            f"reject/weights-differ--{name}-{l + 1}-{i + 1}-{j + 1}",
            proof(a, changed(b, l, i, j), r),
        )
        for name, a, b, r, places in (
            ("dead", DEAD, DEAD_B, DEAD_2, ((0, 0, 2), (1, 0, 0), (1, 0, 2), (2, 0, 0), (2, 1, 2))),
            ("linear", LINEAR, LINEAR_B, LINEAR_2, ((0, 1, 1), (1, 0, 2), (1, 1, 0), (2, 0, 1))),
            ("hidden", HIDING, HIDING_B, HIDDEN, ((0, 0, 2), (0, 1, 0), (1, 0, 1), (2, 0, 2))),
        )
        for l, i, j in places
    ),
    Case("reject/weights-differ--larger-in-a", proof(changed(DEAD, 0, 0, 2), DEAD_B, DEAD_2)),
    Case("reject/not-a-line--two-neurons", proof(WIDE, WIDE_B, LINE)),
    Case("reject/not-a-line--two-layers", proof(SHALLOW, SHALLOW, LINE)),
    Case("reject/not-a-line--four-layers", proof([*MIRROR, [[1, 0]]], [*MIRROR, [[2, 0]]], LINE)),
    Case("reject/not-a-line--other-sign", proof(ONE_WAY, [[[1, -2, 0]], *ONE_WAY[1:]], LINE)),
    Case("reject/not-a-line--constant-in-a", proof(CONSTANT, MIRROR_B, LINE)),
    Case("reject/not-a-line--constant-in-b", proof(MIRROR, CONSTANT, LINE)),
    Case(
        "reject/not-a-line--other-direction",
        proof(PLANE, [[[-HALF, 1, Fraction(-1, 6)]], *PLANE_B[1:]], LINE),
    ),
    Case(
        "reject/not-a-line--no-direction-in-b",
        proof(PLANE, [[[0, 0, Fraction(-1, 6)]], *PLANE_B[1:]], LINE),
    ),
    Case("reject/not-a-line--one-coordinate-agrees", proof(ALONG, ASKEW, LINE)),
    Case("reject/forms-differ--far-left-of-negative-zeros", proof(BEFORE, BEFORE_B, LINE)),
    Case("reject/forms-differ--bias", proof(TWO, changed(TWO_B, 2, 0, 2), LINE)),
    Case("reject/forms-differ--slope", proof(TWO, changed(TWO_B, 2, 0, 0), LINE)),
    Case("reject/forms-differ--place", proof(TWO, changed(TWO_B, 0, 0, 1), LINE)),
    Case("reject/forms-differ--beyond-a-zero", proof(RIGHT, RIGHT_B, LINE)),
    Case("reject/forms-differ--left-of-all-zeros", proof(ZERO, LEFT, LINE)),
    Case("reject/forms-differ--right-of-all-zeros", proof(LEFT, ZERO, LINE)),
    Case("reject/forms-differ--at-the-first-neuron", proof(STEEP, RAMP, LINE)),
    Case("reject/forms-differ--at-the-first-neuron-of-b", proof(RAMP, STEEP, LINE)),
    Case("reject/forms-differ--in-a-plane", proof(STEEP_PLANE, RAMP_PLANE, LINE)),
    Case(
        "reject/forms-differ--only-far-right",
        proof([[[1, 0]], [[1, 0]], [[1, 0]]], [[[1, 0]], [[2, 0]], [[1, 0]]], LINE),
    ),
    Case(
        "reject/forms-differ--only-far-left",
        proof([[[-1, 0]], [[1, 0]], [[1, 0]]], [[[-1, 0]], [[2, 0]], [[1, 0]]], LINE),
    ),
    Case(
        "reject/forms-differ--second-output",
        proof(
            [[[1, 0]], [[-1, 1]], [[1, 0], [1, 0]]],
            [[[-1, 1]], [[-1, 1]], [[-1, 1], [-1, 2]]],
            LINE,
        ),
    ),
    Case("reject/shapes-differ--outputs", proof(MIRROR, [*MIRROR_B[:2], [[-1, 1], [0, 0]]], LINE)),
    Case("reject/shapes-differ--layer", proof(MIRROR, TWO, LINE)),
    Case("reject/shapes-differ--layer-of-a", proof(TWO, MIRROR, LINE)),
    Case("reject/index-out-of-range--neuron", proof(DEAD, DEAD_B, move("dead", 1, 2))),
    Case("reject/index-out-of-range--last-layer", proof(DEAD, DEAD_B, move("dead", 2, 1))),
    Case("reject/missing-record--no-move", proof(DEAD, DEAD_B)),
    Case("reject/missing-record--isomorphic", proof(DEAD, DEAD, DEAD_2)),
    Case(
        "reject/missing-record--isomorphic-by-scaling",
        proof(
            DEAD,
            [FIRST, [DEAD[1][0], [-2, -4, -2]], [[1, Fraction(5, 2), 0], [2, Fraction(7, 2), 1]]],
            DEAD_2,
        ),
    ),
    Case(
        "reject/missing-record--isomorphic-after-a-choice",
        proof(TWINS, TWINS, move("linear", 1, 0), individualise(0, 1, 0)),
    ),
    Case("reject/surplus-record--choice", proof(DEAD, DEAD_B, DEAD_2, individualise(0, 1, 0))),
    Case("reject/wrong-record--choice", proof(DEAD, DEAD_B, individualise(0, 1, 0))),
    Case(
        "malformed/wrong-fields--line-with-a-neuron",
        proof(MIRROR, MIRROR_B, {**LINE, "neuron": 0}),
    ),
    Case("malformed/wrong-fields--no-layer", proof(DEAD, DEAD_B, {"neuron": 1, "record": "dead"})),
    Case("malformed/not-an-index--neuron", proof(DEAD, DEAD_B, move("dead", 1, -1))),
    Case("malformed/not-an-index--layer", proof(DEAD, DEAD_B, move("dead", "1", 1))),
)
