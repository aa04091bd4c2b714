"""Trees of signs as the checker reads them: its own arithmetic at leaves, and its cells.

What a search in floats believes (:mod:`.duals`) is rounded to what a file may say, multipliers to
few bits, shares to bytes, and tried with the kernel of the checker
(``exactrelu_checker.splits``), many leaves at once.  The ends of all units on the box are those
that it computes.

*Where all neurons that bend are cut*, the outputs are affine, and whether a point of the part
satisfies the case is one exact linear program, over the rows that the checker has there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from exactrelu_checker.bounds import Node
from exactrelu_checker.box_cells import BoxTree
from exactrelu_checker.file import Refused
from exactrelu_checker.objects import read_network, read_system
from exactrelu_checker.splits import FINE, Leaf, Splits
from exactrelu_checker.tree import UNDECIDED
from flint import fmpq

from exactrelu.cells.box_bounds import TimedProof
from exactrelu.cells.chain import Floats
from exactrelu.cells.replay import short
from exactrelu.certificates.certificate import encoded, record
from exactrelu.certificates.evidence import weights2
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import common_denominator, to_float
from exactrelu.exact.sums import total
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.properties.duals import Numbers
from exactrelu.questions.properties.property import Property

#: Leaves that go through the kernel together, as in the checker.
TOGETHER = 64
#: Ends are integers over 2^40, β over 2^16, shares over 255.
ENDS, BETAS, SHARES = 2.0**40, 2.0**16, 255.0
#: Weights below this part of the largest are left out.
SMALL = 2.0**-20

#: A leaf as the checker reads it.
CheckedLeaf: TypeAlias = Leaf

#: Neurons, counted through all layers, with their signs, in the order of their cuts.
Path = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class CaseGoals:
    """The goals of a case as rows of the checker, for mixtures of them by floats.

    ``place`` counts the cases that are searched; ``numbers`` are those of rows, with the sign that
    a multiplier gets; ``sizes`` what goals were divided by.
    """

    case: int
    place: int
    numbers: tuple[tuple[int, int], ...]
    sizes: Floats
    #: The coefficients of goals over what units pass on that do, and these units.
    rows: Floats
    kept: Numbers

    def pairs(self, weights: Floats) -> list[tuple[int, int]]:
        """Rows with integer multipliers, for weights of goals."""
        used = [k for k, weight in enumerate(weights) if weight > SMALL * weights.max()]
        if len(used) == 1:
            return [self.numbers[used[0]]]
        values = [short(float(weights[k] / self.sizes[k])) for k in used]
        den = common_denominator(values)
        chosen = [self.numbers[k] for k in used]
        return [(r, sign * int(x * den)) for (r, sign), x in zip(chosen, values, strict=True)]

    def scale(self, leaf: CheckedLeaf, pairs: Sequence[tuple[int, int]], weights: Floats) -> float:
        """What the mixture of goals is multiplied by in a leaf of the checker.

        Its weights are those of the pairs, as floats may cancel where these do not.
        """
        used = weights > SMALL * weights.max()
        exact = np.zeros(len(weights))
        exact[used] = [to_float(fmpq(abs(x))) for _, x in pairs] * self.sizes[used]
        mixed = total((exact[:, None] * self.rows).T) * (weights.max() / exact.max())
        at = int(np.abs(mixed).argmax()) if mixed.size else 0
        if not mixed.size or not mixed[at]:
            return 1.0
        return abs(to_float(fmpq(leaf.row[self.kept[at]])) / ENDS / float(mixed[at]))


class SignKernel:
    """The checker's arithmetic for the cases of a property on the box of its domain."""

    def __init__(self, asked: Property, effort: Effort) -> None:
        """Refused where the box has not all its ends, or numbers are too long for the checker."""
        proof = TimedProof(effort)
        networks = [read_network(encoded(network)) for network in asked.networks]
        domain = read_system(encoded(asked.domain))
        self.splits = Splits(proof, networks, domain, asked.input_copies)
        self._cases = [self.splits.case_of(read_system(encoded(case))) for case in asked.cases]
        #: Rows of the domain as the checker counts them, before those of a case.
        self.n_rows = len(self.splits.lines)

    @classmethod
    def of(cls, asked: Property, effort: Effort = UNLIMITED) -> SignKernel | None:
        """The arithmetic for a property, if the checker can do it."""
        try:
            return cls(asked, effort)
        except Refused:
            return None

    def box(self) -> tuple[Floats, Floats]:
        """The ends of t in floats."""
        low = np.array([to_float(fmpq(x)) for x in self.splits.lows])
        widths = np.array([to_float(fmpq(x)) for x in self.splits.widths])
        return low / ENDS, (low + widths) / ENDS

    def ends(self) -> list[tuple[Floats, Floats]]:
        """The ends of all units in floats, step by step."""
        found = []
        for ends in self.splits.ends:
            both = np.array([[to_float(fmpq(x)) for x in pair] for pair in ends])
            found.append((both[:, 0] / ENDS, both[:, 1] / ENDS))
        return found

    def neurons(self) -> list[tuple[int, int]]:
        """The neurons of all layers: their units, with the signs that the ends show, or 0."""
        splits, found, start = self.splits, list[tuple[int, int]](), 0
        for layer, ends in zip(splits.network.hidden, splits.ends, strict=True):
            for j, (low, _) in enumerate(ends):
                if j not in layer.linear:
                    sign = 0 if start + j in splits.places else 1 if low >= 0 else -1
                    found.append((start + j, sign))
            start += len(ends)
        return found

    def leaf(
        self, case: int, path: Path, pairs: Sequence[tuple[int, int]], shares: bytes
    ) -> CheckedLeaf | None:
        """The sum of a leaf with β = 0, as the checker has it; None if it takes none."""
        numbers = [len(pairs), *(x for pair in pairs for x in pair), *[0] * len(path)]
        try:
            return self.splits.summed(self._cases[case], path, numbers, shares)
        except Refused:
            return None

    def with_betas(self, leaf: CheckedLeaf, betas: Sequence[int]) -> CheckedLeaf:
        """The same leaf with other β."""
        pairs = zip(leaf.cuts.items(), betas, strict=True)
        cuts = {u: (sign, beta << FINE) for (u, (sign, _)), beta in pairs}
        return leaf._replace(cuts=cuts)

    def closes(self, leaves: Sequence[CheckedLeaf | None]) -> list[bool]:
        """Which of some leaves contradict their sums."""
        known = iter(self._closes([leaf for leaf in leaves if leaf is not None]))
        return [leaf is not None and next(known) for leaf in leaves]

    def _closes(self, leaves: Sequence[CheckedLeaf]) -> list[bool]:
        found: list[bool] = []
        for start in range(0, len(leaves), TOGETHER):
            part = leaves[start : start + TOGETHER]
            try:
                least = self.splits.below(part)
            except Refused:
                least = [-1] * len(part)
            pairs = zip(part, least, strict=True)
            found += [low > 0 or (leaf.strict and not low) for leaf, low in pairs]
        return found

    def exactly(self, case: int, path: Path, effort: Effort) -> list[str] | Solution:
        """Where all neurons that bend are cut: a point t that satisfies a case, or the records.

        The rows are those of the checker, so that multipliers are too.
        """
        tree = BoxTree(self.splits, Node((), ends=self.splits.ends), path)
        node, records = tree.root(), ["cells"]
        for unit, _ in sorted(path):
            _, j, _, layer = tree.unit(unit)
            (stage,) = node.stages
            # A neuron that is constant, after the cuts before, has the sign of the constant.
            if stage.layer == layer and stage.signs[j] is UNDECIDED:
                (node,) = tree.visit(node, "split", [unit])
                records.append(record("split", unit))
        (stage,) = node.stages
        factor = stage.factor * self.splits.network.layers[-1].den // self.splits.chart.factor
        rows = [
            Row.of(row[:-1], row[-1], Sense.GREATER if strict else Sense.AT_LEAST)
            for row, strict in zip(node.rows, node.strict, strict=True)
        ]
        for line in self._cases[case]:
            over = zip(*stage.rows, strict=True)
            more = [sum(map(int.__mul__, line.outputs, column)) for column in over]
            row = [factor * x + y for x, y in zip(line.inputs, more, strict=True)]
            sense = Sense.EQUAL if line.strict is None else Sense.AT_LEAST
            rows.append(Row.of(row[:-1], row[-1], Sense.GREATER if line.strict else sense))
        answer = feasible(LinearSystem(node.dim, tuple(rows)), effort=effort)
        if isinstance(answer, Solution):
            return answer
        return [*records, "never", record("case", *weights2(answer.multipliers))]
