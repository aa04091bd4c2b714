"""The table of the page on trust: for each kind of claim its rule, its methods and their size.

The lines of code are what ``exactrelu-check --trust KIND:METHOD`` counts when the site is built.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from exactrelu_checker.claims import KINDS, methods
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

CHECKER = Path(__file__).parents[2] / "proofs" / "exactrelu_checker"
#: Asks for one name after another, each in a process that has loaded nothing of the checker yet.
SERVER = """
import contextlib, io, json, os, sys
sys.path.insert(0, sys.argv[1])
for name in json.loads(sys.argv[2]):
    if not os.fork():
        from exactrelu_checker.main import main
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            main(["--trust", name])
        os.write(1, (said.getvalue().splitlines()[-1] + "\\n").encode())
        os._exit(0)
    os.wait()
"""


def names() -> list[str]:
    """``KIND:METHOD`` for each."""
    return [f"{kind}:{method}" for kind in KINDS for method in _methods(kind)]


def _methods(kind: str) -> dict[str, str]:
    """The methods of a kind and of its negation, each with its module."""
    return {**methods(kind), **methods(f"not {kind}")}


@cache
def sizes() -> dict[str, int]:
    """The lines of code of each method, as the checker counts them."""
    run = [sys.executable, "-I", "-S", "-c", SERVER, str(CHECKER.parent), json.dumps(names())]
    said = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    lines = (line.split(" lines of code for ") for line in said.splitlines())
    return {name: int(size) for size, name in lines}


def table() -> str:
    """The table as Markdown."""
    rows = ["| kind | methods, with the lines of code of each |", "|---|---|"]
    for kind in sorted(KINDS):
        found = {True: methods(kind), False: methods(f"not {kind}")}
        parts = [
            ("no: " if not holds else "yes: " if found[False] else "")
            + ", ".join(f"`{method}` {sizes()[f'{kind}:{method}']:,}" for method in sorted(chosen))
            for holds, chosen in found.items()
            if chosen
        ]
        rows.append(f"| [`{kind}`](certificates/rules/{kind}.md) | {'; '.join(parts)} |")
    return "\n".join(rows)


class Trusted(SphinxDirective):
    """The table."""

    def run(self) -> list[nodes.Node]:
        # It follows the checker, not this page.
        self.env.note_reread()
        return self.parse_text_to_nodes(table())


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("trusted", Trusted)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
