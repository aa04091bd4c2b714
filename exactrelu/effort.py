"""The effort of a search through the cells of a network: when it has to stop."""

from __future__ import annotations

import time


class Limit:
    """A bound on how many things are found, and on the seconds from now on."""

    def __init__(self, max_found: int | None, timeout: float | None) -> None:
        self.max_found = max_found
        self._deadline = None if timeout is None else time.monotonic() + timeout

    def is_exceeded(self, n_found: int) -> bool:
        """Whether the search has to stop, having found ``n_found`` things."""
        if self.max_found is not None and n_found > self.max_found:
            return True
        return self._deadline is not None and time.monotonic() > self._deadline

    def remaining(self) -> float | None:
        """The seconds that are left, for a search that is a part of this one."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def tick(self) -> None:
        """Raise :class:`LimitReached` once the time is over: for long steps between two finds."""
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise LimitReached(0)


class LimitReached(Exception):
    """The search was stopped; it had found this many cells, each with a region in it."""

    def __init__(self, n_cells: int) -> None:
        super().__init__(f"stopped at {n_cells} cells")
        self.n_cells = n_cells
