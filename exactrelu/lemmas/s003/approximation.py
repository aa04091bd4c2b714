"""Section 4 and C.2: what injective networks approximate.

Theorem 5, Corollary 3 and Lemma 7 are about all continuous functions, or almost all projections.
The network H(x) = (αx, F(x)) that their proofs start from is injective for α > 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.lemmas.families import bound, random_network, small_networks
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.s003.corollary_1 import network_injective
from exactrelu.lemmas.s003.layers import is_one_layer, unit, zeros
from exactrelu.lemmas.statement import AnyStatement, Fact, Family, Level, Statement, Untestable
from exactrelu.network.network import Layer, Network


def graph(F: Network, alpha: fmpq) -> Network:
    """(αx, F(x)) for F with one hidden layer: x_j = s(x_j) − s(−x_j)."""
    hidden, last = (layer.affine for layer in F.layers)
    n, k = F.n_inputs, hidden.n_rows
    identity = Matrix.identity(n).beside(Matrix.zero(n, 1))
    first = hidden.above(identity).above(-identity)
    rows: list[Vector] = [
        (*zeros(k), *(alpha * u for u in unit(n, j)), *(-alpha * u for u in unit(n, j)), fmpq(0))
        for j in range(n)
    ]
    rows += [(*row[:-1], *zeros(2 * n), row[-1]) for row in last]
    return Network((Layer(first), Layer(Matrix(rows))))


def _positive(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("one hidden layer", is_one_layer(instance.network()))
    yield Fact.plain("α > 0", instance.rational("alpha") > 0)


def _graph_injective(instance: Instance) -> Fact:
    H = graph(instance.network(), instance.rational("alpha"))
    return network_injective("(αx, F(x)) is injective", H)


def _level(*widths: int) -> Level:
    def instances() -> Iterator[Instance]:
        return (Instance.of(N=F, alpha=fmpq(1)) for F in small_networks(widths))

    return Level(f"{bound(widths, (-1, 0, 1))}, α = 1", instances)


def _random(rng: Random) -> Instance:
    F = random_network(rng, rng.choice(((1, 2, 1), (1, 3, 3), (2, 2, 2))))
    return Instance.of(N=F, alpha=fmpq(1, rng.randint(1, 9)))


STATEMENTS: tuple[AnyStatement, ...] = (
    Untestable(
        "S003-theorem-5",
        "Puthawala et al., Theorem 5",
        "Injective networks of every depth approximate every continuous f: R^n → R^m, m ≥ 2n + 1, "
        "on compact sets.",
        "speaks of all continuous functions and of every ε",
    ),
    Untestable(
        "S003-lemma-7",
        "Puthawala et al., Lemma 7",
        "If H: R^n → R^D is injective and D > d ≥ 2n + 1, almost every projection to d dimensions "
        "keeps it injective.",
        "speaks of almost all projections: a single one that fails refutes nothing",
    ),
    Untestable(
        "S003-corollary-3",
        "Puthawala et al., Corollary 3",
        "Injective networks with random matrices to at least 2n + 1 dimensions in between are "
        "injective almost surely.",
        "almost surely: a single choice of matrices that fails refutes nothing",
    ),
    Untestable(
        "S003-homeomorphic-image",
        "Puthawala et al., section 4",
        "An injective network takes a compact set to a homeomorphic image.",
        "topology: true of every continuous one-to-one map, and not a finite computation",
    ),
    Statement(
        "S003-graph",
        "Puthawala et al., section C.2, (92)",
        "H(x) = (αx, F(x)) with α > 0 is injective.",
        _positive,
        _graph_injective,
        Family((_level(1, 1, 1), _level(1, 2, 1), _level(2, 1, 1)), _random),
    ),
)
