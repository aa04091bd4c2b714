"""Named results about layers x ↦ s(Wx + b) on all of R^n (Puthawala et al.; theory 6.2, 6.3).

**Directed spanning sets and the spark** (section 2.1 of the paper).  W is a *directed spanning
set* (DSS) with respect to x if the rows with w·x ≥ 0 span R^n (they need not be a basis, as the
paper has it); s(W·) is injective iff W is one for every x.  The *spark* is the size of the
smallest dependent set of rows.

**Conditions**, each by itself.  What they say is in their names; together with the exact criterion
they show which of the published conditions are sufficient, necessary or neither on a given layer.

**Injective layers by construction** (corollary 2; theory 6.3).  [B; −DB] with B invertible and
D > 0 diagonal has the least number of rows, 2n; with biases it is injective iff b'' + D·b' ≥ 0.

*Completion.*  Given W of full column rank, add opposite rows −(w_j, b_j), j in S.  Two points
x ≠ y with one image under W collide after that iff w_j·(x − y) = 0 for all j in S: where an
active row could tell them apart it would have done so before, and of ±(w_j, b_j) one is
active.  So the completion is injective iff S meets, for every such direction v = x − y, the
rows with w_j·v ≠ 0.  Directions are collected one by one from collisions of the completion
so far, and S is always a smallest set that meets all of them; when no collision is
left, no completion by opposite rows has fewer.  If W lacks rank, unit vectors come first.

Symbols: B → ``basis``, D → ``scales``, S → ``chosen``.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, Unpack

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, Verdict
from exactrelu.certificates.evidence import rank_claim, spark_claim
from exactrelu.display import Shown
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.linear import RankProof, nullspace, rank, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import word_primes
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot, vector
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.covers import (
    Residuals,
    antiparallel_covers,
    integer_rows,
    residuals,
)
from exactrelu.questions.injectivity.layer import LayerProof, LayerUndecided, layer_injective
from exactrelu.questions.injectivity.network import is_injective

#: Entries of random layers.
LARGEST = 9
#: Bytes of an entry of a dense matrix of rationals, with what it takes to make it.
ENTRY_BYTES = 48


@dataclass(frozen=True)
class ActiveRows:
    """The rows (from 0) with w·x + b ≥ 0 at a point, and the rank of their normals."""

    rows: tuple[int, ...]
    proof: RankProof
    certificate: Certificate


def active_rows(weights: Matrix, bias: Vector, x: Iterable[Any]) -> ActiveRows:
    """The rows of a layer that are active at x; the certificate is about their rank."""
    point = vector(x)
    if len(point) != weights.n_columns:
        raise ShapeError(f"a point of {len(point)} coordinates, expected {weights.n_columns}")
    values = zip(weights.flint_apply(point), bias, strict=True)
    rows = tuple(i for i, (a, b) in enumerate(values) if a + b >= 0)
    submatrix = weights.take(rows=rows)
    proof = rank_proof(submatrix)
    return ActiveRows(rows, proof, rank_claim(submatrix, proof))


def is_directed_spanning_set(
    W: Matrix, x: Iterable[Any] | None = None, **limits: Unpack[Limits]
) -> Verdict:
    """Whether the rows with w·x ≥ 0 span R^n, at one point or, by default, at all.

    At a point the certificate gives the rank of these rows; the witness is their list (from 1).
    Everywhere it is that of an injective layer, and a no has two points with one image.

    >>> import exactrelu as er
    >>> W = er.Matrix([[1, 0], [0, 1], [-1, -1]])
    >>> er.is_directed_spanning_set(W, (1, 1)).answer, er.is_directed_spanning_set(W).answer
    (True, False)
    """
    bias = (ZERO,) * W.n_rows
    if x is None:
        network = Network((Layer.of(W, bias), Layer.of([[1] * W.n_rows], [0])))
        return is_injective(network, layer=1, **limits)
    found = active_rows(W, bias, x)
    spans = found.proof.rank == W.n_columns
    reason = f"{len(found.rows)} rows are active, of rank {found.proof.rank}"
    return Verdict(spans, reason, tuple(i + 1 for i in found.rows), found.certificate)


@dataclass(frozen=True, repr=False)
class Spark(Shown):
    """``value`` is None where it is only known to be over ``at_least`` − 1, or where there is
    no dependent set (``at_least`` is m + 1 then); ``rows`` (from 1) is a dependent set.

    ``stopped`` says over which bound the work was stopped.
    """

    value: int | None
    at_least: int
    rows: tuple[int, ...] | None
    certificate: Certificate | None
    stopped: str | None = None


def spark(
    W: Matrix,
    **limits: Unpack[Limits],
) -> Spark:
    """The size of the smallest dependent set of rows; independent rows have none.

    All sets of rows are tried, the smaller ones first; independence modulo a prime is
    independence.  Over a bound it is known that every set of fewer than ``at_least`` rows is
    independent; sets of a size are not begun if there are more than ``max_sets`` left.

    >>> import exactrelu as er
    >>> er.spark(er.Matrix([[1, 0], [0, 1], [2, 0]])).rows
    (1, 3)
    >>> er.spark(er.Matrix([[1, 0], [0, 1]])).value is None
    True
    """
    effort = Effort.of(limits)
    normals = [tuple(map(int, row)) for row in W.integer_form[0].tolist()]
    at_least = 1

    def so_far(stopped: Stopped) -> Spark:
        return Spark(None, at_least, None, None, str(stopped))

    with effort.knowing(so_far):
        for prime in word_primes():
            rows: tuple[int, ...] | None = None
            try:
                # Smaller sets of rows are independent modulo the prime.
                start = residuals(normals, (), W.n_columns, prime, effort)
                for size in range(1, W.n_rows + 1):
                    at_least = max(at_least, size)
                    rows = _dependent(start, size, effort)
                    if rows is not None:
                        break
            except Stopped as stopped:
                return so_far(stopped)
            if rows is None:
                size = W.n_rows + 1
                return Spark(None, size, None, spark_claim(W, size, prime))
            factors = nullspace(W.take(rows=rows).T)
            if factors:
                zero = tuple(zip(rows, factors[0], strict=True))
                certificate = spark_claim(W, len(rows), prime, zero)
                return Spark(len(rows), len(rows), tuple(k + 1 for k in rows), certificate)
    raise ArithmeticError("every prime is unlucky: a bug")


def _dependent(start: Residuals, size: int, effort: Effort) -> tuple[int, ...] | None:
    """The first dependent set of a size modulo the prime, if all smaller sets are independent."""
    m = len(start.rows)
    effort.expect("sets", comb(m, size))
    stack: list[tuple[tuple[int, ...], Residuals]] = [((), start)]
    while stack:
        rows, span = stack.pop()  # the span of all but the last row
        span = span.with_row(rows[-1]) if rows else span
        first = rows[-1] + 1 if rows else 0
        last = m - size + len(rows) + 1
        if len(rows) < size - 1:
            stack += [((*rows, k), span) for k in reversed(range(first, last))]
            effort.spend()
            continue
        for k in range(first, last):
            effort.spend("sets")
            if not span.outside[k]:
                return (*rows, k)
    return None


# --- Conditions


@dataclass(frozen=True, repr=False)
class NamedResult(Shown):
    """What a theorem says of a layer: injective (True), not (False), or nothing (None).

    ``stopped`` says over which bound its hypothesis was left open.
    """

    name: str
    answer: bool | None
    reason: str
    stopped: str | None = None


def shortcuts(weights: Matrix, bias: Vector, **limits: Unpack[Limits]) -> tuple[NamedResult, ...]:
    """All named results on a layer; each directed spanning set gets its share of the time.

    >>> import exactrelu as er
    >>> both = er.Matrix([[1], [-1]])
    >>> [result.answer for result in er.injectivity_shortcuts(both, er.vector([1, -1]))]
    [None, True, None, None, None]
    """
    effort = Effort.of(limits)
    return (
        few_rows(weights),
        twice_as_many_rows(weights, bias),
        nonnegative_bias_rows(weights, bias, effort.part(share=1 / 3)),
        nonpositive_bias(weights, bias, effort.part(share=1 / 2)),
        without_bias(weights, effort),
    )


def few_rows(weights: Matrix) -> NamedResult:
    """m < 2n rows: never injective (Corollary 2)."""
    m, n = weights.shape
    name = "m < 2n: not injective"
    if m < 2 * n:
        return NamedResult(name, False, f"{m} rows, fewer than {2 * n}")
    return NamedResult(name, None, f"{m} rows, at least {2 * n}")


def twice_as_many_rows(weights: Matrix, bias: Vector) -> NamedResult:
    """m = 2n rows: injective iff W = [B; −DB], D > 0 diagonal, B of rank n, and b'' + Db' ≥ 0."""
    m, n = weights.shape
    name = "m = 2n: injective iff [B; −DB] and b'' + Db' ≥ 0"
    if m != 2 * n:
        return NamedResult(name, None, f"{m} rows, not {2 * n}")
    pairs = [cover.rows for cover in antiparallel_covers(integer_rows(weights, bias))]
    found = len(pairs) == n and rank(weights) == n
    reason = f"{len(pairs)} antiparallel pairs that leave no gap, {n} needed"
    return NamedResult(name, found, reason)


