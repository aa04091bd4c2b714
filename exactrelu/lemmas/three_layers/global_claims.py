"""Masked ranks, and statements about all of parameter space, deeper networks and training.

The small test of masked ranks of three-layer bottlenecks (theory 2.2, for Definition 8).  For
n1 ≤ n0: rank W1 = n1, every square submatrix of W2 is nonsingular, and W3[I3,J] W2[J,A] has rank
min(|I3|, |J|, |A|) for all I3, J, A.  **Not the paper's**, and no test: for n1 < min(n2, n3) it
says nothing about the rank of W3.  The repair asks for rank W3[I3,J] = min(|I3|, |J|) as well.

The corollary on volumes, the non-localizable networks of Section 7, the conserved quantities of
Theorem 6 and Proposition 35; Propositions 36 and 37 speak of arbitrary functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product
from random import Random

from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.families import network_levels, random_network, random_vector
from exactrelu.lemmas.statement import (
    Fact,
    Family,
    Instance,
    Judgement,
    Level,
    Statement,
    Untestable,
)
from exactrelu.lemmas.three_layers.common import (
    bottleneck,
    masked_ranks,
    network_of,
    random_bottleneck,
)
from exactrelu.network.hiding import hides
from exactrelu.network.network import Network, trace
from exactrelu.questions.identifiability.conserved import is_conserved
from exactrelu.questions.identifiability.identifiable import non_localizable

_SMALL_TEST = "theory 2.2, the small test for bottlenecks"


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


def _passes(instance: Instance) -> Iterator[Fact]:
    return _test(instance.network())


def _passes_repaired(instance: Instance) -> Iterator[Fact]:
    N = instance.network()
    yield from _test(N)
    W3 = N.layers[2].weights
    parts = (W3.take(rows=I, columns=J) for I in subsets(W3.n_rows) for J in subsets(W3.n_columns))
    yield Fact.plain("W3[I3,J] has the largest rank", all(map(_full, parts)))


def _maximal(instance: Instance) -> Fact:
    return masked_ranks("N", instance.network())


def _test_level(widths: Sequence[int], entries: Sequence[int] = (-1, 1)) -> Level:
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


def _random_test(rng: Random) -> Instance:
    widths = rng.choice(((1, 1, 2, 2), (2, 2, 2, 1), (2, 1, 3, 2), (2, 2, 2, 2)))
    return Instance.of(N=random_bottleneck(rng, widths))


_TESTS = Family(
    (
        _test_level((1, 1, 1, 1)),
        _test_level((1, 1, 2, 1), (-2, -1, 1, 2)),
        _test_level((1, 1, 2, 2)),
        _test_level((2, 2, 2, 1), (-2, -1, 1)),
    ),
    _random_test,
)
_TEST_SUFFICES = (
    "If n0 ≥ n1, rank W1 = n1, every square submatrix of W2 is nonsingular and W3[I3,J] W2[J,A] "
    "has rank min(|I3|, |J|, |A|) for all I3, J, A{}, then all masked ranks of N are maximal."
)

BOTTLENECK_TEST_STATEMENTS = (
    Statement(
        "S002-bottleneck-test",
        _SMALL_TEST,
        _TEST_SUFFICES.format(""),
        _passes,
        _maximal,
        _TESTS,
        known=("bottleneck-last-layer",),
        judgement=Judgement(
            "not the paper's",
            "A test of Definition 8 from our own notes (theory 2.2).",
        ),
    ),
    Statement(
        "S002-bottleneck-test-repaired",
        f"{_SMALL_TEST}, with the ranks of W3",
        _TEST_SUFFICES.format(", and W3[I3,J] has rank min(|I3|, |J|)"),
        _passes_repaired,
        _maximal,
        _TESTS,
        repairs="S002-bottleneck-test",
        known=("bottleneck-last-layer",),
    ),
)


def identifiable_patterns(n1: int, n2: int) -> fmpq:
    """The share of sign patterns of [W2|b2] to which no condition of Theorem 5 applies."""
    row_patterns = [s for s in product((-1, 1), repeat=n1 + 1) if len(set(s)) == 2]
    count = 0
    for pattern in product(row_patterns, repeat=n2):
        vectors = [tuple(map(fmpq, row)) for row in pattern]
        count += not any(all(hides(row, i) for row in vectors) for i in range(n1))
    return fmpq(count, 2 ** ((n1 + 1) * n2))


def _widths(instance: Instance) -> Iterator[Fact]:
    n1, n2 = instance.integer("n1"), instance.integer("n2")
    yield Fact.plain("n1 ≥ 2 and n2 ≥ 1", n1 >= 2 and n2 >= 1)
    yield Fact.plain("small enough to list", (n1 + 1) * n2 <= 10)


def _bounds(instance: Instance) -> Fact:
    n1, n2 = instance.integer("n1"), instance.integer("n2")
    share = identifiable_patterns(n1, n2)
    row = fmpq(1, 2 ** (n1 + 1))
    lower = 1 - 2 * n2 * row - n1 * row**n2
    text = "1 − 2·n2/2^(n1+1) − n1/2^((n1+1)n2) ≤ share ≤ (1 − 2^−(n1+1))^n2"
    return Fact.plain(text, lower <= share <= (1 - row) ** n2)


def _deep(instance: Instance) -> Iterator[Fact]:
    n = [instance.integer(f"n{l}") for l in range(5)]
    yield Fact.plain("n0 ≥ n1 ≥ n2 ≥ 2, n3, n4 ≥ 1", n[0] >= n[1] >= n[2] >= 2 and min(n) >= 1)


def _parts_but_not_whole(instance: Instance) -> Fact:
    n = tuple(instance.integer(f"n{l}") for l in range(5))
    found = non_localizable(n)
    answers = (found.first.answer, found.second.answer, found.whole.answer)
    text = "a network with identifiable parts that is not identifiable"
    if None in answers:
        return Fact(text, Verdict(None, "undecided"))
    return Fact(text, Verdict(answers == (True, True, False), str(answers), None, None))


def _linear(instance: Instance) -> Iterator[Fact]:
    """All neurons of layer 2 (or of the only hidden layer) are linear on the data."""
    N, x = instance.network(), instance.vector("x")
    yield Fact.plain("x is an input, and y an output", len(x) == N.n_inputs)
    y = instance.vector("y")
    yield Fact.plain("y is an output", len(y) == N.n_outputs)
    hidden = len(N.layers) - 1
    yield Fact.plain("the last hidden layer is positive at x", min(_last(N, x)) > 0)
    yield Fact.plain("there is a hidden layer", hidden >= 1)


def _last(network: Network, x: tuple[fmpq, ...]) -> tuple[fmpq, ...]:
    return trace(network, x).preactivations[-2]


def _conserved(instance: Instance) -> Fact:
    N = instance.network()
    layer = len(N.layers) - 1
    data = [(instance.vector("x"), instance.vector("y"))]
    fits = is_conserved(N, data, layer=layer, neurons=range(1, N.widths[-2] + 1))
    return Fact.plain("Q = W Wᵀ + b bᵀ − Vᵀ V has derivative 0 along gradient flow", fits)


def _with_data(N: Network) -> Iterator[Instance]:
    for x in product((-1, 0, 2), repeat=N.n_inputs):
        point = tuple(map(fmpq, x))
        yield Instance.of(N=N, x=point, y=(fmpq(3),) * N.n_outputs)


def _data_level(level: Level) -> Level:
    return Level(
        f"{level.bound}, inputs of -1, 0, 2, target 3",
        lambda: (found for single in level.instances() for found in _with_data(single.network())),
    )


def _random_data(rng: Random) -> Instance:
    N = random_network(rng, rng.choice(((2, 2, 1), (2, 2, 2, 1), (1, 3, 2, 2))))
    return Instance.of(N=N, x=random_vector(rng, N.n_inputs), y=random_vector(rng, N.n_outputs))


_VOLUMES = Family(
    (
        Level(
            "all n1, n2 with (n1 + 1)·n2 ≤ 10",
            lambda: (
                Instance.of(n1=n1, n2=n2)
                for n1, n2 in product(range(2, 12), range(1, 5))
                if (n1 + 1) * n2 <= 10
            ),
        ),
    ),
    lambda rng: Instance.of(n1=rng.randint(1, 6), n2=rng.randint(1, 3)),
)
_DEEP = Family(
    (
        Level(
            "widths 2-2-2 to 3-3-3, then 1 or 2 and 1 or 2",
            lambda: (
                Instance.of(**{f"n{l}": n for l, n in enumerate(widths)})
                for widths in product((2, 3), (2, 3), (2, 3), (1, 2), (1, 2))
            ),
        ),
    ),
    lambda rng: Instance.of(**{f"n{l}": rng.randint(1, 3) for l in range(5)}),
)
_DATA = Family(
    tuple(map(_data_level, network_levels(((1, 1, 1), (1, 1, 1, 1), (1, 2, 1))))), _random_data
)

GLOBAL_CLAIMS_STATEMENTS = (
    Statement(
        "S002-volume",
        "S002, Section 6, corollary on the volume of identifiable parameters, for n1 ≥ 2",
        "For n1 ≥ 2 the share of sign patterns of [W2|b2] that are identifiable lies between "
        "1 − 2·n2/2^(n1+1) − n1/2^((n1+1)·n2) and (1 − 2^−(n1+1))^n2.",
        _widths,
        _bounds,
        _VOLUMES,
        known=("S002-P24-volume",),
    ),
    Statement(
        "S002-localizable",
        "S002, Section 7, fibers are not localizable",
        "For n0 ≥ n1 ≥ n2 ≥ 2 there is a network of four layers whose layers 1 to 3 and 2 to 4 are "
        "identifiable, and which is not.",
        _deep,
        _parts_but_not_whole,
        _DEEP,
        known=("S002-P22-nonlocalizable",),
    ),
    Statement(
        "S002-theorem-6",
        "S002, Theorem 6 and Proposition 35, for the squared loss at one point",
        "If the last hidden layer is linear on the data, then W Wᵀ + b bᵀ − Vᵀ V of its neurons "
        "does not change along gradient flow.",
        _linear,
        _conserved,
        _DATA,
        known=("S002-P23-conserved",),
    ),
    Untestable(
        "S002-proposition-36",
        "S002, Proposition 36",
        "A quantity that gradient flow conserves for a part of a network is conserved for the "
        "whole.",
        "It speaks of every parametrised function and every conserved quantity: it is a fact of "
        "calculus, and no finite set of networks bears on it.",
    ),
    Untestable(
        "S002-proposition-37",
        "S002, Proposition 37",
        "The translation of a hidden hyperplane induces no conserved quantity.",
        "It says that a function does not exist, among all differentiable ones.",
    ),
)
