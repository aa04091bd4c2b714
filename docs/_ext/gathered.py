"""Pages of the manual whose text lives elsewhere in the repository.

The format of certificates, its rules, the change log: each has one place, where it is read
without the site too, and a page here that includes it.  These pages are written before Sphinx
looks for pages, and are not kept in the repository.  A link to such a file, from a page or from
another such file, is a link to its page.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from links import DOCS, ROOT, RULES, sources
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

INCLUDED = "```{{include}} {path}\n```\n"
#: A file that is not Markdown is shown as it is.
SHOWN = "# {title}\n\n{words}\n\n```{{literalinclude}} {path}\n:language: {language}\n```\n"
CITED = {
    "title": "How to cite",
    "words": "Cite the program, and the papers whose theorems your certificates name.",
    "language": "yaml",
}


def texts() -> Iterator[tuple[str, str]]:
    """Each page and its text."""
    for name, source in sources().items():
        path = os.path.relpath(source, (DOCS / name).parent)
        template = INCLUDED if source.suffix == ".md" else SHOWN
        yield f"{name}.md", template.format(path=path, **CITED)


def write(name: str, text: str) -> None:
    """Write a page if it says something new: Sphinx reads again what is newer."""
    path = DOCS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def _write_all(_app: Sphinx) -> None:
    for name, text in texts():
        write(name, text)


def _is_link(node: nodes.Node) -> bool:
    """Whether a node is a link of Markdown to a file that is no page, or to what may be one."""
    if isinstance(node, addnodes.pending_xref) and node["reftype"] == "myst":
        return not node.get("refdomain") or _is_outside(node)
    return isinstance(node, addnodes.download_reference)


def _is_outside(node: nodes.Element) -> bool:
    """Whether a link is one to Markdown outside of docs/, which MyST takes for a page."""
    return node.get("refdomain") == "doc" and node["reftarget"].startswith("/")


class Links(SphinxTransform):
    """Links to files that have a page lead there, and not to a copy of the file.

    Those of an included file are read as they are meant: from where that file lies.
    """

    # After the links of Markdown are nodes, before Sphinx collects the files to be copied.
    default_priority = 950

    def apply(self, **_: Any) -> None:
        own = sources()
        pages = {path.resolve(): name for name, path in own.items()}
        pages[(ROOT / "README.md").resolve()] = "index"
        folders = [(DOCS / self.env.docname).parent]
        if self.env.docname in own:
            folders.append(own[self.env.docname].parent)
        for node in list(self.document.findall(_is_link)):
            target = node["reftarget"].partition("#")[0]
            target += ".md" if _is_outside(node) else ""
            found = [p for f in folders if target and (p := (f / target).resolve()).exists()]
            if found:
                self._lead(node, found[0], pages)

    def _lead(self, node: nodes.Element, path: Path, pages: dict[Path, str]) -> None:
        """Lead a link to the page of a file, to a copy of the file, or, of a folder, nowhere."""
        inside = path.is_relative_to(DOCS) and path.suffix == ".md"
        page = pages.get(path) or (
            path.relative_to(DOCS).with_suffix("").as_posix() if inside else None
        )
        about = {"refdoc": self.env.docname, "reftype": "myst", "refexplicit": True}
        if page is not None:
            place = node.get("reftargetid")
            new = addnodes.pending_xref(refdomain="doc", reftarget=page, reftargetid=place, **about)
        elif path.is_file():
            if "filename" in node:
                return  # Sphinx has collected the file already.
            relative = os.path.relpath(path, (DOCS / self.env.docname).parent)
            new = addnodes.download_reference(refdomain=None, reftarget=relative, **about)
        else:
            new = nodes.inline()
        new += node.children
        node.replace_self(new)


class Rules(SphinxDirective):
    """The kinds of claims, each with the title of its page, and these pages in that order."""

    def run(self) -> list[nodes.Node]:
        # There may be more of them without a change of the page of this directive.
        self.env.note_reread()
        pages = {name: path for name, path in sources().items() if path.parent == RULES}
        rows = ["| kind | |", "|---|---|"]
        for name, path in pages.items():
            kind, _, title = path.read_text().partition("\n")[0].removeprefix("# ").partition(": ")
            rows.append(f"| [{kind}](/{name}.md) | {title} |")
        # Titles are sentences: the table of contents has the kinds only.
        names = ["The format </certificates/format>"]
        names += [f"{path.stem} </{name}>" for name, path in pages.items()]
        toctree = ["```{toctree}", ":hidden:", "", *names, "```"]
        return self.parse_text_to_nodes("\n".join([*rows, "", *toctree]))


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before Sphinx looks for them."""
    app.add_directive("rules", Rules)
    app.connect("builder-inited", _write_all)
    app.add_transform(Links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
