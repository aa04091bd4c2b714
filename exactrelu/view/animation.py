"""``plot --training``: checkpoints of one network, one picture each, as a GIF or an HTML page.

All pictures have one window, the smallest that contains the window of each, and a pattern or map
keeps its colour from one picture to the next.
"""

from __future__ import annotations

import base64
import html
import io
import os
import re
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any

from exactrelu.errors import InputError
from exactrelu.files import PathLike, atomic_write
from exactrelu.network.formats import load
from exactrelu.network.network import Network
from exactrelu.questions.folds.cells import RegionLike
from exactrelu.view.page import data_for_script, page
from exactrelu.view.plot import check_request, drawn_dimension, pyplot, rendered
from exactrelu.view.scene import Scene, scene
from exactrelu.view.window import common_window

SUFFIXES = (".gif", ".html")
#: Milliseconds that each picture is shown, and the last one.
DURATION, LAST = 250, 1500

_NETWORKS = (".json", ".json.gz", ".onnx", ".npz", ".pt", ".pth", ".nnet")


def checkpoints(folder: PathLike) -> dict[str, Network]:
    """The network files of a folder by name, 2 before 10."""
    try:
        names = [name for name in os.listdir(folder) if name.lower().endswith(_NETWORKS)]
    except OSError as error:
        raise InputError(f"{os.fspath(folder)}: {error.strerror}") from None
    if not names:
        raise InputError(f"{os.fspath(folder)}: found no network files")
    names.sort(key=lambda name: [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", name)])
    return {name.split(".")[0]: load(Path(folder) / name) for name in names}


def animate(
    networks: dict[str, Network],
    path: PathLike,
    domain: RegionLike = None,
    *,
    show: Sequence[str] = ("complex",),
    colour: str = "pattern",
    max_regions: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> list[Scene]:
    """Draw the networks one after the other; see :func:`exactrelu.view.plot.plot`.

    The limits are for each picture.
    """
    sizes = {network.n_inputs for network in networks.values()}
    if len(sizes) > 1:
        raise InputError(f"the networks have {sorted(sizes)} inputs: expected one number")
    dimension = drawn_dimension(next(iter(networks.values())), domain)
    suffix = check_request(path, show, colour, SUFFIXES, dimension)
    pyplot()
    limits: dict[str, Any] = {
        "max_regions": max_regions,
        "timeout": timeout,
    }
    first = [scene(n, domain, progress=progress, **limits) for n in networks.values()]
    window = common_window(found.window for found in first)
    scenes = [
        found if found.window == window else scene(network, domain, window=window, **limits)
        for network, found in zip(networks.values(), first, strict=True)
    ]
    known: dict[Hashable, int] = {}
    frames = [
        rendered(found, ".png", show, colour, title=name, known=known)
        for name, found in zip(networks, scenes, strict=True)
    ]
    write = _gif if suffix == ".gif" else _html
    atomic_write(path, write(list(networks), frames))
    return scenes


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
