"""Records that several claim kinds share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from exactrelu.exact.encode import encode_integers, encode_matrix, encode_vector
from exactrelu.exact.linear import Kernel, Minor
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, primitive
from exactrelu.exact.system import LinearSystem

#: (index, λ) with increasing indices.
Multipliers = Sequence[tuple[int, fmpq | int]]


def matrix_fields(A: Matrix) -> dict[str, Any]:
    """The fields of a claim about a matrix."""
    return {"cols": A.n_columns, "matrix": encode_matrix(A), "rows": A.n_rows}


def minor_record(minor: Minor) -> dict[str, Any]:
    """A square submatrix that is invertible modulo a number: rank at least its size."""
    return {
        "cols": list(minor.columns),
        "modulus": format(minor.modulus, "x"),
        "record": "minor",
        "rows": list(minor.rows),
    }


def kernel_record(kernel: Kernel) -> dict[str, Any]:
    """Independent kernel vectors: rank at most the number of columns less theirs."""
    return {
        "columns": list(kernel.free),
        "record": "kernel",
        "vectors": [encode_integers(v) for v in kernel.vectors],
    }


def multipliers_record(system: LinearSystem, multipliers: Multipliers) -> dict[str, Any]:
    """Multipliers of rows (row, λ), rows increasing, for the integer rows of the file.

    The file holds each row scaled by some c > 0 to integers, so its multiplier is divided by c.
    """
    rows = [i for i, _ in multipliers]
    vectors = [(*system.rows[i].normal, system.rows[i].offset) for i in rows]
    return {
        "record": "multipliers",
        "rows": rows,
        "values": _rescaled(vectors, [value for _, value in multipliers]),
    }


def integer_multipliers_record(multipliers: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Multipliers (row, λ) of rows that have these very integers in the checker too."""
    return {
        "record": "multipliers",
        "rows": [row for row, _ in multipliers],
        "values": encode_integers(value for _, value in multipliers),
    }


def dependency_record(
    name: str, vectors: Sequence[Vector], dependency: Multipliers
) -> dict[str, Any]:
    """A positive combination (index, λ) of vectors, for their primitive integer multiples."""
    indices = [i for i, _ in dependency]
    values = _rescaled([vectors[i] for i in indices], [value for _, value in dependency])
    return {"record": "dependency", name: indices, "values": values}


def cone_fields(dimension: int, generators: Sequence[Vector]) -> dict[str, Any]:
    """The fields of a claim about a cone: each generator as the smallest integers on its ray."""
    return {"dim": dimension, "generators": [encode_integers(primitive(g)) for g in generators]}


def _rescaled(vectors: Sequence[Vector], values: Sequence[fmpq | int]) -> list[str]:
    """Coefficients of ``vectors`` turned into those of their primitive integer multiples."""
    pairs = zip(vectors, values, strict=True)
    return encode_integers(primitive([value / primitive_scale(v) for v, value in pairs]))


def primitive_scale(v: Sequence[fmpq]) -> fmpq:
    """The c > 0 with primitive(v) = c·v; 1 for the zero vector."""
    for integer, value in zip(primitive(v), v, strict=True):
        if value != 0:
            return fmpq(integer) / value
    return fmpq(1)


def point_record(point: Sequence[fmpq]) -> dict[str, Any]:
    """A rational point."""
    return {"point": encode_vector(point), "record": "point"}
