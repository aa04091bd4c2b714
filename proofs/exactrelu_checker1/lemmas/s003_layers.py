"""What the counterexamples of s003 about layers and networks must show."""

from collections.abc import Callable, Iterator
from itertools import combinations

from ..integers import columns, combine, dot, multiply
from ..values import RationalMatrix
from .lemma import Instance, Need, derived, everywhere, require
from .s003_claims import about, given, linear, whole, written


def basis(instance: Instance) -> Iterator[Need]:
    layer = linear(instance)
    n = layer.width - 1
    x = instance.vector("x", n).nums
    active = [row[:-1] for row in layer.rows if dot(row[:-1], x, instance.budget) >= 0]
    require(len({tuple(row) for row in active}) > n, "the active rows are no more than a basis")
    matrix = [*written(layer.den, active, instance)]
    yield Need(("rank",), {"cols": n, "matrix": matrix, "rank": n, "rows": len(active)})


def lemma_1(instance: Instance) -> Iterator[Need]:
    layer = instance.hidden_layer("N")
    kept = [[*row[:-1], 0] for row in layer.rows if row[-1] >= 0]
    require(bool(kept), "no bias is nonnegative: the rows that are left are no layer")
    yield given("layer-injective", instance)
    yield about("layer-not-injective", layer.den, kept, instance)


def corollary_1(instance: Instance) -> Iterator[Need]:
    network = instance.network("N")
    hidden = len(network.layers) - 1
    require(hidden >= 1, "there is no hidden layer")
    for number in range(hidden):
        yield given("layer-injective", instance, number)
    yield whole("not-injective", network.as_json(), network.widths()[0], hidden + 1)


def converse(instance: Instance) -> Iterator[Need]:
    network = instance.network("N")
    require(len(network.layers) == 3, "there are not two hidden layers")
    yield whole("injective", network.as_json(), network.widths()[0], 3)
    yield given("layer-not-injective", instance, 1)


def near_origin(instance: Instance) -> Iterator[Need]:
    n = instance.hidden_layer("N").width - 1
    sides = [[sign * (k == j) for k in range(n)] for j in range(n) for sign in (1, -1)]
    box = {"dim": n, "rows": [["ge", [f"{entry:x}" for entry in (*side, 1)]] for side in sides]}
    inside = {**given("layer-injective", instance).fields, "domain": box}
    yield Need(("layer-injective",), inside)
    yield given("layer-not-injective", instance)


def half_space(instance: Instance) -> Iterator[Need]:
    layer = linear(instance)
    p = instance.vector("p", layer.width - 1).nums
    require(any(p), "p is 0")
    yield from _many_rows(instance, layer, p)


def mean_row(instance: Instance) -> Iterator[Need]:
    layer = linear(instance)
    total = combine((1,) * len(layer.rows), columns(layer.rows, layer.width), instance.budget)
    yield from _many_rows(instance, layer, total[:-1])


def _many_rows(instance: Instance, layer: RationalMatrix, p: tuple[int, ...]) -> Iterator[Need]:
    """Injective, though more than m - n rows have w.p >= 0."""
    many = [row for row in layer.rows if dot(row[:-1], p, instance.budget) >= 0]
    require(len(many) > len(layer.rows) - len(p), "not more than m - n rows")
    yield given("layer-injective", instance)


def shift(instance: Instance) -> Iterator[Need]:
    return _between(instance, lambda c, t: c != 0)


def factor(instance: Instance) -> Iterator[Need]:
    return _between(instance, lambda c, t: c > 0 and not any(t))


