"""Every certificate about matrices and polyhedra is accepted, and says what the engine said."""

import random
from fractions import Fraction

import pytest

from exactrelu.certificates.evidence import rank_claim, spark_claim, value_claim
from exactrelu.exact.linear import rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import trace
from exactrelu.questions.linear import is_bounded, is_nonempty, is_pointed, nonnegative_column_rank
from exactrelu.questions.singular_values import sigma_min_bounds
from tests.checking import assert_accepted
from tests.network.naive import random_network, random_point


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


def test_sparks(tmp_path) -> None:
    pairs = Matrix([[1, 0], [0, 1], [2, 0]])
    certificates = [
        spark_claim(pairs, 2, 7, [(0, -2), (2, 1)]),
        spark_claim(Matrix([[1, 0], [0, 1]]), 3, 7),
        spark_claim(Matrix([[0, 0], [0, 1]]), 1, 7, [(0, 1)]),
        spark_claim(Matrix([], 2), 1, 7),
    ]
    claims = assert_accepted(certificates, tmp_path)
    assert claims[0].startswith("fewer than 2 rows of A1 (3 x 2, ")


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
    methods = {(v.certificate.kind, v.certificate.method) for v in verdicts}
    assert len(methods) == 5
    for nonempty, claim in zip(verdicts[::2], claims[::2], strict=True):
        assert claim.endswith("has a solution" if nonempty.answer else "has no solution")
    for bounded, claim in zip(verdicts[1::2], claims[1::2], strict=True):
        assert claim.endswith("are bounded" if bounded.answer else "are unbounded")


def test_cones(tmp_path) -> None:
    rng = random.Random(14)
    verdicts = []
    for _ in range(100):
        d = rng.randint(1, 4)
        generators = [
            vector(Fraction(rng.randint(-2, 2), rng.randint(1, 3)) for _ in range(d))
            for _ in range(rng.randint(0, 5))
        ]
        verdicts.append(is_pointed(generators, dimension=d))
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


HUGE = Fraction(2) ** 1000


def test_degenerate_matrices(tmp_path) -> None:
    """No rows, no columns, only zeros, numbers of 2,000 bits."""
    certificates = []
    cones = [([], 0), ([(), ()], 0), ([], 3), ([(0, 0)], 2), ([(HUGE, 1 / HUGE)], 2)]
    cones.append(([(HUGE,), (-1 / HUGE,)], 1))
    for generators, d in cones:
        certificates.append(is_pointed(list(map(vector, generators)), dimension=d).certificate)
    for A in (Matrix([], 0), Matrix([[], []], 0), Matrix([], 3), Matrix([[0, 0]]),
              Matrix([[HUGE, 1 / HUGE]])):  # fmt: skip
        certificates += [nonnegative_column_rank(A).certificate, rank_claim(A, rank_proof(A))]
        if A.n_columns:
            bounds = sigma_min_bounds(A)
            certificates += [bounds.lower_certificate, bounds.upper_certificate]
    assert_accepted([c for c in certificates if c is not None], tmp_path)


def test_degenerate_systems(tmp_path) -> None:
    """R^0, constant rows of every sense, a point, all of space."""
    constant = [(1, Sense.AT_LEAST), (-1, Sense.AT_LEAST), (0, Sense.GREATER), (0, Sense.EQUAL),
                (5, Sense.EQUAL)]  # fmt: skip
    systems = [LinearSystem(0), LinearSystem(3)]
    for d in (0, 2):
        systems += [LinearSystem(d, (Row.of((0,) * d, b, sense),)) for b, sense in constant]
    units = (Row.of((1, 0), 0, Sense.EQUAL), Row.of((0, 1), 0, Sense.EQUAL))
    systems.append(LinearSystem(2, units))
    verdicts = [ask(system) for system in systems for ask in (is_nonempty, is_bounded)]
    assert_accepted([v.certificate for v in verdicts], tmp_path)
    bounded = [v.answer for v in verdicts[1::2]]
    assert bounded == [True, False, *[True] * 5, False, True, True, False, True, True]
