"""Section 3 and appendix B: does normalization spoil injectivity?

*Renormalization* puts y = (γ/σ)(x − μ) + β between two layers.  It is one-to-one, and the paper
concludes that it does not spoil an injective network.  **False**: s(s(x)), s(s(−x)) is injective,
with x − 1 in between it is not.  It is right if every layer is injective.

*Spectral normalization* divides W_l by a positive number and leaves b_l: **false** for the same
reason.  (Every factor occurs: s(αy) = αs(y), so that the layer before it can make the norm of W_l
what is needed.)  *Weight normalization* scales each row of W and leaves b: **false** for one
layer already, s(x + 1), s(−x − 1) is injective and s(2x + 1), s(−x − 1) is not; with b = 0 it is
right.

*Lemma 4* asks for injective s(W_l·), but the networks have biases.  **Misprint**: it fails without
any normalization, as s(x), s(−x) is injective and s(x − 1), s(−x − 1) is not.  With s(W_l· + b_l)
it is right, and Remark 3 with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from random import Random

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, dot, vector
from exactrelu.lemmas.families import random_network, random_number, random_vector, small_matrices
from exactrelu.lemmas.injective_layers.corollaries import (
    TWO_HIDDEN,
    layers_injective,
    network_injective,
)
from exactrelu.lemmas.injective_layers.layers import (
    LAYERS,
    hidden_layer_injective,
    is_one_layer,
    layer_network,
    linear_network,
    weights,
)
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.network.network import Layer, Network

_SOURCE = "Puthawala et al., section 3"


def normalized(network: Network, c: fmpq, t: Vector) -> Network:
    """The network with x ↦ cx + t between its first layer and the second."""
    first, second, *rest = network.layers
    rows = [(*(c * w for w in row[:-1]), dot(row[:-1], t) + row[-1]) for row in second.affine]
    return Network((first, Layer(Matrix(rows)), *rest))


def scaled(network: Network, d: Vector) -> Network:
    """The layer with row i of W, without its bias, times d_i."""
    affine = network.layers[0].affine
    rows = [(*(f * w for w in row[:-1]), row[-1]) for f, row in zip(d, affine, strict=True)]
    return layer_network(Matrix(rows))


def _between(instance: Instance) -> Fact:
    network, t = instance.network(), instance.vector("t")
    fits = len(network.layers) == 3 and len(t) == network.widths[1]
    return Fact.plain("two hidden layers, c ≠ 0", fits and instance.rational("c") != 0)


def _normalized(instance: Instance) -> Network:
    return normalized(instance.network(), instance.rational("c"), instance.vector("t"))


def _injective_before(instance: Instance) -> Iterator[Fact]:
    yield _between(instance)
    yield network_injective("the network is injective", instance.network())


def _layerwise_before(instance: Instance) -> Iterator[Fact]:
    yield _between(instance)
    yield from layers_injective(instance.network(), 3)


def _injective_after(instance: Instance) -> Fact:
    return network_injective("it is with y = cx + t in between", _normalized(instance))


def _spectral(instance: Instance) -> Fact:
    no_shift = not any(instance.vector("t")) and instance.rational("c") > 0
    return Fact.plain("c > 0, t = 0", no_shift)


def _injective_before_factor(instance: Instance) -> Iterator[Fact]:
    yield _spectral(instance)
    yield from _injective_before(instance)


def _layerwise_before_factor(instance: Instance) -> Iterator[Fact]:
    yield _spectral(instance)
    yield from _layerwise_before(instance)


def _shifts(instance: Instance) -> Iterator[Instance]:
    n = instance.network().widths[1]
    for t in product((-1, 0), repeat=n):
        yield Instance({**instance.values, "c": fmpq(1), "t": vector(t)})


def _factors(instance: Instance) -> Iterator[Instance]:
    n = instance.network().widths[1]
    for c in (fmpq(2), fmpq(1, 2)):
        yield Instance({**instance.values, "c": c, "t": vector([0] * n)})


def _expanded(levels: Iterable[Level], words: str, is_shift: bool) -> tuple[Level, ...]:
    expand = _shifts if is_shift else _factors

    def level(base: Level) -> Level:
        return Level(
            f"{base.bound}, {words}",
            lambda: (found for instance in base.instances() for found in expand(instance)),
        )

    return tuple(map(level, levels))


def _random_shift(rng: Random) -> Instance:
    instance = TWO_HIDDEN.random(rng)
    n = instance.network().widths[1]
    c = random_number(rng) or fmpq(1)
    return Instance({**instance.values, "c": c, "t": random_vector(rng, n)})


def _random_factor(rng: Random) -> Instance:
    instance = TWO_HIDDEN.random(rng)
    n = instance.network().widths[1]
    c = abs(random_number(rng)) or fmpq(2)
    return Instance({**instance.values, "c": c, "t": vector([0] * n)})


def _fewer_neurons(instance: Instance) -> Iterator[Instance]:
    """One neuron of the first layer less, with its shift."""
    network, t = instance.network(), instance.vector("t")
    n = network.widths[1]
    for i in range(n if n > 1 else 0):
        kept = [k for k in range(n) if k != i]
        first = Layer(network.layers[0].affine.take(rows=kept))
        second = Layer(network.layers[1].affine.take(columns=[*kept, n]))
        smaller = instance.replaced("N", Network((first, second, *network.layers[2:])))
        yield smaller.replaced("t", tuple(t[k] for k in kept))


def _layerwise_level(entries: tuple[int, ...]) -> Level:
    """x ↦ s(x), s(−x), then [B; −B] of the plane, then the identity; all injective if B is."""

    def instances() -> Iterator[Instance]:
        first = Layer.of([[1], [-1]], [0, 0])
        last = Layer.of(Matrix.identity(4), [0] * 4)
        for half in small_matrices(2, 3, entries):
            both = half.above(-half)
            yield from _shifts(Instance.of(N=Network((first, Layer(both), last))))

    words = f"entries {entries[0]}..{entries[-1]}"
    return Level(f"layer 2 [B; -B] with {words}, c = 1, t in -1..0", instances)


def _random_layerwise(rng: Random) -> Instance:
    half = random_network(rng, (2, 2)).layers[0].affine
    last = random_network(rng, (4, 4)).layers[0]
    network = Network((Layer.of([[1], [-1]], [0, 0]), Layer(half.above(-half)), last))
    t = random_vector(rng, 2)
    return Instance.of(N=network, c=random_number(rng) or fmpq(1), t=t)


SHIFTS = Family(
    _expanded(TWO_HIDDEN.levels, "c = 1, t in -1..0", is_shift=True),
    _random_shift,
    reductions=_fewer_neurons,
)
FACTORS = Family(
    _expanded(TWO_HIDDEN.levels, "c = 2 or 1/2, t = 0", is_shift=False),
    _random_factor,
    reductions=_fewer_neurons,
)
LAYERWISE = Family(
    (_layerwise_level((0, 1)), _layerwise_level((-1, 0, 1))),
    _random_layerwise,
    reductions=_fewer_neurons,
)


# Weight normalization: one layer and the factors of its rows.


def _factors_fit(instance: Instance) -> Fact:
    network, d = instance.network(), instance.vector("d")
    fits = is_one_layer(network) and len(d) == network.widths[1]
    return Fact.plain("one layer, d > 0", fits and all(f > 0 for f in d))


def _layer_before(instance: Instance) -> Iterator[Fact]:
    yield _factors_fit(instance)
    yield hidden_layer_injective("s(Wx + b) is injective", instance.network())


def _linear_before(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("b = 0", not any(instance.network().layers[0].bias))
    yield from _layer_before(instance)


def _layer_after(instance: Instance) -> Fact:
    after = scaled(instance.network(), instance.vector("d"))
    return hidden_layer_injective("s(DWx + b) is injective", after)


def _with_factors(base: Level) -> Level:
    def instances() -> Iterator[Instance]:
        for instance in base.instances():
            for d in product((1, 2), repeat=instance.network().widths[1]):
                yield Instance({**instance.values, "d": vector(d)})

    return Level(f"{base.bound}, d in 1..2", instances)


def _random_factors(rng: Random) -> Instance:
    instance = LAYERS.random(rng)
    network = instance.network()
    if rng.random() < 0.3:
        instance = Instance.of(N=linear_network(weights(instance)))
    d = tuple(fmpq(rng.randint(1, 6), rng.choice((1, 2, 3))) for _ in range(network.widths[1]))
    return Instance({**instance.values, "d": d})


def _fewer_rows(instance: Instance) -> Iterator[Instance]:
    affine, d = instance.network().layers[0].affine, instance.vector("d")
    for i in range(len(d) if len(d) > 1 else 0):
        kept = [k for k in range(len(d)) if k != i]
        smaller = layer_network(affine.take(rows=kept))
        yield Instance.of(N=smaller, d=tuple(d[k] for k in kept))


ROW_FACTORS = Family(
    tuple(_with_factors(level) for level in LAYERS.levels[:6]),
    _random_factors,
    reductions=_fewer_rows,
)


# Lemma 4, without normalization: one layer.


def _without_bias(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("one hidden layer", is_one_layer(instance.network()))
    yield hidden_layer_injective("s(Wx) is injective", linear_network(weights(instance)))


def _with_bias(instance: Instance) -> Fact:
    return hidden_layer_injective("s(Wx + b) is injective", instance.network())


STATEMENTS = (
    Statement(
        "S003-renormalization",
        f"{_SOURCE}, batch renormalization",
        "If a network is injective, it is with x ↦ cx + t, c ≠ 0, between two layers.",
        _injective_before,
        _injective_after,
        SHIFTS,
        judgement=Judgement(
            "false",
            "Section 3 concludes that an injective network stays injective with a one-to-one map "
            "between layers; a layer that is injective on its inputs only can lose that by a "
            "shift, on an open set. Right if every layer is injective.",
        ),
    ),
    Statement(
        "S003-renormalization-repaired",
        f"{_SOURCE}, batch renormalization",
        "If all layers are injective, the network is with x ↦ cx + t, c ≠ 0, between two layers.",
        _layerwise_before,
        _injective_after,
        LAYERWISE,
        repairs="S003-renormalization",
    ),
    Statement(
        "S003-spectral-normalization",
        f"{_SOURCE}, spectral normalization",
        "If a network is injective, it is with W_2 times c > 0 in its second layer.",
        _injective_before_factor,
        _injective_after,
        FACTORS,
        judgement=Judgement(
            "false",
            "Section 3 says so of every injective network; dividing W_l and not b_l moves the "
            "kinks of a layer that is injective on its inputs only, on an open set. Right if "
            "every layer is injective.",
        ),
    ),
    Statement(
        "S003-spectral-normalization-repaired",
        f"{_SOURCE}, spectral normalization",
        "If all layers are injective, the network is with W_2 times c > 0 in its second layer.",
        _layerwise_before_factor,
        _injective_after,
        LAYERWISE,
        repairs="S003-spectral-normalization",
    ),
    Statement(
        "S003-weight-normalization",
        f"{_SOURCE}, weight normalization",
        "If s(Wx + b) is injective, so is s(DWx + b), D a positive diagonal matrix.",
        _layer_before,
        _layer_after,
        ROW_FACTORS,
        judgement=Judgement(
            "false",
            "Section 3 says that it plays no role in injectivity; scaling the rows of W and not b "
            "moves their kinks apart, on an open set. Right for b = 0.",
        ),
    ),
    Statement(
        "S003-weight-normalization-repaired",
        f"{_SOURCE}, weight normalization",
        "If s(Wx) is injective, so is s(DWx), D a positive diagonal matrix.",
        _linear_before,
        _layer_after,
        ROW_FACTORS,
        repairs="S003-weight-normalization",
    ),
    Statement(
        "S003-lemma-4",
        "Puthawala et al., Lemma 4, without normalization",
        "If s(Wx) is injective, so is the network s(Wx + b).",
        _without_bias,
        _with_bias,
        LAYERS,
        judgement=Judgement(
            "misprint",
            "It asks for injective φ_ℓ(W_ℓ·) where its networks, (46) and (50), have φ_ℓ(W_ℓ· + "
            "b_ℓ), as Corollary 1 prints it.",
        ),
    ),
    Statement(
        "S003-lemma-4-repaired",
        "Puthawala et al., Lemma 4 and Remark 3, normalization x ↦ cx + t given c ≠ 0 and t",
        "If all s(W_l x + b_l) are injective, so is the network, normalized with fixed c and t.",
        _layerwise_before,
        _injective_after,
        LAYERWISE,
        repairs="S003-lemma-4",
    ),
)
