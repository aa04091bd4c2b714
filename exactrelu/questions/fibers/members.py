"""Members of a stratum as networks, or a proof that it has none (theory 1.4, 1.5).

With [A0|c0] the affine map of the function where all h ≤ 0, a neuron on h with sign − and
output column v adds −v·h there.  So a stratum has a member iff there are N_h, N_c with

    A_S + Σ N_h a_h + Σ N_c a_c = V_L W_L,   rows of W_L in C*,   A_S = A0 + Σ U_h a_h,

the last sum over the bends with − only, N_h over those with both signs, N_c over the canceling
groups with both signs, whose a_c are free.  C are the directions in which the domain has no end,
C* the slopes of what is ≥ 0 on it (:mod:`exactrelu.polyhedra.sides`): {w ≥ 0} on the orthant, all
slopes on a bounded domain, 0 on R^n, where k is taken as 0.  Hence: the rows of A_S must lie in the
span of the a_h, of k rows w in C* and of t free rows a_c.  Let R be the span of A_S and the a_h,
r its dimension modulo the a_h, and r_L that of the restrictions to the lines L of C.  Rows of C*
are 0 on L.

- k + t < r, or t < r_L: impossible.
- k + t > r: possible; r_L free rows make the others vanish on L, modulo the a_h and these;
  then w_i = ρ_i + s_i·w_0 for a basis ρ of what is left, and w_0 in the relative interior of C*.
- k + t = r: the w and a_c must be a basis of R modulo the a_h, so possible iff R ∩ C* spans
  at least k dimensions modulo the a_h.  With x* in it that is positive on as many rays of C as can
  be, it spans {x ∈ R : x·z = 0 for the other rays z}.  (On the orthant, without a_h and with t = 0,
  this says that the cone of the nonzero columns of A_S is pointed: rank₊ = rank.)

Such rows make a member: the biases of linear neurons are large enough, and the output bias takes
up what is left of c0.

If there is none, the proof is one of ranks.  Let B have the rows of A_S and the normals a_h of
the bends with both signs, which have rank q.  Either rank B > q + k + t, or it is equal; then
every row of C* in the span of B vanishes on the rays Z with λ > 0 in some B·Σ λ_z z = 0, and on Z
the rank of B exceeds that of the a_h by more than t.  Or it does so on the lines.

Symbols: k ``n_rows``, t ``n_free``, A_S ``compensation`` without its last column, w_0 ``inner``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from flint import fmpq

from exactrelu.certificates.moves import (
    not_pointed_records,
    on_lines_records,
    rank_too_large_records,
)
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import (
    Minor,
    RankProof,
    nullspace,
    part_of_minor,
    rank,
    rank_proof,
    solve,
)
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import (
    ONE,
    ZERO,
    Vector,
    common_denominator,
    dot,
    primitive,
    vector,
)
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Layer, Network
from exactrelu.network.shallow import oriented
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.sides import FunctionSides
from exactrelu.questions.fibers.strata import Stratum, Target


@dataclass(frozen=True)
class Filling:
    """A_S = ``linear``·``rows`` − Σ ``doubled``[h]·a_h − Σ ``cancelling``[c]·``free``[c].

    ``rows`` are nonnegative; ``doubled`` is indexed by bend.
    """

    rows: tuple[Vector, ...]
    linear: tuple[Vector, ...]
    doubled: dict[int, Vector]
    free: tuple[Vector, ...]
    cancelling: tuple[Vector, ...]


def compensation(target: Target, bends: Sequence[str]) -> Matrix:
    """[A_S|d_S]: what the other neurons and the output bias must add up to."""
    total = target.affine
    for bend, signs in zip(target.bends, bends, strict=True):
        if "+" not in signs:
            total += Matrix.column_vector(bend.jump) @ Matrix([bend.row])
    return total


def fill(
    target: Target,
    stratum: Stratum,
    functional: Sequence[int] | None = None,
    effort: Effort = UNLIMITED,
) -> Filling | None:
    """Rows for the linear neurons and canceling groups, or None if there are none.

    ``functional`` is positive on the nonzero columns of A_S, if one is known.
    """
    n = target.n_inputs
    A = compensation(target, stratum.bends).take(columns=range(n))
    mixed = [i for i, signs in enumerate(stratum.bends) if "+" in signs and "-" in signs]
    fixed = [target.bends[i].row[:n] for i in mixed]
    n_free = sum("+" in signs and "-" in signs for signs in stratum.cancelling)
    # On R^n a linear neuron is constant and adds nothing to the slope.
    n_rows = 0 if target.is_everywhere else stratum.n_linear
    top = None if functional is None else _combination(vector(functional), A.flint_rows(), n)
    chosen = spanning_rows(A, fixed, n_rows, n_free, target.sides, top, effort)
    if chosen is None:
        return None
    rows, free = chosen
    coefficients = _coefficients(A, (*fixed, *rows, *free))
    columns = [coefficients.flint_column(j) for j in range(coefficients.n_columns)]
    q, k = len(fixed), len(rows)
    minus = [tuple(-x for x in column) for column in columns]
    return Filling(
        rows,
        tuple(columns[q : q + k]),
        dict(zip(mixed, minus[:q], strict=True)),
        free,
        tuple(minus[q + k :]),
    )


def spanning_rows(
    A: Matrix,
    fixed: Sequence[Vector],
    n_rows: int,
    n_free: int,
    sides: FunctionSides,
    top: Vector | None = None,
    effort: Effort = UNLIMITED,
) -> tuple[tuple[Vector, ...], tuple[Vector, ...]] | None:
    """Rows w in C* and free rows that together with ``fixed`` span the rows of A, if there are.

    ``top`` is a row of C* in the span of A that is positive on most rays, if one is known.
    """
    n = A.n_columns
    basis = independent(fixed, (), effort)
    rest = independent(A.flint_rows(), basis, effort)
    if n_rows + n_free < len(rest):
        return None
    on_lines, rest_off = _off_lines(rest, basis, sides.flint_lines, effort)
    if n_free < len(on_lines):
        return None
    if n_rows + n_free == len(rest):
        rows = _basis_of_cone((*basis, *rest), basis, n_rows, sides, top, effort)
        if rows is None:
            return None
        return rows, independent(rest, (*basis, *rows), effort)
    inner = sides.flint_inner
    shifted = [_shifted(row, inner, sides.flint_rays) for row in rest_off[:n_rows]]
    free = [*on_lines, *rest_off[len(shifted) :]]
    more = independent([inner, *_slopes(sides, n)], shifted, effort)
    if n_free:
        # The inner row is among the free rows; others that are left over may be anything.
        free = [*on_lines, inner, *free[len(on_lines) :]] + [inner] * n_free
        others = independent([row for row in more if row != inner], [inner], effort)
        return _first(shifted, others or more, n_rows), tuple(free[:n_free])
    return _first(shifted, more, n_rows), ()


def _off_lines(
    rows: Sequence[Vector], basis: Sequence[Vector], lines: Sequence[Vector], effort: Effort
) -> tuple[list[Vector], list[Vector]]:
    """Rows that are independent on the lines modulo a basis, and the others made 0 there."""
    if not lines:
        return [], list(rows)
    on_lines: list[Vector] = []
    off: list[Vector] = []
    for row in rows:
        before = [*basis, *on_lines]
        there = [tuple(dot(x, line) for line in lines) for x in before]
        target = tuple(dot(row, line) for line in lines)
        effort.spend()
        weights = solve(Matrix(there).T, target) if there else None
        if there and weights is not None:
            part = _combination(weights, before, len(row))
            off.append(tuple(x - y for x, y in zip(row, part, strict=True)))
        elif not any(target):
            off.append(row)
        else:
            on_lines.append(row)
    return on_lines, off


def _first(rows: Sequence[Vector], more: Sequence[Vector], n: int) -> tuple[Vector, ...]:
    """n rows: first ``rows``, then ``more``, again and again."""
    filled = list(rows)
    while len(filled) < n:
        filled += more or rows
    return tuple(filled[:n])


def _basis_of_cone(
    span: Sequence[Vector],
    modulo: Sequence[Vector],
    k: int,
    sides: FunctionSides,
    top: Vector | None,
    effort: Effort,
) -> tuple[Vector, ...] | None:
    """k rows of C* in a span that are independent modulo some of its rows, if there are."""
    if k == 0:
        return ()
    n = len(span[0])
    if len(span) == n and not sides.flint_lines:
        span, top = Matrix.identity(n).flint_rows(), sides.flint_inner
    if top is None:
        top = most_positive(span, sides.flint_rays, n, effort)
    top = tuple(map(fmpq, primitive(top))) if any(top) else top
    zeros = [ray for ray in sides.flint_rays if dot(top, ray) == 0]
    entries = [dot(row, ray) for ray in zeros for row in span]
    at_zeros = Matrix.from_entries(len(zeros), len(span), entries)
    faces = nullspace(at_zeros) if zeros else Matrix.identity(len(span)).flint_rows()
    inside = [_combination(weights, span, n) for weights in faces]
    rows = [top, *(_shifted(row, top, sides.flint_rays) for row in inside)]
    chosen = independent(rows, modulo, effort)
    return tuple(chosen[:k]) if len(chosen) >= k else None


def most_positive(
    span: Sequence[Vector], rays: Sequence[Vector], n: int, effort: Effort = UNLIMITED
) -> Vector:
    """A row of a span that is ≥ 0 on all rays and positive on most of them; perhaps 0."""
    columns = [tuple(dot(row, ray) for row in span) for ray in rays]
    rows = [Row(column, ZERO) for column in columns]
    total = (ZERO,) * n
    while missing := [
        c for c, z in zip(columns, rays, strict=True) if any(c) and not dot(total, z)
    ]:
        some = tuple(sum((column[i] for column in missing), ZERO) for i in range(len(span)))
        system = LinearSystem(len(span), (*rows, Row(some, ZERO, Sense.GREATER)))
        answer = feasible(system, effort=effort)
        if not isinstance(answer, Solution):
            break
        found = _combination(answer.flint_point, span, n)
        total = tuple(a + b for a, b in zip(total, found, strict=True))
    return total


def independent(
    rows: Iterable[Vector], modulo: Sequence[Vector], effort: Effort = UNLIMITED
) -> tuple[Vector, ...]:
    """The rows that are not in the span of the earlier ones and of ``modulo``."""
    before = list(modulo)
    r = rank(Matrix(before)) if before else 0
    chosen = []
    for row in rows:
        effort.spend()
        if rank(Matrix([*before, row])) > r:
            r += 1
            before.append(row)
            chosen.append(row)
    return tuple(chosen)


def _shifted(row: Vector, by: Vector, rays: Sequence[Vector]) -> Vector:
    """row + s·by with the least integer s for which it is positive on all rays on which ``by`` is.

    ``by`` is ≥ 0 on all of them.
    """
    slopes = ((dot(row, ray), dot(by, ray)) for ray in rays)
    s = max(((-x / y).floor() + 1 for x, y in slopes if y != 0), default=0)
    return tuple(x + s * y for x, y in zip(row, by, strict=True))


def _slopes(sides: FunctionSides, n: int) -> list[Vector]:
    """Rows of C* that span it, positive where its inner rows are."""
    units = Matrix.identity(n).flint_rows() if sides.is_simple else sides.flint_slopes
    return [_shifted(row, sides.flint_inner, sides.flint_rays) for row in units]


def _combination(weights: Sequence[fmpq], rows: Sequence[Vector], n: int) -> Vector:
    total = [ZERO] * n
    for weight, row in zip(weights, rows, strict=True):
        total = [t + weight * x for t, x in zip(total, row, strict=True)]
    return tuple(total)


def _coefficients(A: Matrix, rows: Sequence[Vector]) -> Matrix:
    """C with C·rows = A."""
    if not rows:
        return Matrix.zero(A.n_rows, 0)
    transposed = Matrix(rows).T
    solutions = [solve(transposed, row) for row in A.flint_rows()]
    if any(solution is None for solution in solutions):
        raise ArithmeticError("the rows do not span the matrix: a bug")
    return Matrix(solutions)


def member(
    target: Target, stratum: Stratum, filling: Filling, biases: Sequence[fmpq], name: str = ""
) -> Network:
    """The network of a filling, with the given least values ≥ 0 of the linear neurons."""
    n, n_outputs = target.n_inputs, target.n_outputs
    zero, ones = (ZERO,) * n_outputs, (ONE,) * n_outputs
    hyperplanes, negatives = _groups(target, stratum, filling)
    rows: list[Vector] = []
    columns: list[Vector] = []
    seen: set[tuple[str, int, int]] = set()
    slope = not target.is_everywhere
    for neuron in stratum.layout(target):
        group = neuron.group
        if neuron.kind in ("bend", "cancelling"):
            is_bend = neuron.kind == "bend"
            row = target.bends[group].row if is_bend else hyperplanes[group]
            signs = (stratum.bends if is_bend else stratum.cancelling)[group]
            jump = target.bends[group].jump if is_bend else zero
            minus = negatives.get((neuron.kind, group), jump if "+" not in signs else zero)
            total = minus if neuron.sign < 0 else _minus(jump, minus)
            # The first neuron of a side takes all of it, the others nothing.
            key = (neuron.kind, group, neuron.sign)
            column = zero if key in seen else total
            seen.add(key)
            # Coprime integers have smaller numbers than rows of ℓ1 norm 1.
            scale = fmpq(common_denominator(row))
            rows.append(tuple(neuron.sign * scale * x for x in row))
            columns.append(tuple(v / scale for v in column))
        elif neuron.kind == "linear":
            weights = filling.rows[group] if slope else (ZERO,) * n
            rows.append((*weights, biases[group] - target.sides.least(weights)))
            columns.append(filling.linear[group] if slope else ones)
        else:
            rows.append(tuple(-x for x in target.sides.flint_positive))
            columns.append(ones)
    base = _base(target, rows, columns)
    bias = _minus(target.affine.flint_column(n), base)
    out = Matrix([[*(c[o] for c in columns), bias[o]] for o in range(n_outputs)])
    return Network((Layer(Matrix(rows, n + 1)), Layer(out)), name)


def _base(target: Target, rows: Sequence[Vector], columns: Sequence[Vector]) -> Vector:
    """The constant of Σ v·s(row) where every h ≤ 0, h the oriented rows."""
    total = [ZERO] * target.n_outputs
    for row, column in zip(rows, columns, strict=True):
        h, factor = oriented(row)
        side = target.sides.sign(h)
        if factor * side > 0 if side else factor < 0:
            total = [t + row[-1] * v for t, v in zip(total, column, strict=True)]
    return tuple(total)


def _groups(
    target: Target, stratum: Stratum, filling: Filling
) -> tuple[list[Vector], dict[tuple[str, int], Vector]]:
    """A hyperplane for each canceling group, and Σ v over the − side of each mixed group."""
    sums: dict[tuple[str, int], Vector] = {
        ("bend", i): column for i, column in filling.doubled.items()
    }
    # A hyperplane may come with either sign.
    taken = {tuple(s * x for x in bend.row) for bend in target.bends for s in (ONE, -ONE)}
    free = iter(zip(filling.free, filling.cancelling, strict=True))
    rows: list[Vector] = []
    for g, signs in enumerate(stratum.cancelling):
        normal, column = (ONE,) * target.n_inputs, (ZERO,) * target.n_outputs
        if "-" in signs:
            normal, column = next(free)
        # β < 0 < some weight: the hyperplane meets the orthant.
        turn = ONE if any(x > 0 for x in normal) else -ONE
        candidates = _hyperplanes(target.sides, tuple(turn * x for x in normal))
        row, norm = next(
            (tuple(x / norm for x in c), norm)
            for c in candidates
            if tuple(x / (norm := sum(map(abs, c), ZERO)) for x in c) not in taken
        )
        taken |= {row, tuple(-x for x in row)}
        rows.append(row)
        if "-" in signs:
            # N·a = N'·(turn/norm)·a for the row that is used.
            sums["cancelling", g] = tuple(turn * norm * x for x in column)
    return rows, sums


def _hyperplanes(sides: FunctionSides, normal: Vector) -> Iterator[Vector]:
    """Hyperplanes with a normal that meet the inside of the domain, one after the other."""
    if sides.is_simple:
        yield from ((*normal, fmpq(-t)) for t in count(1))
    inside = sides.place.flint_point
    for k in count():
        # Points on the way from the point inside against the normal, as far as needed.
        step = fmpq(1, 2**k)
        point = tuple(x - step * a for x, a in zip(inside, normal, strict=True))
        if sides.place.inside.contains(point):
            yield (*normal, -dot(normal, point))


def _minus(a: Vector, b: Vector) -> Vector:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def no_member_records(
    target: Target, bends: Sequence[str], k: int, t: int, effort: Effort = UNLIMITED
) -> list[str] | None:
    """Why no network has these signs on the bends, k linear neurons and t groups; None if not."""
    B, doubled = _slopes_of(target, bends)
    known = _rank_proof(doubled)
    proof = rank_proof(B)
    needed = (known.rank if known else 0) + k + t
    if proof.rank > needed:
        return rank_too_large_records(known, part_of_minor(B, proof.minor, needed + 1))
    if lines := target.sides.flint_lines:
        both = [ray for line in lines for ray in (line, tuple(-x for x in line))]
        exceeding = _exceeding(B, doubled, both, t)
        if exceeding is not None:
            return on_lines_records(both, exceeding)
    if proof.rank < needed:
        return None
    effort.spend()
    dependency = _dependency(B, target.sides, effort)
    if not dependency:
        return None
    inside = None
    if doubled.n_rows or t:
        rays = [target.sides.flint_rays[j] for j, _ in dependency]
        inside = _exceeding(B, doubled, rays, t)
        if inside is None:
            return None
    if target.sides.is_simple:
        return not_pointed_records(known, proof.minor, dependency, inside, None)
    listed = [target.sides.flint_rays[j] for j, _ in dependency]
    numbered = [(i, weight) for i, (_, weight) in enumerate(dependency)]
    return not_pointed_records(known, proof.minor, numbered, inside, listed)


def _slopes_of(target: Target, bends: Sequence[str]) -> tuple[Matrix, Matrix]:
    """B: the rows of A_S as the checker scales them, and the normals of bends with both signs."""
    n = target.n_inputs
    A = compensation(target, bends).take(columns=range(n))
    slope = [[x * target.denominator for x in row] for row in A.flint_rows()]
    doubled = [
        primitive(bend.row)[:n]
        for bend, signs in zip(target.bends, bends, strict=True)
        if "+" in signs and "-" in signs
    ]
    return Matrix([*slope, *doubled], n), Matrix(doubled, n)


def _dependency(B: Matrix, sides: FunctionSides, effort: Effort) -> list[tuple[int, fmpq]]:
    """Rays z, by their numbers, and λ_z > 0 with B·Σ λ_z z = 0: most rays that B does not kill."""
    # B·Z for the rays Z as columns; on the orthant Z is the identity.
    rays = sides.flint_rays
    products = B @ Matrix(rays, B.n_columns).T if rays else Matrix.zero(B.n_rows, 0)
    if not rays or rank(products) == len(rays):
        return []
    units = Matrix.identity(len(rays)).flint_rows()
    weights = most_positive(nullspace(products), units, len(rays), effort)
    return [(j, x) for j, x in enumerate(weights) if x != 0 and any(products.flint_column(j))]


def _exceeding(
    B: Matrix, doubled: Matrix, rays: Sequence[Vector], t: int
) -> tuple[RankProof | None, Minor] | None:
    """Proofs that on some rays the rank of B exceeds that of some of its rows by more than t."""
    on_rays = B @ Matrix(rays).T
    small = _rank_proof(doubled @ Matrix(rays).T) if doubled.n_rows else None
    least = (small.rank if small else 0) + t + 1
    found: RankProof = rank_proof(on_rays)
    return None if found.rank < least else (small, part_of_minor(on_rays, found.minor, least))


def _rank_proof(rows: Matrix) -> RankProof | None:
    """The proof of the rank of some rows, if there are any."""
    return rank_proof(rows) if rows.n_rows else None
