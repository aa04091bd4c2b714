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

Symbols: D → ``problem.place``, U → ``span``, K → ``cover.rows``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Unpack, get_args

from exactrelu.certificates.certificate import Found, record
from exactrelu.certificates.evidence import weights2
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import require_word
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import word_primes
from exactrelu.exact.scalar import Vector
from exactrelu.polyhedra.domain import DomainLike
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
from exactrelu.questions.question import Call, question

#: A cover record, or why there is none; and how many spans, or cells, are known to be left.
Step = tuple[str | Uncovered, int]
Search = Callable[[LayerProblem, Covers, Residuals], Iterator[Step]]
#: Of so many covers the one that leads to the fewest new spans is taken.
MAX_COMPARED = 32


def search_flats(problem: LayerProblem, covers: Covers, start: Residuals) -> Iterator[Step]:
    """The cover records of spans, in the order in which these are reached."""
    todo, seen = deque([start]), {start.key}
    while todo:
        span = todo.popleft()
        is_last = span.rank == problem.dimension - 1
        keys = {} if is_last else span.keys_with(span.outside.nonzero()[0].tolist(), covers.effort)
        cover = _best_of_domain(covers, span, keys, seen)
        if isinstance(cover, Uncovered):
            yield cover, len(todo) + 1
            return
        for k in cover.rows:
            if not is_last and keys[k] not in seen:
                seen.add(keys[k])
                todo.append(span.with_row(k))
        yield _cover_record(problem, cover, 0), len(todo)


def _cover_record(problem: LayerProblem, cover: Cover, n_path: int) -> str:
    """Multipliers of the domain, then of the rows of a cell, then of the negative layer."""
    known = problem.n_known
    pairs = (
        *cover.domain,
        *((known + i, value) for i, value in cover.path),
        *((known + n_path + k, value) for k, value in cover.layer),
    )
    return record("cover", *weights2(pairs))


def _best_of_domain(
    covers: Covers, span: Residuals, keys: dict[int, bytes], seen: set[bytes]
) -> Cover | Uncovered:
    known = covers.avoiding(span.outside)[:MAX_COMPARED]
    if not known:
        return covers.of_domain(span.outside)
    return min(known, key=lambda cover: len({keys.get(k) for k in cover.rows} - seen))


def search_tree(problem: LayerProblem, covers: Covers, start: Residuals) -> Iterator[Step]:
    """The cover records of cells in preorder."""
    stack: list[tuple[Residuals, Path]] = [(start, ())]
    while stack:
        span, path = stack.pop()
        cover = _best_of_cell(covers, span, path)
        if isinstance(cover, Uncovered):
            yield cover, len(stack) + 1
            return
        found = _cover_record(problem, cover, len(path))
        below: list[tuple[Residuals, Path]] = []
        for k in cover.rows if span.rank < problem.dimension - 1 else ():
            below.append((span.with_row(k), (*path, (k, True))))
            path = (*path, (k, False))
        stack += reversed(below)
        yield found, len(stack)


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


#: How the covers of a layer are found; ``auto`` runs both in turns.
Method = Literal["auto", "flats", "tree"]
SEARCHES: dict[str, Search] = {"flats": search_flats, "tree": search_tree}
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, repr=False)
class LayerProof(Found):
    """The records that prove a layer injective, for the integer rows of (W|b) and the domain."""

    method: str
    records: tuple[str, ...]

    @property
    def n_covers(self) -> int:
        """How many covers the proof has."""
        return len(self.records) - 1


@dataclass(frozen=True, repr=False)
class LayerUndecided(Found):
    """The search was stopped after so many covers, with so many spans or cells still without."""

    reason: str
    n_covers: int
    n_left: int

    @property
    def answer(self) -> None:
        """It is not known whether the layer is injective."""
        return None


@dataclass
class LayerSoFar:
    """How many covers were found, and of how many spans or cells it is known that they need one."""

    n_covers: int = 0
    n_left: int = 1

    def undecided(self, stopped: Stopped) -> LayerUndecided:
        """The answer if the search is stopped now."""
        return LayerUndecided(str(stopped), self.n_covers, self.n_left)

    def __str__(self) -> str:
        return f"{self.n_covers:,} covers so far, {self.n_left:,} spans without"


LayerAnswer = LayerProof | Collision | LayerUndecided


class _UnluckyPrime(Exception):
    """Rows span more than they do modulo the prime."""


