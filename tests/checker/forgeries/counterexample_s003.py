"""Cases of the claim kind ``counterexample``: the statements of S003 about layers and networks.

The proofs that a whole network is one-to-one are those of the kept certificates.
"""

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from forge import (
    Case,
    Json,
    kernel,
    matrix_fields,
    minor,
    network,
    number,
    system,
    vector,
)

from forgeries.facts import Fact, joined
from forgeries.layer_injective import EACH, X_PAIR, Y_PAIR, F, claim, cover

KEPT = Path(__file__).resolve().parents[3] / "proofs" / "certificates" / "lemmas"
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
Rows = Sequence[Sequence[Fraction | int]]
Point = Sequence[Fraction | int]


def kept(name: str) -> tuple[Json, list[Fact]]:
    """Return the instance of a kept certificate and its facts; the first has all records."""
    lines = (KEPT / f"S003-{name}.cert.jsonl").read_text(encoding="ascii").splitlines()
    first, *records = (json.loads(line) for line in lines[:-1])
    claims = first["claim"]["facts"]
    return first["claim"]["instance"], [(claims[0], *records), *((fact,) for fact in claims[1:])]


def layer(rows: Rows) -> Json:
    """Return the network with one hidden layer (w | b) and an output of zeros."""
    return network(rows, [[0] * (len(rows) + 1)])


def linear(rows: Rows) -> Json:
    """Return the same without biases."""
    return layer([[*row, 0] for row in rows])


def injective(of: Json, *covers: Json) -> Fact:
    """Return the fact that the first layer is injective."""
    return (claim(of, system(of["layers"][0]["inputs"])), F, *covers)


def collide(of: Json, x: Point, y: Point, number: int = 0) -> Fact:
    """Return the fact that a layer takes two points to one."""
    place = claim(of, system(len(x)), number)
    return ({**place, "kind": "layer-not-injective", "points": [vector(*x), vector(*y)]},)


def value(of: Json, x: Point, y: Point, *signs: str) -> Fact:
    """Return the fact that a network has this value."""
    fields = {"network": of, "output": vector(*y), "point": vector(*x), "signs": list(signs)}
    return ({"kind": "value", **fields},)


def meet(of: Json, x: Point, y: Point) -> Fact:
    """Return the fact that a network takes two points to one."""
    stage = {"domain": system(len(x)), "first": 0, "last": len(of["layers"]), "network": of}
    return ({"kind": "not-injective", **stage, "x": vector(*x), "y": vector(*y)},)


def rank(rows: Rows, rank: int, minor_rows: Sequence[int]) -> Fact:
    """Return the fact that a matrix has full rank n."""
    fields = {"kind": "rank", "rank": rank, **matrix_fields(rows)}
    return (fields, minor(minor_rows, range(rank)), kernel([]))


def refuted(name: str, *facts: Fact, **instance: object) -> bytes:
    """Return a certificate that a statement of S003 fails."""
    return joined(*facts, instance=instance, lemma=f"S003-{name}")


def again(name: str, **changed: object) -> bytes:
    """Return a kept certificate with other objects in its instance."""
    instance, facts = kept(name)
    return refuted(name, *facts, **{**instance, **changed})


SIGNS = linear([[1], [-1]])
SIGNS_PROOF = injective(SIGNS, EACH)
BIASED = layer([[1, 1], [-1, 0]])
DEEP = network([[1, 0], [-1, 0]], [[1, 0, 0]], [[1, 0]])
# The rows of [I; -I], and with a fifth one on a diagonal.
PLANE = linear([[1, 0], [0, 1], [-1, 0], [0, -1]])
PLANE_PROOF = injective(PLANE, X_PAIR, Y_PAIR)


