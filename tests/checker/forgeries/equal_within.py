"""Cases of the claim kind ``equal-within``."""

from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network, number, system
from pair_trees import SAME, cut, decided, nothing, within

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
X = network([[1, 0]])
RELU = network([[1, 0]], [[1, 0]])
LINE = system(1)
BOX = system(1, ("gt", [2, 1]), ("gt", [-1, 3]))  # -1/2 < x < 3
NOTHING = system(1, ("gt", [1, -1]), ("gt", [-1, 0]))
# x - s(x) is x on the left, between -1/2 and 0, and 0 on the right.
LEFT_PROOF = ([2, 3], [2, 1], ()), ([0, 3], [1, 1], ())
RIGHT_PROOF = ([3], [1], ()), ([3], [1], ())
TREE = (cut(1, 0, 0), within(*LEFT_PROOF), within(*RIGHT_PROOF))
# Over denominators 2 and 3: x/2 - s(x)/3 is x/2 on the left, x/6 on the right, numerators 3x and x.
DENOMINATORS = network([[HALF, 0]]), network([[1, 0]], [[THIRD, 0]])
TWO = network([[1, 0], [1, 0]]), network([[1, HALF], [1, -HALF]])


def claim(a: Json, b: Json, domain: Json, bound: Any) -> Json:
    """Return an equal-within claim."""
    return {"a": a, "b": b, "bound": number(bound), "domain": domain, "kind": "equal-within"}


def tree(a: Json, b: Json, domain: Json, bound: Any, *records: Json) -> bytes:
    """Return a certificate."""
    return certificate(claim(a, b, domain, bound), *records)


def relu(bound: Any, *records: Json) -> bytes:
    """Return a certificate about x and s(x)."""
    return tree(X, RELU, BOX, bound, *records)


