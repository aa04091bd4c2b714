"""``plot``: the picture of a network as SVG, PNG or PDF (extra ``plots``).

The same network gives the same bytes with the same versions of the libraries: there is no date in
the file, and the names in an SVG are not random.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Hashable, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any

from exactrelu.errors import InputError, MissingExtra
from exactrelu.files import PathLike, atomic_write
from exactrelu.network.network import Network
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.folds.cells import RegionLike
from exactrelu.view.colours import colouring
from exactrelu.view.scene import Scene, scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png", ".pdf")
PANELS = ("complex", "dual", "folds", "dependency")
COLOURS = ("pattern", "map")

_STYLE: dict[str, Any] = {
    "svg.hashsalt": "exactrelu",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "hatch.linewidth": 0.5,
    "font.family": "DejaVu Sans",
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "figure.dpi": 100,
}


def plot(
    network: Network,
    path: PathLike,
    domain: RegionLike = None,
    *,
    show: Sequence[str] = ("complex",),
    colour: str = "pattern",
    max_regions: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Scene:
    """Draw a network of 1, 2 or 3 inputs (``Network.slice`` makes them of more) into a file.

    ``show`` lists panels: ``complex`` (regions, coloured by ``pattern`` or affine ``map``, bent
    hyperplanes by layer, decision boundary), ``dual`` (points), ``folds`` (by canonical level) and
    ``dependency`` (graph).  Returns the exact data of the picture.
    """
    suffix = check_request(path, show, colour, SUFFIXES, drawn_dimension(network, domain))
    pyplot()
    found = scene(
        network,
        domain,
        max_regions=max_regions,
        timeout=timeout,
        progress=progress,
    )
    atomic_write(path, rendered(found, suffix, show, colour))
    return found


def drawn_dimension(network: Network, domain: RegionLike) -> int:
    """The dimension of the picture: on a flat domain that of its affine hull."""
    if isinstance(domain, BoxUnion):
        return network.n_inputs
    return Domain.of(domain, network.n_inputs).inner_dimension


def check_request(
    path: PathLike, show: Sequence[str], colour: str, suffixes: Sequence[str], n_inputs: int
) -> str:
    """The suffix of the file, if all that is asked for can be drawn."""
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    if suffix not in suffixes:
        raise InputError(f"{os.fspath(path)}: expected a name that ends in {', '.join(suffixes)}")
    for panel in show:
        if panel not in PANELS:
            raise InputError(f"--show {panel}: expected some of {', '.join(PANELS)}")
    if not show or len(set(show)) < len(show):
        raise InputError("--show: expected different panels, at least one")
    if colour not in COLOURS:
        raise InputError(f"--colour {colour}: expected {' or '.join(COLOURS)}")
    if n_inputs == 3 and "dual" in show:
        raise InputError("--show dual: the dual points of 3 inputs are not drawn")
    if n_inputs == 1 and "folds" in show:
        raise InputError("--show folds: folds of one input are points: see --show complex")
    return suffix


def pyplot() -> Any:
    """matplotlib, or how to get it."""
    try:
        import matplotlib
        from matplotlib import figure  # noqa: F401
    except ImportError:
        raise MissingExtra("matplotlib", "plots", "plot") from None
    return matplotlib


def rendered(
    found: Scene,
    suffix: str,
    show: Sequence[str],
    colour: str,
    title: str | None = None,
    known: MutableMapping[Hashable, int] | None = None,
) -> bytes:
    """The bytes of the picture in one of the formats."""
    matplotlib = pyplot()
    out = io.BytesIO()
    # The default style, whatever the user's own one is: the bytes shall not depend on it.
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        drawn = _figure(found, show, colour, title, known)
        nothing: dict[str, Any] = {
            ".svg": {"Date": None, "Creator": None},
            ".png": {"Software": None},
            ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
        }[suffix]
        tight: dict[str, Any] = (
            {} if known is not None else {"bbox_inches": "tight", "pad_inches": 0.06}
        )
        drawn.savefig(out, format=suffix[1:], dpi=130, metadata=nothing, **tight)
    return out.getvalue()


def _figure(
    found: Scene,
    show: Sequence[str],
    colour: str,
    title: str | None,
    known: MutableMapping[Hashable, int] | None,
) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from exactrelu.view import figure, fold_panels, solid

    drawn = Figure(figsize=(4.4 * len(show), 4.7), layout="constrained")
    FigureCanvasAgg(drawn)
    fills = colouring(found, colour, known)
    for k, panel in enumerate(show, 1):
        is_solid = found.dimension == 3 and panel in ("complex", "folds")
        axes: Any = drawn.add_subplot(1, len(show), k, projection="3d" if is_solid else None)
        if is_solid:
            draw = solid.draw_solid if panel == "complex" else solid.draw_solid_folds
            draw(axes, found)
        elif panel == "complex":
            draw_flat = figure.draw_graph if found.dimension == 1 else figure.draw_complex
            draw_flat(axes, found, fills)
        elif panel == "dual":
            figure.draw_dual(axes, found, fills)
        elif panel == "folds":
            fold_panels.draw_folds(axes, found)
        else:
            fold_panels.draw_dependency(axes, found)
    if title is not None:
        drawn.suptitle(title, fontsize=10)
    return drawn
