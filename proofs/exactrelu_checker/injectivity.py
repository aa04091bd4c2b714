"""Networks that are one-to-one: pairs of cells.

*injective* Write f_l(x) for what layer l passes on at x. For all x, y in D: if f_last(x) =
f_last(y), then f_first(x) = f_first(y).

``pairs``: a CLOSED tree of layers 1 to ``last`` with leaves ``cell``. After the record of
cell j come, for each cell i = 0, …, j in the order of the file, refutations of systems in
(x, y): the rows of cell i at x; those of cell j at y; the equations f_last(y) - f_last(x) =
0, one for each output; perhaps a further row. If i < j, the row at which the cells part is
strict at x and at y. ``same m r λ…``: the further row is f_first(y)_r - f_first(x)_r > 0, a
record for each output r; for i < j then again one for each r, with the opposite row.
``apart m r λ…``, instead of the next one of these and all after it: there is no further
row.

*Sound.* Let x, y in D with f_last(x) = f_last(y). Go down the tree as long as one part has
both points. As closed parts share their border, this ends in a leaf whose cell has both, or
at a cut p with p(x) < 0 < p(y), or with x and y swapped. In the first case the records of
the pair (j, j) exclude f_first(y)_r > f_first(x)_r for each r, and by swapping x and y also
<. In the second case x is in a cell i below the first part and y in a cell j below the
second one; i < j as parts are read in order, and p is the first row at which the cells
differ: parts of one node have the same rows before, and p, not being constant, is not -p.
So the records say that no r differs, or that there are no such x and y. On a closed cell
the affine functions are those of the network: a neuron is >= 0 or <= 0 on all of it, and
where it is 0 both branches of ReLU agree; a linear unit passes its row on. All rows of one
layer have the same positive factor.
"""

from .evidence import refute
from .file import Proof
from .numbers import Row, opposite, paired
from .objects import Network, System
from .tree import CLOSED, Node, Tree


def injective_by_pairs(
    proof: Proof, network: Network, domain: System, **layers: int
) -> None:
    """Every pair of closed cells."""
    tree = Tree(proof, [Network(network.layers[: layers["last"] + 1])], domain, CLOSED)
    cells: list[Node] = []
    for right, *_ in tree.leaves("cell", bare=True):
        tree.require_decided(right)
        cells.append(right)
        for left in cells:
            _check_pair(proof, left, right, **layers)


def _check_pair(proof: Proof, left: Node, right: Node, first: int, last: int) -> None:
    zeros, n = (0,) * left.dim, len(left.rows)
    proof.spend(4 * (n + len(right.rows)) * (left.dim + 1))
    rows = [(*row[:-1], *zeros, row[-1]) for row in left.rows]
    rows += [(*zeros, *row) for row in right.rows]
    equal, larger = (_differences(proof, left, right, layer) for layer in (last, first))
    strict: list[bool | None] = [*left.strict, *right.strict, *(None for _ in equal), True]
    if left is not right:
        pairs = enumerate(zip(left.rows, right.rows))
        parting = next(k for k, (at_x, at_y) in pairs if at_x != at_y)
        strict[parting] = strict[n + parting] = True
        larger = [*larger, *map(opposite, larger)]
    for row in larger:
        word, numbers = proof.record("apart", "same")
        known = [*rows, *equal, *[row] * (word == "same")]
        refute(proof, known, strict, numbers, 1 + max(left.bits, right.bits))
        if word == "apart":
            break


def _differences(proof: Proof, left: Node, right: Node, layer: int) -> list[Row]:
    """Return the outputs of a layer at y less those at x."""
    zero = (0,) * (left.dim + 1)
    at_x, at_y = (((*n.stages[0].passed, n.stages[0].rows)[layer]) for n in (left, right))
    proof.spend(4 * len(zero) * len(at_x))
    pairs = ((x or zero, y or zero) for x, y in paired(at_x, at_y))
    return [(*opposite(x[:-1]), *y[:-1], y[-1] - x[-1]) for x, y in pairs]
