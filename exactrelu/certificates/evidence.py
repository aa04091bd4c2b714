"""Evidence that proofs of many kinds share: minors, kernels, multipliers, points.

A rank is at least r by a square submatrix that is invertible modulo some number, and at most r by
independent vectors of the kernel.  A system has no solution if its rows, with multipliers λ ≥ 0 of
the inequalities, add up to a contradiction (Farkas, Motzkin).  The file holds each rational row
scaled by some c > 0 to the smallest integers, so the multiplier there is λ/c, and only the ray of
all multipliers matters.

"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq, fmpz

from exactrelu.certificates.certificate import Certificate, Named, Record, claim, record
from exactrelu.exact.linear import Kernel, Minor, RankProof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.exact.text import encode_integers

#: (index, λ) with increasing indices.
Multipliers = Sequence[tuple[int, fmpq | int]]


def rank_claim(A: Matrix, proof: RankProof) -> Certificate:
    """Claim ``rank``: at least by a minor modulo a prime, at most by a kernel basis."""
    records = (minor_record(proof.minor), kernel_record(proof.kernel))
    return claim("rank", records, **matrix_subject(A), rank=proof.rank)


def matrix_subject(A: Matrix) -> Named:
    """What a claim about a matrix says of it."""
    return {"cols": A.n_columns, "matrix": A, "rows": A.n_rows}


def minor_record(minor: Minor) -> Record:
    """A square submatrix that is invertible modulo a number: rank at least its size."""
    rows, columns = list(minor.rows), list(minor.columns)
    return record("minor", modulus=fmpz(minor.modulus), rows=rows, cols=columns)


def kernel_record(kernel: Kernel) -> Record:
    """Independent kernel vectors: rank at most the number of columns less theirs."""
    return record("kernel", columns=list(kernel.free), vectors=list(map(list, kernel.vectors)))


def point_record(point: Vector) -> Record:
    """A rational point."""
    return record("point", point=point)


def overfull_record(point: Vector, coefficients: Sequence[int]) -> Record:
    """A point, and integers for the neurons that are 0 there whose rows then cancel."""
    return record("overfull", point=point, coefficients=encode_integers(coefficients))


def multipliers_record(system: LinearSystem, multipliers: Multipliers) -> Record:
    """Multipliers of the rows of a system."""
    return record("multipliers", **on_primitive(rows_of(system), multipliers))


def dependency_record(dependency: Multipliers) -> Record:
    """A positive combination of columns that is 0."""
    values = primitive([fmpq(value) for _, value in dependency])
    return record("dependency", columns=[j for j, _ in dependency], values=list(values))


def on_integers(multipliers: Sequence[tuple[int, int]]) -> Named:
    """Multipliers (row, λ) of rows that have these very integers in the checker too."""
    return {
        "rows": [i for i, _ in multipliers],
        "values": encode_integers(value for _, value in multipliers),
    }


def on_primitive(vectors: Sequence[Vector], multipliers: Multipliers) -> Named:
    """Multipliers (index, λ) of vectors, turned into those of their primitive multiples."""
    values = [value / primitive_scale(vectors[i]) for i, value in multipliers]
    return {"rows": [i for i, _ in multipliers], "values": list(primitive(values))}


def several(proofs: Sequence[Named]) -> Named:
    """The entries of several proofs in one record: a list under each name."""
    return {name: [proof[name] for proof in proofs] for name in proofs[0]}


def rows_of(system: LinearSystem) -> list[Vector]:
    """The rows (a, b) of a system, as it has them."""
    return [(*row.normal, row.offset) for row in system.rows]


def primitive_scale(v: Sequence[fmpq]) -> fmpq:
    """The c > 0 with primitive(v) = c·v; 1 for the zero vector."""
    for integer, value in zip(primitive(v), v, strict=True):
        if value != 0:
            return fmpq(integer) / value
    return fmpq(1)


def part_rows(part: LinearSystem) -> list[list[fmpz]]:
    """The strict rows that cut a part out of a domain."""
    return [list(row.integers()) for row in part.rows]
