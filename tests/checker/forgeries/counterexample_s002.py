"""Cases of the claim kind ``counterexample``: statements of S002.

The true ones are the counterexamples that were found; in the others the instance is changed, and
sometimes the facts are.  An instance that breaks nothing but is not that of the facts is refused
for its facts.
"""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from forge import Case, Json, certificate, matrix, network, number, point, vector

KEPT = Path(__file__).resolve().parents[3] / "proofs" / "certificates" / "lemmas"
NAMES = (
    "bottleneck-test",
    "definition-22",
    "first-layer",
    "generic-minimal",
    "generic-point",
    "hiding",
    "hiding-single",
    "lemma-20",
    "lemma-9-open",
    "minimal-no-dead",
    "parallel-pairs",
    "procedure",
    "procedure-case-2",
    "proposition-4",
    "remark-23",
    "signs",
    "theorem-5",
    "visibility",
)
Rows = list[list[Any]]


def lines(name: str) -> list[Json]:
    """Return the claim and the records of a counterexample that was found."""
    text = (KEPT / f"S002-{name}.cert.jsonl").read_text()
    first, *records, _ = map(json.loads, text.splitlines())
    return [first["claim"], *records]


def changed(name: str, **values: object) -> bytes:
    """Return the file with other objects in the instance."""
    claim, *records = lines(name)
    return certificate({**claim, "instance": {**claim["instance"], **values}}, *records)


def fact(name: str, place: int, **fields: object) -> bytes:
    """Return the file with other fields in one of its facts."""
    claim, *records = lines(name)
    facts = list(claim["facts"])
    facts[place] = {**facts[place], **fields}
    return certificate({**claim, "facts": facts}, *records)


def refused(what: str, name: str, **values: object) -> Case:
    """Return a case whose instance is no counterexample."""
    return Case(f"reject/not-a-counterexample--{name}-{what}", changed(name, **values))


def other(what: str, name: str, **values: object) -> Case:
    """Return a case whose instance might be one, but the facts are about another."""
    return Case(f"reject/wrong-facts--{name}-{what}", changed(name, **values))


def three(first: Rows, second: Rows, last: Rows | None = None) -> Json:
    """Return a network of three layers; all output weights are 1 unless they are given."""
    return network(first, second, last or [[1] * len(second) + [0]])


def both(name: str, what: str, of: Json) -> Case:
    """Return a case in which A and B are one network."""
    return refused(what, name, A=of, B=of)


# Widths 1-1-1-1: s(x) seen by a layer that hides it, is linear, is dead, bends.
HIDES = three([[1, 0]], [[1, -1]])
LINEAR = three([[1, 0]], [[1, 1]])
DEAD = three([[1, 0]], [[-1, -1]])
BENDS = three([[1, 0]], [[-1, 1]])
SHIFTED = three([[1, 1]], [[-1, 1]])
TOO_WIDE = three([[1, 0], [1, 1]], [[-1, -1, 1]])
DEEP = network([[1, 0]], [[-1, 1]], [[1, 0]], [[1, 0]])
# Widths 2-2-1-1.
AXES = [[1, 0, 0], [0, 1, 0]]
SQUARE = three(AXES, [[1, -1, 1]])
SQUARE_HIDES = three(AXES, [[1, -1, -1]])
SQUARE_DEAD = three(AXES, [[-1, -1, -1]])
TURNED = three([[1, 0, 0], [0, -1, 0]], [[1, -1, 1]])
HALF = Fraction(1, 2)

PAIRS = (
    "first-layer",
    "hiding",
    "hiding-single",
    "procedure",
    "procedure-case-2",
    "proposition-4",
    "theorem-5",
)
WIDE = ("procedure", "procedure-case-2", "proposition-4")
TWO = three([[1, 0]], [[1, -1], [1, -2]])
TWO_BEND = three([[1, 0]], [[1, 1], [1, -2]])


def pair_cases() -> list[Case]:
    """Return what all statements about two bottlenecks ask for."""
    found = []
    for name in PAIRS:
        found += [
            refused("widths", name, B=TOO_WIDE),
            both(name, "layers", DEEP),
            both(name, "not-a-bottleneck", TOO_WIDE),
        ]
    found += [both(name, "narrow", BENDS) for name in WIDE]
    return found


