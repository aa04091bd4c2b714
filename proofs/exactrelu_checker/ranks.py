"""Matrices: minors modulo q, kernels, positive dependencies.

``minor q r… c…``     a square submatrix that is invertible modulo q >= 2: rank >= its size
``kernel c… v…``      n - r independent v with A·v = 0, for free columns c: rank <= r
``dependency m k λ…`` a positive combination of nonzero vectors that is 0
"""

from itertools import combinations
from math import comb, gcd

from .evidence import combination, weighted
from .file import Numbers, Proof, form, need
from .numbers import Entries, Row, Rows, bits, dots, longest, paired

Space = tuple[tuple[int, Row], ...]  # pivot and vector, modulo q


def minor(proof: Proof, rows: Rows, width: int, size: int) -> Numbers:
    """Check that a matrix has rank >= size; return the rows that show it.

    A determinant that is a unit modulo q >= 2 is not 0.
    """
    modulus, *places = proof.numbers("minor", 1 + 2 * size)
    chosen, across = increasing(places[:size], len(rows)), increasing(places[size:], width)
    square = [[rows[i][j] for j in across] for i in chosen]
    need(
        is_invertible_modulo(proof, square, modulus),
        "no-unit-pivot",
        "no unit in some column",
    )
    return chosen


def kernel(proof: Proof, rows: Rows, width: int, rank: int) -> None:
    """Check that a matrix has at most the given rank: width - rank independent zeros of it.

    The block of the vectors on the free columns is diagonal and positive: they are
    independent.
    """
    size = max(width - rank, 0)
    numbers = proof.numbers("kernel", size * (1 + width))
    free = increasing(numbers[:size], width)
    for i, column in enumerate(free):
        vector = numbers[size + i * width : size + (i + 1) * width]
        ok = vector[column] > 0 and not any(
            vector[other] for other in free if other != column
        )
        need(ok, "kernel-block", "the block of the free columns is not diagonal")
        images = dots(proof, rows, vector, longest(rows))
        need(not any(images), "not-in-kernel", "a vector is not a zero of the matrix")


def dependency(proof: Proof, vectors: Rows) -> Numbers:
    """Check that some nonzero vectors, at least one, have a positive combination that
    is 0.
    """
    used, values = weighted(proof.record("dependency")[1], [False] * len(vectors))
    need(used, "dependency-empty", "a dependency of no vectors")
    need(all(any(vectors[k]) for k in used), "dependency-on-zero", "a vector is 0")
    require_zero(proof, [vectors[k] for k in used], values)
    return used


def require_zero(proof: Proof, vectors: Rows, values: Entries) -> None:
    """Refuse unless a combination of vectors is 0."""
    combination(proof, [(*vector, 0) for vector in vectors], values, longest(vectors))


def is_invertible_modulo(proof: Proof, matrix: Rows, modulus: int) -> bool:
    """Try to invert a square matrix modulo q >= 2 by elimination with unit pivots.

    If every step finds a unit, the determinant is up to sign the product of the pivots
    modulo q, a unit, so that it is not 0. The modulus need not be prime; False says
    nothing.
    """
    rest, size = residues(proof, matrix, modulus), modulus.bit_length()
    while rest:
        proof.spend(len(rest) ** 2, 2 * size, size)
        unit = unit_pivot(proof, [row[0] for row in rest], modulus)
        if unit is None:
            return False
        pivot = [x * unit[1] % modulus for x in rest.pop(unit[0])]
        rest = [list(_cleared(row, 0, pivot, modulus)[1:]) for row in rest]
    return True


def residues(proof: Proof, matrix: Rows, modulus: int) -> list[Numbers]:
    """Return a matrix modulo q >= 2: modulo 1 every matrix is invertible."""
    need(modulus >= 2, "modulus-too-small", "modulo 1 every number is a unit")
    for row in matrix:
        proof.spend(len(row), bits(row), modulus.bit_length())
    return [[entry % modulus for entry in row] for row in matrix]


def unit_pivot(proof: Proof, column: Entries, modulus: int) -> tuple[int, int] | None:
    """Return the position and the inverse of the first unit modulo q, if there is one."""
    for position, entry in enumerate(column):
        proof.spend(64, 64 + modulus.bit_length(), modulus.bit_length())
        if gcd(entry, modulus) == 1:
            return position, pow(entry, -1, modulus)
    return None


def grown(proof: Proof, space: Space, vector: Entries, modulus: int) -> Space | None:
    """Add a vector to a space modulo q; return None if elimination leaves no unit in it.

    Vectors stand in the order of their pivots, where they are 1 and the others 0: equal
    tuples are equal spaces.
    """
    size = modulus.bit_length()
    proof.spend((2 * len(space) + 1) * len(vector), 2 * size, size)
    for place, base in space:
        vector = _cleared(vector, place, base, modulus)
    unit = unit_pivot(proof, vector, modulus)
    if unit is None:
        return None
    place, inverse = unit
    added = tuple(x * inverse % modulus for x in vector)
    cleared = [(at, _cleared(base, place, added, modulus)) for at, base in space]
    return tuple(sorted([*cleared, (place, added)]))


def _cleared(vector: Entries, place: int, base: Entries, modulus: int) -> Row:
    """Subtract the multiple of a vector that is 1 at a place which clears that place."""
    factor = vector[place]
    return tuple((x - factor * y) % modulus for x, y in paired(vector, base))


def increasing(indices: Numbers, length: int) -> Numbers:
    """Return indices of distinct things, in increasing order."""
    form(
        [-1, *indices] == sorted({-1, *indices}),
        "not-increasing",
        "indices increase, from 0",
    )
    form(not indices or indices[-1] < length, "index-out-of-range", "an index is too large")
    return indices


def has_minors(proof: Proof, matrix: Rows, largest: int, modulus: int) -> bool:
    """Tell whether no minor up to a size is 0 modulo q, and so not 0.

    Each is expanded along its last column.
    """
    height, width, size = len(matrix), len(matrix[0]), modulus.bit_length()
    minors: dict[tuple[Row, Row], int] = {((), ()): 1}
    for k in range(1, largest + 1):
        proof.spend(comb(height, k) * comb(width, k) * (512 + k), size, size)
        minors = {
            (down, across): sum(
                (-1) ** t
                * matrix[i][across[-1]]
                * minors[down[:t] + down[t + 1 :], across[:-1]]
                for t, i in enumerate(down)
            )
            % modulus
            for down in combinations(range(height), k)
            for across in combinations(range(width), k)
        }
        if not all(minors.values()):
            return False
    return True
