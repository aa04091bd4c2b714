"""Small networks for the cases about faces, and claims that one has a property on a domain."""

from __future__ import annotations

from fractions import Fraction

from face_trees import face_tree
from forge import Case, Json, certificate, empty, face, network, sides, system, without

HALF = Fraction(1, 2)
OUT = [[1, 0]]
LINE, PLANE, SPACE = system(1), system(2), system(3)
NOTHING = system(1, ("gt", [1, -1]), ("gt", [-1, 0]))

AFFINE = network([[3, 1]])
ONE = network([[1, 0]], OUT)
XOR = network([[1, 1, 1], [1, 1, 0]], [[2, -4, -1]])
CROSS = network([[1, 0, 0], [0, 1, 0]], [[1, 1, 0]])
PENCIL = network([[1, 0, 0], [0, 1, 0], [1, 1, 0]], [[1, 1, 1, 0]])
# |x| - 1, |x| and -|x| in the second layer.
FOLD = network([[1, 0], [-1, 0]], [[1, 1, -1]], OUT)
VALLEY = network([[1, 0], [-1, 0]], [[1, 1, 0]], OUT)
RIDGE = network([[1, 0], [-1, 0]], [[-1, -1, 0]], OUT)
ZERO = network([[0, 0]], OUT)
TWICE = network([[1, 0]], [[1, 0]], OUT)
# Folds that bend: x, y, then s(x) + s(y) - 1 and s(x)/2 - s(y) + 1/3.
BENT = network([[1, 0, 0], [0, 1, 0]], [[1, 1, -1], [HALF, -1, Fraction(1, 3)]], [[1, 2, 0]])
# s(x) and s(y), the second of them made in the second layer from y = s(y) - s(-y).
STRAIGHT = network([[1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, 0, 0, 0], [0, 1, -1, 0]], [[1, 1, 0]])
# s(x) - s(-x) = x.
CANCELLED = network([[1, 0], [-1, 0]], [[1, -1, 0]])
# s(x) is passed on by both neurons of the second layer, and taken away again by the third.
CANCELLED_LATER = network([[1, 0]], [[1, 1], [1, 2]], [[1, -1, 0]])
# The second layer is dead where x > 0, and everywhere.
DEAD = network([[1, 0]], [[-1, -1]], OUT)

# Near 0: s(y - s(-x)) + s(-y - s(x)), with y = s(y + 5) - 5. Its lines x = 0, y = 0 and x + y = 0
# go on straight, though one neuron makes the one half of each and another neuron the other half.
TURNED = network([[1, 0, 0], [-1, 0, 0], [0, 1, 5]], [[0, -1, 1, -5], [-1, 0, -1, 5]], [[1, 1, 0]])
SQUARE = system(2, ("gt", [1, 0, 1]), ("gt", [-1, 0, 1]), ("gt", [0, 1, 1]), ("gt", [0, -1, 1]))
# s(x) + s(y) + 2; the third neuron of the second layer is -s(x) and is not used.
TOUCHED = network([[1, 0, 0], [0, 1, 0]], [[1, 0, 1], [0, 1, 1], [-1, 0, 0]], [[1, 1, 0, 0]])
# |x| - 2 s(x - 1): a local minimum 0, and negative beyond 2.
LOCAL = network([[1, 0], [-1, 0], [1, -1]], [[1, 1, -2, 0]], OUT)


def property_claim(kind: str, of: Json, on: Json) -> Json:
    """Return the claim that a network has a property on a domain."""
    return {"domain": on, "kind": kind, "network": of}


def by_tree(kind: str, of: Json, on: Json) -> bytes:
    """Return the claim with the face tree of the network on the domain, true or not."""
    return certificate(property_claim(kind, of, on), *face_tree(of, on))


def cut_out(on: Json, *rows: list[int]) -> Json:
    """Return the part of a domain where further strict rows hold."""
    return system(
        on["dim"],
        *((sense, [int(x, 16) for x in row]) for sense, row in on["rows"]),
        *(("gt", row) for row in rows),
    )


def claim_cases(kind: str, of: Json, on: Json, *records: Json) -> tuple[Case, ...]:
    """Return malformed claims of a kind, made from a true one."""
    claim = property_claim(kind, of, on)
    return (
        Case("malformed/wrong-fields--no-domain", certificate(without(claim, "domain"), *records)),
        Case("malformed/wrong-fields--more", certificate({**claim, "dim": 1}, *records)),
        Case(
            "malformed/dimensions-differ--domain",
            certificate({**claim, "domain": system(on["dim"] + 1)}, *records),
        ),
        Case(
            "reject/domain-not-open--ge",
            certificate(
                {**claim, "domain": system(on["dim"], ("ge", [1] + [0] * on["dim"]))}, *records
            ),
        ),
        Case("reject/missing-record--no-evidence", certificate(claim)),
        Case("reject/surplus-record--face", certificate(claim, *records, face(*[0] * on["dim"]))),
    )


def tree_cases(kind: str) -> tuple[Case, ...]:
    """Return forgeries of the face tree of the cross, which proves a claim of the kind."""
    claim = property_claim(kind, CROSS, PLANE)
    tree = face_tree(CROSS, PLANE)
    swapped = [*tree[:2], tree[3], tree[2], *tree[4:]]
    return (
        *claim_cases(kind, CROSS, PLANE, *tree),
        Case("reject/missing-record--last-face", certificate(claim, *tree[:-1])),
        Case("reject/wrong-signs--faces-swapped", certificate(claim, *swapped)),
        Case("reject/neuron-undecided--root", certificate(claim, face(1, 1))),
        Case("reject/dependency-empty--nothing", certificate(claim, empty([], []))),
        Case(
            "reject/combination-not-zero--one-side-left-out",
            certificate(claim, sides("+", (0, [0], [1])), *tree[9:]),
        ),
    )
