"""Polyhedra against brute force and published f-vectors; cones with evidence for both answers."""

from __future__ import annotations

import itertools
import pickle
import random
from fractions import Fraction
from math import comb

import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.linear import rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible
from exactrelu.polyhedra.polyhedron import (
    Member,
    NotPointed,
    Pointed,
    Polyhedron,
    Separated,
    dual_cone,
    membership,
    pointedness,
    simplicial_container,
)
from tests.polyhedra.oracle import (
    brute_force_vertices,
    fourier_motzkin,
    fractions,
    naive_rank,
    random_system,
    refutes,
)
from tests.seeds import seeds

# --- polyhedra


def cube(d: int) -> Polyhedron:
    return Polyhedron(LinearSystem.box([(-1, 1)] * d))


def cross_polytope(d: int) -> Polyhedron:
    units = [tuple(s * int(i == j) for j in range(d)) for i in range(d) for s in (1, -1)]
    return Polyhedron.from_generators(d, units)


@pytest.mark.parametrize("d", range(5))
def test_cubes_and_cross_polytopes_have_their_f_vectors(d: int) -> None:
    expected = tuple(2 ** (d - k) * comb(d, k) for k in range(d + 1))
    assert cube(d).f_vector() == expected
    if d >= 1:
        dual = tuple(2 ** (k + 1) * comb(d, k + 1) for k in range(d))
        assert cross_polytope(d).f_vector() == (*dual, 1)


def test_cyclic_polytope() -> None:
    """C(6,4) is neighbourly: f = (6, 15, 18, 9) (Ziegler, Lectures on Polytopes, 8.33)."""
    points = [(t, t**2, t**3, t**4) for t in range(6)]
    assert Polyhedron.from_generators(4, points).f_vector() == (6, 15, 18, 9, 1)


def test_faces_have_their_active_rows() -> None:
    square = cube(2)
    for face in square.faces:
        for i in face.active:
            row = square.constraints.rows[i]
            assert all(row.value(square.vertices[v]) == 0 for v in face.vertices)
        assert len(face.active) == 2 - face.dimension
    assert square.faces[-1].active == ()


@pytest.mark.parametrize("seed", seeds(40))
def test_random_polyhedra(seed: int) -> None:
    rng = random.Random(seed)
    d = rng.randint(1, 3)
    system = random_system(rng, d, rng.randint(d, 8))
    P = Polyhedron(system)
    assert P.is_empty is not fourier_motzkin(system)
    if P.is_empty:
        assert (P.dimension, P.faces, P.relative_interior_point()) == (-1, (), None)
        witness = P.witness()
        assert isinstance(witness, Infeasible)
        assert refutes(P.constraints, witness.multipliers)
        return
    if not P.lineality:
        assert sorted(map(fractions, P.vertices)) == brute_force_vertices(system)
    assert P.is_bounded is not bool(P.rays or P.lineality)
    assert Polyhedron(P.constraints) == P
    inside = P.relative_interior_point()
    assert system.contains(inside)
    assert P.contains(inside)
    hull = P.affine_hull()
    assert hull.contains(inside)
    assert naive_rank([fractions(r.normal) for r in hull.rows]) == len(hull.rows) == d - P.dimension
    assert (P.interior_point() is None) is (P.dimension < d)
    # Every constraint that is no equation is slack at a relative interior point.
    assert all(r.value(inside) > 0 for r in P.constraints.rows if r.sense is not Sense.EQUAL)
    generators = [(*fractions(v), Fraction(1)) for v in P.vertices]
    generators += [(*fractions(v), Fraction(0)) for v in (*P.rays, *P.lineality)]
    assert naive_rank(generators) == P.dimension + 1
    closed = Polyhedron.from_generators(d, P.vertices, P.rays, P.lineality)
    assert closed == P.closure()
    assert P.is_closed is (closed == P)
    # Euler: bounded polyhedra have Σ(−1)^k f_k = 1; pointed unbounded ones have 0.
    if not P.lineality:
        euler = sum((-1) ** k * f for k, f in enumerate(P.f_vector()))
        assert euler == (1 if P.is_bounded else 0)


