"""Cases of the claim kind ``equal-shallow``."""

from fractions import Fraction

from forge import Case, Json, certificate, network, point, system

HALF = Fraction(1, 2)
LINE, PLANE = system(1), system(2)
RAY = system(1, ("gt", [1, 0]))
QUADRANT = system(2, ("gt", [1, 0, 0]), ("gt", [0, 1, 0]))
X = network([[1, 0]])
ABS = network([[1, 0], [-1, 0]], [[1, 1, 0]])


def claim(a: Json, b: Json, domain: Json = LINE) -> Json:
    """Return an equal-shallow claim."""
    return {"a": a, "b": b, "domain": domain, "kind": "equal-shallow"}


EQUAL = {
    "x-by-two-neurons": (X, network([[1, 0], [-1, 0]], [[1, -1, 0]]), LINE),
    "affine": (X, X, LINE),
    "scaled": (network([[2, 1]], [[3, 0]]), network([[4, 2]], [[Fraction(3, 2), 0]]), LINE),
    "denominators": (network([[HALF, 1]], [[2, HALF]]), network([[1, 2]], [[1, HALF]]), LINE),
    "turned-around": (
        network([[1, -1]], [[1, 0]]),
        network([[-1, 1], [1, 5], [-1, -5]], [[1, 1, -1, -6]]),
        LINE,
    ),
    "turned-around-and-scaled": (
        network([[1, -1]], [[1, 0]]),
        network([[-2, 2], [1, 5], [-1, -5]], [[HALF, 1, -1, -6]]),
        LINE,
    ),
    "constants": (network([[0, 3], [0, -2]], [[2, 5, 1]]), network([[0, 7]]), LINE),
    "zero-row": (network([[0, 0]], [[5, 1]]), network([[0, 1]]), LINE),
    "cancelling": (network([[1, 1], [2, 2]], [[2, -1, 0]]), network([[0, 0]]), LINE),
    "linear-on-the-orthant": (
        network([[1, 2, 3]], [[2, 0]]), network([[2, 4, 6]]), QUADRANT
    ),
    "linear-without-bias-on-the-orthant": (
        network([[1, 2, 0]], [[2, 0]]), network([[2, 4, 0]]), QUADRANT
    ),
    "dead-on-the-orthant": (network([[-1, 0, -1]], [[2, 1]]), network([[0, 0, 1]]), QUADRANT),
    "absolute-value-on-the-ray": (ABS, X, RAY),
    "bend-on-the-orthant": (
        network([[1, -1, 0]], [[1, 0]]), network([[2, -2, 0]], [[HALF, 0]]), QUADRANT
    ),
    "first-coefficient-zero": (
        network([[0, 1, -1]], [[1, 0]]), network([[0, 2, -2]], [[HALF, 0]]), PLANE
    ),
    "turned-around-in-the-second-coordinate": (
        network([[0, -1, 1]], [[2, 0]]),
        network([[0, 1, -1], [0, 1, 0], [0, -1, 0]], [[2, -2, 2, 2]]),
        PLANE,
    ),
    "two-outputs": (
        network([[1, 1], [1, 1]], [[1, 2, 0], [3, -3, 1]]),
        network([[3, 3]], [[1, 0], [0, 1]]),
        LINE,
    ),
}  # fmt: skip

