"""Theorem 1: s(Wx) is injective iff W is a DSS with respect to every x.

Printed for n > 1; right for n = 1 too (theory 6.1).  Here the DSS is decided by the list of all
wedges, and injectivity by pairs of cells of the network x ↦ I·s(Wx), which are two ways.
Remark 1: the same on the orthant x ≥ 0.  Remark 2: s(Ix) is injective on x > 0, and not on R^n.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.s003.layers import (
    MATRICES,
    TIMEOUT,
    hidden_layer_injective,
    linear_network,
    spans_on_wedges,
    unbiased,
    weights,
    zeros,
)
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.cell_pairs import injective_by_pairs
from exactrelu.questions.injectivity.stage import Stage

_SOURCE = "Puthawala et al., Theorem 1"


def injective_by_cells(text: str, W: Matrix, domain: LinearSystem | None = None) -> Fact:
    """Whether x ↦ I·s(Wx) is one-to-one, by pairs of cells."""
    m = W.n_rows
    network = Network((Layer.of(W, zeros(m)), Layer.of(Matrix.identity(m), zeros(m))))
    return Fact(text, injective_by_pairs(Stage.of(network, domain), timeout=TIMEOUT))


def _orthant(instance: Instance) -> LinearSystem:
    return LinearSystem.orthant(instance.network().n_inputs)


def _spans(instance: Instance) -> Fact:
    return Fact.plain("W is a DSS w.r.t. every x", spans_on_wedges(weights(instance)))


def _is_dss(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield _spans(instance)


def _injective(instance: Instance) -> Fact:
    return injective_by_cells("s(Wx) is injective", weights(instance))


def _is_injective(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield _injective(instance)


def _spans_on_orthant(instance: Instance) -> Fact:
    spans = spans_on_wedges(weights(instance), _orthant(instance))
    return Fact.plain("W is a DSS w.r.t. every x ≥ 0", spans)


def _is_dss_on_orthant(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield _spans_on_orthant(instance)


def _injective_on_orthant(instance: Instance) -> Fact:
    text = "s(Wx) is injective on x ≥ 0"
    return injective_by_cells(text, weights(instance), _orthant(instance))


def _is_injective_on_orthant(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield _injective_on_orthant(instance)


def _identities() -> Iterator[Instance]:
    return (Instance.of(N=linear_network(Matrix.identity(n))) for n in range(1, 7))


def _random_identity(rng: Random) -> Instance:
    return Instance.of(N=linear_network(Matrix.identity(rng.randint(1, 9))))


def _is_identity(instance: Instance) -> Iterator[Fact]:
    W = weights(instance)
    yield unbiased(instance)
    yield Fact.plain("W = I", Matrix.identity(W.n_columns) == W)


def _only_on_open_orthant(instance: Instance) -> Fact:
    network = instance.network()
    inside = hidden_layer_injective("", network, _orthant(instance).open()).verdict
    outside = hidden_layer_injective("", network).verdict
    holds = inside.answer is True and outside.answer is False
    return Fact.plain("s(Ix) is injective on x > 0, not on R^n", holds)


_IDENTITIES = Family((Level("n = 1..6", _identities),), _random_identity)

STATEMENTS = (
    Statement(
        "S003-theorem-1-if",
        f"{_SOURCE}, if",
        "If W is a DSS with respect to every x, s(Wx) is injective; n = 1 included.",
        _is_dss,
        _injective,
        MATRICES,
        known=("S003-T1-dss",),
    ),
    Statement(
        "S003-theorem-1-only-if",
        f"{_SOURCE}, only if",
        "If s(Wx) is injective, W is a DSS with respect to every x; n = 1 included.",
        _is_injective,
        _spans,
        MATRICES,
        known=("S003-T1-dss",),
    ),
    Statement(
        "S003-remark-1-if",
        "Puthawala et al., Remark 1, if",
        "If W is a DSS with respect to every x ≥ 0, s(Wx) is injective on the orthant x ≥ 0.",
        _is_dss_on_orthant,
        _injective_on_orthant,
        MATRICES,
        known=("S003-R1-orthant",),
    ),
    Statement(
        "S003-remark-1-only-if",
        "Puthawala et al., Remark 1, only if",
        "If s(Wx) is injective on the orthant x ≥ 0, W is a DSS with respect to every x ≥ 0.",
        _is_injective_on_orthant,
        _spans_on_orthant,
        MATRICES,
        known=("S003-R1-orthant",),
    ),
    Statement(
        "S003-remark-2",
        "Puthawala et al., Remark 2",
        "s(Ix) is injective on the open orthant x > 0 and not on R^n.",
        _is_identity,
        _only_on_open_orthant,
        _IDENTITIES,
        known=("S003-C1-identity-layer",),
    ),
)
