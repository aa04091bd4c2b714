"""Exact numbers and matrices: ranks with their proofs, factors, singular values, cones."""

from exactrelu.api import (
    Matrix,
    fraction,
    is_pointed,
    load_matrix,
    nonnegative_column_rank,
    rank,
    rank_proof,
    rational,
    sigma_min_bounds,
    spark,
    vector,
)

__all__ = [  # noqa: RUF022 - as in the table of names
    "Matrix",
    "load_matrix",
    "rational",
    "vector",
    "fraction",
    "rank",
    "rank_proof",
    "nonnegative_column_rank",
    "sigma_min_bounds",
    "spark",
    "is_pointed",
]