def nonnegative_bias_rows(weights: Matrix, bias: Vector, effort: Effort) -> NamedResult:
    """The rows with b ≥ 0 are a directed spanning set for all x: injective (Lemma 1, if)."""
    found = _spans([i for i, b in enumerate(bias) if b >= 0], weights, effort)
    name = "rows with b ≥ 0 a DSS: injective"
    return NamedResult(name, found.spans or None, f"the rows with b ≥ 0 {found}", found.stopped)


def nonpositive_bias(weights: Matrix, bias: Vector, effort: Effort) -> NamedResult:
    """b ≤ 0: injective iff the rows with b = 0 are a directed spanning set (Lemma 1 is right)."""
    name = "b ≤ 0: injective iff the rows with b = 0 are a DSS"
    if any(b > 0 for b in bias):
        return NamedResult(name, None, "some bias is positive")
    found = _spans([i for i, b in enumerate(bias) if b == 0], weights, effort)
    return NamedResult(name, found.spans, f"the rows with b = 0 {found}", found.stopped)


def without_bias(weights: Matrix, effort: Effort) -> NamedResult:
    """W is not a directed spanning set for all x: not injective, whatever the bias."""
    found = _spans(list(range(weights.n_rows)), weights, effort)
    answer = False if found.spans is False else None
    return NamedResult("W not a DSS: not injective", answer, f"the rows {found}", found.stopped)


