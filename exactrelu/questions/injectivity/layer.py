"""Is one layer injective on a polyhedron?  (Puthawala et al.; theory 6.1, 6.2.)

Criterion: x ↦ s(Wx + b) is injective on a polyhedron D iff at every x ∈ D the rows with
w_i·x + b_i ≥ 0 span, together with the normals of the equations of D, all of R^n.  (If x, y
have one image, every row active at their middle is constant from x to y.  If at x the rows
do not span, then not at points of the relative interior near x either, and such a point
can be moved within D without changing the image.)  An affine map is injective on D iff all
of its rows span in this sense.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import fmpz

from exactrelu.certificates.certificate import Record, record
from exactrelu.certificates.evidence import on_integers
from exactrelu.complex.search import Limit
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import word_primes
from exactrelu.exact.scalar import Vector
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.injectivity.collisions import (
    Collision,
    collision_at,
    few_rows_collision,
)
from exactrelu.questions.injectivity.covers import Covers, Uncovered
from exactrelu.questions.injectivity.layer_problem import (
    LayerProblem,
    integer_rows,
)
from exactrelu.questions.injectivity.residuals import residuals
from exactrelu.questions.injectivity.search import Search, search_flats, search_tree

SEARCHES: dict[str, Search] = {"flats": search_flats, "tree": search_tree}
METHODS = ("auto", *SEARCHES)


@dataclass(frozen=True)
class LayerProof:
    """The records that prove a layer injective, for the integer rows of (W|b) and the domain."""

    method: str
    records: tuple[Record, ...]

    @property
    def n_covers(self) -> int:
        """How many covers the proof has."""
        return len(self.records) - 1


@dataclass(frozen=True)
class LayerUndecided:
    """The search was stopped after so many covers."""

    n_covers: int


LayerAnswer = LayerProof | Collision | LayerUndecided


class _UnluckyPrime(Exception):
    """Rows span more than they do modulo the prime."""


def layer_injective(
    weights: Matrix,
    bias: Vector,
    domain: DomainLike = None,
    *,
    is_affine: bool = False,
    timeout: float | None = None,
    max_regions: int | None = None,
    method: str = "auto",
    progress: Callable[[], object] = lambda: None,
) -> LayerAnswer:
    """Whether x ↦ s(Wx + b) (or Wx + b) is injective on a domain, all of space by default.

    ``max_regions`` bounds the number of covers.  Methods: ``flats``, ``tree``, or ``auto``,
    which runs both in turns.

    >>> from exactrelu.exact.scalar import vector
    >>> both = Matrix([[1, 0], [0, 1], [-1, 0], [0, -1]])
    >>> layer_injective(both, vector([0, 0, 0, 0])).n_covers
    2
    >>> layer_injective(both, vector([0, 0, -1, 0]))
    Collision(x=(-1/2, 0), y=(0, 0))
    """
    if method not in METHODS:
        raise InputError(f"method {method}: expected one of {', '.join(METHODS)}")
    rows = integer_rows(weights, bias)
    problem = LayerProblem.on(Domain.of(domain, weights.n_columns), rows)
    if is_affine:
        return _affine(problem)
    collision = few_rows_collision(problem)
    if collision is not None:
        return collision
    limit = Limit(max_regions, timeout)
    for prime in word_primes():
        try:
            return _search(problem, prime, method, limit, progress)
        except _UnluckyPrime:
            continue
    raise ArithmeticError("every prime is unlucky: a bug")


def _affine(problem: LayerProblem) -> LayerProof | Collision:
    """All rows count as active everywhere."""
    everything = list(range(len(problem.rows)))
    collision = collision_at(problem, problem.inside.point, everything)
    if collision is not None:
        return collision
    known = [*problem.equation_normals, *(row[:-1] for row in problem.rows)]
    for prime in word_primes():
        if residuals((), known, problem.dimension, prime).rank == problem.dimension:
            return _proof(problem, prime, "flats", [])
    raise ArithmeticError("every prime is unlucky: a bug")


def _search(
    problem: LayerProblem, prime: int, method: str, limit: Limit, progress: Callable[[], object]
) -> LayerAnswer:
    normals = [row[:-1] for row in problem.rows]
    start = residuals(normals, problem.equation_normals, problem.dimension, prime)
    if start.rank < problem.dimension - problem.substitution.n_parameters:
        raise _UnluckyPrime
    names = list(SEARCHES) if method == "auto" else [method]
    covers = Covers(problem)
    n_domain = len(problem.domain.rows)
    found: dict[str, list[Record]] = {name: [] for name in names}
    if start.rank == problem.dimension:
        return _proof(problem, prime, names[0], [])
    searches = {name: SEARCHES[name](covers, start, problem.dimension, n_domain) for name in names}
    n_covers = 0
    while True:
        for name, search in searches.items():
            answer = next(search, None)
            if answer is None:
                return _proof(problem, prime, name, found[name])
            if isinstance(answer, Uncovered):
                return _collision(problem, answer.point)
            found[name].append(answer)
            n_covers += 1
            progress()
            if limit.is_exceeded(n_covers):
                return LayerUndecided(n_covers)


def _proof(problem: LayerProblem, prime: int, name: str, records: list[Record]) -> LayerProof:
    zero = on_integers(problem.inside.dependency)  # rows of the domain that are 0 on it
    header = record(name, modulus=fmpz(prime), **zero)
    return LayerProof(name, (header, *records))


def _collision(problem: LayerProblem, point: Vector) -> Collision:
    found = collision_at(problem, point, problem.active(point))
    if found is None:
        raise _UnluckyPrime
    return found
