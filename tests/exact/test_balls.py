"""Balls contain the exact results, whatever the operands."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from exactrelu.exact.balls import Balls, affine, between, beyond, zero_between, zero_beyond
from exactrelu.exact.scalar import rational


def contains(balls: Balls, values) -> bool:
    """Whether each ball contains the exact value at its place."""
    return all(
        not math.isfinite(m + r) or abs(rational(m) - v) <= rational(r)
        for m, r, v in zip(
            balls.mid.ravel().tolist(), balls.rad.ravel().tolist(), values, strict=True
        )
    )


def number(rng: random.Random) -> fmpq:
    kind = rng.randrange(5)
    if kind == 0:
        return fmpq(0)
    if kind == 1:
        return fmpq(rng.randint(-64, 64), 64)
    if kind == 2:
        return fmpq(rng.randint(-(10**9), 10**9), rng.randint(1, 10**9))
    return fmpq(rng.randint(-9, 9)) * fmpq(10) ** rng.randint(-200, 200) / 3


def rows(rng: random.Random, m: int, n: int) -> list[list[fmpq]]:
    return [[number(rng) for _ in range(n)] for _ in range(m)]


@pytest.mark.parametrize("seed", range(60))
def test_affine_maps(seed: int) -> None:
    rng = random.Random(seed)
    W, x, b = rows(rng, 3, 4), rows(rng, 5, 4), rows(rng, 1, 3)
    found = affine(Balls.of(x), Balls.of(W), Balls.of(b)[0])
    exact = [
        sum((w * v for w, v in zip(W[j], point, strict=True)), b[0][j])
        for point in x
        for j in range(3)
    ]
    assert contains(found, exact)
    assert contains(affine(Balls.of(x), Balls.of(W), None), [
        e - b[0][k % 3] for k, e in enumerate(exact)
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_points_on_edges(seed: int) -> None:
    rng = random.Random(seed)
    low, high = -abs(number(rng)) - fmpq(1, 3), abs(number(rng)) + fmpq(1, 7)
    (a,), (b,) = rows(rng, 1, 4), rows(rng, 1, 4)
    t = -low / (high - low)
    ball = zero_between(Balls.of([[low]])[:, 0], Balls.of([[high]])[:, 0])
    assert contains(ball, [t])
    exact = [(1 - t) * p + t * q for p, q in zip(a, b, strict=True)]
    assert contains(between(Balls.of([a]), Balls.of([b]), ball), exact)
    swapped = zero_between(Balls.of([[high]])[:, 0], Balls.of([[low]])[:, 0])
    assert contains(between(Balls.of([b]), Balls.of([a]), swapped), exact)
    s = -low / high
    step = zero_beyond(Balls.of([[low]])[:, 0], Balls.of([[high]])[:, 0])
    assert contains(step, [s])
    moved = [p + s * q for p, q in zip(a, b, strict=True)]
    assert contains(beyond(Balls.of([a]), Balls.of([b]), step), moved)


def test_signs() -> None:
    third, huge, tiny = fmpq(1, 3), fmpq(10) ** 400, fmpq(1, 10) ** 400
    balls = Balls.of([[fmpq(0), third, -third, huge, tiny, -tiny]])
    assert balls.signs.tolist() == [[0, 1, -1, 0, 0, 0]]
    assert balls.is_certain.tolist() == [[True, True, True, False, False, False]]
    difference = affine(Balls.of([[third, third]]), Balls.of([[fmpq(1), fmpq(-1)]]), None)
    assert not difference.is_certain.any()
    large = fmpq(10) ** 308
    weights = Balls.of([[fmpq(1), fmpq(1), fmpq(-1), fmpq(-1)]])
    overflow = affine(Balls.of([[large, large, large, large]]), weights, None)
    assert not overflow.is_certain.any()
    nothing = affine(Balls.of([[fmpq(0), third]]), Balls.of([[fmpq(5), fmpq(0)]]), None)
    assert nothing.is_certain.all()
    assert not nothing.signs.any()


def test_zeros_stay_zeros() -> None:
    zero, one = Balls.of([[fmpq(0)]]), Balls.of([[fmpq(1)]])
    t = Balls(np.array([0.25]), np.array([1e-9]))
    for result in (between(zero, zero, t), beyond(zero, zero, t)):
        assert result.mid[0, 0] == result.rad[0, 0] == 0
    assert contains(between(zero, one, t), [fmpq(1, 4)])
    assert zero_between(zero[:, 0], zero[:, 0]).mid.tolist() == [0]
    assert float(Fraction(1, 4)) in between(zero, one, t).mid
