"""Arrangements: cells, Zaslavsky's numbers and brute force must agree."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from math import factorial

import pytest

from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.arrangement import (
    Arrangement,
    Degeneracy,
    characteristic_polynomial,
    degeneracy,
    n_bounded_cells,
    n_cells,
    n_cells_generic,
)
from exactrelu.polyhedra.interior import Engine
from exactrelu.polyhedra.polyhedron import Polyhedron
from tests.polyhedra.oracle import fourier_motzkin, fractions, naive_rank
from tests.seeds import seeds


def random_arrangement(rng: random.Random, d: int, m: int, size: int) -> Arrangement:
    """Small coefficients make parallel, concurrent and repeated hyperplanes likely."""
    hyperplanes = []
    while len(hyperplanes) < m:
        normal = [rng.randint(-size, size) for _ in range(d)]
        if any(normal):
            hyperplanes.append((normal, Fraction(rng.randint(-size, size), rng.choice((1, 2)))))
    return Arrangement.of(d, hyperplanes)


def open_cell(arrangement: Arrangement, signs: tuple[int, ...]) -> LinearSystem:
    rows = (
        Row(tuple(s * a for a in row.normal), s * row.offset, Sense.GREATER)
        for s, row in zip(signs, arrangement.rows, strict=True)
    )
    return LinearSystem(arrangement.dimension, tuple(rows))


def whitney(arrangement: Arrangement) -> tuple[int, ...]:
    """χ(t) = Σ over the central subarrangements B of (−1)^|B| t^(d − rank B)."""
    d = arrangement.dimension
    coefficients = [0] * (d + 1)
    table = [fractions((*row.normal, row.offset)) for row in arrangement.rows]
    distinct = []
    for row in table:
        if all(naive_rank([row, other]) == 2 for other in distinct):
            distinct.append(row)
    for k in range(len(distinct) + 1):
        for subset in itertools.combinations(distinct, k):
            rank = naive_rank([row[:-1] for row in subset])
            if rank == naive_rank(subset):
                coefficients[d - rank] += (-1) ** k
    return tuple(coefficients)


@pytest.mark.parametrize("engine", [*Engine, None])
@pytest.mark.parametrize(("d", "m"), [(1, 6), (2, 9), (3, 7), (4, 6), (5, 6)])
def test_generic_arrangements(d: int, m: int, engine: Engine | None) -> None:
    rng = random.Random(d)
    hyperplanes = [([rng.gauss(0, 1) for _ in range(d)], rng.gauss(0, 1)) for _ in range(m)]
    arrangement = Arrangement.of(d, hyperplanes)
    assert degeneracy(arrangement) is None
    cells = list(arrangement.cells(engine=engine))
    assert len(cells) == n_cells(arrangement) == n_cells_generic(d, m)
    assert len({cell.signs for cell in cells}) == len(cells)
    assert all(arrangement.signs_at(cell.point) == cell.signs for cell in cells)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_braid_arrangement(n: int) -> None:
    """χ = t(t−1)…(t−n+1) and n! cells; touching faces must not be counted as cuts."""
    pairs = itertools.combinations(range(n), 2)
    normals = [[int(k == i) - int(k == j) for k in range(n)] for i, j in pairs]
    braid = Arrangement.of(n, [(normal, 0) for normal in normals])
    for engine in Engine:
        assert len(list(braid.cells(engine=engine))) == factorial(n)
    polynomial = characteristic_polynomial(braid)
    for t in range(n):
        assert sum(c * t**k for k, c in enumerate(polynomial)) == 0
    assert n_cells(braid) == factorial(n)
    assert n_bounded_cells(braid) == 0


def test_boolean_arrangement() -> None:
    axes = Arrangement.of(3, [([int(i == j) for j in range(3)], 0) for i in range(3)])
    assert characteristic_polynomial(axes) == (-1, 3, -3, 1)
    signs = [cell.signs for cell in axes.cells()]
    assert signs == list(itertools.product((-1, 1), repeat=3))


@pytest.mark.parametrize("seed", seeds(25))
def test_degenerate_arrangements(seed: int) -> None:
    rng = random.Random(seed)
    d = rng.randint(1, 3)
    arrangement = random_arrangement(rng, d, rng.randint(0, 6), rng.choice((1, 2)))
    cells = list(arrangement.cells())
    found = [cell.signs for cell in cells]
    brute = [
        signs
        for signs in itertools.product((-1, 1), repeat=arrangement.n_hyperplanes)
        if fourier_motzkin(open_cell(arrangement, signs))
    ]
    assert found == brute
    assert n_cells(arrangement) == len(found)
    assert characteristic_polynomial(arrangement) == whitney(arrangement)
    assert all(arrangement.signs_at(cell.point) == cell.signs for cell in cells)
    normals = [fractions(row.normal) for row in arrangement.rows]
    if naive_rank(normals) == d:
        bounded = sum(Polyhedron(open_cell(arrangement, s)).is_bounded for s in found)
        assert bounded == n_bounded_cells(arrangement)


@pytest.mark.parametrize("seed", seeds(40))
def test_general_position_against_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    d = rng.randint(1, 3)
    arrangement = random_arrangement(rng, d, rng.randint(0, 6), rng.choice((2, 9, 30)))
    table = [fractions((*row.normal, row.offset)) for row in arrangement.rows]
    generic = True
    for k in range(1, d + 2):
        for subset in itertools.combinations(table, k):
            rank = naive_rank([row[:-1] for row in subset])
            is_central = rank == naive_rank(subset)
            generic &= (is_central and rank == k) if k <= d else not is_central
    answer = degeneracy(arrangement)
    assert (answer is None) is generic
    assert (n_cells(arrangement) == n_cells_generic(d, len(table))) is generic
    if answer is not None:
        assert answer.verify(arrangement)
        width = d if len(answer.dependency) <= d else d + 1
        for k in range(width):
            assert sum(f * table[i][k] for i, f in answer.dependency) == 0


def test_degeneracies_of_every_kind() -> None:
    parallel = Arrangement.of(2, [((1, 1), 0), ((2, 2), 1)])
    assert degeneracy(parallel) == Degeneracy(((0, -2), (1, 1)))
    concurrent = Arrangement.of(2, [((1, 0), -1), ((0, 1), -1), (("1/2", "1/2"), -1)])
    assert degeneracy(concurrent).hyperplanes == (0, 1, 2)
    assert degeneracy(concurrent).verify(concurrent)
    assert degeneracy(Arrangement.of(3, [((1, 0, 0), 0), ((0, 1, 0), 5)])) is None
    for bad in ((), ((0, 1),), ((0, 0), (1, 0)), ((0, 1), (0, -1))):
        assert not Degeneracy(bad).verify(parallel), bad


def test_cells_in_a_domain() -> None:
    axes = Arrangement.of(2, [((1, 0), 0), ((0, 1), 0)])
    box = LinearSystem.box([(1, 2), (-1, 1)])
    assert [cell.signs for cell in axes.cells(box)] == [(1, -1), (1, 1)]
    assert all(box.contains(cell.point) for cell in axes.cells(box))
    on_the_line = LinearSystem(2, (Row.of((1, -1), 0, Sense.EQUAL),))
    assert [cell.signs for cell in axes.cells(on_the_line)] == [(-1, -1), (1, 1)]
    in_a_hyperplane = LinearSystem(2, (Row.of((1, 0), 0, Sense.EQUAL),))
    assert list(axes.cells(in_a_hyperplane)) == []
    assert list(axes.cells(LinearSystem(2, (Row.of((0, 0), -1),)))) == []
    assert len(list(Arrangement.of(2, []).cells())) == 1


def test_input_is_checked() -> None:
    with pytest.raises(InputError, match="hyperplane 2 has the normal 0"):
        Arrangement.of(1, [((1,), 0), ((0,), 1)])
    assert Arrangement.of(1, [((1,), 0), ((0,), 1)], drop_constant=True).n_hyperplanes == 1
    with pytest.raises(ShapeError, match="hyperplane 1 has 2 coefficients"):
        Arrangement.of(1, [((1, 2), 0)])
    with pytest.raises(InputError, match="is an inequality"):
        Arrangement(1, (Row.of((1,), 0),))


def test_an_effort_ends_each_of_them() -> None:
    arrangement = random_arrangement(random.Random(0), 3, 6, 9)
    expected = list(arrangement.cells())
    found = []
    with pytest.raises(Stopped, match="stopped at 4 cells"):
        found.extend(arrangement.cells(effort=Effort(cells=4)))
    assert found == expected[:4]
    over = Effort(seconds=0)
    for question in (characteristic_polynomial, degeneracy):
        with pytest.raises(Stopped, match="after 0 s"):
            question(arrangement, over)
    with pytest.raises(Stopped, match="after 0 s"):
        next(arrangement.cells(effort=over))
