"""Proofs of properties by trees of boxes, written at random by the classes of the checker.

Where bounds do not refute the cases, a tree of neurons does, with multipliers by Fourier-Motzkin
elimination.  So every property that holds gets a proof, of random cuts and anchors.
"""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from exactrelu_checker import property as properties
from exactrelu_checker.bounds import Node
from exactrelu_checker.box_cells import BoxTree
from exactrelu_checker.file import Limits, Proof, Refused
from exactrelu_checker.numbers import dot
from exactrelu_checker.objects import read_domain, read_network, read_system
from exactrelu_checker.property import Boxes, Line
from exactrelu_checker.tree import Node as Cell

Strict = bool | None
#: A row, whether it is strict, and of which rows it is a sum.
Sum = tuple[list[Fraction], bool, dict[int, Fraction]]


def proof_of(*lines: str) -> Proof:
    """The records of a file, with much fuel."""
    text = "".join(f"{line}\n" for line in lines).encode()
    return Proof(io.BufferedReader(io.BytesIO(text)), Limits(fuel=10**15))  # type: ignore[arg-type]


def refuting(rows: Sequence[Sequence[int]], strict: Sequence[Strict]) -> list[int] | None:
    """m r λ … that show that rows never hold at once; None if they do at some point."""
    found: list[Sum] = []
    for r, (row, is_strict) in enumerate(zip(rows, strict, strict=True)):
        for sign in (1, -1) if is_strict is None else (1,):
            entries = [Fraction(sign * x) for x in row]
            found.append((entries, bool(is_strict), {r: Fraction(sign)}))
    for k in range(len(rows[0]) - 1):
        rest = [one for one in found if not one[0][k]]
        lower = [one for one in found if one[0][k] > 0]
        upper = [one for one in found if one[0][k] < 0]
        rest += [_added(a, -b[0][k], b, a[0][k]) for a in lower for b in upper]
        found = list({(tuple(one[0]), one[1]): one for one in rest}.values())
    for row, is_strict, weights in found:
        if row[-1] < 0 or (is_strict and row[-1] <= 0):
            den = lcm(*(value.denominator for value in weights.values()))
            pairs = [(r, int(value * den)) for r, value in sorted(weights.items()) if value]
            return [len(pairs), *(x for pair in pairs for x in pair)]
    return None


def _added(a: Sum, s: Fraction, b: Sum, t: Fraction) -> Sum:
    row = [s * x + t * y for x, y in zip(a[0], b[0], strict=True)]
    names = sorted({*a[2], *b[2]})
    return row, a[1] or b[1], {r: s * a[2].get(r, 0) + t * b[2].get(r, 0) for r in names}


class Writer(Boxes):
    """Writes the records of a proof while it walks through its boxes."""

    def __init__(self, rng: random.Random, claim: dict[str, Any], word: str) -> None:
        proof = proof_of(word)
        domain = read_domain(claim["domain"])
        networks = [read_network(network) for network in claim["networks"]]
        super().__init__(proof, networks, domain)
        systems = [read_system(case) for case in claim["cases"]]
        self.cases: list[list[Line]] = [self.case_of(case) for case in systems]
        self.rng, self.records = rng, [word]

    def _say(self, word: str, *numbers: int) -> None:
        self.records.append(" ".join([word, *(f"{x:x}" for x in numbers)]))

    def write(self, depth: int) -> bool:
        """Write a tree with cuts up to some depth; whether the property holds."""
        stack = [(self.whole(), depth)]
        while stack:
            node, left = stack.pop()
            is_bounded = all(None not in ends for ends in node.box)
            if is_bounded and self.rng.random() < (0.3 if node.ends else 0.8):
                self._say("anchor")
                node = self.bounds.anchored(node)
            numbers = self._closing(self.bounds.narrowed(node))
            if numbers is not None:
                self._say("leaf", *numbers)
            elif left and node.box and self.rng.random() < 0.7:
                i = self.rng.randrange(len(node.box))
                low, high = node.box[i]
                low = (-5 << 40 if high is None else min(high, 0)) if low is None else low
                value = self.rng.randint(low, max(low, 5 << 40) if high is None else high)
                if self.rng.random() < 0.5 and low < 0 and (high is None or high > 0):
                    value = 0
                self._say("cut", i, value)
                stack += [(part, left - 1) for part in reversed(properties.parts(node, [i, value]))]
            else:
                self._say("cells")
                if not self._write_cells(BoxTree(self, self.bounds.narrowed(node))):
                    return False
        return True

    def _closing(self, node: Node) -> list[int] | None:
        """The numbers of a leaf that is right, if one row or two are enough for each case."""
        found: list[int] = []
        for case in self.cases:
            own = len(self.lines)
            rows = range(own, own + len(case))
            tries = [[1, r, sign] for r in rows for sign in (1, -1)]
            tries += [[2, r, 1, s, 1] for s in rows for r in range(s)]
            for numbers in tries:
                try:
                    self.leaf(node, [case], numbers)
                except Refused:
                    continue
                found += numbers
                break
            else:
                return None
        return found

    def _write_cells(self, tree: BoxTree) -> bool:
        """Write a tree of neurons; whether no cell has a point that satisfies a case."""
        stack = [tree.root()]
        while stack:
            cell = stack.pop()
            (stage,) = cell.stages
            free = [unit for unit, sign in enumerate(stage.signs) if sign is None]
            empty = refuting(cell.rows, cell.strict)
            if empty is not None:
                self._say("empty", *empty)
            elif stage.layer == len(self.network.hidden):
                self._say("never")
                for case in self.cases:
                    numbers = self._case(cell, case)
                    if numbers is None:
                        return False
                    self._say("case", *numbers)
            else:
                k = tree.firsts[0, stage.layer] + self.rng.choice(free)
                self._say("split", k)
                stack += reversed(tree.visit(cell, "split", [k]))
        return True

    def _case(self, cell: Cell, case: list[Line]) -> list[int] | None:
        (stage,) = cell.stages
        factor = stage.factor * self.network.layers[-1].den // self.chart.factor
        rows = [
            [factor * x + dot(line.outputs, [row[j] for row in stage.rows])
             for j, x in enumerate(line.inputs)]
            for line in case
        ]  # fmt: skip
        return refuting([*cell.rows, *rows], [*cell.strict, *(line.strict for line in case)])


def written(rng: random.Random, claim: dict[str, Any], word: str, depth: int) -> list[str] | None:
    """The records after the point inside; None if the property does not hold."""
    writer = Writer(rng, claim, word)
    return writer.records if writer.write(depth) else None