def _basis() -> list[Case]:
    rows = [[HALF, 0], [0, 1], [1, 1], [-1, 0]]
    N, x = linear(rows), vector(1, 0)
    spans = rank(rows[:3], 2, [0, 1])

    def case(*facts: Fact, N: Json = N, x: object = x) -> bytes:
        return refuted("definition-1-basis", *facts, N=N, x=x)

    # Over 2 only because of the row that is not active.
    coarse = linear([[1], [2], [-HALF]])
    return [
        Case("accept/basis", case(spans)),
        Case("accept/basis-integers", case(rank([[1], [2]], 1, [0]), N=coarse, x=vector(1))),
        Case("accept/basis-third", case(spans, x=vector(THIRD, 0))),
        Case("reject/wrong-facts--basis-all-rows", case(rank(rows, 2, [0, 1]))),
        Case(
            "reject/wrong-facts--basis-other-matrix",
            case(rank([[1, 0], [0, 1], [1, 1]], 2, [0, 1])),
        ),
        Case(
            "reject/wrong-facts--basis-lower-rank",
            case(
                (
                    {**rank([[1, 1], [2, 2], [3, 3]], 1, [0])[0]},
                    minor([0], [0]),
                    kernel([1], [-1, 1]),
                ),
                N=linear([[1, 1], [2, 2], [3, 3]]),
                x=vector(1, 0),
            ),
        ),
        Case("reject/not-a-counterexample--basis-two", case(spans, x=vector(-1, 0))),
        Case(
            "reject/not-a-counterexample--basis-twice",
            case(rank([[1], [1]], 1, [0]), N=linear([[1], [1]]), x=vector(1)),
        ),
        Case("reject/not-a-counterexample--basis-none", case(spans, x=vector(0, 0), N=SIGNS_2)),
        Case("reject/not-a-counterexample--basis-bias", case(spans, N=BIASED, x=vector(1))),
        Case("reject/not-a-counterexample--basis-deep", case(spans, N=DEEP, x=vector(1))),
        Case("malformed/wrong-length--basis-point", case(spans, x=vector(1))),
    ]


SIGNS_2 = linear([[1, 1], [-1, -1]])


def _corollary_1() -> list[Case]:
    last = network([[1, 0], [-1, 0]], [[1, 1, HALF]])
    first = injective(last, EACH)
    folds = meet(last, [1], [-1])
    # Two hidden layers, and a last map that adds all up.
    deep = network(
        [[1, 0], [-1, 0]],
        [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]],
        [[1, 1, 1, 1, 0]],
    )
    second = (claim(deep, system(2), 1), F, cover((0, 1), (1, 1)), cover((2, 1), (3, 1)))
    both_layers = [injective(deep, EACH), second]
    name = "corollary-1"
    return [
        Case("accept/corollary-1", refuted(name, first, folds, N=last)),
        Case("accept/corollary-1-deep", refuted(name, *both_layers, meet(deep, [1], [-1]), N=deep)),
        Case(
            "reject/wrong-facts--corollary-1-one-layer",
            refuted(name, both_layers[0], meet(deep, [1], [-1]), N=deep),
        ),
        Case(
            "reject/wrong-facts--corollary-1-part",
            refuted(name, first, ({**folds[0], "last": 1},), N=last),
        ),
        Case(
            "reject/wrong-facts--corollary-1-ray",
            refuted(name, first, ({**folds[0], "domain": system(1, ("ge", [1, 5]))},), N=last),
        ),
        Case(
            "reject/wrong-facts--corollary-1-other",
            refuted(name, first, meet(network([[1, 0]], [[0, 0]]), [1], [2]), N=last),
        ),
        Case(
            "reject/not-a-counterexample--corollary-1-affine",
            refuted(name, meet(network([[0, 0]]), [1], [2]), N=network([[0, 0]])),
        ),
    ]


def _converse() -> list[Case]:
    instance, (whole, second) = kept("corollary-1-converse")
    N = instance["N"]
    first = collide(network([[1, 0]], [[1, 0]]), [-1], [-2])
    name = "corollary-1-converse"
    return [
        Case("accept/converse", again(name)),
        Case("reject/wrong-facts--converse-first", refuted(name, whole, first, N=N)),
        Case(
            "reject/wrong-facts--converse-first-layer",
            refuted(name, whole, ({**second[0], "layer": 2},), N=N),
        ),
        Case(
            "reject/wrong-facts--converse-part",
            refuted(name, ({**whole[0], "last": 2}, *whole[1:]), second, N=N),
        ),
        Case(
            "reject/wrong-facts--converse-on-nothing",
            refuted(name, ({**whole[0], "domain": system(1, ("gt", [0, 0]))},), second, N=N),
        ),
        Case("reject/not-a-counterexample--converse-shallow", again(name, N=SIGNS)),
        Case(
            "reject/not-a-counterexample--converse-deep",
            again(name, N=network([[1, 0]], [[1, 0]], [[1, 0]], [[1, 0]])),
        ),
    ]


