"""The least number of hidden neurons of a network with the same function (theory 1.6).

First rank₊(A_S) for every orientation S of the bends, with as few LPs as it takes.  A_S changes by
one term U_i a_i when bend i turns, so the orientations are the leaves of a binary tree whose
nodes have decided the first bends.  An LP is needed only where rank A_S = k < n0: elsewhere the
rank decides whether k rows ≥ 0 suffice.  Two things save LPs.  A functional y that is positive on
the nonzero columns of one A_S is tried on others; and at a node, if y·a_j is positive for every j
even after each undecided term with a negative y·U_i a_ij was added, then y proves all leaves
below.  A dependency λ ≥ 0, A_S λ = 0, is tried on others likewise.

By :mod:`~exactrelu.questions.fibers.members` a network needs one neuron for each bend, one
more for each bend with both signs (a set Q), and k linear neurons with k ≥ r, or k ≥ r + 1
where the rows of C* do not span; r is the rank of A_S modulo the a_h of Q.  A canceling
group costs two neurons for one dimension, so linear neurons replace it on the orthant, and on every
domain without lines; on R^n there are no linear neurons, and r groups are needed; on other domains
with lines both may be needed.  As r ≥ rank A_S − |Q|, the cost is at
least the least rank of A_S over all orientations.

So a generic network can be larger than needed although k ≤ n2 + 1 ≤ n0 and no A_S is pointed:
if the rows of A_S span the normal of a bend, a second neuron on it replaces two linear ones.

A constant function needs no neuron at all.  The formats have no layer of width 0, so the network
is then the constant by itself, without a hidden layer; the other functions here compare hidden
layers of one neuron or more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal

from flint import fmpq, fmpz, fmpz_mat

from exactrelu.certificates.evidence import minor_record
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import Minor, part_of_minor, rank, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import dot
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.answers import Multipliers
from exactrelu.polyhedra.polyhedron import NotPointed, pointedness
from exactrelu.questions.fibers.members import compensation, fill, member, no_member_records
from exactrelu.questions.fibers.strata import Stratum, Target, orientations

#: How many functionals and dependencies are remembered.
N_REMEMBERED = 12
#: Searches over more oriented bends than this are not made: 3^m.
MAX_BENDS = 8

#: Signs so far, A so far, a functional that proves everything below.
_Node = tuple[tuple[str, ...], list[list[int]], tuple[int, ...] | None]


@dataclass(frozen=True)
class Orientation:
    """rank₊ of A_S is ``least``.  Where that exceeds the k linear neurons there is a proof:

    a ``minor`` of size k + 1, or one of size k and a ``dependency`` of the columns.  A_S is
    multiplied by the denominator of the target there.
    """

    signs: tuple[str, ...]
    rank: int
    least: int
    #: Positive on the nonzero columns of A_S, where that was found.
    functional: tuple[int, ...] | None = None
    minor: Minor | None = None
    dependency: Multipliers | None = None

    @property
    def is_pointed(self) -> bool:
        """Whether rank₊ is the rank."""
        return self.least == self.rank


class OrientationSearch:
    """All orientations in order; ``n_lps`` counts the LPs."""

    def __init__(self, target: Target, n_linear: int, effort: Effort = UNLIMITED) -> None:
        self._target = target
        self._effort = effort
        self._k = 0 if target.is_everywhere else n_linear
        n = target.n_inputs
        terms = [Matrix.column_vector(bend.jump) @ Matrix([bend.row[:n]]) for bend in target.bends]
        base = target.affine.take(columns=range(n))
        self._base = _integers(base, target.denominator)
        self._terms = [_integers(A, target.denominator) for A in terms]
        self._functionals: deque[tuple[int, ...]] = deque(maxlen=N_REMEMBERED)
        self._dependencies: deque[tuple[int, ...]] = deque(maxlen=N_REMEMBERED)
        self.n_lps = 0

    def __iter__(self) -> Iterator[Orientation]:
        stack: list[_Node] = [((), self._base, None)]
        n = len(self._terms)
        while stack:
            self._effort.spend()
            signs, A, proved = stack.pop()
            proved = proved or self._proof_below(A, len(signs))
            if len(signs) == n:
                yield self._leaf(signs, A, proved)
                continue
            term = self._terms[len(signs)]
            turned = [
                [a + t for a, t in zip(*rows, strict=True)] for rows in zip(A, term, strict=True)
            ]
            stack.append(((*signs, "-"), turned, proved))
            stack.append(((*signs, "+"), A, proved))

    def _proof_below(self, A: list[list[int]], depth: int) -> tuple[int, ...] | None:
        """A functional that is positive on all columns, whatever the undecided bends do.

        Of domains that are not simple none is remembered.
        """
        for y in self._functionals:
            lowest = _times(y, A)
            for term in self._terms[depth:]:
                lowest = [a + min(0, t) for a, t in zip(lowest, _times(y, term), strict=True)]
            if all(value > 0 for value in lowest):
                return y
        return None

    def _leaf(
        self, signs: tuple[str, ...], A: list[list[int]], proved: tuple[int, ...] | None
    ) -> Orientation:
        n2, n = len(A), len(A[0])
        k = self._k
        rank = fmpz_mat(A).rank()
        if rank > k:
            proof = rank_proof(Matrix(A))
            minor = part_of_minor(Matrix(A), proof.minor, k + 1)
            # Whether rank₊ is one more does not matter here.
            return Orientation(signs, rank, rank, minor=minor)
        if not self._target.sides.is_simple:
            return self._by_rays(signs, rank, Matrix(A))
        if rank in (0, n) or proved:
            return Orientation(signs, rank, rank, proved)
        columns = list(zip(*A, strict=True))
        for y in self._functionals:
            if all(v > 0 or not any(c) for v, c in zip(_times(y, A), columns, strict=True)):
                return Orientation(signs, rank, rank, y)
        dependency = self._known_dependency(A, columns)
        if dependency is None:
            proof = rank_proof(Matrix(A))
            local = Matrix(A).take(rows=proof.minor.rows)
            columns_of_local = [local.flint_column(j) for j in range(n)]
            answer = pointedness(columns_of_local, rank, self._effort)
            self.n_lps += 1
            if not isinstance(answer, NotPointed):
                functional = [0] * n2
                for i, value in zip(proof.minor.rows, answer.functional, strict=True):
                    functional[i] = int(value.p)
                self._functionals.appendleft(tuple(functional))
                return Orientation(signs, rank, rank, tuple(functional))
            dependency = answer.dependency
            weights = dict(dependency)
            self._dependencies.appendleft(tuple(int(weights.get(j, 0)) for j in range(n)))
        if rank < k:
            return Orientation(signs, rank, rank + 1)
        minor = rank_proof(Matrix(A)).minor
        return Orientation(signs, rank, rank + 1, None, minor, dependency)

    def _by_rays(self, signs: tuple[str, ...], rank: int, A: Matrix) -> Orientation:
        """The same on a domain that is not simple: the columns are products with its rays."""
        sides = self._target.sides
        if any(dot(row, line) for row in A.flint_rows() for line in sides.flint_lines):
            # Linear neurons are 0 along lines, and no number of them suffices.
            return Orientation(signs, rank, self._target.n_neurons + 1)
        minor = rank_proof(A).minor
        images = (tuple(dot(A.flint_row(i), ray) for i in minor.rows) for ray in sides.flint_rays)
        columns = [image for image in images if any(image)]
        if not columns:
            return Orientation(signs, rank, rank)
        self.n_lps += 1
        answer = pointedness(columns, rank, self._effort)
        return Orientation(signs, rank, rank + isinstance(answer, NotPointed))

    def _known_dependency(
        self, A: list[list[int]], columns: Sequence[tuple[int, ...]]
    ) -> Multipliers | None:
        for weights in self._dependencies:
            if not any(_times(weights, columns)):
                pairs = [(j, w) for j, w in enumerate(weights) if w and any(columns[j])]
                if pairs:
                    return tuple(pairs)
        return None


def _integers(A: Matrix, denominator: fmpz) -> list[list[int]]:
    return [[int((x * denominator).p) for x in row] for row in A.flint_rows()]


def _times(y: Sequence[int], A: Sequence[Sequence[int]]) -> list[int]:
    return [sum(a * b for a, b in zip(y, column, strict=True)) for column in zip(*A, strict=True)]


def constant_network(target: Target) -> Network:
    """The network without hidden layer of a constant function."""
    return Network((Layer(target.affine),))


def smaller_member(target: Target, effort: Effort = UNLIMITED) -> Network | None:
    """A network with a narrower hidden layer and the same function; None if there is none.

    A hidden layer has at least one neuron.
    """
    for stratum in _cheap_strata(target, target.n_spare, effort):
        effort.spend()
        filling = fill(target, stratum, None, effort) if stratum.n_neurons else None
        if filling is not None:
            return member(target, stratum, filling, [fmpq(1)] * stratum.n_linear)
    return None


def minimality_proof(
    target: Target, effort: Effort = UNLIMITED
) -> tuple[Literal["rank", "cases"], list[str]] | None:
    """The method and the records by which no hidden layer is narrower; None if unknown or not so.

    A hidden layer has at least one neuron.
    """
    spare = target.n_spare
    records: list[str] = []
    if spare == 0 or target.n_neurons == 1:
        return "rank", records
    if least_rank(target, spare, effort) >= spare:
        for signs in orientations(len(target.bends)):
            effort.spend()
            A = _slope(target, signs)
            records.append(minor_record(part_of_minor(A, rank_proof(A).minor, spare)))
        return "rank", records
    if len(target.bends) > MAX_BENDS:
        return None
    for n_mixed in range(spare):
        for bends in oriented_bends(len(target.bends), n_mixed):
            for k, t in idle(target, spare - 1 - n_mixed):
                effort.spend()
                proof = no_member_records(target, bends, k, t, effort)
                if proof is None:
                    return None
                records += proof
    return "cases", records


def idle(target: Target, spare: int) -> list[tuple[int, int]]:
    """The largest numbers k of linear neurons and t of canceling pairs among ``spare`` neurons.

    On R^n linear neurons are constant, on the orthant two of them do what a pair does: then one
    of these says all.  Otherwise there is one for each t.
    """
    if target.is_everywhere:
        return [(0, spare // 2)]
    most = 1 if target.on_orthant else spare // 2 + 1
    return [(spare - 2 * t, t) for t in range(most)]


def _slope(target: Target, signs: Sequence[str]) -> Matrix:
    """A_S as the checker scales it."""
    A = compensation(target, signs).take(columns=range(target.n_inputs))
    return Matrix([[x * target.denominator for x in row] for row in A.flint_rows()])


def _cheap_strata(target: Target, most: int, effort: Effort) -> Iterator[Stratum]:
    """Strata with fewer than ``most`` neurons beyond one for each bend, the cheapest first."""
    m = len(target.bends)
    if most <= least_rank(target, most, effort):
        return
    for cost in range(most):
        for n_mixed in range(min(m, cost) + 1):
            for bends in oriented_bends(m, n_mixed):
                yield from _strata(target, bends, cost - n_mixed)


def oriented_bends(m: int, n_mixed: int) -> Iterator[tuple[str, ...]]:
    """Signs on m bends, both on ``n_mixed`` of them."""
    for mixed in combinations(range(m), n_mixed):
        for signs in product("+-", repeat=m - n_mixed):
            others = iter(signs)
            yield tuple("+-" if i in mixed else next(others) for i in range(m))


def _strata(target: Target, bends: tuple[str, ...], left: int) -> Iterator[Stratum]:
    # Constants on R^n cost neurons for nothing, unless there is no other neuron at all.
    if target.is_everywhere and left % 2:
        if not bends and left == 1:
            yield Stratum(bends, 1)
        return
    for k, t in idle(target, left):
        yield Stratum(bends, k, 0, ("+-",) * t)


def least_rank(target: Target, most: int, effort: Effort = UNLIMITED) -> int:
    """A lower bound for the cost: the least rank of A_S, if it is quickly found."""
    n = target.n_inputs
    least = most
    for signs in orientations(len(target.bends)):
        effort.spend()
        r = rank(compensation(target, signs).take(columns=range(n)))
        least = min(least, r)
        if least == 0:
            return 0
    return least
