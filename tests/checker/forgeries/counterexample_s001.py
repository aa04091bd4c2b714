"""Counterexamples to statements of S001: those that the search found, with other instances."""

from fractions import Fraction

from forge import Case, matrix, network, system, vector
from lemma_cases import altered, kept, other_fact, refused

HALF = Fraction(1, 2)
NAMES = ("condition-3", "lemma-3", "lemma-A16", "nonzero-entries", "one-piece", "theorem-A1")
BENT = [[1, 0, 0], [0, 1, 1]]
AFFINE = network([[1, 0, 1]])
ON_A_LINE = network([[1, 0]], [[1, 1]])
TWO_OUTPUTS = network([[1, 0, 0]], [[1, 1], [1, 2]])
SHAPES = {
    "affine": {"N": AFFINE},
    "on-a-line": {"N": ON_A_LINE},
    "two-outputs": {"N": TWO_OUTPUTS},
}
IDENTITY = [[1, 0, 0], [0, 1, 0]]
SECOND = [[4, 1, -4], [1, 1, 1]]
LAST = [[1, 2, 3]]
ARMS = [[-1, 1, 0, 1], [0, 2, -1, 1], [-1, 0, 0, 5], [-1, 1, 3, 5]]
SPACE = network([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], [[4, 1, 1, -4], [1, 1, 2, 1]], LAST)
FOLDS, PART = 7, 8


def surface(name: str, **fields: object) -> bytes:
    """Return a kept counterexample with another list of pieces or edges."""
    return other_fact(f"S001-{name}", 1, **fields)


PIECES = kept("S001-lemma-3")[0]["facts"][1]["pieces"]
EDGES = kept("S001-lemma-3")[0]["facts"][1]["edges"]
PATHS = kept("S001-theorem-A1")[0]["facts"][FOLDS]["edges"]

