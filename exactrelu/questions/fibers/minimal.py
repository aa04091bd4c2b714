"""The least number of hidden neurons of a network with the same function.

By :mod:`~exactrelu.questions.fibers.filling` a network needs one neuron for each bend, one
more for each bend with both signs (a set Q), and k linear neurons with k ≥ r, or k ≥ r + 1
where the nonnegative rows do not span; r is the rank of A_S modulo the a_h of Q.  A canceling
group costs two neurons for one dimension, so on the orthant linear neurons replace it; on R^n
there are no linear neurons, and r groups are needed.  As r ≥ rank A_S − |Q|, the cost is at
least the least rank of A_S over all orientations.

So a generic network can be larger than needed although k ≤ n2 + 1 ≤ n0 and no A_S is pointed:
if the rows of A_S span the normal of a bend, a second neuron on it replaces two linear ones.

A constant function needs no neuron at all.  The formats have no layer of width 0, so the network
is then the constant by itself, without a hidden layer; the other functions here compare hidden
layers of one neuron or more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from flint import fmpq

from exactrelu.certificates.certificate import Record, record
from exactrelu.certificates.evidence import minor_record
from exactrelu.exact.linear import part_of_minor, rank, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Layer, Network
from exactrelu.questions.fibers.filling import compensation, fill
from exactrelu.questions.fibers.members import member
from exactrelu.questions.fibers.no_member import no_member_records
from exactrelu.questions.fibers.strata import Stratum, orientations
from exactrelu.questions.fibers.target import Target

#: Searches over more oriented bends than this are not made: 3^m.
MAX_BENDS = 8


def constant_network(target: Target) -> Network:
    """The network without hidden layer of a constant function."""
    return Network((Layer(target.affine),))


def smaller_member(target: Target) -> Network | None:
    """A network with a narrower hidden layer and the same function; None if there is none.

    A hidden layer has at least one neuron.
    """
    for stratum in _cheap_strata(target, target.n_spare):
        filling = fill(target, stratum) if stratum.n_neurons else None
        if filling is not None:
            return member(target, stratum, filling, [fmpq(1)] * stratum.n_linear)
    return None


def minimality_proof(target: Target) -> list[Record] | None:
    """The records that no hidden layer with neurons is narrower; None if not so, or unknown."""
    spare = target.n_spare
    if spare == 0 or target.n_neurons == 1:
        return []
    if least_rank(target, spare) >= spare:
        slopes = (_slope(target, signs) for signs in orientations(len(target.bends)))
        minors = (part_of_minor(A, rank_proof(A).minor, spare) for A in slopes)
        return [record("by-rank"), *map(minor_record, minors)]
    if len(target.bends) > MAX_BENDS:
        return None
    records = [record("by-cases")]
    for n_mixed in range(spare):
        left = spare - 1 - n_mixed
        k, t = (left, 0) if target.on_orthant else (0, left // 2)
        for bends in oriented_bends(len(target.bends), n_mixed):
            proof = no_member_records(target, bends, k, t)
            if proof is None:
                return None
            records += proof
    return records


def _slope(target: Target, signs: Sequence[str]) -> Matrix:
    """A_S as the checker scales it."""
    A = compensation(target, signs).take(columns=range(target.n_inputs))
    return Matrix([[x * target.denominator for x in row] for row in A.rows()])


def _cheap_strata(target: Target, limit: int) -> Iterator[Stratum]:
    """Strata with fewer than ``limit`` neurons beyond one for each bend, the cheapest first."""
    m = len(target.bends)
    if limit <= least_rank(target, limit):
        return
    for cost in range(limit):
        for n_mixed in range(min(m, cost) + 1):
            for bends in oriented_bends(m, n_mixed):
                stratum = _stratum(target, bends, cost - n_mixed)
                if stratum is not None:
                    yield stratum


def oriented_bends(m: int, n_mixed: int) -> Iterator[tuple[str, ...]]:
    """Signs on m bends, both on ``n_mixed`` of them."""
    for mixed in combinations(range(m), n_mixed):
        for signs in product("+-", repeat=m - n_mixed):
            others = iter(signs)
            yield tuple("+-" if i in mixed else next(others) for i in range(m))


def _stratum(target: Target, bends: tuple[str, ...], left: int) -> Stratum | None:
    if target.on_orthant:
        return Stratum(bends, left)
    # Constants cost neurons for nothing, unless there is no other neuron at all.
    if left % 2:
        return Stratum(bends, 1) if not bends and left == 1 else None
    return Stratum(bends, 0, 0, ("+-",) * (left // 2))


def least_rank(target: Target, limit: int) -> int:
    """A lower bound for the cost: the least rank of A_S, if it is quickly found."""
    n = target.n_inputs
    least = limit
    for signs in orientations(len(target.bends)):
        r = rank(compensation(target, signs).take(columns=range(n)))
        least = min(least, r)
        if least == 0:
            return 0
    return least
