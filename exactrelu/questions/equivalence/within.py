"""Is no output of two networks farther apart than a bound, anywhere on a domain?

That is |f_k − g_k| ≤ ε for every output k.  Points beyond the bound are looked for on the way
through the search for the largest difference (:mod:`.difference`), which decides what is left.  If
that is stopped, interval arithmetic may still prove it.  Large networks on a bounded domain are
compared on boxes (:mod:`exactrelu.questions.properties.decide`).

Symbols: f, g → ``a``, ``b``, ε → ``bound``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from flint import fmpq

from exactrelu.answer import Part, is_undecided
from exactrelu.cells.joint_nodes import Leaf, Sample
from exactrelu.cells.walk import strict_row
from exactrelu.certificates.certificate import Certificate, claim, point_record
from exactrelu.certificates.opening import KnownPair
from exactrelu.digits import say
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.rational import Point
from exactrelu.exact.scalar import Vector, rational, to_text
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible, IntegerRow
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.equivalence.apart import is_for_boxes
from exactrelu.questions.equivalence.bounds import by_intervals
from exactrelu.questions.equivalence.difference import DifferenceSearch, require_comparable
from exactrelu.questions.equivalence.largest import Between, between
from exactrelu.questions.equivalence.witness import (
    differences,
    first_witness,
    simpler_witness,
)
from exactrelu.questions.properties.decide import Decision, decide
from exactrelu.questions.properties.pair import NetworkPair
from exactrelu.questions.question import Answer, Call, as_it_is, question
from exactrelu.words import Words


def _values(found: Any, words: Words) -> Iterator[str]:
    """The point, and both values there; two values that differ look different."""
    if found.witness is not None and found.outputs is not None:
        points = found.witness, *found.outputs
        known = words.of_list(x for point in points for x in point)
        for name, point in zip(("  x   ", "  A(x)", "  B(x)"), points, strict=True):
            yield known.equation(name, point)


#: The parts of an answer to whether two networks are the same, or nearly.
COMPARED = (
    Part("witness", "null, or a point at which they differ", proved=True, said=_values),
    Part("outputs", "null, or both values there", unproved="the values at x"),
    Part("n_cells", "the cells on which they were compared"),
    Part(
        "share",
        "how much of the domain that is, if each cut halves it",
        unproved=lambda found: "on how much they were compared" if found.answer is None else "",
    ),
)


@dataclass(frozen=True, eq=False, repr=False)
class Within(Between):
    """The verdict, with the exact largest difference if all of the domain was searched."""

    PARTS = (
        *COMPARED,
        Part(
            "largest",
            "with `--within`: null, or the largest difference as `difference` has it",
            said=lambda found, words: (
                () if found.largest is None else (f"  {found.largest.text(words)}",)
            ),
            unproved="the largest difference",
        ),
        # What is certain without an answer is the point at which they differ most.
        Part("lower", "with `--within`: a difference that occurs, at `at`", proved=is_undecided),
        Part(
            "upper",
            "with `--within`: a bound of the difference, or null",
            proved=lambda found: found.answer is None and found.proves_upper,
        ),
        Part("at", "with `--within`: where it is `lower`", proved=is_undecided),
    )

    outputs: tuple[Point, Point] | None = None


@question
def equal_within(
    call: Call[Within],
    a: Network,
    b: Network,
    bound: Any,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> Within:
    """Whether no output differs by more than ``bound`` at any point of the domain.

    >>> identity = Network.from_arrays([[[1]]], [[0]])
    >>> relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> found = equal_within(identity, relu, "1/2", LinearSystem.box([("-1/2", 3)]))
    >>> found.answer, found.largest.value, found.largest.certificate.kind
    (True, 1/2, 'largest-difference')
    >>> equal_within(identity, relu, 100).largest.direction
    (-1,)
    """
    return within_bound(call, as_it_is, a, b, bound)


def within_bound(
    call: Call[Answer], told: Callable[[Within], Answer], a: Network, b: Network, bound: Any
) -> Answer:
    """The same, told as whoever asks tells it."""
    epsilon = rational(bound, "within")
    if epsilon < 0:
        raise InputError(f"within: {to_text(epsilon)} is negative")
    require_comparable(a, b)
    call.knows(lambda stopped: told(Within.undecided(stopped)))
    effort, place = call.effort, call.place
    search: _WithinByBoxes | _Beyond
    signs = KnownPair.sought(a, b, place, effort)
    if is_for_boxes(signs, effort):
        search = _WithinByBoxes(NetworkPair.within(a, b, place, epsilon), effort)
    else:
        search = _Beyond(DifferenceSearch(signs, effort), epsilon)
    call.knows(lambda stopped: told(search.so_far(stopped)))
    return told(search.result())


class _WithinByBoxes:
    """Whether no output of large networks differs by more than a bound."""

    def __init__(self, asked: NetworkPair, effort: Effort) -> None:
        self.asked, self.effort = asked, effort
        self._at = asked.domain.flint_point
        self._lower = max(map(abs, asked.differences_at(self._at)))
        self._upper: fmpq | None = None

    def result(self) -> Within:
        """The answer; raises :class:`Stopped` over a bound."""
        asked = self.asked
        a, b = asked.networks
        if self._lower <= asked.bound:
            found = by_intervals(a, b, asked.domain, self.effort)
            self._upper = None if found is None else found.value
            if found is not None and found.value <= asked.bound:
                words = f"{between(self._lower, self._upper)}, by interval arithmetic"
                return self._within(True, words, certificate=found.at_most(asked.bound))
        return self._told(decide(asked, effort=self.effort))

    def _told(self, found: Decision) -> Within:
        if found.answer is None:
            return self._undecided(found.reason)
        if found.answer:
            self._upper = self.asked.bound
            words = f"within the bound on {found.leaves}"
            return self._within(True, words, certificate=found.certificate, share=fmpq(1))
        self._at = found.witness
        self._lower = max(map(abs, self.asked.differences_at(self._at)))
        words = f"the difference at the witness is {say(self._lower)}"
        return self._within(False, words, witness=self._at, certificate=found.certificate)

    def so_far(self, stopped: Stopped) -> Within:
        """The verdict if the work stops now."""
        return self._undecided(f"{stopped}: {between(self._lower, self._upper)}")

    def _undecided(self, reason: str) -> Within:
        """What is certain is the difference at a point."""
        a, b = self.asked.networks
        about: dict[str, Any] = {"a": a, "b": b, "domain": self.asked.domain, "bound": self._lower}
        records = [point_record("point", self._at)]
        proof = claim("largest-difference", "point", records, sense="at-least", **about)
        return self._within(None, reason, certificate=proof)

    def _within(self, answer: bool | None, reason: str, **known: Any) -> Within:
        bounds: dict[str, Any] = {"lower": self._lower, "upper": self._upper, "at": self._at}
        return Within(answer, reason, **bounds, **known)


class _Beyond:
    """The search for the largest difference, and a point t beyond the bound if one was seen."""

    def __init__(self, found: DifferenceSearch, bound: fmpq) -> None:
        self.found, self.bound = found, bound
        self.point: Vector | None = None
        self._is_simple = False

    def result(self) -> Within:
        """The answer; raises :class:`Stopped` over a bound."""
        found = self.found
        points = found.samples()
        self.point = first_witness(found.a, found.b, points, self._is_beyond)
        for node in found.nodes(points):
            match node:
                case Leaf():
                    self._close(node)
                case Sample(point):
                    self._see(point)
            if found.largest is not None and found.largest.value is None:
                return self._no(f"output {found.largest.output} differs without bound", True)
        if self.point is not None:
            return self._no(found.reason, True)
        certificate = self._claim(True, "cells", found.records(self.bound))
        return Within(True, found.reason, None, certificate, **found.known(found.largest))

    def _claim(self, holds: bool, method: str, records: Iterable[str]) -> Certificate:
        """The claim ``within``, or its negation."""
        about = {**self.found.subjects, "bound": self.bound}
        return claim("within", method, records, holds=holds, **about)

    def so_far(self, stopped: Stopped) -> Within:
        """The verdict if the search stops now."""
        if self.point is not None:
            return self._no(f"the witness is beyond the bound; {stopped}", False)
        proved = self.found.proved
        if proved is not None and proved.value <= self.bound:
            how = "interval arithmetic" if proved.method == "intervals" else "bounds of the box"
            certificate = proved.at_most(self.bound)
            words = f"{self.found.between}, by {how}; {stopped}"
            return Within(True, words, None, certificate, **self.found.known(None))
        words = f"within the bound on {self.found.coverage.words}; {self.found.between}"
        return self.found.undecided(Within.undecided(stopped, words, **self.found.known(None)))

    def _see(self, point: Vector) -> None:
        """Take note of a point of the domain."""
        difference = next(differences(self.found.a, self.found.b, [point]))
        if self.point is None and self._is_beyond(difference):
            self.point = point

    def _close(self, leaf: Leaf) -> None:
        """Take note of the maxima on a cell."""
        for maximum in self.found.maxima:
            is_beyond = maximum.value is None or maximum.value > self.bound
            if self.point is None and is_beyond:
                self.point = _point_beyond(leaf, maximum.row, self.bound, self.found.effort)

    def _no(self, reason: str, is_complete: bool) -> Within:
        """The verdict, with a simple point beyond the bound."""
        if self.point is None:
            raise ValueError("no point beyond the bound is known")
        found = self.found
        point = self.point
        if not self._is_simple:
            point = simpler_witness(
                found.a, found.b, found.domain, point, self._is_beyond, found.effort
            )
            self.point, self._is_simple = point, True
        witness = found.place.flint_lift(point)
        certificate = self._claim(False, "point", [point_record("point", witness)])
        known = found.known(found.largest if is_complete else None)
        return Within(False, reason, witness, certificate, **known)

    def _is_beyond(self, difference: Vector) -> bool:
        return any(abs(x) > self.bound for x in difference)


def _point_beyond(leaf: Leaf, row: IntegerRow, bound: fmpq, effort: Effort) -> Vector:
    """A point of a cell where row/den > bound."""
    beyond = [int(bound.q) * entry for entry in row]
    beyond[-1] -= int(bound.p) * leaf.den
    extra = LinearSystem(leaf.system.dimension, (strict_row(tuple(beyond)),))
    answer = feasible(leaf.system & extra, effort=effort)
    if isinstance(answer, Infeasible):
        raise ArithmeticError("a supremum beyond the bound is not: a bug")
    return answer.flint_point
