"""A smaller network on a domain by what geometry shows, beyond the signs of weights.

Neurons that are dead on the whole domain are dropped, and a layer of linear and dead ones is joined
with the next.  On a bounded domain r = rank(V_I W_I) of k > r linear neurons are enough: with
V_I W_I = C·R they take in R·u + β, β so large that they stay linear.  Signs come from
:mod:`exactrelu.complex.root_signs`.  What comes out is then proved, by a joint tree of both
networks that cuts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import fmpq

from exactrelu.certificates.certificate import Record, record
from exactrelu.certificates.trees import pair_record
from exactrelu.complex.pair_tree import Leaf, Sample, Split, Unlike, pair_tree
from exactrelu.complex.root_signs import Signs, root_signs
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.bounds import box_around
from exactrelu.network.network import Layer, Network
from exactrelu.network.roles import Interval, activated, layer_bounds


def smaller(network: Network, domain: LinearSystem, tick: Callable[[], None]) -> Network | None:
    """The network after one round, or None if nothing changes."""
    signs = root_signs(network, domain, tick)
    for l, width in enumerate(network.hidden_widths):
        found = [signs.get((l, i), 0) for i in range(width)]
        if all(found):
            return _composed(network, l, found)
        if -1 in found:
            return _without_dead(network, signs)
    boxes = box_around(domain)
    for l, layer in enumerate(network.layers[:-1]):
        linear = [i for i in range(layer.n_outputs) if signs.get((l, i)) == 1]
        refactored = _refactored(network, l, linear, boxes)
        if refactored is not None:
            return refactored
        boxes = activated(layer_bounds(layer, boxes))
    return None


def uncut_proof(
    a: Network, b: Network, domain: LinearSystem, tick: Callable[[], None]
) -> list[Record] | None:
    """The records of a tree that proves the networks equal without a cut, if there is one."""
    records: list[Record] = []
    for node in pair_tree(a, b, domain, (), tick):
        match node:
            case Sample() | Unlike():
                pass
            case Split():
                return None
            case Leaf():
                return [*records, record("same")] if node.is_same else None
            case _:
                records.append(pair_record(node, domain))
    return records


def _composed(network: Network, l: int, signs: Sequence[int]) -> Network:
    rows = network.layers[l].affine.rows()
    kept = [row if s > 0 else (ZERO,) * len(row) for row, s in zip(rows, signs, strict=True)]
    after = network.layers[l + 1]
    joined = (after.weights @ Matrix(kept)).rows()
    table = [(*row[:-1], row[-1] + b) for row, b in zip(joined, after.bias, strict=True)]
    layers = network.layers
    return Network((*layers[:l], Layer(Matrix(table)), *layers[l + 2 :]), network.name)


def _without_dead(network: Network, signs: Signs) -> Network:
    """Without the dead neurons of every layer that has others too."""
    layers = list(network.layers)
    for l, width in enumerate(network.hidden_widths):
        kept = [i for i in range(width) if signs.get((l, i)) != -1]
        if kept:
            layers[l] = Layer(layers[l].affine.take(rows=kept))
            layers[l + 1] = Layer(layers[l + 1].affine.take(columns=[*kept, width]))
    return Network(tuple(layers), network.name)


def _refactored(
    network: Network, l: int, linear: Sequence[int], boxes: Sequence[Interval]
) -> Network | None:
    """As many linear neurons as the rank of their map, if they can be kept linear."""
    if len(linear) < 2:
        return None
    here, after = network.layers[l], network.layers[l + 1]
    incoming = here.affine.take(rows=linear)
    outgoing = after.affine.take(columns=linear)
    product = outgoing @ incoming.take(columns=range(here.n_inputs))
    reduced, rank = product.flint.rref()
    if rank >= len(linear):
        return None
    basis = [tuple(row) for row in reduced.table()[:rank]]
    pivots = [next(j for j, x in enumerate(row) if x != 0) for row in basis]
    rows: list[Vector] = []
    for row in basis:
        ((lower, _),) = layer_bounds(Layer(Matrix([(*row, ZERO)])), boxes)
        if lower is None:
            return None
        rows.append((*row, max(-lower, ZERO)))
    # rref: entry j of a row of the product at the pivots is its coefficient in the basis.
    left = [[row[j] for j in pivots] for row in product.rows()]
    shifts = outgoing.apply(incoming.column(here.n_inputs))
    kept = [i for i in range(here.n_outputs) if i not in set(linear)]
    table: list[list[fmpq]] = []
    for out, weights, shift in zip(after.affine.rows(), left, shifts, strict=True):
        taken = sum((w * row[-1] for w, row in zip(weights, rows, strict=True)), ZERO)
        table.append([*(out[i] for i in kept), *weights, out[-1] + shift - taken])
    new = Layer(Matrix([*(here.affine.row(i) for i in kept), *rows]))
    layers = network.layers
    return Network((*layers[:l], new, Layer(Matrix(table)), *layers[l + 2 :]), network.name)
