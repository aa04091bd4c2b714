"""The tree of a search for what a property excludes as a proof, box by box as the checker reads it.

The search believes that a box is closed; the checker will compute the bounds itself
(:mod:`exactrelu.cells.replay`).  So each leaf is tried with the checker's own arithmetic before its
record is written, and the records are right by construction:

*Anchors* cost most, as all units without a sign are bounded anew.  The box of the domain gets one.
A box with a part that the search closed by the forms of that box gets one if the part cannot be
closed without; a part that the search closed by forms of its own likewise.  At every third level a
box gets one if a third of the units have signs: it makes those below it cheaper and better.

*A leaf that fails*, as integers over 2^40 are not floats, is cut once more, and the search goes on
there.  A box that it leaves to exact arithmetic becomes a tree of neurons
(:mod:`.cells`), with the signs that bounds show.  Such boxes are visited first, for they may have a
point.

*Many processes.*  Small parts of the tree are replayed each by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from heapq import heappop, heappush
from io import BufferedReader, BytesIO
from itertools import count, islice
from typing import Any

from exactrelu_checker.file import Limits, Proof, Refused
from exactrelu_checker.numbers import Row
from exactrelu_checker.objects import read_network, read_system
from exactrelu_checker.property import Boxes, Line
from flint import fmpq

from exactrelu.cells.chain import Chain
from exactrelu.cells.replay import UNIT, ExactBoxes, Node, short
from exactrelu.certificates.certificate import encoded, record
from exactrelu.effort import Effort
from exactrelu.exact.scalar import ZERO, Vector, common_denominator
from exactrelu.polyhedra.answers import Solution
from exactrelu.questions.properties.cells import decide_on_box
from exactrelu.questions.properties.free_outputs import Contradictions
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.search import BoxBranch, BoxSearch
from exactrelu.work.crew import shared

#: At these levels of the tree a box gets an anchor if many units have signs there.
PERIOD = 3
#: The parts of a tree that one process replays have so many leaves, as far as the search knows.
PIECE = 64
#: A constant far above what is rounded.
LARGE = 1 << 120
#: Fuel bounds the work of the checker on files of strangers.
_ENOUGH = 10**30


class CheckerBoxes(ExactBoxes):
    """The checker's boxes of a property, by the chain that a record names."""

    def __init__(self, asked: Property, chain: Chain, free: Contradictions | None = None) -> None:
        """The chain is about the cases that do not contradict themselves."""
        self.asked, self.chain, self.free = asked, chain, free or {}
        self.first = record("gaps" if chain.has_gaps else "joined")
        stream: Any = BufferedReader(BytesIO(f"{self.first}\n".encode()))
        proof = Proof(stream, Limits(fuel=_ENOUGH))
        networks = [read_network(encoded(network)) for network in asked.networks]
        domain = read_system(encoded(asked.domain))
        self.boxes = Boxes(proof, networks, domain, asked.input_copies)
        factor = self.boxes.chart.factor
        super().__init__(asked.joined, self.boxes.bounds, self.boxes.whole(), factor)
        self.cases = self._cases(asked)
        self.n_rows = 1 + len(asked.domain.rows_over_t)
        self._scales: dict[Row, fmpq] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process makes the checker's boxes itself."""
        return CheckerBoxes, (self.asked, self.chain, self.free)

    def _cases(self, asked: Property) -> list[list[Line]]:
        return [self.boxes.case_of(read_system(encoded(case))) for case in asked.cases]

    def at(self, asked: Property) -> CheckerBoxes:
        """The kernel of a property of the same networks on the same domain, with other cases."""
        found = copy(self)
        found.asked, found.cases = asked, self._cases(asked)
        return found

    def each_goal(self) -> tuple[int, ...]:
        """The numbers of a leaf by each goal alone, without rows of the domain."""
        goals = tuple(((goal, 1.0),) for goal in range(len(self.chain.goals)))
        return tuple(self.numbers(BoxBranch(*self.ends(), closing=goals)))

    def bound(self, node: Node, numbers: Sequence[int]) -> fmpq:
        """An upper bound of the difference of a pair on a box, by the numbers of a leaf for ε = 0.

        A leaf refutes that the difference is above ε by an upper bound of (difference − ε), times a
        number κ > 0.  ε is in the constant of a row only, so this bound is m − κ·ε, up to the
        rounding of one number, and m that for ε = 0: the difference is at most m/κ.
        """
        found = [ZERO]
        for row, weights, multiplier in self._sums(numbers):
            if weights not in self._scales:
                zero = (0,) * (len(row) - 1)
                lower, upper = (self.most(node, (*zero, c), weights) for c in (0, LARGE))
                self._scales[weights] = fmpq(upper - lower, LARGE)
            value = fmpq(self.most(node, row, weights)) / self._scales[weights]
            found.append(value / multiplier / self.factor)
        return max(found)

    def _sums(self, numbers: Sequence[int]) -> Iterator[tuple[Row, Row, int]]:
        """For each case the sum of a leaf, over t and over outputs, and what its row counts."""
        at = 0
        for case in self.cases:
            end = at + 1 + 2 * numbers[at]
            own = numbers[at:end]
            row, weights, _ = self.boxes.sum_of(self.boxes.lines, case, list(own), 1)
            yield (
                row,
                weights,
                next(x for r, x in zip(own[1::2], own[2::2], strict=True) if r >= self.n_rows),
            )
            at = end

    def closes(self, node: Node, numbers: list[int], branch: BoxBranch | None = None) -> bool:
        """Whether the leaf of a branch is right, or leaves for all cases of a clause."""
        cases = self.cases if branch is None else [self.cases[k] for k in self._numbers_of(branch)]
        try:
            self.boxes.leaf(self.bounds.narrowed(node), cases or [[]], numbers)
        except Refused:
            return False
        return True

    def _numbers_of(self, branch: BoxBranch) -> Sequence[int]:
        """The cases that a closed branch refutes: all, those of a clause, or none by its rows."""
        if not self.asked.clauses:
            return range(len(self.cases))
        return () if branch.rows is not None else self.asked.groups[branch.clause]

    def leaf(self, branch: BoxBranch, numbers: list[int]) -> list[str]:
        """The records of a closed branch, after which each case of a clause has its own leaf."""
        if not self._numbers_of(branch) or not self.asked.clauses:
            return [record("leaf", *numbers)]
        records, at = [record("clause", branch.clause)], 0
        while at < len(numbers):
            end = at + 1 + 2 * numbers[at]
            records.append(record("leaf", *numbers[at:end]))
            at = end
        return records

    def numbers(self, branch: BoxBranch) -> list[int]:
        """The numbers of the leaf of a closed branch: m r λ … for each case."""
        cases = self._numbers_of(branch)
        if branch.rows is not None:
            same = [len(branch.rows), *(x for pair in branch.rows for x in pair)]
            return same * (len(cases) or 1)
        found: list[int] = []
        closing = iter(branch.closing or ())
        for k in cases:
            if k in self.free:
                found += self.free[k]
                continue
            weighted = next(closing)
            pairs = [self._multiplier(goal, weight) for goal, weight in weighted]
            if len(pairs) == 1:
                pairs = [(r, fmpq(1 if value > 0 else -1)) for r, value in pairs]
            den = common_denominator(value for _, value in pairs)
            found += [len(pairs)]
            found += [x for r, value in pairs for x in (r, int(value * den))]
        return found

    def _multiplier(self, goal: int, weight: float) -> tuple[int, fmpq]:
        """The row of the checker and its multiplier, of a goal or a row of the domain."""
        n_goals = len(self.chain.goals)
        if goal >= n_goals:
            return 1 + goal - n_goals, short(weight)
        found = self.chain.goals[goal]
        return self.n_rows + found.row, -found.sign * short(weight / self.chain.sizes[goal])


