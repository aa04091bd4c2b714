"""Bounds of the difference of two networks against the largest difference itself."""

import random
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence import bounds
from exactrelu.questions.equivalence.bounds import DifferenceBound, by_intervals, difference_bounds
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.within import equal_within
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.seeds import shifted

SEED = shifted(2611)


def moved(net: Network, rng: random.Random, size: int) -> Network:
    """The same widths, each weight changed by up to 1/size."""
    change = [
        [[w + fmpq(rng.randint(-9, 9), 9 * size) for w in row] for row in rows]
        for rows in pairs.tables(net)
    ]
    return pairs.from_tables(change)


def values(found: list[DifferenceBound]) -> list[fmpq]:
    return [bound.value for bound in found]


def test_bounds_hold_and_are_proved(tmp_path: Path) -> None:
    """Against the exact supremum: of close networks, of others and of other widths."""
    rng = random.Random(SEED)
    n_better, certificates = 0, []
    for k in range(60):
        n = rng.randint(1, 3)
        widths = [n, *(rng.randint(1, 4) for _ in range(rng.randint(0, 2))), rng.randint(1, 2)]
        a = pairs.random_network(rng, widths)
        b = moved(a, rng, 100)
        if k % 3 == 1:
            b = pairs.random_network(rng, widths)
        if k % 3 == 2:
            b = pairs.random_network(rng, [n, rng.randint(1, 4), widths[-1]])
        ends = [sorted(rng.sample(range(-9, 10), 2)) for _ in range(n)]
        box = LinearSystem.box([(fmpq(p, 4), fmpq(q, 4)) for p, q in ends])
        exact = largest_difference(a, b, box).largest.value
        found = list(difference_bounds(a, b, box))
        assert values(found) == sorted(values(found), reverse=True)
        assert exact <= found[-1].value, (SEED, k)
        assert found[0] == by_intervals(a, b, Domain.of(box, n))
        certificates += [bound.certificate for bound in found]
        certificates.append(found[-1].at_most(found[-1].value + fmpq(1, 7)))
        n_better += len(found) > 1
    assert n_better > 20
    assert {c.method for c in certificates} == {"intervals", "bounds"}
    assert_accepted(certificates, tmp_path)


def test_what_is_equal_cancels() -> None:
    """A deep network and one with another bias at the end, or in the middle."""
    rng = np.random.default_rng(SEED)
    shapes = [(20, 3), (20, 20), (20, 20), (2, 20)]
    weights = [np.round(rng.normal(size=shape), 2) for shape in shapes]
    biases = [np.round(rng.normal(size=shape[0]), 2) for shape in shapes]
    net = Network.from_arrays(weights, biases)
    box = LinearSystem.box([(-1, 1)] * 3)
    last = Network.from_arrays(weights, [*biases[:3], biases[3] + 0.125])
    *_, best = difference_bounds(net, last, box)
    assert best.value <= fmpq(13, 100)
    inner = Network.from_arrays(weights, [biases[0], biases[1] + 2.0**-20, *biases[2:]])
    first, *_, best = difference_bounds(net, inner, box)
    assert best.value < fmpq(1, 100) < 100 < first.value


def test_no_bound_where_there_is_none() -> None:
    net = pairs.from_tables([[[1, 0]], [[1, 0]]])
    flat = pairs.from_tables([[[0, 1]], [[1, 0]]])
    assert list(difference_bounds(net, net, LinearSystem(1))) == []
    assert list(difference_bounds(net, flat, LinearSystem.orthant(1))) == []
    assert values(list(difference_bounds(flat, flat, LinearSystem(1)))) == [0]


def test_domains_of_all_kinds(tmp_path: Path) -> None:
    """Flat, one point, strict, with other rows: what is proved is about the domain as written."""
    rng = random.Random(SEED + 1)
    a, b = (pairs.random_network(rng, (2, 4, 3, 1)) for _ in range(2))
    box = LinearSystem.box([(-1, 1)] * 2)
    extra = {
        "flat": Row.of((1, -2), fmpq(1, 3), Sense.EQUAL),
        "strict": Row.of((1, 1), 1, Sense.GREATER),
    }
    places = [box & LinearSystem(2, (row,)) for row in extra.values()]
    places += [LinearSystem.box([(1, 1), (0, 0)]), LinearSystem.box([(0, 0), (-2, 3)])]
    places.append(box.open())
    certificates = []
    for place in places:
        exact = largest_difference(a, b, place).largest.value
        found = list(difference_bounds(a, b, place))
        assert found
        assert exact <= min(values(found))
        certificates += [bound.certificate for bound in found]
    assert_accepted(certificates, tmp_path)


def test_linear_units_and_no_hidden_layer(tmp_path: Path) -> None:
    rng = random.Random(SEED + 2)
    linear = pairs.random_network(rng, (2, 1))
    mixed = pairs.random_network(rng, (2, 3, 1))
    mixed = Network((Layer(mixed.layers[0].affine, (2,)), mixed.layers[1]))
    box, certificates = LinearSystem.box([(-1, 2)] * 2), []
    for a, b in ((linear, linear), (linear, mixed), (mixed, mixed)):
        exact = largest_difference(a, b, box).largest.value
        found = list(difference_bounds(a, b, box))
        assert exact <= min(values(found))
        certificates += [bound.certificate for bound in found]
    assert_accepted(certificates, tmp_path)


def test_weights_that_no_float_holds() -> None:
    """Then intervals have to do."""
    huge = pairs.from_tables([[[fmpq(2) ** 2000, 0]], [[1, 0]]])
    zero = pairs.from_tables([[[0, 0]], [[1, 0]]])
    assert values(list(difference_bounds(huge, zero, LinearSystem.box([(0, 1)])))) == [
        fmpq(2) ** 2000
    ]


def test_a_search_that_stops_is_certified_by_them(tmp_path: Path) -> None:
    """Within a bound that box bounds show: yes, though cells were not all searched."""
    rng = random.Random(SEED + 3)
    certificates, methods = [], set()
    for _ in range(12):
        a = pairs.random_network(rng, (2, 5, 4, 1))
        b, box = moved(a, rng, 10_000), LinearSystem.box([(-1, 1)] * 2)
        *_, best = difference_bounds(a, b, box)
        found = equal_within(a, b, best.value, box, max_regions=1)
        assert found.answer
        certificates.append(found.certificate)
        methods.add(found.certificate.method)
        below = largest_difference(a, b, box, max_regions=1)
        if below.answer is None:
            assert below.upper == best.value
            assert below.certificate.kind == "facts"
            certificates.append(below.certificate)
    assert "bounds" in methods
    assert_accepted(certificates, tmp_path)


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over a bound nothing; too large, intervals only."""
    rng = random.Random(SEED)
    a = pairs.random_network(rng, (2, 3, 3, 1))
    b, box = moved(a, rng, 1000), LinearSystem.box([(-1, 1)] * 2)
    with pytest.raises(Stopped):
        list(difference_bounds(a, b, box, Effort(seconds=0)))
    assert len(list(difference_bounds(a, b, box))) > 1
    monkeypatch.setattr(bounds, "MAX_PRODUCTS", 10)
    (only,) = difference_bounds(a, b, box)
    assert only.method == "intervals"
