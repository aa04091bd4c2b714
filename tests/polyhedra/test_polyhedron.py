"""Polyhedra against brute-force vertex enumeration and published f-vectors."""

from __future__ import annotations

import itertools
import pickle
import random
from fractions import Fraction
from math import comb

import pytest
from flint import fmpq

from exactrelu.errors import ShapeError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible
from exactrelu.polyhedra.polyhedron import Polyhedron
from tests.polyhedra.oracle import (
    brute_force_vertices,
    fourier_motzkin,
    fractions,
    naive_rank,
    random_system,
    refutes,
)
from tests.seeds import seeds


def cube(d: int) -> Polyhedron:
    return Polyhedron(LinearSystem.box([(-1, 1)] * d))


def cross_polytope(d: int) -> Polyhedron:
    units = [tuple(s * int(i == j) for j in range(d)) for i in range(d) for s in (1, -1)]
    return Polyhedron.from_generators(d, units)


@pytest.mark.parametrize("d", range(5))
def test_f_vectors_of_cubes_and_cross_polytopes(d: int) -> None:
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