@dataclass(frozen=True)
class TreePiece:
    """A part of the tree for one process."""

    kernel: CheckerBoxes
    search: BoxSearch
    branch: BoxBranch
    node: Node

    def __str__(self) -> str:
        return f"the proof on {self.node.box}"


@dataclass(frozen=True)
class Replayed:
    """The records of a part of the tree, or a point that was found on the way."""

    records: list[str]
    point: Vector | None
    n_leaves: int
    n_anchors: int


def replay(kernel: CheckerBoxes, search: BoxSearch, root: BoxBranch, effort: Effort) -> Replayed:
    """Replay a whole tree, small parts of it by whoever shares the effort.

    The records are the same for any number of them: each part goes on by itself where floats
    were wrong.
    """
    top = _Replay(kernel, search, effort, size=PIECE)
    top.push(root, kernel.root)
    top.run()
    pieces = [TreePiece(kernel, search.fresh(), *pair) for pair in top.pieces]
    if top.point is None and pieces:
        # One alone is not worth a process.
        where = effort if len(pieces) > 1 else effort.alone()
        found = shared(replay_piece, pieces, where, describe=str)
        for piece, one in zip(pieces, found, strict=True):
            top.add(piece.branch, one)
            if one.point is not None:
                break
    return top.replayed(root)


def replay_piece(piece: TreePiece, effort: Effort) -> Replayed:
    """Replay a part of the tree."""
    part = _Replay(piece.kernel, piece.search, effort)
    part.push(piece.branch, piece.node)
    part.run()
    return part.replayed(piece.branch)


