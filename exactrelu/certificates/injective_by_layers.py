"""Claims ``injective-by-layers`` and ``injective-by-blocks``: proofs made of proofs of layers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_system
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def by_layers_certificate(
    network: Network, domain: LinearSystem, records: Iterable[dict[str, Any]]
) -> Certificate:
    """The records of every layer: the first on the domain, the others on the orthant."""
    fields = {"domain": encode_system(domain), "network": network.canonical_form()}
    return Certificate("injective-by-layers", fields, tuple(records))


def by_blocks_certificate(
    network: Network,
    layer: int,
    blocks: Sequence[tuple[Sequence[int], Sequence[int], int]],
    records: Iterable[dict[str, Any]],
) -> Certificate:
    """Layer ``layer``, from 1, by blocks (inputs, rows, number of the proof) and their proofs."""
    header = {
        "inputs": [list(inputs) for inputs, _, _ in blocks],
        "proofs": [number for _, _, number in blocks],
        "record": "blocks",
        "rows": [list(rows) for _, rows, _ in blocks],
    }
    fields = {"layer": layer - 1, "network": network.canonical_form()}
    return Certificate("injective-by-blocks", fields, (header, *records))
