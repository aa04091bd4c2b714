"""Directed spanning sets, and the spark of a matrix (Puthawala et al., section 2.1).

W is a *directed spanning set* (DSS) with respect to x if the rows with w·x ≥ 0 span R^n (they
need not be a basis, as the paper has it); s(W·) is injective iff W is one for every x.  The
*spark* is the size of the smallest dependent set of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpz

from exactrelu.certificates.certificate import Certificate, claim, record
from exactrelu.certificates.evidence import matrix_subject, rank_claim
from exactrelu.complex.search import Limit
from exactrelu.errors import ShapeError
from exactrelu.exact.linear import RankProof, nullspace, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import word_primes
from exactrelu.exact.scalar import ZERO, Vector, primitive, vector
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.injective import is_injective
from exactrelu.questions.injectivity.residuals import Residuals, residuals
from exactrelu.verdict import Verdict


@dataclass(frozen=True)
class ActiveRows:
    """The rows (from 0) with w·x + b ≥ 0 at a point, and the rank of their normals."""

    rows: tuple[int, ...]
    proof: RankProof
    certificate: Certificate


def active_rows(weights: Matrix, bias: Vector, x: Iterable[Any]) -> ActiveRows:
    """The rows of a layer that are active at x; the certificate is about their rank."""
    point = vector(x)
    if len(point) != weights.n_columns:
        raise ShapeError(f"a point of {len(point)} coordinates, expected {weights.n_columns}")
    values = zip(weights.apply(point), bias, strict=True)
    rows = tuple(i for i, (a, b) in enumerate(values) if a + b >= 0)
    submatrix = weights.take(rows=rows)
    proof = rank_proof(submatrix)
    return ActiveRows(rows, proof, rank_claim(submatrix, proof))


def is_directed_spanning_set(W: Matrix, x: Iterable[Any] | None = None) -> Verdict:
    """Whether the rows with w·x ≥ 0 span R^n, at one point or, by default, at all.

    At a point the certificate gives the rank of these rows; the witness is their list (from 1).
    Everywhere it is that of an injective layer, and a no has two points with one image.

    >>> W = Matrix([[1, 0], [0, 1], [-1, -1]])
    >>> is_directed_spanning_set(W, (1, 1)).answer, is_directed_spanning_set(W).answer
    (True, False)
    """
    bias = (ZERO,) * W.n_rows
    if x is None:
        network = Network((Layer.of(W, bias), Layer.of([[1] * W.n_rows], [0])))
        return is_injective(network, 1)
    found = active_rows(W, bias, x)
    spans = found.proof.rank == W.n_columns
    reason = f"{len(found.rows)} rows are active, of rank {found.proof.rank}"
    return Verdict(spans, reason, tuple(i + 1 for i in found.rows), found.certificate)


@dataclass(frozen=True)
class Spark:
    """``value`` is None where it is only known to be over ``at_least`` − 1, or where there is
    no dependent set (``at_least`` is m + 1 then); ``rows`` (from 1) is a dependent set.
    """

    value: int | None
    at_least: int
    rows: tuple[int, ...] | None
    certificate: Certificate | None


def spark(W: Matrix, *, max_sets: int | None = None, timeout: float | None = None) -> Spark:
    """The size of the smallest dependent set of rows; independent rows have none.

    All sets of rows are tried, the smaller ones first; independence modulo a prime is
    independence.

    >>> spark(Matrix([[1, 0], [0, 1], [2, 0]])).rows
    (1, 3)
    >>> spark(Matrix([[1, 0], [0, 1]])).value is None
    True
    """
    limit = Limit(max_sets, timeout)
    subject = matrix_subject(W)
    normals = [tuple(map(int, row)) for row in W.integer_form[0].tolist()]
    for prime in word_primes():
        # Smaller sets of rows are independent modulo the prime.
        modulus = record("independent", modulus=fmpz(prime))
        start = residuals(normals, (), W.n_columns, prime)
        size, rows = _smallest(start, limit)
        if rows is None:
            proved = claim("spark", [modulus], **subject, spark=size) if size > W.n_rows else None
            return Spark(None, size, None, proved)
        factors = nullspace(W.take(rows=rows).T)
        if factors:
            zero = record("combination", rows=list(rows), values=list(primitive(factors[0])))
            certificate = claim("spark", [zero, modulus], **subject, spark=len(rows))
            return Spark(len(rows), len(rows), tuple(k + 1 for k in rows), certificate)
    raise ArithmeticError("every prime is unlucky: a bug")


def _smallest(start: Residuals, limit: Limit) -> tuple[int, Sequence[int] | None]:
    """The first dependent set modulo the prime, by size; all smaller sets are independent."""
    m = len(start.rows)
    level: list[tuple[tuple[int, ...], Residuals]] = [((), start)]
    n_sets = 0
    for size in range(1, m + 1):
        following = []
        for rows, span in level:
            first = rows[-1] + 1 if rows else 0
            for k in range(first, m):
                n_sets += 1
                if limit.is_exceeded(n_sets):
                    return size, None
                if not span.outside[k]:
                    return size, (*rows, k)
            following += [((*rows, k), span.with_row(k)) for k in range(first, m - 1)]
        level = following
    return m + 1, None
