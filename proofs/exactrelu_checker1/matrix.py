"""The matrix of a claim: the fields ``rows``, ``cols`` and ``matrix``."""

from .budget import Budget
from .canonical import Fields
from .statement import Subject, subject
from .values import RationalMatrix, read_index, read_rational_matrix

MATRIX_FIELDS = frozenset({"cols", "matrix", "rows"})


def read_matrix(claim: Fields, budget: Budget) -> RationalMatrix:
    """Return the matrix of a claim; its shape is compared before it is read."""
    height, width = read_index(claim["rows"]), read_index(claim["cols"])
    return read_rational_matrix(claim["matrix"], height, width, budget)


def matrix_text(matrix: RationalMatrix) -> str:
    """Describe the matrix in a few words."""
    return f"the {len(matrix.rows)} x {matrix.width} matrix A"


def matrix_subject(claim: Fields) -> Subject:
    """Name the matrix by the hash of the canonical text of its three fields."""
    return subject("A", {name: claim[name] for name in sorted(MATRIX_FIELDS)})
