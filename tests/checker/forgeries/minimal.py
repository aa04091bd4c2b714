"""Cases of the claim kind ``minimal``."""

from forge import Case, Json, certificate, dependency, kernel, minor, network

from .fiber_components import BOTH, BY_RANK, LINE, NOT_POINTED, OCTANT, PLANE, QUADRANT, RAY, RIGID

ALL_BY_RANK: Json = {"record": "by-rank"}
BY_CASES: Json = {"record": "by-cases"}


def proof(of: Json, domain: Json, *records: Json) -> bytes:
    """Return a claim that a network is minimal."""
    return certificate({"domain": domain, "kind": "minimal", "network": of}, *records)


ONE = minor([0], [0])
# x1 - x2 on the quadrant: rank 1, but two linear neurons are needed.
MINUS = network([[1, 0, 0], [0, 1, 0]], [[1, -1, 0]])
MINUS_PROOF = (NOT_POINTED, ONE, dependency("columns", [0, 1], [1, 1]))
# The same with x1 + x2 for it, which needs one.
PLUS = network([[1, 0, 0], [0, 1, 0]], [[1, 1, 0]])
# 3 (x1 - x2) + s(x1 + x2 - 1): both neurons on the bend and no linear one would not do.
BENT = network([[1, 0, 0], [0, 1, 0], [1, 1, -1]], [[3, -3, 1, 0]])
BENT_TWICE = (BY_RANK, kernel([1], [-1, 1]), minor([0, 1], [0, 1]))
BENT_PROOF = (
    *(NOT_POINTED, ONE, dependency("columns", [0, 1], [1, 1])),
    *(NOT_POINTED, ONE, dependency("columns", [0, 1], [1, 2])),
    *BENT_TWICE,
)
# 3 (x1 - x2) + s(x1 - x2 - 1) = -3 s(1 - x1 + x2) + 4 s(x1 - x2 - 1) + 3 needs no linear neuron.
REPLACED = network([[1, 0, 0], [0, 1, 0], [1, -1, -1]], [[3, -3, 1, 0]])
REPLACED_TWICE = (BY_RANK, kernel([1], [1, 1]), minor([0, 1], [0, 1]))
# Three linear neurons for rank 2, as λ = (1, 1, 1) is in the kernel also with the bend x1 - x3 + 2.
WEDGE = network(
    [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 0, -1, 2]], [[1, -1, 0, 1, 0], [0, 1, -1, 2, 0]]
)
TURNED = dependency("columns", [0, 1, 2], [1, 1, 1])
TWO = minor([0, 1], [0, 1])
SPAN = kernel([1, 2], [0, 1, 0], [1, 0, 1])
WEDGE_ONE = (NOT_POINTED, TWO, TURNED)
WEDGE_TWICE = (NOT_POINTED, SPAN, TWO, TURNED, SPAN, TWO)
WEDGE_PROOF = (*WEDGE_ONE, *WEDGE_ONE, *WEDGE_TWICE)
# On the line: s(x) + 2 s(-x); x; on the plane the identity, with two hyperplanes that cancel.
ABS = network([[1, 0], [-1, 0]], [[1, 2, 0]])
IDENTITY_1 = network([[1, 0], [-1, 0]], [[1, -1, 0]])
IDENTITY = network(
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, -1, 0, 0, 0], [0, 0, 1, -1, 0]]
)
ONE_WAY = network(
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, -1, 1, -1, 0], [1, -1, 1, -1, 0]]
)
BOTH_INPUTS = network([[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 1, 0]])
CONSTANT = network([[0, 1]], [[1, 0]])
CONSTANTS = network([[0, 1], [0, 2]], [[1, 1, 0]])
SHARED = network([[1, 0], [1, 0]], [[1, 1, 0]])
DEEP = network([[1, 0]], [[1, 0]], [[1, 0]])
AFFINE = network([[1, 0]])
CASES = (
    Case("accept/one-neuron-for-each-bend", proof(RIGID, QUADRANT)),
    Case("accept/on-all-of-space", proof(RIGID, PLANE)),
    Case("accept/one-neuron", proof(CONSTANT, LINE)),
    Case("accept/by-rank", proof(BOTH, QUADRANT, ALL_BY_RANK, ONE, ONE)),
    Case("accept/by-rank-in-cases", proof(BOTH, QUADRANT, BY_CASES, BY_RANK, ONE, BY_RANK, ONE)),
    Case("accept/not-pointed", proof(MINUS, QUADRANT, BY_CASES, *MINUS_PROOF)),
    Case("accept/both-sides", proof(BENT, QUADRANT, BY_CASES, *BENT_PROOF)),
    Case("accept/both-sides-not-pointed", proof(WEDGE, OCTANT, BY_CASES, *WEDGE_PROOF)),
    Case("accept/absolute-value", proof(ABS, LINE, ALL_BY_RANK, ONE, ONE)),
    Case("accept/absolute-value-in-cases", proof(ABS, LINE, BY_CASES, BY_RANK, ONE, BY_RANK, ONE)),
    Case("accept/identity-of-the-line", proof(IDENTITY_1, LINE, BY_CASES, BY_RANK, ONE)),
    Case("accept/identity", proof(IDENTITY, PLANE, BY_CASES, BY_RANK, TWO)),
    Case("accept/two-linear-neurons", proof(BOTH_INPUTS, QUADRANT, BY_CASES, BY_RANK, TWO)),
    Case("accept/two-linear-neurons-by-rank", proof(BOTH_INPUTS, QUADRANT, ALL_BY_RANK, TWO)),
    Case("reject/minor-size--two-linear", proof(BOTH_INPUTS, QUADRANT, BY_CASES, BY_RANK, ONE)),
    Case("reject/no-unit-pivot--one-way", proof(ONE_WAY, PLANE, BY_CASES, BY_RANK, TWO)),
    Case("reject/minor-size--one-way", proof(ONE_WAY, PLANE, BY_CASES, BY_RANK, ONE)),
    Case("reject/minor-size--identity", proof(IDENTITY, PLANE, BY_CASES, BY_RANK, ONE)),
    Case("reject/minor-size--by-rank", proof(IDENTITY_1, LINE, ALL_BY_RANK, ONE)),
    Case("reject/minor-size--on-the-ray", proof(IDENTITY_1, RAY, ALL_BY_RANK, ONE)),
    Case("reject/minor-size--one-suffices", proof(PLUS, QUADRANT, BY_CASES, BY_RANK, ONE)),
    Case(
        "reject/combination-not-zero--one-suffices", proof(PLUS, QUADRANT, BY_CASES, *MINUS_PROOF)
    ),
    Case("reject/missing-record--no-proof", proof(BOTH, QUADRANT)),
    Case("reject/missing-record--shared", proof(SHARED, LINE)),
    Case("reject/missing-record--dead", proof(CONSTANTS, LINE)),
    Case("reject/missing-record--orientation", proof(BOTH, QUADRANT, ALL_BY_RANK, ONE)),
    Case("reject/missing-record--case", proof(BOTH, QUADRANT, BY_CASES, BY_RANK, ONE)),
    Case("reject/missing-record--both-sides", proof(BENT, QUADRANT, BY_CASES, *BENT_PROOF[:6])),
    Case(
        "reject/surplus-record--case", proof(MINUS, QUADRANT, BY_CASES, *MINUS_PROOF, *MINUS_PROOF)
    ),
    Case(
        "reject/no-unit-pivot--replaced",
        proof(REPLACED, QUADRANT, BY_CASES, *MINUS_PROOF, *MINUS_PROOF, *REPLACED_TWICE),
    ),
    Case(
        "reject/kernel-block--replaced",
        proof(
            *(REPLACED, QUADRANT, BY_CASES, *MINUS_PROOF, *MINUS_PROOF),
            *(BY_RANK, kernel([0, 1], [1, 1], [1, 1]), ONE),
        ),
    ),
    Case(
        "reject/minor-size--kernel-forgotten",
        proof(
            *(REPLACED, QUADRANT, BY_CASES, *MINUS_PROOF, *MINUS_PROOF),
            *(BY_RANK, kernel([1], [1, 1]), ONE),
        ),
    ),
    Case(
        "reject/not-in-kernel--other-normal",
        proof(BENT, QUADRANT, BY_CASES, *BENT_PROOF[:6], BY_RANK, kernel([1], [1, 1]), TWO),
    ),
    Case(
        "reject/wrong-record--no-kernel",
        proof(BENT, QUADRANT, BY_CASES, *BENT_PROOF[:6], BY_RANK, TWO),
    ),
    Case(
        "reject/missing-record--inside",
        proof(WEDGE, OCTANT, BY_CASES, *WEDGE_PROOF[:-2]),
    ),
    Case(
        "reject/minor-size--inside",
        proof(WEDGE, OCTANT, BY_CASES, *WEDGE_PROOF[:-1], ONE),
    ),
    Case(
        "reject/minor-size--outside",
        proof(WEDGE, OCTANT, BY_CASES, *WEDGE_ONE, *WEDGE_ONE, NOT_POINTED, SPAN, ONE, TURNED),
    ),
    Case(
        "reject/multiplier-not-positive--dependency",
        proof(MINUS, QUADRANT, BY_CASES, NOT_POINTED, ONE, dependency("columns", [0, 1], [0, 0])),
    ),
    Case("reject/not-shallow--deep", proof(DEEP, LINE)),
    Case("reject/not-shallow--affine", proof(AFFINE, LINE)),
    Case(
        "reject/domain-not-simple--ray", proof(RIGID, {"dim": 2, "rows": [["gt", ["1", "0", "1"]]]})
    ),
    Case(
        "malformed/wrong-fields--rank", proof(BOTH, QUADRANT, {**ALL_BY_RANK, "rank": 1}, ONE, ONE)
    ),
)
