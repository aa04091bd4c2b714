"""How much work may be done, and whom to tell: the one module that reads the clock.

An :class:`Effort` is made at the edge, by the command line or by a Python call, and handed down
as one argument.  Engines *spend* it: ``effort.spend("regions")`` for each thing that is found,
``effort.spend()`` in long steps between two finds.  Over a bound ``spend`` raises
:class:`Stopped`.  Nobody but a question catches it, and answers with what is known by then.

A piece of work of its own, an LP, a search, a side attempt, gets a *part*: never more than what
is left.  Whoever catches what a part raises spends nothing once more, ``effort.spend()``, which
raises if it is the whole of the time, or of the memory, that is over.  A bound on how many of a
thing are found stops only those who find such things: a question may go on in another way.

What cannot be interrupted from here, a long call inside FLINT, PPL or HiGHS, is bounded by a
process of its own (:mod:`exactrelu.work.worker`), which reports what is known from time to time:
:meth:`Effort.knowing`.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from numbers import Real
from time import monotonic as clock
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from exactrelu.errors import InputError, Unanswered, WrongType, attempted, close_to, shortened
from exactrelu.memory import default_memory, memory_bytes, memory_in_use, memory_text
from exactrelu.progress import Bar, Tell, listener
from exactrelu.words import figure

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["UNLIMITED", "Effort", "Limits", "Stopped", "clock"]

#: Memory and news are looked at this often, in seconds.
INTERVAL = 0.05

#: In a report of what is known, for the bound that nobody knows yet.  No other sentence has it.
STOPPED = "stopped before it was done"
#: How the reason begins if it was the time.
LATE = "stopped after"

#: After seconds that nobody gave: a share of those that were given.
PART = ", its part of the time"

#: Work stops by itself at this part of the memory that it may hold: what follows needs some too.
OWN_SHARE = 0.9

#: Where a scheduler of Dask may be.
_ADDRESS = re.compile(r"inproc://\S+|([a-z-]+://)?(\[[0-9a-fA-F:.%]+\]|[\w.-]+):\d{1,5}", re.ASCII)


Found = TypeVar("Found")


class Stopped(Unanswered):
    """A bound of the work was reached before anything could be answered.

    A question that knows something by then answers with that instead.

    Examples
    --------
    >>> import exactrelu as er
    >>> try:
    ...     er.Effort(regions=1).spend("regions", 2)
    ... except er.Stopped as stopped:
    ...     print(stopped)
    stopped at 1 regions
    """


class UntimedLimits(TypedDict, total=False):
    """The :class:`Limits` of a question that has a ``timeout`` of its own."""

    max_memory: int | str | None
    progress: Tell | bool | None
    jobs: int
    cluster: str | None
    executor: Executor | None
    effort: Effort
    max_cells: int | None
    max_components: int | None
    max_covers: int | None
    max_faces: int | None
    max_masks: int | None
    max_queries: int | None
    max_refinements: int | None
    max_regions: int | None
    max_sets: int | None


class Limits(UntimedLimits, total=False):
    """The keywords of every question that bound its work.

    ``timeout`` in seconds; ``max_memory`` in bytes or as in "2G"; ``progress`` is called with
    what was found and how many, False for no progress bar.  Those that begin with ``max_`` bound
    how many of a thing are found.  ``jobs`` processes share the work, or those who are behind a
    ``cluster``, the address of a Dask scheduler, or behind an ``executor``
    (:mod:`exactrelu.work.crew`).  ``effort`` is what is left of the effort of whoever asks.
    """

    timeout: float | None


class Effort:
    """Bounds on seconds, on bytes of memory and on how many of each thing are found.

    Questions take such bounds as keywords, ``timeout``, ``max_memory`` and ``max_…``; an ``Effort``
    is what is left of them.

    Parameters
    ----------
    seconds : float, optional
        The time, from now on.
    memory : int, optional
        The memory of the process in bytes.
    tell : callable, optional
        Is called with the name of what was found and how many of it.
    jobs : int, optional
        How many processes may share the work.
    executor : concurrent.futures.Executor or str, optional
        Who else shares it: an executor, or the address of a Dask scheduler.
    report : callable, optional
        Is called from time to time with the effort, to send word of what is known.
    above : Effort, optional
        The effort that this one is a part of.
    words : str, optional
        What is said after the number of seconds, once they are over.
    is_watched : bool, optional
        Whether a person is waiting, who may interrupt it.
    **most : int, optional
        How many of a thing may be found, by its name: ``regions=2000``.

    Examples
    --------
    >>> import exactrelu as er
    >>> effort = er.Effort(regions=2)
    >>> effort.spend("regions", 2)
    >>> effort.spend("regions")
    Traceback (most recent call last):
    ...
    exactrelu.effort.Stopped: stopped at 2 regions
    """

    def __init__(
        self,
        *,
        seconds: float | None = None,
        memory: int | None = None,
        tell: Tell | None = None,
        jobs: int = 1,
        executor: Executor | str | None = None,
        report: Callable[[Effort], object] | None = None,
        above: Effort | None = None,
        words: str = "",
        is_watched: bool = False,
        **most: int | None,
    ) -> None:
        """``report`` is called from time to time with the effort, to send word of what is known.

        ``words`` are said after the number of seconds, once they are over.  ``is_watched`` if
        somebody may interrupt it.
        """
        self.jobs = jobs
        self.executor = executor
        self.memory = memory
        self.most = {thing: n for thing, n in most.items() if n is not None}
        #: How many of each thing were found.
        self.counts: Counter[str] = Counter()
        self._tell = tell
        self._above = above
        self._deadline = inf
        self._sentence = ""
        if above is not None:
            self._deadline, self._sentence = above._deadline, above._sentence
            self.memory = above.memory if memory is None else min(memory, above.memory or memory)
            self.executor = executor or above.executor
        if seconds is not None and clock() + seconds < self._deadline:
            self._deadline, self._sentence = (
                clock() + seconds,
                f"{LATE} {seconds:g} s{words}",
            )
        self._root: Effort = self if above is None else above._root
        self._known: Callable[[Stopped], object] | None = None
        self._report = report
        self._is_reporting = False
        self.is_interrupted = False
        self.is_watched = is_watched
        #: Nothing is looked at before this moment.
        self._next_look = -inf if self._has_bounds else inf

    def __repr__(self) -> str:
        """Its bounds; in signatures ``Effort()`` is the default, without any."""
        left = self.seconds_left()
        seconds = {} if left is None else {"seconds": round(left, 1)}
        memory = {} if self.memory is None else {"memory": self.memory}
        bounds = {**seconds, **memory, **self.most}
        return f"Effort({', '.join(f'{name}={value}' for name, value in bounds.items())})"

    @classmethod
    def of(cls, limits: Limits) -> Effort:
        """The effort that the keywords of a question leave it."""
        given: dict[str, Any] = dict(limits)
        _require_bounds(given)
        above: Effort | None = given.pop("effort", None)
        if above is not None and not isinstance(above, Effort):
            raise WrongType(f"effort: found {shortened(above)}, expected an Effort")
        tell = listener(given.pop("progress", None))
        memory = given.pop("max_memory", None)
        seconds, jobs = given.pop("timeout", None), given.pop("jobs", None)
        cluster, executor = given.pop("cluster", None), given.pop("executor", None)
        if seconds is not None:
            seconds = number_of_seconds(seconds, "timeout")
        if jobs is not None:
            jobs = _count(jobs, "jobs", least=1)
        where = _elsewhere(cluster, executor)
        bounds: dict[str, Any] = {
            name: _count(n, name) for name, n in given.items() if n is not None
        }
        most: dict[str, Any] = {name.removeprefix("max_"): n for name, n in bounds.items()}
        if all(x is None for x in (seconds, memory, tell, jobs, where)) and not most:
            return above or UNLIMITED
        return cls(
            seconds=seconds,
            memory=None if memory is None else memory_bytes(memory),
            tell=tell,
            jobs=jobs or (above.jobs if above else 1),
            executor=where,
            above=above,
            **most,
        )

    def part(
        self,
        *,
        seconds: float | None = None,
        share: float | None = None,
        **most: int | None,
    ) -> Effort:
        """At most that many seconds, or that share of those that are left, and these bounds."""
        left, words = self.seconds_left(), ""
        if share is not None and left is not None:
            # Two digits, for the sentence that says it.
            of_share = float(f"{share * left:.2g}")
            if seconds is None or of_share < seconds:
                seconds, words = of_share, PART
        bounds: dict[str, Any] = {**most}
        return Effort(seconds=seconds, words=words, jobs=self.jobs, above=self, **bounds)

    def tried(
        self, work: Callable[[Effort], Found], *, share: float | None = None, **most: int | None
    ) -> Found | None:
        """What a part of it finds; None if the part was not enough, and this one is not over.

        >>> Effort().tried(lambda part: part.spend("cuts", 3), cuts=2)
        """
        try:
            return work(self.part(share=share, **most))
        except Stopped:
            self.spend()
            return None

    def unless_given(self, **most: int) -> Effort:
        """The same, with bounds on things that have none yet.

        >>> Effort(masks=10).unless_given(masks=10**9, regions=5).left("masks")
        10
        """
        left = {thing: n for thing, n in most.items() if self.left(thing) is None}
        return self.part(**left) if left else self

    def alone(self) -> Effort:
        """The same for work that is not worth another process."""
        one = self.part()
        one.jobs, one.executor = 1, None
        return one

    def apart(self, *, seconds: float | None = None, **most: int | None) -> Effort:
        """For one of many questions: each may find as many of a thing as all of them together.

        Time and memory are those that are left, and at most that many seconds.

        >>> many = Effort(regions=2)
        >>> for _ in range(5):
        ...     many.apart().spend("regions", 2)
        """
        bounds: dict[str, Any] = {**self.most, **most}
        one = self.part(seconds=seconds, **bounds)
        one._above = None
        return one

    @property
    def is_shared(self) -> bool:
        """Whether anybody else may do pieces of the work."""
        return self.jobs > 1 or self.executor is not None

    def spend(self, thing: str = "", n: int = 1) -> None:
        """Count n more of a thing, tell, and raise :class:`Stopped` over a bound."""
        if thing:
            effort: Effort | None = self
            while effort is not None:
                effort._count(thing, n)
                effort = effort._above
        if self._next_look != inf and (self._root.is_interrupted or clock() >= self._next_look):
            self._look()

    def seconds_left(self) -> float | None:
        """What is left, for a foreign call that has a clock of its own; None: all of it."""
        left = self._deadline - clock()
        return None if left >= FOREVER else max(0.0, left)

    def left(self, thing: str) -> int | None:
        """How many more of a thing may be found; None: any number."""
        effort: Effort | None = self
        found = []
        while effort is not None:
            if thing in effort.most:
                found.append(effort.most[thing] - effort.counts[thing])
            effort = effort._above
        return max(0, min(found)) if found else None

    def expect(self, thing: str, n: int) -> None:
        """There are n of a thing: refused at once over its bound, else shown by the progress bar.

        >>> Effort(masks=1000).expect("masks", 2**40)
        Traceback (most recent call last):
        ...
        exactrelu.effort.Stopped: 1,099,511,627,776 masks, more than 1,000 (--max-masks)
        """
        most = self.left(thing)
        if most is not None and n > most:
            raise Stopped(f"{figure(n)} {thing}, more than {most:,} (--max-{thing})")
        effort: Effort | None = self
        while effort is not None:
            if isinstance(effort._tell, Bar):
                effort._tell.expect(thing, n)
            effort = effort._above

    def need(self, n_bytes: int, what: str) -> None:
        """Refuse at once what cannot fit in the memory that may be used.

        >>> Effort(memory=10**9).need(10**12, "a matrix of 10^11 entries")
        Traceback (most recent call last):
        ...
        exactrelu.effort.Stopped: a matrix of 10^11 entries needs about 931 GB of memory, \
