"""Ends of units and leaves of trees of signs: they are below the values at points."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from box_writer import proof_of
from exactrelu_checker import bounds, splits
from exactrelu_checker.file import Refused
from exactrelu_checker.objects import Network, System, layer_of
from exactrelu_checker.property import Line
from exactrelu_checker.splits import Leaf, Splits
from test_bounds import network, values

from tests.seeds import seeds

SUBJECTS, POINTS = 12, 5
DENS = [1, 2, 3, 7, 1024, 10**6 + 3]


def box(rng: random.Random, n: int) -> tuple[System, list[tuple[Fraction, Fraction]]]:
    """A box, some of its sides of width 0, and its ends."""
    ends, rows = [], []
    for i in range(n):
        low = Fraction(rng.randint(-6, 6), rng.choice([1, 2, 3, 7]))
        high = low + Fraction(rng.randint(0, 6), rng.choice([1, 3, 5]))
        ends.append((low, high))
        for sign, end in ((1, low), (-1, high)):
            row = [sign * end.denominator * (i == j) for j in range(n)]
            rows.append((*row, -sign * end.numerator))
    return System(n, ("ge",) * len(rows), tuple(rows)), ends


def subject(rng: random.Random, dens: list[int]) -> tuple[Network, Splits, list[list[Fraction]]]:
    """A network on a box, the ends of its units, and points of the box."""
    n = rng.randint(1, 3)
    hidden = [rng.randint(1, 4) for _ in range(rng.randint(0, 3))]
    of = network(rng, [n, *hidden, 2], dens)
    domain, ends = box(rng, n)
    proof = proof_of()
    found = Splits(proof, [of], domain)
    shares = [[Fraction(rng.randint(0, 4), 4) for _ in ends] for _ in range(POINTS)]
    points = [
        [low + (high - low) * share for (low, high), share in zip(ends, row, strict=True)]
        for row in shares
    ]
    return of, found, points


def leaf(rng: random.Random, of: Network, what: Splits, x: list[Fraction]) -> tuple[Leaf, Fraction]:
    """A leaf with the signs that some units have at a point; the opposite of its sum there."""
    *hidden, y = values(of, x)
    signs = [1 if z >= 0 else -1 for row in hidden for z in row]
    path = tuple((u, signs[u]) for u in what.places if rng.random() < 0.5)
    betas = [rng.choice([0, rng.randint(0, 3 << 16)]) for _ in path]
    rows = [[rng.randint(-2, 2) for _ in (*x, 1, *y)] for _ in range(2)]
    k = len(x) + 1
    case = [Line(False, tuple(row[:k]), tuple(row[k:])) for row in rows]
    n, lambdas = len(what.lines), [rng.randint(1, 10 ** rng.randint(0, 12)), rng.randint(1, 5)]
    numbers = [2, n, lambdas[0], n + 1, lambdas[1], *betas]
    shares = bytes(rng.randrange(256) for _ in what.places)
    at = [*x, Fraction(1), *y]
    sums = [sum(map(Fraction.__mul__, map(Fraction, row), at), Fraction(0)) for row in rows]
    total = sum(map(Fraction.__mul__, map(Fraction, lambdas), sums), Fraction(0))
    weights = [
        lambdas[0] * a + lambdas[1] * b for a, b in zip(*(row[k:] for row in rows), strict=True)
    ]
    last = of.layers[-1]
    over = [sum(w * row[i] for w, row in zip(weights, last.rows, strict=True))
            for i in range(len(last.rows[0]) - 1)]  # fmt: skip
    size = max((abs(a).bit_length() for a in over), default=0)
    unit = Fraction(1 << bounds.PLACES, 1 << size)
    return what.summed(case, path, numbers, shares), -total * last.den * unit


def all_margins(seed: int, wrong: Callable[[Leaf], Leaf] = lambda leaf: leaf) -> list[Fraction]:
    """How far values are from ends, and sums from what is below them."""
    rng = random.Random(seed)
    unit, margins = Fraction(1, 1 << bounds.PLACES), []
    for _ in range(SUBJECTS):
        of, what, points = subject(rng, DENS)
        for x in points:
            *hidden, _ = values(of, x)
            for ends, row in zip(what.ends, hidden, strict=True):
                for (low, high), z in zip(ends, row, strict=True):
                    margins += [z - low * unit, high * unit - z]
        found = [leaf(rng, of, what, x) for x in points]
        below = what.below([wrong(one) for one, _ in found])
        margins += [true - least for (_, true), least in zip(found, below, strict=True)]
    return margins


@pytest.mark.parametrize("seed", seeds(3, 300))
def test_nothing_is_above_the_values(seed: int) -> None:
    margins = all_margins(seed)
    assert len(margins) > 500
    assert min(margins) >= 0


def test_some_are_exact() -> None:
    """Anything sharper would be wrong, and the test above would see it."""
    assert min(all_margins(0)) == 0


@pytest.mark.parametrize("seed", seeds(2, 100))
@pytest.mark.parametrize("places", [2, 5, 9])
def test_nothing_is_above_with_few_places(
    seed: int, places: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounding is what counts then."""
    for module in (bounds, splits):
        monkeypatch.setattr(module, "PLACES", places)
    monkeypatch.setattr(splits, "FINE", 0)
    assert min(all_margins(seed)) >= 0


