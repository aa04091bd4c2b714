"""Clusters of dual points (Sattelberg et al. 2.4.1): how redundant are the local maps?

For each output j the rows of C_j are clustered by k-means; at a point x the dual point of output
j is replaced by the nearest centre c, and output j by c·(x, 1).  How many points keep their
class tells how few maps would do.

The centres are rounded guesses of k-means and are taken as the dyadics that they are; which
centre is nearest, the outputs and the classes are computed exactly (of several nearest centres
the first).  One centre is the exact mean, and no fewer centres than distinct rows are the rows.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from exactrelu.errors import InputError, MissingExtra
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, dot, to_float
from exactrelu.questions.local.classify import classes
from exactrelu.questions.local.places import Local


def cluster_centres(duals: Matrix, k: int, seed: int = 0) -> Matrix:
    """k centres of the rows of C_j, or as many as there are distinct rows.

    >>> cluster_centres(Matrix([[1, 0], [0, 1]]), 1)
    Matrix([[1/2, 1/2]])
    """
    if k < 1:
        raise InputError(f"found {k} clusters, expected at least one")
    if k == 1:
        total = Matrix([[1] * duals.n_rows]) @ duals
        return total.scale(fmpq(1, duals.n_rows))
    distinct = list(dict.fromkeys(duals.rows()))
    if k >= len(distinct):
        return Matrix(distinct, duals.n_columns)
    floats = [[to_float(v) for v in row] for row in duals.rows()]
    return Matrix(_k_means(floats, k, seed))


def _k_means(rows: list[list[float]], k: int, seed: int) -> Any:
    try:
        from sklearn.cluster import KMeans
        from threadpoolctl import threadpool_limits
    except ImportError:
        raise MissingExtra("scikit-learn", "clusters", "clustering") from None
    import numpy as np

    table = np.array(rows)
    size = float(np.abs(table).max())
    if not 0 < size < 1e150:
        raise InputError("the dual points are too large to be clustered in floating point")
    # Scaled by a power of two, which rounds nothing: small or large rows lose no digits.
    scale = 2.0 ** -int(np.frexp(size)[1])
    # One thread: sums in another order would round differently.
    with threadpool_limits(1):
        model = KMeans(k, random_state=seed, n_init=1).fit(table * scale)
    return model.cluster_centers_ / scale


def clustered_classes(sample: Local, test: Local, k: int, seed: int = 0) -> list[int]:
    """The classes at the points of ``test`` with the k centres of ``sample`` for each output."""
    pairs = zip(sample.dual_matrices, test.dual_matrices, strict=True)
    return classes(
        [
            _scores(cluster_centres(known, k, seed), duals, test.homogeneous_points)
            for known, duals in pairs
        ]
    )


def _scores(centres: Matrix, duals: Matrix, points: Matrix) -> Vector:
    """c·(x, 1) for the centre c that is nearest to the dual point of x."""
    # |y − c|² = |y|² − 2y·c + |c|², and |y|² is the same for all c.
    squares = [dot(c, c) for c in centres.rows()]
    products = (duals @ centres.T).rows()
    values = (points @ centres.T).rows()
    scores = []
    for row, outputs in zip(products, values, strict=True):
        distances = [square - 2 * p for square, p in zip(squares, row, strict=True)]
        scores.append(outputs[distances.index(min(distances))])
    return tuple(scores)
