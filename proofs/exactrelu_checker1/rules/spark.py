"""Spark of a rational matrix.

Statement. Every set of fewer than s rows of the m x n matrix A is independent, and some s rows are
dependent, unless s = m + 1.

Evidence. ``combination``, unless s = m + 1: integers, not all 0, on s rows, with which they add up
to 0. ``independent``: a modulus q >= 2. Elimination with units modulo q goes through all sets of
s - 1 rows: rows that it makes an echelon form of are independent. The common denominator of A does
not change which rows are dependent.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..integers import Rows, columns, combine, residues
from ..matrix import MATRIX_FIELDS, matrix_subject, matrix_text, read_matrix
from ..reader import Certificate
from ..statement import Claim, Rule
from ..subspaces import Space, grown
from ..values import RationalMatrix, read_index, read_indices, read_integer, read_vector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    matrix = read_matrix(claim, budget)
    spark = read_index(claim["spark"])
    if spark < 1 or spark > len(matrix.rows) + 1:
        raise Refused(Reason.INDEX_OUT_OF_RANGE, "the spark is from 1 to the number of rows plus 1")
    text = f"some {spark} rows are dependent, fewer are not"
    if spark > len(matrix.rows):
        text = "all rows are independent"
    return Claim(
        f"{matrix_text(matrix)} has spark {spark}: {text}",
        (matrix_subject(claim),),
        partial(_check, matrix, spark),
    )


def _check(matrix: RationalMatrix, spark: int, certificate: Certificate, budget: Budget) -> None:
    if spark <= len(matrix.rows):
        _check_dependent(matrix, spark, certificate, budget)
    record = certificate.record("independent", frozenset({"modulus"}))
    modulus = read_integer(record["modulus"], budget)
    if modulus < 2:
        raise Refused(Reason.MODULUS_TOO_SMALL, "modulo 1 every number is a unit")
    _require_independent(residues(matrix.rows, modulus, budget), spark - 1, modulus, budget)


def _check_dependent(
    matrix: RationalMatrix, size: int, certificate: Certificate, budget: Budget
) -> None:
    record = certificate.record("combination", frozenset({"rows", "values"}))
    chosen = read_indices(record["rows"], len(matrix.rows))
    values = read_vector(record["values"], len(chosen), budget)
    if len(chosen) != size:
        raise Refused(Reason.MINOR_SIZE, f"a combination of {len(chosen)} rows, {size} needed")
    if not any(values):
        raise Refused(Reason.VECTOR_ZERO, "every number of the combination is 0")
    vectors = columns([matrix.rows[k] for k in chosen], matrix.width)
    if any(combine(values, vectors, budget)):
        raise Refused(Reason.COMBINATION_NOT_ZERO, "the combination of the rows is not 0")


def _require_independent(rows: Rows, size: int, modulus: int, budget: Budget) -> None:
    """Refuse unless all sets of rows of a size are independent, modulo q; each by its last row."""
    todo: list[tuple[int, Space]] = [(0, ())] if size else []
    while todo:
        first, space = todo.pop()
        for k in range(first, len(rows) - size + len(space) + 1):
            larger = grown(space, rows[k], modulus, budget)
            if larger is None:
                raise Refused(Reason.NO_UNIT_PIVOT, f"row {k} depends on rows before it")
            if len(larger) < size:
                todo.append((k + 1, larger))


RULE = Rule(MATRIX_FIELDS | {"spark"}, _read)
