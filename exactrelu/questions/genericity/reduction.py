"""Which minors decide all masked ranks.

Masked ranks (theory 2.2b): for 1 ≤ k ≤ l ≤ L and all masks I_k, …, I_l

    rank(I_l W_l I_{l−1} … I_k W_k) = min(n_{k−1}, |I_k|, …, |I_l|).                 (P)

Write M = W_l I_{l−1} W_{l−1} … I_{c+1} W_{c+1}, of shape n_l × n_c, for a start c < l and
*middle* masks I_{c+1}, …, I_{l−1}; let m be the least size of these (∞ if there are none).

**Theorem.**  (P) holds for all k, l and masks iff for all c < l and all middle masks

* *square*: every r × r submatrix of M is nonsingular, for r ≤ min(n_{c−1}, n_c, n_l), r < m, c ≥ 1;
* *full*: any n_c rows of M are independent, if n_c ≤ n_l, n_c < m, and c = 0 or n_c > n_{c−1};
* *wide*: the n_l rows of M are independent, if n_l < n_c, n_l < m, and c = 0 or n_l > n_{c−1},
  and l = c + 1 or n_{c+1} > n_c.

*Proof.*  (P) ⇒ all three: *full* and *wide* are (P) with k = c + 1, where the least size is that
of I_l.  For *square* with columns C and rows R, (P) with k = c and I_c = C, I_l = R says that
M[R, C]·W_c[C, :] has rank r, so M[R, C] has.

All three ⇒ (P), by induction on l − k.  Let r > 0 be the minimum in (P), and I_{k−1} all of
[n_{k−1}].  (i) If |I_l| > r, a part of I_l of size r gives fewer rows, and rank r is enough: so
let |I_l| = r.  (ii) If |I_j| = r for some j in k−1, …, l−1, take the largest.  The product is
M[I_l, I_j]·R with start c = j, where R = I_j W_j … I_k W_k (1 if j = k−1) has r independent rows
by induction.  M[I_l, I_j] is square, its middle masks are larger than r, and it is nonsingular:
by *full* if j = k−1, as I_j is everything then (or by *square* if n_c ≤ n_{c−1}); by *square* if
j ≥ k, as r ≤ |I_{j−1}| ≤ n_{j−1}.  So the product has rank r.  (iii) Otherwise all these sizes are
larger than r; let s be the least of them and of n_l, and I' ⊇ I_l of size s: if the rows of
I' are independent, so are those of I_l.  If s is one of |I_j|, (ii) applies to I'.  If not, I' is
all of [n_l], smaller than the rest, and this is *wide* with c = k − 1 — or follows:

* If c ≥ 1 and n_l ≤ n_{c−1}, *square* with r = n_l gives n_l independent columns.
* If l > c + 1 and n_{c+1} ≤ n_c, then W_{c+1} has independent rows by (c, c+1), so the rank is that
  of the columns I_{c+1} of W_l … W_{c+2}, and n_l < |I_{c+1}| of them are independent by *square*
  with start c + 1, as n_l < n_c.  ∎

For three-layer bottlenecks, n_1 ≤ n_0, what is left is: rank W_1 = n_1; the square submatrices of
W_2; those of W_3 up to size n_1, and the rank of W_3 beyond; and those of W_3 I_2 W_2.  A failing
minor is a failing (P): its rows R have a combination y·M[R, C] = 0, and (P) fails for the rows
where y is not 0.

A *mask* here is a choice of middle masks, rows and columns: one minor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import comb, prod


class Shape(Enum):
    """Which minors of the products M are needed."""

    SQUARE = "all square submatrices"
    FULL = "all columns, as many rows"
    WIDE = "all rows"


@dataclass(frozen=True)
class Stage:
    """The products M from ``start`` c to ``last`` l with all middle masks, and their minors."""

    widths: tuple[int, ...]
    start: int
    last: int
    shape: Shape

    @property
    def n_rows(self) -> int:
        return self.widths[self.last]

    @property
    def n_columns(self) -> int:
        return self.widths[self.start]

    @property
    def middle(self) -> tuple[int, ...]:
        """The widths of the middle layers."""
        return self.widths[self.start + 1 : self.last]

    @property
    def sizes(self) -> range:
        """The sizes of the minors."""
        if self.shape is Shape.SQUARE:
            largest = min(self.widths[self.start - 1], self.n_columns, self.n_rows)
            return range(1, largest + 1)
        size = self.n_columns if self.shape is Shape.FULL else self.n_rows
        return range(size, size + 1)

    def n_minors_of_size(self, r: int) -> int:
        """How many minors of a size one product has; *wide* needs one of them only."""
        if self.shape is Shape.WIDE:
            return 1
        return comb(self.n_rows, r) * comb(self.n_columns, r)

    @property
    def n_masks(self) -> int:
        """How many minors there are over all middle masks."""
        return sum(
            self.n_minors_of_size(r) * prod(_n_larger(n, r) for n in self.middle)
            for r in self.sizes
        )


def stages(widths: Sequence[int]) -> Iterator[Stage]:
    """The stages of a network, short products first."""
    last = len(widths) - 1
    for length in range(1, last + 1):
        for c in range(last - length + 1):
            yield from _between(tuple(widths), c, c + length)


def _between(widths: tuple[int, ...], c: int, l: int) -> Iterator[Stage]:
    before = 0 if c == 0 else widths[c - 1]
    middle = min(widths[c + 1 : l], default=None)
    n_columns, n_rows = widths[c], widths[l]
    if c > 0 and (middle is None or middle > 1):
        yield Stage(widths, c, l, Shape.SQUARE)
    if before < n_columns <= n_rows and (middle is None or middle > n_columns):
        yield Stage(widths, c, l, Shape.FULL)
    is_new = before < n_rows < n_columns and (middle is None or middle > n_rows)
    if is_new and (l == c + 1 or widths[c + 1] > n_columns):
        yield Stage(widths, c, l, Shape.WIDE)


def n_all_masks(widths: Sequence[int]) -> int:
    """How many conditions (P) the definition has."""
    return sum(
        1 << sum(widths[k : l + 1]) for k in range(1, len(widths)) for l in range(k, len(widths))
    )


def _n_larger(n: int, r: int) -> int:
    """How many masks of n neurons are larger than r."""
    return sum(comb(n, size) for size in range(r + 1, n + 1))
