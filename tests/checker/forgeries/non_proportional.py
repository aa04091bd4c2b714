"""Cases of the claim kind ``non-proportional``."""

from fractions import Fraction

from forge import Case, Json, certificate, hexes, network

PRIME = 2**61 - 1
S, T = (3, 5, 11), (7, 1, 2)
NET = network([[1, 2, 1], [3, 1, -1]], [[1, 5, 2], [2, 3, 1]], [[1, 7, 3]])
HALVES = network([[Fraction(1, 2), 1], [Fraction(1, 3), 1]], [[Fraction(1, 5), 2, 1]], [[1, 4]])
PARALLEL = network([[1, 2, 3], [2, 4, 6]], [[1, 1, 1]])
SHIFTED = network([[1, 2, 3], [2, 4, 5]], [[1, 1, 3]])
# The second layer undoes the first: 2·(x + 1) and, with both active, 4·(x + 1).
LATER = network([[1, 1], [1, 2]], [[2, 0, 0]])
ZERO = network([[1, 1], [0, 0]], [[1, 5, 3]])
# The unit (2,1) with {1} is x + 4; the unit (3,1) with {1} {1} is 5·(x + 4).
DEEP = network([[1, 1]], [[1, 3]], [[5, 0]])
# Only the denominators tell that the unit (2,1) is x + 2, twice the unit (1,1), (x + 2)/2.
SCALED = network([[Fraction(1, 2), 1]], [[1, 1]], [[1, 1]])
TELLING = network([[Fraction(1, 2), 1]], [[1, 0]])
# With the second unit alone, x/2, layer 2 is 3·(x + 1)/2: three times the unit (1,1).
TELLING_BIAS = network(
    [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 2), 0]], [[1, 3, Fraction(3, 2)]]
)
ONE = network([[1, 1]])


def claim(of: Json) -> Json:
    """Return the claim that no affine functions are proportional."""
    return {"kind": "non-proportional", "network": of}


def points(*vectors: tuple[int, ...], modulus: int = PRIME) -> Json:
    """Return a points record."""
    return {
        "modulus": f"{modulus:x}",
        "points": [hexes(vector) for vector in vectors],
        "record": "points",
    }


def proof(of: Json, s: tuple[int, ...] = S, t: tuple[int, ...] = T, q: int = PRIME) -> bytes:
    """Return a certificate."""
    return certificate(claim(of), points(s, t, modulus=q))


LINE = ((3, 5), (7, 1))
CASES = (
    Case("accept/two-hidden-layers", proof(NET)),
    Case("accept/other-points", proof(NET, (1, 0, 2), (0, 1, 1))),
    Case("accept/denominators", proof(HALVES, *LINE)),
    Case("accept/scaled", proof(SCALED, *LINE)),
    Case("accept/parallel-but-shifted", proof(SHIFTED)),
    Case("accept/constant", proof(network([[1, 1], [0, 1]]), *LINE)),
    Case("accept/one-unit", proof(ONE, *LINE)),
    Case("accept/one-unit-that-is-zero", proof(network([[0, 0]]), *LINE)),
    Case("accept/modulus-two-for-one-unit", proof(ONE, *LINE, q=2)),
    Case("accept/negative-points", proof(NET, (-3, 5, -11), (7, -1, 2))),
    Case("accept/composite-modulus", proof(NET, q=PRIME * 1000003)),
    Case("reject/quotient-repeated--parallel-units", proof(PARALLEL)),
    Case("reject/quotient-repeated--unit-and-later-unit", proof(LATER, *LINE)),
    Case("reject/quotient-repeated--last-layer", proof(DEEP, *LINE)),
    Case("reject/quotient-repeated--across-a-denominator", proof(TELLING, *LINE)),
    Case("reject/quotient-repeated--bias-across-a-denominator", proof(TELLING_BIAS, *LINE)),
    Case("reject/quotient-repeated--equal-points", proof(NET, S, S)),
    Case("reject/quotient-repeated--small-modulus", proof(NET, q=7)),
    Case("reject/not-a-unit--function-zero", proof(ZERO, *LINE)),
    Case("reject/not-a-unit--point-zero", proof(NET, (0, 0, 0))),
    Case("reject/not-a-unit--on-a-hyperplane", proof(NET, (2, -1, 0))),
    Case("reject/not-a-unit--divides-the-modulus", proof(NET, q=24)),
    Case("reject/modulus-too-small--one", proof(NET, q=1)),
    Case("reject/modulus-too-small--one-for-one-unit", proof(ONE, *LINE, q=1)),
    Case("reject/modulus-too-small--negative", proof(NET, q=-7)),
    Case("reject/missing-record--no-points", certificate(claim(NET))),
    Case("reject/surplus-record--twice", certificate(claim(NET), points(S, T), points(S, T))),
    Case("malformed/wrong-length--one-point", certificate(claim(NET), points(S))),
    Case("malformed/wrong-length--three-points", certificate(claim(NET), points(S, T, T))),
    Case("malformed/wrong-length--point-without-constant", proof(NET, (3, 5))),
    Case(
        "malformed/wrong-fields--no-modulus",
        certificate(claim(NET), {"points": [hexes(S), hexes(T)], "record": "points"}),
    ),
)
