"""Claims ``non-proportional`` and ``proportional``: affine functions of units with indicators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_integers
from exactrelu.network.network import Network

#: The indicator, sets of neurons of the layers before, and the neuron; all from 0.
IndexedUnit = tuple[Sequence[Sequence[int]], int]


def non_proportional_certificate(
    network: Network, modulus: int, points: Sequence[Sequence[int]]
) -> Certificate:
    """Two vectors that tell all functions apart modulo a number."""
    record = {
        "modulus": format(modulus, "x"),
        "points": [encode_integers(point) for point in points],
        "record": "points",
    }
    return Certificate("non-proportional", {"network": network.canonical_form()}, (record,))


def proportional_certificate(
    network: Network, first: IndexedUnit, second: IndexedUnit
) -> Certificate:
    """Two units with indicators; the checker computes the functions itself."""
    fields = {
        "first": _unit(first),
        "network": network.canonical_form(),
        "second": _unit(second),
    }
    return Certificate("proportional", fields)


def _unit(unit: IndexedUnit) -> dict[str, Any]:
    masks, index = unit
    return {"masks": [list(mask) for mask in masks], "unit": index}
