"""Counterexamples to statements of S004: those that the search found, with other instances."""

from fractions import Fraction

from forge import Case, Json, certificate, matrix, network, vector
from lemma_cases import altered, kept, other_fact, refused

from forgeries.counterexample_s000 import at
from forgeries.facts import joined

HALF = Fraction(1, 2)
NAMES = ("distinct-maps", "one-switch", "width-two", "xor-dual", "xor-values")
OTHER = network([[HALF, HALF, HALF], [1, 1, 0]], [[2, -4, -1]])
PAIRS = network([[1, 0], [1, 0]], [[1, -1, 0], [2, -2, 1]])
STEEP = network([[HALF, 0], [0, 1]], [[3, 1, 0]])

# s(x), and beside it the constant 1, whose value in the middle is the mean.
BESIDE = network([[1, 0], [0, 1]], [[1, 0, 0], [0, 1, 0]])


def pair(name: str, of: Json, *values: object, **instance: object) -> bytes:
    """Return a counterexample with a pair of points."""
    return joined(*values, instance={"N": of, **instance}, lemma=f"S004-{name}")


def other_side() -> bytes:
    """Return the triangle again, where the unit of layer 2 is negative."""
    claim, records = kept("S004-width-two")
    p = claim["instance"]["p"]
    of = network([[1, 0, 0], [0, 1, 0]], [[1, 1, -1]], [[1, 0]])
    facts = [*at(of, p, vector(0), "++", "-"), claim["facts"][1]]
    return certificate({**claim, "facts": facts, "instance": {"N": of, "p": p}}, *records)


CASES = (
    Case("accept/width-two-negative", other_side()),
    *(Case(f"accept/{name}", altered(f"S004-{name}")) for name in NAMES),
    Case(
        "accept/distinct-maps-two-outputs",
        pair(
            "distinct-maps",
            PAIRS,
            at(PAIRS, vector(-1), vector(0, 1), "--"),
            at(PAIRS, vector(1), vector(0, 1), "++"),
            p=vector(-1),
            q=vector(1),
        ),
    ),
    Case(
        "accept/one-switch-fractions",
        pair(
            "one-switch",
            STEEP,
            at(STEEP, vector(-HALF), vector(1), "-+"),
            at(STEEP, vector(Fraction(2, 3)), vector(2), "++"),
            at(STEEP, vector(Fraction(1, 12)), vector(Fraction(9, 8)), "++"),
            p=vector(-HALF),
            q=vector(Fraction(2, 3)),
        ),
    ),
    Case(
        "accept/one-switch-of-one-output",
        pair(
            "one-switch",
            BESIDE,
            at(BESIDE, vector(-1), vector(0, 1), "-+"),
            at(BESIDE, vector(1), vector(1, 1), "++"),
            at(BESIDE, vector(0), vector(0, 1), "0+"),
            p=vector(-1),
            q=vector(1),
        ),
    ),
    Case(
        "accept/one-switch-both-off",
        pair(
            "one-switch",
            network([[1, 0], [0, -1]], [[1, 0, 0]]),
            *(
                at(network([[1, 0], [0, -1]], [[1, 0, 0]]), vector(x), vector(y), s)
                for x, y, s in ((-1, 0, "--"), (1, 1, "+-"), (0, 0, "0-"))
            ),
            p=vector(-1),
            q=vector(1),
        ),
    ),
    *refused(
        "S004-xor-values",
        {
            "right": {"x": vector(1, -1)},
            "right-at-minus": {"x": vector(-1, -1)},
            "no-corner": {"x": vector(2, 1)},
            "middle": {"x": vector(0, 0)},
            "right-at-plus": {"x": vector(-1, 1)},
            "halves": {"x": vector(HALF, HALF)},
            "other-network": {"N": OTHER},
        },
    ),
    *refused(
        "S004-xor-dual",
        {
            "two-regions": {"P": matrix([[-2, 0], [-2, 0], [1, 0]])},
            "on-boundary": {"P": matrix([[-2, 0], [0, 0], [1, 0]])},
            "other-network": {"N": OTHER},
        },
    ),
    Case("reject/wrong-facts--xor-dual-four", other_fact("S004-xor-dual", 0, n_regions=4)),
    Case(
        "reject/wrong-facts--xor-dual-part",
        other_fact("S004-xor-dual", 0, domain={"dim": 2, "rows": [["gt", ["1", "1", "0"]]]}),
    ),
    *refused(
        "S004-distinct-maps",
        {
            "differ": {"N": network([[1, 0], [1, 0]], [[1, 1, 0]])},
            "second-differs": {"N": network([[1, 0], [1, 0]], [[1, -1, 0], [1, 1, 0]])},
            "one-region": {"p": vector(2)},
            "p-on-boundary": {"p": vector(0)},
            "q-on-boundary": {"q": vector(0)},
            "no-weight": {"N": network([[1, 0]], [[0, 0]])},
            "deep": {"N": network([[1, 0]], [[1, 1], [2, 1]], [[1, 1, 0]])},
            "no-weight-bias": {"N": network([[1, 0]], [[0, 1]])},
        },
    ),
    *refused(
        "S004-one-switch",
        {
            "all-switch": {"N": network([[1, 0]], [[1, 0]])},
            "from-zero": {"N": network([[1, 1], [1, -1]], [[1, 1, 0]])},
            "linear": {"N": network([[1, 0], [0, 1]], [[0, 1, 0]])},
            "both-zero": {"N": network([[1, 0], [0, 0]], [[1, 0, 0]])},
        },
    ),
    *refused(
        "S004-width-two",
        {
            "on-boundary": {"p": vector(HALF, HALF)},
            "three-inputs": {"N": network([[1, 0, 0, 0], [0, 1, 0, 0]], [[-1, -1, 1]], [[1, 0]])},
            "one-input": {"N": network([[1, 0], [-1, 1]], [[1, 1, 0]]), "p": vector(HALF)},
            "three-nodes": {"N": network([[1, 0, 0], [0, 1, 0], [-1, -1, 1]], [[1, 1, 1, 0]])},
            "affine": {"N": network([[1, 0, 0]])},
            "three-nodes-later": {
                "N": network(
                    [[1, 0, 0], [0, 1, 0]], [[-1, -1, 1], [1, 2, 1], [2, 1, 1]], [[1, 1, 1, 0]]
                )
            },
            "no-second": {"N": network([[1, 0, 0], [0, 1, 0]], [[-1, 0, 1]], [[1, 0]])},
            "no-weight": {"N": network([[1, 0, 0], [0, 1, 0]], [[-1, -1, 1]], [[0, 0]])},
        },
    ),
    *refused("S004-width-two", {"other-cell": {"p": vector(-1, -1)}}, "wrong-facts"),
    Case("malformed/wrong-length--one-switch", altered("S004-one-switch", p=vector(0, 0))),
)
