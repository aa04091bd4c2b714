"""The visibility theorem (Section 3): a first-layer hyperplane that layer 2 sees is rigid.

Let A, B be generic, with three layers and n0 ≥ 2, and compute one function.  If x lies on the
hyperplane H_i of layer 1 of A and some neuron of layer 2 is positive at x, then H_i is a
hyperplane of layer 1 of B.

**Text damaged**: refuted for n1 = 1, which lost formulas may exclude (theory 2.5): the second
neuron of s(1 − s(x)) bends along a hyperplane too, and B takes it for its first layer.  The proof
uses that bent hyperplanes of layer 2 cross those of layer 1, which needs n1 ≥ 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random

from flint import fmpq

from exactrelu.exact.scalar import Vector, vector
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s002.facts import equal, generic
from exactrelu.lemmas.s002.layers import is_multiple, rows
from exactrelu.lemmas.s002.pairs import PAIRS, WIDE_PAIRS
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.network.evaluate import trace
from exactrelu.network.network import Network

_SOURCE = "S002, Section 3, visibility of first-layer hyperplanes"


def _hypotheses(least: int) -> Callable[[Instance], Iterator[Fact]]:
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


def _with_points(pair: Instance) -> Iterator[Instance]:
    """Points with small coordinates on the hyperplanes of A that layer 2 sees."""
    A = pair.network("A")
    corners = product((-2, -1, 0, 1, 2), repeat=A.n_inputs)
    for x in map(vector, corners):
        first, second, _ = trace(A, x).preactivations
        if max(second) > 0:
            for i, y in enumerate(first):
                if y == 0:
                    yield Instance({**pair.values, "i": i, "x": x})


def _level(level: Level) -> Level:
    return Level(
        f"{level.bound}, points with coordinates -2..2",
        lambda: (instance for pair in level.instances() for instance in _with_points(pair)),
    )


def _random(pairs: Family) -> Callable[[Random], Instance]:
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


def _family(pairs: Family) -> Family:
    return Family(tuple(map(_level, pairs.levels)), _random(pairs))


_TEXT = (
    "If A and B are generic, of one architecture with three layers{}, compute one function, and "
    "some neuron of layer 2 of A is positive at a point of the hyperplane H_i of layer 1, then "
    "H_i is a hyperplane of layer 1 of B."
)

STATEMENTS = (
    Statement(
        "S002-visibility",
        _SOURCE,
        _TEXT.format(" and n0 ≥ 2"),
        _hypotheses(1),
        _in_first_layer,
        Family(tuple(map(_level, PAIRS.levels[1:])), _random(PAIRS)),
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
        f"{_SOURCE}, for n1 ≥ 2",
        _TEXT.format(" and n0, n1 ≥ 2"),
        _hypotheses(2),
        _in_first_layer,
        _family(WIDE_PAIRS),
        repairs="S002-visibility",
    ),
)
