"""How far apart are two networks on a domain at most, and is that within a bound?

The largest difference is sup |f_k − g_k| over the outputs k and the domain.  The cells of the
joint split tree (:mod:`exactrelu.cells.pairs`) on which f − g is affine cover the domain, so the
supremum is the largest value of finitely many LPs, exactly, or it is infinite along a ray.  Where
a row of the domain is strict it may be approached only.

Is |f_k − g_k| ≤ ε for every output k?  Points beyond the bound are looked for on the way through
the search for the largest difference, which decides what is left.

``comparable`` and ``limited`` are what every question about two networks on a domain shares.

Symbols: f, g → ``a``, ``b``, ε → ``bound``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Unpack

from flint import fmpq

from exactrelu.cells.pairs import Bounds, Empty, Leaf, Node, Sample, Sides, Split, Unlike, pair_tree
from exactrelu.cells.walk import strict_row
from exactrelu.certificates.certificate import Certificate, Named, Record, Verdict, claim, record
from exactrelu.certificates.evidence import point_record
from exactrelu.certificates.trees import pair_record, within_record
from exactrelu.effort import Effort, Limit, LimitReached, Limits
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.scalar import Vector, primitive, rational, to_text
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible, IntegerRow, Optimum, Unbounded, level_set
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.lp import feasible, maximize
from exactrelu.questions.equivalence.witness import (
    differences,
    first_witness,
    samples,
    simpler_witness,
)

#: Multipliers of rows.
Factors = tuple[tuple[int, fmpq], ...]


def comparable(a: Network, b: Network, domain: DomainLike) -> Domain:
    """The domain, if the networks have the same inputs and outputs."""
    if (a.n_inputs, a.n_outputs) != (b.n_inputs, b.n_outputs):
        raise ShapeError(
            f"{a.n_inputs} inputs and {a.n_outputs} outputs in one network, "
            f"{b.n_inputs} and {b.n_outputs} in the other"
        )
    return Domain.of(domain, a.n_inputs)


@dataclass(frozen=True)
class Stopped:
    """The time was over in the middle of a cell."""


def limited(nodes: Iterator[Node]) -> Iterator[Node | Stopped]:
    """The nodes of a tree, and a last one if the search was stopped."""
    try:
        yield from nodes
    except LimitReached:
        yield Stopped()


@dataclass(frozen=True)
class Largest:
    """The supremum of |f_k − g_k| over the outputs and the domain.

    ``value`` is the difference in output ``output`` (from 1) at ``point``, which lies in the
    closure of the domain, and in the domain itself if ``is_attained``.  Where ``value`` is
    None the difference, with its sign, grows or falls without bound from ``point`` along
    ``direction``, a ray in the closure of one cell.
    """

    value: fmpq | None
    output: int
    point: Vector
    is_attained: bool
    direction: Vector | None = None
    search: DifferenceSearch | None = field(default=None, repr=False, compare=False)

    @property
    def certificate(self) -> Certificate | None:
        """That of the claim ``largest-difference``, or ``unbounded-difference``."""
        return None if self.search is None else self.search.certificate(self)


@dataclass(frozen=True)
class Difference(Verdict):
    """The verdict is yes once all of the domain was searched."""

    largest: Largest | None = None


@dataclass(frozen=True)
class Maximum:
    """The largest value of ±(f_k − g_k) = row/den on a cell; None if there is none."""

    row: IntegerRow
    value: fmpq | None


def largest_difference(
    a: Network,
    b: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> Difference:
    """The exact supremum of the difference of any output on the domain.

    >>> identity = Network.from_arrays([[[1]]], [[0]])
    >>> relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> found = largest_difference(identity, relu, LinearSystem.box([("-1/2", 3)]))
    >>> found.reason, found.largest.point, found.largest.is_attained
    ('the largest difference is 1/2', (-1/2,), True)
    >>> largest_difference(identity, relu).largest.direction
    (-1,)
    """
    effort = Effort.of(limits)
    max_regions = effort.left("regions")
    timeout = effort.seconds_left()
    progress: Any = partial(effort.tell, "cells")
    place = comparable(a, b, domain)
    if place.is_flat:
        found = largest_difference(
            place.restricted(a),
            place.restricted(b),
            place.on_hull,
            max_regions=max_regions,
            timeout=timeout,
            progress=progress,
        )
        return replace(found.lifted(place.lift), largest=lifted(found.largest, place))
    search = DifferenceSearch(a, b, place)
    limit = Limit(max_regions, timeout)
    tree = pair_tree(a, b, search.domain, samples(search.domain), limit.tick)
    for node in limited(tree):
        match node:
            case Leaf():
                progress()
                search.close(node)
            case Stopped():
                pass
            case _:
                search.add(node)
        largest = search.largest
        if largest is not None and largest.value is None:
            return Difference(True, search.reason, largest.point, largest.certificate, largest)
        if isinstance(node, Stopped) or limit.is_exceeded(search.n_cells):
            return Difference(None, f"stopped at a limit: {search.n_cells} cells so far")
    largest = search.finished()
    return Difference(True, search.reason, largest.point, largest.certificate, largest)


def lifted(largest: Largest | None, place: Domain) -> Largest | None:
    """A largest difference on the affine hull of a flat domain, in the coordinates of x."""
    if largest is None:
        return None
    direction = None if largest.direction is None else place.lift_direction(largest.direction)
    point = place.lift(largest.point)
    return replace(largest, point=point, direction=direction, search=None)


class DifferenceSearch:
    """What is known of the difference of two networks so far, and the records that prove it."""

    def __init__(self, a: Network, b: Network, place: Domain) -> None:
        self.a, self.b, self.place = a, b, place
        self.domain = place.inside
        self.largest: Largest | None = None
        self.n_cells = 0
        self._inside: Vector | None = None
        #: Records, and for each leaf the multipliers that cancel ± each output.
        self._nodes: list[Record | list[tuple[Factors, int]]] = []

    @property
    def subjects(self) -> Named:
        """What is compared, and where."""
        return {"a": self.a, "b": self.b, "domain": self.domain}

    def add(self, node: Split | Sides | Bounds | Empty | Sample | Unlike) -> None:
        """Take a node that is not a leaf."""
        if not isinstance(node, Sample | Unlike):
            self._nodes.append(pair_record(node, self.domain))

    def close(self, leaf: Leaf) -> list[Maximum]:
        """Bound all outputs on a cell, up to one that is unbounded."""
        self.n_cells += 1
        self._inside = self._inside or leaf.point
        proofs: list[tuple[Factors, int]] = []
        maxima: list[Maximum] = []
        for output, row in enumerate(leaf.rows, 1):
            for sign in (1, -1):
                oriented = tuple(sign * entry for entry in row)
                best = maximize(tuple(map(fmpq, oriented[:-1])), leaf.system)
                if isinstance(best, Infeasible):
                    raise ArithmeticError("a cell with a point in it is empty: a bug")
                if isinstance(best, Unbounded):
                    self.largest = Largest(None, output, leaf.point, True, best.ray, self)
                    return [*maxima, Maximum(oriented, None)]
                value = (best.value + oriented[-1]) / leaf.den
                maxima.append(Maximum(oriented, value))
                self._compare(value, output, best, leaf, oriented)
                proofs.append((best.multipliers, len(leaf.system.rows)))
        self._nodes.append(proofs)
        return maxima

    def records(self, bound: fmpq) -> Iterator[Record]:
        """The tree with a proof on its leaves that no output differs by more than ``bound``."""
        q = fmpq(bound.q)
        for node in self._nodes:
            if isinstance(node, dict):
                yield node
                continue
            # The multipliers cancel ±row, and bound.q times them what is beyond the bound.
            proofs = [
                ([*((i, q * factor) for i, factor in used), (n, fmpq(1))], ()) for used, n in node
            ]
            yield within_record(self.domain, proofs)

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
        return f"the largest difference is {to_text(value)}"

    def certificate(self, largest: Largest) -> Certificate | None:
        """The certificate of the largest difference, once all of the domain was searched."""
        if largest.direction is not None:
            ray = record("ray", point=largest.point, direction=list(primitive(largest.direction)))
            return claim("unbounded-difference", [ray], **self.subjects)
        if largest is not self.largest or largest.value is None or self._inside is None:
            return None
        # A point of the open domain, and one of its closure with this difference.
        limit = record("limit", inside=self._inside, point=largest.point)
        records = (limit, *self.records(largest.value))
        return claim("largest-difference", records, **self.subjects, bound=largest.value)

    def _compare(
        self, value: fmpq, output: int, best: Optimum, leaf: Leaf, row: IntegerRow
    ) -> None:
        before = self.largest
        if before is None or before.value is None or value > before.value:
            point = self._point_of_domain(leaf, row, best)
            is_attained = point is not None
            self.largest = Largest(value, output, point or best.point, is_attained, None, self)
        elif value == before.value and not before.is_attained:
            point = self._point_of_domain(leaf, row, best)
            if point is not None:
                self.largest = Largest(value, output, point, True, None, self)

    def _point_of_domain(self, leaf: Leaf, row: IntegerRow, best: Optimum) -> Vector | None:
        """A point of the domain in the closure of a cell where a row is largest, if any."""
        if self.place.system.contains(best.point):
            return best.point
        cuts = LinearSystem(self.place.dimension, leaf.system.rows[len(self.domain.rows) :])
        where = self.place.system & cuts.closed()
        answer = feasible(level_set(tuple(map(fmpq, row[:-1])), best.value, where))
        return None if isinstance(answer, Infeasible) else answer.point


# --- Within a bound


@dataclass(frozen=True)
class Within(Verdict):
    """The verdict, with the exact largest difference if all of the domain was searched."""

    largest: Largest | None = None


def equal_within(
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
    effort = Effort.of(limits)
    max_regions = effort.left("regions")
    timeout = effort.seconds_left()
    progress: Any = partial(effort.tell, "cells")
    place = comparable(a, b, domain)
    if place.is_flat:
        there = equal_within(
            place.restricted(a),
            place.restricted(b),
            bound,
            place.on_hull,
            max_regions=max_regions,
            timeout=timeout,
            progress=progress,
        )
        return replace(there.lifted(place.lift), largest=lifted(there.largest, place))
    limit = Limit(max_regions, timeout)
    search = _Beyond(a, b, rational(bound, "within"), place)
    found = search.found
    for node in limited(pair_tree(a, b, found.domain, search.points, limit.tick)):
        match node:
            case Leaf():
                progress()
                search.close(node)
            case Stopped():
                pass
            case _:
                found.add(node)
                if isinstance(node, Sample):
                    search.see(node.point)
        largest = found.largest
        if largest is not None and largest.value is None:
            return search.no(f"output {largest.output} differs without bound", largest)
        if isinstance(node, Stopped) or limit.is_exceeded(found.n_cells):
            if search.point is not None:
                return search.no("the witness is beyond the bound; stopped at a limit", None)
            so_far = f"within the bound on {found.n_cells} cells so far"
            return Within(None, f"stopped at a limit: {so_far}")
    if search.point is not None:
        return search.no(found.reason, found.largest)
    records = found.records(search.bound)
    certificate = claim("equal-within", records, **found.subjects, bound=search.bound)
    return Within(True, found.reason, None, certificate, found.largest)


class _Beyond:
    """The search for the largest difference, and a point beyond the bound if one was seen."""

    def __init__(self, a: Network, b: Network, bound: fmpq, place: Domain) -> None:
        if bound < 0:
            raise InputError(f"within: {to_text(bound)} is negative")
        self.found = DifferenceSearch(a, b, place)
        self.bound = bound
        self.points = samples(place.inside)
        self.point = first_witness(a, b, self.points, self._is_beyond)

    def see(self, point: Vector) -> None:
        """Take note of a point of the domain."""
        difference = next(differences(self.found.a, self.found.b, [point]))
        if self.point is None and self._is_beyond(difference):
            self.point = point

    def close(self, leaf: Leaf) -> None:
        """Bound all outputs on a cell."""
        for maximum in self.found.close(leaf):
            is_beyond = maximum.value is None or maximum.value > self.bound
            if self.point is None and is_beyond:
                self.point = _point_beyond(leaf, maximum.row, self.bound)

    def no(self, reason: str, largest: Largest | None) -> Within:
        """The verdict, with a simple point beyond the bound."""
        if self.point is None:
            raise ValueError("no point beyond the bound is known")
        pair = self.found.a, self.found.b, self.found.domain
        point = simpler_witness(*pair, self.point, self._is_beyond)
        proof, subjects = [point_record(point)], self.found.subjects
        certificate = claim("not-equal-within", proof, **subjects, bound=self.bound)
        return Within(False, reason, point, certificate, largest)

    def _is_beyond(self, difference: Vector) -> bool:
        return any(abs(x) > self.bound for x in difference)


def _point_beyond(leaf: Leaf, row: IntegerRow, bound: fmpq) -> Vector:
    """A point of a cell where row/den > bound."""
    beyond = [int(bound.q) * entry for entry in row]
    beyond[-1] -= int(bound.p) * leaf.den
    extra = LinearSystem(leaf.system.dimension, (strict_row(tuple(beyond)),))
    answer = feasible(leaf.system & extra)
    if isinstance(answer, Infeasible):
        raise ArithmeticError("a supremum beyond the bound is not: a bug")
    return answer.point
