"""The closed cell around a point."""

from __future__ import annotations

import random

import pytest
from flint import fmpq

from exactrelu.questions.properties.cell_at import cell_at
from tests import linear_units
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(10, 200))
def test_the_network_is_affine_on_it(seed: int) -> None:
    rng = random.Random(seed)
    net = linear_units.random_network(rng, n_inputs=2)
    x, other = (tuple(fmpq(rng.randint(-4, 4), 2) for _ in range(2)) for _ in range(2))
    cell = cell_at(net, x)
    assert cell.system.contains(x)
    assert len(cell.system.rows) == net.n_hidden_neurons
    for share in (fmpq(0), fmpq(1, 64), fmpq(1, 8), fmpq(1)):
        y = tuple((1 - share) * a + share * b for a, b in zip(x, other, strict=True))
        if cell.system.contains(y):
            assert cell.outputs.flint_apply((*y, fmpq(1))) == tuple(net(y))
