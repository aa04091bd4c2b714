"""Do two networks compute the same function on a domain?

Any numbers of layers and neurons, same inputs and outputs.  In this order: points where
they differ (:mod:`exactrelu.questions.witness`); isomorphism; shallow canonical forms (theory
1.1); the joint split tree (:mod:`exactrelu.complex.pair_tree`), which decides every pair if it
may take the time: equality of ReLU networks is coNP-complete (theory 8).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactrelu.certificates.comparison import different_certificate
from exactrelu.certificates.equivalence import (
    SAME_RECORD,
    equal_by_cells_certificate,
    pair_empty_record,
    pair_sides_record,
    pair_split_record,
)
from exactrelu.complex.pair_tree import Empty, Leaf, Sample, Sides, Split, pair_tree
from exactrelu.complex.search import Limit, open_domain
from exactrelu.complex.split_tree import strict_row
from exactrelu.complex.walk import negated
from exactrelu.errors import ShapeError
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.isomorphism import isomorphic
from exactrelu.questions.shallow import shallow_equal
from exactrelu.questions.witness import height, sample_witness, simpler_witness
from exactrelu.verdict import Verdict

#: Isomorphism is one attempt of several: it may not take long.
MAX_REFINEMENTS = 1_000


def equivalent(
    a: Network,
    b: Network,
    domain: LinearSystem | None = None,
    *,
    max_regions: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Verdict:
    """Whether the networks are equal in the interior of the domain; a point where not.

    Over a limit the verdict is undecided.  ``progress`` is called for each cell on which
    the networks were proved equal.

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> deep = Network.from_arrays([[[2], [1]], [[-1, 1]], [[1]]], [[0, 0], [0], [0]])
    >>> equivalent(absolute, deep).witness
    (-1,)
    >>> equivalent(deep, Network.from_arrays([[[0]]], [[0]])).reason
    'equal on 1 cell that cover the domain'
    """
    inside = comparable(a, b, domain)
    limit = Limit(max_regions, timeout)
    point = sample_witness(a, b, inside)
    if point is not None:
        return _different(a, b, inside, point)
    if a.widths == b.widths:
        found = isomorphic(a, b, MAX_REFINEMENTS, timeout)
        if found.answer:
            return Verdict(True, "isomorphic: " + found.reason, None, found.certificate)
    is_simple = inside.rows in ((), LinearSystem.orthant(a.n_inputs).open().rows)
    if is_simple and max(len(a.layers), len(b.layers)) <= 2:
        return shallow_equal(a, b, inside)
    return _by_cells(a, b, inside, limit, progress)


def comparable(a: Network, b: Network, domain: LinearSystem | None) -> LinearSystem:
    """The interior of the domain, if the networks have the same inputs and outputs."""
    if (a.n_inputs, a.n_outputs) != (b.n_inputs, b.n_outputs):
        raise ShapeError(
            f"{a.n_inputs} inputs and {a.n_outputs} outputs in one network, "
            f"{b.n_inputs} and {b.n_outputs} in the other"
        )
    return open_domain(a, domain)


def _by_cells(
    a: Network,
    b: Network,
    domain: LinearSystem,
    limit: Limit,
    progress: Callable[[], object],
) -> Verdict:
    """The joint split tree, up to the first cell on which the networks differ."""
    records: list[dict[str, Any]] = []
    n_cells = 0
    for node in pair_tree(a, b, domain):
        match node:
            case Sample(point):
                if a(point) != b(point):
                    return _different(a, b, domain, point)
            case Leaf() if not node.is_same:
                return _different(a, b, domain, _point_of(node))
            case Leaf():
                n_cells += 1
                records.append(SAME_RECORD)
                progress()
            case _:
                records.append(tree_record(node, domain))
        if limit.is_exceeded(n_cells):
            reason = f"stopped at a limit: equal on {n_cells} cells so far"
            return Verdict(None, reason)
    cells = "1 cell" if n_cells == 1 else f"{n_cells} cells"
    reason = f"equal on {cells} that cover the domain" if n_cells else "the domain is empty"
    return Verdict(True, reason, None, equal_by_cells_certificate(a, b, domain, records))


def tree_record(node: Split | Sides | Empty, domain: LinearSystem) -> dict[str, Any]:
    """The record of a node that is not a leaf."""
    match node:
        case Split(neuron):
            return pair_split_record(neuron)
        case Sides(neurons):
            proved = ((neuron, sign, (r.multipliers, r.facts)) for neuron, sign, r in neurons)
            return pair_sides_record(domain, proved)
        case Empty(refuted):
            return pair_empty_record(domain, (refuted.multipliers, refuted.facts))


def _point_of(leaf: Leaf) -> Vector:
    """A simple point of a cell where some output differs."""
    rows = [side for row in leaf.rows if any(row) for side in (row, negated(row))]
    answers = (feasible(leaf.system & _half_space(leaf.system, row)) for row in rows)
    return min((x.point for x in answers if isinstance(x, Solution)), key=height)


def _half_space(system: LinearSystem, row: tuple[int, ...]) -> LinearSystem:
    return LinearSystem(system.dimension, (strict_row(row),))


def _different(a: Network, b: Network, domain: LinearSystem, point: Vector) -> Verdict:
    simple = simpler_witness(a, b, domain, point)
    certificate = different_certificate(a, b, domain, simple)
    return Verdict(False, "the values differ at the witness", simple, certificate)
