"""Overfull vertices, in batches for large networks, against all faces."""

import random
from itertools import pairwise

import pytest
from flint import fmpq

from exactrelu.cells.overfull import overfull_vertices
from exactrelu.cells.regions import is_large
from exactrelu.network.network import Network, trace
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.faces import is_supertransversal
from tests.cells.planted import planted
from tests.seeds import seeds


def random_network(rng: random.Random, bound: int, shift: int = 0) -> Network:
    """Widths 2-14-6-1 and entries up to a bound; three lines of layer 1 through one point."""
    widths = (2, 14, 6, 1)
    weights = [
        [[fmpq(rng.randint(-bound, bound), 7) for _ in range(n)] for _ in range(m)]
        for n, m in pairwise(widths)
    ]
    biases = [[fmpq(rng.randint(-bound, bound), 11) for _ in range(m)] for m in widths[1:]]
    first = weights[0]
    first[:3] = [[fmpq(1), fmpq(0)], [fmpq(0), fmpq(1)], [fmpq(1), fmpq(1)]]
    biases[0][:3] = [fmpq(0), fmpq(0), fmpq(shift)]
    return Network.from_arrays(weights, biases)


@pytest.mark.parametrize("seed", range(4))
def test_a_planted_point_and_none(seed: int) -> None:
    bound = 10**6
    net = random_network(random.Random(seed), bound)
    assert is_large(net)
    found = overfull_vertices(net)
    assert (0, 0) in found
    for vertex in found:
        assert sum(layer.count(0) for layer in trace(net, vertex).pattern) > 2
    assert is_supertransversal(net, certify=True).answer is False
    # Moved by 1 the third line passes the point.
    apart = random_network(random.Random(seed), bound, shift=1)
    assert bool(overfull_vertices(apart)) is not is_supertransversal(apart).answer


@pytest.mark.parametrize("seed", range(4))
def test_small_weights_against_all_faces(seed: int) -> None:
    """Whatever meets by chance."""
    net = random_network(random.Random(seed), 3, shift=seed % 2)
    found = overfull_vertices(net)
    assert bool(found) is not is_supertransversal(net).answer
    for vertex in found:
        assert sum(layer.count(0) for layer in trace(net, vertex).pattern) > 2


@pytest.mark.parametrize("seed", seeds(30))
def test_two_algorithms_for_supertransversality(seed: int) -> None:
    net = planted(seed)
    by_faces = is_supertransversal(net, all_failures=True)
    assert is_supertransversal(net, certify=False).answer == by_faces.answer
    faces = polyhedral_complex(net, certify=False).faces
    overfull = {f.signs for f in faces if len(f.zeros) > net.n_inputs - f.dimension}
    assert {failure.signs for failure in by_faces.witness or ()} == overfull
    for failure in by_faces.witness or ():
        assert trace(net, failure.point).pattern == failure.signs
