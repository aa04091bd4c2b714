"""``plot``: the picture of a network as SVG, PNG or PDF, or of its training (extra ``plots``).

The same network gives the same bytes with the same versions of the libraries: there is no date in
the file, and the names in an SVG are not random.

``plot --training`` draws checkpoints of one network, one picture each, as a GIF or an HTML page.
All pictures have one window, the smallest that contains the window of each, and a pattern or map
keeps its colour from one picture to the next.
"""

from __future__ import annotations

import base64
import html
import io
import os
import re
from collections.abc import Hashable, MutableMapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

from exactrelu.answer import Part
from exactrelu.bounded import bounded
from exactrelu.certificates.certificate import Found
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import InputError, MissingExtra, require_word
from exactrelu.files import PathLike, atomic_write, named
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.folds.cells import RegionLike
from exactrelu.questions.question import Call, question
from exactrelu.view import panels
from exactrelu.view.report.report import data_for_script, page
from exactrelu.view.scene import Scene, scene
from exactrelu.view.window import common_window
from exactrelu.words import PEOPLE, Words, count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png", ".pdf")
ANIMATED = (".gif", ".html")
Panel = Literal["complex", "dual", "folds", "dependency"]
Colour = Literal["pattern", "map"]
PANELS: tuple[Panel, ...] = get_args(Panel)
COLOURS: tuple[Colour, ...] = get_args(Colour)
#: Seconds that matplotlib takes for a polygon, or a line between two.
SECONDS_OF_POLYGON = 0.001
#: Milliseconds that each picture of an animation is shown, and the last one.
DURATION, LAST = 250, 1500

_NETWORKS = (".json", ".onnx", ".npz", ".pt", ".pth", ".nnet")

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


@dataclass(frozen=True, repr=False)
class Picture(Scene):
    """A scene and how it is drawn; a notebook shows it."""

    PARTS = (Part("output", "the file"), *Scene.PARTS)

    show: tuple[Panel, ...] = ("complex",)
    colour: Colour = "pattern"
    #: The file into which it was drawn, if there is one.
    output: str | None = None

    def sentence(self, words: Words = PEOPLE) -> str:
        """The file, and what is to be seen in it."""
        hidden = sum(not wall.is_visible for wall in self.walls)
        unseen = f" ({hidden} not visible)" if hidden else ""
        sides = " × ".join(f"[{words.said(a)}, {words.said(b)}]" for a, b in self.window.sides)
        regions, facets = count(len(self.cells), "region"), count(len(self.walls), "facet")
        flat = f"; {self.place}" if self.place else ""
        file = f"{self.output}: " if self.output else ""
        return f"{file}{regions}, {facets}{unseen} in {sides}{words.where}{flat}"

    @cached_property
    def svg(self) -> str:
        """The picture as SVG."""
        data = rendered(replace(self, effort=UNLIMITED), ".svg", self.show, self.colour)
        return data[data.index(b"<svg") :].decode()

    def save(self, path: PathLike) -> Path:
        """Draw it into a file: SVG, PNG or PDF, by its name."""
        suffix = check_request(path, self.show, self.colour, SUFFIXES, self.dimension)
        atomic_write(path, rendered(self, suffix, self.show, self.colour))
        return Path(path)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        # Notebooks that have both choose HTML.
        return f"<figure>{self.svg}</figure>"


