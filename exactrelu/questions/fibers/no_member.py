"""Proofs that a stratum has no member (see :mod:`~exactrelu.questions.fibers.filling`).

Let B have the rows of A_S and the normals a_h of the bends with both signs, which have rank q, and
let there be k linear neurons and t canceling groups with both signs.  Either rank B > q + k + t,
or it is equal; then every row ≥ 0 of the span of B vanishes on the support Z of some λ ≥ 0 with
B λ = 0, and on Z the rank of B exceeds that of the a_h by more than t.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactrelu.certificates.certificate import Record
from exactrelu.certificates.moves import not_pointed_records, rank_too_large_records
from exactrelu.exact.linear import Kernel, RankProof, nullspace, part_of_minor, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import primitive
from exactrelu.questions.fibers.filling import compensation, largest_nonnegative
from exactrelu.questions.fibers.target import Target


def no_member_records(target: Target, bends: Sequence[str], k: int, t: int) -> list[Record] | None:
    """Why no network has these signs on the bends, k linear neurons and t groups; None if not."""
    n = target.n_inputs
    A = compensation(target, bends).take(columns=range(n))
    slope = [[x * target.denominator for x in row] for row in A.rows()]
    doubled = [
        primitive(bend.row)[:n]
        for bend, signs in zip(target.bends, bends, strict=True)
        if "+" in signs and "-" in signs
    ]
    B = Matrix([*slope, *doubled], n)
    known, q = _bound(Matrix(doubled, n))
    proof = rank_proof(B)
    needed = q + k + t
    if proof.rank > needed:
        return rank_too_large_records(known, part_of_minor(B, proof.minor, needed + 1))
    if proof.rank < needed:
        return None
    weights = largest_nonnegative(nullspace(B), n) if proof.rank < n else ()
    support = [j for j, x in enumerate(weights) if x != 0 and any(B.column(j))]
    if not support:
        return None
    dependency = [(j, weights[j]) for j in support]
    inside = None
    if doubled or t:
        on_support = B.take(columns=support)
        small, q = _bound(Matrix(doubled, n).take(columns=support))
        found: RankProof = rank_proof(on_support)
        if found.rank <= q + t:
            return None
        inside = (small, part_of_minor(on_support, found.minor, q + t + 1))
    return not_pointed_records(known, proof.minor, dependency, inside)


def _bound(rows: Matrix) -> tuple[Kernel | None, int]:
    """The kernel and the rank of some rows; no kernel if there are none."""
    if rows.n_rows == 0:
        return None, 0
    proof = rank_proof(rows)
    return proof.kernel, proof.rank
