"""Cases of the claim kind ``largest-difference``."""

from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network, number, system, vector, without
from pair_trees import cut, nothing, within

from .equal_within import BOX, CONSTANT, HALF, LINE, NOTHING, RELU, RIGHT_PROOF, TREE, X

# x - s(x) on -1/2 < x < 3, and the other way round; bounds larger than 1/2 have other multipliers.
LOOSE = (
    cut(1, 0, 0),
    within(([2, 3], [1, 1], ()), ([0, 3], [1, 2], ())),
    within(*RIGHT_PROOF),
)
TWO = network([[1, 0], [1, 0]]), network([[1, HALF], [1, -2]])
THIRD = network([[1, Fraction(1, 3)]])
SQUARE = system(2, ("gt", [1, 0, 0]), ("gt", [-1, 0, 1]), ("gt", [0, 1, 0]), ("gt", [0, -1, 1]))
SUM = network([[1, 1, 0]])
SUM_PROOF = ([1, 3, 4], [1, 1, 1], ()), ([0, 2, 4], [1, 1, 1], ())


def claim(a: Json, b: Json, domain: Json, bound: Any) -> Json:
    """Return a largest-difference claim."""
    return {"a": a, "b": b, "bound": number(bound), "domain": domain, "kind": "largest-difference"}


def limit(inside: Any, point: Any) -> Json:
    """Return the record of the two points."""
    inside, point = (x if isinstance(x, tuple) else (x,) for x in (inside, point))
    return {"inside": vector(*inside), "point": vector(*point), "record": "limit"}


def relu(bound: Any, *records: Json, exchanged: bool = False) -> bytes:
    """Return a certificate about x and s(x)."""
    pair = (RELU, X) if exchanged else (X, RELU)
    return certificate(claim(*pair, BOX, bound), *records)


def line(a: Json, b: Json, bound: Any, *records: Json) -> bytes:
    """Return a certificate on all of R."""
    return certificate(claim(a, b, LINE, bound), *records)


CONSTANTS = within(CONSTANT, CONSTANT)
CASES = (
    Case("accept/at-the-boundary", relu(HALF, limit(0, -HALF), *TREE)),
    Case("accept/inside", line(X, network([[1, 3]]), 3, limit(0, 5), CONSTANTS)),
    Case("accept/inside-below", line(network([[1, 3]]), X, 3, limit(0, 5), CONSTANTS)),
    Case("accept/zero", line(X, X, 0, limit(1, 2), CONSTANTS)),
    Case("accept/a-third", line(X, THIRD, Fraction(1, 3), limit(1, 2), CONSTANTS)),
    Case("accept/second-output", line(*TWO, 2, limit(0, 0), within(*[CONSTANT] * 4))),
    Case(
        "accept/at-a-corner",
        certificate(
            claim(SUM, network([[0, 0, 0]]), SQUARE, 2),
            limit((HALF, HALF), (1, 1)),
            within(*SUM_PROOF),
        ),
    ),
    Case("reject/bound-not-taken--smaller-at-the-point", relu(HALF, limit(0, 0), *TREE)),
    Case("reject/bound-not-taken--the-bound-is-larger", relu(2, limit(0, -HALF), *LOOSE)),
    Case("reject/bound-not-taken--a-third", line(X, THIRD, HALF, limit(1, 2), CONSTANTS)),
    Case(
        "reject/bound-not-taken--of-no-output", line(*TWO, 3, limit(0, 0), within(*[CONSTANT] * 4))
    ),
    Case(
        "reject/bound-not-taken--between-the-outputs",
        line(*TWO, 1, limit(0, 0), within(*[CONSTANT] * 4)),
    ),
    Case("reject/point-outside--of-the-closure", relu(1, limit(0, -1), *LOOSE)),
    Case("reject/point-outside--inside-is-on-the-boundary", relu(HALF, limit(-HALF, -HALF), *TREE)),
    Case("reject/point-outside--inside-is-not", relu(HALF, limit(4, -HALF), *TREE)),
    Case(
        "reject/point-outside--the-domain-is-empty",
        certificate(claim(X, X, NOTHING, 0), limit(0, 0), nothing([0, 1], [1, 1])),
    ),
    Case(
        "reject/offset-positive--taken-but-not-the-largest",
        certificate(
            claim(SUM, network([[0, 0, 0]]), SQUARE, 1),
            limit((HALF, HALF), (1, 0)),
            within(*SUM_PROOF),
        ),
    ),
    Case("reject/missing-record--no-tree", relu(HALF, limit(0, -HALF))),
    Case("reject/wrong-record--no-points", relu(HALF, *TREE)),
    Case("reject/surplus-record--after-the-tree", relu(HALF, limit(0, -HALF), *TREE, CONSTANTS)),
    Case(
        "reject/bound-negative--minus-one", line(X, network([[1, -1]]), -1, limit(0, 0), CONSTANTS)
    ),
    Case(
        "reject/shapes-differ--outputs",
        line(X, network([[1, 0], [0, 0]]), 0, limit(0, 0), CONSTANTS),
    ),
    Case(
        "malformed/wrong-fields--no-inside", relu(HALF, without(limit(0, -HALF), "inside"), *TREE)
    ),
    Case("malformed/wrong-length--point", relu(HALF, limit(0, (0, 0)), *TREE)),
    Case("malformed/wrong-length--inside", relu(HALF, limit((0, 0), -HALF), *TREE)),
)
