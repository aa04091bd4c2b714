"""Networks with planted ties: neurons moved through vertices, lines and corners of earlier ones."""

from __future__ import annotations

import random
from fractions import Fraction

from exactrelu.exact.linear import solve
from exactrelu.exact.scalar import fraction, rational
from exactrelu.network.network import Network, trace
from tests.network.naive import random_network

SHAPES = ([3, 3], [2, 2, 1], [4], [2, 3], [1, 2], [3], [2, 1, 2], [1, 1], [4, 2])


def planted(seed: int) -> Network:
    """A random network; in two of three a neuron is moved through a vertex of the first layer."""
    rng = random.Random(seed)
    net = random_network(rng, [rng.randint(1, 3), *rng.choice(SHAPES), rng.randint(1, 2)])
    if seed % 3 == 0:
        return net
    n, first = net.n_inputs, net.layers[0]
    rows = rng.sample(range(first.n_outputs), min(n, first.n_outputs))
    vertex = solve(first.weights.take(rows=rows), [-first.bias[i] for i in rows])
    if vertex is None:
        return net
    layer = rng.randrange(len(net.hidden_widths))
    neuron = rng.randrange(net.hidden_widths[layer])
    weights = [[[fraction(w) for w in row] for row in l.weights.rows()] for l in net.layers]
    biases = [[fraction(b) for b in l.bias] for l in net.layers]
    value = trace(net, vertex).preactivations[layer][neuron]
    # Past the vertex by a tenth of a billionth in every tenth network: nothing is tied there.
    biases[layer][neuron] -= fraction(value) + (Fraction(1, 10**10) if seed % 10 == 1 else 0)
    return Network.from_arrays(weights, biases)


def long_network() -> Network:
    """A weight of 5,000 digits: two lines that are all but parallel."""
    big = rational(10**5000)
    return Network.from_arrays([[[big, 1], [big, 2]], [[1, 1]]], [[0, 1], [0]])
