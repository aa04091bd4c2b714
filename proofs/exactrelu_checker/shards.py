"""Shards: a claim by pieces, each of which has a file of its own.

``shards``, for the claim of a file: a tree on D, whose leaves ``shard`` stand for claims
that other files prove. For each leaf this module *writes* the claim C_i that is *owed*: the
claim of the file, its domain replaced by D_i, the points of the leaf, and its numbers by
those of the record. The file is accepted only where all that it owes is known (``check``):
from the user's ledger (``options``).

*regions*, *complex*: the OPEN tree of ``cells`` and the tree of ``faces``, with leaves
``cell p den`` as there, and ``shard k``, ``shard f_0 … f_n``. *transparent*, *equal*,
*within*, *property*: a CLOSED tree without networks, cut by ``cut a… b``, with leaves
``shard``.

*D_i over x.* The coordinates t of a node are coordinates of x: an equation is solved for
its first coordinate, so that each x_i that is solved is given by later ones, and t_j is the
last of the x_i that depend on it. D_i has the equations x_i = (its row over t)/φ of those
that are solved; the rows of D but equations, as they are; and the cuts of the node over t,
> 0 or (CLOSED) >= 0. On a zero set a cut may be constant: if it is > 0 it says nothing,
else D_i has no normal form (the node is empty). The solutions of the equations are the
affine hull in which the node lies, and there a row over x, pulled to t, has the sign that
it has at x. So the node is D_i (CLOSED), or the part of D_i where all rows but equations
are > 0 (OPEN): relint D_i, as the proof of C_i has a point in it.

Why this is sound is on the pages ``regions``, ``complex`` and ``equal`` of the rules.
"""

from typing import Any

from .claims import from_module, sha256
from .file import Json, Proof, canonical, form, need, sized
from .numbers import Row, bits, paired
from .objects import System, normal_form, read_index, system_of
from .tree import Node, Tree


def by_shards(proof: Proof, domain: System, **fields: Any) -> None:
    """Read the tree, and owe a claim for each shard; numbers add up."""
    wanted = fields.get("counts", [x for name, x in fields.items() if name == "count"])
    made = from_module("faces", "FaceTree") if "counts" in fields else Tree
    tree = made(proof, [fields["network"]] if wanted else [], domain, bool(wanted))
    found = [0] * len(wanted)
    for node, word, numbers in tree.leaves("shard", *["cell"] * bool(wanted)):
        if word == "cell":
            tree.require_cell(node, numbers)
            numbers = [int(len(found) == 1 or k == node.dim) for k in range(len(found))]
        else:
            ok = bits(sized(numbers, len(found))) < 50
            form(ok, "bad-number", "more digits than a claim has")
            proof.owed.append(_owed(tree, domain, node, numbers))
        found = [a + b for a, b in paired(found, numbers)]
    ok = found >= wanted if fields.get("sense") == "at-least" else found == wanted
    need(ok, "shard-count", f"the shards and cells have {found}")


def _owed(tree: Tree, domain: System, node: Node, numbers: list[int]) -> str:
    """Return the SHA-256 of the claim about a node."""
    counts = [*map(read_index, numbers)]
    own = {"count": sum(counts), "counts": counts, "domain": _domain(tree, domain, node)}
    stated = tree.proof.stated.items()
    text = canonical({name: own.get(name, value) for name, value in stated})
    tree.proof.spend(len(text) >> 4)
    return sha256(text)


regions_by_shards = complex_by_shards = transparent_by_shards = by_shards
equal_by_shards = within_by_shards = property_by_shards = by_shards


def _domain(tree: Tree, domain: System, node: Node) -> Json:
    """Return the JSON of the domain that a node is."""
    inputs = node.stages[0].passed[0] if node.stages else tree.inputs
    n, inner = domain.dim, [pair for pair in domain.pairs if pair[0] != "eq"]
    tree.proof.spend(16 * (len(node.rows) + n) * (n + 1), node.bits, node.bits)
    places = [max(i for i, row in enumerate(inputs) if row[j]) for j in range(node.dim)]
    factor = tree.chart.factor * node.rows[0][-1]

    def over_x(row: Row, at: int = -1) -> Row:
        entries = {at: -factor, **dict(zip(places, row))}
        return (*(entries.get(i, 0) for i in range(n)), row[-1])

    hull = [("eq", over_x(inputs[i], i)) for i in range(n) if i not in places]
    rows = [*paired(node.strict, node.rows)][1 + len(inner) :]
    cuts = [
        ("gt" if s else "ge", over_x(row))
        for s, row in rows
        if any(row[:-1]) or row[-1] <= 0
    ]
    found = sorted({*inner, *normal_form(system_of(n, hull + cuts)).pairs})
    return {"dim": n, "rows": [[s, [f"{x:x}" for x in row]] for s, row in found]}
