"""Changes of certificates that all families share."""

from __future__ import annotations

import random


def rearranged(rng: random.Random, lines: list[str], start: int = 1) -> list[str]:
    """The lines with a record from ``start`` on left out, said again, or exchanged with another."""
    lines = list(lines)
    at, other = (rng.randrange(start, len(lines)) for _ in range(2))
    what = rng.randrange(3)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines.insert(at, lines[other])
    else:
        lines[at], lines[other] = lines[other], lines[at]
    return lines
