"""Statements of Rolnick and Kording, *Reverse-engineering deep ReLU networks*, appendix.

N of widths n-m-1 is a unit z as a function of the input; its hidden units are those of the
layer before, z' is number ``h`` of them, and near a point p on both boundaries p - ed and p
+ ed are the points p_r and p_s, for small e > 0. Gradients are integers over the
denominators of both layers.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

from ..numbers import Row, Rows
from ..objects import Network, Vector
from .asked import derived, equal, everywhere, generic, value_at, vector_json
from .exact import combine, dot, evaluate, multiply, parallel
from .lemma import Instance, Need, lemma, require, table

_ZERO = vector_json(Vector(1, (0,)))


class _Unit(NamedTuple):
    """N, its JSON, and the vectors W_i (gradient of hidden unit i), times both
    denominators.
    """

    network: Network
    given: Any
    weighted: list[list[int]]


def _unit(instance: Instance) -> _Unit:
    network = instance.network("N")
    require(network.widths[2:] == (1,), "N is no unit")
    first, (weights, *_) = network.layers[0].rows, network.layers[1].rows
    rows = [
        [multiply(weight, entry, instance.proof) for entry in row[:-1]]
        for weight, row in zip(weights, first, strict=False)
    ]
    return _Unit(network, instance.fields["N"], rows)


class _Corner(NamedTuple):
    """The gradients of z at p_r and p_s, and that p is on the boundary of z."""

    network: Network
    before: Row
    after: Row
    need: Need


def _corner(instance: Instance) -> _Corner:
    unit = _unit(instance)
    rows = unit.network.layers[0].rows
    width = len(rows[0]) - 1
    p, d, h = instance.vector("p", width), instance.vector("d", width), instance.index("h")
    (signs,) = evaluate(unit.network, p, instance.proof)[1]
    require(h < len(signs) and signs[h] == "0", "z' is not 0 at p")
    require("0" not in signs[:h] + signs[h + 1 :], "another unit is 0 at p")
    require(any(unit.weighted[h]), "z does not depend on z'")
    slope = dot(rows[h][:-1], d.nums, instance.proof)
    require(slope != 0, "p_r and p_s are not on two sides of z'")
    active = [int(sign == "+") for sign in signs]
    sides = [combine(active, unit.weighted, instance.proof)]
    active[h] = 1
    sides.insert(slope > 0, combine(active, unit.weighted, instance.proof))
    before, after = sides
    return _Corner(unit.network, before, after, value_at(unit.given, p, output=_ZERO))


@lemma(
    "S000-bend: N d h p",
    "where the boundary of z meets that of z', a unit of the layer before, and the "
    "gradient of z differs on the two sides, the boundary of z bends",
)
def _bend(instance: Instance) -> Iterator[Need]:
    corner = _corner(instance)
    require(len(corner.before) > 1, "nothing bends on a line")
    require(any(corner.before) and any(corner.after), "the gradient is 0 on a side")
    require(
        parallel(corner.before, corner.after, instance.proof), "the boundary of z bends"
    )
    yield corner.need


@lemma(
    "S000-scale: N c d h p",
    "if v_r = grad z(p_r) and v_s = c grad z(p_s) has length 1, c > 0, then c v_s - v_r "
    "is W grad z' or its opposite, as z' is active at p_s or not",
)
def _scale(instance: Instance) -> Iterator[Need]:
    corner, c, proof = _corner(instance), instance.rational("c"), instance.proof
    positive = max(c.nums[0], 0)
    top, below = multiply(positive, positive, proof), multiply(c.den, c.den, proof)
    first, second = corner.network.layers
    one = multiply(first.den, second.den, proof)
    length = dot(corner.after, corner.after, proof)
    scaled = multiply(multiply(one, one, proof), below, proof)
    require(
        multiply(top, length, proof) == scaled, "c is not positive, or v_s has not length 1"
    )
    # c v_s = c^2 g with the gradient g at p_s, and the right side is that of c^2 = 1.
    require(top != below, "the equation holds")
    yield corner.need


@lemma(
    "S000-indicator: N h p t",
    "the indicator of z' at p is (1 + t e)/2, where v = t grad z', t is 1 or -1, e is 1 "
    "if p and v are on the same side of the boundary of z' and 0 otherwise",
)
def _indicator(instance: Instance) -> Iterator[Need]:
    unit, t, h = _unit(instance), instance.sign("t"), instance.index("h")
    rows = unit.network.layers[0].rows
    p = instance.vector("p", len(rows[0]) - 1)
    (signs,) = evaluate(unit.network, p, instance.proof)[1]
    require(h < len(signs) and any(rows[h][:-1]), "there is no boundary of z'")
    # On the side of v the formula gives 1 and 0, as it should; on the other side 1/2.
    require(signs[h] == {1: "-", -1: "+"}[t], "p is on the side of v, or on the boundary")
    yield value_at(unit.given, p)


@lemma(
    "S000-orientation: N d h p s t",
    "s t' = 1 iff v = t grad z' points towards p_s, where s and t are the signs of z and "
    "z', t' = 1 if z' is inactive at p_r and t' = -1 if it is inactive at p_s",
)
def _orientation(instance: Instance) -> Iterator[Need]:
    corner = _corner(instance)
    # v points towards p_s iff t t' = 1: so the product s t' tells it iff s = t.
    require(instance.sign("s") != instance.sign("t"), "the product tells the side")
    yield corner.need


def _system(instance: Instance) -> tuple[Vector, list[Need]]:
    """Return u, which solves the equations at the points P, and that these are on z = 0."""
    unit = _unit(instance)
    rows = unit.network.layers[0].rows
    for one, other in combinations(rows, 2):
        require(
            not parallel(one, other, instance.proof), "two boundaries lie in one hyperplane"
        )
    require(all(map(any, unit.weighted)), "a weight of z is 0")
    u = instance.vector("u", len(rows) + 1)
    seen: list[str] = []
    needs: list[Need] = []
    for point in instance.points("P", len(rows) + 1, len(rows[0]) - 1):
        (signs,) = evaluate(unit.network, point, instance.proof)[1]
        active = [int(sign == "+") for sign in signs]
        gradient = combine(active, unit.weighted, instance.proof)
        require(any(gradient), "the gradient of z is 0")
        both = zip(u.nums[1:], active, strict=True)
        factors = [t + u.den * (2 * on - 1) for t, on in both]
        right = combine(factors, unit.weighted, instance.proof)
        wrong = [
            dot((2, -1), (u.den * a, b), instance.proof)
            for a, b in zip(gradient, right, strict=True)
        ]
        require(not any(wrong), "u does not solve the equation")
        seen.append(signs)
        needs.append(value_at(unit.given, point, output=_ZERO))
    for of_unit in zip(*seen, strict=True):
        require(set(of_unit) == {"+", "-"}, "P is not on both sides of every boundary")
    return u, needs


@lemma(
    "S000-sign-of-z: N P u",
    "the equations for the signs at points on the boundary of z determine the sign of z",
)
def _sign_of_z(instance: Instance) -> Iterator[Need]:
    u, needs = _system(instance)
    require(all(abs(t) == u.den for t in u.nums), "u has other entries than signs")
    require(-u.den in u.nums[:1], "the sign of z is right")
    yield from needs


@lemma(
    "S000-signs: N P u",
    "the equations for the signs at points on the boundary of z, on both sides of each "
    "boundary of the layer before, determine the signs of that layer",
)
def _signs(instance: Instance) -> Iterator[Need]:
    u, needs = _system(instance)
    require(all(abs(t) == u.den for t in u.nums), "u has other entries than signs")
    _, *others = u.nums
    require(-u.den in others, "the signs are right")
    yield from needs


@lemma(
    "S000-constraints: N P u",
    "points on the boundary of z, on both sides of each of the n boundaries of the layer "
    "before, give linear equations for the n signs of that layer that have one solution",
)
def _constraints(instance: Instance) -> Iterator[Need]:
    u, needs = _system(instance)
    require(u.nums[0] == u.den, "u has another sign of z")
    require(any(t != u.den for t in u.nums), "the solution is right")
    yield from needs


@lemma(
    "S000-regions-assumption: N p",
    "the gradient of a generic network jumps across the boundary of a unit, at points on "
    "no other boundary",
)
def _regions_assumption(instance: Instance) -> Iterator[Need]:
    network, proof = instance.network("N"), instance.proof
    p = instance.vector("p", network.widths[0])
    signs = evaluate(network, p, proof)[1]
    require("".join(signs).count("0") == 1, "not just one unit is 0 at p")
    layer = next(number for number, of_layer in enumerate(signs) if "0" in of_layer)
    unit = signs[layer].index("0")
    seen = tuple(row[unit] for row in network.layers[layer + 1].rows)
    for of_layer, after in zip(
        signs[layer + 1 :], network.layers[layer + 2 :], strict=True
    ):
        active = [
            entry if sign == "+" else 0 for entry, sign in zip(seen, of_layer, strict=True)
        ]
        seen = tuple(dot(row[:-1], active, proof) for row in after.rows)
    require(not any(seen), "the gradient jumps")
    yield value_at(instance.fields["N"], p)
    yield from generic(instance.fields["N"], network.widths[0])


@lemma(
    "S000-visible: N i",
    "if a network with two hidden layers is generic, n_0 and n_1 are at least 2 and no "
    "unit of layer 2 has only nonpositive weights and bias, its gradient jumps somewhere "
    "on each hyperplane of the first layer",
)
def _visible(instance: Instance) -> Iterator[Need]:
    network, i = instance.network("N"), instance.index("i")
    widths = network.widths
    require(
        len(widths) == 4 and min(widths[:2]) > 1 and i < widths[1], "N has other widths"
    )
    first, second, third = network.layers
    require(all(max(row) > 0 for row in second.rows), "a unit of layer 2 is dead")
    yield from generic(instance.fields["N"], widths[0])
    opposite = [-entry for entry in first.rows[i]]
    wider = [[*row[:-1], -row[i], row[-1]] for row in second.rows]
    layers: list[tuple[int, Rows]] = [
        (first.den, [*first.rows, opposite]),
        (second.den, wider),
        (third.den, third.rows),
    ]
    yield equal(
        instance.fields["N"], derived(layers, instance.proof), everywhere(widths[0])
    )


LEMMAS = table(vars())