@dataclass(frozen=True)
class _Spanning:
    """Whether rows are a directed spanning set everywhere, or why it is not known."""

    spans: bool | None
    stopped: str | None = None

    def __str__(self) -> str:
        if self.spans is None:
            return f"may be a DSS: {self.stopped}"
        return "are a DSS everywhere" if self.spans else "are not a DSS everywhere"


def _spans(rows: list[int], weights: Matrix, effort: Effort) -> _Spanning:
    """Whether some rows are a directed spanning set of R^n for all x."""
    chosen = weights.take(rows=rows)
    found = layer_injective(chosen, (ZERO,) * len(rows), effort=effort)
    if isinstance(found, LayerUndecided):
        return _Spanning(None, found.reason)
    return _Spanning(isinstance(found, LayerProof))


# --- Injective layers by construction, and random ones


def need_matrices(m: int, n: int, effort: Effort) -> None:
    """Refuse a network of an m × n layer and the identity that cannot fit in the memory."""
    effort.need(ENTRY_BYTES * m * (m + n), f"a network with {m:,} × {m + n:,} weights")


def as_network(layer: Layer) -> Network:
    """ReLU of a layer, followed by the identity."""
    n = layer.n_outputs
    return Network((layer, Layer.of(Matrix.identity(n), [ZERO] * n)))


