"""Cases of the steps ``never-active`` and of the end ``isomorphic`` of ``equal-by-rewriting``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, hexes, network, system, without

from .equal_by_rewriting import END, FAR_RAY, OTHER, RAY, claim, drop, proof
from .isomorphic import symmetry

HALF = Fraction(1, 2)
ISOMORPHIC = {"record": "isomorphic"}


def never(layer: int, neuron: int) -> Json:
    """Return the record before a tree."""
    return {"layer": layer, "neuron": neuron, "record": "never-active"}


def branch(layer: int, neuron: int) -> Json:
    """Return an inner node: the active side comes first."""
    return {"layer": layer, "neuron": neuron, "record": "branch"}


def bound(
    factor: int,
    *slopes: Sequence[int],
    rows: Sequence[int] = (),
    values: Sequence[int] = (),
) -> Json:
    """Return a leaf."""
    return {
        "factor": f"{factor:x}",
        "record": "bound",
        "rows": list(rows),
        "slopes": [hexes(layer) for layer in slopes],
        "values": hexes(values),
    }


# s(x - 1) - s(x) is <= 0, and 0 where x <= 0; a relaxation without a branch does not see it.
STEPS = [[1, 0], [1, -1]]
DOWN, UP = [-1, 1, 0], [1, 1, 0]
NET = network(STEPS, [DOWN, UP], [[5, 1, 2]])
SMALL = network(STEPS, [UP], [[1, 2]])
TREE = (branch(0, 1), bound(1, [-1, 1]), bound(1, [0, 0]))
HALVES = [[HALF, 0], [HALF, -HALF]]
# The same with a layer in between.
SAME = [[1, 0, 0], [0, 1, 0]]
DEEP = network(STEPS, SAME, [DOWN, UP], [[5, 1, 2]])
DEEP_SMALL = network(STEPS, SAME, [UP], [[1, 2]])
DEEP_TREE = (
    branch(1, 1),
    branch(0, 1),
    bound(1, [-1, 1], [-1, 1]),
    bound(1, [0, 0], [-1, 1]),
    bound(1, [0, 0], [0, 0]),
)
# x >= 0 and -x - 1 >= 0 exclude each other.
APART = [[1, 0], [-1, -1]]
APART_NET = network(APART, [[-1, -2, 0], UP], [[5, 1, 2]])
APART_SMALL = network(APART, [UP], [[1, 2]])
APART_TREE = (
    branch(0, 0),
    branch(0, 1),
    bound(0, [1, 1]),
    bound(1, [0, 0]),
    bound(1, [0, 0]),
)
ABSOLUTE = [[1, 0], [-1, 0]]
# The first layer, with a neuron that is <= 0 on a domain.
FALLING = network([[-1, 0], [1, -1]], [[3, 4, 5]])
FALLING_SMALL = network([[1, -1]], [[4, 5]])
CORNER = system(2, ("gt", [1, 0, 0]), ("gt", [0, 2, -1]), ("gt", [-1, -1, 9]))
CORNERED = network([[-3, -4, 2], [1, 1, -1]], [[3, 4, 5]])
CORNERED_SMALL = network([[1, 1, -1]], [[4, 5]])
TWO = network([[0, -1], [1, 0], [1, -1]], [[9, -1, 1, 0], [9, 1, 1, 0]], [[5, 1, 2]])


def alive(
    row: Sequence[Fraction | int], *tree: Json, first: Sequence[Sequence[int]] = STEPS
) -> bytes:
    """Return a false claim: a neuron of the second layer that is positive somewhere is removed."""
    return proof(
        network(first, [row, [1, 1, 1]], [[5, 1, 2]]),
        network(first, [[1, 1, 1]], [[1, 2]]),
        never(1, 0),
        *tree,
    )


def small(*tree: Json) -> bytes:
    """Return a proof with another tree."""
    return proof(NET, SMALL, never(1, 0), *tree)


def symmetric(*ends: Json, b: Json = SMALL, steps: Sequence[Json] = (never(1, 0), *TREE)) -> bytes:
    """Return a proof that ends with an isomorphism."""
    return certificate(claim(NET, b), *steps, ISOMORPHIC, *ends)


# Swapped, then scaled by 2 and 1/3, and by 5.
MOVED = network(
    [[2, -2], [Fraction(1, 3), 0]],
    [[Fraction(5, 2), 15, 0]],
    [[Fraction(1, 5), 2]],
)
MOVES = (symmetry([1, 0], 2, Fraction(1, 3)), symmetry([0], 5))

CASES = (
    Case("accept/one-branch", small(*TREE)),
    Case("accept/two-layers-before", proof(DEEP, DEEP_SMALL, never(2, 0), *DEEP_TREE)),
    Case(
        "accept/denominators",
        proof(
            network(HALVES, [[-HALF, HALF, 0], UP], [[5, 1, 2]]),
            network(HALVES, [UP], [[1, 2]]),
            never(1, 0),
            branch(0, 1),
            bound(2, [-1, 1]),
            bound(2, [0, 0]),
        ),
    ),
    Case("accept/larger-numbers", small(branch(0, 1), bound(7, [-7, 7]), bound(3, [0, 0]))),
    Case(
        "accept/a-slope-beyond-its-coefficient",
        proof(
            network(STEPS, [[-2, 1, 0], UP], [[5, 1, 2]]),
            SMALL,
            never(1, 0),
            branch(0, 1),
            bound(1, [-2, 2]),
            bound(1, [0, 0]),
        ),
    ),
    Case(
        "accept/branches-on-both-sides",
        small(
            branch(0, 0),
            *TREE,
            branch(0, 1),
            bound(0, [-1, 1]),
            bound(1, [0, 0]),
        ),
    ),
    Case(
        "accept/sides-that-exclude-each-other",
        proof(APART_NET, APART_SMALL, never(1, 0), *APART_TREE),
    ),
    Case(
        "accept/no-branch",
        proof(
            network(ABSOLUTE, [[-1, -2, 0], UP], [[5, 1, 2]]),
            network(ABSOLUTE, [UP], [[1, 2]]),
            never(1, 0),
            bound(1, [-1, -1]),
        ),
    ),
    Case(
        "accept/on-a-ray",
        proof(FALLING, FALLING_SMALL, never(0, 0), bound(1, rows=[0], values=[1]), domain=RAY),
    ),
    Case(
        "accept/on-a-far-ray",
        proof(FALLING, FALLING_SMALL, never(0, 0), bound(2, rows=[0], values=[1]), domain=FAR_RAY),
    ),
    Case(
        "accept/two-rows-of-a-domain",
        proof(
            CORNERED,
            CORNERED_SMALL,
            never(0, 0),
            bound(1, rows=[0, 1], values=[3, 2]),
            domain=CORNER,
        ),
    ),
    Case(
        "accept/rows-of-a-domain-below-a-layer",
        proof(
            network([[1, 0], [1, 1]], [[1, -1, 0], UP], [[5, 1, 2]]),
            network([[1, 0], [1, 1]], [UP], [[1, 2]]),
            never(1, 0),
            branch(0, 0),
            bound(1, [1, -1]),
            bound(0, [-1, 0], rows=[0], values=[1]),
            domain=system(1, ("gt", [1, -1])),
        ),
    ),
    Case(
        "accept/by-its-bias",
        proof(network([[0, -2], [1, -1]], [[3, 4, 5]]), FALLING_SMALL, never(0, 0), bound(1)),
    ),
    Case(
        "accept/always-zero",
        proof(network([[0, 0], [1, -1]], [[3, 4, 5]]), FALLING_SMALL, never(0, 0), bound(1)),
    ),
    Case(
        "accept/indices-after-a-step",
        proof(TWO, SMALL, drop(0, 0), never(1, 0), *TREE),
    ),
    Case(
        "accept/dropped-after-it",
        proof(
            TWO,
            SMALL,
            never(0, 0),
            bound(1),
            never(1, 0),
            branch(0, 1),
            bound(1, [-1, 1]),
            bound(1, [0, 0]),
        ),
    ),
    Case("accept/of-the-other", proof(SMALL, NET, OTHER, never(1, 0), *TREE)),
    Case("accept/isomorphic", symmetric(*MOVES, b=MOVED)),
    Case("accept/isomorphic-to-itself", symmetric(symmetry([0, 1], 1, 1), symmetry([0], 1))),
    Case(
        "accept/isomorphic-without-steps",
        symmetric(symmetry([0, 1], 1, 1), symmetry([0, 1], 1, 1), b=NET, steps=()),
    ),
    # The slopes.
    Case("reject/slope-too-small--undecided", alive([1, 0, -1], bound(1, [0, 0]))),
    Case(
        "reject/slope-too-small--undecided-and-negative",
        alive([-1, 1, 1], branch(0, 1), bound(1, [-2, 2]), bound(1, [0, 0])),
    ),
    Case(
        "reject/slope-too-small--active",
        alive([1, 0, -1], branch(0, 0), bound(1, [0, 0]), bound(1, [0, 0])),
    ),
    Case(
        "reject/slope-too-small--by-one-of-two",
        alive([3, 0, -1], branch(0, 0), bound(2, [5, 0]), bound(1, [0, 0])),
    ),
    Case("reject/slope-too-small--other-order", small(TREE[0], TREE[2], TREE[1])),
    Case(
        "reject/slope-too-small--another-neuron",
        proof(NET, network(STEPS, [DOWN], [[5, 2]]), never(1, 1), *TREE),
    ),
    Case(
        "reject/slope-too-small--another-layer",
        proof(
            DEEP, DEEP_SMALL, never(2, 0), *DEEP_TREE[:2], bound(1, [0, 0], [-1, 0]), *DEEP_TREE[3:]
        ),
    ),
    Case(
        "reject/slope-too-small--without-its-denominator",
        proof(
            network(HALVES, [[1, 0, -1], UP], [[5, 1, 2]]),
            network(HALVES, [UP], [[1, 2]]),
            never(1, 0),
            branch(0, 0),
            bound(2, [0, 0]),
            bound(1, [0, 0]),
        ),
    ),
    Case("reject/slope-positive--undecided", alive([1, 1, 0], bound(1, [1, 1]), first=ABSOLUTE)),
    Case(
        "reject/slope-positive--inactive",
        alive(
            [1, 1, 0],
            branch(0, 0),
            branch(0, 1),
            bound(1, [1, 1]),
            bound(1, [1, 1]),
            bound(1, [1, 1]),
            first=ABSOLUTE,
        ),
    ),
    Case("reject/slope-positive--branch-forgotten", small(bound(1, [-1, 1]))),
    Case(
        "reject/slope-positive--first-layer",
        proof(
            DEEP,
            DEEP_SMALL,
            never(2, 0),
            branch(1, 1),
            bound(1, [-1, 1], [-1, 1]),
            bound(1, [0, 0], [0, 0]),
        ),
    ),
    # The factor, and the bound.
    Case("reject/multiplier-not-positive--factor", alive([0, 0, 1], bound(-1, [0, 0]))),
    Case("reject/offset-not-negative--nothing", alive([0, 0, 1], bound(0, [0, 0]))),
    Case(
        "reject/offset-not-negative--sides-that-touch",
        alive(
            [0, 0, 1],
            branch(0, 0),
            branch(0, 1),
            bound(0, [1, 1]),
            bound(0, [0, 0]),
            bound(0, [0, 0]),
            first=ABSOLUTE,
        ),
    ),
    Case("reject/offset-positive--bias", alive([0, 0, 1], bound(1, [0, 0]))),
    Case("reject/offset-positive--after-a-branch", alive([-1, 1, 1], *TREE)),
    Case(
        "reject/offset-positive--bias-of-the-layer-before",
        alive(
            [-1, 1, 0], branch(0, 1), bound(1, [-1, 1]), bound(1, [0, 0]), first=[[1, 0], [1, 1]]
        ),
    ),
    Case(
        "reject/offset-positive--row-of-the-domain",
        proof(
            FALLING,
            FALLING_SMALL,
            never(0, 0),
            bound(1, rows=[0], values=[1]),
            domain=system(1, ("gt", [1, 1])),
        ),
    ),
    Case(
        "reject/offset-positive--factor-zero",
        alive(
            [0, 0, 1], branch(0, 0), bound(0, [1, 0]), bound(0, [-1, 0]), first=[[0, -1], [1, 0]]
        ),
    ),
    # The coordinates.
    Case("reject/combination-not-zero--slopes", small(TREE[0], bound(1, [0, 1]), TREE[2])),
    Case("reject/combination-not-zero--negative", small(TREE[0], TREE[1], bound(1, [-1, 0]))),
    Case(
        "reject/combination-not-zero--no-row", proof(FALLING, FALLING_SMALL, never(0, 0), bound(1))
    ),
    Case(
        "reject/combination-not-zero--not-enough-of-a-row",
        proof(FALLING, FALLING_SMALL, never(0, 0), bound(2, rows=[0], values=[1]), domain=RAY),
    ),
    Case(
        "reject/combination-not-zero--second-coordinate",
        proof(CORNERED, CORNERED_SMALL, never(0, 0), bound(1, rows=[0], values=[3]), domain=CORNER),
    ),
    Case(
        "reject/multiplier-not-positive--negative-row",
        proof(
            network([[1, 0], [1, -1]], [[3, 4, 5]]),
            network([[1, -1]], [[4, 5]]),
            never(0, 0),
            bound(1, rows=[0], values=[-1]),
            domain=RAY,
        ),
    ),
    Case(
        "reject/multiplier-not-positive--row-with-zero",
        proof(
            CORNERED,
            CORNERED_SMALL,
            never(0, 0),
            bound(1, rows=[0, 1, 2], values=[3, 2, 0]),
            domain=CORNER,
        ),
    ),
    Case(
        "reject/index-out-of-range--row",
        proof(FALLING, FALLING_SMALL, never(0, 0), bound(1, rows=[1], values=[1]), domain=RAY),
    ),
    Case(
        "reject/not-increasing--rows",
        proof(
            CORNERED,
            CORNERED_SMALL,
            never(0, 0),
            bound(1, rows=[1, 0], values=[2, 3]),
            domain=CORNER,
        ),
    ),
    # The tree.
    Case("reject/neuron-decided--active", small(TREE[0], *TREE, TREE[2])),
    Case("reject/neuron-decided--inactive", small(*TREE[:2], *TREE)),
    Case("reject/wrong-record--missing-child", small(*TREE[:2])),
    Case("reject/wrong-record--one-leaf-more", small(*TREE, TREE[2])),
    Case("reject/wrong-record--no-tree", small()),
    Case("reject/wrong-record--step-in-the-tree", small(TREE[0], drop(1, 0), *TREE[1:])),
    Case("reject/missing-record--cut-off", certificate(claim(NET, SMALL), never(1, 0), *TREE[:2])),
    Case("reject/missing-record--no-end", certificate(claim(NET, SMALL), never(1, 0), *TREE)),
    Case("reject/index-out-of-range--branch-in-its-layer", small(branch(1, 1), TREE[1], TREE[2])),
    Case(
        "reject/index-out-of-range--branch-after-its-layer",
        proof(DEEP, DEEP, never(1, 0), branch(2, 0)),
    ),
    Case("reject/index-out-of-range--branch-neuron", small(branch(0, 2), *TREE[1:])),
    Case(
        "reject/index-out-of-range--branch-of-the-first-layer",
        proof(FALLING, FALLING_SMALL, never(0, 0), branch(0, 1), bound(1), bound(1), domain=RAY),
    ),
    Case("reject/index-out-of-range--neuron", proof(NET, SMALL, never(1, 2), *TREE)),
    Case(
        "reject/index-out-of-range--output",
        proof(NET, SMALL, never(2, 0), bound(1, [0, 0], [0, 0])),
    ),
    Case(
        "reject/result-differs--another-network",
        proof(NET, network(STEPS, [UP], [[1, 3]]), never(1, 0), *TREE),
    ),
    Case(
        "reject/layer-empty--last-neuron",
        proof(network(STEPS, [DOWN], [[5, 2]]), network([[0, 2]]), never(1, 0), *TREE),
    ),
    # The end.
    Case("reject/shapes-differ--neuron-left", symmetric(*MOVES, b=MOVED, steps=())),
    Case(
        "reject/weights-differ--not-scaled",
        symmetric(symmetry([1, 0], 1, 1), symmetry([0], 5), b=MOVED),
    ),
    Case("reject/not-a-permutation--twice", symmetric(symmetry([0, 0], 1, 1), symmetry([0], 1))),
    Case("reject/scaling-not-positive--zero", symmetric(symmetry([0, 1], 1, 0), symmetry([0], 1))),
    Case("reject/missing-record--second-layer", symmetric(MOVES[0], b=MOVED)),
    Case("reject/wrong-record--result-for-a-layer", symmetric(MOVES[0], END, b=MOVED)),
    Case("reject/surplus-record--result-after-it", symmetric(*MOVES, END, b=MOVED)),
    Case("reject/result-differs--isomorphic-only", proof(NET, MOVED, never(1, 0), *TREE)),
    # Malformed.
    Case("malformed/wrong-length--layers", small(TREE[0], bound(1), TREE[2])),
    Case("malformed/wrong-length--neurons", small(TREE[0], bound(1, [-1]), TREE[2])),
    Case("malformed/wrong-length--values", small(TREE[0], bound(1, [-1, 1], values=[1]), TREE[2])),
    Case("malformed/not-an-integer--factor", small(TREE[0], {**TREE[1], "factor": 1}, TREE[2])),
    Case("malformed/not-an-index--layer", small(branch(-1, 1), *TREE[1:])),
    Case("malformed/not-an-index--neuron", proof(NET, SMALL, never(1, -1), *TREE)),
    Case("malformed/not-a-list--slopes", small(TREE[0], {**TREE[1], "slopes": "0"}, TREE[2])),
    Case("malformed/wrong-fields--no-slopes", small(TREE[0], without(TREE[1], "slopes"), TREE[2])),
)
