"""rank₊(A_S) for every orientation S of the bends, with as few LPs as it takes (theory 1.6).

A_S changes by one term U_i a_i when bend i turns, so the orientations are the leaves of a
binary tree whose nodes have decided the first bends.  An LP is needed only where
rank A_S = k < n0: elsewhere the rank decides whether k rows ≥ 0 suffice.  Two things
save LPs.  A functional y that is positive on the nonzero columns of one A_S is tried on others;
and at a node, if y·a_j is positive for every j even after each undecided term with a negative
y·U_i a_ij was added, then y proves all leaves below.  A dependency
λ ≥ 0, A_S λ = 0, is tried on others likewise.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import fmpz, fmpz_mat

from exactrelu.exact.linear import Minor, part_of_minor, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.polyhedra.cones import NotPointed, pointedness
from exactrelu.polyhedra.integer_rows import Multipliers
from exactrelu.questions.fibers.target import Target

#: How many functionals and dependencies are remembered.
N_REMEMBERED = 12


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
        return self.least == self.rank


class Search:
    """All orientations in order; ``n_lps`` counts the LPs."""

    def __init__(self, target: Target, n_linear: int) -> None:
        self._target = target
        self._k = n_linear if target.on_orthant else 0
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
        """A functional that is positive on all columns, whatever the undecided bends do."""
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
            answer = pointedness([local.column(j) for j in range(n)], rank)
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
    return [[int((x * denominator).p) for x in row] for row in A.rows()]


def _times(y: Sequence[int], A: Sequence[Sequence[int]]) -> list[int]:
    return [sum(a * b for a, b in zip(y, column, strict=True)) for column in zip(*A, strict=True)]
