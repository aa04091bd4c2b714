"""``report``: everything about one network on one page that needs nothing else.

Summary, verdicts with their certificates in the page, the region explorer, tables and plots.
No request ever leaves the page: styles, scripts, pictures and certificates are in it.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from exactrelu.certificates.checker import run_checker
from exactrelu.files import PathLike, atomic_write
from exactrelu.network.formats.exact_json import network_text
from exactrelu.network.network import Network
from exactrelu.network.roles import neuron_roles
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.asking import Asked, ask_all
from exactrelu.view.page import data_for_script, page
from exactrelu.view.report import sections
from exactrelu.view.report.drawing import patterns, picture_css
from exactrelu.view.report.sections import Checked
from exactrelu.view.report.slices import Explorer, Plane, explorer
from exactrelu.view.text import described

#: Seconds for each question, and for each picture.
TIMEOUT = 20.0


@dataclass(frozen=True)
class Report:
    """What stands on the page."""

    checked: tuple[Checked, ...]
    explorer: Explorer


def report(
    network: Network,
    path: PathLike,
    domain: DomainLike = None,
    *,
    plane: Plane | None = None,
    timeout: float = TIMEOUT,
    progress: Callable[[], object] = lambda: None,
) -> Report:
    """Write the page of a network.

    ``domain`` and ``plane`` (see :mod:`exactrelu.view.report.slices`) are for the region explorer;
    the questions are those of ``certify``, with at most ``timeout`` seconds each.
    """
    # The cheap part first: a bad plane is found out before the long work.
    found = explorer(network, domain, plane, timeout=timeout, progress=progress)
    name = _file_name(network.name)
    answers = []
    for asked in ask_all(network, timeout):
        answers.append(asked)
        progress()
    checked = _checked(answers, name)
    atomic_write(path, _page(network, name, found, checked).encode())
    return Report(checked, found)


def _file_name(name: str) -> str:
    """A name that is safe in a file name and on a command line."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:60] or "network"


def _checked(answers: list[Asked], name: str) -> tuple[Checked, ...]:
    """The answers with what the independent checker says of their certificates."""
    with tempfile.TemporaryDirectory() as folder:
        paths: dict[str, str] = {}
        for asked in answers:
            if asked.certificate is not None:
                path = Path(folder) / f"{name}.{asked.question}.cert.jsonl"
                path.write_bytes(asked.certificate)
                paths[asked.question] = str(path)
        results = {}
        if paths:
            finished = run_checker(["--json", "--", *paths.values()])
            results = {r["file"]: r for r in json.loads(finished.stdout)["results"]}
    found = []
    for asked in answers:
        path_of = paths.get(asked.question)
        if path_of is None:
            found.append(Checked(asked, None, ""))
            continue
        result = results[path_of]
        line = f"{result['verdict']} {result.get('claim') or ''}".strip()
        found.append(Checked(asked, f"{Path(path_of).name}.gz", line))
    return tuple(found)


def _page(network: Network, name: str, found: Explorer, checked: tuple[Checked, ...]) -> str:
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
        sections.summary(described(network), network_text(network), network_file),
        "<h2>Regions</h2>\n",
        sections.explorer_section(found),
    ]
    if first is not None:
        parts += [sections.regions_table(first), "<h2>Plots</h2>\n", sections.plots(first)]
    roles = neuron_roles(network)
    parts += [
        "<h2>Neurons</h2>\n",
        sections.neurons_table(network, roles, first if is_whole else None),
        "<h2>Verdicts</h2>\n",
        sections.verdicts(checked, network_file),
    ]
    script = f"const DATA = {data_for_script(sections.data(found))};\n"
    script += (files("exactrelu.view.report") / "report.js").read_text(encoding="utf-8")
    return page(f"{title} · exactrelu", "".join(parts), script, picture_css())
