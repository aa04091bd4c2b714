"""The records of trees: how a domain is cut into cells, and why nothing is left out.

A tree is written in preorder, a record for each node: a cut, after which the parts follow, the
negative one first; preactivations that have one sign on the whole cell, each with multipliers that
refute the other side; a leaf.  Multipliers are those of the rows on the path to the cell, the
domain's first.  The file holds the rows of the domain scaled to the smallest integers, so that
their multipliers are scaled too; the rows of the cuts are integers already.

The trees are those of one network (:func:`tree_record`), of regions, closed cells or faces, and of
two networks together (:func:`pair_record`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from flint import fmpq

from exactrelu.cells import pairs as pair_tree
from exactrelu.cells.faces import Face
from exactrelu.cells.tree import Active, Cut, Empty, Inner, Region, Sides, Split
from exactrelu.certificates.certificate import Named, Record, record
from exactrelu.certificates.evidence import Multipliers, primitive_scale, rows_of, several
from exactrelu.exact.scalar import primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.exact.text import encode_integers

#: Multipliers of the rows of a cell and, last, of one more; and for some neurons (network, hidden
#: layer, number, all from 0) with preactivation z multipliers of s(z) ≥ 0 and of s(z) − z ≥ 0.
Refuted = tuple[Multipliers, Sequence[tuple[pair_tree.Neuron, fmpq, fmpq]]]


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


def pair_record(
    node: pair_tree.Split | pair_tree.Sides | pair_tree.Bounds | pair_tree.Empty,
    domain: LinearSystem,
) -> Record:
    """The record of a node of the joint tree of two networks that is not a leaf."""
    match node:
        case pair_tree.Split(neuron):
            return record("split", neuron=list(neuron))
        case pair_tree.Sides(neurons):
            proofs = _refutations(domain, [(r.multipliers, r.facts) for _, _, r in neurons])
            return _sides([(list(neuron), sign) for neuron, sign, _ in neurons], proofs)
        case pair_tree.Bounds(bounded):
            return record("bounds", neurons=[list(neuron) for neuron in bounded])
        case pair_tree.Empty(refuted):
            (proof,) = _refutations(domain, [(refuted.multipliers, refuted.facts)])
            return record("empty", **proof)


def within_record(domain: LinearSystem, refuted: Sequence[Refuted]) -> Record:
    """A leaf: for each output, why it is not more, and not less, than the bound allows."""
    return record("within", **several(_refutations(domain, refuted)))


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


def _refutations(domain: LinearSystem, refuted: Iterable[Refuted]) -> list[Named]:
    """Multipliers for the rows of the file, and of facts about neurons, on one ray."""
    scales = [primitive_scale(row) for row in rows_of(domain)]
    found: list[Named] = []
    for multipliers, shares in refuted:
        numbers = [
            fmpq(value) / scales[i] if i < len(scales) else fmpq(value) for i, value in multipliers
        ]
        encoded = encode_integers(primitive([*numbers, *(x for _, u, v in shares for x in (u, v))]))
        n = len(multipliers)
        pairs = zip(encoded[n::2], encoded[n + 1 :: 2], strict=True)
        facts = [[list(neuron), u, v] for (neuron, _, _), (u, v) in zip(shares, pairs, strict=True)]
        rows = [i for i, _ in multipliers]
        found.append({"facts": facts, "rows": rows, "values": encoded[:n]})
    return found
