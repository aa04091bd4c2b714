"""A small SVG of a network for notebooks, without matplotlib: regions, bent hyperplanes, the graph.

Everything that says how it looks is in the elements themselves: a page with several pictures has
one namespace, in which styles and identifiers of one would change the others.

A picture is made of networks, regions, complexes and folds with one or two inputs and at most
``MAX_REGIONS`` regions, within ``SECONDS``; of others there is none, and never an error.
"""

from __future__ import annotations

import html
from typing import Any

from exactrelu.effort import Effort
from exactrelu.errors import ExactReluError
from exactrelu.network.network import Network, widths_text
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.complex import PolyhedralComplex
from exactrelu.questions.folds.cells import RegionLike
from exactrelu.questions.folds.folds import Folds
from exactrelu.questions.regions import Regions
from exactrelu.view.panels import BLACK, FILLS, colouring, stroke, thinner, tint
from exactrelu.view.plot import Picture, plot
from exactrelu.view.report.explorer import (
    WIDTH,
    Sheet,
    core,
    decimal,
    flat_parts,
    graph_parts,
    view_box,
)
from exactrelu.view.scene import Scene, scene
from exactrelu.view.window import Points

#: More regions than this are not drawn where nobody has asked for a picture.
MAX_REGIONS = 500
#: Nor is what takes longer than this.
SECONDS = 3.0
#: The width of the picture on the page, in pixels.
SHOWN_WIDTH = 420


def subject(value: Any) -> tuple[Network, RegionLike]:
    """The network of a value, and where it was asked about."""
    match value:
        case Network():
            return value, None
        case Regions():
            return value.network, value.place
        case PolyhedralComplex():
            return value.asked, value.place
        case Folds():
            place = value.cells.union or value.cells.found.place
            if isinstance(place, Domain) and place.is_flat:
                # Folds are those of the restriction already.
                return value.network, place.inside
            return value.network, place
    raise TypeError(f"a {type(value).__name__} is not drawn")


def n_inputs(network: Network, domain: RegionLike) -> int:
    """The dimension of the picture."""
    return domain.inner_dimension if isinstance(domain, Domain) else network.n_inputs


def plot_of(value: Any, **options: Any) -> Picture:
    """The picture of a value, by :func:`exactrelu.view.plot.plot`."""
    network, domain = subject(value)
    if isinstance(value, Folds):
        options.setdefault("show", ("folds",) if n_inputs(network, domain) > 1 else ("complex",))
    return plot(network, domain, **options)


def sketch(value: Any) -> str | None:
    """A small SVG of a value, or None: it is too large, or there is nothing to see."""
    network, domain = subject(value)
    known = value.n_regions_at_least if isinstance(value, Regions) else 0
    if n_inputs(network, domain) not in (1, 2) or known > MAX_REGIONS:
        return None
    try:
        return svg(scene(network, domain, effort=Effort(seconds=SECONDS, regions=MAX_REGIONS)))
    except (ExactReluError, ArithmeticError):
        # Over a bound, or a domain of one point.
        return None


def svg(found: Scene) -> str:
    """The scene of one or two inputs.

    >>> net = Network.from_arrays([[[1], [1]], [[1, -2]]], [[0, -1], [0]])
    >>> text = svg(scene(net))
    >>> text.count("<polygon"), text.startswith("<svg xmlns"), text.endswith("</svg>")
    (3, True, True)
    """
    sheet, cells, walls, lines = flat_parts(found) if found.dimension == 2 else graph_parts(found)
    parts = [
        f'<polygon points="{sheet.points(corners)}" fill="{tint(FILLS[fill])}"/>'
        for corners, fill in zip(cells, colouring(found, "pattern"), strict=True)
    ]
    thin = thinner(len(walls))
    for ends, layer, is_visible in walls:
        line = stroke(layer)
        dashes = "" if is_visible else ' stroke-dasharray="5 3"'
        parts.append(_line(sheet, ends, line.colour, thin * line.width, dashes))
    for ends, kind in lines:
        if kind != "casing":
            parts.append(_line(sheet, ends, BLACK, 2.0, ""))
    full = f"0 0 {WIDTH} {decimal(sheet.height)}"
    view = view_box(sheet, core(found)) if found.dimension == 2 else full
    name = html.escape(f"activation regions of {widths_text(found.network)}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" '
        f'width="{SHOWN_WIDTH}" role="img" aria-label="{name}">{"".join(parts)}</svg>'
    )


def _line(sheet: Sheet, ends: Points, colour: str, width: float, more: str) -> str:
    return (
        f'<polyline points="{sheet.points(ends)}" fill="none" stroke="{colour}" '
        f'stroke-width="{width:g}" stroke-linecap="round" vector-effect="non-scaling-stroke"'
        f"{more}/>"
    )


class Notebook:
    """Who draws for notebooks."""

    plot = staticmethod(plot_of)
    sketch = staticmethod(sketch)
