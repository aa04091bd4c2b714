"""Statements of Sattelberg et al., *Locally linear attributes of ReLU neural networks*."""

from collections.abc import Iterator

from ..numbers import opposite
from ..objects import Network, Vector
from .asked import everywhere, hexadecimal, value_at
from .exact import active_units, affine_function, dot, evaluate, lowest_terms, multiply
from .lemma import Instance, Need, lemma, require, table

#: 2 ReLU(x + y + 1) - 4 ReLU(x + y) - 1.
_XOR = ((1, ((1, 1, 1), (1, 1, 0))), (1, ((2, -4, -1),)))


def _xor(instance: Instance) -> Network:
    network = instance.network("N")
    require(
        tuple(layer[:2] for layer in network.layers) == _XOR, "N is not the network (2)"
    )
    return network


@lemma(
    "S004-xor-values: N x",
    "the network 2 ReLU(x + y + 1) - 4 ReLU(x + y) - 1 has the value of XOR on {-1, 1}^2",
)
def _xor_values(instance: Instance) -> Iterator[Need]:
    network, x = _xor(instance), instance.vector("x", 2)
    squares = [multiply(entry, entry, instance.proof) for entry in x.nums]
    require(squares == [x.den, x.den], "x is not in {-1, 1}^2")
    output, _ = evaluate(network, x, instance.proof)
    require(output.nums != (-x.nums[0] * x.nums[1],), "the value is that of XOR, -xy")
    yield value_at(instance.fields["N"], x)


def _inside(
    network: Network, point: Vector, instance: Instance
) -> tuple[tuple[str, ...], Need]:
    """Return the signs at a point where no hidden unit is 0, and the claim of the value
    there.
    """
    signs = evaluate(network, point, instance.proof)[1]
    require("0" not in "".join(signs), "a hidden unit is 0")
    return signs, value_at(instance.fields["N"], point)


@lemma(
    "S004-xor-dual: N P",
    "some region of the network 2 ReLU(x + y + 1) - 4 ReLU(x + y) - 1 has the affine map "
    "-x - y",
)
def _xor_dual(instance: Instance) -> Iterator[Need]:
    """Three regions and a point in each: the maps are -2x-2y+1, 2x+2y+1 and -1, never
    -x-y.
    """
    network = _xor(instance)
    found = [_inside(network, point, instance) for point in instance.points("P", 3, 2)]
    require(len({signs for signs, _ in found}) > 2, "the points are not in three regions")
    place = {"network": instance.fields["N"], "domain": everywhere(2)}
    yield Need("regions", {**place, "sense": "exactly", "count": 3})
    yield from (need for _, need in found)


def _weighted(instance: Instance) -> Network:
    network = instance.network("N")
    rows = (row for layer in network.layers[1:] for row in layer.rows)
    require(all(all(row[:-1]) for row in rows), "a weight after the first layer is 0")
    return network


@lemma(
    "S004-distinct-maps: N p q",
    "different activation regions have different affine maps, if no weight after the "
    "first layer is 0",
)
def _distinct_maps(instance: Instance) -> Iterator[Need]:
    network = _weighted(instance)
    dim = network.widths[0]
    found = [_inside(network, instance.vector(name, dim), instance) for name in "pq"]
    maps = [
        [
            affine_function(network, active_units(signs), output, instance.proof)
            for output in range(len(network.layers[-1].rows))
        ]
        for signs, _ in found
    ]
    require(maps[0] in maps[1:], "the affine maps differ")
    require(len({signs for signs, _ in found}) > 1, "p and q are in one region")
    yield from (need for _, need in found)


@lemma(
    "S004-one-switch: N p q",
    "if one of the nodes does not switch between p and q, the value in the middle is the "
    "mean of those at p and q",
)
def _one_switch(instance: Instance) -> Iterator[Need]:
    network, proof = instance.network("N"), instance.proof
    dim = network.widths[0]
    p, q = (instance.vector(name, dim) for name in "pq")
    (left, before), (right, after) = (evaluate(network, x, proof) for x in (p, q))
    pairs = zip("".join(before), "".join(after), strict=True)
    require(any(pair in (("+", "+"), ("-", "-")) for pair in pairs), "every node switches")
    sums = [dot(pair, (q.den, p.den), proof) for pair in zip(p.nums, q.nums, strict=True)]
    both = 2 * multiply(p.den, q.den, proof)
    den, (nums,) = lowest_terms(both, [sums], proof)
    middle = Vector(den, nums)
    half, _ = evaluate(network, middle, proof)
    weights = (
        multiply(right.den, half.den, proof),
        multiply(left.den, half.den, proof),
        -2 * multiply(left.den, right.den, proof),
    )
    triples = zip(left.nums, right.nums, half.nums, strict=True)
    wrong = [dot(triple, weights, proof) for triple in triples]
    require(any(wrong), "the value in the middle is the mean")
    yield from (value_at(instance.fields["N"], point) for point in (p, q, middle))


@lemma(
    "S004-width-two: N p",
    "all activation regions of a network on the plane are unbounded, if its hidden layers "
    "have at most two nodes and no weight after the first layer is 0",
)
def _width_two(instance: Instance) -> Iterator[Need]:
    network = _weighted(instance)
    dim, *hidden, _ = network.widths
    require(
        dim in (2,) and max(hidden, default=3) < 3, "N is not on the plane, or too wide"
    )
    signs, needed = _inside(network, instance.vector("p", dim), instance)
    yield needed
    masks = active_units(signs)
    rows: list[object] = []
    for layer, of_layer in enumerate(signs):
        for unit, sign in enumerate(of_layer):
            form = affine_function(network, masks[:layer], unit, instance.proof)
            oriented = form if sign == "+" else opposite(form)
            rows.append(
                ["gt", hexadecimal(lowest_terms(0, [oriented], instance.proof)[1][0])]
            )
    yield Need("bounded", {"system": {"dim": dim, "rows": rows}, "holds": True})


LEMMAS = table(vars())
