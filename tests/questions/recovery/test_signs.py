import random
from itertools import product

import numpy as np
import pytest
from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.questions.recovery import evidence as signs
from exactrelu.questions.recovery.evidence import (
    _all_signs,
    _by_halves,
    _candidates,
    solve_mixed,
    solve_signs,
)
from exactrelu.questions.recovery.folded import Unit, local
from tests.seeds import seeds


def test_the_sign_of_the_later_unit_cancels() -> None:
    """S000-E3: v_s = ½ Σ w_i (t_i + 1'_i) v_i with w = t_z W known has the same t for both t_z."""
    v = [(fmpq(1), fmpq(0)), (fmpq(0), fmpq(1))]
    for t_z in (1, -1):
        w = [t_z * fmpq(2), t_z * fmpq(-3)]
        gradient = [t_z * fmpq(2), t_z * fmpq(-3)]
        # With 1' = (1, 1): ½ Σ w_i t_i v_i = v_s − ½ Σ w_i v_i.
        rows = [[w[i] / 2 * v[i][k] for i in range(2)] for k in range(2)]
        right = [
            gradient[k] - sum((w[i] / 2 * v[i][k] for i in range(2)), fmpq(0)) for k in range(2)
        ]
        assert solve_signs(Matrix(rows), right).solutions == ((1, 1),)


@pytest.mark.parametrize("t", [1, -1])
def test_indicators_are_signs(t: int) -> None:
    """S000-E1: a neuron s(t·u) is active where (1 + t·1')/2 = 1, for 1' = ±1 the sign of u."""
    u = Unit((fmpq(1), fmpq(0)), {})
    neuron = Unit((fmpq(t, 2), fmpq(0)), {0: fmpq(1, 2)})
    for side in (1, -1):
        slope, _ = local([u], (fmpq(side),)).of(neuron)
        assert slope * side == max(0, t * side)
        assert slope == t * fmpq(1 + t * side, 2)
    # With 1' = 0 it would be half active for either t.
    assert local([u], (fmpq(0),)).of(neuron)[0] == t * fmpq(1, 2)


@pytest.mark.parametrize("seed", seeds(20))
def test_all_solutions_as_by_trying_all(seed: int) -> None:
    rng = random.Random(seed)
    n, m = rng.randint(1, 7), rng.randint(0, 3)
    rows = [[fmpq(rng.randint(-2, 2), rng.randint(1, 2)) for _ in range(n)] for _ in range(m)]
    planted = [rng.choice((-1, 1)) for _ in range(n)]
    right = [sum((a * s for a, s in zip(row, planted, strict=True)), fmpq(0)) for row in rows]
    if seed % 4 == 0 and right:
        right[0] += fmpq(1, 3)
    expected = {
        choice
        for choice in product((1, -1), repeat=n)
        if all(
            sum((a * s for a, s in zip(row, choice, strict=True)), fmpq(0)) == g
            for row, g in zip(rows, right, strict=True)
        )
    }
    found = solve_signs(Matrix(rows, n_columns=n), right)
    assert found.is_complete
    assert set(found.solutions) == expected, seed


@pytest.mark.parametrize("by_halves", [False, True])
@pytest.mark.parametrize("seed", seeds(12))
def test_signs_and_reals_as_by_trying_all(
    seed: int, by_halves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All signs for which the rest of the equations can be solved over the rationals."""
    if by_halves:
        monkeypatch.setattr(signs, "MAX_FREE", 3)
    rng = random.Random(seed)
    n_reals, n_signs, m = rng.randint(0, 2), rng.randint(4, 6), rng.randint(1, 4)

    def column() -> list[fmpq]:
        return [fmpq(rng.randint(-2, 2), rng.randint(1, 3)) for _ in range(m)]

    reals, units = [column() for _ in range(n_reals)], [column() for _ in range(n_signs)]
    right = column() if seed % 3 == 0 else [fmpq(0)] * m
    if seed % 3:
        chosen = [*(rng.randint(-3, 3) for _ in reals), *(rng.choice((-1, 1)) for _ in units)]
        for c, entries in zip(chosen, [*reals, *units], strict=True):
            right = [a + c * b for a, b in zip(right, entries, strict=True)]
    expected = set()
    for choice in product((1, -1), repeat=n_signs):
        left = list(right)
        for s, entries in zip(choice, units, strict=True):
            left = [a - s * b for a, b in zip(left, entries, strict=True)]
        with_left = Matrix([*reals, left]).flint.rank()
        if with_left == (Matrix(reals).flint.rank() if reals else 0):
            expected.add(choice)
    found = solve_mixed(reals, units, right)
    if found.is_complete:
        assert set(found.solutions) == expected, seed
    else:
        # Too many unknowns are free for the halves: nothing is said.
        assert by_halves
        assert found.solutions == ()


def test_halves_with_several_solutions() -> None:
    """± a ± b ± … in two equations, as all ways find them, also where a residue is −1."""
    rng = random.Random(2)
    for _ in range(20):
        rows = [np.array([rng.randint(-2, 2) for _ in range(9)]) for _ in range(2)]
        ways = _all_signs(8)
        for row in rows:
            ways = ways[np.abs(ways @ row[1:] + row[0]) == 1]
        found = _by_halves([row % (2**31 - 1) for row in rows], 8)
        assert {tuple(way) for way in found.tolist()} == {tuple(way) for way in ways.tolist()}


def test_halves_find_what_all_ways_find() -> None:
    rng = random.Random(1)
    rows = [np.array([rng.randrange(2**31 - 1) for _ in range(13)]) for _ in range(2)]
    planted = _all_signs(12)[1234]
    for row in rows:
        row[0] = (1 - planted @ row[1:]) % (2**31 - 1)
    assert _by_halves(rows, 12).tolist() == [planted.tolist()]


def test_no_unknowns() -> None:
    nothing = Matrix([[], []], n_columns=0)
    assert solve_signs(nothing, [fmpq(0), fmpq(0)]).solutions == ((),)
    assert solve_signs(nothing, [fmpq(0), fmpq(1)]).solutions == ()


def test_too_many_unknowns_are_not_said_to_be_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _candidates([], 60) == ([], False)
    monkeypatch.setattr(signs, "MAX_FREE", 3)
    row = [fmpq(k) for k in range(1, 9)]
    assert _candidates([row], 7) == ([], False)
    found, is_complete = _candidates([row[:7]], 6)
    assert is_complete
    ways = [
        w for w in product((1, -1), repeat=6) if abs(1 + sum(map(int.__mul__, w, range(2, 8)))) == 1
    ]
    assert sorted(found) == sorted(ways)
