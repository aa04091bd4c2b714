"""Cases of the claim kind ``regions``."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from forge import (
    Case,
    Json,
    cell,
    certificate,
    empty,
    hexes,
    network,
    point,
    sides,
    split,
    system,
    without,
)
from region_trees import proved, region_claim

S = split()
HALF = Fraction(1, 2)
OUT = [[1, 0]]  # an output layer that sees one neuron
LINE, PLANE = system(1), system(2)

# The preactivations are x + y + 1 and x + y: the pattern (-, +) is empty.
XOR = network([[1, 1, 1], [1, 1, 0]], [[2, -4, -1]])
XOR_TREE = (
    *(S, S, cell(-2, 0), empty([0, 1], [1, 1])),
    *(S, cell(-HALF, 0), cell(1, 0)),
)
# One input: x, and y = -x; then |x| - 1.
FOLD = network([[1, 0], [-1, 0]], [[1, 1, -1]], OUT)
FOLD_TREE = (
    *(S, S, empty([0, 1], [1, 1]), S, cell(-HALF), cell(-2)),
    *(S, S, cell(HALF), cell(2), empty([0, 1], [1, 1])),
)
# x/2, then h - 1, then h/3 - 1 with h = x/2 - 1: cuts at 0, 2 and 8; numerators x, x - 2, x - 8.
SCALED = network([[HALF, 0]], [[1, -1]], [[Fraction(1, 3), -1]], OUT)
SCALED_TREE = (S, cell(-1), S, cell(HALF), S, cell(7), cell(9))
# The same cuts, with the denominator 3 in the second layer.
SCALED_LATER = network([[HALF, 0]], [[Fraction(1, 3), Fraction(-1, 3)]], [[1, -1]], OUT)
# ReLU of x twice: the second neuron is 0 on the whole negative side.
TWICE = network([[1, 0]], [[1, 0]], OUT)
TWICE_TREE = (S, cell(-1), S, empty([0, 1], [1, 1]), cell(1))
# A positive constant, x, a constant that is 0, and a negative constant.
CONSTANTS = network([[0, 1], [1, 0], [0, 0], [0, -1]], [[1, 1, 1, 1, -2]], [[1, 0]])
CONSTANTS_TREE = (S, cell(-1), S, cell(HALF), cell(2))
DEAD = network([[0, -1], [0, -2]], [[3, 4, 0], [5, 6, 7]], [[1, 1, 0]])
ONE = network([[1, 0]], OUT)
ONE_TREE = (S, cell(-1), cell(1))
AFFINE = network([[3, 1]])
POSITIVE = system(1, ("gt", [1, 0]))
SEGMENT = system(1, ("gt", [1, 0]), ("gt", [-1, 1]))
NOTHING = system(1, ("gt", [1, -1]), ("gt", [-1, 0]))
BELOW_6 = system(1, ("gt", [-1, 6]))
# x + 1, -x - 1 and x - 1: on x > 0 only the last one cuts.
AHEAD = network([[1, 1], [-1, -1], [1, -1]], [[1, 1, 1, 0]])
AHEAD_PROOFS = (0, [0, 1], [1, 1]), (1, [0, 1], [1, 1])
AHEAD_SIDES = sides("+-", *AHEAD_PROOFS)
AHEAD_TREE = (AHEAD_SIDES, S, cell(HALF), cell(2))
# The same as FOLD_TREE, without splits that leave a side empty.
FOLD_SIDES = (
    *(S, sides("+", (1, [0, 1], [1, 1])), S, cell(-HALF), cell(-2)),
    *(sides("-", (1, [0, 1], [1, 1])), S, cell(HALF), cell(2)),
)
# x and x + 1, then h_1 - 1 and h_1 - 2.
STEPS = network([[1, 0], [1, 1]], [[1, 0, -1], [1, 0, -2]], [[1, 1, 0]])
STEPS_SIDES = sides("++", (0, [0, 1], [1, 1]), (1, [0, 1], [1, 1]))
STEPS_TREE = (
    STEPS_SIDES,
    S,
    sides("-", (1, [1, 2], [1, 1])),
    cell(HALF),
    S,
    cell(Fraction(3, 2)),
    cell(3),
)
STRIP = system(2, ("gt", [1, 0, 0]), ("gt", [-1, 0, 1]))
CENTRAL = network([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, -1, 0]], [[1, 1, 1, 1, 0]])
TWO_LAYERS = network(
    [[1, HALF, 0], [-1, 1, Fraction(1, 3)], [0, 1, -1]],
    [[1, -2, HALF, -1], [-1, 1, 1, Fraction(1, 5)]],
    [[1, 1, 0]],
)
THREE_LAYERS = network(
    [[HALF, 1], [-1, 1]],
    [[Fraction(1, 3), 1, -1], [1, -1, Fraction(1, 7)]],
    [[1, -1, Fraction(1, 5)], [-1, 0, 1]],
    [[1, 1, 0]],
)
LONG = 10**5000


def tree(of: Json, on: Json, count: int, *records: Json) -> bytes:
    """Return a certificate."""
    return certificate(region_claim(of, on, count), *records)


def xor(count: int, *records: Json) -> bytes:
    """Return a certificate about xor on the plane."""
    return tree(XOR, PLANE, count, *records)


def changed(place: int, *records: Json, of: Sequence[Json] = XOR_TREE) -> tuple[Json, ...]:
    """Return a tree with other records in the place of one."""
    return (*of[:place], *records, *of[place + 1 :])


def with_point(value: Any) -> bytes:
    """Return the certificate of xor with another point in its first cell."""
    return xor(3, *changed(2, {**cell(0, 0), "point": value}))


def claim_with(**changes: object) -> bytes:
    """Return the certificate of xor with changed fields of its claim."""
    return certificate({**region_claim(XOR, PLANE, 3), **changes}, *XOR_TREE)


ACCEPT = {
    "xor": (XOR, PLANE),
    "xor-on-a-strip": (XOR, STRIP),
    "one-neuron": (ONE, LINE),
    "one-neuron-on-a-ray": (ONE, POSITIVE),
    "fold": (FOLD, LINE),
    "denominators": (SCALED, LINE),
    "later-denominator": (SCALED_LATER, BELOW_6),
    "constants": (CONSTANTS, LINE),
    "dead-layer": (DEAD, LINE),
    "zero-on-one-side": (TWICE, LINE),
    "no-hidden-layer": (AFFINE, LINE),
    "no-hidden-layer-on-nothing": (AFFINE, NOTHING),
    "empty-domain": (FOLD, NOTHING),
    "domain-row-never-true": (XOR, system(2, ("gt", [0, 0, 0]))),
    "domain-row-always-true": (ONE, system(1, ("gt", [0, 1]))),
    "duplicate-neurons": (network([[1, 2, 3], [1, 2, 3], [-2, -4, -6]], [[1, 1, 1, 0]]), PLANE),
    "central": (CENTRAL, PLANE),
    "two-layers": (TWO_LAYERS, PLANE),
    "three-layers": (THREE_LAYERS, LINE),
    "space": (network([[1, 1, 0, 0], [0, 1, 1, -1]], [[1, -1, 0]], OUT), system(3)),
    "five-thousand-digits": (network([[LONG, 1], [1, 0]], [[1, 1, 0]]), LINE),
}


def file(name: str) -> bytes:
    """Return the accepted file of a name."""
    return certificate(*proved(*ACCEPT[name]))


IN_TWO_LAYERS = tree(STEPS, POSITIVE, 3, *STEPS_TREE)
CASES = (
    *(Case(f"accept/{name}", file(name)) for name in ACCEPT),
    Case("accept/denominators-by-hand", tree(SCALED, LINE, 4, *SCALED_TREE)),
    Case("accept/empty-only-below-a-split", tree(ONE, NOTHING, 0, S, *[empty([0, 1], [1, 1])] * 2)),
    Case("accept/sides-by-hand", tree(AHEAD, POSITIVE, 2, *AHEAD_TREE)),
    Case(
        "accept/sides-along-the-second-axis",
        tree(
            *(network([[0, 1, 1]], [[1, 0]]), system(2, ("gt", [0, 1, 0])), 1),
            *(sides("+", (0, [0, 1], [1, 1])), cell(0, 1)),
        ),
    ),
    Case(
        "accept/constant-in-the-plane",
        tree(
            *(network([[0, 0, 1], [1, 0, 0]], [[1, 1, -2]], [[1, 0]]), PLANE, 3),
            *(S, cell(-1, 0), S, cell(HALF, 0), cell(2, 0)),
        ),
    ),
    Case("accept/sides-below-a-split", tree(FOLD, LINE, 4, *FOLD_SIDES)),
    Case("accept/sides-in-two-layers", IN_TWO_LAYERS),
    Case(
        "accept/sides-one-after-the-other",
        tree(
            *(AHEAD, POSITIVE, 2, sides("-", (1, [0, 1], [1, 1]))),
            *(sides("+", (0, [0, 1], [1, 1])), *AHEAD_TREE[1:]),
        ),
    ),
    # The shape of the tree.
    Case("reject/missing-record--no-tree", xor(0)),
    Case("reject/missing-record--no-tree-without-hidden-layer", tree(AFFINE, LINE, 0)),
    Case("reject/missing-record--last-cell", xor(2, *XOR_TREE[:-1])),
    Case("reject/missing-record--positive-side-of-the-root", xor(1, *XOR_TREE[:4])),
    Case("reject/missing-record--split-without-sides", xor(0, S)),
    Case("reject/nothing-to-split--in-the-place-of-the-last-cell", xor(2, *changed(6, S))),
    Case("reject/surplus-record--extra-cell", xor(3, *XOR_TREE, cell(2, 0))),
    Case("reject/surplus-record--extra-empty", xor(3, *XOR_TREE, empty([0, 1], [1, 1]))),
    Case("reject/surplus-record--a-second-tree", xor(3, *XOR_TREE, *XOR_TREE)),
    Case(
        "reject/surplus-record--below-an-empty-root",
        tree(ONE, NOTHING, 0, empty([0, 1], [1, 1]), S),
    ),
    Case(
        "reject/nothing-to-split--after-the-last-neuron",
        xor(4, *changed(2, S, cell(-2, 0), cell(-3, 0))),
    ),
    Case("reject/nothing-to-split--no-hidden-layer", tree(AFFINE, LINE, 2, S, cell(-1), cell(1))),
    Case(
        "reject/nothing-to-split--neuron-that-is-0-on-the-cell",
        tree(TWICE, LINE, 3, *changed(1, S, cell(-1), cell(-2), of=TWICE_TREE)),
    ),
    Case("reject/nothing-to-split--dead-layer", tree(DEAD, LINE, 2, S, cell(-1), cell(1))),
    Case(
        "reject/nothing-to-split--constant-after-the-last",
        tree(CONSTANTS, LINE, 3, *changed(1, S, cell(-1), empty([0], [1]), of=CONSTANTS_TREE)),
    ),
    Case(
        "reject/nothing-to-split--both-sides-of-0-empty",
        tree(network([[0, 0]], OUT), LINE, 0, S, empty([0], [1]), empty([0], [1])),
    ),
    Case(
        "reject/nothing-to-split--inactive-neuron-passed-on",
        tree(
            *(network([[1, 0]], [[1, 1]], OUT), LINE, 3),
            *(S, S, cell(-2), cell(-HALF), S, empty([0, 1], [1, 1]), cell(1)),
        ),
    ),
    Case(
        "reject/nothing-to-split--inactive-neuron-passed-on-with-the-sign-of-its-side",
        tree(
            *(network([[1, 0]], [[1, -1]], OUT), LINE, 4),
            *(S, S, cell(-HALF), cell(-2), S, cell(HALF), cell(2)),
        ),
    ),
    Case(
        "reject/neuron-undecided--second-coordinate",
        tree(network([[0, 1, 0]], OUT), PLANE, 1, cell(0, 0)),
    ),
    Case("reject/neuron-undecided--root", xor(1, cell(0, 0))),
    Case("reject/neuron-undecided--second-neuron", xor(2, S, cell(-2, 0), cell(1, 0))),
    Case(
        "reject/neuron-undecided--second-layer",
        tree(FOLD, LINE, 3, *FOLD_TREE[:3], cell(-HALF), *FOLD_TREE[6:]),
    ),
    Case("reject/neuron-undecided--third-layer", tree(SCALED, LINE, 3, *SCALED_TREE[:4], cell(9))),
    Case("reject/neuron-undecided--after-a-constant", tree(CONSTANTS, LINE, 1, cell(0))),
    Case("reject/neuron-undecided--relu-forgotten", tree(FOLD, LINE, 2, S, cell(-1), cell(1))),
    Case(
        "reject/neuron-undecided--constant-dropped-from-the-inputs",
        tree(network([[0, 1], [1, 0]], [[-1, 1, 0]], OUT), LINE, 2, *ONE_TREE),
    ),
    Case("reject/region-count--one-more", xor(4, *XOR_TREE)),
    Case("reject/region-count--one-less", xor(2, *XOR_TREE)),
    Case("reject/region-count--extra-cell-after-the-tree", xor(4, *XOR_TREE, cell(2, 0))),
    Case("reject/region-count--none", xor(0, *XOR_TREE)),
    Case("reject/region-count--empty-cells-counted-too", tree(TWICE, LINE, 3, *TWICE_TREE)),
    Case("reject/region-count--empty-domain", tree(ONE, NOTHING, 1, empty([0, 1], [1, 1]))),
    Case("reject/region-count--no-hidden-layer", tree(AFFINE, LINE, 0, cell(0))),
    # Cells.
    Case("reject/point-outside--sides-swapped", tree(ONE, LINE, 2, S, cell(1), cell(-1))),
    Case("reject/point-outside--boundary-of-the-first-cut", xor(3, *changed(5, cell(-1, 0)))),
    Case("reject/point-outside--boundary-of-the-second-cut", xor(3, *changed(5, cell(0, 0)))),
    Case("reject/point-outside--boundary-of-both-sides", tree(ONE, LINE, 2, S, cell(0), cell(0))),
    Case("reject/point-outside--in-the-sibling", xor(3, *changed(6, cell(-HALF, 0)))),
    Case("reject/point-outside--in-the-cousin", xor(3, *changed(5, cell(-2, 0)))),
    Case("reject/point-outside--empty-cell-counted", xor(4, *changed(3, cell(-HALF, 0)))),
    Case(
        "reject/point-outside--both-points-on-the-positive-side",
        tree(ONE, POSITIVE, 2, S, cell(1), cell(2)),
    ),
    Case(
        "reject/point-outside--both-points-on-the-negative-side",
        tree(ONE, system(1, ("gt", [-1, 0])), 2, S, cell(-1), cell(-2)),
    ),
    Case("reject/point-outside--domain-ignored", tree(ONE, POSITIVE, 2, *ONE_TREE)),
    Case("reject/point-outside--last-row-of-the-domain", tree(AFFINE, SEGMENT, 1, cell(2))),
    Case("reject/point-outside--first-row-of-the-domain", tree(AFFINE, SEGMENT, 1, cell(-1))),
    Case("reject/point-outside--boundary-of-the-domain", tree(AFFINE, SEGMENT, 1, cell(1))),
    Case("reject/point-outside--empty-domain", tree(AFFINE, NOTHING, 1, cell(HALF))),
    Case(
        "reject/point-outside--row-that-is-never-true",
        tree(AFFINE, system(1, ("gt", [0, 0])), 1, cell(0)),
    ),
    Case(
        "reject/point-outside--mask-of-the-other-side",
        tree(FOLD, LINE, 4, *changed(5, cell(2), of=FOLD_TREE)),
    ),
    Case(
        "reject/point-outside--scale-of-the-first-layer-lost",
        tree(SCALED, LINE, 4, S, cell(-1), S, cell(HALF), S, cell(Fraction(3, 2)), cell(9)),
    ),
    Case(
        "reject/point-outside--denominator-of-its-own-layer-in-the-bias",
        tree(SCALED, LINE, 4, *changed(5, cell(10), of=SCALED_TREE)),
    ),
    Case(
        "reject/point-outside--scale-of-the-third-layer-lost",
        tree(SCALED, LINE, 4, *changed(6, cell(6), of=SCALED_TREE)),
    ),
    Case(
        "reject/point-outside--scale-of-the-last-layer-only",
        tree(SCALED, BELOW_6, 4, S, cell(-1), S, cell(HALF), S, cell(4), cell(Fraction(11, 2))),
    ),
    Case(
        "reject/point-outside--scale-of-the-first-layer-only",
        tree(SCALED_LATER, BELOW_6, 4, S, cell(-1), S, cell(HALF), S, cell(3), cell(5)),
    ),
    Case(
        "reject/point-outside--negative-constant-as-an-input",
        tree(CONSTANTS, LINE, 3, S, cell(-1), S, cell(Fraction(3, 2)), cell(3)),
    ),
    # Empty cells.
    Case("reject/dependency-empty--no-multipliers", xor(2, *changed(6, empty([], [])))),
    Case("reject/dependency-empty--whole-line", tree(AFFINE, LINE, 0, empty([], []))),
    Case("reject/multiplier-not-positive--zero", xor(3, *changed(3, empty([0, 1], [0, 0])))),
    Case(
        "reject/multiplier-not-positive--last-is-zero",
        tree(AFFINE, system(1, ("gt", [0, 0]), ("gt", [1, 0])), 0, empty([0, 1], [1, 0])),
    ),
    Case("reject/multiplier-not-positive--negative", xor(2, *changed(5, empty([0, 1], [-1, -1])))),
    Case(
        "reject/multiplier-not-positive--one-negative", xor(2, *changed(6, empty([0, 1], [1, -1])))
    ),
    Case("reject/not-increasing--duplicate-row", xor(3, *changed(3, empty([0, 0, 1], [1, 1, 2])))),
    Case("reject/not-increasing--descending", xor(3, *changed(3, empty([1, 0], [1, 1])))),
    Case(
        "reject/index-out-of-range--no-such-row", xor(3, *changed(3, empty([0, 1, 2], [1, 1, 1])))
    ),
    Case("reject/index-out-of-range--root-has-no-rows", xor(0, empty([0], [1]))),
    Case(
        "reject/index-out-of-range--row-of-the-cousin",
        xor(1, *XOR_TREE[:4], empty([0, 1], [1, 1])),
    ),
    Case(
        "reject/index-out-of-range--row-below-the-cell",
        tree(ONE, POSITIVE, 0, empty([0, 1], [1, 1])),
    ),
    Case(
        "reject/index-out-of-range--row-of-a-constant",
        tree(CONSTANTS, LINE, 3, *changed(1, empty([0, 1], [1, 1]), of=CONSTANTS_TREE)),
    ),
    Case(
        "reject/combination-not-zero--sign-of-the-sibling",
        xor(2, *changed(6, empty([0, 1], [1, 1]))),
    ),
    Case(
        "reject/combination-not-zero--sibling-that-is-empty",
        xor(2, *changed(2, empty([0, 1], [1, 1]))),
    ),
    Case("reject/combination-not-zero--wrong-weights", xor(3, *changed(3, empty([0, 1], [1, 2])))),
    Case("reject/combination-not-zero--one-row", xor(3, *changed(3, empty([0], [1])))),
    Case(
        "reject/combination-not-zero--second-coordinate",
        tree(
            AFFINE_2 := network([[1, 1, 0]]),
            system(2, ("gt", [1, 1, -1]), ("gt", [-1, 0, 0])),
            0,
            empty([0, 1], [1, 1]),
        ),
    ),
    Case(
        "reject/combination-not-zero--first-coordinate",
        tree(AFFINE_2, system(2, ("gt", [1, 1, -1]), ("gt", [0, -1, 0])), 0, empty([0, 1], [1, 1])),
    ),
    Case(
        "reject/combination-not-zero--constant-neuron-split",
        tree(CONSTANTS, LINE, 3, S, empty([0], [1]), *CONSTANTS_TREE),
    ),
    Case(
        "reject/combination-not-zero--mask-of-the-other-side",
        tree(FOLD, LINE, 3, *changed(5, empty([0, 2], [1, 1]), of=FOLD_TREE)),
    ),
    Case(
        "reject/offset-positive--domain-row-taken-for-a-cut",
        tree(ONE, SEGMENT, 1, S, empty([0, 1], [1, 1]), empty([1, 2], [1, 2])),
    ),
    Case("reject/offset-positive--cell-with-points", xor(2, *changed(5, empty([0, 1], [1, 1])))),
    Case(
        "reject/offset-positive--domain-with-points", tree(ONE, SEGMENT, 0, empty([0, 1], [1, 1]))
    ),
    Case(
        "reject/offset-positive--constant-row",
        tree(ONE, system(1, ("gt", [0, 1])), 0, empty([0], [1])),
    ),
    Case(
        "reject/offset-positive--scale-of-the-bias-lost",
        tree(
            network([[HALF, 0]], [[1, -1]], OUT),
            system(1, ("gt", [-1, 3])),
            2,
            *(S, cell(-1), S, cell(HALF), empty([0, 2], [1, 1])),
        ),
    ),
    # Neurons with one sign.
    Case("reject/missing-record--after-sides", tree(AHEAD, POSITIVE, 0, AHEAD_SIDES)),
    Case("reject/dependency-empty--sides-of-nothing", tree(ONE, LINE, 2, sides(""), *ONE_TREE)),
    Case(
        "reject/dependency-empty--sides-without-rows",
        tree(ONE, LINE, 1, sides("+", (0, [], [])), cell(1)),
    ),
    Case("reject/neuron-decided--twice-ahead", tree(AHEAD, POSITIVE, 2, AHEAD_SIDES, *AHEAD_TREE)),
    Case(
        "reject/neuron-decided--twice-ahead-of-a-cut",
        tree(
            *(network([[1, -1], [1, 1]], [[1, 1, 0]]), POSITIVE, 2),
            *(*[sides("+", (1, [0, 1], [1, 1]))] * 2, S, cell(HALF), cell(2)),
        ),
    ),
    Case(
        "reject/neuron-decided--constant-in-the-plane",
        tree(
            *(network([[0, 0, 1], [1, 0, 0]], [[1, 1, 0]]), PLANE, 2),
            *(sides("+", (0, [0], [1])), S, cell(-1, 0), cell(1, 0)),
        ),
    ),
    Case(
        "reject/neuron-decided--split-before",
        tree(FOLD, LINE, 4, *changed(1, sides("-", (0, [0, 1], [1, 1])), of=FOLD_SIDES)),
    ),
    Case(
        "reject/neuron-decided--constant",
        tree(CONSTANTS, LINE, 3, sides("+", (0, [0], [1])), *CONSTANTS_TREE),
    ),
    Case(
        "reject/neuron-decided--constant-ahead-that-is-0",
        tree(CONSTANTS, LINE, 3, sides("+", (2, [0], [1])), *CONSTANTS_TREE),
    ),
    Case(
        "reject/nothing-to-split--all-decided-ahead",
        tree(ONE, POSITIVE, 2, sides("+", (0, [0, 1], [1, 1])), S, cell(1), cell(2)),
    ),
    Case(
        "reject/neuron-undecided--sides-of-the-sibling",
        tree(FOLD, LINE, 4, *FOLD_SIDES[:5], *FOLD_SIDES[6:]),
    ),
    Case(
        "reject/neuron-undecided--sides-of-the-layer-before",
        tree(STEPS, POSITIVE, 1, STEPS_SIDES, cell(3)),
    ),
    Case("reject/region-count--sides-counted", tree(AHEAD, POSITIVE, 3, *AHEAD_TREE)),
    Case(
        "reject/index-out-of-range--no-such-neuron",
        tree(AHEAD, POSITIVE, 2, sides("+", (3, [0, 1], [1, 1])), *AHEAD_TREE),
    ),
    Case(
        "reject/index-out-of-range--sides-after-the-last-neuron",
        tree(AHEAD, POSITIVE, 2, *AHEAD_TREE[:2], sides("+", (0, [0, 1], [1, 1])), cell(1)),
    ),
    Case(
        "reject/index-out-of-range--row-after-that-of-the-neuron",
        tree(AHEAD, POSITIVE, 2, sides("+", (0, [0, 2], [1, 1])), *AHEAD_TREE),
    ),
    Case(
        "reject/not-increasing--neurons-swapped",
        tree(
            *(AHEAD, POSITIVE, 2),
            *(sides("-+", (1, [0, 1], [1, 1]), (0, [0, 1], [1, 1])), *AHEAD_TREE[1:]),
        ),
    ),
    Case(
        "reject/multiplier-not-positive--sides",
        tree(ONE, LINE, 1, sides("+", (0, [0], [0])), cell(1)),
    ),
    Case(
        "reject/combination-not-zero--sides-of-a-neuron-that-cuts",
        tree(ONE, LINE, 1, sides("+", (0, [0], [1])), cell(1)),
    ),
    Case(
        "reject/combination-not-zero--active-taken-for-inactive",
        tree(AHEAD, POSITIVE, 2, sides("--", *AHEAD_PROOFS), *AHEAD_TREE[1:]),
    ),
    Case(
        "reject/combination-not-zero--inactive-taken-for-active",
        tree(AHEAD, POSITIVE, 2, sides("++", *AHEAD_PROOFS), *AHEAD_TREE[1:]),
    ),
    Case(
        "reject/combination-not-zero--row-of-the-sibling",
        tree(FOLD, LINE, 4, *changed(5, FOLD_SIDES[1], of=FOLD_SIDES)),
    ),
    Case(
        "reject/offset-positive--sides-of-a-neuron-that-cuts",
        tree(
            *(network([[2, -1]], OUT), SEGMENT, 1),
            *(sides("+", (0, [0, 2], [2, 1])), cell(Fraction(3, 4))),
        ),
    ),
    Case(
        "reject/point-outside--sides-do-not-make-points",
        tree(AHEAD, POSITIVE, 2, *changed(2, cell(-2), of=AHEAD_TREE)),
    ),
    Case(
        "malformed/unknown-sense--sign-0",
        tree(AHEAD, POSITIVE, 2, sides("0-", *AHEAD_PROOFS), *AHEAD_TREE[1:]),
    ),
    Case(
        "malformed/unknown-sense--sign-is-a-number",
        tree(AHEAD, POSITIVE, 2, {**AHEAD_SIDES, "signs": [1, "-"]}, *AHEAD_TREE[1:]),
    ),
    Case(
        "malformed/wrong-length--signs-too-few",
        tree(AHEAD, POSITIVE, 2, sides("+", *AHEAD_PROOFS), *AHEAD_TREE[1:]),
    ),
    Case(
        "malformed/wrong-length--proofs-too-few",
        tree(AHEAD, POSITIVE, 2, {**AHEAD_SIDES, "rows": [[0, 1]]}, *AHEAD_TREE[1:]),
    ),
    Case(
        "malformed/wrong-length--proofs-too-many",
        tree(AHEAD, POSITIVE, 2, {**AHEAD_SIDES, "values": [["1", "1"]] * 3}, *AHEAD_TREE[1:]),
    ),
    Case(
        "malformed/not-a-list--signs-as-a-text",
        tree(AHEAD, POSITIVE, 2, {**AHEAD_SIDES, "signs": "+-"}, *AHEAD_TREE[1:]),
    ),
    Case(
        "malformed/wrong-fields--sides-without-signs",
        tree(AHEAD, POSITIVE, 2, without(AHEAD_SIDES, "signs"), *AHEAD_TREE[1:]),
    ),
    # Other records.
    Case("reject/wrong-record--point", xor(3, *changed(2, point(-2, 0)))),
    Case(
        "reject/wrong-record--multipliers",
        xor(3, *changed(3, {**XOR_TREE[3], "record": "multipliers"})),
    ),
    Case("reject/wrong-record--list", xor(3, {"record": ["split"]}, *XOR_TREE[1:])),
    Case("reject/wrong-record--no-name", xor(3, {}, *XOR_TREE[1:])),
    Case(
        "malformed/wrong-fields--split-with-a-row",
        xor(3, {**S, "row": hexes([1, 1, 1])}, *XOR_TREE[1:]),
    ),
    Case("malformed/wrong-fields--cell-without-point", xor(3, *changed(2, {"record": "cell"}))),
    Case(
        "malformed/wrong-fields--cell-with-signs",
        xor(3, *changed(2, {**cell(-2, 0), "signs": "--"})),
    ),
    Case(
        "malformed/wrong-fields--empty-with-a-row", xor(3, *changed(3, {**XOR_TREE[3], "row": []}))
    ),
    Case("malformed/wrong-length--point-too-long", with_point(["1", hexes([-2, 0, 0])])),
    Case("malformed/wrong-length--point-too-short", with_point(["1", hexes([-2])])),
    Case("malformed/wrong-length--values-too-few", xor(3, *changed(3, empty([0, 1], [1])))),
    Case("malformed/denominator-not-positive--zero", with_point(["0", hexes([-1, 0])])),
    Case("malformed/denominator-not-positive--negative", with_point(["-1", hexes([2, 0])])),
    Case("malformed/not-lowest-terms--point", with_point(["2", hexes([-4, 0])])),
    Case(
        "malformed/not-an-index--row-as-a-string",
        xor(3, *changed(3, {**XOR_TREE[3], "rows": ["0", "1"]})),
    ),
    # The claim.
    Case("malformed/not-an-index--count-as-a-string", claim_with(n_regions="3")),
    Case("malformed/not-an-index--count-is-true", tree(AFFINE, LINE, True, cell(0))),
    Case("malformed/not-an-index--count-negative", xor(-3, *XOR_TREE)),
    Case(
        "malformed/wrong-fields--no-domain",
        certificate(without(region_claim(XOR, PLANE, 3), "domain"), *XOR_TREE),
    ),
    Case(
        "malformed/wrong-fields--no-count",
        certificate(without(region_claim(XOR, PLANE, 3), "n_regions"), *XOR_TREE),
    ),
    Case("malformed/wrong-fields--order-of-neurons", claim_with(order=[1, 0])),
    Case("malformed/not-an-object--domain-is-null", claim_with(domain=None)),
    Case("malformed/dimensions-differ--domain-too-small", claim_with(domain=LINE)),
    Case("malformed/dimensions-differ--domain-too-large", claim_with(domain=system(3))),
    Case("malformed/dimensions-differ--a-trillion-dimensions", claim_with(domain=system(10**12))),
    Case(
        "malformed/dimensions-differ--no-dimension",
        tree(AFFINE, system(0, ("gt", [0])), 0, empty([0], [1])),
    ),
    Case("reject/domain-not-open--ge", tree(AFFINE, system(1, ("ge", [1, 0])), 1, cell(1))),
    Case("reject/domain-not-open--eq", tree(AFFINE, system(1, ("eq", [1, 0])), 1, cell(0))),
    Case(
        "reject/domain-not-open--ge-after-gt",
        tree(AFFINE, system(1, ("gt", [1, 0]), ("ge", [-1, 0])), 0, empty([0, 1], [1, 1])),
    ),
    Case(
        "reject/domain-not-open--closed-point-called-empty",
        tree(AFFINE, system(1, ("ge", [1, 0]), ("ge", [-1, 0])), 0, empty([0, 1], [1, 1])),
    ),
    Case("malformed/unknown-sense--lt", claim_with(domain=system(2, ("lt", [1, 1, 1])))),
)
