"""How few local maps would do?  Clusters of dual points, and maps between those of two networks.

**Classes.**  A network with several outputs gives x the number (from 0) of its greatest output, the
first of them where several are greatest; a network with one output gives 1 where it is positive,
else 0.

**Clusters** (Sattelberg et al. 2.4.1): how redundant are the local maps?  For each output j the
rows of C_j are clustered by k-means; at a point x the dual point of output j is replaced by the
nearest centre c, and output j by c·(x, 1).  How many points keep their class tells how few maps
would do.  The centres are rounded guesses of k-means and are taken as the dyadics that they are;
which centre is nearest, the outputs and the classes are computed exactly (of several nearest
centres the first).  One centre is the exact mean, and no fewer centres than distinct rows are the
rows.

**Maps between two networks** (Sattelberg et al. 2.4.2).  For each output j the matrix M_j of shape
(d+1) × (d+1) minimises |C_j(A) M_j − C_j(B)| over the sample points, exactly; where several do, it
is the one of least norm.  At a point x the mapped network has the outputs c_j(A, x) M_j (x, 1),
where c_j(A, x) is the dual point of A: if its classes are right where those of B are, then A holds
what B uses.

Symbols: C_j → ``duals``, M_j → ``maps``, (x, 1) → ``points``, A → ``source``, B → ``target``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpz

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Found
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, MissingExtra, ShapeError
from exactrelu.exact.linear import least_squares
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, dot, to_float
from exactrelu.questions.local.places import Local
from exactrelu.words import PEOPLE, Words, count

#: For each output its values at all points.
Scores = Sequence[Vector]
#: Entries of maps are cut after this many bits for a first comparison.
_KEPT_BITS = 128


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
    """How many points have their label as their class.

    Parameters
    ----------
    found : sequence of int
        The classes.
    labels : sequence of int
        The labels.

    Returns
    -------
    int
        The number of places at which both are equal.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.samples.n_correct([0, 1, 1], [0, 1, 0])
    2
    """
    if len(found) != len(labels):
        raise ShapeError(f"found {len(found)} classes and {len(labels)} labels")
    return sum(1 for a, b in zip(found, labels, strict=True) if a == b)


def network_classes(found: Local) -> list[int]:
    """The classes that a network gives to sample points.

    Parameters
    ----------
    found : Local
        The points: ``local(network, points)``.

    Returns
    -------
    list of int
        The number, from 0, of the greatest output; with one output 1 where it is positive, else 0.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.samples.network_classes(er.local(er.load("example:xor"), [(0, 0), (0, 1), (1, -1)]))
    [1, 0, 1]
    """
    outputs = [place.evaluation.flint_output for place in found.places]
    return classes(list(zip(*outputs, strict=True)))


def scores_of(duals: Sequence[Matrix], points: Matrix) -> list[Vector]:
    """Σ_k duals_j[x, k]·points[x, k]: output j at x of the map that row x of duals_j stands for."""
    rows = points.flint_rows()
    return [
        tuple(
            sum((a * v for a, v in zip(dual, x, strict=True)), ZERO)
            for dual, x in zip(matrix.flint_rows(), rows, strict=True)
        )
        for matrix in duals
    ]


# --- Clusters


def cluster_centres(duals: Matrix, k: int, *, seed: int = 0) -> Matrix:
    """Centres of the dual points of one output, by k-means.

    Parameters
    ----------
    duals : Matrix
        A dual point in each row: ``local(…).dual_matrices[j]``.
    k : int
        How many centres; no more than there are distinct rows.
    seed : int, optional
        The same seed gives the same result.

    Returns
    -------
    Matrix
        A centre in each row; one centre is the exact mean.

    References
    ----------
    Sattelberg et al., *Locally linear attributes of ReLU neural networks*, section 2.4.1.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.samples.cluster_centres(er.Matrix([[1, 0], [0, 1]]), 1)
    Matrix([[1/2, 1/2]])
    """
    if k < 1:
        raise InputError(f"found {k} clusters, expected at least one")
    if duals.n_rows == 0:
        raise ShapeError("found no dual points, expected at least one")
    if k == 1:
        total = Matrix([[1] * duals.n_rows]) @ duals
        return total.scale(fmpq(1, duals.n_rows))
    distinct = list(dict.fromkeys(duals.flint_rows()))
    if k >= len(distinct):
        return Matrix(distinct, duals.n_columns)
    floats = [[to_float(v) for v in row] for row in duals.flint_rows()]
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


def clustered_classes(sample: Local, test: Local, k: int, *, seed: int = 0) -> list[int]:
    """The classes of test points if only k affine maps for each output are left.

    Parameters
    ----------
    sample : Local
        The points whose dual points are clustered.
    test : Local
        The points that get a class.
    k : int
        How many centres each output has.
    seed : int, optional
        The same seed gives the same result.

    Returns
    -------
    list of int
        A class, from 0, for each test point.

    References
    ----------
    Sattelberg et al., *Locally linear attributes of ReLU neural networks*, section 2.4.1.

    Examples
    --------
    >>> import exactrelu as er
    >>> xor = er.load("example:xor")
    >>> found = er.local(xor, [(0, 0), (0, 1), (1, 1), (-1, -1)])
    >>> er.samples.network_classes(found), er.samples.clustered_classes(found, found, 1)
    ([1, 0, 0, 0], [1, 0, 0, 1])
    """
    pairs = zip(sample.dual_matrices, test.dual_matrices, strict=True)
    return classes(
        [
            _centre_scores(cluster_centres(known, k, seed=seed), duals, test.homogeneous_points)
            for known, duals in pairs
        ]
    )


def _centre_scores(centres: Matrix, duals: Matrix, points: Matrix) -> Vector:
    """c·(x, 1) for the centre c that is nearest to the dual point of x."""
    # |y − c|² = |y|² − 2y·c + |c|², and |y|² is the same for all c.
    squares = [dot(c, c) for c in centres.flint_rows()]
    products = (duals @ centres.T).flint_rows()
    values = (points @ centres.T).flint_rows()
    scores = []
    for row, outputs in zip(products, values, strict=True):
        distances = [square - 2 * p for square, p in zip(squares, row, strict=True)]
        scores.append(outputs[distances.index(min(distances))])
    return tuple(scores)


# --- Maps between two networks


def maps_between(source: Local, target: Local) -> list[Matrix]:
    """The linear maps that take the dual points of one network best to those of another.

    Parameters
    ----------
    source : Local
        The points under the first network.
    target : Local
        The same points under the second.

    Returns
    -------
    list of Matrix
        For each output j the exact least squares solution M_j, of least norm.

    References
    ----------
    Sattelberg et al., *Locally linear attributes of ReLU neural networks*, section 2.4.2.

    Examples
    --------
    >>> import exactrelu as er
    >>> points = [(0, 0), (0, 1), (1, 1), (-1, -1)]
    >>> found = er.local(er.load("example:xor"), points)
    >>> [M.shape for M in er.samples.maps_between(found, found)]
    [(3, 3)]
    """
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
    return _through_maps(maps, test.dual_matrices, test.homogeneous_points)


def mapped_classes(maps: Sequence[Matrix], test: Local) -> list[int]:
    """The classes of test points after the dual points were mapped to those of another network.

    Parameters
    ----------
    maps : sequence of Matrix
        Those of :func:`maps_between`.
    test : Local
        The points under the first network.

    Returns
    -------
    list of int
        A class, from 0, for each point.

    References
    ----------
    Sattelberg et al., *Locally linear attributes of ReLU neural networks*, section 2.4.2.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.local(er.load("example:xor"), [(0, 0), (0, 1), (1, 1), (-1, -1)])
    >>> maps = er.samples.maps_between(found, found)
    >>> er.samples.mapped_classes(maps, found) == er.samples.network_classes(found)
    True
    """
    duals, points = test.dual_matrices, test.homogeneous_points
    width = points.n_columns
    if [M.shape for M in maps] != [(width, width)] * len(duals):
        shapes = ", ".join(str(M.shape) for M in maps[:4]) or "no maps"
        raise ShapeError(f"found {shapes}, expected {len(duals)} maps of shape {(width, width)}")
    scores = _through_maps([_cut(M) for M in maps], duals, points)
    lengths = [_length(x) for x in points.flint_rows()]
    errors = [
        [size * length / 2**_KEPT_BITS for size, length in zip(sizes, lengths, strict=True)]
        for sizes in ([_length(c) for c in C.flint_rows()] for C in duals)
    ]
    found = classes(scores)
    doubtful = [k for k, j in enumerate(found) if _is_doubtful(j, k, scores, errors)]
    if doubtful:
        exact = _through_maps(
            maps, [C.take(rows=doubtful) for C in duals], points.take(rows=doubtful)
        )
        for k, j in zip(doubtful, classes(exact), strict=True):
            found[k] = j
    return found


def _through_maps(maps: Sequence[Matrix], duals: Sequence[Matrix], points: Matrix) -> list[Vector]:
    return scores_of([C @ M for C, M in zip(duals, maps, strict=True)], points)


def _cut(M: Matrix) -> Matrix:
    """Every entry rounded down to a multiple of 2^-_KEPT_BITS."""
    scale = fmpz(2) ** _KEPT_BITS
    return Matrix.from_entries(
        *M.shape, [fmpq(v.p * scale // v.q, scale) for v in M.flint.entries()]
    )


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


# --- How many classes are right


def _clustered(found: Accuracies, _: Words) -> Iterator[str]:
    for k, n in (found.clusters or {}).items():
        yield f"  {count(int(k), 'cluster')} for each output: {n:,} of {found.n_tests:,}"


def _mapped(found: Accuracies, _: Words) -> Iterator[str]:
    if found.other is not None:
        total = f"of {found.n_tests:,}"
        yield f"  NET2 itself: {found.other['n_correct']:,} {total}"
        yield f"  NET mapped to NET2: {found.other['from_net']:,} {total}"
        yield f"  NET2 mapped to NET: {found.other['to_net']:,} {total}"


@dataclass(frozen=True, repr=False)
class Accuracies(Found):
    """How many labels are right: of the network, with clusters, after mapping."""

    PARTS = (
        Part("n_tests", "how many points have labels to compare with"),
        Part(
            "n_correct",
            "how many classes of the network are right",
            unproved="how many are right",
        ),
        Part("clusters", "how many are right with so many clusters", said=_clustered),
        Part(
            "other",
            "how many are right of NET2, `n_correct`, mapped to it, `from_net`, and mapped from "
            "it, `to_net`",
            said=_mapped,
        ),
    )

    n_tests: int
    n_correct: int
    clusters: dict[str, int] | None = None
    other: dict[str, int] | None = None

    def sentence(self, _words: Words = PEOPLE) -> str:
        """How many classes of the network are right."""
        return f"right: {self.n_correct:,} of {self.n_tests:,}"


def accuracies(
    sample: Local,
    test: Local,
    labels: Sequence[int],
    sizes: Sequence[int] = (),
    others: tuple[Local, Local] | None = None,
    *,
    seed: int = 0,
    effort: Effort = UNLIMITED,
) -> Accuracies:
    """How many labels of test points are right; ``others`` is a second network at both files."""
    require_labels(labels, sample.network.n_outputs)
    clusters = {}
    for k in sizes:
        effort.spend()
        clusters[str(k)] = n_correct(clustered_classes(sample, test, k, seed=seed), labels)
    other = None
    if others is not None:
        second, second_test = others
        other = {"n_correct": n_correct(network_classes(second_test), labels)}
        for name, a, b, at in (
            ("from_net", sample, second, test),
            ("to_net", second, sample, second_test),
        ):
            effort.spend()
            other[name] = n_correct(mapped_classes(maps_between(a, b), at), labels)
    right = n_correct(network_classes(test), labels)
    return Accuracies(len(labels), right, clusters or None, other)
