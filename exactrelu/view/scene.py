"""What is to be seen of a network on a domain, with exact coordinates.

The canonical complex (theory 2.1) in dimension 1, 2 or 3, cut to a window: its regions with
their affine maps, and its facets with the neurons that bend there and whether the gradient
jumps across them.  The complex is face to face, so that two regions share a facet iff a facet of
one has the same corners as one of the other; signs are read off at the middle of the facet.

Decision boundaries: where f = 0, or where two outputs share the largest value.  On a region the
network is an affine map, so that the boundary there is the cross-section of a convex polygon: with
one output {f = 0}, with several {f_i = f_j ≥ f_k for all k} for i < j.  Regions on which the
functions agree identically add nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import ClassVar, Unpack

from flint import fmpq

from exactrelu.answer import Part
from exactrelu.bounded import bounded
from exactrelu.cells.tree import Region
from exactrelu.certificates.certificate import Found
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.evaluation import region_system
from exactrelu.network.network import (
    AffineMap,
    Network,
    Pattern,
    local_affine_map,
    trace_batch,
    widths_text,
)
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.folds.cells import RegionLike, with_grid
from exactrelu.questions.folds.folds import Folds, folds
from exactrelu.questions.regions import regions
from exactrelu.view.window import (
    Points,
    Window,
    cross_section,
    in_order,
    in_order_on_plane,
    part_of_segment,
    window_around,
)


@dataclass(frozen=True)
class SceneCell(Outward):
    """A region: its pattern, a point, its map, its vertices, and its corners in the window.

    ``vertices`` is empty if the closure contains a line; corners of a polygon are in order.
    """

    pattern: Pattern
    point: Vector
    map: AffineMap
    vertices: Points
    is_bounded: bool
    corners: Points


@dataclass(frozen=True)
class Wall(Outward):
    """A facet: its corners in the window, its signs, the neurons that bend, the cells beside it.

    It is visible if the gradient of the network jumps across it.
    """

    corners: Points
    signs: Pattern
    units: tuple[tuple[int, int], ...]
    beside: tuple[int, int]
    is_visible: bool

    @property
    def layer(self) -> int:
        """The first layer that bends there."""
        return min(l for l, _ in self.units)


@dataclass(frozen=True, repr=False)
class Scene(Found):
    """The cells and walls in a window.

    On a flat domain they are those of the restriction to its affine hull, whose coordinates are
    the coordinates ``axes`` of x, from 1.
    """

    PARTS: ClassVar[tuple[Part, ...]] = (
        Part("n_regions", "number of regions that were drawn", of=lambda found: len(found.cells)),
        Part("n_facets", "number of facets that were drawn", of=lambda found: len(found.walls)),
        Part(
            "n_invisible_facets",
            "how many of them are not visible",
            of=lambda found: sum(not wall.is_visible for wall in found.walls),
        ),
        Part("window", "the sides of the picture", of=lambda found: list(found.window.sides)),
    )

    network: Network
    domain: RegionLike
    window: Window
    cells: tuple[SceneCell, ...]
    walls: tuple[Wall, ...]
    #: What the fold-set may cost.
    effort: Effort = field(default=UNLIMITED, compare=False, repr=False)
    axes: tuple[int, ...] = (1, 2, 3)
    #: What is said of a flat domain.
    place: str = ""

    @property
    def dimension(self) -> int:
        """The dimension of the picture."""
        return self.network.n_inputs

    def _headline(self) -> str:
        drawn = f"{len(self.cells):,} regions, {len(self.walls):,} facets"
        return f"{type(self).__name__}: {drawn} of {widths_text(self.network)}"

    def axis(self, k: int) -> str:
        """The name of an axis of the picture, from 0, in TeX."""
        return f"x_{self.axes[k]}" if self.axes[k] < 10 else f"x_{{{self.axes[k]}}}"

    @cached_property
    def folds(self) -> Folds:
        """The fold-set on the domain; raises :class:`Stopped` if that takes too long."""
        found = folds(self.network, self.domain, effort=self.effort, certify=False)
        if not found.is_complete:
            self.effort.spend()
            raise Stopped("stopped before the fold-set was complete")
        return found

    @cached_property
    def level(self) -> dict[Pattern, tuple[int, int]]:
        """The level and the piece, from 0, of facets of the canonical representation, by signs."""
        pieces = self.folds.representation.pieces
        return {
            jump.facet.signs: (piece.level, number)
            for number, piece in enumerate(pieces)
            for jump in piece.facets
        }


@bounded
def scene(
    effort: Effort,
    /,
    network: Network,
    domain: RegionLike = None,
    *,
    window: Window | None = None,
    **limits: Unpack[Limits],
) -> Scene:
    """The scene of a network with 1, 2 or 3 inputs; the window is chosen if none is given.

    Raises :class:`Stopped` over a bound.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> found = scene(xor)
    >>> len(found.cells), len(found.walls), found.window.sides
    (3, 2, ((-1, 1/2), (-1, 1/2)))
    """
    place = None if isinstance(domain, BoxUnion) else Domain.of(domain, network.n_inputs)
    if place is not None and place.is_flat:
        if place.inner_dimension == 0:
            raise InputError("the domain is one point: there is nothing to see")
        found = scene(place.restricted(network), place.inside, window=window, effort=effort)
        return replace(found, axes=tuple(j + 1 for j in place.free), place=place.words)
    if network.n_inputs > 3:
        raise InputError(
            f"{network.n_inputs} inputs: a picture has at most 3 dimensions, take a --slice"
        )
    drawn, inside, listed = _regions(network, domain, effort)
    closures = []
    for region in listed:
        effort.spend()
        system = region_system(drawn, region.pattern) & inside
        closures.append(Polyhedron(system.closed()))
    window = window_around(closures) if window is None else window
    frame = Polyhedron(window.system)
    cells: list[SceneCell] = []
    signs: list[Pattern] = []
    sides: dict[frozenset[Vector], list[tuple[int, Points]]] = {}
    for region, closure in zip(listed, closures, strict=True):
        effort.spend()
        part = closure & frame
        if part.dimension < network.n_inputs:
            continue
        for corners in _facets(part):
            sides.setdefault(frozenset(corners), []).append((len(cells), corners))
        cells.append(_cell(network, region, closure, part))
        signs.append(region.pattern)
    shared = [(at[0][1], (at[0][0], at[1][0])) for at in sides.values() if len(at) == 2]
    walls = _walls(network, drawn, cells, signs, shared, effort)
    return Scene(network, domain, window, tuple(cells), tuple(walls), effort)


def _regions(
    network: Network,
    domain: RegionLike,
    effort: Effort,
) -> tuple[Network, LinearSystem, list[Region]]:
    """The network that is drawn (with the grid of a union), its open domain, and its regions."""
    union = domain if isinstance(domain, BoxUnion) else None
    if union is not None and union.dimension != network.n_inputs:
        raise ShapeError(
            f"boxes in {union.dimension} variables for a network of {network.n_inputs} inputs"
        )
    drawn = network if union is None else with_grid(network, union)
    found = regions(
        drawn,
        domain.frame if isinstance(domain, BoxUnion) else domain,
        certify=False,
        effort=effort,
    )
    if not found.is_complete:
        raise Stopped(found.reason)
    listed = [r for r in found.regions if union is None or union.contains_inside(r.point)]
    return drawn, found.domain, listed


def _cell(network: Network, region: Region, closure: Polyhedron, part: Polyhedron) -> SceneCell:
    pattern = tuple(
        signs[:n] for signs, n in zip(region.pattern, network.hidden_widths, strict=False)
    )
    return SceneCell(
        pattern,
        region.point,
        local_affine_map(network, pattern),
        () if closure.lineality else closure.vertices,
        closure.is_bounded,
        in_order(part.vertices) if network.n_inputs == 2 else part.vertices,
    )


def _facets(part: Polyhedron) -> Iterator[Points]:
    """The corners of each facet of a polytope, those of a polygon in order."""
    for row in part.constraints.rows:
        corners = tuple(p for p in part.vertices if row.value(p) == 0)
        yield in_order_on_plane(corners, row.normal) if len(row.normal) == 3 else corners


def _walls(
    network: Network,
    drawn: Network,
    cells: list[SceneCell],
    signs: list[Pattern],
    shared: list[tuple[Points, tuple[int, int]]],
    effort: Effort,
) -> Iterator[Wall]:
    """The facets between cells on which neurons of the network bend."""
    middles = [_middle(corners) for corners, _ in shared]
    for (corners, beside), evaluation in zip(shared, trace_batch(drawn, middles), strict=True):
        effort.spend()
        below, above = (signs[k] for k in beside)
        units = tuple(
            (l, i)
            for l, n in enumerate(network.hidden_widths, 1)
            for i in range(1, n + 1)
            if evaluation.pattern[l - 1][i - 1] == 0
            and (below[l - 1][i - 1], above[l - 1][i - 1]) != (0, 0)
        )
        if units:
            is_visible = cells[beside[0]].map != cells[beside[1]].map
            yield Wall(corners, evaluation.pattern, units, beside, is_visible)


def _middle(corners: Points) -> Vector:
    """A point in the relative interior of a polytope."""
    n = fmpq(len(corners))
    return tuple(sum(values, fmpq(0)) / n for values in zip(*corners, strict=True))


@dataclass(frozen=True)
class BoundarySegment:
    """A segment (a point on a line) of the boundary, and the number of its cell."""

    cell: int
    corners: Points


def decision_boundary(scene: Scene) -> tuple[BoundarySegment, ...]:
    """The boundary in a scene of dimension 1 or 2, cell by cell.

    >>> hat = Network.from_arrays([[[1], [1]], [[1, -2]]], [[0, -1], ["-3/4"]])
    >>> [part.corners for part in decision_boundary(scene(hat))]
    [((3/4,),), ((5/4,),)]
    """
    found: dict[Points, BoundarySegment] = {}
    for number, cell in enumerate(scene.cells):
        for corners in _boundary_in(cell):
            if len(corners) == scene.dimension:
                # What lies between two cells is found in both.
                found.setdefault(corners, BoundarySegment(number, corners))
    return tuple(found.values())


def _boundary_in(cell: SceneCell) -> list[Points]:
    rows = [Row(row, c) for row, c in zip(cell.map.matrix.rows(), cell.map.offset, strict=True)]
    if len(rows) == 1:
        return [cross_section(cell.corners, rows[0])]
    parts = []
    for i, j in combinations(range(len(rows)), 2):
        above = [_minus(rows[i], row) for k, row in enumerate(rows) if k not in (i, j)]
        ends = cross_section(cell.corners, _minus(rows[i], rows[j]))
        parts.append(tuple(sorted(set(part_of_segment(ends, above)))))
    return parts


def _minus(left: Row, right: Row) -> Row:
    normal = tuple(a - b for a, b in zip(left.normal, right.normal, strict=True))
    return Row(normal, left.offset - right.offset)
