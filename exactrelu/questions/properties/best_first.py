"""The largest difference of two networks on a box, in floats: the worst part is always cut next.

A box of the search (:mod:`.search`) for points beyond a *level* has a bound of the difference on
it: the level and what its margin is below 0.  The largest of those that are open bounds the
difference everywhere, and falls as the box that has it is cut.  Boxes closed at the level are at
most there.

The tree is one for every bound ε above the level at once: cut off below each box whose bound is at
most ε it is the tree of a proof that nothing is beyond ε (:func:`at_bound`), the smaller the larger
ε is.

Points do not end the search: the best of them is kept (:class:`Highest`).

Symbols: ε ``bound``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from exactrelu.cells.chain import Chain, Floats
from exactrelu.cells.crown import Numbers
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import Vector, rational, to_float
from exactrelu.questions.properties.pair import NetworkPair
from exactrelu.questions.properties.points import MOVES, Likely, Points, rounded
from exactrelu.questions.properties.search import BoxBranch, BoxSearch

#: A point is worth an exact evaluation if floats say that it is higher by this part.
HIGHER = 1e-3
#: Decimal places of points that are evaluated exactly.
PLACES = 9


class Highest(Points):
    """The point x at which the difference is largest among those that were seen.

    Guesses of floats are only compared by floats; the highest is evaluated when asked for.

    >>> from exactrelu.network.network import Network
    >>> from exactrelu.polyhedra.domain import Domain
    >>> from exactrelu.questions.properties.chain import side_by_side_chain
    >>> identity = Network.from_arrays([[[1]]], [[0]])
    >>> relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> asked = NetworkPair.within(identity, relu, Domain.of("box:-2,2", 1), fmpq(0))
    >>> highest = Highest(asked, side_by_side_chain(asked))
    >>> highest.look([-1.5]), highest.value, highest.evaluated(), highest.value, highest.x
    (False, 0, True, 3/2, (-3/2,))
    """

    def __init__(self, asked: NetworkPair, chain: Chain, effort: Effort = UNLIMITED) -> None:
        super().__init__(asked, effort)
        self._pair, self._chain, self._level = asked, chain, to_float(asked.bound)
        self.value, self.x = fmpq(-1), asked.domain.flint_point
        #: The difference at the highest guess, or at x.
        self.height = -np.inf
        self._guess: Sequence[float] | None = None
        self.see(self.x)

    def look(self, t: Sequence[float], is_likely: Likely = lambda _: True) -> bool:
        """Take note of a guess; it is no reason to stop."""
        _, goals = self._chain.values(np.array([t], dtype=float))
        height = float((self._level - goals * self._chain.sizes).max())
        if height > self.height * (1 + HIGHER) and is_likely(list(t)):
            self.height, self._guess = height, t
        return False

    def evaluated(self) -> bool:
        """Evaluate the highest guess exactly: whether it is the highest point."""
        guess, self._guess = self._guess, None
        if guess is None:
            return False
        for move in MOVES if self._ends.has_other_rows else MOVES[:1]:
            pairs = zip(map(rational, guess), self._inside, strict=True)
            moved = (x + move * (inner - x) for x, inner in pairs)
            t = tuple(self._ends.within(j, rounded(x, PLACES)) for j, x in enumerate(moved))
            x = self.asked.domain.flint_lift(t)
            if self.asked.domain.system.contains(x):
                return self.see(x)
        self.height = to_float(self.value)
        return False

    @property
    def output(self) -> int:
        """The output that differs most at x, from 1."""
        differences = self._pair.differences_at(self.x)
        return 1 + max(range(len(differences)), key=lambda k: abs(differences[k]))

    def see(self, x: Vector) -> bool:
        """Whether the difference at a point x of the domain is the largest so far."""
        value = max(map(abs, self._pair.differences_at(x)))
        is_highest = value > self.value
        if is_highest:
            self.value, self.x = value, x
        self.height = to_float(self.value)
        return is_highest


@dataclass
class BestFirst(BoxSearch):
    """The search whose worst open box comes first; ``level`` is the bound of its pair."""

    level: float = 0.0

    @property
    def most(self) -> float:
        """A bound of the difference in floats."""
        return max([self.most_open, *map(self.bound_on, self.exact)])

    @property
    def most_open(self) -> float:
        """A bound of the difference on all boxes that are not left to exact arithmetic."""
        return max([self.level, *(self.bound_on(item.branch) for item in self.stack)])

    def bound_on(self, branch: BoxBranch) -> float:
        """A bound of the difference on a box."""
        return self.level - branch.margin

    def _margins(self, by_case: Floats, best: Numbers) -> Floats:
        """What is left of boxes, in the size of the difference: a case has one goal."""
        return super()._margins(by_case * self.chain.sizes[best], best)

    def advance(self) -> None:
        """Bound the worst boxes, as many as a batch has, and cut them."""
        self.effort.spend()
        margins = np.array([item.branch.margin for item in self.stack])
        n = min(self.batch, len(margins))
        worst = set(np.argpartition(margins, n - 1)[:n].tolist())
        taken = [self.stack[i] for i in sorted(worst)]
        self.stack = [item for i, item in enumerate(self.stack) if i not in worst]
        with np.errstate(all="ignore"):
            self._look_at(taken)

    def cut_again(self, branch: BoxBranch) -> BoxBranch:
        """A copy of a box that is cut if it is not too narrow; the search takes no note of it."""
        found = BoxBranch(branch.low, branch.high, branch.depth)
        kept = self.stack, self.exact
        self.stack, self.exact, self.may_leave = [], [], False
        self.reopen(found)
        with np.errstate(all="ignore"):
            self._look_at([self.stack.pop()], may_close=False)
        self.stack, self.exact = kept
        self.may_leave = True
        return found


def at_bound(search: BestFirst, bound: float) -> BoxBranch:
    """A copy of the tree, cut off at boxes on which the difference is at most a bound."""
    goals = tuple(((goal, 1.0),) for goal in range(len(search.chain.goals)))
    root = BoxBranch(search.root.low, search.root.high)
    stack = [(search.root, root)]
    while stack:
        old, new = stack.pop()
        if old.is_closed:
            new.rows, new.closing, new.has_forms = old.rows, old.closing, old.has_forms
        elif search.bound_on(old) <= bound:
            # A box that was cut has been bounded by its own forms.
            new.closing, new.has_forms = goals, bool(old.parts) or old.is_exact
        elif old.parts:
            new.cut(old.axis, old.value)
            stack += zip(old.parts, new.parts, strict=True)
        else:
            new.is_exact = True
    return root
