"""Cases of the claim kind ``counterexample``: the statements of S003 about convolutions."""

from fractions import Fraction

from forge import Case, Json, network, number

from forgeries.counterexample_s003 import (
    BIASED,
    HALF,
    SIGNS,
    SIGNS_PROOF,
    THIRD,
    collide,
    injective,
    linear,
    refuted,
    value,
)
from forgeries.layer_injective import EACH, X_PAIR, Y_PAIR, cover
from forgeries.limits import both


def _convolutions() -> list[Case]:
    name, row, count = "theorem-3", "lemma-3", "kernel-count"
    ones = linear([[1], [-1]])
    shifted = linear([[0, 1], [0, 0], [0, -1], [0, 0]])
    blind = collide(shifted, [0, 1], [1, 1])
    P, n = {"P": 1}, {"n": 2}
    # Kernels of width 2, over 2: the second entry comes first.
    wide = [[1, HALF], [-1, -HALF], [0, 1], [0, -1]]
    turned = linear([[HALF, 1], [-HALF, -1], [1, 0], [-1, 0]])
    turned_proof = injective(turned, cover((0, 1), (1, 1)), cover((2, 1), (3, 1)))
    moved = linear(
        [
            *([0, HALF, 1], [0, 0, HALF], [0, 0, 0], [0, -HALF, -1], [0, 0, -HALF], [0, 0, 0]),
            *([0, 1, 0], [0, 0, 1], [0, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0]),
        ]
    )
    kernel_row = linear([[1, HALF]])
    operator = network([[0, HALF, 1, 0], [0, 0, HALF, 0], [0, 0, 0, 0]])
    value_0 = value(operator, [HALF, 1, 0], [HALF, 0, 0])
    four = linear([[1, 0], [0, 1], [-1, 0], [0, -1]])
    four_proof = injective(four, X_PAIR, Y_PAIR)
    two = [[1, 0], [0, 1], [-1, 0], [0, -1]]
    half = [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]]
    in_3 = linear([*half, *([-entry for entry in row] for row in half)])
    pairs = [cover((i, 1), (i + 4, 1)) for i in range(3)]
    units = [[int(i == j) for j in range(4)] for i in range(4)]
    three = [unit[:3] for unit in units[:3]]
    nine = linear([*three, *three, *([-u for u in unit] for unit in three)])
    three_proof = injective(nine, *(cover((i, 1), (i + 6, 1)) for i in range(3)))
    q_4 = linear([[1], [1], [-1], [-1]])
    q_4_in_2 = linear([[1, 0], [0, 1]] * 2 + [[-1, 0], [0, -1]] * 2)
    q_4_proof = injective(q_4_in_2, cover((0, 1), (4, 1)), cover((1, 1), (5, 1)))
    return [
        Case("accept/theorem-3", refuted(name, SIGNS_PROOF, blind, N=ones, **P, **n)),
        Case(
            "accept/theorem-3-width-2",
            refuted(
                *(name, turned_proof, collide(moved, [0, 0, 0], [1, 0, 0])),
                N=linear(wide),
                P=2,
                n=3,
            ),
        ),
        Case(
            "accept/theorem-3-as-long-as-P",
            refuted(
                *(name, SIGNS_PROOF, collide(linear([[0], [0]]), [0], [1])),
                N=ones,
                P=1,
                n=1,
            ),
        ),
        Case(
            "reject/wrong-facts--theorem-3-longer",
            refuted(name, SIGNS_PROOF, blind, N=ones, P=1, n=3),
        ),
        Case(
            "reject/wrong-facts--theorem-3-wider",
            refuted(name, SIGNS_PROOF, blind, N=ones, P=2, n=2),
        ),
        Case(
            "reject/wrong-facts--theorem-3-not-turned",
            refuted(
                *(name, injective(linear(wide), EACH), collide(moved, [0, 0, 0], [1, 0, 0])),
                N=linear(wide),
                P=2,
                n=3,
            ),
        ),
        Case(
            "reject/not-a-counterexample--theorem-3-short",
            refuted(name, four_proof, collide(linear([[0], [0]]), [0], [1]), N=ones, P=2, n=1),
        ),
        Case(
            "reject/not-a-counterexample--theorem-3-narrow",
            refuted(name, SIGNS_PROOF, blind, N=linear(wide), P=1, n=2),
        ),
        Case(
            "reject/not-a-counterexample--theorem-3-bias",
            refuted(name, SIGNS_PROOF, blind, N=BIASED, P=1, n=2),
        ),
        Case(
            "malformed/not-an-index--theorem-3",
            refuted(name, SIGNS_PROOF, blind, N=ones, P="1", n=2),
        ),
        Case(
            "malformed/not-an-index--theorem-3-n",
            refuted(name, SIGNS_PROOF, blind, N=ones, P=1, n=-2),
        ),
        Case("accept/lemma-3", refuted(row, value_0, N=kernel_row, V=0, n=3)),
        Case(
            "accept/lemma-3-integers",
            refuted(row, value(network([[0, 0]]), [1], [0]), N=linear([[1]]), V=0, n=1),
        ),
        Case(
            "reject/not-a-counterexample--lemma-3-a-row",
            refuted(
                row,
                value(operator, [0, HALF, 1], [Fraction(5, 4), HALF, 0]),
                N=kernel_row,
                V=1,
                n=3,
            ),
        ),
        Case(
            "reject/not-a-counterexample--lemma-3-zero",
            refuted(row, value(network([[0, 0]]), [0], [0]), N=linear([[0]]), V=0, n=1),
        ),
        Case(
            "reject/not-a-counterexample--lemma-3-long",
            refuted(row, value_0, N=kernel_row, V=2, n=3),
        ),
        Case("reject/not-a-counterexample--lemma-3-two", refuted(row, value_0, N=SIGNS, V=0, n=1)),
        Case(
            "reject/wrong-facts--lemma-3-elsewhere",
            refuted(
                row, value(operator, [1, HALF, 0], [Fraction(1, 4), 0, 0]), N=kernel_row, V=0, n=3
            ),
        ),
        Case(
            "reject/wrong-facts--lemma-3-other",
            refuted(row, value(network([[0, 0, 0, 0]]), [HALF, 1, 0], [0]), N=kernel_row, V=0, n=3),
        ),
        Case("accept/count", refuted(count, four_proof, N=ones, P=2, n=1)),
        Case(
            "reject/not-a-counterexample--count-three",
            refuted(count, three_proof, N=linear([[1], [1], [-1]]), P=3, n=1),
        ),
        Case(
            "accept/count-width-2", refuted(count, injective(in_3, *pairs), N=linear(two), P=3, n=1)
        ),
        Case(
            "reject/not-a-counterexample--count-enough",
            refuted(count, q_4_proof, N=q_4, P=2, n=1),
        ),
        Case(
            "reject/not-a-counterexample--count-narrow",
            refuted(count, SIGNS_PROOF, N=ones, P=1, n=1),
        ),
        Case(
            "reject/not-a-counterexample--count-wide",
            refuted(count, SIGNS_PROOF, N=linear(two), P=1, n=1),
        ),
        Case("reject/wrong-facts--count-other", refuted(count, SIGNS_PROOF, N=ones, P=2, n=1)),
    ]


