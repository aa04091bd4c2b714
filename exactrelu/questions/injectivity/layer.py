"""Is one layer injective on a polyhedron?  (Puthawala et al.; theory 6.1, 6.2.)

Criterion: x ↦ s(Wx + b) is injective on a polyhedron D iff at every x ∈ D the rows with
w_i·x + b_i ≥ 0 span, together with the normals of the equations of D, all of R^n.  (If x, y
have one image, every row active at their middle is constant from x to y.  If at x the rows
do not span, then not at points of the relative interior near x either, and such a point
can be moved within D without changing the image.)  An affine map is injective on D iff all
of its rows span in this sense.

Two searches decide whether the active rows span everywhere.  At x let A(x) be the rows with
w·x + b ≥ 0.  Both go from spans of rows known to be active to larger ones: a cover K of the
domain, or of a cell of it, by rows outside the span U has an active row k at every point, so
that A(x) spans U + w_k for one of them.  When everything is spanned on every way, it is spanned
everywhere; U has rank n − 1 at most n steps down, and each cover has at most n + 1 rows.

**Flats.**  Covers of the whole domain; spans that are reached twice are looked at once.
Only flats that the covers lead to are ever seen, not all C(m, n − 1).  Pairs of
antiparallel rows are covers of two rows with one span: [B; −DB] takes n covers.

**Tree.**  Covers of a cell: where k is the first active row of K those before it are
negative, and these signs go down with the cell.  So covers get smaller, but cells with
the same span are different cells.

Which of the two is smaller depends on the layer.  Run in turns, a cover at a time, the one
that ends first has the smaller proof.

Symbols: D → ``problem.domain``, U → ``span``, K → ``cover.rows``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Unpack

from flint import fmpz

from exactrelu.certificates.certificate import Record, record
from exactrelu.certificates.evidence import on_integers
from exactrelu.effort import Effort, Limit, Limits
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import word_primes
from exactrelu.exact.scalar import Vector
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.injectivity.collisions import Collision, collision_at, few_rows_collision
from exactrelu.questions.injectivity.covers import (
    Cover,
    Covers,
    LayerProblem,
    Path,
    Residuals,
    Uncovered,
    integer_rows,
    residuals,
)

Search = Callable[[Covers, Residuals, int, int], Iterator["Record | Uncovered"]]
#: Of so many covers the one that leads to the fewest new spans is taken.
MAX_COMPARED = 32


def search_flats(
    covers: Covers, start: Residuals, dimension: int, n_domain: int
) -> Iterator[Record | Uncovered]:
    """The cover records of spans, in the order in which these are reached."""
    todo, seen = deque([start]), {start.key}
    while todo:
        span = todo.popleft()
        is_last = span.rank == dimension - 1
        keys = span.keys_with(span.outside.nonzero()[0].tolist()) if not is_last else {}
        cover = _best_of_domain(covers, span, keys, seen)
        if isinstance(cover, Uncovered):
            yield cover
            return
        yield _cover_record(cover, n_domain, 0)
        for k in cover.rows:
            if not is_last and keys[k] not in seen:
                seen.add(keys[k])
                todo.append(span.with_row(k))


def _cover_record(cover: Cover, n_domain: int, n_path: int) -> Record:
    """Multipliers of the domain, then of the rows of a cell, then of the negative layer."""
    pairs = (
        *cover.domain,
        *((n_domain + i, value) for i, value in cover.path),
        *((n_domain + n_path + k, value) for k, value in cover.layer),
    )
    return record("cover", **on_integers(pairs))


def _best_of_domain(
    covers: Covers, span: Residuals, keys: dict[int, bytes], seen: set[bytes]
) -> Cover | Uncovered:
    known = covers.avoiding(span.outside)[:MAX_COMPARED]
    if not known:
        return covers.of_domain(span.outside)
    return min(known, key=lambda cover: len({keys.get(k) for k in cover.rows} - seen))


def search_tree(
    covers: Covers, start: Residuals, dimension: int, n_domain: int
) -> Iterator[Record | Uncovered]:
    """The cover records of cells in preorder."""
    stack: list[tuple[Residuals, Path]] = [(start, ())]
    while stack:
        span, path = stack.pop()
        cover = _best_of_cell(covers, span, path)
        if isinstance(cover, Uncovered):
            yield cover
            return
        yield _cover_record(cover, n_domain, len(path))
        if span.rank == dimension - 1:
            continue
        below: list[tuple[Residuals, Path]] = []
        for k in cover.rows:
            below.append((span.with_row(k), (*path, (k, True))))
            path = (*path, (k, False))
        stack += reversed(below)


def _best_of_cell(covers: Covers, span: Residuals, path: Path) -> Cover | Uncovered:
    """A cover with few rows that are not known to be negative on the cell."""
    kept = covers.avoiding(span.outside)[:MAX_COMPARED]
    known = min((cover.on(path) for cover in kept), key=lambda c: len(c.rows), default=None)
    if known is not None and len(known.rows) <= 2:
        return known
    found = covers.of_cell(path, span.outside)
    if known is None or isinstance(found, Uncovered) or len(found.rows) <= len(known.rows):
        return found
    return known


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
    method: str = "auto",
    **limits: Unpack[Limits],
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
    effort = Effort.of(limits)
    timeout = effort.seconds_left()
    max_regions = effort.left("regions")
    progress: Any = partial(effort.tell, "covers")
    if method not in METHODS:
        raise InputError(f"method {method}: expected one of {', '.join(METHODS)}")
    rows = integer_rows(weights, bias)
    problem = LayerProblem.on(Domain.of(domain, weights.n_columns), rows)
    limit = Limit(max_regions, timeout)
    return problem_injective(problem, limit, is_affine=is_affine, method=method, progress=progress)


def problem_injective(
    problem: LayerProblem,
    limit: Limit,
    *,
    is_affine: bool = False,
    method: str = "auto",
    progress: Callable[..., object] = lambda: None,
) -> LayerAnswer:
    """:func:`layer_injective` of a problem that is at hand."""
    if is_affine:
        return _affine(problem)
    collision = few_rows_collision(problem)
    if collision is not None:
        return collision
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
    problem: LayerProblem, prime: int, method: str, limit: Limit, progress: Callable[..., object]
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
