"""Two tutorials as notebooks, written from their pages.

    python docs/notebooks.py             # into docs/tutorial, without outputs
    python docs/notebooks.py --execute   # the same, executed

The pages are the source, and what they print is compared by ``tests/test_pages.py``.  Here prose
becomes cells of Markdown, ``>>>`` code, ``$`` a cell of the shell, and a block of Python without
``>>>`` stays text.  A cell ends where the page shows an output, so that the notebook shows it too,
as a table or a picture where there is one.  The same page gives the same bytes: cells are numbered,
and nothing is dated.  The site has them for download: as a Sphinx extension this module writes
those that are not there.
"""

from __future__ import annotations

import argparse
import doctest
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parent
PAGES = (
    "tutorial/1-from-pytorch-to-a-certificate",
    "tutorial/3-a-conjecture-and-its-counterexample",
)
#: Seconds that a cell may take.
TIMEOUT = 120
#: Without ipywidgets a progress bar is text; tqdm warns of it, with a path of this machine.
QUIET = "ignore:IProgress not found"

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
#: A picture is shown by the notebook itself; a line that offers the notebook is for the page.
_LEFT_OUT = re.compile(r"^(!\[.*|\{download\}.*)\n", re.MULTILINE)
_LINK = re.compile(r"\[([^]]+)\]\((?!https?:)[^)]+\)")


def cells(page: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The kind, source and metadata of each cell of a page."""
    end = 0
    for block in _BLOCK.finditer(page):
        kind, body = block[1], block[2]
        shown = kind == "console" or ">>> " in body
        if shown:
            yield from _prose(page[end : block.start()])
            yield from _shell(body) if kind == "console" else _python(body)
            end = block.end()
    yield from _prose(page[end:])


def _prose(text: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    text = _LINK.sub(r"\1", _LEFT_OUT.sub("", text)).strip()
    if text:
        yield "markdown", text, {}


def _shell(body: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    commands = [line.removeprefix("$ ") for line in body.splitlines() if line.startswith("$ ")]
    # An answer that is no is an exit code, not a mistake.
    yield "code", "\n".join(["%%bash --no-raise-error", *commands]), {}


def _python(body: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    lines: list[str] = []
    for example in doctest.DocTestParser().get_examples(body):
        lines.append(example.source.rstrip())
        if example.want:
            metadata = {"tags": ["raises-exception"]} if example.exc_msg else {}
            yield "code", "\n".join(lines), metadata
            lines = []
    if lines:
        yield "code", "\n".join(lines), {}


def notebook(page: str) -> Any:
    """The notebook of a page, without outputs."""
    from nbformat import v4

    made = []
    for k, (kind, source, metadata) in enumerate(cells(page), 1):
        new = v4.new_markdown_cell if kind == "markdown" else v4.new_code_cell
        made.append(new(source, id=f"cell-{k}", metadata=metadata))
    kernel = {"name": "python3", "language": "python", "display_name": "Python 3"}
    return v4.new_notebook(cells=made, metadata={"kernelspec": kernel})


def executed(made: Any) -> Any:
    """The notebook with its outputs, run in a fresh folder that looks like the repository's."""
    from nbclient import NotebookClient

    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    with tempfile.TemporaryDirectory() as folder:
        for name in ("cases", "tests"):
            (Path(folder) / name).symlink_to(DOCS.parent / name)
        client = NotebookClient(
            made,
            timeout=TIMEOUT,
            resources={"metadata": {"path": folder}},
            record_timing=False,
            coalesce_streams=True,
        )
        client.execute(env={**os.environ, "PATH": programs, "PYTHONWARNINGS": QUIET})
    # Where files lie, and what the kernel says of itself, differs from machine to machine.
    for output in (o for cell in made.cells for o in cell.get("outputs", ())):
        if output.output_type == "error":
            output.traceback = output.traceback[-1:]
    made.metadata.pop("language_info", None)
    return made


def write(name: str, execute: bool = False) -> Path:
    """Write the notebook of a page, unless one with the same cells is there already."""
    import nbformat

    path = DOCS / f"{name}.ipynb"
    made = notebook((DOCS / f"{name}.md").read_text())
    if path.exists():
        kept = nbformat.read(path, as_version=4)
        has_outputs = any(cell.get("outputs") for cell in kept.cells)
        if _sources(kept) == _sources(made) and (has_outputs or not execute):
            return path
    nbformat.write(executed(made) if execute else made, path)
    return path


def _sources(made: Any) -> list[str]:
    return [cell.source for cell in made.cells]


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the notebooks before Sphinx looks for what the pages offer."""
    app.connect("builder-inited", lambda _: [write(name) for name in PAGES])
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def main() -> None:
    """Write all of them."""
    parser = argparse.ArgumentParser(description="Write the tutorials as notebooks.")
    parser.add_argument("--execute", action="store_true", help="with their outputs")
    arguments = parser.parse_args()
    for name in PAGES:
        print(write(name, arguments.execute).relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
