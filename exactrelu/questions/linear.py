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

**The least singular value** σ_min(A) = min |Ax|/|x|, between rational bounds.  Lower bound (theory
6.6): if AᵀA − r²·1 = L̃L̃ᵀ + E with E diagonally dominant and nonnegative on the diagonal, then
AᵀA − r²·1 is positive semidefinite, so |Ax| ≥ r|x|.  L̃ is a Cholesky factor rounded to a few
digits; any L̃ that passes the exact test will do, so it is guessed in floating point, and found by
an exact LDLᵀ where the matrix is too ill-conditioned for doubles.  Upper bound: one rational
vector x, with r ≥ |Ax|/|x|, by inverse iteration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from flint import fmpq, fmpz

from exactrelu.certificates.certificate import Certificate, Verdict, claim, point_record, record
from exactrelu.certificates.evidence import (
    dependency_record,
    factor_record,
    kernel_record,
    matrix_record,
    minor_record,
    multipliers_record,
)
from exactrelu.digits import at_most, between
from exactrelu.display import Shown
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import ShapeError
from exactrelu.exact.eigen import ldl, real_roots
from exactrelu.exact.linear import (
    RankProof,
    characteristic_polynomial,
    inverse,
    kernel,
    nullspace,
    rank,
    rank_proof,
)
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot, primitive, to_float, vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Multipliers, Solution
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.polyhedron import NotPointed, Pointed, pointedness, simplicial_container

#: Relative distance below σ_min at which the lower bound is placed.
_SLACK = fmpq(1, 2**20)
#: Significant bits of the bounds themselves.
_BITS = 30
#: Bits of the float guess that inverse iteration starts from, and its steps.
_FIRST_BITS = 12
_ITERATIONS = 3


def is_pointed(generators: Sequence[Vector], dimension: int, **limits: Unpack[Limits]) -> Verdict:
    """Whether cone(generators) contains no line.  Zero generators do not matter.

    The witness of a yes is a functional that is positive on the nonzero generators, that
    of a no a positive combination (index, coefficient) of nonzero generators that is 0.
    """
    try:
        answer = pointedness(generators, dimension, Effort.of(limits))
    except Stopped as stopped:
        return Verdict.undecided(stopped)
    rows = Matrix(generators, dimension)
    if isinstance(answer, Pointed):
        functional = record("functional", *primitive(answer.functional))
        return Verdict(
            True,
            "a functional is positive on every nonzero generator",
            answer.functional,
            claim("pointed", "functional", [functional], holds=True, generators=rows),
        )
    dependency = dependency_record(answer.dependency)
    return Verdict(
        False,
        f"a positive combination of {len(answer.dependency)} nonzero generators is 0",
        answer.dependency,
        claim("pointed", "dependency", [dependency], holds=False, generators=rows),
    )


def is_nonempty(system: LinearSystem, **limits: Unpack[Limits]) -> Verdict:
    """Whether the system has a solution; a solution is the witness.

    >>> import exactrelu as er
    >>> [er.is_nonempty(er.LinearSystem.box([ends])).answer for ends in ((0, 1), (1, 0))]
    [True, False]
    """
    try:
        answer = feasible(system, effort=Effort.of(limits))
    except Stopped as stopped:
        return Verdict.undecided(stopped)
    if isinstance(answer, Solution):
        records = [point_record("point", answer.flint_point)]
        certificate = claim("nonempty", "point", records, holds=True, system=system)
        return Verdict(True, "the polyhedron has a point", answer.flint_point, certificate)
    records = [multipliers_record(system, answer.multipliers)]
    certificate = claim("nonempty", "multipliers", records, holds=False, system=system)
    reason = f"{len(answer.multipliers)} of the rows add up to a contradiction"
    return Verdict(False, reason, certificate=certificate)


def is_bounded(system: LinearSystem, **limits: Unpack[Limits]) -> Verdict:
    """Whether the solutions form a bounded set; a recession direction is the witness of a no.

    >>> import exactrelu as er
    >>> unit, orthant = er.LinearSystem.box([(0, 1)]), er.LinearSystem.orthant(2)
    >>> er.is_bounded(unit).answer, er.is_bounded(orthant).answer
    (True, False)
    """
    effort = Effort.of(limits)
    try:
        return _boundedness(system, effort)
    except Stopped as stopped:
        return Verdict.undecided(stopped)


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
class NonnegativeColumnRank(Shown):
    """rank₊ of ``matrix`` = ``value``, with the proof of both bounds.

    matrix = ``left`` · ``right`` with ``right`` ≥ 0 and ``value`` columns in ``left`` is the
    upper bound.  The lower bound is the rank, and, where ``value`` exceeds it,
    ``dependency``: positive integers λ_j on nonzero columns j with Σ λ_j a_j = 0.
    """

    matrix: Matrix
    value: int
    rank_proof: RankProof
    left: Matrix
    right: Matrix
    dependency: Multipliers | None

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
        if self.dependency is not None:
            records += [kernel_record(proof.kernel), dependency_record(self.dependency)]
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
        if self.dependency is None:
            return factors
        columns = [A.flint_column(j) for j in range(A.n_columns)]
        return factors and NotPointed(self.dependency).verify(columns)


