"""Lemma 1: scaling the incoming weights of a neuron by c > 0 and the outgoing ones by 1/c."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from flint import fmpq

from exactrelu.exact.scalar import ONE
from exactrelu.lemmas.families import (
    UNITS,
    bound,
    random_network,
    random_number,
    small_networks,
)
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.questions.equivalence.equivalent import equivalent

TIMEOUT = 3.0


def scaled(network: Network, l: int, i: int, c: fmpq) -> Network:
    """s_{z,c}(N) for neuron i of hidden layer l, from 0."""
    identity = Symmetry.identity(network)
    factors = [list(layer) for layer in identity.scalings]
    factors[l][i] = c
    return network.transformed(Symmetry(identity.permutations, tuple(map(tuple, factors))))


def _is_neuron(instance: Instance) -> Iterator[Fact]:
    widths = instance.network().hidden_widths
    l, i = instance.integer("l"), instance.integer("i")
    yield Fact.plain("(l, i) is a hidden neuron", l < len(widths) and i < widths[l])
    yield Fact.plain("c > 0", instance.rational("c") > 0)


def _same(instance: Instance) -> Fact:
    network = instance.network()
    l, i = instance.integer("l"), instance.integer("i")
    other = scaled(network, l, i, instance.rational("c"))
    return Fact("N and s(N) are one function", equivalent(network, other, timeout=TIMEOUT))


def _level(widths: tuple[int, ...]) -> Level:
    def instances() -> Iterator[Instance]:
        for network in small_networks(widths):
            for l in range(len(widths) - 2):
                yield Instance.of(N=network, l=l, i=0, c=fmpq(2, 3))

    return Level(f"{bound(widths, UNITS)}, c = 2/3", instances)


def _random(rng: Random) -> Instance:
    widths = rng.choice(((1, 2, 1), (2, 2, 2), (2, 2, 2, 1)))
    l = rng.randrange(len(widths) - 2)
    c = abs(random_number(rng)) or ONE
    network = random_network(rng, widths)
    return Instance.of(N=network, l=l, i=rng.randrange(widths[l + 1]), c=c)


STATEMENTS = (
    Statement(
        "S000-lemma-1",
        "Rolnick & Kording, Lemma 1",
        "Scaling the incoming weights and the bias of a neuron by c > 0 and its outgoing weights "
        "by 1/c does not change the function.",
        _is_neuron,
        _same,
        Family((_level((1, 1, 1)), _level((1, 2, 1)), _level((1, 1, 1, 1))), _random),
    ),
)
