import random
from itertools import product

import numpy as np
import pytest
from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.questions.recovery.signs import _all_signs, _by_halves, _candidates, solve_signs


@pytest.mark.parametrize("seed", range(20))
def test_all_solutions_as_by_trying_all(seed: int) -> None:
    rng = random.Random(seed)
    n, m = rng.randint(1, 7), rng.randint(0, 3)
    rows = [[fmpq(rng.randint(-2, 2), rng.randint(1, 2)) for _ in range(n)] for _ in range(m)]
    planted = [rng.choice((-1, 1)) for _ in range(n)]
    right = [sum((a * s for a, s in zip(row, planted, strict=True)), fmpq(0)) for row in rows]
    if seed % 4 == 0 and right:
        right[0] += fmpq(1, 3)
    expected = {
        signs
        for signs in product((1, -1), repeat=n)
        if all(
            sum((a * s for a, s in zip(row, signs, strict=True)), fmpq(0)) == g
            for row, g in zip(rows, right, strict=True)
        )
    }
    found = solve_signs(Matrix(rows, n_columns=n), right)
    assert found.is_complete
    assert set(found.solutions) == expected, seed


def test_halves_find_what_all_ways_find() -> None:
    rng = random.Random(1)
    rows = [np.array([rng.randrange(2**31 - 1) for _ in range(13)]) for _ in range(2)]
    planted = _all_signs(12)[1234]
    for row in rows:
        row[0] = (1 - planted @ row[1:]) % (2**31 - 1)
    assert _by_halves(rows, 12).tolist() == [planted.tolist()]


def test_too_many_unknowns_are_not_said_to_be_solved() -> None:
    assert _candidates([], 60) == ([], False)
