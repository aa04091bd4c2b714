"""Does no point of a box fit a case? Branch and bound over signs of neurons, best first.

A *part* of the box, where some neurons have given signs, is closed if a mixture of goals is > 0 on
it (:mod:`.duals`) and the checker's arithmetic says so too (:mod:`.sign_kernel`): a part that fails
that is open again.  The open parts with the least bounds come first, some of them together.  Each
is cut by one of a few neurons, those whose relaxation is farthest from a ReLU at the point of the
bound and those whose chord loses most, the one whose two parts have the best bounds without any
climbing (filtered branching; Bunel, Lu, Turkaslan, Torr, Kohli, Kumar 2020).

The points of relaxations may fit the case and are tried.  Where no neuron is left to be cut, an
exact linear program decides.

What is chosen depends on floats, and these on the question only (:mod:`exactrelu.exact.sums`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

import numpy as np

from exactrelu.certificates.certificate import record
from exactrelu.effort import Effort
from exactrelu.exact.scalar import Vector
from exactrelu.polyhedra.answers import Solution
from exactrelu.questions.properties.attack import Attack
from exactrelu.questions.properties.duals import DualBounds, DualLeaves, Duals
from exactrelu.questions.properties.sign_kernel import (
    BETAS,
    SHARES,
    TOGETHER,
    CaseGoals,
    CheckedLeaf,
    SignKernel,
)

#: Parts that are bounded together.
BATCH = 32
#: Steps of climbing for the whole box, and for each part.
ROOT_STEPS, STEPS = 40, 15
#: Neurons that are tried for a cut, half of them by either score.
TRIED = 6
#: What a bound must be above to be tried by the checker's arithmetic, goals being about 1.
CLEAR = 2.0**-16
#: A case that is not closed after so many parts were cut gets so many points, and their steps.
LATE, MANY = 8, (100, 100)
#: Of equal cuts the one whose parts have the better bounds.
TIE = 2.0**-10


@dataclass(eq=False)
class SignPart:
    """A part of the box: cut by a neuron, closed by a record, left to exact arithmetic, or open."""

    path: tuple[tuple[int, int], ...] = ()
    unit: int = -1
    parts: tuple[SignPart, ...] = ()
    #: The shares of its leaf, and its record.
    shares: bytes = b""
    closing: str = ""
    #: Instead of a leaf.
    records: list[str] = field(default_factory=list)

    def cut(self, unit: int) -> None:
        """Cut it by a neuron: first the part where it is off."""
        self.unit = unit
        self.parts = tuple(SignPart((*self.path, (unit, sign))) for sign in (-1, 1))

    def leaves(self) -> Iterator[SignPart]:
        """The part itself, or all parts of it that are not cut, in the order of the proof."""
        stack = [self]
        while stack:
            part = stack.pop()
            stack.extend(reversed(part.parts))
            yield part


@dataclass
class OpenPart:
    """An open part, its leaf in floats, and what its bound says of neurons."""

    part: SignPart
    leaf: DualLeaves
    bound: DualBounds


class SignTree:
    """The search for one case, which begins with the parts of a tree."""

    def __init__(
        self,
        kernel: SignKernel,
        duals: Duals,
        goals: CaseGoals,
        attack: Attack,
        root: SignPart,
        effort: Effort,
    ) -> None:
        self.kernel, self.duals, self.goals, self.attack = kernel, duals, goals, attack
        self.effort = effort
        self.root = root
        #: The parts that it begins with.
        self.first = [part for part in root.leaves() if not part.parts]
        #: A point t that an exact linear program found.
        self.point: Vector | None = None
        self._heap: list[tuple[float, int, OpenPart]] = []
        self._order = count()
        self._n_cut = 0
        self._places = {int(u): k for k, u in enumerate(duals.box.neurons)}
        #: Parts that floats believe to be closed.
        self._believed: list[tuple[OpenPart, CheckedLeaf | None]] = []
        #: The share of the tree that is closed, each cut making halves.
        self.share = 0.0

    @property
    def is_found(self) -> bool:
        """Whether a point fits the case."""
        return self.point is not None or self.attack.is_found

    def run(self) -> bool:
        """Whether a point fits the case; if not, all parts are closed."""
        whole = self.duals.whole()
        best = int(np.argmax(self.duals.bounded(whole, is_full=False).low))
        leaf, bound = self.duals.best(whole.take([best]), ROOT_STEPS, CLEAR)
        if self.root.parts:
            self._begin(leaf)
        else:
            self._sort([self.root], leaf, bound)
        while not self.is_found:
            if len(self._believed) >= TOGETHER or not self._heap:
                self._try_believed()
            if not self._heap:
                break
            n_cut, before = self._advance(), self._n_cut
            self.effort.spend("parts", n_cut)
            self._n_cut += n_cut
            if before < LATE <= self._n_cut and not self.is_found:
                self.attack.climb([self.goals.place], *MANY)
        return self.is_found

    def _begin(self, leaf: DualLeaves) -> None:
        """Bound the first parts, with the multipliers of the whole box."""
        for start in range(0, len(self.first), TOGETHER):
            parts = self.first[start : start + TOGETHER]
            self.effort.spend("parts", len(parts))
            leaves = leaf.take([0] * len(parts))
            for row, part in enumerate(parts):
                for unit, sign in part.path:
                    leaves.signs[row, self._places[unit]] = sign
            self._sort(parts, *self.duals.best(leaves, ROOT_STEPS, CLEAR))

    def _sort(self, parts: Sequence[SignPart], leaves: DualLeaves, bound: DualBounds) -> None:
        """Take note of parts with their bounds."""
        for i, part in enumerate(parts):
            one = OpenPart(part, leaves.take([i]), bound.take([i]))
            if bound.low[i] > CLEAR:
                self._believed.append((one, self._written(one)))
            else:
                self._push(one)

    def _push(self, one: OpenPart) -> None:
        heappush(self._heap, (float(one.bound.low[0]), next(self._order), one))

    # --- Closed parts

    def _written(self, one: OpenPart) -> CheckedLeaf | None:
        """The leaf of a part as the checker reads it, with its record; None if there is none."""
        part, leaf, bound = one.part, one.leaf, one.bound
        pairs = self.goals.pairs(leaf.weights[0])
        given = np.rint(leaf.shares[0] * SHARES)
        # Where a share says nothing the first one stands, so that files are short.
        counts = (leaf.signs[0] == 0) & (bound.slopes[0] > 0)
        first = np.frombuffer(self.kernel.splits.shares, dtype=np.uint8)
        part.shares = np.where(counts, given, first).astype(np.uint8).tobytes()
        found = self.kernel.leaf(self.goals.case, part.path, pairs, part.shares)
        if found is None:
            return None
        scale = self.goals.scale(found, pairs, leaf.weights[0])
        betas = [int(np.rint(leaf.betas[0, self._places[u]] * scale * BETAS)) for u, _ in part.path]
        numbers = [len(pairs), *(x for pair in pairs for x in pair), *betas]
        part.closing = record("leaf", *numbers)
        return self.kernel.with_betas(found, betas)

    def _try_believed(self) -> None:
        """Try parts by the arithmetic of the checker; those that fail are open."""
        waiting, self._believed = self._believed, []
        found = self.kernel.closes([leaf for _, leaf in waiting])
        for (one, _), is_closed in zip(waiting, found, strict=True):
            if is_closed:
                self.share += 0.5 ** len(one.part.path)
            else:
                one.part.closing = ""
                self._push(one)

    # --- Open parts

    def _advance(self) -> int:
        """Cut the worst parts; how many."""
        taken = [heappop(self._heap)[2] for _ in range(min(BATCH, len(self._heap)))]
        points = np.concatenate([one.bound.points for one in taken])
        if self.attack.tries(self.goals.place, points):
            return len(taken)
        left = []
        for one in taken:
            if (one.leaf.signs != 0).all():
                self._decide(one.part)
            else:
                left.append(one)
        if left and not self.is_found:
            parts, leaves = self._cut(left)
            leaves, bound = self.duals.best(leaves, STEPS, CLEAR)
            self._sort(parts, leaves, bound)
        return len(taken)

    def _decide(self, part: SignPart) -> None:
        """Decide exactly where all neurons have signs."""
        answer = self.kernel.exactly(self.goals.case, part.path, self.effort)
        if isinstance(answer, Solution):
            self.point = answer.flint_point
            return
        part.records = answer
        self.share += 0.5 ** len(part.path)

    def _cut(self, taken: Sequence[OpenPart]) -> tuple[list[SignPart], DualLeaves]:
        """Cut each part by the best of some neurons: both parts, and their leaves."""
        tried = [self._neurons(one) for one in taken]
        owners = [i for i, places in enumerate(tried) for _ in places for _ in range(2)]
        leaves = DualLeaves.joined([one.leaf for one in taken]).take(owners)
        chosen = np.repeat([place for places in tried for place in places], 2)
        leaves.signs[np.arange(len(chosen)), chosen] = np.tile([-1, 1], len(chosen) // 2)
        low = np.minimum(self.duals.bounded(leaves, is_full=False).low, CLEAR)
        both = low.reshape(-1, 2)
        score = np.minimum(both, 0).sum(axis=1) + TIE * both.sum(axis=1)
        parts: list[SignPart] = []
        rows: list[int] = []
        start = 0
        for one, places in zip(taken, tried, strict=True):
            best = start + int(np.argmax(score[start : start + len(places)]))
            unit = int(self.duals.box.neurons[chosen[2 * best]])
            one.part.cut(unit)
            parts += one.part.parts
            rows += [2 * best, 2 * best + 1]
            start += len(places)
        return parts, leaves.take(rows)

    def _neurons(self, one: OpenPart) -> list[int]:
        """The places of neurons that may be cut: the largest gaps, and the largest losses."""
        box, free = self.duals.box, one.leaf.signs[0] == 0
        losses = np.minimum(one.bound.slopes[0], 0) * box.ends_low * box.ends_high
        losses = losses / (box.ends_high - box.ends_low)
        found: list[int] = []
        n = min(TRIED, int(free.sum()))
        for score, most in ((one.bound.gaps[0], (n + 1) // 2), (losses, n)):
            order = np.argsort(-np.where(free, score, -1.0), kind="stable")
            found += [int(k) for k in order if k not in found and free[k]][: most - len(found)]
        return found

    def records(self) -> Iterator[str]:
        """The records of the proof of the case."""
        shares = self.kernel.splits.shares
        for part in self.root.leaves():
            if part.parts:
                yield record("cut", part.unit)
                continue
            if part.closing and part.shares != shares:
                shares = part.shares
                yield record("slopes", int.from_bytes(shares, "little"))
            yield from part.records or [part.closing]

    @property
    def n_leaves(self) -> int:
        """The parts of the proof."""
        return sum(1 for part in self.root.leaves() if not part.parts)
