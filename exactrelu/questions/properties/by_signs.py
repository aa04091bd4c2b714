"""Properties of networks with many inputs: points, then for each case a tree of signs of neurons.

A box of hundreds of inputs cannot be cut into boxes, but only some neurons bend on it, and each cut
of one of them takes away what its relaxation loses (:mod:`.sign_search`).  The ends of neurons on
the box, in the checker's arithmetic, come first; then points are tried (:mod:`.attack`), few and
then many; then case by case a tree is searched, the proof of which the checker's arithmetic has
tried already (:mod:`.sign_kernel`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from exactrelu.cells.box_bounds import has_box
from exactrelu.cells.chain import Chain
from exactrelu.certificates.certificate import record
from exactrelu.effort import Effort
from exactrelu.exact.scalar import Vector
from exactrelu.questions.properties.attack import Attack
from exactrelu.questions.properties.domain_rows import DomainRows
from exactrelu.questions.properties.duals import BoxedNetwork, Duals
from exactrelu.questions.properties.free_outputs import Contradictions
from exactrelu.questions.properties.given_trees import Leaf, grown
from exactrelu.questions.properties.points import Points
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.sign_kernel import CaseGoals, SignKernel
from exactrelu.questions.properties.sign_search import SignPart, SignTree
from exactrelu.words import count

#: Points for each case, and their steps, before any bound.
FEW = 20, 40


def can_use_signs(asked: Property) -> bool:
    """Whether trees of signs can prove a property: one without clauses, on a box with all ends."""
    return asked.statement[0] in ("property", "within") and has_box(asked.domain)


class BySigns:
    """The search for all cases; ``records`` are those of the cases that are done."""

    def __init__(
        self,
        asked: Property,
        chain: Chain,
        kernel: SignKernel,
        free: Contradictions,
        trees: Mapping[int, Sequence[Leaf]],
        effort: Effort,
    ) -> None:
        """The chain and the property are about the cases that do not contradict themselves.

        The search of some cases may begin with the trees that are given for them.
        """
        self._chain, self._kernel, self._free, self._effort = chain, kernel, free, effort
        self._n_cases, self._trees = len(asked.cases) + len(free), trees
        low, high = kernel.box()
        pairs = zip(chain.steps, kernel.ends(), strict=True)
        steps = [(step.affine, *ends) for step, ends in pairs]
        self._box = BoxedNetwork(low, high, steps, [step.linear.tolist() for step in chain.steps])
        self._rows = DomainRows.of(asked.domain)
        self._duals: list[Duals] = []
        self._goals: list[CaseGoals] = []
        cases = (k for k in range(self._n_cases) if k not in free)
        for case, goals in zip(cases, chain.cases, strict=True):
            self._add(case, goals.tolist())
        self._points = Points(asked, effort)
        self.attack = Attack(self._box, self._duals, self._points, effort)
        self.records: list[str] = []
        self.n_leaves = 0
        #: Of given trees: their parts, those that were cut further, those that no leaf was.
        self.given = self.cut_further = self.missing = 0
        self._n_done = 0
        self._current: SignTree | None = None

    def _add(self, case: int, goals: list[int]) -> None:
        """The goals of a case, and the rows of the domain that are no ends, negated."""
        chain, n = self._chain, self._kernel.n_rows
        further = np.zeros((len(self._rows), chain.goal_rows.shape[1]))
        if len(self._rows):
            further[:, -self._rows.rows.shape[1] :] = -self._rows.rows
        duals = Duals(self._box, np.concatenate([chain.goal_rows[goals], further]))
        sizes = np.concatenate([chain.sizes[goals], self._rows.sizes]) * duals.sizes
        numbers = [(n + chain.goals[k].row, -chain.goals[k].sign) for k in goals]
        numbers += [(number, 1) for number in self._rows.numbers]
        self._duals.append(duals)
        self._goals.append(
            CaseGoals(case, len(self._goals), tuple(numbers), sizes, duals.goals, self._box.kept)
        )

    def point(self) -> Vector | None:
        """A point x that satisfies a case; None if there is none, which ``records`` prove."""
        cases = list(range(len(self._goals)))
        if self.attack.climb(cases, *FEW):
            return self.attack.found
        goals = iter(self._goals)
        for case in range(self._n_cases):
            if case in self._free:
                self.records.append(record("leaf", *self._free[case]))
                self.n_leaves += 1
            else:
                found = self._case(next(goals))
                if found is not None:
                    return found
            self._n_done += 1
        return None

    def _case(self, goals: CaseGoals) -> Vector | None:
        """A point that satisfies one case; if there is none its records are added."""
        duals = self._duals[goals.place]
        root = SignPart()
        if goals.case in self._trees:
            root = self._grown(self._trees[goals.case])
        search = SignTree(self._kernel, duals, goals, self.attack, root, self._effort)
        self._current = search
        if search.run():
            found = search.point
            return self.attack.found if found is None else self._points.shortened(found)
        self._current = None
        if goals.case in self._trees:
            self.cut_further += sum(1 for part in search.first if part.parts)
        self.records += search.records()
        self.n_leaves += search.n_leaves
        return None

    @property
    def told(self) -> str:
        """What became of the trees that were given."""
        if not self._trees:
            return ""
        parts = f"{count(self.given, 'part')} from trees"
        return f"; {parts}, {self.cut_further:,} cut further, {self.missing:,} that no leaf has"

    def _grown(self, leaves: Sequence[Leaf]) -> SignPart:
        root, n_missing = grown(leaves, self._kernel.neurons(), self._effort)
        self.given += sum(1 for part in root.leaves() if not part.parts)
        self.missing += n_missing
        return root

    @property
    def share(self) -> float:
        """The part of all trees that is closed, where each cut makes halves."""
        part = 0.0 if self._current is None else self._current.share
        return (self._n_done + part) / self._n_cases
