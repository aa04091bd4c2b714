"""Theorem 5: which generic three-layer bottlenecks their function determines.

A generic θ with n0 ≥ n1 is non-identifiable iff [W2|b2] has an all-negative row, or an all-positive
row, or a column i ≤ n1 such that every row is + at i and − elsewhere.

**Text damaged**: the "only if" is refuted for n1 = 1, which lost formulas may exclude, by s(1 −
s(x)) = 1 − s(1 − s(1 − x)).  The repair asks for n1 ≥ 2 (theory 3.5).  The "if" is right for every
n1.
"""

from __future__ import annotations

from collections.abc import Iterator

from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s002.facts import TIMEOUT, equal, generic, same_up_to_order_and_scale
from exactrelu.lemmas.s002.layers import bottleneck, rows, three_layers
from exactrelu.lemmas.s002.pairs import PAIRS, WIDE_PAIRS, bottlenecks, random_bottleneck
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.network.hiding import hides
from exactrelu.network.network import Network
from exactrelu.questions.identifiability.identifiable import identifiable

_SOURCE = "S002, Theorem 5"


def sign_conditions(network: Network) -> bool:
    """Whether one of the three conditions on the signs of [W2|b2] holds."""
    second = rows(network, 2)
    one_signed = any(max(row) < 0 or min(row) > 0 for row in second)
    return one_signed or any(all(hides(row, i) for row in second) for i in range(network.widths[1]))


def _pair(least: int, instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield from three_layers(A, B, least)
    yield Fact.plain("no condition on the signs holds for A", not sign_conditions(A))
    yield generic("A", A)
    yield generic("B", B)
    yield equal(A, B)


def _isomorphic(instance: Instance) -> Fact:
    return same_up_to_order_and_scale(instance.network("A"), instance.network("B"))


def _signs(instance: Instance) -> Iterator[Fact]:
    N = instance.network()
    yield bottleneck(N)
    yield Fact.plain("a condition on the signs holds", sign_conditions(N))
    yield generic("N", N)


def _not_identifiable(instance: Instance) -> Fact:
    verdict = identifiable(instance.network(), timeout=TIMEOUT)
    return Fact.negation("another network has the function of N", verdict)


def _single(widths: tuple[int, int, int, int]) -> Level:
    name = "-".join(map(str, widths))
    return Level(
        f"widths {name}, W2 and b2 and W3 of ±1, others -1..1",
        lambda: (Instance.of(N=N) for N in bottlenecks(widths)),
    )


SINGLE = Family(
    tuple(map(_single, ((1, 1, 1, 1), (2, 1, 1, 1), (2, 1, 2, 1), (2, 2, 1, 1)))),
    lambda rng: Instance.of(
        N=random_bottleneck(rng, rng.choice(((2, 2, 2, 1), (3, 2, 3, 1), (3, 3, 2, 2))))
    ),
)

STATEMENTS = (
    Statement(
        "S002-theorem-5",
        f"{_SOURCE}, only if",
        "If A and B are generic, of one architecture with n0 ≥ n1, compute one function, and no "
        "row of [W2|b2] of A has one sign, nor do all rows hide one neuron, then A ~ B.",
        lambda instance: _pair(1, instance),
        _isomorphic,
        PAIRS,
        known=("S002-E02-n1eq1-mirror",),
        judgement=Judgement(
            "text damaged",
            "Refuted for n1 = 1 only; the formulas are lost in the text that we have, those of "
            '"Let […] with […]", with which Theorem 5 begins, included.',
        ),
    ),
    Statement(
        "S002-theorem-5-repaired",
        f"{_SOURCE}, only if, for n1 ≥ 2",
        "If A and B are generic, of one architecture with n0 ≥ n1 ≥ 2, compute one function, and "
        "no row of [W2|b2] of A has one sign, nor do all rows hide one neuron, then A ~ B.",
        lambda instance: _pair(2, instance),
        _isomorphic,
        WIDE_PAIRS,
        repairs="S002-theorem-5",
        known=("S002-P16-ident-ppm", "S002-P18-ident-pmp"),
    ),
    Statement(
        "S002-theorem-5-if",
        f"{_SOURCE}, if",
        "If N is generic with n0 ≥ n1, and a row of [W2|b2] has one sign, or all rows hide one "
        "neuron, then another network that is not N up to order and scaling has its function.",
        _signs,
        _not_identifiable,
        SINGLE,
        known=("S002-P19-dead", "S002-P13-hiding-translation"),
    ),
)
