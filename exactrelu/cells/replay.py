"""Boxes over the coordinates of a domain, replayed by the kernel of the checker.

A search in floats (:mod:`.crown`) believes something of a box; the checker will compute the bounds
itself, in integers over 2^40 and by its own arithmetic (``exactrelu_checker.bounds``).  So whatever
is written about boxes is tried with that first: the root, which has the ends that rows of the
domain show, rounded outwards; the parts that a cut makes; and *anchors*, at which all units without
a sign are bounded anew.

What is asked about boxes, and the tree of them, is :mod:`exactrelu.questions.properties.replay`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from exactrelu_checker.bounds import PLACES, Bounds
from exactrelu_checker.bounds import Node as Node
from exactrelu_checker.file import Refused
from exactrelu_checker.numbers import Row
from exactrelu_checker.property import parts
from flint import fmpq

from exactrelu.cells.chain import Floats
from exactrelu.cells.walk import KnownSigns
from exactrelu.exact.scalar import common_denominator, rational, to_float
from exactrelu.network.network import Network

#: Cuts are integers over this number.
UNIT = 2.0**PLACES


class ExactBoxes:
    """Boxes of a network's chain over t, as the checker bounds them; x is over ``factor``."""

    def __init__(self, network: Network, bounds: Bounds, root: Node, factor: int) -> None:
        self.network, self.bounds, self.root, self.factor = network, bounds, root, factor

    def ends(self) -> tuple[Floats, Floats]:
        """The box of the domain in floats that contain it; infinite where there is no end."""
        box = self.root.box
        found = np.empty((len(box), 2))
        for i, ends in enumerate(box):
            for side, (end, beyond) in enumerate(zip(ends, (-np.inf, np.inf), strict=True)):
                value = beyond if end is None else to_float(fmpq(end, 1 << PLACES))
                # A double rounds ends of more than 53 bits: to the outside, then.
                if np.isfinite(value) and int(value * UNIT) != end:
                    value = float(np.nextafter(value, beyond))
                found[i, side] = value
        return found[:, 0], found[:, 1]

    def anchored(self, node: Node) -> Node | None:
        """The node after an anchor; None if its numbers are too long for the checker."""
        try:
            return self.bounds.anchored(node)
        except Refused:
            return None

    def halves(self, node: Node, axis: int, value: float) -> list[Node]:
        """The parts of a node that a cut makes."""
        return parts(node, [axis, int(value * UNIT)])

    def most(self, node: Node, row: Row, weights: Row) -> int:
        """An upper bound of a sum on a node after an anchor, times a number."""
        return self.bounds.most(node, row, weights, self.factor)[0] or 0

    def has_many_signs(self, node: Node) -> bool:
        """Whether at least a third of the units of all steps have signs on a node."""
        shown = self.bounds.signs(self.bounds.narrowed(node))
        found = [sign != 0 for signs in shown for sign in signs]
        return 3 * sum(found) >= len(found)

    def signs(self, node: Node) -> KnownSigns:
        """The signs of all neurons that the bounds of a node show, after an anchor."""
        shown = self.bounds.signs(self.bounds.narrowed(node))
        found = []
        for layer, known in zip(self.network.layers[:-1], shown, strict=True):
            pairs = zip(layer.passes, known, strict=True)
            found.append([None if is_linear else sign or None for is_linear, sign in pairs])
        return found


def short(value: float) -> fmpq:
    """A positive number near a float, with few bits.

    >>> short(0.3333333), short(5.0)
    (43691/131072, 5)
    """
    mantissa, exponent = np.frexp(value)
    return rational(float(np.ldexp(np.round(mantissa * 2**16), int(exponent) - 16)))


def as_rows(multipliers: Sequence[tuple[int, fmpq]]) -> tuple[tuple[int, int], ...]:
    """Positive multipliers of rows in integers.

    >>> as_rows([(1, fmpq(1, 2)), (3, fmpq(2, 3))])
    ((1, 3), (3, 4))
    """
    den = common_denominator(value for _, value in multipliers)
    return tuple((r, int(value * den)) for r, value in multipliers)
