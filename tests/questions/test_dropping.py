import random

import pytest
from flint import fmpq

from exactrelu.effort import Limit
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import parse_domain
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.equivalence.simplify import candidates, drop_dead, equal_without_dead
from exactrelu.questions.equivalence.witness import samples
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.seeds import shifted

SEED = shifted(1748)


@pytest.mark.parametrize("is_swapped", [False, True])
def test_a_dead_neuron_behind_twenty(is_swapped, tmp_path) -> None:
    """Neuron (3,3) is dead on R^8; a tree of 7 nodes says so, cells would be far too many."""
    net, small = (load(f"cases/dead-behind-twenty/{name}.json") for name in ("N", "small"))
    verdict = equivalent(small, net) if is_swapped else equivalent(net, small)
    assert verdict.answer is True
    assert verdict.reason == "isomorphic without 1 neuron that is never active"
    assert [r["record"] for r in verdict.certificate.records].count("bound") == 4
    assert_accepted([verdict.certificate], tmp_path)


def with_dead_neurons(net: Network, rng: random.Random, n: int) -> Network:
    """More neurons −Σ c·s(u) − d, in hidden layers but the first."""
    layers = pairs.tables(net)
    for _ in range(n):
        l = rng.randrange(1, len(layers) - 1)
        place = rng.randrange(len(layers[l]) + 1)
        width = len(layers[l][0]) - 1
        layers[l].insert(place, [-rng.randint(0, 3) for _ in range(width + 1)])
        for row in layers[l + 1]:
            row[place:place] = [fmpq(rng.randint(-3, 3))]
    return pairs.from_tables(layers)


def test_planted_pairs(tmp_path) -> None:
    rng = random.Random(SEED)
    certificates = []
    for k in range(60):
        widths = [rng.randint(1, 4), rng.randint(2, 5), rng.randint(2, 4), rng.randint(1, 2)]
        net = pairs.random_network(rng, widths)
        a = with_dead_neurons(net, rng, rng.randint(0, 2))
        b = with_dead_neurons(pairs.symmetric(net, rng), rng, rng.randint(1, 2))
        domain = parse_domain(rng.choice(["R", "box:-1,2"]), net.n_inputs).interior()
        verdict = equal_without_dead(a, b, domain, samples(domain), Limit(None, None))
        changed = pairs.changed(b, rng)
        other = equal_without_dead(a, changed, domain, samples(domain), Limit(None, None))
        if other is not None:
            assert pairs.are_equal(a, changed, domain), (SEED, k)
            certificates.append(other.certificate)
        if verdict is None:
            continue
        assert verdict.answer
        certificates.append(verdict.certificate)
    assert len(certificates) > 40
    assert_accepted(certificates, tmp_path)


def far(row: list[int]) -> Network:
    """The second neuron of the second layer is active far from 0 only, or never."""
    return pairs.from_tables([[[1, 0], [-1, 0]], [[1, 2, 0], row], [[1, 1, 0]]])


def test_a_neuron_that_is_active_far_away_stays(tmp_path) -> None:
    domain = LinearSystem(far([1, 0, 0]).n_inputs)
    alive, dead = far([1, 0, -(10**9)]), far([-1, 0, -(10**9)])
    points = samples(domain)
    for net in (alive, dead):
        assert (1, 1) in candidates(net, points)
    assert drop_dead(alive, domain, [(1, 1)]) == (alive, ())
    small, steps = drop_dead(dead, domain, [(1, 1)])
    assert small.widths == (1, 2, 1, 1)
    assert len(steps) == 1
    assert equivalent(alive, small).answer is False
    assert equivalent(alive, dead).answer is False
    moved = equivalent(alive, pairs.symmetric(alive, random.Random(SEED)))
    same = equivalent(dead, pairs.symmetric(small, random.Random(SEED)))
    assert (moved.answer, same.answer) == (True, True)
    assert (moved.certificate.kind, same.certificate.kind) == ("isomorphic", "equal-by-rewriting")
    assert_accepted([moved.certificate, same.certificate], tmp_path)


def test_the_last_neuron_of_a_layer_stays() -> None:
    net = pairs.from_tables([[[1, 0]], [[-1, 0]], [[1, 0]]])
    domain = LinearSystem(net.n_inputs)
    assert drop_dead(net, domain, candidates(net, samples(domain))) == (net, ())
    assert equal_without_dead(net, net, domain, samples(domain), Limit(None, None)) is None


def test_no_time() -> None:
    net, small = (load(f"cases/dead-behind-twenty/{name}.json") for name in ("N", "small"))
    domain = LinearSystem(net.n_inputs)
    assert equal_without_dead(net, small, domain, samples(domain), Limit(None, 0.0)) is None
    assert equivalent(net, small, timeout=0.0).answer is None