def _near_origin() -> list[Case]:
    N = layer([[1, 1]])
    box = system(1, ("ge", [1, 1]), ("ge", [-1, 1]))
    inside: Fact = (claim(N, box), F, cover((0, 1), (2, 1)))
    outside = collide(N, [-1], [-2])
    wide = layer([[1, 0, 1], [0, 1, 1]])
    square = system(2, ("ge", [1, 0, 1]), ("ge", [-1, 0, 1]), ("ge", [0, 1, 1]), ("ge", [0, -1, 1]))
    in_square: Fact = (claim(wide, square), F, cover((0, 1), (4, 1)), cover((2, 1), (5, 1)))
    name = "necessary-near-origin"
    return [
        Case("accept/near-origin", refuted(name, inside, outside, N=N)),
        Case(
            "accept/near-origin-square",
            refuted(name, in_square, collide(wide, [-2, -1], [-3, -1]), N=wide),
        ),
        Case(
            "reject/wrong-facts--near-origin-ray",
            refuted(name, (claim(N, system(1, ("ge", [1, 1]))), *inside[1:]), outside, N=N),
        ),
        Case(
            "reject/wrong-facts--near-origin-smaller-box",
            refuted(
                name,
                (claim(N, system(1, ("ge", [2, 1]), ("ge", [-1, 1]))), *inside[1:]),
                outside,
                N=N,
            ),
        ),
        Case(
            "reject/wrong-facts--near-origin-other",
            refuted(name, inside, collide(layer([[1, 0]]), [-1], [-2]), N=N),
        ),
        Case(
            "reject/not-a-counterexample--near-origin-deep", refuted(name, inside, outside, N=DEEP)
        ),
    ]


def _half_spaces() -> list[Case]:
    space, mean = "closed-half-space", "mean-row"
    three = linear([[1], [-2], [-HALF]])
    three_proof = injective(three, cover((0, 2), (1, 1)))
    four = linear([[1, 0], [0, 1], [-1, 0], [0, -HALF]])
    four_proof = injective(four, X_PAIR, cover((1, 1), (3, 2)))
    return [
        Case("accept/half-space", refuted(space, PLANE_PROOF, N=PLANE, p=vector(THIRD, 0))),
        Case("accept/mean-row", refuted(mean, SIGNS_PROOF, N=SIGNS)),
        Case("accept/mean-row-half", refuted(mean, four_proof, N=four)),
        Case(
            "reject/not-a-counterexample--half-space-two",
            refuted(space, PLANE_PROOF, N=PLANE, p=vector(1, 1)),
        ),
        Case(
            "reject/not-a-counterexample--half-space-normal",
            refuted(space, PLANE_PROOF, N=PLANE, p=vector(0, 0)),
        ),
        Case("reject/not-a-counterexample--mean-row-two", refuted(mean, three_proof, N=three)),
        Case("reject/not-a-counterexample--mean-row-bias", refuted(mean, SIGNS_PROOF, N=BIASED)),
        Case(
            "reject/not-a-counterexample--half-space-bias",
            refuted(space, SIGNS_PROOF, N=BIASED, p=vector(1)),
        ),
        Case(
            "reject/wrong-facts--mean-row-collision",
            refuted(mean, collide(SIGNS, [1], [2]), N=SIGNS),
        ),
        Case("reject/wrong-facts--mean-row-other", refuted(mean, PLANE_PROOF, N=SIGNS)),
    ]