def _example_1(height: int, width: int) -> Json:
    rows = []
    for sign in (1, -1):
        for peak in range(4):
            for i in range(height):
                for j in range(width):
                    row = [0] * (height * width)
                    for k, (a, b) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
                        row[(i + a) % height * width + (j + b) % width] += sign * (
                            4 * (k == peak) - 1
                        )
                    rows.append(row)
    return linear(rows)


def _examples() -> list[Case]:
    name, filters = "example-1", "appendix-F"
    two, wide = _example_1(2, 2), _example_1(2, 3)
    one = linear([[0]] * 8)
    constant = [collide(of, [0] * n, [1] * n) for of, n in ((two, 4), (wide, 6), (one, 1))]
    tall = collide(_example_1(3, 2), [0] * 6, [1] * 6)
    flat = linear([[1, 0]])
    blind = collide(linear([[1, 0], [-1, 0]]), [0, 1], [0, 2])
    third = linear([[1, THIRD], [0, 0]])
    both_rows = linear([[1, THIRD], [0, 0], [Fraction(-4, 9), Fraction(-4, 27)], [0, 0]])
    dead = linear([[1], [0]])
    return [
        Case("accept/example-1", refuted(name, constant[0], height=2, width=2)),
        Case("accept/example-1-wide", refuted(name, constant[1], height=2, width=3)),
        Case("accept/example-1-tall", refuted(name, tall, height=3, width=2)),
        Case("reject/wrong-facts--example-1-tall", refuted(name, constant[1], height=3, width=2)),
        Case(
            "reject/not-a-counterexample--example-1-small",
            refuted(name, constant[2], height=1, width=1),
        ),
        Case(
            "reject/not-a-counterexample--example-1-flat",
            refuted(name, constant[0], height=1, width=4),
        ),
        Case("accept/filters", refuted(filters, blind, N=flat, s=number(1))),
        Case("accept/filters-negative", refuted(filters, blind, N=flat, s=number(-1))),
        Case(
            "accept/filters-third",
            refuted(filters, collide(both_rows, [0, 0], [1, -3]), N=third, s=number(2 * THIRD)),
        ),
        Case("reject/wrong-facts--filters-factor", refuted(filters, blind, N=flat, s=number(2))),
        Case(
            "reject/not-a-counterexample--filters-s",
            refuted(filters, collide(dead, [-1], [-2]), N=linear([[1]]), s=number(0)),
        ),
        Case(
            "reject/not-a-counterexample--filters-zero",
            refuted(filters, collide(linear([[0], [0]]), [-1], [-2]), N=linear([[0]]), s=number(1)),
        ),
        Case(
            "reject/not-a-counterexample--filters-bias",
            refuted(filters, blind, N=BIASED, s=number(1)),
        ),
    ]


_ALL = (*_convolutions(), *_examples())
#: What the arithmetic of the statements costs, to the last unit of fuel.
FUEL = {"theorem-3-width-2": 421, "lemma-3": 90, "example-1-wide": 1838}
CASES = (
    *_ALL,
    *(
        case
        for name, fuel in FUEL.items()
        for case in both(
            f"out-of-fuel--{name}",
            "--max-fuel",
            fuel,
            next(found.data for found in _ALL if found.name == f"accept/{name}"),
        )
    ),
)
