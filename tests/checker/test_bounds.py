"""Bounds of units on boxes: at rational points, at the edge of what fits, where they are exact."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import NamedTuple

import pytest
from box_writer import proof_of
from exactrelu_checker import bounds
from exactrelu_checker.bounds import PLACES, Bounds, Chain, Node, Taken, chain_of
from exactrelu_checker.file import Refused
from exactrelu_checker.objects import Chart, Network, layer_of
from exactrelu_checker.property import joined

from tests.seeds import seeds

UNIT = Fraction(1, 1 << PLACES)
BOXES, POINTS = 40, 4


class Subject(NamedTuple):
    """A chain, its networks side by side, and how often each coordinate is an input."""

    chain: Chain
    network: Network
    times: int
    factor: int


def network(rng: random.Random, widths: list[int], dens: list[int]) -> Network:
    """Some weights are 0, some units linear."""
    layers = []
    for k, width in enumerate(widths[1:], 1):
        den = rng.choice(dens)
        rows = [
            [
                rng.randint(-3 * den, 3 * den) * (rng.random() < 0.8)
                for _ in range(widths[k - 1] + 1)
            ]
            for _ in range(width)
        ]
        linear = [j for j in range(width) if k < len(widths) - 1 and rng.random() < 0.2]
        layers.append(layer_of(den, rows, linear))
    return Network(tuple(layers))


def near(rng: random.Random, f: Network) -> Network:
    """A network with the same units and weights nearby."""
    layers = [
        layer_of(5 * layer.den, [[5 * w + rng.randint(-1, 1) for w in row] for row in layer.rows],
                 layer.linear) for layer in f.layers
    ]  # fmt: skip
    return Network(tuple(layers))


def subject(rng: random.Random, n: int, dens: list[int]) -> Subject:
    """A chain of one network, of two side by side, or of two by gaps, over n coordinates."""
    proof, factor = proof_of(), rng.choice([1, 3])
    inputs = tuple(tuple(factor * (i == j) for j in range(n + 1)) for i in range(n))
    once, twice = Chart(n, inputs, factor), Chart(n, inputs * 2, factor)
    hidden = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
    f = network(rng, [n, *hidden, rng.randint(1, 2)], dens)
    what = rng.randrange(3)
    if what == 0:
        return Subject(chain_of(proof, f, once), f, 1, factor)
    if what == 1:
        both = joined(proof, [f, network(rng, [n, rng.randint(1, 3), 1], dens)])
        return Subject(chain_of(proof, both, twice), both, 2, factor)
    g = near(rng, f)
    both = joined(proof, [f, g])
    return Subject(chain_of(proof, both, twice, in_pairs=True), both, 2, factor)


def values(of: Network, x: list[Fraction]) -> list[list[Fraction]]:
    """The preactivations of every layer at a point."""
    found = []
    for layer in of.layers:
        at = [*x, Fraction(1)]
        z = [sum(map(Fraction.__mul__, map(Fraction, row), at), Fraction(0)) / layer.den
             for row in layer.rows]  # fmt: skip
        x = [y if j in layer.linear else max(y, Fraction(0)) for j, y in enumerate(z)]
        found.append(z)
    return found


def nodes(rng: random.Random, what: Bounds, n: int, low: int) -> list[Node]:
    """A box with an anchor, a part of it, and the part with an anchor of its own."""
    size = int(rng.choice([2, 2**-2, 2**-19]) * 2**PLACES)
    starts = [rng.randint(low << PLACES, 2 << PLACES) for _ in range(n)]
    first = what.anchored(Node(tuple((start, start + rng.randint(0, size)) for start in starts)))
    part = []
    for below, above in first.box:
        assert below is not None
        assert above is not None
        part.append(tuple(sorted(rng.randint(below, above) for _ in range(2))))
    second = what.narrowed(first._replace(box=tuple(part)))
    return [first, second, what.anchored(second)]


def lowest(
    rng: random.Random, of: Subject, what: Bounds, node: Node
) -> tuple[list[Fraction], list[Fraction]]:
    """At points of a node: how far ends are from values; upper bounds of sums that are too low."""
    margins, wrong = [], []
    for _ in range(POINTS):
        t = [Fraction(rng.choice([*ends, rng.randint(*ends)])) * UNIT for ends in node.box]  # type: ignore[misc,arg-type]
        *hidden, y = values(of.network, t * of.times)
        for k, z in enumerate(hidden):
            pairs = of.chain.steps[k].pairs
            gaps = [z[j] - z[j + pairs] for j in range(pairs)]
            for j, value in enumerate([*z, *gaps]):
                low, high = node.ends[k][j]
                margins += [] if low is None else [value - low * UNIT]
                margins += [] if high is None else [high * UNIT - value]
        weights = [rng.randint(-2, 2) for _ in y]
        row = [rng.randint(-3, 3) * 10 ** rng.randint(0, 20) for _ in t]
        true = sum(map(Fraction.__mul__, map(Fraction, row), t), Fraction(0)) / of.factor
        true += sum(map(Fraction.__mul__, map(Fraction, weights), y), Fraction(0))
        # A constant so that the sum is nearly 0.
        constant = -int(true * of.factor) + rng.randint(-1, 1)
        most, _ = what.most(node, (*row, constant), weights, of.factor)
        assert most is not None
        total = true + Fraction(constant, of.factor)
        wrong += [total] if (most < 0 <= total) or (most == 0 < total) else []
    return margins, wrong


def all_margins(seed: int, dens: list[int], low: int) -> tuple[list[Fraction], list[Fraction]]:
    rng = random.Random(seed)
    margins, wrong = [], []
    for _ in range(BOXES):
        n = rng.randint(0, 3)
        of = subject(rng, n, dens)
        what = Bounds(proof_of(), of.chain)
        for node in nodes(rng, what, n, low):
            found = lowest(rng, of, what, node)
            margins += found[0]
            wrong += found[1]
    return margins, wrong


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_bounds_hold_at_points(seed: int) -> None:
    margins, wrong = all_margins(seed, [1, 2, 3, 7, 10**6 + 3], -2)
    assert len(margins) > 1000
    assert min(margins) >= 0
    assert not wrong


def coarse(monkeypatch: pytest.MonkeyPatch, places: int, rough: int) -> None:
    """Let numbers have few places, so that rounding is what counts."""
    monkeypatch.setattr(bounds, "FINE", places)
    monkeypatch.setattr(bounds, "_ROUGH", rough)


@pytest.mark.parametrize("seed", seeds(3, 40))
@pytest.mark.parametrize("rough", [0, 4, 40])
@pytest.mark.parametrize("places", [2, 5, 9])
def test_bounds_hold_with_few_places(
    seed: int, rough: int, places: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    coarse(monkeypatch, places, rough)
    margins, wrong = all_margins(seed, [1, 2, 3, 7, 10**6 + 3], -2)
    assert min(margins) >= 0
    assert not wrong


def test_some_ends_are_exact() -> None:
    """Bounds that are a unit sharper would be wrong, and the test above would see it."""
    margins, wrong = all_margins(1, [1, 2], -2)
    assert not wrong
    assert min(margins) == 0


@pytest.mark.parametrize("name", ["rows", "terms", "weights", "ends", "chords"])
def test_wrong_rounding_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the error of rows, terms or weights; with sharper ends; with less lost by chords."""
    floor, combined = Taken.floor, Taken.combined
    sharper, relaxed = bounds._sharper, bounds._relaxed
    wrong: dict[str, tuple[object, str, object]] = {
        "rows": (Taken, "floor", lambda self, *rest: floor(self._replace(error=0), *rest)),
        "terms": (Taken, "floor", lambda self, *rest: floor(self._replace(span=0), *rest)),
        "weights": (Taken, "combined", lambda self, *rest: combined(self._replace(size=0), *rest)),
        "ends": (bounds, "_sharper", lambda *given: (sharper(*given)[0], sharper(*given)[1] - 1)),
        "chords": (bounds, "_relaxed", lambda *given: (relaxed(*given)[0], 0)),
    }
    monkeypatch.setattr(*wrong[name])
    if name != "ends":
        coarse(monkeypatch, 1, 40)
    dens = {"weights": [3, 7, 61], "ends": [1, 2]}.get(name, [2])
    found = (all_margins(seed, dens, -2) for seed in range(10))
    assert any(min(margins) < 0 or too_low for margins, too_low in found)


