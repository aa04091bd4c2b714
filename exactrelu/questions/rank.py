"""The rank of a matrix, with its proof: a minor that is not 0, and a basis of the kernel.

rank A ≥ r by r rows and r columns whose submatrix is invertible modulo a prime: its determinant is
not 0 modulo the prime, and so it is not 0.  rank A ≤ r by n − r independent vectors x with Ax = 0,
where n is the number of columns: each of them is positive at a *free* column, where the others
are 0.

The engines have the same proof with rows and columns from 0 (:mod:`exactrelu.exact.linear`); what
users see counts from 1.  A matrix without rows has rank 0: its minor has no rows either, and every
column is free.  Over a bound there is no proof, and so no answer: the question raises
:class:`~exactrelu.effort.Stopped`.

Symbols: r ``rank``, the rows and columns of the minor ``minor``, the basis ``kernel``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Unpack

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Found
from exactrelu.certificates.evidence import rank_claim
from exactrelu.effort import Limits
from exactrelu.exact import linear
from exactrelu.exact.linear import KernelBasis, Minor
from exactrelu.exact.matrix import Matrix
from exactrelu.questions.question import Call, question


@dataclass(frozen=True, repr=False)
class ProvedRank(Found):
    """The rank of ``matrix``; ``proof`` is what the engines know, counted from 0.

    Its ``minor`` and its ``kernel`` are counted from 1.
    """

    PARTS = (
        Part("rank", "the rank", proved=True),
        Part(
            "kernel",
            "a basis of the solutions of Ax = 0",
            proved=lambda _: True,
            said=lambda found, words: words.vectors("kernel", found.kernel.vectors),
            of="basis",
        ),
    )

    matrix: Matrix
    proof: linear.RankProof

    @property
    def rank(self) -> int:
        """The rank."""
        return self.proof.rank

    @property
    def reason(self) -> str:
        """The rank, and how large it could be."""
        m, n = self.matrix.shape
        return f"rank {self.rank} of a {m} × {n} matrix"

    @property
    def is_complete(self) -> bool:
        """There is no part of a rank."""
        return True

    @property
    def is_full(self) -> bool:
        """Whether no matrix of this shape has a larger rank."""
        return self.rank == min(self.matrix.shape)

    @cached_property
    def minor(self) -> Minor:
        """Rows and columns, from 1, of a submatrix that is invertible modulo a prime."""
        found = self.proof.minor
        rows, columns = (tuple(k + 1 for k in part) for part in (found.rows, found.columns))
        return Minor(found.modulus, rows, columns)

    @cached_property
    def kernel(self) -> KernelBasis:
        """A basis of the solutions of Ax = 0; its free columns are counted from 1."""
        found = self.proof.kernel
        return replace(found, free=tuple(k + 1 for k in found.free))

    @property
    def basis(self) -> Sequence[Sequence[Any]]:
        """The vectors of the kernel."""
        return self.kernel.vectors

    @cached_property
    def certificate(self) -> Certificate:
        """The certificate of the claim ``rank``."""
        return rank_claim(self.matrix, self.proof)

    def _headline(self) -> str:
        return f"Rank: {self.rank} of {self.matrix.n_rows} × {self.matrix.n_columns}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield "rows", self.minor.rows
        yield "columns", self.minor.columns
        yield "kernel", self.kernel.vectors


@question
def rank_proof(call: Call[ProvedRank], A: Matrix, **limits: Unpack[Limits]) -> ProvedRank:
    """The rank of a matrix with a minor that proves it from below and a kernel from above.

    Parameters
    ----------
    A : Matrix
        The matrix.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    ProvedRank
        ``rank``; ``minor``, rows and columns (from 1) of an invertible submatrix; ``kernel``, whose
        ``vectors`` are a basis of {x : Ax = 0}.

    Examples
    --------
    >>> import exactrelu as er
    >>> proof = er.matrices.rank_proof(er.Matrix([[1, 2], [2, 4]]))
    >>> proof.rank, proof.kernel.vectors
    (1, ((-2, 1),))
    """
    return ProvedRank(A, linear.rank_proof(A, effort=call.effort))
