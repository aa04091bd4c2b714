"""Lower bounds of |Ax| by a rounded Cholesky factor.

``… den l_11 l_21 l_22…``: L lower triangular such that S = AᵀA - t·I - LLᵀ is diagonally dominant,
S_ii >= Σ_(j != i) |S_ij|. Then S is positive semidefinite, LLᵀ is too, and |Ax|² >= t·|x|² for all
x.
"""

from collections.abc import Sequence

from .file import Proof, form, need
from .numbers import bits, dot
from .objects import Matrix


def require_semidefinite(
    proof: Proof, matrix: Matrix, shift: int, shift_den: int, numbers: Sequence[int]
) -> None:
    """Refuse unless a factor shows that AᵀA - t·I is positive semidefinite, t = shift / shift_den.

    With A = N/d and L = M/e the checker forms the integers d²·e²·shift_den·S.
    """
    n = matrix.width
    form(len(numbers) == 1 + n * (n + 1) // 2, "wrong-length", "a denominator, a lower triangle")
    den, *entries = numbers
    form(den > 0, "denominator-not-positive", "a denominator is positive")
    size = max(bits(numbers), max(map(bits, matrix.rows), default=0))
    proof.spend(n**2 * (len(matrix.rows) + n), size, size)
    scale = bits([matrix.den, den, shift, shift_den])
    proof.spend(4 * n**2, 4 * scale, 2 * (size + scale))
    columns = list(zip(*matrix.rows, strict=True)) or [()] * n
    factor = [entries[i * (i + 1) // 2 :][: i + 1] for i in range(n)]  # then come zeros
    for i in range(n):
        rest = [
            shift_den * (den**2 * dot(columns[i], column) - matrix.den**2 * dot(factor[i], line))
            for column, line in zip(columns, factor, strict=True)
        ]
        diagonal = rest.pop(i) - shift * (den * matrix.den) ** 2
        ok = diagonal >= sum(map(abs, rest))
        need(ok, "not-diagonally-dominant", f"row {i} is not diagonally dominant")
