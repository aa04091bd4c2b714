"""Writes trees of faces of small networks with fractions, by Fourier-Motzkin elimination.

The nodes are those of the checker; what is found is checked by it again. Domains may be flat.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm, prod

from exactrelu_checker.faces import FaceTree
from exactrelu_checker.file import Limits, Proof, Refused
from exactrelu_checker.objects import Network, System
from exactrelu_checker.tree import OPEN, Node, Tree
from face_points import solve


def record(word: str, *numbers: int) -> str:
    return " ".join([word, *(f"{x:x}" for x in numbers)])


def whole(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """Numerators over a common denominator."""
    den = lcm(*(x.denominator for x in values))
    return [int(x * den) for x in values], den


class Written:
    """The records of a tree, and its leaves with a point in the coordinates of the node."""

    def __init__(
        self, networks: Sequence[Network], domain: System, made: type[Tree] = FaceTree
    ) -> None:
        stream = io.BufferedReader(io.BytesIO(b""))  # type: ignore[arg-type]
        self.tree = made(Proof(stream, Limits(fuel=10**15)), networks, domain, OPEN)
        self.networks = networks
        self.leaves: list[tuple[Node, list[Fraction]]] = []
        self.lines = list(self._lines())

    def _lines(self) -> Iterator[str]:
        stack = [self.tree.root()]
        while stack:
            node = stack.pop()
            word, numbers = self.step(node)
            yield record(word, *numbers)
            if word != "cell":
                stack.extend(reversed(self.tree.visit(node, word, numbers)))

    def step(self, node: Node) -> tuple[str, list[int]]:
        """The record of a node."""
        place = self._next(node)
        rows = [[Fraction(x) for x in row] for row in node.rows]
        if place is None:
            point, _ = solve(rows, node.dim)
            assert point is not None
            self.leaves.append((node, point))
            nums, den = whole(point)
            return "cell", [*nums, den]
        number, row = place
        mine = [Fraction(x) for x in row]
        other = [-x for x in mine]
        below, no_below = solve([*rows, other], node.dim)
        above, no_above = solve([*rows, mine], node.dim)
        if below is not None and above is not None:
            return "split", [number]
        weights, _ = whole(no_below if below is None else no_above)
        *values, last = [x // (gcd(*weights) or 1) for x in weights]
        pairs = [(r, value) for r, value in enumerate(values) if value]
        s = 2 * number + (below is None)
        return "side", [s, last, len(pairs), *(x for pair in pairs for x in pair)]

    def _next(self, node: Node) -> tuple[int, Sequence[int]] | None:
        """Number and row of an undecided neuron."""
        start = 0
        for stage, network in zip(node.stages, self.networks, strict=True):
            for layer, each in enumerate(network.hidden):
                if layer == stage.layer:
                    unit = stage.signs.index(None)
                    return start + unit, stage.rows[unit]
                start += len(each.rows)
        return None

    def point(self, word: str, node: Node, t: Sequence[Fraction]) -> str:
        """The record of a point x of a leaf."""
        at = [*t, Fraction(1)]
        stage = node.stages[0]
        # The inputs come before all layers, whose denominators are in the factor.
        factor = Fraction(stage.factor, prod(n.den for n in self.networks[0].layers[: stage.layer]))
        x = [sum((a * b for a, b in zip(row, at, strict=True)), Fraction(0)) / factor
             for row in stage.passed[0] if row is not None]  # fmt: skip
        nums, den = whole(x)
        return record(word, *nums, den)


def with_faces(networks: Sequence[Network], domain: System, lines: Sequence[str]) -> list[str]:
    """A tree of faces as a proof of all sign vectors, which are listed before it.

    Listed are those up to the record that the checker refuses, if there is one.
    """
    text = "".join(f"{line}\n" for line in lines).encode()
    proof = Proof(io.BufferedReader(io.BytesIO(text)), Limits(fuel=10**15))  # type: ignore[arg-type]
    found = []
    try:
        for codimension, layers in FaceTree(proof, networks, domain, OPEN).faces():
            signs = [sign for layer in layers for sign in layer]
            masks = [sum(1 << i for i, s in enumerate(signs) if s == side) for side in (1, -1)]
            found.append(record("face", codimension, *masks))
    except Refused:
        pass
    return [record("faces", len(found)), *found, "by faces", *lines]
