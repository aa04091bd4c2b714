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
from dataclasses import dataclass, replace
from typing import Any, Unpack

from flint import fmpq

from exactrelu.cells.joint_nodes import Coverage, Leaf, Sample, Unlike
from exactrelu.cells.pairs import pair_tree
from exactrelu.cells.walk import negated, strict_row
from exactrelu.certificates.certificate import Certificate, Verdict, claim, point_record
from exactrelu.certificates.moves import isomorphic_equality, lifted_equality, rewriting_claim
from exactrelu.certificates.pair_trees import PairWriter
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, plain
from exactrelu.network.rewriting import unhidden
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.equivalence.canonical_forms import isomorphic, shallow_equal
from exactrelu.questions.equivalence.difference import comparable
from exactrelu.questions.equivalence.simplified import equal_simplified, equal_without_dead
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


@dataclass(frozen=True, eq=False, repr=False)
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
    """Whether two networks have the same value at every point of the domain.

    Parameters
    ----------
    a : Network
        The first network.
    b : Network
        The second, with as many inputs and outputs; its hidden layers may be others.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    within : number, optional
        A number ε: whether no output differs by more than ε.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Verdict
        The ``witness`` of a no is a point at which they differ, or by more than ε.

    Notes
    -----
    Exponential at worst (the problem is coNP-complete).  Points, symmetries and normal forms are
    tried first, then the joint cells of both networks, whose number ``max_regions`` bounds; over a
    bound the verdict is undecided.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Section 6, deciding
    equivalence, repaired.

    Examples
    --------
    >>> import exactrelu as er
    >>> spike, zero = er.load("example:spike"), er.load("example:zero")
    >>> er.is_equivalent(spike, zero).answer
    False
    >>> er.is_equivalent(spike, zero, within=1).answer
    True
    >>> er.is_equivalent(spike, zero, "box:1..2").answer
    True
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
            pair = _Pair(a, b, comparable(a, b, domain, effort), effort)
            return pair.decided(coverage)
        except Stopped as stopped:
            return so_far(stopped)


class _Pair:
    """Two networks on a domain, and their restrictions to its affine hull, in coordinates t."""

    def __init__(self, a: Network, b: Network, place: Domain, effort: Effort) -> None:
        self.given, self.place, self.effort = (a, b), place, effort
        self.left, self.right = place.restricted(a), place.restricted(b)
        self.subjects = {"a": a, "b": b, "domain": place}

    def decided(self, coverage: Coverage) -> Verdict:
        """The answer; raises :class:`Stopped` over a bound."""
        a, b, inner, effort = self.left, self.right, self.place.inner, self.effort
        points = samples(inner.inside, effort, inner.flint_point)
        point = first_witness(a, b, points)
        if point is not None:
            return self._different(point)
        if not (a.is_plain and b.is_plain):
            # What follows is about layers of ReLUs; the cells are about functions.
            return self._by_cells(points, coverage)
        if a.widths == b.widths and a.n_parameters >= MIN_PARAMETERS:
            symmetric = isomorphic(a, b, max_refinements=MAX_REFINEMENTS, effort=effort)
            if symmetric.answer:
                equality = isomorphic_equality(a, b, inner, symmetric.witness)
                return self._said(Verdict(True, "isomorphic", None, equality))
            effort.spend()
        has_form = inner.is_everywhere or inner.is_orthant
        if has_form and max(len(a.layers), len(b.layers)) <= 2:
            return self._said(shallow_equal(a, b, inner))
        equal = equal_without_dead(a, b, inner, points, effort)
        if equal is None:
            equal = equal_simplified(a, b, inner, effort)
        return self._by_cells(points, coverage) if equal is None else self._said(equal)

    def _said(self, found: Verdict) -> Verdict:
        """A verdict about the restrictions, said of the networks themselves."""
        if not self.place.is_flat:
            return found
        if not isinstance(found.certificate, Certificate):
            raise TypeError("a verdict without certificate: a bug")
        if found.answer:
            certificate = lifted_equality(*self.given, self.place, found.certificate)
            return replace(found, certificate=certificate)
        witness = self.place.flint_lift(found.witness)
        return replace(found, witness=witness, certificate=self._differ(witness))

    def _by_cells(self, points: Sequence[Vector], coverage: Coverage) -> Verdict:
        """The joint split tree, hidden neurons first, up to the first cell where they differ."""
        pair = self.left, self.right
        # Steps that move hidden neurons are for plain networks, both of them.
        is_plain = all(network.is_plain for network in pair)
        (a, steps), (b, other_steps) = (
            unhidden(plain(n, "hiding")) if is_plain else (n, ()) for n in pair
        )
        is_moved = bool(steps or other_steps)
        # Steps are about restrictions; without them the tree is that of the networks themselves.
        place = self.place.inner if is_moved else self.place
        pair = (a, b) if is_moved else self.given
        writer, domain = PairWriter(place), place.inside
        records: list[str] = []
        for node in pair_tree(*pair, place, points, self.effort):
            match node:
                case Unlike():
                    found = first_witness(a, b, vertices(a, b, domain))
                    if found is None:
                        found = lifted_witness(a, b, domain, self.effort)
                    if found is not None:
                        return self._different(found)
                case Sample(point):
                    if any(next(differences(a, b, [point]))):
                        return self._different(point)
                case Leaf() if not node.is_same:
                    return self._different(_point_of(node, self.effort))
                case Leaf():
                    self.effort.spend("regions")
                    records.append("same")
            records += writer.records(node)
            coverage.add(node)
        n_cells, share = coverage.n_cells, coverage.share
        about = {"a": pair[0], "b": pair[1], "domain": place}
        certificate = claim("equal", "cells", records, holds=True, **about)
        reason = _on(n_cells)
        if is_moved:
            subjects = *self.given, self.place
            certificate = rewriting_claim(*subjects, steps, other_steps, then=certificate)
            reason = f"hidden neurons moved, {reason}"
        return Equivalence(True, reason, None, certificate, n_cells, share)

    def _different(self, point: Vector) -> Verdict:
        """No, as the networks differ at a point t."""
        inside = self.place.inside
        simple = simpler_witness(self.left, self.right, inside, point, effort=self.effort)
        witness = self.place.flint_lift(simple)
        return Verdict(False, "the values differ at the witness", witness, self._differ(witness))

    def _differ(self, witness: Vector) -> Certificate:
        records = [point_record("point", witness)]
        return claim("equal", "point", records, holds=False, **self.subjects)


def _on(n_cells: int) -> str:
    return "the same form on " + ("1 cell" if n_cells == 1 else f"{n_cells} cells")


def _point_of(leaf: Leaf, effort: Effort) -> Vector:
    """A simple point of a cell where some output differs."""
    rows = [strict_row(side) for row in leaf.rows if any(row) for side in (row, negated(row))]
    n = leaf.system.dimension
    cells = (leaf.system & LinearSystem(n, (row,)) for row in rows)
    answers = (feasible(cell, effort=effort) for cell in cells)
    return min((x.flint_point for x in answers if isinstance(x, Solution)), key=height)
