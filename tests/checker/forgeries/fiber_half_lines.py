"""Cases of the claim kind ``fiber-half-lines``."""

from collections.abc import Sequence
from fractions import Fraction

from face_trees import face_tree
from forge import Case, Json, certificate, network, system
from pair_trees import SAME, cut, decided, decided_all

from .fiber_components import member
from .fiber_member import RESULT, by
from .generic_bottleneck import bias
from .masked_rank import PRIME, modulus

HALF = Fraction(1, 2)
MINORS: Json = {"record": "minors"}
FACES: Json = {"record": "faces"}


def claim(of: Json, flips: Sequence[object], complete: object = "yes") -> Json:
    """Return a fiber-half-lines claim."""
    return {"complete": complete, "flips": list(flips), "kind": "fiber-half-lines", "network": of}


def generic(of: Json) -> tuple[Json, ...]:
    """Return the proof that a network is generic."""
    return MINORS, modulus(of, PRIME), bias(PRIME)


def proof(of: Json, flips: Sequence[object], *records: Json) -> bytes:
    """Return a complete claim about a generic network."""
    return certificate(claim(of, flips), *generic(of), *records)


def part(of: Json, flips: Sequence[object], *records: Json) -> bytes:
    """Return a claim that is not complete."""
    return certificate(claim(of, flips, "no"), *records)


def equal(of: Json) -> tuple[Json, ...]:
    """Return a network as a member that is equal to itself."""
    return member(of), by("equal-by-rewriting"), RESULT


UNIT = [[1, 0, 0], [0, 1, 0]]
# s(s(x) - s(y) - 1), and the same as s(s(x - y) - s(-y) - 1).
ONE = network(UNIT, [[1, -1, -1]], [[1, 0]])
ONE_FLIPPED = network([[1, -1, 0], [0, -1, 0]], [[1, -1, -1]], [[1, 0]])
ONE_TREE = (
    *(cut(0, 0, 0), cut(1, 0, 0), SAME, decided("-", (0, 0, 1), [0, 1, 2], [1, 1, 1])),
    *(decided("-", (1, 1, 0), [0, 2], [1, 1]), SAME, cut(1, 0, 0)),
    *(decided("+", (0, 0, 1), [0, 1, 2], [1, 1, 1]), decided("-", (0, 1, 0), [1, 2], [1, 1])),
    *(SAME, SAME),
)
FLIPPED = (member(ONE_FLIPPED), by("equal-by-cells"), *ONE_TREE)
# Other numbers, the second neuron hidden, and a dead neuron in layer 2.
DEAD = network([[0, 2, 1], [3, 0, 0]], [[-3, 2, -1], [-1, -1, -2]], [[5, 1, 7]])
DEAD_FLIPPED = network([[0, -2, -1], [3, -3, -3 * HALF]], [[-3, 2, -1], [-1, -1, -2]], [[5, 1, 7]])
DEAD_TREE = (
    *(cut(0, 0, 1), cut(1, 0, 1), SAME, decided("-", (0, 0, 0), [0, 1, 2], [2, 1, 1])),
    decided_all(
        ("-", (1, 1, 0), ([0, 2], [6, 1], [])), ("-", (1, 1, 1), ([0, 1, 2], [4, 5, 1], []))
    ),
    *(SAME, decided("-", (0, 1, 1), [0, 1], [3, 1], ((0, 0, 0), 1, 0)), cut(1, 0, 1)),
    decided("+", (0, 0, 0), [0, 1, 2], [2, 1, 1]),
    decided_all(
        ("-", (0, 1, 0), ([1, 2], [3, 2], [])), ("-", (0, 1, 1), ([0, 1, 2], [5, 1, 1], []))
    ),
    *(SAME, decided("-", (1, 1, 1), [1, 2], [3, 1], ((0, 0, 0), 0, 2)), SAME),
)
DEAD_RECORDS = (member(DEAD_FLIPPED), by("equal-by-cells"), *DEAD_TREE)
TWO = network(UNIT, [[1, -1, -1], [3, -2, -4]], [[1, 2, 0]])
# A flip that is forged, also of a function that does not change by it: the output weight is 0.
TWO_SILENT = network(UNIT, [[1, -1, -1], [1, -2, -1]], [[1, 0, 0]])
TWO_SILENT_FLIPPED = network([[1, -1, 0], [0, -1, 0]], [[1, -1, -1], [1, -2, -1]], [[1, 0, 0]])
ALL_DEAD = network(UNIT, [[-1, -1, -1]], [[1, 0]])
SHOWN = network(UNIT, [[1, 1, -1]], [[1, 0]])
BIASED = network(UNIT, [[1, -1, 1]], [[1, 0]])
AT_ZERO = network(UNIT, [[1, -1, 0]], [[1, 0]])
# The weight from the other neuron is 0.
ZERO_WEIGHT = network(UNIT, [[1, 0, -1]], [[1, 0]])
MIXED = network(UNIT, [[1, -1, -1], [-1, 1, -1]], [[1, 1, 0]])
PARALLEL = network([[1, 0, 0], [1, 0, 1]], [[1, -1, -1]], [[1, 0]])
NARROW = network([[1, 1, 0]], [[1, -1]], [[1, 0]])
WIDE = network([[1, 0], [2, 1]], [[1, -1, -1]], [[1, 0]])
SHALLOW = network(UNIT, [[1, -1, -1]])
PLANE = system(2)
# A hidden neuron beside one whose row of layer 2 has another minor that is 0.
NEEDS_FACES = network(UNIT, [[1, -1, -1], [1, -2, -1]], [[1, 2, 0]])


