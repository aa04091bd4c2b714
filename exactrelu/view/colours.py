"""Colours, lines and hatches that colour-blind readers and grey printers can tell apart.

The palette is that of Okabe and Ito (2008).  Nothing is said by colour alone: layers also differ
in width and have labels, regions in hatching, outputs in the shape of their points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, MutableMapping
from dataclasses import dataclass

from exactrelu.view.scene import Cell, Scene

BLACK = "#000000"
ORANGE, SKY, GREEN = "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILLION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"


@dataclass(frozen=True)
class Stroke:
    """A line of a layer or level."""

    colour: str
    width: float


#: Layers 1, 2, …: later ones share the last.
STROKES = (
    Stroke(BLUE, 2.4),
    Stroke(VERMILLION, 1.8),
    Stroke(GREEN, 1.4),
    Stroke(PURPLE, 1.2),
    Stroke(BLACK, 1.0),
)

#: The fills of regions: a light tint and a hatch each.
FILLS = (SKY, ORANGE, GREEN, YELLOW, PURPLE, VERMILLION, BLUE)
HATCHES = ("", "///", "+++", "\\\\\\", "---", "xxx", "|||")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def stroke(layer: int) -> Stroke:
    """The line of a layer or level, from 1."""
    return STROKES[min(layer, len(STROKES)) - 1]


def thinner(n_lines: int) -> float:
    """The factor of all widths in a picture of so many lines."""
    return 1.0 if n_lines <= 60 else 0.75 if n_lines <= 200 else 0.5


def tint(colour: str, strength: float = 0.28) -> str:
    """A colour mixed with white.

    >>> tint("#0072B2", 0.5)
    '#80b9d9'
    """
    parts = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{int(255 - strength * (255 - part) + 0.5):02x}" for part in parts)


def key(cell: Cell, by: str) -> Hashable:
    """What gives a cell its colour: its ``pattern``, or its affine ``map``."""
    return cell.pattern if by == "pattern" else cell.map


def colouring(
    scene: Scene, by: str, known: MutableMapping[Hashable, int] | None = None
) -> list[int]:
    """A fill for each cell: the same for the same key, another one for neighbours if possible.

    ``known`` remembers fills from one picture to the next.
    """
    known = {} if known is None else known
    keys = [key(cell, by) for cell in scene.cells]
    near: dict[Hashable, set[Hashable]] = {k: set() for k in keys}
    for wall in scene.walls:
        below, above = (keys[side] for side in wall.beside)
        if below != above:
            near[below].add(above)
            near[above].add(below)
    used = Counter(known[k] for k in near if k in known)
    for k, neighbours in near.items():
        if k not in known:
            taken = {known[other] for other in neighbours if other in known}
            free = [c for c in range(len(FILLS)) if c not in taken] or list(range(len(FILLS)))
            known[k] = min(free, key=lambda c: (used[c], c))
            used[known[k]] += 1
    return [known[k] for k in keys]
