"""The records of a face tree: what proves that a list of faces is complete."""

from __future__ import annotations

from typing import Any

from exactrelu.certificates.evidence import point_record
from exactrelu.certificates.regions import SPLIT_RECORD, empty_record, sides_record
from exactrelu.complex.faces import Face
from exactrelu.complex.split_tree import Cut, Empty, Inner, Sides
from exactrelu.exact.system import LinearSystem

CUT_RECORD: dict[str, Any] = {"record": "cut"}


def node_record(node: Inner | Face, domain: LinearSystem) -> dict[str, Any]:
    """The record of one node, in preorder, of the face tree on ``domain``."""
    if isinstance(node, Face):
        return {**point_record(node.point), "record": "face"}
    if isinstance(node, Sides):
        return sides_record(domain, node.neurons)
    if isinstance(node, Empty):
        return empty_record(domain, node.multipliers)
    return CUT_RECORD if isinstance(node, Cut) else SPLIT_RECORD
