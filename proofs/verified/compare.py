"""Compare the verified program with the checker in Python: all cases of the bundles, and mutants.

    python proofs/verified/compare.py [KIND…] [--mutants N] [--seed S]

Both must accept the same files and say the same sentence. Differences that are explained:

- a file that the verified program calls UNSUPPORTED: it says nothing about it;
- a file with a tree of boxes on which the fixed-point numbers of the checker in Python end (LIMIT,
  requirement B9): bounds of the verified program are sharper. If it accepts one, exact points of
  the domain are tried, none of which may satisfy a case or break the bound. So it is where a bound
  of `within` was changed by so little that only the sharper bounds refute that it is exceeded.

The exit code is 0 if there is no other difference.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "tests" / "checker")]

from bundles import cases, sealed  # noqa: E402
from exactrelu_checker.check import Outcome, Question, check_stream  # noqa: E402

PROGRAM = HERE / "exactrelu-verified"
KINDS = (
    "regions",
    "property",
    "equal",
    "within",
    "largest-difference",
    "in-range",
    "nonempty",
    "value",
    "rank",
    "transparent",
    "injective",
    "layer-injective",
)
_LONGEST = 20_000  # characters of a file of which mutants are made
_POINTS = 300  # that are tried where only one of both accepts
_BOXES = {"property", "within", "largest-difference", "in-range"}
_APART = {"within", "largest-difference"}
_EXACT = {"bounds-too-rough", "bounds-too-long"}


def program() -> str:
    """The program: what EXACTRELU_VERIFIED names, or the one that was built here."""
    named = os.environ.get("EXACTRELU_VERIFIED", "")
    return named if named not in ("", "required") else str(PROGRAM)


def kind_of(data: bytes) -> str | None:
    """The kind that a file claims, if that can be read."""
    try:
        return str(json.loads(data.split(b"\n", 1)[0])["claim"]["kind"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def by_python(data: bytes) -> Outcome:
    """What the checker in Python says."""
    return check_stream("f", io.BufferedReader(io.BytesIO(data)), Question())


def by_verified(files: Sequence[bytes]) -> list[tuple[str, str]]:
    """What the verified program says: a verdict, and the sentence or the reason."""
    said = []
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{i}" for i in range(len(files))]
        for name, data in zip(names, files, strict=True):
            Path(folder, name).write_bytes(data)
        for at in range(0, len(names), 500):
            part = names[at : at + 500]
            run = subprocess.run([program(), *part], cwd=folder, capture_output=True, text=True)
            said += [line.split(" ", 1) for line in run.stdout.splitlines()]
    if len(said) != len(files):
        raise RuntimeError(f"{len(said)} verdicts on {len(files)} files")
    return [
        (verdict, rest.rpartition(" [by ")[0] if verdict == "ACCEPTED" else rest)
        for verdict, rest in said
    ]


def differences(files: Sequence[bytes]) -> tuple[Counter[tuple[str, str]], list[tuple[int, str]]]:
    """How often each pair of verdicts occurs, and where they differ without a reason."""
    tally: Counter[tuple[str, str]] = Counter()
    found = []
    for i, (data, (verdict, said)) in enumerate(zip(files, by_verified(files), strict=True)):
        ours = by_python(data)
        tally[ours.verdict, verdict] += 1
        if verdict == "UNSUPPORTED" or ours.verdict == verdict != "ACCEPTED":
            continue
        if (ours.verdict == "ACCEPTED") == (verdict == "ACCEPTED"):
            if verdict != "ACCEPTED" or ours.claim == said:
                continue
        elif verdict == "ACCEPTED" and _is_limit(ours, data) and not satisfied(data):
            continue
        found.append((i, f"{ours.verdict} {ours.code} {ours.claim} | {verdict} {said}"))
    return tally, found


def _is_limit(ours: Outcome, data: bytes) -> bool:
    rough = ours.code == "no-contradiction" and data.split(b"\n", 2)[1] == b"by bounds"
    return ours.verdict == "LIMIT" or ours.code in _EXACT or (rough and kind_of(data) in _APART)


def satisfied(data: bytes, tries: int = _POINTS) -> bool:
    """Whether one of many points of the domain satisfies a case, or breaks the bound."""
    claim = json.loads(data.split(b"\n", 1)[0])["claim"]
    if claim["kind"] not in _BOXES:
        return False
    rng = random.Random(data)
    n, rows = claim["domain"]["dim"], claim["domain"]["rows"]
    ends = [[Fraction(-4), Fraction(4)] for _ in range(n)]
    for sense, row in rows:
        a = [int(v, 16) for v in row]
        at = [i for i in range(n) if a[i]]
        if sense != "eq" and len(at) == 1:
            ends[at[0]][a[at[0]] < 0] = Fraction(-a[-1], a[at[0]])
    for _ in range(tries):
        t = [rng.choice((0, 1, 1, 0, Fraction(rng.randrange(65), 64))) for _ in range(n)]
        x = [lo + (hi - lo) * v for (lo, hi), v in zip(ends, t, strict=True)]
        if solves(rows, x) and refuted_at(claim, x):
            return True
    return False


def refuted_at(claim: dict[str, Any], x: list[Fraction]) -> bool:
    """Whether a claim with a tree of boxes is false at a point of its domain."""
    if claim["kind"] == "property":
        y, start = list[Fraction](), 0
        for network in claim["networks"]:
            width = network["layers"][0]["inputs"]
            y += value(network["layers"], x[start : start + width])
            start += width
        return any(solves(case["rows"], x + y) for case in claim["cases"])
    if claim["kind"] == "in-range":
        den, *nums = (int(v, 16) for v in (claim["output"][0], *claim["output"][1]))
        return [v * den for v in value(claim["network"]["layers"], x)] == nums
    den, num = (int(v, 16) for v in claim["bound"])
    a, b = (value(claim[name]["layers"], x) for name in "ab")
    return any(abs(u - v) * den > num for u, v in zip(a, b, strict=True))


def value(layers: list[Any], x: list[Fraction]) -> list[Fraction]:
    """The outputs of a network at a point."""
    for k, layer in enumerate(layers):
        den, rows = layer["matrix"]
        x = [_sum(row, x) / int(den, 16) for row in rows]
        if k + 1 < len(layers):
            x = [v if u in layer.get("linear", ()) else max(v, Fraction()) for u, v in enumerate(x)]
    return x


def solves(rows: list[Any], x: list[Fraction]) -> bool:
    """Whether a point solves a system."""
    signs = {"eq": (0,), "ge": (0, 1), "gt": (1,)}
    return all(((z := _sum(row, x)) > 0) - (z < 0) in signs[sense] for sense, row in rows)


def _sum(row: list[str], x: list[Fraction]) -> Fraction:
    return sum((int(a, 16) * v for a, v in zip(row, [*x, Fraction(1)], strict=True)), Fraction())


def mutant(rng: random.Random, lines: Sequence[str]) -> list[str]:
    """Lines of a file of which one or two were changed."""
    lines = list(lines)
    for _ in range(rng.choice((1, 1, 1, 2))):
        at = rng.randrange(1, len(lines))
        what = rng.randrange(9)
        words = lines[at].split(" ")
        k = rng.randrange(1, len(words)) if len(words) > 1 else 0
        if what == 0 and len(lines) > 3:
            del lines[at]
        elif what == 1:
            lines.insert(at, lines[rng.randrange(1, len(lines))])
        elif what == 2:
            other = rng.randrange(1, len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif what == 8:
            claim = lines[0]
            places = [
                i
                for i, c in enumerate(claim)
                if c in "0123456789abcdef" and claim[i - 1] in '"-[,:'
            ]
            i = rng.choice(places)
            lines[0] = claim[:i] + rng.choice("0123456789") + claim[i + 1 :]
        elif k and what in (3, 4, 5) and words[0] != "by":
            old = int(words[k], 16)
            new = rng.choice((old + 1, old - 1, -old, 0, 2 * old, old ^ 1, rng.randrange(-9, 40)))
            words[k] = f"{new:x}"
            lines[at] = " ".join(words)
        elif k and what == 6:
            other = rng.randrange(1, len(words))
            words[k], words[other] = words[other], words[k]
            lines[at] = " ".join(words)
        elif k and what == 7:
            words[k : k + rng.randrange(2)] = [words[k]] * rng.randrange(3)
            lines[at] = " ".join(words)
    return lines


def plain_cases(kinds: Sequence[str]) -> dict[str, bytes]:
    """The files of all cases of these kinds, but those with options."""
    return {
        name: case.data
        for name, case in cases().items()
        if kind_of(case.data) in kinds and not case.options
    }


def mutants(kinds: Sequence[str], seed: int) -> Iterator[bytes]:
    """Mutants of cases that both accept, without an end."""
    rng = random.Random(f"{seed}")
    known = cases().values()
    good = [
        c.lines
        for c in known
        if kind_of(c.data) in kinds and not c.options and c.verdict == "ACCEPTED" and c.lines
    ]
    good = [lines for lines in good if sum(map(len, lines)) < _LONGEST]
    said = by_verified([sealed(lines) for lines in good])
    good = [lines for lines, (word, _) in zip(good, said, strict=True) if word == "ACCEPTED"]
    while True:
        yield sealed(mutant(rng, rng.choice(good)))


def main() -> int:
    """Compare, and print what differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--mutants", type=int, default=0, metavar="N", help="so many of each kind")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    options = parser.parse_args()
    code = 0
    for kind in options.kinds or KINDS:
        known = plain_cases([kind])
        source = mutants([kind], options.seed)
        for what, files in (
            ("cases", [*known.values()]),
            ("mutants", [next(source) for _ in range(options.mutants)]),
        ):
            tally, found = differences(files)
            listed = ", ".join(f"{a}/{b} {n}" for (a, b), n in tally.most_common())
            print(f"{kind}: {len(files)} {what}, {len(found)} unexplained differences ({listed})")
            for i, why in found[:30]:
                print(f"  {[*known][i] if what == 'cases' else i}: {why}")
            code |= bool(found)
    return code


if __name__ == "__main__":
    sys.exit(main())
