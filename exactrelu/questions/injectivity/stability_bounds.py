"""What bounds the stability of a layer F on D: cells from below, close pairs of points from above.

**Cells.**  Let A(x) be the rows active at x and A₀ those active on all of D.  The minimum over
x ∈ D, and v with |v| = 1 in the directions of the affine hull of D, of

    Σ_{i ∈ A₀} 2(w_i·v)² + Σ_{i ∈ A(x) ∖ A₀} (w_i·v)²,

the least |W_active v|² with rows that are always active counted twice, is found by branch and
bound: more active rows make it larger.  A cell is closed as soon as the rows known to be active on
it reach the least value seen at any point, up to a tolerance; otherwise it is cut by the row that
matters most in the direction v where it is least.  Floats decide where to cut and when to stop;
every leaf is proved afterwards.

**Pairs.**  Any two points x, y of the domain show |F(x) − F(y)|/|x − y|, and the stability constant
is at most that.  Inside a cell the least quotient is σ_min of its active rows; pairs in different
cells can go down to 1/√2 of it, and are found by a random search in floats.  The quotients of the
pairs returned are exact.

Symbols: A(x) → ``active``, A₀ → ``always``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from exactrelu.effort import Effort
from exactrelu.exact.balls import Floats
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot, to_float, vector
from exactrelu.exact.system import Row
from exactrelu.polyhedra.answers import Multipliers, evaluate, homogeneous
from exactrelu.questions.injectivity.collisions import not_positive, simple_step
from exactrelu.questions.injectivity.covers import Cover, Covers, LayerProblem, Path

#: The random search for close pairs: its starts, how many are kept, its rounds and tries.
_SEED = 8
_STARTS, _KEPT, _ROUNDS, _TRIES = 4000, 16, 60, 64
#: Bits of the coordinates of a pair, in units of its size; and those of a direction.
_ROUNDINGS = (3, 8, 20)
_DIRECTION_BITS = 20


@dataclass(frozen=True)
class RowCut:
    """The cell is cut by a row; the negative side follows, then the other."""

    row: int


@dataclass(frozen=True)
class EmptyCell:
    """Multipliers of the rows of the domain and of the cuts, by their numbers in a proof."""

    multipliers: Multipliers


@dataclass(frozen=True)
class Bounded:
    """The rows known to be active are enough."""

    active: tuple[int, ...]


class FloatRows:
    """The rows of a layer, scaled to at most 1, on the directions of the hull of its domain."""

    def __init__(self, problem: LayerProblem, always: Collection[int]) -> None:
        rows = [row[:-1] for row in problem.rows]
        self.scale = max((abs(x) for row in rows for x in row), default=0) or 1
        self.rows = np.array([[x / self.scale for x in row] for row in rows])
        self._weights = np.array([2.0 if k in always else 1.0 for k in range(len(rows))])
        #: An orthonormal basis of the directions, as columns.
        self._basis = np.linalg.qr(hull_directions(problem))[0]
        self._on_hull = self.rows @ self._basis

    def least(self, active: Sequence[int]) -> tuple[float, Floats]:
        """The least eigenvalue of the Gram matrix of the active rows, and its vector."""
        return self._least(active, self._weights)

    def direction(self, active: Sequence[int]) -> list[float]:
        """The least singular vector of the active rows, each counted once."""
        return list(map(float, self._least(active, np.ones(len(self._weights)))[1]))

    def _least(self, active: Sequence[int], weights: Floats) -> tuple[float, Floats]:
        chosen = self._on_hull[list(active)]
        gram = chosen.T @ (weights[list(active), None] * chosen)
        values, vectors = np.linalg.eigh(gram)
        return float(values[0]), self._basis @ vectors[:, 0]


def hull_directions(problem: LayerProblem) -> Floats:
    """The directions of the affine hull of the domain, as columns."""
    hull = problem.place.hull
    if hull.origin is None:
        return np.eye(problem.n_inputs)
    return np.array([[to_float(x) for x in d] for d in hull.directions]).T


def always_active(problem: LayerProblem, covers: Covers) -> dict[int, Multipliers]:
    """The rows that are active on the whole domain, each with multipliers that prove it."""
    found: dict[int, Multipliers] = {}
    for k in problem.active(problem.place.flint_point):
        answer = covers.point_of(((k, False),))
        if isinstance(answer, Cover) and any(problem.rows[k][:-1]):
            found[k] = _multipliers(problem, answer)
    return found


def _multipliers(problem: LayerProblem, refutation: Cover) -> Multipliers:
    """Multipliers of the rows of the domain, then of the cuts, by their numbers in a proof."""
    shifted = ((problem.n_known + i, value) for i, value in refutation.path)
    return (*refutation.domain, *shifted)


class BoundTree:
    """Branch and bound: the nodes in preorder, as far as it was grown.

    ``active`` are the rows at ``point``, where the least value was seen.
    """

    def __init__(
        self, problem: LayerProblem, floats: FloatRows, always: Collection[int], tolerance: float
    ) -> None:
        self._problem, self._floats, self._always = problem, floats, always
        self._tolerance = tolerance
        self.nodes: list[RowCut | EmptyCell | Bounded] = []
        self.point: Vector = problem.place.flint_point
        self.active = self._active(self.point)

    @property
    def n_cells(self) -> int:
        """How many cells are closed."""
        return sum(isinstance(node, Bounded) for node in self.nodes)

    def _active(self, point: Vector) -> tuple[int, ...]:
        """The rows that count at a point: those of an affine layer do where they are negative."""
        return tuple(sorted({*self._always, *self._problem.active(point)}))

    def grow(self, covers: Covers, effort: Effort) -> None:
        """Close all cells; every node is a cell that is spent."""
        problem, floats, always = self._problem, self._floats, self._always
        best = floats.least(self.active)[0]
        stack: list[tuple[Path, Vector | None]] = [((), self.point)]
        while stack:
            path, inside = stack.pop()
            effort.spend("cells")
            if inside is None:
                found = covers.point_of(path)
                if isinstance(found, Cover):
                    self.nodes.append(EmptyCell(_multipliers(problem, found)))
                    continue
                inside = found.point
                here = self._active(inside)
                if (value := floats.least(here)[0]) < best:
                    best, self.active, self.point = value, here, inside
            known = (*always, *(k for k, is_active in path if is_active))
            least, vector = floats.least(known)
            decided = {*always, *(k for k, _ in path)}
            undecided = [k for k in range(len(problem.rows)) if k not in decided]
            if least >= best * (1 - self._tolerance) or not undecided:
                self.nodes.append(Bounded(tuple(sorted(known))))
                continue
            k = max(undecided, key=lambda k: abs(float(floats.rows[k] @ vector)))
            self.nodes.append(RowCut(k))
            is_active = evaluate(problem.rows[k], homogeneous(inside)) >= 0
            stack.append(((*path, (k, True)), inside if is_active else None))
            stack.append(((*path, (k, False)), None if is_active else inside))


# --- Close pairs of points


def quotient_squared(problem: LayerProblem, is_affine: bool, x: Vector, y: Vector) -> fmpq:
    """|F(x) − F(y)|²/|x − y|² for the layer with integer rows."""
    images = (_image(problem, is_affine, point) for point in (x, y))
    return squared_distance(*images) / squared_distance(x, y)


def _image(problem: LayerProblem, is_affine: bool, x: Vector) -> list[fmpq]:
    values = [dot(tuple(map(fmpq, row)), (*x, ONE)) for row in problem.rows]
    return values if is_affine else [max(value, ZERO) for value in values]


def squared_distance(x: Sequence[fmpq], y: Sequence[fmpq]) -> fmpq:
    """|x − y|²."""
    return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), ZERO)


def close_pairs(
    problem: LayerProblem,
    is_affine: bool,
    center: Vector,
    direction: Sequence[float],
    effort: Effort,
) -> Iterator[tuple[Vector, Vector]]:
    """Pairs of different points of the domain, the best that were found among them."""
    yield any_pair(problem)
    effort.spend()
    yield from pair_in_cell(problem, center, direction)
    search = _PairSearch(problem, is_affine, center, direction)
    for pair in search.best(effort):
        effort.spend()
        size = np.abs(pair[0] - pair[1]).max()
        for bits in _ROUNDINGS:
            unit = 2.0 ** (np.floor(np.log2(size)) - bits)
            with np.errstate(all="ignore"):
                rounded = np.round(pair / unit) * unit
            if not np.isfinite(rounded).all():
                continue
            z, w = map(vector, rounded)
            x, y = problem.place.flint_lift(z), problem.place.flint_lift(w)
            if x != y and all(problem.place.system.contains(point) for point in (x, y)):
                yield x, y


def any_pair(problem: LayerProblem) -> tuple[Vector, Vector]:
    """A point of the relative interior and another one of the domain."""
    x, step = problem.place.flint_point, ONE
    direction = problem.place.flint_lift_direction((ONE, *(ZERO,) * (problem.dimension - 1)))
    while True:
        y = tuple(a + step * b for a, b in zip(x, direction, strict=True))
        if problem.place.system.contains(y):
            return x, y
        step /= 2


def pair_in_cell(
    problem: LayerProblem, x: Vector, direction: Sequence[float]
) -> Iterator[tuple[Vector, Vector]]:
    """x and a point of its cell in nearly the given direction, if x lies inside the cell."""
    parameters = _rounded_parameters(hull_directions(problem), np.array(direction))
    along = problem.place.flint_lift_direction(parameters)
    active = set(problem.active(x))
    inactive = sorted(set(range(len(problem.rows))) - active)
    limits = [*problem.place.system.rows, *not_positive(problem, inactive)]
    for row in not_positive(problem, sorted(active)):
        limits.append(Row(tuple(-a for a in row.flint_normal), -row.flint_offset, row.sense))
    step = simple_step(limits, x, along)
    if step and any(along):
        yield x, tuple(a + step * b for a, b in zip(x, along, strict=True))


def _rounded_parameters(directions: Floats, vector_on_hull: Floats) -> Vector:
    """Short parameters of nearly a vector: each is rounded in view of how long its direction is."""
    z = np.linalg.lstsq(directions, vector_on_hull, rcond=None)[0]
    lengths = np.linalg.norm(directions, axis=0)
    unit = 2.0 ** (np.floor(np.log2((np.abs(z) * lengths).max() / lengths)) - _DIRECTION_BITS)
    return vector(np.round(z / unit) * unit)


class _PairSearch:
    """Pairs (z, w) of parameters of the affine hull, in floats."""

    def __init__(
        self, problem: LayerProblem, is_affine: bool, center: Vector, direction: Sequence[float]
    ) -> None:
        scale = max((abs(x) for row in problem.over_t for x in row[:-1]), default=0) or 1
        self._rows = np.array([[to_float(fmpq(x, scale)) for x in row] for row in problem.over_t])
        self._is_affine = is_affine
        rows = [problem.place.rows_over_t[k - 1] for k in problem.place.numbers]
        self._domain = np.array([[x / max(map(abs, row)) for x in row] for row in rows]).reshape(
            -1, self._rows.shape[1]
        )
        self._directions = hull_directions(problem)
        origin = problem.place.hull.origin or (ZERO,) * problem.n_inputs
        offset = (a - b for a, b in zip(center, origin, strict=True))
        self._center = self._parameters(np.array([to_float(x) for x in offset]))
        self._along = self._parameters(np.array(direction))

    def _parameters(self, x: Floats) -> Floats:
        return np.asarray(np.linalg.lstsq(self._directions, x, rcond=None)[0])

    @np.errstate(all="ignore")
    def best(self, effort: Effort) -> list[Floats]:
        """The best pairs, each as an array of its two points."""
        rng = np.random.default_rng(_SEED)
        k = len(self._center)
        spread = 10.0 ** rng.uniform(-2, 2, (_STARTS, 1, 1))
        pairs = self._center + spread * rng.standard_normal((_STARTS, 2, k))
        steps = 2.0 ** -np.arange(0, 40)
        inside = self._center + steps[:, None, None] * np.stack([self._along * 0, self._along])
        pairs = self._least(np.concatenate([pairs, inside]))
        step = 1.0
        for _ in range(_ROUNDS):
            effort.spend()
            size = np.abs(pairs[:, :1] - pairs[:, 1:]).max(axis=2, keepdims=True)
            moves = rng.standard_normal((_TRIES, len(pairs), 2, k)) * size * step
            moved = (pairs + moves).reshape(-1, 2, k)
            pairs = self._least(np.concatenate([pairs, moved]))
            step *= 0.85
        return list(pairs)

    def _least(self, pairs: Floats) -> Floats:
        """The pairs with the least quotients, within the domain."""
        x, y = pairs[:, 0], pairs[:, 1]
        apart = ((x - y) @ self._directions.T) ** 2
        moved = (self._value(x) - self._value(y)) ** 2
        quotients = moved.sum(axis=1) / apart.sum(axis=1)
        for point in (x, y):
            outside = (point @ self._domain[:, :-1].T + self._domain[:, -1] <= 0).any(axis=1)
            quotients[outside] = np.inf
        quotients[~np.isfinite(quotients)] = np.inf
        order = np.argsort(quotients, kind="stable")[:_KEPT]
        return np.asarray(pairs[order[np.isfinite(quotients[order])]])

    def _value(self, z: Floats) -> Floats:
        values: Floats = z @ self._rows[:, :-1].T + self._rows[:, -1]
        return np.asarray(values if self._is_affine else np.maximum(values, 0))
