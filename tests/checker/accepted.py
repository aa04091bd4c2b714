"""Walks of accepted mutants: of each kind as many as are wanted, all judged by brute force.

    python tests/checker/accepted.py [--number N] [--seconds S] [--seed SEED] KIND…

A walk begins at accepted files of a kind. A step changes numbers, words, lists or records of one of
the files that are known; what the checker accepts is judged by a decider that shares nothing with
it, and if its claim is a new one the file may be changed again, so that walks come far from where
they began. A row is printed for each kind: mutants, accepted ones, those whose claim is none of
the files at the start, different claims among them, and those that were too large to be judged.
Where a claim holds all that can be computed (``fresh``), files of the library join the walk.
A claim that is accepted and false ends the program with its file.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here), str(here / "brute"), str(here.parents[1] / "proofs")]
    sys.path.append(str(here.parents[1]))

import claim_truth
import test_brute_faces
import test_brute_force
import test_brute_force_fibers
import test_brute_force_lemmas
import test_brute_force_linear
from bundles import cases, sealed
from flint import fmpq
from mutating import rearranged
from test_cases import check_bytes

from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Network
from exactrelu.questions.fibers.three_layers import fiber
from exactrelu.questions.linear import nonnegative_column_rank

Lines = list[str]
FIBERS = (
    "fiber-dimension", "fiber-equations", "fiber-half-lines", "fiber-layerwise", "fiber-parts",
    "fiber-strata",
)  # fmt: skip
FACES = ("determined", "folds", "honest", "no-chain")
HOLDERS = ("counterexample", "facts")
KINDS = (*HOLDERS, *FACES, *FIBERS, "nonnegative-column-rank")
KEPT = Path(__file__).resolve().parents[2] / "proofs" / "certificates"
#: Kinds of facts that brute force knows.
JUDGED = {*claim_truth.KINDS, *claim_truth.FACE_KINDS, *claim_truth.FOLD_KINDS}
#: Bytes of a file and of a claim that are changed: larger ones are judged slowly.
LARGEST, LONGEST = 8000, 3000
#: Files that are known, beside those at the start.
KNOWN = 400


class Tally(NamedTuple):
    """What came of the mutants of a kind."""

    mutants: int = 0
    accepted: int = 0
    moved: int = 0
    claims: int = 0
    open: int = 0


@cache
def is_true(text: str) -> bool | None:
    """Whether a claim, given as its JSON, is true; None if it is too large to be judged."""
    claim = json.loads(text)
    if claim["kind"] in FIBERS:
        return bool(test_brute_force_fibers.is_true(text))
    if claim["kind"] == "nonnegative-column-rank":
        return bool(test_brute_force_linear.nonnegative_rank(claim))
    return claim_truth.is_true(claim)


def sources(kind: str) -> list[Lines]:
    """Accepted files of a kind: cases, and kept certificates."""
    found = [
        list(case.lines)
        for case in cases().values()
        if case.verdict == "ACCEPTED" and not case.options and case.bundle != "file"
    ]
    for path in sorted(KEPT.rglob("*.cert.jsonl")):
        if path.stat().st_size < LARGEST:
            found.append(path.read_text(encoding="utf-8").splitlines()[:-1])
    return [lines for lines in found if is_judged(kind, lines)]


def is_judged(kind: str, lines: Lines) -> bool:
    """Whether brute force knows claims like that of a file, and its kind is the one wanted."""
    size = sum(map(len, lines))
    if size > LARGEST or len(lines[0]) > LONGEST or '"linear":[' in lines[0]:
        return False
    claim = json.loads(lines[0])["claim"]
    if claim["kind"] != kind:
        return False
    return kind not in HOLDERS or {fact["kind"] for fact in claim["facts"]["list"]} <= JUDGED


def mutant(rng: random.Random, lines: Lines) -> Lines:
    """The lines with a change or two."""
    kind = json.loads(lines[0])["claim"]["kind"]
    if kind in HOLDERS:
        return test_brute_force_lemmas.mutant(rng, lines)
    lines = list(lines)
    for _ in range(rng.choice((1, 1, 1, 2))):
        what = rng.randrange(4)
        if what < 3:
            own = what == 0 and kind in FIBERS
            changed = test_brute_force_fibers.changed_claim
            changed = changed if own else test_brute_faces.mutated_claim
            # A claim that is none any more after a first change stays as it is.
            with suppress(IndexError, KeyError, TypeError, ValueError):
                lines[0] = changed(rng, lines[0])
        elif len(lines) > 2 and rng.random() < 0.5:
            lines = rearranged(rng, lines)
        else:
            others = test_brute_force.mutants(rng, ['{"claim":{}}', *lines[1:]])
            lines = [lines[0], *(line for line in others if not line.startswith("{"))]
    return lines


def fresh(kind: str, rng: random.Random) -> Lines | None:
    """A file that the library writes, of a kind whose claims hold all that can be computed."""
    certificate = None
    if kind == "nonnegative-column-rank":
        height, width = rng.randint(1, 4), rng.randint(1, 4)
        rows = [[fmpq(rng.choice((0, 1, -1, 2, -3))) for _ in range(width)] for _ in range(height)]
        certificate = nonnegative_column_rank(Matrix(rows, width)).certificate
    elif kind == "fiber-equations":
        widths = [rng.choice((1, 1, 2)), rng.randint(2, 4), rng.choice((1, 1, 2))]
        network = small_network(rng, widths)
        found = fiber(network, rng.choice((None, "orthant")), general=rng.random() < 0.5)
        components = list(found) if found.components else []
        if components:
            certificate = found.equations(rng.choice(components))
    return certificate and certificate.to_bytes().decode().splitlines()[:-1]


def small_network(rng: random.Random, widths: list[int]) -> Network:
    """Small integers, rows that share hyperplanes, and zeros."""
    pairs = list(pairwise(widths))
    weights = [[[fmpq(rng.choice((0, 1, -1, 2))) for _ in range(a)] for _ in range(b)]
               for a, b in pairs]  # fmt: skip
    biases = [[fmpq(rng.choice((0, 1, -1))) for _ in range(b)] for _, b in pairs]
    if rng.random() < 0.5:
        one, other = rng.sample(range(widths[1]), 2)
        factor = rng.choice((1, -1, 2))
        weights[0][one] = [factor * x for x in weights[0][other]]
        biases[0][one] = factor * biases[0][other]
    return Network.from_arrays(weights, biases)


class Walk:
    """Mutants of the files of a kind, one after the other."""

    def __init__(self, kind: str, seed: str) -> None:
        self.kind, self.rng = kind, random.Random(f"{kind} {seed}")
        self.start = sources(kind)
        self.known: list[Lines] = []
        self.given = {lines[0] for lines in self.start}
        self.claims: set[str] = set()
        self.tally = Tally()

    def step(self) -> None:
        """Change a file; judge the claim of the mutant if it is accepted."""
        far = self.known and self.rng.random() < 0.7
        new = fresh(self.kind, self.rng) if self.rng.random() < 0.3 else None
        lines = new or self.rng.choice(self.known if far else self.start)
        lines = mutant(self.rng, lines) if new is None or self.rng.random() < 0.5 else lines
        self.tally = self.tally._replace(mutants=self.tally.mutants + 1)
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict != "ACCEPTED" or not is_judged(self.kind, lines):
            return
        truth = is_true(json.dumps(json.loads(lines[0])["claim"], sort_keys=True))
        assert truth is not False, lines
        is_new = lines[0] not in self.given and lines[0] not in self.claims
        if lines[0] not in self.given:
            self.claims.add(lines[0])
        _, accepted, moved, _, unknown = self.tally
        self.tally = self.tally._replace(
            accepted=accepted + (truth is True),
            moved=moved + (lines[0] not in self.given),
            claims=len(self.claims),
            open=unknown + (truth is None),
        )
        if is_new and len(self.known) < KNOWN:
            self.known.append(lines)
        elif is_new:
            self.known[self.rng.randrange(KNOWN)] = lines


def walked(kind: str, seed: str, more: Callable[[Tally], bool]) -> Tally:
    """Walk while more is wanted."""
    walk = Walk(kind, seed)
    while more(walk.tally):
        walk.step()
    return walk.tally


def rows(kinds: list[str], number: int, seconds: float, seed: str) -> Iterator[str]:
    """Yield a row for each kind."""
    for kind in kinds:
        start = time.process_time()

        def more(tally: Tally, start: float = start) -> bool:
            return tally.accepted < number and time.process_time() - start < seconds

        tally = walked(kind, seed, more)
        spent = time.process_time() - start
        counts = (f"{n} {name}" for name, n in tally._asdict().items())
        yield f"{kind}: {', '.join(counts)}; {spent:.0f} s"


def main(arguments: list[str] | None = None) -> int:
    """Walk, and print the rows."""
    about: Any = __doc__
    parser = argparse.ArgumentParser(description=about.split("\n\n")[0])
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=1e9, help="of the processor, for a kind")
    parser.add_argument("--seed", default="0")
    parser.add_argument("kinds", nargs="*", metavar="KIND", default=list(KINDS))
    options = parser.parse_args(arguments)
    if unknown := [kind for kind in options.kinds if kind not in KINDS]:
        parser.error(f"no kind {unknown[0]!a}; there are {', '.join(KINDS)}")
    for row in rows(options.kinds, options.number, options.seconds, options.seed):
        print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
