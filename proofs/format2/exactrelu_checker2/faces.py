"""Trees of faces: zero sets of neurons are kept, as faces with one dimension less.

``split k`` makes the parts z < 0, z = 0, z > 0: each point of the root lies in exactly one leaf. On
the zero set the equation is solved for one coordinate: all rows get the same factor > 0 and lose
that coordinate. So a node is always full-dimensional in its own coordinates, and its ``dim`` is the
dimension of its face. A neuron that is constant 0 on a face has the sign 0.
"""

from collections.abc import Sequence
from typing import Any

from .numbers import Row, pivot_place, substituted
from .tree import Node, Stage, Tree, constant_signs


class FaceTree(Tree):
    """The relatively open faces of networks on the relative interior of a domain (mode OPEN)."""

    def between(self, node: Node, i: int, unit: int, row: Row) -> tuple[Node, ...]:
        """Return the part where the row of a neuron is 0, in one coordinate less."""
        place = pivot_place(row) or 0
        size = sum(len(rows) for stage in node.stages for rows in (*stage.passed, stage.rows))
        self.proof.spend(2 * (size + len(node.rows)) * (node.dim + 1), node.bits, node.bits)

        def on_it(rows: Sequence[Row | None]) -> tuple[Any, ...]:
            return tuple(other and substituted(other, row, place) for other in rows)

        bits_there = 2 * node.bits + 1
        part = Node(node.dim - 1, on_it(node.rows), node.strict, node.stages, bits_there)
        for number, stage in enumerate(node.stages):
            rows = on_it(stage.rows)
            signs = [0 if (number, u) == (i, unit) else s for u, s in enumerate(stage.signs)]
            stage = Stage(
                tuple(map(on_it, stage.passed)),
                tuple(abs(row[place]) * factor for factor in stage.factors),
                stage.decided,
                rows,
                constant_signs(rows, signs),
            )
            part = self.with_stage(part, number, stage)
        return (part,)
