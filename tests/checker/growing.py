"""Proofs that are grown record by record: a search for false claims that are accepted.

Lines are *alive* if the checker accepts all of them and asks for more.  A random record is added to
some that are alive, again and again.  This finds proofs of a few short records, such as those that
degenerate sizes allow; mutants of honest proofs hardly ever get there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from bundles import sealed
from test_cases import check_bytes

#: Integers that a record with this word might have.
Draw = Callable[[random.Random], list[int]]
#: Longer proofs are not grown.
MOST_LINES = 14


def grown(
    rng: random.Random, head: Sequence[str], words: Mapping[str, Draw], tries: int
) -> list[str] | None:
    """The lines of a proof that is accepted, if the head is one or one is found after it."""
    alive = [list(head)]
    if check_bytes(sealed(alive[0])).verdict == "ACCEPTED":
        return alive[0]
    for _ in range(tries):
        # Most often one of the latest, so that proofs get longer.
        known = rng.choice(alive[-30:] if rng.random() < 0.7 else alive)
        word = rng.choice(list(words))
        integers = "".join(f" {x:x}" for x in words[word](rng))
        lines = [*known, f"{word}{integers}"]
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            return lines
        # The footer is refused, where a record or the method of a proof within the proof is due.
        missing = outcome.code in ("missing-record", "missing-method")
        if missing and outcome.line > len(lines) and len(lines) < MOST_LINES:
            alive.append(lines)
    return None


def few(*lengths: int) -> Draw:
    """As many small integers."""

    def draw(rng: random.Random) -> list[int]:
        return [rng.choice((0, 0, 1, 1, 1, 2, 2, 3, 4, 5, -1)) for _ in range(rng.choice(lengths))]

    return draw


def multipliers(rng: random.Random) -> list[int]:
    """m r λ r λ …"""
    m = rng.choice((0, 1, 1, 2, 2, 2, 3))
    pairs = [(rng.randrange(7), rng.choice((1, 1, 1, 2, -1))) for _ in range(m)]
    return [m, *(x for pair in pairs for x in pair)]
