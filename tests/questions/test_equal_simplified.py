"""Networks that differ in what linear neurons pass on, planted."""

import random
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.network.network import Network
from exactrelu.questions.equivalence.equivalent import equivalent
from tests.checking import assert_accepted
from tests.seeds import seeds

Rows = list[list[int | fmpq]]


def network(*layers: Rows) -> Network:
    return Network.from_arrays(
        [[row[:-1] for row in layer] for layer in layers],
        [[row[-1] for row in layer] for layer in layers],
    )


def random_rows(rng: random.Random, n_rows: int, n_columns: int) -> Rows:
    return [
        [fmpq(rng.randint(-9, 9), rng.randint(1, 5)) for _ in range(n_columns)]
        for _ in range(n_rows)
    ]


@pytest.mark.parametrize("seed", seeds(8))
def test_a_linear_neuron_in_another_form(seed: int, tmp_path: Path) -> None:
    """6-8-6-1: too many cells to list, and one neuron of layer 2 is linear by its signs."""
    rng = random.Random(seed)
    first, second, last = (random_rows(rng, m, n + 1) for n, m in ((6, 8), (8, 6), (6, 1)))
    second[2] = [abs(v) for v in second[2]]
    a = network(first, second, last)
    # The bias goes to the next layer, and two parts do the work of one.
    *weights, bias = second[2]
    parts: Rows = [[*(w if j % 2 else fmpq(0) for j, w in enumerate(weights)), fmpq(3)]]
    parts.append([*(fmpq(0) if j % 2 else 2 * w for j, w in enumerate(weights)), fmpq(0)])
    out = last[0][2]
    others = [row for i, row in enumerate(second) if i != 2]
    kept = [v for i, v in enumerate(last[0][:-1]) if i != 2]
    rest = last[0][-1] + out * (bias - 3)
    b = network(first, [*others, *parts], [[*kept, out, out / 2, rest]])
    for left, right in ((a, b), (b, a)):
        found = equivalent(left, right)
        assert (found.answer, found.reason) == (True, "isomorphic after simplification by signs")
        assert_accepted([found.certificate], tmp_path)
    # Another bias is another function.
    c = network(first, [*others, *parts], [[*kept, out, out / 2, rest + fmpq(1, 10**9)]])
    assert equivalent(a, c).answer is False
