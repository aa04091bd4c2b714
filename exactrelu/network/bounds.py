"""Signs of hidden neurons on a domain by interval arithmetic.

Rows of the domain with just one coordinate bound that coordinate; the bounds pass from layer
to layer.  A neuron whose bounds are ≥ 0 is linear on the domain, one whose bounds are ≤ 0 dead.
"""

from __future__ import annotations

from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.network.roles import Interval, activated, layer_bounds


def box_around(domain: LinearSystem) -> list[Interval]:
    """Bounds of each coordinate, as far as rows with one coordinate give them.

    >>> box_around(LinearSystem.box([(0, 1)]))
    [(0, 1)]
    """
    box: list[Interval] = [(None, None)] * domain.dimension
    for row in domain.rows:
        used = [j for j, a in enumerate(row.normal) if a != 0]
        if len(used) == 1:
            j, a = used[0], row.normal[used[0]]
            lower, upper = box[j]
            end = -row.offset / a
            if a > 0:
                box[j] = (end if lower is None else max(lower, end), upper)
            else:
                box[j] = (lower, end if upper is None else min(upper, end))
    return box


def bounded_signs(network: Network, domain: LinearSystem) -> dict[tuple[int, int], int]:
    """The sign of hidden neurons (layer, number), from 0, whose bounds have one.

    >>> net = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, -2], [0]])
    >>> bounded_signs(net, LinearSystem.box([(0, 1)]))
    {(0, 0): 1, (0, 1): -1}
    """
    inputs = box_around(domain)
    signs = {}
    for l, layer in enumerate(network.layers[:-1]):
        bounds = layer_bounds(layer, inputs)
        for i, (lower, upper) in enumerate(bounds):
            if lower is not None and lower >= 0:
                signs[l, i] = 1
            elif upper is not None and upper <= 0:
                signs[l, i] = -1
        inputs = activated(bounds)
    return signs