def _between(instance: Instance, allowed: Callable[[int, tuple[int, ...]], bool]) -> Iterator[Need]:
    """Injective, but not with x -> cx + t after the first layer."""
    network = instance.network("N")
    require(len(network.layers) == 3, "there are not two hidden layers")
    first, second, last = network.layers
    c, t = instance.rational("c"), instance.vector("t", second.width - 1)
    require(allowed(c.nums[0], t.nums), "there is no such normalization")
    yield whole("injective", network.as_json(), network.widths()[0], 3)
    factor = multiply(c.nums[0], t.den, instance.budget)
    rows = [
        [
            *(multiply(factor, w, instance.budget) for w in row[:-1]),
            multiply(c.den, dot(row, (*t.nums, t.den), instance.budget), instance.budget),
        ]
        for row in second.rows
    ]
    den = second.den * c.den * t.den
    layers = [(first.den, first.rows), (den, rows), (last.den, last.rows)]
    changed = derived(layers, instance.budget)
    yield whole("not-injective", changed, network.widths()[0], 3)


def row_factors(instance: Instance) -> Iterator[Need]:
    layer = instance.hidden_layer("N")
    d = instance.vector("d", len(layer.rows))
    require(min(d.nums) > 0, "a factor is not positive")
    yield given("layer-injective", instance)
    rows = [
        [*(multiply(f, w, instance.budget) for w in row[:-1]), d.den * row[-1]]
        for f, row in zip(d.nums, layer.rows, strict=True)
    ]
    yield about("layer-not-injective", layer.den * d.den, rows, instance)


def lemma_4(instance: Instance) -> Iterator[Need]:
    layer = instance.hidden_layer("N")
    unbiased = [[*row[:-1], 0] for row in layer.rows]
    yield about("layer-injective", layer.den, unbiased, instance)
    yield given("layer-not-injective", instance)


def wedges(instance: Instance) -> Iterator[Need]:
    layer, budget = linear(instance), instance.budget
    x, y = (instance.vector(name, layer.width - 1).nums for name in ("x", "y"))
    ends = [(dot(row[:-1], x, budget), dot(row[:-1], y, budget)) for row in layer.rows]
    require(all(multiply(a, b, budget) < 0 for a, b in ends), "a row does not change its sign")
    # Rows i and j are 0 at the same point of the segment iff a_i b_j = a_j b_i.
    same = (dot((a, -b), (d, c), budget) == 0 for (a, b), (c, d) in combinations(ends, 2))
    require(not any(same), "two rows change at one point")
    yield given("layer-injective", instance)


def frame_bound(instance: Instance) -> Iterator[Need]:
    layer = linear(instance)
    require(all(map(any, layer.rows)), "a row is 0")
    place = {"domain": everywhere(layer.width - 1), "network": instance.network("N").as_json()}
    yield Need(("transparent",), place)
    yield given("layer-not-injective", instance)


def lower_bound(instance: Instance) -> Iterator[Need]:
    layer, budget = linear(instance), instance.budget
    require(layer.width < 3 and all(map(any, layer.rows)), "n > 1, or a row is 0")
    x, y = instance.vector("x", 1), instance.vector("y", 1)
    u, v = multiply(x.nums[0], y.den, budget), multiply(y.nums[0], x.den, budget)
    weights = [row[0] for row in layer.rows]
    sides = [max(w, 0) for w in weights], [max(-w, 0) for w in weights]
    least = min(dot(side, side, budget) for side in sides)
    steps = [max(multiply(w, u, budget), 0) - max(multiply(w, v, budget), 0) for w in weights]
    left, right = dot(steps, steps, budget), least * (u - v) * (u - v)
    # A frame bound may be a singular value or its square: the bound fails for both.
    fails = left < right and left * layer.den * layer.den < least * right
    require(fails, "the lower bound holds")
    yield given("layer-injective", instance)


def zero_column(instance: Instance) -> Iterator[Need]:
    layer = linear(instance)
    x = instance.vector("x", layer.width - 1)
    require(not all(map(any, columns(layer.rows, layer.width)[:-1])), "no column is 0")
    values = [dot(row[:-1], x.nums, instance.budget) for row in layer.rows]
    require(all(values), "a row is 0 at the point")
    point = [f"{x.den:x}", [f"{num:x}" for num in x.nums]]
    yield Need(("value",), {"network": instance.network("N").as_json(), "point": point})