def nonnegative_column_rank(A: Matrix, **limits: Unpack[Limits]) -> NonnegativeColumnRank:
    """rank₊ A with its factors and its proof.

    >>> import exactrelu as er
    >>> er.nonnegative_column_rank(er.Matrix([[1, 0, -1], [0, 1, -1]])).dependency
    ((0, 1), (1, 1), (2, 1))
    >>> wedge = er.nonnegative_column_rank(er.Matrix([[1, 0, 1], [0, 1, 5]]))
    >>> wedge.value, wedge.left @ wedge.right
    (2, Matrix([[1, 0, 1], [0, 1, 5]]))
    """
    effort = Effort.of(limits)
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
        return NonnegativeColumnRank(A, proof.rank + 1, proof, left, right, answer.dependency)
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


@dataclass(frozen=True, repr=False)
class SigmaMinBounds(Outward, Shown):
    """lower ≤ σ_min ≤ upper.  A lower bound of 0 is trivial and has no certificate."""

    lower: fmpq
    upper: fmpq
    lower_certificate: Certificate | None
    upper_certificate: Certificate

    def _headline(self) -> str:
        return f"SigmaMinBounds: {between(self.lower, 'σ_min', self.upper)}"


def sigma_min_bounds(A: Matrix, **limits: Unpack[Limits]) -> SigmaMinBounds:
    """Certified bounds of σ_min(A); they agree only where σ_min = 0.

    >>> import exactrelu as er
    >>> from flint import fmpq
    >>> bounds = er.sigma_min_bounds(er.Matrix([[3, 0], [0, 4], [0, 0]]))
    >>> bounds.lower < 3 <= bounds.upper, bounds.upper - bounds.lower < fmpq(1, 10**5)
    (True, True)
    """
    if A.n_columns == 0:
        raise ShapeError("σ_min needs at least one column")
    effort = Effort.of(limits)
    effort.spend()
    if rank(A) < A.n_columns:
        x = tuple(map(fmpq, kernel(A.integer_form[0]).flint_vectors[0]))
        return SigmaMinBounds(ZERO, ZERO, None, _at_most(A, ZERO, x))
    effort.spend()
    gram = A.T @ A
    require_elimination(gram, gram.n_rows**2, effort)
    quotient, x = min(_rayleigh_quotients(gram, effort), key=lambda pair: pair[0])
    upper = square_root(quotient, up=True)
    try:
        lower, factor = _lower_bound(gram, quotient, effort)
    except Stopped as stopped:
        raise Stopped(f"{stopped}: σ_min ≤ {at_most(upper)}, no lower bound yet") from None
    proof = [factor_record(factor)]
    at_least = claim("sigma-min", "cholesky", proof, matrix=A, sense="at-least", bound=lower)
    return SigmaMinBounds(lower, upper, at_least, _at_most(A, upper, x))


def _at_most(A: Matrix, bound: fmpq, x: Vector) -> Certificate:
    proof = record("vector", *primitive(x))
    return claim("sigma-min", "vector", [proof], matrix=A, sense="at-most", bound=bound)


def _lower_bound(gram: Matrix, guess: fmpq, effort: Effort) -> tuple[fmpq, Matrix]:
    """r close below σ_min and a factor L̃ that proves it; ``guess`` is near σ_min²."""
    r = square_root(guess * (1 - _SLACK), up=False)
    for factor in float_factors(_shifted(gram, guess * (1 - _SLACK / 2))):
        effort.spend()
        if proves_semidefinite(_shifted(gram, r * r), factor):
            return r, factor
    effort.spend()
    eigenvalue = least_eigenvalue(gram)
    effort.spend()
    r = square_root(eigenvalue * (1 - _SLACK), up=False)
    # What is factored lies strictly between 0 and AᵀA − r²·1, so that the remainder
    # is a positive multiple of 1 up to rounding: some precision is enough.
    factors = exact_factors(_shifted(gram, eigenvalue * (1 - _SLACK / 2)))
    while not proves_semidefinite(_shifted(gram, r * r), factor := next(factors)):
        effort.spend()
    return r, factor


