"""Two networks on a domain where signs are known: the same answers as without, and proofs."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.cells import portfolio
from exactrelu.cells.portfolio import KnowledgeStage, known
from exactrelu.certificates.opening import KnownPair
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.apart import is_for_boxes
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.equivalence.within import equal_within
from tests.checking import assert_accepted
from tests.linear_units import as_pairs, random_domain, random_network
from tests.seeds import SEED, seeds

CASES = 12


def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known."""
    monkeypatch.setattr(
        portfolio, "_FIND", {stage: lambda found, _: found for stage in KnowledgeStage}
    )
    monkeypatch.setattr(portfolio, "_LAST", [])


def small_box(rng: random.Random, n: int) -> LinearSystem:
    """Where many neurons have one sign."""
    at = [rng.randint(-3, 3) for _ in range(n)]
    return LinearSystem.box([(x, x + fmpq(1, rng.choice((1, 2, 8)))) for x in at])


@pytest.mark.parametrize("many", [0, 10**6])
@pytest.mark.parametrize("seed", seeds(3, 200))
def test_the_same_answers(
    seed: int, many: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where small networks are taken for large ones, so that cells are asked for."""
    rng = random.Random(f"{SEED} known {seed}")
    monkeypatch.setattr("exactrelu.cells.portfolio.MANY_NEURONS", many)
    kept = []
    n_opened = 0
    for _ in range(CASES):
        n = rng.randint(1, 2)
        a = random_network(rng, n_inputs=n, n_outputs=1, most=3, kind="small")
        b = as_pairs(a) if rng.random() < 0.5 else changed(rng, a)
        domain = small_box(rng, n) if rng.random() < 0.7 else random_domain(rng, n)
        answers = []
        for is_known in (True, False):
            with monkeypatch.context() as context:
                if not is_known:
                    without(context)
                most = largest_difference(a, b, domain)
                assert most.largest is not None
                bound = fmpq(1) if most.largest.value is None else most.largest.value
                found = [equivalent(a, b, domain), most, equal_within(a, b, bound, domain)]
                answers.append([(x.answer, getattr(x, "upper", None)) for x in found])
                kept += [x.certificate for x in found if x.certificate is not None]
        assert answers[0] == answers[1]
        records = [line.split()[0] for c in kept[-6:] for line in c.records]
        n_opened += "bounds" in records or "decided" in records
    assert n_opened
    assert_accepted(kept, tmp_path)


def changed(rng: random.Random, network: Network) -> Network:
    """Another weight after a neuron, which may be off."""
    layers = list(network.layers)
    k = rng.randrange(len(layers))
    rows = [list(row) for row in layers[k].affine.flint_rows()]
    rows[rng.randrange(len(rows))][rng.randrange(len(rows[0]))] += rng.choice((-1, 1))
    layers[k] = Layer(Matrix(rows), layers[k].linear)
    return Network(tuple(layers))


def deep(rng: random.Random, widths: list[int]) -> Network:
    """Quarters as weights."""

    def numbers(n: int) -> list[fmpq]:
        return [fmpq(rng.randint(-9, 9), 4) for _ in range(n)]

    pairs = list(pairwise(widths))
    weights = [[numbers(n) for _ in range(m)] for n, m in pairs]
    return Network.from_arrays(weights, [[4 * x for x in numbers(m)] for _, m in pairs])


def test_what_differs_at_a_neuron_that_is_off(tmp_path: Path) -> None:
    """Of 60 neurons hardly any bends on a small box: one cell, where LPs would ask about each."""
    a = deep(random.Random(3), [4, 20, 20, 20, 2])
    place = Domain.of([(fmpq(k), fmpq(k) + fmpq(1, 256)) for k in range(4)], 4)
    (l, i) = next(unit for unit, sign in known(a, place).settled.items() if sign < 0)
    layers = list(a.layers)
    rows = [list(row) for row in layers[l + 1].affine.flint_rows()]
    for row in rows:
        row[i] += 1
    layers[l + 1] = Layer(Matrix(rows))
    b = Network(tuple(layers))
    assert not is_for_boxes(KnownPair.sought(a, b, place))
    same = equivalent(a, b, place)
    assert (same.answer, same.reason) == (True, "the same form on 1 cell")
    assert same.certificate is not None
    assert same.certificate.records[0].startswith("bounds ")
    most = largest_difference(a, b, place)
    assert (most.lower, most.upper) == (0, 0)
    assert_accepted([same.certificate, most.certificate], tmp_path)


def test_nothing_is_known_on_all_of_space(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes with and without."""
    rng = random.Random(5)
    pairs = [(a := random_network(rng, n_inputs=2, n_outputs=1), as_pairs(a)) for _ in range(10)]
    before = [equivalent(a, b).certificate for a, b in pairs]
    without(monkeypatch)
    assert [equivalent(a, b).certificate for a, b in pairs] == before
