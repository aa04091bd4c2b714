"""Leaves of trees of boxes once more, from the words of the format alone, without packing.

What ``FORMAT.md`` says of bounds under *Trees of boxes* is enough for another program: this one, of
plain integers and fractions, says the same of every leaf of the cases, also of those that differ
from an accepted one by a unit.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from math import floor, lcm
from typing import Any

import pytest
from box_writer import proof_of
from brute_force import integer, layers
from bundles import Case, cases
from exactrelu_checker.objects import chart, read_domain

UNIT = 1 << 40
Ends = list[int | None]
Row = list[Fraction]


class Step:
    """Units with their rows, kinds, ends and forms on a box."""

    def __init__(self, rows: list[Row], kinds: str, n: int) -> None:
        self.weights = [[floor(w * (1 << 64)) for w in row] for row in rows]
        self.kinds, self.n = kinds, n  # of units: l(inear), n(euron), g(ap), w(atched)
        self.ends: list[Ends] = [[None, None] for _ in rows]
        self.forms: dict[int, list[list[int]]] = {}

    def neuron(self, j: int) -> str:
        """What a neuron passes on by its ends: z, 0, or it bends."""
        low, high = self.ends[j]
        return (
            "z" if low is not None and low >= 0 else "0" if high is not None and high <= 0 else "~"
        )

    def parts(self, j: int) -> list[tuple[int, int, str]]:
        """What unit j passes on: signs, rows, and how."""
        if self.kinds[j] in "ln":
            return [(1, j, "z" if self.kinds[j] == "l" else self.neuron(j))]
        f, g = self.neuron(j + 2 * self.n), self.neuron(j + self.n)
        if f == g:
            return [(1, j, "gap" if f == "~" else f)]
        return [(1, j + 2 * self.n, f), (-1, j + self.n, g)]

    def has_sign(self, j: int) -> bool:
        if self.kinds[j] == "w":
            return self.neuron(j) != "~"
        parts = self.parts(j)
        return len(parts) == 1 and parts[0][2] in "z0"

    def slack(self) -> int:
        lows = [self.ends[j][0] or 0 for j, kind in enumerate(self.kinds) if kind in "lg"]
        return slack(lows)

    def combination(self, c: dict[int, int]) -> list[int]:
        negative = sum(x for x in c.values() if x < 0)
        columns = range(len(self.weights[0]))
        return [
            (sum(x * self.weights[j][i] for j, x in c.items()) + negative) >> 64 for i in columns
        ]

    def down(self, a: Sequence[int]) -> tuple[list[int], int]:
        """The coefficients of a sum after the step, the last one constant, and what is lost."""
        slopes: dict[int, int] = {}
        lost = 0
        for j, coefficient in enumerate(a):
            for sign, row, how in self.parts(j):
                x = sign * coefficient
                low, high = min(self.ends[row][0] or 0, 0), max(self.ends[row][1] or 0, 0)
                slope = x if how == "z" else 0
                if how in ("~", "gap") and x < 0:
                    slope = floor(Fraction(x * high, high - low))
                    lost += min(-slope * low, (x - slope) * high)
                elif how == "gap":
                    other = floor(Fraction(x * low, high - low))
                    lost += min(other * high, (x + other) * low)
                    slope = -other
                elif how == "~":
                    slope = x if high > -low else 0
                slopes[row] = slopes.get(row, 0) + slope
        return self.combination(slopes), floor(Fraction(lost, UNIT))


def slack(lows: Sequence[int]) -> int:
    return floor(Fraction(2 * sum(min(low, 0) for low in lows), UNIT))


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
        self.steps, self.outputs, self.den = (gaps if word == "gaps" else joined)(
            claim["networks"], self.x)  # fmt: skip
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

    def slack_of(self, k: int) -> int:
        """Of what step k takes in."""
        return self.steps[k - 1].slack() if k else slack([low or 0 for low, _ in self.box])

    def form(self, k: int, a: list[int], constant: int) -> list[int]:
        """A sum of what step k - 1 passes on as a row over t."""
        for at in reversed(range(k)):
            (*a, last), lost = self.steps[at].down(a)
            constant += last + lost + self.slack_of(at)
        return [*a, constant]

    def below(self, k: int, j: int, sign: int) -> list[int]:
        *a, constant = self.steps[k].combination({j: sign * UNIT})
        return self.form(k, a, constant + self.slack_of(k))

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
        return floor(least / UNIT)

    def narrow(self) -> None:
        for step in self.steps:
            chosen = [j for j in step.forms if not step.has_sign(j)]
            new = {j: [self.end(form) for form in step.forms[j]] for j in chosen}
            for j, (low, minus_high) in new.items():
                step.ends[j] = [sharper(0, step.ends[j][0], low),
                                sharper(1, step.ends[j][1], -minus_high)]  # fmt: skip

    def anchor(self) -> None:
        self.narrow()
        for k, step in enumerate(self.steps):
            step.forms = {}
            for j in reversed(range(len(step.weights))):
                if step.ends[j][0] is None or not step.has_sign(j):
                    forms = [self.below(k, j, 1)]
                    step.ends[j][0] = sharper(0, step.ends[j][0], self.end(forms[0]))
                    if not step.has_sign(j):
                        forms.append(self.below(k, j, -1))
                        step.ends[j][1] = sharper(1, step.ends[j][1], -self.end(forms[1]))
                        step.forms[j] = forms

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
            *a, c = (floor(-x * UNIT / (1 << size)) for x in map(Fraction, over))
            *b, d = (floor(-x * UNIT / (1 << size)) for x in direct)
            k = len(self.steps)
            *a, c = self.form(k, a, c + d + self.slack_of(k) + self.slack_of(0))
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
        whole, kinds, start = [], "", 0
        for rows, linear, _ in (block[l] for block in blocks):
            for j, row in enumerate(rows):
                after = width - start - len(row) + 1
                whole.append([Fraction(0)] * start + row[:-1] + [Fraction(0)] * after + row[-1:])
                kinds += "l" if j in linear else "n"
            start += len(rows[0]) - 1
        den = lcm(*(block[l][2] for block in blocks))
        if l == 0:
            whole = [composed(row, x) for row in whole]
            den = lcm(*(w.denominator for row in whole for w in row)) if depth == 1 else den
        steps.append(Step(whole, kinds, 0))
    return steps[:-1], [[int(w * den) for w in row] for row in whole], den


def gaps(networks: list[Any], x: list[Row]) -> tuple[list[Step], list[list[int]], int]:
    """The chain of two networks by their differences."""
    n = networks[0]["layers"][0]["inputs"]
    steps = []
    for l, pair in enumerate(zip(*map(layers, networks), strict=True)):
        (ours, linear), (theirs, _) = pair
        if l == 0:
            left = [composed(row, x[:n]) for row in ours]
            right = [composed(row, x[n:]) for row in theirs]
        else:
            left = [[*row[:-1], *row] for row in ours]
            right = [[Fraction(0)] * (len(row) - 1) + row for row in theirs]
        both = [
            [a - b for a, b in zip(*rows, strict=True)] for rows in zip(left, right, strict=True)
        ]
        units = range(len(ours))
        kinds = "".join("l" if j in linear else "g" for j in units)
        kinds += "".join("l" if j in linear else "n" for j in units) + "w" * len(ours)
        steps.append(Step([*both, *right, *left], kinds, len(ours)))
    den = integer(networks[0]["layers"][-1]["matrix"][0])
    den *= integer(networks[1]["layers"][-1]["matrix"][0])
    if len(steps) == 1:
        den = lcm(*(w.denominator for row in (*left, *right) for w in row))
    return steps[:-1], [[int(w * den) for w in row] for row in (*left, *right)], den


def verdict(case: Case) -> bool:
    """Whether all leaves of a file refute all cases."""
    claim = json.loads(case.lines[0])["claim"]
    tree = Tree(claim, case.lines[3])
    stack = [(tree.box, [(step.ends, step.forms) for step in tree.steps])]
    for line in case.lines[4:]:
        word, *numbers = line.split(" ")
        values = [*map(integer, numbers)]
        box, known = stack.pop()
        tree.box = [[*ends] for ends in box]
        for step, (ends, forms) in zip(tree.steps, known, strict=True):
            step.ends, step.forms = [[*pair] for pair in ends], forms
        if word == "cut":
            i, v = values
            for side in (0, 1):
                part = [[*ends] for ends in box]
                part[i][side] = v
                stack.append((part, known))
        elif word == "anchor":
            tree.anchor()
            stack.append((tree.box, [(step.ends, step.forms) for step in tree.steps]))
        else:
            tree.narrow()
            for rows in tree.cases:
                m, *values = values
                pairs, values = values[: 2 * m], values[2 * m :]
                if not tree.is_refuted(rows, list(zip(pairs[::2], pairs[1::2], strict=True))):
                    return False
    return True


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
