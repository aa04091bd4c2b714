"""Cases of the claim kind ``fiber-components``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, dependency, minor, network, system

HALF = Fraction(1, 2)
LINE, PLANE = system(1), system(2)
RAY = system(1, ("gt", [1, 0]))
QUADRANT = system(2, ("gt", [1, 0, 0]), ("gt", [0, 1, 0]))
OCTANT = system(3, ("gt", [1, 0, 0, 0]), ("gt", [0, 1, 0, 0]), ("gt", [0, 0, 1, 0]))


def claim(
    of: Json, nonempty: Sequence[object], empty: Sequence[object], domain: Json, dead: object = 0
) -> Json:
    """Return a fiber-components claim."""
    return {
        "dead": dead,
        "domain": domain,
        "empty": list(empty),
        "kind": "fiber-components",
        "network": of,
        "nonempty": list(nonempty),
    }


def member(of: Json) -> Json:
    """Return a member record."""
    return {"network": of, "record": "member"}


BY_RANK = {"record": "rank-too-large"}
NOT_POINTED = {"record": "not-pointed"}

# x1 + x2 + 1 + s(x1 - x2/2 + 1/4): A = (1, 1), turned (2, 1/2), both pointed [S002-P04].
BOTH = network([[1, 1, 1], [1, -HALF, Fraction(1, 4)]], [[1, 1, 0]])
BOTH_TURNED = network([[2, HALF, HALF], [-1, HALF, Fraction(-1, 4)]], [[1, 1, Fraction(3, 4)]])
# The same with a weight -2: A = (1, 1), turned (2, -1).
ONE = network([[1, 1, 1], [1, -2, 1]], [[1, 1, 0]])
# No linear neuron: turning one of the bends would need one.
RIGID = network([[1, -2, 1], [3, -1, -1]], [[1, 2, 0], [-1, 1, 0]])
# Two bends and one linear neuron, one output.
TWO = network([[1, 2, 1], [1, -3, 1], [-1, 1, 2]], [[1, 1, HALF, 0]])
TWO_TURNED = network([[HALF, Fraction(5, 2), 2], [1, -3, 1], [1, -1, -2]], [[1, 1, HALF, 0]])
# Three inputs, two outputs, two linear neurons: A = I beside (1, 1), turned (1, -1) in the end.
WEDGE = network([[1, 0, 1, 1], [0, 1, 1, 1], [1, 1, -2, 1]], [[1, 0, 1, 0], [0, 1, 1, 0]])
# The function x on the ray, by a linear neuron, with a dead one beside it.
DEAD = network([[1, 0], [-1, -1]], [[1, 1, 0]])
# On the line: x = s(x) - s(-x) bends nowhere, and |x| bends once.
ABS = network([[1, 0]], [[1, 0]])
CONSTANT = network([[1, 1], [0, 1]], [[1, 2, 0]])
SCALED = network([[HALF, HALF], [0, 3]], [[2, 1, -1]])


def both(*records: Json, nonempty: Sequence[object] = "+-") -> bytes:
    """Return a file that lists both orientations of BOTH as nonempty."""
    return certificate(claim(BOTH, nonempty, "", QUADRANT), *records)


def one(*records: Json, of: Json = ONE) -> bytes:
    """Return a file that says that ONE cannot be turned."""
    return certificate(claim(of, "", "-", QUADRANT), *records)


def of_both(rows: Sequence[Sequence[Fraction | int]], *out: Sequence[Fraction | int]) -> bytes:
    """Return a file with another member for the orientation + of BOTH."""
    return both(member(network(rows, *out)), nonempty="+")


DEPENDENCY = dependency("columns", [0, 1], [1, 2])
MINOR = minor([0], [0])
RIGID_EMPTY = (BY_RANK, minor([0], [0]), BY_RANK, minor([1], [1]), BY_RANK, minor([0], [1]))

CASES = (
    Case("accept/both-orientations", both(member(BOTH), member(BOTH_TURNED))),
    Case("accept/one-orientation-of-two", both(member(BOTH_TURNED), nonempty="-")),
    Case("accept/nothing-listed", certificate(claim(BOTH, "", "", QUADRANT))),
    Case(
        "accept/linear-neuron-scaled-and-moved",
        of_both([[2, 2, 1], [1, -HALF, Fraction(1, 4)]], [[HALF, 1, HALF]]),
    ),
    Case(
        "accept/neurons-exchanged",
        of_both([[4, -2, 1], [1, 1, 1]], [[Fraction(1, 4), 1, 0]]),
    ),
    Case("accept/not-pointed", one(NOT_POINTED, MINOR, DEPENDENCY)),
    Case("accept/not-pointed-other-column", one(NOT_POINTED, minor([0], [1]), DEPENDENCY)),
    Case(
        "accept/member-and-empty",
        certificate(claim(ONE, "+", "-", QUADRANT), member(ONE), NOT_POINTED, MINOR, DEPENDENCY),
    ),
    Case(
        "accept/rigid",
        certificate(
            claim(RIGID, ["++"], ["+-", "-+", "--"], QUADRANT), member(RIGID), *RIGID_EMPTY
        ),
    ),
    Case(
        "accept/rigid-on-the-plane",
        certificate(claim(RIGID, ["++"], ["+-", "-+", "--"], PLANE), member(RIGID), *RIGID_EMPTY),
    ),
    Case(
        "accept/second-of-two-turned",
        certificate(claim(TWO, ["++", "+-"], [], QUADRANT), member(TWO_TURNED), member(TWO)),
    ),
    Case(
        "accept/rank-of-two-linear-neurons",
        certificate(claim(WEDGE, "+", "", OCTANT), member(WEDGE)),
    ),
    Case(
        "accept/not-pointed-with-two-linear-neurons",
        certificate(
            claim(WEDGE, "", "-", OCTANT),
            NOT_POINTED,
            minor([0, 1], [0, 1]),
            dependency("columns", [0, 1, 2], [1, 1, 3]),
        ),
    ),
    Case("accept/dead", certificate(claim(DEAD, [""], [], RAY, 1), member(DEAD))),
    Case(
        "accept/zero-row-is-dead",
        certificate(
            claim(DEAD, [""], [], RAY, 1), member(network([[0, 0], [2, 0]], [[7, HALF, 0]]))
        ),
    ),
    Case(
        "accept/dead-one-too-many",
        certificate(claim(BOTH, "", "+", QUADRANT, 1), BY_RANK, MINOR),
    ),
    Case("accept/line", certificate(claim(ABS, "+", "-", LINE), member(ABS), BY_RANK, MINOR)),
    Case(
        "accept/constant-on-the-line",
        certificate(claim(CONSTANT, "+", "-", LINE), member(SCALED), BY_RANK, MINOR),
    ),
    Case("reject/wrong-signs--turned", both(member(BOTH_TURNED), nonempty="+")),
    Case(
        "reject/wrong-signs--order-of-the-bends",
        certificate(claim(TWO, ["-+"], [], QUADRANT), member(TWO)),
    ),
    Case("reject/wrong-signs--too-long", both(member(BOTH), nonempty=["++"])),
    Case("reject/wrong-signs--too-short", both(member(BOTH), nonempty=[""])),
    Case("reject/wrong-signs--zero", both(member(BOTH), nonempty="0")),
    Case(
        "reject/wrong-signs--zero-in-empty",
        certificate(claim(ONE, "", "0", QUADRANT), BY_RANK, minor([], [])),
    ),
    Case(
        "reject/wrong-signs--too-long-in-empty",
        certificate(claim(ONE, "", ["--"], QUADRANT), NOT_POINTED, MINOR, DEPENDENCY),
    ),
    Case(
        "reject/wrong-signs--too-short-in-empty",
        certificate(claim(ONE, "", [""], QUADRANT), BY_RANK, MINOR),
    ),
    Case(
        "reject/not-increasing--exchanged",
        both(member(BOTH_TURNED), member(BOTH), nonempty=["-", "+"]),
    ),
    Case("reject/not-increasing--twice", both(member(BOTH), member(BOTH), nonempty=["+", "+"])),
    Case(
        "reject/not-increasing--empty-twice",
        certificate(claim(ONE, "", ["-", "-"], QUADRANT), *(NOT_POINTED, MINOR, DEPENDENCY) * 2),
    ),
    Case(
        "reject/forms-differ--output-bias",
        of_both([[1, 1, 2], [1, -HALF, Fraction(1, 4)]], [[1, 1, 0]]),
    ),
    Case(
        "reject/forms-differ--turned-without-compensation",
        both(member(network([[1, 1, 1], [-1, HALF, Fraction(-1, 4)]], [[1, 1, 0]])), nonempty="-"),
    ),
    Case(
        "reject/forms-differ--other-bend",
        of_both([[1, 1, 1], [1, -HALF, Fraction(1, 3)]], [[1, 1, 0]]),
    ),
    Case(
        "reject/shapes-differ--third-neuron",
        of_both([[1, 1, 1], [1, -HALF, Fraction(1, 4)], [-1, -1, -1]], [[1, 1, 0, 0]]),
    ),
    Case(
        "reject/shapes-differ--no-hidden-layer",
        certificate(claim(DEAD, [""], [], RAY, 0), member(network([[1, 0]]))),
    ),
    Case(
        "reject/bend-shared--turned-copy",
        certificate(
            claim(network([[1, 0], [1, -1]], [[1, 1, 0]]), "+", "", RAY),
            member(network([[-1, 1], [1, -1]], [[-1, 2, 1]])),
        ),
    ),
    Case(
        "reject/bend-shared--two-of-three",
        certificate(
            claim(network([[1, -1], [1, 0], [1, 1]], [[2, 1, 1, 0]]), "+", "", RAY),
            member(network([[1, -1], [2, -2], [1, 1]], [[1, HALF, 2, -1]])),
        ),
    ),
    Case(
        "reject/neuron-cancels--weight-0",
        certificate(
            claim(network([[1, -1], [-1, -1]], [[2, 1, 0]]), "+", "", RAY, 0),
            member(network([[1, -1], [1, -2]], [[2, 0, 0]])),
        ),
    ),
    Case(
        "reject/neuron-cancels--linear-only-on-the-orthant",
        certificate(claim(CONSTANT, "+", "", LINE), member(network([[1, 1], [2, 3]], [[1, 0, 2]]))),
    ),
    Case(
        "reject/neuron-cancels--second-weight-on-the-plane",
        certificate(
            claim(network([[1, 1, 1], [0, 0, 1]], [[1, 2, 0]]), "+", "", PLANE),
            member(network([[1, 1, 1], [0, 2, 3]], [[1, 0, 2]])),
        ),
    ),
    Case(
        "reject/neuron-cancels--dead-only-on-the-orthant",
        certificate(
            claim(CONSTANT, "+", "", LINE, 1), member(network([[1, 1], [-2, -3]], [[1, 0, 2]]))
        ),
    ),
    Case(
        "reject/wrong-roles--dead-not-listed",
        certificate(claim(DEAD, [""], [], RAY, 0), member(DEAD)),
    ),
    Case(
        "reject/wrong-roles--fewer-dead",
        certificate(
            claim(DEAD, [""], [], RAY, 1), member(network([[1, 0], [1, 0]], [[HALF, HALF, 0]]))
        ),
    ),
    Case(
        "reject/wrong-roles--zero-row-is-not-linear",
        certificate(claim(DEAD, [""], [], RAY, 0), member(network([[0, 0], [1, 0]], [[1, 1, 0]]))),
    ),
    Case(
        "reject/wrong-roles--negative-constant-is-dead",
        certificate(
            claim(CONSTANT, "+", "", LINE), member(network([[1, 1], [0, -1]], [[1, 5, 2]]))
        ),
    ),
    Case(
        "reject/minor-size--rank-of-one-linear-neuron",
        one(BY_RANK, MINOR),
    ),
    Case(
        "reject/minor-size--not-pointed-without-a-minor",
        one(NOT_POINTED, minor([], []), DEPENDENCY),
    ),
    Case(
        "reject/minor-size--far-too-many-dead",
        certificate(claim(BOTH, "", "+", QUADRANT, 5), BY_RANK, minor([], [])),
    ),
    Case(
        "reject/no-unit-pivot--rank-of-the-line",
        certificate(claim(ABS, "", "+", LINE), BY_RANK, MINOR),
    ),
    Case(
        "reject/no-unit-pivot--bend-not-turned",
        certificate(claim(RIGID, [], ["++"], QUADRANT), BY_RANK, minor([0], [0])),
    ),
    Case(
        "reject/no-unit-pivot--offset-is-no-column",
        certificate(
            claim(network([[1, 0, 1], [0, 0, 1]], [[1, 1, 5]]), "", "+", PLANE),
            BY_RANK,
            minor([0], [1]),
        ),
    ),
    Case(
        "reject/index-out-of-range--offset-of-the-affine-map",
        certificate(claim(CONSTANT, "", "+", LINE), BY_RANK, minor([0], [1])),
    ),
    Case(
        "reject/combination-not-zero--pointed",
        certificate(claim(BOTH, "", "-", QUADRANT), NOT_POINTED, MINOR, DEPENDENCY),
    ),
    Case(
        "reject/combination-not-zero--before-turning",
        certificate(claim(ONE, "", "+", QUADRANT), NOT_POINTED, MINOR, DEPENDENCY),
    ),
    Case(
        "reject/multiplier-not-positive--sign",
        one(NOT_POINTED, MINOR, dependency("columns", [0, 1], [-1, 2])),
    ),
    Case(
        "reject/dependency-empty--nothing", one(NOT_POINTED, MINOR, dependency("columns", [], []))
    ),
    Case(
        "reject/dependency-on-zero--zero-column",
        certificate(
            claim(network([[1, 1, 1], [1, -1, 1]], [[1, 1, 0]]), "", "-", QUADRANT),
            NOT_POINTED,
            MINOR,
            dependency("columns", [1], [1]),
        ),
    ),
    Case(
        "reject/not-shallow--two-hidden-layers",
        certificate(claim(network([[1, 0]], [[1, 0]], [[1, 0]]), [], [], LINE)),
    ),
    Case(
        "reject/not-shallow--no-hidden-layer", certificate(claim(network([[1, 0]]), [], [], LINE))
    ),
    Case(
        "reject/domain-not-simple--half-plane",
        certificate(claim(BOTH, [], [], system(2, ("gt", [1, 0, 0])))),
    ),
    Case(
        "reject/domain-not-open--closed",
        certificate(claim(ABS, [], [], system(1, ("ge", [1, 0])))),
    ),
    Case("reject/missing-record--second-member", both(member(BOTH))),
    Case("reject/missing-record--dependency", one(NOT_POINTED, MINOR)),
    Case("reject/wrong-record--minor-first", one(MINOR, DEPENDENCY)),
    Case("reject/wrong-record--empty-for-a-member", both(BY_RANK, MINOR, nonempty="+")),
    Case("reject/surplus-record--member", both(member(BOTH), member(BOTH), nonempty="+")),
    Case(
        "reject/surplus-record--dependency",
        certificate(claim(ABS, "", "-", LINE), BY_RANK, MINOR, DEPENDENCY),
    ),
    Case(
        "malformed/wrong-fields--no-dead",
        certificate({k: v for k, v in claim(BOTH, [], [], QUADRANT).items() if k != "dead"}),
    ),
    Case(
        "malformed/wrong-fields--member-with-signs",
        both({**member(BOTH), "signs": "+"}, nonempty="+"),
    ),
    Case("malformed/wrong-fields--rank-with-rows", one({**BY_RANK, "rows": []}, MINOR)),
    Case(
        "malformed/not-a-list--empty", certificate({**claim(BOTH, [], [], QUADRANT), "empty": "-"})
    ),
    Case(
        "malformed/not-a-list--nonempty",
        certificate({**claim(BOTH, [], [], QUADRANT), "nonempty": "-"}),
    ),
    Case(
        "malformed/not-a-string--signs", certificate(claim(BOTH, [[1]], [], QUADRANT), member(BOTH))
    ),
    Case("malformed/not-an-index--dead", certificate(claim(BOTH, [], [], QUADRANT, "0"))),
    Case("malformed/dimensions-differ--domain", certificate(claim(BOTH, [], [], LINE))),
)
