"""Claims ``masked-rank``, ``masked-rank-deficient``, ``generic-bottleneck``: masked ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flint import fmpz

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_integers
from exactrelu.network.network import Network


def masked_rank_certificate(network: Network, modulus: int, nodes: Sequence[int]) -> Certificate:
    """All masked ranks are maximal: a modulus at which the minors that decide it are not 0.

    Where a product has more columns than rows, the powers of the ``nodes`` combine them.
    """
    record = {
        "modulus": format(modulus, "x"),
        "nodes": encode_integers(nodes),
        "record": "modulus",
    }
    return Certificate("masked-rank", {"network": network.canonical_form()}, (record,))


def masked_rank_deficient_certificate(
    network: Network, first: int, masks: Sequence[Sequence[int]], combination: Sequence[fmpz]
) -> Certificate:
    """A masked product whose rows have the combination 0; ``first`` is a layer, from 1."""
    fields = {
        "first": first - 1,
        "masks": [list(mask) for mask in masks],
        "network": network.canonical_form(),
    }
    record = {"record": "combination", "values": encode_integers(combination)}
    return Certificate("masked-rank-deficient", fields, (record,))


def generic_bottleneck_certificate(
    network: Network, masked_rank: Sequence[Mapping[str, Any]], modulus: int
) -> Certificate:
    """A generic bottleneck: its masked ranks, and a modulus at which no minor with b_2 is 0."""
    fields = {"network": network.canonical_form()}
    record = {"modulus": format(modulus, "x"), "record": "bias"}
    return Certificate("generic-bottleneck", fields, (*masked_rank, record))