def test_what_is_wrong_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Multipliers < 0; with few places weights, or coefficients, that are not rounded down."""

    def negated(one: Leaf) -> Leaf:
        return one._replace(cuts={u: (sign, -beta) for u, (sign, beta) in one.cuts.items()})

    assert min(min(all_margins(seed, negated)) for seed in range(4)) < 0
    for module in (bounds, splits):
        monkeypatch.setattr(module, "PLACES", 3)
    monkeypatch.setattr(splits, "FINE", 0)
    step, through = splits._step, Splits._through
    with monkeypatch.context() as patch:
        patch.setattr(splits, "_step", lambda *given: step(*given)._replace(lost=False))
        assert min(min(all_margins(seed)) for seed in range(4)) < 0

    def rounded_up(self: Splits, *given: object) -> list[list[int]]:
        return [[a + 1 for a in row] for row in through(self, *given)]  # type: ignore[arg-type]

    monkeypatch.setattr(Splits, "_through", rounded_up)
    assert min(min(all_margins(seed)) for seed in range(4)) < 0


@pytest.mark.parametrize("count", [1, 63, 64, 65, 130])
def test_leaves_do_not_see_each_other(count: int) -> None:
    """Rows are packed; each leaf has what it has alone."""
    rng = random.Random(count)
    of, what, points = subject(rng, DENS)
    while not what.places:
        of, what, points = subject(rng, DENS)
    found = [leaf(rng, of, what, rng.choice(points))[0] for _ in range(count)]
    together = [least for _, least in what.bounded(iter(found))]
    assert together == [what.below([one])[0] for one in found]


def of_size(size: int) -> list[int]:
    """What is below y = ±2^size·x of units of two layers, three times, for x from 0 to 1."""
    proof = proof_of()
    domain = System(1, ("ge", "ge"), ((1, 0), (-1, 1)))
    rows = [[[1 << size, 0], [-1 << size, 1]], [[1, -1, 0], [-1, 1, 0]], [[1, 1, 0]]]
    of = Network(tuple(layer_of(1, row) for row in rows))
    what = Splits(proof, [of], domain)
    case = [Line(False, (0, 0), (1,))]
    one = what.summed(case, (), [1, len(what.lines), 1], what.shares)
    assert what.below([one]) * 3 == what.below([one] * 3)
    return what.below([one])


def test_coefficients_fill_their_places_and_no_more() -> None:
    """At the largest sizes that are let through nothing runs over; beyond them it is a limit."""
    let_through = []
    for size in range(30, 60):
        with contextlib.suppress(Refused):
            (least,) = of_size(size)
            assert least < 0
            let_through.append(size)
    assert let_through == list(range(30, 30 + len(let_through)))
    with pytest.raises(Refused, match="bounds-too-long"):
        of_size(let_through[-1] + 1)
