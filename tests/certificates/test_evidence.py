"""Every certificate that an engine writes is accepted, and says what the engine said."""

import random

from exactrelu.certificates.evidence import value_claim
from exactrelu.network.network import trace
from tests.checking import assert_accepted
from tests.network.naive import random_network, random_point


def test_values(tmp_path) -> None:
    rng = random.Random(11)
    certificates = []
    for _ in range(100):
        net = random_network(rng)
        certificates.append(value_claim(net, trace(net, random_point(rng, net.n_inputs))))
    assert_accepted(certificates, tmp_path)