def proves_semidefinite(S: Matrix, factor: Matrix) -> bool:
    """Whether S − L̃L̃ᵀ is diagonally dominant with a nonnegative diagonal."""
    rest = S - factor @ factor.T
    return all(
        row[i] >= sum((abs(x) for j, x in enumerate(row) if j != i), ZERO)
        for i, row in enumerate(rest.flint_rows())
    )


def _shifted(gram: Matrix, shift: fmpq) -> Matrix:
    return gram - Matrix.identity(gram.n_rows).scale(shift)


def _floats(A: Matrix) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None:
    """A in doubles, None if it overflows: material for guesses."""
    array = np.array([[to_float(x) for x in row] for row in A.flint_rows()])
    return array if np.isfinite(array).all() else None


def float_factors(S: Matrix) -> Iterator[Matrix]:
    """Cholesky factors in single and double precision: the shorter certificate first."""
    array = _floats(S)
    if array is None:
        return
    try:
        factor = np.linalg.cholesky(array)
    except np.linalg.LinAlgError:
        return
    with np.errstate(over="ignore"):
        for guess in (factor.astype(np.float32), factor):
            if np.isfinite(guess).all():
                yield Matrix(guess)


def least_eigenvalue(gram: Matrix) -> fmpq:
    """A rational just below the least eigenvalue of a positive definite matrix."""
    polynomial = characteristic_polynomial(gram)
    bits = 64
    while (root := real_roots(polynomial, bits)[0]).lower <= 0 or (
        root.upper - root.lower > root.lower * _SLACK
    ):
        bits *= 2
    return root.lower


def exact_factors(S: Matrix) -> Iterator[Matrix]:
    """L·√D of S = LDLᵀ, rounded to ever more bits."""
    decomposition = ldl(S)
    n = S.n_rows
    bits = 32
    while True:
        roots = [square_root(d, up=False, bits=bits) for d in decomposition.diagonal]
        scale = fmpz(2) ** bits
        yield Matrix.from_entries(
            n,
            n,
            (
                fmpq((decomposition.lower.flint[i, j] * roots[j] * scale).floor(), scale)
                for i in range(n)
                for j in range(n)
            ),
        )
        bits *= 2


def _rayleigh_quotients(gram: Matrix, effort: Effort) -> Iterator[tuple[fmpq, Vector]]:
    """xᵀAᵀAx/xᵀx at ever better guesses x of the least singular vector, and x."""
    solver = inverse(gram)
    x = _first_vector(gram)
    # Rounding errors of x count σ_max/σ_min times; traces bound σ_max² and 1/σ_min².
    condition = _trace(gram) * _trace(solver)
    bits = _BITS + int(condition.ceil().bit_length())
    for _ in range(_ITERATIONS):
        effort.spend()
        x = _rounded(solver.flint_apply(x), bits)
        yield dot(x, gram.flint_apply(x)) / dot(x, x), x


def _first_vector(gram: Matrix) -> Vector:
    """A float eigenvector, so coarse that it is the same on every machine, or any vector."""
    array = _floats(gram)
    if array is None:
        return tuple(fmpq(1, i + 1) for i in range(gram.n_rows))
    x = vector(np.linalg.eigh(array)[1][:, 0])
    largest = max(x, key=abs)
    return _rounded(tuple(v / largest for v in x), _FIRST_BITS)


def _trace(A: Matrix) -> fmpq:
    return sum((A.flint[i, i] for i in range(A.n_rows)), ZERO)


def _rounded(x: Vector, bits: int) -> Vector:
    """An integer vector of about ``bits`` bits in nearly the same direction."""
    scale = fmpq(2) ** bits / max(map(abs, x))
    return tuple(fmpq((v * scale).floor()) for v in x)


def square_root(value: fmpq, *, up: bool, bits: int = _BITS) -> fmpq:
    """√value to about ``bits`` significant bits, rounded up or down; 0 for 0."""
    if value == 0:
        return ZERO
    magnitude = value.p.bit_length() - value.q.bit_length()
    shift = max(0, bits - magnitude // 2)
    scale = fmpz(2) ** shift
    root = ((value.p * scale * scale) // value.q).isqrt()
    if up:
        root += 1
    return fmpq(root, scale)
