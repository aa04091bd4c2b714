"""The largest difference against LPs on all regions of two networks, and against z3."""

import random

import z3
from flint import fmpq

from exactrelu.certificates.certificate import NO_CERTIFICATE
from exactrelu.exact.scalar import rational
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.questions.equivalence.difference import Largest, equal_within, largest_difference
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
        if place.is_flat:
            for verdict in (found, difference):
                assert verdict.certificate is None
                assert verdict.reason.endswith(NO_CERTIFICATE)
            assert found.largest.certificate is None
        else:
            certificates += [found.certificate, difference.certificate]
            assert found.largest.certificate.to_bytes() == difference.certificate.to_bytes()
    assert set(attained) == {(True, True), (True, False), (False, True), (False, False)}
    kinds = {c.kind for c in certificates}
    assert kinds >= {"largest-difference", "unbounded-difference", "equal-within"}
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
    case = "cases/S002-P13-hiding-translation/"
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
