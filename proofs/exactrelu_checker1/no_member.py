"""Proofs that no network of one hidden layer has a function with neurons in given parts.

The function has the form of ``shallow_form`` on all of space or the open orthant: terms
u·s(h·x + c), one for each bend, and an affine map. Let a network with this function have neurons of
one side only on some bends, with the signs S, and of both sides on others, Q. Let k of its neurons
be linear, with rows W >= 0 (on all of space k = 0), and let t hyperplanes that are no bends carry
neurons of both sides, with the normals c. Where all h·x + c <= 0 the neurons with the sign - are
active. On a bend with one side the output columns add up to u; on a hyperplane that is no bend they
add up to 0 and matter only if there are both sides. So with A the linear part there, and u·h added
for each sign - in S,

    A = V·W - Σ_Q v_h·h - Σ v_c·c:

the rows of A are in the span of the h of Q, of k rows W >= 0 and of t more. Let B be A and the h of
Q, and r the rank of the h of Q.

``rank-too-large``  rank B > r + k + t, against this.
``not-pointed``     rank B = r + k + t, so that the rows of W are in the span of B. Let λ > 0 on
                    some columns Z, 0 on the others, and B·λ = 0. Then W·λ = 0, and W is 0 on Z. So
                    on Z the rank of B is that of the h of Q plus at most t. But it is larger.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from types import MappingProxyType

from .budget import Budget
from .evidence import check_dependency, check_minor, read_kernel
from .integers import Rows, columns, combine
from .reader import Certificate
from .shallow_form import Form

_RECORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {"not-pointed": frozenset(), "rank-too-large": frozenset()}
)


def check_no_member(
    form: Form, bends: Sequence[str], k: int, t: int, certificate: Certificate, budget: Budget
) -> None:
    """Check that no network has the signs ``+``, ``-`` or ``+-`` on the bends, k and t as above."""
    slope = compensation(form, bends, budget)
    doubled = [row[:-1] for row, signs in zip(form[1], bends, strict=True) if signs == "+-"]
    matrix = [*slope, *doubled]
    width = len(slope[0])
    kind, _ = certificate.one_of(_RECORDS)
    known = _rank_bound(doubled, width, certificate, budget)
    if kind == "rank-too-large":
        check_minor(certificate, matrix, width, known + k + t + 1, budget)
        return
    check_minor(certificate, matrix, width, known + k + t, budget)
    chosen = check_dependency(certificate, columns(matrix, width), "columns", budget)
    if doubled or t:
        inside, outside = ([[row[j] for j in chosen] for row in rows] for rows in (doubled, matrix))
        known = _rank_bound(inside, len(chosen), certificate, budget)
        check_minor(certificate, outside, len(chosen), known + t + 1, budget)


def orientations(n_bends: int, size: int) -> Iterator[list[str]]:
    """Yield the signs of all bends, both for as many of them as the size says."""
    for doubled in combinations(range(n_bends), size):
        for signs in product("+-", repeat=n_bends - size):
            others = iter(signs)
            yield ["+-" if place in doubled else next(others) for place in range(n_bends)]


def compensation(form: Form, bends: Sequence[str], budget: Budget) -> list[list[int]]:
    """Return A, up to a positive factor."""
    _, jumps, affine = form
    slope = [row[:-1] for row in affine]
    for signs, (row, jump) in zip(bends, jumps.items(), strict=True):
        if signs == "-":
            for out, entry in zip(slope, jump, strict=True):
                added = combine((entry,), [(normal,) for normal in row[:-1]], budget)
                out[:] = map(sum, zip(out, added, strict=True))
    return slope


def _rank_bound(rows: Rows, width: int, certificate: Certificate, budget: Budget) -> int:
    """Return an upper bound of the rank of some rows, by a kernel if there are any."""
    return read_kernel(certificate, rows, width, budget) if rows else 0