def test_strict_rows_are_exact() -> None:
    triangle = LinearSystem(
        2,
        (
            Row.of((1, 0), 0, Sense.GREATER),
            Row.of((0, 1), 0),
            Row.of((-1, -1), 1),
        ),
    )
    P = Polyhedron(triangle)
    assert P.vertices == ((0, 0), (0, 1), (1, 0))
    assert [P.contains(v) for v in P.vertices] == [False, False, True]
    assert not P.is_closed
    assert P.closure() != P
    assert P.closure().is_closed
    thin = LinearSystem(1, (Row.of((1,), 0, Sense.GREATER), Row.of((-1,), 0)))
    assert Polyhedron(thin).is_empty
    assert not Polyhedron(thin.closed()).is_empty


def test_intersection() -> None:
    left, right = (Polyhedron(LinearSystem.box([interval])) for interval in ((0, 2), (1, 3)))
    assert (left & right).vertices == ((1,), (2,))
    strict = Polyhedron(LinearSystem(1, (Row.of((1,), -2, Sense.GREATER),)))
    assert (left & strict).is_empty
    assert not (right & strict).is_closed
    with pytest.raises(ShapeError, match="dimensions 1 and 2"):
        left & cube(2)


def test_generators_of_all_kinds() -> None:
    strip = Polyhedron.from_generators(3, [("1/2", 0, 0)], [(0, 2, 0), (0, 0, 0)], [(0, 0, -3)])
    assert (strip.dimension, strip.rays, strip.lineality) == (2, ((0, 1, 0),), ((0, 0, 1),))
    assert strip.f_vector() == (0, 1, 1)
    assert Polyhedron.from_generators(2, [], [(1, 0)]).is_empty
    with pytest.raises(ShapeError, match="1 coordinates, expected 2"):
        Polyhedron.from_generators(2, [(1,)])


def test_points_and_spaces_of_dimension_zero() -> None:
    point = Polyhedron(LinearSystem(0))
    assert (point.dimension, point.vertices, point.f_vector()) == (0, ((),), (1,))
    assert Polyhedron(LinearSystem(0, (Row((), fmpq(-1)),))).is_empty
    everything = Polyhedron(LinearSystem(2))
    assert (everything.dimension, len(everything.lineality)) == (2, 2)
    assert everything.f_vector() == (0, 0, 1)


def test_values() -> None:
    P = cube(2)
    assert hash(P) == hash(Polyhedron(P.constraints))
    assert pickle.loads(pickle.dumps(P)) == P
    assert repr(P) == "<Polyhedron of dimension 2 in Q^2>"
    for a, b in itertools.combinations((cube(1), cube(2), cross_polytope(2)), 2):
        assert a != b


def test_big_numbers() -> None:
    huge = 3**700
    P = Polyhedron(LinearSystem(1, (Row.of((huge,), -1), Row.of((-1,), huge))))
    assert P.vertices == ((fmpq(1, huge),), (fmpq(huge),))


# --- cones


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


def test_a_description_that_explodes_is_ended() -> None:
    """30 rows in 14 dimensions; those of a small one come out the same step by step."""
    rng = random.Random(6)

    def rows(dimension: int, n_rows: int) -> LinearSystem:
        normals = [[rng.randint(-99, 99) for _ in range(dimension)] for _ in range(n_rows)]
        return LinearSystem(dimension, tuple(Row.of(normal, 1000) for normal in normals))

    with pytest.raises(Stopped, match=r"after 0\.2 s"):
        Polyhedron(rows(14, 60), Effort(seconds=0.2))
    small = rows(5, 16)
    stepwise, at_once = Polyhedron(small, Effort(seconds=600)), Polyhedron(small)
    assert stepwise.vertices == at_once.vertices
    assert stepwise.constraints == at_once.constraints
    assert stepwise.f_vector() == at_once.f_vector()
    with pytest.raises(Stopped, match="stopped at 9 faces"):
        _ = Polyhedron(small, Effort(faces=9)).faces
