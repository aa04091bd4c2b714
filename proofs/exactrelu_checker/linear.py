"""Linear algebra: systems, cones, ranks.

*nonempty* S has a solution. ``point``: one. Negation, ``multipliers m r λ…``: λ > 0 on
inequalities and of any sign on equations; the one inequality (Motzkin).

*bounded* The solutions of S are bounded (there may be none). ``multipliers``, Σλa = 0, then
``minor``: dim rows, used by λ or equations, of rank dim. A recession direction r has a·r =
0 on equations and a·r >= 0 on inequalities; 0 = Σλ(a·r) gives a·r = 0 on all rows used, and
so r = 0.
``empty``: there are none, by the ``multipliers`` of the negation of *nonempty*. Negation:
``point``, a solution p, and ``ray r``, r != 0 with a·r = 0 on equations and >= 0 on
inequalities: p + s·r, s >= 0.

*pointed* The cone of the rows of A contains no line. ``functional y``: y·g > 0 for all g !=
0 among them; v and -v in the cone would give y·v > 0 and y·(-v) > 0. Negation:
``dependency``, Σλg = 0 with λ > 0 on some g != 0: -g_1 is in the cone too.

*rank* = r: ``minor`` of size r, and ``kernel``, n - r independent zeros of A.

*spark* = s: fewer than s rows of A are independent and some s are dependent (none if s is
their number + 1). ``combination r… v…`` of s rows, v != 0, unless s is the number of rows +
1; then ``independent q``: elimination with units modulo q through all sets of s - 1 rows.

*nonnegative-column-rank*: A has rank r, and k is the least number of columns of a real U
with A = U·B, B >= 0. ``left den u…``, ``right den b…``: A = left·right with k columns,
right >= 0; ``minor`` of size r. If k = r that is all: r <= rank A <= k. If k = r + 1, also
``kernel`` and ``dependency`` of columns of A: were A = U·B with r columns, those of U would
be independent, A·λ = 0 would give B·λ = 0, so the columns of B that λ uses would be 0, and
those of A too, but they are not. No other k is proved.
"""

from .claims import kind
from .evidence import point_in, refute, weighted
from .file import Proof, form, need
from .numbers import dots, longest, multiplied, paired
from .objects import Matrix, System, read_table
from .ranks import (
    Space,
    dependency,
    grown,
    increasing,
    kernel,
    minor,
    require_zero,
    residues,
)

nonempty = kind("{system} has a solution", "{system} has no solution")
bounded = kind(
    "the solutions of {system} are bounded", "the solutions of {system} are unbounded"
)
pointed = kind(
    "the cone of the rows of {generators} contains no line",
    "the cone of the rows of {generators} contains a line",
)
rank = kind("{matrix} has rank {rank}")
nonnegative_column_rank = kind(
    "{matrix} has rank {rank} and nonnegative column rank {columns}"
)


@kind(
    "fewer than {spark} rows of {matrix} are independent and, if there are so many, some "
    "{spark} are not"
)
def spark(matrix: Matrix, spark: int) -> None:
    """From 1 to the number of rows plus 1."""
    form(
        1 <= spark <= len(matrix.rows) + 1,
        "index-out-of-range",
        "1 to the number of rows + 1",
    )


def nonempty_by_point(proof: Proof, system: System) -> None:
    """A solution."""
    point_in(proof, system)


def not_nonempty_by_multipliers(proof: Proof, system: System) -> None:
    """Multipliers that contradict."""
    numbers = proof.record("multipliers")[1]
    refute(proof, system.rows, system.strict, numbers, longest(system.rows))


def bounded_by_multipliers(proof: Proof, system: System) -> None:
    """No recession direction."""
    used, values = weighted(proof.record("multipliers")[1], system.strict)
    normals = [row[:-1] for row in system.rows]
    require_zero(proof, [normals[r] for r in used], values)
    spanning = minor(proof, normals, system.dim, system.dim)
    need(
        all(system.senses[r] == "eq" or r in used for r in spanning),
        "row-not-used",
        "not used",
    )


bounded_by_empty = not_nonempty_by_multipliers


def not_bounded_by_ray(proof: Proof, system: System) -> None:
    """A point and a recession direction."""
    point_in(proof, system)
    ray = proof.numbers("ray", system.dim)
    need(any(ray), "vector-zero", "the direction is 0")
    slopes = dots(
        proof, system.rows, ray, longest(system.rows)
    )  # the offset has no partner
    for sense, slope in paired(system.senses, slopes):
        need(
            slope == 0 if sense == "eq" else slope >= 0,
            "ray-leaves",
            "the ray leaves the set",
        )


def pointed_by_functional(proof: Proof, generators: Matrix) -> None:
    """Positive on all generators."""
    functional = proof.numbers("functional", generators.width)
    rows = [*filter(any, generators.rows)]
    ok = all(value > 0 for value in dots(proof, rows, functional, longest(rows)))
    need(ok, "functional-not-positive", "the functional is not positive on a generator")


def not_pointed_by_dependency(proof: Proof, generators: Matrix) -> None:
    """A positive combination that is 0."""
    dependency(proof, generators.rows)


def rank_by_minor(proof: Proof, matrix: Matrix, rank: int) -> None:
    """At least by a minor, at most by a kernel."""
    minor(proof, matrix.rows, matrix.width, rank)
    kernel(proof, matrix.rows, matrix.width, rank)


def spark_by_independent(proof: Proof, matrix: Matrix, spark: int) -> None:
    """A dependent set, and all smaller ones modulo q."""
    if spark <= len(matrix.rows):
        numbers = proof.numbers("combination", 2 * spark)
        chosen = increasing(numbers[:spark], len(matrix.rows))
        need(any(numbers[spark:]), "vector-zero", "every number of the combination is 0")
        require_zero(proof, [matrix.rows[k] for k in chosen], numbers[spark:])
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


def nonnegative_column_rank_by_factors(proof: Proof, matrix: Matrix, **said: int) -> None:
    """Factors, and the reason why there are no smaller ones."""
    rank, columns = said["rank"], said["columns"]
    need(columns - rank in (0, 1), "rank-gap", "the rank or one more")
    height, width = len(matrix.rows), matrix.width
    left_den, left = read_table(proof, "left", height, columns)
    right_den, right = read_table(proof, "right", columns, width)
    need(
        all(entry >= 0 for row in right for entry in row),
        "factor-negative",
        "a negative entry",
    )
    found, scale = multiplied(proof, left, right, width), left_den * right_den
    size = longest(matrix.rows) + matrix.den.bit_length()
    proof.spend(2 * height * width, size, longest(found) + scale.bit_length())
    same = [[x * scale for x in row] for row in matrix.rows]
    need(
        same == [[y * matrix.den for y in row] for row in found],
        "product-differs",
        "not equal",
    )
    minor(proof, matrix.rows, width, rank)
    if columns > rank:
        kernel(proof, matrix.rows, width, rank)
        dependency(proof, list(paired(*matrix.rows)) or [()] * width)
