"""What the region explorer shows: the plane of two inputs, or slices of a larger space.

A slice is {base + t1·d1 + t2·d2}.  Networks of more than two inputs are shown on planes parallel
to the first two axes, moved along another axis at a time by sliders, each position of which is
computed beforehand, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from flint import fmpq

from exactrelu.complex.search import Limit, LimitReached
from exactrelu.errors import InputError
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Optimum
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.optimize import maximize
from exactrelu.view.scene import Scene, scene
from exactrelu.view.text import number as shortened
from exactrelu.view.window import Window

#: A slice with more regions than this is shown in part.
MAX_REGIONS = 1_000
#: The same where there are many slices.
MAX_REGIONS_OF_SLICE = 300
#: Sliders, at most, and their positions.
MAX_SLIDERS = 3
POSITIONS = 7
#: Half-widths of the parts that are tried, after the whole.
_PARTS: tuple[fmpq | None, ...] = (None, *(fmpq(1, 4**k) for k in range(6)))
#: All slices together have this many times the time of one.
SHARE = 4

#: A base point and directions.
Plane = tuple[Vector, Sequence[Vector]]


@dataclass(frozen=True)
class Slice:
    """A picture of the explorer: its scene, or a note why there is none."""

    where: str
    note: str
    scene: Scene | None


@dataclass(frozen=True)
class Slider:
    """What is moved, and for each position its label and the number of its slice."""

    name: str
    positions: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Explorer:
    """All slices, the first one shown at the beginning, and the sliders between them."""

    slices: tuple[Slice, ...]
    sliders: tuple[Slider, ...]


def explorer(
    network: Network,
    domain: DomainLike = None,
    plane: Plane | None = None,
    *,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Explorer:
    """The slices of a network.

    ``plane`` is a base point with one or two directions to show, and perhaps a third one to move
    along; by default the first two axes, through a point of the domain.
    """
    place = Domain.of(domain, network.n_inputs)
    whole = place.system
    limit = Limit(None, None if timeout is None else SHARE * timeout)
    options = _Options(MAX_REGIONS, timeout, limit, progress)
    if plane is None and place.inner_dimension <= 2:
        return Explorer((_shown(network, whole, "", None, _PARTS, options)[0],), ())
    if plane is None and place.is_flat:
        note = "not drawn: the domain is flat, choose a plane in it with --slice"
        return Explorer((Slice("", note, None),), ())
    base, directions, moves = _default(place) if plane is None else _given(plane)
    if moves:
        options = replace(options, max_regions=MAX_REGIONS_OF_SLICE)
    found: dict[Vector, int] = {}
    slices: list[Slice] = []
    window: Window | None = None
    parts: tuple[fmpq | None, ...] = _PARTS

    def at(point: Vector) -> int:
        nonlocal window, parts
        if point not in found:
            found[point] = len(slices)
            there, where = (point, directions), _words(point, directions)
            # Where a part of one slice was shown, no more of the next ones will be.
            shown, parts = _shown(
                network.slice(*there), whole.slice(*there), where, window, parts, options
            )
            if window is None and shown.scene is not None and moves:
                window = core(shown.scene)
                shown = _again(shown, window)
            slices.append(shown)
        return found[point]

    at(base)
    sliders = []
    for name, direction, places in moves:
        positions = []
        for t in places:
            point = tuple(b + t * d for b, d in zip(base, direction, strict=True))
            positions.append((f"{name} = {shortened(_coordinate(name, point, t))}", at(point)))
        sliders.append(Slider(name, tuple(positions)))
    return Explorer(tuple(slices), tuple(sliders))


def core(found: Scene) -> Window:
    """The window of a scene, or the part of it around most vertices if they are crowded there."""
    vertices = sorted({v for cell in found.cells for v in cell.vertices})
    if len(vertices) < 3:
        return found.window
    size, middle = ZERO, []
    for (lower, upper), values in zip(found.window.sides, zip(*vertices, strict=True), strict=True):
        ordered = sorted(values)
        cut = len(ordered) // 10
        first, last = ordered[cut], ordered[-1 - cut]
        size = max(size, (last - first) * 2 / (upper - lower))
        middle.append((first + last) / 2)
    if size == 0 or size > fmpq(1, 2):
        return found.window
    sides = []
    for (lower, upper), m in zip(found.window.sides, middle, strict=True):
        half = (upper - lower) * size / 2
        start = min(max(m - half, lower), upper - 2 * half)
        sides.append((start, start + 2 * half))
    return Window(tuple(sides))


@dataclass(frozen=True)
class _Options:
    """Bounds on the work for a slice, and for all of them."""

    max_regions: int
    timeout: float | None
    limit: Limit
    progress: Callable[[], object]


def _shown(
    network: Network,
    domain: LinearSystem,
    where: str,
    window: Window | None,
    parts: tuple[fmpq | None, ...],
    options: _Options,
) -> tuple[Slice, tuple[fmpq | None, ...]]:
    """The first of some parts of a slice that is not too much, and the parts from there on.

    A part is the half-width of a box around the origin of its coordinates, or None for all.
    """
    for k, half in enumerate(parts):
        if options.limit.is_exceeded(0):
            return Slice(where, "not drawn: time was over", None), parts[k:]
        box = () if half is None else LinearSystem.box([(-half, half)] * network.n_inputs).rows
        try:
            found = scene(
                network,
                LinearSystem(network.n_inputs, (*domain.rows, *box)),
                window=window if half is None else None,
                max_regions=options.max_regions,
                timeout=options.timeout,
                progress=options.progress,
            )
        except LimitReached:
            continue
        except InputError as error:
            return Slice(where, str(error), None), parts
        note = "" if half is None else f"a part, |x_i| ≤ {half}: there is too much of the whole"
        return Slice(where, note, found), parts[k:]
    return Slice(where, "not drawn: even a small part is too much", None), parts[-1:]


def _again(part: Slice, window: Window) -> Slice:
    """The same slice, cut to a window."""
    if part.scene is None or part.scene.window == window:
        return part
    found = part.scene
    again = scene(found.network, found.domain, window=window)
    return Slice(part.where, part.note, replace(again, axes=found.axes))


_Moves = list[tuple[str, Vector, list[fmpq]]]


def _default(place: Domain) -> tuple[Vector, list[Vector], _Moves]:
    n = place.dimension
    base = (ZERO, ZERO, *place.point[2:])
    moves: _Moves = []
    for j in range(2, min(n, 2 + MAX_SLIDERS)):
        axis = _unit(n, j)
        ends = _range(place.system, axis)
        if ends is None:
            places = [fmpq(k - POSITIONS // 2, 2) for k in range(POSITIONS)]
        else:
            step = (ends[1] - ends[0]) / (POSITIONS + 1)
            places = [ends[0] + step * (k + 1) - base[j] for k in range(POSITIONS)]
        moves.append((f"x{j + 1}", axis, sorted({ZERO, *places})))
    return base, [_unit(n, 0), _unit(n, 1)], moves


def _given(plane: Plane) -> tuple[Vector, Sequence[Vector], _Moves]:
    base, directions = plane
    if not 1 <= len(directions) <= 3:
        raise InputError(f"--slice: found {len(directions)} directions, expected 1, 2 or 3")
    places = [fmpq(k - POSITIONS // 2, 2) for k in range(POSITIONS)]
    moves: _Moves = [("t3", d, places) for d in directions[2:]]
    return base, directions[:2], moves


def _range(domain: LinearSystem, axis: Vector) -> tuple[fmpq, fmpq] | None:
    """The least and the largest value of a coordinate on a domain, if there are any."""
    upper = maximize(axis, domain.closed())
    lower = maximize(tuple(-a for a in axis), domain.closed())
    if isinstance(upper, Optimum) and isinstance(lower, Optimum):
        return -lower.value, upper.value
    return None


def _unit(n: int, j: int) -> Vector:
    return tuple(ONE if k == j else ZERO for k in range(n))


def _coordinate(name: str, point: Vector, t: fmpq) -> fmpq:
    """What a slider shows: the coordinate that it moves, or how far it moves."""
    return point[int(name[1:]) - 1] if name.startswith("x") else t


def _words(base: Vector, directions: Sequence[Vector]) -> str:
    """Where a slice lies."""
    n = len(base)
    if list(directions) == [_unit(n, 0), _unit(n, 1)]:
        return ", ".join(f"x{j} = {shortened(b)}" for j, b in enumerate(base[2:], 3))
    texts = ["(" + ", ".join(map(shortened, v)) + ")" for v in (base, *directions)]
    moved = " + ".join(f"x{k}·{text}" for k, text in enumerate(texts[1:], 1))
    return f"the point {texts[0]} + {moved}"
