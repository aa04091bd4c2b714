"""Sums of goals: weights are on the simplex, never worse than one goal, and near the best."""

from __future__ import annotations

import random
from itertools import product as tuples

import numpy as np
import pytest

from exactrelu.cells.crown import Crown, least
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.chain import side_by_side_chain
from exactrelu.questions.properties.decide import decide
from exactrelu.questions.properties.mixtures import Mixer, mixture
from exactrelu.questions.properties.property import Property
from tests.questions.properties.chains import one
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(10, 100))
def test_weights_are_not_worse_than_one_goal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    forms = rng.standard_normal((5, 3, 3))
    low = -rng.random((5, 2))
    high = low + rng.random((5, 2))
    weights = mixture(forms, low, high)
    assert (weights >= 0).all()
    assert np.allclose(weights.sum(axis=1), 1)
    found = least(np.einsum("bf,bfi->bi", weights, forms), low, high)
    assert (found >= least(forms, low[:, None], high[:, None]).max(axis=1) - 1e-12).all()


@pytest.mark.parametrize("seed", seeds(10, 50))
def test_of_two_goals_the_weights_are_the_best(seed: int) -> None:
    rng = np.random.default_rng(seed)
    forms = rng.standard_normal((1, 2, 4))
    low, high = -np.ones((1, 3)), np.ones((1, 3))
    weights = mixture(forms, low, high)
    found = least(np.einsum("bf,bfi->bi", weights, forms), low, high)[0]
    grid = [(k / 200) * forms[0, 0] + (1 - k / 200) * forms[0, 1] for k in range(201)]
    assert found >= max(least(form, low[0], high[0]) for form in grid) - 1e-9


@pytest.mark.parametrize("seed", seeds(6))
def test_a_sum_is_bounded_no_worse_than_its_parts(seed: int) -> None:
    chain = side_by_side_chain(one(random.Random(seed)))
    crown = Crown(chain)
    mixer = Mixer(crown)
    d = chain.n_inputs
    corners = np.array(list(tuples((-1.0, 0.0), repeat=d)))
    low, high = corners, corners + 1
    with np.errstate(all="ignore"):
        _, lines = crown.refreshed(crown.unknown(low, high))
    goals = crown.goals(lines, len(low))
    aims = mixer.aims(goals, lines, low, high)
    n_goals = len(chain.goals)
    assert aims.forms.shape[1] == n_goals + len(mixer.mixed)
    sums = aims.weights @ goals
    ends = least(aims.forms[:, n_goals:], low[:, None], high[:, None])
    assert (ends >= least(sums, low[:, None], high[:, None]) - 1e-9).all()
    for case, numbers in enumerate(mixer.cases):
        assert (len(numbers) > len(chain.cases[case])) is (len(chain.cases[case]) > 1)


def test_a_case_that_no_single_row_refutes_is_closed_at_once() -> None:
    """y_0 = x and y_1 = 1 − x, moved by neurons, are never both ≤ 1/4."""
    bends = [[8, 0], [0, 8], *[[k, -1] for k in range(1, 9)]]
    first = [*bends, [1, 0], [-1, 0]]
    last = [[0] * 10 + [1, -1], [0] * 10 + [-1, 1]]
    f = Network.from_arrays([first, last], [[0] * 12, [0, 1]])
    case = LinearSystem(4, (Row.of((0, 0, -1, 0), "1/4"), Row.of((0, 0, 0, -1), "1/4")))
    found = decide(Property((f,), Domain.of("box:0,1", 2), (case,)))
    assert found.answer is True
    assert found.n_leaves == 1
    assert found.certificate is not None
    assert found.certificate.check().is_accepted
