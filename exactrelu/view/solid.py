"""Three inputs: the bent hyperplanes in a box, seen from a corner (matplotlib)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactrelu.view.colours import stroke
from exactrelu.view.polygons import Points
from exactrelu.view.scene import Scene

if TYPE_CHECKING:
    from mpl_toolkits.mplot3d.axes3d import Axes3D


def draw_solid(axes: Axes3D, scene: Scene) -> None:
    """The facets by layer; those that are not visible in outline, dashed."""
    groups: dict[tuple[str, int, bool], list[Points]] = {}
    for wall in scene.walls:
        groups.setdefault(("layer", wall.layer, wall.is_visible), []).append(wall.corners)
    _draw(axes, scene, groups)


def draw_solid_folds(axes: Axes3D, scene: Scene) -> None:
    """The visible facets by canonical level."""
    groups: dict[tuple[str, int, bool], list[Points]] = {}
    for wall in scene.walls:
        if not wall.is_visible:
            continue
        level = scene.level.get(wall.signs, (0, 0))[0]
        groups.setdefault(("level", level, True), []).append(wall.corners)
    _draw(axes, scene, groups)


def _draw(axes: Axes3D, scene: Scene, groups: dict[tuple[str, int, bool], list[Points]]) -> None:
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
