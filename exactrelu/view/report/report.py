"""``report``: everything about one network on one page that needs nothing else.

Summary, verdicts with their certificates in the page, the region explorer, tables and plots.
No request ever leaves the page, and nothing in it is fetched from anywhere: styles, scripts,
pictures and certificates are in it.  Every text that is not ours is escaped here.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Unpack

from exactrelu.certificates.program import run_checker
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import CheckerFailed
from exactrelu.files import PathLike, atomic_write
from exactrelu.network.evaluation import pattern_lines, pattern_text
from exactrelu.network.network import Network
from exactrelu.network.roles import Role, described, neuron_roles
from exactrelu.network.written import network_text
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.catalogue import Asked, ask_all
from exactrelu.questions.folds.folds import Folds
from exactrelu.questions.question import Call, question
from exactrelu.view.report.answers import CheckedAnswer, Report
from exactrelu.view.report.explorer import (
    Explorer,
    Plane,
    dual_svg,
    explorer,
    explorer_svg,
    folds_svg,
    patterns,
    picture_css,
)
from exactrelu.view.scene import Scene, SceneCell
from exactrelu.words import Words, coefficients, count

#: Seconds for each question, and for each picture, if nothing else is said.
SECONDS_EACH = 20.0
#: The shares of the whole time, if it has an end: for the pictures, and of the rest for the
#: questions; then there is checking and writing to do.
PICTURES, QUESTIONS = 0.3, 0.7
#: More regions or neurons than this are not listed in the tables.
MAX_ROWS = 500

#: No request leaves the page, whatever stands in it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

_CSS = """
:root { color-scheme: light; --ink: #1b1b1b; --pale: #6b6b6b; --line: #d9d9d9; --back: #fafafa; }
body { font: 15px/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: var(--ink);
  max-width: 72rem; margin: 1.5rem auto 4rem; padding: 0 1rem; background: white; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .6rem; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--pale); font-weight: 600; }
code, .exact { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; }
img { max-width: 100%; }
"""


def page(title: str, body: str, script: str = "", css: str = "") -> str:
    """An HTML document; ``body`` is escaped already."""
    end = f"<script>\n{script}\n</script>\n" if script else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_CSS}{css}</style>
</head>
<body>
{body}{end}</body>
</html>
"""


def data_for_script(value: Any) -> str:
    """JSON that may stand inside a script element: no tag can end or begin in it.

    >>> data_for_script(["</script>"])
    '["\\\\u003c/script\\\\u003e"]'
    """
    encoded = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return encoded.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], attributes: str = "") -> str:
    """A table of cells that are HTML already."""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "\n".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table{attributes}><thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody></table>\n"


def download(name: str, content: bytes, words: str) -> str:
    """A link that saves some bytes as a file, out of the page itself."""
    data = base64.b64encode(content).decode()
    return (
        f'<a download="{escape(name)}" href="data:application/octet-stream;base64,{data}">'
        f"{escape(words)}</a>"
    )


def summary(facts: Sequence[tuple[str, str]], content: str, file: str) -> str:
    """What ``info`` says, and the network itself."""
    rows = [(f'<span class="dim">{escape(name)}</span>', escape(value)) for name, value in facts]
    body = "\n".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows)
    link = download(file, content.encode(), file)
    return f"<table>\n{body}\n</table>\n<p>The network, exactly: {link}</p>\n"


def verdicts(checked: Sequence[CheckedAnswer], network_file: str) -> str:
    """The table of verdicts, and how to check them again."""
    rows = []
    for entry in checked:
        asked = entry.asked
        verdict = f'<span class="verdict {escape(asked.verdict)}">{escape(asked.verdict)}</span>'
        facts = (f"{escape(name)}: {escape(text)}" for name, text in asked.facts)
        small = "<br>".join([*facts, escape(entry.line)])
        said = f"{escape(asked.reason)}<br><small>{small}</small>"
        link = '<span class="dim">none</span>'
        if entry.file is not None and asked.certificate is not None:
            packed = gzip.compress(asked.certificate, mtime=0)
            command = f"exactrelu-check {entry.file}"
            link = f"{download(entry.file, packed, 'save')} <code>{escape(command)}</code>"
        rows.append((escape(asked.question), verdict, said, link))
    n_files = sum(entry.file is not None for entry in checked)
    n_accepted = sum(entry.is_accepted for entry in checked)
    head = ("question", "verdict", "reason, parts, and what the checker says", "certificate")
    return (
        f"<p>The independent checker accepted {n_accepted} of "
        f"{count(n_files, 'certificate')} when this page was made. Certificates are in the "
        "page: save one and check it again with Python and nothing else, against the network, "
        f"which is above:</p>\n<pre>exactrelu-check --network {escape(network_file)} FILE</pre>\n"
        "<p>Verdicts are about all of space unless they say otherwise; a domain is for the "
        "pictures. What the checker says is proved; a reason also tells how an answer was found, "
        "and what was counted on the way.</p>\n" + table(head, rows, ' id="verdicts"')
    )


