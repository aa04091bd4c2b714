"""Hyperplanes of layer 1 that layer 2 sees (Section 3), and those that it hides (Sections 5 and 6).

The visibility theorem (Section 3): a first-layer hyperplane that layer 2 sees is rigid.  Let A, B
be generic, with three layers and n0 ≥ 2, and compute one function.  If x lies on the hyperplane H_i
of layer 1 of A and some neuron of layer 2 is positive at x, then H_i is a hyperplane of layer 1
of B.  **Text damaged**: refuted for n1 = 1, which lost formulas may exclude (theory 2.5): the
second neuron of s(1 − s(x)) bends along a hyperplane too, and B takes it for its first layer.  The
proof uses that bent hyperplanes of layer 2 cross those of layer 1, which needs n1 ≥ 2.

The symmetries of a hidden hyperplane.  Translation (Lemma of Section 5): if layer 2 hides H_i, then
b1_i + t and b2_j − t·W2_ji give the same function for t > max_j b2_j/W2_ji, for any widths.  Flips:
with n2 = 1 so do the M_A.

Fibers (Propositions of Section 6): a generic η with the function of a generic bottleneck θ that
hides H_i is a translate of θ for n2 ≥ 2, and of some θ_A for n2 = 1.  Refuted for n1 = 1 (theory
3.4), which lost formulas may exclude (**text damaged**): s(s(x) − 1) = s(s(x − 1) + 1) − 1, where
the second one hides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from random import Random

from flint import fmpq

from exactrelu.exact.scalar import Vector, vector
from exactrelu.lemmas.families import small_networks
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.lemmas.three_layers.common import (
    PAIRS,
    WIDE_PAIRS,
    equal,
    generic,
    hidden,
    is_multiple,
    is_positive_multiple,
    random_bottleneck,
    rows,
    shuffled,
    three_layers,
)
from exactrelu.network.hiding import Hiding, hiding
from exactrelu.network.network import Network, trace
from exactrelu.questions.equivalence.canonical_forms import isomorphic

_VISIBILITY = "S002, Section 3, visibility of first-layer hyperplanes"


def _seen(least: int) -> Callable[[Instance], Iterator[Fact]]:
    def hypotheses(instance: Instance) -> Iterator[Fact]:
        A, B = instance.network("A"), instance.network("B")
        i, x = instance.integer("i"), instance.vector("x")
        yield Fact.plain("A and B have the same widths", A.widths == B.widths)
        widths = A.widths
        wide = len(widths) == 4 and widths[0] >= 2 and widths[1] >= least
        yield Fact.plain(f"three layers, n0 ≥ 2, n1 ≥ {least}", wide)
        there = i < A.widths[1] and len(x) == A.n_inputs
        yield Fact.plain("x lies on H_i", there and _on_hyperplane(A, i, x))
        yield Fact.plain("z_j(x) > 0 for some j", max(trace(A, x).preactivations[1]) > 0)
        yield generic("A", A)
        yield generic("B", B)
        yield equal(A, B)

    return hypotheses


def _on_hyperplane(network: Network, i: int, x: Vector) -> bool:
    return trace(network, x).preactivations[0][i] == 0


def _in_first_layer(instance: Instance) -> Fact:
    A, B = instance.network("A"), instance.network("B")
    row = rows(A, 1)[instance.integer("i")]
    return Fact.plain(
        "H_i is a hyperplane of layer 1 of B", any(is_multiple(row, other) for other in rows(B, 1))
    )


def _with_points(pair: Instance | None) -> Iterator[Instance | None]:
    """Points with small coordinates on the hyperplanes of A that layer 2 sees."""
    yield None
    if pair is None:
        return
    A = pair.network("A")
    corners = product((-2, -1, 0, 1, 2), repeat=A.n_inputs)
    for x in map(vector, corners):
        first, second, _ = trace(A, x).preactivations
        if max(second) > 0:
            for i, y in enumerate(first):
                if y == 0:
                    yield Instance({**pair.values, "i": i, "x": x})


def _level_with_points(level: Level) -> Level:
    return Level(
        f"{level.bound}, points with coordinates -2..2",
        lambda: (instance for pair in level.candidates() for instance in _with_points(pair)),
    )


def _random_with_point(pairs: Family) -> Callable[[Random], Instance]:
    def draw(rng: Random) -> Instance:
        pair = pairs.random(rng)
        A = pair.network("A")
        i = rng.randrange(A.widths[1])
        *w, b = rows(A, 1)[i]
        x = [fmpq(rng.randint(-9, 9)) for _ in w]
        place = next((k for k, weight in enumerate(w) if weight), None)
        if place is not None:
            x[place] = fmpq(0)
            x[place] = -(b + sum((v * c for v, c in zip(w, x, strict=True)), fmpq(0))) / w[place]
        return Instance({**pair.values, "i": i, "x": vector(x)})

    return draw


_SEEN = (
    "If A and B are generic, of one architecture with three layers{}, compute one function, and "
    "some neuron of layer 2 of A is positive at a point of the hyperplane H_i of layer 1, then "
    "H_i is a hyperplane of layer 1 of B."
)

VISIBILITY_STATEMENTS = (
    Statement(
        "S002-visibility",
        _VISIBILITY,
        _SEEN.format(" and n0 ≥ 2"),
        _seen(1),
        _in_first_layer,
        Family(tuple(map(_level_with_points, PAIRS.levels[1:])), _random_with_point(PAIRS)),
        known=("S002-E02-n1eq1-mirror",),
        judgement=Judgement(
            "text damaged",
            "Refuted for n1 = 1 only; the formulas are lost in the text that we have, those of "
            "the theorem's hypotheses and the one in its proof that says when bent hyperplanes of "
            "layer 2 must meet those of layer 1.",
        ),
    ),
    Statement(
        "S002-visibility-repaired",
        f"{_VISIBILITY}, for n1 ≥ 2",
        _SEEN.format(" and n0, n1 ≥ 2"),
        _seen(2),
        _in_first_layer,
        Family(tuple(map(_level_with_points, WIDE_PAIRS.levels)), _random_with_point(WIDE_PAIRS)),
        repairs="S002-visibility",
    ),
)


_TRANSLATES = "T_i(A) up to order and scaling"


def is_translate(A: Network, B: Network) -> bool:
    """Whether B ~ T_i by some t of a flip of A, where layer 2 of A hides neuron i."""
    found = hiding(A)
    if found is None or hidden(A) is None or A.widths != B.widths:
        return False
    for flips in found.all_flips():
        base = hiding(found.flip(flips))
        if base is not None and _is_shift(base, B):
            return True
    return False


def _is_shift(base: Hiding, B: Network) -> bool:
    """Whether some order and scaling of B is a translation of the network, inside the limits."""
    first = rows(base.network, 1)
    for order in permutations(range(B.widths[1])):
        matched = [(row, rows(B, 1)[p]) for row, p in zip(first, order, strict=True)]
        ours, theirs = matched.pop(base.hidden - 1)
        if not all(is_positive_multiple(row, other) for row, other in matched):
            continue
        scale = _scale(ours[:-1], theirs[:-1])
        if scale is None:
            continue
        t = theirs[-1] / scale - ours[-1]
        if t > base.lower and _same(base.translate(t), B):
            return True
    return False


def _scale(a: Vector, b: Vector) -> fmpq | None:
    """λ > 0 with b = λa, if there is one."""
    if not is_positive_multiple(a, b):
        return None
    return next(y / x for x, y in zip(a, b, strict=True) if x)


def _same(A: Network, B: Network) -> bool:
    return isomorphic(A, B).answer is True


def _fiber_hypotheses(least: int, single: bool) -> Callable[[Instance], Iterator[Fact]]:
    def hypotheses(instance: Instance) -> Iterator[Fact]:
        A, B = instance.network("A"), instance.network("B")
        yield from three_layers(A, B, least)
        n2 = A.widths[2]
        yield Fact.plain("n2 = 1" if single else "n2 ≥ 2", (n2 == 1) is single)
        yield Fact.plain("A hides a hyperplane", hidden(A) is not None)
        yield generic("A", A)
        yield generic("B", B)
        yield equal(A, B)

    return hypotheses


def _translate(instance: Instance) -> Fact:
    text = "B is a translate of A, or of a flip of A if n2 = 1, up to order and scaling"
    return Fact.plain(text, is_translate(instance.network("A"), instance.network("B")))


def _hiding_network(rng: Random) -> Network:
    widths = rng.choice(((1, 1, 1, 1), (2, 2, 1, 1), (2, 2, 2, 1), (1, 3, 1, 1), (2, 3, 2, 1)))
    while True:
        network = random_bottleneck(rng, widths)
        if hidden(network) is not None:
            return network


def _move_hypotheses(instance: Instance) -> Iterator[Fact]:
    N, t = instance.network(), instance.rational("t")
    found = hiding(N) if len(N.layers) == 3 else None
    hides_all = found is not None and hidden(N) is not None
    yield Fact.plain("every neuron of layer 2 hides H_i", hides_all)
    yield Fact.plain("t > max b2_j/W2_ji", found is not None and t > found.lower)


def _translation(instance: Instance) -> Fact:
    found = hiding(instance.network())
    if found is None:
        raise ValueError("the hypotheses were not asked")
    return equal(found.network, found.translate(instance.rational("t")))


def _flip_hypotheses(instance: Instance) -> Iterator[Fact]:
    yield from _move_hypotheses(instance)
    yield Fact.plain("n2 = 1", instance.network().widths[2] == 1)


def _flips(instance: Instance) -> Fact:
    """All flips, each after the translation by t: the last verdict, or the first that is no yes."""
    found = hiding(instance.network())
    if found is None:
        raise ValueError("the hypotheses were not asked")
    for flips in found.all_flips():
        base = hiding(found.flip(flips))
        if base is None:
            return Fact.plain("a flip hides the same neuron", False)
        fact = equal(found.network, base.translate(instance.rational("t")))
        if fact.verdict.answer is not True:
            return fact
    return fact


def _shifts(widths: tuple[int, int, int, int]) -> Level:
    name = "-".join(map(str, widths))
    return Level(
        f"widths {name}, entries -1..1, hiding, t of ±1/2 and 1",
        lambda: (
            Instance.of(N=N, t=t)
            for N in small_networks(widths)
            if hidden(N) is not None and any(N.layers[2].weights.entries())
            for t in (fmpq(-1, 2), fmpq(1, 2), fmpq(1))
        ),
    )


_MOVES = Family(
    tuple(map(_shifts, ((1, 1, 1, 1), (1, 2, 1, 1), (1, 1, 2, 1), (2, 2, 1, 1)))),
    lambda rng: Instance.of(
        N=shuffled(rng, _hiding_network(rng)), t=fmpq(rng.randint(-6, 9), rng.randint(1, 4))
    ),
)
_WORDS = (
    "If A and B are generic, of one architecture with {}, compute one function, and "
    "every neuron of layer 2 of A hides H_i, then B is {}."
)
_FLIPPED = "a translate of a flip of A, up to order and scaling"

#: The statements of Section 6 stand under hypotheses that the text we have lacks.
LOST_IN_SECTION_6 = Judgement(
    "text damaged",
    "Refuted for n1 = 1 only; the formulas are lost in the text that we have, those of "
    '"Throughout, let […] with […]", with which Section 6 begins, included.',
)

HIDING_STATEMENTS = (
    Statement(
        "S002-translation",
        "S002, Section 5, translating a hidden hyperplane",
        "If every neuron of layer 2 hides H_i, then b1_i + t and b2_j − t·W2_ji give the same "
        "function for all t > max_j b2_j/W2_ji.",
        _move_hypotheses,
        _translation,
        _MOVES,
        known=("S002-P13-hiding-translation",),
    ),
    Statement(
        "S002-flips",
        "S002, Section 5, flipping with a hidden hyperplane",
        "If n2 = 1 and the neuron of layer 2 hides H_i, then every flip M_A of the other neurons, "
        "and every translation of it, gives the same function.",
        _flip_hypotheses,
        _flips,
        _MOVES,
        known=("S002-P14-hiding-flips",),
    ),
    Statement(
        "S002-hiding",
        "S002, Section 6, fibers of hiding parameters, n2 ≥ 2",
        _WORDS.format("n0 ≥ n1 and n2 ≥ 2", f"in {_TRANSLATES}"),
        _fiber_hypotheses(1, single=False),
        _translate,
        PAIRS,
        judgement=LOST_IN_SECTION_6,
    ),
    Statement(
        "S002-hiding-repaired",
        "S002, Section 6, fibers of hiding parameters, n2 ≥ 2, for n1 ≥ 2",
        _WORDS.format("n0 ≥ n1 ≥ 2 and n2 ≥ 2", f"in {_TRANSLATES}"),
        _fiber_hypotheses(2, single=False),
        _translate,
        WIDE_PAIRS,
        repairs="S002-hiding",
        known=("S002-P13-hiding-translation",),
    ),
    Statement(
        "S002-hiding-single",
        "S002, Section 6, fibers of hiding parameters, n2 = 1",
        _WORDS.format("n0 ≥ n1 and n2 = 1", _FLIPPED),
        _fiber_hypotheses(1, single=True),
        _translate,
        PAIRS,
        known=("S002-E03-n1eq1-hiding",),
        judgement=LOST_IN_SECTION_6,
    ),
    Statement(
        "S002-hiding-single-repaired",
        "S002, Section 6, fibers of hiding parameters, n2 = 1, for n1 ≥ 2",
        _WORDS.format("n0 ≥ n1 ≥ 2 and n2 = 1", _FLIPPED),
        _fiber_hypotheses(2, single=True),
        _translate,
        WIDE_PAIRS,
        repairs="S002-hiding-single",
        known=("S002-P14-hiding-flips",),
    ),
)
