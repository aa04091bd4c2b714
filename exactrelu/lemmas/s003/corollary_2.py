"""Corollary 2: m < 2n rows are never injective; 2n rows are, with b = 0, iff W = [B; −DB].

Right, up to the order of the rows, with B a basis and D a positive diagonal matrix; the count
holds for every bias.  With biases b', b'' of B, −DB, in that order, a layer of 2n rows is
injective iff also b'' + Db' ≥ 0 (theory 6.3).
"""

from __future__ import annotations

from collections.abc import Iterator

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, dot
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.s003.layers import (
    LAYERS,
    MATRICES,
    hidden_layer_injective,
    is_one_layer,
    unbiased,
)
from exactrelu.lemmas.statement import Fact, Statement

_SOURCE = "Puthawala et al., Corollary 2"


def _ratio(w: Vector, v: Vector) -> tuple[bool, object]:
    """(True, d) if v = −d·w with d > 0, w ≠ 0."""
    square = dot(w, w)
    if square == 0:
        return False, None
    d = -dot(w, v) / square
    return d > 0 and all(b == -d * a for a, b in zip(w, v, strict=True)), d


def opposite_pairs(affine: Matrix) -> list[tuple[Vector, Vector]] | None:
    """The rows [w|b] of a layer in n pairs w, −dw with independent w; None if there are none.

    At most one partner is possible once the rows are in pairs of a basis and its opposite.
    """
    left = list(affine)
    pairs = []
    while left:
        first = left.pop(0)
        partner = next((row for row in left if _ratio(first[:-1], row[:-1])[0]), None)
        if partner is None:
            return None
        left.remove(partner)
        pairs.append((first, partner))
    normals = Matrix([first[:-1] for first, _ in pairs], affine.n_columns - 1)
    return pairs if rank(normals) == normals.n_rows == normals.n_columns else None


def biases_fit(pairs: list[tuple[Vector, Vector]]) -> bool:
    """Whether b'' + d·b' ≥ 0 for every pair (w, b'), (−dw, b'')."""
    return all(
        second[-1] - dot(first[:-1], second[:-1]) / dot(first[:-1], first[:-1]) * first[-1] >= 0
        for first, second in pairs
    )


def _one_layer(instance: Instance) -> Fact:
    return Fact.plain("one hidden layer", is_one_layer(instance.network()))


def _few_rows(instance: Instance) -> Iterator[Fact]:
    yield _one_layer(instance)
    affine = instance.network().layers[0].affine
    yield Fact.plain("m < 2n", affine.n_rows < 2 * (affine.n_columns - 1))


def _not_injective(instance: Instance) -> Fact:
    verdict = hidden_layer_injective("", instance.network()).verdict
    return Fact.negation("s(Wx + b) is not injective", verdict)


def _twice_as_many(instance: Instance) -> Iterator[Fact]:
    yield _one_layer(instance)
    affine = instance.network().layers[0].affine
    yield Fact.plain("m = 2n", affine.n_rows == 2 * (affine.n_columns - 1))


def _injective_first(instance: Instance) -> Iterator[Fact]:
    yield from _twice_as_many(instance)
    yield hidden_layer_injective("s(Wx + b) is injective", instance.network())


def _linear_injective_first(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield from _injective_first(instance)


def _form(instance: Instance) -> Fact:
    pairs = opposite_pairs(instance.network().layers[0].affine)
    return Fact.plain("W = [B; −DB], B a basis, D > 0", pairs is not None)


def _form_with_biases(instance: Instance) -> Fact:
    pairs = opposite_pairs(instance.network().layers[0].affine)
    holds = pairs is not None and biases_fit(pairs)
    return Fact.plain("W = [B; −DB] and b'' + Db' ≥ 0", holds)


def _form_first(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield from _twice_as_many(instance)
    yield _form(instance)


def _form_with_biases_first(instance: Instance) -> Iterator[Fact]:
    yield from _twice_as_many(instance)
    yield _form_with_biases(instance)


def _injective(instance: Instance) -> Fact:
    return hidden_layer_injective("s(Wx + b) is injective", instance.network())


STATEMENTS = (
    Statement(
        "S003-corollary-2-few-rows",
        f"{_SOURCE} and section 1.1",
        "If m < 2n, s(Wx + b) is not injective, whatever b is.",
        _few_rows,
        _not_injective,
        LAYERS,
        known=("S003-C2-expansivity",),
    ),
    Statement(
        "S003-corollary-2-form",
        f"{_SOURCE}, m = 2n",
        "If m = 2n and s(Wx) is injective, W = [B; −DB] with a basis B and a diagonal D > 0.",
        _linear_injective_first,
        _form,
        MATRICES,
        known=("S003-C2-expansivity",),
    ),
    Statement(
        "S003-corollary-2-recipe",
        f"{_SOURCE}, as a recipe",
        "If W = [B; −DB] with a basis B and a diagonal D > 0, s(Wx) is injective.",
        _form_first,
        _injective,
        MATRICES,
    ),
    Statement(
        "S003-corollary-2-biases",
        f"{_SOURCE}, with biases (theory 6.3)",
        "If m = 2n and s(Wx + b) is injective, W = [B; −DB] and b'' + Db' ≥ 0 in that order.",
        _injective_first,
        _form_with_biases,
        LAYERS,
        known=("S003-P1-2n-biased",),
    ),
    Statement(
        "S003-corollary-2-biases-if",
        f"{_SOURCE}, with biases (theory 6.3)",
        "If W = [B; −DB] and b'' + Db' ≥ 0 in that order, s(Wx + b) is injective.",
        _form_with_biases_first,
        _injective,
        LAYERS,
        known=("S003-P1-2n-biased",),
    ),
)
