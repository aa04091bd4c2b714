"""Formulas as MathML in the page itself: no script, no font, no request.

Browsers draw MathML.  LaTeX is translated when the site is built; a formula that cannot be
translated is a warning, and so an error of ``make docs``.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

log = logging.getLogger(__name__)


def _translated(translator: HTML5Translator, node: nodes.Element, display: str) -> None:
    try:
        translator.body.append(convert(node.astext(), display=display))
    except Exception as error:
        log.warning("no formula: %s (%r)", node.astext(), error, location=node)
    raise nodes.SkipNode


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    _translated(translator, node, "inline")


def _displayed(translator: HTML5Translator, node: nodes.math_block) -> None:
    _translated(translator, node, "block")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the renderer that ``html_math_renderer = "mathml"`` names."""
    app.add_html_math_renderer("mathml", (_inline, None), (_displayed, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
