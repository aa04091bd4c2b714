"""Proportional affine functions against all pairs, compared one by one."""

import random
from itertools import combinations
from multiprocessing import get_context

import pytest

from exactrelu.effort import Effort
from exactrelu.network.network import Network
from exactrelu.questions.genericity.proportional import affine_function, n_units, non_proportional
from tests.checking import assert_accepted
from tests.network.naive import random_network
from tests.questions.genericity.brute_force import (
    affine_functions,
    are_proportional,
    degenerate_network,
)
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(3))
def test_against_all_pairs(seed: int, tmp_path) -> None:
    rng = random.Random(seed)
    certificates = []
    answers = set()
    for number in range(40):
        widths = [rng.randint(1, 3) for _ in range(rng.randint(2, 4))]
        make = rng.choice([degenerate_network, random_network])
        network = make(rng, widths)
        functions = list(affine_functions(network))
        assert len(functions) == n_units(widths)
        failing = any(are_proportional(v, w) for (_, v), (_, w) in combinations(functions, 2))
        verdict = non_proportional(network)
        assert verdict.answer is not failing, (seed, number, network)
        answers.add(verdict.answer)
        certificates.append(verdict.certificate)
        for failure in verdict.witness or ():
            assert failure.first != failure.second
            assert are_proportional(*failure.functions)
            pair = (failure.first, failure.second)
            assert failure.functions == tuple(affine_function(network, unit) for unit in pair)
    assert answers == {True, False}
    assert_accepted(certificates, tmp_path)


def test_all_failures() -> None:
    network = Network.from_arrays([[[1], [2], [3], [0]]], [[1, 2, 4, 0]])
    verdict = non_proportional(network, all_failures=True)
    assert [(f.first.index, f.second.index) for f in verdict.witness] == [(0, 1), (0, 3)]
    assert non_proportional(network).witness == verdict.witness[:1]


def test_one_unit_is_proportional_to_nothing(tmp_path) -> None:
    verdict = non_proportional(Network.from_arrays([[[0, 0]]], [[0]]))
    assert verdict.answer is True
    assert_accepted([verdict.certificate], tmp_path)


def test_limits() -> None:
    network = Network.from_arrays([[[1, 2], [3, 5]], [[1, 2]]], [[1, 2], [4]])
    assert non_proportional(network, max_masks=2).answer is None
    assert non_proportional(network, max_masks=100).answer is True
    assert non_proportional(network, effort=Effort(seconds=0)).reason.startswith(
        "stopped after 0 s"
    )


def test_tables_that_do_not_fit_are_refused() -> None:
    """In a process of its own, which holds nothing that other tests left."""
    with get_context("spawn").Pool(1) as pool:
        pool.apply(tables_that_do_not_fit)


def tables_that_do_not_fit() -> None:
    """The first layers are looked at all the same."""
    most = 7 * 10**8
    rng = random.Random(1)
    network = random_network(rng, [4, 16, 16, 3])
    verdict = non_proportional(network, max_memory=most)
    assert verdict.answer is False or "affine functions needs about" in verdict.reason
    rows = [[3 * i, 2, 7] for i in range(16)]
    same = Network.from_arrays(
        [rows, [[1] * 16] * 40, [[1] * 40]], [list(range(16)), [1] * 40, [0]]
    )
    assert non_proportional(same, max_memory=most).answer is None
    twice = Network.from_arrays(
        [[*rows[:-1], rows[0]], [[1] * 16] * 40, [[1] * 40]],
        [[*range(15), 0], [1] * 40, [0]],
    )
    assert non_proportional(twice, max_memory=most).answer is False


def test_what_is_known_by_then() -> None:
    network = degenerate_network(random.Random(2), [2, 3, 3, 1])
    whole = non_proportional(network, all_failures=True)
    assert whole.answer is False
    for most in (1, 5, 20, 80):
        some = non_proportional(network, all_failures=True, max_masks=most)
        assert some.answer in (False, None)
        found = some.witness or ()
        assert found == whole.witness[: len(found)]
