"""What is to be seen of a network on a domain, with exact coordinates.

The canonical complex (theory 2.1) in dimension 1, 2 or 3, cut to a window: its regions with
their affine maps, and its facets with the neurons that bend there and whether the gradient
jumps across them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from exactrelu.complex.jumps import FacetJump
from exactrelu.complex.neighbours import region_system
from exactrelu.complex.search import Limit, LimitReached
from exactrelu.errors import InputError
from exactrelu.exact.scalar import Vector, dot
from exactrelu.exact.system import Row
from exactrelu.network.evaluate import AffineMap, Pattern, local_affine_map
from exactrelu.network.network import Network
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.folds.cells import Cells, Domain, cells
from exactrelu.questions.folds.folds import Folds
from exactrelu.view.polygons import Points, in_order, in_order_on_plane
from exactrelu.view.window import Window, window_around


@dataclass(frozen=True)
class Cell:
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
class Wall:
    """A facet: its corners in the window, the neurons that bend there, the cells beside it."""

    jump: FacetJump
    corners: Points
    units: tuple[tuple[int, int], ...]
    beside: tuple[int, int]

    @property
    def is_visible(self) -> bool:
        """Whether the gradient jumps across it."""
        return self.jump.is_visible

    @property
    def layer(self) -> int:
        """The first layer that bends there."""
        return min(l for l, _ in self.units)


@dataclass(frozen=True)
class Scene:
    """The cells and walls in a window."""

    network: Network
    domain: Domain | None
    complex: Cells
    window: Window
    cells: tuple[Cell, ...]
    walls: tuple[Wall, ...]

    @property
    def dimension(self) -> int:
        return self.network.n_inputs

    @cached_property
    def folds(self) -> Folds:
        """The fold-set, from the same faces."""
        return Folds(self.network, self.domain, self.complex)

    @cached_property
    def level(self) -> dict[Pattern, tuple[int, int]]:
        """The level and the piece, from 0, of each facet of the canonical representation."""
        pieces = self.folds.representation.pieces
        return {
            jump.facet.signs: (piece.level, number)
            for number, piece in enumerate(pieces)
            for jump in piece.facets
        }


def scene(
    network: Network,
    domain: Domain | None = None,
    *,
    window: Window | None = None,
    max_faces: int | None = None,
    max_regions: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Scene:
    """The scene of a network with 1, 2 or 3 inputs; the window is chosen if none is given.

    Raises :class:`LimitReached` over a limit.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> found = scene(xor)
    >>> len(found.cells), len(found.walls), found.window.sides
    (3, 2, ((-1, 1/2), (-1, 1/2)))
    """
    if network.n_inputs > 3:
        raise InputError(
            f"{network.n_inputs} inputs: a picture has at most 3 dimensions, take a --slice"
        )
    limit = Limit(None, timeout)
    found = cells(
        network,
        domain,
        max_faces=max_faces,
        max_regions=max_regions,
        timeout=timeout,
        progress=progress,
    )
    if not found.is_complete:
        raise LimitReached(len(found.regions))
    if not found.regions:
        raise InputError("the domain has no interior points: there is nothing to see")
    closures = []
    for region in found.regions:
        system = region_system(found.found.network, region.signs) & found.found.domain
        closures.append(Polyhedron(system.closed()))
        limit.tick()
    window = window_around(closures) if window is None else window
    return _assembled(network, domain, found, closures, window)


def _assembled(
    network: Network,
    domain: Domain | None,
    found: Cells,
    closures: list[Polyhedron],
    window: Window,
) -> Scene:
    frame = Polyhedron(window.system)
    number: dict[Pattern, int] = {}
    shown: list[Cell] = []
    for region, closure in zip(found.regions, closures, strict=True):
        corners = (closure & frame).vertices
        if len(corners) <= network.n_inputs:
            continue
        pattern = tuple(
            signs[:n] for signs, n in zip(region.signs, network.hidden_widths, strict=False)
        )
        vertices = () if closure.lineality else closure.vertices
        number[region.signs] = len(shown)
        shown.append(
            Cell(
                pattern,
                region.point,
                local_affine_map(network, pattern),
                vertices,
                closure.is_bounded,
                in_order(corners) if network.n_inputs == 2 else corners,
            )
        )
    walls = []
    for jump in found.facets:
        units = found.bent_neurons(jump)
        if not units or jump.above not in number or jump.below not in number:
            continue
        corners = _on_facet(jump, shown[number[jump.above]].corners)
        if len(corners) >= network.n_inputs:
            walls.append(Wall(jump, corners, units, (number[jump.below], number[jump.above])))
    return Scene(network, domain, found, window, tuple(shown), tuple(walls))


def _on_facet(jump: FacetJump, corners: Points) -> Points:
    """The corners of the region above a facet that lie on the facet."""
    plane = Row(jump.normal, -dot(jump.normal, jump.facet.point))
    points = tuple(p for p in corners if plane.value(p) == 0)
    is_polygon = len(jump.normal) == 3 and len(points) > 2
    return in_order_on_plane(points, jump.normal) if is_polygon else points
