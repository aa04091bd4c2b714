"""Do two networks compute the same function on a domain?

Any numbers of layers and neurons, same inputs and outputs.  In this order: points where
they differ (:mod:`.witness`); isomorphism, if they are large; shallow canonical forms
(theory 1.1); isomorphism without neurons that are proved to be dead (:mod:`.simplify`); the joint
split tree (:mod:`exactrelu.cells.pairs`), which decides every pair if it may take the time:
equality of ReLU networks is coNP-complete (theory 8).

Hidden neurons are first brought to a normal form by steps that keep the function
(:mod:`exactrelu.network.rewriting`).  This is the procedure of theory 3.7 for bottlenecks, with
its repairs, but needs no genericity to be right: dead rows are dropped, translations and
flips undone, and a formal pass through both networks matches the rays of first layers and
compares the rest as shallow canonical forms on the orthant.  If that fails and W1 has full row
rank, a point where the networks differ is constructed (:mod:`.witness`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Unpack

from exactrelu.cells.pairs import Leaf, Sample, Unlike, pair_tree
from exactrelu.cells.walk import negated, strict_row
from exactrelu.certificates.certificate import Verdict, claim, record
from exactrelu.certificates.evidence import point_record
from exactrelu.certificates.moves import rewriting_claim
from exactrelu.certificates.trees import pair_record
from exactrelu.effort import Effort, Limit, Limits
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.network.rewriting import unhidden
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.equivalence.canonical_forms import isomorphic, shallow_equal
from exactrelu.questions.equivalence.difference import Stopped, comparable, equal_within, limited
from exactrelu.questions.equivalence.simplify import equal_simplified, equal_without_dead
from exactrelu.questions.equivalence.witness import (
    differences,
    first_witness,
    height,
    lifted_witness,
    samples,
    simpler_witness,
    vertices,
)

#: From so many parameters on isomorphism is tried before forms, which grow with the depth.
MIN_PARAMETERS = 2_000
#: It is one attempt of several: it may not take long.
MAX_REFINEMENTS = 1_000


def equivalent(
    a: Network,
    b: Network,
    domain: DomainLike = None,
    *,
    within: Any = None,
    **limits: Unpack[Limits],
) -> Verdict:
    """Whether the networks are equal at every point of the domain; a point where not.

    With ``within`` ε: whether no output differs by more than ε (:func:`equal_within`).
    Over a limit the verdict is undecided; ``max_regions`` bounds the cells of the tree.
    ``progress`` is called for each cell that is done.

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> deep = Network.from_arrays([[[2], [1]], [[-1, 1]], [[1]]], [[0, 0], [0], [0]])
    >>> equivalent(absolute, deep).witness
    (-1,)
    >>> equivalent(deep, Network.from_arrays([[[0]]], [[0]])).reason
    'isomorphic after simplification by signs'
    """
    effort = Effort.of(limits)
    max_regions = effort.left("regions")
    timeout = effort.seconds_left()
    progress: Any = partial(effort.tell, "cells")
    if within is not None:
        return equal_within(
            a, b, within, domain, max_regions=max_regions, timeout=timeout, progress=progress
        )
    place = comparable(a, b, domain)
    if place.is_flat:
        found = equivalent(
            place.restricted(a),
            place.restricted(b),
            place.inside,
            max_regions=max_regions,
            timeout=timeout,
            progress=progress,
        )
        return found.lifted(place.lift)
    inside = place.inside
    limit = Limit(max_regions, timeout)
    points = samples(inside)
    point = first_witness(a, b, points)
    if point is not None:
        return _different(a, b, inside, point)
    if a.widths == b.widths and a.n_parameters >= MIN_PARAMETERS:
        symmetric = isomorphic(a, b, max_refinements=MAX_REFINEMENTS, timeout=timeout)
        if symmetric.answer:
            return Verdict(True, "isomorphic", None, symmetric.certificate)
    has_form = place.is_everywhere or place.is_orthant
    if has_form and max(len(a.layers), len(b.layers)) <= 2:
        return shallow_equal(a, b, place)
    equal = equal_without_dead(a, b, inside, points, limit)
    if equal is None:
        equal = equal_simplified(a, b, inside, limit)
    return _by_cells(a, b, inside, points, limit, progress) if equal is None else equal


def _by_cells(
    a: Network,
    b: Network,
    domain: LinearSystem,
    points: Sequence[Vector],
    limit: Limit,
    progress: Callable[..., object],
) -> Verdict:
    """The joint split tree, hidden neurons first, up to the first cell where they differ."""
    (left, steps), (right, other_steps) = unhidden(a), unhidden(b)
    records: list[dict[str, Any]] = []
    n_cells = 0
    for node in limited(pair_tree(left, right, domain, points, limit.tick)):
        match node:
            case Unlike():
                found = first_witness(left, right, vertices(left, right, domain))
                if found is None:
                    found = lifted_witness(left, right, domain)
                if found is not None:
                    return _different(a, b, domain, found)
            case Sample(point):
                if any(next(differences(a, b, [point]))):
                    return _different(a, b, domain, point)
            case Leaf() if not node.is_same:
                return _different(a, b, domain, _point_of(node))
            case Leaf():
                n_cells += 1
                records.append(record("same"))
                progress()
            case Stopped():
                pass
            case _:
                records.append(pair_record(node, domain))
        if isinstance(node, Stopped) or limit.is_exceeded(n_cells):
            return Verdict(None, f"stopped at a limit: {_on(n_cells)} so far")
    reason = _on(n_cells)
    if not steps and not other_steps:
        certificate = claim("equal-by-cells", records, a=a, b=b, domain=domain)
        return Verdict(True, reason, None, certificate)
    certificate = rewriting_claim(a, b, domain, steps, other_steps, records)
    return Verdict(True, f"hidden neurons moved, {reason}", None, certificate)


def _on(n_cells: int) -> str:
    return "the same form on " + ("1 cell" if n_cells == 1 else f"{n_cells} cells")


def _point_of(leaf: Leaf) -> Vector:
    """A simple point of a cell where some output differs."""
    rows = [strict_row(side) for row in leaf.rows if any(row) for side in (row, negated(row))]
    n = leaf.system.dimension
    answers = (feasible(leaf.system & LinearSystem(n, (row,))) for row in rows)
    return min((x.point for x in answers if isinstance(x, Solution)), key=height)


def _different(a: Network, b: Network, domain: LinearSystem, point: Vector) -> Verdict:
    simple = simpler_witness(a, b, domain, point)
    certificate = claim("different", [point_record(simple)], a=a, b=b, domain=domain)
    return Verdict(False, "the values differ at the witness", simple, certificate)
