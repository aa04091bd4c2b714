"""The fold-set by its canonical levels, and its dependency graph (matplotlib; theory 4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from exactrelu.view.colours import stroke, tint
from exactrelu.view.flat import DOTTED, Line, finish_plane, labels, segments
from exactrelu.view.polygons import Points
from exactrelu.view.scene import Scene, Wall

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: More pieces than this have no numbers.
MAX_LABELS = 40


def draw_folds(axes: Axes, scene: Scene) -> None:
    """The fold-set: pieces by canonical level, with their numbers."""
    walls_of_piece: dict[int, list[Wall]] = {}
    ends_of_level: dict[int | None, list[Points]] = {}
    for wall in scene.walls:
        if not wall.is_visible:
            continue
        level, piece = scene.level.get(wall.signs, (None, None))
        ends_of_level.setdefault(level, []).append(wall.corners)
        if piece is not None:
            walls_of_piece.setdefault(piece, []).append(wall)
    styles = {level: _style(level) for level in ends_of_level}
    for level, ends in ends_of_level.items():
        segments(axes, scene.window, ends, styles[level], zorder=3)
    if len(walls_of_piece) <= MAX_LABELS:
        wanted = [
            (str(n + 1), styles[scene.level[walls[0].signs][0]][0], [w.corners for w in walls])
            for n, walls in sorted(walls_of_piece.items())
        ]
        labels(axes, scene.window, wanted)
    _outline(axes, scene)
    lines: list[Line] = [(*styles[k], f"level {k}") for k in sorted(filter(None, styles))]
    if None in styles:
        lines.append((*styles[None], "in no piece"))
    finish_plane(axes, scene.window, lines, [f"${scene.axis(k)}$" for k in (0, 1)])


def draw_dependency(axes: Axes, scene: Scene) -> None:
    """The dependency graph: pieces in rows by level, arrows to what depends on them."""
    graph = scene.folds.graph
    rows: dict[int, list[int]] = {}
    for number, level in graph.nodes(data="level"):
        rows.setdefault(level, []).append(number)
    place: dict[int, tuple[float, float]] = {}
    for level, numbers in sorted(rows.items()):
        # Below what they depend on, as far as possible.
        numbers.sort(key=lambda n: _mean(place[m][0] for m in graph.predecessors(n)))
        for k, number in enumerate(numbers):
            place[number] = ((k + 0.5) / len(numbers), -float(level))
    for tail, head in graph.edges:
        axes.annotate(
            "",
            place[head],
            place[tail],
            arrowprops={
                "arrowstyle": "-|>",
                "color": "#555555",
                "linewidth": 0.9,
                "shrinkA": 8,
                "shrinkB": 8,
            },
        )
    for number, (x, y) in place.items():
        line = stroke(graph.nodes[number]["level"])
        axes.plot(
            [x],
            [y],
            marker="o",
            markersize=13,
            markerfacecolor=tint(line.colour),
            markeredgecolor=line.colour,
            markeredgewidth=line.width,
        )
        axes.text(x, y, str(number + 1), ha="center", va="center", fontsize=8)
    for level in rows:
        axes.text(-0.04, -float(level), f"level {level}", ha="right", va="center", fontsize=8)
    axes.set_xlim(-0.05, 1.05)
    axes.set_ylim(-max(rows, default=1) - 0.5, -0.5)
    axes.axis("off")


def _style(level: int | None) -> tuple[str, float, Any]:
    if level is None:
        return "#777777", 1.2, DOTTED
    return stroke(level).colour, stroke(level).width, "solid"


def _outline(axes: Axes, scene: Scene) -> None:
    """The domain in pale grey."""
    for cell in scene.cells:
        xs, ys = zip(*(scene.window.place(p) for p in cell.corners), strict=True)
        axes.fill(xs, ys, facecolor="#f2f2f2", edgecolor="#f2f2f2", linewidth=0.5, zorder=1)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.5
