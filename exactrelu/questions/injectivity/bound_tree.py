"""The least |W_active v|² over all cells of a domain, rows that are always active counted twice.

Let A(x) be the rows active at x and A₀ those active on all of D.  The minimum over x ∈ D, and v
with |v| = 1 in the directions of the affine hull of D, of

    Σ_{i ∈ A₀} 2(w_i·v)² + Σ_{i ∈ A(x) ∖ A₀} (w_i·v)²

is found by branch and bound: more active rows make it larger.  A cell is closed as soon as the
rows known to be active on it reach the least value seen at any point, up to a tolerance;
otherwise it is cut by the row that matters most in the direction v where it is least.

Floats decide where to cut and when to stop; every leaf is proved afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactrelu.complex.search import Limit, LimitReached
from exactrelu.exact.scalar import Vector, to_float
from exactrelu.polyhedra.integer_rows import Multipliers, evaluate, homogeneous
from exactrelu.questions.injectivity.covers import Cover, Covers, Path
from exactrelu.questions.injectivity.layer_problem import LayerProblem

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Cut:
    """The cell is cut by a row; the negative side follows, then the other."""

    row: int


@dataclass(frozen=True)
class EmptyCell:
    """Multipliers of the rows of the domain and of the cuts."""

    multipliers: Multipliers


@dataclass(frozen=True)
class Bounded:
    """The rows known to be active are enough."""

    active: tuple[int, ...]


@dataclass(frozen=True)
class BoundTree:
    """The nodes in preorder; ``active`` are the rows at ``point``, where the minimum is."""

    nodes: tuple[Cut | EmptyCell | Bounded, ...]
    active: tuple[int, ...]
    point: Vector


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
    hull = problem.substitution
    if hull.origin is None:
        return np.eye(problem.dimension)
    return np.array([[to_float(x) for x in d] for d in hull.directions]).T


def always_active(problem: LayerProblem) -> dict[int, Multipliers]:
    """The rows that are active on the whole domain, each with multipliers that prove it."""
    covers = Covers(problem)
    found: dict[int, Multipliers] = {}
    for k in problem.active(problem.inside.point):
        answer = covers.point_of(((k, False),))
        if isinstance(answer, Cover) and any(problem.rows[k][:-1]):
            found[k] = _multipliers(problem, answer)
    return found


def _multipliers(problem: LayerProblem, refutation: Cover) -> Multipliers:
    """Multipliers of the rows of the domain, then of the cuts."""
    shifted = ((len(problem.domain.rows) + i, value) for i, value in refutation.path)
    return (*refutation.domain, *shifted)


def bound_tree(
    problem: LayerProblem,
    floats: FloatRows,
    always: Collection[int],
    tolerance: float,
    limit: Limit,
    progress: Callable[[], object],
) -> BoundTree:
    """Branch and bound; raises :class:`LimitReached`."""
    covers = Covers(problem)
    point = problem.inside.point
    active = tuple(problem.active(point))
    best = floats.least(active)[0]
    nodes: list[Cut | EmptyCell | Bounded] = []
    stack: list[tuple[Path, Vector | None]] = [((), point)]
    while stack:
        path, inside = stack.pop()
        if limit.is_exceeded(len(nodes)):
            raise LimitReached(len(nodes))
        progress()
        if inside is None:
            found = covers.point_of(path)
            if isinstance(found, Cover):
                nodes.append(EmptyCell(_multipliers(problem, found)))
                continue
            inside = found.point
            here = tuple(problem.active(inside))
            if (value := floats.least(here)[0]) < best:
                best, active, point = value, here, inside
        known = (*always, *(k for k, is_active in path if is_active))
        least, vector = floats.least(known)
        decided = {*always, *(k for k, _ in path)}
        undecided = [k for k in range(len(problem.rows)) if k not in decided]
        if least >= best * (1 - tolerance) or not undecided:
            nodes.append(Bounded(tuple(sorted(known))))
            continue
        k = max(undecided, key=lambda k: abs(float(floats.rows[k] @ vector)))
        nodes.append(Cut(k))
        is_active = evaluate(problem.rows[k], homogeneous(inside)) >= 0
        stack.append(((*path, (k, True)), inside if is_active else None))
        stack.append(((*path, (k, False)), None if is_active else inside))
    return BoundTree(tuple(nodes), active, point)
