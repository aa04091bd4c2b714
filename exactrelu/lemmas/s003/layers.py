"""Instances for statements about one layer s(Wx + b): a network with one hidden layer.

The output layer is one row of zeros; no statement about the hidden layer depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.families import UNITS, entries_text, random_rows, small_matrices
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.statement import Fact, Family, Level
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity import is_injective

#: Seconds for one question about a layer; small layers need milliseconds.
TIMEOUT = 5.0


def layer_network(affine: Matrix) -> Network:
    """The network whose hidden layer has the rows [w|b]."""
    return Network((Layer(affine), Layer(Matrix.zero(1, affine.n_rows + 1))))


def hidden_layer_injective(text: str, network: Network | None) -> Fact:
    """Whether the hidden layer is injective on all of space; an empty layer is not."""
    if network is None:
        return Fact.plain(text, False)
    return Fact(text, is_injective(network, layer=1, timeout=TIMEOUT))


def layer_level(n: int, m: int, entries: Sequence[int] = UNITS) -> Level:
    """All layers of m neurons on R^n with the entries, modulo the order of neurons."""
    return Level(
        f"m = {m}, n = {n}, {entries_text(entries)}",
        lambda: (
            Instance.of(N=layer_network(affine)) for affine in small_matrices(m, n + 1, entries)
        ),
    )


def random_layer(rng: Random) -> Instance:
    """A layer on R^1 to R^3 with up to 2n + 2 neurons, some parallel, opposite or 0."""
    n = rng.randint(1, 3)
    return Instance.of(N=layer_network(random_rows(rng, rng.randint(1, 2 * n + 2), n + 1)))


#: n = 1 up to four neurons, n = 2 up to four, as an injective layer needs m >= 2n.
LAYERS = Family(
    (
        *(layer_level(1, m) for m in (1, 2, 3, 4)),
        *(layer_level(2, m) for m in (2, 3)),
        layer_level(1, 3, (-2, -1, 0, 1, 2)),
        layer_level(2, 4),
    ),
    random_layer,
)
