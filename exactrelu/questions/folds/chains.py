"""Chains of bends: points of a fold-set that show which layer a unit is in (theory 4).

*Chains of bends* force the units of a layer to be units of that layer.  h is a general transparent
network on Z, and y = h^{1:l−1}(x), with ReLU, runs through Z^{l−1}.  A point x of Z is *open for l*
if no unit before layer l is 0 at it, all units of layer l−1 are positive, and every layer before
has at least d_{l−1} positive units: as masked ranks are maximal, x ↦ y is open near x, and y is in
the interior of Z^{l−1}.

Let (m, i), m ≥ l, be 0 at such an x, no other unit of the layers up to m, and some units (m+1, j).
The fold-set of h^{l:L} bends at y: the hyperplane of (m, i), and no other one, goes straight on;
the two of each (m+1, j), where (m, i) is active and where it is not, end there.  Which other units
of the layers m+1, m+2, … are 0 makes no difference.  (If several units of layer m are 0, several
hyperplanes go on, and nothing says which of them is of an earlier layer: no bend.)  Hyperplanes of
h^{l:L} are named by a unit and the indicator of the layers l, l+1, … below it, which determine each
other.

A *chain* from (l, i) is a sequence of such points for the layers (l, l+1), (l+1, l+2), …,
(L−2, L−1) in which each hyperplane that ends at a point goes straight on at the next.  For
l = L−1 it is a point, open for l, at which the unit (l, i) is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Pattern

#: A hyperplane of h^{l:L}: layer and index of its unit, and the signs of the layers l, … below.
_Vertex = tuple[int, int, Pattern]


@dataclass(frozen=True)
class Chains(Outward):
    """For the units of the layers 1, …, L−1 the points of a chain, and a point open for L."""

    points: tuple[tuple[tuple[Vector, ...], ...], ...]
    image: Vector


@dataclass(frozen=True)
class NoChain:
    """No chain starts at unit (layer, index), from 1; index 0: no point is open for the layer."""

    layer: int
    index: int

    def text(self) -> str:
        """What is missing, in words."""
        if self.index == 0:
            return f"no cell has an image with interior points in front of layer {self.layer}"
        return f"no chain of bends starts at unit ({self.layer},{self.index})"


def is_open_for(layer: int, signs: Pattern, widths: tuple[int, ...]) -> bool:
    """Whether a point with these signs is open for a layer, from 1."""
    before, size = signs[: layer - 1], widths[layer - 1]
    return widths[0] >= size and all(0 not in row and row.count(1) >= size for row in before)


def find_chains(
    points: Iterable[tuple[Pattern, Vector]], widths: tuple[int, ...], effort: Effort = UNLIMITED
) -> Chains | NoChain:
    """Chains for all units of all hidden layers, from the signs of the faces, with a point each."""
    n_hidden = len(widths) - 2
    faces = list(points)
    found = []
    for layer in range(1, n_hidden + 1):
        effort.spend()
        usable = [(signs, x) for signs, x in faces if is_open_for(layer, signs, widths)]
        is_last = layer == n_hidden
        starts = _points(usable, layer) if is_last else _chains(usable, layer, n_hidden)
        for index in range(1, widths[layer] + 1):
            if index not in starts:
                return NoChain(layer, index)
        found.append(tuple(starts[index] for index in range(1, widths[layer] + 1)))
    for signs, x in faces:
        if is_open_for(n_hidden + 1, signs, widths):
            return Chains(tuple(found), x)
    return NoChain(n_hidden + 1, 0)


def _points(faces: Iterable[tuple[Pattern, Vector]], layer: int) -> dict[int, tuple[Vector, ...]]:
    """For each unit of the last hidden layer a point at which it is 0."""
    found: dict[int, tuple[Vector, ...]] = {}
    for signs, x in faces:
        for index, sign in enumerate(signs[layer - 1], 1):
            if sign == 0:
                found.setdefault(index, (x,))
    return found


def _chains(
    faces: Iterable[tuple[Pattern, Vector]], layer: int, n_hidden: int
) -> dict[int, tuple[Vector, ...]]:
    """For each unit of a layer, as far as there is one, a chain, built from its end."""
    bends: dict[int, list[tuple[Vector, list[_Vertex]]]] = {}
    for signs, x in faces:
        found = list(_bend(signs, layer))
        if len(found) > 1:
            bends.setdefault(found[0][0], []).append((x, found))
    good: dict[_Vertex, tuple[Vector, ...]] = {}
    for m in range(n_hidden - 1, layer - 1, -1):
        for x, (tail, *heads) in bends.get(m, []):
            rest = next((good[head] for head in heads if head in good), None)
            if m == n_hidden - 1:
                rest = ()
            if rest is not None:
                good.setdefault(tail, (x, *rest))
    return {i: chain for (m, i, _), chain in good.items() if m == layer}


def _bend(signs: Pattern, layer: int) -> Iterator[_Vertex]:
    """The hyperplane that goes straight on at a bend, then those that end there."""
    m = next((m for m, row in enumerate(signs, 1) if 0 in row), None)
    if m is None or signs[m - 1].count(0) > 1:
        return
    below, row = signs[layer - 1 : m - 1], signs[m - 1]
    i = row.index(0) + 1
    yield m, i, below
    for j, sign in enumerate(signs[m] if m < len(signs) else (), 1):
        if sign == 0:
            for side in (-1, 1):
                yield m + 1, j, (*below, (*row[: i - 1], side, *row[i:]))
