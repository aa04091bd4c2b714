"""The table of contents by chapters: pages by name or by pattern, those that there are.

::

    ```{chapter} Learn
    tutorial/*
    theory
    ```

Sphinx warns of a pattern without a page, and we take warnings as errors; a chapter takes what is
there, pages of a pattern in the order of their names.  A page in no chapter is still a warning.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Chapter(SphinxDirective):
    """A part of the table of contents, with a caption."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        known = sorted(self.env.found_docs)
        pages = [page for p in self.content for page in known if fnmatchcase(page, p.strip())]
        if not pages:
            return []
        lines = ["```{toctree}", ":hidden:", f":caption: {self.arguments[0]}", "", *pages, "```"]
        # Which pages there are may change without this file.
        self.env.note_reread()
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("chapter", Chapter)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
