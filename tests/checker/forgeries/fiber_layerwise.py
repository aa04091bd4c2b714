"""Cases of the claim kind ``fiber-layerwise``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, dependency, minor, network

from .fiber_components import BY_RANK, NOT_POINTED, member
from .fiber_half_lines import ONE as HIDING
from .fiber_half_lines import generic

HALF = Fraction(1, 2)
UNIT = [[1, 0, 0], [0, 1, 0]]


def on_top(*layers: list[list[object]]) -> Json:
    """Return a network with these layers on top of s(x), s(y)."""
    return network(UNIT, *layers)  # type: ignore[arg-type]


def claim(of: Json, strata: Sequence[object], complete: object = "yes") -> Json:
    """Return a fiber-layerwise claim."""
    return {"complete": complete, "kind": "fiber-layerwise", "network": of, "strata": list(strata)}


def proof(of: Json, strata: Sequence[object], *records: Json) -> bytes:
    """Return a complete claim about a generic network."""
    return certificate(claim(of, strata), *generic(of), *records)


def part(of: Json, strata: Sequence[object], *records: Json) -> bytes:
    """Return a claim that is not complete."""
    return certificate(claim(of, strata, "no"), *records)


# One neuron that bends: turned, it would need a linear one.
RIGID_REST = ([[2, -1, 1]], [[1, 0]])
RIGID = on_top(*RIGID_REST)
RIGID_MEMBER = member(network(*RIGID_REST))
RIGID_EMPTY = (BY_RANK, minor([0], [0]))
RIGID_ALL = (RIGID_MEMBER, *RIGID_EMPTY)
# One linear neuron, one that bends: both orientations occur, none without a linear one.
BOTH_REST = ([[3, 2, 1], [1, -HALF, Fraction(1, 4)]], [[1, 1, 0]])
BOTH = on_top(*BOTH_REST)
BOTH_TURNED = network([[4, 3 * HALF, 1], [-1, HALF, -Fraction(1, 4)]], [[1, 1, HALF / 2]])
BOTH_ALL = (
    *(member(network(*BOTH_REST)), member(BOTH_TURNED)),
    *(BY_RANK, minor([0], [0]), BY_RANK, minor([0], [0])),
)
BOTH_STRATA = [[["+", "-"], []], [[], ["+", "-"]]]
# Turned, A = (2, -1) is not pointed; a dead neuron in place of the linear one leaves nothing.
ONE_REST = ([[1, 1, 1], [1, -2, 3]], [[1, 1, 0]])
ONE = on_top(*ONE_REST)
ONE_ALL = (
    *(
        member(network(*ONE_REST)),
        NOT_POINTED,
        minor([0], [0]),
        dependency("columns", [0, 1], [1, 2]),
    ),
    *(BY_RANK, minor([0], [0]), BY_RANK, minor([0], [0])),
)
ONE_STRATA = [[["+"], ["-"]], [[], ["+", "-"]]]
# A dead neuron beside one that bends: with a linear neuron in its place, the other may turn.
DEAD_REST = ([[2, -1, 1], [-1, -3, -2]], [[1, 5, 0]])
DEAD = on_top(*DEAD_REST)
DEAD_LINEAR = network([[2, -1, 1], [0, 0, 1]], [[1, 0, 0]])
ALL_DEAD = on_top([[-1, -2, -1]], [[1, 0]])
NARROW = network([[1, 0, 0]], [[-1, 1]], [[1, 0]])
PARALLEL = network([[1, 0, 0], [1, 0, 1]], *RIGID_REST)
RIGID_STRATA = [[["+"], ["-"]]]
CASES = (
    Case("accept/rigid", proof(RIGID, RIGID_STRATA, *RIGID_ALL)),
    Case("accept/both", proof(BOTH, BOTH_STRATA, *BOTH_ALL)),
    Case("accept/not-pointed", proof(ONE, ONE_STRATA, *ONE_ALL)),
    Case("accept/some-of-them", part(BOTH, [[["-"], []]], member(BOTH_TURNED))),
    Case("accept/subset-not-generic", part(PARALLEL, RIGID_STRATA, *RIGID_ALL)),
    Case(
        "accept/subset-one-neuron",
        part(NARROW, [[["-"], []]], member(network([[-1, 1]], [[1, 0]]))),
    ),
    Case(
        "accept/a-dead-neuron",
        part(
            DEAD,
            [[["+"], []], [["+"], ["-"]]],
            member(DEAD_LINEAR),
            member(network(*DEAD_REST)),
            *RIGID_EMPTY,
        ),
    ),
    Case("accept/nothing", part(RIGID, [])),
    Case("accept/subset-constant", part(ALL_DEAD, [[[], []]])),
    Case("accept/subset-hiding", part(HIDING, [])),
    Case("reject/neuron-hidden--one", proof(HIDING, [[["+"], ["-"]]])),
    Case("reject/neuron-hidden--all-dead", proof(ALL_DEAD, [[[], []], [[""], []]])),
    Case("reject/not-a-bottleneck--one-neuron", proof(NARROW, [[["-"], ["+"]]])),
    Case("reject/minor-zero--not-generic", proof(PARALLEL, RIGID_STRATA, *RIGID_ALL)),
    Case("reject/not-all-listed--orientation", proof(RIGID, [[["+"], []]], RIGID_MEMBER)),
    Case("reject/not-all-listed--dead", proof(BOTH, BOTH_STRATA[:1], *BOTH_ALL[:2])),
    Case("reject/not-all-listed--nothing", proof(RIGID, [])),
    Case("reject/wrong-roles--more-dead", proof(RIGID, [*RIGID_STRATA, [[], []]], *RIGID_ALL)),
    Case(
        "reject/wrong-roles--more-dead-listed", part(RIGID, [*RIGID_STRATA, [[], []]], *RIGID_ALL)
    ),
    Case(
        "reject/wrong-roles--dead-as-linear",
        part(DEAD, [[["+"], []]], member(network(*DEAD_REST))),
    ),
    Case("reject/wrong-signs--member", part(BOTH, [[["+"], []]], member(BOTH_TURNED))),
    Case("reject/not-increasing--orientations", part(BOTH, [[["-", "+"], []]], *BOTH_ALL[:2])),
    Case(
        "reject/forms-differ--member",
        part(RIGID, [[["+"], []]], member(network([[2, -1, 1]], [[2, 0]]))),
    ),
    Case(
        "reject/minor-size--dead-not-counted",
        part(BOTH, [[[], []], [[], ["+"]]], BY_RANK, minor([0], [0, 1])),
    ),
    Case("reject/no-unit-pivot--empty", part(RIGID, [[[], ["+"]]], *RIGID_EMPTY)),
    Case("reject/not-three-layers--two", part(network(*RIGID_REST), RIGID_STRATA, *RIGID_ALL)),
    Case("reject/missing-record--not-generic", certificate(claim(RIGID, RIGID_STRATA))),
    Case(
        "reject/wrong-record--not-generic",
        certificate(claim(RIGID, RIGID_STRATA), *RIGID_ALL),
    ),
    Case("malformed/not-yes-or-no--index", certificate(claim(RIGID, [], 0))),
    Case("malformed/wrong-length--strata", part(RIGID, [[["+"]]], RIGID_MEMBER)),
    Case("malformed/not-a-string--orientation", part(RIGID, [[[1], []]], RIGID_MEMBER)),
)
