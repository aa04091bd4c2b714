"""Corollaries 1 and 2: injective layers make injective networks, and need twice as many rows.

Corollary 1: if each layer is injective, so is the network.  **False** as printed: networks of the
form (2) end with a linear map W_{L+1}, about which nothing is said.  x ↦ s(x) + s(−x) has an
injective layer and is not injective (theory 6.5).  With an injective last map it is right.  The
paper says itself that the converse fails.

The introduction says that the layer-wise condition is necessary too if the input to each layer
contains a neighbourhood of the origin.  **Reading**: it fails with biases, as s(x + 1) is injective
on [−1, 1], and not on R.  Without biases, which are meant, it is right.

Corollary 2: m < 2n rows are never injective; 2n rows are, with b = 0, iff W = [B; −DB].  Right, up
to the order of the rows, with B a basis and D a positive diagonal matrix; the count holds for every
bias.  With biases b', b'' of B, −DB, in that order, a layer of 2n rows is injective iff also
b'' + Db' ≥ 0 (theory 6.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, dot
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.families import network_levels, random_networks, small_matrices
from exactrelu.lemmas.injective_layers.layers import (
    LAYERS,
    MATRICES,
    TIMEOUT,
    hidden_layer_injective,
    is_linear,
    is_one_layer,
    unbiased,
    weights,
    zeros,
)
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.network import LayerStage, injective_by_pairs, is_injective

_COROLLARY_1 = "Puthawala et al., Corollary 1"


def network_injective(text: str, network: Network) -> Fact:
    """Whether the whole network is one-to-one on R^n, by pairs of cells."""
    return Fact(text, injective_by_pairs(LayerStage.of(network, None), timeout=TIMEOUT))


def layers_injective(network: Network, n_layers: int) -> Iterator[Fact]:
    """That each of the first layers is injective on all of space."""
    for number in range(1, n_layers + 1):
        verdict = is_injective(network, layer=number, timeout=TIMEOUT)
        yield Fact(f"layer {number} is injective", verdict)


def _hidden_injective(instance: Instance) -> Iterator[Fact]:
    network = instance.network()
    yield Fact.plain("there is a hidden layer", len(network.layers) >= 2)
    yield from layers_injective(network, len(network.layers) - 1)


def _all_injective(instance: Instance) -> Iterator[Fact]:
    network = instance.network()
    yield Fact.plain("there is a hidden layer", len(network.layers) >= 2)
    yield from layers_injective(network, len(network.layers))


def _whole_injective(instance: Instance) -> Fact:
    return network_injective("the network is injective", instance.network())


def _network_injective(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("there are two hidden layers", len(instance.network().layers) == 3)
    yield _whole_injective(instance)


def _second_injective(instance: Instance) -> Fact:
    verdict = is_injective(instance.network(), layer=2, timeout=TIMEOUT)
    return Fact("the second hidden layer is injective", verdict)


def _repeated(instance: Instance) -> Fact:
    """s(I·s(Wx)) with an injective layer s(Wx): injective, though s(I·) is not."""
    m = weights(instance).n_rows
    same = Layer.of(Matrix.identity(m), zeros(m))
    network = Network((instance.network().layers[0], same, same))
    whole = network_injective("", network).verdict
    second = is_injective(network, layer=2, timeout=TIMEOUT)
    holds = whole.answer is True and second.answer is False
    return Fact.plain("s(I·s(Wx)) is injective and s(I·) is not", holds)


def _layer_first(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield hidden_layer_injective("s(Wx) is injective", instance.network())


def _box(instance: Instance) -> LinearSystem:
    return LinearSystem.box([(-1, 1)] * instance.network().n_inputs)


def _injective_near_origin(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("one hidden layer", is_one_layer(instance.network()))
    text = "s(Wx + b) is injective on the box −1 ≤ x ≤ 1"
    yield hidden_layer_injective(text, instance.network(), _box(instance))


def _linear_near_origin(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("b = 0", is_linear(instance.network()))
    yield from _injective_near_origin(instance)


def _injective_everywhere(instance: Instance) -> Fact:
    return hidden_layer_injective("s(Wx + b) is injective on R^n", instance.network())


_DEEP = Family(
    network_levels([(1, 1, 1), (1, 2, 1)]),
    random_networks([(1, 2, 1), (1, 2, 2), (1, 2, 4, 1), (1, 3, 2), (2, 4, 2), (2, 4, 3)]),
)


def _linear_last() -> Iterator[Instance]:
    for first in small_matrices(2, 2):
        for W in small_matrices(2, 2):
            yield Instance.of(N=Network((Layer(first), Layer.of(W, zeros(2)))))


_LAST = Family(
    (
        Level("widths 1-2-2, the last map linear, entries -1..1", _linear_last),
        *network_levels([(1, 2, 2)]),
    ),
    _DEEP.random,
)


def _two_hidden(rng: Random) -> Instance:
    drawn = random_networks([(1, 2, 2, 2), (1, 2, 3, 1), (1, 2, 4, 2)])(rng)
    if rng.random() < 0.5:
        return drawn
    network = drawn.network()
    first = Layer.of([[1], [-1]], [0, 0])
    return Instance.of(N=Network((first, *network.layers[1:])))


def _second_layers(n_second: int, shift: int) -> Level:
    """All second layers after s(x + shift), s(−x + shift); the last map is the identity."""

    def instances() -> Iterator[Instance]:
        first = Layer.of([[1], [-1]], [shift, shift])
        last = Layer.of(Matrix.identity(n_second), zeros(n_second))
        for second in small_matrices(n_second, 3):
            yield Instance.of(N=Network((first, Layer(second), last)))

    bound = f"layer 1 s(x + {shift}), s(-x + {shift}), layer 2 of width {n_second}, entries -1..1"
    return Level(bound, instances)


#: Networks with two hidden layers.
TWO_HIDDEN = Family(
    tuple(_second_layers(2, shift) for shift in (1, 0)),
    _two_hidden,
)

COROLLARY_1_STATEMENTS = (
    Statement(
        "S003-corollary-1",
        _COROLLARY_1,
        "If each layer s(W x + b) of a network W_{L+1} s(…) is injective, so is the network.",
        _hidden_injective,
        _whole_injective,
        _DEEP,
        known=("S003-E8-cor1-final-linear",),
        judgement=Judgement(
            "false",
            'Networks of the form (2) end with a linear map W_{L+1}, of which "each layer '
            'φ_ℓ(W_ℓ· + b_ℓ)" says nothing: a·s(x) + b·s(−x) is not injective for any a, b > 0. '
            "Right if W_{L+1} is injective.",
        ),
    ),
    Statement(
        "S003-corollary-1-repaired",
        _COROLLARY_1,
        "If each layer is injective, the last affine map included, so is the network.",
        _all_injective,
        _whole_injective,
        _LAST,
        repairs="S003-corollary-1",
    ),
    Statement(
        "S003-corollary-1-converse",
        f"{_COROLLARY_1}, its converse, which the paper denies",
        "If a network is injective, its second hidden layer is injective on all of space.",
        _network_injective,
        _second_injective,
        TWO_HIDDEN,
        judgement=Judgement(
            "not the paper's",
            "The paper says after Corollary 1 that the converse fails, with the example (4).",
        ),
    ),
    Statement(
        "S003-equation-4",
        "Puthawala et al., after Corollary 1, (4)",
        "If s(Wx) is injective, s(I·s(Wx)) is injective, though its layer s(I·) is not.",
        _layer_first,
        _repeated,
        MATRICES,
    ),
    Statement(
        "S003-necessary-near-origin",
        "Puthawala et al., section 1.1",
        "If s(Wx + b) is injective on a neighbourhood of the origin, it is injective on R^n.",
        _injective_near_origin,
        _injective_everywhere,
        LAYERS,
        judgement=Judgement(
            "reading",
            'Section 1.1 has layers without bias in mind ("in the zero bias case"), for which it '
            "is right.",
        ),
    ),
    Statement(
        "S003-necessary-near-origin-repaired",
        "Puthawala et al., section 1.1",
        "If s(Wx) is injective on a neighbourhood of the origin, it is injective on R^n.",
        _linear_near_origin,
        _injective_everywhere,
        MATRICES,
        repairs="S003-necessary-near-origin",
    ),
)


_COROLLARY_2 = "Puthawala et al., Corollary 2"


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


def _layer_injective(instance: Instance) -> Fact:
    return hidden_layer_injective("s(Wx + b) is injective", instance.network())


COROLLARY_2_STATEMENTS = (
    Statement(
        "S003-corollary-2-few-rows",
        f"{_COROLLARY_2} and section 1.1",
        "If m < 2n, s(Wx + b) is not injective, whatever b is.",
        _few_rows,
        _not_injective,
        LAYERS,
        known=("S003-C2-expansivity",),
    ),
    Statement(
        "S003-corollary-2-form",
        f"{_COROLLARY_2}, m = 2n",
        "If m = 2n and s(Wx) is injective, W = [B; −DB] with a basis B and a diagonal D > 0.",
        _linear_injective_first,
        _form,
        MATRICES,
        known=("S003-C2-expansivity",),
    ),
    Statement(
        "S003-corollary-2-recipe",
        f"{_COROLLARY_2}, as a recipe",
        "If W = [B; −DB] with a basis B and a diagonal D > 0, s(Wx) is injective.",
        _form_first,
        _layer_injective,
        MATRICES,
    ),
    Statement(
        "S003-corollary-2-biases",
        f"{_COROLLARY_2}, with biases (theory 6.3)",
        "If m = 2n and s(Wx + b) is injective, W = [B; −DB] and b'' + Db' ≥ 0 in that order.",
        _injective_first,
        _form_with_biases,
        LAYERS,
        known=("S003-P1-2n-biased",),
    ),
    Statement(
        "S003-corollary-2-biases-if",
        f"{_COROLLARY_2}, with biases (theory 6.3)",
        "If W = [B; −DB] and b'' + Db' ≥ 0 in that order, s(Wx + b) is injective.",
        _form_with_biases_first,
        _layer_injective,
        LAYERS,
        known=("S003-P1-2n-biased",),
    ),
)
