"""Statements of Sattelberg et al., *Locally linear attributes of ReLU neural networks*."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ..integers import dot, lowest_terms, multiply
from ..network import Network
from ..rules.proportional import affine_function
from ..values import RationalMatrix, RationalVector
from .lemma import (
    Instance,
    Lemma,
    Need,
    active_units,
    everywhere,
    gt_row,
    require,
    value_need,
)

#: 2 ReLU(x + y + 1) - 4 ReLU(x + y) - 1.
_XOR = Network(
    (RationalMatrix(1, ((1, 1, 1), (1, 1, 0)), 3), RationalMatrix(1, ((2, -4, -1),), 3)),
)


def _xor(instance: Instance) -> Network:
    network = instance.network("N")
    require(network in (_XOR,), "N is not the network (2)")
    return network


def _xor_values(instance: Instance) -> Iterator[Need]:
    network, x = _xor(instance), instance.vector("x", 2)
    squares = [multiply(entry, entry, instance.budget) for entry in x.nums]
    require(squares == [x.den, x.den], "x is not in {-1, 1}^2")
    output, _ = network.evaluate(x, instance.budget)
    require((-x.nums[0] * x.nums[1],) not in (output.nums,), "the value is that of XOR, -xy")
    yield value_need(network, x)


def _inside(
    network: Network, point: RationalVector, instance: Instance
) -> tuple[tuple[str, ...], Need]:
    """Return the signs at a point where no hidden unit is 0, and the claim of the value there."""
    signs = network.evaluate(point, instance.budget)[1]
    require("0" not in "".join(signs), "a hidden unit is 0")
    return signs, value_need(network, point)


def _xor_dual(instance: Instance) -> Iterator[Need]:
    """Three regions and a point in each: the maps are -2x-2y+1, 2x+2y+1 and -1, never -x-y."""
    network = _xor(instance)
    found = [_inside(network, point, instance) for point in instance.points("P", 3, 2)]
    require(len({signs for signs, _ in found}) > 2, "the points are not in three regions")
    place = {"network": network.as_json(), "domain": everywhere(2)}
    yield Need(("regions",), {**place, "n_regions": 3})
    yield from (need for _, need in found)


def _weighted(instance: Instance) -> Network:
    network = instance.network("N")
    rows = (row for layer in network.layers[1:] for row in layer.rows)
    require(all(all(row[:-1]) for row in rows), "a weight after the first layer is 0")
    return network


def _distinct_maps(instance: Instance) -> Iterator[Need]:
    network = _weighted(instance)
    dim = network.widths()[0]
    found = [_inside(network, instance.vector(name, dim), instance) for name in "pq"]
    maps = [
        [
            affine_function(network, (active_units(signs), output), instance.budget)
            for output in range(len(network.layers[-1].rows))
        ]
        for signs, _ in found
    ]
    require(maps[0] in maps[1:], "the affine maps differ")
    require(len({signs for signs, _ in found}) > 1, "p and q are in one region")
    yield from (need for _, need in found)


def _one_switch(instance: Instance) -> Iterator[Need]:
    network, budget = instance.network("N"), instance.budget
    dim = network.widths()[0]
    p, q = (instance.vector(name, dim) for name in "pq")
    (left, before), (right, after) = (network.evaluate(x, budget) for x in (p, q))
    pairs = zip("".join(before), "".join(after), strict=True)
    require(any(pair in (("+", "+"), ("-", "-")) for pair in pairs), "every node switches")
    sums = [dot(pair, (q.den, p.den), budget) for pair in zip(p.nums, q.nums, strict=True)]
    both = 2 * multiply(p.den, q.den, budget)
    den, (nums,) = lowest_terms(both, [sums], budget)
    middle = RationalVector(den, tuple(nums))
    half, _ = network.evaluate(middle, budget)
    wrong = [
        dot(
            (left_entry, right_entry, half_entry),
            (
                multiply(right.den, half.den, budget),
                multiply(left.den, half.den, budget),
                -2 * multiply(left.den, right.den, budget),
            ),
            budget,
        )
        for left_entry, right_entry, half_entry in zip(
            left.nums, right.nums, half.nums, strict=True
        )
    ]
    require(any(wrong), "the value in the middle is the mean")
    yield from (value_need(network, point) for point in (p, q, middle))


def _width_two(instance: Instance) -> Iterator[Need]:
    network = _weighted(instance)
    dim, *hidden, _ = network.widths()
    require(dim in (2,) and max(hidden, default=3) < 3, "N is not on the plane, or too wide")
    signs, needed = _inside(network, instance.vector("p", dim), instance)
    yield needed
    masks = active_units(signs)
    rows: list[object] = []
    for layer, of_layer in enumerate(signs):
        for unit, sign in enumerate(of_layer):
            form = affine_function(network, (masks[:layer], unit), instance.budget)
            oriented = form if sign == "+" else [-entry for entry in form]
            rows.append(gt_row(oriented, instance.budget))
    yield Need(("polyhedron-bounded",), {"system": {"dim": dim, "rows": rows}})


_PAIR = frozenset({"N", "p", "q"})

LEMMAS: Mapping[str, Lemma] = MappingProxyType(
    {
        "S004-distinct-maps": Lemma(
            "different activation regions have different affine maps, if no weight after the first "
            "layer is 0",
            _PAIR,
            _distinct_maps,
        ),
        "S004-one-switch": Lemma(
            "if one of the nodes does not switch between p and q, the value in the middle is the "
            "mean of those at p and q",
            _PAIR,
            _one_switch,
        ),
        "S004-width-two": Lemma(
            "all activation regions of a network on the plane are unbounded, if its hidden layers "
            "have at most two nodes and no weight after the first layer is 0",
            frozenset({"N", "p"}),
            _width_two,
        ),
        "S004-xor-dual": Lemma(
            "some region of the network 2 ReLU(x + y + 1) - 4 ReLU(x + y) - 1 has the affine map "
            "-x - y",
            frozenset({"N", "P"}),
            _xor_dual,
        ),
        "S004-xor-values": Lemma(
            "the network 2 ReLU(x + y + 1) - 4 ReLU(x + y) - 1 has the value of XOR on {-1, 1}^2",
            frozenset({"N", "x"}),
            _xor_values,
        ),
    }
)
