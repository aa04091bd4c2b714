"""Linear algebra: systems, cones, ranks, singular values.

*nonempty* S has a solution. ``point``: one. Negation, ``multipliers m r λ…``: λ > 0 on inequalities
and of any sign on equations; the one inequality (Motzkin).

*bounded* The solutions of S are bounded (there may be none). ``multipliers``, Σλa = 0, then
``minor``: dim rows, used by λ or equations, of rank dim. A recession direction r has a·r = 0 on
equations and a·r >= 0 on inequalities; 0 = Σλ(a·r) gives a·r = 0 on all rows used, and so r = 0.
Negation: ``point``, a solution p, and ``ray r``, r != 0 with a·r = 0 on equations and >= 0 on
inequalities: p + s·r, s >= 0.

*pointed* The cone of the rows of A contains no line. ``functional y``: y·g > 0 for all g != 0 among
them; v and -v in the cone would give y·v > 0 and y·(-v) > 0. Negation: ``dependency``, Σλg = 0 with
λ > 0 on some g != 0: -g_1 is in the cone too.

*rank* = r: ``minor`` of size r, and ``kernel``, n - r independent zeros of A.

*spark* = s: fewer than s rows of A are independent and some s are dependent (none if s is their
number + 1). ``combination r… v…`` of s rows, v != 0, unless s is the number of rows + 1; then
``independent q``: elimination with units modulo q through all sets of s - 1 rows.

*nonnegative-column-rank*: A has rank r, and k is the least number of columns of a real U with A =
U·B, B >= 0. ``left den u…``, ``right den b…``: A = left·right with k columns, right >= 0;
``minor`` of size r. If k = r that is all: r <= rank A <= k. If k = r + 1, also ``kernel`` and
``dependency`` of columns of A: were A = U·B with r columns, those of U would be independent, A·λ =
0 would give B·λ = 0, so the columns of B that λ uses would be 0, and those of A too, but they are
not. No other k is proved.

*sigma-min* at-least r: |Ax| >= r|x| for all x. ``factor den l_11 l_21 l_22…``: L lower triangular
such that AᵀA - r²I - LLᵀ is diagonally dominant (``semidefinite``).
at-most r: |Ax| <= r|x| for some x != 0, ``vector x``.
"""

from . import claims
from .claims import kind
from .evidence import combination, point_in, refute, weighted
from .file import Proof, form, need
from .numbers import Row, bits, dot, total
from .objects import Matrix, System, Vector
from .ranks import Space, dependency, grown, increasing, kernel, minor, residues
from .semidefinite import require_semidefinite


@kind("nonempty", "{system} has a solution", "{system} has no solution", system=claims.system)
def nonempty(system: System) -> None:
    """Any system."""


@kind(
    "bounded",
    "the solutions of {system} are bounded",
    "the solutions of {system} are unbounded",
    system=claims.system,
)
def bounded(system: System) -> None:
    """Any system."""


@kind(
    "pointed",
    "the cone of the rows of {generators} contains no line",
    "the cone of the rows of {generators} contains a line",
    generators=claims.matrix,
)
def pointed(generators: Matrix) -> None:
    """Any matrix."""


@kind("rank", "{matrix} has rank {rank}", matrix=claims.matrix, rank=claims.count)
def rank(matrix: Matrix, rank: int) -> None:
    """Any matrix and number."""


@kind(
    "spark",
    "fewer than {spark} rows of {matrix} are independent and, if there are so many, some {spark} "
    "are not",
    matrix=claims.matrix,
    spark=claims.count,
)
def spark(matrix: Matrix, spark: int) -> None:
    """From 1 to the number of rows plus 1."""
    ok = 1 <= spark <= len(matrix.rows) + 1
    form(ok, "index-out-of-range", "the spark is from 1 to the number of rows plus 1")


@kind(
    "nonnegative-column-rank",
    "{matrix} has rank {rank} and nonnegative column rank {columns}",
    matrix=claims.matrix,
    rank=claims.count,
    columns=claims.count,
)
def nonnegative_column_rank(matrix: Matrix, rank: int, columns: int) -> None:
    """Any matrix and numbers."""


@kind(
    "sigma-min",
    "the least singular value of {matrix}, the least |Ax|/|x|, is {sense} {bound}",
    matrix=claims.matrix,
    sense=claims.word("at-least", "at-most"),
    bound=claims.bound,
)
def sigma_min(matrix: Matrix, sense: str, bound: Vector) -> None:
    """Any matrix and bound."""


def nonempty_by_point(proof: Proof, system: System) -> None:
    """A solution."""
    point_in(proof, system)


def nonempty_by_multipliers(proof: Proof, system: System) -> None:
    """Multipliers that contradict."""
    size = max(map(bits, system.rows), default=0)
    strict = [None if sense == "eq" else sense == "gt" for sense in system.senses]
    refute(proof, system.rows, strict, proof.record("multipliers")[1], size)


def bounded_by_multipliers(proof: Proof, system: System) -> None:
    """No recession direction."""
    equations = {r for r, sense in enumerate(system.senses) if sense == "eq"}
    used, values = weighted(proof.record("multipliers")[1], len(system.rows), equations)
    normals = [row[:-1] for row in system.rows]
    chosen = [(*normals[r], 0) for r in used]
    combination(proof, chosen, values, max(map(bits, normals), default=0))
    spanning = minor(proof, normals, system.dim, system.dim)
    ok = all(system.senses[r] == "eq" or r in used for r in spanning)
    need(ok, "row-not-used", "a row of the minor has no multiplier")


