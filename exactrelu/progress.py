"""Whom to tell of progress: a function of the user's, or a bar of our own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from exactrelu.errors import WrongType, shortened

#: Called with the name of what was found, or done, and how many of it.
Tell = Callable[[str, int], object]

#: What is counted, and says little to a person.
_STEPS = ("LPs", "pivots")


def listener(given: Any) -> Tell | None:
    """Who is told of progress, if anybody: ``progress`` as a question takes it."""
    if isinstance(given, bool):
        return Bar() if given else None
    if given is None or callable(given):
        return given  # type: ignore[no-any-return]
    raise WrongType(f"progress: found {shortened(given)}, expected a function, True or False")


class Bar:
    """A progress bar: nothing for a second, then what was found; gone at the end.

    It counts the thing of which it is known how many there are, or the one that is found most
    often, and steps of linear programs where there is nothing else.  On a terminal it goes to
    stderr; in a notebook below the cell.
    """

    #: One is enough: a question inside another has none of its own.
    is_shown = False

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._totals: dict[str, int] = {}
        self._bar: Any = None

    def expect(self, thing: str, n: int) -> None:
        """There are n of a thing."""
        self._totals[thing] = n

    def __call__(self, thing: str, n: int) -> None:
        self._counts[thing] += n
        if self._bar is None:
            from tqdm.auto import tqdm

            self._bar = tqdm(delay=1, leave=False, unit="")
            Bar.is_shown = True
        shown = max(
            self._counts, key=lambda t: (t in self._totals, t not in _STEPS, self._counts[t])
        )
        if self._bar.unit != f" {shown}":
            self._bar.unit = f" {shown}"
            self._bar.total = self._totals.get(shown)
            self._bar.n = self._counts[shown] - n
        if shown == thing:
            self._bar.update(n)

    def close(self) -> None:
        """Take it off the screen."""
        if self._bar is not None:
            self._bar.close()
            self._bar, Bar.is_shown = None, False

    def __del__(self) -> None:
        self.close()
