"""Instances for Phuong & Lampert: a network and an open box Z, and what is asked of them.

The *bent* networks are general ones of widths 2-2-2-1 on the square Z of radius 2 whose first layer
has the unit x_1, which folds, and x_2 + 2, which does not.  They are the smallest with units of
two layers that fold across each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.families import random_network, small_matrices, small_networks
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.statement import Fact, Family, Level
from exactrelu.network.network import Layer, Network
from exactrelu.questions.folds.folds import Folds, folds
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.transparency import is_transparent
from exactrelu.verdict import Verdict

#: Seconds for one question.
TIMEOUT = 5.0


def square(n: int, radius: int = 2) -> LinearSystem:
    """The open box |x_i| < radius."""
    return LinearSystem.box([(-radius, radius)] * n).open()


def general(network: Network, Z: LinearSystem) -> Fact:
    """Generality in the sense of Lemmas A.10, A.11 and A.12."""
    return Fact("h is general", is_generic(network, "general", Z, timeout=TIMEOUT))


def transparent(network: Network, Z: LinearSystem) -> Fact:
    """Transparency: in every layer some unit is active."""
    return Fact("h is transparent", is_transparent(network, Z, timeout=TIMEOUT))


def fold_fact(text: str, found: Folds, holds: bool) -> Fact:
    """Whether something holds for the fold-set, with its certificate."""
    return Fact(text, Verdict(holds, text, found, found.certificate))


def fold_set(network: Network, Z: LinearSystem) -> Folds:
    """The fold-set in Z; these networks are too small for a limit."""
    return folds(network, Z, timeout=60.0)


def is_scalar(network: Network, n_hidden_layers: int | None = None) -> Fact:
    """At least two inputs, one output, and so many hidden layers."""
    hidden = len(network.hidden_widths)
    fits = network.n_inputs >= 2 and network.n_outputs == 1 and hidden >= 1
    return Fact.plain(
        "h is a network on R^n, n ≥ 2, with one output",
        fits and n_hidden_layers in (None, hidden),
    )


def bent_networks(weights: tuple[int, ...], biases: tuple[int, ...]) -> Iterator[Network]:
    """The bent networks whose second layer has such weights and biases."""
    first = Layer(Matrix([[1, 0, 0], [0, 1, 2]]))
    last = Layer(Matrix([[1, 3, 1]]))
    rows = [(*w, b) for w in product(weights, repeat=2) for b in biases]
    for pair in combinations(rows, 2):
        yield Network((first, Layer(Matrix(pair)), last))


def _instances(networks: Iterator[Network]) -> Iterator[Instance]:
    return (Instance.of(N=network, Z=square(network.n_inputs)) for network in networks)


def _random(rng: Random) -> Instance:
    widths = rng.choice(((2, 1, 1), (2, 2, 1), (2, 1, 1, 1), (2, 2, 1, 1), (2, 2, 2, 1)))
    return Instance.of(N=random_network(rng, widths), Z=square(2))


SMALL_LEVELS = tuple(
    Level(
        f"widths {'-'.join(map(str, widths))}, entries -1..1, |x| < 2",
        lambda widths=widths: _instances(small_networks(widths)),  # type: ignore[misc]
    )
    for widths in ((2, 1, 1), (2, 1, 1, 1))
)
BENT_LEVEL = Level(
    "bent networks with weights -1, 1, 2 and biases -4, -2, 2, 4",
    lambda: _instances(bent_networks((-1, 1, 2), (-4, -2, 2, 4))),
)
NETWORKS = Family((*SMALL_LEVELS, BENT_LEVEL), _random)
BENT = Family((BENT_LEVEL,), _random)


def _one_layer() -> Iterator[Network]:
    for affine in small_matrices(2, 3):
        yield Network((Layer(affine), Layer(Matrix([[1, 2, 0]]))))


#: Two units that are never both negative, and bent networks, some of which are transparent.
TRANSPARENT = Family(
    (
        Level(
            "widths 2-2-1, first layer with entries -1..1, |x| < 2",
            lambda: _instances(_one_layer()),
        ),
        BENT_LEVEL,
    ),
    _random,
)
