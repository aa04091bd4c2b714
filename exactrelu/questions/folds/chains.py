"""Chains of bends: what forces the units of a layer to be units of that layer.

h is a general transparent network on Z, and y = h^{1:l−1}(x), with ReLU, runs through Z^{l−1}.  A
point x of Z is *open for l* if no unit before layer l is 0 at it, all units of layer l−1 are
positive, and every layer before has at least d_{l−1} positive units: as masked ranks are
maximal, x ↦ y is open near x, and y is in the interior of Z^{l−1}.

Let exactly two units be 0 at such an x, (m, i) and (m+1, j) with m ≥ l.  The fold-set of h^{l:L}
bends at y: the hyperplane of (m, i) goes straight on, the two of (m+1, j), where (m, i) is active
and where it is not, end there (see :mod:`.layers`).  Hyperplanes of h^{l:L} are named by a unit
and the indicator of the layers l, l+1, … below it, which determine each other.

A *chain* from (l, i) is a sequence of such points for the layers (l, l+1), (l+1, l+2), …,
(L−2, L−1) in which each hyperplane that ends at a point goes straight on at the next.  For
l = L−1 it is a point, open for l, at which just the unit (l, i) is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from exactrelu.complex.faces import Face
from exactrelu.exact.scalar import Vector
from exactrelu.network.evaluate import Pattern

#: A hyperplane of h^{l:L}: layer and index of its unit, and the signs of the layers l, … below.
_Vertex = tuple[int, int, Pattern]


@dataclass(frozen=True)
class Chains:
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


def find_chains(faces: Iterable[Face], widths: tuple[int, ...]) -> Chains | NoChain:
    """Chains for all units of all hidden layers, from the faces of the complex on Z."""
    n_hidden = len(widths) - 2
    simple = [face for face in faces if len(face.zeros) <= 2]
    found = []
    for layer in range(1, n_hidden + 1):
        usable = [face for face in simple if is_open_for(layer, face.signs, widths)]
        is_last = layer == n_hidden
        starts = _points(usable, layer) if is_last else _chains(usable, layer, n_hidden)
        for index in range(1, widths[layer] + 1):
            if index not in starts:
                return NoChain(layer, index)
        found.append(tuple(starts[index] for index in range(1, widths[layer] + 1)))
    for face in simple:
        if not face.zeros and is_open_for(n_hidden + 1, face.signs, widths):
            return Chains(tuple(found), face.point)
    return NoChain(n_hidden + 1, 0)


def _points(faces: Iterable[Face], layer: int) -> dict[int, tuple[Vector, ...]]:
    """For each unit of the last hidden layer a point at which just this unit is 0."""
    found: dict[int, tuple[Vector, ...]] = {}
    for face in faces:
        if len(face.zeros) == 1 and face.zeros[0][0] == layer:
            found.setdefault(face.zeros[0][1], (face.point,))
    return found


def _chains(faces: list[Face], layer: int, n_hidden: int) -> dict[int, tuple[Vector, ...]]:
    """For each unit of a layer, as far as there is one, a chain, built from its end."""
    by_layer: dict[int, list[Face]] = {}
    for face in faces:
        if len(face.zeros) == 2 and face.zeros[1][0] == face.zeros[0][0] + 1:
            by_layer.setdefault(face.zeros[0][0], []).append(face)
    good: dict[_Vertex, tuple[Vector, ...]] = {}
    for m in range(n_hidden - 1, layer - 1, -1):
        for face in by_layer.get(m, []):
            tail, *heads = _bend(face, layer)
            rest = next((good[head] for head in heads if head in good), None)
            if m == n_hidden - 1:
                rest = ()
            if rest is not None:
                good.setdefault(tail, (face.point, *rest))
    return {i: chain for (m, i, _), chain in good.items() if m == layer}


def _bend(face: Face, layer: int) -> Iterator[_Vertex]:
    """The hyperplane that goes straight on at a bend, then the two that end there."""
    (m, i), (_, j) = face.zeros
    below = face.signs[layer - 1 : m - 1]
    yield m, i, below
    row = face.signs[m - 1]
    for side in (-1, 1):
        yield m + 1, j, (*below, (*row[: i - 1], side, *row[i:]))
