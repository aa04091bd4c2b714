"""Every certificate that an engine writes is accepted, and says what the engine said."""

import random
from fractions import Fraction

from exactrelu.certificates.certificate import joined
from exactrelu.certificates.evidence import (
    difference_at_least_claim,
    difference_at_most_claim,
    difference_by_intervals,
    value_claim,
)
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, trace
from exactrelu.questions.equivalence.difference import largest_difference
from tests.checking import assert_accepted, verdicts
from tests.network.naive import random_network, random_point
from tests.questions.equivalence.random_pairs import random_pair, random_place


def test_values(tmp_path) -> None:
    rng = random.Random(11)
    certificates = []
    for _ in range(100):
        net = random_network(rng)
        certificates.append(value_claim(net, trace(net, random_point(rng, net.n_inputs))))
    assert_accepted(certificates, tmp_path)


TINY = Fraction(1, 2**200)


def test_differences_at_least_and_at_most(tmp_path) -> None:
    """Lower bounds are taken, upper bounds are those of the checker and no less than the truth."""
    rng = random.Random(16)
    right, wrong, n_bounded, n_flat = [], [], 0, 0
    for k in range(100):
        a, b, _ = random_pair(rng, k)
        place = random_place(rng, a.n_inputs)
        largest = largest_difference(a, b, place.domain).largest
        suprema = place.suprema(a, b)
        if None not in suprema and largest.is_attained:
            assert largest.value == max(suprema)
            for bound in (largest.value, largest.value / 2):
                right.append(difference_at_least_claim(a, b, place.domain, bound, largest.point))
            more = largest.value + vector([TINY])[0]
            wrong.append(difference_at_least_claim(a, b, place.domain, more, largest.point))
            n_flat += place.is_flat
        if place.is_flat:
            continue
        upper = difference_by_intervals(a, b, place.inside)
        if upper is None:
            continue
        n_bounded += 1
        assert upper >= max(suprema)
        right.append(difference_at_most_claim(a, b, place.inside, upper))
        if upper > 0:
            less = upper - vector([TINY])[0]
            wrong.append(difference_at_most_claim(a, b, place.inside, max(less, upper / 2)))
    claims = assert_accepted(right, tmp_path)
    assert n_bounded > 10
    assert n_flat > 5
    assert sum(" differ by at least " in said for said in claims) > 30
    assert sum(" differ by at most " in said for said in claims) == n_bounded
    refused = {r.get("code", "") for r in verdicts(wrong, tmp_path)}
    assert refused == {"outputs-agree", "intervals-too-wide"}


def test_both_bounds_in_one_file(tmp_path) -> None:
    """On a closed box the lower bound is taken at a vertex; the upper one is that of its inside."""
    relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    line = Network.from_arrays([[[1]]], [[0]])
    box = LinearSystem.box([(-1, 3)])
    lower = difference_at_least_claim(relu, line, box, vector([1])[0], vector([-1]))
    upper = difference_at_most_claim(relu, line, box.open(), vector([4])[0])
    (said,) = assert_accepted([joined("facts", [lower, upper])], tmp_path)
    assert "differ by at least 1 in some output at a point of the polyhedron D of 2 rows" in said
    assert "differ by at most 4 in every output on the open polyhedron D of 2 rows" in said


def test_bounds_by_intervals_need_a_bounded_domain(tmp_path) -> None:
    line, twice = (Network.from_arrays([[[slope]]], [[0]]) for slope in (1, 2))
    assert difference_by_intervals(line, twice, LinearSystem.orthant(1)) is None
    flat = Network.from_arrays([[[0]]], [[3]])
    assert difference_by_intervals(flat, flat, LinearSystem.orthant(1)) == 0
    half = difference_at_most_claim(line, twice, LinearSystem.orthant(1).open(), vector([9])[0])
    assert [r["code"] for r in verdicts([half], tmp_path)] == ["intervals-too-wide"]