def unpacked(rows: list[list[int]], weights: list[int]) -> list[int]:
    """A sum of rows, without packing."""
    columns = zip(*rows, strict=True)
    return [sum(map(int.__mul__, weights, column)) >> 72 for column in columns]


def packed(row: list[int]) -> int:
    return sum(entry << 192 * i for i, entry in enumerate(row))


@pytest.mark.parametrize("seed", seeds(4, 40))
def test_packing_is_exact_up_to_its_limit(seed: int) -> None:
    """Numbers at both ends of their ranges next to each other, and weights that add up to 2^94."""
    rng = random.Random(seed)
    for _ in range(20):
        count, slots = rng.randint(1, 5), rng.randint(1, 6)
        top = 1 << rng.choice([1, 40, 72, 95, 96])
        draw = [top - 1, -top, top - 1, -top, 0, 1, -1]
        rows = [[rng.choice(draw) for _ in range(slots)] for _ in range(count)]
        taken = Taken([packed(row) for row in rows], 0, 0, 7, slots, packed([1] * slots))
        shares = sorted(rng.randint(0, (1 << 94) - 1) for _ in range(count - 1))
        parts = [b - a for a, b in zip([0, *shares], [*shares, (1 << 94) - 1], strict=True)]
        weights = [rng.choice([1, -1]) * part for part in parts]
        whole = sum(map(int.__mul__, weights, taken.rows))
        found, error = taken.floor(whole, (1 << 94) - 1)
        expected = unpacked(rows, weights)
        assert bounds._entries(found, slots) == expected
        sums = (sum(map(int.__mul__, weights, column)) for column in zip(*rows, strict=True))
        assert error == (7 if any(x % (1 << 72) for x in sums) else 0)
        if all(-(1 << 94) <= entry < 1 << 94 for entry in expected):
            assert taken.combined(weights, 1, True) == (found, error)
            assert taken.combined(weights, 1, False) == (found, error)
        else:
            with pytest.raises(Refused, match="bounds-too-long"):
                taken.combined(weights, 1, True)
        with pytest.raises(Refused, match="bounds-too-long"):
            taken.floor(whole, 1 << 94)