@question
def layer_injective(
    call: Call[LayerAnswer],
    weights: Matrix,
    bias: Vector,
    domain: DomainLike = None,
    *,
    is_affine: bool = False,
    method: Method = "auto",
    **limits: Unpack[Limits],
) -> LayerAnswer:
    """Whether x ↦ ReLU(Wx + b) is one-to-one, by the search itself.

    Parameters
    ----------
    weights : Matrix
        W.
    bias : tuple of rationals
        b.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    is_affine : bool, optional
        Without ReLU.
    method : str, optional
        ``"flats"``, ``"tree"`` or ``"auto"``, which runs both in turns.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    LayerProof, Collision or LayerUndecided
        A proof with ``n_covers``; two points ``x`` and ``y`` with one image; or a ``reason``.

    Notes
    -----
    ``max_covers`` bounds the number of covers, and so does ``max_regions``.  :func:`is_injective`
    gives the same as a verdict.

    References
    ----------
    Puthawala et al., *Globally injective ReLU networks*, Theorem 1; Lemma 1 in its repaired form.

    Examples
    --------
    >>> import exactrelu as er
    >>> both = er.Matrix([[1, 0], [0, 1], [-1, 0], [0, -1]])
    >>> er.layers.layer_injective(both, er.matrices.vector([0, 0, 0, 0])).n_covers
    2
    >>> er.layers.layer_injective(both, er.matrices.vector([0, 0, -1, 0])).x
    (-1/2, 0)
    """
    effort = call.effort
    problem = LayerProblem(integer_rows(weights, bias), call.place)
    bounded, so_far = effort.part(covers=effort.left("regions")), LayerSoFar()
    call.knows(so_far.undecided)
    return problem_injective(problem, bounded, so_far=so_far, is_affine=is_affine, method=method)


def problem_injective(
    problem: LayerProblem,
    effort: Effort,
    *,
    so_far: LayerSoFar,
    is_affine: bool = False,
    method: Method = "auto",
) -> LayerProof | Collision:
    """The same for a problem that is at hand; covers are spent of the effort."""
    require_word(method, METHODS, "method")
    effort.spend()
    if is_affine:
        return _affine(problem, effort)
    collision = few_rows_collision(problem, effort)
    if collision is not None:
        return collision
    for prime in word_primes():
        try:
            return _search(problem, prime, method, effort, so_far)
        except _UnluckyPrime:
            continue
    raise ArithmeticError("every prime is unlucky: a bug")


def _affine(problem: LayerProblem, effort: Effort) -> LayerProof | Collision:
    """All rows count as active everywhere."""
    everything = list(range(len(problem.rows)))
    collision = collision_at(problem, problem.place.flint_point, everything, effort)
    if collision is not None:
        return collision
    known = [row[:-1] for row in problem.over_t]
    for prime in word_primes():
        if residuals((), known, problem.dimension, prime, effort).rank == problem.dimension:
            return _proof(prime, "flats", [])
    raise ArithmeticError("every prime is unlucky: a bug")


def _search(
    problem: LayerProblem, prime: int, method: str, effort: Effort, so_far: LayerSoFar
) -> LayerProof | Collision:
    normals = [row[:-1] for row in problem.over_t]
    start = residuals(normals, (), problem.dimension, prime, effort)
    names = list(SEARCHES) if method == "auto" else [method]
    if problem.dimension == 0:
        return _proof(prime, names[0], [])
    covers = Covers(problem, effort)
    found: dict[str, list[str]] = {name: [] for name in names}
    searches = {name: SEARCHES[name](problem, covers, start) for name in names}
    left = dict.fromkeys(names, 1)
    so_far.n_covers = 0
    while True:
        for name, search in searches.items():
            step = next(search, None)
            if step is None:
                return _proof(prime, name, found[name])
            answer, left[name] = step
            if isinstance(answer, Uncovered):
                return _collision(problem, answer.point, effort)
            effort.spend("covers")
            found[name].append(answer)
            so_far.n_covers, so_far.n_left = so_far.n_covers + 1, min(left.values())


def _proof(prime: int, name: str, records: list[str]) -> LayerProof:
    return LayerProof(name, (record(name, prime), *records))


def _collision(problem: LayerProblem, point: Vector, effort: Effort) -> Collision:
    found = collision_at(problem, point, problem.active(point), effort)
    if found is None:
        raise _UnluckyPrime
    return found
