"""The largest difference against LPs on all regions of two networks, and against z3."""

import pickle
import random

import numpy as np
import pytest
import z3
from flint import fmpq

from exactrelu.effort import Effort, Stopped, clock
from exactrelu.exact.scalar import rational
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.questions.equivalence import apart, difference
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.largest import Largest
from exactrelu.questions.equivalence.within import equal_within
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.questions.equivalence.random_pairs import random_pair, random_place
from tests.questions.injectivity import solver
from tests.seeds import shifted

SEED = shifted(2606)


def test_random_pairs_within(tmp_path) -> None:
    """The largest difference against an LP on every region of both networks together."""
    rng = random.Random(SEED)
    certificates, attained = [], []
    for k in range(100):
        a, b, _ = random_pair(rng, k)
        place = random_place(rng, a.n_inputs)
        domain = place.domain
        bound = rational(rng.choice([0, "1/100", 1, 3]))
        found = equal_within(a, b, bound, domain)
        suprema = place.suprema(a, b)
        if None in suprema:
            assert (found.answer, found.largest.value) == (False, None)
            check_growth(a, b, domain, found.largest)
        else:
            assert found.largest.value == max(suprema), (SEED, k)
            assert found.answer is (max(suprema) <= bound)
            check_value(a, b, domain, found.largest)
            attained.append((place.is_flat, found.largest.is_attained))
        if not found.answer:
            x = found.witness
            assert (domain if place.is_flat else place.inside).contains(x)
            assert max(abs(f - g) for f, g in zip(a(x), b(x), strict=True)) > bound
        difference = largest_difference(a, b, domain)
        assert difference.largest == found.largest
        certificates += [found.certificate, difference.certificate]
        assert found.largest.certificate.to_bytes() == difference.certificate.to_bytes()
        assert all(c.fields["domain"]["dim"] == a.n_inputs for c in certificates[-2:])
    assert set(attained) == {(True, True), (True, False), (False, True), (False, False)}
    proofs = {(c.kind, c.holds, c.method) for c in certificates}
    assert proofs == {
        ("largest-difference", None, "cells"),
        ("largest-difference", None, "ray"),
        ("within", True, "cells"),
        ("within", False, "point"),
    }
    assert_accepted(certificates, tmp_path)


def check_value(a: Network, b: Network, domain: LinearSystem, largest: Largest) -> None:
    """The difference at the maximiser is the value; it lies where it is said to lie."""
    x, k = largest.point, largest.output - 1
    assert abs(a(x)[k] - b(x)[k]) == largest.value
    assert domain.closed().contains(x)
    assert domain.contains(x) is largest.is_attained
    assert z3_takes(a, b, domain, largest.value) is largest.is_attained


def check_growth(a: Network, b: Network, domain: LinearSystem, largest: Largest) -> None:
    """Along the ray, which stays in the domain, f − g changes by the same in every step."""
    k = largest.output - 1

    def difference(t: int) -> fmpq:
        x = tuple(p + t * d for p, d in zip(largest.point, largest.direction, strict=True))
        assert domain.contains(x)
        return a(x)[k] - b(x)[k]

    step = difference(1) - difference(0)
    assert step != 0
    far = 10**9
    assert difference(2) - difference(1) == difference(far + 1) - difference(far) == step
    assert abs(difference(far)) > abs(difference(0))


def z3_takes(a: Network, b: Network, domain: LinearSystem, value: fmpq) -> bool:
    """Whether some output differs by this much at a point of the domain, by z3."""
    x = [z3.Real(f"x{i}") for i in range(a.n_inputs)]
    differences = [
        f - g for f, g in zip(*(solver.layers(net, x)[-1] for net in (a, b)), strict=True)
    ]
    asked = z3.Solver()
    asked.add(solver.inside(domain, x))
    asked.add(z3.Or([d == sign * solver.number(value) for d in differences for sign in (1, -1)]))
    return asked.check() == z3.sat


def test_attained_or_approached_at_the_boundary() -> None:
    case = "cases/three-layers/S002-P13-hiding-translation/"
    a, b = load(case + "theta.json"), load(case + "tm11.json")
    found = equal_within(a, b, 10, LinearSystem.box([(-1, 1), (-1, 1)]))
    assert found.answer
    assert found.largest.is_attained
    line = pairs.from_tables([[[1, 0]]])
    twice = pairs.from_tables([[[2, 0]]])
    closed = LinearSystem.box([(0, 3)])
    for domain, is_attained in ((closed, True), (closed.interior(), False)):
        for found in (
            equal_within(line, twice, 3, domain),
            largest_difference(line, twice, domain),
        ):
            largest = found.largest
            assert (largest.value, largest.point, largest.is_attained) == (3, (3,), is_attained)
    # Open at the end that matters, or at the other one only.
    ends = closed.rows
    for k, is_attained in ((0, True), (1, False)):
        half_open = LinearSystem(1, (ends[1 - k], *LinearSystem(1, (ends[k],)).open().rows))
        assert largest_difference(line, twice, half_open).largest.is_attained is is_attained


# --- Over a bound


def deep(seed: int) -> Network:
    """Too large for any search to end."""
    rng = np.random.default_rng(seed)
    shapes = [(40, 5), (40, 40), (40, 40), (2, 40)]
    weights = [rng.normal(size=shape).astype(np.float32) for shape in shapes]
    return Network.from_arrays(weights, [rng.normal(size=n).astype(np.float32) for n, _ in shapes])


