"""Points that fit a case are found by climbing, and tried exactly."""

from __future__ import annotations

import numpy as np
import pytest

from exactrelu.effort import UNLIMITED
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.by_signs import BySigns
from exactrelu.questions.properties.chain import side_by_side_chain
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.sign_kernel import SignKernel
from tests.seeds import seeds


def search(asked: Property) -> BySigns:
    kernel = SignKernel.of(asked)
    assert kernel is not None
    return BySigns(asked, side_by_side_chain(asked), kernel, {}, {}, UNLIMITED)


def planted(seed: int) -> Property:
    """Two cases, the second of which fits at a point of the box."""
    rng = np.random.default_rng(seed)
    n = 20
    rows = np.round(rng.normal(size=(12, n)) * 16) / 16
    last = np.round(np.abs(rng.normal(size=(2, 12))) * 16) / 16
    f = Network.from_arrays([rows, last], [[0] * 12, [0, 0]])
    domain = Domain.of("box:-1,1", n)
    corner = [int(x) for x in np.sign(rng.normal(size=n))]
    _, y = f(corner)
    never = LinearSystem(n + 2, (Row.of([*[0] * n, -1, 0], -1),))
    high = LinearSystem(n + 2, (Row.of([*[0] * n, 0, 1], f"-{y}"),))
    return Property((f,), domain, (never, high))


@pytest.mark.parametrize("seed", seeds(3, 60))
def test_a_planted_point_is_found(seed: int) -> None:
    asked = planted(seed)
    attack = search(asked).attack
    assert attack.climb([0, 1], 20, 40)
    assert attack.found is not None
    assert asked.case_at(attack.found) == 2


def test_what_fits_in_floats_only_is_no_point() -> None:
    """x > 1 by 2^-60, for x up to 1: floats see no difference, and there is no point."""
    f = Network.from_arrays([[[1]]], [[0]])
    above = LinearSystem(2, (Row.of((0, 2**60), -(2**60) - 1),))
    attack = search(Property((f,), Domain.of("box:0,1", 1), (above,))).attack
    assert not attack.climb([0], 5, 10)
    assert not attack.tries(0, np.array([[1.0]]))
    assert attack.found is None
