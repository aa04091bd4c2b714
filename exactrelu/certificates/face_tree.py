"""The records of a face tree: what proves that a list of faces is complete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from exactrelu.certificates.evidence import point_record, primitive_scale
from exactrelu.complex.faces import Cut, EmptyDomain, Face, Node
from exactrelu.exact.encode import encode_integers
from exactrelu.exact.scalar import primitive
from exactrelu.exact.system import LinearSystem

CUT_RECORD: dict[str, Any] = {"record": "cut"}


def node_record(node: Node, domain: LinearSystem) -> dict[str, Any]:
    """The record of one node, in preorder, of the face tree on ``domain``."""
    if isinstance(node, Face):
        return {**point_record(node.point), "record": "face"}
    if isinstance(node, Cut):
        return CUT_RECORD
    if isinstance(node, EmptyDomain):
        # The file holds each row of the domain scaled by some c > 0 to integers.
        rows = [(*row.normal, row.offset) for row in domain.rows]
        scaled = [(i, value / primitive_scale(rows[i])) for i, value in node.multipliers]
        return {"record": "empty", "rows": _rows(scaled), "values": _values(scaled)}
    multipliers = [pairs for _, _, pairs in node.proofs]
    return {
        "neurons": [neuron for neuron, _, _ in node.proofs],
        "record": "sides",
        "rows": [_rows(pairs) for pairs in multipliers],
        "signs": ["+" if sign > 0 else "-" for _, sign, _ in node.proofs],
        "values": [_values(pairs) for pairs in multipliers],
    }


def _rows(pairs: Sequence[tuple[int, fmpq]]) -> list[int]:
    return [i for i, _ in pairs]


def _values(pairs: Sequence[tuple[int, fmpq]]) -> list[str]:
    return encode_integers(primitive([value for _, value in pairs]))
