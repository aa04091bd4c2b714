"""A network of one or two inputs, and its dual points, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flint import fmpq

from exactrelu.exact.scalar import Vector
from exactrelu.view.boundary import decision_boundary
from exactrelu.view.colours import BLACK, FILLS, HATCHES, MARKERS, stroke, thinner, tint
from exactrelu.view.flat import DASHED, DOTTED, Line, finish_plane, labels, legend, segments
from exactrelu.view.polygons import Points
from exactrelu.view.scene import Scene, Wall
from exactrelu.view.window import Window, interval, window_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: With more hidden neurons than this their bent hyperplanes are not labelled.
MAX_LABELS = 20

_FILL: dict[str, Any] = {"edgecolor": "#00000022", "linewidth": 0, "zorder": 1}
_OUTPUT_STYLES: tuple[Any, ...] = ("solid", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))


def draw_complex(axes: Axes, scene: Scene, fills: Sequence[int]) -> None:
    """Regions, bent hyperplanes by layer, invisible facets dashed, the decision boundary."""
    _fill_cells(axes, scene, fills)
    factor = thinner(len(scene.walls))
    for (layer, is_visible), walls in _grouped(scene).items():
        style = "solid" if is_visible else DASHED
        line = (stroke(layer).colour, stroke(layer).width * factor, style)
        segments(axes, scene.window, [wall.corners for wall in walls], line, zorder=3)
    boundary = [part.corners for part in decision_boundary(scene)]
    if boundary:
        segments(axes, scene.window, boundary, ("white", 4.2, "solid"), zorder=4)
        segments(axes, scene.window, boundary, (BLACK, 2.4, DOTTED), zorder=5)
    if scene.network.n_hidden_neurons <= MAX_LABELS:
        walls_of_unit: dict[tuple[int, int], list[Points]] = {}
        for wall in scene.walls:
            for unit in wall.units:
                walls_of_unit.setdefault(unit, []).append(wall.corners)
        wanted = [
            (f"{l},{i}", stroke(l).colour, ends) for (l, i), ends in sorted(walls_of_unit.items())
        ]
        labels(axes, scene.window, wanted)
    lines = _lines_of_layers(scene)
    if boundary:
        text = "$f=0$" if scene.network.n_outputs == 1 else "largest output changes"
        lines.append((BLACK, 2.4, DOTTED, text))
    finish_plane(axes, scene.window, lines, [f"${scene.axis(k)}$" for k in (0, 1)])


def draw_dual(axes: Axes, scene: Scene, fills: Sequence[int]) -> None:
    """Dual points (theory 7): the rows of the local affine maps, without their offsets.

    Of one input: slope and offset.
    """
    points: list[tuple[Vector, int, int]] = []
    for cell, fill in zip(scene.cells, fills, strict=True):
        for output, row in enumerate(cell.map.matrix.rows()):
            points.append((row if len(row) == 2 else (*row, cell.map.offset[output]), output, fill))
    window = window_of([point for point, _, _ in points])
    for point, output, fill in points:
        x, y = window.place(point)
        axes.plot(
            [x],
            [y],
            marker=MARKERS[output % len(MARKERS)],
            markersize=6,
            markerfacecolor=tint(FILLS[fill], 0.7),
            markeredgecolor=BLACK,
            markeredgewidth=0.6,
            linestyle="none",
        )
    shapes = [] if scene.network.n_outputs == 1 else range(scene.network.n_outputs)
    for output in shapes:
        axes.plot(
            [], [], color=BLACK, marker=MARKERS[output % len(MARKERS)], linestyle="none",
            markersize=5, markerfacecolor="white", label=f"output {output + 1}",
        )  # fmt: skip
    finish_plane(axes, window, [])
    axes.set_aspect("auto")
    slopes = [rf"$\partial f/\partial {scene.axis(k)}$" for k in range(scene.dimension)]
    axes.set_xlabel(slopes[0] if scene.dimension == 2 else "slope")
    axes.set_ylabel(slopes[1] if scene.dimension == 2 else "offset")
    axes.set_title("dual points", fontsize=9)
    if shapes:
        legend(axes)


def draw_graph(axes: Axes, scene: Scene, fills: Sequence[int]) -> None:
    """A network of one input: its graph over the regions, breakpoints by layer."""
    values = [y for cell in scene.cells for p in cell.corners for y in cell.map(p)]
    window = Window((scene.window.sides[0], interval(values)))
    for cell, fill in zip(scene.cells, fills, strict=True):
        left, right = (scene.window.place(p)[0] for p in cell.corners)
        axes.axvspan(left, right, facecolor=tint(FILLS[fill]), hatch=HATCHES[fill], **_FILL)
    for output in range(scene.network.n_outputs):
        parts = [tuple((*p, cell.map(p)[output]) for p in cell.corners) for cell in scene.cells]
        segments(axes, window, parts, (BLACK, 2.0, _OUTPUT_STYLES[output % 4]), zorder=5)
    for (layer, is_visible), walls in _grouped(scene).items():
        style = "solid" if is_visible else DASHED
        parts = [tuple((*wall.corners[0], y) for y in window.sides[1]) for wall in walls]
        line = (stroke(layer).colour, stroke(layer).width, style)
        segments(axes, window, parts, line, zorder=3)
    lines = _lines_of_layers(scene)
    for part in decision_boundary(scene) if scene.network.n_outputs == 1 else ():
        place = window.place((part.corners[0][0], fmpq(0)))
        axes.plot(*place, marker="o", color=BLACK, markerfacecolor="white", zorder=6)
    for output in range(scene.network.n_outputs):
        name = "$f$" if scene.network.n_outputs == 1 else f"$f_{output + 1}$"
        lines.append((BLACK, 2.0, _OUTPUT_STYLES[output % 4], name))
    finish_plane(axes, window, lines, [f"${scene.axis(0)}$", ""])
    axes.set_aspect("auto")


def _fill_cells(axes: Axes, scene: Scene, fills: Sequence[int]) -> None:
    for cell, fill in zip(scene.cells, fills, strict=True):
        xs, ys = zip(*(scene.window.place(p) for p in cell.corners), strict=True)
        axes.fill(xs, ys, facecolor=tint(FILLS[fill]), hatch=HATCHES[fill], **_FILL)


def _grouped(scene: Scene) -> dict[tuple[int, bool], list[Wall]]:
    """The walls by layer and visibility, those of later layers first."""
    groups: dict[tuple[int, bool], list[Wall]] = {}
    for wall in sorted(scene.walls, key=lambda wall: -wall.layer):
        groups.setdefault((wall.layer, wall.is_visible), []).append(wall)
    return groups


def _lines_of_layers(scene: Scene) -> list[Line]:
    lines: list[Line] = [
        (stroke(l).colour, stroke(l).width, "solid", f"layer {l}")
        for l in sorted({wall.layer for wall in scene.walls})
    ]
    if not all(wall.is_visible for wall in scene.walls):
        lines.append(("#555555", 1.4, DASHED, "not visible"))
    return lines