class _Replay:
    """Boxes to visit, and the records of those that were; parts of at most a size are left."""

    def __init__(
        self, kernel: CheckerBoxes, search: BoxSearch, effort: Effort, size: int = 0
    ) -> None:
        self.kernel, self.search, self.effort = kernel, search, effort
        self.point: Vector | None = None
        self.n_anchors = 0
        self.pieces: list[tuple[BoxBranch, Node]] = []
        self._size = size
        self._records: dict[BoxBranch, list[str]] = {}
        self._done: dict[BoxBranch, Replayed] = {}
        self._queue: list[tuple[bool, int, BoxBranch, Node]] = []
        self._order = count()

    def run(self) -> None:
        """Visit all boxes, unless a point is found."""
        while self._queue and self.point is None:
            self.effort.spend()
            _, _, branch, node = heappop(self._queue)
            self._records[branch] = self._visit(branch, node)
        # What may have a point comes first.
        self.pieces.sort(key=lambda pair: not _may_have_a_point(pair[0]))

    def add(self, branch: BoxBranch, found: Replayed) -> None:
        """Take over what was made of a part."""
        self._done[branch] = found
        self.point = found.point
        self.n_anchors += found.n_anchors

    def replayed(self, root: BoxBranch) -> Replayed:
        """What became of a tree, all of which was visited unless there is a point."""
        if self.point is not None:
            return Replayed([], self.point, 0, self.n_anchors)
        records, stack, n_leaves = [], [root], 0
        while stack:
            branch = stack.pop()
            if branch in self._done:
                records += self._done[branch].records
                n_leaves += self._done[branch].n_leaves
            else:
                records += self._records[branch]
                stack.extend(reversed(branch.parts))
                n_leaves += not branch.parts
        return Replayed(records, None, n_leaves, self.n_anchors)

    def push(self, branch: BoxBranch, node: Node) -> None:
        """Visit a box later, or leave it as a part of its own."""
        if self._size and self._records and _is_small(branch, self._size):
            self.pieces.append((branch, node))
            return
        # Last in, first out, but first of all what may have a point.
        is_late = not _may_have_a_point(branch)
        heappush(self._queue, (is_late, -next(self._order), branch, node))

    def _visit(self, branch: BoxBranch, node: Node) -> list[str]:
        """The records of one box, up to its parts, which are queued."""
        records: list[str] = []
        is_anchorable = bool(self.kernel.chain.steps) and branch.is_bounded and not branch.rows
        if is_anchorable and not node.ends:
            node = self._anchored(branch, node, records)
        if branch.is_closed:
            numbers = self.kernel.numbers(branch)
            is_right = self.kernel.closes(node, numbers, branch)
            if not is_right and is_anchorable and not records:
                node = self._anchored(branch, node, records)
                is_right = branch.is_closed and self.kernel.closes(node, numbers, branch)
            if is_right:
                return [*records, *self.kernel.leaf(branch, numbers)]
            if branch.is_closed:
                self._go_on(branch)
        if branch.parts:
            node = self._for_parts(branch, node, records)
        if branch.parts:
            halves = self.kernel.halves(node, branch.axis, branch.value)
            for part, half in zip(branch.parts, halves, strict=True):
                self.push(part, half)
            return [*records, record("cut", branch.axis, int(branch.value * UNIT))]
        if self.point is not None:
            return []
        if is_anchorable and not records:
            node = self._anchored(branch, node, records)
        return [*records, *self._exactly(node)]

    def _anchored(self, branch: BoxBranch, node: Node, records: list[str]) -> Node:
        """The node after an anchor; if there cannot be one, the branch is for exact arithmetic."""
        found = self.kernel.anchored(node)
        if found is None:
            branch.leave()
            return node
        self.n_anchors += 1
        records.append(record("anchor"))
        return found

    def _for_parts(self, branch: BoxBranch, node: Node, records: list[str]) -> Node:
        """The node, after an anchor if that pays, or if a part closed by its forms needs it."""
        if records or not branch.is_bounded:
            return node
        if node.ends and branch.depth % PERIOD == 0 and self.kernel.has_many_signs(node):
            return self._anchored(branch, node, records)
        halves = zip(branch.parts, self.kernel.halves(node, branch.axis, branch.value), strict=True)
        shared = [(part, half) for part, half in halves if part.closing and not part.has_forms]
        if all(self.kernel.closes(half, self.kernel.numbers(part), part) for part, half in shared):
            return node
        return self._anchored(branch, node, records)

    def _go_on(self, branch: BoxBranch) -> None:
        """Search on in a box that floats wrongly believed to be closed."""
        self.search.divide(branch)
        if self.search.run():
            self.point = self.search.found

    def _exactly(self, node: Node) -> list[str]:
        """The records of a tree of neurons on a box."""
        signs = self.kernel.signs(node) if node.ends else ()
        answer = decide_on_box(self.kernel.asked, node.box, signs, self.effort)
        if isinstance(answer, Solution):
            self.point = self.kernel.asked.domain.flint_lift(answer.flint_point)
            return []
        return answer


def _may_have_a_point(branch: BoxBranch) -> bool:
    """Whether a part is left to exact arithmetic."""
    return any(leaf.is_exact for leaf in branch.leaves())


def _is_small(branch: BoxBranch, size: int) -> bool:
    """Whether a branch has at most so many leaves."""
    return sum(1 for _ in islice(branch.leaves(), size + 1)) <= size
