"""The small test of masked ranks of three-layer bottlenecks (theory 2.2, for Definition 8).

For n1 ≤ n0: rank W1 = n1, every square submatrix of W2 is nonsingular, and W3[I3,J] W2[J,A] has
rank min(|I3|, |J|, |A|) for all I3, J, A.  **Not the paper's**, and no test: for n1 < min(n2, n3)
it says nothing about the rank of W3.  The repair asks for rank W3[I3,J] = min(|I3|, |J|) as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product
from random import Random

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s002.facts import masked_ranks
from exactrelu.lemmas.s002.layers import bottleneck, network_of
from exactrelu.lemmas.s002.pairs import random_bottleneck
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.network.network import Network

_SOURCE = "theory 2.2, the small test for bottlenecks"


def subsets(n: int) -> list[tuple[int, ...]]:
    """The nonempty subsets of 0, …, n − 1."""
    sizes = (combinations(range(n), size) for size in range(1, n + 1))
    return list(chain.from_iterable(sizes))


def _full(A: Matrix) -> bool:
    return rank(A) == min(A.shape)


def _test(network: Network) -> Iterator[Fact]:
    yield bottleneck(network)
    W1, W2, W3 = (layer.weights for layer in network.layers)
    yield Fact.plain("rank W1 = n1", rank(W1) == W1.n_rows)
    rows, columns, outputs = map(subsets, (W2.n_rows, W2.n_columns, W3.n_rows))
    yield Fact.plain(
        "every square submatrix of W2 is nonsingular",
        all(_full(W2.take(rows=J, columns=A)) for J in rows for A in columns if len(J) == len(A)),
    )
    yield Fact.plain(
        "W3[I3,J] W2[J,A] has the largest rank",
        all(
            rank(W3.take(rows=I, columns=J) @ W2.take(rows=J, columns=A))
            == min(len(I), len(J), len(A))
            for I in outputs
            for J in rows
            for A in columns
        ),
    )


def _printed(instance: Instance) -> Iterator[Fact]:
    return _test(instance.network())


def _repaired(instance: Instance) -> Iterator[Fact]:
    N = instance.network()
    yield from _test(N)
    W3 = N.layers[2].weights
    parts = (W3.take(rows=I, columns=J) for I in subsets(W3.n_rows) for J in subsets(W3.n_columns))
    yield Fact.plain("W3[I3,J] has the largest rank", all(map(_full, parts)))


def _maximal(instance: Instance) -> Fact:
    return masked_ranks("N", instance.network())


def _level(widths: Sequence[int], entries: Sequence[int] = (-1, 1)) -> Level:
    n0, n1, n2, n3 = widths

    def instances() -> Iterator[Instance]:
        first = [[int(i == j) for j in range(n0)] + [0] for i in range(n1)]
        for numbers in product(entries, repeat=n2 * n1 + n3 * n2):
            second = [[*numbers[j * n1 : (j + 1) * n1], 0] for j in range(n2)]
            rest = numbers[n2 * n1 :]
            last = [[*rest[o * n2 : (o + 1) * n2], 0] for o in range(n3)]
            yield Instance.of(N=network_of(first, second, last))

    name = "-".join(map(str, widths))
    return Level(f"widths {name}, W1 = [1 0], biases 0, others {set(entries)}", instances)


def _random(rng: Random) -> Instance:
    widths = rng.choice(((1, 1, 2, 2), (2, 2, 2, 1), (2, 1, 3, 2), (2, 2, 2, 2)))
    return Instance.of(N=random_bottleneck(rng, widths))


_FAMILY = Family(
    (
        _level((1, 1, 1, 1)),
        _level((1, 1, 2, 1), (-2, -1, 1, 2)),
        _level((1, 1, 2, 2)),
        _level((2, 2, 2, 1), (-2, -1, 1)),
    ),
    _random,
)
_TEXT = (
    "If n0 ≥ n1, rank W1 = n1, every square submatrix of W2 is nonsingular and W3[I3,J] W2[J,A] "
    "has rank min(|I3|, |J|, |A|) for all I3, J, A{}, then all masked ranks of N are maximal."
)

STATEMENTS = (
    Statement(
        "S002-bottleneck-test",
        _SOURCE,
        _TEXT.format(""),
        _printed,
        _maximal,
        _FAMILY,
        known=("bottleneck-last-layer",),
        judgement=Judgement(
            "not the paper's",
            "A test of Definition 8 from our own notes (theory 2.2).",
        ),
    ),
    Statement(
        "S002-bottleneck-test-repaired",
        f"{_SOURCE}, with the ranks of W3",
        _TEXT.format(", and W3[I3,J] has rank min(|I3|, |J|)"),
        _repaired,
        _maximal,
        _FAMILY,
        repairs="S002-bottleneck-test",
        known=("bottleneck-last-layer",),
    ),
)
