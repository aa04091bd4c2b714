"""Facets of the complex of a network: its faces of codimension 1, and what happens across them.

The normal of a facet is oriented so that its first entry that is not 0 is positive. The *jump* is
the gradients of the outputs on the side that the normal points to, minus those on the other side,
times the denominators of all layers. A facet is *visible* if its jump is not 0. A neuron *bends* on
a facet if it is 0 on it, and not 0 on one of its sides.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .affine import Row, oriented, towards, zero_rows
from .budget import Budget
from .integers import combine
from .network import Network
from .verdicts import Reason, Refused


class Facet(NamedTuple):
    """A facet: its jump, the layers (from 0) that bend on it, its row, the cells beside it."""

    jump: Sequence[Row]
    layers: frozenset[int]
    row: Row
    cells: tuple[tuple[str, ...], tuple[str, ...]]

    def is_visible(self) -> bool:
        """Tell whether the Jacobian jumps."""
        return any(map(any, self.jump))


def facet(network: Network, signs: Sequence[str], budget: Budget) -> Facet:
    """Return the facet with these signs, which occur somewhere; refuse another face."""
    rows = [row for _, row in zero_rows(network, signs, budget)]
    first = next((row for row in rows if any(row[:-1])), None)
    if first is None or not all(_is_multiple(row[:-1], first[:-1], budget) for row in rows):
        raise Refused(Reason.NOT_A_FACET, "the gradients of the neurons that are 0 have rank not 1")
    normal = oriented(first[:-1])
    above = towards(network, signs, normal, budget)
    below = towards(network, signs, [-entry for entry in normal], budget)
    pairs = zip(above.gradients, below.gradients, strict=True)
    jump = [combine((1, -1), list(zip(*pair, strict=True)), budget) for pair in pairs]
    sides = zip(signs, above.signs, below.signs, strict=True)
    layers = frozenset(
        number for number, (here, *beside) in enumerate(sides) if set(beside) != {here}
    )
    return Facet(jump, layers, first, (tuple(below.signs), tuple(above.signs)))


def is_cancelled(network: Network, signs: Sequence[str], budget: Budget) -> bool:
    """Tell whether a facet is invisible though every layer after its first bent one is active."""
    found = facet(network, signs, budget)
    return not found.is_visible() and all("+" in layer for layer in signs[min(found.layers) + 1 :])


def _is_multiple(vector: Row, of: Row, budget: Budget) -> bool:
    """Tell whether a vector is a multiple of one that is not 0."""
    place = next(number for number, entry in enumerate(of) if entry)
    pairs = list(zip(of, vector, strict=True))
    return not any(combine((vector[place], -of[place]), pairs, budget))
