"""Proofs that no network of one hidden layer has a function with neurons in given parts.

The function has a form (``shallow``) on all of space or the orthant: terms u·s(h·x + c), one for
each bend, and an affine map. Let a network with this function have neurons of one side only on some
bends, with the signs S, and of both sides on others, Q. Let k of its neurons be linear, with rows W
>= 0 (on all of space k = 0), and let t hyperplanes that are no bends carry neurons of both sides,
with the normals c. Where all h·x + c <= 0 the neurons with the sign - are active. On a bend with
one side the output columns add up to u; on a hyperplane that is no bend they add up to 0 and matter
only if there are both sides. So with A the linear part there, and u·h added for each sign - in S,

    A = V·W - Σ_Q v_h·h - Σ v_c·c:

the rows of A are in the span of the h of Q, of k rows W >= 0 and of t more. Let B be A and the h of
Q, and r >= 0 a bound of the rank of the h of Q: by a ``kernel`` if Q is not empty.

``rank-too-large r``  and the kernel, and a ``minor`` of B of size r + k + t + 1: against this.
``not-pointed r q``   and the kernel, and a ``minor`` of B of size r + k + t. So the rank of B is
                      that, and the rows of W are in the span of B. Then a ``dependency`` of columns
                      Z of B: λ > 0 on them and B·λ = 0. So W·λ = 0, and W is 0 on Z. On Z the rank
                      of B is that of the h of Q there, at most q, plus at most t. If Q is empty and
                      t = 0, then B is 0 on Z, but a dependency has no columns that are 0. Otherwise
                      a ``kernel`` for q (if Q is not empty) and a ``minor`` of B on Z of size
                      q + t + 1, which is too large.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from .file import Proof, form
from .numbers import Rows
from .ranks import dependency, kernel, minor
from .shallow import Form


def require_no_member(proof: Proof, of: Form, signs: Sequence[str], k: int, t: int) -> None:
    """Check that no network has the signs +, - or +- on the bends, and k and t as above."""
    slope = compensation(proof, of, signs)
    doubled = [row[:-1] for row, sign in zip(of.bends, signs, strict=True) if sign == "+-"]
    matrix = [*slope, *doubled]
    width = len(slope[0])
    word, numbers = proof.record("rank-too-large", "not-pointed")
    pointed = word == "not-pointed"
    form(len(numbers) == 1 + pointed, "wrong-length", "bounds of ranks are needed")
    form(min(numbers) >= 0, "index-out-of-range", "a rank is not negative")
    _bound_rank(proof, doubled, width, numbers[0])
    minor(proof, matrix, width, numbers[0] + k + t + (not pointed))
    if pointed:
        proof.spend(4 * width * len(matrix))
        chosen = dependency(proof, [*zip(*matrix, strict=True)], len(matrix))
        if doubled or t:
            inside = [[[row[j] for j in chosen] for row in rows] for rows in (doubled, matrix)]
            _bound_rank(proof, inside[0], len(chosen), numbers[1])
            minor(proof, inside[1], len(chosen), numbers[1] + t + 1)


def _bound_rank(proof: Proof, rows: Rows, width: int, rank: int) -> None:
    """Check that rows, if there are any, have at most the given rank."""
    if rows:
        kernel(proof, rows, width, rank)


def orientations(n_bends: int, size: int) -> Iterator[list[str]]:
    """Yield the signs of all bends, + before -, both for as many of them as the size says."""
    for doubled in combinations(range(n_bends), size):
        for signs in product("+-", repeat=n_bends - size):
            others = iter(signs)
            yield ["+-" if place in doubled else next(others) for place in range(n_bends)]


def compensation(proof: Proof, of: Form, signs: Sequence[str]) -> list[list[int]]:
    """Return A, up to a positive factor."""
    slope = [row[:-1] for row in of.affine]
    proof.spend((len(of.bends) + 1) * len(slope) * (len(slope[0]) + 1), of.bits, of.bits)
    for sign, (row, jump) in zip(signs, of.bends.items(), strict=True):
        if sign == "-":
            for out, entry in zip(slope, jump, strict=True):
                out[:] = [x + entry * normal for x, normal in zip(out, row, strict=False)]
    return slope