def bounded_by_ray(proof: Proof, system: System) -> None:
    """A point and a recession direction."""
    point_in(proof, system)
    ray = proof.numbers("ray", system.dim)
    need(any(ray), "vector-zero", "the direction is 0")
    for sense, row in zip(system.senses, system.rows, strict=True):
        proof.spend(len(row), bits(row), bits(ray))
        slope = dot(row, ray)  # the offset has no partner
        ok = slope == 0 if sense == "eq" else slope >= 0
        need(ok, "ray-leaves", "the direction leaves the solutions")


def pointed_by_functional(proof: Proof, generators: Matrix) -> None:
    """Positive on all generators."""
    functional = proof.numbers("functional", generators.width)
    for row in generators.rows:
        proof.spend(len(row), bits(row), bits(functional))
        ok = not any(row) or dot(row, functional) > 0
        need(ok, "functional-not-positive", "the functional is not positive on a generator")


def pointed_by_dependency(proof: Proof, generators: Matrix) -> None:
    """A positive combination that is 0."""
    dependency(proof, generators.rows, generators.width)


def rank_by_minor(proof: Proof, matrix: Matrix, rank: int) -> None:
    """At least by a minor, at most by a kernel."""
    minor(proof, matrix.rows, matrix.width, rank)
    kernel(proof, matrix.rows, matrix.width, rank)


def spark_by_independent(proof: Proof, matrix: Matrix, spark: int) -> None:
    """A dependent set, and all smaller ones modulo q."""
    if spark <= len(matrix.rows):
        numbers = proof.numbers("combination", 2 * spark)
        chosen = increasing(numbers[:spark], len(matrix.rows))
        values = numbers[spark:]
        need(any(values), "vector-zero", "every number of the combination is 0")
        rows = [matrix.rows[k] for k in chosen]
        proof.spend(spark * matrix.width, max(map(bits, rows)), bits(values))
        ok = not any(total(values, rows, matrix.width))
        need(ok, "combination-not-zero", "the combination of the rows is not 0")
    (modulus,) = proof.numbers("independent", 1)
    rows_modulo = residues(proof, matrix.rows, modulus)
    todo: list[tuple[int, Space]] = [(0, ())] if spark > 1 else []
    while todo:
        first, space = todo.pop()
        for k in range(first, len(rows_modulo) - spark + len(space) + 2):
            larger = grown(proof, space, rows_modulo[k], modulus) or ()
            need(larger, "no-unit-pivot", "a row depends on rows before it, modulo q")
            if len(larger) < spark - 1:
                todo.append((k + 1, larger))


def nonnegative_column_rank_by_factors(
    proof: Proof, matrix: Matrix, rank: int, columns: int
) -> None:
    """Factors, and the reason why there are no smaller ones."""
    need(columns - rank in (0, 1), "rank-gap", "the rank or one more")
    height, width = len(matrix.rows), matrix.width
    left_den, left = _factor(proof, "left", height, columns)
    right_den, right = _factor(proof, "right", columns, width)
    ok = all(entry >= 0 for row in right for entry in row)
    need(ok, "factor-negative", "the right factor has a negative entry")
    scale = left_den * right_den
    size = max(map(bits, (*left, *right, *matrix.rows)), default=0) + matrix.den.bit_length()
    proof.spend(height * width * (columns + 2), size + scale.bit_length(), size)
    for row, weights in zip(matrix.rows, left, strict=True):
        product = total(weights, right, width)
        ok = all(x * scale == y * matrix.den for x, y in zip(row, product, strict=True))
        need(ok, "product-differs", "left times right is not the matrix")
    minor(proof, matrix.rows, width, rank)
    if columns > rank:
        kernel(proof, matrix.rows, width, rank)
        dependency(proof, list(zip(*matrix.rows, strict=True)) or [()] * width, height)


def _factor(proof: Proof, word: str, height: int, width: int) -> tuple[int, list[Row]]:
    """Read a rational matrix: its denominator, then its rows."""
    den, *entries = proof.numbers(word, 1 + height * width)
    form(den > 0, "denominator-not-positive", "a denominator is positive")
    return den, [tuple(entries[i * width : (i + 1) * width]) for i in range(height)]


def sigma_min_by_cholesky(proof: Proof, matrix: Matrix, sense: str, bound: Vector) -> None:
    """AᵀA - r²I is positive semidefinite."""
    need(sense == "at-least", "wrong-method", "a factor shows a lower bound")
    numbers = proof.record("factor")[1]
    require_semidefinite(proof, matrix, bound.nums[0] ** 2, bound.den**2, numbers)


def sigma_min_by_vector(proof: Proof, matrix: Matrix, sense: str, bound: Vector) -> None:
    """With A = N/d and r = p/q: q²·|N·x|² <= p²·d²·|x|²."""
    need(sense == "at-most", "wrong-method", "a vector shows an upper bound")
    vector = proof.numbers("vector", matrix.width)
    need(any(vector), "vector-zero", "the vector is 0")
    size = max(map(bits, matrix.rows), default=0) + bits(vector) + bits((bound.den, *bound.nums))
    size += matrix.den.bit_length()
    proof.spend((len(matrix.rows) + 2) * (matrix.width + 2), size, size)
    image = [bound.den * dot(row, vector) for row in matrix.rows]
    longest = [bound.nums[0] * matrix.den * entry for entry in vector]
    need(dot(image, image) <= dot(longest, longest), "image-too-long", "|Ax| exceeds the bound")
