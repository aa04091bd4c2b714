"""The largest difference by boxes, against brute force over all joint cells."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.cells import portfolio
from exactrelu.cells.portfolio import KnowledgeStage
from exactrelu.certificates.opening import KnownPair
from exactrelu.effort import Effort, Stopped
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence import apart, within
from exactrelu.questions.equivalence.apart import Apart, is_for_boxes, short_above
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.within import equal_within
from exactrelu.questions.properties import decide as deciding
from exactrelu.questions.properties.decide import decide
from tests import linear_units
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.seeds import seeds

WIDTHS = [(1, 3, 1), (2, 3, 2), (2, 3, 2, 1), (1, 2, 2, 2)]


@pytest.fixture(autouse=True)
def by_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """All networks are large, and nothing is known of them."""
    monkeypatch.setattr(apart, "MANY_NEURONS", 0)
    monkeypatch.setattr(
        portfolio, "_FIND", {stage: lambda found, _: found for stage in KnowledgeStage}
    )
    monkeypatch.setattr(portfolio, "_LAST", [])


def largest(a: Network, b: Network, domain: LinearSystem) -> fmpq:
    """By brute force."""
    found = pairs.largest_differences(a, b, domain.interior())
    return max(value for value in found if value is not None)


@pytest.mark.parametrize("few", [deciding.FEW_INPUTS, -1])
@pytest.mark.parametrize("seed", seeds(10, 200))
def test_against_all_cells(
    seed: int, few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boxes are cut into boxes, or by signs of neurons."""
    for module in (apart, deciding):
        monkeypatch.setattr(module, "FEW_INPUTS", few)
    for module in (apart, within):
        monkeypatch.setattr(module, "decide", partial(decide, few_neurons=few))
    rng = random.Random(seed)
    widths = rng.choice(WIDTHS)
    other = widths if rng.random() < 0.6 else (widths[0], rng.randint(1, 3), widths[-1])
    a = pairs.random_network(rng, widths)
    b = pairs.changed(a, rng) if rng.random() < 0.5 else pairs.random_network(rng, other)
    box = LinearSystem.box([(-1, rng.choice([1, 2, "7/3"]))] * widths[0])
    assert is_for_boxes(KnownPair.of(a, b, Domain.of(box, widths[0])))
    found = largest_difference(a, b, box)
    expected = largest(a, b, box)
    assert (found.answer, found.lower, found.upper) == (True, expected, expected)
    assert found.largest is not None
    assert found.largest.certificate is not None
    x = found.largest.point
    k = found.largest.output - 1
    assert abs(a(x)[k] - b(x)[k]) == expected
    yes = equal_within(a, b, expected, box)
    assert yes.answer is True
    kept = [found.largest.certificate, yes.certificate]
    if expected:
        no = equal_within(a, b, expected * fmpq(999, 1000), box)
        assert no.answer is False
        y = no.witness
        assert max(abs(f - g) for f, g in zip(a(y), b(y), strict=True)) == no.lower
        kept.append(no.certificate)
    assert_accepted(kept, tmp_path)
    has_gaps = a.widths == b.widths
    if few < 0 and not has_gaps and expected:
        assert {one.method for one in kept[:2]} <= {"splits", "intervals"}


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_linear_units(seed: int, tmp_path: Path) -> None:
    """The same functions by pairs of neurons have the same difference."""
    rng = random.Random(seed)
    a, b = (linear_units.random_network(rng, n_inputs=2, n_outputs=2) for _ in range(2))
    box = LinearSystem.box([(-1, 1)] * 2)
    found = largest_difference(a, b, box)
    expected = largest(linear_units.as_pairs(a), linear_units.as_pairs(b), box)
    assert found.lower == found.upper == expected
    assert_accepted([found.certificate], tmp_path)


def test_equal_networks_on_flat_domains(tmp_path: Path) -> None:
    rng = random.Random(1)
    a = pairs.random_network(rng, (3, 4, 3, 2))
    flat = LinearSystem.box([(-3, 3), (1, 1), (-3, 3)])
    found = largest_difference(a, a, flat)
    assert (found.answer, found.lower, found.upper) == (True, 0, 0)
    b = pairs.random_network(rng, (3, 4, 3, 2))
    other = largest_difference(a, b, flat)
    side = [network.slice((0, 1, 0), [(1, 0, 0), (0, 0, 1)]) for network in (a, b)]
    assert other.lower == other.upper == largest(*side, LinearSystem.box([(-3, 3)] * 2))
    assert_accepted([found.certificate, other.certificate], tmp_path)


