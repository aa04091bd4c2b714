"""Evidence that proofs of many kinds share: values, minors, kernels, multipliers, factors.

A rank is at least r by a square submatrix that is invertible modulo some number, and at most r by
independent vectors of the kernel.  A system has no solution if its rows, with multipliers λ ≥ 0 of
the inequalities, add up to a contradiction (Farkas, Motzkin).  A claim holds each rational row of a
system scaled by some c > 0 to the smallest integers, so the multiplier there is λ/c; the rows of a
matrix are scaled by one number, so those of its rows are λ itself.  Only the ray of all multipliers
matters.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, claim, record
from exactrelu.exact.linear import KernelBasis, Minor, RankProof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Evaluation, Network, layer_signs

#: (index, λ) with increasing indices.
Multipliers = Sequence[tuple[int, fmpq | int]]


def value_claim(network: Network, evaluation: Evaluation) -> Certificate:
    """Claim ``value``: the output and the signs at a point, which the checker computes itself."""
    signs = list(map(layer_signs, evaluation.pattern))
    at, output = evaluation.flint_point, evaluation.flint_output
    return claim("value", "evaluation", network=network, point=at, output=output, signs=signs)


def rank_claim(A: Matrix, proof: RankProof) -> Certificate:
    """Claim ``rank``: at least by a minor modulo a prime, at most by a kernel basis.

    >>> from exactrelu.exact.linear import rank_proof
    >>> A = Matrix([[1, 2], [2, 4]])
    >>> rank_claim(A, rank_proof(A)).records[1]
    'kernel 1 -2 1'
    """
    records = (minor_record(proof.minor), kernel_record(proof.kernel))
    return claim("rank", "minor", records, matrix=A, rank=proof.rank)


def spark_claim(
    A: Matrix, spark: int, modulus: int, combination: Multipliers | None = None
) -> Certificate:
    """Claim ``spark``: fewer rows of A are independent, all of them modulo a number.

    ``combination`` (row, λ) of ``spark`` rows is 0; there is none if all rows are independent.
    """
    records = [record("independent", modulus)]
    if combination is not None:
        rows, values = zip(*combination, strict=True)
        records.insert(0, record("combination", *rows, *primitive(list(map(fmpq, values)))))
    return claim("spark", "independent", records, matrix=A, spark=spark)


def minor_record(minor: Minor) -> str:
    """A square submatrix that is invertible modulo a number: rank at least its size.

    >>> minor_record(Minor(7, (0, 2), (1, 3)))
    'minor 7 0 2 1 3'
    """
    return record("minor", minor.modulus, *minor.rows, *minor.columns)


def kernel_record(kernel: KernelBasis) -> str:
    """Independent kernel vectors: rank at most the number of columns less theirs."""
    return record("kernel", *kernel.free, *(x for v in kernel.flint_vectors for x in v))


def multipliers_record(system: LinearSystem, multipliers: Multipliers) -> str:
    """Multipliers of the rows of a system, turned into those of the integers of the claim.

    >>> from exactrelu.exact.system import Row, Sense
    >>> half = Row((fmpq(1, 2),), fmpq(0), Sense.GREATER)
    >>> below = Row((fmpq(-1),), fmpq(0), Sense.AT_LEAST)
    >>> multipliers_record(LinearSystem(1, (half, below)), [(0, 2), (1, 1)])
    'multipliers 2 0 1 1 1'
    """
    rows = [(*row.flint_normal, row.flint_offset) for row in system.rows]
    found = [(i, value / primitive_scale(rows[i])) for i, value in multipliers]
    return record("multipliers", *weights2(found))


def dependency_record(dependency: Multipliers) -> str:
    """A positive combination of rows, or of columns, of a matrix that is 0."""
    return record("dependency", *weights2(dependency))


def weights2(multipliers: Multipliers) -> list[int]:
    """m r_1 λ_1 … r_m λ_m with the smallest integers λ on the ray.

    >>> weights2([(4, fmpq(1, 2)), (5, fmpq(3))])
    [2, 4, 1, 5, 6]
    """
    values = primitive([fmpq(value) for _, value in multipliers])
    pairs = zip(multipliers, values, strict=True)
    return [len(multipliers), *(int(x) for (i, _), value in pairs for x in (i, value))]


def matrix_record(word: str, A: Matrix) -> str:
    """A rational matrix of a shape that is known: its denominator, then its rows."""
    numerators, denominator = A.integer_form
    return record(word, denominator, *(x for row in numerators.tolist() for x in row))


def factor_record(factor: Matrix, word: str = "factor") -> str:
    """A lower triangular matrix: its denominator, then the entries l_11, l_21, l_22, …

    >>> factor_record(Matrix([[1, 0], [fmpq(1, 2), 1]]))
    'factor 2 2 1 2'
    """
    numerators, denominator = factor.integer_form
    lower = (x for i, row in enumerate(numerators.tolist()) for x in row[: i + 1])
    return record(word, denominator, *lower)


def primitive_scale(v: Sequence[fmpq]) -> fmpq:
    """The c > 0 with primitive(v) = c·v; 1 for the zero vector."""
    for integer, value in zip(primitive(v), v, strict=True):
        if value != 0:
            return fmpq(integer) / value
    return fmpq(1)
