"""Counterexamples to statements of S000: those that the search found, with other instances."""

from fractions import Fraction

from forge import Case, Json, matrix, network, number, vector
from lemma_cases import altered, other_fact, refused

from forgeries.facts import Fact, joined

HALF = Fraction(1, 2)
NAMES = (
    "bend",
    "constraints",
    "indicator",
    "orientation",
    "regions-assumption",
    "scale",
    "sign-of-z",
    "signs",
    "visible",
)


def at(of: Json, point: list[object], output: object, *signs: str) -> Fact:
    """Return the fact of a value."""
    return (
        {"kind": "value", "network": of, "output": output, "point": point, "signs": list(signs)},
    )


ZERO = vector(0)
# z = 2 s(x/2 + y/2) + 3 s(y/3 + 1) - 3 at (0, 0): gradients (0, 1) and (1, 2), of length sqrt(5).
# With z' seen from the other side p_s has (0, 1): c = 1. With 6 for 3 it is (0, 2): c = 1/2.
CROSSED = network([[HALF, HALF, 0], [0, Fraction(1, 3), 1]], [[2, 6, -6]])
SCALE = {"N": CROSSED, "c": number(HALF), "d": vector(-1, 0), "h": 0, "p": vector(0, 0)}
# z = s(x) + s(x + 1) - 1 bends nowhere.
STRAIGHT = network([[1, 0, 0], [1, 0, 1]], [[1, 1, -1]])
BEND = {"N": STRAIGHT, "d": vector(1, 0), "h": 0, "p": vector(0, 0)}
# The gradients of the three units cancel: all signs may be turned.
STAR = network([[1, 0, 0], [0, 1, 0], [-1, -1, 0]], [[1, 1, 1, -1]])
STAR_P = matrix([[HALF, HALF], [1, -HALF], [-HALF, 1], [-HALF, -HALF]])
STAR_FACTS = [
    at(STAR, vector(HALF, HALF), ZERO, "++-"),
    at(STAR, vector(1, -HALF), ZERO, "+--"),
    at(STAR, vector(-HALF, 1), ZERO, "-+-"),
    at(STAR, vector(-HALF, -HALF), ZERO, "--+"),
]
UPPER = network([[0, 1, -1]], [[1, 0]])
DEAD = network([[1, 0, 0], [0, 1, 0]], [[-1, 1, -1], [-1, -1, -1]], [[1, 1, 0]])


def system(of: Json, points: list[list[Fraction | int]], signs: list[str]) -> bytes:
    """Return the claim that the sign of z is not determined."""
    facts = [at(of, vector(*p), ZERO, s) for p, s in zip(points, signs, strict=True)]
    u = vector(-1, *[1] * (len(points) - 1))
    instance = {"N": of, "P": matrix(points), "u": u}
    return joined(*facts, instance=instance, lemma="S000-sign-of-z")


def star(name: str, *u: Fraction | int) -> bytes:
    """Return a counterexample about the signs of three units that cancel."""
    instance = {"N": STAR, "P": STAR_P, "u": vector(*u)}
    return joined(*STAR_FACTS, instance=instance, lemma=f"S000-{name}")


def scale_of(of: Json, *signs: str, **more: object) -> bytes:
    """Return a counterexample to the equation for c, at 0."""
    return joined(
        at(of, vector(0, 0), ZERO, *signs),
        instance={**SCALE, "N": of, **more},
        lemma="S000-scale",
    )


