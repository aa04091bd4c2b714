"""Leaves of trees of boxes once more, from the words of the format alone, without packing.

What ``FORMAT.md`` says of bounds under *Trees of boxes* is enough for another program: this one, of
plain integers and fractions, says the same of every leaf of the cases, also of those that differ
from an accepted one by a unit.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from fractions import Fraction
from math import floor, lcm
from typing import Any

import pytest
from box_writer import proof_of
from brute_force import integer, layers
from bundles import Case, cases
from exactrelu_checker.objects import chart, read_domain

UNIT = 1 << 40
FINE = 1 << 72
Ends = list[int | None]
Row = list[Fraction]
#: A row: an integer for each term, whose name is a number or (step, unit).
Terms = dict[Any, int]


class Step:
    """Units with their weights, ends and forms on a box; gaps are numbered after them."""

    def __init__(self, rows: list[Row], linear: set[int]) -> None:
        self.weights = [[floor(w * FINE) for w in row] for row in rows]
        self.is_exact = all((w * FINE).denominator == 1 for row in rows for w in row)
        self.linear, self.n = linear, len(rows)
        self.ends: dict[int, Ends] = {}
        self.forms: dict[int, list[list[int]]] = {}
        #: Of the anchor: its terms and their rows, the error of these, the span of those before.
        self.terms: list[int] = []
        self.rows: dict[int, Terms] = {}
        self.error, self.span = 0, 0

    def passes(self, j: int) -> str:
        """What unit j passes on by its ends: z, 0, or it bends."""
        low, high = self.ends.get(j, [None, None])
        if j in self.linear:
            return "~" if low is None else "z"
        return (
            "z" if low is not None and low >= 0 else "0" if high is not None and high <= 0 else "~"
        )

    def slope(self, j: int, a: int) -> tuple[int, int]:
        """The slope of the term of a unit or a gap, and what is lost."""
        low, high = (end or 0 for end in self.ends[j])
        low, high = min(low, 0), max(high, 0)
        if j >= self.n:
            both = {self.passes(j - self.n), self.passes(j - self.n // 2)}
            if both in ({"z"}, {"0"}):
                return (a if both == {"z"} else 0), 0
        elif j in self.linear:
            return a, 0
        if a < 0:
            slope = floor(Fraction(a * high, high - low)) if high > low else 0
            return slope, min(-slope * low, (a - slope) * high)
        if j < self.n:
            return (a if high >= -low else 0), 0
        slope = floor(Fraction(-a * low, high - low)) if high > low else 0
        return slope, min(-slope * high, (a - slope) * low)


def floored(pairs: list[tuple[int, Terms]], size: int, error: int, span: int) -> tuple[Terms, int]:
    """The floor of a sum of rows, and its error."""
    names = {name for _, row in pairs for name in row}
    sums = {name: sum(c * row.get(name, 0) for c, row in pairs) for name in names}
    is_rounded = any(x % FINE for x in sums.values())
    return {name: x // FINE for name, x in sums.items()}, (
        -floor(Fraction(-size * error, FINE)) + span * is_rounded
    )


def size_of(ends: Ends) -> int:
    low, high = ends
    assert low is not None
    assert high is not None
    return max(-low, high) // UNIT + 1


class Tree:
    """The chain of a claim, and its box."""

    def __init__(self, claim: Any, word: str) -> None:
        domain = read_domain(claim["domain"])
        base = chart(proof_of(), domain)
        self.factor, self.dim, n_inputs = base.factor, base.dim, domain.dim
        self.x = [[Fraction(x, base.factor) for x in row] for row in base.inputs]
        inner = [(s, row) for s, row in domain.pairs if s != "eq"]
        one = [Fraction(0)] * self.dim + [Fraction(1, base.factor)]
        self.rows = [(True, one), *((s == "gt", self.over_t(row)) for s, row in inner)]
        self.cases = [
            [(s, self.over_t([*row[:n_inputs], row[-1]]), row[n_inputs:-1])
             for s, row in ((s, [*map(integer, row)]) for s, row in case["rows"])]
            for case in claim["cases"]
        ]  # fmt: skip
        self.steps, self.outputs, self.den = joined(claim["networks"], self.x)
        self.in_pairs = word == "gaps"
        self.passed: list[Terms] = []
        self.error = self.size = self.span = 0
        self.box: list[Ends] = [[None, None] for _ in range(self.dim)]
        for _, row in self.rows:
            places = [i for i, x in enumerate(row[:-1]) if x]
            if len(places) == 1:
                (i,), side = places, int(row[places[0]] < 0)
                end = -row[-1] / row[i] * UNIT
                new = -floor(-end) if side else floor(end)
                self.box[i][side] = sharper(side, self.box[i][side], new)

    def over_t(self, row: Sequence[int]) -> Row:
        """A row over x as a row over t."""
        found = [sum((w * x[j] for w, x in zip(row, self.x, strict=False)), Fraction(0))
                 for j in range(self.dim + 1)]  # fmt: skip
        found[-1] += row[-1]
        return found

    def form(self, k: int, row: Terms, constant: int) -> list[int]:
        """A sum of terms that are known before step k, and a constant, as a row over t."""
        for at in reversed(range(k)):
            step = self.steps[at]
            pairs, lost = [], 0
            for j in step.terms:
                slope, less = step.slope(j, row.pop((at, j), 0))
                pairs.append((slope, step.rows[j]))
                lost += less
            size = sum(abs(c) for c, _ in pairs)
            added, error = floored(pairs, size, 2 * step.error, step.span)
            row = {name: row.get(name, 0) + added.get(name, 0) for name in {**row, **added}}
            constant += floor(Fraction(lost, UNIT)) - error
        return [*(row.get(i, 0) for i in range(self.dim)), row.get("1", 0) + constant]

    def least(self, form: Sequence[Fraction | int]) -> Fraction | None:
        """Over 2^40·2^40, on the box; None without a bound."""
        found = Fraction(form[-1]) * UNIT
        for x, (low, high) in zip(form, self.box, strict=False):
            end = low if x > 0 else high
            if x and end is None:
                return None
            found += x * (end or 0)
        return found

    def end(self, form: list[int]) -> int:
        least = self.least(form)
        assert least is not None
        return floor(least / FINE)

    def narrow(self) -> None:
        for step in self.steps:
            for j, (above, below) in step.forms.items():
                low, high = step.ends[j]
                step.ends[j] = [sharper(0, low, self.end(below)),
                                sharper(1, high, -self.end(above))]  # fmt: skip

    def anchor(self) -> None:
        self.narrow()
        names: list[Any] = [*range(self.dim), "1"]
        self.passed = [{name: FINE} for name in names]
        self.error, self.size = 0, 1 + sum(map(size_of, self.box))
        self.span, n_terms = self.size, len(names)
        for k, step in enumerate(self.steps):
            step.terms, step.rows, step.forms, step.span = [], {}, {}, self.span
            most, errors = max(sum(map(abs, row)) for row in step.weights), [0]
            for j, row in enumerate(step.weights):
                if step.passes(j) != "0":
                    pairs = list(zip(row, self.passed, strict=True))
                    step.rows[j], error = floored(pairs, most, self.error, self.span)
                    errors.append(error + (0 if step.is_exact else self.size))
            step.error = max(errors)
            for j in step.rows:
                if step.passes(j) == "~":
                    self.bound(k, j)
            half, gaps = step.n // 2, set()
            for j in range(half if self.in_pairs else 0):
                if step.passes(j) == step.passes(j + half) == "~":
                    gaps.add(j)
                    ours, theirs = step.rows[j], step.rows[j + half]
                    step.rows[step.n + j] = {
                        name: ours.get(name, 0) - theirs.get(name, 0) for name in {**ours, **theirs}
                    }
                    self.bound(k, step.n + j)
            alive = [j for j in range(step.n) if step.passes(j) != "0"]
            bent = [j for j in alive if step.passes(j) == "~"]
            step.forms = {j: step.forms[j] for j in (*bent, *(step.n + j for j in gaps))}
            is_all = len(bent) * (n_terms + len(alive)) > len(alive) ** 2
            is_all = is_all or step.error.bit_length() > 40
            chosen = alive if is_all else bent
            step.terms = [step.n + j if j in gaps else j for j in chosen]
            self.passed = []
            for j in range(step.n):
                own = (k, step.n + j if j in gaps else j)
                found = {own: FINE} if j in chosen else step.rows[j] if j in alive else {}
                self.passed.append({**found, (k, j + half): FINE} if j in gaps else found)
            self.passed.append({"1": FINE})
            n_terms = len(chosen) + (1 if is_all else n_terms)
            self.error = 0 if is_all else step.error
            self.size = 1 + sum(size_of(step.ends[j]) for j in alive)
            self.span = 1 if is_all else self.span
            self.span += sum(size_of(step.ends[j]) for j in step.terms)

    def bound(self, k: int, j: int) -> None:
        """Forms and ends of a unit, or a gap, of step k."""
        step = self.steps[k]
        low, high = step.ends.get(j, [None, None])
        above = self.form(k, {name: -x for name, x in step.rows[j].items()}, -2 * step.error)
        step.ends[j] = [low, sharper(1, high, -self.end(above))]
        step.forms[j] = [above]
        if j >= step.n or step.passes(j) != "0":
            below = self.form(k, dict(step.rows[j]), -2 * step.error)
            step.ends[j][0] = sharper(0, low, self.end(below))
            step.forms[j].append(below)

    def is_refuted(self, case: list[Any], pairs: Sequence[tuple[int, int]]) -> bool:
        """Whether a leaf refutes a case."""
        lines = [*((s, row, None) for s, row in self.rows), *case]
        chosen = [(value, *lines[r]) for r, value in pairs]
        row = [sum((v * x[i] for v, _, x, _ in chosen), Fraction(0)) for i in range(self.dim + 1)]
        weights = [sum(v * y[i] for v, _, _, y in chosen if y) for i in range(len(self.outputs))]
        strict = any(s in (True, "gt") for _, s, _, _ in chosen)
        direct = [self.factor * self.den * x for x in row]
        over = [self.factor * sum(w * o[i] for w, o in zip(weights, self.outputs, strict=True))
                for i in range(len(self.outputs[0]))]  # fmt: skip
        if self.steps and any(over[:-1]):
            size = max(int(abs(x)).bit_length() for x in over[:-1])
            *a, c = (floor(-x * FINE / (1 << size)) for x in map(Fraction, over))
            *b, d = (floor(-x * FINE / (1 << size)) for x in direct)
            pairs = list(zip(a, self.passed, strict=False))
            found, error = floored(pairs, sum(map(abs, a)), self.error, self.span)
            error += self.size + self.steps[0].span if size > 72 else 0
            *a, c = self.form(len(self.steps), found, c + d - error)
            least = self.least([*map(sum, zip(a, b, strict=True)), c])
        else:
            whole = over if not self.steps else [0] * self.dim + over[-1:]
            least = self.least([-x - y for x, y in zip(direct, whole, strict=True)])
        return least is not None and (least > 0 or (strict and least >= 0))


def sharper(side: int, old: int | None, new: int) -> int:
    return new if old is None else (max, min)[side](old, new)


def composed(row: Row, inputs: list[Row]) -> Row:
    """The row of a unit of the first layer over t."""
    size = len(inputs[0]) if inputs else 1
    found = [sum((w * x[j] for w, x in zip(row, inputs, strict=False)), Fraction(0))
             for j in range(size)]  # fmt: skip
    found[-1] += row[-1]
    return found


def joined(networks: list[Any], x: list[Row]) -> tuple[list[Step], list[list[int]], int]:
    """The chain of networks side by side."""
    depth = max(len(network["layers"]) for network in networks)
    blocks = []
    for network in networks:
        found = [(rows, [*linear], integer(one["matrix"][0])) for (rows, linear), one in
                 zip(layers(network), network["layers"], strict=True)]  # fmt: skip
        while len(found) < depth:
            rows, _, den = found[-1]
            found[-1] = rows, [*range(len(rows))], den
            unit = [[Fraction(i == j) for j in range(len(rows) + 1)] for i in range(len(rows))]
            found.append((unit, [], 1))
        blocks.append(found)
    steps = []
    for l in range(depth):
        width = sum(len(block[l][0][0]) - 1 for block in blocks)
        whole, carried, start = [], set(), 0
        for rows, linear, _ in (block[l] for block in blocks):
            for j, row in enumerate(rows):
                after = width - start - len(row) + 1
                carried |= {len(whole)} if j in linear else set()
                whole.append([Fraction(0)] * start + row[:-1] + [Fraction(0)] * after + row[-1:])
            start += len(rows[0]) - 1
        den = lcm(*(block[l][2] for block in blocks))
        if l == 0:
            whole = [composed(row, x) for row in whole]
            den = lcm(*(w.denominator for row in whole for w in row)) if depth == 1 else den
        steps.append(Step(whole, carried))
    return steps[:-1], [[int(w * den) for w in row] for row in whole], den


def verdict(case: Case) -> bool:
    """Whether all leaves of a file refute all cases."""
    claim = json.loads(case.lines[0])["claim"]
    tree = Tree(claim, case.lines[3])
    stack = [(tree.box, known(tree))]
    for line in case.lines[4:]:
        word, *numbers = line.split(" ")
        values = [*map(integer, numbers)]
        box, state = stack.pop()
        tree.box = [[*ends] for ends in box]
        restore(tree, state)
        if word == "cut":
            i, v = values
            for side in (0, 1):
                part = [[*ends] for ends in box]
                part[i][side] = v
                stack.append((part, state))
        elif word == "anchor":
            tree.anchor()
            stack.append((tree.box, known(tree)))
        else:
            tree.narrow()
            for rows in tree.cases:
                m, *values = values
                pairs, values = values[: 2 * m], values[2 * m :]
                if not tree.is_refuted(rows, list(zip(pairs[::2], pairs[1::2], strict=True))):
                    return False
    return True


def known(tree: Tree) -> Any:
    """What is known after an anchor."""
    names = ("ends", "forms", "terms", "rows", "error", "span")
    steps = [{name: getattr(step, name) for name in names} for step in tree.steps]
    return deepcopy((steps, tree.passed, tree.error, tree.size, tree.span))


def restore(tree: Tree, state: Any) -> None:
    steps, tree.passed, tree.error, tree.size, tree.span = deepcopy(state)
    for step, values in zip(tree.steps, steps, strict=True):
        vars(step).update(values)


def leaves_only(case: Case) -> bool:
    """Whether a case is about leaves, and well-formed."""
    is_about = case.bundle == "property" and (case.code or "no-contradiction") == "no-contradiction"
    words = {line.split(" ")[0] for line in case.lines[3:]}
    claimed = is_about and case.lines[1] == "by bounds" and '"kind":"property"' in case.lines[0]
    return claimed and not words & {"cells", "point"} and case.verdict != "LIMIT"


@pytest.mark.parametrize("key", [key for key, case in cases().items() if leaves_only(case)])
def test_the_format_is_enough(key: str) -> None:
    case = cases()[key]
    assert verdict(case) is (case.verdict == "ACCEPTED")
