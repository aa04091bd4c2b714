"""Scenes as SVG text, without any library: the explorer's pictures and the small plots.

The picture is 1000 wide; positions come from exact coordinates (:mod:`exactrelu.view.window`) and
have six decimals, so that one can look closer.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from importlib.resources import files

from flint import fmpq

from exactrelu.exact.scalar import Vector
from exactrelu.view.boundary import decision_boundary
from exactrelu.view.colours import FILLS, colouring, stroke, tint
from exactrelu.view.polygons import Points
from exactrelu.view.report.slices import core
from exactrelu.view.scene import Scene
from exactrelu.view.window import Window, interval, window_of

WIDTH = 1000


class Sheet:
    """The way from points of a window to places on the picture."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.height = WIDTH * window.aspect

    def place(self, point: Vector) -> tuple[float, float]:
        x, y = self.window.place(point)
        return WIDTH * x, self.height * (1 - y)

    def points(self, corners: Iterable[Vector]) -> str:
        """The value of a ``points`` attribute."""
        places = map(self.place, corners)
        return " ".join(f"{decimal(x)},{decimal(y)}" for x, y in places)

    def line(self, ends: Points, kind: str) -> str:
        """A segment of a class."""
        return f'<polyline class="{kind}" points="{self.points(ends)}"/>'


