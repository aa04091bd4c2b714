"""Senses of several conditions, with one certificate; networks made generic in a sense."""

import random
from itertools import combinations, pairwise
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu.effort import Effort, clock
from exactrelu.errors import InputError, Unanswered
from exactrelu.questions.faces import is_supertransversal
from exactrelu.questions.genericity.bottleneck import generic_bottleneck
from exactrelu.questions.genericity.senses import PERTURBED_SENSES, SENSES
from tests.checking import assert_accepted
from tests.network.naive import random_network
from tests.questions.genericity.brute_force import (
    affine_functions,
    are_proportional,
    deficient_masks,
    degenerate_network,
)

# --- conjunctions, and bottlenecks by minors

CASES = Path(__file__).parents[3] / "cases"


def test_senses_agree_with_their_conditions(tmp_path) -> None:
    """Masked ranks mask by mask, functions pair by pair, supertransversality by vertices alone."""
    rng = random.Random(1)
    certificates = []
    counts: dict[tuple[str, bool | None], int] = {}
    for _ in range(25):
        widths = [rng.randint(1, 2), *(rng.randint(1, 2) for _ in range(rng.randint(1, 2))), 1]
        network = degenerate_network(rng, widths)
        verdicts = {sense: er.is_generic(network, sense=sense) for sense in SENSES}
        answers = {sense: verdict.answer for sense, verdict in verdicts.items()}
        full_ranks = not any(deficient_masks(network))
        by_vertices = is_supertransversal(network, certify=False).answer
        functions = (row for _, row in affine_functions(network))
        all_differ = not any(are_proportional(v, w) for v, w in combinations(functions, 2))
        optimum = er.has_no_zero_optimum(network).answer
        assert answers == {
            "masked-rank": full_ranks,
            "supertransversal": by_vertices,
            "generic": full_ranks and by_vertices,
            "non-proportional": all_differ,
            "general": full_ranks and all_differ and optimum,
        }
        certificates += [verdict.certificate for verdict in verdicts.values()]
        for item in answers.items():
            counts[item] = counts.get(item, 0) + 1
    assert all(counts.get((sense, True), 0) > 0 for sense in SENSES)
    assert all(counts.get((sense, False), 0) > 0 for sense in SENSES if sense != "supertransversal")
    assert_accepted(certificates, tmp_path)


def test_bottlenecks_by_minors_and_by_faces(tmp_path) -> None:
    rng = random.Random(2)
    certificates = []
    n_decided = 0
    for _ in range(60):
        n_1 = rng.randint(1, 2)
        network = degenerate_network(rng, [2, n_1, rng.randint(1, 3), 1])
        verdict = generic_bottleneck(network)
        by_faces = (
            er.is_generic(network, sense="masked-rank").answer
            and er.is_generic(network, sense="supertransversal").answer
        )
        if verdict is not None:
            assert verdict.answer is by_faces
            certificates.append(verdict.certificate)
            n_decided += 1
        assert er.is_generic(network).answer is by_faces
    assert n_decided > 40
    assert_accepted(certificates, tmp_path)


def test_all_failures_of_all_conditions() -> None:
    network = er.load(CASES / "three-layers/S002-D2-ties" / "triple.json")
    verdict = er.is_generic(network, all_failures=True)
    assert {failure._plain()["condition"] for failure in verdict.witness} == {"supertransversal"}
    doubled = er.Network.from_arrays([[[1], [1]], [[1, 2]]], [[0, 0], [1]])
    conditions = {
        f._plain()["condition"] for f in er.is_generic(doubled, all_failures=True).witness
    }
    assert conditions == {"supertransversal"}


def test_domain_matters_for_faces_only() -> None:
    network = er.Network.from_arrays([[[1, 0], [0, 1], [1, 1]], [[1, 2, 5]]], [[0, 0, 0], [1]])
    away = er.LinearSystem.box([(1, 2), (1, 2)])
    assert er.is_generic(network).answer is False
    assert er.is_generic(network, domain=away).answer is True
    assert er.is_generic(network, timeout=1e-9).answer is not True


# --- perturbed networks: certified, near, the same for one seed


def test_perturbed_networks_are_generic_and_near(tmp_path) -> None:
    rng = random.Random(1)
    certificates = []
    for _ in range(15):
        network = random_network(rng, [rng.randint(1, 3) for _ in range(rng.randint(2, 4))])
        found = er.make_generic(network, seed=3)
        assert set(found.verdicts) == set(PERTURBED_SENSES)
        certificates += [verdict.certificate for verdict in found.verdicts.values()]
        pairs = zip(network.layers, found.network.layers, strict=True)
        changes = [abs(x) for a, b in pairs for x in (a.affine - b.affine).entries()]
        assert max(changes) == found.distance < 1
        assert found.network == er.make_generic(network, seed=3).network
    assert_accepted(certificates, tmp_path)


def test_a_generic_network_stays() -> None:
    network = er.Network.from_arrays([[[1, 2], [3, 5]], [[1, 2]]], [[1, 2], [4]])
    found = er.make_generic(network)
    assert (found.network, found.distance) == (network, 0)


def test_unknown_sense_and_undecided() -> None:
    network = er.Network.from_arrays([[[1, 2], [3, 5]], [[1, 2]]], [[1, 2], [4]])
    with pytest.raises(InputError, match="expected one of generic, masked-rank"):
        er.is_generic(network, sense="odd")
    with pytest.raises(Unanswered, match="stopped after"):
        er.make_generic(network, timeout=1e-9)
    assert set(PERTURBED_SENSES) <= set(SENSES)


# --- bounds


def large(widths):
    rng = random.Random(0)
    top = 2**24
    return er.Network.from_arrays(
        [
            [[rng.randint(-top, top) for _ in range(n)] for _ in range(m)]
            for n, m in pairwise(widths)
        ],
        [[rng.randint(-top, top) for _ in range(m)] for m in widths[1:]],
    )


@pytest.mark.usefixtures("steady_clock")
@pytest.mark.parametrize("sense", SENSES)
def test_conditions_share_the_time(sense) -> None:
    verdict = er.is_generic(large((4, 16, 16, 3)), sense=sense, timeout=0.3)
    assert verdict.answer is None
    assert "stopped" in verdict.reason


@pytest.mark.parametrize("sense", SENSES)
def test_no_time_at_all(sense) -> None:
    verdict = er.is_generic(large((2, 2, 1)), sense=sense, effort=Effort(seconds=0))
    assert verdict.answer is None
    assert verdict.reason.startswith("stopped after 0 s")


def test_what_was_proved_is_said() -> None:
    network = large((2, 4, 4, 1))
    verdict = er.is_generic(network, sense="general", max_faces=3)
    assert verdict.answer is None
    assert "masked ranks are maximal" in verdict.reason
    assert "affine functions are proportional" in verdict.reason


def test_all_tries_share_the_time() -> None:
    start = clock()
    with pytest.raises(Unanswered, match="stopped"):
        er.make_generic(large((4, 16, 16, 3)), timeout=1)
    assert clock() - start < 10
    zeros = er.Network.from_arrays([[[0] * 2] * 2, [[0] * 2]], [[0] * 2, [0]])
    with pytest.raises(Unanswered, match="stopped after 0 s"):
        er.make_generic(zeros, effort=Effort(seconds=0))
