"""The records of the joint tree of two networks, in which neurons may be left undecided.

The nodes of :mod:`exactrelu.cells.pairs` are about the integer preactivations of the checker, and
the rows of its domain.  A cut adds ±z_k there, and the row z_k/g with coprime integers here: its
multiplier λ is λ/g in the file.  Of multipliers only the ray matters, so that the smallest integers
on it are written.

A leaf has records of its own: ``same``, or for each output that it is not above, and then that it
is not below, what a bound allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from flint import fmpq

from exactrelu.cells.joint_nodes import (
    IntervalSides,
    JointSides,
    JointSplit,
    Leaf,
    Node,
    Refutation,
)
from exactrelu.cells.pairs import pair_tree
from exactrelu.certificates.certificate import Certificate, claim, record
from exactrelu.certificates.opening import KnownPair
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import primitive
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

#: Numbers of rows in the file, with multipliers.
Weights = tuple[tuple[int, fmpq], ...]


class PairWriter:
    """Follows the nodes of the joint tree of two networks on a domain.

    Neuron 0 is 2x − 1, and 2x − 2 < 0 where it is negative:

    >>> writer = PairWriter(Domain.of("box:0,1", 1))
    >>> below = JointSides(((1, -1, Refutation(fmpq(1), ((2, 1),))),))
    >>> [*writer.records(JointSplit(0, 1)), *writer.records(below)]
    ['split 0', 'side 2 1 1 3 1']
    """

    def __init__(self, domain: Domain) -> None:
        self._numbers = domain.numbers
        #: Row 0 is 1 > 0; constant rows of the domain count too.
        self._first_cut = 1 + len(domain.rows_over_t)
        #: The cells that are not closed yet: g for each cut above.
        self._cells: list[tuple[int, ...]] = [()]

    def records(self, node: Node) -> Iterator[str]:
        """The records of the next node; a leaf, which closes its cell, has none."""
        match node:
            case JointSplit(neuron, scale):
                cell = self._cells.pop()
                self._cells += [(*cell, scale)] * 2
                yield record("split", neuron)
            case JointSides(neurons):
                for neuron, sign, refuted in neurons:
                    yield self._side(2 * neuron + (sign > 0), refuted)
            case IntervalSides(neurons):
                yield record("intervals", *(2 * neuron + (sign > 0) for neuron, sign in neurons))
            case Leaf():
                self._cells.pop()

    def weights(self, multipliers: Iterable[tuple[int, int | fmpq]]) -> Weights:
        """Multipliers of the rows of the current cell as those of the rows in the file."""
        cell, n = self._cells[-1], len(self._numbers)
        return tuple(
            (self._numbers[i], fmpq(value))
            if i < n
            else (self._first_cut + i - n, fmpq(value) / cell[i - n])
            for i, value in multipliers
        )

    def _side(self, s: int, refuted: Refutation) -> str:
        rows = [(0, fmpq(refuted.constant))] if refuted.constant else []
        rows += self.weights(refuted.multipliers)
        weight, *rest = integers([refuted.weight], rows, refuted.facts)
        return record("side", s, weight, *rest)


def beyond_records(proofs: Iterable[Weights], bound: fmpq) -> Iterator[str]:
    """A leaf: no output is above, then below, the other by more than a bound.

    The weights cancel ± the difference of an output, so bound.q times them what is beyond.
    """
    yield "within"
    for rows in proofs:
        scaled = [(r, bound.q * value) for r, value in rows]
        yield record("beyond", *integers([fmpq(1)], scaled))


def integers(
    first: Sequence[fmpq],
    rows: Sequence[tuple[int, fmpq]],
    facts: Sequence[tuple[int, fmpq, fmpq]] = (),
) -> list[int]:
    """Weights, m r λ … and facts k u v, scaled to the smallest integers."""
    values = [*first, *(value for _, value in rows), *(x for _, u, v in facts for x in (u, v))]
    integers = list(map(int, primitive(values)))
    n = len(first)
    found = [*integers[:n], len(rows)]
    for (r, _), value in zip(rows, integers[n:], strict=False):
        found += [r, value]
    rest = iter(integers[n + len(rows) :])
    for k, _, _ in facts:
        found += [k, next(rest), next(rest)]
    return found


def uncut_proof(
    a: Network,
    b: Network,
    place: Domain,
    effort: Effort = UNLIMITED,
    signs: KnownPair | None = None,
) -> Certificate | None:
    """The proof, by a tree without a cut, that the networks are equal, if there is one.

    It opens with the ``signs`` that are known.
    """
    records = tree_records(a, b, place, effort, signs, may_cut=False)
    if records is None:
        return None
    return claim("equal", "cells", records, holds=True, a=a, b=b, domain=place)


def tree_records(
    a: Network,
    b: Network,
    place: Domain,
    effort: Effort = UNLIMITED,
    signs: KnownPair | None = None,
    *,
    may_cut: bool = True,
) -> list[str] | None:
    """The joint tree of two networks; None if they differ, or if it has a cut that may not be."""
    writer = PairWriter(place)
    records = [] if signs is None else signs.opening(effort)
    known = None if signs is None else signs.numbered
    for node in pair_tree(a, b, place, (), effort, known):
        match node:
            case JointSplit() if not may_cut:
                return None
            case Leaf() if not node.is_same:
                return None
            case Leaf():
                records.append("same")
        records += writer.records(node)
    return records
