"""Matrices all of whose minors up to a size are not 0 modulo q, and so not 0."""

from itertools import combinations
from math import comb

from .file import Proof
from .numbers import Row, Rows


def has_minors(proof: Proof, matrix: Rows, largest: int, modulus: int) -> bool:
    """Tell whether no minor up to a size is 0 modulo q; each is expanded along its last column."""
    height, width, size = len(matrix), len(matrix[0]), modulus.bit_length()
    minors: dict[tuple[Row, Row], int] = {((), ()): 1}
    for k in range(1, largest + 1):
        proof.spend(comb(height, k) * comb(width, k) * (512 + k), size, size)
        minors = {
            (down, across): sum(
                (-1) ** t * matrix[i][across[-1]] * minors[down[:t] + down[t + 1 :], across[:-1]]
                for t, i in enumerate(down)
            )
            % modulus
            for down in combinations(range(height), k)
            for across in combinations(range(width), k)
        }
        if not all(minors.values()):
            return False
    return True
