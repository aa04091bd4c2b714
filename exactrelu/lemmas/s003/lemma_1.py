"""Lemma 1: s(Wx + b) is injective iff s(W'x) is, W' the rows of W with b ≥ 0.

**False** in its "only if": s(x + 1), s(−x − 1) together are injective, s(x) is not.  The "if" is
right, and for b ≤ 0 so is the "only if" (theory 6.2, 6.3).
"""

from __future__ import annotations

from collections.abc import Iterator

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s003.layers import LAYERS, hidden_layer_injective, layer_network
from exactrelu.lemmas.statement import Fact, Statement
from exactrelu.network.network import Network

_SOURCE = "Puthawala et al., Lemma 1"


def nonnegative_rows(network: Network) -> Network | None:
    """The layer s(W'x), or None if every bias is negative."""
    rows = [(*row[:-1], ZERO) for row in network.layers[0].affine if row[-1] >= 0]
    return layer_network(Matrix(rows)) if rows else None


def _injective(instance: Instance) -> Iterator[Fact]:
    kept = nonnegative_rows(instance.network())
    yield Fact.plain("some bias is ≥ 0", kept is not None)
    yield hidden_layer_injective("s(Wx + b) is injective", instance.network())


def _rows_injective(instance: Instance) -> Fact:
    return hidden_layer_injective("s(W'x) is injective", nonnegative_rows(instance.network()))


def _nonpositive(instance: Instance) -> Iterator[Fact]:
    bias = instance.network().layers[0].bias
    yield Fact.plain("b ≤ 0", all(b <= 0 for b in bias))
    yield from _injective(instance)


def _rows_injective_first(instance: Instance) -> Iterator[Fact]:
    kept = nonnegative_rows(instance.network())
    yield Fact.plain("some bias is ≥ 0", kept is not None)
    yield _rows_injective(instance)


def _whole_injective(instance: Instance) -> Fact:
    return hidden_layer_injective("s(Wx + b) is injective", instance.network())


STATEMENTS = (
    Statement(
        "S003-lemma-1",
        f"{_SOURCE}, only if",
        "If s(Wx + b) is injective, so is s(W'x), where W' are the rows of W with b ≥ 0.",
        _injective,
        _rows_injective,
        LAYERS,
        known=("S003-E1-lemma1",),
        judgement=Judgement(
            "false",
            "Rows with b < 0 can take over far from the origin, as in s(x + 1), s(−x − 1/2), on "
            "an open set of W and b.",
        ),
    ),
    Statement(
        "S003-lemma-1-nonpositive",
        f"{_SOURCE}, only if, for b ≤ 0",
        "If b ≤ 0 and s(Wx + b) is injective, so is s(W'x), where W' are the rows with b = 0.",
        _nonpositive,
        _rows_injective,
        LAYERS,
        repairs="S003-lemma-1",
        known=("S003-P3-lemma1-nonpositive-bias",),
    ),
    Statement(
        "S003-lemma-1-if",
        f"{_SOURCE}, if",
        "If s(W'x) is injective, where W' are the rows of W with b ≥ 0, so is s(Wx + b).",
        _rows_injective_first,
        _whole_injective,
        LAYERS,
    ),
)