def explorer_section(found: Explorer) -> str:
    """The pictures, their controls, and the panel that describes a region."""
    pictures = "".join(
        explorer_svg(part.scene, k, k == 0)
        for k, part in enumerate(found.slices)
        if part.scene is not None
    )
    sliders = ""
    for k, slider in enumerate(found.sliders):
        home = next((i for i, (_, at) in enumerate(slider.positions) if at == 0), 0)
        sliders += (
            f"<label>{escape(slider.name)} "
            f'<input type="range" data-slider="{k}" min="0" max="{len(slider.positions) - 1}" '
            f'value="{home}"> <output>{escape(slider.positions[home][0])}</output></label>\n'
        )
    return f"""<div id="controls">
<fieldset>colour <label><input type="radio" name="colour" value="pattern" checked> pattern</label>
<label><input type="radio" name="colour" value="map"> affine map</label></fieldset>
<label><input type="checkbox" data-hides="no-walls" checked> bent hyperplanes</label>
<label><input type="checkbox" data-hides="no-boundary" checked> decision boundary</label>
<span><button type="button" id="closer">closer</button>
<button type="button" id="wider">wider</button>
<button type="button" id="all">everything</button></span>
{sliders}</div>
<p id="where" class="exact"></p>
<div id="explorer"><div id="stage">
{pictures}<p id="missing" hidden>There is no picture of this slice.</p></div>
<div id="region" aria-live="polite"></div></div>
{_legend(found, pictures)}"""


def _legend(found: Explorer, pictures: str) -> str:
    scenes = [part.scene for part in found.slices if part.scene is not None]
    layers = sorted({wall.layer for scene in scenes for wall in scene.walls})
    parts = [f'<span><i class="box l{min(l, 5)}"></i>layer {l}</span>' for l in layers]
    if any(not wall.is_visible for scene in scenes for wall in scene.walls):
        parts.append('<span><i class="box dashed"></i>not visible in the function</span>')
    if 'class="boundary"' in pictures:
        one = any(scene.network.n_outputs == 1 for scene in scenes)
        words = "f = 0" if one else "the largest output changes"
        parts.append(f'<span><i class="box dotted"></i>{words}</span>')
    return f'<p class="legend">{"".join(parts)}</p>\n'


def regions_table(scene: Scene) -> str:
    """The regions of the first picture."""
    head = "<tr><th>region</th><th>pattern</th><th>affine map</th><th>vertices</th></tr>"
    rows = []
    words = _words(scene)
    for k, cell in enumerate(scene.cells[:MAX_ROWS]):
        shape = "" if cell.is_bounded else ", unbounded"
        cells = (
            str(k + 1),
            "<br>".join(map(escape, signs(cell))),
            "<br>".join(map(escape, words.affine_map(cell.map))),
            f"{len(cell.vertices)}{shape}",
        )
        body = "".join(f"<td>{c}</td>" for c in cells)
        rows.append(f'<tr class="row" tabindex="0" data-row="{k}">{body}</tr>')
    more = len(scene.cells) - len(rows)
    note = f"<p>{more:,} more are in the picture.</p>" if more > 0 else ""
    number = count(len(scene.cells), "region")
    return (
        f"<details><summary>{number}: patterns and affine maps"
        " (a click shows one above)</summary>\n"
        f'<table id="regions"><thead>{head}</thead>\n<tbody>\n'
        + "\n".join(rows)
        + f"\n</tbody></table>{note}</details>\n"
    )