OTHER = {
    "relu-and-x": (X, network([[1, 0]], [[1, 0]]), LINE),
    "absolute-value-on-the-line": (ABS, X, LINE),
    "jump": (network([[1, 0]], [[1, 0]]), network([[1, 0]], [[2, 0]]), LINE),
    "place-of-the-bend": (network([[1, 0]], [[1, 0]]), network([[1, 1]], [[1, 0]]), LINE),
    "side-of-the-bend": (network([[1, 0]], [[1, 0]]), network([[-1, 0]], [[1, 0]]), LINE),
    "slope": (X, network([[2, 0]]), LINE),
    "constant": (X, network([[1, 1]]), LINE),
    "negative-constant-neuron": (network([[0, -3]], [[2, 0]]), network([[0, -6]]), LINE),
    "negative-constant-neuron-in-the-plane": (
        network([[0, 0, -3]], [[2, 0]]), network([[0, 0, -6]]), PLANE
    ),
    "constant-neuron": (network([[0, 3]], [[2, 0]]), network([[0, 0]]), LINE),
    "linear-only-on-the-orthant": (network([[1, 2, 3]], [[2, 0]]), network([[2, 4, 6]]), PLANE),
    "dead-only-on-the-orthant": (network([[-1, 0, -1]], [[2, 1]]), network([[0, 0, 1]]), PLANE),
    "bend-inside-the-orthant": (network([[1, 1, -1]], [[1, 0]]), network([[1, 1, -1]]), QUADRANT),
    "bend-inside-the-orthant-called-dead": (
        network([[-1, -1, 1]], [[1, 0]]), network([[0, 0, 0]]), QUADRANT
    ),
    "bend-with-mixed-signs": (network([[1, -1, 0]], [[1, 0]]), network([[1, -1, 0]]), QUADRANT),
    "linear-called-dead": (network([[1, 2, 3]], [[2, 0]]), network([[0, 0, 0]]), QUADRANT),
    "dead-called-linear": (network([[-1, -2, -3]], [[2, 0]]), network([[-2, -4, -6]]), QUADRANT),
    "dead-called-turned-linear": (
        network([[-1, -2, -3]], [[2, 0]]), network([[2, 4, 6]]), QUADRANT
    ),
    "second-output": (
        network([[1, 1]], [[1, 0], [3, 1]]), network([[1, 1]], [[1, 0], [4, 1]]), LINE
    ),
    "output-bias-over-another-denominator": (
        network([[HALF, 0]], [[2, 1]]), network([[1, 0]], [[1, 2]]), LINE
    ),
    "not-cancelling": (network([[1, 1], [2, 2]], [[2, 1, 0]]), network([[0, 0]]), LINE),
    "not-cancelling-by-length": (network([[1, 1], [2, 2]], [[1, -1, 0]]), network([[0, 0]]), LINE),
    "terms-only-in-b": (network([[0, 0]]), network([[1, 1]], [[1, 0]]), LINE),
}  # fmt: skip

CASES = (
    *(Case(f"accept/{name}", certificate(claim(a, b, d))) for name, (a, b, d) in EQUAL.items()),
    *(
        Case(f"accept/{name}-exchanged", certificate(claim(b, a, d)))
        for name, (a, b, d) in EQUAL.items()
        if a != b
    ),
    *(
        Case(f"reject/forms-differ--{name}", certificate(claim(a, b, d)))
        for name, (a, b, d) in OTHER.items()
    ),
    *(
        Case(f"reject/forms-differ--{name}-exchanged", certificate(claim(b, a, d)))
        for name, (a, b, d) in OTHER.items()
    ),
    Case(
        "reject/not-shallow--two-hidden-layers",
        certificate(claim(network([[1, 0]], [[1, 0]], [[1, 0]]), network([[1, 0]], [[1, 0]]))),
    ),
    Case(
        "reject/domain-not-simple--interval",
        certificate(claim(X, X, system(1, ("gt", [1, 0]), ("gt", [-1, 1])))),
    ),
    Case("reject/domain-not-simple--shifted", certificate(claim(X, X, system(1, ("gt", [1, 1]))))),
    Case(
        "reject/domain-not-simple--half-plane",
        certificate(
            claim(network([[1, 0, 0]]), network([[1, 0, 0]]), system(2, ("gt", [1, 0, 0])))
        ),
    ),
    Case("reject/domain-not-open--closed", certificate(claim(X, X, system(1, ("ge", [1, 0]))))),
    Case("reject/shapes-differ--outputs", certificate(claim(X, network([[1, 0]] * 2)))),
    Case("reject/surplus-record--point", certificate(claim(X, X), point(0))),
    Case("malformed/dimensions-differ--domain", certificate(claim(X, X, PLANE))),
    Case("malformed/not-an-object--network", certificate({**claim(X, X), "b": []})),
)
