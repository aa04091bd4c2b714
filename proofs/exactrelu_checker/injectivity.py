"""Networks that are one-to-one, and values that are not taken: closed cells, refuted.

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

*in-range* negated, N(x) = y for no x in D.

``backward``: suppose N(x) = y. The *target* of the last layer L is y. A unit (w, b) of
layer l with target t says about the h that layer l - 1 passes on: w·h + b = t if l = L, or
if the unit is linear, or if t > 0; w·h + b <= 0 if t = 0; if t < 0 there is no x, and the
proof ends. Steps back, from the last layer: ``back r_1…r_n h_1…h_n den``, n units of layer
l that say equations, n what layer l - 1 passes on, with independent normals, and the point
h, which solves them; h is the target of layer l - 1. Then ``first k``: layers k + 1 to l,
the one reached, are refuted. A CLOSED tree of layers k + 1 to l - 1, on D if k = 0, else on
what hidden layer k can pass on, h_i >= 0 at neurons, in normal form; its leaves are
``misses m r λ…``, multipliers on the rows of the cell and then on what the units of layer l
say, one row each, that refute them.

Why this is sound is on the pages ``injective`` and ``in-range`` of the rules.
"""

from .evidence import Strict, as_point, refute
from .file import Numbers, Proof, form, need, sized
from .inputs import taken_in
from .numbers import Row, bits, dot, in_basis, opposite, paired, total
from .objects import Layer, Network, System, Vector, layer_of
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
        refute(proof, known, strict[: len(known)], numbers, 1 + max(left.bits, right.bits))
        if word == "apart":
            break


def _differences(proof: Proof, left: Node, right: Node, layer: int) -> list[Row]:
    """Return the outputs of a layer at y less those at x."""
    zero = (0,) * (left.dim + 1)
    at_x, at_y = (((*n.stages[0].passed, n.stages[0].rows)[layer]) for n in (left, right))
    proof.spend(4 * len(zero) * len(at_x))
    pairs = ((x or zero, y or zero) for x, y in paired(at_x, at_y))
    return [(*opposite(x[:-1]), *y[:-1], y[-1] - x[-1]) for x, y in pairs]


def not_in_range_by_backward(
    proof: Proof, network: Network, output: Vector, domain: System
) -> None:
    """What layers must pass on, and that they cannot."""
    end = network.layers[-1]  # no ReLU follows: all its units are linear
    layers = (*network.hidden, end._replace(linear=frozenset(range(len(end.rows)))))
    last, target = len(layers), output
    while True:
        layer = layers[last - 1]
        if any(t < 0 and i not in layer.linear for i, t in enumerate(target.nums)):
            return
        goal, equal = _goal(proof, layer, target)
        word, numbers = proof.record("first", *["back"] * (last > 1))
        if word == "first":
            break
        last, target = last - 1, _step_back(proof, goal, equal, numbers)
    form(
        len(numbers) == 1 and 0 <= numbers[0] < last, "index-out-of-range", "no such layer"
    )
    got = taken_in(proof, layers, numbers[0], domain)
    tree = Tree(proof, [Network((*layers[numbers[0] : last - 1], goal))], got, CLOSED)
    for node, _, given in tree.leaves("misses"):
        tree.require_decided(node)
        refute(
            proof,
            (*node.rows, *node.stages[0].rows),
            (*node.strict, *equal),
            given,
            node.bits,
        )


def _goal(proof: Proof, layer: Layer, target: Vector) -> tuple[Layer, Strict]:
    """Return what units say: preactivation less target is 0 (None), or its opposite is >=
    0.
    """
    proof.spend(layer.entries, bits((*target.nums, target.den)), layer.bits)
    equal = [None if t or i in layer.linear else False for i, t in enumerate(target.nums)]
    rows, one = [], (0,) * (layer.width - 1) + (layer.den,)
    for row, t, sense in paired(layer.rows, target.nums, equal):
        says = total((target.den, -t), (row, one))
        rows.append(says if sense is None else opposite(says))
    return layer_of(layer.den * target.den, rows), equal


def _step_back(proof: Proof, goal: Layer, equal: Strict, numbers: Numbers) -> Vector:
    """Return what the layer before must pass on."""
    n = goal.width - 1
    point = as_point(sized(numbers, 2 * n + 1)[n:])
    form(set(numbers[:n]) <= set(range(len(equal))), "index-out-of-range", "no such unit")
    need(
        all(equal[i] is None for i in numbers[:n]),
        "not-an-equation",
        "a unit may be inactive",
    )
    chosen = [goal.rows[i] for i in numbers[:n]]
    size = n * (goal.bits + n.bit_length())
    proof.spend(2 * n**3 + n * n, size, size + bits(numbers))
    in_basis([row[:n] for row in chosen], ())
    need(
        not any(dot(row, numbers[n:]) for row in chosen), "wrong-output", "misses a target"
    )
    return point
