"""Writes claims by shards: the tree of the whole, and the claims of its pieces.

The domains of pieces are found in another way than the checker's: neurons are composed over x with
fractions, equations are brought to reduced echelon form, and all other rows are reduced by it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import Any

from box_writer import proof_of
from brute_force import integer, layers
from exactrelu_checker.faces import FaceTree
from exactrelu_checker.objects import chart, read_domain, read_network
from exactrelu_checker.tree import Node, Tree
from face_points import solve
from face_writer import Written, record, whole

Row = list[Fraction]
Pairs = list[tuple[str, Row]]
Cut = tuple[int, Row]  # the sign of a row over x


def echelon(rows: Sequence[Row]) -> dict[int, Row]:
    """The reduced echelon form of equations, by pivots."""
    found: dict[int, Row] = {}
    for row in rows:
        row = reduced(row, found)
        at = next((i for i, x in enumerate(row[:-1]) if x), None)
        if at is not None:
            row = [x / row[at] for x in row]
            found = {i: reduced(other, {at: row}) for i, other in found.items()} | {at: row}
    return found


def reduced(row: Row, known: dict[int, Row]) -> Row:
    """A row where equations hold, without their pivots."""
    for at, equation in known.items():
        row = [x - row[at] * e for x, e in zip(row, equation, strict=True)]
    return row


def encoded(dim: int, pairs: Pairs) -> dict[str, Any]:
    """The JSON of a domain."""
    found = set()
    for sense, row in pairs:
        nums, _ = whole(row)
        nums = [x // (gcd(*nums) or 1) for x in nums]
        if sense == "eq" and next(x for x in nums if x) < 0:
            nums = [-x for x in nums]
        found.add((sense, tuple(nums)))
    return {"dim": dim, "rows": [[s, [f"{x:x}" for x in row]] for s, row in sorted(found)]}


def part_of(domain: Any, cuts: Sequence[Cut], sense: str) -> dict[str, Any]:
    """The domain of the points of another one where rows have signs."""
    given = [(s, [Fraction(integer(x)) for x in row]) for s, row in domain["rows"]]
    equations = [row for s, row in given if s == "eq"] + [row for sign, row in cuts if not sign]
    hull = echelon(equations)
    inner = [pair for pair in given if pair[0] != "eq"]
    lines = [reduced([sign * x for x in row], hull) for sign, row in cuts if sign]
    kept = [(sense, row) for row in lines if any(row[:-1])]
    return encoded(domain["dim"], [*(("eq", row) for row in hull.values()), *inner, *kept])


def row_of(network: Any, decided: Sequence[Sequence[int | None]], k: int) -> Row:
    """The preactivation of unit k over x, where the layers before it have signs."""
    n = network["layers"][0]["inputs"]
    passed = [[Fraction(i == j) for j in range(n + 1)] for i in range(n)]
    one = [*[Fraction(0)] * n, Fraction(1)]
    for number, (rows, linear) in enumerate(layers(network)):
        values = [
            [sum(x, Fraction(0)) for x in zip(*([w * e for e in line] for w, line in
                zip(row, [*passed, one], strict=True)), strict=True)]
            for row in rows
        ]  # fmt: skip
        if k < len(rows):
            return values[k]
        k -= len(rows)
        kept = [unit in linear or sign == 1 for unit, sign in enumerate(decided[number])]
        passed = [row if on else [Fraction(0)] * (n + 1)
                  for row, on in zip(values, kept, strict=True)]  # fmt: skip
    raise IndexError(k)


class Open:
    """A tree of ``regions`` or ``complex`` with shards after some cuts."""

    def __init__(self, rng: random.Random, claim: Any, depth: int) -> None:
        self.is_complex = claim["kind"] == "complex"
        made = FaceTree if self.is_complex else Tree
        net, domain = read_network(claim["network"]), read_domain(claim["domain"])
        self.lines: list[str] = []
        self.pieces: list[dict[str, Any]] = []
        self.counts = [0] * (domain.dim + 1 if self.is_complex else 1)
        whole_tree = Written([net], domain, made)
        stack: list[tuple[Node, list[Cut]]] = [(whole_tree.tree.root(), [])]
        while stack:
            node, cuts = stack.pop()
            word, numbers = whole_tree.step(node)
            if word != "cell" and len(cuts) >= depth and rng.random() < 0.9:
                place = part_of(claim["domain"], cuts, "gt")
                counts = [0] * len(self.counts)
                for leaf, _ in Written([net], read_domain(place), made).leaves:
                    counts[leaf.dim if self.is_complex else 0] += 1
                said = {"counts": counts} if self.is_complex else {"count": counts[0]}
                self.pieces.append({**claim, **said, "domain": place})
                word, numbers = "shard", counts
            elif word == "cell":
                counts = [int(not self.is_complex or k == node.dim)
                          for k in range(len(self.counts))]  # fmt: skip
            else:
                counts = [0] * len(self.counts)
                parts = whole_tree.tree.visit(node, word, numbers)
                signs = [0] if word == "side" else [-1, 0, 1] if len(parts) == 3 else [-1, 1]
                row = [] if word == "side" else row_of(
                    claim["network"], node.stages[0].decided, numbers[0])  # fmt: skip
                for part, sign in reversed([*zip(parts, signs, strict=True)]):
                    stack.append((part, [*cuts, *([(sign, row)] if row else [])]))
            self.counts = [a + b for a, b in zip(self.counts, counts, strict=True)]
            self.lines.append(record(word, *numbers))


class Closed:
    """A tree of cuts with shards, for claims about all points of a domain."""

    def __init__(self, rng: random.Random, claim: Any, depth: int) -> None:
        domain = claim["domain"]
        given = [(s, [Fraction(integer(x)) for x in row]) for s, row in domain["rows"]]
        hull = echelon([row for s, row in given if s == "eq"])
        free = [i for i in range(domain["dim"]) if i not in hull]
        inner = [(s, reduced(row, hull)) for s, row in given if s != "eq"]
        start = [[*(row[i] for i in free), row[-1]] for _, row in inner]
        strict = [s == "gt" for s, _ in inner]
        factor = chart(proof_of(), read_domain(domain)).factor  # of the rows of D over t
        self.lines: list[str] = []
        self.pieces: list[dict[str, Any]] = []
        stack: list[tuple[list[Cut], int]] = [([], depth)]
        while stack:
            cuts, left = stack.pop()
            rows = [*start, *([sign * row[i] for i in (*free, -1)] for sign, row in cuts)]
            point, refuted = solve(rows, len(free))
            if point is None:
                scaled = [x * (1 if r < len(start) else factor) for r, x in enumerate(refuted)]
                pairs = [(r + 1, x) for r, x in enumerate(whole(scaled)[0]) if x]
                self.lines.append(record("empty", len(pairs), *(x for p in pairs for x in p)))
                continue
            row = self._row(rng, rows, strict, len(free)) if left else None
            if row is None:
                self.lines.append("shard")
                self.pieces.append({**claim, "domain": part_of(domain, cuts, "ge")})
                continue
            self.lines.append(record("cut", *map(int, row)))
            lifted = dict(zip(free, row, strict=False))
            over_x = [*(lifted.get(i, Fraction(0)) for i in range(domain["dim"])), row[-1]]
            stack += [([*cuts, (sign, over_x)], left - 1) for sign in (1, -1)]

    @staticmethod
    def _row(rng: random.Random, rows: list[Row], strict: list[bool], dim: int) -> Row | None:
        """A row whose parts have inner points or no points at all."""
        for _ in range(20 if dim else 0):
            row = [Fraction(rng.randint(-2, 2)) for _ in range(dim + 1)]
            parts = [[*rows, [s * x for x in row]] for s in (1, -1)]
            if any(row[:-1]) and all(_is_plain(part, strict, dim) for part in parts):
                return row
        return None


def _is_plain(rows: list[Row], strict: list[bool], dim: int) -> bool:
    """Whether a part has an inner point or no point at all; the first rows may be strict."""
    point, refuted = solve(rows, dim)
    if point is not None:
        return True
    constant = sum((w * row[-1] for w, row in zip(refuted, rows, strict=True)), Fraction(0))
    return constant < 0 or any(w and s for w, s in zip(refuted, strict, strict=False))


def sharded(rng: random.Random, claim: Any, depth: int) -> tuple[list[str], list[dict[str, Any]]]:
    """The tree of a claim, and the claims of its shards; numbers of the claim are set."""
    if claim["kind"] not in ("regions", "complex"):
        found = Closed(rng, claim, depth)
        return found.lines, found.pieces
    tree = Open(rng, claim, depth)
    claim.update({"counts": tree.counts} if tree.is_complex else {"count": tree.counts[0]})
    return tree.lines, tree.pieces