VISIBILITY = (
    both("visibility", "layers", network([[1, 0, 0]], [[1, 0]])),
    refused("widths", "visibility", B=SQUARE),
    refused("line", "visibility", A=BENDS, B=SHIFTED, x=vector(0)),
    refused("neuron", "visibility", i=1),
    refused("point", "visibility", x=vector(5, 5)),
    refused("not-seen", "visibility", A=three([[1, 0, 0]], [[1, -1]]), x=vector(0, 0)),
    refused("tie", "visibility", A=three([[1, 0, 0]], [[1, 0]]), x=vector(0, 0)),
    refused(
        "same",
        "visibility",
        A=three([[1, 0, 0]], [[1, 1]]),
        B=three([[1, 0, 0]], [[1, 1]]),
        x=vector(0, 0),
    ),
    refused(
        "turned",
        "visibility",
        A=three([[1, 0, 0]], [[1, 1]]),
        B=three([[-2, 0, 0]], [[1, 1]]),
        x=vector(0, 0),
    ),
    refused(
        "opposite",
        "visibility",
        A=three([[1, 0, 0]], [[1, 1]]),
        B=three([[-1, 0, 0]], [[1, 1]]),
        x=vector(0, 0),
    ),
    refused(
        "second-row",
        "visibility",
        A=three(AXES, [[1, 1, 1]]),
        B=three([[0, 1, 0], [3, 0, 0]], [[1, 1, 1]]),
        x=vector(0, 0),
    ),
    other(
        "zero-row",
        "visibility",
        A=three([[1, 0, 0]], [[1, 1]]),
        B=three([[0, 0, 0]], [[1, 1]]),
        x=vector(0, 0),
    ),
    Case(
        "reject/wrong-facts--visibility-on-a-half-plane",
        fact("visibility", 2, domain={"dim": 2, "rows": [["gt", ["1", "0", "0"]]]}),
    ),
    Case("malformed/wrong-length--visibility-point", changed("visibility", x=vector(1))),
)

THEOREM_5 = (
    refused("positive", "theorem-5", A=LINEAR),
    refused("negative", "theorem-5", A=DEAD),
    refused("hides", "theorem-5", A=HIDES),
    other("nonnegative", "theorem-5", A=three([[1, 0]], [[1, 0]])),
    other("nonpositive", "theorem-5", A=three([[1, 0]], [[0, -1]])),
    other("swapped", "theorem-5", A=BENDS, B=SHIFTED),
)

HIDING = (
    refused("one-neuron", "hiding", A=HIDES, B=LINEAR),
    refused("shows", "hiding", A=TWO_BEND),
    refused("dead", "hiding", A=three([[1, 0]], [[1, -1], [-1, -1]])),
    refused("translate", "hiding", B=TWO),
    other("pair", "hiding", A=TWO, B=TWO_BEND),
    refused("two-neurons", "hiding-single", A=TWO, B=TWO_BEND),
    refused("shows", "hiding-single", A=BENDS, B=LINEAR),
    refused("translate", "hiding-single", A=HIDES, B=HIDES),
    other("pair", "hiding-single", A=HIDES, B=BENDS),
)

FIXED = (
    refused("dead", "first-layer", A=DEAD, B=SHIFTED),
    refused("hides", "first-layer", A=HIDES, B=SHIFTED),
    refused("same", "first-layer", A=BENDS, B=three([[2, 0]], [[1, 1]])),
    other("pair", "first-layer", A=BENDS, B=SHIFTED),
    other("turned", "first-layer", A=BENDS, B=three([[-1, 0]], [[1, 1]])),
    both("procedure", "hides", SQUARE_HIDES),
    refused("hides-other", "procedure", A=SQUARE_HIDES, B=TURNED),
    both("procedure", "same", SQUARE),
    other("dead", "procedure", A=SQUARE_DEAD, B=TURNED),
    other("pair", "procedure", A=SQUARE, B=TURNED),
    refused("narrow-pair", "procedure", A=BENDS, B=SHIFTED),
)

