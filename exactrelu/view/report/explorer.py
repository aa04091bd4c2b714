"""The region explorer of a report: the plane of two inputs, or slices of a larger space, as SVG.

A slice is {base + t1·d1 + t2·d2}.  Networks of more than two inputs are shown on planes parallel
to the first two axes, moved along another axis at a time by sliders, each position of which is
computed beforehand, exactly.

Scenes, the explorer's pictures and the small plots, become SVG text without any library.  A
picture is 1000 wide; positions come from exact coordinates (:mod:`exactrelu.view.window`) and
have six decimals, so that one can look closer.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Unpack

from flint import fmpq

from exactrelu.bounded import bounded
from exactrelu.digits import say
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.scalar import ONE, ZERO, Vector, to_float
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Optimum
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.lp import maximize
from exactrelu.view.panels import FILLS, colouring, stroke, tint
from exactrelu.view.scene import Scene, decision_boundary, scene
from exactrelu.view.window import Points, Window, interval, window_of
from exactrelu.words import equals

#: A slice with more regions than this is shown in part.
MAX_REGIONS = 1_000
#: The same where there are many slices.
MAX_REGIONS_OF_SLICE = 300
#: Sliders, at most, and their positions.
MAX_SLIDERS = 3
POSITIONS = 7
#: Half-widths of the parts that are tried, after the whole.
_PARTS: tuple[fmpq | None, ...] = (None, *(fmpq(1, 4**k) for k in range(6)))
#: All slices together have this many times the time of one.
SHARE = 4
#: The width of a picture, in its own units.
WIDTH = 1000

#: A base point and directions.
Plane = tuple[Vector, Sequence[Vector]]


@dataclass(frozen=True)
class Slice:
    """A picture of the explorer: its scene, or a note why there is none."""

    where: str
    note: str
    scene: Scene | None


@dataclass(frozen=True)
class Slider:
    """What is moved, and for each position its label and the number of its slice."""

    name: str
    positions: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Explorer:
    """All slices, the first one shown at the beginning, and the sliders between them."""

    slices: tuple[Slice, ...]
    sliders: tuple[Slider, ...]


@bounded
def explorer(
    effort: Effort,
    /,
    network: Network,
    domain: DomainLike = None,
    plane: Plane | None = None,
    *,
    seconds_each: float | None = None,
    **limits: Unpack[Limits],
) -> Explorer:
    """The slices of a network, each of which may take so many seconds.

    ``plane`` is a base point with one or two directions to show, and perhaps a third one to move
    along; by default the first two axes, through a point of the domain.
    """
    place = Domain.of(domain, network.n_inputs)
    whole = place.system
    seconds = None if seconds_each is None else SHARE * seconds_each
    options = _SliceLimits(MAX_REGIONS, seconds_each, effort, effort.part(seconds=seconds))
    if plane is None and place.inner_dimension <= 2:
        return Explorer((_shown(network, whole, "", None, _PARTS, options)[0],), ())
    if plane is None and place.is_flat:
        note = "not drawn: the domain is flat, choose a plane in it with --slice"
        return Explorer((Slice("", note, None),), ())
    base, directions, moves = _default(place) if plane is None else _given(plane)
    if moves:
        options = replace(options, max_regions=MAX_REGIONS_OF_SLICE)
    found: dict[Vector, int] = {}
    slices: list[Slice] = []
    window: Window | None = None
    parts: tuple[fmpq | None, ...] = _PARTS

    def at(point: Vector) -> int:
        nonlocal window, parts
        if point not in found:
            found[point] = len(slices)
            there, where = (point, directions), _words(point, directions)
            # Where a part of one slice was shown, no more of the next ones will be.
            shown, parts = _shown(
                network.slice(*there), whole.slice(*there), where, window, parts, options
            )
            if window is None and shown.scene is not None and moves:
                window = core(shown.scene)
                shown = _again(shown, window)
            slices.append(shown)
        return found[point]

    at(base)
    sliders = []
    for name, direction, places in moves:
        positions = []
        for t in places:
            point = tuple(b + t * d for b, d in zip(base, direction, strict=True))
            positions.append((equals(name, say(_coordinate(name, point, t))), at(point)))
        sliders.append(Slider(name, tuple(positions)))
    return Explorer(tuple(slices), tuple(sliders))


def core(found: Scene) -> Window:
    """The window of a scene, or the part of it around most vertices if they are crowded there."""
    vertices = sorted({v for cell in found.cells for v in cell.vertices})
    if len(vertices) < 3:
        return found.window
    size, middle = ZERO, []
    for (lower, upper), values in zip(found.window.sides, zip(*vertices, strict=True), strict=True):
        ordered = sorted(values)
        cut = len(ordered) // 10
        first, last = ordered[cut], ordered[-1 - cut]
        size = max(size, (last - first) * 2 / (upper - lower))
        middle.append((first + last) / 2)
    if size == 0 or size > fmpq(1, 2):
        return found.window
    sides = []
    for (lower, upper), m in zip(found.window.sides, middle, strict=True):
        half = (upper - lower) * size / 2
        start = min(max(m - half, lower), upper - 2 * half)
        sides.append((start, start + 2 * half))
    return Window(tuple(sides))


@dataclass(frozen=True)
class _SliceLimits:
    """Bounds on the work for a slice, and for all of them."""

    max_regions: int
    seconds: float | None
    whole: Effort
    slices: Effort


def _shown(
    network: Network,
    domain: LinearSystem,
    where: str,
    window: Window | None,
    parts: tuple[fmpq | None, ...],
    options: _SliceLimits,
) -> tuple[Slice, tuple[fmpq | None, ...]]:
    """The first of some parts of a slice that is not too much, and the parts from there on.

    A part is the half-width of a box around the origin of its coordinates, or None for all.
    """
    for k, half in enumerate(parts):
        try:
            options.slices.spend("steps")
        except Stopped:
            return Slice(where, "not drawn: time was over", None), parts[k:]
        box = () if half is None else LinearSystem.box([(-half, half)] * network.n_inputs).rows
        try:
            found = scene(
                network,
                LinearSystem(network.n_inputs, (*domain.rows, *box)),
                window=window if half is None else None,
                effort=options.slices.part(seconds=options.seconds, regions=options.max_regions),
            )
        except Stopped:
            continue
        except InputError as error:
            return Slice(where, str(error), None), parts
        note = "" if half is None else f"a part, |x_i| ≤ {half}: there is too much of the whole"
        return Slice(where, note, replace(found, effort=options.whole)), parts[k:]
    return Slice(where, "not drawn: even a small part is too much", None), parts[-1:]


def _again(part: Slice, window: Window) -> Slice:
    """The same slice, cut to a window."""
    if part.scene is None or part.scene.window == window:
        return part
    found = part.scene
    try:
        again = scene(found.network, found.domain, window=window, effort=found.effort)
    except Stopped:
        return part
    return Slice(part.where, part.note, replace(again, axes=found.axes))


_Moves = list[tuple[str, Vector, list[fmpq]]]


def _default(place: Domain) -> tuple[Vector, list[Vector], _Moves]:
    n = place.dimension
    base = (ZERO, ZERO, *place.point[2:])
    moves: _Moves = []
    for j in range(2, min(n, 2 + MAX_SLIDERS)):
        axis = _unit(n, j)
        ends = _range(place.system, axis)
        if ends is None:
            places = [fmpq(k - POSITIONS // 2, 2) for k in range(POSITIONS)]
        else:
            step = (ends[1] - ends[0]) / (POSITIONS + 1)
            places = [ends[0] + step * (k + 1) - base[j] for k in range(POSITIONS)]
        moves.append((f"x{j + 1}", axis, sorted({ZERO, *places})))
    return base, [_unit(n, 0), _unit(n, 1)], moves


def _given(plane: Plane) -> tuple[Vector, Sequence[Vector], _Moves]:
    base, directions = plane
    if not 1 <= len(directions) <= 3:
        raise InputError(f"--slice: found {len(directions)} directions, expected 1, 2 or 3")
    places = [fmpq(k - POSITIONS // 2, 2) for k in range(POSITIONS)]
    moves: _Moves = [("t3", d, places) for d in directions[2:]]
    return base, directions[:2], moves


def _range(domain: LinearSystem, axis: Vector) -> tuple[fmpq, fmpq] | None:
    """The least and the largest value of a coordinate on a domain, if there are any."""
    upper = maximize(axis, domain.closed())
    lower = maximize(tuple(-a for a in axis), domain.closed())
    if isinstance(upper, Optimum) and isinstance(lower, Optimum):
        return -lower.value, upper.value
    return None


def _unit(n: int, j: int) -> Vector:
    return tuple(ONE if k == j else ZERO for k in range(n))


def _coordinate(name: str, point: Vector, t: fmpq) -> fmpq:
    """What a slider shows: the coordinate that it moves, or how far it moves."""
    return point[int(name[1:]) - 1] if name.startswith("x") else t


def _words(base: Vector, directions: Sequence[Vector]) -> str:
    """Where a slice lies."""
    n = len(base)
    if list(directions) == [_unit(n, 0), _unit(n, 1)]:
        return ", ".join(equals(f"x{j}", say(b)) for j, b in enumerate(base[2:], 3))
    texts = [say(v) for v in (base, *directions)]
    moved = " + ".join(f"x{k}·{text}" for k, text in enumerate(texts[1:], 1))
    return f"the point {texts[0]} + {moved}"


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
    sheet, cells, walls, lines = flat_parts(found) if found.dimension == 2 else graph_parts(found)
    by_pattern, by_map = colouring(found, "pattern"), colouring(found, "map")
    parts = [
        f'<polygon class="cell p{p} m{m}" data-cell="{k}" points="{sheet.points(corners)}"/>'
        for k, (corners, p, m) in enumerate(zip(cells, by_pattern, by_map, strict=True))
    ]
    for ends, layer, is_visible in walls:
        hidden = "" if is_visible else " unseen"
        parts.append(sheet.line(ends, f"wall l{min(layer, 5)}{hidden}"))
    parts += [sheet.line(ends, kind) for ends, kind in lines]
    view = view_box(sheet, core(found)) if found.dimension == 2 else None
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


def flat_parts(found: Scene) -> tuple[Sheet, list[Points], _Walls, _Lines]:
    """Of two inputs: cells, walls with their layers, the decision boundary."""
    walls = [(wall.corners, wall.layer, wall.is_visible) for wall in found.walls]
    walls.sort(key=lambda wall: -wall[1])
    boundary = [part.corners for part in decision_boundary(found)]
    lines = [(ends, "casing") for ends in boundary] + [(ends, "boundary") for ends in boundary]
    return Sheet(found.window), [cell.corners for cell in found.cells], walls, lines


def graph_parts(found: Scene) -> tuple[Sheet, list[Points], _Walls, _Lines]:
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
    return _small(sheet, parts, "fold-set by level", view_box(sheet, core(found)))


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


def view_box(sheet: Sheet, part: Window) -> str:
    """The ``viewBox`` that shows a part of the picture."""
    (a, b), (c, d) = part.sides
    left, bottom = sheet.place((a, c))
    right, top = sheet.place((b, d))
    return " ".join(map(decimal, (left, top, right - left, bottom - top)))


def _number(value: fmpq) -> str:
    """A number for the labels of the axes: a float if it is one, else nothing to label."""
    return repr(to_float(value))
