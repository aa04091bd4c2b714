"""Edge subdivision in floats: how many regions a network has in a box, if rounding does no harm.

The method of Berzins (*Polyhedral complex extraction from ReLU networks using edge subdivision*,
2023), whose program is a repository of scripts in PyTorch and no package.  This is a small one in
numpy: vertices and edges of the complex with their signs, cut by one neuron after the other.  An
edge whose ends have both signs is cut in two; the new vertices of a 2-face are joined.  A face is
known by the hash of its signs.  It trusts floats: a value is never 0, and no two hashes meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

#: Rows [a|b] of layers, as floats.
Layers = Sequence[tuple[Any, Any]]


def count_regions(layers: Layers, side: float) -> int:
    """How many cells of full dimension there are where all inputs lie between ±``side``."""
    n = layers[0][0].shape[1]
    corners = np.array([*product((-1.0, 1.0), repeat=n)])
    n_planes = 2 * n + sum(len(bias) for _, bias in layers[:-1])
    rng = np.random.default_rng(0)
    # What a plane adds to the hash of a face on it, or on its positive side.
    on, above = rng.integers(1, 2**62, (2, n_planes), dtype=np.int64)
    # Planes of the box are 0 or positive: 2k where x_k = −side, 2k + 1 where it is +side.
    signs = np.ones((len(corners), 2 * n), np.int8)
    signs[:, ::2] = corners > 0
    signs[:, 1::2] = corners < 0
    ends = [(i, i | 1 << k) for i in range(len(corners)) for k in range(n) if not i >> k & 1]
    points, edges = corners * side, np.array(ends)
    values = points
    for weights, bias in layers[:-1]:
        for row, b in zip(weights, bias, strict=True):
            points, values, signs, edges = _cut(points, values, signs, edges, row, b, on, above)
        values = np.maximum(values @ weights.T + bias, 0)
    return len(np.unique(_around(signs, on, above, n)))


def _cut(
    points: Any, values: Any, signs: Any, edges: Any, row: Any, b: float, on: Any, above: Any
) -> tuple[Any, Any, Any, Any]:
    """All after one more neuron, which is affine on every cell: of the values before its layer."""
    z = values @ row + b
    positive = z > 0
    first, second = edges.T
    is_cut = positive[first] != positive[second]
    u, v = edges[is_cut].T
    t = (z[u] / (z[u] - z[v]))[:, None]
    new = len(points) + np.arange(len(u))
    # An edge is on the planes on which both ends are, and on the side of the end that is on one.
    between = np.where(signs[u] == 0, signs[v], signs[u])
    return (
        np.concatenate([points, points[u] + t * (points[v] - points[u])]),
        np.concatenate([values, values[u] + t * (values[v] - values[u])]),
        np.concatenate(
            [
                np.column_stack([signs, np.where(positive, 1, -1).astype(np.int8)]),
                np.column_stack([between, np.zeros(len(u), np.int8)]),
            ]
        ),
        np.concatenate(
            [
                edges[~is_cut],
                np.column_stack([u, new]),
                np.column_stack([new, v]),
                _joined(between, new, on, above),
            ]
        ),
    )


def _joined(between: Any, new: Any, on: Any, above: Any) -> Any:
    """The edges in which the neuron meets 2-faces: each has two edges that are cut."""
    hashes = _hash(between, on, above)
    edge, plane = np.nonzero(between == 0)
    below = hashes[edge] - on[plane]
    keys, owners = np.concatenate([below, below + above[plane]]), np.concatenate([edge, edge])
    order = np.argsort(keys, kind="stable")
    keys, owners = keys[order], owners[order]
    pairs = np.nonzero(keys[1:] == keys[:-1])[0]
    return np.column_stack([new[owners[pairs]], new[owners[pairs + 1]]])


def _hash(signs: Any, on: Any, above: Any) -> Any:
    """A number for each row of signs; it wraps around."""
    m = signs.shape[1]
    return (signs == 0) @ on[:m] + (signs > 0) @ above[:m]


def _around(signs: Any, on: Any, above: Any, n: int) -> Any:
    """The hashes of the cells around each vertex, which has n zeros."""
    hashes = _hash(signs, on, above)
    zeros = np.nonzero(signs == 0)[1].reshape(len(signs), n)
    found = []
    for sides in product((0, 1), repeat=n):
        turned = hashes.copy()
        inside = np.ones(len(signs), bool)
        for k, side in enumerate(sides):
            at = zeros[:, k]
            turned += (above[at] if side else 0) - on[at]
            inside &= (at >= 2 * n) | (side == 1)
        found.append(turned[inside])
    return np.concatenate(found)
