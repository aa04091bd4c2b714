"""The records of trees of faces, and of what is proved by faces.

A tree of faces keeps the zero sets: ``split`` makes the negative part, the zero set and the
positive part of a cell, in this order.  On a zero set the equation is solved for its first
coordinate; the coordinates of a face are those of t that are left, and all rows get the same
positive factor.  So multipliers of the rows of a path are the same in the coordinates of each face
on it, and cones (see :mod:`.trees`) are those of R^d, d the dimension of the face.

What is decided on faces starts from a list of them, which a tree proves.

A *part* of a domain, cut out by strict rows over x, has a tree of its own, whose rows follow those
of the domain.  It has few faces, for which no signs are looked up.

A *grid* are hyperplanes beside a network that cut its faces further: the engine has them as the
last neurons of its first layer, to which nothing listens, and the checker as a network of its own,
whose neurons are counted after those of the first.

``overfull`` faces (:mod:`exactrelu.cells.overfull`) are shown by a point and the dependency of the
neurons that are 0 there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from flint import fmpq

from exactrelu.cells.faces import Elimination, Face
from exactrelu.cells.overfull import OverfullFace
from exactrelu.cells.simple_proof import Cone
from exactrelu.cells.tree import ActiveUnits, Inner, NeuronSplit, Region, faces, tree
from exactrelu.certificates.certificate import point_record, record
from exactrelu.certificates.trees import NodeRows, TreeWriter
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import IntegerRow
from exactrelu.polyhedra.domain import Domain


class FaceWriter(TreeWriter):
    """Follows the nodes of a tree of faces, with zero sets, and writes their records.

    The nodes are those of the tree of ``domain.restricted(network)`` on ``domain.inside``, or on
    :func:`part_over_t` of it, or of another network as for :class:`TreeWriter`.  The last
    ``n_grid`` neurons of the first layer are the grid.
    """

    def __init__(
        self,
        network: Network,
        domain: Domain,
        part: Sequence[IntegerRow] = (),
        n_grid: int = 0,
        walked: Network | None = None,
        units: Sequence[Sequence[int]] | None = None,
    ) -> None:
        super().__init__(network, domain, walked=walked, units=units)
        (root,) = self.stack
        rows = (*root.rows, *map(domain.chart.pulled, part))
        more = (r for r in range(self._n_base, len(rows)) if any(rows[r][:-1]))
        self._numbers = (*self._numbers, *more)
        self._n_base = len(rows)
        self.stack = [root._replace(rows=rows, scales=(fmpq(1),) * len(rows))]
        self._n_grid = n_grid
        self._n_first = network.hidden_widths[0] - n_grid if network.hidden_widths else 0

    def records(self, node: Inner | Cone | Region | ActiveUnits | Face) -> Iterator[str]:
        """The records of the next node: one, or a few for signs."""
        if isinstance(node, Face):
            path = self.stack.pop()
            yield point_record("cell", [node.flint_point[k] for k in path.free])
        else:
            yield from super().records(node)

    def parts(self, path: NodeRows, node: NeuronSplit) -> list[NodeRows]:
        """The parts of a node that a cut makes, in their order."""
        below, above = super().parts(path, node)
        solve = Elimination(node.row)
        rows = tuple(map(solve.rewrite, path.rows))
        free = path.free[: solve.pivot] + path.free[solve.pivot + 1 :]
        return [below, NodeRows(rows, path.scales, free), above]

    def number(self, layer: int, neuron: int) -> int:
        """The number of a neuron in the file; those of the grid are counted last."""
        number = super().number(layer, neuron)
        if number < self._n_first:
            return number
        after = self._first_units[-1] - self._n_first if layer == 0 else 0
        return number + after - self._n_grid


def part_over_t(domain: Domain, part: Sequence[IntegerRow]) -> LinearSystem:
    """The open part of a domain where rows over x are positive, in the coordinates t."""
    found = []
    for row in map(domain.chart.pulled, part):
        *normal, offset = map(fmpq, row)
        if any(normal):
            found.append(Row(tuple(normal), offset, Sense.GREATER))
    return domain.inside & LinearSystem(domain.inner_dimension, tuple(found))


def listed_faces(
    found: Sequence[Face], dimension: int, records: Iterable[str], n_grid: int = 0
) -> list[str]:
    """All faces by their signs, and the records of the tree that proves it.

    A face has its codimension, and masks of the neurons with + and with -; the last ``n_grid``
    neurons of the first layer are counted after all others.

    >>> listed_faces([Face(((1, -1), (0,)), 1, (fmpq(0), fmpq(0)))], 2, ["split 0"])
    ['faces 1', 'face 1 1 2', 'by faces', 'split 0']
    """
    listed = []
    for face in found:
        first, *rest = face.signs or ((),)
        own = len(first) - n_grid
        signs = (*first[:own], *chain.from_iterable(rest), *first[own:])
        masks = (sum(1 << i for i, s in enumerate(signs) if s == side) for side in (1, -1))
        listed.append(record("face", dimension - face.dimension, *masks))
    return [record("faces", len(listed)), *listed, "by faces", *records]


def part_records(
    network: Network, domain: Domain, part: Sequence[IntegerRow], effort: Effort = UNLIMITED
) -> list[str]:
    """The part of a domain where rows over x are positive, and all faces on it."""
    writer = FaceWriter(network, domain, part)
    inside = part_over_t(domain, part)
    found: list[Face] = []
    records: list[str] = []
    for node in tree(domain.restricted(network), inside, faces, zero_sets=True, effort=effort):
        records += writer.records(node)
        if isinstance(node, Face):
            found.append(node)
    listed = listed_faces(found, domain.inner_dimension, records)
    return [record("part", *chain.from_iterable(part)), *listed]


def overfull_records(face: OverfullFace) -> list[str]:
    """A point, and integers for the neurons that are 0 there with which their rows cancel."""
    return [point_record("point", face.point), record("coefficients", *face.coefficients)]