def test_rows_that_are_no_ends(tmp_path: Path) -> None:
    """A triangle, two of whose ends several rows show."""
    rng = random.Random(3)
    a, b = (pairs.random_network(rng, (2, 3, 1)) for _ in range(2))
    rows = (Row.of((1, 1), 2), Row.of((1, -1), 2), Row.of((-1, 0), 1))
    triangle = LinearSystem(2, rows)
    found = largest_difference(a, b, triangle)
    expected = largest(a, b, triangle)
    assert found.lower == found.upper == expected
    assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize("seed", seeds(5, 100))
def test_strict_rows(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells know whether the difference is attained; it is that of the closure."""
    rng = random.Random(seed)
    a = pairs.random_network(rng, rng.choice(WIDTHS[:3]))
    b = pairs.changed(a, rng)
    box = LinearSystem.box([(-1, rng.choice([1, 2]))] * a.n_inputs)
    rows = (row.of_sense(Sense.GREATER) if rng.random() < 0.5 else row for row in box.rows)
    domain = LinearSystem(a.n_inputs, tuple(rows))
    found = largest_difference(a, b, domain)
    assert (found.answer, found.lower) == (True, largest(a, b, box))
    assert found.largest is not None
    assert domain.contains(found.largest.point) is found.largest.is_attained
    inside = equal_within(a, b, found.lower, domain)
    assert inside.answer is True
    kept = [found.certificate, inside.certificate]
    if found.lower:
        beyond = equal_within(a, b, found.lower * fmpq(999, 1000), domain)
        assert beyond.answer is False
        assert domain.contains(beyond.witness)
        kept.append(beyond.certificate)
    assert_accepted(kept, tmp_path)
    monkeypatch.setattr(apart, "MANY_NEURONS", 10**9)
    cells = largest_difference(a, b, domain)
    assert cells.largest is not None
    assert (cells.lower, cells.largest.is_attained) == (found.lower, found.largest.is_attained)


def test_what_is_not_for_boxes() -> None:
    """A point, and what has no end."""
    a = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    for text in ("R", "orthant"):
        assert not is_for_boxes(KnownPair.of(a, a, Domain.of(text, 1)))
    assert not is_for_boxes(KnownPair.of(a, a, Domain.of([(1, 1)], 1)))
    strict = Domain.of(LinearSystem.box([(0, 1)]).open(), 1)
    assert is_for_boxes(KnownPair.of(a, a, strict))


def test_bounds_at_any_time(tmp_path: Path) -> None:
    """Both are proved; more time makes none of them worse."""
    rng = random.Random(5)
    a, b = (pairs.random_network(rng, (3, 6, 6, 2)) for _ in range(2))
    box = LinearSystem.box([(-1, 1)] * 3)
    full = largest_difference(a, b, box)
    kept = []
    for n in (1, 4, 9):
        found = largest_difference(a, b, box, effort=Effort(LPs=n))
        assert found.lower is not None
        assert found.upper is not None
        assert found.lower <= full.lower <= found.upper
        kept.append(found.certificate)
    assert_accepted(kept, tmp_path)


@pytest.mark.parametrize("has_rows", [False, True])
def test_the_proof_follows_the_search(has_rows: bool, tmp_path: Path) -> None:
    """A search that is stopped before its end has proved bounds by boxes, better and better."""
    rng = random.Random(5)
    a, b = (pairs.random_network(rng, (3, 6, 6, 2)) for _ in range(2))
    domain = LinearSystem.box([(-1, 1)] * 3)
    if has_rows:
        domain &= LinearSystem(3, (Row.of((1, 1, 3), 1), Row.of((-3, 2, -1), 3)))
    search = Apart(a, b, Domain.of(domain, 3), Effort())
    begun = search._begun()
    bounds, kept = [], []
    for _ in range(4):
        begun.advance()
        search._follow(begun, 0.0)
        for _ in range(20):
            search._proof.advance()
        search._look(search._proof)
        bounds.append(search.upper)
        kept.append(search.proved)
    assert search.n_boxes > 1
    assert search.highest.value <= bounds[-1] < bounds[0]
    assert bounds == sorted(bounds, reverse=True)
    assert_accepted(kept, tmp_path)


def test_a_short_number_above() -> None:
    for value in (1e-30, 0.1, 1.0, 12345.678, 2.0**70):
        found = short_above(value)
        assert value < float(found.p) / float(found.q) < 1.01 * value
    assert short_above(0.0) == 0


def test_stopped_at_once() -> None:
    a, b = (pairs.random_network(random.Random(k), (2, 3, 1)) for k in (1, 2))
    with pytest.raises(Stopped):
        Apart(a, b, Domain.of("box:0..1", 2), Effort(seconds=0)).run()