def minimal_layer(basis: Matrix, scales: Sequence[fmpq] | None = None, bias: Vector = ()) -> Layer:
    """[B; −DB] with the bias (b', −D·b'), by default D = 1 and b' = 0.

    >>> import exactrelu as er
    >>> from flint import fmpq
    >>> er.minimal_layer(er.Matrix([[1, 2], [0, 1]]), [fmpq(1), fmpq(3)]).affine
    Matrix([[1, 2, 0], [0, 1, 0], [-1, -2, 0], [0, -3, 0]])
    """
    n = basis.n_rows
    if basis.shape != (n, n) or rank(basis) < n:
        raise InputError(f"found a {n} × {basis.n_columns} matrix, expected an invertible one")
    scales = [ONE] * n if scales is None else list(scales)
    if len(scales) != n or any(d <= 0 for d in scales):
        raise InputError(f"expected {n} positive scales, one for each row")
    bias = bias or (ZERO,) * n
    opposite = (Matrix.diagonal(scales) @ basis).scale(-1)
    more = tuple(-d * b for d, b in zip(scales, bias, strict=True))
    return Layer.of(basis.above(opposite), (*bias, *more))


@dataclass(frozen=True, repr=False)
class Completion(Shown):
    """An injective layer with the rows of another one first.

    ``layer`` is None if the work was ``stopped``; it takes at least ``n_added`` rows then.
    """

    layer: Layer | None
    n_added: int
    stopped: str | None = None


def completion(
    layer: Layer,
    **limits: Unpack[Limits],
) -> Completion:
    """The layer with the fewest opposite rows (and unit rows for rank) that make it injective.

    >>> import exactrelu as er
    >>> three = er.Layer.of([[1, 0], [0, 1], [-1, -1]], [0, 0, 0])
    >>> er.completion(three).n_added
    2
    """
    effort = Effort.of(limits)
    directions: list[Vector] = []
    n_added = 0
    with effort.knowing(lambda stopped: Completion(None, n_added, str(stopped))):
        try:
            full = _of_full_rank(layer, effort)
            while True:
                chosen = _smallest_meeting_set(full, directions, effort)
                completed = _with_opposites(full, chosen)
                n_added = completed.n_outputs - layer.n_outputs
                answer = layer_injective(completed.weights, completed.flint_bias, effort=effort)
                if isinstance(answer, LayerProof):
                    return Completion(completed, n_added)
                if isinstance(answer, LayerUndecided):
                    return Completion(None, n_added, answer.reason)
                directions.append(tuple(a - b for a, b in zip(answer.x, answer.y, strict=True)))
        except Stopped as stopped:
            return Completion(None, n_added, str(stopped))


def _of_full_rank(layer: Layer, effort: Effort) -> Layer:
    """The layer with unit rows added until its rows span."""
    rows, bias = list(layer.weights.flint_rows()), list(layer.flint_bias)
    n = layer.n_inputs
    have = rank(layer.weights)
    for unit in Matrix.identity(n).flint_rows():
        effort.spend()
        if have == n:
            break
        more = rank(Matrix([*rows, unit]))
        if more > have:
            rows.append(unit)
            bias.append(ZERO)
            have = more
    return Layer.of(Matrix(rows), bias)


def _with_opposites(layer: Layer, chosen: Sequence[int]) -> Layer:
    opposite = [tuple(-w for w in layer.affine.flint_row(j)) for j in chosen]
    rows = [*layer.affine.flint_rows(), *opposite]
    return Layer.of(Matrix([row[:-1] for row in rows]), [row[-1] for row in rows])


