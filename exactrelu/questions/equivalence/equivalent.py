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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from flint import fmpq

from exactrelu.cells.pairs import Coverage, Leaf, Sample, Unlike, pair_tree
from exactrelu.cells.walk import negated, strict_row
from exactrelu.certificates.certificate import Verdict, claim, record
from exactrelu.certificates.evidence import point_record
from exactrelu.certificates.moves import rewriting_claim
from exactrelu.certificates.trees import pair_record
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.network.rewriting import unhidden
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.equivalence.canonical_forms import isomorphic, shallow_equal
from exactrelu.questions.equivalence.difference import comparable
from exactrelu.questions.equivalence.simplify import equal_simplified, equal_without_dead
from exactrelu.questions.equivalence.within import equal_within
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


@dataclass(frozen=True)
class Equivalence(Verdict):
    """The verdict; undecided, it says on how much the networks were proved to be equal.

    That is ``n_cells`` of the joint tree, and the ``share`` of it if each cut halves it.
    """

    n_cells: int = 0
    share: fmpq = ZERO


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

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> deep = Network.from_arrays([[[2], [1]], [[-1, 1]], [[1]]], [[0, 0], [0], [0]])
    >>> equivalent(absolute, deep).witness
    (-1,)
    >>> equivalent(deep, Network.from_arrays([[[0]]], [[0]])).reason
    'isomorphic after simplification by signs'
    """
    effort = Effort.of(limits)
    if within is not None:
        return equal_within(a, b, within, domain, effort=effort)
    coverage = Coverage()

    def so_far(stopped: Stopped) -> Equivalence:
        words = f"the same form on {coverage.words}"
        n_cells, share = coverage.n_cells, coverage.share
        return Equivalence.undecided(stopped, words, n_cells=n_cells, share=share)

    with effort.knowing(so_far):
        try:
            place = comparable(a, b, domain, effort)
            if not place.is_flat:
                return _decided(a, b, place, coverage, effort)
            inner = Domain.of(place.inside, place.inner_dimension, effort)
            found = _decided(place.restricted(a), place.restricted(b), inner, coverage, effort)
            return found.lifted(place.lift)
        except Stopped as stopped:
            return so_far(stopped)


def _decided(a: Network, b: Network, place: Domain, coverage: Coverage, effort: Effort) -> Verdict:
    """The answer on a domain that is not flat; raises :class:`Stopped` over a bound."""
    inside = place.inside
    points = samples(inside, effort, place.point)
    point = first_witness(a, b, points)
    if point is not None:
        return _different(a, b, inside, point, effort)
    if a.widths == b.widths and a.n_parameters >= MIN_PARAMETERS:
        symmetric = isomorphic(a, b, max_refinements=MAX_REFINEMENTS, effort=effort)
        if symmetric.answer:
            return Verdict(True, "isomorphic", None, symmetric.certificate)
        effort.spend()
    has_form = place.is_everywhere or place.is_orthant
    if has_form and max(len(a.layers), len(b.layers)) <= 2:
        return shallow_equal(a, b, place)
    equal = equal_without_dead(a, b, place, points, effort)
    if equal is None:
        equal = equal_simplified(a, b, place, effort)
    return _by_cells(a, b, inside, points, coverage, effort) if equal is None else equal


def _by_cells(
    a: Network,
    b: Network,
    domain: LinearSystem,
    points: Sequence[Vector],
    coverage: Coverage,
    effort: Effort,
) -> Verdict:
    """The joint split tree, hidden neurons first, up to the first cell where they differ."""
    (left, steps), (right, other_steps) = unhidden(a), unhidden(b)
    records: list[dict[str, Any]] = []
    for node in pair_tree(left, right, domain, points, effort):
        match node:
            case Unlike():
                found = first_witness(left, right, vertices(left, right, domain))
                if found is None:
                    found = lifted_witness(left, right, domain, effort)
                if found is not None:
                    return _different(a, b, domain, found, effort)
            case Sample(point):
                if any(next(differences(a, b, [point]))):
                    return _different(a, b, domain, point, effort)
            case Leaf() if not node.is_same:
                return _different(a, b, domain, _point_of(node, effort), effort)
            case Leaf():
                effort.spend("regions")
                records.append(record("same"))
            case _:
                records.append(pair_record(node, domain))
        coverage.add(node)
    n_cells, share = coverage.n_cells, coverage.share
    reason = _on(n_cells)
    if not steps and not other_steps:
        certificate = claim("equal-by-cells", records, a=a, b=b, domain=domain)
        return Equivalence(True, reason, None, certificate, n_cells, share)
    certificate = rewriting_claim(a, b, domain, steps, other_steps, records)
    return Equivalence(True, f"hidden neurons moved, {reason}", None, certificate, n_cells, share)


def _on(n_cells: int) -> str:
    return "the same form on " + ("1 cell" if n_cells == 1 else f"{n_cells} cells")


def _point_of(leaf: Leaf, effort: Effort) -> Vector:
    """A simple point of a cell where some output differs."""
    rows = [strict_row(side) for row in leaf.rows if any(row) for side in (row, negated(row))]
    n = leaf.system.dimension
    cells = (leaf.system & LinearSystem(n, (row,)) for row in rows)
    answers = (feasible(cell, effort=effort) for cell in cells)
    return min((x.point for x in answers if isinstance(x, Solution)), key=height)


def _different(
    a: Network, b: Network, domain: LinearSystem, point: Vector, effort: Effort
) -> Verdict:
    simple = simpler_witness(a, b, domain, point, effort=effort)
    certificate = claim("different", [point_record(simple)], a=a, b=b, domain=domain)
    return Verdict(False, "the values differ at the witness", simple, certificate)
