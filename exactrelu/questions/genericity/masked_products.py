"""The minors that decide all masked ranks, and their values modulo a prime.

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

A *stage* is a start c, a last layer l and one of the three conditions.  Its products M are
computed modulo a prime, in batches.  For one product the next layer's products with all its masks
are the subset sums of rank-one terms W[:, i]·M[i, :]: one addition for each mask.

Symbols: c → ``start``, l → ``last``, the sizes r → ``sizes``, m → ``least``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from itertools import accumulate
from math import comb, prod

import numpy as np

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.modular import (
    Residues,
    all_minors,
    are_invertible,
    product,
    row_minors,
    subset_sums,
    subsets,
)
from exactrelu.words import figure
from exactrelu.work.crew import shared

#: How many residues an array of products may have.
MAX_ENTRIES = 1 << 20
#: Arrays of this size are held at once where minors are expanded: those of two sizes, a term and
#: its factors.
N_ARRAYS = 6
#: A stage with fewer minors takes less than a second: too short to be shared.
SHARED_MASKS = 1_000_000
#: What a subset of rows takes: the tuple, its number, and the numbers of its parts.
BYTES_OF_SUBSET = 600


class Shape(Enum):
    """Which minors of the products M are needed."""

    SQUARE = "all square submatrices"
    FULL = "all columns, as many rows"
    WIDE = "all rows"


@dataclass(frozen=True)
class ProductStage:
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


def stages(widths: Sequence[int]) -> Iterator[ProductStage]:
    """The stages of a network, short products first."""
    last = len(widths) - 1
    for length in range(1, last + 1):
        for c in range(last - length + 1):
            yield from _between(tuple(widths), c, c + length)


def _between(widths: tuple[int, ...], c: int, l: int) -> Iterator[ProductStage]:
    before = 0 if c == 0 else widths[c - 1]
    middle = min(widths[c + 1 : l], default=None)
    n_columns, n_rows = widths[c], widths[l]
    if c > 0 and (middle is None or middle > 1):
        yield ProductStage(widths, c, l, Shape.SQUARE)
    if before < n_columns <= n_rows and (middle is None or middle > n_columns):
        yield ProductStage(widths, c, l, Shape.FULL)
    is_new = before < n_rows < n_columns and (middle is None or middle > n_rows)
    if is_new and (l == c + 1 or widths[c + 1] > n_columns):
        yield ProductStage(widths, c, l, Shape.WIDE)


def mask_number(neurons: Iterable[int]) -> int:
    """A set of neurons, from 0, as the integer that records have: bit i is neuron i.

    >>> mask_number((0, 2))
    5
    """
    return sum(1 << neuron for neuron in neurons)


def n_all_masks(widths: Sequence[int]) -> int:
    """How many conditions (P) the definition has."""
    return sum(
        1 << sum(widths[k : l + 1]) for k in range(1, len(widths)) for l in range(k, len(widths))
    )


def _n_larger(n: int, r: int) -> int:
    """How many masks of n neurons are larger than r."""
    return _numbers_of_larger(n)[r] if r < n else 0


@cache
def _numbers_of_larger(n: int) -> tuple[int, ...]:
    """For r = 0, …, n − 1 how many masks are larger."""
    by_size = [1]
    for size in range(1, n + 1):
        by_size.append(by_size[-1] * (n - size + 1) // size)
    return tuple(accumulate(by_size[:0:-1]))[::-1]


# --- The minors of a stage modulo a prime


@dataclass(frozen=True)
class ZeroMinor:
    """A minor that is 0 modulo the prime: middle masks as bits, rows, columns."""

    stage: ProductStage
    middle: tuple[int, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def n_neurons(self) -> int:
        """How many neurons its masks have."""
        inside = sum(mask.bit_count() for mask in self.middle)
        return len(self.rows) + len(self.columns) + inside


@dataclass(frozen=True)
class Batch:
    """Minors of a stage that were computed: how many, and those that are 0."""

    n_masks: int
    zeros: tuple[ZeroMinor, ...]


@dataclass(frozen=True)
class _Products:
    """Products with their middle masks (as bits), and the least size of these."""

    masks: Residues
    least: Residues
    matrices: Residues


def zero_minors(
    stage: ProductStage,
    weights: Sequence[Residues],
    nodes: Sequence[int],
    p: int,
    effort: Effort = UNLIMITED,
) -> Iterator[Batch]:
    """All minors of a stage modulo p; ``weights`` are W_1, …, W_L.

    Where M has more columns than rows, M·V is taken instead, with the powers of the nodes as
    the columns of V: independent rows of M·V prove those of M.  If the rows of M are
    independent, det(M·V) is a polynomial in the nodes that is not 0.

    What is found is counted by whoever takes the batches; a stage whose minors of one product
    do not fit into memory is refused.
    """
    _fits(stage, effort)
    first = weights[stage.start]
    if stage.shape is Shape.WIDE:
        first = product(first, _powers(stage.n_columns, nodes[: stage.n_rows], p), p)
    none = np.zeros((1, 0), dtype=np.int64)
    unbounded = np.array([max(stage.widths) + 1], dtype=np.int64)
    batches: Iterator[_Products] = iter([_Products(none, unbounded, first[None])])
    for layer in range(stage.start + 1, stage.last):
        batches = _extended(batches, weights[layer], stage.sizes.start, p, effort)
    if effort.is_shared and stage.n_masks >= SHARED_MASKS:
        words = f"minors from layer {stage.start + 1} to {stage.last}"
        work = partial(_all_minors, stage, p)
        parts = (part for batch in batches for part in _divided(stage, batch))
        for found in shared(work, parts, effort, describe=lambda _: words):
            yield from found
        return
    for batch in batches:
        effort.spend()
        yield from _minors(stage, p, batch, effort)


def _minors(stage: ProductStage, p: int, batch: _Products, effort: Effort) -> Iterator[Batch]:
    """The minors of some products."""
    minors = {Shape.SQUARE: _square, Shape.FULL: _full, Shape.WIDE: _wide}[stage.shape]
    return minors(stage, batch, p, effort)


def _all_minors(stage: ProductStage, p: int, batch: _Products, effort: Effort) -> list[Batch]:
    """The same, at once."""
    return list(_minors(stage, p, batch, effort))


def _fits(stage: ProductStage, effort: Effort) -> None:
    """Refuse minors of one product that are too many for the memory."""
    if stage.shape is Shape.WIDE or _is_one_minor(stage):
        return
    n_minors = _n_entries(stage, stage.sizes[-1])
    n_subsets = max(
        comb(stage.n_rows, r) + comb(stage.n_columns, r) for r in range(1, stage.sizes[-1] + 1)
    )
    what = f"a table of {figure(n_minors)} minors of a {stage.n_rows} × {stage.n_columns} matrix"
    effort.need(8 * N_ARRAYS * n_minors + BYTES_OF_SUBSET * n_subsets, what)


def _is_one_minor(stage: ProductStage) -> bool:
    """Whether a product has just its determinant, which needs no smaller minors."""
    return stage.shape is Shape.FULL and stage.n_rows == stage.n_columns


def _n_entries(stage: ProductStage, largest: int) -> int:
    """The most minors of one size, up to a largest one, that one product has."""
    if _is_one_minor(stage):
        return stage.n_rows * stage.n_columns
    if stage.shape is Shape.FULL:
        return max(comb(stage.n_rows, r) for r in range(stage.n_columns + 1))
    return max(comb(stage.n_rows, r) * comb(stage.n_columns, r) for r in range(1, largest + 1))


def _powers(n: int, nodes: Sequence[int], p: int) -> Residues:
    """The first n powers of each node, in columns."""
    return np.array([[pow(x, i, p) for x in nodes] for i in range(n)], dtype=np.int64)


def _extended(
    batches: Iterator[_Products], W: Residues, larger_than: int, p: int, effort: Effort
) -> Iterator[_Products]:
    """Each product continued by W with every mask that is larger than a size."""
    m, n = W.shape
    for batch in batches:
        width = batch.matrices.shape[2]
        low = min(n, max(1, (MAX_ENTRIES // (m * width)).bit_length() - 1))
        step = max(1, MAX_ENTRIES // (m * width << low))
        for begin in range(0, len(batch.matrices), step):
            part = slice(begin, begin + step)
            terms = W.T[None, :, :, None] * batch.matrices[part, :, None, :] % p
            for high in range(1 << (n - low)):
                effort.spend()
                chosen = [low + i for i in range(n - low) if high >> i & 1]
                sums = subset_sums(terms[:, :low], p, terms[:, chosen].sum(axis=1) % p)
                masks = (high << low) + np.arange(1 << low, dtype=np.int64)
                sizes = np.bitwise_count(masks).astype(np.int64)
                keep = np.flatnonzero(sizes > larger_than)
                if len(keep):
                    yield _crossed(batch, part, masks[keep], sizes[keep], sums[:, keep])


def _crossed(
    batch: _Products, part: slice, masks: Residues, sizes: Residues, sums: Residues
) -> _Products:
    """Every product of a part of a batch with every mask of the next layer."""
    before, least = batch.masks[part], batch.least[part]
    count, depth = before.shape
    new = np.empty((count, len(masks), depth + 1), dtype=np.int64)
    new[:, :, :depth] = before[:, None]
    new[:, :, depth] = masks
    return _Products(
        new.reshape(-1, depth + 1),
        np.minimum(least[:, None], sizes).reshape(-1),
        sums.reshape(-1, *sums.shape[2:]),
    )


def _square(stage: ProductStage, batch: _Products, p: int, effort: Effort) -> Iterator[Batch]:
    largest = _largest(stage, batch)
    for part in _divided(stage, batch):
        for r, minors in enumerate(all_minors(part.matrices, largest, p, effort), 1):
            usable = part.least > r
            zero = np.argwhere((minors == 0) & usable[:, None, None])
            rows, columns = subsets(stage.n_rows, r), subsets(stage.n_columns, r)
            yield Batch(
                int(usable.sum()) * len(rows) * len(columns),
                tuple(_zero(stage, part, k, rows[i], columns[j]) for k, i, j in zero.tolist()),
            )


def _full(stage: ProductStage, batch: _Products, p: int, effort: Effort) -> Iterator[Batch]:
    rows = subsets(stage.n_rows, stage.n_columns)
    columns = tuple(range(stage.n_columns))
    for part in _divided(stage, batch):
        if _is_one_minor(stage):
            effort.spend()
            zero = np.argwhere(~are_invertible(part.matrices, p)[:, None])
        else:
            zero = np.argwhere(row_minors(part.matrices, p, effort) == 0)
        yield Batch(
            len(part.matrices) * len(rows),
            tuple(_zero(stage, part, k, rows[i], columns) for k, i in zero.tolist()),
        )


def _wide(stage: ProductStage, batch: _Products, p: int, effort: Effort) -> Iterator[Batch]:
    effort.spend()
    rows, columns = tuple(range(stage.n_rows)), tuple(range(stage.n_columns))
    zero = np.flatnonzero(~are_invertible(batch.matrices, p))
    yield Batch(
        len(batch.matrices),
        tuple(_zero(stage, batch, k, rows, columns) for k in zero.tolist()),
    )


def _largest(stage: ProductStage, batch: _Products) -> int:
    """The largest size of a minor of some products."""
    return min(stage.sizes[-1], int(batch.least.max()) - 1)


def _divided(stage: ProductStage, batch: _Products) -> Iterator[_Products]:
    """The products in parts, so that their minors of one size fit."""
    if stage.shape is Shape.WIDE:
        yield batch
        return
    is_square = stage.shape is Shape.SQUARE
    largest = _largest(stage, batch) if is_square else stage.n_columns
    step = max(1, MAX_ENTRIES // _n_entries(stage, largest))
    for begin in range(0, len(batch.matrices), step):
        part = slice(begin, begin + step)
        yield _Products(batch.masks[part], batch.least[part], batch.matrices[part])


def _zero(
    stage: ProductStage, batch: _Products, k: int, rows: tuple[int, ...], columns: tuple[int, ...]
) -> ZeroMinor:
    return ZeroMinor(stage, tuple(batch.masks[k].tolist()), rows, columns)