def neurons_table(network: Network, roles: Sequence[Sequence[Any]], scene: Scene | None) -> str:
    """Hidden neurons: roles, and their facets in the first picture if that is the whole plane."""
    facets: dict[tuple[int, int], list[int]] = {}
    for wall in () if scene is None else scene.walls:
        for unit in wall.units:
            facets.setdefault(unit, [0, 0])[0 if wall.is_visible else 1] += 1
    rows = []
    for l, layer in enumerate(roles, 1):
        for i, role in enumerate(layer, 1):
            name = "" if network.neuron_names is None else network.neuron_names[l - 1][i - 1]
            seen, unseen = facets.get((l, i), (0, 0))
            counts = ("–", "–") if scene is None else (str(seen), str(unseen))
            if role is Role.CARRIED:
                counts = ("–", "–")
            word = "linear unit" if role is Role.CARRIED else role.value
            rows.append((f"({l},{i})", escape(name), escape(word), *counts))
    if not rows:
        return "<p>There are no hidden neurons.</p>\n"
    word = "neuron" if network.is_plain else "unit"
    head = (word, "name", "role", "visible facets", "facets not visible")
    shown, hidden = rows[:MAX_ROWS], rows[MAX_ROWS:]
    more = f"<p>{len(hidden):,} more.</p>\n" if hidden else ""
    number = count(network.n_hidden_neurons, "hidden neuron")
    if not network.is_plain:
        number = f"{number}, {count(network.n_linear_units, 'linear unit')}"
    return f"<details><summary>{number}</summary>\n{table(head, shown)}{more}</details>\n"


def plots(scene: Scene) -> str:
    """The fold-set by level and the dual points of the first picture."""
    parts = []
    if scene.dimension == 2 and (fold_set := _folds(scene)) is not None:
        representation = fold_set.representation
        order = representation.order
        words = "no piece-wise linear surface" if order is None else f"of order {order}"
        edges = fold_set.graph.number_of_edges()
        levels = sorted({piece.level for piece in representation.pieces})
        keys = "".join(f'<span><i class="box l{min(k, 5)}"></i>level {k}</span>' for k in levels)
        parts.append(
            f"<figure>{folds_svg(scene)}<figcaption>The fold-set by canonical level: {words}, "
            f"{count(len(representation.pieces), 'piece')}, dependency graph of "
            f'{count(edges, "edge")}. <span class="legend">{keys}</span></figcaption></figure>'
        )
    axes = "gradients" if scene.dimension == 2 else "slope and offset"
    parts.append(
        f"<figure>{dual_svg(scene)}<figcaption>Dual points: the {axes} of the affine maps, "
        "coloured as the maps are.</figcaption></figure>"
    )
    return f'<div class="plots">{"".join(parts)}</div>\n'


def _folds(scene: Scene) -> Folds | None:
    """The fold-set, unless it takes too long or there are linear units."""
    if not scene.network.is_plain:
        return None
    try:
        return scene.folds
    except Stopped:
        return None


def explorer_data(found: Explorer) -> dict[str, Any]:
    """What the script needs to describe regions."""
    return {
        "slices": [
            {"where": part.where, "note": part.note, "cells": _cells(part.scene)}
            for part in found.slices
        ],
        "sliders": [
            {"name": slider.name, "positions": [list(p) for p in slider.positions]}
            for slider in found.sliders
        ],
    }


def _cells(scene: Scene | None) -> list[dict[str, Any]]:
    if scene is None:
        return []
    words = _words(scene)
    maps = [cell.map for cell in scene.cells]
    same: dict[Any, int] = {}
    for local in maps:
        same[local] = same.get(local, 0) + 1
    return [
        {
            "signs": signs(cell),
            "map": words.affine_map(cell.map),
            "vertices": [words.said(v) for v in cell.vertices],
            "bounded": cell.is_bounded,
            "same": same[cell.map],
        }
        for cell in scene.cells
    ]


def _words(scene: Scene) -> Words:
    """The words for the numbers of a picture, of which no two look the same."""
    maps = (value for cell in scene.cells for value in coefficients(cell.map))
    vertices = (value for cell in scene.cells for v in cell.vertices for value in v)
    return Words().of_list([*maps, *vertices])


def signs(cell: SceneCell) -> list[str]:
    """The pattern, a line for each layer."""
    return pattern_lines(cell.pattern) or [pattern_text(cell.pattern)]


