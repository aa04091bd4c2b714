"""Guesses are only guesses: wrong ones change the time, never the answer."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import exactrelu
from exactrelu.polyhedra.answers import is_interior
from exactrelu.polyhedra.guess import DepthModel, Guess, float_row, guess_depth
from exactrelu.polyhedra.interior import Dependency, Engine, confirm, dependency_on, interior
from tests.seeds import seeds


def is_dependency(rows: list[tuple[int, ...]], answer: Dependency, d: int) -> bool:
    return (
        0 < len(answer.multipliers) <= d + 1
        and all(factor > 0 for _, factor in answer.multipliers)
        and all(sum(f * rows[i][j] for i, f in answer.multipliers) == 0 for j in range(d))
        and sum(f * rows[i][d] for i, f in answer.multipliers) == answer.offset <= 0
    )


@pytest.mark.parametrize("seed", seeds(30))
def test_wrong_guesses(seed: int) -> None:
    rng = random.Random(seed)
    d, m = rng.randint(1, 4), rng.randint(1, 12)
    rows = [tuple(rng.randint(-4, 4) for _ in range(d + 1)) for _ in range(m)]
    rows = [row for row in rows if any(row[:-1])] or [(1,) * (d + 1)]
    floats = [float_row(row) for row in rows]
    expected = isinstance(interior(d, rows, Engine.DICTIONARY), Dependency)
    duals = [rng.choice((0.0, rng.random())) for _ in rows]
    for guess in [
        None,
        Guess([0.0] * d, 1.0, [0.0] * len(rows)),
        Guess([rng.gauss(0, 3) for _ in range(d)], 0.5, duals),
        Guess([float("nan")] * d, float("nan"), duals),
        Guess([1e300] * d, -1.0, [1.0] * len(rows)),
        guess_depth(d, floats),
    ]:
        answer = confirm(d, rows, floats, guess)
        if isinstance(answer, Dependency):
            assert expected
            assert is_dependency(rows, answer, d)
        else:
            assert not expected
            assert is_interior(rows, answer)


def test_dependency_on_a_support() -> None:
    rows = [(1, 0, -1), (-2, 0, 1), (0, 1, 0), (0, -1, 3), (1, 1, 0)]
    assert dependency_on(2, rows, [0, 1]) == Dependency(((0, 2), (1, 1)), -1)
    assert dependency_on(2, rows, [0, 1, 2]) == Dependency(((0, 2), (1, 1)), -1)
    assert dependency_on(2, rows, []) is None
    assert dependency_on(2, rows, [0]) is None  # independent
    assert dependency_on(2, rows, [2, 3]) is None  # Σλb > 0
    assert dependency_on(2, rows, [0, 2, 4]) is None  # mixed signs
    many = dependency_on(1, [(1, 0), (2, 0), (-1, -1), (-1, 0)], [0, 1, 2, 3])
    assert many == Dependency(((0, 1), (2, 1)), -1)


def test_depth_model_forgets_what_is_popped() -> None:
    model = DepthModel(1)
    model.push([1.0, 0.0])
    model.push([-1.0, 1.0])
    first = model.solve()
    model.push([1.0, -5.0])
    assert model.solve().depth < 0
    model.pop()
    assert model.solve() == first
    assert first.depth == 0.5


@pytest.mark.parametrize("library", ["ppl", "highspy"])
def test_one_module_imports_each_library(library: str) -> None:
    package = Path(exactrelu.__file__).parent
    pattern = re.compile(rf"^\s*(import|from) {library}\b", re.MULTILINE)
    users = [p.name for p in package.rglob("*.py") if pattern.search(p.read_text("utf-8"))]
    assert len(users) == 1, users
