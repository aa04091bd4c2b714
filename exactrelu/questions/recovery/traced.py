"""Units with the evidence for them, and the signs that their rows give to layers.

The signs of layer k come from the rows of layer k + 1 (``layers.py`` has the equations): first from
all of them, and if those contradict each other, by the votes of each.  They are used to say more of
the rows from the same evidence, and are found again for the network at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.exact.scalar import ZERO
from exactrelu.questions.recovery.evidence import Evidence, Piece
from exactrelu.questions.recovery.folded import Unit
from exactrelu.questions.recovery.signs import solve_mixed


@dataclass(frozen=True)
class Traced:
    """A unit, the evidence for it, and what that leaves open."""

    unit: Unit
    evidence: Evidence
    #: The layer, from 1: one more than the layers of those over which it folds.
    level: int
    #: Whether the layer was not used to find the row.
    is_loose: bool
    #: A visible point of the boundary, on which the row is 0.
    spot: Piece
    #: For units whose share of the row is free: what may be added to the row.
    open: Mapping[int, Unit]


def find_signs(traced: Sequence[Traced]) -> dict[int, int]:
    """The signs of units that are determined by the rows of the layer after theirs."""
    found: dict[int, int] = {}
    for k in range(1, max((t.level for t in traced), default=0)):
        above = [
            t for t in traced if t.level == k + 1 and all(traced[j].level >= k for j in t.open)
        ]
        signs = _signs(traced, k, above)
        if signs is None:
            votes = [s for t in above if (s := _signs(traced, k, [t])) is not None]
            sums = {j: sum(s.get(j, 0) for s in votes) for j in range(len(traced))}
            signs = {j: 1 if n > 0 else -1 for j, n in sums.items() if n}
        found |= signs
    return found


def _signs(traced: Sequence[Traced], k: int, above: Sequence[Traced]) -> dict[int, int] | None:
    """The signs of layer k that these rows over it determine, if just one choice fits."""
    layer = [j for j, t in enumerate(traced) if t.level == k]
    unknown = [j for j in layer if any(j in t.unit.folds and j not in t.open for t in above)]
    if not unknown:
        return None
    below = {j: _below(traced, traced[j].unit, k) for j in layer}
    nothing = [ZERO] * len(below[layer[0]])
    # What is open in a unit above, and in the units of the layer itself.
    places = [(t, below[j]) for t in above for j in layer if j in t.open]
    loose = [_below(traced, row, k) for j in layer for row in traced[j].open.values()]
    places += [(t, row) for t in above for row in loose]
    right: list[fmpq] = []
    columns: list[list[fmpq]] = [[] for _ in unknown]
    reals: list[list[fmpq]] = [[] for _ in places]
    for t in above:
        right += _below(traced, t.unit, k)
        for column, j in zip(columns, unknown, strict=True):
            alpha = ZERO if j in t.open else t.unit.folds.get(j, ZERO)
            column += [alpha * v for v in below[j]]
        for column, (s, row) in zip(reals, places, strict=True):
            column += row if s is t else nothing
    found = solve_mixed(reals, columns, right)
    if len(found.solutions) != 1 or not found.is_complete:
        return None
    return dict(zip(unknown, found.solutions[0], strict=True))


def _below(traced: Sequence[Traced], unit: Unit, k: int) -> list[fmpq]:
    """The entries of a row at x and at |u_j| for units of layers before k."""
    lower = (j for j, t in enumerate(traced) if t.level < k)
    return [*unit.affine[:-1], *(unit.folds.get(j, ZERO) for j in lower)]
