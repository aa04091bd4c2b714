"""How far apart are two networks: is |f_k − g_k| ≤ ε for every output k on a domain?

The cells of the joint split tree (:mod:`exactrelu.complex.pair_tree`) on which f − g is
affine cover the domain, so the largest difference is the largest value of finitely many
LPs, exactly.  The domain is open: its supremum may be approached at the boundary only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from exactrelu.certificates.equivalence import (
    Refuted,
    equal_within_certificate,
    not_equal_within_certificate,
    within_record,
)
from exactrelu.complex.pair_tree import Leaf, Sample, Unlike, pair_tree
from exactrelu.complex.search import Limit
from exactrelu.complex.split_tree import strict_row
from exactrelu.errors import InputError
from exactrelu.exact.scalar import Vector, rational, to_text
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible, Optimum, Unbounded, level_set
from exactrelu.polyhedra.integer_rows import IntegerRow
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.optimize import maximize
from exactrelu.questions.equivalence.joint import comparable, tree_record
from exactrelu.questions.equivalence.witness import (
    differences,
    first_witness,
    samples,
    simpler_witness,
)
from exactrelu.verdict import Verdict


@dataclass(frozen=True)
class Largest:
    """The supremum of |f_k − g_k| over the outputs and the domain.

    ``value`` is the difference in output ``output`` (from 1) at ``point``, which lies in the
    closure of the domain, and in the domain itself if ``is_attained``.  Where ``value`` is
    None the difference grows without bound from ``point`` along ``direction``.
    """

    value: fmpq | None
    output: int
    point: Vector
    is_attained: bool
    direction: Vector | None = None


@dataclass(frozen=True)
class Within(Verdict):
    """The verdict, with the exact largest difference if all of the domain was searched."""

    largest: Largest | None = None


def equal_within(
    a: Network,
    b: Network,
    bound: Any,
    domain: LinearSystem | None = None,
    *,
    max_regions: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Within:
    """Whether no output differs by more than ``bound`` in the interior of the domain.

    >>> identity = Network.from_arrays([[[1]]], [[0]])
    >>> relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> found = equal_within(identity, relu, "1/2", LinearSystem.box([("-1/2", 3)]))
    >>> found.answer, found.largest.value, found.largest.point, found.largest.is_attained
    (True, 1/2, (-1/2,), False)
    >>> equal_within(identity, relu, 100).largest.direction
    (-1,)
    """
    search = _Search(a, b, rational(bound, "within"), comparable(a, b, domain))
    limit = Limit(max_regions, timeout)
    n_cells = 0
    for node in pair_tree(a, b, search.domain, search.points):
        match node:
            case Sample(point):
                search.see(point)
            case Unlike():
                pass
            case Leaf():
                n_cells += 1
                progress()
                unbounded = search.close(node)
                if unbounded is not None:
                    reason = f"output {unbounded.output} differs without bound"
                    return search.beyond_bound(reason, unbounded)
            case _:
                search.records.append(tree_record(node, search.domain))
        if limit.is_exceeded(n_cells):
            if search.beyond is not None:
                return search.beyond_bound("the witness is beyond the bound; stopped at a limit")
            return Within(None, f"stopped at a limit: within the bound on {n_cells} cells so far")
    return search.verdict()


class _Search:
    """What is known of the difference of two networks so far."""

    def __init__(self, a: Network, b: Network, bound: fmpq, domain: LinearSystem) -> None:
        if bound < 0:
            raise InputError(f"within: {to_text(bound)} is negative")
        self.a, self.b, self.bound, self.domain = a, b, bound, domain
        self.records: list[dict[str, Any]] = []
        self.largest: Largest | None = None
        #: A point of the domain where some output differs by more than the bound.
        self.points = samples(domain)
        self.beyond = first_witness(a, b, self.points, self._is_beyond)

    def see(self, point: Vector) -> None:
        """Take note of a point of the domain."""
        if self.beyond is None and self._is_beyond(next(differences(self.a, self.b, [point]))):
            self.beyond = point

    def close(self, leaf: Leaf) -> Largest | None:
        """Bound all outputs on a cell, or tell which one is unbounded."""
        proofs: list[Refuted] = []
        for output, row in enumerate(leaf.rows, 1):
            for sign in (1, -1):
                oriented = tuple(sign * entry for entry in row)
                best = maximize(tuple(map(fmpq, oriented[:-1])), leaf.system)
                if isinstance(best, Infeasible):
                    raise ArithmeticError("a cell with a point in it is empty: a bug")
                value = None
                if isinstance(best, Optimum):
                    value = (best.value + oriented[-1]) / leaf.den
                    self._compare(value, output, best, leaf, oriented)
                    # The multipliers cancel ±row, and ε.q times them what is beyond the bound.
                    used = [(i, self.bound.q * factor) for i, factor in best.multipliers]
                    proofs.append(([*used, (len(leaf.system.rows), fmpq(1))], ()))
                if self.beyond is None and (value is None or value > self.bound):
                    self.beyond = _point_beyond(leaf, oriented, self.bound)
                if isinstance(best, Unbounded):
                    return Largest(None, output, best.point, False, best.ray)
        self.records.append(within_record(self.domain, proofs))
        return None

    def beyond_bound(self, reason: str, largest: Largest | None = None) -> Within:
        """The verdict no."""
        a, b, bound, domain = self.a, self.b, self.bound, self.domain
        if self.beyond is None:
            raise ValueError("no point beyond the bound is known")
        point = simpler_witness(a, b, domain, self.beyond, self._is_beyond)
        certificate = not_equal_within_certificate(a, b, domain, bound, point)
        return Within(False, reason, point, certificate, largest)

    def verdict(self) -> Within:
        """The verdict when all of the domain was searched."""
        largest = self.largest
        if largest is None or largest.value is None:
            reason = "the domain is empty"
        else:
            reason = f"the largest difference is {to_text(largest.value)}"
        if self.beyond is not None:
            return self.beyond_bound(reason, largest)
        certificate = equal_within_certificate(
            self.a, self.b, self.domain, self.bound, self.records
        )
        return Within(True, reason, None, certificate, largest)

    def _compare(
        self, value: fmpq, output: int, best: Optimum, leaf: Leaf, row: IntegerRow
    ) -> None:
        before = self.largest
        if before is None or before.value is None or value > before.value:
            point = _point_inside(self.domain, leaf, row, best)
            is_attained = point is not None
            self.largest = Largest(value, output, point or best.point, is_attained)
        elif value == before.value and not before.is_attained:
            point = _point_inside(self.domain, leaf, row, best)
            self.largest = before if point is None else Largest(value, output, point, True)

    def _is_beyond(self, difference: Vector) -> bool:
        return any(abs(x) > self.bound for x in difference)


def _point_inside(
    domain: LinearSystem, leaf: Leaf, row: IntegerRow, best: Optimum
) -> Vector | None:
    """A point of the open domain in the closure of a cell where a row is largest, if any."""
    if domain.contains(best.point):
        return best.point
    n = len(domain.rows)
    cuts = LinearSystem(domain.dimension, leaf.system.rows[n:])
    answer = feasible(level_set(tuple(map(fmpq, row[:-1])), best.value, domain & cuts.closed()))
    return None if isinstance(answer, Infeasible) else answer.point


def _point_beyond(leaf: Leaf, row: IntegerRow, bound: fmpq) -> Vector:
    """A point of a cell where row/den > bound."""
    beyond = [int(bound.q) * entry for entry in row]
    beyond[-1] -= int(bound.p) * leaf.den
    extra = LinearSystem(leaf.system.dimension, (strict_row(tuple(beyond)),))
    answer = feasible(leaf.system & extra)
    if isinstance(answer, Infeasible):
        raise ArithmeticError("a supremum beyond the bound is not: a bug")
    return answer.point
