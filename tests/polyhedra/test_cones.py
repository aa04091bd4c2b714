"""Cones: both answers of every question carry evidence that naive arithmetic confirms."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from flint import fmpq

from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.linear import rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.polyhedron import (
    Member,
    NotPointed,
    Pointed,
    Separated,
    dual_cone,
    membership,
    pointedness,
    simplicial_container,
)
from tests.polyhedra.oracle import fourier_motzkin, fractions
from tests.seeds import seeds


def vectors(*rows: tuple[int, ...]) -> list[tuple[fmpq, ...]]:
    return [tuple(map(fmpq, row)) for row in rows]


def random_vectors(rng: random.Random, d: int, n: int) -> list[tuple[fmpq, ...]]:
    return [tuple(fmpq(rng.randint(-3, 3), rng.choice((1, 2))) for _ in range(d)) for _ in range(n)]


def naive_dot(u, v) -> Fraction:
    return sum((a * b for a, b in zip(fractions(u), fractions(v), strict=True)), Fraction(0))


@pytest.mark.parametrize("seed", seeds(60))
def test_pointedness(seed: int) -> None:
    rng = random.Random(seed)
    d = rng.randint(1, 3)
    generators = random_vectors(rng, d, rng.randint(0, 5))
    answer = pointedness(generators, d)
    assert answer.verify(generators)
    nonzero = [g for g in generators if any(g)]
    strict = LinearSystem(d, tuple(Row(g, fmpq(0), Sense.GREATER) for g in nonzero))
    assert isinstance(answer, Pointed) is fourier_motzkin(strict)
    if isinstance(answer, Pointed):
        assert all(naive_dot(answer.functional, g) > 0 for g in nonzero)
        assert all(v.q == 1 for v in answer.functional)
    else:
        assert len(answer.dependency) <= d + 1
        for k in range(d):
            assert sum(f * fractions(generators[j])[k] for j, f in answer.dependency) == 0
        assert all(f > 0 and any(generators[j]) for j, f in answer.dependency)


def test_pointedness_of_degenerate_cones() -> None:
    assert pointedness([], 2) == Pointed((fmpq(0), fmpq(0)))
    assert isinstance(pointedness(vectors((0, 0)), 2), Pointed)
    assert isinstance(pointedness([(), ()], 0), Pointed)
    half_plane = vectors((1, 0), (0, 0), (0, 1), (-1, 0))
    assert pointedness(half_plane, 2) == NotPointed(((0, 1), (3, 1)))
    with pytest.raises(ShapeError, match="generator 1 has 2 coordinates"):
        pointedness(half_plane, 3)


def test_verify_refuses_what_is_no_evidence() -> None:
    generators = vectors((1, 0), (-1, 0), (0, 0))
    assert not Pointed((fmpq(1), fmpq(0))).verify(generators)
    for bad in ((), ((2, 1),), ((0, 1),), ((0, -1), (1, -1)), ((0, 1), (1, 1), (2, 1))):
        assert not NotPointed(bad).verify(generators), bad
    v = (fmpq(1), fmpq(0))
    assert not Member(((1, fmpq(-1)),)).verify(v, generators)
    assert not Member(((0, fmpq(2)),)).verify(v, generators)
    assert not Separated((fmpq(-1), fmpq(0))).verify(v, generators)


@pytest.mark.parametrize("seed", seeds(60))
def test_membership(seed: int) -> None:
    rng = random.Random(seed)
    d = rng.randint(1, 3)
    generators = random_vectors(rng, d, rng.randint(0, 5))
    (v,) = random_vectors(rng, d, 1)
    if rng.random() < 0.4:
        v = tuple(sum((g[k] * rng.randint(0, 2) for g in generators), fmpq(0)) for k in range(d))
    answer = membership(v, generators)
    assert answer.verify(v, generators)
    separating = [Row(g, fmpq(0)) for g in generators]
    separating.append(Row(tuple(-x for x in v), fmpq(0), Sense.GREATER))
    assert isinstance(answer, Separated) is fourier_motzkin(LinearSystem(d, tuple(separating)))
    if isinstance(answer, Member):
        assert len(answer.coefficients) <= d
        for k in range(d):
            terms = [
                (fractions(generators[j])[k], fractions([c])[0]) for j, c in answer.coefficients
            ]
            assert sum(g * c for g, c in terms) == fractions(v)[k]


def test_membership_of_zero() -> None:
    assert membership((fmpq(0),), []) == Member(())
    assert membership((), []) == Member(())
    assert isinstance(membership((fmpq(1),), []), Separated)


@pytest.mark.parametrize("seed", seeds(20))
def test_the_dual_of_the_dual_is_the_cone(seed: int) -> None:
    rng = random.Random(seed)
    d = rng.randint(1, 3)
    generators = random_vectors(rng, d, rng.randint(0, 5))
    dual = dual_cone(generators, d)
    functionals = [*dual.rays, *dual.lines, *(tuple(-x for x in v) for v in dual.lines)]
    assert all(naive_dot(y, g) >= 0 for y in dual.rays for g in generators)
    assert all(naive_dot(y, g) == 0 for y in dual.lines for g in generators)
    for _ in range(5):
        (v,) = random_vectors(rng, d, 1)
        inside = all(naive_dot(y, v) >= 0 for y in functionals)
        assert isinstance(membership(v, generators), Member) is inside


@pytest.mark.parametrize("seed", seeds(20))
def test_simplicial_container(seed: int) -> None:
    rng = random.Random(seed)
    m, n, r = rng.randint(1, 5), rng.randint(1, 7), rng.randint(1, 4)
    left = Matrix([[rng.randint(-4, 4) for _ in range(r)] for _ in range(m)])
    A = left @ Matrix([[rng.randint(0, 3) for _ in range(n)] for _ in range(r)])
    proof = rank_proof(A)
    local = A.take(rows=proof.minor.rows)
    answer = pointedness([local.column(j) for j in range(n)], proof.rank)
    if isinstance(answer, Pointed):
        cone = simplicial_container(A, proof.minor, answer.functional)
        assert cone.generators.shape == (m, proof.rank)
        assert cone.generators @ cone.coefficients == A
        assert all(c >= 0 for c in cone.coefficients.entries())


def test_simplicial_container_refuses_a_wrong_functional() -> None:
    A = Matrix([[1, -1]])
    with pytest.raises(InputError, match="negative on a column"):
        simplicial_container(A, rank_proof(A).minor, (fmpq(1),))