ROWS_2 = [[1, -1, 1], [1, -2, 1]]
HIDE_1 = [[1, -1, -1], [-1, -2, -1]]
HIDE_IN_SPACE = [[1, -1, -1, -1], [2, -1, -2, -1]]
PROPOSITION_4 = (
    refused(
        "dead",
        "proposition-4",
        A=three(AXES, [[1, -1, 1], [-1, -1, -1]]),
        B=three(AXES, [[1, -1, 1], [-1, -1, -1]]),
    ),
    refused(
        "hides",
        "proposition-4",
        A=three(AXES, [[1, -1, -1], [1, -2, -1]]),
        B=three(AXES, [[1, -1, 1], [-1, -1, -1]]),
    ),
    refused("live", "proposition-4", A=three(AXES, ROWS_2), B=three(AXES, ROWS_2)),
    other(
        "pair",
        "proposition-4",
        A=three(AXES, ROWS_2),
        B=three(AXES, [[1, -1, 1], [-1, -1, -1]]),
    ),
    other(
        "one-hides",
        "proposition-4",
        A=three(AXES, [[1, -1, -1], [1, -2, 1]]),
        B=three(AXES, [[1, -1, 1], [-1, -1, -1]]),
    ),
)
CASE_2 = (
    refused("one-neuron", "procedure-case-2", A=SQUARE_HIDES, B=TURNED),
    refused(
        "all-dead",
        "procedure-case-2",
        A=three(AXES, [[-1, -1, -1], [-1, -2, -1]]),
        B=three(TURNED_ROWS := [[1, 0, 0], [0, -1, 0]], [[-1, -1, -1], [-1, -2, -1]]),
    ),
    refused("shows", "procedure-case-2", A=three(AXES, ROWS_2), B=three(TURNED_ROWS, ROWS_2)),
    refused(
        "hidden-row-only",
        "procedure-case-2",
        A=three(AXES, HIDE_1),
        B=three([[1, 1, 0], [0, 1, 0]], HIDE_1),
    ),
    refused("same", "procedure-case-2", A=three(AXES, HIDE_1), B=three(AXES, HIDE_1)),
    other(
        "pair",
        "procedure-case-2",
        A=three(AXES, HIDE_1),
        B=three(TURNED_ROWS, HIDE_1),
    ),
    other(
        "one-of-two-rows",
        "procedure-case-2",
        A=three([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], HIDE_IN_SPACE),
        B=three([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0]], HIDE_IN_SPACE),
    ),
)

