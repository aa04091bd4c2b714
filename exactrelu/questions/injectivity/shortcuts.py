"""Named results about layers x ↦ s(Wx + b) on all of R^n (theory 6.2, 6.3), each by itself.

What they say is in their names; together with the exact criterion they show which of the
published conditions are sufficient, necessary or neither on a given layer.
"""

from __future__ import annotations

from dataclasses import dataclass

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.questions.injectivity.covers import antiparallel_covers
from exactrelu.questions.injectivity.layer import LayerProof, LayerUndecided, layer_injective
from exactrelu.questions.injectivity.layer_problem import integer_rows


@dataclass(frozen=True)
class NamedResult:
    """What a theorem says of a layer: injective (True), not (False), or nothing (None)."""

    name: str
    answer: bool | None
    reason: str


def shortcuts(
    weights: Matrix, bias: Vector, timeout: float | None = None
) -> tuple[NamedResult, ...]:
    """All named results on a layer; each directed spanning set is given ``timeout`` seconds.

    >>> from exactrelu.exact.scalar import vector
    >>> both = Matrix([[1], [-1]])
    >>> [result.answer for result in shortcuts(both, vector([1, -1]))]
    [None, True, None, None, None]
    """
    return (
        few_rows(weights),
        twice_as_many_rows(weights, bias),
        nonnegative_bias_rows(weights, bias, timeout),
        nonpositive_bias(weights, bias, timeout),
        without_bias(weights, timeout),
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


def nonnegative_bias_rows(
    weights: Matrix, bias: Vector, timeout: float | None = None
) -> NamedResult:
    """The rows with b ≥ 0 are a directed spanning set for all x: injective (Lemma 1, if)."""
    spans = _spans([i for i, b in enumerate(bias) if b >= 0], weights, timeout)
    name = "rows with b ≥ 0 a DSS: injective"
    return NamedResult(name, spans or None, f"the rows with b ≥ 0 {_WORDS[spans]}")


def nonpositive_bias(weights: Matrix, bias: Vector, timeout: float | None = None) -> NamedResult:
    """b ≤ 0: injective iff the rows with b = 0 are a directed spanning set (Lemma 1 is right)."""
    name = "b ≤ 0: injective iff the rows with b = 0 are a DSS"
    if any(b > 0 for b in bias):
        return NamedResult(name, None, "some bias is positive")
    spans = _spans([i for i, b in enumerate(bias) if b == 0], weights, timeout)
    return NamedResult(name, spans, f"the rows with b = 0 {_WORDS[spans]}")


def without_bias(weights: Matrix, timeout: float | None = None) -> NamedResult:
    """W is not a directed spanning set for all x: not injective, whatever the bias."""
    spans = _spans(list(range(weights.n_rows)), weights, timeout)
    answer = False if spans is False else None
    return NamedResult("W not a DSS: not injective", answer, f"the rows {_WORDS[spans]}")


_WORDS = {
    True: "are a DSS everywhere",
    False: "are not a DSS everywhere",
    None: "may be a DSS: stopped at a limit",
}


def _spans(rows: list[int], weights: Matrix, timeout: float | None) -> bool | None:
    """Whether some rows are a directed spanning set of R^n for all x."""
    chosen = weights.take(rows=rows)
    found = layer_injective(chosen, (ZERO,) * len(rows), timeout=timeout)
    return None if isinstance(found, LayerUndecided) else isinstance(found, LayerProof)
