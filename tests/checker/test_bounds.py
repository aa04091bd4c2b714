"""Bounds of units on boxes: at rational points, at the edge of what fits, where they are exact."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import NamedTuple

import pytest
from box_writer import proof_of
from exactrelu_checker import bounds
from exactrelu_checker.bounds import PLACES, Bounds, Chain, Node, Step, chain_of, gap_chain
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
    return Subject(gap_chain(proof, f, g, [once, once]), joined(proof, [f, g]), 2, factor)


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


def gaps_of(chain: Chain, k: int, z: list[Fraction]) -> dict[int, Fraction]:
    """The units of a step that are no neurons: the differences of two networks."""
    n = len(chain.units[k])
    is_gap = min(chain.units[k]) > 0
    return {j: z[j] - z[j + n // 2] for j in range(n // 2)} if is_gap else {}


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
            at = dict(zip(of.chain.units[k], z, strict=True)) | gaps_of(of.chain, k, z)
            for j, value in at.items():
                low, high = node.ends[k][j]
                margins += [] if low is None else [value - low * UNIT]
                margins += [] if high is None else [high * UNIT - value]
        weights = [rng.randint(-2, 2) for _ in y]
        row = [rng.randint(-3, 3) * 10 ** rng.randint(0, 20) for _ in t]
        true = sum(map(Fraction.__mul__, map(Fraction, row), t), Fraction(0)) / of.factor
        true += sum(map(Fraction.__mul__, map(Fraction, weights), y), Fraction(0))
        # A constant so that the sum is nearly 0.
        constant = -int(true * of.factor) + rng.randint(-1, 1)
        most = what.most(node, (*row, constant), weights, of.factor)
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


def test_some_ends_are_exact() -> None:
    """Bounds that are a unit sharper would be wrong, and the test above would see it."""
    margins, wrong = all_margins(1, [1, 2], 0)
    assert not wrong
    assert min(margins) == 0


@pytest.mark.parametrize("name", ["_slack", "_end", "_relaxed"])
def test_wrong_rounding_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without slack, with ends rounded up, or with what is lost by chords rounded up by 1/64."""
    right = getattr(bounds, name)
    wrong = {
        "_slack": lambda lows: 0,
        "_end": lambda form, box: None if form is None else right(form, box) + 1,
        "_relaxed": lambda *given: (right(*given)[0], right(*given)[1] + (1 << 74)),
    }
    monkeypatch.setattr(bounds, name, wrong[name])
    dens, low = ([3, 7, 10**6 + 3], -2) if name == "_slack" else ([1, 2], 0)
    margins, _ = all_margins(2, dens, low)
    assert min(margins) < 0


def exact(step: Step, rows: list[list[int]], slopes: list[int]) -> list[int]:
    """What a step combines, without packing."""
    negative = sum(c for c in slopes if c < 0)
    columns = zip(*rows, strict=True)
    return [(sum(map(int.__mul__, slopes, column)) + negative) >> 64 for column in columns]


def packed(rows: list[list[int]]) -> Step:
    """A step with these integers over 2^64."""
    return bounds._step(proof_of(), 1 << 64, [tuple(row) for row in rows], [2] * len(rows))


@pytest.mark.parametrize("size", [0, 1, 40, 63, 64, 65, 86, 126, 127])
@pytest.mark.parametrize("seed", seeds(2, 20))
def test_packing_is_exact_up_to_its_limit(size: int, seed: int) -> None:
    """Sums of less than 2^127, with numbers at both ends of their ranges next to each other."""
    rng = random.Random(seed)
    for _ in range(20):
        count, slots = rng.randint(1, 5), rng.randint(1, 6)
        top = (1 << size) - 1
        draw = [top, -top, top, -top, 0, 1 if size else 0, -1 if size else 0]
        rows = [[rng.choice(draw) for _ in range(slots)] for _ in range(count)]
        rows[0][0] = top
        step = packed(rows)
        assert step.bits == size
        most = (1 << min(64, 127 - size)) - 1
        shares = sorted(rng.randint(0, most) for _ in range(count - 1))
        parts = [b - a for a, b in zip([0, *shares], [*shares, most], strict=True)]
        slopes = [rng.choice([1, -1]) * part for part in parts]
        assert list(step.combined(proof_of(), slopes)) == exact(step, rows, slopes)
        slopes[0] += 1 if slopes[0] > 0 or not slopes[0] else -1
        with pytest.raises(Refused, match="bounds-too-long"):
            step.combined(proof_of(), slopes)


def test_halves_of_a_slot_are_signed() -> None:
    """The upper half of each slot, the lower one as it comes: on machines of either byte order."""
    step = packed([[-1, 1, -(1 << 64), (1 << 64) - 1, 1 << 64]])
    assert list(step.combined(proof_of(), [1])) == [-1, 0, -1, 0, 1]
    assert list(step.combined(proof_of(), [-1])) == [0, -1, 0, -1, -2]


def test_a_gap_that_is_passed_on_has_a_lower_end() -> None:
    """Both neurons have a sign, and their difference is negative: it counts for the slack."""
    proof, chart = proof_of(), Chart(0, (), 1)
    f, g = (Network((layer_of(1, [[a]]), layer_of(3, [[1, 0]]))) for a in (1, 1 + (1 << 18)))
    found = Bounds(proof, gap_chain(proof, f, g, [chart, chart])).anchored(Node(()))
    assert found.ends[0][0][0] == -(1 << 18 + PLACES)
    assert found.passed[1][1] == -(2 << 18)