@pytest.fixture
def by_cells(monkeypatch):
    """No networks are too large for cells."""
    monkeypatch.setattr(apart, "MANY_NEURONS", 10**6)


def test_stopped_at_any_cell(tmp_path) -> None:
    """The largest difference is between the bounds, and the lower one is certified."""
    rng = random.Random(SEED + 1)
    certificates = []
    for k in range(40):
        a, b, _ = random_pair(rng, k)
        place = random_place(rng, a.n_inputs)
        full = largest_difference(a, b, place.domain)
        if full.n_cells < 2 or full.largest.value is None:
            continue
        assert full.lower == full.upper == full.largest.value
        assert (full.at, full.share) == (full.largest.point, 1)
        shares = []
        for n_cells in sorted({1, full.n_cells // 2, full.n_cells - 1}):
            found = largest_difference(a, b, place.domain, max_regions=n_cells)
            assert (found.answer, found.largest, found.n_cells) == (None, None, n_cells)
            assert found.reason.startswith(f"stopped at {n_cells} regions: ")
            assert found.lower <= full.lower, (SEED, k)
            assert found.upper is None or found.upper >= full.upper
            assert place.domain.contains(found.at)
            assert found.lower == max(
                abs(f - g) for f, g in zip(a(found.at), b(found.at), strict=True)
            )
            certificates.append(found.certificate)
            shares.append(found.share)
            within = equal_within(a, b, full.lower, place.domain, max_regions=n_cells)
            assert within.answer is not False
            assert (within.lower, within.upper) == (found.lower, found.upper)
            certificates.append(within.certificate)
        assert shares == sorted(shares)
        assert 0 < shares[-1] < 1
    kept = [c for c in certificates if c is not None]
    assert ("largest-difference", "point") in {(c.kind, c.method) for c in kept}
    assert_accepted(kept, tmp_path)


def test_stopped_on_a_flat_domain(tmp_path) -> None:
    """The point is one of the domain as it was given, and so is the certificate."""
    rng = random.Random(SEED + 2)
    side = LinearSystem.box([(-3, 3), (1, 1), (-3, 3)])
    a, b = (pairs.random_network(rng, (3, 4, 3, 2)) for _ in range(2))
    full = largest_difference(a, b, side)
    found = largest_difference(a, b, side, max_regions=2)
    assert full.answer
    assert found.answer is None
    assert side.contains(found.at)
    assert found.lower <= full.lower == full.upper <= found.upper
    assert max(abs(f - g) for f, g in zip(a(found.at), b(found.at), strict=True)) == found.lower
    assert_accepted([found.certificate], tmp_path)


def test_the_time_is_over_before_points_are_drawn(monkeypatch, by_cells) -> None:
    """Something is known of the point that every domain has."""

    def slow(*_: object) -> None:
        raise Stopped("stopped after 2 s")

    monkeypatch.setattr(difference, "samples", slow)
    found = largest_difference(deep(1), deep(2), "box:-1,1")
    assert found.reason.startswith("stopped after 2 s: at least ")
    assert found.lower > 0
    assert found.certificate is not None


def test_the_time_is_over(tmp_path, by_cells) -> None:
    a, b = deep(1), deep(2)
    box = LinearSystem.box([(-1, 1)] * 5)
    start = clock()
    found = largest_difference(a, b, box, timeout=0.5)
    assert clock() - start < 20
    assert found.answer is None
    assert found.reason.startswith("stopped after 0.5 s: ")
    assert found.lower is None or 0 < found.lower <= (found.upper or found.lower)
    # What is found before the tree does not depend on the clock.
    known = largest_difference(a, b, box, effort=Effort(LPs=9))
    assert 0 < known.lower < known.upper
    assert "between " in known.reason
    assert known.certificate.kind == "facts"
    assert_accepted([known.certificate], tmp_path)
    # Bounds of the whole box alone may decide.
    wide = equal_within(a, b, 10**9, box, effort=Effort(LPs=9))
    assert (wide.answer, wide.largest) == (True, None)
    assert wide.certificate.method == "bounds"
    assert_accepted([wide.certificate], tmp_path)
    no = equal_within(a, b, 0, box, timeout=0.5)
    assert (no.answer, no.largest) == (False, None)


def test_what_is_known_while_it_searches(by_cells) -> None:
    """At any moment there is what would be answered if it were the last; it can be pickled."""
    a, b = deep(1), deep(2)
    box = LinearSystem.box([(-1, 1)] * 5)
    for ask in (
        largest_difference,
        lambda *pair, effort: equal_within(*pair, 0, box, effort=effort),
    ):
        seen = []

        def report(effort: Effort, seen: list = seen) -> None:
            seen.append(pickle.loads(pickle.dumps(effort.known(Stopped("stopped")))))

        effort = Effort(seconds=1, report=report)
        last = (
            ask(a, b, box, effort=effort) if ask is largest_difference else ask(a, b, effort=effort)
        )
        known = [found for found in seen if found is not None]
        assert known
        assert all(type(found) is type(last) for found in known)
        lower = [found.lower or 0 for found in known]
        assert lower == sorted(lower)


def test_a_point_is_known_without_time() -> None:
    net = deep(1)
    box = LinearSystem.box([(-1, 1)] * 5)
    for found in (
        largest_difference(net, net, box, timeout=0),
        equal_within(net, net, 1, box, timeout=0),
    ):
        assert (found.answer, found.lower, found.upper) == (None, 0, None)
        assert found.check().is_accepted
        assert (found.n_cells, found.share) == (0, 0)
