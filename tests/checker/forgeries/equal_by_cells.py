"""Cases of the claim kind ``equal-by-cells``."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network, point, system, without
from pair_trees import SAME, cut, decided, decided_all, nothing

HALF = Fraction(1, 2)
LINE, PLANE = system(1), system(2)
RIGHT = system(1, ("gt", [1, 0]))
LEFT = system(1, ("gt", [-1, 0]))
NOTHING = system(1, ("gt", [1, -1]), ("gt", [-1, 0]))
X = network([[1, 0]])
ZERO = network([[0, 0]])
RELU = network([[1, 0]], [[1, 0]])
TWICE = network([[1, 0]], [[1, 0]], [[1, 0]])
# s(x) - s(x - 1) and 1 - s(1 - s(x)): x between 0 and 1.
CLIP = network([[1, 0], [1, -1]], [[1, -1, 0]])
CLIP_DEEP = network([[1, 0]], [[-1, 1]], [[-1, 1]])
BEFORE_1 = decided("-", (0, 0, 1), [0, 1], [1, 1])
CLIP_TREE = (cut(0, 0, 0), BEFORE_1, SAME, SAME)
# s(s(x) - s(y) - 1) and the same with x + 1, hidden: one more than needed is taken off again.
HIDDEN = network([[1, 0, 0], [0, 1, 0]], [[1, -1, -1]], [[1, 0]])
MOVED = network([[1, 0, 1], [0, 1, 0]], [[1, -1, -2]], [[1, 0]])
MOVED_DEAD = decided("-", (1, 1, 0), [0, 2], [1, 1], ((1, 0, 1), 1, 0))
MOVED_TREE = (
    *(cut(0, 0, 0), cut(1, 0, 0), SAME, MOVED_DEAD, SAME),
    *(decided("+", (1, 0, 0), [0, 1], [1, 1]), SAME),
)
# The same with -y in the place of y.
HIDDEN_REVERSED = network([[1, 0, 0], [0, -1, 0]], [[1, -1, -1]], [[1, 0]])
MOVED_REVERSED = network([[1, 0, 1], [0, -1, 0]], [[1, -1, -2]], [[1, 0]])
# s(s(x) - s(y)) is 0 where 0 < x < y.
MINUS = network([[1, 0, 0], [0, 1, 0]], [[1, -1, 0]], [[1, 5]])
FIVE = network([[0, 0, 5]])
BELOW = system(2, ("gt", [1, 0, 0]), ("gt", [-1, 1, 0]))
X_POSITIVE = decided("+", (0, 0, 0), [0, 2], [1, 1])
MINUS_DEAD = decided("-", (0, 1, 0), [1, 2], [1, 1], ((0, 0, 1), 0, 1))
MINUS_TREE = (X_POSITIVE, MINUS_DEAD, SAME)
# The same with denominators 2 and 3, and with the neurons turned around where that is possible.
SCALED = network([[HALF, 0, 0], [0, HALF, 0]], [[Fraction(1, 3), -Fraction(1, 3), 0]], [[1, 5]])
SPLIT_IN_TWO = network([[1, 2, 3], [2, 4, 6]], [[3, -1, 0]])
ONE_NEURON = network([[1, 2, 3]], [[1, 0]])
TWO = network([[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 1, 0]])
TWO_OTHER = network([[0, 2, 0], [3, 0, 0]], [[0, Fraction(1, 3), 0], [HALF, 0, 0]])
LONG = 10**5000


def claim(a: Json, b: Json, domain: Json) -> Json:
    """Return an equal-by-cells claim."""
    return {"a": a, "b": b, "domain": domain, "kind": "equal-by-cells"}


def tree(a: Json, b: Json, domain: Json, *records: Json) -> bytes:
    """Return a certificate."""
    return certificate(claim(a, b, domain), *records)


def clip(*records: Json) -> bytes:
    """Return a certificate about the two ways to clip."""
    return tree(CLIP, CLIP_DEEP, LINE, *records)


def moved(*records: Json) -> bytes:
    """Return a certificate about the hidden translation."""
    return tree(HIDDEN, MOVED, PLANE, *records)


def minus(*records: Json) -> bytes:
    """Return a certificate about the neuron that is dead below the diagonal."""
    return tree(MINUS, FIVE, BELOW, *records)


def changed(records: Sequence[Json], place: int, **fields: Any) -> tuple[Json, ...]:
    """Return records with other fields in one of them."""
    return (*records[:place], {**records[place], **fields}, *records[place + 1 :])


def with_dead(**fields: Any) -> bytes:
    """Return the certificate of MINUS with other fields in the record that decides it."""
    return minus(*changed(MINUS_TREE, 1, **fields))


EQUAL_FORMS = {
    "one-network": (X, X, LINE),
    "relu": (RELU, RELU, LINE),
    "permuted-and-scaled": (TWO, TWO_OTHER, PLANE),
    "collinear": (SPLIT_IN_TWO, ONE_NEURON, PLANE),
    "turned-around": (X, network([[1, 0], [-1, 0]], [[1, -1, 0]]), LINE),
    "turned-around-and-scaled": (
        network([[-2, 6]], [[HALF, 0]]),
        network([[1, -3], [1, 0], [-1, 0]], [[1, -1, 1, 3]]),
        LINE,
    ),
    "relu-twice": (RELU, TWICE, LINE),
    "relu-twice-of-the-reversed": (
        network([[-1, 0], [1, 0]], [[1, 0, 0]], [[1, 0]]),
        network([[-1, 0], [1, 0]], [[1, 0, 0]]),
        LINE,
    ),
    "linear-in-the-second-layer": (
        network([[1, 0], [-1, 2]], [[1, 2, 3], [1, 1, 0]], [[1, 1, 0]]),
        network([[1, 0], [-1, 2]], [[2, 3, 3]]),
        LINE,
    ),
    "dead-in-the-second-layer": (
        network([[1, 0], [-1, 2]], [[-1, -2, -3], [-1, 0, 0], [1, 0, 0]], [[5, 7, 1, 0]]),
        RELU,
        LINE,
    ),
    "dead-after-cancelling": (
        network([[1, 0], [2, 0]], [[2, -1, 0], [2, -1, -1]], [[5, 5, 0]]),
        ZERO,
        LINE,
    ),
    "linear-after-cancelling": (
        network([[1, 0], [-1, 0], [1, 1], [-1, -1]], [[1, -1, -1, 1, 3]], [[1, 0]]),
        network([[0, 2]]),
        LINE,
    ),
    "constants": (network([[0, 2], [0, -2], [0, 0]], [[1, 5, 5, 1]]), network([[0, 3]]), LINE),
    "nested-atoms": (
        network([[1, 0], [-1, 1]], [[1, -2, 1], [-3, 1, 1]], [[1, 1, 0]]),
        network([[-2, 2], [3, 0]], [[HALF, -1, 1], [-1, Fraction(1, 3), 1]], [[1, 1, 0]]),
        LINE,
    ),
    "nested-atoms-turned-around": (
        network([[1, 0], [-1, 1]], [[1, -2, 1]], [[1, 0]]),
        network(
            [[1, 0], [1, -1], [1, 0], [-1, 0]],
            [[1, -2, 2, -2, -1], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0]],
            [[1, 0, 0, 0]],
        ),
        LINE,
    ),
    "five-thousand-digits": (
        network([[LONG, 1]], [[1, 0]]),
        network([[2 * LONG, 2]], [[HALF, 0]]),
        LINE,
    ),
}


def file(name: str) -> bytes:
    """Return the accepted file of a name."""
    return tree(*EQUAL_FORMS[name], SAME)


CUT_TWICE = clip(
    *(cut(0, 0, 1), cut(0, 0, 0), SAME, SAME),
    *(cut(0, 0, 0), nothing([0, 1], [1, 1]), SAME),
)
WITH_DENOMINATORS = tree(SCALED, FIVE, BELOW, *MINUS_TREE)

CASES = (
    *(Case(f"accept/{name}", file(name)) for name in EQUAL_FORMS),
    *(
        Case(f"accept/{name}-exchanged", tree(b, a, domain, SAME))
        for name, (a, b, domain) in EQUAL_FORMS.items()
        if a != b
    ),
    Case(
        "accept/sides-on-a-domain",
        tree(RELU, X, RIGHT, decided("+", (0, 0, 0), [0, 1], [1, 1]), SAME),
    ),
    Case(
        "accept/sides-negative",
        tree(RELU, ZERO, LEFT, decided("-", (0, 0, 0), [0, 1], [1, 1]), SAME),
    ),
    Case(
        "accept/sides-of-the-second-network",
        tree(
            ZERO, network([[-3, 0]], [[1, 0]]), RIGHT, decided("-", (1, 0, 0), [0, 1], [1, 1]), SAME
        ),
    ),
    Case(
        "accept/sides-of-a-reversed-neuron",
        tree(
            network([[-3, 0]], [[1, 0]]),
            network([[-3, 0]]),
            LEFT,
            decided("+", (0, 0, 0), [0, 1], [1, 1]),
            SAME,
        ),
    ),
    Case("accept/clip", clip(*CLIP_TREE)),
    Case(
        "accept/clip-exchanged",
        tree(
            CLIP_DEEP, CLIP, LINE, cut(0, 0, 0), decided("-", (1, 0, 1), [0, 1], [1, 1]), SAME, SAME
        ),
    ),
    Case(
        "accept/clip-by-the-other-network",
        clip(cut(1, 0, 0), BEFORE_1, SAME, SAME),
    ),
    Case(
        "accept/clip-reversed",
        tree(
            *(network([[-1, 0], [1, 0], [1, -1]], [[0, 1, -1, 0]]), CLIP_DEEP, LINE),
            *(cut(0, 0, 0), SAME, decided("-", (0, 0, 2), [0, 1], [1, 1]), SAME),
        ),
    ),
    Case("accept/clip-more-cuts-than-needed", CUT_TWICE),
    Case("accept/hidden-translation", moved(*MOVED_TREE)),
    Case(
        "accept/hidden-translation-fact-of-the-other-network",
        moved(
            *MOVED_TREE[:3],
            decided("-", (1, 1, 0), [0, 2], [1, 1], ((0, 0, 1), 1, 0)),
            *MOVED_TREE[4:],
        ),
    ),
    Case(
        "accept/hidden-translation-reversed",
        tree(HIDDEN_REVERSED, MOVED_REVERSED, PLANE, *MOVED_TREE),
    ),
    Case("accept/dead-below-the-diagonal", minus(*MINUS_TREE)),
    Case("accept/dead-with-denominators", WITH_DENOMINATORS),
    Case(
        "accept/two-sides-in-one-record",
        tree(
            *(
                TWO,
                network([[1, 0, 0], [0, 1, 0]]),
                system(2, ("gt", [1, 0, 0]), ("gt", [0, 1, 0])),
            ),
            decided_all(
                ("+", (0, 0, 0), ([0, 2], [1, 1], ())), ("+", (0, 0, 1), ([1, 2], [1, 1], ()))
            ),
            SAME,
        ),
    ),
    Case("accept/empty-domain", tree(X, ZERO, NOTHING, nothing([0, 1], [1, 1]))),
    Case("accept/no-hidden-layer", tree(X, network([[1, 0]]), NOTHING, SAME)),
    Case(
        "accept/empty-by-a-fact",
        tree(
            *(RELU, X, system(1, ("gt", [1, -1]))),
            *(cut(0, 0, 0), nothing([0], [1], ((0, 0, 0), 0, 1)), SAME),
        ),
    ),
    Case(
        "accept/fact-in-the-second-layer",
        tree(
            *(
                network([[1, 0]], [[1, -2], [-1, 1]], [[-1, -1, 0], [1, 1, 0]], [[3, 1, 0]]),
                network([[1, 0]], [[1, -2], [-1, 1]], [[1, 1, 0]]),
                LINE,
            ),
            SAME,
        ),
    ),
    Case("reject/forms-differ--before-the-cut", clip(SAME)),
    Case("reject/forms-differ--before-the-sides", clip(cut(0, 0, 0), SAME, SAME)),
    Case(
        "reject/forms-differ--sides-of-the-other-cell",
        tree(
            *(CLIP, CLIP_DEEP, system(1, ("gt", [-1, 1]))),
            *(decided("-", (0, 0, 1), [0, 1], [1, 1]), SAME),
        ),
    ),
    Case(
        "reject/forms-differ--sides-do-not-cross-a-cut",
        tree(
            *(network([[1, 0], [1, -1]], [[1, 1, 0]]), RELU, LINE),
            *(cut(0, 0, 0), decided("-", (0, 0, 1), [0, 1], [1, 1]), SAME, SAME),
        ),
    ),
    Case(
        "reject/forms-differ--turned-around", tree(RELU, network([[-1, 0]], [[1, 0]]), LINE, SAME)
    ),
    Case(
        "reject/forms-differ--negative-scaling",
        tree(RELU, network([[-2, 0]], [[-HALF, 0]]), LINE, SAME),
    ),
    Case(
        "reject/forms-differ--another-factor", tree(RELU, network([[2, 0]], [[1, 0]]), LINE, SAME)
    ),
    Case("reject/forms-differ--a-multiple", tree(X, network([[2, 0]]), LINE, SAME)),
    Case("reject/forms-differ--constant", tree(X, network([[1, 1]]), LINE, SAME)),
    Case("reject/forms-differ--bias", tree(RELU, network([[1, 1]], [[1, 0]]), LINE, SAME)),
    Case(
        "reject/forms-differ--last-digit",
        tree(RELU, network([[1, Fraction(1, 10**30)]], [[1, 0]]), LINE, SAME),
    ),
    Case(
        "reject/forms-differ--denominators",
        tree(network([[HALF, 0]]), network([[Fraction(1, 3), 0]]), LINE, SAME),
    ),
    Case(
        "reject/forms-differ--denominator-in-layer-1",
        tree(network([[HALF, 0]], [[1, 1]]), network([[1, 0]], [[1, 1]]), LINE, SAME),
    ),
    Case(
        "reject/forms-differ--denominator-and-bias",
        tree(network([[HALF, 0]], [[2, 1]]), network([[1, 0]], [[1, 2]]), LINE, SAME),
    ),
    Case(
        "reject/forms-differ--second-output",
        tree(TWO, network([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 0]]), PLANE, SAME),
    ),
    Case(
        "reject/forms-differ--outputs-exchanged",
        tree(TWO, network([[1, 0, 0], [0, 1, 0]], [[0, 1, 0], [1, 0, 0]]), PLANE, SAME),
    ),
    Case("reject/forms-differ--coordinate-not-positive", tree(RELU, X, LINE, SAME)),
    Case(
        "reject/forms-differ--coordinate-not-negative",
        tree(network([[-1, 0]], [[1, 0]]), ZERO, LINE, SAME),
    ),
    Case(
        "reject/forms-differ--last-coordinate",
        tree(network([[0, 1, 0]], [[1, 0]]), network([[0, 1, 0]]), PLANE, SAME),
    ),
    Case(
        "reject/forms-differ--bias-not-positive",
        tree(network([[1, 0]], [[1, -1]], [[1, 0]]), network([[1, 0]], [[1, -1]]), LINE, SAME),
    ),
    Case(
        "reject/forms-differ--bias-not-negative",
        tree(network([[1, 0]], [[-1, 1]], [[1, 0]]), ZERO, LINE, SAME),
    ),
    Case(
        "reject/forms-differ--atoms-of-both-signs",
        tree(
            network([[1, 0], [1, 1]], [[1, -1, 0]], [[1, 0]]),
            network([[1, 0], [1, 1]], [[1, -1, 0]]),
            LINE,
            SAME,
        ),
    ),
    Case(
        "reject/forms-differ--second-layer",
        tree(
            network([[1, 0]], [[1, -1]], [[1, 0]]),
            network([[1, 0]], [[1, -2]], [[1, 0]]),
            LINE,
            SAME,
        ),
    ),
    Case(
        "reject/forms-differ--second-layer-scaled",
        tree(
            network([[1, 0]], [[1, -1]], [[1, 0]]),
            network([[1, 0]], [[2, -1]], [[HALF, 0]]),
            LINE,
            SAME,
        ),
    ),
    Case(
        "reject/forms-differ--first-layer-below",
        tree(
            network([[1, 0]], [[1, -1]], [[1, 0]]),
            network([[1, 1]], [[1, -1]], [[1, 0]]),
            LINE,
            SAME,
        ),
    ),
    Case("reject/forms-differ--after-a-cut", tree(RELU, ZERO, LINE, cut(0, 0, 0), SAME, SAME)),
    Case(
        "reject/forms-differ--after-a-cut-negative", tree(RELU, X, LINE, cut(0, 0, 0), SAME, SAME)
    ),
    Case(
        "reject/forms-differ--after-a-cut-reversed",
        tree(network([[-1, 0]], [[1, 0]]), network([[-1, 0]]), LINE, cut(0, 0, 0), SAME, SAME),
    ),
    Case(
        "reject/forms-differ--after-a-cut-reversed-positive",
        tree(network([[-1, 0]], [[1, 0]]), ZERO, LINE, cut(0, 0, 0), SAME, SAME),
    ),
    Case(
        "reject/forms-differ--sides-reversed",
        tree(
            network([[-1, 0]], [[1, 0]]), ZERO, LEFT, decided("+", (0, 0, 0), [0, 1], [1, 1]), SAME
        ),
    ),
    Case(
        "reject/forms-differ--other-domain",
        tree(RELU, X, LEFT, decided("-", (0, 0, 0), [0, 1], [1, 1]), SAME),
    ),
    Case("reject/missing-record--no-tree", clip()),
    Case("reject/missing-record--no-positive-side", clip(*CLIP_TREE[:-1])),
    Case("reject/missing-record--sides-only", clip(*CLIP_TREE[:2])),
    Case("reject/surplus-record--after-the-tree", clip(*CLIP_TREE, SAME)),
    Case("reject/wrong-record--point", clip(point(1))),
    Case("reject/neuron-decided--cut-twice", clip(cut(0, 0, 0), cut(0, 0, 0), SAME, SAME, SAME)),
    Case(
        "reject/neuron-decided--positive-side",
        clip(cut(0, 0, 0), BEFORE_1, SAME, cut(0, 0, 0), SAME, SAME),
    ),
    Case(
        "reject/neuron-decided--in-the-other-network",
        clip(cut(0, 0, 0), cut(1, 0, 0), SAME, SAME, SAME),
    ),
    Case(
        "reject/neuron-decided--by-sides",
        clip(cut(0, 0, 0), BEFORE_1, cut(0, 0, 1), SAME, SAME, SAME),
    ),
    Case("reject/neuron-decided--sides-twice", clip(cut(0, 0, 0), BEFORE_1, BEFORE_1, SAME, SAME)),
    Case(
        "reject/neuron-decided--twice-in-one-record",
        tree(RELU, X, RIGHT, decided_all(*[("+", (0, 0, 0), ([0, 1], [1, 1], ()))] * 2), SAME),
    ),
    Case(
        "reject/neuron-decided--constant",
        tree(network([[0, 1]], [[1, 0]]), network([[0, 1]]), LINE, cut(0, 0, 0), SAME, SAME),
    ),
    Case(
        "reject/neuron-decided--constant-in-the-plane",
        tree(network([[0, 0, 1]], [[1, 0]]), network([[0, 0, 1]]), PLANE, cut(0, 0, 0), SAME, SAME),
    ),
    Case(
        "reject/neuron-decided--zero",
        tree(network([[0, 0]], [[1, 0]]), ZERO, LINE, cut(0, 0, 0), SAME, SAME),
    ),
    Case(
        "reject/neuron-decided--sides-of-a-constant",
        tree(
            network([[0, 1]], [[1, 0]]),
            network([[0, 1]]),
            LINE,
            decided("+", (0, 0, 0), [0], [1]),
            SAME,
        ),
    ),
    Case("reject/neuron-not-affine--second-layer", clip(cut(1, 1, 0), SAME, SAME)),
    Case("reject/index-out-of-range--network", clip(cut(2, 0, 0), SAME, SAME)),
    Case("reject/index-out-of-range--layer", clip(cut(0, 1, 0), SAME, SAME)),
    Case("reject/index-out-of-range--last-layer", clip(cut(1, 2, 0), SAME, SAME)),
    Case("reject/index-out-of-range--neuron", clip(cut(0, 0, 2), SAME, SAME)),
    Case("reject/index-out-of-range--no-hidden-layer", tree(X, X, LINE, cut(0, 0, 0), SAME, SAME)),
    Case("reject/index-out-of-range--row", with_dead(rows=[[1, 3]])),
    Case(
        "reject/index-out-of-range--row-of-empty", tree(X, ZERO, NOTHING, nothing([0, 2], [1, 1]))
    ),
    Case("reject/index-out-of-range--fact", with_dead(facts=[[[[0, 0, 2], "0", "1"]]])),
    Case("reject/not-increasing--rows", with_dead(rows=[[2, 1]])),
    Case("reject/dependency-empty--no-neuron", clip(decided_all(), SAME)),
    Case("reject/dependency-empty--no-row", with_dead(rows=[[]], values=[[]])),
    Case(
        "reject/dependency-empty--only-facts",
        tree(RELU, X, LINE, cut(0, 0, 0), nothing([], [], ((0, 0, 0), 1, 0)), SAME),
    ),
    Case("reject/multiplier-not-positive--zero", tree(X, ZERO, NOTHING, nothing([0, 1], [1, 0]))),
    Case(
        "reject/multiplier-not-positive--negative",
        tree(RELU, X, LEFT, decided("+", (0, 0, 0), [0, 1], [-1, 1]), SAME),
    ),
    Case(
        "reject/multiplier-not-positive--fact-above",
        tree(
            *(MINUS, FIVE, system(2, ("gt", [1, 0, 0]), ("gt", [-1, 1, -1]))),
            *(X_POSITIVE, decided("-", (0, 1, 0), [1, 2], [1, 1], ((0, 0, 1), -1, 2)), SAME),
        ),
    ),
    Case(
        "reject/multiplier-not-positive--fact-over",
        tree(
            *(
                network([[1, 0, 0], [0, 1, 0]], [[1, -1, 0]], [[1, 5]]),
                FIVE,
                system(2, ("gt", [1, 0, 0]), ("gt", [-1, -1, 0])),
            ),
            *(X_POSITIVE, decided("-", (0, 1, 0), [1, 2], [1, 1], ((0, 0, 1), 2, -1)), SAME),
        ),
    ),
    Case("reject/combination-not-zero--no-fact", with_dead(facts=[[]])),
    Case("reject/combination-not-zero--other-fact", with_dead(facts=[[[[0, 0, 1], "1", "0"]]])),
    Case("reject/combination-not-zero--fact-twice", with_dead(facts=[[[[0, 0, 1], "0", "2"]]])),
    Case("reject/combination-not-zero--both-facts", with_dead(facts=[[[[0, 0, 1], "1", "1"]]])),
    Case(
        "reject/combination-not-zero--fact-of-another-neuron",
        with_dead(facts=[[[[0, 0, 0], "0", "1"]]]),
    ),
    Case(
        "reject/combination-not-zero--fact-of-the-neuron-itself",
        with_dead(rows=[[2]], values=[["1"]], facts=[[[[0, 1, 0], "0", "1"]]]),
    ),
    Case("reject/combination-not-zero--weights", with_dead(values=[["2", "1"]])),
    Case("reject/combination-not-zero--other-rows", with_dead(rows=[[0, 2]])),
    Case("reject/combination-not-zero--empty", tree(X, ZERO, NOTHING, nothing([0, 1], [1, 2]))),
    Case("reject/combination-not-zero--not-empty", tree(X, ZERO, RIGHT, nothing([0], [1]))),
    Case("reject/combination-not-zero--other-sign", with_dead(signs=["+"])),
    Case(
        "reject/combination-not-zero--sides-without-the-side",
        tree(RELU, X, RIGHT, decided("+", (0, 0, 0), [0], [1]), SAME),
    ),
    Case(
        "reject/combination-not-zero--rows-of-the-sibling",
        clip(cut(0, 0, 0), BEFORE_1, SAME, decided("-", (0, 0, 1), [0, 1], [1, 1]), SAME),
    ),
    Case(
        "reject/offset-positive--not-dead",
        tree(MINUS, FIVE, system(2, ("gt", [1, 0, 0]), ("gt", [-1, 1, 1])), *MINUS_TREE),
    ),
    Case(
        "reject/offset-positive--not-empty",
        tree(X, ZERO, system(1, ("gt", [1, 0]), ("gt", [-1, 1])), nothing([0, 1], [1, 1])),
    ),
    Case(
        "reject/offset-positive--sides",
        tree(RELU, X, system(1, ("gt", [1, 1])), decided("+", (0, 0, 0), [0, 1], [1, 1]), SAME),
    ),
    Case(
        "reject/forms-differ--translation-too-far",
        tree(
            HIDDEN,
            network([[1, 0, -2], [0, 1, 0]], [[1, -1, 1]], [[1, 0]]),
            PLANE,
            cut(0, 0, 0),
            decided("-", (1, 0, 0), [0, 1], [1, 1]),
            SAME,
            SAME,
        ),
    ),
    Case("reject/domain-not-open--closed", tree(X, X, system(1, ("ge", [1, 0])), SAME)),
    Case("reject/shapes-differ--inputs", tree(X, network([[1, 0, 0]]), LINE, SAME)),
    Case("reject/shapes-differ--outputs", tree(X, network([[1, 0]] * 2), LINE, SAME)),
    Case("malformed/dimensions-differ--domain", tree(X, X, PLANE, SAME)),
    Case("malformed/unknown-sense--sign", with_dead(signs=["0"])),
    Case(
        "malformed/wrong-fields--split-without-neuron",
        clip(without(cut(0, 0, 0), "neuron"), SAME, SAME),
    ),
    Case(
        "malformed/wrong-fields--empty-without-facts",
        tree(X, ZERO, NOTHING, without(nothing([0, 1], [1, 1]), "facts")),
    ),
    Case("malformed/wrong-fields--same-with-more", clip({**SAME, "point": "0"})),
    Case("malformed/wrong-length--neuron", clip({**cut(0, 0, 0), "neuron": [0, 0]}, SAME, SAME)),
    Case("malformed/wrong-length--signs", with_dead(signs=["-", "-"])),
    Case("malformed/wrong-length--values", with_dead(values=[["1", "1", "1"]])),
    Case("malformed/wrong-length--facts", with_dead(facts=[])),
    Case("malformed/wrong-length--fact", with_dead(facts=[[[[0, 0, 1], "0"]]])),
    Case(
        "malformed/not-an-index--neuron", clip({**cut(0, 0, 0), "neuron": [0, 0, "0"]}, SAME, SAME)
    ),
    Case("malformed/not-a-list--facts", with_dead(facts=["0"])),
    Case("malformed/not-an-integer--fact", with_dead(facts=[[[[0, 0, 1], 0, 1]]])),
)