PLANE = network([[0, 0, -1]], [[1, 0]])
SECOND = network([[0, 1, 1]], [[1, 0]])
CONSTANT = network([[0, 1]], [[1, 0]])
RAMP = network([[1, 1]], [[1, 0]])
HALF_DEAD = network([[0, -1], [1, 1]], [[1, 1, 0]])
TURNS, TURNED_BACK = (network([[s, -s]], [[0, 0], [1, 0]]) for s in (1, -1))
SHALLOW = (
    refused("one-output", "generic-point", A=TURNS, M=TURNED_BACK, e=vector(-1)),
    refused("one-output", "lemma-20", N=network([[-1, -1]], [[0, 0], [1, 0]])),
    refused("zero-weight", "bottleneck-test", N=three([[1, 0]], [[0, 1], [1, 1]])),
    both("definition-22", "unit-rows", RAMP),
    refused("widths", "definition-22", B=network([[0, 1], [1, 0]], [[1, 0, 0]])),
    both("definition-22", "layers", HIDES),
    other("pair", "definition-22", A=RAMP, B=CONSTANT),
    other("one-of-two-rows", "definition-22", A=HALF_DEAD, B=HALF_DEAD),
    refused("second-weight", "definition-22", A=SECOND, B=SECOND),
    Case(
        "reject/wrong-facts--definition-22-everywhere",
        fact("definition-22", 0, domain={"dim": 1, "rows": []}),
    ),
    refused("neuron", "remark-23", i=1),
    refused("weights", "remark-23", N=RAMP),
    refused("active", "remark-23", N=CONSTANT),
    refused("one-weight", "remark-23", N=network([[0, 1, -1]], [[1, 0]])),
    refused("weight", "remark-23", N=network([[1, -1]], [[1, 0]])),
    Case(
        "accept/remark-23-plane",
        certificate(
            {
                "kind": "counterexample",
                "facts": [
                    {
                        "kind": "different",
                        "a": PLANE,
                        "b": network([[0, 0, 1]], [[1, 0]]),
                        "domain": {"dim": 2, "rows": []},
                    }
                ],
                "instance": {"N": PLANE, "i": 0},
                "lemma": "S002-remark-23",
            },
            point(0, 0),
        ),
    ),
    refused("layers", "remark-23", N=HIDES),
    other("halves", "remark-23", N=network([[0, -HALF]], [[1, 0]])),
    Case(
        "reject/wrong-facts--remark-23-not-raised",
        fact("remark-23", 0, b=network([[0, 2]], [[1, 0]])),
    ),
    refused("live", "minimal-no-dead", N=RAMP),
    refused("bent", "minimal-no-dead", N=network([[-1, 1]], [[1, 0]])),
    other("one-of-two", "minimal-no-dead", N=HALF_DEAD),
    Case(
        "reject/wrong-facts--minimal-no-dead-generic-on-a-ray",
        fact("minimal-no-dead", 0, domain={"dim": 1, "rows": [["gt", ["1", "0"]]]}),
    ),
    refused("layers", "minimal-no-dead", N=DEAD),
    other("other", "minimal-no-dead", N=network([[-1, -1]], [[1, 0]])),
    refused("dead", "generic-minimal", N=network([[-1, -1], [1, 1]], [[1, 1, 0]])),
    refused("zero", "generic-minimal", N=network([[-1, 0], [1, 1]], [[1, 1, 0]])),
    refused("linear", "generic-minimal", N=network([[1, 1], [1, 2]], [[1, 1, 0]])),
    refused(
        "linear-plane",
        "generic-minimal",
        N=network([[1, 1, 1], [1, 2, 1], [2, 1, 1]], [[1, 1, 1, 0]]),
    ),
    refused(
        "linear-space",
        "generic-minimal",
        N=network([[1, 1, 1, 1], [1, 2, 1, 1], [2, 1, 1, 1]], [[1, 1, 1, 0]]),
    ),
    refused("linear-tie", "generic-minimal", N=network([[1, 0], [1, 1]], [[1, 1, 0]])),
    refused("layers", "generic-minimal", N=LINEAR),
    other("one", "generic-minimal", N=network([[1, 1], [1, -1]], [[1, 1, 0]])),
    refused("neuron", "lemma-20", j=1),
    refused("constant", "lemma-20", N=network([[0, 0]], [[0, 0]])),
    refused("point", "lemma-20", x=vector(7)),
    refused("two", "lemma-20", N=network([[1, 0], [2, 0]], [[0, 1, 0]]), x=vector(0)),
    refused("seen", "lemma-20", N=RAMP),
    other("plane", "lemma-20", N=network([[0, 1, 0]], [[0, 0]]), x=vector(0, 0)),
    refused("other", "lemma-20", N=network([[1, 0], [1, -5]], [[0, 1, 0]]), x=vector(5)),
    refused("layers", "lemma-20", N=DEAD),
    other("pair", "lemma-20", N=network([[1, 0], [1, 1]], [[0, 1, 0]]), x=vector(0)),
    Case(
        "reject/wrong-facts--lemma-20-on-a-ray",
        fact("lemma-20", 0, domain={"dim": 1, "rows": [["gt", ["1", "0"]]]}),
    ),
    refused("wide", "bottleneck-test", N=SQUARE),
    refused("rank", "bottleneck-test", N=three([[0, 0]], [[1, 0]])),
    refused("entry", "bottleneck-test", N=three([[1, 0]], [[0, 1]])),
    refused("product", "bottleneck-test", N=three([[1, 0]], [[1, 0], [-1, 0]])),
    refused("output", "bottleneck-test", N=three([[1, 0]], [[1, 0]], [[1, 0], [0, 0]])),
    refused("layers", "bottleneck-test", N=RAMP),
    other("other", "bottleneck-test", N=three([[1, 0]], [[1, 0]])),
    other("negative", "bottleneck-test", N=three([[1, 0]], [[-1, 0]])),
    other("second-weight", "bottleneck-test", N=three([[0, 1, 0]], [[1, 0]])),
)

# In the plane y_1 = 0 and y_2 = t on the ray, and layer 2 sees y_1 alone.
PLANE_RAY = {"D": matrix([[0, 0]]), "d": vector(0, 1), "p": vector(0, 0), "t0": number(1)}
RAY = lines("lemma-9-open")[0]["instance"]["N"]["layers"]


