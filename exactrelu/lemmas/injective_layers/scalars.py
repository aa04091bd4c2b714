"""Appendix D: Lemmas 8, 9 and 10, inequalities between numbers and vectors.

All right.  Sums of square roots are compared by bounds of ever more bits; equality of both sides
is found exactly where all the roots are rational, and is otherwise left undecided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from random import Random

from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, dot, square_root, vector
from exactrelu.lemmas.families import (
    UNITS,
    random_number,
    random_rows,
    random_vector,
    small_matrices,
)
from exactrelu.lemmas.injective_layers.layers import (
    has_points,
    linear_network,
    weights,
    without_coordinate,
)
from exactrelu.lemmas.statement import Fact, Family, Instance, Level, Statement

#: Bits of the square roots that are compared.
_BITS = (64, 256)


def relu(values: Sequence[fmpq]) -> Vector:
    """s of each entry."""
    return tuple(max(value, ZERO) for value in values)


def image(W: Matrix, x: Vector) -> Vector:
    """s(Wx)."""
    return relu(W.flint_apply(x))


def squared(x: Vector, y: Vector) -> fmpq:
    """|x − y|²."""
    difference = [a - b for a, b in zip(x, y, strict=True)]
    return dot(difference, difference)


def roots_at_most(text: str, squares: Sequence[fmpq], bound: fmpq) -> Fact:
    """Whether Σ√squares ≤ √bound, if bounds of the roots tell."""
    positive = [square for square in squares if square != 0]
    if len(positive) <= 1:
        return Fact.plain(text, sum(positive, ZERO) <= bound)
    for bits in _BITS:
        above = sum((square_root(square, up=True, bits=bits) for square in positive), ZERO)
        below = sum((square_root(square, up=False, bits=bits) for square in positive), ZERO)
        if above**2 <= bound:
            return Fact.plain(text, True)
        if below**2 > bound:
            return Fact.plain(text, False)
    if len(positive) == 2:
        a, b = positive
        middle = bound - a - b
        return Fact.plain(text, middle >= 0 and 4 * a * b <= middle**2)
    return Fact(text, Verdict(None, "the roots are too close"))


# Lemma 8.


def _equal_after_shift(instance: Instance) -> Iterator[Fact]:
    x, y, z = (instance.rational(name) for name in "xyz")
    yield Fact.plain("z ≥ 0", z >= 0)
    yield Fact.plain("s(x + z) = s(y + z)", relu((x + z,)) == relu((y + z,)))


def _equal(instance: Instance) -> Fact:
    x, y = instance.rational("x"), instance.rational("y")
    return Fact.plain("s(x) = s(y)", relu((x,)) == relu((y,)))


def _triples() -> Iterator[Instance]:
    for x, y, z in product(range(-4, 5), repeat=3):
        yield Instance.of(x=fmpq(x, 2), y=fmpq(y, 2), z=fmpq(z, 2))


def _random_triple(rng: Random) -> Instance:
    return Instance.of(**{name: random_number(rng) for name in "xyz"})


_NUMBERS = Family((Level("x, y, z in -2..2 by halves", _triples),), _random_triple)


# Lemma 9: the vectors a_i are the rows of A.


def _sum(A: Matrix) -> Vector:
    return tuple(sum(A.column(j), ZERO) for j in range(A.n_columns))


def _same_signs(instance: Instance) -> Iterator[Fact]:
    A = instance.matrix("A")
    agree = all(x * y >= 0 for j in range(A.n_columns) for x, y in product(A.column(j), repeat=2))
    yield Fact.plain("entries in one place never have opposite signs", agree)
    squares = sum((dot(row, row) for row in A), ZERO)
    yield Fact.plain("Σ|a_i|² ≤ |Σa_i|²", squares <= dot(_sum(A), _sum(A)))


def _sum_of_norms(instance: Instance) -> Fact:
    A = instance.matrix("A")
    bound = A.n_rows * dot(_sum(A), _sum(A))
    return roots_at_most("Σ|a_i| ≤ √k |Σa_i|", [dot(row, row) for row in A], bound)


def _acute(instance: Instance) -> Iterator[Fact]:
    A = instance.matrix("A")
    yield Fact.plain("two vectors", A.n_rows == 2)
    yield Fact.plain("a·b ≥ 0", dot(A.row(0), A.row(1)) >= 0)


def _pythagoras(instance: Instance) -> Fact:
    a, b = instance.matrix("A")
    whole = _sum(instance.matrix("A"))
    return Fact.plain("|a|² + |b|² ≤ |a + b|²", dot(a, a) + dot(b, b) <= dot(whole, whole))


def _vector_level(k: int, n: int) -> Level:
    return Level(
        f"{k} vectors in R^{n}, entries -1..1",
        lambda: (Instance.of(A=A) for A in small_matrices(k, n)),
    )


def _random_vectors(rng: Random) -> Instance:
    A = random_rows(rng, rng.randint(1, 4), rng.randint(1, 3))
    if rng.random() < 0.5:
        A = Matrix([tuple(map(abs, row)) for row in A])
    return Instance.of(A=A)


_VECTORS = Family(
    tuple(_vector_level(k, n) for k, n in ((1, 1), (2, 1), (2, 2), (3, 2), (2, 3), (4, 2))),
    _random_vectors,
)
_PAIRS = Family(
    tuple(_vector_level(2, n) for n in (1, 2, 3)),
    lambda rng: Instance.of(A=random_rows(rng, 2, rng.randint(1, 4))),
)


# Lemma 10: points on a segment from x to y, at the parameters t.


def _on_segment(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x", "y")
    t = instance.vector("t")
    ordered = all(before <= after for before, after in pairwise((ZERO, *t, fmpq(1))))
    yield Fact.plain("0 ≤ t_2 ≤ t_3 ≤ … ≤ 1", ordered)


def _steps(instance: Instance) -> list[fmpq]:
    x, y = instance.vector("x"), instance.vector("y")
    points = [
        tuple((1 - t) * a + t * b for a, b in zip(x, y, strict=True))
        for t in (ZERO, *instance.vector("t"), fmpq(1))
    ]
    images = [image(weights(instance), point) for point in points]
    return [squared(before, after) for before, after in pairwise(images)]


def _whole(instance: Instance) -> fmpq:
    W = weights(instance)
    return squared(image(W, instance.vector("x")), image(W, instance.vector("y")))


def _squares_add(instance: Instance) -> Fact:
    holds = sum(_steps(instance), ZERO) <= _whole(instance)
    return Fact.plain("Σ|steps|² ≤ |s(Wx) − s(Wy)|²", holds)


def _norms_add(instance: Instance) -> Fact:
    steps = _steps(instance)
    bound = (len(steps) + 1) * _whole(instance)
    return roots_at_most("Σ|steps| ≤ √n_t |s(Wx) − s(Wy)|", steps, bound)


def _segment_level(n: int, m: int) -> Level:
    def instances() -> Iterator[Instance]:
        thirds = (vector((fmpq(1, 3), fmpq(1, 2))), vector((fmpq(1, 2),)))
        for W in small_matrices(m, n):
            for x, y in product(product(UNITS, repeat=n), repeat=2):
                for t in thirds:
                    yield Instance.of(N=linear_network(W), x=vector(x), y=vector(y), t=t)

    return Level(f"m = {m}, n = {n}, entries -1..1, x and y in -1..1", instances)


def _random_segment(rng: Random) -> Instance:
    n = rng.randint(1, 3)
    W = random_rows(rng, rng.randint(1, 5), n)
    t = sorted(fmpq(rng.randint(0, 12), 12) for _ in range(rng.randint(1, 4)))
    x, y = random_vector(rng, n), random_vector(rng, n)
    return Instance.of(N=linear_network(W), x=x, y=y, t=tuple(t))


_SEGMENTS = Family(
    tuple(_segment_level(n, m) for n, m in ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2))),
    _random_segment,
    reductions=without_coordinate("x", "y"),
)

STATEMENTS = (
    Statement(
        "S003-lemma-8",
        "Puthawala et al., Lemma 8",
        "If z ≥ 0 and s(x + z) = s(y + z), then s(x) = s(y).",
        _equal_after_shift,
        _equal,
        _NUMBERS,
    ),
    Statement(
        "S003-lemma-9-1",
        "Puthawala et al., Lemma 9.1",
        "If Σ|a_i|² ≤ |Σa_i|² and entries in one place agree in sign, Σ|a_i| ≤ √k |Σa_i|.",
        _same_signs,
        _sum_of_norms,
        _VECTORS,
    ),
    Statement(
        "S003-lemma-9-2",
        "Puthawala et al., Lemma 9.2",
        "If a·b ≥ 0, then |a|² + |b|² ≤ |a + b|².",
        _acute,
        _pythagoras,
        _PAIRS,
    ),
    Statement(
        "S003-lemma-10",
        "Puthawala et al., Lemma 10, (102)",
        "For points x = x_1, …, x_{n_t} = y in order on a segment, the squares of the steps of "
        "s(Wx) add up to at most |s(Wx) − s(Wy)|².",
        _on_segment,
        _squares_add,
        _SEGMENTS,
    ),
    Statement(
        "S003-lemma-10-norms",
        "Puthawala et al., Lemma 10, (103)",
        "For points in order on a segment the steps of s(Wx) add up to at most "
        "√n_t |s(Wx) − s(Wy)|.",
        _on_segment,
        _norms_add,
        _SEGMENTS,
    ),
)
