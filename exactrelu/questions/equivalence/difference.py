"""How far apart are two networks on a domain at most?

The largest difference is sup |f_k − g_k| over the outputs k and the domain.  The cells of the
joint split tree (:mod:`exactrelu.cells.pairs`) on which f − g is affine cover the domain, so the
supremum is the largest value of finitely many LPs, exactly, or it is infinite along a ray.  Where
a row of the domain is strict it may be approached only.

At any time it is known to lie between two numbers: the difference at the best point that was
seen, and a bound on the whole domain (:mod:`.bounds`); both are proved.

Networks with many neurons have too many cells.  On a bounded domain their difference is
bounded on boxes (:mod:`.apart`).

Symbols: f, g → ``a``, ``b``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from flint import fmpq

from exactrelu.cells.joint_nodes import Coverage, Leaf, Node, Sample
from exactrelu.cells.pairs import pair_tree
from exactrelu.certificates.certificate import (
    Certificate,
    all_of,
    claim,
    point_record,
    record,
)
from exactrelu.certificates.opening import KnownPair
from exactrelu.certificates.pair_trees import PairWriter, Weights, beyond_records
from exactrelu.digits import say
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import ShapeError
from exactrelu.exact.scalar import ZERO, Vector, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible, IntegerRow, Optimum, Unbounded, level_set
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.lp import feasible, maximize
from exactrelu.questions.equivalence.apart import Apart, is_for_boxes
from exactrelu.questions.equivalence.bounds import DifferenceBound, difference_bounds
from exactrelu.questions.equivalence.largest import (
    AnyBetween,
    Difference,
    Largest,
    between,
)
from exactrelu.questions.equivalence.witness import (
    differences,
    samples,
)
from exactrelu.questions.question import Call, question

#: So many points of the tree are evaluated together.
N_POINTS = 16
#: Writing down more takes longer than someone waits whose time is over.
MAX_NUMBERS = 200_000


def require_comparable(a: Network, b: Network) -> None:
    """Refuse networks that have not the same inputs and outputs."""
    if (a.n_inputs, a.n_outputs) != (b.n_inputs, b.n_outputs):
        raise ShapeError(
            f"{a.n_inputs} inputs and {a.n_outputs} outputs in one network, "
            f"{b.n_inputs} and {b.n_outputs} in the other"
        )


@dataclass(frozen=True)
class Maximum:
    """The largest value of ±(f_k − g_k) = row/den on a cell; None if there is none."""

    row: IntegerRow
    value: fmpq | None


@question
def largest_difference(
    call: Call[Difference],
    a: Network,
    b: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> Difference:
    """The exact supremum of the difference of two networks in any output.

    Parameters
    ----------
    a : Network
        The first network.
    b : Network
        The second, with as many inputs and outputs.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Difference
        ``largest`` with ``value`` (None if infinite), ``output`` (from 1), ``point`` and
        ``is_attained``; at any time ``lower`` ≤ value ≤ ``upper``, the lower bound at ``at``.

    Notes
    -----
    One linear program for each joint cell of both networks and each output, at worst; bounds leave
    most of them out.  Over a bound on the work ``lower`` and ``upper`` are what is known.

    Examples
    --------
    >>> import exactrelu as er
    >>> spike, zero = er.load("example:spike"), er.load("example:zero")
    >>> found = er.largest_difference(spike, zero)
    >>> found.largest.value, found.largest.is_attained
    (1, True)
    >>> identity = er.Network.from_arrays([[[1]]], [[0]])
    >>> relu = er.Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> er.largest_difference(identity, relu, "box:-1/2..3").largest.point
    (-1/2,)
    """
    require_comparable(a, b)
    effort, place = call.effort, call.place
    signs = KnownPair.sought(a, b, place, effort)
    is_large = is_for_boxes(signs, effort)
    search = _LargestByBoxes(a, b, place, effort) if is_large else DifferenceSearch(signs, effort)
    call.knows(search.so_far)
    return search.result()


class _LargestByBoxes:
    """The largest difference of large networks."""

    def __init__(self, a: Network, b: Network, place: Domain, effort: Effort) -> None:
        self._apart = Apart(a, b, place, effort)

    def result(self) -> Difference:
        """The answer; raises :class:`Stopped` over a bound."""
        self._apart.run()
        is_attained, found = self._apart.is_attained(), self._apart.highest
        output = found.output
        largest = Largest(found.value, output, found.x, is_attained, search=self._apart)
        reason = f"the largest difference is {say(found.value)}"
        value, x = found.value, found.x
        proof = largest.certificate
        return Difference(True, reason, x, proof, largest, value, value, x, share=fmpq(1))

    def so_far(self, stopped: Stopped) -> Difference:
        """The verdict if the search stops now, with the proofs of both bounds."""
        apart = self._apart
        found, upper = apart.highest, apart.upper
        words = between(found.value, upper)
        if apart.n_boxes:
            words += f", by {apart.leaves}"
        certificate = all_of([apart.at_least, apart.proved])
        bounds = {"lower": found.value, "upper": upper, "at": found.x}
        return Difference.undecided(stopped, words, **bounds, certificate=certificate)


class DifferenceSearch:
    """What is known of the difference of two networks so far, and the records that prove it.

    It goes on in the coordinates t of the affine hull of the domain, where ``a`` and ``b`` are the
    restrictions of the networks; what it says is about x.
    """

    def __init__(self, signs: KnownPair, effort: Effort) -> None:
        a, b, place = signs.left.network, signs.right.network, signs.left.domain
        self._given, self._signs, self.place, self.effort = (a, b), signs, place, effort
        self.a, self.b = place.restricted(a), place.restricted(b)
        self.domain = place.inside
        self._start = place.coordinates(place.flint_point)
        self.largest: Largest | None = None
        self.coverage = Coverage()
        #: On the cell that was closed last.
        self.maxima: list[Maximum] = []
        #: The bound on the whole domain that is proved.
        self.proved: DifferenceBound | None = None
        #: The largest difference at a point of the domain that was seen.
        self._best: tuple[fmpq, Vector] | None = None
        #: Points to be looked at; one is there from the beginning, so that something is known.
        self._unseen = [self._start]
        #: A bound, and the certificate that the difference is as large.
        self._at_least: tuple[fmpq, Certificate] | None = None
        self._writer = PairWriter(place)
        #: Records, and for each leaf the multipliers that cancel ± each output.
        self._nodes: list[str | list[Weights]] = []

    @property
    def subjects(self) -> dict[str, Any]:
        """What is compared, and where."""
        a, b = self._given
        return {"a": a, "b": b, "domain": self.place}

    def result(self) -> Difference:
        """The answer; raises :class:`Stopped` over a bound."""
        for _ in self.nodes():
            if self.largest is not None and self.largest.value is None:
                break
        largest = self.finished()
        return Difference(
            True, self.reason, largest.point, largest.certificate, **self.known(largest)
        )

    def so_far(self, stopped: Stopped) -> Difference:
        """The verdict if the search stops now."""
        known = self.known(None)
        words = f"{self.between}, {self.coverage.words}"
        return self.undecided(Difference.undecided(stopped, words, **known))

    def undecided(self, found: AnyBetween) -> AnyBetween:
        """A verdict that is undecided, with what is certain: both bounds."""
        if found.lower is None or found.at is None or self._is_large:
            return found
        if self._at_least is None or self._at_least[0] != found.lower:
            about = {**self.subjects, "sense": "at-least", "bound": found.lower}
            records = [point_record("point", found.at)]
            self._at_least = found.lower, claim("largest-difference", "point", records, **about)
        proof = None if self.proved is None else self.proved.certificate
        return replace(found, certificate=all_of([self._at_least[1], proof]))

    @property
    def upper(self) -> fmpq | None:
        """The bound on the whole domain."""
        return None if self.proved is None else self.proved.value

    @property
    def _is_large(self) -> bool:
        """Whether the subjects of a claim take long to write down."""
        system = self.place.system
        n_numbers = sum(network.n_parameters for network in self._given)
        return n_numbers + len(system.rows) * system.dimension > MAX_NUMBERS

    def known(self, largest: Largest | None) -> dict[str, Any]:
        """The fields of a verdict, with the largest difference if all of the domain was searched.

        Until then, no bound is better than that on the whole domain.
        """
        fields = {"n_cells": self.coverage.n_cells, "share": self.coverage.share}
        if largest is not None:
            value, at = largest.value, largest.point
            return {**fields, "largest": largest, "lower": value, "upper": value, "at": at}
        self._look()
        if self._best is None:
            return {**fields, "upper": self.upper}
        lower, at = self._best
        return {**fields, "lower": lower, "upper": self.upper, "at": self.place.flint_lift(at)}

    @property
    def between(self) -> str:
        """What is known of the largest difference, in words."""
        self._look()
        return between(None if self._best is None else self._best[0], self.upper)

    def nodes(self, points: Sequence[Vector] | None = None) -> Iterator[Node]:
        """The nodes of the tree, each taken note of; before the first, all that is quick."""
        points = self.samples() if points is None else points
        self._look()
        signs = self._signs
        if self.effort is not UNLIMITED and not (signs and signs.is_affine(self.effort)):
            for bound in difference_bounds(*self._given, self.place, self.effort):
                self.proved = bound
        self._nodes += signs.opening(self.effort)
        for node in pair_tree(*self._given, self.place, points, self.effort, signs.numbered):
            match node:
                case Leaf():
                    self.effort.spend("regions")
                    self.maxima = self._close(node)
                case Sample(point):
                    self._unseen.append(point)
                    if len(self._unseen) >= N_POINTS:
                        self._look()
            self._nodes += self._writer.records(node)
            self.coverage.add(node)
            yield node

    def samples(self) -> list[Vector]:
        """Points of the domain to begin with, which are looked at."""
        points = samples(self.domain, self.effort, self._start)
        self._unseen += points
        return points

    def _look(self) -> None:
        """Evaluate the networks at the points that were found."""
        points, self._unseen = self._unseen, []
        if points:
            for point, rest in zip(points, differences(self.a, self.b, points), strict=True):
                self._see(max(map(abs, rest), default=ZERO), point)

    def _see(self, value: fmpq, point: Vector) -> None:
        if self._best is None or value > self._best[0]:
            self._best = value, point

    def _close(self, leaf: Leaf) -> list[Maximum]:
        """Bound all outputs on a cell, up to one that is unbounded."""
        proofs: list[Weights] = []
        maxima: list[Maximum] = []
        for output, row in enumerate(leaf.rows, 1):
            for sign in (1, -1):
                oriented = tuple(sign * entry for entry in row)
                objective = tuple(map(fmpq, oriented[:-1]))
                best = maximize(objective, leaf.system, effort=self.effort)
                if isinstance(best, Infeasible):
                    raise ArithmeticError("a cell with a point in it is empty: a bug")
                if isinstance(best, Unbounded):
                    ray = self.place.flint_lift_direction(best.flint_ray)
                    self._found(None, output, leaf.point, True, ray)
                    return [*maxima, Maximum(oriented, None)]
                value = (best.flint_value + oriented[-1]) / leaf.den
                maxima.append(Maximum(oriented, value))
                self._compare(value, output, best, leaf, oriented)
                proofs.append(self._writer.weights(best.flint_multipliers))
        self._nodes.append(proofs)
        return maxima

    def _found(
        self,
        value: fmpq | None,
        output: int,
        point: Vector,
        is_attained: bool,
        direction: Vector | None = None,
    ) -> None:
        """Take note of the largest difference so far, at a point t."""
        x = self.place.flint_lift(point)
        self.largest = Largest(value, output, x, is_attained, direction, self)

    def records(self, bound: fmpq) -> Iterator[str]:
        """The tree with a proof on its leaves that no output differs by more than ``bound``."""
        for node in self._nodes:
            if isinstance(node, str):
                yield node
            else:
                yield from beyond_records(node, bound)

    def finished(self) -> Largest:
        """The largest difference, once all of the domain was searched."""
        if self.largest is None:
            raise ArithmeticError("a domain with a point in it has no cell: a bug")
        return self.largest

    @property
    def reason(self) -> str:
        """A sentence about the largest difference, once all of the domain was searched."""
        value = self.finished().value
        if value is None:
            return f"output {self.finished().output} differs without bound"
        return f"the largest difference is {say(value)}"

    def certificate(self, largest: Largest) -> Certificate | None:
        """The certificate of the largest difference, once all of the domain was searched."""
        if largest.direction is not None:
            records, method = [record("ray", *primitive(largest.direction))], "ray"
        elif largest is not self.largest or largest.value is None:
            return None
        else:
            # A point of the closure with this difference, and that there is none with more.
            records = [point_record("point", largest.point), *self.records(largest.value)]
            method = "cells"
        about = {**self.subjects, "sense": "exactly", "bound": largest.value}
        return claim("largest-difference", method, records, **about)

    def _compare(
        self, value: fmpq, output: int, best: Optimum, leaf: Leaf, row: IntegerRow
    ) -> None:
        before = self.largest
        if before is None or before.value is None or value > before.value:
            point = self._point_of_domain(leaf, row, best)
            is_attained = point is not None
            if point is None:
                self._unseen.append(leaf.point)
            else:
                self._see(value, point)
            self._found(value, output, best.flint_point if point is None else point, is_attained)
        elif value == before.value and not before.is_attained:
            point = self._point_of_domain(leaf, row, best)
            if point is not None:
                self._found(value, output, point, True)

    def _point_of_domain(self, leaf: Leaf, row: IntegerRow, best: Optimum) -> Vector | None:
        """A point of the domain in the closure of a cell where a row is largest, if any."""
        domain = self.place.on_hull
        if domain.contains(best.flint_point):
            return best.flint_point
        cuts = LinearSystem(domain.dimension, leaf.system.rows[len(domain.rows) :])
        level = level_set(tuple(map(fmpq, row[:-1])), best.flint_value, domain & cuts.closed())
        answer = feasible(level, effort=self.effort)
        return None if isinstance(answer, Infeasible) else answer.flint_point
