"""Cases of the claim kind ``network-stability-at-least``."""

from fractions import Fraction

from forge import Case, Json, certificate, network, number, system, without

from .stability_at_least import NULL, TREE, H

LINE = system(1)
SEVENTH = Fraction(7, 10)
# x and -x, then both as they are: 1/√2, then 1.
BOTH = network([[1, 0], [-1, 0]], [[1, 0, 0], [0, 1, 0]])
HALVED = network([[1, 0], [-1, 0]], [[Fraction(1, 2), 0, 0], [0, Fraction(1, 2), 0]])
# x and -x, then |x|.
ABSOLUTE = network([[1, 0], [-1, 0]], [[1, 1, 0]])
PROOF = (H, *TREE, H, NULL)
TEXT = (
    "the network N of widths 1-2-2 satisfies |N(x) - N(y)| >= 7/10 |x - y| "
    "for all x, y in the polyhedron D of 0 rows in R^1"
)


def claim(of: Json, r: Fraction | int, on: Json = LINE) -> Json:
    """Return the claim that a network keeps points r times as far apart."""
    return {"bound": number(r), "domain": on, "kind": "network-stability-at-least", "network": of}


def factors(*bounds: Fraction | int) -> Json:
    """Return a factors record."""
    return {"bounds": [number(r) for r in bounds], "record": "factors"}


def proof(of: Json, r: Fraction | int, *records: Json, on: Json = LINE) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, r, on), *records)


CASES = (
    Case("accept/both", proof(BOTH, SEVENTH, factors(SEVENTH, 1), *PROOF)),
    Case(
        "accept/both-by-its-sentence",
        proof(BOTH, SEVENTH, factors(SEVENTH, 1), *PROOF),
        ("--expect", TEXT),
    ),
    Case("accept/less", proof(BOTH, Fraction(1, 2), factors(SEVENTH, 1), *PROOF)),
    Case("accept/halved", proof(HALVED, Fraction(7, 20), factors(SEVENTH, Fraction(1, 2)), *PROOF)),
    Case("accept/nothing-from-0", proof(ABSOLUTE, 0, factors(SEVENTH, 0), *PROOF)),
    Case(
        "reject/factors-too-small--product",
        proof(BOTH, Fraction(5, 7), factors(SEVENTH, 1), *PROOF),
    ),
    Case(
        "reject/factors-too-small--one-layer-only",
        proof(HALVED, SEVENTH, factors(SEVENTH, Fraction(1, 2)), *PROOF),
    ),
    Case(
        "reject/not-diagonally-dominant--first-layer",
        proof(BOTH, 1, factors(1, 1), *PROOF),
    ),
    Case(
        "reject/not-diagonally-dominant--last-layer",
        proof(ABSOLUTE, SEVENTH, factors(SEVENTH, 1), *PROOF),
    ),
    Case("reject/missing-record--last-layer", proof(BOTH, SEVENTH, factors(SEVENTH, 1), H, *TREE)),
    Case("malformed/wrong-length--factors", proof(BOTH, SEVENTH, factors(SEVENTH), *PROOF)),
    Case(
        "malformed/wrong-fields--bound",
        certificate(without(claim(BOTH, SEVENTH), "bound"), factors(SEVENTH, 1), *PROOF),
    ),
    Case("malformed/dimensions-differ--domain", proof(BOTH, 0, factors(0, 0), on=system(2))),
    Case("reject/bound-negative--factor", proof(BOTH, SEVENTH, factors(-1, -1), *PROOF)),
)
