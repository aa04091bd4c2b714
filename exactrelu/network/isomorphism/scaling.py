"""A normal scaling of the hidden neurons: the scaling half of isomorphism (θ ~ η).

Scaling neuron (l,i) by d > 0 multiplies its row of [W_l|b_l] by d and divides its
column of W_{l+1} by d.  Inputs, outputs and the constant 1 of the biases cannot be
scaled: together they are the *root*.  Nonzero weights make a graph of the root and
the hidden neurons.  Neurons are *anchored* in the order of their distance from the
root, each by the entries that join it to what was anchored just before: the largest
of its incoming ones becomes ±1, or of its outgoing ones if no incoming one is there.

The distance and the largest absolute value do not depend on the order of the neurons,
and every entry is compared after its other end is normal.  So isomorphic networks get
normal forms that differ by a permutation only.  (The ℓ1 norm would do as well, but
sums of fractions grow; a largest entry has the height of one weight.)

A component of the graph without the root has a scale of its own that nothing fixes.
It stays *free*, unless one of its neurons is given as an anchor: that one is scaled by 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flint import fmpq

from exactrelu.exact.scalar import ONE, Vector
from exactrelu.network.network import Network

#: (hidden layer, index), both from 0.
Neuron = tuple[int, int]
#: The scale of every hidden neuron, None where it is free.
Scales = list[list[fmpq | None]]


def normal_scales(network: Network, anchors: Iterable[Neuron] = ()) -> Scales:
    """The normal scaling, with the components of the given neurons anchored at them.

    >>> net = Network.from_arrays([[[4], [0]], [[1, 3]], [[1]]], [[2, 0], [0], [5]])
    >>> normal_scales(net)
    [[1/4, 3], [1]]
    """
    table = [layer.affine.rows() for layer in network.layers]
    scales: Scales = [[None] * n for n in network.hidden_widths]
    level = []
    for l, n in enumerate(network.hidden_widths):
        for i in range(n):
            scale = _scale_from_root(table, l, i)
            if scale is not None:
                scales[l][i] = scale
                level.append((l, i))
    _spread(table, scales, level)
    for l, i in anchors:
        if scales[l][i] is None:
            scales[l][i] = ONE
            _spread(table, scales, [(l, i)])
    return scales


def _scale_from_root(table: Sequence[Sequence[Vector]], l: int, i: int) -> fmpq | None:
    """The scale of a neuron that is joined to the root."""
    row = table[l][i]
    incoming = max(map(abs, row if l == 0 else row[-1:]))
    if incoming != 0:
        return 1 / incoming
    if l == len(table) - 2:
        outgoing = max(abs(out[i]) for out in table[-1])
        return outgoing if outgoing != 0 else None
    return None


def _spread(table: Sequence[Sequence[Vector]], scales: Scales, level: list[Neuron]) -> None:
    """Anchor, level by level, what is joined to the neurons of a level."""
    free = [(l, i) for l, layer in enumerate(scales) for i, d in enumerate(layer) if d is None]
    while free and level:
        by_layer: dict[int, list[int]] = {}
        for l, i in level:
            by_layer.setdefault(l, []).append(i)
        found = [(l, i, _scale_from_level(table, scales, by_layer, l, i)) for l, i in free]
        for l, i, d in found:
            scales[l][i] = d
        level = [(l, i) for l, i, d in found if d is not None]
        free = [(l, i) for l, i, d in found if d is None]


def _scale_from_level(
    table: Sequence[Sequence[Vector]],
    scales: Scales,
    level: dict[int, list[int]],
    l: int,
    i: int,
) -> fmpq | None:
    row = table[l][i]
    entries = [abs(row[j]) / _known(scales[l - 1][j]) for j in level.get(l - 1, ()) if row[j] != 0]
    if entries:
        return 1 / max(entries)
    above = level.get(l + 1, ())
    entries = [abs(table[l + 1][k][i]) * _known(scales[l + 1][k]) for k in above]
    largest = max(entries, default=fmpq(0))
    return largest if largest != 0 else None


def _known(scale: fmpq | None) -> fmpq:
    if scale is None:
        raise ValueError("the scale of an anchored neuron is known")
    return scale
