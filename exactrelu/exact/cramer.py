"""Cramer's rule modulo primes: S⁻¹R for integer matrices, exactly.

By Hadamard's inequality every entry of det(S)·S⁻¹R, and det S, is at most the product of the
norms of the columns of S, one of them replaced by a column of R.  So the residues modulo primes
whose product is more than twice that determine them (Chinese remainders); a prime that divides
det S is left out.  With many right sides this is a few times faster than elimination over the
integers (47 × 47 of 390 bits with 65 right sides: 1.4 s instead of 4).
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpz, fmpz_mat, nmod_mat

_LARGEST = 2**62


def cramer(S: fmpz_mat, R: fmpz_mat) -> tuple[fmpz_mat, fmpz]:
    """(N, d) with S·N = d·R and d ≠ 0, without common factor, for S that is not singular.

    >>> cramer(fmpz_mat([[2, 1], [0, 3]]), fmpz_mat([[1], [6]]))
    ([-1]
    [ 4], 2)
    """
    bound = 2 * _bound(S, R)
    product, primes, residues = fmpz(1), [], []
    for prime in _primes():
        if product > bound:
            break
        reduced = nmod_mat(S, prime)
        determinant = reduced.det()
        if int(determinant) == 0:
            continue
        solved = reduced.solve(nmod_mat(R, prime)) * determinant
        primes.append(prime)
        residues += [int(v) for v in solved.entries()]
        residues.append(int(determinant))
        product *= prime
    values = _remainders(primes, product, residues)
    common = fmpz(0)
    for value in reversed(values):
        common = common.gcd(value)
        if common == 1:
            break
    *entries, det = values if common == 1 else [v // common for v in values]
    return fmpz_mat(R.nrows(), R.ncols(), entries), det


def _bound(S: fmpz_mat, R: fmpz_mat) -> fmpz:
    """At least |det S| and the entries of det(S)·S⁻¹R."""
    # Norms at least 1, so that leaving a column out never makes the product larger.
    columns = [_norm(column) for column in S.transpose().tolist()]
    sides = [_norm(column) for column in R.transpose().tolist()]
    total = max(sides, default=fmpz(1))
    for norm in columns:
        total *= norm
    return total


def _norm(values: list[fmpz]) -> fmpz:
    return sum((v * v for v in values), fmpz(0)).isqrt() + 1


def _primes() -> Iterator[int]:
    candidate = _LARGEST - 1
    while True:
        if fmpz(candidate).is_prime():
            yield candidate
        candidate -= 2


def _remainders(primes: list[int], product: fmpz, residues: list[int]) -> list[fmpz]:
    """The integers of least absolute value with these residues, given prime by prime."""
    n = len(residues) // len(primes)
    units = [product // p * pow(int(product // p), -1, p) for p in primes]
    table = fmpz_mat(1, len(primes), units) * fmpz_mat(len(primes), n, residues)
    values = [v % product for v in table.entries()]
    return [v - product if 2 * v > product else v for v in values]
