"""Seconds for a billion units of fuel, by record: what a certificate asks for, and what it pays.

    python tests/checker/fuel.py [--least UNITS] [--cases SECONDS] FILE…

Each FILE is checked with much fuel, and the seconds and the units between two records are those of
the first of them, by ``kind method record``; ``claim`` is all that comes before the method. A
row is printed for all that spent UNITS or more in all files together. With ``--cases`` accepted
cases are measured too, each as a fact that is proved again and again, until it takes SECONDS. With
``--most RATE`` the exit code is 1 if a billion units of a row would take more seconds than that.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import Any, BinaryIO, NamedTuple

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2] / "proofs")]

from bundles import Case, cases, sealed
from exactrelu_checker import FORMAT
from exactrelu_checker.check import Question, check_stream
from exactrelu_checker.file import Limits, Proof, canonical

ENOUGH = 10**13


class Cost(NamedTuple):
    """Units of fuel and seconds."""

    units: int = 0
    seconds: float = 0.0

    def plus(self, other: Cost) -> Cost:
        """Both."""
        return Cost(self.units + other.units, self.seconds + other.seconds)

    @property
    def rate(self) -> float:
        """Seconds for a billion units."""
        return self.seconds * 1e9 / max(self.units, 1)


class Metered(Proof):
    """A proof that notes what each record costs."""

    costs: dict[str, Cost]

    def __init__(self, stream: Any, limits: Limits) -> None:
        super().__init__(stream, limits)
        self.costs, self._name, self._kind = {}, "claim", ""
        self._at = Cost(self.fuel, process_time())

    def _next(self, most: int = 10**12, before: int = 0) -> bytes:
        if before:
            return super()._next(most, before)
        self.note()
        line = super()._next(most)
        word, _, rest = line.decode("latin-1").partition(" ")
        if word == "by":
            self._method = rest.strip()
            word = "by"
        self._name = f"{self._kind} {self._method} {word.strip()}" if self._kind else "claim"
        return line

    def note(self) -> None:
        """Add what was spent since the last record to its name."""
        now = Cost(self.fuel, process_time())
        spent = Cost(self._at.units - now.units, now.seconds - self._at.seconds)
        self.costs[self._name] = self.costs.get(self._name, Cost()).plus(spent)
        self._at = now
        if not self._kind and hasattr(self, "stated"):
            claim = self.stated
            self._kind = f"{'' if claim.get('holds', True) else 'not '}{claim.get('kind')}"
            self._method = ""


def measured(stream: BinaryIO) -> tuple[str, dict[str, Cost]]:
    """The verdict on a file, and what each record of it costs."""
    proofs: list[Metered] = []

    def made(stream: Any, limits: Limits) -> Metered:
        proofs.append(Metered(stream, limits))
        return proofs[-1]

    import exactrelu_checker.check as checker

    before, checker.Proof = checker.Proof, made  # type: ignore[misc,assignment]
    try:
        outcome = check_stream("a file", stream, Question(Limits(fuel=ENOUGH)))  # type: ignore[arg-type]
    finally:
        checker.Proof = before  # type: ignore[misc]
    proofs[0].note()
    return f"{outcome.verdict} {outcome.code}".strip(), proofs[0].costs


def together(files: Iterable[dict[str, Cost]]) -> dict[str, Cost]:
    """The costs of several files."""
    found: dict[str, Cost] = {}
    for costs in files:
        for name, cost in costs.items():
            found[name] = found.get(name, Cost()).plus(cost)
    return found


def table(costs: dict[str, Cost]) -> str:
    """A line for each record, the dearest for its fuel first."""
    rows = sorted(costs.items(), key=lambda item: -item[1].rate)
    return "\n".join(
        f"{cost.rate:8.0f} s  {cost.units:13,} units  {cost.seconds:8.3f} s  {name}"
        for name, cost in rows
    )


def repeated(lines: Sequence[str], number: int) -> bytes:
    """A file of facts: so many times the claim of an accepted case, each with its proof."""
    fields = json.loads(lines[0])["claim"]
    subjects: dict[str, Any] = {}
    names = {name: canonical(value) for name, value in fields.items() if isinstance(value, dict)}
    for value in names.values():
        subjects.setdefault(value, f"@{len(subjects) + 1}")
    fact = fields | {name: subjects[value] for name, value in names.items()}
    facts = {"list": [fact] * number, "subjects": [json.loads(text) for text in subjects]}
    claim = {"claim": {"facts": facts, "kind": "facts"}, "format": FORMAT}
    return sealed([canonical(claim), "by facts", *list(lines[1:]) * number])


def cost_of_case(case: Case, seconds: float) -> Cost:
    """What an accepted case costs where it is proved so often that it takes some seconds."""
    number = 4
    while True:
        verdict, costs = measured(io.BufferedReader(io.BytesIO(repeated(case.lines, number))))
        if verdict != "ACCEPTED":
            raise ValueError(f"{case.bundle}/{case.name}: {verdict}")
        found = Cost()
        for cost in costs.values():
            found = found.plus(cost)
        if found.seconds > seconds:
            return found
        number *= 4


def usual() -> list[Case]:
    """Accepted cases that may be facts, the longest and the shortest of each kind and method."""
    found: dict[tuple[Any, ...], list[Case]] = {}
    for case in cases().values():
        if case.verdict == "ACCEPTED" and not case.options and case.lines[1] != "by shards":
            claim = json.loads(case.lines[0])["claim"]
            if claim["kind"] not in ("counterexample", "facts"):
                about = claim["kind"], claim.get("holds"), case.lines[1]
                found.setdefault(about, []).append(case)
    pairs = (sorted(each, key=lambda case: len(case.data)) for each in found.values())
    return [case for each in pairs for case in dict.fromkeys((each[0], each[-1]))]


def main() -> int:
    """Measure files."""
    parser = argparse.ArgumentParser(description="Seconds for a billion units of fuel.")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--cases", type=float, metavar="SECONDS")
    parser.add_argument("--most", type=float, metavar="RATE")
    parser.add_argument("--least", type=int, default=10_000)
    given = parser.parse_args()
    found = []
    for path in given.files:
        with open(path, "rb") as stream:
            verdict, costs = measured(stream)
        whole = together([{path.name: cost} for cost in costs.values()])[path.name]
        print(f"{verdict}  {whole.units:,} units, {whole.seconds:.2f} s: {path.name}")
        found.append(costs)
    for case in usual() if given.cases else ():
        claim = json.loads(case.lines[0])["claim"]
        about = f"{'' if claim.get('holds', True) else 'not '}{claim['kind']} {case.lines[1]}"
        found.append({f"{about}: {case.bundle}/{case.name}": cost_of_case(case, given.cases)})
    costs = {name: cost for name, cost in together(found).items() if cost.units >= given.least}
    print(table(costs))
    return int(given.most is not None and any(cost.rate > given.most for cost in costs.values()))


if __name__ == "__main__":
    sys.exit(main())
