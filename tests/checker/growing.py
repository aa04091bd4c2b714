"""Proofs that are grown record by record: a search for false claims that are accepted.

Lines are *alive* if the checker accepts all of them and asks for more.  A random record is added to
some that are alive, again and again, or a record of an honest proof of another claim.  This finds
proofs of a few short records, such as those that degenerate sizes allow; mutants of honest proofs
hardly ever get there.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from bundles import sealed
from test_cases import check_bytes

#: Integers that a record with this word might have.
Draw = Callable[[random.Random], list[int]]
#: Longer proofs are not grown.
MOST_LINES = 14
#: A record, or the method of a proof within the proof, is missing.
GOES_ON = ("missing-record", "missing-method")


def grown(
    rng: random.Random,
    head: Sequence[str],
    words: Mapping[str, Draw],
    tries: int,
    known: Sequence[str] = (),
) -> list[str] | None:
    """The lines of a proof that is accepted, if the head is one or one is found after it.

    Records of a ``known`` proof are tried too, most often each in its place.
    """
    alive = [list(head)]
    if check_bytes(sealed(alive[0])).verdict == "ACCEPTED":
        return alive[0]
    for _ in range(tries):
        # Most often one of the latest, so that proofs get longer.
        before = rng.choice(alive[-30:] if rng.random() < 0.7 else alive)
        lines = [*before, _record(rng, words, known, len(before) - len(head))]
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            return lines
        # The footer is refused, where a record or the method of a proof within the proof is due.
        is_due = outcome.code in GOES_ON and outcome.line > len(lines)
        if is_due and len(lines) < MOST_LINES + len(known):
            alive.append(lines)
    return None


def _record(rng: random.Random, words: Mapping[str, Draw], known: Sequence[str], place: int) -> str:
    if known and rng.random() < 0.7:
        at = place if rng.random() < 0.8 else rng.randrange(len(known))
        return known[min(at, len(known) - 1)]
    word = rng.choice(list(words))
    return f"{word}{''.join(f' {x:x}' for x in words[word](rng))}"


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


def entries(rng: random.Random, n: int) -> list[str]:
    return [rng.choice(("0", "0", "1", "1", "-1", "2")) for _ in range(n)]


def random_network(rng: random.Random, n: int, hidden: Sequence[int]) -> dict[str, Any]:
    """With a few small weights."""
    widths = [n, *hidden, rng.choice((1, 1, 2))]
    layers = [
        {"inputs": a, "matrix": ["1", [entries(rng, a + 1) for _ in range(b)]], "outputs": b}
        for a, b in pairwise(widths)
    ]
    return {"layers": layers}


def random_domain(rng: random.Random, n: int) -> dict[str, Any]:
    """Space, the orthant, a plane, a point, a strip, an open half-space; (1, …, 1) is inside."""
    units = [["1" if i == j else "0" for j in range(n)] for i in range(n)]
    rows: list[list[list[Any]]] = [[], [["ge", [*row, "0"]] for row in reversed(units)]]
    rows.append([["eq", [*row, "-1"]] for row in reversed(units)])
    if n:
        strip = [["ge", ["-1", *units[0][1:], "2"]], ["ge", [*units[0], "0"]]]
        rows += [[["eq", [*units[0], "-1"]]], strip, [["gt", [*units[0], "0"]]]]
    return {"dim": n, "rows": rng.choice(rows)}


def first_lines(claim: dict[str, Any], method: str) -> list[str]:
    """The claim, its method, and the point inside its domain."""
    value = {"claim": claim, "format": "exactrelu-certificate/2"}
    lines = [json.dumps(value, sort_keys=True, separators=(",", ":")), f"by {method}"]
    if "rows" in claim.get("domain", {}):
        lines.append(" ".join(["inside", *"1" * claim["domain"]["dim"], "1"]))
    return lines
