"""Claim ``regions``: the number of activation regions of a network on an open polyhedron."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import Multipliers, point_record, primitive_scale
from exactrelu.exact.encode import encode_integers, encode_system
from exactrelu.exact.scalar import Vector, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network

SPLIT_RECORD: dict[str, Any] = {"record": "split"}


def cell_record(point: Vector) -> dict[str, Any]:
    """A leaf that is a region, by a point in it."""
    return {**point_record(point), "record": "cell"}


def empty_record(domain: LinearSystem, multipliers: Multipliers) -> dict[str, Any]:
    """A leaf that is empty, by multipliers of the rows on its path, the domain's first."""
    rows, values = _encoded(domain, multipliers)
    return {"record": "empty", "rows": rows, "values": values}


def sides_record(
    domain: LinearSystem, sides: Iterable[tuple[int, int, Multipliers]]
) -> dict[str, Any]:
    """Neurons of a layer, from 0 and increasing, each with its sign on the cell and a proof.

    The proof are multipliers of the rows on the path of the cell and, last, of the side of
    the neuron that is empty.
    """
    neurons, signs, multipliers = zip(*sides, strict=True)
    encoded = [_encoded(domain, proof) for proof in multipliers]
    return {
        "neurons": list(neurons),
        "record": "sides",
        "rows": [rows for rows, _ in encoded],
        "signs": ["+" if s > 0 else "-" for s in signs],
        "values": [values for _, values in encoded],
    }


def _encoded(domain: LinearSystem, multipliers: Multipliers) -> tuple[list[int], list[str]]:
    """Multipliers for the rows of the file.

    The file holds each row of the domain scaled by some c > 0 to integers, so its
    multiplier is divided by c; the rows of the splits are integers already.
    """
    rows = [i for i, _ in multipliers]
    if not rows or rows[0] >= len(domain.rows):
        return rows, [format(value, "x") for _, value in multipliers]
    values = []
    for i, value in multipliers:
        if i < len(domain.rows):
            row = domain.rows[i]
            value = value / primitive_scale((*row.normal, row.offset))
        values.append(fmpq(value))
    return rows, encode_integers(primitive(values))


def regions_certificate(
    network: Network, domain: LinearSystem, n_regions: int, records: Iterable[dict[str, Any]]
) -> Certificate:
    """The split tree in preorder."""
    fields = {
        "domain": encode_system(domain),
        "n_regions": n_regions,
        "network": network.canonical_form(),
    }
    return Certificate("regions", fields, tuple(records))
