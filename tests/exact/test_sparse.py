"""Sparse matrices against the dense ones that they stand for."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
from flint import fmpz

from exactrelu.errors import UnsupportedFormat
from exactrelu.exact import sparse
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import common_denominator, rational
from exactrelu.exact.sparse import SparseMatrix, is_worth_it
from exactrelu.exact.text import canonical_json, encode_matrix, matrix_pieces
from exactrelu.network.network import Layer, Network
from tests.seeds import shifted

SEED = shifted(244)


def pair(rng: random.Random, m: int, n: int, density: float = 0.3) -> tuple[Matrix, SparseMatrix]:
    """The same random matrix in both forms."""
    table = [
        [
            rational(rng.randint(-9, 9)) / rng.choice([1, 2, 3, 4])
            if rng.random() < density
            else rational(0)
            for _ in range(n)
        ]
        for _ in range(m)
    ]
    denominator = common_denominator([v for row in table for v in row])
    start, columns, numerators = [0], [], []
    for row in table:
        for j, v in enumerate(row):
            if v:
                columns.append(j)
                numerators.append(int(v.p * (denominator // v.q)))
        start.append(len(columns))
    return Matrix(table, n), SparseMatrix(m, n, start, columns, numerators, int(denominator))


def test_it_is_the_dense_matrix() -> None:
    rng = random.Random(SEED)
    for k in range(100):
        m, n = rng.randint(1, 6), rng.randint(1, 6)
        dense, found = pair(rng, m, n, rng.choice([0, 0.2, 1]))
        assert found.shape == dense.shape
        assert (found == dense, dense == found) == (True, True), (SEED, k)
        assert hash(found) == hash(dense)
        assert (found.bits, found.denominator) == (dense.bits, dense.denominator)
        assert list(found.nonzeros()) == list(dense.nonzeros())
        assert list(found.integer_nonzeros()) == list(dense.integer_nonzeros())
        assert found.n_entries == dense.n_entries
        assert (found.is_sparse, dense.is_sparse) == (True, False)
        entries = [fmpz(rng.randint(-5, 5)) for _ in range(2 * n)]
        assert found.integer_product(entries, 2) == dense.integer_product(entries, 2)
        assert found @ Matrix([[1]] * n) == dense @ Matrix([[1]] * n)
        assert found.rows() == dense.rows()
        assert b"".join(matrix_pieces(found)) == canonical_json(encode_matrix(dense)).encode()


def test_products_are_taken_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(SEED + 1)
    dense, found = pair(rng, 30, 8, 0.5)
    entries = [fmpz(rng.randint(-5, 5)) for _ in range(3 * 8)]
    for at_once in (1, 7, 50):
        monkeypatch.setattr(sparse, "_AT_ONCE", at_once)
        assert found.integer_product(entries, 3) == dense.integer_product(entries, 3)


def test_it_is_pickled_by_its_entries() -> None:
    dense, found = pair(random.Random(SEED + 2), 5, 4)
    again = pickle.loads(pickle.dumps(found))
    assert isinstance(again, SparseMatrix)
    assert again == found == dense


def test_it_differs_where_an_entry_does() -> None:
    found = SparseMatrix(2, 2, [0, 1, 1], [0], [1], 1)
    assert found != SparseMatrix(2, 2, [0, 1, 1], [1], [1], 1)
    assert found != SparseMatrix(2, 2, [0, 1, 1], [0], [2], 1)
    assert found != SparseMatrix(2, 2, [0, 1, 1], [0], [1], 2)
    assert found != SparseMatrix(2, 2, [0, 0, 1], [0], [1], 1)
    assert found != Matrix([[1, 0], [1, 0]])
    assert repr(found) == "SparseMatrix(2 × 2, 1 entries that are not 0)"


def test_a_network_of_sparse_layers_is_the_same_network() -> None:
    rng = random.Random(SEED + 3)
    for _ in range(20):
        first, second = pair(rng, 5, 4), pair(rng, 2, 6)
        plain = [Layer(first[0], (2, 5)), Layer(second[0])]
        thin = [Layer(first[1], (2, 5)), Layer(second[1])]
        a, b = Network(tuple(plain)), Network(tuple(thin))
        assert a == b
        assert a.sha256 == b.sha256
        point = [rational(rng.randint(-9, 9)) / 2 for _ in range(3)]
        assert a(point) == b(point)


def test_the_dense_matrix_is_not_made_beyond_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse, "MAX_ENTRIES", 20)
    found = SparseMatrix(3, 7, [0, 1, 1, 1], [0], [1], 1)
    with pytest.raises(UnsupportedFormat, match=r"3 × 7 entries is kept as 1 .*limit of 20"):
        found.rows()
    # What evaluation and hashes ask needs none.
    assert found.integer_product([fmpz(1)] * 7, 1) == [fmpz(1), fmpz(0), fmpz(0)]
    assert b"".join(matrix_pieces(found)).startswith(b'["1",[["1","0"')


def test_when_it_is_worth_it() -> None:
    assert not is_worth_it(1000, 1000, 10)
    assert is_worth_it(1001, 1000, 100_000)
    assert not is_worth_it(1001, 1000, 100_200)


def test_large_columns_are_kept() -> None:
    found = SparseMatrix(1, 10**6, np.array([0, 1]), np.array([999_999]), [2**80], 3)
    assert list(found.nonzeros()) == [[(999_999, rational(2**80) / 3)]]