@question
def plot(
    call: Call[Picture],
    network: Network,
    domain: RegionLike = None,
    *,
    path: PathLike | None = None,
    show: Sequence[Panel] = ("complex",),
    colour: Colour = "pattern",
    **limits: Unpack[Limits],
) -> Picture:
    """A picture of a network with 1, 2 or 3 inputs; ``Network.slice`` makes them of more.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends, Domain or BoxUnion, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    path : str or path, optional
        A file to draw into: ``.svg``, ``.png`` or ``.pdf``; without it the picture is for a
        notebook.
    show : sequence of str, optional
        Panels: ``"complex"`` (regions and bent hyperplanes), ``"dual"`` (points), ``"folds"`` (by
        level), ``"dependency"`` (graph).
    colour : str, optional
        Regions by ``"pattern"`` or by affine ``"map"``.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Picture
        A notebook shows it; ``save(path)``; ``cells`` and ``walls`` hold its exact data.

    Notes
    -----
    All regions and facets are listed: see :func:`polyhedral_complex`.

    Examples
    --------
    >>> import exactrelu as er
    >>> picture = er.plot(er.load("example:xor"), "box:-2..2")
    >>> len(picture.cells), picture.svg[:4]
    (3, '<svg')
    """
    name = "picture.svg" if path is None else path
    check_request(name, show, colour, SUFFIXES, drawn_dimension(network, domain))
    pyplot()
    found = scene(network, domain, effort=call.effort)
    data = {field.name: getattr(found, field.name) for field in fields(found)}
    output = None if path is None else str(path)
    picture = Picture(**data, show=tuple(show), colour=colour, output=output)
    if path is not None:
        picture.save(path)
    return picture


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
        raise InputError(f"{named(path)}: expected a name that ends in {', '.join(suffixes)}")
    for panel in show:
        require_word(panel, PANELS, "--show")
    if not show or len(set(show)) < len(show):
        raise InputError("--show: expected different panels, at least one")
    require_word(colour, COLOURS, "--colour")
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
    _require_time(found, len(show))
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


def _require_time(found: Scene, n_panels: int) -> None:
    """Refuse a picture that would not be ready in time: matplotlib cannot be interrupted."""
    found.effort.spend()
    n_polygons = n_panels * (len(found.cells) + len(found.walls))
    left = found.effort.seconds_left()
    if left is not None and n_polygons * SECONDS_OF_POLYGON > left:
        n = f"{n_polygons:,} polygons and lines"
        raise Stopped(f"{n} take longer to draw than the {left:.1f} s that are left (--timeout)")


def _figure(
    found: Scene,
    show: Sequence[str],
    colour: str,
    title: str | None,
    known: MutableMapping[Hashable, int] | None,
) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(4.4 * len(show), 4.7), layout="constrained")
    FigureCanvasAgg(drawn)
    fills = panels.colouring(found, colour, known)
    for k, panel in enumerate(show, 1):
        is_solid = found.dimension == 3 and panel in ("complex", "folds")
        axes: Any = drawn.add_subplot(1, len(show), k, projection="3d" if is_solid else None)
        if is_solid:
            draw = panels.draw_solid if panel == "complex" else panels.draw_solid_folds
            draw(axes, found)
        elif panel == "complex":
            draw_flat = panels.draw_graph if found.dimension == 1 else panels.draw_complex
            draw_flat(axes, found, fills)
        elif panel == "dual":
            panels.draw_dual(axes, found, fills)
        elif panel == "folds":
            panels.draw_folds(axes, found)
        else:
            panels.draw_dependency(axes, found)
    if title is not None:
        drawn.suptitle(title, fontsize=10)
    return drawn