def _normalizations() -> list[Case]:
    shift, factor = "renormalization", "spectral-normalization"
    instance, (whole, after) = kept(shift)
    N, t = instance["N"], vector(0, -1)
    layers = [[[1, 0], [-1, 0]], [[0, 1, 0], [1, 0, 0]], [[1, 0, 0], [0, 1, 0]]]
    # x -> (3/2)x + (0, -1/2), and x -> -x.
    moved = network(layers[0], [[0, 3 * HALF, -HALF], [3 * HALF, 0, 0]], layers[2])
    turned = network(layers[0], [[0, -1, 0], [-1, 0, 0]], layers[2])
    small, (small_whole, small_after) = kept(factor)
    return [
        Case("accept/renormalization", again(shift)),
        Case(
            "accept/renormalization-half",
            refuted(
                *(shift, whole, meet(moved, [Fraction(-1, 6)], [Fraction(-1, 5)])),
                N=N,
                c=number(3 * HALF),
                t=vector(0, -HALF),
            ),
        ),
        Case(
            "accept/renormalization-negative",
            refuted(shift, whole, meet(turned, [1], [2]), N=N, c=number(-1), t=vector(0, 0)),
        ),
        Case("accept/spectral", again(factor)),
        Case("reject/wrong-facts--renormalization-factor", again(shift, c=number(2))),
        Case("reject/wrong-facts--renormalization-shift", again(shift, t=vector(0, 1))),
        Case(
            "reject/wrong-facts--renormalization-part",
            refuted(shift, whole, ({**after[0], "first": 1},), N=N, c=number(1), t=t),
        ),
        Case("reject/not-a-counterexample--renormalization-zero", again(shift, c=number(0))),
        Case("reject/not-a-counterexample--renormalization-shallow", again(shift, N=SIGNS)),
        Case(
            "reject/not-a-counterexample--renormalization-deep",
            again(shift, N=network(*layers, [[1, 0, 0]])),
        ),
        Case("malformed/wrong-length--renormalization", again(shift, t=vector(0))),
        Case("reject/not-a-counterexample--spectral-negative", again(factor, c=number(-HALF))),
        Case("reject/not-a-counterexample--spectral-zero", again(factor, c=number(0))),
        Case("reject/not-a-counterexample--spectral-shift", again(factor, t=vector(0, 1))),
        Case(
            "reject/wrong-facts--spectral-factor",
            refuted(factor, small_whole, small_after, **{**small, "c": number(1)}),
        ),
    ]


def _weights() -> list[Case]:
    name, N = "weight-normalization", layer([[1, 1], [-1, -1]])
    before = injective(N, EACH)
    after = collide(layer([[2, 1], [-1, -1]]), [-HALF - Fraction(1, 8)], [-HALF - Fraction(1, 4)])
    half = layer([[HALF, HALF], [-1, -1]])
    half_before = injective(half, cover((0, 1), (1, 1)))
    half_after = collide(layer([[HALF, HALF], [-THIRD, -1]]), [-2], [-THIRD - 1])
    d = vector(2, 1)
    rows = [[1, 0, 1], [0, 1, 0], [-1, 0, -1], [0, -1, 0]]
    plane = layer(rows)
    in_plane = collide(layer([[2, 0, 1], *rows[1:]]), [Fraction(-3, 4), 1], [-2 * THIRD, 1])
    return [
        Case("accept/weights", refuted(name, before, after, N=N, d=d)),
        Case(
            "accept/weights-third",
            refuted(
                name, injective(half, cover((0, 2), (1, 1))), half_after, N=half, d=vector(1, THIRD)
            ),
        ),
        Case(
            "accept/weights-plane",
            refuted(
                name, injective(plane, X_PAIR, Y_PAIR), in_plane, N=plane, d=vector(2, 1, 1, 1)
            ),
        ),
        Case("reject/wrong-facts--weights-all", refuted(name, half_before, after, N=N, d=d)),
        Case(
            "reject/wrong-facts--weights-factor", refuted(name, before, after, N=N, d=vector(3, 1))
        ),
        Case(
            "reject/wrong-facts--weights-biases",
            refuted(name, before, collide(layer([[2, 2], [-1, -1]]), [1], [2]), N=N, d=d),
        ),
        Case(
            "reject/not-a-counterexample--weights-zero",
            refuted(
                name, before, collide(layer([[0, 1], [-1, -1]]), [1], [2]), N=N, d=vector(0, 1)
            ),
        ),
        Case(
            "reject/not-a-counterexample--weights-negative",
            refuted(
                name, before, collide(layer([[1, 1], [1, -1]]), [-1], [-2]), N=N, d=vector(1, -1)
            ),
        ),
        Case("malformed/wrong-length--weights", refuted(name, before, after, N=N, d=vector(1))),
    ]


