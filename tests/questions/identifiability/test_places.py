"""Places of tracks: those of networks that exist are never refuted, and others are."""

from __future__ import annotations

import pytest

from exactrelu.effort import Effort, Stopped
from exactrelu.network.network import PlainNetwork
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.identifiability.general_position import is_in_general_position
from exactrelu.questions.identifiability.peeling import NotShown, Peeling
from exactrelu.questions.identifiability.places import Places, State
from exactrelu.questions.identifiability.tracks import Tracks
from tests.questions.identifiability.test_peeling import SHAPES, drawn, net
from tests.seeds import seeds

#: It has a mirror image, in which the hyperplane of layer 1 is a zero set of layer 2.
MIRRORED = net(([[1, 0]], [0]), ([[-1], [-2]], [1, 1]), ([[1, 1]], [0]))

#: Networks 2-2-2-2-1 with a neuron above which no chain is long enough.
SEARCHED = [
    net(
        ([["0.354", "-0.005"], ["-0.5316", "-2.2766"]], ["0.0187", "0.9274"]),
        ([["1.0433", "-0.5362"], ["2.2294", "1.9437"]], ["-0.2282", "-0.1552"]),
        ([["0.959", "-0.2548"], ["0.2248", "1.2199"]], ["1.1897", "-0.5298"]),
        ([["-0.4556", "-0.549"]], ["-0.0142"]),
    ),
    net(
        ([["-0.0833", "-1.0118"], ["0.9063", "-0.4453"]], ["1.4043", "-1.4644"]),
        ([["0.4627", "-0.0192"], ["0.7218", "-0.8325"]], ["0.2722", "1.5171"]),
        ([["-1.1168", "-0.4183"], ["1.0413", "-0.5633"]], ["1.5217", "-0.5053"]),
        ([["-0.3448", "0.9954"]], ["0.2141"]),
    ),
]


def tracks_of(seed: int) -> Tracks:
    network = drawn(seed, SHAPES[seed % len(SHAPES)])
    return Tracks(is_in_general_position(network, Domain.of(None, network.n_inputs)))


@pytest.mark.parametrize("seed", seeds(11, 300))
def test_the_places_in_the_network_itself_survive(seed: int) -> None:
    """Nothing is forced to be elsewhere: N is not refuted."""
    found = tracks_of(seed)
    for layer in range(1, found.n_hidden + 1):
        rest = tuple(t for t, track in enumerate(found.tracks) if track.layer >= layer)
        inputs = {k: found.inputs(k, layer) for t in rest for k in found.tracks[t].facets}
        try:
            places = Places(found, Effort(places=2000))
            assert places._survives(State(layer, rest, (), (), inputs))
        except Stopped:
            continue


def test_the_places_in_a_second_network_survive() -> None:
    """In the mirror image the hyperplane of layer 1 is a zero set of layer 2."""
    found = Tracks(is_in_general_position(MIRRORED, Domain.of(None, 2)))
    (first,) = (t for t, track in enumerate(found.tracks) if track.layer == 1)
    assert Places(found).may_be_later(first)
    with pytest.raises(NotShown, match="later layer"):
        Peeling(found).show()


@pytest.mark.parametrize("network", SEARCHED)
def test_the_search_shows_what_chains_do_not(network: PlainNetwork) -> None:
    found = Tracks(is_in_general_position(network, Domain.of(None, 2)))
    Peeling(found).show()
    unsure = [
        t
        for t, track in enumerate(found.tracks)
        if found.height[found.class_of[t]] < found.n_hidden - track.layer
    ]
    assert unsure
    assert not all(Places(found).may_be_later(t) for t in unsure)


def test_a_bound_leaves_the_question_open() -> None:
    found = Tracks(is_in_general_position(SEARCHED[0], Domain.of(None, 2)))
    with pytest.raises(Stopped):
        Places(found, Effort(places=1)).may_be_later(0)
