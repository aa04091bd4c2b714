"""Hidden hyperplanes in a normal form, whatever the widths (theory 3.1–3.3, 3.7).

Let all rows [w|b] of the next layer that are not dead have one positive entry, a weight from
the same neuron i.  Then (a weaker condition than hiding, theory 3.1: zeros may occur)

- T_i keeps the function for t ≥ max_j b_j / w_ji, which is ≤ 0.  Normal: t is that bound.
- M_A keeps it if, for each a in A, w_ja / w_ji is the same for all these rows j; one live neuron
  is a special case.  Normal: the first weight ≠ 0 of row a is positive, where inputs of
  later layers are taken in an order that does not depend on their numbering or scale.

Neither needs genericity.  T_i and M_A commute, and so the normal form of θ is that of every
T_i M_A θ, up to permutation and positive scaling.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from exactrelu.exact.scalar import ONE, Vector, primitive
from exactrelu.network.hiding import is_dead_row
from exactrelu.network.network import Network
from exactrelu.network.rewriting import Drop, Flip, Step, Translate, rewritten

#: Neurons in an order of their own, each with the number > 0 by which it is scaled.
Frame = list[tuple[int, fmpq]]


def hidden_neuron(following: Sequence[Vector]) -> int | None:
    """The neuron that is hidden by the live rows of the next layer, if there are any.

    >>> hidden_neuron([(fmpq(-1), fmpq(2), fmpq(0)), (fmpq(-1), fmpq(-1), fmpq(0))])
    1
    """
    found: int | None = None
    for row in following:
        for k, entry in enumerate(row):
            if entry > 0:
                if k == len(row) - 1 or found not in (None, k):
                    return None
                found = k
    return found


def unhidden(network: Network) -> tuple[Network, tuple[Step, ...]]:
    """The network after the steps that bring its hidden neurons to the normal form.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, -1]], [[2, -1], [-1, 0]], [[1, 1]]], [[0, 3], [-4, 0], [0]])
    >>> for step in unhidden(net)[1]: print(step)
    Drop(layer=1, neuron=1)
    Flip(layer=0, hidden=0, neurons=(1,))
    Translate(layer=0, hidden=0, shift=-2)
    """
    current, steps = network, list[Step]()
    for l in range(len(network.layers) - 2):
        hidden = hidden_neuron(current.layers[l + 1].affine.rows())
        if hidden is not None:
            for step in _steps(current, l, hidden):
                steps.append(step)
                current = rewritten(current, step, frozenset())
    return current, tuple(steps)


def _steps(network: Network, l: int, hidden: int) -> list[Step]:
    following = network.layers[l + 1].affine.rows()
    dead = [j for j, row in enumerate(following) if is_dead_row(row)]
    steps: list[Step] = [Drop(l + 1, j) for j in reversed(dead)]
    live = [row for j, row in enumerate(following) if j not in set(dead)]
    turned = [
        a
        for a, row in enumerate(network.layers[l].affine.rows())
        if a != hidden and _has_one_ratio(live, a, hidden) and _is_reversed(network, l, row)
    ]
    if turned:
        steps.append(Flip(l, hidden, tuple(turned)))
    lowest = max(row[-1] / row[hidden] for row in live)
    return [*steps, Translate(l, hidden, lowest)] if lowest else steps


def _has_one_ratio(rows: Sequence[Vector], a: int, hidden: int) -> bool:
    first = rows[0]
    return all(row[a] * first[hidden] == first[a] * row[hidden] for row in rows)


def _is_reversed(network: Network, l: int, row: Vector) -> bool:
    """Whether the first weight ≠ 0 of a row of layer l is negative."""
    return next((row[j] < 0 for j, _ in _frame(network, l) if row[j] != 0), False)


def _frame(network: Network, l: int) -> Frame:
    """The inputs of layer l in an order that permutations and scalings do not change."""
    frame: Frame = [(j, ONE) for j in range(network.n_inputs)]
    for layer in network.layers[:l]:
        rays = []
        for i, row in enumerate(layer.affine.rows()):
            seen = [*(row[j] * scale for j, scale in frame), row[-1]]
            ray = primitive(seen)
            place = next((k for k, x in enumerate(ray) if x != 0), None)
            rays.append((ray, i, ONE if place is None else seen[place] / ray[place]))
        frame = [(i, scale) for _, i, scale in sorted(rays, key=lambda entry: entry[:2])]
    return frame
