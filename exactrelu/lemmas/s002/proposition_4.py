"""Proposition 4, Corollary 33 and the lemma of E.1: fibers of parameters that hide nothing.

If A is a generic bottleneck without dead neurons that hides nothing, every generic B with its
function has its first layer up to order and scaling, and layers 2 and 3 of B are in the fiber of
those of A on the orthant, "described by" the formula for generic minimal parameters: nonlinear
neurons, one on each bend, and linear ones.

The first part is refuted for n1 = 1 (see Theorem 5), which lost formulas may exclude (**text
damaged**), and right for n1 ≥ 2.  The second part is **false** unless layers 2 and 3 of A are
minimal (theory 3.4): B may have dead neurons where linear ones of A can be merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from random import Random

from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s002.facts import equal, generic, minimal, on_orthant
from exactrelu.lemmas.s002.hiding import LOST_IN_SECTION_6
from exactrelu.lemmas.s002.layers import (
    has_dead,
    hidden,
    network_of,
    same_first_layer,
    three_layers,
)
from exactrelu.lemmas.s002.pairs import (
    PAIRS,
    SIGNS,
    WIDE_PAIRS,
    another,
    pair_level,
    random_bottleneck,
    shuffled,
)
from exactrelu.lemmas.statement import Fact, Family, Statement
from exactrelu.network.network import Network

_SOURCE = "S002, Proposition 4"


def _hypotheses(least: int, needs_minimal: bool = False) -> Callable[[Instance], Iterator[Fact]]:
    def hypotheses(instance: Instance) -> Iterator[Fact]:
        A, B = instance.network("A"), instance.network("B")
        yield from three_layers(A, B, least)
        yield Fact.plain("no neuron of layer 2 of A is dead", not has_dead(A, 2))
        yield Fact.plain("A hides nothing", hidden(A) is None)
        yield generic("A", A)
        yield generic("B", B)
        yield equal(A, B)
        if needs_minimal:
            yield minimal("what follows layer 1 of A", A.truncate(2, 3))

    return hypotheses


def _first_layer(instance: Instance) -> Fact:
    same = same_first_layer(instance.network("A"), instance.network("B"))
    return Fact.plain("the first layers are the same up to order and scaling", same)


def _no_dead(instance: Instance) -> Fact:
    dead = has_dead(instance.network("B"), 2)
    return Fact.plain("no neuron of layer 2 of B is dead", not dead)


def _on_quadrant() -> Iterator[Network]:
    """First layer the identity: what follows is a network on the quadrant."""
    second = [(-1, -2, -1), *product((1, 2, 3), (1, 2, 3), (1,))]
    for pair in combinations_with_replacement(second, 2):
        for v in product(SIGNS, SIGNS, (-1, 0, 1, 2)):
            yield network_of([(1, 0, 0), (0, 1, 0)], pair, [v])


def _random(rng: Random) -> Instance:
    """Another member of the fiber of what follows layer 1."""
    A = random_bottleneck(rng, rng.choice(((2, 2, 2, 1), (2, 2, 3, 1), (3, 2, 3, 2))))
    members = on_orthant(A.truncate(2, 3)).samples(1, rng.randrange(1 << 30))
    B = Network((A.layers[0], *members[0].layers))
    return Instance.of(A=A, B=shuffled(rng, B))


_LEVEL = pair_level(
    "widths 2-2-2-1, W1 = 1, b1 = 0, rows of layer 2 with weights 1..3 and b = 1, or one dead "
    "row, W3 of ±1, b3 of -1..2",
    2,
    _on_quadrant,
)
_FIBER = Family((_LEVEL, *WIDE_PAIRS.levels), _random, another)
_TEXT = (
    "If A and B are generic, of one architecture with {}, compute one function, and layer 2 of A "
    "has no dead neuron and hides nothing{}, then {}."
)
_ROWS = "the rows of [W1|b1] are the same up to order and positive scaling"
_ROLES = "layer 2 of B has no dead neuron"

STATEMENTS = (
    Statement(
        "S002-first-layer",
        f"{_SOURCE} and Appendix E.1, the first layer is fixed",
        _TEXT.format("n0 ≥ n1", "", _ROWS),
        _hypotheses(1),
        _first_layer,
        PAIRS,
        known=("S002-E02-n1eq1-mirror",),
        judgement=LOST_IN_SECTION_6,
    ),
    Statement(
        "S002-first-layer-repaired",
        f"{_SOURCE} and Appendix E.1, the first layer is fixed, for n1 ≥ 2",
        _TEXT.format("n0 ≥ n1 ≥ 2", "", _ROWS),
        _hypotheses(2),
        _first_layer,
        WIDE_PAIRS,
        repairs="S002-first-layer",
    ),
    Statement(
        "S002-proposition-4",
        f"{_SOURCE} and Corollary 33, the formula for the fiber",
        _TEXT.format("n0 ≥ n1 ≥ 2", "", _ROLES),
        _hypotheses(2),
        _no_dead,
        _FIBER,
        known=("S002-E06-prop4-needs-minimal",),
        judgement=Judgement(
            "false",
            "Proposition 4 and Corollary 33 take the fiber of layers 2 and 3 from the formula for "
            "minimal parameters; where linear neurons can be merged, on an open set of weights, "
            "there are members with dead neurons, which the formula lacks. The reduction to these "
            "layers is right.",
        ),
    ),
    Statement(
        "S002-proposition-4-repaired",
        f"{_SOURCE} and Corollary 33, for minimal layers 2 and 3",
        _TEXT.format("n0 ≥ n1 ≥ 2", ", and layers 2 and 3 of A are minimal on the orthant", _ROLES),
        _hypotheses(2, needs_minimal=True),
        _no_dead,
        _FIBER,
        repairs="S002-proposition-4",
    ),
)