CONSTANT = ([0], [1], ())
CASES = (
    Case("accept/exactly", relu(HALF, *TREE)),
    Case(
        "accept/more",
        relu(
            2,
            cut(1, 0, 0),
            within(([2, 3], [1, 1], ()), ([0, 3], [1, 2], ())),
            within(*RIGHT_PROOF),
        ),
    ),
    Case("accept/zero-bound", tree(X, X, LINE, 0, within(CONSTANT, CONSTANT))),
    Case("accept/constant", tree(X, network([[1, 3]]), LINE, 3, within(CONSTANT, CONSTANT))),
    Case(
        "accept/constant-exchanged", tree(network([[1, 3]]), X, LINE, 3, within(CONSTANT, CONSTANT))
    ),
    Case("accept/two-outputs", tree(*TWO, LINE, HALF, within(*[CONSTANT] * 4))),
    Case("accept/empty-domain", tree(X, RELU, NOTHING, 0, nothing([0, 1], [1, 1]))),
    Case(
        "accept/denominators",
        tree(
            *DENOMINATORS,
            BOX,
            HALF,
            cut(1, 0, 0),
            within(([2, 3], [6, 1], ()), ([0, 3], [3, 1], ())),
            within(([1, 3], [2, 1], ()), ([2, 3], [2, 1], ())),
        ),
    ),
    Case(
        "accept/sides",
        tree(
            X,
            RELU,
            system(1, ("gt", [1, 0])),
            0,
            decided("+", (1, 0, 0), [0, 1], [1, 1]),
            within(*[([1], [1], ())] * 2),
        ),
    ),
    Case(
        # On the right of 0 it does not matter that s(x) is known: the fact s(x) - x >= 0 will do.
        "accept/fact-of-a-decided-neuron",
        relu(
            HALF,
            cut(1, 0, 0),
            within(LEFT_PROOF[0], ([0, 3], [1, 1], [((1, 0, 0), 3, 0)])),
            within(*RIGHT_PROOF),
        ),
    ),
    Case(
        # x - s(x) is never positive: no cut is needed for that half of the claim.
        "accept/fact-instead-of-a-row",
        relu(
            HALF,
            cut(1, 0, 0),
            within(([3], [1], [((1, 0, 0), 0, 2)]), LEFT_PROOF[1]),
            within(*RIGHT_PROOF),
        ),
    ),
    Case(
        "reject/offset-positive--bound-too-small",
        relu(
            THIRD,
            cut(1, 0, 0),
            within(([2, 3], [3, 1], ()), ([0, 3], [3, 2], ())),
            within(*RIGHT_PROOF),
        ),
    ),
    Case(
        "reject/offset-positive--constant-above",
        tree(network([[1, 3]]), X, LINE, Fraction(14, 5), within(CONSTANT, CONSTANT)),
    ),
    Case(
        "reject/offset-positive--constant-below",
        tree(X, network([[1, 3]]), LINE, Fraction(14, 5), within(CONSTANT, CONSTANT)),
    ),
    Case(
        "reject/offset-positive--one-of-two-outputs",
        tree(
            network([[1, 0], [1, 0]]),
            network([[1, 0], [1, 1]]),
            LINE,
            HALF,
            within(*[CONSTANT] * 4),
        ),
    ),
    Case(
        "reject/combination-not-zero--unbounded",
        tree(
            X,
            RELU,
            LINE,
            100,
            cut(1, 0, 0),
            within(([0, 1], [1, 1], ()), ([0, 1], [1, 1], ())),
            within(*[([1], [1], ())] * 2),
        ),
    ),
    Case(
        "reject/combination-not-zero--before-the-cut",
        relu(HALF, within(([1, 2], [2, 1], ()), ([0, 2], [1, 1], ()))),
    ),
    Case(
        "reject/combination-not-zero--weights",
        relu(HALF, cut(1, 0, 0), within(([2, 3], [1, 1], ()), LEFT_PROOF[1]), within(*RIGHT_PROOF)),
    ),
    Case(
        "reject/combination-not-zero--signs-exchanged",
        relu(HALF, cut(1, 0, 0), within(*LEFT_PROOF[::-1]), within(*RIGHT_PROOF)),
    ),
    Case(
        "reject/combination-not-zero--rows-of-the-sibling",
        relu(HALF, cut(1, 0, 0), within(*RIGHT_PROOF), within(*RIGHT_PROOF)),
    ),
    Case(
        "reject/combination-not-zero--fact-for-the-other-half",
        relu(
            HALF,
            cut(1, 0, 0),
            within(LEFT_PROOF[0], ([3], [1], [((1, 0, 0), 0, 2)])),
            within(*RIGHT_PROOF),
        ),
    ),
    Case(
        "reject/multiplier-not-positive--row",
        relu(
            HALF, cut(1, 0, 0), within(([2, 3], [-2, 1], ()), LEFT_PROOF[1]), within(*RIGHT_PROOF)
        ),
    ),
    Case("reject/dependency-empty--no-row", tree(X, X, LINE, 0, within(([], [], ()), CONSTANT))),
    Case("reject/bound-negative--minus-one", tree(X, X, LINE, -1, within(CONSTANT, CONSTANT))),
    Case("reject/missing-record--one-side", relu(HALF, *TREE[:2])),
    Case("reject/surplus-record--a-leaf", relu(HALF, *TREE, TREE[-1])),
    Case("reject/wrong-record--same", tree(X, X, LINE, 0, SAME)),
    Case(
        "reject/domain-not-open--closed",
        tree(X, X, system(1, ("ge", [1, 0])), 0, within(CONSTANT, CONSTANT)),
    ),
    Case(
        "reject/shapes-differ--outputs",
        tree(X, network([[1, 0]] * 2), LINE, 0, within(CONSTANT, CONSTANT)),
    ),
    Case("malformed/wrong-length--one-proof", tree(X, X, LINE, 0, within(CONSTANT))),
    Case(
        "malformed/wrong-length--one-of-two-outputs",
        tree(*TWO, LINE, HALF, within(CONSTANT, CONSTANT)),
    ),
    Case(
        "malformed/wrong-fields--no-bound",
        certificate(
            {k: v for k, v in claim(X, X, LINE, 0).items() if k != "bound"},
            within(CONSTANT, CONSTANT),
        ),
    ),
    Case(
        "malformed/not-lowest-terms--bound",
        certificate({**claim(X, X, LINE, 0), "bound": ["2", "0"]}, within(CONSTANT, CONSTANT)),
    ),
    Case(
        "malformed/dimensions-differ--domain", tree(X, X, system(2), 0, within(CONSTANT, CONSTANT))
    ),
)
