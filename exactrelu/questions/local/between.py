"""Affine maps between the dual points of two networks (Sattelberg et al. 2.4.2).

For each output j the matrix M_j of shape (d+1) × (d+1) minimises |C_j(A) M_j − C_j(B)| over the
sample points, exactly; where several do, it is the one of least norm.  At a point x the mapped
network has the outputs c_j(A, x) M_j (x, 1), where c_j(A, x) is the dual point of A: if its
classes are right where those of B are, then A holds what B uses.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq, fmpz

from exactrelu.errors import ShapeError
from exactrelu.exact.least_squares import least_squares
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.questions.local.classify import classes, scores_of
from exactrelu.questions.local.places import Local

#: Entries of maps are cut after this many bits for a first comparison.
_KEPT_BITS = 128


def maps_between(source: Local, target: Local) -> list[Matrix]:
    """M_j for each output, from the dual points of ``source`` to those of ``target``."""
    here, there = ([place.evaluation.point for place in run.places] for run in (source, target))
    if here != there:
        raise ShapeError("maps between networks need the same points for both")
    a, b = source.network, target.network
    if (a.n_inputs, a.n_outputs) != (b.n_inputs, b.n_outputs):
        raise ShapeError(
            f"found networks with {a.n_inputs} inputs, {a.n_outputs} outputs and with "
            f"{b.n_inputs} inputs, {b.n_outputs} outputs, expected the same numbers"
        )
    pairs = zip(source.dual_matrices, target.dual_matrices, strict=True)
    return [least_squares(known, wanted) for known, wanted in pairs]


def mapped_scores(maps: Sequence[Matrix], test: Local) -> list[Vector]:
    """The outputs at the points of ``test``, a run of the source network, after mapping."""
    return _scores(maps, test.dual_matrices, test.homogeneous_points)


def mapped_classes(maps: Sequence[Matrix], test: Local) -> list[int]:
    """The classes at the points of ``test`` after mapping.

    The entries of the maps have thousands of digits, but a class is a few comparisons: they
    are cut after some bits, and only where that leaves a doubt are the full ones used.
    """
    duals, points = test.dual_matrices, test.homogeneous_points
    scores = _scores([_cut(M) for M in maps], duals, points)
    lengths = [_length(x) for x in points.rows()]
    errors = [
        [size * length / 2**_KEPT_BITS for size, length in zip(sizes, lengths, strict=True)]
        for sizes in ([_length(c) for c in C.rows()] for C in duals)
    ]
    found = classes(scores)
    doubtful = [k for k, j in enumerate(found) if _is_doubtful(j, k, scores, errors)]
    if doubtful:
        exact = _scores(maps, [C.take(rows=doubtful) for C in duals], points.take(rows=doubtful))
        for k, j in zip(doubtful, classes(exact), strict=True):
            found[k] = j
    return found


def _scores(maps: Sequence[Matrix], duals: Sequence[Matrix], points: Matrix) -> list[Vector]:
    return scores_of([C @ M for C, M in zip(duals, maps, strict=True)], points)


def _cut(M: Matrix) -> Matrix:
    """Every entry rounded down to a multiple of 2^-_KEPT_BITS."""
    scale = fmpz(2) ** _KEPT_BITS
    return Matrix.from_entries(*M.shape, [fmpq(v.p * scale // v.q, scale) for v in M.entries()])


def _length(values: Sequence[fmpq]) -> fmpq:
    return sum(map(abs, values), ZERO)


def _is_doubtful(
    winner: int, k: int, scores: Sequence[Vector], errors: Sequence[Sequence[fmpq]]
) -> bool:
    """Whether exact scores could give point k another class: they are off by the errors."""
    if len(scores) == 1:
        return bool(abs(scores[0][k]) <= errors[0][k])
    lowest = scores[winner][k] - errors[winner][k]
    return any(scores[j][k] + errors[j][k] >= lowest for j in range(len(scores)) if j != winner)
