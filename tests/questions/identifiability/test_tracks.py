"""Tracks: what holds of them in the network itself, and in every other way to write it."""

from __future__ import annotations

import random

import pytest
from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import dot
from exactrelu.lemmas.three_layers.common import shuffled
from exactrelu.network.network import plain
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.identifiability.general_position import is_in_general_position
from exactrelu.questions.identifiability.tracks import Tracks, nullspace
from tests.questions.identifiability.test_peeling import SHAPES, YES, drawn
from tests.seeds import seeds


def tracks_of(seed: int) -> Tracks:
    network = drawn(seed, SHAPES[seed % len(SHAPES)])
    return Tracks(is_in_general_position(network, Domain.of(None, network.n_inputs)))


@pytest.mark.parametrize("seed", seeds(11, 200))
def test_the_network_itself_has_its_tracks(seed: int) -> None:
    """N is a competitor of itself: what holds in all of them holds in it."""
    found = tracks_of(seed)
    assert sorted(k for track in found.tracks for k in track.facets) == sorted(
        k for k, facet in enumerate(found.found.facets) if facet.is_visible
    )
    for t, track in enumerate(found.tracks):
        assert {found.facet(k).neuron for k in track.facets} == {track.neuron}
        assert found.height[found.class_of[t]] <= found.n_hidden - track.layer
        assert found.tracks[found.class_of[t]].layer == track.layer
    for low, high in found.order:
        assert found.tracks[low].layer < found.tracks[high].layer
    for pair in found.apart:
        assert len({found.tracks[t].neuron for t in pair}) == 2


@pytest.mark.parametrize("seed", seeds(11, 200))
def test_the_own_row_is_in_the_kernel(seed: int) -> None:
    found = tracks_of(seed)
    for track in found.tracks:
        l, i = track.neuron
        row = found.network.layers[l - 1].affine.flint_row(i - 1)
        basis = found.own_kernel(track.facets, l)
        assert rank(Matrix([*basis, row])) == len(basis)
        # Every row of the kernel is 0 on the facets, where its inputs are what they are.
        for k in track.facets:
            facet = found.facet(k)
            values = [dot(column, (*facet.point, fmpq(1))) for column in found.inputs(k, l)]
            assert all(dot(vector, values) == 0 for vector in basis)


def test_a_row_that_must_be_0_is_not_possible() -> None:
    """Facets of two neurons of layer 1 have no row together."""
    found = Tracks(is_in_general_position(YES[0], Domain.of(None, 2)))
    one, two = (next(t for t in found.tracks if t.neuron == (1, i)) for i in (1, 2))
    assert len(found.own_kernel(one.facets, 1)) == 1
    assert found.own_kernel((*one.facets, *two.facets), 1) == []


@pytest.mark.parametrize("seed", seeds(5, 100))
def test_order_and_scaling_change_nothing(seed: int) -> None:
    found = tracks_of(seed)
    network = drawn(seed, SHAPES[seed % len(SHAPES)])
    other = plain(shuffled(random.Random(seed), network), "")
    again = Tracks(is_in_general_position(other, Domain.of(None, network.n_inputs)))

    def summary(tracks: Tracks) -> list[tuple[int, int, int]]:
        heights = (tracks.height[tracks.class_of[t]] for t in range(len(tracks.tracks)))
        pairs = zip(tracks.tracks, heights, strict=True)
        return sorted((track.layer, len(track.facets), height) for track, height in pairs)

    assert summary(found) == summary(again)
    assert len(found.order) == len(again.order)
    assert len(found.apart) == len(again.apart)


@pytest.mark.parametrize("seed", range(5))
def test_nullspace(seed: int) -> None:
    rng = random.Random(seed)
    rows = [tuple(fmpq(rng.randint(-2, 2)) for _ in range(5)) for _ in range(rng.randint(1, 6))]
    basis = nullspace(rows, 5)
    assert len(basis) == 5 - rank(Matrix(rows))
    assert all(dot(row, vector) == 0 for row in rows for vector in basis)
    assert nullspace([], 2) == [(1, 0), (0, 1)]
