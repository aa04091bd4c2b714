"""Accepted cases with huge numbers in the place of their own: each ends soon, with a verdict.

``python tests/checker/huge.py CASE…`` checks, in a process whose memory is bounded,

- each integer of the claim and of records alone, in the place of which stands each of ``HUGE``;
- integers of the claim together, all or those with one value, as counts must fit each other;
- systems and matrices without rows, which no length holds to their dimensions, in all these claims,
  with the records as they are, and with the first number of each record only, in front of ``HUGE``.

It prints a line for each file that takes more than ``SECONDS`` or ``MEMORY``, or that the checker
had not foreseen: there may be none. With ``--few`` a number is huge in one way, and in records only
if it is one of the first.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2] / "proofs")]

from bundles import cases, sealed  # noqa: E402
from exactrelu_checker.check import Question, check_stream  # noqa: E402
from exactrelu_checker.file import canonical  # noqa: E402

HUGE = (10**15 - 1, 2**63, 10**30)
COUNT = 10**15 - 1  # a JSON number has at most 15 characters
SECONDS, MEMORY = 5, 100_000_000
FIRST = 3

Path_ = tuple[Any, ...]


def places(value: Any, at: Path_ = ()) -> Iterator[Path_]:
    """Where a claim has integers."""
    if isinstance(value, dict | list):
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(entry, (*at, key))
    elif type(value) is int or (isinstance(value, str) and re.fullmatch("-?[0-9a-f]+", value)):
        yield at


def entry_at(value: Any, at: Path_) -> Any:
    for key in at:
        value = value[key]
    return value


def changed(claim: Any, chosen: list[Path_], change: Callable[[Any], Any]) -> Any:
    """A claim with other entries at some places."""
    found = json.loads(json.dumps(claim))
    for at in chosen:
        entry_at(found, at[:-1])[at[-1]] = change(entry_at(found, at))
    return found


def counts(claim: Any) -> list[Path_]:
    return [at for at in places(claim) if type(entry_at(claim, at)) is int]


def emptied(value: Any, dimension: int) -> Any:
    """Systems and matrices in a claim without rows, and with this dimension."""
    if isinstance(value, list):
        return [emptied(entry, dimension) for entry in value]
    if not isinstance(value, dict):
        return value
    if "dim" in value:
        return {"dim": dimension, "rows": []}
    if "cols" in value:
        return {"cols": dimension, "matrix": ["1", []], "rows": 0}
    return {key: emptied(entry, dimension) for key, entry in value.items()}


def claims(claim: Any, few: bool) -> Iterator[Any]:
    """A claim with huge numbers."""
    for at in places(claim):
        if type(entry_at(claim, at)) is int:
            yield changed(claim, [at], lambda _: COUNT)
        else:
            for huge in HUGE[-1:] if few else HUGE:
                yield changed(claim, [at], lambda _, huge=huge: f"{huge:x}")
    for dimension in (None, 0, COUNT):
        part = claim if dimension is None else emptied(claim, dimension)
        values: dict[int, list[Path_]] = {}
        for at in counts(part):
            values.setdefault(entry_at(part, at), []).append(at)
        # The fields of the claim itself, and with them what its objects have.
        own = [at for at in counts(part) if len(at) < 3]
        for chosen in ([], own, counts(part), *values.values()):
            yield changed(part, chosen, lambda _: COUNT)


def files(lines: tuple[str, ...], few: bool) -> Iterator[list[str]]:
    """The lines of a case with huge numbers."""
    head = json.loads(lines[0])
    records = [line.split(" ") for line in lines[1:]]
    short = [" ".join(words[:2]) for words in records]
    for claim in claims(head["claim"], few):
        first = canonical({**head, "claim": claim})
        yield [first, *lines[1:]]
        yield [first, *short]
    seen: set[tuple[str, int]] = set()
    for i, words in enumerate(records):
        for j in range(1, len(words)) if words[0] != "by" else ():
            if few and (j > FIRST or (words[0], j) in seen):
                continue
            seen.add((words[0], j))
            for huge in HUGE[-1:] if few else (*HUGE, -HUGE[0]):
                new = [*words[:j], f"{huge:x}", *words[j + 1 :]]
                yield [lines[0], *lines[1 : i + 1], " ".join(new), *lines[i + 2 :]]


class Late(BaseException):
    """Too much time was taken: no Exception, which the checker would make a verdict of."""


def late(*_: object) -> None:
    """Stop what is done."""
    raise Late


def complaint(data: bytes) -> str:
    """What is wrong with how the checker ends on a file, or nothing."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = process_time()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        stream = io.BufferedReader(io.BytesIO(data))  # type: ignore[arg-type]
        outcome = check_stream("a file", stream, Question())
    except Late:
        return f"more than {SECONDS} s"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    if outcome.code in ("internal-error", "out-of-memory"):
        return f"{outcome.code}: {outcome.why}"
    return f"{grown} bytes in {process_time() - start:.1f} s" if grown > MEMORY else ""


def main() -> None:
    """Check all files of some cases."""
    known = cases()
    parser = argparse.ArgumentParser(description="Accepted cases with huge numbers.")
    parser.add_argument("names", nargs="+", metavar="CASE", choices=known)
    parser.add_argument("--few", action="store_true")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
    signal.signal(signal.SIGPROF, late)
    total = 0
    for name in given.names:
        for lines in files(known[name].lines, given.few):
            total += 1
            if said := complaint(sealed(lines)):
                print(f"{name}: {said}: {' / '.join(lines)[:400]}", flush=True)
    print(f"{total} files", file=sys.stderr)


if __name__ == "__main__":
    main()