def by_faces(of: Json, *records: Json) -> bytes:
    """Return a complete claim with a proof by faces."""
    return certificate(claim(of, [[]]), FACES, modulus(of, PRIME), *face_tree(of, PLANE), *records)


def flip_of(*first: list[object]) -> tuple[Json, ...]:
    """Return the flipped member of ONE with other rows of layer 1."""
    other = network(first, [[1, -1, -1]], [[1, 0]])  # type: ignore[arg-type]
    return member(other), by("equal-by-cells"), *ONE_TREE


# s(2 s(x) - s(y) - 1) = s(2 s(x - y/2) - s(-y) - 1).
UNEVEN = network(UNIT, [[2, -1, -1]], [[1, 0]])
UNEVEN_FLIPPED = network([[1, -HALF, 0], [0, -1, 0]], [[2, -1, -1]], [[1, 0]])
UNEVEN_TREE = (
    *(cut(0, 0, 0), cut(1, 0, 0), SAME, decided("-", (0, 0, 1), [0, 1, 2], [2, 1, 1])),
    *(decided("-", (1, 1, 0), [0, 2], [2, 1]), SAME, cut(1, 0, 0)),
    *(decided("+", (0, 0, 1), [0, 1, 2], [2, 1, 1]), decided("-", (0, 1, 0), [1, 2], [1, 1])),
    *(SAME, SAME),
)
UNEVEN_RECORDS = (member(UNEVEN_FLIPPED), by("equal-by-cells"), *UNEVEN_TREE)
BIAS_ALONE = network(UNIT, [[-1, -1, 1]], [[1, 0]])
ZERO_ROW = network(UNIT, [[0, -1, -1]], [[1, 0]])
FOUR = network(UNIT, [[1, -1, -1]], [[1, 0]], [[1, 0]])
WIDE_FACES = certificate(claim(WIDE, []), FACES, modulus(WIDE, PRIME), *face_tree(WIDE, system(1)))
HIDES = (
    "layer 2 of the network N of widths {} hides neuron 1 of layer 1, and its translations keep "
)
SAYS = HIDES + (
    "the values of N, after each of {} sets F of flips; by the theorem on generic bottlenecks "
    "every generic network with its widths and its values is on one of {} half-lines of such "
    "networks, up to permutation, positive scaling and dead neurons"
)
CASES = (
    Case("accept/uneven-weights", proof(UNEVEN, [[1]], *UNEVEN_RECORDS)),
    Case(
        "accept/said-for-one",
        proof(ONE, [[1]], *FLIPPED),
        ("--expect", SAYS.format("2-2-1-1", 1, "2^1")),
    ),
    Case(
        "accept/said-for-two",
        proof(TWO, [[]], *equal(TWO)),
        ("--expect", SAYS.format("2-2-2-1", 1, "1")),
    ),
    Case(
        "accept/said-of-a-subset",
        part(ONE, [[]], *equal(ONE)),
        ("--expect", SAYS.split(";")[0].format("2-2-1-1", 1)),
    ),
    Case("reject/neuron-not-hidden--bias-alone", part(BIAS_ALONE, [])),
    Case("reject/neuron-not-hidden--zero-row", part(ZERO_ROW, [])),
    Case("reject/not-three-layers--four", part(FOUR, [])),
    Case("reject/not-a-bottleneck--by-faces", WIDE_FACES),
    Case("reject/shapes-differ--smaller-member", part(TWO, [[]], *equal(ONE))),
    Case("accept/one-live-neuron", proof(ONE, [[], [1]], *equal(ONE), *FLIPPED)),
    Case("accept/the-flip-alone", proof(ONE, [[1]], *FLIPPED)),
    Case("accept/nothing-listed", proof(ONE, [])),
    Case("accept/two-live-neurons", proof(TWO, [[]], *equal(TWO))),
    Case("accept/a-dead-neuron", proof(DEAD, [[0]], *DEAD_RECORDS)),
    Case("accept/by-faces", by_faces(TWO, *equal(TWO))),
    Case("accept/subset-not-generic", part(PARALLEL, [[]], *equal(PARALLEL))),
    Case("accept/subset-one-neuron", part(NARROW, [[]], *equal(NARROW))),
    Case("accept/subset-wide", part(WIDE, [[]], *equal(WIDE))),
    Case("reject/not-a-bottleneck--wide", proof(WIDE, [])),
    Case("reject/not-a-bottleneck--one-neuron", proof(NARROW, [])),
    Case("reject/minor-zero--parallel", proof(PARALLEL, [])),
    Case("reject/minor-zero--by-minors", proof(NEEDS_FACES, [])),
    Case("reject/missing-record--not-generic", certificate(claim(ONE, []))),
    Case("reject/wrong-record--not-generic", certificate(claim(ONE, [[]]), *equal(ONE))),
    Case("reject/surplus-record--generic", part(ONE, [], *generic(ONE))),
    Case("reject/neuron-not-hidden--all-dead", part(ALL_DEAD, [])),
    Case("reject/neuron-not-hidden--two-positive", part(SHOWN, [])),
    Case("reject/neuron-not-hidden--bias", part(BIASED, [])),
    Case("reject/neuron-not-hidden--bias-zero", part(AT_ZERO, [])),
    Case("reject/neuron-not-hidden--weight-zero", part(ZERO_WEIGHT, [])),
    Case("reject/neuron-not-hidden--different-ones", part(MIXED, [])),
    Case("reject/not-three-layers--two", part(SHALLOW, [])),
    Case("reject/not-a-flip--of-the-hidden-one", part(ONE, [[0]], *FLIPPED)),
    Case("reject/not-a-flip--two-live", part(TWO, [[1]], *equal(TWO))),
    Case(
        "reject/not-a-flip--silent",
        part(TWO_SILENT, [[1]], member(TWO_SILENT_FLIPPED), by("equal-by-cells"), *ONE_TREE),
    ),
    Case("reject/weights-differ--not-flipped", part(ONE, [[1]], *equal(ONE))),
    Case("reject/weights-differ--flipped", part(ONE, [[]], *FLIPPED)),
    Case("reject/weights-differ--row", part(ONE, [[1]], *flip_of([1, -1, 0], [0, 1, 0]))),
    Case("reject/weights-differ--hidden-row", part(ONE, [[1]], *flip_of([1, 0, 0], [0, -1, 0]))),
    Case("reject/weights-differ--sign", part(ONE, [[1]], *flip_of([1, 1, 0], [0, -1, 0]))),
    Case("reject/weights-differ--bias", part(ONE, [[1]], *flip_of([1, -1, 1], [0, -1, 0]))),
    Case("reject/weights-differ--scale", part(ONE, [[1]], *flip_of([2, -2, 0], [0, -2, 0]))),
    Case(
        "reject/weights-differ--layer-two",
        part(ONE, [[]], *equal(network(UNIT, [[1, -1, -2]], [[1, 0]]))),
    ),
    Case(
        "reject/weights-differ--layer-three",
        part(ONE, [[]], *equal(network(UNIT, [[1, -1, -1]], [[2, 0]]))),
    ),
    Case("reject/shapes-differ--member", part(ONE, [[]], *equal(TWO))),
    Case(
        "reject/forms-differ--no-proof",
        part(ONE, [[1]], member(ONE_FLIPPED), by("equal-by-cells"), SAME),
    ),
    Case("reject/missing-record--no-member", part(ONE, [[], [1]], *equal(ONE))),
    Case("reject/missing-record--no-equality", part(ONE, [[1]], member(ONE_FLIPPED))),
    Case("reject/index-out-of-range--flip", part(ONE, [[2]], *FLIPPED)),
    Case("reject/not-increasing--flip", part(ONE, [[1, 1]], *FLIPPED)),
    Case("malformed/not-yes-or-no--true", certificate(claim(ONE, [], True), *generic(ONE))),
    Case("malformed/not-yes-or-no--word", certificate(claim(ONE, [], "maybe"), *generic(ONE))),
    Case("malformed/not-a-list--flips", part(ONE, [1], *FLIPPED)),
    Case(
        "malformed/wrong-fields--no-network",
        certificate(claim(ONE, [[]], "no"), {"record": "member"}),
    ),
)
