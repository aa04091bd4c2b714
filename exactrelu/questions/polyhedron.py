"""Is a polyhedron nonempty?  Is it bounded?  With certificates.

Bounded: the closure of a nonempty polyhedron is bounded iff its recession cone
{r : a·r ≥ 0 for inequalities, = 0 for equations} is 0.  That fails iff some r in it
has Σa·r > 0 (an LP), or all rows vanish on some r ≠ 0 (rank below d).  Where the LP
is infeasible, its multipliers are λ > 0 on *every* inequality with Σλa = 0; with
rank d they prove boundedness.
"""

from __future__ import annotations

from exactrelu.certificates.certificate import Certificate, claim, record
from exactrelu.certificates.evidence import minor_record, multipliers_record, point_record
from exactrelu.exact.linear import nullspace, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, primitive
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.integer_rows import Multipliers
from exactrelu.polyhedra.lp import feasible
from exactrelu.verdict import Verdict


def is_nonempty(system: LinearSystem) -> Verdict:
    """Whether the system has a solution; a solution is the witness.

    >>> [is_nonempty(LinearSystem.box([ends])).answer for ends in ((0, 1), (1, 0))]
    [True, False]
    """
    answer = feasible(system)
    if isinstance(answer, Solution):
        certificate = claim("polyhedron-nonempty", [point_record(answer.point)], system=system)
        return Verdict(True, "the polyhedron has a point", answer.point, certificate)
    reason = f"{len(answer.multipliers)} of the rows add up to a contradiction"
    return Verdict(False, reason, certificate=_empty(system, answer.multipliers))


def is_bounded(system: LinearSystem) -> Verdict:
    """Whether the solutions form a bounded set; a recession direction is the witness of a no.

    >>> is_bounded(LinearSystem.box([(0, 1)])).answer, is_bounded(LinearSystem.orthant(2)).answer
    (True, False)
    """
    inside = feasible(system)
    if not isinstance(inside, Solution):
        certificate = _empty(system, inside.multipliers)
        return Verdict(True, "the polyhedron is empty, hence bounded", certificate=certificate)
    recession = feasible(_recession_system(system))
    if isinstance(recession, Solution):
        return _unbounded(system, inside.point, recession.point)
    normals = Matrix([row.integers()[:-1] for row in system.rows], system.dimension)
    proof = rank_proof(normals)
    if proof.rank < system.dimension:
        return _unbounded(system, inside.point, nullspace(normals)[0])
    multipliers = _spread(system, recession.multipliers)
    records = (multipliers_record(system, multipliers), minor_record(proof.minor))
    certificate = claim("polyhedron-bounded", records, system=system)
    return Verdict(True, "the recession cone is 0", certificate=certificate)


def _empty(system: LinearSystem, multipliers: Multipliers) -> Certificate:
    return claim("polyhedron-empty", [multipliers_record(system, multipliers)], system=system)


def _unbounded(system: LinearSystem, point: Vector, ray: Vector) -> Verdict:
    records = (point_record(point), record("ray", ray=list(primitive(ray))))
    certificate = claim("polyhedron-unbounded", records, system=system)
    return Verdict(False, "the polyhedron contains a ray", ray, certificate)


def _recession_system(system: LinearSystem) -> LinearSystem:
    """The recession cone, and as the last row Σa·r > 0 over the inequalities."""
    rows = [Row(row.normal, ZERO, row.sense) for row in system.closed().rows]
    normals = [row.normal for row in rows if row.sense is not Sense.EQUAL]
    total = tuple(sum((a[j] for a in normals), ZERO) for j in range(system.dimension))
    return LinearSystem(system.dimension, (*rows, Row(total, ZERO, Sense.GREATER)))


def _spread(system: LinearSystem, multipliers: Multipliers) -> Multipliers:
    """The multiplier of the last row of the recession system, given to every inequality."""
    values = dict(multipliers)
    of_sum = values.pop(len(system.rows))
    for i, row in enumerate(system.rows):
        if row.sense is not Sense.EQUAL:
            values[i] = values.get(i, 0) + of_sum
    return tuple(sorted(values.items()))
