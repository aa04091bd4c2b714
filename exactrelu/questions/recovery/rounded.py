"""What is certain about a model that is asked at dyadic points and rounds its answers.

If every answer differs from f by at most ε, and the answers at a < m < b on a line differ from
affine interpolation by more than 2ε, then f is not affine on [a, b]: it has a breakpoint in the
open interval.  Disjoint such intervals give certain breakpoints, each known as an interval.

Nothing more is claimed: neither that there are no others, nor slopes, nor that breakpoints of
different lines belong together.  A network with one hidden layer has at least as many neurons as
there are certain breakpoints on a line; a deeper one may have fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from flint import fmpq

from exactrelu.bounded import bounded
from exactrelu.certificates.certificate import Found
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector, rational, vector
from exactrelu.questions.question import Call, question
from exactrelu.questions.recovery.queries import along, answers, minus


@dataclass(frozen=True, repr=False)
class CertainBreakpoints(Outward, Found):
    """Disjoint open intervals of t in (0, 1), each of which contains a breakpoint."""

    intervals: tuple[tuple[fmpq, fmpq], ...]
    n_queries: int

    @property
    def n_breakpoints(self) -> int:
        """At least so many breakpoints are on the segment."""
        return len(self.intervals)


#: Nobody waits for 2^60 queries.
MOST_HALVINGS = 60


@question
def certain_breakpoints(
    call: Call[CertainBreakpoints],
    black_box: Callable[[Vector], Iterable[Any]],
    start: Sequence[Any],
    end: Sequence[Any],
    *,
    error: Any,
    halvings: int = 10,
    **limits: Unpack[Limits],
) -> CertainBreakpoints:
    """Breakpoints of a black box on a segment that rounding cannot explain away.

    Parameters
    ----------
    black_box : callable
        From a tuple of rationals to outputs, each wrong by at most ``error``.
    start : sequence of numbers
        One end of the segment.
    end : sequence of numbers
        The other.
    error : number
        The largest error of an answer.
    halvings : int, optional
        How often the segment is halved.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    CertainBreakpoints
        ``intervals`` of t in (0, 1), disjoint, each with a breakpoint in it, and ``n_queries``.

    Raises
    ------
    Stopped
        Over a bound.

    Notes
    -----
    About 2^halvings queries.

    Examples
    --------
    >>> import exactrelu as er
    >>> def black_box(x):
    ...     return [abs(x[0])]
    >>> find = er.identifiability.certain_breakpoints
    >>> find(black_box, [-1], [2], error="1/100", halvings=5).intervals
    ((9/32, 11/32),)
    """
    a, b = vector(start, "start"), vector(end, "end")
    epsilon = rational(error, "error")
    if len(a) != len(b) or a == b or epsilon < 0 or not 1 <= halvings <= MOST_HALVINGS:
        halves = f"from 1 to {MOST_HALVINGS} halvings"
        raise InputError(f"expected two different points, an error of at least 0 and {halves}")
    d = minus(b, a)
    n = 2**halvings
    effort = call.effort
    effort.expect("queries", n + 1)
    values = []
    for i in range(n + 1):
        effort.spend("queries")
        (answer,) = answers(black_box, [along(a, fmpq(i, n), d)])
        values.append(vector(answer, "answer"))
    found: list[tuple[fmpq, fmpq]] = []
    low = 0
    while low < n:
        high = _first_bend(values, low, epsilon, effort)
        if high is None:
            break
        start_of = high - 2
        while not _bends(values, start_of, high, epsilon):
            effort.spend()
            start_of -= 1
        found.append((fmpq(start_of, n), fmpq(high, n)))
        low = high
    return CertainBreakpoints(tuple(found), n + 1)


@bounded
def certain_neurons(
    effort: Effort,
    /,
    black_box: Callable[[Vector], Iterable[Any]],
    segments: Iterable[tuple[Sequence[Any], Sequence[Any]]],
    *,
    error: Any,
    halvings: int = 10,
    **limits: Unpack[Limits],
) -> int:
    """How many neurons a black box has at least, if it has one hidden layer.

    Each hyperplane meets a segment at most once, so breakpoints on one segment are of different
    neurons.

    Parameters
    ----------
    black_box : callable
        From a tuple of rationals to outputs, each wrong by at most ``error``.
    segments : iterable of pairs of points
        Where to look.
    error : number
        The largest error of an answer.
    halvings : int, optional
        How often each segment is halved.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    int
        The most certain breakpoints on one segment.

    Notes
    -----
    About 2^halvings queries for each segment.

    Examples
    --------
    >>> import exactrelu as er
    >>> def black_box(x):
    ...     return [abs(x[0]) + abs(x[1])]
    >>> segments = [([-1, -2], [2, 2])]
    >>> er.identifiability.certain_neurons(black_box, segments, error="1/100")
    2
    """
    found = (
        certain_breakpoints(black_box, start, end, error=error, halvings=halvings, effort=effort)
        for start, end in segments
    )
    return max((line.n_breakpoints for line in found), default=0)


def _first_bend(values: Sequence[Vector], low: int, epsilon: fmpq, effort: Effort) -> int | None:
    """The first grid point up to which the answers from ``low`` on fit no affine function."""
    for high in range(low + 2, len(values)):
        effort.spend()
        if _bends(values, low, high, epsilon):
            return high
    return None


def _bends(values: Sequence[Vector], low: int, high: int, epsilon: fmpq) -> bool:
    first, last = values[low], values[high]
    for i in range(low + 1, high):
        share = fmpq(i - low, high - low)
        for p, m, q in zip(first, values[i], last, strict=True):
            if abs(m - p - share * (q - p)) > 2 * epsilon:
                return True
    return False
