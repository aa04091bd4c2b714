"""Proof records that several rules share.

``minor``        a square submatrix that is invertible modulo q >= 2: rank >= its size.
``kernel``       n - r integer vectors with A·v = 0 and a positive diagonal block: rank <= r.
``multipliers``  weights on rows of a system whose normals then cancel.
``dependency``   a positive combination of nonzero vectors that is 0.
``point``        a solution of a system.
"""

from collections.abc import Sequence

from .budget import Budget
from .canonical import Fields
from .integers import Rows, dot, is_invertible_modulo
from .reader import Certificate
from .system import System
from .values import (
    read_indices,
    read_integer,
    read_list,
    read_rational_vector,
    read_vector,
)
from .verdicts import Reason, Refused

_MINOR_FIELDS = frozenset({"cols", "modulus", "rows"})
_KERNEL_FIELDS = frozenset({"columns", "vectors"})
MULTIPLIERS_FIELDS = frozenset({"rows", "values"})
_POINT_FIELDS = frozenset({"point"})


def check_minor(
    certificate: Certificate, rows: Rows, width: int, size: int, budget: Budget
) -> list[int]:
    """Check that a matrix has rank >= size; return the indices of the rows that show it.

    A determinant that is a unit modulo q >= 2 is not 0 in the integers.
    """
    record = certificate.record("minor", _MINOR_FIELDS)
    chosen = read_indices(record["rows"], len(rows))
    across = read_indices(record["cols"], width)
    if len(chosen) != size or len(across) != size:
        raise Refused(
            Reason.MINOR_SIZE, f"a minor of {len(chosen)} x {len(across)}, {size} x {size} needed"
        )
    modulus = read_integer(record["modulus"], budget)
    if modulus < 2:
        raise Refused(Reason.MODULUS_TOO_SMALL, "modulo 1 every matrix is invertible")
    submatrix = [[rows[i][j] for j in across] for i in chosen]
    if not is_invertible_modulo(submatrix, modulus, budget):
        raise Refused(Reason.NO_UNIT_PIVOT, "elimination finds no unit in some column")
    return chosen


def check_kernel(
    certificate: Certificate, rows: Rows, width: int, rank: int, budget: Budget
) -> None:
    """Check that a matrix of the given width has at most the given rank."""
    read_kernel(certificate, rows, width, budget, rank)


def read_kernel(
    certificate: Certificate, rows: Rows, width: int, budget: Budget, rank: int | None = None
) -> int:
    """Return an upper bound of the rank of a matrix of the given width, a given one if there is.

    The vectors lie in the kernel, and their block on the free columns is diagonal and positive,
    so that they are independent: dim ker >= their number.
    """
    record = certificate.record("kernel", _KERNEL_FIELDS)
    free = read_indices(record["columns"], width)
    if rank is not None and len(free) != width - rank:
        raise Refused(Reason.KERNEL_SIZE, f"{len(free)} vectors, {width - rank} needed")
    for column, entries in zip(free, read_list(record["vectors"], len(free)), strict=True):
        vector = read_vector(entries, width, budget)
        if vector[column] <= 0 or any(vector[other] for other in free if other != column):
            raise Refused(Reason.KERNEL_BLOCK, f"the block of free column {column} is not diagonal")
        if any(dot(row, vector, budget) for row in rows):
            raise Refused(Reason.NOT_IN_KERNEL, f"the vector of column {column} is not a zero of A")
    return width - len(free)


def check_multipliers(
    certificate: Certificate, system: System, budget: Budget
) -> tuple[list[int], tuple[int, ...]]:
    """Read a record of multipliers on rows of a system that cancel the normals."""
    return read_multipliers(certificate.record("multipliers", MULTIPLIERS_FIELDS), system, budget)


def read_multipliers(
    record: Fields, system: System, budget: Budget
) -> tuple[list[int], tuple[int, ...]]:
    """Return rows of a system and multipliers on them that cancel the normals.

    A multiplier is not 0, and positive on an inequality.
    """
    used = read_indices(record["rows"], len(system.rows))
    values = read_vector(record["values"], len(used), budget)
    for row, value in zip(used, values, strict=True):
        if system.senses[row] != "eq":
            require_positive(value, row)
        elif value == 0:
            raise Refused(Reason.MULTIPLIER_ZERO, f"multiplier 0 on equation {row}")
    _require_cancelling([system.rows[row][:-1] for row in used], values, budget)
    return used, values


def require_refutation(
    system: System, used: Sequence[int], values: Sequence[int], budget: Budget
) -> None:
    """Refuse unless multipliers that cancel the normals show that a system has no solution."""
    offset = dot([system.rows[row][-1] for row in used], values, budget)
    strict = any(system.senses[row] == "gt" for row in used)
    if not (offset < 0 or (strict and offset <= 0)):
        raise Refused(
            Reason.OFFSET_NOT_NEGATIVE,
            "the combination of the offsets is not negative, nor 0 with a strict row",
        )


def refute(record: Fields, system: System, budget: Budget) -> None:
    """Refuse unless the multipliers of a record show that a system has no solution."""
    used, values = read_multipliers(record, system, budget)
    require_refutation(system, used, values, budget)


def check_dependency(
    certificate: Certificate, vectors: Rows, indices: str, budget: Budget
) -> list[int]:
    """Check that some nonzero vectors have a positive combination that is 0; return which."""
    record = certificate.record("dependency", frozenset({indices, "values"}))
    used = read_indices(record[indices], len(vectors))
    values = read_vector(record["values"], len(used), budget)
    if not used:
        raise Refused(Reason.DEPENDENCY_EMPTY, "a dependency of no vectors")
    for position, value in zip(used, values, strict=True):
        require_positive(value, position)
        if not any(vectors[position]):
            raise Refused(Reason.DEPENDENCY_ON_ZERO, f"vector {position} is 0")
    _require_cancelling([vectors[position] for position in used], values, budget)
    return used


def check_point(certificate: Certificate, system: System, budget: Budget) -> None:
    """Check that a point solves a system."""
    record = certificate.record("point", _POINT_FIELDS)
    system.require_point(read_rational_vector(record["point"], system.dim, budget), budget)


def require_positive(value: int, position: int) -> None:
    """Refuse a multiplier that is not positive."""
    if value <= 0:
        raise Refused(Reason.MULTIPLIER_NOT_POSITIVE, f"multiplier {position} is not positive")


def _require_cancelling(vectors: Rows, values: Sequence[int], budget: Budget) -> None:
    if any(dot(column, values, budget) for column in zip(*vectors, strict=True)):
        raise Refused(Reason.COMBINATION_NOT_ZERO, "the combination of the vectors is not 0")
