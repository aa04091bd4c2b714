import random

import pytest

from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.network.roles import Role, neuron_roles
from exactrelu.questions.regions import exact_roles
from tests.network.isomorphism.brute_force import degenerate_network
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(40))
def test_cheap_roles_are_confirmed(seed: int) -> None:
    net = degenerate_network(random.Random(seed))
    exact = exact_roles(net)
    cheap_roles = neuron_roles(net)
    assert cheap_roles[0] == exact[0]
    for layer, ours in zip(cheap_roles, exact, strict=True):
        assert Role.UNDECIDED not in ours
        for cheap, role in zip(layer, ours, strict=True):
            assert cheap in (role, Role.UNDECIDED)


def test_on_a_domain_and_over_a_limit() -> None:
    net = Network.from_arrays([[[1], [-1], [1]], [[1, 1, 1]]], [[0, 0, -1], [0]])
    assert exact_roles(net, LinearSystem.orthant(1)) == ((Role.LINEAR, Role.DEAD, Role.NONLINEAR),)
    assert exact_roles(net, max_regions=1) == ((Role.UNDECIDED,) * 3,)
