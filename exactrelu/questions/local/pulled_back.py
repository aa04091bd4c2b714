"""Affine forms of neurons on many activation regions at once, exactly.

On the region of a pattern the preactivations of layer l are the affine functions
H_l I_{l−1} H_{l−1} … I_1 H_1 (x, 1), with H = [W|b] above the row (0, …, 0, 1) and I_l the mask
of the active neurons.  Rows of many neurons on many regions are one matrix beside H_{l−1}, so
each layer is one FLINT product for all of them.  Numerators only: denominators multiply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flint import fmpq, fmpz, fmpz_mat

from exactrelu.exact.matrix import Matrix
from exactrelu.network.evaluate import Pattern
from exactrelu.network.network import Network

#: Entries of one stacked matrix: beyond this, memory grows and nothing gets faster.
_MAX_ENTRIES = 2_000_000

_ZERO = fmpz(0)


def pulled_back(
    network: Network, layer: int, neurons: Sequence[tuple[Pattern, int]]
) -> Iterator[list[fmpz]]:
    """The forms [a…, b] of neurons (pattern, i) of a layer, all from 0, where the pattern holds.

    Each comes times the denominators of the layers up to its own, as
    :attr:`Evaluation.numerators` do.
    """
    step = max(1, _MAX_ENTRIES // (max(network.widths) + 1))
    for start in range(0, len(neurons), step):
        part = neurons[start : start + step]
        rows = network.layers[layer].affine.integer_form[0].tolist()
        stacked = [v for _, i in part for v in rows[i]]
        for l in reversed(range(layer)):
            masks = {p: [*(s > 0 for s in p[l]), True] for p in {p for p, _ in part}}
            kept = (on for p, _ in part for on in masks[p])
            masked = [v if on else _ZERO for v, on in zip(stacked, kept, strict=True)]
            width = network.widths[l + 1] + 1
            stacked = (fmpz_mat(len(part), width, masked) * _homogeneous(network, l)).entries()
        width = network.n_inputs + 1
        for first in range(0, len(stacked), width):
            yield stacked[first : first + width]


def output_maps(network: Network, patterns: Sequence[Pattern]) -> Iterator[Matrix]:
    """[W|b] of the output where each pattern holds.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [A.rows() for A in output_maps(xor, [((1, 1),), ((1, -1),)])]
    [((-2, -2, 1),), ((2, 2, 1),)]
    """
    height, width = network.n_outputs, network.n_inputs + 1
    denominator = fmpz(1)
    for layer in network.layers:
        denominator *= layer.affine.integer_form[1]
    outputs = [(pattern, j) for pattern in patterns for j in range(height)]
    rows = pulled_back(network, len(network.layers) - 1, outputs)
    for _ in patterns:
        entries = [fmpq(v, denominator) for _ in range(height) for v in next(rows)]
        yield Matrix.from_entries(height, width, entries)


def _homogeneous(network: Network, l: int) -> fmpz_mat:
    """The numerators of [W|b] above the row (0, …, 0, 1)."""
    integers, scale = network.layers[l].affine.integer_form
    n = network.widths[l]
    last = [_ZERO] * n + [scale]
    return fmpz_mat(network.widths[l + 1] + 1, n + 1, integers.entries() + last)
