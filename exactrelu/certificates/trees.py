"""The records of trees: how a domain is cut into cells, and why nothing is left out.

A tree is written in preorder, a record for each node: a cut, after which the parts follow, the
negative one first; preactivations that have one sign on the whole cell, each with multipliers that
refute the other side; a leaf.  Multipliers are those of the rows on the path to the cell, the
domain's first.  The file holds the rows of the domain scaled to the smallest integers, so that
their multipliers are scaled too; the rows of the cuts are integers already.

The trees are those of one network (:func:`tree_record`), of regions, closed cells or faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from exactrelu.cells.faces import Face
from exactrelu.cells.tree import Active, Cut, Empty, Inner, Region, Sides, Split
from exactrelu.certificates.certificate import Named, Record, record
from exactrelu.certificates.evidence import Multipliers, primitive_scale, several
from exactrelu.exact.scalar import primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.exact.text import encode_integers


def tree_record(node: Inner | Region | Active | Face, domain: LinearSystem) -> Record:
    """The record of a node of the tree of a network on a domain, whatever ends its branches."""
    match node:
        case Cut():
            return record("cut")
        case Split():
            return record("split")
        case Sides(_, neurons):
            proofs = [_on_path(domain, side.multipliers) for side in neurons]
            return _sides([(side.neuron, side.sign) for side in neurons], proofs)
        case Empty(multipliers):
            return record("empty", **_on_path(domain, multipliers))
        case Region(_, point):
            return record("cell", point=point)
        case Active():
            return record("active")
        case Face():
            return record("face", point=node.point)


def _sides(neurons: Sequence[tuple[Any, int]], proofs: Sequence[Named]) -> Record:
    """Neurons with their sign on the whole cell, and why the other side is empty."""
    # Nearly all of a long proof is made of these, and everything in them is encoded already.
    return {
        "neurons": [neuron for neuron, _ in neurons],
        "record": "sides",
        "signs": ["+" if sign > 0 else "-" for _, sign in neurons],
        **several(proofs),
    }


def _on_path(domain: LinearSystem, multipliers: Multipliers) -> Named:
    """Multipliers for the rows of the file, those of the cuts as they are."""
    rows = [i for i, _ in multipliers]
    if not rows or rows[0] >= len(domain.rows):
        return {"rows": rows, "values": [format(value, "x") for _, value in multipliers]}
    values = []
    for i, value in multipliers:
        if i < len(domain.rows):
            row = domain.rows[i]
            value = value / primitive_scale((*row.normal, row.offset))
        values.append(fmpq(value))
    return {"rows": rows, "values": encode_integers(primitive(values))}
