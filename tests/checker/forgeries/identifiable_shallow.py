"""Cases of the claim kind ``identifiable-shallow``."""

from fractions import Fraction

from forge import Case, Json, certificate, kernel, minor, network, system

from .fiber_components import BY_RANK, RIGID

HALF = Fraction(1, 2)
SUMS: Json = {"record": "sums"}
BY_CASES: Json = {"record": "cases"}
ONE = minor([0], [0])
CASE = (BY_RANK, ONE)


def proof(of: Json, *records: Json) -> bytes:
    """Return a claim that a network is identifiable."""
    return certificate({"kind": "identifiable-shallow", "network": of}, *records)


def line(*neurons: tuple[int, int, Fraction | int]) -> Json:
    """Return a network on the line: weight, bias and output weight of each neuron."""
    rows = [[w, b] for w, b, _ in neurons]
    return network(rows, [[*(v for _, _, v in neurons), 5]])


RELU = line((2, 1, 3))
TWO = line((1, 0, 1), (-1, 1, 3))
# Sums of V·w: 1, 2, 4, -8, or 7 as the last.
FOUR = line((1, 0, 1), (1, 1, 2), (1, 2, 4), (-2, 3, 4))
FOUR_ZERO = line((1, 0, 1), (1, 1, 2), (1, 2, 4), (-1, 3, 7))
FIRST_TWO = line((1, 0, 1), (1, 1, -1), (1, 2, 4), (1, 3, 7))
LAST_TWO = line((1, 0, 1), (1, 1, 2), (1, 2, 4), (1, 3, -4))
FIRST_AND_LAST = line((1, 0, 3), (1, 1, 7), (1, 2, 20), (1, 3, -3))
SECOND_ALONE = line((1, 0, 5), (1, 1, 7), (1, 2, 3), (1, 3, HALF))
# Two outputs and inputs: the sum is 0 in three entries of four.
NEARLY = network([[1, 2, 0], [1, 2, 1], [1, 2, 2]], [[1, 1, -2, 0], [1, 1, -1, 0]])
SLOPES = network([[1, 2, 0], [1, 3, 1]], [[1, -1, 0]])
# s(x) + 2 s(-x): both sides of one bend. Then with s(x + 1) beside it, and with another bend.
ABS = line((1, 0, 1), (-1, 0, 2))
ABS_PROOF = (ONE, *CASE, *CASE)
ABS_TURNED = line((-1, 0, 2), (1, 0, 1))
BESIDE = line((1, 0, 1), (-1, 0, 2), (1, 1, 5))
BESIDE_CASES = (*(CASE * 4), BY_RANK, kernel([]), ONE)
# Two pairs of opposite neurons with bends, one output: one hyperplane that cancels would do.
CROSS = network([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, 2, 3, 5, 0]])
# With two outputs it would not.
TALL = network([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, 2, 0, 0, 0], [0, 0, 3, 5, 0]])
TWO_MINOR = minor([0, 1], [0, 1])
TALL_PROOF = (
    TWO_MINOR,
    *((BY_RANK, TWO_MINOR) * 4),
    *((BY_RANK, kernel([1], [0, 1]), TWO_MINOR) * 2),
    *((BY_RANK, kernel([0], [1, 0]), TWO_MINOR) * 2),
)
PARALLEL = line((1, 0, 1), (-1, 0, 2), (1, 1, 3), (-1, -1, 5))
TWICE = line((1, 0, 1), (1, 0, 2))
TWICE_NEGATIVE = line((-1, 0, 1), (-2, 0, 2))
CANCELS = line((1, 0, 1), (-1, 0, -1))
CONSTANT = line((1, 0, 1), (0, 1, 1))
IDLE = line((1, 0, 1), (1, 1, 0))
DEEP = network([[1, 0]], [[1, 1]], [[1, 0]])
AFFINE = network([[1, 0]])
CASES = (
    Case("accept/one-neuron", proof(RELU, SUMS)),
    Case("accept/two", proof(TWO, SUMS)),
    Case("accept/four", proof(FOUR, SUMS)),
    Case("accept/plane", proof(RIGID, SUMS)),
    Case("accept/second-weights-differ", proof(SLOPES, SUMS)),
    Case("accept/nearly-zero", proof(NEARLY, SUMS)),
    Case("accept/not-zero", proof(SECOND_ALONE, SUMS)),
    Case("accept/both-sides", proof(ABS, BY_CASES, *ABS_PROOF)),
    Case("accept/both-sides-turned", proof(ABS_TURNED, BY_CASES, *ABS_PROOF)),
    Case("accept/two-pairs", proof(TALL, BY_CASES, *TALL_PROOF)),
    Case("accept/in-cases", proof(RELU, BY_CASES, minor([], []), *CASE)),
    Case("reject/not-identifiable--all-four", proof(FOUR_ZERO, SUMS)),
    Case("reject/not-identifiable--first-two", proof(FIRST_TWO, SUMS)),
    Case("reject/not-identifiable--last-two", proof(LAST_TWO, SUMS)),
    Case("reject/not-identifiable--first-and-last", proof(FIRST_AND_LAST, SUMS)),
    Case("reject/minor-size--other-side", proof(BESIDE, BY_CASES, ONE, *BESIDE_CASES)),
    Case("reject/bend-shared--sums", proof(ABS, SUMS)),
    Case("reject/bend-shared--twice", proof(TWICE, BY_CASES, ONE, *CASE, *CASE)),
    Case("reject/bend-shared--twice-negative", proof(TWICE_NEGATIVE, SUMS)),
    Case("reject/neuron-cancels--pair", proof(CANCELS, BY_CASES, ONE, *CASE, *CASE)),
    Case("reject/neuron-cancels--constant", proof(CONSTANT, SUMS)),
    Case("reject/neuron-cancels--idle", proof(IDLE, SUMS)),
    Case("reject/minor-size--no-normals", proof(ABS, BY_CASES, minor([], []), *CASE, *CASE)),
    Case("reject/minor-size--parallel", proof(PARALLEL, BY_CASES, ONE)),
    Case(
        "reject/minor-size--a-hyperplane-may-cancel",
        proof(TALL, BY_CASES, TWO_MINOR, BY_RANK, ONE),
    ),
    Case(
        "reject/index-out-of-range--a-hyperplane-may-cancel",
        proof(CROSS, BY_CASES, TWO_MINOR, BY_RANK, TWO_MINOR),
    ),
    Case("reject/missing-record--case", proof(ABS, BY_CASES, *ABS_PROOF[:-2])),
    Case("reject/surplus-record--own-case", proof(ABS, BY_CASES, *ABS_PROOF, *CASE)),
    Case("reject/missing-record--no-proof", proof(TWO)),
    Case("reject/not-shallow--deep", proof(DEEP, SUMS)),
    Case("reject/not-shallow--affine", proof(AFFINE, SUMS)),
    Case("malformed/wrong-fields--sums", proof(TWO, {**SUMS, "n": 4})),
    Case(
        "malformed/wrong-fields--domain",
        certificate({"domain": system(1), "kind": "identifiable-shallow", "network": TWO}, SUMS),
    ),
)
