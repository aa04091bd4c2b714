"""A wider ReLU network for a folded model whose layers were not determined.

x = s(x) − s(−x) and |u| = s(u) + s(−u): each layer passes on x and all |u_t| so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.network.network import Layer, Network
from exactrelu.questions.recovery.rows import Rows

#: What stands at a position of a layer: the numbers of activations that add up to it, signed.
_Sums = Mapping[int, Sequence[tuple[int, int]]]


def passed_through(rows: Rows) -> Network:
    """The network of the folded model in which every layer passes on all that is known."""
    n = rows.n_inputs
    n_units = len(rows.units)
    axes = [tuple(fmpq(p == k) for p in range(n + 1 + n_units)) for k in range(n + 1 + n_units)]
    sums: _Sums = {k: ((k, 1),) for k in range(n)}
    width = n
    layers = []
    levels = _levels(rows)
    for k in range(1, max(levels, default=0) + 1):
        wanted: list[tuple[int, Vector]] = []
        for p in range(n):
            wanted += [(p, axes[p]), (p, _negative(axes[p]))]
        for t, level in enumerate(levels):
            if level < k:
                wanted.append((n + 1 + t, axes[n + 1 + t]))
            elif level == k:
                wanted += [(n + 1 + t, rows.units[t]), (n + 1 + t, _negative(rows.units[t]))]
        layers.append(_layer([row for _, row in wanted], sums, width, n))
        places: dict[int, list[tuple[int, int]]] = {}
        for i, (p, _) in enumerate(wanted):
            # The second of a pair for x is s(−x), to be subtracted.
            side = -1 if p < n and p in places else 1
            places.setdefault(p, []).append((i, side))
        sums, width = places, len(wanted)
    layers.append(_layer(rows.outputs, sums, width, n))
    return Network(tuple(layers))


def _levels(rows: Rows) -> list[int]:
    """One more than the levels of all units in the row, determined or not."""
    found: dict[int, int] = {}
    while len(found) < len(rows.units):
        for t, row in enumerate(rows.units):
            over = [j for j, v in enumerate(row[rows.n_inputs + 1 :]) if v]
            if t not in found and all(j in found for j in over):
                found[t] = 1 + max((found[j] for j in over), default=0)
    return [found[t] for t in range(len(rows.units))]


def _negative(row: Vector) -> Vector:
    return tuple(-v for v in row)


def _layer(rows: Sequence[Vector], sums: _Sums, width: int, n: int) -> Layer:
    table = []
    for row in rows:
        weights = [ZERO] * width
        for p, v in enumerate(row):
            for i, s in sums.get(p, ()) if v else ():
                weights[i] += s * v
        table.append((*weights, row[n]))
    return Layer(Matrix(table))
