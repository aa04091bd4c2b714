"""A proof that two networks are never farther apart than a bound, which gets better and better.

The tree of a search in floats (:mod:`.best_first`) is followed by the arithmetic of the checker: a
box gets an anchor, and so an upper bound of the difference on it that is proved.  The box with the
largest one is always replaced by its parts next, as far as the search has cut it.  Boxes to which
the search does not come, as floats think better of them or as they are for cells, are cut here.

*All bounds at once.*  The numbers of a leaf show one bound for all ε (``CheckerBoxes.bound`` of
:mod:`exactrelu.questions.properties.replay`).  A proof is written for an ε a little above those of
all its leaves, and those that come nearest are replayed with it.

*Anchors.*  A box inherits what its anchors show of units, and is bounded far better by that: floats
do the same at every box.  Where the bound is very far from that of the whole, by floats, signs are
all that parts inherit: only at every third level a box gets an anchor, if many units have signs.

Symbols: ε ``bound``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush, nlargest
from itertools import count

from flint import fmpq

from exactrelu.cells.replay import UNIT, Node
from exactrelu.certificates.certificate import record
from exactrelu.exact.scalar import ZERO, to_float
from exactrelu.questions.properties.best_first import BestFirst
from exactrelu.questions.properties.pair import NetworkPair
from exactrelu.questions.properties.replay import PERIOD, CheckerBoxes
from exactrelu.questions.properties.search import BoxBranch

#: A box is far if its bound is larger than that of the whole by this factor.
FAR = 256.0
#: The search does not come soon to boxes whose proved bound is so many times that of open boxes.
WORSE = 1 + 1 / 64
#: So many leaves are replayed with the bound of a proof.
N_REPLAYED = 3


@dataclass(eq=False)
class Box:
    """A box of the proof: what the checker knows before its anchor, and what it proves after it."""

    branch: BoxBranch
    given: Node
    #: After the anchor: what parts inherit, and a bound of the difference.
    node: Node | None = None
    bound: fmpq | None = None
    #: The numbers of a leaf.
    numbers: tuple[int, ...] = ()
    parts: tuple[Box, ...] = ()


class WorstFirst:
    """The boxes of a proof, by the kernel of a pair of networks with ε = 0, along a search.

    No box is cut to have a bound below ``least``, which may be what is rounded.
    """

    def __init__(
        self, kernel: CheckerBoxes, search: BestFirst, root: BoxBranch, least: float
    ) -> None:
        self._kernel, self.search, self._least, self._order = kernel, search, least, count()
        self._queue: list[tuple[float, int, Box]] = []
        self._plain = kernel.each_goal()
        self._root = Box(root, kernel.root)
        self._push(self._root, float("inf"))

    def advance(self, *, may_cut: bool = True) -> bool:
        """Make more of the worst box; whether that was possible, or the search must cut it."""
        if not self._queue:
            return False
        key, _, box = self._queue[0]
        if box.node is None and self._gets_anchor(box):
            heappop(self._queue)
            return self._anchor(box)
        may_cut = may_cut and -key > max(WORSE * self.search.most_open, self._least)
        if may_cut and not box.branch.parts:
            box.branch = self.search.cut_again(box.branch)
        if not box.branch.parts:
            return False
        heappop(self._queue)
        given = box.given if box.node is None else box.node
        halves = self._kernel.halves(given, box.branch.axis, box.branch.value)
        box.parts = tuple(map(Box, box.branch.parts, halves))
        for part in box.parts:
            self._push(part, -key)
        return True

    def _push(self, box: Box, most: float) -> None:
        """Queue a box by its bound, or by that of a box that it is a part of."""
        branch = box.branch
        if branch.rows is not None:
            # No point of the domain is there, if that is so in integers.
            numbers = self._kernel.numbers(branch)
            if self._kernel.closes(box.given, numbers):
                box.numbers, box.bound, box.node = tuple(numbers), ZERO, box.given
                return
        heappush(self._queue, (-most, next(self._order), box))

    def _gets_anchor(self, box: Box) -> bool:
        """Whether a box may be a leaf, or its parts inherit much."""
        branch = box.branch
        if not branch.is_bounded:
            return False
        if not branch.parts or self.search.bound_on(branch) <= FAR * self.search.most:
            return True
        is_time = branch.depth % PERIOD == 0
        return is_time and (not box.given.ends or self._kernel.has_many_signs(box.given))

    def _anchor(self, box: Box) -> bool:
        """Bound the difference on a box."""
        node = self._kernel.anchored(box.given)
        if node is None:
            return False
        closing = box.branch.closing
        has_rows = closing is not None and any(len(weighted) > 1 for weighted in closing)
        box.numbers = tuple(self._kernel.numbers(box.branch)) if has_rows else self._plain
        box.bound = self._kernel.bound(node, box.numbers)
        # What only goals need takes most of the memory.
        box.node = node._replace(
            bends=[bends._replace(rows=()) for bends in node.bends], last=_NONE
        )
        self._push(box, to_float(box.bound))
        return True

    def best(self) -> tuple[fmpq, list[Box]] | None:
        """The smallest bound that is proved, and the boxes that are cut for it."""
        known: dict[Box, fmpq | None] = {}
        cuts = []
        for box in self._after_parts():
            known[box] = box.bound
            values = [known[part] for part in box.parts]
            if values and None not in values:
                most = max(value for value in values if value is not None)
                if box.bound is None or most < box.bound:
                    known[box] = most
                    cuts.append(box)
        found = known[self._root]
        return None if found is None else (found, cuts)

    def _after_parts(self) -> Iterator[Box]:
        """All boxes, each after its parts."""
        stack = [(self._root, False)]
        while stack:
            box, is_done = stack.pop()
            if is_done or not box.parts:
                yield box
            else:
                stack.append((box, True))
                stack += [(part, False) for part in box.parts]

    def proof(self, asked: NetworkPair, cuts: list[Box]) -> tuple[list[str], int] | None:
        """The records of a proof of the bound of a pair, and how many leaves; None if it fails."""
        is_cut = set(cuts)
        records, leaves, stack = [self._kernel.first], [], [self._root]
        while stack:
            box = stack.pop()
            if box.node is not None and box.node is not box.given:
                records.append(record("anchor"))
            if box in is_cut:
                records.append(record("cut", box.branch.axis, int(box.branch.value * UNIT)))
                stack.extend(reversed(box.parts))
            else:
                records.append(record("leaf", *self._numbers(box, asked)))
                leaves.append(box)
        worst = nlargest(N_REPLAYED, leaves, key=lambda box: box.bound or ZERO)
        kernel = self._kernel.at(asked)
        for box in worst:
            node = box.given if box.node is box.given else kernel.anchored(box.given)
            if node is None or not kernel.closes(node, self._numbers(box, asked)):
                return None
        return records, len(leaves)

    def _numbers(self, box: Box, asked: NetworkPair) -> list[int]:
        """The numbers of a leaf, where rows of cases are multiplied by the denominator of ε."""
        if box.node is box.given or box.numbers == self._plain:
            return list(box.numbers)
        found, at, times = list(box.numbers), 0, int(asked.bound.q)
        while at < len(found):
            size = found[at]
            for place in range(at + 1, at + 1 + 2 * size, 2):
                found[place + 1] *= times if found[place] < self._kernel.n_rows else 1
            at += 1 + 2 * size
        return found


_NONE = Node(()).last