def _smallest_meeting_set(
    layer: Layer, directions: Sequence[Vector], effort: Effort
) -> tuple[int, ...]:
    """A smallest set of rows that has, for every direction v, a row with w·v ≠ 0.

    The rows span, so that n of them always do: the depth of the search is at most n.
    """
    rows = layer.weights.flint_rows()
    seen = [frozenset(j for j, w in enumerate(rows) if dot(w, v)) for v in directions]
    size = 0
    while (found := _meeting_set(seen, size, effort)) is None:
        size += 1
    return tuple(sorted(found))


def _meeting_set(
    sets: Sequence[frozenset[int]], size: int, effort: Effort
) -> frozenset[int] | None:
    """A set of at most ``size`` elements that meets all sets, if there is one."""
    stack: list[frozenset[int]] = [frozenset()]
    while stack:
        effort.spend()
        chosen = stack.pop()
        missed = next((s for s in sets if not s & chosen), None)
        if missed is None:
            return chosen
        if len(chosen) < size:
            stack += [chosen | {j} for j in sorted(missed, reverse=True)]
    return None


def random_injective_layer(m: int, n: int, seed: int) -> Layer:
    """An m × n layer, m ≥ 2n: [B; −DB] for a random B, and random rows, in random order."""
    if m < 2 * n:
        raise InputError(f"{m} rows for {n} inputs: fewer than {2 * n} are never injective")
    rng = random.Random(f"injective {m} {n} {seed}")
    while rank(basis := _random_matrix(rng, n, n)) < n:
        pass
    pairs = minimal_layer(basis, [fmpq(rng.randint(1, LARGEST)) for _ in range(n)])
    rows = [*pairs.weights.flint_rows(), *_random_matrix(rng, m - 2 * n, n).flint_rows()]
    rng.shuffle(rows)
    return Layer.of(Matrix(rows), [ZERO] * m)


def _random_matrix(rng: random.Random, m: int, n: int) -> Matrix:
    return Matrix([[rng.randint(-LARGEST, LARGEST) for _ in range(n)] for _ in range(m)], n)


def random_layer(m: int, n: int, seed: int) -> Layer:
    """An m × n layer without bias whose entries are integers of one digit."""
    return Layer.of(_random_matrix(random.Random(f"{m} {n} {seed}"), m, n), [ZERO] * m)


@dataclass(frozen=True)
class Fraction:
    """How many of so many random m × n layers were proved injective, and how many were not."""

    m: int
    n: int
    n_injective: int
    n_not: int
    n_undecided: int


@dataclass(frozen=True)
class Table:
    """The fractions for several numbers of rows; ``stopped`` where not all layers were decided."""

    fractions: tuple[Fraction, ...]
    stopped: str | None = None


def injective_fractions(
    n: int,
    rows: Sequence[int],
    samples: int,
    seed: int = 0,
    **limits: Unpack[Limits],
) -> Table:
    """For each number of rows, how many random layers are injective: exact, and the same
    for the same seed.  Layers that were not decided over a bound are counted as such.
    """
    effort = Effort.of(limits)
    counts = [(m, {True: 0, False: 0}) for m in rows]

    def table(stopped: Stopped | str | None = None) -> Table:
        pairs = ((m, found[True], found[False]) for m, found in counts)
        rows = tuple(Fraction(m, n, a, b, samples - a - b) for m, a, b in pairs)
        return Table(rows, None if stopped is None else str(stopped))

    with effort.knowing(table):
        try:
            effort.expect("layers", len(counts) * samples)
            for m, found in counts:
                for k in range(samples):
                    effort.spend("layers")
                    layer = random_layer(m, n, seed * samples + k)
                    answer = layer_injective(layer.weights, layer.flint_bias, effort=effort)
                    if isinstance(answer, LayerUndecided):
                        return table(answer.reason)
                    found[isinstance(answer, LayerProof)] += 1
        except Stopped as stopped:
            return table(stopped)
    return table()
