"""Cases of the claim kind ``counterexample``: its own requirements, on Lemma 1 of S003.

What the other statements ask for is in ``counterexample_sNNN``.
"""

from fractions import Fraction

from forge import Case, Json, certificate, network, system, vector

from forgeries.facts import Fact, joined
from forgeries.layer_injective import EACH, X_PAIR, Y_PAIR, F, claim, cover

ZEROS = [[0, 0, 0]]
SHIFTED = network([[1, 1], [-1, -1]], ZEROS)
KEPT = network([[1, 0]], [[0, 0]])
INJECTIVE: Fact = (claim(SHIFTED), F, EACH)


def two_points(of: Json, *points: Fraction | int) -> Fact:
    """Return the fact that the first layer takes two points to one."""
    ends = [vector(point) for point in points]
    return ({**claim(of), "kind": "layer-not-injective", "points": ends},)


COLLISION = two_points(KEPT, -1, -2)


def lemma(*facts: Fact, of: Json = SHIFTED, name: object = "S003-lemma-1") -> bytes:
    """Return the certificate that Lemma 1 fails for a layer."""
    return joined(*facts, instance={"N": of}, lemma=name)


# s(x/2 + 1/2), s(-x - 1): the rows that are left are over 2, alone.
HALVES = network([[Fraction(1, 2), Fraction(1, 2)], [-1, -1]], ZEROS)
HALF = network([[Fraction(1, 2), 0]], [[0, 0]])
NEGATIVE = network([[1, -1], [-1, -1]], ZEROS)
DEEP = network([[1, 1], [-1, -1]], [[0, 0, 0]], [[0, 0]])
AFFINE = network([[1, 1], [-1, -1]])
# A row with bias 0 is among those that are left.
TIE = network([[1, 1], [-1, -1], [1, 0]], [[0, 0, 0, 0]])
TWICE = network([[1, 0], [1, 0]], ZEROS)
# The same as SHIFTED in the plane.
PLANE = network([[1, 0, 1], [0, 1, 1], [-1, 0, -1], [0, -1, -1]], [[0, 0, 0, 0, 0]])
QUADRANT = network([[1, 0, 0], [0, 1, 0]], ZEROS)
IN_PLANE: Fact = (
    {
        **claim(QUADRANT, system(2)),
        "kind": "layer-not-injective",
        "points": [vector(-1, -1), vector(-2, -1)],
    },
)
HALVES_PROOF: Fact = (claim(HALVES), F, cover((0, 2), (1, 1)))

CASES = (
    Case("accept/lemma-1", lemma(INJECTIVE, COLLISION)),
    Case("accept/lemma-1-halves", lemma(HALVES_PROOF, two_points(HALF, -1, -2), of=HALVES)),
    Case("accept/lemma-1-tie", lemma((claim(TIE), F, EACH), two_points(TWICE, -1, -2), of=TIE)),
    Case(
        "accept/lemma-1-plane",
        lemma((claim(PLANE, system(2)), F, X_PAIR, Y_PAIR), IN_PLANE, of=PLANE),
    ),
    Case(
        "accept/lemma-1-by-its-sentence",
        lemma(INJECTIVE, COLLISION),
        (
            "--expect",
            "S003-lemma-1 is false (if ReLU(Wx + b) is injective, so is ReLU(W'x), W' the rows of "
            "W with b >= 0), as: (1) layer 1 (ReLU) of the network N of widths 1-2-1 is injective "
            "on the polyhedron D of 0 rows in R^1; (2) layer 1 (ReLU) of the network N of widths "
            "1-1-1 takes (-1) and (-2) in the polyhedron D of 0 rows in R^1 to the same point",
        ),
    ),
    Case("reject/wrong-facts--one-less", lemma(INJECTIVE)),
    Case("reject/wrong-facts--one-more", lemma(INJECTIVE, COLLISION, COLLISION)),
    Case("reject/wrong-facts--other-order", lemma(COLLISION, INJECTIVE)),
    Case("reject/wrong-facts--other-kind", lemma(two_points(SHIFTED, 1, 2), COLLISION)),
    Case("reject/wrong-facts--other-network", lemma(INJECTIVE, COLLISION, of=HALVES)),
    Case(
        "reject/wrong-facts--conclusion-about-another",
        lemma(INJECTIVE, two_points(network([[-1, 0]], [[0, 0]]), 1, 2)),
    ),
    Case(
        "reject/wrong-facts--bias-not-dropped",
        lemma(INJECTIVE, two_points(network([[1, 1]], [[0, 0]]), -1, -2)),
    ),
    Case(
        "reject/wrong-facts--other-layer",
        lemma(INJECTIVE, ({**COLLISION[0], "layer": 1},)),
    ),
    Case(
        "reject/wrong-facts--on-a-ray",
        lemma((claim(SHIFTED, system(1, ("ge", [1, 0]))), F, EACH), COLLISION),
    ),
    Case(
        "reject/combination-not-zero--first-fact",
        lemma((claim(SHIFTED), F, cover((0, 2), (1, 1))), COLLISION),
    ),
    Case("reject/outputs-differ--last-fact", lemma(INJECTIVE, two_points(KEPT, 1, -2))),
    Case("reject/not-a-counterexample--no-row-left", lemma(INJECTIVE, COLLISION, of=NEGATIVE)),
    Case(
        "reject/not-a-counterexample--no-hidden",
        lemma((claim(AFFINE), F), COLLISION, of=AFFINE),
    ),
    Case("reject/not-a-counterexample--two-hidden", lemma(INJECTIVE, COLLISION, of=DEEP)),
    Case("malformed/unknown-lemma--name", lemma(INJECTIVE, COLLISION, name="S003-lemma-0")),
    Case("malformed/unknown-lemma--list", lemma(INJECTIVE, COLLISION, name=["S003-lemma-1"])),
    Case("malformed/unknown-lemma--number", lemma(INJECTIVE, COLLISION, name=1)),
    Case(
        "malformed/wrong-fields--instance",
        joined(INJECTIVE, COLLISION, instance={"M": SHIFTED}, lemma="S003-lemma-1"),
    ),
    Case(
        "malformed/not-an-object--instance",
        joined(INJECTIVE, COLLISION, instance=[SHIFTED], lemma="S003-lemma-1"),
    ),
    Case(
        "malformed/unknown-kind--nested",
        certificate(
            {
                "kind": "counterexample",
                "facts": [{"kind": "facts", "facts": [INJECTIVE[0]]}],
                "instance": {"N": SHIFTED},
                "lemma": "S003-lemma-1",
            }
        ),
    ),
    Case("malformed/no-facts--empty", lemma()),
)
