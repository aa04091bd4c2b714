"""The records of a face tree: what proves that a list of faces is complete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from exactrelu.certificates.evidence import point_record, primitive_scale
from exactrelu.complex.faces import Cut, EmptyDomain, Face, Node
from exactrelu.complex.hull import PathMultipliers
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
        return _multipliers("empty", scaled)
    return _multipliers("positive" if node.sign > 0 else "negative", node.multipliers)


def _multipliers(name: str, pairs: PathMultipliers | Sequence[tuple[int, fmpq]]) -> dict[str, Any]:
    return {
        "record": name,
        "rows": [i for i, _ in pairs],
        "values": encode_integers(primitive([value for _, value in pairs])),
    }
