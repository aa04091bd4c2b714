"""An interior point of an intersection of half-spaces, or why there is none.

For integer rows with a_i ≠ 0 in d ≥ 1 variables exactly one of these exists
(Gordan, Motzkin):

- x with a_i·x + b_i > 0 for all i: the :data:`Vector` returned;
- λ ≥ 0, λ ≠ 0 with Σ λ_i a_i = 0 and Σ λ_i b_i ≤ 0: a :class:`Dependency`, on at
  most d + 1 rows.

The float guess proposes one of the two and is verified in integers; the exact
dictionary decides whatever is left, and everything that is small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpz_mat

from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import Sense
from exactrelu.polyhedra.dictionary import Conflict, Dictionary
from exactrelu.polyhedra.engine import Engine
from exactrelu.polyhedra.guess import FloatRow, Guess, float_row, guess_depth
from exactrelu.polyhedra.integer_rows import IntegerRow, Multipliers, primitive_multipliers
from exactrelu.polyhedra.simplify import simplify_exact, simplify_guess


@dataclass(frozen=True)
class Dependency:
    """λ > 0 on the listed rows, Σ λ_i a_i = 0, ``offset`` = Σ λ_i b_i ≤ 0."""

    multipliers: Multipliers
    offset: int


def interior(dimension: int, rows: Sequence[IntegerRow], engine: Engine) -> Vector | Dependency:
    """A simple interior point or a dependency, by ``engine``.

    >>> interior(1, [(2, -1), (-3, 2)], Engine.DICTIONARY)
    (3/5,)
    >>> interior(1, [(1, -1), (-1, 1)], Engine.GUESS)
    Dependency(multipliers=((0, 1), (1, 1)), offset=0)
    """
    if not rows:
        return (fmpq(0),) * dimension
    floats = [float_row(row) for row in rows]
    if engine is Engine.DICTIONARY:
        return interior_exact(dimension, rows, floats, range(len(rows)))
    return confirm(dimension, rows, floats, guess_depth(dimension, floats))


def confirm(
    dimension: int,
    rows: Sequence[IntegerRow],
    floats: Sequence[FloatRow],
    guess: Guess | None,
) -> Vector | Dependency:
    """What the guess proposes, if it is exactly right; else what the dictionary decides."""
    if guess is None:
        return interior_exact(dimension, rows, floats, range(len(rows)))
    if guess.depth > 0 and (point := simplify_guess(rows, floats, guess.point)) is not None:
        return point
    if (dependency := dependency_on(dimension, rows, guess.support())) is not None:
        return dependency
    # The rows that are tight at the guessed point come first: they fix the vertex at
    # which the dictionary of the others starts, or are the conflict themselves.
    slack = [sum(map(float.__mul__, row, guess.point)) + row[-1] for row in floats]
    order = sorted(range(len(rows)), key=slack.__getitem__)
    return interior_exact(dimension, rows, floats, order)


def interior_exact(
    dimension: int,
    rows: Sequence[IntegerRow],
    floats: Sequence[FloatRow],
    order: Sequence[int],
) -> Vector | Dependency:
    """The same by the exact dictionary, which takes the rows in the given order."""
    dictionary = Dictionary(dimension)
    for i in order:
        dictionary.push(rows[i], Sense.GREATER)
        conflict = dictionary.restore()
        if conflict is not None:
            return conflict_dependency(rows, conflict, order)
    return dictionary_point(rows, floats, dictionary)


def conflict_dependency(
    rows: Sequence[IntegerRow], conflict: Conflict, order: Sequence[int]
) -> Dependency:
    """The conflict of a dictionary whose row k is ``rows[order[k]]``."""
    multipliers = primitive_multipliers((order[k], value) for k, value in conflict.multipliers)
    return Dependency(multipliers, _offset(rows, multipliers))


def dictionary_point(
    rows: Sequence[IntegerRow], floats: Sequence[FloatRow], dictionary: Dictionary
) -> Vector:
    """A simple point of a feasible dictionary of the rows, all strict."""
    numerators, denominator = dictionary.point()
    point = tuple(fmpq(p, denominator) for p in numerators)
    try:
        start = [p / denominator for p in numerators]
    except OverflowError:
        return simplify_exact(rows, point)
    simple = simplify_guess(rows, floats, start)
    return simplify_exact(rows, point) if simple is None else simple


def dependency_on(
    dimension: int, rows: Sequence[IntegerRow], support: Sequence[int]
) -> Dependency | None:
    """A dependency among the rows of ``support``, if a vector of a basis of the kernel is one.

    The vectors of that basis come from a reduced echelon form, so that they have at most
    d + 1 entries ≠ 0.
    """
    if not support:
        return None
    matrix = fmpz_mat(
        dimension, len(support), [rows[i][j] for j in range(dimension) for i in support]
    )
    null, nullity = matrix.nullspace()
    for k in range(nullity):
        factors = [int(null[i, k]) for i in range(len(support))]
        if any(f < 0 for f in factors):
            factors = [-f for f in factors]
        multipliers = primitive_multipliers(zip(support, factors, strict=True))
        offset = _offset(rows, multipliers)
        if offset <= 0 and all(f > 0 for _, f in multipliers):
            return Dependency(multipliers, offset)
    return None


def _offset(rows: Sequence[IntegerRow], multipliers: Multipliers) -> int:
    return sum(value * rows[i][-1] for i, value in multipliers)
