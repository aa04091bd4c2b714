"""Clusters, maps between networks and classes, against plain fractions and planted answers."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.linear import least_squares
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import fraction, to_float
from exactrelu.network.network import Network
from exactrelu.questions.local.clusters import (
    classes,
    cluster_centres,
    clustered_classes,
    mapped_classes,
    mapped_scores,
    maps_between,
    n_correct,
    network_classes,
)
from exactrelu.questions.local.places import local
from tests.network.naive import random_network, random_point
from tests.seeds import seeds

XOR = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
SQUARE = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def numbers(matrix: Matrix) -> list[list[Fraction]]:
    return [[fraction(v) for v in row] for row in matrix.rows()]


def dot(a: Any, b: Any) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def test_classes_by_hand() -> None:
    assert network_classes(local(XOR, SQUARE)) == [0, 1, 1, 0]
    one, two = fmpq(1), fmpq(2)
    assert classes([(one, two, one), (one, one, two)]) == [0, 0, 1]
    assert n_correct([0, 1, 1], [0, 1, 0]) == 2


@pytest.mark.parametrize("seed", seeds(8))
def test_clusters_are_used_as_defined(seed: int) -> None:
    pytest.importorskip("sklearn")
    print(f"seed {seed}")
    rng = random.Random(seed)
    net = random_network(rng, [2, 5, 4, rng.choice([1, 3])])
    sample = local(net, [random_point(rng, 2) for _ in range(20)])
    test = local(net, [random_point(rng, 2) for _ in range(9)])
    for k in (1, 2, 3):
        scores = []
        for known, duals in zip(sample.dual_matrices, test.dual_matrices, strict=True):
            centres = numbers(cluster_centres(known, k))
            values = []
            for y, place in zip(numbers(duals), test.places, strict=True):
                apart = [[a - b for a, b in zip(y, c, strict=True)] for c in centres]
                gaps = [dot(row, row) for row in apart]
                x = [*(fraction(v) for v in place.evaluation.point), Fraction(1)]
                values.append(dot(centres[gaps.index(min(gaps))], x))
            scores.append(values)
        expected = (
            [int(v > 0) for v in scores[0]]
            if len(scores) == 1
            else [col.index(max(col)) for col in zip(*scores, strict=True)]
        )
        assert clustered_classes(sample, test, k) == expected


def test_as_many_clusters_as_rows_change_nothing() -> None:
    found = local(XOR, SQUARE)
    assert clustered_classes(found, found, 3) == network_classes(found)
    assert cluster_centres(found.dual_matrices[0], 99).n_rows == 3


def test_k_means_finds_planted_clusters() -> None:
    pytest.importorskip("sklearn")
    rng = random.Random(2)
    near = [[Fraction(c * 100 + rng.randint(-3, 3)) for c in (g, -g)] for g in (0, 1, 2) * 6]
    centres = cluster_centres(Matrix(near), 3)
    assert sorted(round(to_float(row[0]) / 100) for row in centres.rows()) == [0, 1, 2]
    # Numbers near the ends of the doubles' range are scaled first.
    small = Matrix(near).scale(Fraction(1, 2**900))
    assert cluster_centres(small, 3) == centres.scale(Fraction(1, 2**900))


def test_refused_clusters() -> None:
    found = local(XOR, SQUARE)
    with pytest.raises(InputError, match="at least one"):
        cluster_centres(found.dual_matrices[0], 0)
    huge = Matrix([[10**400, 0], [0, 1], [1, 1]])
    with pytest.raises(InputError, match="too large"):
        cluster_centres(huge, 2)


@pytest.mark.parametrize("seed", seeds(6))
def test_a_planted_map_is_found(seed: int) -> None:
    """If the duals of B are those of A times M, mapping A gives B's outputs exactly."""
    print(f"seed {seed}")
    rng = random.Random(seed)
    net = random_network(rng, [2, 6, 3])
    # Inputs changed by an invertible map T and outputs scaled: C_j(B) = C_j(A)·[T 0; 0 1]·c.
    c = rng.choice([-2, 3])
    first = Matrix([[1, 1], [0, 2]])
    W1, W2 = net.layers[0].weights @ first, net.layers[1].weights.scale(c)
    other = Network.from_arrays(
        [W1.rows(), W2.rows()], [net.layers[0].bias, [c * b for b in net.layers[1].bias]]
    )
    points = [random_point(rng, 2) for _ in range(12)]
    # The points of B are those that T takes to the points of A, so the patterns agree.
    moved = [[x - y / 2, y / 2] for x, y in points]
    a, b = local(net, points), local(other, moved)
    assert [p.region for p in a.places] == [p.region for p in b.places]
    for C, D in zip(a.dual_matrices, b.dual_matrices, strict=True):
        assert (C @ least_squares(C, D)) == D


@pytest.mark.parametrize("seed", seeds(6))
def test_cut_maps_give_the_classes_of_exact_ones(seed: int) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed)
    outputs = rng.choice([1, 3])
    a, b = (random_network(rng, [3, 5, outputs]) for _ in range(2))
    points = [random_point(rng, 3) for _ in range(10)]
    source, target = local(a, points), local(b, points)
    maps = maps_between(source, target)
    assert mapped_classes(maps, source) == classes(mapped_scores(maps, source))


def test_doubtful_classes_are_decided_exactly() -> None:
    """Scores that differ by 10^-60 are equal after 128 bits: exact ones tell them apart."""
    tiny = Fraction(1, 10**60)
    net = Network.from_arrays([[[1], [1]]], [[0, 0]])
    found = local(net, [(1,), (2,)])
    identity = Matrix.identity(2)
    above = Matrix([[1 + tiny, 0], [0, 1]])
    assert mapped_classes([identity, above], found) == [1, 1]
    assert mapped_classes([above, identity], found) == [0, 0]
    assert mapped_classes([identity, identity], found) == [0, 0]


def test_a_network_maps_to_itself() -> None:
    found = local(XOR, SQUARE)
    assert mapped_classes(maps_between(found, found), found) == network_classes(found)


def test_networks_that_do_not_fit_are_refused() -> None:
    found = local(XOR, SQUARE)
    other = Network.from_arrays([[[1, 1], [0, 1]]], [[0, 0]])
    with pytest.raises(ShapeError, match="expected the same numbers"):
        maps_between(found, local(other, SQUARE))
    with pytest.raises(ShapeError, match="same points"):
        maps_between(found, local(XOR, SQUARE[::-1]))
    with pytest.raises(ShapeError, match="same points"):
        maps_between(found, local(XOR, SQUARE[:2]))