more than 954 MB (--max-memory)
        """
        most = self.memory or default_memory()
        if n_bytes > most:
            raise Stopped(
                f"{what} needs about {memory_text(n_bytes)} of memory, "
                f"more than {memory_text(most)} (--max-memory)"
            )

    def interrupt(self) -> None:
        """The time is over now: what a person who is waiting says."""
        self._root.is_interrupted = True

    @contextmanager
    def knowing(self, known: Callable[[Stopped], object]) -> Iterator[None]:
        """What the question would answer if it were stopped now, at any moment of the block.

        For whoever has to end the work from outside.  Of questions that ask others it is the
        first that counts.
        """
        is_first = self.asks(known)
        try:
            yield
        finally:
            if is_first:
                self.asks_no_more()

    def asks(self, known: Callable[[Stopped], object]) -> bool:
        """Begin a question and what it knows; False within another one, which answers for it."""
        root = self._root
        if root._known is not None or root is UNLIMITED:
            return False
        root._known = known
        return True

    def asks_no_more(self) -> None:
        """The end of the question that was begun."""
        self._root._known = None

    def known(self, stopped: Stopped) -> object:
        """What the question that is being asked would answer if it were stopped now, or None."""
        return None if self._root._known is None else self._root._known(stopped)

    @property
    def progress(self) -> str:
        """What was counted so far, in words such as "1,204 faces, 17 regions", or nothing."""
        return ", ".join(f"{n:,} {thing}" for thing, n in self._root.counts.most_common())

    @property
    def _has_bounds(self) -> bool:
        root = self._root
        has_listener = root._report is not None or root.is_watched
        return self._deadline != inf or self.memory is not None or has_listener

    def _count(self, thing: str, n: int) -> None:
        if self is UNLIMITED:
            return
        self.counts[thing] += n
        if self._tell is not None:
            self._tell(thing, n)
        if thing in self.most and self.counts[thing] > self.most[thing]:
            raise Stopped(f"stopped at {self.most[thing]:,} {thing}")

    def _look(self) -> None:
        now = clock()
        if self._root.is_interrupted:
            raise Stopped("interrupted")
        if now >= self._deadline:
            raise Stopped(self._sentence)
        if self.memory is not None and memory_in_use() > OWN_SHARE * self.memory:
            raise Stopped(f"stopped at {memory_text(self.memory)} of memory")
        root = self._root
        # What is known may take some work too, which is not reported in turn.
        if root._report is not None and not root._is_reporting:
            root._is_reporting = True
            try:
                root._report(root)
            finally:
                root._is_reporting = False
        self._next_look = min(self._deadline, clock() + INTERVAL)


#: Thirty years and more, in seconds; no clock of the system knows what is much later.
FOREVER = 1e9


def number_of_seconds(given: Any, where: str) -> float:
    """A number of seconds, which may be infinite.

    >>> number_of_seconds(10**400, "timeout"), number_of_seconds(2, "timeout")
    (inf, 2)
    """
    if isinstance(given, Real) and not isinstance(given, bool):
        try:
            seconds = float(given)
        except OverflowError:
            seconds = inf if given > 0 else -1.0  # type: ignore[operator]
        # Not a number is not less than 0 either.
        if seconds >= 0:
            return (given if isinstance(given, int) else seconds) if seconds < FOREVER else inf
    raise WrongType(f"{where}: found {shortened(given)}, expected a number of seconds")


def _count(given: Any, where: str, least: int = 0) -> int:
    """How many of a thing, an integer of any library."""
    if hasattr(given, "__index__") and not isinstance(given, bool):
        n = attempted(operator.index, given, where)
        if n >= least:
            return n
    expected = "a positive integer" if least else "an integer from 0"
    raise InputError(f"{where}: found {shortened(given)}, expected {expected}")


def _require_bounds(given: Mapping[str, Any]) -> None:
    for other in given.keys() - Limits.__annotations__.keys():
        close = close_to(other, Limits.__annotations__)
        meant = f"; did you mean {close!r}?" if close else ""
        raise WrongType(f"found the option {other!r}, expected a bound such as timeout{meant}")


def _elsewhere(cluster: Any, executor: Any) -> Any:
    """Who does pieces of the work beside this computer's processes, None if nobody."""
    if cluster is not None and executor is not None:
        raise InputError("found a cluster and an executor, expected one of them")
    if cluster is not None and not (isinstance(cluster, str) and _ADDRESS.fullmatch(cluster)):
        raise InputError(f"cluster: found {shortened(cluster)}, expected tcp://HOST:PORT")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        found = type(executor).__name__
        raise WrongType(f"executor: found {found}, expected a concurrent.futures.Executor")
    return executor if cluster is None else cluster


#: No bounds, and nobody to tell: it keeps no state.
UNLIMITED = Effort()
