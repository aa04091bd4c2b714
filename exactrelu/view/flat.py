"""What all flat panels share: lines and labels at exact places, ticks, legends (matplotlib).

Coordinates are positions in the window (:mod:`exactrelu.view.window`), so that numbers of any
size can be drawn; the axes are labelled with the numbers themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import dist, nan
from typing import TYPE_CHECKING, Any

from exactrelu.view.polygons import Points, squared_length
from exactrelu.view.window import Window

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