def ray_rows(layer: int) -> Rows:
    """Return the rows of a layer of the network with the ray, over 1."""
    return [[int(entry, 16) for entry in row] for row in RAY[layer]["matrix"][1]]


def with_neuron(row: list[int], weight: int) -> Json:
    """Return the network with one more neuron in layer 1."""
    second = [[*old[:-1], weight, old[-1]] for old in ray_rows(1)]
    return network([*ray_rows(0), row], second, ray_rows(2))


def columns(*pairs: tuple[Fraction | int, Fraction | int]) -> Json:
    """Return a change of the weights from the last two neurons of layer 1."""
    return matrix([[0, 0, 0, *pair] for pair in pairs])  # type: ignore[return-value]


WIDER = matrix([[0, 0, 0, 0, -6, 0], [0, 0, 0, 0, 3, 0]])
RAYS = (
    Case("accept/lemma-9-open-later", changed("lemma-9-open", t0=number(Fraction(7, 2)))),
    Case(
        "accept/lemma-9-open-slower",
        changed("lemma-9-open", d=vector(0, 0, HALF), D=columns((0, -12), (0, 6)), t0=number(5)),
    ),
    Case(
        "accept/lemma-9-open-faster",
        changed("lemma-9-open", d=vector(0, 0, 4), D=columns((0, -3 * HALF), (0, HALF * 3 / 2))),
    ),
    Case(
        "accept/lemma-9-open-from-another-point",
        changed("lemma-9-open", p=vector(0, 0, HALF), D=columns((-3, -3), (3 * HALF, 3 * HALF))),
    ),
    other("inactive", "lemma-9-open", N=with_neuron([0, 0, -1, 0], 7), D=WIDER),
    other("inactive-by-one", "lemma-9-open", N=with_neuron([0, 0, -1, 1], 7), D=WIDER),
    other("inactive-flat", "lemma-9-open", N=with_neuron([1, 0, 0, -1], 7), D=WIDER),
    refused("active-flat", "lemma-9-open", N=with_neuron([1, 0, 0, 1], 7), D=WIDER),
    other("zero-weight", "lemma-9-open", N=with_neuron([1, 0, 0, 1], 0), D=WIDER),
    refused("active", "lemma-9-open", N=with_neuron([0, 0, 1, 0], 7), D=WIDER),
    refused("start", "lemma-9-open", t0=number(0)),
    refused(
        "before",
        "lemma-9-open",
        **{
            **PLANE_RAY,
            "N": three([[1, 0, 0], [0, 1, 5]], [[1, 0, 0]] * 2),
            "D": matrix([[0, 0]] * 2),
            "t0": number(0),
        },
    ),
    refused("vanishes-at-start", "lemma-9-open", t0=number(1)),
    refused("vanishes-unseen", "lemma-9-open", N=with_neuron([0, 0, 1, -2], 0), D=WIDER),
    refused("sign", "lemma-9-open", t0=number(HALF)),
    refused("sign-unseen", "lemma-9-open", N=with_neuron([0, 0, 1, -5], 0), D=WIDER),
    refused("sign-down", "lemma-9-open", N=with_neuron([0, 0, -1, 3], 0), D=WIDER),
    refused("change", "lemma-9-open", D=columns((0, 0), (0, 0))),
    refused("change-of-one", "lemma-9-open", D=columns((0, -6), (0, 2))),
    refused("change-elsewhere", "lemma-9-open", D=columns((-6, 0), (3, 0))),
    refused("elsewhere", "lemma-9-open", p=vector(1, 0, 0)),
    refused("end", "lemma-9-open", p=vector(0, 0, 1)),
    refused("direction", "lemma-9-open", d=vector(0, 1, 1)),
    refused("layers", "lemma-9-open", N=RAMP),
    refused("few", "lemma-9-open", N=three(AXES, [[1, 0, 0]]), **PLANE_RAY),
    refused(
        "few-flat",
        "lemma-9-open",
        **{
            **PLANE_RAY,
            "N": three([[1, 0, 3], [0, 1, 0]], [[0, 0, 0]] * 2),
            "D": matrix([[0, 0]] * 2),
        },
    ),
    other(
        "plane",
        "lemma-9-open",
        **{**PLANE_RAY, "N": three(AXES, [[1, 0, 0]] * 2), "D": matrix([[0, 0]] * 2)},
    ),
    Case("malformed/wrong-length--lemma-9-change", changed("lemma-9-open", D=matrix([[0, 0]]))),
)

