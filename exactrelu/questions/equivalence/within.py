"""Is |f_k − g_k| ≤ ε for every output k of two networks on a domain?

Points beyond the bound are looked for on the way through the search for the largest
difference (:mod:`.largest`), which decides what is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from exactrelu.certificates.certificate import claim
from exactrelu.certificates.evidence import point_record
from exactrelu.complex.pair_tree import Leaf, Sample, pair_tree
from exactrelu.complex.search import Limit
from exactrelu.complex.walk import strict_row
from exactrelu.errors import InputError
from exactrelu.exact.scalar import Vector, rational, to_text
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.integer_rows import IntegerRow
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.equivalence.joint import Stopped, comparable, limited
from exactrelu.questions.equivalence.largest import DifferenceSearch, Largest, lifted
from exactrelu.questions.equivalence.witness import (
    differences,
    first_witness,
    samples,
    simpler_witness,
)
from exactrelu.verdict import Verdict


@dataclass(frozen=True)
class Within(Verdict):
    """The verdict, with the exact largest difference if all of the domain was searched."""

    largest: Largest | None = None


def equal_within(
    a: Network,
    b: Network,
    bound: Any,
    domain: DomainLike = None,
    *,
    max_regions: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
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
