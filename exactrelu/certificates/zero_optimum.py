"""Claim ``zero-optimum``: a preactivation has a local minimum or maximum with the value 0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.on_domain import domain_certificate, part_rows
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def zero_optimum_certificate(
    network: Network,
    domain: LinearSystem,
    neuron: tuple[int, int],
    part: LinearSystem,
    tree: Iterable[dict[str, Any]],
) -> Certificate:
    """The neuron (layer, index), from 1, a neighbourhood, and the face tree on it."""
    layer, index = neuron
    optimum = {
        "layer": layer - 1,
        "neuron": index - 1,
        "record": "optimum",
        "rows": part_rows(part),
    }
    return domain_certificate("zero-optimum", network, domain, [optimum, *tree])
