"""Values that a network takes, and values that it does not.

*in-range* N takes the value y at some point of D, exactly as it is written. ``point`` of D
with that output. Negation: no x in D has N(x) = y.

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

*Sound.* Equations with independent normals, as many as unknowns, have one solution: layer l
- 1 passes on h. So after the steps layer l has its target. What layer k passes on lies in
some closed cell of the tree; there the rows of the cell and of the units hold, and that is
a contradiction.
"""

from . import claims
from .evidence import Strict, as_point, point_in, refute
from .file import Proof, form, need, sized
from .inputs import taken_in
from .numbers import bits, dot, in_basis, opposite, paired, total
from .objects import Layer, Network, System, Vector, difference, layer_of
from .tree import CLOSED, Tree


@claims.kind(
    "{network} takes the value {output} on {domain}",
    "{network} does not take the value {output} on {domain}",
    network=claims.network,
)
def in_range(network: Network, output: Vector, domain: System) -> None:
    """An output of the network."""
    claims.fits(domain, network.widths[0])
    form(len(output.nums) == network.widths[-1], "dimensions-differ", "not an output")


def in_range_by_point(
    proof: Proof, network: Network, output: Vector, domain: System
) -> None:
    """The value is taken at a point."""
    found = network.values(proof, point_in(proof, domain))[-1]
    need(
        not any(difference(found, output).nums),
        "wrong-output",
        "the output at the point differs",
    )


def in_range_by_backward(
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
    proof.spend(
        len(layer.rows) * len(layer.rows[0]), bits((*target.nums, target.den)), layer.bits
    )
    equal = [None if t or i in layer.linear else False for i, t in enumerate(target.nums)]
    rows, one = [], (0,) * (len(layer.rows[0]) - 1) + (layer.den,)
    for row, t, sense in paired(layer.rows, target.nums, equal):
        says = total((target.den, -t), (row, one))
        rows.append(says if sense is None else opposite(says))
    return layer_of(layer.den * target.den, rows), equal


def _step_back(proof: Proof, goal: Layer, equal: Strict, numbers: list[int]) -> Vector:
    """Return what the layer before must pass on."""
    n = len(goal.rows[0]) - 1
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
    in_basis([row[:-1] for row in chosen], ())
    need(
        not any(dot(row, numbers[n:]) for row in chosen), "wrong-output", "misses a target"
    )
    return point
