"""Queries for each parameter and time, as width and depth grow: one picture."""

from __future__ import annotations

import io
from dataclasses import dataclass
from statistics import median

from benchmarks.recovery import bound_per_parameter, random_network, run
from exactrelu.files import atomic_write
from exactrelu.view.plot import pyplot

#: Name, what grows, and the widths of the networks.
SERIES = {
    "4-w-1": [(w, (4, w, 1)) for w in (2, 4, 8, 16)],
    "4-w-w-1": [(w, (4, w, w, 1)) for w in (2, 4, 6, 8)],
}
DEPTHS = {"3-4-…-4-1": [(k, (3, *(4,) * k, 1)) for k in (1, 2, 3)]}


@dataclass(frozen=True)
class Curve:
    """Medians over the seeds that were recovered with proof."""

    name: str
    sizes: list[int]
    per_parameter: list[float]
    bound: list[float]
    seconds: list[float]


def curve(name: str, shapes: list[tuple[int, tuple[int, ...]]], seeds: int, limit: float) -> Curve:
    """Measure one series; a size at which no seed was recovered in time ends it."""
    found = Curve(name, [], [], [], [])
    for size, widths in shapes:
        nets = [random_network(widths, seed, "float32") for seed in range(seeds)]
        runs = [run(net, limit) for net in nets]
        done = [r for r in runs if r.outcome.startswith(("isomorphic", "equal"))]
        shape = "-".join(map(str, widths))
        print(f"{shape}: {len(done)} of {seeds} recovered with proof")
        if not done:
            break
        found.sizes.append(size)
        found.per_parameter.append(median(r.n_queries for r in done) / nets[0].n_parameters)
        found.bound.append(bound_per_parameter(nets[0]))
        found.seconds.append(median(r.seconds for r in done))
    return found


def draw(path: str, seeds: int, limit: float) -> None:
    """Measure, and draw to an SVG file."""
    matplotlib = pyplot()
    by_width = [curve(name, shapes, seeds, limit) for name, shapes in SERIES.items()]
    by_depth = [curve(name, shapes, seeds, limit) for name, shapes in DEPTHS.items()]
    out = io.BytesIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "exactrelu"})
        figure = matplotlib.figure.Figure(figsize=(11, 3.4), layout="constrained")
        width, depth, time = figure.subplots(1, 3)
        for axes, curves in ((width, by_width), (depth, by_depth)):
            for c in curves:
                (line,) = axes.plot(c.sizes, c.per_parameter, "o-", label=c.name)
                axes.plot(c.sizes, c.bound, ":", color=line.get_color())
            axes.plot([], [], "k:", label="entropy lower bound")
            axes.set(yscale="log", ylabel="queries for each parameter", ylim=(0.3, None))
        for c in by_width:
            time.plot(c.sizes, c.seconds, "o-", label=c.name)
        width.set(xscale="log", xlabel="width w", title="growth with width")
        depth.set(xlabel="hidden layers", title="growth with depth")
        depth.set_xticks(by_depth[0].sizes)
        time.set(
            xscale="log",
            yscale="log",
            xlabel="width w",
            ylabel="seconds of the processor",
            title="time",
        )
        for axes in (width, time):
            sizes = sorted({s for c in by_width for s in c.sizes})
            axes.set_xticks(sizes, [str(s) for s in sizes], minor=False)
            axes.minorticks_off()
        for axes in (width, depth, time):
            axes.grid(alpha=0.3)
            axes.legend(fontsize="small")
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    atomic_write(path, out.getvalue())
    print(f"written to {path}")
