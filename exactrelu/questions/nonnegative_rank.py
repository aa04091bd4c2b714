"""The nonnegative column rank rank₊(A): the least k with A = U B, U m × k, B ≥ 0.

(The *semi-nonnegative rank* of Gillis & Kumar 2015.)  Theorem [theory 1.5]:
rank A ≤ rank₊ A ≤ rank A + 1, with rank₊ A = rank A iff the cone of the nonzero
columns is pointed.

- Pointed: a simplicial cone with r = rank A generators U contains the columns.
- Not pointed: with A = U B, U a basis of columns, s_j = max(0, −min_i B_ij):
  A = [U, −U·1] [B + 1·sᵀ; sᵀ].  There is no factorisation with r columns: λ ≥ 0 with
  Aλ = 0 would give Bλ = 0 (U has independent columns), so B would vanish at the
  columns with λ_j > 0, but these are not 0.

Symbols: U ``left``, B ``right``, r ``rank_proof.rank``, k ``value``, λ ``dependency``.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, claim, record
from exactrelu.certificates.evidence import (
    dependency_record,
    kernel_record,
    matrix_subject,
    minor_record,
)
from exactrelu.exact.linear import RankProof, inverse, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.polyhedra.cones import NotPointed, pointedness, simplicial_container
from exactrelu.polyhedra.integer_rows import Multipliers


@dataclass(frozen=True)
class NonnegativeColumnRank:
    """rank₊ of ``matrix`` = ``value``, with the proof of both bounds.

    matrix = ``left`` · ``right`` with ``right`` ≥ 0 and ``value`` columns in ``left`` is the
    upper bound.  The lower bound is the rank, and, where ``value`` exceeds it,
    ``dependency``: positive integers λ_j on nonzero columns j with Σ λ_j a_j = 0.
    """

    matrix: Matrix
    value: int
    rank_proof: RankProof
    left: Matrix
    right: Matrix
    dependency: Multipliers | None

    @property
    def is_pointed(self) -> bool:
        """Whether the cone of the nonzero columns contains no line."""
        return self.dependency is None

    @property
    def certificate(self) -> Certificate:
        """The certificate of the claim ``nonnegative-column-rank``."""
        proof = self.rank_proof
        records = [record("factors", left=self.left, right=self.right), minor_record(proof.minor)]
        if self.dependency is not None:
            records += [kernel_record(proof.kernel), dependency_record(self.dependency)]
        subjects = {"nonnegative_column_rank": self.value, "rank": proof.rank}
        return claim("nonnegative-column-rank", records, **matrix_subject(self.matrix), **subjects)

    def verify(self) -> bool:
        """Check the factors and the dependency; the rank has its own proof."""
        A = self.matrix
        expected = self.rank_proof.rank + (not self.is_pointed)
        factors = (
            self.left.n_columns == self.value == expected
            and self.left @ self.right == A
            and all(entry >= 0 for entry in self.right.entries())
        )
        if self.dependency is None:
            return factors
        columns = [A.column(j) for j in range(A.n_columns)]
        return factors and NotPointed(self.dependency).verify(columns)


def nonnegative_column_rank(A: Matrix) -> NonnegativeColumnRank:
    """rank₊ A with its factors and its proof.

    >>> nonnegative_column_rank(Matrix([[1, 0, -1], [0, 1, -1]])).dependency
    ((0, 1), (1, 1), (2, 1))
    >>> wedge = nonnegative_column_rank(Matrix([[1, 0, 1], [0, 1, 5]]))
    >>> wedge.value, wedge.left @ wedge.right
    (2, Matrix([[1, 0, 1], [0, 1, 5]]))
    """
    proof = rank_proof(A)
    # On the column space the rows I of the minor are coordinates: dependencies and
    # pointedness of the columns are those of A[I, :].
    local = A.take(rows=proof.minor.rows)
    columns = [local.column(j) for j in range(A.n_columns)]
    answer = pointedness(columns, proof.rank)
    if isinstance(answer, NotPointed):
        left, right = _with_opposite(A, local, proof)
        return NonnegativeColumnRank(A, proof.rank + 1, proof, left, right, answer.dependency)
    cone = simplicial_container(A, proof.minor, answer.functional)
    return NonnegativeColumnRank(A, proof.rank, proof, cone.generators, cone.coefficients, None)


def _with_opposite(A: Matrix, local: Matrix, proof: RankProof) -> tuple[Matrix, Matrix]:
    """[U, −U·1] and [B + 1·sᵀ; sᵀ] for a basis U of columns."""
    basis = A.take(columns=proof.minor.columns)
    coordinates = inverse(local.take(columns=proof.minor.columns)) @ local
    shifts = [_shift(coordinates.column(j)) for j in range(A.n_columns)]
    s = Matrix.from_entries(1, A.n_columns, shifts)
    ones = Matrix.from_entries(proof.rank, 1, [ONE] * proof.rank)
    return basis.beside(-(basis @ ones)), (coordinates + ones @ s).above(s)


def _shift(column: tuple[fmpq, ...]) -> fmpq:
    """The least s ≥ 0 with column + s ≥ 0."""
    return max(ZERO, *(-entry for entry in column))