def checkpoints(folder: PathLike, effort: Effort = UNLIMITED) -> dict[str, Network]:
    """The network files of a folder by name, 2 before 10."""
    try:
        found = os.listdir(folder)
    except OSError as error:
        raise InputError(f"{os.fspath(folder)}: {error.strerror}") from None
    names = [name for name in found if name.lower().removesuffix(".gz").endswith(_NETWORKS)]
    if not names:
        raise InputError(f"{os.fspath(folder)}: found no network files")
    names.sort(key=lambda name: [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", name)])
    return {name.split(".")[0]: load(Path(folder) / name, effort=effort) for name in names}


@dataclass(frozen=True, repr=False)
class Film(Found):
    """Scenes one after the other, in a file."""

    PARTS = (
        Part("output", "the file"),
        Part(
            "frames",
            "with `--training`: the same of each `checkpoint`",
            of=lambda found: [
                {"checkpoint": name, **{part.name: part.value(scene) for part in scene.PARTS}}
                for name, scene in found.scenes.items()
            ],
        ),
    )

    output: str
    scenes: dict[str, Scene]

    def sentence(self, words: Words = PEOPLE) -> str:
        """How many there are, and what is to be seen in them."""
        numbers = [len(found.cells) for found in self.scenes.values()]
        checkpoints = count(len(numbers), "checkpoint")
        return (
            f"{self.output}: {checkpoints}, {min(numbers)} to {max(numbers)} regions{words.where}"
        )


@bounded
def animate(
    effort: Effort,
    /,
    networks: dict[str, Network],
    path: PathLike,
    domain: RegionLike = None,
    *,
    show: Sequence[Panel] = ("complex",),
    colour: Colour = "pattern",
    **limits: Unpack[Limits],
) -> Film:
    """Draw the networks one after the other; see :func:`plot`.

    The bounds are for all pictures together.
    """
    sizes = {network.n_inputs for network in networks.values()}
    if len(sizes) > 1:
        raise InputError(f"the networks have {sorted(sizes)} inputs: expected one number")
    dimension = drawn_dimension(next(iter(networks.values())), domain)
    suffix = check_request(path, show, colour, ANIMATED, dimension)
    pyplot()
    first = [scene(n, domain, effort=effort) for n in networks.values()]
    window = common_window(found.window for found in first)
    scenes = [
        found if found.window == window else scene(network, domain, window=window, effort=effort)
        for network, found in zip(networks.values(), first, strict=True)
    ]
    known: dict[Hashable, int] = {}
    frames = [
        rendered(found, ".png", show, colour, title=name, known=known)
        for name, found in zip(networks, scenes, strict=True)
    ]
    write = _gif if suffix == ".gif" else _html
    atomic_write(path, write(list(networks), frames))
    return Film(str(path), dict(zip(networks, scenes, strict=True)))


def _gif(_: list[str], frames: list[bytes]) -> bytes:
    from PIL import Image

    images = [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    # One palette for all, so that nothing flickers.
    sheet = Image.new("RGB", (images[0].width, sum(image.height for image in images)))
    for k, image in enumerate(images):
        sheet.paste(image, (0, k * images[0].height))
    palette = sheet.quantize(64, method=Image.Quantize.FASTOCTREE)
    first, *others = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images)
    out = io.BytesIO()
    durations = [DURATION] * len(others) + [LAST]
    first.save(out, format="GIF", save_all=True, append_images=others, duration=durations, loop=0)
    return out.getvalue()


def _html(names: list[str], frames: list[bytes]) -> bytes:
    images = "".join(
        f'<img alt="{html.escape(name)}" src="data:image/png;base64,'
        f'{base64.b64encode(frame).decode()}"{" hidden" if k else ""}>\n'
        for k, (name, frame) in enumerate(zip(names, frames, strict=True))
    )
    body = f"""<h1>{html.escape(names[0])} to {html.escape(names[-1])}</h1>
<p><button id="play" type="button">play</button>
<input id="at" type="range" min="0" max="{len(names) - 1}" value="0" aria-label="checkpoint">
<output id="name">{html.escape(names[0])}</output></p>
<div id="frames">
{images}</div>
"""
    script = f"const NAMES = {data_for_script(names)}, DURATION = {DURATION};\n{_SCRIPT}"
    return page(f"{names[0]} to {names[-1]}", body, script).encode()


_SCRIPT = """
const at = document.getElementById("at"), play = document.getElementById("play");
const frames = document.querySelectorAll("#frames img");
let timer = null;
function show() {
  frames.forEach((frame, k) => { frame.hidden = k !== Number(at.value); });
  document.getElementById("name").textContent = NAMES[Number(at.value)];
}
at.addEventListener("input", show);
play.addEventListener("click", () => {
  if (timer !== null) { clearInterval(timer); timer = null; play.textContent = "play"; return; }
  play.textContent = "stop";
  timer = setInterval(() => {
    at.value = String((Number(at.value) + 1) % frames.length);
    show();
  }, DURATION);
});
"""
