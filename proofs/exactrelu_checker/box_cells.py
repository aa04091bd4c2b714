"""Trees of neurons within a box: what bounds leave open of a property.

``cells``, in place of a ``leaf`` of ``property``: a CLOSED tree (``tree``) of the networks
side by side on a box, whose ends are rows after those of D: for each i t_i - low, then high
- t_i. Neurons that have a sign by the bounds have it without a record. Leaves ``never``, on
which the outputs are affine, are followed for every case by a record ``case m r λ…``: the
one inequality, with the rows of the node and then those of the case; or by ``clause k`` and
that of each case of the clause.
"""

from collections.abc import Sequence

from . import bounds
from .bounds import PLACES
from .evidence import combination, require_contradiction
from .numbers import bits, paired
from .property import Boxes, Case
from .tree import CLOSED, Node, Tree

_MEMORY = 16  # fuel for an entry of a list that is kept
Cuts = Sequence[tuple[int, int]]


class BoxTree(Tree):
    """The tree of neurons on a box."""

    def __init__(self, boxes: Boxes, box: bounds.Node, cuts: Cuts = ()) -> None:
        super().__init__(boxes.proof, [boxes.network], boxes.domain, CLOSED, boxes.chart)
        self._box, self._cuts = box, dict(cuts)
        shown = [sign for signs in boxes.bounds.signs(box) for sign in signs]
        self.proof.spend(_MEMORY * len(shown))
        self.known = {k: sign for k, sign in enumerate(shown) if sign}

    def root(self) -> Node:
        """Return the box."""
        found = super().root()
        for i, ends in enumerate(self._box.box):
            for sign, end in paired((1, -1), ends):
                if end is not None:
                    row = tuple(sign << PLACES if i == j else 0 for j in range(found.dim))
                    size = max(found.bits, PLACES + 1, end.bit_length())
                    found = self._part(
                        found._replace(bits=size), (*row, -sign * end), False
                    )
        return found

    def _split(self, node: Node, numbers: list[int]) -> tuple[Node, ...]:
        """Return the parts of a node; of a unit that is cut above the one that is left."""
        below, above = super()._split(node, numbers)
        sign = self._cuts.get(numbers[0], 0)
        return (below,) * (sign <= 0) + (above,) * (sign >= 0)


def require_none(
    boxes: Boxes, box: bounds.Node, cases: list[Case], cuts: Cuts = ()
) -> None:
    """Read a tree of neurons; refuse unless no point of a box satisfies a case.

    With cuts, units and their signs: no point where they have these signs.
    """
    tree = BoxTree(boxes, box, cuts)
    for node, *_ in tree.leaves("never", bare=True, known=tree.known):
        tree.require_decided(node)
        lines = boxes.lines_of(node.rows, node.strict)
        waiting = [*reversed(cases)]
        while waiting:
            case = waiting.pop()
            word, numbers = boxes.proof.record("case", "clause")
            if word == "clause":
                waiting.extend(reversed(boxes.chosen(case, numbers)))
            else:
                _require_never(boxes, node, lines, case, numbers)


def _require_never(
    boxes: Boxes, node: Node, lines: Case, case: Case, numbers: list[int]
) -> None:
    """Refuse unless m r λ … show that no point of a node satisfies a case."""
    (stage,) = node.stages
    factor = stage.factor * boxes.network.layers[-1].den // boxes.chart.factor
    row, weights, strict = boxes.sum_of(lines, case, numbers, factor)
    rows, size = (row, *stage.rows), max(node.bits, bits(row))
    require_contradiction(combination(boxes.proof, rows, (1, *weights), size), strict)
