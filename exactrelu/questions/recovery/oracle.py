"""The oracle: a function from rational vectors to rational vectors that only evaluates.

Everything that recovery learns comes through :meth:`Oracle.values`.  Answers are kept, so a
point counts as one query however often it is asked, and many points go to a network in one
batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from flint import fmpz

from exactrelu.complex.search import Limit
from exactrelu.errors import InputError
from exactrelu.exact.scalar import Vector, vector
from exactrelu.network.evaluate import evaluate_batch
from exactrelu.network.network import Network

#: Anything that maps a vector of rationals to a vector of rationals.
BlackBox = Callable[[Vector], Iterable[Any]]
#: Points with the values there; no dictionary, since the hash of a FLINT rational is slow.
Answers = Sequence[tuple[Vector, Vector]]


class Exhausted(Exception):
    """The budget of queries or seconds is used up."""


class Oracle:
    """Values of a black box at rational points: counted, remembered, asked in batches."""

    def __init__(
        self,
        answer: Callable[[Sequence[Vector]], Iterable[Iterable[Any]]],
        n_inputs: int,
        limit: Limit,
        progress: Callable[..., object] = lambda n: None,
    ) -> None:
        self.n_inputs = n_inputs
        self._answer = answer
        self._limit = limit
        self._progress = progress
        self._known: dict[_Key, tuple[Vector, Vector]] = {}

    @classmethod
    def of(
        cls,
        black_box: Network | BlackBox,
        n_inputs: int | None = None,
        *,
        max_queries: int | None = None,
        timeout: float | None = None,
        progress: Callable[..., object] = lambda n: None,
    ) -> Oracle:
        """The oracle of a network, or of any callable with ``n_inputs`` inputs."""
        limit = Limit(max_queries, timeout)
        if isinstance(black_box, Network):
            return cls(partial(evaluate_batch, black_box), black_box.n_inputs, limit, progress)
        if n_inputs is None or n_inputs < 1:
            raise InputError("a black box needs its number of inputs, at least 1")
        return cls(lambda points: map(black_box, points), n_inputs, limit, progress)

    @property
    def n_queries(self) -> int:
        """How many different points were asked."""
        return len(self._known)

    def seconds(self, most: float) -> float:
        """So many seconds, or those that are left, for a part of the work."""
        left = self._limit.remaining()
        return most if left is None else min(most, max(0.1, left))

    def require_time(self) -> None:
        """Stop long work between two queries once the time is over."""
        if self._limit.is_exceeded(0):
            raise Exhausted

    @property
    def answers(self) -> Answers:
        """All points that were asked, with the values."""
        return list(self._known.values())

    def values(self, points: Sequence[Vector]) -> list[Vector]:
        """The exact values at the points."""
        keys = [_key(p) for p in points]
        new = {k: p for k, p in zip(keys, points, strict=True) if k not in self._known}
        if new:
            if self._limit.is_exceeded(len(self._known) + len(new)):
                raise Exhausted
            self._progress(len(new))
            answers = self._answer(list(new.values()))
            for (key, point), value in zip(new.items(), answers, strict=True):
                self._known[key] = (point, vector(value, "answer"))
        return [self._known[k][1] for k in keys]


#: Numerators and denominators, whose hashes are fast.
_Key = tuple[fmpz, ...]


def _key(point: Vector) -> _Key:
    return tuple(z for v in point for z in (v.p, v.q))