@pytest.mark.parametrize("place", [0, 1, 4])
@pytest.mark.parametrize("entry", [1 << 94, -(1 << 94) - 1, 1 << 118, -(1 << 118)])
def test_a_long_entry_is_seen_in_every_slot(place: int, entry: int) -> None:
    row = [(-1) ** i * (1 << 94 if i % 2 else 94) for i in range(5)]
    taken = Taken([packed(row)], 0, 0, 1, 5, packed([1] * 5))
    assert taken.combined([1 << 72], 1 << 72, True) == (packed(row), 0)
    row[place] = entry
    taken = Taken([packed(row)], 0, 0, 1, 5, packed([1] * 5))
    with pytest.raises(Refused, match="bounds-too-long"):
        taken.combined([1 << 72], 1 << 72, True)


def test_errors_add_up() -> None:
    """Rows that are off by 5, times 3 and -1/2, rounded up; and what is weighted, if rounded."""
    taken = Taken([packed([1 << 72, 0]), packed([0, 1 << 72])], 5, 11, 100, 2, packed([1, 1]))
    weights = [3 << 72, -(1 << 71)]
    assert taken.combined(weights, 7 << 71, True) == (packed(weights), 18)
    assert taken.combined(weights, 7 << 71, False) == (packed(weights), 29)
    assert taken.floor(packed([1, 0]), 0) == (0, 100)
    assert taken.floor(packed([0, -1]), 1) == (packed([0, -1]), 101)


def test_a_gap_of_equal_units_is_0() -> None:
    """No quotient by 0."""
    proof = proof_of()
    f = Network((layer_of(1, [[1, 0]]), layer_of(1, [[1, 0]]), layer_of(1, [[1, 0]])))
    chart = Chart(1, ((1, 0), (1, 0)), 1)
    what = Bounds(proof, chain_of(proof, joined(proof, [f, f]), chart, in_pairs=True))
    node = what.anchored(Node(((-1 << PLACES, 1 << PLACES),)))
    assert node.ends[0][2] == (0, 0)
    assert what.most(node, (0, 0), [1, -1], 1)[0] == 0
