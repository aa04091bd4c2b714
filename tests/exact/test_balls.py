"""Balls contain the exact results, whatever the operands, and little more.

The operands are wide balls as well as single doubles, and the true numbers are planted where
they do most: at the ends of the balls, on the sides that move the result farthest.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pytest
from flint import fmpq

from exactrelu.exact.balls import Balls, affine, between, beyond, zero_between, zero_beyond
from exactrelu.exact.scalar import rational
from tests.seeds import seeds

#: How much wider than necessary a radius may be, for wide balls.
WIDER = 1 + fmpq(1, 2**16)
ROUNDING = fmpq(1, 2**44)
#: What a double can hold, with room for sums.
HUGE = fmpq(10) ** 300


def contents(balls: Balls) -> Iterator[tuple[fmpq, fmpq] | None]:
    """Centre and radius of each ball; None for one that says nothing."""
    for m, r in zip(balls.mid.ravel().tolist(), balls.rad.ravel().tolist(), strict=True):
        yield (rational(m), rational(r)) if np.isfinite([m, r]).all() else None


def assert_contains(balls: Balls, values: Sequence[fmpq]) -> None:
    """Each ball says something, and contains the exact value at its place."""
    for ball, value in zip(contents(balls), values, strict=True):
        assert ball is not None
        assert abs(ball[0] - value) <= ball[1]


def number(rng: random.Random) -> fmpq:
    """A double near 1, 0, or a rational number."""
    kind = rng.randrange(6)
    if kind == 0:
        return fmpq(0)
    if kind == 1:
        return fmpq(rng.randint(-(10**9), 10**9), rng.randint(1, 10**9))
    return rational(rng.gauss(0, 1))


#: A ball, its centre and its radius.
Known = tuple[Balls, fmpq, fmpq]


def ball_of(centre: float, radius: float) -> Known:
    return Balls(np.array([centre]), np.array([radius])), rational(centre), rational(radius)


def ball(rng: random.Random) -> Known:
    """Without a radius, with a few roundings, or as wide as you like; large, small or 0."""
    radius = rng.choice((0.0, rng.gauss(0, 1e-15), rng.gauss(0, 1e-3), rng.gauss(0, 1)))
    scale = rng.choice((1.0, 1.0, 2.0**40, 2.0**-40))
    return ball_of(scale * rng.gauss(0, 1) if rng.random() < 0.8 else 0.0, scale * abs(radius))


def ends(ball: Known) -> tuple[fmpq, fmpq]:
    """The least and the largest number in a ball."""
    return ball[1] - ball[2], ball[1] + ball[2]


def joined(balls: Sequence[Known]) -> Balls:
    """One row of balls."""
    return Balls(
        np.array([[b.mid[0] for b, _, _ in balls]]), np.array([[b.rad[0] for b, _, _ in balls]])
    )


def assert_tight(found: Balls, values: Sequence[fmpq], size: fmpq, extra: fmpq | int = 0) -> None:
    """All values are in the one ball, and the farthest nearly at its end, ``extra`` apart."""
    ((mid, rad),) = contents(found)
    worst = max(abs(value - mid) for value in values)
    assert worst <= rad
    assert rad <= worst * WIDER + extra + size * ROUNDING


@pytest.mark.parametrize("seed", seeds(5))
def test_affine_maps(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        W, x, b = (
            [[number(rng) for _ in range(n)] for _ in range(m)] for m, n in ((3, 4), (5, 4), (1, 3))
        )
        found = affine(Balls.of(x), Balls.of(W), Balls.of(b)[0])
        products = [[w * v for w, v in zip(row, p, strict=True)] for p in x for row in W]
        linear = [sum(terms, fmpq(0)) for terms in products]
        assert_contains(found, [e + b[0][k % 3] for k, e in enumerate(linear)])
        assert_contains(affine(Balls.of(x), Balls.of(W), None), linear)
        for k, (terms, known) in enumerate(zip(products, contents(found), strict=True)):
            assert known is not None
            assert known[1] <= ROUNDING * sum(map(abs, terms), abs(b[0][k % 3]) + ROUNDING)


@pytest.mark.parametrize("seed", seeds(5))
def test_affine_maps_of_wide_balls(seed: int) -> None:
    """All corners of a product of balls, for two inputs."""
    rng = random.Random(seed)
    for _ in range(60):
        x, w, b = [ball(rng), ball(rng)], [ball(rng), ball(rng)], ball(rng)
        corners = product(*map(ends, (*x, *w, b)))
        values = [x1 * w1 + x2 * w2 + c for x1, x2, w1, w2, c in corners]
        size = sum((abs(p[1]) * abs(q[1]) for p, q in zip(x, w, strict=True)), abs(b[1]))
        # Up for one product may be down for the other: their second orders do not add up then.
        extra = 2 * sum((p[2] * q[2] for p, q in zip(x, w, strict=True)), fmpq(0))
        assert_tight(affine(joined(x), joined(w), b[0]), values, size, extra)
        without = [x1 * w1 + x2 * w2 for x1, x2, w1, w2 in product(*map(ends, (*x, *w)))]
        assert_tight(affine(joined(x), joined(w), None), without, size, extra)


def opposite(rng: random.Random) -> tuple[Known, Known]:
    """A negative and a positive ball, in one order or the other."""
    while True:
        one, two = ball(rng), ball(rng)
        if min(one[1] + one[2], two[1] + two[2]) < 0 < max(one[1] - one[2], two[1] - two[2]):
            return one, two


@pytest.mark.parametrize("seed", seeds(5))
def test_zeros_between_balls_of_opposite_signs(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        one, two = opposite(rng)
        zeros = [f / (f - s) for f, s in product(ends(one), ends(two))]
        apart = abs(one[1] - two[1]) - one[2] - two[2]
        # Ends that are nearest to each other move the zero in opposite directions.
        extra = (one[2] + two[2]) / apart if one[2] and two[2] else 0
        t = zero_between(one[0], two[0])
        assert_tight(t, zeros, (abs(one[1]) + abs(two[1])) / apart, extra)
        assert 0 <= t.mid[0] <= 1


@pytest.mark.parametrize("seed", seeds(5))
def test_zeros_beyond(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        value, slope = opposite(rng)
        zeros = [-v / s for v, s in product(ends(value), ends(slope))]
        found = zero_beyond(value[0], slope[0])
        assert_tight(found, zeros, max(zeros))


@pytest.mark.parametrize("seed", seeds(5))
def test_points_between_and_beyond_wide_balls(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        first, second = ball(rng), ball(rng)
        t = ball_of(rng.random(), rng.choice((0.0, 1e-12, rng.random() / 4)))
        t0, spread = t[1:]
        corners = list(product(ends(first), ends(second), ends(t)))
        if t0 - spread >= 0 and t0 + spread <= 1:
            values = [(1 - s) * f + s * g for f, g, s in corners]
            size, extra = abs(first[1]) + abs(second[1]), 2 * spread * (first[2] + second[2])
            assert_tight(between(joined([first]), joined([second]), t[0]), values, size, extra)
        values = [f + s * g for f, g, s in corners]
        size = abs(first[1]) + abs(second[1])
        assert_tight(beyond(joined([first]), joined([second]), t[0]), values, size)


def test_signs_known_beside_balls_that_contain_zero() -> None:
    """Signs may be known where balls are too coarse: what is said then is still true."""
    rng = random.Random(0)
    n_finite = 0
    for _ in range(400):
        one, two = ball(rng), ball(rng)
        corners = [(f, s) for f, s in product(ends(one), ends(two)) if f * s < 0]
        for f, s in corners:
            for found, value in (
                (zero_between(one[0], two[0]), f / (f - s)),
                (zero_beyond(one[0], two[0]), -f / s),
            ):
                (known,) = contents(found)
                n_finite += known is not None
                assert known is None or abs(known[0] - value) <= known[1]
                # What follows relies on centres that are possible.
                assert known is None or known[0] >= 0
            assert not zero_between(one[0], two[0]).mid[0] > 1
    assert n_finite > 400


def extreme(rng: random.Random) -> fmpq:
    """Of any size, down to nothing and up to what no double holds."""
    mantissa = fmpq(rng.randint(1, 2**53), rng.choice((1, 3)))
    exponent = rng.choice((0, rng.randint(-1100, 1000), -1074, -520))
    return rng.choice((-1, 1)) * mantissa * fmpq(2) ** exponent


def assert_true(found: Balls, values: Sequence[fmpq], sizes: Sequence[fmpq]) -> None:
    """What is said is true, and something is said where no size is beyond doubles."""
    for known, value, size in zip(contents(found), values, sizes, strict=True):
        assert known is not None or size > HUGE
        assert known is None or abs(known[0] - value) <= known[1]


@pytest.mark.parametrize("seed", seeds(5))
def test_numbers_of_any_size(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        W, x, b = ([[extreme(rng) if rng.random() < 0.8 else fmpq(0) for _ in range(n)]
                    for _ in range(m)] for m, n in ((3, 2), (3, 2), (1, 3)))  # fmt: skip
        rows = [(row, c, point) for point in x for row, c in zip(W, b[0], strict=True)]
        exact = [row[0] * p[0] + row[1] * p[1] + c for row, c, p in rows]
        sizes = [
            max(*map(abs, (*row, c, *p)), abs(row[0] * p[0]) + abs(row[1] * p[1]) + abs(c))
            for row, c, p in rows
        ]
        # A product of an infinite number and 0 says nothing either.
        largest = max(sizes)
        assert_true(affine(Balls.of(x), Balls.of(W), Balls.of(b)[0]), exact, [largest] * 9)
        low, high = -abs(extreme(rng)), abs(extreme(rng))
        if rng.random() < 0.5:
            low, high = high, low
        one, two = Balls.of([[low]]), Balls.of([[high]])
        ends_ = [extreme(rng), extreme(rng)]
        first, second = Balls.of([[ends_[0], fmpq(0)]]), Balls.of([[ends_[1], fmpq(0)]])
        for locate, move, t in (
            (zero_between, between, low / (low - high)),
            (zero_beyond, beyond, -low / high),
        ):
            at = locate(one[:, 0], two[:, 0])
            assert_true(at, [t], [HUGE + 1])
            moved = ends_[0] + t * (ends_[1] - ends_[0] * (move is between))
            assert_true(move(first, second, at), [moved, fmpq(0)], [HUGE + 1, fmpq(0)])


def test_sums_that_are_always_rounded_down() -> None:
    """1 + u + u + …: each u is lost, wherever it is added to the 1."""
    n = 2000
    x = [[fmpq(1), *[fmpq(1, 2**53)] * n]]
    ones = Balls.of([[fmpq(1)] * (n + 1)])
    assert_contains(affine(Balls.of(x), ones, None), [1 + fmpq(n, 2**53)])
    assert_contains(affine(Balls.of(x), ones, Balls.of([[fmpq(1)]])[0]), [2 + fmpq(n, 2**53)])


def test_certain_signs() -> None:
    inf, nan = np.inf, np.nan
    balls = [(1, 0.5), (-1, 0.5), (1, 1), (1, 2), (-1, 2), (1, inf), (1, nan), (inf, 0), (nan, 0)]
    mid, rad = np.array(balls, dtype=float).T
    assert Balls(mid, rad).signs.tolist() == [1, -1, *[0] * 7]


def test_signs() -> None:
    third, huge, tiny = fmpq(1, 3), fmpq(10) ** 400, fmpq(1, 10) ** 400
    balls = Balls.of([[fmpq(0), third, -third, huge, tiny, -tiny]])
    assert balls.signs.tolist() == [[0, 1, -1, 0, 0, 0]]
    assert balls.is_zero.tolist() == [[True, *[False] * 5]]
    difference = affine(Balls.of([[third, third]]), Balls.of([[fmpq(1), fmpq(-1)]]), None)
    assert not difference.signs.any()
    assert not difference.is_zero.any()
    large = fmpq(10) ** 308
    weights = Balls.of([[fmpq(1), fmpq(1), fmpq(-1), fmpq(-1)]])
    overflow = affine(Balls.of([[large, large, large, large]]), weights, None)
    assert not overflow.signs.any()
    nothing = affine(Balls.of([[fmpq(0), third]]), Balls.of([[fmpq(5), fmpq(0)]]), None)
    assert nothing.is_zero.all()


def test_rationals() -> None:
    """Numbers nearly halfway between two doubles, of all sizes."""
    values = [
        (1 + fmpq(1, 2**53) + sign * fmpq(1, 2**80)) * fmpq(2) ** exponent
        for exponent in (*range(-1000, 1000, 50), 1000)
        for sign in (-1, 1)
    ]
    found = Balls.of([values])
    assert_contains(found, values)
    assert (found.rad <= 2.0**-50 * np.abs(found.mid) + 1e-299).all()


def test_columns() -> None:
    balls = Balls(np.array([[1.0, 2.0]]), np.array([[0.25, 0.5]]))
    kept = balls.where(np.array([[True, False]]))
    assert (kept.mid.tolist(), kept.rad.tolist()) == ([[1, 0]], [[0.25, 0]])
    both = balls.beside(balls[:, :1])
    assert (both.mid.tolist(), both.rad.tolist()) == ([[1, 2, 1]], [[0.25, 0.5, 0.25]])


def test_zeros_stay_zeros() -> None:
    zero, one = Balls.of([[fmpq(0)]]), Balls.of([[fmpq(1)]])
    for t in (
        Balls(np.array([0.25]), np.array([1e-9])),
        Balls(np.array([np.inf]), np.array([np.nan])),
    ):
        assert between(zero, zero, t).is_zero.all()
        assert beyond(zero, zero, t).is_zero.all()
        assert not between(zero, one, t).is_zero.any()
        assert not beyond(zero, one, t).is_zero.any()
    assert zero_between(zero[:, 0], zero[:, 0]).is_zero.all()
    assert zero_between(zero[:, 0], one[:, 0]).is_zero.all()
    assert not zero_between(one[:, 0], zero[:, 0]).is_zero.any()


def test_what_is_too_small_is_not_zero() -> None:
    """A number that underflows to 0 on the way does not become known as 0."""
    doubtful, small = (
        Balls(np.zeros((1, 1)), np.full((1, 1), 1e-295)),
        Balls.of([[fmpq(2) ** -1000]]),
    )
    assert not affine(doubtful, small, None).is_zero.any()
    assert not affine(small, doubtful, None).is_zero.any()
    assert not affine(small, small, None).is_zero.any()
    zero, t = (
        Balls.of([[fmpq(0)]]),
        zero_beyond(Balls.of([[-(fmpq(2) ** -700)]])[:, 0], Balls.of([[fmpq(2) ** 700]])[:, 0]),
    )
    assert not t.is_zero.any()
    assert not beyond(zero, Balls.of([[fmpq(1)]]), t).is_zero.any()
    assert not between(zero, doubtful, Balls(np.array([1e-300]), np.zeros(1))).is_zero.any()
    tiny = Balls.of([[fmpq(2) ** -1074, fmpq(2) ** -1080]])
    assert tiny.signs.tolist() == [[1, 0]]
    assert not tiny.is_zero.any()
