"""How far apart are two networks: is |f_k − g_k| ≤ ε for every output k on a domain?

The cells of the joint split tree (:mod:`exactrelu.complex.pair_tree`) on which f − g is
affine cover the domain, so the largest difference is the largest of finitely many LPs,
exactly.  Where the domain is open the supremum may be approached at its boundary only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from exactrelu.certificates.equivalence import (
    equal_within_certificate,
    not_equal_within_certificate,
    within_record,
)
from exactrelu.complex.pair_tree import Leaf, Sample, pair_tree
from exactrelu.complex.search import Limit
from exactrelu.complex.split_tree import strict_row
from exactrelu.errors import InputError
from exactrelu.exact.scalar import ZERO, Vector, rational
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible, Unbounded
from exactrelu.polyhedra.integer_rows import IntegerRow, Multipliers, primitive_multipliers
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.optimize import maximize
from exactrelu.questions.equivalent import comparable, tree_record
from exactrelu.questions.witness import simpler_witness
from exactrelu.verdict import Verdict


@dataclass(frozen=True)
class Largest:
    """The supremum of |f_k − g_k| over the outputs and the domain.

    ``value`` is None where it is unbounded: it grows from ``point`` along ``direction``.
    Otherwise it is the difference at ``point`` in output ``output`` (from 1), a point of
    the closure of the domain that is inside it if ``is_attained``.
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
    epsilon = rational(bound, "within")
    if epsilon < 0:
        raise InputError(f"within: {epsilon} is negative")
    inside = comparable(a, b, domain)
    limit = Limit(max_regions, timeout)

    def is_beyond(difference: Vector) -> bool:
        return any(abs(x) > epsilon for x in difference)

    def beyond_at(point: Vector) -> bool:
        return is_beyond(tuple(x - y for x, y in zip(a(point), b(point), strict=True)))

    def exceeded(point: Vector, reason: str, largest: Largest | None = None) -> Within:
        simple = simpler_witness(a, b, inside, point, is_beyond)
        certificate = not_equal_within_certificate(a, b, inside, epsilon, simple)
        return Within(False, reason, simple, certificate, largest)

    records: list[dict[str, Any]] = []
    largest: Largest | None = None
    beyond: Vector | None = None
    n_cells = 0
    for node in pair_tree(a, b, inside):
        match node:
            case Sample(point):
                if beyond is None and beyond_at(point):
                    beyond = point
            case Leaf():
                n_cells += 1
                progress()
                proofs: list[Multipliers] = []
                for k, (row, sign) in enumerate(
                    (row, sign) for row in node.rows for sign in (1, -1)
                ):
                    here, proof = _on_cell(node, row, sign, k // 2 + 1, epsilon, inside)
                    if here.value is None:
                        reason = f"output {here.output} differs without bound"
                        return exceeded(_beyond(node, row, sign, epsilon), reason, here)
                    if largest is None or here.value > (largest.value or ZERO):
                        largest = here
                    if here.value > epsilon and beyond is None:
                        beyond = _beyond(node, row, sign, epsilon)
                    proofs.append(proof)
                if beyond is None:
                    records.append(within_record(inside, [(proof, ()) for proof in proofs]))
            case _:
                records.append(tree_record(node, inside))
        if limit.is_exceeded(n_cells):
            if beyond is not None:
                return exceeded(beyond, "the witness is beyond the bound; stopped at a limit")
            return Within(None, f"stopped at a limit: within the bound on {n_cells} cells so far")
    if beyond is not None and largest is not None:
        reason = f"output {largest.output} differs by up to {largest.value}"
        return exceeded(beyond, reason, largest)
    value = ZERO if largest is None else largest.value
    reason = "the domain is empty" if largest is None else f"no output differs by more than {value}"
    certificate = equal_within_certificate(a, b, inside, epsilon, records)
    return Within(True, reason, None, certificate, largest)


def _on_cell(
    leaf: Leaf, row: IntegerRow, sign: int, output: int, epsilon: fmpq, domain: LinearSystem
) -> tuple[Largest, Multipliers]:
    """The supremum of ±row/den on a cell; multipliers that refute q·(±row) − p·den > 0."""
    oriented = tuple(sign * entry for entry in row)
    best = maximize(tuple(map(fmpq, oriented[:-1])), leaf.system)
    if isinstance(best, Unbounded):
        return Largest(None, output, best.point, False, best.ray), ()
    if isinstance(best, Infeasible):
        raise ArithmeticError("a cell with a point in it is empty: a bug")
    value = (best.value + oriented[-1]) / leaf.den
    point = best.point
    if not domain.contains(point) and not any(row):
        point = leaf.point
    # best.multipliers cancel ±row; the row beyond the bound is q times that.
    pairs = [(i, epsilon.q * factor) for i, factor in best.multipliers]
    pairs.append((len(leaf.system.rows), fmpq(1)))
    common = 1
    for _, factor in pairs:
        common *= int(factor.q)
    multipliers = primitive_multipliers((i, int((common * factor).p)) for i, factor in pairs)
    return Largest(value, output, point, domain.contains(point)), multipliers


def _beyond(leaf: Leaf, row: IntegerRow, sign: int, epsilon: fmpq) -> Vector:
    """A point of a cell where ±row/den > ε."""
    p, q = int(epsilon.p), int(epsilon.q)
    beyond = [q * sign * entry for entry in row]
    beyond[-1] -= p * leaf.den
    extra = LinearSystem(leaf.system.dimension, (strict_row(tuple(beyond)),))
    answer = feasible(leaf.system & extra)
    if isinstance(answer, Infeasible):
        raise ArithmeticError("a supremum beyond the bound is not: a bug")
    return answer.point
