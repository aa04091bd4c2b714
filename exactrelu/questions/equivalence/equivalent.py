"""Do two networks compute the same function on a domain?

Any numbers of layers and neurons, same inputs and outputs.  In this order: points where
they differ (:mod:`.witness`); isomorphism, if they are large; shallow canonical forms
(theory 1.1); whether they are one form where the signs of neurons hold that are known on the domain
(:mod:`exactrelu.cells.portfolio`); isomorphism without neurons that are proved to be dead; the
joint split tree (:mod:`exactrelu.cells.pairs`), which begins with the signs that are known, and
decides every pair if it may take the time: equality of ReLU networks is coNP-complete (theory 8).

Hidden neurons are first brought to a normal form by steps that keep the function
(:mod:`exactrelu.network.rewriting`).  This is the procedure of theory 3.7 for bottlenecks, with
its repairs, but needs no genericity to be right: dead rows are dropped, translations and
flips undone, and a formal pass through both networks matches the rays of first layers and
compares the rest as shallow canonical forms on the orthant.  If that fails and W1 has full row
rank, a point where the networks differ is constructed (:mod:`.witness`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, Unpack

from flint import fmpq

from exactrelu.cells.joint_nodes import Coverage, Leaf, Sample, Unlike
from exactrelu.cells.knowledge import Unit
from exactrelu.cells.pairs import pair_tree
from exactrelu.cells.portfolio import has_many_neurons
from exactrelu.cells.walk import negated, strict_row
from exactrelu.certificates.certificate import Certificate, Verdict, claim, point_record
from exactrelu.certificates.moves import isomorphic_equality, lifted_equality, rewriting_claim
from exactrelu.certificates.opening import KnownPair
from exactrelu.certificates.pair_trees import PairWriter
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.exact.rational import Point
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluation import evaluate
from exactrelu.network.network import Layer, Network, plain
from exactrelu.network.rewriting import unhidden
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.equivalence.canonical_forms import isomorphic, shallow_equal
from exactrelu.questions.equivalence.difference import require_comparable
from exactrelu.questions.equivalence.simplify import candidates, drop_dead
from exactrelu.questions.equivalence.within import COMPARED, Within, within_bound
from exactrelu.questions.equivalence.witness import (
    differences,
    first_witness,
    height,
    lifted_witness,
    samples,
    simpler_witness,
    vertices,
)
from exactrelu.questions.question import Call, question

#: From so many parameters on isomorphism is tried before forms, which grow with the depth.
MIN_PARAMETERS = 2_000
#: It is one attempt of several: it may not take long.
MAX_REFINEMENTS = 1_000


@dataclass(frozen=True, eq=False, repr=False)
class Equivalence(Verdict):
    """The verdict; undecided, it says on how much the networks were proved to be equal.

    That is ``n_cells`` of the joint tree, and the ``share`` of it if each cut halves it.
    """

    PARTS = COMPARED

    outputs: tuple[Point, Point] | None = None
    n_cells: int = 0
    share: fmpq | None = None


def compared(a: Network, b: Network, found: Verdict) -> Equivalence:
    """The verdict about two networks, with their values at the witness."""
    if isinstance(found, Equivalence):
        return _with_outputs(a, b, found)
    return Equivalence.of(found, outputs=_outputs(a, b, found.witness))


AnyCompared = TypeVar("AnyCompared", Equivalence, Within)


def _with_outputs(a: Network, b: Network, found: AnyCompared) -> AnyCompared:
    outputs = _outputs(a, b, found.witness)
    return found if outputs is None else replace(found, outputs=outputs)


def _outputs(a: Network, b: Network, x: Point | None) -> tuple[Point, Point] | None:
    return None if x is None else (evaluate(a, x), evaluate(b, x))


@question
def equivalent(
    call: Call[Equivalence | Within],
    a: Network,
    b: Network,
    domain: DomainLike = None,
    *,
    within: Any = None,
    **limits: Unpack[Limits],
) -> Equivalence | Within:
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
    Equivalence or Within
        The ``witness`` of a no is a point at which they differ, or by more than ε, and ``outputs``
        are both values there.

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
    if within is not None:
        return within_bound(call, lambda found: _with_outputs(a, b, found), a, b, within)
    coverage = Coverage()

    def so_far(stopped: Stopped) -> Equivalence:
        words = f"the same form on {coverage.words}"
        n_cells, share = coverage.n_cells, coverage.share
        return Equivalence.undecided(stopped, words, n_cells=n_cells, share=share)

    call.knows(so_far)
    require_comparable(a, b)
    pair = _RestrictedPair(a, b, call.place, call.effort)
    return compared(a, b, pair.decided(coverage))


class _RestrictedPair:
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
        if has_many_neurons(a, b):
            signs = KnownPair.of(*self.given, self.place, effort)
            if signs and signs.is_affine(effort):
                return self._by_cells(points, coverage, signs, may_move=False)
        if a.widths == b.widths and a.n_parameters >= MIN_PARAMETERS:
            symmetric = isomorphic(a, b, max_refinements=MAX_REFINEMENTS, effort=effort)
            if symmetric.answer:
                equality = isomorphic_equality(a, b, inner, symmetric.witness)
                return self._said(Verdict(True, "isomorphic", None, equality))
            effort.spend()
        has_form = inner.is_everywhere or inner.is_orthant
        if has_form and max(len(a.layers), len(b.layers)) <= 2:
            return self._said(shallow_equal(a, b, inner))
        signs = KnownPair.sought(*self.given, self.place, effort)
        if signs.is_affine(effort):
            return self._by_cells(points, coverage, signs, may_move=False)
        if has_many_neurons(a, b) and signs.is_mostly_settled:
            # What follows proves signs one by one, by linear programs.
            return self._by_cells(points, coverage, signs)
        equal = equal_without_dead(a, b, inner, points, effort)
        return self._by_cells(points, coverage, signs) if equal is None else self._said(equal)

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

    def _by_cells(
        self,
        points: Sequence[Vector],
        coverage: Coverage,
        signs: KnownPair | None = None,
        *,
        may_move: bool = True,
    ) -> Verdict:
        """The joint split tree, hidden neurons first, up to the first cell where they differ.

        The ``signs`` are those of the networks themselves.
        """
        pair = self.left, self.right
        # Steps that move hidden neurons are for plain networks, both of them.
        is_moved = may_move and all(network.is_plain for network in pair)
        (a, steps), (b, other_steps) = (
            unhidden(plain(n, "hiding")) if is_moved else (n, ()) for n in pair
        )
        is_moved = bool(steps or other_steps)
        # Steps are about restrictions; without them the tree is that of the networks themselves.
        place = self.place.inner if is_moved else self.place
        pair = (a, b) if is_moved else self.given
        if signs is None or is_moved:
            signs = KnownPair.sought(*pair, place, self.effort)
        writer, domain = PairWriter(place), place.inside
        records = signs.opening(self.effort)
        for node in pair_tree(*pair, place, points, self.effort, signs.numbered):
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
        return Equivalence(True, reason, None, certificate, n_cells=n_cells, share=share)

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


# --- Without neurons that are never active


def equal_without_dead(
    a: Network,
    b: Network,
    place: Domain,
    points: Sequence[Vector],
    effort: Effort = UNLIMITED,
) -> Verdict | None:
    """A yes if some neurons are dead on a domain and the others isomorphic, or None.

    Then a neuron that is left has the same signs as its partner at every point, so the networks are
    isomorphic without their candidates too, neurons that are active at no sample point: this is
    cheap to see, and comes before any proof.  The domain is not flat.
    """
    if len(a.layers) != len(b.layers):
        return None
    never = [candidates(network, points) for network in (a, b)]
    if not any(never):
        return None
    small, other = (_without(n, found) for n, found in zip((a, b), never, strict=True))
    if small is None or other is None or small.widths != other.widths:
        return None
    found = _isomorphic(small, other, effort)
    if not found.answer:
        return None
    left, steps = drop_dead(a, place, never[0], effort)
    right, other_steps = drop_dead(b, place, never[1], effort)
    if (left, right) != (small, other):  # not every candidate is dead
        found = _isomorphic(left, right, effort)
        if not found.answer:
            return None
    n = len(steps) + len(other_steps)
    if n == 0:
        certificate = isomorphic_equality(a, b, place, found.witness)
        return Verdict(True, "isomorphic", None, certificate)
    certificate = rewriting_claim(a, b, place, steps, other_steps, symmetry=found.witness)
    without = "1 neuron that is" if n == 1 else f"{n} neurons that are"
    return Verdict(True, f"isomorphic without {without} never active", None, certificate)


def _isomorphic(a: Network, b: Network, effort: Effort) -> Verdict:
    """One attempt of several: undecided soon if it is hard."""
    found = isomorphic(a, b, max_refinements=MAX_REFINEMENTS, effort=effort)
    effort.spend()
    return found


def _without(network: Network, neurons: Iterable[Unit]) -> Network | None:
    """The network without these neurons; None if a layer would be empty."""
    gone = set(neurons)
    layers = list(network.layers)
    for l, width in enumerate(network.hidden_widths):
        kept = [i for i in range(width) if (l, i) not in gone]
        if not kept:
            return None
        layers[l] = Layer(layers[l].affine.take(rows=kept))
        layers[l + 1] = Layer(layers[l + 1].affine.take(columns=[*kept, width]))
    return Network(tuple(layers), network.name)
