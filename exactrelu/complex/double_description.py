"""Activation regions by double description: fast, exact, without a proof.

Every cell is kept as a closed polyhedron with its vertices and rays (PPL).  A
preactivation cuts the cell iff it takes both signs on these, which costs one scalar
product each; the vertices of the two halves follow from those of the cell.  No LP
is solved, and nothing is left that would prove a side empty: for certificates there
is :mod:`exactrelu.complex.split_tree`, which gives the same regions in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator

from exactrelu.complex.split_tree import Region, next_cut
from exactrelu.complex.walk import Walk
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra import ppl
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible


def enumerate_regions(network: Network, domain: LinearSystem) -> Iterator[Region | None]:
    """The regions on an open ``domain``; None at the other nodes, where one may stop.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [r.pattern for r in enumerate_regions(xor, LinearSystem(2)) if r is not None]
    [((-1, -1),), ((1, -1),), ((1, 1),)]
    """
    if not isinstance(feasible(domain), Solution):
        return
    stack = [(Walk.start(network), ppl.from_system(domain.closed()))]
    while stack:
        walk, row = next_cut(stack[-1][0])
        cell = stack.pop()[1]
        if row is None:
            yield Region(walk.decided, ppl.interior_point(cell))
            continue
        parts = ppl.halves(cell, row)
        stack += [(walk.decide(row, side), parts[side]) for side in (1, -1) if side in parts]
        yield None
