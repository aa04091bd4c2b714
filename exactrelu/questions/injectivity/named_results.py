"""Named results about layers x ↦ s(Wx + b) on all of R^n (Puthawala et al.; theory 6.2, 6.3).

**Directed spanning sets and the spark** (section 2.1 of the paper).  W is a *directed spanning
set* (DSS) with respect to x if the rows with w·x ≥ 0 span R^n (they need not be a basis, as the
paper has it); s(W·) is injective iff W is one for every x.  The *spark* is the size of the
smallest dependent set of rows.

**Conditions**, each by itself.  What they say is in their names; together with the exact criterion
they show which of the published conditions are sufficient, necessary or neither on a given layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, Unpack

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Found, Listing, Verdict
from exactrelu.certificates.evidence import rank_claim, spark_claim
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import ShapeError
from exactrelu.exact.linear import RankProof, nullspace, rank, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import word_primes
from exactrelu.exact.scalar import ZERO, Vector, vector
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.covers import (
    Residuals,
    antiparallel_covers,
    integer_rows,
    residuals,
)
from exactrelu.questions.injectivity.layer import LayerProof, LayerUndecided, layer_injective
from exactrelu.questions.injectivity.network import is_injective
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words


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


class SpanningAt(Verdict):
    """Whether the rows that are active at a point span; the ``witness`` are these rows."""

    PARTS = (
        Part(
            "active",
            "with `--at`: the active rows",
            of=lambda found: [i + 1 for i in found.witness.rows],
            unproved="which rows are active",
        ),
        Part(
            "rank",
            "with `--at`: their rank",
            of=lambda found: found.witness.proof.rank,
            proved=True,
        ),
    )

    @property
    def _proves_answer(self) -> bool:
        # The rank is that of the rows that are called active.
        return False


def is_spanning_at(layer: Layer, x: Iterable[Any]) -> SpanningAt:
    """Whether the rows of a layer that are active at x span the space of its inputs."""
    found, n = active_rows(layer.weights, layer.bias, x), layer.n_inputs
    names = ", ".join(str(i + 1) for i in found.rows) or "none"
    reason = f"active rows {names}, of rank {found.proof.rank} in R^{n}"
    return SpanningAt(found.proof.rank == n, reason, found, found.certificate)


@question
def is_directed_spanning_set(
    call: Call[Verdict], W: Matrix, x: Iterable[Any] | None = None, **limits: Unpack[Limits]
) -> Verdict:
    """Whether the rows with w·x ≥ 0 span the whole space, at one point or at all.

    Parameters
    ----------
    W : Matrix
        The rows w.
    x : sequence of numbers, optional
        The point; by default the question is about every point, and so whether ReLU(Wx) is
        one-to-one.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Verdict
        At a point the ``witness`` lists these rows, from 1; everywhere that of a no is a pair of
        points with one image.

    References
    ----------
    Puthawala et al., *Globally injective ReLU networks*, Definition 1 and Theorem 1.

    Examples
    --------
    >>> import exactrelu as er
    >>> W = er.Matrix([[1, 0], [0, 1], [-1, -1]])
    >>> er.layers.is_directed_spanning_set(W, (1, 1)).answer
    True
    >>> er.layers.is_directed_spanning_set(W).answer
    False
    """
    bias = (ZERO,) * W.n_rows
    if x is None:
        network = Network((Layer.of(W, bias), Layer.of([[1] * W.n_rows], [0])))
        return is_injective(network, layer=1, effort=call.effort)
    found = active_rows(W, bias, x)
    spans = found.proof.rank == W.n_columns
    reason = f"{len(found.rows)} rows are active, of rank {found.proof.rank}"
    return Verdict(spans, reason, tuple(i + 1 for i in found.rows), found.certificate)


def _bound(found: Spark) -> str:
    return "" if found.certificate is not None else "this bound"


@dataclass(frozen=True, repr=False)
class Spark(Found):
    """``value`` is None where it is only known to be over ``at_least`` − 1, or where there is
    no dependent set (``at_least`` is m + 1 then); ``rows`` (from 1) is a dependent set.

    ``stopped`` says over which bound the work was stopped.
    """

    PARTS = (
        Part(
            "spark",
            "the size of the smallest dependent set of rows; null if there is none, or it is "
            "not known",
            proved=True,
            of="value",
        ),
        Part("at_least", "it is at least so large", proved=True, claim="spark", unproved=_bound),
        Part("rows", "null, or a dependent set of this size, from 1", proved=True),
    )

    value: int | None
    at_least: int
    rows: tuple[int, ...] | None
    certificate: Certificate | None
    stopped: str | None = None

    def sentence(self, _words: Words = PEOPLE) -> str:
        """The spark, or what is known of it."""
        if self.value is not None and self.rows is not None:
            rows = ", ".join(map(str, self.rows))
            return f"spark {self.value}: rows {rows} are dependent, and no smaller set"
        if not self.stopped:
            return "all rows are independent: there is no dependent set"
        n = self.at_least - 1
        none = "no set of rows is known to be independent"
        known = f"every {n} rows are independent" if n else none
        return f"{self.stopped}: spark at least {self.at_least}, {known}"


@question
def spark(
    call: Call[Spark],
    W: Matrix,
    **limits: Unpack[Limits],
) -> Spark:
    """The smallest number of linearly dependent rows of a matrix.

    Parameters
    ----------
    W : Matrix
        The matrix.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Spark
        ``value``, None if there are none or it is not known; ``at_least``; ``rows`` (from 1), a
        dependent set; ``certificate``.

    Notes
    -----
    All sets of rows are tried, the smaller ones first; sizes of which there are more than
    ``max_sets`` are not begun.

    References
    ----------
    Puthawala et al., *Globally injective ReLU networks*, section 2.1.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.matrices.spark(er.Matrix([[1, 0], [0, 1], [2, 0]])).rows
    (1, 3)
    >>> er.matrices.spark(er.Matrix([[1, 0], [0, 1]])).value is None
    True
    """
    effort = call.effort
    normals = [tuple(map(int, row)) for row in W.integer_form[0].tolist()]
    at_least = 1

    def so_far(stopped: Stopped) -> Spark:
        return Spark(None, at_least, None, None, str(stopped))

    call.knows(so_far)
    for prime in word_primes():
        rows: tuple[int, ...] | None = None
        # Smaller sets of rows are independent modulo the prime.
        start = residuals(normals, (), W.n_columns, prime, effort)
        for size in range(1, W.n_rows + 1):
            at_least = max(at_least, size)
            rows = _dependent(start, size, effort)
            if rows is not None:
                break
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
class NamedResult(Found):
    """What a theorem says of a layer: injective (True), not (False), or nothing (None).

    ``stopped`` says over which bound its hypothesis was left open.
    """

    name: str
    answer: bool | None
    reason: str
    stopped: str | None = None


def _results(found: NamedResults, _: Words) -> Iterator[str]:
    words = {True: "injective", False: "not injective", None: "says nothing"}
    for result in found:
        yield result.name
        yield f"  {words[result.answer]}, {result.reason}"


@dataclass(frozen=True, repr=False)
class NamedResults(Listing):
    """What each of the named results says of a layer."""

    PARTS = (
        Part(
            "shortcuts",
            "with `--shortcuts`: each theorem and what it says",
            of=lambda found: [
                {"name": r.name, "answer": r.answer, "reason": r.reason} for r in found
            ],
            said=_results,
            unproved="what the theorems say (without --shortcuts the answer is proved)",
        ),
    )
    ITEM = "named result"

    results: tuple[NamedResult, ...]
    certificate: Certificate | None = None

    def _items(self) -> Sequence[NamedResult]:
        return self.results

    @property
    def reason(self) -> str:
        """Which bound was met; the last one had all of the time that was left."""
        return next((r.stopped for r in reversed(self.results) if r.stopped is not None), "")

    @property
    def is_complete(self) -> bool:
        """Whether every hypothesis was decided."""
        return not self.reason

    def sentence(self, _words: Words = PEOPLE) -> str:
        """What these are, or why some are open."""
        return self.reason or f"{len(self.results)} named results"


@question
def shortcuts(
    call: Call[NamedResults], weights: Matrix, bias: Vector, **limits: Unpack[Limits]
) -> NamedResults:
    """What the named results of the paper say of a layer, each by itself.

    Parameters
    ----------
    weights : Matrix
        W.
    bias : tuple of rationals
        b.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    NamedResults
        Each has a ``name``, an ``answer``, None where its hypothesis does not hold, and a
        ``reason``.

    References
    ----------
    Puthawala et al., *Globally injective ReLU networks*, section 2.1, Lemma 1, Corollaries 1 and 2.

    Examples
    --------
    >>> import exactrelu as er
    >>> both = er.Matrix([[1], [-1]])
    >>> [result.answer for result in er.layers.shortcuts(both, er.matrices.vector([1, -1]))]
    [None, True, None, None, None]
    """
    effort = call.effort
    found = (
        few_rows(weights),
        twice_as_many_rows(weights, bias),
        nonnegative_bias_rows(weights, bias, effort.part(share=1 / 3)),
        nonpositive_bias(weights, bias, effort.part(share=1 / 2)),
        without_bias(weights, effort),
    )
    return NamedResults(found)


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
