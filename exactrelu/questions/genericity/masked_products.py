"""The products M = W_l I_{l−1} … I_{c+1} W_{c+1} of a stage, modulo a prime, in batches.

For one product the next layer's products with all its masks are the subset sums of
rank-one terms W[:, i]·M[i, :]: one addition for each mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from exactrelu.exact.modular import (
    Residues,
    all_minors,
    are_invertible,
    product,
    row_minors,
    subset_sums,
    subsets,
)
from exactrelu.questions.genericity.reduction import Shape, Stage

#: How many residues an array of products may have.
MAX_ENTRIES = 1 << 20


@dataclass(frozen=True)
class ZeroMinor:
    """A minor that is 0 modulo the prime: middle masks as bits, rows, columns."""

    stage: Stage
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
    stage: Stage, weights: Sequence[Residues], nodes: Sequence[int], p: int
) -> Iterator[Batch]:
    """All minors of a stage modulo p; ``weights`` are W_1, …, W_L.

    Where M has more columns than rows, M·V is taken instead, with the powers of the nodes as
    the columns of V: independent rows of M·V prove those of M.  If the rows of M are
    independent, det(M·V) is a polynomial in the nodes that is not 0.
    """
    first = weights[stage.start]
    if stage.shape is Shape.WIDE:
        first = product(first, _powers(stage.n_columns, nodes[: stage.n_rows], p), p)
    none = np.zeros((1, 0), dtype=np.int64)
    unbounded = np.array([max(stage.widths) + 1], dtype=np.int64)
    batches: Iterator[_Products] = iter([_Products(none, unbounded, first[None])])
    for layer in range(stage.start + 1, stage.last):
        batches = _extended(batches, weights[layer], stage.sizes.start, p)
    minors = {Shape.SQUARE: _square, Shape.FULL: _full, Shape.WIDE: _wide}[stage.shape]
    for batch in batches:
        yield from minors(stage, batch, p)


def _powers(n: int, nodes: Sequence[int], p: int) -> Residues:
    """The first n powers of each node, in columns."""
    return np.array([[pow(x, i, p) for x in nodes] for i in range(n)], dtype=np.int64)


def _extended(
    batches: Iterator[_Products], W: Residues, larger_than: int, p: int
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


def _square(stage: Stage, batch: _Products, p: int) -> Iterator[Batch]:
    largest = min(stage.sizes[-1], int(batch.least.max()) - 1)
    entries = max(comb(stage.n_rows, r) * comb(stage.n_columns, r) for r in range(1, largest + 1))
    for part in _parts(batch, entries):
        for r, minors in enumerate(all_minors(part.matrices, largest, p), 1):
            usable = part.least > r
            zero = np.argwhere((minors == 0) & usable[:, None, None])
            rows, columns = subsets(stage.n_rows, r), subsets(stage.n_columns, r)
            yield Batch(
                int(usable.sum()) * len(rows) * len(columns),
                tuple(_zero(stage, part, k, rows[i], columns[j]) for k, i, j in zero.tolist()),
            )


def _full(stage: Stage, batch: _Products, p: int) -> Iterator[Batch]:
    rows = subsets(stage.n_rows, stage.n_columns)
    columns = tuple(range(stage.n_columns))
    entries = max(comb(stage.n_rows, r) for r in range(stage.n_columns + 1))
    for part in _parts(batch, entries):
        zero = np.argwhere(row_minors(part.matrices, p) == 0)
        yield Batch(
            len(part.matrices) * len(rows),
            tuple(_zero(stage, part, k, rows[i], columns) for k, i in zero.tolist()),
        )


def _wide(stage: Stage, batch: _Products, p: int) -> Iterator[Batch]:
    rows, columns = tuple(range(stage.n_rows)), tuple(range(stage.n_columns))
    zero = np.flatnonzero(~are_invertible(batch.matrices, p))
    yield Batch(
        len(batch.matrices),
        tuple(_zero(stage, batch, k, rows, columns) for k in zero.tolist()),
    )


def _parts(batch: _Products, entries: int) -> Iterator[_Products]:
    """The batch in parts, so that ``entries`` minors of each matrix fit."""
    step = max(1, MAX_ENTRIES // entries)
    for begin in range(0, len(batch.matrices), step):
        part = slice(begin, begin + step)
        yield _Products(batch.masks[part], batch.least[part], batch.matrices[part])


def _zero(
    stage: Stage, batch: _Products, k: int, rows: tuple[int, ...], columns: tuple[int, ...]
) -> ZeroMinor:
    return ZeroMinor(stage, tuple(batch.masks[k].tolist()), rows, columns)