# Rows of A: turned, kept, linear.
POINT = [[-1, 1], [-1, 2], [1, 1]]
MEMBER = [[1, -1], [-1, 2], [1, 1]]


def shallow(rows: Rows, *outputs: int) -> Json:
    """Return a network with one output."""
    return network(rows, [list(outputs)])


def member(rows: Rows) -> Json:
    """Return a network like the member."""
    return shallow(rows, -1, -1, 2, -2)


COMPONENTS = (
    refused("widths", "generic-point", M=shallow(MEMBER[:2], 1, 1, 0)),
    refused("layers", "generic-point", A=HIDES, M=HIDES, e=vector(1)),
    refused("halves", "generic-point", e=vector(-HALF, HALF, 0)),
    refused("none", "generic-point", e=vector(0, 0, 0), M=shallow(POINT, -1, -1, 1, 0)),
    refused("twice", "generic-point", e=vector(-1, 2, 0), A=shallow(POINT, -2, -1, 1, 0)),
    refused("not-turned", "generic-point", M=member(POINT)),
    refused("also-turned", "generic-point", M=member([[1, -1], [1, -2], [1, 1]])),
    refused("other-row", "generic-point", M=member([[1, -1], [-1, 3], [1, 1]])),
    refused("linear-turned", "generic-point", e=vector(-1, 1, -1)),
    refused("linear-kept", "generic-point", e=vector(-1, 1, 1)),
    refused("linear-in-the-sum", "generic-point", e=vector(-1, 0, 1)),
    refused("linear-subtracted", "generic-point", e=vector(1, 0, -1), M=member(POINT)),
    other(
        "not-in-the-mask",
        "generic-point",
        A=shallow([[-1, 1], [-1, 2], [-1, 3]], 1, 1, 1, 0),
        M=shallow([[1, -1], [-1, 2], [-1, 3]], 1, 1, 1, 0),
        e=vector(-1, 1, 0),
    ),
    refused("not-linear", "generic-point", M=member([[1, -1], [-1, 2], [1, -1]])),
    refused(
        "dead",
        "generic-point",
        A=shallow([[-1, 1], [-1, 2], [-1, -1]], -1, -1, 1, 0),
        M=member(MEMBER),
    ),
    refused("sum", "generic-point", A=shallow(POINT, -1, -2, 1, 0), M=member(MEMBER)),
    refused("same-side", "generic-point", M=member(POINT), e=vector(1, 1, 0)),
    other("scaled", "generic-point", M=member([[3, -3], [-1, 2], [0, 1]])),
    other("no-linear-row", "generic-point", M=member([[1, -1], [-1, 2], [0, 0]])),
    other("output", "generic-point", A=shallow(POINT, 1, 1, 1, 0)),
    Case("malformed/wrong-length--generic-point", changed("generic-point", e=vector(1))),
    refused("widths", "signs", M=shallow([[1, 1, 1]], 1, 0)),
    refused("layers", "signs", A=SQUARE, B=SQUARE, M=SQUARE),
    refused(
        "outputs",
        "signs",
        **{
            name: network(rows, [[1, 1, 0], [1, 1, 0]])
            for name, rows in (
                ("A", [[1, 1, 1], [-2, -1, 1]]),
                ("B", [[1, 2, 1], [-2, -1, 1]]),
                ("M", [[1, 0, 1], [2, 1, -1]]),
            )
        },
    ),
    refused(
        "linear",
        "signs",
        **dict.fromkeys("ABM", shallow([[1, 2, 1], [2, 1, 1]], 1, -1, 0)),
        e=vector(0, 0),
    ),
    refused(
        "no-linear",
        "signs",
        **dict.fromkeys("AB", shallow([[-2, 1, 1]], 1, 0)),
        M=shallow([[2, -1, -1]], 1, 0),
        e=vector(-1),
    ),
    other(
        "zero-weight",
        "signs",
        **dict.fromkeys("AB", shallow([[0, 1, 1], [-1, 1, 1]], 1, 1, 0)),
        M=shallow([[0, 1, 1], [1, -1, -1]], 1, 1, 0),
        e=vector(0, -1),
    ),
    refused("sign", "signs", B=shallow([[1, 2, 1], [-2, -1, 1]], 1, 1, 1)),
    refused("sign-down", "signs", B=shallow([[1, 2, 1], [-2, -1, 1]], 1, 1, -1)),
    refused("sign-of-a-weight", "signs", B=shallow([[1, 2, 1], [-3, 1, 1]], 1, 1, 0)),
    refused("member", "signs", M=shallow([[1, 0, 1], [2, 2, -1]], -1, 1, 3)),
    refused("not-empty", "signs", B=shallow([[1, 1, 1], [-2, -1, 1]], 1, 1, 0)),
    refused("not-empty-up", "signs", B=shallow([[3, 2, 1], [-2, -1, 1]], 1, 1, 0)),
    refused("tie", "signs", B=shallow([[2, 2, 1], [-2, -1, 1]], 1, 1, 0)),
    refused(
        "kept",
        "signs",
        M=shallow([[1, 0, 1], [-2, -1, 1]], -1, 1, 3),
        e=vector(0, 0),
    ),
    other("other", "signs", B=shallow([[1, 3, 1], [-2, -1, 1]], 1, 1, 0)),
    other("weaker", "signs", B=shallow([[1, 3, 1], [-2, -1, 2]], 1, 1, 0)),
)