def _lemma_4() -> list[Case]:
    name, N = "lemma-4", layer([[1, -HALF], [-1, -1]])
    fails = collide(N, [0], [Fraction(1, 4)])
    plane = layer([[1, 0, -1], [0, 1, 0], [-1, 0, -1], [0, -1, 0]])
    return [
        Case("accept/lemma-4", refuted(name, SIGNS_PROOF, fails, N=N)),
        Case(
            "accept/lemma-4-plane",
            refuted(name, PLANE_PROOF, collide(plane, [0, 1], [HALF, 1]), N=plane),
        ),
        Case("reject/wrong-facts--lemma-4-biased", refuted(name, injective(N, EACH), fails, N=N)),
        Case(
            "reject/wrong-facts--lemma-4-other",
            refuted(name, SIGNS_PROOF, collide(layer([[1, -1], [-1, -1]]), [0], [HALF]), N=N),
        ),
        Case(
            "reject/not-a-counterexample--lemma-4-deep", refuted(name, SIGNS_PROOF, fails, N=DEEP)
        ),
    ]


def _wedges() -> list[Case]:
    name = "theorem-4-wedges"
    one, two = vector(1), vector(-1)
    return [
        Case("accept/wedges", again(name)),
        Case("accept/wedges-third", again(name, x=vector(-1, -THIRD))),
        Case(
            "reject/not-a-counterexample--wedges-one-point",
            refuted(name, SIGNS_PROOF, N=SIGNS, x=one, y=two),
        ),
        Case(
            "reject/not-a-counterexample--wedges-opposite-rows",
            refuted(name, PLANE_PROOF, N=PLANE, x=vector(1, 2), y=vector(-3, -1)),
        ),
        Case("reject/not-a-counterexample--wedges-short", again(name, y=vector(0, 1))),
        Case("reject/not-a-counterexample--wedges-on-a-wall", again(name, y=vector(4, 0))),
        Case("reject/not-a-counterexample--wedges-through-0", again(name, y=vector(3, 1))),
        Case(
            "reject/not-a-counterexample--wedges-bias",
            refuted(name, SIGNS_PROOF, N=BIASED, x=one, y=two),
        ),
        Case("malformed/wrong-length--wedges-x", again(name, x=vector(1))),
        Case("malformed/wrong-length--wedges-y", again(name, y=vector(1))),
    ]


