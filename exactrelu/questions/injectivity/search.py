"""Do the active rows of a layer span everywhere?  Two searches (theory 6.2).

At x let A(x) be the rows with w·x + b ≥ 0.  Both go from spans of rows known to be active
to larger ones: a cover K of the domain, or of a cell of it, by rows outside the span U has
an active row k at every point, so that A(x) spans U + w_k for one of them.  When
everything is spanned on every way, it is spanned everywhere; U has rank n − 1 at most n
steps down, and each cover has at most n + 1 rows.

**Flats.**  Covers of the whole domain; spans that are reached twice are looked at once.
Only flats that the covers lead to are ever seen, not all C(m, n − 1).  Pairs of
antiparallel rows are covers of two rows with one span: [B; −DB] takes n covers.

**Tree.**  Covers of a cell: where k is the first active row of K those before it are
negative, and these signs go down with the cell.  So covers get smaller, but cells with
the same span are different cells.

Which of the two is smaller depends on the layer.  Run in turns, a cover at a time, the one
that ends first has the smaller proof.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from exactrelu.certificates.certificate import Record, record
from exactrelu.certificates.evidence import on_integers
from exactrelu.questions.injectivity.covers import Cover, Covers, Path, Uncovered
from exactrelu.questions.injectivity.residuals import Residuals

Search = Callable[[Covers, Residuals, int, int], Iterator["Record | Uncovered"]]

#: Of so many covers the one that leads to the fewest new spans is taken.
MAX_COMPARED = 32


def search_flats(
    covers: Covers, start: Residuals, dimension: int, n_domain: int
) -> Iterator[Record | Uncovered]:
    """The cover records of spans, in the order in which these are reached."""
    todo, seen = deque([start]), {start.key}
    while todo:
        span = todo.popleft()
        is_last = span.rank == dimension - 1
        keys = span.keys_with(span.outside.nonzero()[0].tolist()) if not is_last else {}
        cover = _best_of_domain(covers, span, keys, seen)
        if isinstance(cover, Uncovered):
            yield cover
            return
        yield _cover_record(cover, n_domain, 0)
        for k in cover.rows:
            if not is_last and keys[k] not in seen:
                seen.add(keys[k])
                todo.append(span.with_row(k))


def _cover_record(cover: Cover, n_domain: int, n_path: int) -> Record:
    """Multipliers of the domain, then of the rows of a cell, then of the negative layer."""
    pairs = (
        *cover.domain,
        *((n_domain + i, value) for i, value in cover.path),
        *((n_domain + n_path + k, value) for k, value in cover.layer),
    )
    return record("cover", **on_integers(pairs))


def _best_of_domain(
    covers: Covers, span: Residuals, keys: dict[int, bytes], seen: set[bytes]
) -> Cover | Uncovered:
    known = covers.avoiding(span.outside)[:MAX_COMPARED]
    if not known:
        return covers.of_domain(span.outside)
    return min(known, key=lambda cover: len({keys.get(k) for k in cover.rows} - seen))


def search_tree(
    covers: Covers, start: Residuals, dimension: int, n_domain: int
) -> Iterator[Record | Uncovered]:
    """The cover records of cells in preorder."""
    stack: list[tuple[Residuals, Path]] = [(start, ())]
    while stack:
        span, path = stack.pop()
        cover = _best_of_cell(covers, span, path)
        if isinstance(cover, Uncovered):
            yield cover
            return
        yield _cover_record(cover, n_domain, len(path))
        if span.rank == dimension - 1:
            continue
        below: list[tuple[Residuals, Path]] = []
        for k in cover.rows:
            below.append((span.with_row(k), (*path, (k, True))))
            path = (*path, (k, False))
        stack += reversed(below)


def _best_of_cell(covers: Covers, span: Residuals, path: Path) -> Cover | Uncovered:
    """A cover with few rows that are not known to be negative on the cell."""
    kept = covers.avoiding(span.outside)[:MAX_COMPARED]
    known = min((cover.on(path) for cover in kept), key=lambda c: len(c.rows), default=None)
    if known is not None and len(known.rows) <= 2:
        return known
    found = covers.of_cell(path, span.outside)
    if known is None or isinstance(found, Uncovered) or len(found.rows) <= len(known.rows):
        return found
    return known
