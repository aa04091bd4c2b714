"""Questions about cones, polyhedra and matrices, each answered with its certificate.

**Pointed cones.**  Does a finitely generated cone contain a line?

**Polyhedra.**  Is a polyhedron nonempty?  Is it bounded?  The closure of a nonempty polyhedron is
bounded iff its recession cone {r : a·r ≥ 0 for inequalities, = 0 for equations} is 0.  That fails
iff some r in it has Σa·r > 0 (an LP), or all rows vanish on some r ≠ 0 (rank below d).  Where the
LP is infeasible, its multipliers are λ > 0 on *every* inequality with Σλa = 0; with rank d they
prove boundedness.

**The nonnegative column rank** rank₊(A): the least k with A = U B, U m × k, B ≥ 0.  (The
*semi-nonnegative rank* of Gillis & Kumar 2015.)  Theorem [theory 1.5]:
rank A ≤ rank₊ A ≤ rank A + 1, with rank₊ A = rank A iff the cone of the nonzero columns is
pointed.

- Pointed: a simplicial cone with r = rank A generators U contains the columns.
- Not pointed: with A = U B, U a basis of columns, s_j = max(0, −min_i B_ij):
  A = [U, −U·1] [B + 1·sᵀ; sᵀ].  There is no factorisation with r columns: λ ≥ 0 with
  Aλ = 0 would give Bλ = 0 (U has independent columns), so B would vanish at the
  columns with λ_j > 0, but these are not 0.

Symbols: U ``left``, B ``right``, r ``rank_proof.rank``, k ``value``, λ ``dependency``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from flint import fmpq

from exactrelu.answer import Part
from exactrelu.certificates.certificate import (
    Certificate,
    Found,
    Verdict,
    claim,
    point_record,
    record,
)
from exactrelu.certificates.evidence import (
    dependency_record,
    kernel_record,
    matrix_record,
    minor_record,
    multipliers_record,
)
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.linear import (
    RankProof,
    inverse,
    nullspace,
    rank_proof,
)
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, primitive
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Multipliers, Solution
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.polyhedron import NotPointed, Pointed, pointedness, simplicial_container
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words


def from_one(multipliers: Multipliers, step: int = 1) -> Multipliers:
    """The same combination with its numbers from 1, or, by the step −1, from 0 again."""
    return tuple((k + step, value) for k, value in multipliers)


def _shown_functional(found: Pointedness, words: Words) -> Iterator[str]:
    if found.functional is not None:
        yield f"  functional {words.said(found.functional)}"


def _shown_dependency(found: Pointedness, words: Words) -> Iterator[str]:
    if found.dependency is not None:
        terms = (f"{words.said(value)}·g{i}" for i, value in found.dependency)
        yield f"  {' + '.join(terms)} = 0"


@dataclass(frozen=True, eq=False, repr=False)
class Pointedness(Verdict):
    """Whether a cone contains no line, with what shows it."""

    PARTS = (
        Part(
            "functional",
            "of a yes, coefficients that are positive on every nonzero row; else null",
            proved=True,
            said=_shown_functional,
        ),
        Part(
            "dependency",
            "of a no, [row, coefficient] of a sum that is 0; else null",
            proved=True,
            said=_shown_dependency,
        ),
    )

    @property
    def functional(self) -> Vector | None:
        """What is positive on the generators."""
        return self.witness if self.answer else None

    @property
    def dependency(self) -> Multipliers | None:
        """Pairs (generator from 1, coefficient > 0) whose sum is 0."""
        return self.witness if self.answer is False else None


@question
def is_pointed(
    call: Call[Pointedness],
    generators: Sequence[Vector],
    *,
    dimension: int | None = None,
    **limits: Unpack[Limits],
) -> Pointedness:
    """Whether a finitely generated cone contains no line.

    Parameters
    ----------
    generators : sequence of vectors
        The generators; zero vectors do not matter.
    dimension : int, optional
        The dimension of the space; needed if there are no generators.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Pointedness
        The ``witness`` of a yes is a functional that is positive on the nonzero generators; that of
        a no pairs (generator from 1, coefficient > 0) whose sum is 0.

    Notes
    -----
    One linear program.

    Examples
    --------
    >>> import exactrelu as er
    >>> quarter = er.Matrix([[1, 0], [0, 1]]).rows()
    >>> half = er.Matrix([[1, 0], [0, 1], [-1, 0]]).rows()
    >>> er.matrices.is_pointed(quarter).answer, er.matrices.is_pointed(half).answer
    (True, False)
    """
    if dimension is None:
        if not generators:
            raise InputError("found no generators: give the dimension, as dimension=2")
        dimension = len(generators[0])
    answer = pointedness(generators, dimension, call.effort)
    rows = Matrix(generators, dimension)
    if isinstance(answer, Pointed):
        functional = record("functional", *primitive(answer.functional))
        return Pointedness(
            True,
            "a functional is positive on every nonzero generator",
            answer.functional,
            claim("pointed", "functional", [functional], holds=True, generators=rows),
        )
    dependency = dependency_record(answer.dependency)
    return Pointedness(
        False,
        f"a positive combination of {len(answer.dependency)} nonzero generators is 0",
        from_one(answer.dependency),
        claim("pointed", "dependency", [dependency], holds=False, generators=rows),
    )


@question
def is_nonempty(call: Call[Verdict], system: LinearSystem, **limits: Unpack[Limits]) -> Verdict:
    """Whether a system of rows has a solution.

    Parameters
    ----------
    system : LinearSystem
        The rows; some may be strict.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Verdict
        The ``witness`` of a yes is a solution; the certificate of a no has Farkas multipliers.

    Notes
    -----
    One linear program.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.polyhedra.is_nonempty(er.polyhedra.LinearSystem.box([(0, 1)])).witness
    (1/2,)
    >>> er.polyhedra.is_nonempty(er.polyhedra.LinearSystem.box([(1, 0)])).answer
    False
    """
    answer = feasible(system, effort=call.effort)
    if isinstance(answer, Solution):
        records = [point_record("point", answer.flint_point)]
        certificate = claim("nonempty", "point", records, holds=True, system=system)
        return Verdict(True, "the polyhedron has a point", answer.flint_point, certificate)
    records = [multipliers_record(system, answer.multipliers)]
    certificate = claim("nonempty", "multipliers", records, holds=False, system=system)
    reason = f"{len(answer.multipliers)} of the rows add up to a contradiction"
    return Verdict(False, reason, certificate=certificate)


@question
def is_bounded(call: Call[Verdict], system: LinearSystem, **limits: Unpack[Limits]) -> Verdict:
    """Whether the solutions of a system of rows form a bounded set.

    Parameters
    ----------
    system : LinearSystem
        The rows; some may be strict.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Verdict
        The ``witness`` of a no is a direction in which one can go on for ever.

    Notes
    -----
    At most two linear programs and a rank.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.polyhedra.is_bounded(er.polyhedra.LinearSystem.box([(0, 1)])).answer
    True
    >>> er.polyhedra.is_bounded(er.polyhedra.LinearSystem.orthant(2)).answer
    False
    """
    return _boundedness(system, call.effort)


def _boundedness(system: LinearSystem, effort: Effort) -> Verdict:
    inside = feasible(system, effort=effort)
    if not isinstance(inside, Solution):
        records = [multipliers_record(system, inside.multipliers)]
        certificate = claim("bounded", "empty", records, holds=True, system=system)
        return Verdict(True, "the polyhedron is empty, hence bounded", certificate=certificate)
    recession = feasible(_recession_system(system), effort=effort)
    if isinstance(recession, Solution):
        return _unbounded(system, inside.flint_point, recession.flint_point)
    normals = Matrix([row.flint_integers()[:-1] for row in system.rows], system.dimension)
    proof = rank_proof(normals)
    if proof.rank < system.dimension:
        return _unbounded(system, inside.flint_point, nullspace(normals)[0])
    multipliers = _spread(system, recession.multipliers)
    records = [multipliers_record(system, multipliers), minor_record(proof.minor)]
    certificate = claim("bounded", "multipliers", records, holds=True, system=system)
    return Verdict(True, "the recession cone is 0", certificate=certificate)


def _unbounded(system: LinearSystem, point: Vector, ray: Vector) -> Verdict:
    records = (point_record("point", point), record("ray", *primitive(ray)))
    certificate = claim("bounded", "ray", records, holds=False, system=system)
    return Verdict(False, "the polyhedron contains a ray", ray, certificate)


def _recession_system(system: LinearSystem) -> LinearSystem:
    """The recession cone, and as the last row Σa·r > 0 over the inequalities."""
    rows = [Row(row.flint_normal, ZERO, row.sense) for row in system.closed().rows]
    normals = [row.flint_normal for row in rows if row.sense is not Sense.EQUAL]
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


def require_elimination(A: Matrix, n_entries: int, effort: Effort) -> None:
    """Refuse at once an exact elimination of which so many entries cannot fit into memory.

    Entries of an inverse or of a reduced echelon form are quotients of minors: with r the least
    side of A and entries of b bits, they have about r(b + log₂(r)/2) bits (Hadamard).
    """
    r = min(A.shape)
    bits = max((abs(v).bit_length() for v in A.integer_form[0].entries()), default=1)
    n_bytes = n_entries * (32 + r * (bits + r.bit_length() // 2) // 8)
    effort.need(n_bytes, f"the elimination of a {A.n_rows} × {A.n_columns} matrix")
    effort.spend()


# --- The nonnegative column rank


@dataclass(frozen=True, repr=False)
class NonnegativeColumnRank(Found):
    """rank₊ of ``matrix`` = ``value``, with the proof of both bounds.

    matrix = ``left`` · ``right`` with ``right`` ≥ 0 and ``value`` columns in ``left`` is the
    upper bound.  The lower bound is the rank, and, where ``value`` exceeds it,
    ``dependency``: positive integers λ_j on nonzero columns j, from 1, with Σ λ_j a_j = 0.
    """

    PARTS = (
        Part("rank", "the rank", proved=True),
        Part(
            "nonnegative_column_rank",
            "the nonnegative column rank",
            proved=True,
            claim="columns",
            of="value",
        ),
        Part(
            "factors",
            "the matrices `left` and `right` of A = U·B, B ≥ 0",
            proved=True,
            said=lambda found, words: (
                "A = U·B with B ≥ 0:",
                *words.vectors("  U", found.left.rows()),
                *words.vectors("  B", found.right.rows()),
            ),
        ),
        Part(
            "dependency",
            "null, or [column, coefficient] of a positive combination that is 0",
            proved=True,
        ),
    )

    matrix: Matrix
    value: int
    rank_proof: RankProof
    left: Matrix
    right: Matrix
    dependency: Multipliers | None

    @property
    def rank(self) -> int:
        """The rank."""
        return self.rank_proof.rank

    @property
    def factors(self) -> dict[str, Matrix]:
        """Both factors."""
        return {"left": self.left, "right": self.right}

    def sentence(self, words: Words = PEOPLE) -> str:
        """Both ranks, and why."""
        why = "the cone of its nonzero columns is pointed"
        if self.dependency is not None:
            columns = ", ".join(f"{words.said(value)}·a{j}" for j, value in self.dependency)
            why = f"a positive combination of its columns is 0 ({columns})"
        return (
            f"the {self.matrix.n_rows} × {self.matrix.n_columns} matrix has rank {self.rank} and "
            f"nonnegative column rank {self.value}: {why}"
        )

    @property
    def is_pointed(self) -> bool:
        """Whether the cone of the nonzero columns contains no line."""
        return self.dependency is None

    @property
    def certificate(self) -> Certificate:
        """The certificate of the claim ``nonnegative-column-rank``."""
        proof = self.rank_proof
        factors = [matrix_record("left", self.left), matrix_record("right", self.right)]
        records = [*factors, minor_record(proof.minor)]
        if self._multipliers is not None:
            records += [kernel_record(proof.kernel), dependency_record(self._multipliers)]
        subjects: dict[str, Any] = {"matrix": self.matrix, "rank": proof.rank}
        return claim("nonnegative-column-rank", "factors", records, columns=self.value, **subjects)

    def verify(self) -> bool:
        """Check the factors and the dependency; the rank has its own proof."""
        A = self.matrix
        expected = self.rank_proof.rank + (not self.is_pointed)
        factors = (
            self.left.n_columns == self.value == expected
            and self.left @ self.right == A
            and all(entry >= 0 for entry in self.right.flint.entries())
        )
        if self._multipliers is None:
            return factors
        columns = [A.flint_column(j) for j in range(A.n_columns)]
        return factors and NotPointed(self._multipliers).verify(columns)

    @property
    def _multipliers(self) -> Multipliers | None:
        """The dependency as the engines have it, from 0."""
        return None if self.dependency is None else from_one(self.dependency, -1)


@question
def nonnegative_column_rank(
    call: Call[NonnegativeColumnRank], A: Matrix, **limits: Unpack[Limits]
) -> NonnegativeColumnRank:
    """The least k such that A = U·B with k columns in U and no negative entry in B.

    Parameters
    ----------
    A : Matrix
        The matrix.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    NonnegativeColumnRank
        ``value``, the factors ``left`` and ``right``, ``rank_proof`` and ``certificate``; where the
        value is above the rank, ``dependency`` proves it.

    Notes
    -----
    It is the rank, or one more; one rank and one linear program decide.

    References
    ----------
    Gillis & Kumar, *Exact and heuristic algorithms for semi-nonnegative matrix factorization*
    (2015); *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Section 4.2.

    Examples
    --------
    >>> import exactrelu as er
    >>> wedge = er.matrices.nonnegative_column_rank(er.Matrix([[1, 0, 1], [0, 1, 5]]))
    >>> wedge.value, wedge.left @ wedge.right
    (2, Matrix([[1, 0, 1], [0, 1, 5]]))
    >>> er.matrices.nonnegative_column_rank(er.Matrix([[1, 0, -1], [0, 1, -1]])).value
    3
    """
    effort = call.effort
    r = min(A.shape)
    require_elimination(A, r * max(r, A.n_columns - r), effort)
    proof = rank_proof(A)
    # On the column space the rows I of the minor are coordinates: dependencies and
    # pointedness of the columns are those of A[I, :].
    local = A.take(rows=proof.minor.rows)
    columns = [local.flint_column(j) for j in range(A.n_columns)]
    try:
        answer = pointedness(columns, proof.rank, effort)
    except Stopped as stopped:
        text = f"nonnegative column rank {proof.rank} or {proof.rank + 1}"
        raise Stopped(f"{stopped}: {text}") from None
    if isinstance(answer, NotPointed):
        left, right = _with_opposite(A, local, proof)
        return NonnegativeColumnRank(
            A, proof.rank + 1, proof, left, right, from_one(answer.dependency)
        )
    cone = simplicial_container(A, proof.minor, answer.functional)
    return NonnegativeColumnRank(A, proof.rank, proof, cone.generators, cone.coefficients, None)


def _with_opposite(A: Matrix, local: Matrix, proof: RankProof) -> tuple[Matrix, Matrix]:
    """[U, −U·1] and [B + 1·sᵀ; sᵀ] for a basis U of columns."""
    basis = A.take(columns=proof.minor.columns)
    coordinates = inverse(local.take(columns=proof.minor.columns)) @ local
    shifts = [_shift(coordinates.flint_column(j)) for j in range(A.n_columns)]
    s = Matrix.from_entries(1, A.n_columns, shifts)
    ones = Matrix.from_entries(proof.rank, 1, [ONE] * proof.rank)
    return basis.beside(-(basis @ ones)), (coordinates + ones @ s).above(s)


def _shift(column: tuple[fmpq, ...]) -> fmpq:
    """The least s ≥ 0 with column + s ≥ 0."""
    return max(ZERO, *(-entry for entry in column))


# --- The least singular value
