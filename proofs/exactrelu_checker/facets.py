"""Facets of the complex of a network: its faces of codimension 1, and what happens across them.

The normal of a facet is oriented so that its first entry that is not 0 is positive. The *jump* is
the gradients of the outputs on the side that the normal points to, minus those on the other side,
times the denominators of all layers. A facet is *visible* if its jump is not 0. A neuron *bends* on
a facet if it is 0 on it, and not 0 on one of its sides.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .affine import Row, towards, zero_rows
from .budget import Budget
from .integers import combine
from .network import Network
from .verdicts import Reason, Refused


class Facet(NamedTuple):
    """A facet: normal and jump, and the layers (from 0) that bend on it."""

    normal: Row
    jump: Sequence[Row]
    layers: frozenset[int]

    def is_visible(self) -> bool:
        """Tell whether the Jacobian jumps."""
        return any(map(any, self.jump))

    def continues(self, other: "Facet", budget: Budget) -> bool:
        """Tell whether a facet at a common ridge has the same hyperplane and the same jump."""
        return is_parallel(self.normal, other.normal, budget) and self.jump == other.jump


def facet(network: Network, signs: Sequence[str], budget: Budget) -> Facet:
    """Return the facet with these signs, which occur somewhere; refuse another face."""
    normals = [row[:-1] for _, row in zero_rows(network, signs, budget)]
    normal = next(filter(any, normals), None)
    if normal is None or not all(is_parallel(normal, other, budget) for other in normals):
        raise Refused(Reason.NOT_A_FACET, "the gradients of the neurons that are 0 have rank not 1")
    if next(filter(None, normal)) < 0:
        normal = [-entry for entry in normal]
    above = towards(network, signs, normal, budget)
    below = towards(network, signs, [-entry for entry in normal], budget)
    rows = zip(above.gradients, below.gradients, strict=True)
    jump = [combine((1, -1), list(zip(*pair, strict=True)), budget) for pair in rows]
    sides = zip(signs, above.signs, below.signs, strict=True)
    layers = frozenset(
        number for number, (here, *beside) in enumerate(sides) if any(s != here for s in beside)
    )
    return Facet(normal, jump, layers)


def is_cancelled(network: Network, signs: Sequence[str], budget: Budget) -> bool:
    """Tell whether a facet is invisible though every layer after its first bent one is active."""
    found = facet(network, signs, budget)
    return not found.is_visible() and all("+" in layer for layer in signs[min(found.layers) + 1 :])


def is_parallel(normal: Row, other: Row, budget: Budget) -> bool:
    """Tell whether a vector is a multiple of one that is not 0."""
    place = next(number for number, entry in enumerate(normal) if entry)
    pairs = list(zip(normal, other, strict=True))
    return not any(combine((other[place], -normal[place]), pairs, budget))