@question
def report(
    call: Call[Report],
    network: Network,
    path: PathLike,
    domain: DomainLike = None,
    *,
    plane: Plane | None = None,
    seconds_each: float = SECONDS_EACH,
    **limits: Unpack[Limits],
) -> Report:
    """A self-contained page with all answers about a network, and its certificates.

    Parameters
    ----------
    network : Network
        The network.
    path : str or path
        The HTML file.
    domain : str, pairs of ends or Domain, optional
        Where the region explorer begins; questions are about all of space.
    plane : optional
        Which two-dimensional slice the explorer shows, for more than two inputs.
    seconds_each : float, optional
        The time of each question and of each picture.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Report
        ``checked``, an entry for each question with what the checker says.

    Notes
    -----
    When the time of the whole is over, the page is written as it is then.

    Examples
    --------
    >>> import exactrelu as er
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> net = er.Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> with TemporaryDirectory() as folder:
    ...     page = er.report(net, Path(folder) / "page.html", seconds_each=1)
    >>> any(entry.is_accepted for entry in page.checked)
    True
    """
    effort = call.effort
    # The cheap part first: a bad plane is found out before the long work.
    pictures = effort.part(share=PICTURES)
    found = explorer(network, domain, plane, seconds_each=seconds_each, effort=pictures)
    name = _file_name(network.name)
    questions = effort.part(share=QUESTIONS)
    answers = list(ask_all(network, seconds_each=seconds_each, effort=questions))
    checked, unchecked = _checked(answers, name, effort)
    folds = effort.part(seconds=seconds_each)
    atomic_write(path, _page(network, name, found, checked, folds).encode())
    return Report(Path(path), checked, found, unchecked)


def _file_name(name: str) -> str:
    """A name that is safe in a file name and on a command line."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:60] or "network"


def _checked(
    answers: list[Asked], name: str, effort: Effort
) -> tuple[tuple[CheckedAnswer, ...], str]:
    """The answers with what the checker says of their certificates, or why it says nothing."""
    unchecked = ""
    with tempfile.TemporaryDirectory() as folder:
        paths: dict[str, str] = {}
        for asked in answers:
            if asked.certificate is not None:
                path = Path(folder) / f"{name}.{asked.question}.cert.jsonl"
                path.write_bytes(asked.certificate)
                paths[asked.question] = str(path)
        results = {}
        if paths:
            try:
                finished = run_checker(["--json", "--", *paths.values()], effort)
            except (Stopped, CheckerFailed) as stopped:
                unchecked = str(stopped)
                results = {path: {"verdict": "not checked"} for path in paths.values()}
            else:
                results = {r["file"]: r for r in json.loads(finished.stdout)["results"]}
    found = []
    for asked in answers:
        path_of = paths.get(asked.question)
        if path_of is None:
            found.append(CheckedAnswer(asked, None, ""))
            continue
        result = results[path_of]
        line = f"{result['verdict']} {result.get('claim') or ''}".strip()
        found.append(CheckedAnswer(asked, f"{Path(path_of).name}.gz", line))
    return tuple(found), unchecked


def _page(
    network: Network,
    name: str,
    found: Explorer,
    checked: tuple[CheckedAnswer, ...],
    folds: Effort = UNLIMITED,
) -> str:
    title = network.name or "network"
    first = found.slices[0].scene
    is_whole = first is not None and first.network is network
    network_file = f"{name}.json"
    parts = [
        f"<h1>{escape(title)}</h1>\n",
        '<p class="dim">A report by exactrelu. Numbers are exact; only positions in pictures, and '
        "the labels of their axes, are rounded. What the checker proved stands in the table of "
        "verdicts; regions, plots and roles of neurons are computed, not certified.</p>\n",
        patterns(),
        summary(
            [*described(network), ("sha256", network.sha256)], network_text(network), network_file
        ),
        "<h2>Regions</h2>\n",
        explorer_section(found),
    ]
    if first is not None:
        drawn = plots(replace(first, effort=folds))
        parts += [regions_table(first), "<h2>Plots</h2>\n", drawn]
    roles = neuron_roles(network)
    parts += [
        "<h2>Neurons</h2>\n",
        neurons_table(network, roles, first if is_whole else None),
        "<h2>Verdicts</h2>\n",
        verdicts(checked, network_file),
    ]
    script = f"const DATA = {data_for_script(explorer_data(found))};\n"
    script += (files("exactrelu.view.report") / "report.js").read_text(encoding="utf-8")
    return page(f"{title} · exactrelu", "".join(parts), script, picture_css())
