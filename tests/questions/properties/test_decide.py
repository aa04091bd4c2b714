"""A property is decided, whatever the domain, and the same bytes come twice."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from exactrelu.exact.scalar import rational
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.cells import decide_exactly
from exactrelu.questions.properties.decide import beyond, decide
from exactrelu.questions.properties.property import Property
from tests.checking import assert_accepted
from tests.questions.properties.chains import case, network, one, pair
from tests.questions.properties.queries import random_query
from tests.seeds import seeds

ACAS = Path(__file__).parents[4] / "shared" / "data" / "acasxu"
#: A question that takes longer is undecided, and its test fails.
PATIENCE = 60


def asked_by(seed: int) -> Property:
    rng = random.Random(seed)
    kind = seed % 5
    if kind == 3:
        return pair(rng, is_linked=seed % 2 == 0)
    if kind == 4:
        networks = (network(rng, (1, 3, 1)), network(rng, (2, 2, 2, 1)))
        domain = Domain.of("box:-1,1", 3)
        return Property(networks, domain, (case(rng, 3, 2, 1), case(rng, 3, 2, 2)))
    return one(rng, flat=kind == 1, rows=kind == 2)


@pytest.mark.parametrize("seed", seeds(25, 500))
def test_it_agrees_with_all_cells(seed: int, tmp_path: Path) -> None:
    asked = asked_by(seed)
    found = decide(asked, few_neurons=-1, timeout=PATIENCE)
    assert found.answer is decide_exactly(asked).answer
    assert found.certificate is not None
    assert_accepted([found.certificate], tmp_path)
    if found.answer is False:
        assert found.point is not None
        assert asked.case_at(found.point) is not None


def test_both_answers_are_common() -> None:
    answers = [decide(asked_by(seed), few_neurons=-1).answer for seed in range(25)]
    assert answers.count(True) >= 5
    assert answers.count(False) >= 5


def test_the_same_bytes_come_twice() -> None:
    for seed in range(10):
        first, second = (decide(asked_by(seed), few_neurons=-1).certificate for _ in range(2))
        assert first is not None
        assert second is not None
        assert first.to_bytes() == second.to_bytes()


@pytest.mark.parametrize("seed", [1738, 1897])
def test_a_margin_of_zero_that_no_point_shows_ends(seed: int) -> None:
    """Three neurons bend near the place where it is 0, and boxes there are never closed."""
    query = random_query(random.Random(seed))
    assert decide(query.property, few_neurons=-1, timeout=PATIENCE).answer is query.holds


def triangle(offset: int, *more: Row) -> Property:
    """|x_0| + |x_1| on a triangle that no row with one coordinate bounds."""
    absolute = Network.from_arrays(
        [[[1, 0], [-1, 0], [0, 1], [0, -1]], [[1, 1, 1, 1]]], [[0] * 4, [0]]
    )
    rows = (Row.of((1, 1), 1), Row.of((1, -1), 1), Row.of((-3, 1), 3), *more)
    above = LinearSystem(3, (Row.of((0, 0, 1), -offset, Sense.GREATER),))
    return Property((absolute,), Domain.of(LinearSystem(2, rows), 2), (above,))


def test_missing_ends_come_from_several_rows(tmp_path: Path) -> None:
    # The corners are (-1, 0), (2, 3) and (2/4, -3/2): the largest sum is 5.
    found = decide(triangle(6), few_neurons=-1)
    assert found.answer is True
    assert found.certificate is not None
    assert sum(record.startswith("cut") for record in found.certificate.records) >= 4
    assert_accepted([found.certificate], tmp_path)
    assert decide(triangle(5), few_neurons=-1).answer is True
    assert decide(triangle(4), few_neurons=-1).answer is False


def test_what_has_no_ends_is_decided_by_cells(tmp_path: Path) -> None:
    absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    below = LinearSystem(2, (Row.of((0, -1), 0, Sense.GREATER),))
    found = decide(Property((absolute,), Domain.of(None, 1), (below,)), few_neurons=-1)
    assert found.answer is True
    assert found.certificate is not None
    assert_accepted([found.certificate], tmp_path)


def test_over_a_bound_it_says_how_far_it_came() -> None:
    rng = random.Random(0)
    wide = network(rng, (6, 30, 30, 1), share=0)
    far = LinearSystem(7, (Row.of((*[0] * 6, 1), -(10**5)),))
    asked = Property((wide,), Domain.of("box:-1,1", 6), (far,))
    found = decide(asked, timeout=0)
    assert found.answer is None
    assert "stopped" in found.reason
    assert 0 <= found.share <= 1


@pytest.mark.parametrize(
    ("value", "is_upper"), [("1/3", True), (7, True), (7, False), (2**60, True)]
)
def test_cuts_lie_beyond(value: object, is_upper: bool) -> None:
    exact = rational(value)
    found = rational(beyond(exact, is_upper))
    assert found > exact if is_upper else found < exact
    assert (found * 2**40).q == 1
    assert abs(found - exact) * 2**39 <= max(abs(exact), rational(1))


@pytest.mark.skipif(not ACAS.exists(), reason="the ACAS Xu networks are not here")
def test_a_network_of_the_benchmark(tmp_path: Path) -> None:
    import gzip

    import exactrelu as er

    path = tmp_path / "net.onnx"
    path.write_bytes(gzip.decompress((ACAS / "nets" / "2_1.onnx.gz").read_bytes()))
    found = er.verify(ACAS / "version1" / "prop_4.vnnlib", er.load(path))
    assert found.answer is True
    assert found.certificate is not None
    assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize("few_neurons", [0, 8])
def test_a_point_has_short_numbers_whoever_finds_it(few_neurons: int) -> None:
    """That inside the domain, and those of exact linear programs, are no finite decimals."""
    plane = Network.from_arrays([[[1, 1], [1, -1]], [[2, -4]]], [[0, 0], [-1]])
    strip = LinearSystem.box([(0, "1/11"), ("1/5", 1)])
    for offset in ("-3/7", 3):
        case = LinearSystem(3, (Row.of((-1, 0, 1), offset, Sense.GREATER),))
        found = decide(Property((plane,), Domain.of(strip, 2), (case,)), few_neurons=few_neurons)
        assert found.answer is False
        assert found.point is not None
        assert all(1000 % x.denominator == 0 for x in found.point)
        assert found.check().is_accepted