CASES = (
    *(Case(f"accept/{name}", altered(f"S000-{name}")) for name in NAMES),
    Case(
        "accept/bend-other-side",
        joined(at(STRAIGHT, vector(0, 0), ZERO, "0+"), instance=BEND, lemma="S000-bend"),
    ),
    Case("accept/scale-fractions", scale_of(CROSSED, "0+")),
    Case("accept/sign-of-z-star", star("sign-of-z", -1, 1, 1, 1)),
    Case("accept/signs-star", star("signs", 1, -1, -1, -1)),
    Case("accept/signs-both", star("signs", -1, -1, -1, -1)),
    Case("accept/sign-of-z-both", star("sign-of-z", -1, -1, -1, -1)),
    Case("accept/constraints-star", star("constraints", 1, 5, 5, 5)),
    Case(
        "accept/orientation-other-signs",
        altered("S000-orientation", s=number(-1), t=number(1)),
    ),
    Case(
        "accept/orientation-other-side",
        altered("S000-orientation", d=vector(-1, 0)),
    ),
    Case(
        "accept/indicator-below",
        joined(
            at(network([[1, 1]], [[1, 0]]), vector(0), vector(1), "+"),
            instance={
                "N": network([[1, 1]], [[1, 0]]),
                "h": 0,
                "p": vector(0),
                "t": number(-1),
            },
            lemma="S000-indicator",
        ),
    ),
    Case("accept/scale-longer", scale_of(network([[-HALF, 0, 0]], [[1, 0]]), "0", c=number(2))),
    Case("accept/signs-fractions", star("constraints", 1, HALF, HALF, HALF)),
    Case(
        "accept/indicator-second-coordinate",
        joined(
            at(UPPER, vector(0, 0), vector(0), "-"),
            instance={"N": UPPER, "h": 0, "p": vector(0, 0), "t": number(1)},
            lemma="S000-indicator",
        ),
    ),
    Case(
        "reject/not-a-counterexample--sign-of-z-one-hyperplane",
        system(
            network([[1, 0], [-1, 0]], [[1, 1, -1]]),
            [[1], [-1], [1]],
            ["+-", "-+", "+-"],
        ),
    ),
    Case(
        "reject/not-a-counterexample--sign-of-z-flat",
        system(
            network([[1, 0, 0], [0, 1, 0], [1, 1, -1]], [[1, 1, -1, -1]]),
            [[1, 1], [-1, 1], [1, -1], [2, 2]],
            ["+++", "-+-", "+--", "+++"],
        ),
    ),
    Case(
        "reject/not-a-counterexample--sign-of-z-no-weight",
        system(
            network([[1, 0, 0], [0, 1, 0], [1, 1, 0]], [[1, 1, 0, -1]]),
            [[HALF, HALF], [1, -2], [-2, 1], [HALF, HALF]],
            ["+++", "+--", "-+-", "+++"],
        ),
    ),
    Case(
        "reject/not-a-counterexample--sign-of-z-on-a-boundary",
        system(
            STAR,
            [[HALF, HALF], [1, 0], [-HALF, 1], [-HALF, -HALF]],
            ["++-", "+0-", "-+-", "--+"],
        ),
    ),
    Case("reject/not-a-counterexample--sign-of-z-zeros", star("sign-of-z", -1, 0, 0, 0)),
    Case("reject/not-a-counterexample--signs-zeros", star("signs", 1, 0, 0, 0)),
    Case("reject/not-a-counterexample--signs-large", star("signs", 3, -1, -1, -1)),
    Case("reject/not-a-counterexample--constraints-z-two", star("constraints", 2, 5, 5, 5)),
    *refused(
        "S000-bend",
        {
            "affine": {"N": network([[-1, -1, 0]])},
            "two-outputs": {"N": network([[-1, -1, 0], [-1, -1, 1]], [[-1, -1, 1], [0, 0, 0]])},
            "deep": {"N": network([[-1, -1, 0], [-1, -1, 1]], [[-1, -1, 1]], [[1, 0]])},
            "no-unit-h": {"h": 2},
            "other-unit": {"h": 1},
            "second-zero": {"N": network([[-1, -1, 0], [-1, 1, 0]], [[-1, -1, 0]])},
            "no-weight": {"N": network([[-1, -1, 0], [-1, -1, 1]], [[0, -1, 1]])},
            "along": {"d": vector(1, -1)},
            "flat-before": {"N": network([[-1, -1, 0]], [[-1, 0]])},
            "flat-after": {"N": network([[-1, -1, 0]], [[-1, 0]]), "d": vector(0, -1)},
            "bends": {"N": network([[-1, -1, 0], [-1, 0, 1]], [[-1, -1, 1]])},
            "on-a-line": {
                "N": network([[1, 0], [1, 1]], [[1, 1, -1]]),
                "p": vector(0),
                "d": vector(1),
            },
        },
    ),
    Case("reject/wrong-facts--bend-off-boundary", other_fact("S000-bend", 0, output=vector(1))),
    *refused(
        "S000-scale",
        {
            "negative": {"c": number(Fraction(-1, 4))},
            "no-length": {"c": number(HALF)},
            "short": {"c": number(Fraction(1, 8))},
            "is-one": {"N": network([[-1, 0, 0]], [[1, 0]]), "c": number(1)},
            "half-as-one": {"N": network([[-1, 0, 0]], [[HALF, 0]]), "c": number(1)},
            "two-as-one": {"N": network([[-HALF, 0, 0]], [[1, 0]]), "c": number(1)},
        },
    ),
    Case("reject/wrong-facts--scale-off-boundary", other_fact("S000-scale", 0, output=vector(1))),
    *refused(
        "S000-indicator",
        {
            "on-boundary": {"p": vector(1)},
            "constant": {"N": network([[0, -1]], [[0, 0]])},
            "no-unit": {"h": 1},
            "no-sign": {"t": number(2)},
            "half-sign": {"t": number(HALF)},
            "same-side": {"N": network([[1, 1]], [[0, 0]])},
            "below-and-turned": {"t": number(-1)},
        },
    ),
    *refused(
        "S000-orientation",
        {
            "equal": {"t": number(1)},
            "both-negative": {"s": number(-1)},
            "off-boundary": {"p": vector(0, 0)},
            "second-zero": {"N": network([[-1, 0, -1], [0, 1, 0]], [[1, 1, 0]])},
            "no-sign-s": {"s": number(0)},
            "no-sign-t": {"t": number(-2)},
        },
    ),
    Case(
        "reject/wrong-facts--orientation-off-boundary",
        other_fact("S000-orientation", 0, output=vector(1)),
    ),
    *refused(
        "S000-signs",
        {
            "right-signs": {"u": vector(1, 1, 1, 1)},
            "only-z": {"u": vector(-1, 1, 1, 1)},
            "no-signs": {"u": vector(1, 3, 3, 3)},
            "z-no-sign": {"u": vector(0, -1, -1, -1)},
            "no-solution": {"u": vector(1, -1, 1, 1)},
            "no-solution-either": {"u": vector(1, 1, -1, 1)},
            "halves": {"u": vector(1, HALF, HALF, HALF)},
            "one-hyperplane": {
                "N": network([[-1, -1, 0], [-1, 0, 0], [1, 0, 0]], [[-1, 1, 1, -1]])
            },
            "no-weight": {"N": network([[-1, -1, 0], [-1, 0, 0], [0, -1, 0]], [[-1, 1, 0, -1]])},
            "one-side": {"P": matrix([[-2, 1], [-1, 2], [-1, 2], [-2, 1]])},
            "flat": {
                "N": network([[1, 0, 0], [0, 1, 0], [-1, -1, 0]], [[1, 1, -1, 0]]),
                "P": matrix([[-1, -1], [1, -2], [-2, 1], [1, 1]]),
                "u": vector(1, 1, 1, 1),
            },
        },
    ),
    Case("reject/wrong-facts--signs-off-boundary", other_fact("S000-signs", 3, output=vector(1))),
    *refused(
        "S000-sign-of-z",
        {"same": {"u": vector(1, 1, 1)}, "no-sign": {"u": vector(-2, 1, 1)}},
    ),
    Case("reject/not-a-counterexample--sign-of-z-reals", star("sign-of-z", -1, 5, 5, 5)),
    *refused(
        "S000-constraints",
        {"same": {"u": vector(1, 1, 1, 1)}, "z": {"u": vector(-1, 2, 3, 2)}},
    ),
    *refused(
        "S000-regions-assumption",
        {
            "no-zero": {"p": vector(0)},
            "two-zeros": {"N": network([[-1, -1]], [[1, 0]], [[1, 0]])},
            "jumps": {"N": network([[-1, -1]], [[1, 1]], [[1, 0]])},
            "jumps-second": {"N": network([[1, 1]], [[1, -1]], [[1, 0]]), "p": vector(0)},
            "jumps-wide": {"N": network([[-1, -1]], [[1, 1], [2, 1]], [[1, 1, 0]])},
            "jumps-shallow": {"N": network([[-1, -1]], [[1, 0]])},
            "jumps-in-one-output": {"N": network([[-1, -1]], [[1, 0], [0, 1]])},
        },
    ),
    *refused(
        "S000-visible",
        {
            "shallow": {"N": network([[1, 0, 0], [0, 1, 0]], [[1, 1, 0]])},
            "deep": {"N": network([[1, 0, 0], [0, 1, 0]], [[-1, 1, -1]], [[1, 0]], [[1, 0]])},
            "one-input": {"N": network([[1, 0], [2, 1]], [[-1, 1, -1]], [[1, 0]])},
            "one-unit": {"N": network([[1, 0, 0]], [[1, -1]], [[1, 0]]), "i": 0},
            "no-unit-i": {"i": 2},
            "dead": {"N": DEAD},
            "dead-zero": {"N": network([[1, 0, 0], [0, 1, 0]], [[-1, 0, -1]], [[1, 0]])},
        },
    ),
    *refused("S000-visible", {"other-unit": {"i": 0}}, "wrong-facts"),
    Case(
        "reject/wrong-facts--visible-on-part",
        other_fact("S000-visible", 1, domain={"dim": 2, "rows": [["gt", ["1", "0", "0"]]]}),
    ),
    Case("malformed/wrong-length--bend-point", altered("S000-bend", p=vector(0))),
    Case("malformed/wrong-length--signs-points", altered("S000-signs", P=matrix([[0, 0]]))),
)