CASES = (
    *(Case(f"accept/{name}", altered(f"S001-{name}")) for name in NAMES),
    Case("accept/lemma-3-other-order", surface("lemma-3", edges=EDGES[2:] + EDGES[:2])),
    *refused(
        "S001-condition-3",
        {
            **SHAPES,
            "no-layer": {"l": 3},
            "no-unit": {"i": 1},
            "no-unit-j": {"j": 1},
            "one-unit": {"k": 2},
            "zero-at-p": {"p": vector(0, 0)},
            "zero-at-q": {"q": vector(0, 0)},
            "no-multiples": {"q": vector(0, Fraction(-3, 2)), "p": vector(0, Fraction(-3, 2))},
            "first-layer": {"k": 0},
        },
    ),
    *refused(
        "S001-condition-3", {"p": {"p": vector(0, 3)}, "q": {"q": vector(0, 3)}}, "point-outside"
    ),
    Case(
        "reject/wrong-facts--condition-3-other-domain",
        altered("S001-condition-3", Z=system(2)),
    ),
    *refused(
        "S001-nonzero-entries",
        {
            **SHAPES,
            "no-zero": {"N": network([[1, 2, 0]], [[1, 1]])},
            "zero-bias-only": {"N": network([[1, 2, 0]], [[1, 0]])},
        },
    ),
    *refused(
        "S001-nonzero-entries",
        {"other-network": {"N": network([[0, 1, 0]], [[1, 1]])}},
        "wrong-facts",
    ),
    *refused("S001-lemma-3", SHAPES),
    Case("reject/not-a-counterexample--lemma-3-no-edges", surface("lemma-3", edges=[])),
    Case("reject/not-a-counterexample--lemma-3-early-edges", surface("lemma-3", edges=EDGES[:2])),
    Case("reject/wrong-facts--lemma-3-hidden", surface("lemma-3", hidden=1)),
    Case("reject/wrong-facts--lemma-3-remaining", surface("lemma-3", remaining=1)),
    Case(
        "reject/not-a-counterexample--lemma-3-only-first",
        surface("lemma-3", edges=[EDGES[2], EDGES[0]], pieces=[PIECES[1]] * 6),
    ),
    Case(
        "reject/not-a-counterexample--one-piece-each",
        surface("one-piece", pieces=PIECES[:5], edges=EDGES[:1]),
    ),
    *refused("S001-one-piece", SHAPES),
    *refused(
        "S001-lemma-A16",
        {
            **SHAPES,
            "deep": {"N": network([[1, 0, 0]], [[1, 0]], [[1, 0]], [[1, 0]])},
            "shallow": {"N": network([[1, 0, 0]], [[1, 0]])},
            "no-unit": {"i": 1},
            "not-zero": {"p": vector(0, 1)},
            "not-on-fold": {"p": vector(-1, 0)},
            "falls": {"d": vector(0, 1)},
            "level": {"d": vector(0, 0)},
            "constant-unit": {
                "N": network([[0, 0, 0], [0, 1, 2]], [[1, -1, 2]], [[1, 1]]),
            },
            "behind": {"d": vector(-1, 0)},
            "inactive": {"N": network([[1, 0, 0], [0, -1, -1]], [[-1, -1, 0]], [[1, 1]])},
        },
    ),
    *refused("S001-lemma-A16", {"p": {"p": vector(0, -3)}}, "point-outside"),
    *refused(
        "S001-lemma-A16",
        {"rises-by-the-fold": {"N": network([[1, 0, 0]], [[1, 0]], [[1, 1]]), "d": vector(1, 0)}},
        "wrong-facts",
    ),
    *refused(
        "S001-theorem-A1",
        {
            "wide-second": {
                "theta": network(IDENTITY, [*SECOND, [1, 2, 1]], [[1, 2, 3, 4]]),
                "eta": network(IDENTITY, [*SECOND, [1, 2, 1]], [[1, 2, 3, 4]]),
            },
            "narrow-second": {
                "theta": network(IDENTITY, SECOND[:1], [[1, 2]]),
                "eta": network(IDENTITY, SECOND[:1], [[1, 2]]),
            },
            "two-outputs": {
                "theta": network(IDENTITY, SECOND, [*LAST, [1, 1, 1]]),
                "eta": network(IDENTITY, SECOND, [*LAST, [1, 1, 1]]),
            },
            "other-widths": {"eta": network(IDENTITY, [*SECOND, [1, 2, 1]], [[1, 2, 3, 4]])},
            "moved": {"theta": network([[1, 0, 1], [0, 1, 0]], SECOND, LAST)},
            "halved": {"theta": network([[HALF, 0, 0], [0, HALF, 0]], SECOND, LAST)},
            "empty-box": {"B": matrix([*ARMS, [-1, -1, 0, 5]])},
            "turned-box": {"B": matrix([*ARMS, [1, -1, 0, 5]])},
            "apart": {"B": matrix([ARMS[0], ARMS[1], ARMS[3]])},
            "touching": {"B": matrix([*ARMS, [1, 2, 3, 5]])},
            "apart-in-space": {
                "theta": SPACE,
                "eta": SPACE,
                "B": matrix([[0, 1] * 3, [2, 3] * 3]),
                "x": vector(HALF, HALF, HALF),
            },
            "x-left": {"x": vector(-HALF, 4)},
            "x-on-side": {"x": vector(1, 4)},
            "x-on-axis": {"x": vector(0, Fraction(9, 2))},
            "x-below": {"x": vector(HALF, -HALF)},
            "x-in-slit": {"x": vector(HALF, 2)},
            "x-inactive": {"x": vector(HALF, HALF)},
            "x-zero": {"x": vector(1, 0)},
            "x-on-fold": {"x": vector(Fraction(7, 8), HALF)},
        },
    ),
    Case(
        "reject/not-a-counterexample--theorem-A1-one-start",
        other_fact("S001-theorem-A1", FOLDS, edges=PATHS[:2]),
    ),
    Case(
        "reject/not-a-counterexample--theorem-A1-one-piece",
        other_fact(
            "S001-theorem-A1",
            PART,
            pieces=kept("S001-theorem-A1")[0]["facts"][PART]["pieces"][:1],
        ),
    ),
    Case(
        "reject/wrong-facts--theorem-A1-remaining",
        other_fact("S001-theorem-A1", FOLDS, remaining=1),
    ),
    Case(
        "reject/wrong-facts--theorem-A1-part-remaining",
        other_fact("S001-theorem-A1", PART, remaining=1),
    ),
    *refused(
        "S001-theorem-A1",
        {
            "bigger": {"B": matrix([*ARMS[:3], [-1, 1, 3, 6]])},
            "another-box": {"B": matrix([*ARMS, ARMS[0]])},
        },
        "wrong-facts",
    ),
    Case(
        "malformed/wrong-length--theorem-A1-boxes", altered("S001-theorem-A1", B=matrix([[0, 1]]))
    ),
    Case("malformed/not-a-list--theorem-A1-boxes", altered("S001-theorem-A1", B=1)),
)
