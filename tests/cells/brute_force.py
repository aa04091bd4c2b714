"""Activation regions by brute force: every sign vector, one LP each, by PPL.

A pattern is a region iff the open polyhedron of its strict signs is nonempty, where
neurons whose preactivation is constant on it carry the sign of that constant.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, Pattern, preactivation_maps
from exactrelu.polyhedra.polyhedron import Polyhedron
from tests.network.naive import random_network


def small_case(seed: int) -> tuple[Network, LinearSystem]:
    """A network with few enough neurons, and an open domain."""
    rng = random.Random(seed)
    net = random_network(rng, [rng.randint(1, 3), *([3, 3], [2, 2, 1], [5])[seed % 3], 1])
    n = net.n_inputs
    domain = rng.choice([LinearSystem(n), LinearSystem.box([(-2, Fraction(3, 2))] * n)])
    return net, domain.interior()


def regions(network: Network, domain: LinearSystem) -> set[Pattern]:
    """All patterns of full-dimensional cells."""
    found = set()
    widths = network.hidden_widths
    for flat in product((-1, 1), repeat=sum(widths)):
        signs, start = [], 0
        for n in widths:
            signs.append(flat[start : start + n])
            start += n
        if (pattern := _realised(network, domain, tuple(signs))) is not None:
            found.add(pattern)
    return found


def _realised(network: Network, domain: LinearSystem, signs: Pattern) -> Pattern | None:
    """The pattern with constant neurons at their own sign, None if the cell is empty."""
    pattern = [list(layer) for layer in signs]
    rows = list(domain.rows)
    for l in range(len(signs)):
        # The maps of layer l depend on the signs before it only, which are final by now.
        maps = preactivation_maps(network, tuple(map(tuple, pattern)))[l]
        for i, row in enumerate(maps.rows()):
            if any(row[:-1]):
                side = pattern[l][i]
                rows.append(Row(tuple(side * a for a in row[:-1]), side * row[-1], Sense.GREATER))
            else:
                # Both values of this sign name the same cell: count it once, as −1.
                if signs[l][i] > 0:
                    return None
                pattern[l][i] = (row[-1] > 0) - (row[-1] < 0)
    cell = Polyhedron(LinearSystem(network.n_inputs, tuple(rows)))
    return None if cell.is_empty else tuple(map(tuple, pattern))
