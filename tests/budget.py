"""How long a search may go on: a number of tries, and in ``make sweep`` so many seconds too.

A fast machine does all of them.  A slow one stops where the time is over, says how many it did, and
is none the worse for it: that is no failure.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator


def tries(n: int, seconds: float | None, what: str) -> Iterator[int]:
    """0, 1, …, n − 1, or fewer of them if that takes more seconds on the clock; at least one."""
    start = time.monotonic()
    for k in range(n):
        if k and seconds is not None and time.monotonic() - start > seconds:
            print(f"{what}: {k:,} of {n:,} in {seconds:g} s", file=sys.stderr)
            return
        yield k