# On the quadrant 3 - x - y and x - 3y + 1 are 0 on lines that cross at (2, 1).
CROSSING = three(AXES, [[-1, -1, 3], [1, -3, 1]])
FACETS = {"N": CROSSING, "x": vector(1, 2), "y": vector(Fraction(5, 2), HALF)}
PARALLEL = (
    other("crossing", "parallel-pairs", **FACETS),
    other(
        "three-neurons",
        "parallel-pairs",
        N=three([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], [[-1, -1, -1, 4], [1, -3, 0, 1]]),
        x=vector(1, 2, 1),
        y=vector(Fraction(5, 2), HALF, 1),
    ),
    refused("layers", "parallel-pairs", N=network(AXES, [[1, 1, 0]])),
    refused(
        "wide",
        "parallel-pairs",
        **{**FACETS, "N": three([*AXES, [1, 1, 1]], [[-1, -1, 0, 3], [1, -3, 0, 1]])},
    ),
    refused("regions", "parallel-pairs", **{**FACETS, "y": vector(3, -1)}),
    refused("regions-back", "parallel-pairs", N=CROSSING, x=vector(3, -1), y=vector(1, 2)),
    other("back", "parallel-pairs", N=CROSSING, x=FACETS["y"], y=FACETS["x"]),
    refused(
        "border",
        "parallel-pairs",
        N=three([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], [[-1, -1, -1, 3], [1, -3, 0, 1]]),
        x=vector(1, 2, 0),
        y=vector(Fraction(5, 2), HALF, 0),
    ),
    refused(
        "one-active",
        "parallel-pairs",
        N=three(AXES, [[1, 1, -3], [1, 2, -2]]),
        x=vector(3, -1),
        y=vector(3, -2),
    ),
    refused("no-facet", "parallel-pairs", **{**FACETS, "x": vector(1, 1)}),
    refused("no-facet-there", "parallel-pairs", **{**FACETS, "y": vector(1, 1)}),
    refused("vertex", "parallel-pairs", **{**FACETS, "x": vector(2, 1)}),
    refused("vertex-there", "parallel-pairs", **{**FACETS, "y": vector(2, 1)}),
    refused("two-neurons", "parallel-pairs", **{**FACETS, "y": vector(5, 2)}),
    refused(
        "two-neurons-back",
        "parallel-pairs",
        **{**FACETS, "x": vector(5, 2), "y": vector(1, 2)},
    ),
    refused("one-facet", "parallel-pairs", **{**FACETS, "y": vector(HALF, Fraction(5, 2))}),
    Case("malformed/wrong-length--parallel-pairs", changed("parallel-pairs", y=vector(1))),
)

CASES = (
    *(Case(f"accept/{name}", changed(name)) for name in NAMES),
    *pair_cases(),
    *VISIBILITY,
    *THEOREM_5,
    *HIDING,
    *FIXED,
    *PROPOSITION_4,
    *CASE_2,
    *SHALLOW,
    *RAYS,
    *COMPONENTS,
    *PARALLEL,
)
