"""Classes from outputs, exactly.

A network with several outputs gives x the number (from 0) of its greatest output, the first of
them where several are greatest; a network with one output gives 1 where it is positive, else 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.questions.local.places import Local

#: For each output its values at all points.
Scores = Sequence[Vector]


def classes(scores: Scores) -> list[int]:
    """The class of each point.

    >>> from exactrelu.exact.scalar import vector
    >>> classes([vector([1, 2]), vector([1, 3])])
    [0, 1]
    """
    if len(scores) == 1:
        return [int(value > 0) for value in scores[0]]
    return [values.index(max(values)) for values in zip(*scores, strict=True)]


def require_labels(labels: Sequence[int], n_outputs: int) -> None:
    """Refuse labels that are no classes of a network with this many outputs."""
    n_classes = max(2, n_outputs)
    for k, label in enumerate(labels, 1):
        if label >= n_classes:
            raise InputError(f"label {k} is {label}, expected one of 0 … {n_classes - 1}")


def n_correct(found: Sequence[int], labels: Sequence[int]) -> int:
    """How many points have their label as their class."""
    return sum(1 for a, b in zip(found, labels, strict=True) if a == b)


def network_classes(found: Local) -> list[int]:
    """The classes that the network itself gives to the sample points."""
    outputs = [place.evaluation.output for place in found.places]
    return classes(list(zip(*outputs, strict=True)))


def scores_of(duals: Sequence[Matrix], points: Matrix) -> list[Vector]:
    """Σ_k duals_j[x, k]·points[x, k]: output j at x of the map that row x of duals_j stands for."""
    rows = points.rows()
    return [
        tuple(
            sum((a * v for a, v in zip(dual, x, strict=True)), ZERO)
            for dual, x in zip(matrix.rows(), rows, strict=True)
        )
        for matrix in duals
    ]