def decimal(value: float) -> str:
    """Six decimals, no zeros at the end."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def patterns() -> str:
    """The fills of regions, tint and hatch, once for the page."""
    hatches = ("", "M0 8L8 0", "M0 4H8M4 0V8", "M0 0L8 8", "M0 4H8", "M0 0L8 8M0 8L8 0", "M4 0V8")
    shapes = "".join(
        f'<pattern id="fill{k}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<rect width="8" height="8" fill="{tint(colour)}"/>'
        f'<path d="{hatch}" fill="none" stroke="{colour}" stroke-opacity=".35" stroke-width=".6"/>'
        "</pattern>"
        for k, (colour, hatch) in enumerate(zip(FILLS, hatches, strict=True))
    )
    return f'<svg width="0" height="0" class="defs" aria-hidden="true"><defs>{shapes}</defs></svg>'


def picture_css() -> str:
    """The style of pages with pictures: the classes of regions, walls and levels."""
    rules = [(files("exactrelu.view.report") / "report.css").read_text(encoding="utf-8")]
    for k in range(len(FILLS)):
        rules.append(f".by-pattern .p{k}, .by-map .m{k} {{ fill: url(#fill{k}); }}")
    for k in range(1, 6):
        line = stroke(k)
        rules.append(f".l{k} {{ stroke: {line.colour}; stroke-width: {line.width}px; }}")
        rules.append(f".box.l{k} {{ border-color: {line.colour}; }}")
    return "\n".join(rules)


def explorer_svg(found: Scene, number: int, is_first: bool) -> str:
    """A slice of the explorer: cells to point at, walls, the decision boundary."""
    sheet, cells, walls, lines = _flat(found) if found.dimension == 2 else _graph(found)
    by_pattern, by_map = colouring(found, "pattern"), colouring(found, "map")
    parts = [
        f'<polygon class="cell p{p} m{m}" data-cell="{k}" points="{sheet.points(corners)}"/>'
        for k, (corners, p, m) in enumerate(zip(cells, by_pattern, by_map, strict=True))
    ]
    for ends, layer, is_visible in walls:
        hidden = "" if is_visible else " unseen"
        parts.append(sheet.line(ends, f"wall l{min(layer, 5)}{hidden}"))
    parts += [sheet.line(ends, kind) for ends, kind in lines]
    view = _view_box(sheet, core(found)) if found.dimension == 2 else None
    full = f"0 0 {WIDTH} {decimal(sheet.height)}"
    sides = " ".join(_number(end) for side in sheet.window.sides for end in side)
    hidden = "" if is_first else ' style="display: none"'
    return (
        f'<svg class="slice by-pattern" data-slice="{number}" data-full="{full}" '
        f'data-window="{sides}" viewBox="{view or full}" role="img" '
        f'aria-label="activation regions"{hidden}>\n'
        + "\n".join(parts)
        + '\n<polygon class="mark" points=""/><g class="ticks"></g></svg>\n'
    )


_Walls = list[tuple[Points, int, bool]]
_Lines = list[tuple[Points, str]]


def _flat(found: Scene) -> tuple[Sheet, list[Points], _Walls, _Lines]:
    walls = [(wall.corners, wall.layer, wall.is_visible) for wall in found.walls]
    walls.sort(key=lambda wall: -wall[1])
    boundary = [part.corners for part in decision_boundary(found)]
    lines = [(ends, "casing") for ends in boundary] + [(ends, "boundary") for ends in boundary]
    return Sheet(found.window), [cell.corners for cell in found.cells], walls, lines


def _graph(found: Scene) -> tuple[Sheet, list[Points], _Walls, _Lines]:
    """Of one input: the regions as strips behind the graph of the function."""
    values = [y for cell in found.cells for p in cell.corners for y in cell.map(p)]
    low, high = interval(values)
    window = Window((found.window.sides[0], (low, high)))
    cells: list[Points] = []
    lines: _Lines = []
    for cell in found.cells:
        a, b = (p[0] for p in cell.corners)
        cells.append(((a, low), (b, low), (b, high), (a, high)))
        for output in range(found.network.n_outputs):
            ends = tuple((p[0], cell.map(p)[output]) for p in cell.corners)
            lines.append((ends, f"graph output{output % 4}"))
    walls: _Walls = [
        (((wall.corners[0][0], low), (wall.corners[0][0], high)), wall.layer, wall.is_visible)
        for wall in found.walls
    ]
    return Sheet(window), cells, walls, lines


def folds_svg(found: Scene) -> str:
    """The fold-set by canonical level."""
    sheet = Sheet(found.window)
    parts = [
        f'<polygon class="ground" points="{sheet.points(cell.corners)}"/>' for cell in found.cells
    ]
    for wall in found.walls:
        if wall.is_visible:
            level = found.level.get(wall.signs, (None, None))[0]
            kind = "casing" if level is None else f"wall l{min(level, 5)}"
            parts.append(sheet.line(wall.corners, kind))
    return _small(sheet, parts, "fold-set by level", _view_box(sheet, core(found)))


def dual_svg(found: Scene) -> str:
    """The dual points: gradients of the affine maps, with one input slopes and offsets."""
    fills = colouring(found, "map")
    points: list[tuple[Vector, int]] = []
    for cell, fill in zip(found.cells, fills, strict=True):
        for output, row in enumerate(cell.map.matrix.rows()):
            points.append((row if len(row) == 2 else (*row, cell.map.offset[output]), fill))
    sheet = Sheet(window_of([point for point, _ in points]))
    parts = []
    for axis in (0, 1):
        for at, text in sheet.window.ticks(axis):
            if not 0.05 < at < 0.95:
                continue
            x, y = (at * WIDTH, sheet.height) if axis == 0 else (0, sheet.height * (1 - at))
            anchor = "middle" if axis == 0 else "start"
            shift = -8 if axis == 0 else 4
            parts.append(
                f'<text x="{decimal(x)}" y="{decimal(y + shift)}" text-anchor="{anchor}">'
                f"{html.escape(text)}</text>"
            )
    for point, fill in points:
        x, y = sheet.place(point)
        parts.append(
            f'<circle cx="{decimal(x)}" cy="{decimal(y)}" r="9" '
            f'fill="{tint(FILLS[fill], 0.7)}" class="dual"/>'
        )
    return _small(sheet, parts, "dual points", f"0 0 {WIDTH} {decimal(sheet.height)}")


def _small(sheet: Sheet, parts: Sequence[str], name: str, view: str) -> str:
    body = "\n".join(parts)
    return f'<svg class="small" viewBox="{view}" role="img" aria-label="{name}">\n{body}\n</svg>'


def _view_box(sheet: Sheet, part: Window) -> str:
    """The ``viewBox`` that shows a part of the picture."""
    (a, b), (c, d) = part.sides
    left, bottom = sheet.place((a, c))
    right, top = sheet.place((b, d))
    return " ".join(map(decimal, (left, top, right - left, bottom - top)))


def _number(value: fmpq) -> str:
    """A number for the labels of the axes: a float if it is one, else nothing to label."""
    from exactrelu.exact.scalar import to_float

    return repr(to_float(value))
