"""Every certificate that an engine writes is accepted, and says what the engine said."""

import random
from fractions import Fraction

import pytest

from exactrelu.certificates.certificate import joined
from exactrelu.certificates.evidence import (
    difference_at_least_claim,
    difference_at_most_claim,
    difference_by_intervals,
    rank_claim,
    value_claim,
)
from exactrelu.exact.linear import rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, trace
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.linear import (
    is_bounded,
    is_nonempty,
    is_pointed,
    nonnegative_column_rank,
    sigma_min_bounds,
)
from tests.checking import assert_accepted, verdicts
from tests.network.naive import random_network, random_point
from tests.questions.equivalence.random_pairs import random_pair, random_place


def random_matrix(rng: random.Random, m: int, n: int) -> Matrix:
    number = rng.choice(
        [lambda: rng.randint(-1, 1), lambda: Fraction(rng.randint(-9, 9), rng.randint(1, 7)),
         lambda: rng.gauss(0, 1)]
    )  # fmt: skip
    rows = [[number() for _ in range(n)] for _ in range(m)]
    if m > 1 and rng.random() < 0.4:
        rows[0] = rows[-1]
    return Matrix(rows, n)


def random_system(rng: random.Random) -> LinearSystem:
    d = rng.randint(0, 3)
    senses = rng.choice([[Sense.AT_LEAST], list(Sense), [Sense.GREATER, Sense.AT_LEAST]])
    rows = [
        Row.of(
            [Fraction(rng.randint(-3, 3), rng.randint(1, 3)) for _ in range(d)],
            Fraction(rng.randint(-3, 3), rng.randint(1, 3)),
            rng.choice(senses),
        )
        for _ in range(rng.randint(0, 7))
    ]
    return LinearSystem(d, tuple(rows))


def test_values(tmp_path) -> None:
    rng = random.Random(11)
    certificates = []
    for _ in range(100):
        net = random_network(rng)
        certificates.append(value_claim(net, trace(net, random_point(rng, net.n_inputs))))
    assert_accepted(certificates, tmp_path)


def test_ranks(tmp_path) -> None:
    rng = random.Random(12)
    matrices = [random_matrix(rng, rng.randint(0, 5), rng.randint(0, 5)) for _ in range(100)]
    matrices.append(Matrix([[10**5000, 1], [1, Fraction(1, 10**5000)]]))
    proofs = [rank_proof(A) for A in matrices]
    claims = assert_accepted(map(rank_claim, matrices, proofs), tmp_path)
    for claim, proof in zip(claims, proofs, strict=True):
        assert claim.endswith(f"has rank {proof.rank}")


def test_nonnegative_column_ranks(tmp_path) -> None:
    rng = random.Random(15)
    matrices = [random_matrix(rng, rng.randint(0, 4), rng.randint(0, 6)) for _ in range(80)]
    matrices.append(random_matrix(rng, 40, 60))
    matrices.append(Matrix([[abs(x) for x in row] for row in random_matrix(rng, 40, 60).rows()]))
    found = [nonnegative_column_rank(A) for A in matrices]
    claims = assert_accepted([f.certificate for f in found], tmp_path)
    assert {f.value - f.rank_proof.rank for f in found} == {0, 1}
    for claim, f in zip(claims, found, strict=True):
        assert claim.endswith(f"rank {f.rank_proof.rank} and nonnegative column rank {f.value}")


def test_polyhedra(tmp_path) -> None:
    rng = random.Random(13)
    verdicts = []
    for _ in range(150):
        system = random_system(rng)
        verdicts += [is_nonempty(system), is_bounded(system)]
    claims = assert_accepted([v.certificate for v in verdicts], tmp_path)
    kinds = {v.certificate.kind for v in verdicts}
    assert len(kinds) == 4
    for nonempty, claim in zip(verdicts[::2], claims[::2], strict=True):
        assert claim.endswith("has a solution" if nonempty.answer else "has no solution")


def test_cones(tmp_path) -> None:
    rng = random.Random(14)
    verdicts = []
    for _ in range(100):
        d = rng.randint(1, 4)
        generators = [
            vector(Fraction(rng.randint(-2, 2), rng.randint(1, 3)) for _ in range(d))
            for _ in range(rng.randint(0, 5))
        ]
        verdicts.append(is_pointed(generators, d))
    claims = assert_accepted([v.certificate for v in verdicts], tmp_path)
    assert {v.answer for v in verdicts} == {True, False}
    for verdict, claim in zip(verdicts, claims, strict=True):
        assert claim.endswith("contains no line" if verdict.answer else "contains a line")


@pytest.mark.parametrize("seed", range(3))
def test_singular_values(tmp_path, seed: int) -> None:
    rng = random.Random(seed)
    certificates = []
    for _ in range(30):
        bounds = sigma_min_bounds(random_matrix(rng, rng.randint(0, 6), rng.randint(1, 5)))
        assert 0 <= bounds.lower <= bounds.upper
        assert (bounds.lower_certificate is None) == (bounds.lower == 0)
        certificates += [bounds.upper_certificate]
        certificates += [] if bounds.lower_certificate is None else [bounds.lower_certificate]
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
