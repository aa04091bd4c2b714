"""Chains of bends: points at which the units of two layers, one after the other, are 0.

Layers, units and the layer l are counted from 0, and d_l is the width in front of layer l. A
point is *open* for l if no unit before layer l is 0 at it, and each layer before l, and the
input, has at least d_l positive units (coordinates): the layer just before has d_l units, all
positive then.

A *hyperplane* is named by a unit of a layer m >= l and by the signs, + and -, of the layers from l
to m - 1. At a *bend* just one unit of a layer m is 0, none of the layers before, and some of layer
m + 1: the hyperplane of the first unit goes straight on, and two hyperplanes of each unit of layer
m + 1 that is 0 end, where the first unit is active and where it is not.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

Hyperplane = tuple[int, int, tuple[str, ...]]


class Bend(NamedTuple):
    """The hyperplane that goes straight on, and those that end at it."""

    straight: Hyperplane
    ending: Sequence[Hyperplane]


def is_open(layer: int, signs: Sequence[str], widths: Sequence[int]) -> bool:
    """Tell whether a point with these signs is open for a layer."""
    size = widths[layer]
    before = signs[:layer]
    return widths[0] >= size and all("0" not in row and row.count("+") >= size for row in before)


def zeros(signs: Sequence[str]) -> list[tuple[int, int]]:
    """Return layer and number of the units that are 0."""
    return [
        (layer, unit)
        for layer, row in enumerate(signs)
        for unit, sign in enumerate(row)
        if sign == "0"
    ]


def bend(layer: int, signs: Sequence[str]) -> Bend | None:
    """Return the bend of the layers from one on at a point that is open for it, if it is one."""
    found = zeros(signs)
    first, unit = found[0] if found else (0, 0)
    if [number for number, _ in found].count(first) != 1:
        return None
    rows = list(signs[layer : first + 1])
    last = rows.pop()
    ending = [
        (first + 1, other, (*rows, last[:unit] + side + last[unit + 1 :]))
        for side in "-+"
        for other, sign in enumerate("".join(signs[first + 1 : first + 2]))
        if sign == "0"
    ]
    return Bend((first, unit, tuple(rows)), ending) if ending else None


def is_class(widths: Sequence[int]) -> bool:
    """Tell whether the theorem of Phuong and Lampert is about networks of these widths."""
    return len(widths) > 2 and widths[-1] < 2 and all(a >= b for a, b in pairwise(widths))
