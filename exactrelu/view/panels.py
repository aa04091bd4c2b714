"""The panels of a picture, drawn with matplotlib: complex, graph, dual points, folds, dependencies.

Colours, lines and hatches are such that colour-blind readers and grey printers can tell them
apart.  The palette is that of Okabe and Ito (2008).  Nothing is said by colour alone: layers also
differ in width and have labels, regions in hatching, outputs in the shape of their points.

Coordinates in flat panels are positions in the window (:mod:`exactrelu.view.window`), so that
numbers of any size can be drawn; the axes are labelled with the numbers themselves.  Networks of
one or two inputs are drawn flat, with their dual points (theory 7); of three inputs the bent
hyperplanes are drawn in a box, seen from a corner.  The fold-set is drawn by its canonical levels,
beside its dependency graph (theory 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from math import dist, nan
from typing import TYPE_CHECKING, Any

from flint import fmpq

from exactrelu.exact.scalar import Vector
from exactrelu.view.scene import Scene, SceneCell, Wall, decision_boundary
from exactrelu.view.window import Points, Window, interval, squared_length, window_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from mpl_toolkits.mplot3d.axes3d import Axes3D

#: With more hidden neurons than this their bent hyperplanes are not labelled.
MAX_LABELLED = 20
#: More pieces than this have no numbers.
MAX_NUMBERED = 40

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


def key(cell: SceneCell, by: str) -> Hashable:
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


#: A line of the legend: colour, width, style and words.
Line = tuple[str, float, Any, str]

DASHED = (0, (4, 2.5))
DOTTED = (0, (1, 0.6))


def segments(
    axes: Axes,
    window: Window,
    ends: Iterable[Points],
    line: tuple[str, float, Any],
    zorder: float,
) -> None:
    """Segments of one colour, width and style, as one path with gaps: small files."""
    places = [[*map(window.place, pair), (nan, nan)] for pair in ends]
    xs = [x for part in places for x, _ in part]
    ys = [y for part in places for _, y in part]
    colour, width, style = line
    axes.plot(
        xs,
        ys,
        color=colour,
        linewidth=width,
        linestyle=style,
        zorder=zorder,
        solid_capstyle="round",
        dash_capstyle="butt",
    )


def labels(axes: Axes, window: Window, wanted: Iterable[tuple[str, str, Sequence[Points]]]) -> None:
    """Texts in their colours, each on one of its segments, apart from each other if possible."""
    taken: list[tuple[float, float]] = []
    for text, colour, walls in wanted:
        longest = sorted(walls, key=lambda ends: -squared_length(ends))[:4]
        places = [_along(window, ends, t) for ends in longest for t in (0.5, 0.35, 0.65, 0.2, 0.8)]
        # The first that is far enough from the others, or else the one that is farthest.
        room = [min((dist(place, other) for other in taken), default=1.0) for place in places]
        chosen = max(range(len(places)), key=lambda k: (min(room[k], 0.06), -k))
        taken.append(places[chosen])
        box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
        axes.text(
            *places[chosen],
            text,
            fontsize=7,
            ha="center",
            va="center",
            color=colour,
            bbox={**box, "alpha": 0.85},
            zorder=7,
        )


def _along(window: Window, ends: Points, t: float) -> tuple[float, float]:
    (a, b), (c, d) = (window.place(p) for p in (ends[0], ends[-1]))
    return a + t * (c - a), b + t * (d - b)


def finish_plane(
    axes: Axes, window: Window, lines: Sequence[Line], names: Sequence[str] = ("", "")
) -> None:
    """Ticks with the true numbers, names of the axes, a legend below."""
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-0.01, 1.01)
    axes.set_aspect(window.aspect)
    for axis, set_ticks in enumerate((axes.set_xticks, axes.set_yticks)):
        ticks = window.ticks(axis)
        set_ticks([place for place, _ in ticks], [text for _, text in ticks], fontsize=8)
    axes.set_xlabel(names[0])
    axes.set_ylabel(names[1])
    axes.tick_params(length=2.5)
    for side in axes.spines.values():
        side.set_linewidth(0.6)
    for colour, width, style, text in lines:
        axes.plot([], [], color=colour, linewidth=width, linestyle=style, label=text)
    if lines:
        legend(axes)


def legend(axes: Axes) -> None:
    axes.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, -0.12),
        ncols=4,
        fontsize=8,
        frameon=False,
        handlelength=2.4,
        columnspacing=1.4,
    )


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
    if scene.network.n_hidden_neurons <= MAX_LABELLED:
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


def draw_solid(axes: Axes3D, scene: Scene) -> None:
    """The facets by layer; those that are not visible in outline, dashed."""
    groups: dict[tuple[str, int, bool], list[Points]] = {}
    for wall in scene.walls:
        groups.setdefault(("layer", wall.layer, wall.is_visible), []).append(wall.corners)
    _draw_facets(axes, scene, groups)


def draw_solid_folds(axes: Axes3D, scene: Scene) -> None:
    """The visible facets by canonical level."""
    groups: dict[tuple[str, int, bool], list[Points]] = {}
    for wall in scene.walls:
        if not wall.is_visible:
            continue
        level = scene.level.get(wall.signs, (0, 0))[0]
        groups.setdefault(("level", level, True), []).append(wall.corners)
    _draw_facets(axes, scene, groups)


def _draw_facets(
    axes: Axes3D, scene: Scene, groups: dict[tuple[str, int, bool], list[Points]]
) -> None:
    from matplotlib.lines import Line2D
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    handles: list[Any] = []
    for (word, number, visible), facets in sorted(groups.items()):
        line = stroke(max(number, 1))
        polygons = [[scene.window.place(p) for p in corners] for corners in facets]
        style: Any = "solid" if visible else "dashed"
        axes.add_collection3d(
            Poly3DCollection(
                polygons,
                facecolors=line.colour if visible else "none",
                edgecolors=line.colour,
                linewidths=0.5 + 0.3 * line.width,
                linestyles=style,
                alpha=0.42 if visible else 0.9,
            )
        )
        text = f"{word} {number}" if number else "in no piece"
        if not visible:
            text += ", not visible"
        handles.append(Line2D([], [], color=line.colour, linewidth=2, linestyle=style, label=text))
    setters = (
        (axes.set_xlim, axes.set_xticks, axes.set_xlabel),
        (axes.set_ylim, axes.set_yticks, axes.set_ylabel),
        (axes.set_zlim, axes.set_zticks, axes.set_zlabel),
    )
    for axis, (set_limits, set_ticks, set_label) in enumerate(setters):
        ticks = scene.window.ticks(axis, 2)
        set_limits(0, 1)
        set_ticks([place for place, _ in ticks], [text for _, text in ticks], fontsize=7)
        set_label(f"$x_{axis + 1}$")
    axes.set_box_aspect((1, 1, 1))
    axes.view_init(elev=22, azim=-58)
    if handles:
        axes.legend(
            handles=handles,
            loc="upper center",
            bbox_to_anchor=(0.5, -0.02),
            ncols=3,
            fontsize=8,
            frameon=False,
        )


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
    if len(walls_of_piece) <= MAX_NUMBERED:
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
