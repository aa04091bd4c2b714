"""Layers that are one-to-one: active rows span, at every point of a domain (directed
spanning).

*layer-injective* The layer x ↦ ReLU(Wx + b), or Wx + b if it is the last, takes different
points of D to different points. A row (w, b) is *active* at x if w·x + b >= 0; of the last
layer all rows count as active.

``spanning``: at every x in D the normals of the active rows span R^d, in the coordinates t
of the affine hull of D. They are read modulo q >= 2: what generates everything modulo q
spans R^d. ``flats q`` or ``tree q``, then a record ``cover`` for each *node*: a space U in
(Z/q)^d and rows. The first node has U = 0 (for the last layer: what its rows generate) and
no rows. A node whose U is everything has no record. Any other has ``cover m r λ…``:
multipliers that refute the rows 1 > 0, those of D, those of the node, and -w·t - b > 0 for
every row of the layer. Let k_1, k_2, … be the rows of the layer that it uses, in this
order: for each follows a node with the space U + w_k, in which elimination must find a unit
more. In a ``tree`` its rows are those of the node before and k_1 < 0, …, k_(i-1) < 0, k_i
>= 0, and records are in preorder. With ``flats`` nodes have no rows, nodes with one space
are one node, and records are in the order in which nodes are first named.

``blocks``: the same on all of R^n, hence on D. Until all inputs are covered: ``block p a
i_1…i_a r…``, a inputs and some rows of the layer, distinct, the rows 0 outside these
inputs; p the number of its proof. A number that is new is the next one, and the records of
``spanning`` follow, for the rows on these inputs, in the order in which they are listed, on
R^a. Blocks with a number that is known must have as many inputs and the very matrix of that
proof.

*injective* ``layers``: the records of ``spanning`` for layers first + 1 to last of a
network without linear units, for layer 1 on D, for the others on the orthant, where hidden
layers pass on what they give.

Why this is sound is on the pages ``layer-injective`` and ``injective`` of the rules.
"""

from collections import deque
from collections.abc import Sequence

from .evidence import refute
from .file import Numbers, Proof, form, need, sized
from .inputs import taken_in
from .numbers import Row, opposite
from .objects import Network, System, chart, placed
from .ranks import Space, grown, residues

Path = list[tuple[Row, bool]]  # rows of a node, and which are strict


def layer_injective_by_spanning(
    proof: Proof, network: Network, layer: int, domain: System
) -> None:
    """Active rows span on D."""
    _require_spanning(
        proof, network.layers[layer - 1].rows, domain, layer == len(network.layers)
    )


def injective_by_layers(proof: Proof, network: Network, domain: System, **of: int) -> None:
    """Each layer is one-to-one on what it gets."""
    need(
        network.is_plain,
        "linear-units",
        "a proof by layers is for networks without linear units",
    )
    for layer in range(of["first"] + 1, of["last"] + 1):
        got = taken_in(proof, network.layers, layer - 1, domain)
        layer_injective_by_spanning(proof, network, layer, got)


def _require_spanning(
    proof: Proof, layer: Sequence[Row], domain: System, is_last: bool
) -> None:
    """Read the proof that active rows span everywhere on a domain."""
    base = chart(proof, domain)
    rows, strict, active, size = placed(proof, base, domain, layer)
    negative = [opposite(row) for row in active]
    word, numbers = proof.record("flats", "tree")
    (modulus,), is_tree = sized(numbers, 1), word == "tree"
    normals = residues(proof, [row[:-1] for row in active], modulus)
    start: Space = ()
    for normal in normals if is_last else ():
        start = grown(proof, start, normal, modulus) or start
    todo: deque[tuple[Space, Path]] = deque([(start, [])] if len(start) < base.dim else [])
    seen = {start}
    while todo:
        space, path = todo.popleft()
        before = [*rows, *(row for row, _ in path)]
        known = [*strict, *(is_strict for _, is_strict in path), *(True for _ in negative)]
        cover = proof.record("cover")[1]
        proof.spend(4 * len(known) * (len(cover) + 1))
        used, children = refute(proof, [*before, *negative], known, cover, size), []
        for k in (r - len(before) for r in used if r >= len(before)):
            larger = grown(proof, space, normals[k], modulus) or ()
            need(larger, "no-unit-pivot", "a row adds nothing to the space, modulo q")
            if len(larger) < base.dim and (is_tree or larger not in seen):
                seen.add(larger)
                children.append((larger, [*path, (active[k], False)] if is_tree else []))
            path = [*path, (negative[k], True)]
        todo.extend(children)
        todo.rotate(len(children) if is_tree else 0)  # to the front


def layer_injective_by_blocks(
    proof: Proof, network: Network, layer: int, domain: System
) -> None:
    """Blocks of rows that see some inputs only."""
    rows = network.layers[layer - 1].rows
    covered: set[int] = set()
    proofs: list[tuple[int, Sequence[Row]]] = []
    while len(covered) < domain.dim:
        which, inputs, chosen = _read_block(proof, domain.dim, len(rows))
        outside = set(range(domain.dim)).difference(inputs)
        inner = not any(rows[k][i] for k in chosen for i in outside)
        need(inner, "input-outside", "outside it")
        matrix = tuple((*(rows[k][i] for i in inputs), rows[k][-1]) for k in chosen)
        block = (len(inputs), matrix)
        if which == len(proofs):
            proofs.append(block)
            _require_spanning(proof, matrix, System(len(inputs), (), ()), False)
        ok = 0 <= which < len(proofs) and proofs[which] == block
        need(ok, "blocks-differ", "not the matrix of its proof")
        covered.update(inputs)


def _read_block(proof: Proof, dim: int, height: int) -> tuple[int, Numbers, Numbers]:
    """Read the number of a proof, and different inputs and rows."""
    numbers = proof.record("block")[1]
    ok = len(numbers) >= 2 and 0 <= numbers[1] <= len(numbers) - 2
    form(ok, "wrong-length", "a proof, a, then a inputs and rows")
    which, count, *places = numbers
    inputs, chosen = places[:count], places[count:]
    for indices, below in ((inputs, dim), (chosen, height)):
        form({*indices} <= {*range(below)}, "index-out-of-range", "no such input or row")
        need(len({*indices}) == len(indices), "input-repeated", "an index listed twice")
    proof.spend(8 * len(chosen) * (dim + 1))
    return which, inputs, chosen
