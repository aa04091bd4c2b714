"""Cases of the claim kind ``value``."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network, point, vector, without

# Xor: rows are weights and then the bias.
XOR = network([[1, 1, 1], [1, 1, 0]], [[2, -4, -1]])
DEEP = network(
    [[Fraction(1, 2), 1], [-1, 0]], [[1, Fraction(1, 3), -1]], [[2, 0], [Fraction(1, 5), 1]]
)
AFFINE = network([[3, 1]])


def claim(of: Json, at: Any, to: Any, signs: Sequence[object]) -> Json:
    """Return a value claim."""
    return {"kind": "value", "network": of, "output": to, "point": at, "signs": list(signs)}


XOR_CLAIM = claim(XOR, vector(1, -1), vector(1), ["+0"])
DEEP_CLAIM = claim(
    DEEP, vector(Fraction(1, 3)), vector(Fraction(1, 3), Fraction(31, 30)), ["+-", "+"]
)
LAYER = AFFINE["layers"][0]


def affine(**changes: object) -> bytes:
    """Return a value claim of the affine network with a field of its layer changed."""
    return certificate(claim({"layers": [{**LAYER, **changes}]}, vector(0), vector(1), []))


CASES = (
    Case("accept/xor", certificate(XOR_CLAIM)),
    Case("accept/deep", certificate(DEEP_CLAIM)),
    Case("accept/affine", certificate(claim(AFFINE, vector(Fraction(-1, 3)), vector(0), []))),
    Case("accept/negative-output", certificate(claim(XOR, vector(1, 1), vector(-3), ["++"]))),
    Case("accept/dead-layer", certificate(claim(XOR, vector(-9, 0), vector(-1), ["--"]))),
    Case(
        "reject/wrong-output--relu-forgotten",
        certificate(claim(XOR, vector(-2, 0), vector(5), ["--"])),
    ),
    Case(
        "reject/wrong-output--bias-forgotten", certificate(claim(AFFINE, vector(1), vector(3), []))
    ),
    Case(
        "reject/wrong-output--relu-on-the-last-layer",
        certificate(claim(XOR, vector(1, 1), vector(0), ["++"])),
    ),
    Case(
        "reject/wrong-output--denominator-lost",
        certificate(claim(DEEP, vector(Fraction(1, 3)), vector(1, 31), ["+-", "+"])),
    ),
    Case(
        "reject/wrong-output--second-output",
        certificate(claim(DEEP, vector(Fraction(1, 3)), vector(Fraction(1, 3), 1), ["+-", "+"])),
    ),
    Case("reject/wrong-signs--zero-called-positive", certificate({**XOR_CLAIM, "signs": ["++"]})),
    Case("reject/wrong-signs--zero-called-negative", certificate({**XOR_CLAIM, "signs": ["+-"]})),
    Case("reject/wrong-signs--positive-called-zero", certificate({**XOR_CLAIM, "signs": ["00"]})),
    Case(
        "reject/wrong-signs--negative-called-zero",
        certificate({**DEEP_CLAIM, "signs": ["+0", "+"]}),
    ),
    Case("reject/wrong-signs--second-layer", certificate({**DEEP_CLAIM, "signs": ["+-", "-"]})),
    Case("reject/wrong-signs--too-few-neurons", certificate({**XOR_CLAIM, "signs": ["+"]})),
    Case("reject/surplus-record--evidence-where-none-belongs", certificate(XOR_CLAIM, point(0))),
    Case(
        "malformed/wrong-length--signs-of-a-layer-missing",
        certificate({**DEEP_CLAIM, "signs": ["+-"]}),
    ),
    Case("malformed/not-a-string--sign-list", certificate({**XOR_CLAIM, "signs": [["+", "0"]]})),
    Case("malformed/not-a-list--signs-as-one-string", certificate({**XOR_CLAIM, "signs": "+0"})),
    Case("malformed/wrong-length--point-too-short", certificate({**XOR_CLAIM, "point": vector(1)})),
    Case(
        "malformed/wrong-length--output-too-long",
        certificate({**XOR_CLAIM, "output": vector(1, 1)}),
    ),
    Case(
        "malformed/no-layers--empty-network",
        certificate(claim({"layers": []}, vector(1), vector(1), [])),
    ),
    Case(
        "malformed/widths-differ--second-layer",
        certificate(claim(network([[1, 0]], [[1, 1, 0]]), vector(1), vector(1), ["+"])),
    ),
    Case(
        "malformed/widths-differ--second-layer-too-narrow",
        certificate(claim(network([[1, 0], [1, 0]], [[1, 0]]), vector(1), vector(1), ["++"])),
    ),
    Case("malformed/zero-width--no-inputs", affine(inputs=0, matrix=["1", [["1"]]])),
    Case("malformed/zero-width--no-outputs", affine(outputs=0, matrix=["1", []])),
    Case("malformed/wrong-length--a-trillion-neurons", affine(outputs=10**12)),
    Case("malformed/wrong-length--a-trillion-inputs", affine(inputs=10**12)),
    Case("malformed/wrong-length--matrix-without-denominator", affine(matrix=[["3", "1"]])),
    Case("malformed/not-lowest-terms--layer", affine(matrix=["2", [["6", "2"]]])),
    Case("malformed/wrong-fields--layer-with-activation", affine(activation="relu")),
    Case(
        "malformed/wrong-fields--layer-without-outputs",
        certificate(claim({"layers": [without(LAYER, "outputs")]}, vector(0), vector(1), [])),
    ),
    Case(
        "malformed/wrong-fields--network-with-name",
        certificate(claim({**AFFINE, "name": "affine"}, vector(0), vector(1), [])),
    ),
    Case(
        "malformed/not-an-object--network-is-a-list",
        certificate({**XOR_CLAIM, "network": XOR["layers"]}),
    ),
    Case(
        "malformed/not-an-object--layer-is-a-list",
        certificate(claim({"layers": [["1", [["3", "1"]]]]}, vector(0), vector(1), [])),
    ),
)
