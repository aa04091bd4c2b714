"""Cases of the claim kind ``fiber-strata``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, dependency, kernel, minor, network

from .fiber_components import BY_RANK, LINE, NOT_POINTED, OCTANT, QUADRANT, RAY, member

HALF = Fraction(1, 2)


def stratum(
    bends: Sequence[object], others: Sequence[object] = (), linear: int = 0, dead: int = 0
) -> Json:
    """Return a stratum."""
    return {"bends": list(bends), "dead": dead, "linear": linear, "others": list(others)}


def claim(of: Json, nonempty: Sequence[Json], empty: Sequence[Json], domain: Json) -> Json:
    """Return a fiber-strata claim."""
    return {
        "domain": domain,
        "empty": list(empty),
        "kind": "fiber-strata",
        "network": of,
        "nonempty": list(nonempty),
    }


def proof(
    of: Json, nonempty: Sequence[Json], empty: Sequence[Json], domain: Json, *records: Json
) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, nonempty, empty, domain), *records)


ONE = minor([0], [0])
TWO = minor([0, 1], [0, 1])
# s(x) on the line, by one neuron and one that is idle, constant, dead, shared or doubled.
IDLE = network([[1, 0], [1, 1]], [[1, 0, 0]])
TURNED_IDLE = network([[1, 0], [-1, -1]], [[1, 0, 0]])
CONSTANT = network([[1, 0], [0, 1]], [[1, 1, -1]])
DEAD = network([[1, 0], [0, -1]], [[1, 1, 0]])
SHARED = network([[1, 0], [2, 0]], [[3, -1, 0]])
DOUBLED = network([[1, 0], [-1, 0]], [[1, 0, 0]])
RELU = [
    *(stratum(["+"], ["+"]), stratum(["+"], linear=1), stratum(["+"], dead=1)),
    *(stratum(["++"]), stratum(["+-"])),
]
RELU_MEMBERS = tuple(map(member, (IDLE, CONSTANT, DEAD, SHARED, DOUBLED)))
TURNED = stratum(["-"], ["+"])
# x on the line by two neurons that cancel; with neurons of one side it is not there.
X = network([[1, 0], [-1, 0]], [[1, -1, 0]])
X_MOVED = network([[2, 1], [-2, -1]], [[HALF, -HALF, -HALF]])
CANCELS = stratum([], ["+-"])
ALONE = stratum([], ["++"])
# Three linear neurons for x1 - x2, x2 - x3 and the bend x1 - x3 + 2.
WEDGE = network(
    [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 0, -1, 2]], [[1, -1, 0, 1, 0], [0, 1, -1, 2, 0]]
)
TURNED_COLUMNS = dependency("columns", [0, 1, 2], [1, 1, 1])
SPAN = kernel([1, 2], [0, 1, 0], [1, 0, 1])
PAIR = stratum(["+"], ["+-"], linear=1)
PAIR_PROOF = (NOT_POINTED, TWO, TURNED_COLUMNS, TWO)
TWO_LINEAR = stratum(["+"], linear=2, dead=1)
TWO_LINEAR_PROOF = (NOT_POINTED, TWO, TURNED_COLUMNS)
DOUBLED_PAIR = stratum(["+-"], linear=1, dead=1)
DOUBLED_PAIR_PROOF = (NOT_POINTED, SPAN, TWO, TURNED_COLUMNS, SPAN, TWO)
PAIRS = stratum(["+"], ["+-", "+"])
PAIRS_PROOF = (BY_RANK, TWO)
# The identity of three inputs: a pair that cancels and a linear neuron give rank 2.
SPACE = network(
    [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]], [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
)
SPACE_PROOF = (BY_RANK, minor([0, 1, 2], [0, 1, 2]))
# x1 + x2 on the quadrant as a linear neuron and an idle one: a pair that cancels will do.
PLUS = network([[1, 1, 0], [1, -1, 0]], [[1, 0, 0]])
PLUS_PAIR = network([[1, 1, -1], [-1, -1, 1]], [[1, -1, 1]])


def relu(nonempty: Sequence[Json], *records: Json, empty: Sequence[Json] = ()) -> bytes:
    """Return a certificate about s(x) on the line."""
    return proof(IDLE, nonempty, empty, LINE, *records)


CASES = (
    Case("accept/all-kinds", relu(RELU, *RELU_MEMBERS)),
    Case("accept/turned-idle", relu([RELU[0]], member(TURNED_IDLE))),
    Case("accept/turned-bend", relu([], BY_RANK, ONE, empty=[TURNED])),
    Case(
        "accept/constants-are-not-linear",
        proof(X, [], [stratum([], [], linear=2)], LINE, BY_RANK, ONE),
    ),
    Case("accept/nothing", relu([])),
    Case("accept/cancelling", proof(X, [CANCELS], [ALONE], LINE, member(X_MOVED), BY_RANK, ONE)),
    Case("accept/cancelling-and-linear", proof(WEDGE, [], [PAIR], OCTANT, *PAIR_PROOF)),
    Case("accept/two-linear", proof(WEDGE, [], [TWO_LINEAR], OCTANT, *TWO_LINEAR_PROOF)),
    Case("accept/doubled-bend", proof(WEDGE, [], [DOUBLED_PAIR], OCTANT, *DOUBLED_PAIR_PROOF)),
    Case("accept/one-pair", proof(WEDGE, [], [PAIRS], OCTANT, *PAIRS_PROOF)),
    Case(
        "accept/rank-three",
        proof(SPACE, [], [stratum([], ["+-"], linear=1)], OCTANT, *SPACE_PROOF),
    ),
    Case("accept/pair-for-linear", proof(PLUS, [CANCELS], [], QUADRANT, member(PLUS_PAIR))),
    Case("reject/minor-size--pair-for-linear", proof(PLUS, [], [CANCELS], QUADRANT, BY_RANK, ONE)),
    Case(
        "reject/minor-size--rank-three",
        proof(SPACE, [], [stratum([], ["+-"], linear=1)], OCTANT, BY_RANK, TWO),
    ),
    Case("reject/missing-record--inside", proof(WEDGE, [], [PAIR], OCTANT, *PAIR_PROOF[:-1])),
    Case("reject/minor-size--inside", proof(WEDGE, [], [PAIR], OCTANT, *PAIR_PROOF[:-1], ONE)),
    Case(
        "reject/minor-size--outside",
        proof(WEDGE, [], [PAIR], OCTANT, NOT_POINTED, ONE, TURNED_COLUMNS, TWO),
    ),
    Case("reject/wrong-roles--constant-as-dead", relu([RELU[2]], member(CONSTANT))),
    Case("reject/wrong-roles--dead-as-constant", relu([RELU[1]], member(DEAD))),
    Case("reject/wrong-roles--shared-as-doubled", relu([RELU[4]], member(SHARED))),
    Case("reject/wrong-roles--idle-turned", relu([stratum(["+"], ["-"])], member(TURNED_IDLE))),
    Case("reject/wrong-roles--idle-as-nothing", relu([stratum(["+"])], member(IDLE))),
    Case(
        "reject/forms-differ--member",
        relu([RELU[3]], member(network([[1, 0], [2, 0]], [[3, 1, 0]]))),
    ),
    Case(
        "reject/shapes-differ--fewer", relu([stratum(["+"])], member(network([[1, 0]], [[1, 0]])))
    ),
    Case(
        "reject/shapes-differ--more",
        proof(network([[1, 0]], [[1, 0]]), [RELU[0]], [], LINE, member(IDLE)),
    ),
    Case("reject/no-unit-pivot--not-empty", relu([], BY_RANK, ONE, empty=[RELU[0]])),
    Case("reject/wrong-signs--too-many", relu([], BY_RANK, ONE, empty=[stratum(["-", "-"])])),
    Case("reject/wrong-signs--too-few", relu([], BY_RANK, ONE, empty=[stratum([], ["+"])])),
    Case("reject/wrong-signs--word", relu([], BY_RANK, ONE, empty=[stratum(["0"])])),
    Case("reject/wrong-signs--no-neuron", relu([], BY_RANK, ONE, empty=[stratum([""])])),
    Case("reject/wrong-signs--other-word", relu([], BY_RANK, ONE, empty=[stratum(["-"], ["x"])])),
    Case(
        "reject/minor-size--constant-is-not-linear",
        proof(X, [], [stratum([], [], linear=2)], LINE, BY_RANK, minor([], [])),
    ),
    Case("reject/missing-record--member", relu(RELU[:2], member(IDLE))),
    Case("reject/not-shallow--affine", proof(network([[1, 0]]), [], [], LINE)),
    Case("reject/not-shallow--deep", proof(network([[1, 0]], [[1, 0]], [[1, 0]]), [], [], RAY)),
    Case("malformed/wrong-fields--stratum", relu([{**RELU[0], "free": 1}], member(IDLE))),
    Case("malformed/not-an-index--linear", relu([{**RELU[0], "linear": "1"}], member(IDLE))),
    Case("malformed/not-a-string--side", relu([stratum([1])], member(IDLE))),
)
