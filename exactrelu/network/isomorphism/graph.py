"""Networks as coloured graphs: what is left of isomorphism when scalings are gone.

The vertices are the hidden neurons, by layer.  The *label* of a vertex is what it sees
of the root after normal scaling: its bias, its input weights in the first layer, its
output weights in the last one.  Edges are the normal weights between hidden layers.
Labels and weights are rationals; the graph holds their ranks in a fixed total order,
as small integers, one matrix for each pair of layers.

Two networks are isomorphic iff their widths and output biases are equal and their
graphs are isomorphic, where free components (see ``scaling``) may be rescaled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.exact.scalar import ONE, ZERO, Vector, sign
from exactrelu.network.isomorphism.scaling import Scales, normal_scales
from exactrelu.network.network import Network

Integers: TypeAlias = npt.NDArray[np.int64]

#: Stands where two vertices of one union come from different networks.
_NO_EDGE = -1


@dataclass(frozen=True)
class Normal:
    """A network after normal scaling; ``weights[l]`` joins hidden layers l and l + 1.

    Weights of free components are replaced by their signs, which is all that is
    invariant there.
    """

    scales: Scales
    labels: tuple[tuple[Any, ...], ...]
    weights: tuple[tuple[Vector, ...], ...]


@dataclass(frozen=True)
class Graph:
    """``edges[l][j, i]`` is the rank of the weight from vertex i of layer l to j of l + 1."""

    widths: tuple[int, ...]
    colours: tuple[Integers, ...]
    edges: tuple[Integers, ...]


def normal_form(network: Network, anchors: Iterable[tuple[int, int]] = ()) -> Normal:
    """Labels and normal weights."""
    scales = normal_scales(network, anchors)
    n_hidden = len(scales)
    table = [layer.affine.rows() for layer in network.layers]
    labels = []
    weights = []
    for l, layer in enumerate(scales):
        labels.append(tuple(_label(table, l, i, d, l == n_hidden - 1) for i, d in enumerate(layer)))
        if l > 0:
            weights.append(_scaled(table[l], layer, scales[l - 1]))
    return Normal(scales, tuple(labels), tuple(weights))


def _label(
    table: Sequence[Sequence[Vector]], l: int, i: int, d: fmpq | None, is_last: bool
) -> tuple[Any, ...]:
    if d is None:
        return (0,)
    row = table[l][i]
    incoming = tuple(d * w for w in (row if l == 0 else row[-1:]))
    outgoing = tuple(out[i] / d for out in table[-1]) if is_last else ()
    return (1, incoming, outgoing)


def _scaled(
    rows: Sequence[Vector], scales: Sequence[fmpq | None], before: Sequence[fmpq | None]
) -> tuple[Vector, ...]:
    # An edge joins two anchored vertices or two free ones, so a column may count as
    # scaled by 1 wherever only zeros or free rows meet it.
    inverse = [ONE if d is None else 1 / d for d in before]
    return tuple(
        tuple(fmpq(sign(w)) for w in row[:-1])
        if d is None
        else tuple(w * d * c if w else ZERO for w, c in zip(row, inverse, strict=False))
        for row, d in zip(rows, scales, strict=True)
    )


def graph_of(*networks: Normal) -> Graph:
    """The graph of a network, or the disjoint union of the graphs of several."""
    layers = list(zip(*(n.labels for n in networks), strict=True))
    colours = tuple(_ranks([label for part in layer for label in part]) for layer in layers)
    edges = []
    for l, blocks in enumerate(zip(*(n.weights for n in networks), strict=True)):
        ranks = _weight_ranks([w for block in blocks for row in block for w in row])
        shapes = [(len(n.labels[l + 1]), len(n.labels[l])) for n in networks]
        matrix = np.full(tuple(map(sum, zip(*shapes, strict=True))), _NO_EDGE, dtype=np.int64)
        start = row = column = 0
        for m, n in shapes:
            block = ranks[start : start + m * n].reshape(m, n)
            matrix[row : row + m, column : column + n] = block
            start, row, column = start + m * n, row + m, column + n
        edges.append(matrix)
    return Graph(tuple(map(len, colours)), colours, tuple(edges))


def part_of(graph: Graph, keep: Sequence[Sequence[int]]) -> Graph:
    """Some vertices of each layer, and what joins them."""
    numbers = [np.array(kept, dtype=np.int64) for kept in keep]
    colours = tuple(c[kept] for c, kept in zip(graph.colours, numbers, strict=True))
    edges = tuple(
        block[np.ix_(after, before)]
        for block, before, after in zip(graph.edges, numbers, numbers[1:], strict=False)
    )
    return Graph(tuple(map(len, numbers)), colours, edges)


def _weight_ranks(weights: Sequence[fmpq]) -> Integers:
    """The rank of each (numerator, denominator) among the distinct ones.

    Floats sort them, since rounding is monotone; what they cannot tell apart is compared exactly.
    """
    keys = [(int(w.p), int(w.q)) for w in weights]
    try:
        floats = np.array(keys, dtype=np.float64).reshape(-1, 2)
    except OverflowError:
        return _ranks(keys)
    order = np.lexsort((floats[:, 1], floats[:, 0]))
    sorted_floats = floats[order]
    ties = np.flatnonzero((sorted_floats[1:] == sorted_floats[:-1]).all(axis=1)).tolist()
    places = order.tolist()
    repeated = {k for k in ties if keys[places[k]] == keys[places[k + 1]]}
    if len(repeated) < len(ties):
        return _ranks(keys)
    is_new = np.ones(len(keys), dtype=np.int64)
    is_new[:1] = 0
    is_new[np.array(ties, dtype=np.int64) + 1] = 0
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[order] = np.cumsum(is_new)
    return ranks


def _ranks(keys: Sequence[Any]) -> Integers:
    """The rank of each key among the distinct ones."""
    rank = {key: k for k, key in enumerate(sorted(set(keys)))}
    return np.fromiter((rank[key] for key in keys), dtype=np.int64, count=len(keys))
