"""Subspaces modulo q, by echelon forms that are never changed.

A space is a tuple of vectors modulo q, each with its pivot: a position where it is 1 and the others
are 0. The vectors come in the order of their pivots, so that equal tuples are equal spaces.
"""

from collections.abc import Sequence

from .budget import Budget
from .integers import modular_cost, unit_pivot

Space = tuple[tuple[int, tuple[int, ...]], ...]  # pivot and vector


def grown(space: Space, vector: Sequence[int], modulus: int, budget: Budget) -> Space | None:
    """Add a vector to a space; return None if elimination leaves no unit in it."""
    budget.spend(2 * len(space) * len(vector) * modular_cost(modulus))
    for pivot, base in space:
        vector = _cleared(vector, pivot, base, modulus)
    unit = unit_pivot(vector, modulus, budget)
    if unit is None:
        return None
    place, inverse = unit
    added = tuple(entry * inverse % modulus for entry in vector)
    cleared = [(pivot, _cleared(base, place, added, modulus)) for pivot, base in space]
    return tuple(sorted([*cleared, (place, added)]))


def _cleared(
    vector: Sequence[int], place: int, base: Sequence[int], modulus: int
) -> tuple[int, ...]:
    """Subtract the multiple of a vector that is 1 at a place which clears that place."""
    factor = vector[place]
    return tuple(
        (entry - factor * other) % modulus for entry, other in zip(vector, base, strict=True)
    )