def _proposition_1() -> list[Case]:
    least, bound = "proposition-1-if", "proposition-1-lower"
    instance, (seen, collision) = kept(least)
    with_zero = linear([[1], [-1], [0]])
    zero_seen: Fact = ({**seen[0], "domain": system(1), "network": with_zero}, *seen[1:])
    halves = linear([[HALF], [-HALF]])
    halves_proof = injective(halves, EACH)
    more = linear([[1], [-1], [-1]])
    more_proof = injective(more, EACH)
    twos = linear([[2], [-2]])
    twos_proof = injective(twos, EACH)
    thirds, sevenths = (linear([[a], [-a]]) for a in (3 * HALF, Fraction(5, 7)))
    thirds_proof, sevenths_proof = (injective(of, EACH) for of in (thirds, sevenths))
    left, right = linear([[1], [-2]]), linear([[2], [-1]])
    left_proof = injective(left, cover((0, 2), (1, 1)))
    right_proof = injective(right, cover((0, 1), (1, 2)))
    ends = {"x": vector(-1), "y": vector(1)}
    return [
        Case("accept/frame-bound", again(least)),
        Case(
            "reject/not-a-counterexample--frame-bound-zero-row",
            refuted(least, zero_seen, collide(with_zero, [1], [2]), N=with_zero),
        ),
        Case(
            "reject/wrong-facts--frame-bound-on-a-ray",
            refuted(
                least,
                ({**seen[0], "domain": system(2, ("gt", [1, 0, 0]))}, *seen[1:]),
                collision,
                **instance,
            ),
        ),
        Case("reject/not-a-counterexample--frame-bound-bias", again(least, N=BIASED)),
        Case("accept/lower-bound", refuted(bound, SIGNS_PROOF, N=SIGNS, **ends)),
        Case(
            "accept/lower-bound-third",
            refuted(bound, SIGNS_PROOF, N=SIGNS, x=vector(-THIRD), y=vector(HALF)),
        ),
        # Steps (1, 1, 1) over a distance of 2: 3 < 4 with the lesser side, [1].
        Case("accept/lower-bound-three", refuted(bound, more_proof, N=more, **ends)),
        # The square of the least singular value is 4 and 16, |steps| is 8 and the distance 4.
        Case("accept/lower-bound-two", refuted(bound, twos_proof, N=twos, **ends)),
        # 18 < 36, and over 2, with squares, 72 < 9 * 36.
        Case("accept/lower-bound-over-2", refuted(bound, thirds_proof, N=thirds, **ends)),
        # |steps|^2 = (25/49)(25/16) is less than (25/49)(49/16) but just (25/49)^2 (49/16).
        Case(
            "reject/not-a-counterexample--lower-bound-squares-tie",
            refuted(bound, sevenths_proof, N=sevenths, x=vector(-1), y=vector(Fraction(3, 4))),
        ),
        Case(
            "reject/not-a-counterexample--lower-bound-lesser-side",
            refuted(bound, left_proof, N=left, **ends),
        ),
        Case(
            "reject/not-a-counterexample--lower-bound-other-side",
            refuted(bound, right_proof, N=right, **ends),
        ),
        # 1/2 of a distance: fails with the singular value 1/2, holds with its square 1/4.
        Case(
            "reject/not-a-counterexample--lower-bound-squares",
            refuted(bound, halves_proof, N=halves, **ends),
        ),
        Case(
            "reject/not-a-counterexample--lower-bound-one-side",
            refuted(bound, SIGNS_PROOF, N=SIGNS, x=vector(1), y=vector(2)),
        ),
        Case(
            "reject/not-a-counterexample--lower-bound-from-0",
            refuted(bound, SIGNS_PROOF, N=SIGNS, x=vector(0), y=vector(1)),
        ),
        Case(
            "reject/not-a-counterexample--lower-bound-two-from-0",
            refuted(bound, twos_proof, N=twos, x=vector(0), y=vector(1)),
        ),
        Case(
            "reject/not-a-counterexample--lower-bound-zero-row",
            refuted(bound, SIGNS_PROOF, N=with_zero, **ends),
        ),
        Case(
            "reject/not-a-counterexample--lower-bound-plane",
            refuted(bound, PLANE_PROOF, N=PLANE, x=vector(-1), y=vector(1)),
        ),
        Case(
            "reject/wrong-facts--lower-bound-other",
            refuted(bound, PLANE_PROOF, N=SIGNS, **ends),
        ),
    ]


def _zero_column() -> list[Case]:
    name, N = "zero-column", linear([[HALF, 0], [-1, 0]])
    shown = value(N, [THIRD, 0], [0], "+-")
    x = vector(THIRD, 0)
    full, one = linear([[1, 1], [-1, 0]]), linear([[1, 0], [0, 0]])
    return [
        Case("accept/zero-column", refuted(name, shown, N=N, x=x)),
        Case(
            "reject/wrong-facts--zero-column-elsewhere",
            refuted(name, value(N, [1, 0], [0], "+-"), N=N, x=x),
        ),
        Case(
            "reject/wrong-facts--zero-column-other",
            refuted(name, value(full, [THIRD, 0], [0], "+-"), N=N, x=x),
        ),
        Case(
            "reject/not-a-counterexample--zero-column-none",
            refuted(name, value(full, [1, 0], [0], "+-"), N=full, x=vector(1, 0)),
        ),
        Case(
            "reject/not-a-counterexample--zero-column-on-one-wall",
            refuted(name, value(one, [1, 0], [0], "+0"), N=one, x=vector(1, 0)),
        ),
        Case(
            "reject/not-a-counterexample--zero-column-on-a-wall",
            refuted(name, value(N, [0, 1], [0], "00"), N=N, x=vector(0, 1)),
        ),
    ]


CASES = (
    *_basis(),
    *_corollary_1(),
    *_converse(),
    *_near_origin(),
    *_half_spaces(),
    *_normalizations(),
    *_weights(),
    *_lemma_4(),
    *_wedges(),
    *_proposition_1(),
    *_zero_column(),
)
