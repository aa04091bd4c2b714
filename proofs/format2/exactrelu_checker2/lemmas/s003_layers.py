"""What the counterexamples of s003 about layers and networks must show."""

from collections.abc import Callable, Iterator
from itertools import combinations

from ..numbers import Row
from ..objects import Matrix
from .lemma import (
    Instance,
    Need,
    about,
    combine,
    derived,
    domain_json,
    dot,
    everywhere,
    matrix_json,
    multiply,
    require,
    value_at,
)
from .s003_claims import given, linear, whole
from .s003_claims import layer as layer_is


def basis(instance: Instance) -> Iterator[Need]:
    layer = linear(instance)
    n = layer.width - 1
    x = instance.vector("x", n).nums
    active = [row[:-1] for row in layer.rows if dot(row[:-1], x, instance.proof) >= 0]
    require(len({tuple(row) for row in active}) > n, "the active rows are no more than a basis")
    entries = matrix_json(layer.den, active, instance.proof)
    matrix = {"cols": n, "matrix": entries, "rows": len(active)}
    yield Need("rank", {"matrix": matrix, "rank": n})


def lemma_1(instance: Instance) -> Iterator[Need]:
    layer = instance.hidden_layer("N")
    kept = [[*row[:-1], 0] for row in layer.rows if row[-1] >= 0]
    require(bool(kept), "no bias is nonnegative: the rows that are left are no layer")
    yield given(instance, True)
    yield layer_is(instance, False, layer.den, kept)


def corollary_1(instance: Instance) -> Iterator[Need]:
    network = instance.network("N")
    hidden = len(network.layers) - 1
    require(hidden >= 1, "there is no hidden layer")
    for number in range(1, hidden + 1):
        yield given(instance, True, number)
    yield whole(instance.fields["N"], False, network.widths[0], hidden + 1)


def converse(instance: Instance) -> Iterator[Need]:
    network = instance.network("N")
    require(len(network.layers) == 3, "there are not two hidden layers")
    yield whole(instance.fields["N"], True, network.widths[0], 3)
    yield given(instance, False, 2)


def near_origin(instance: Instance) -> Iterator[Need]:
    n = instance.hidden_layer("N").width - 1
    sides = [(*(sign * (k == j) for k in range(n)), 1) for j in range(n) for sign in (1, -1)]
    yield given(instance, True, domain=domain_json(n, "ge", sides))
    yield given(instance, False)


def half_space(instance: Instance) -> Iterator[Need]:
    layer = linear(instance)
    p = instance.vector("p", layer.width - 1).nums
    require(any(p), "p is 0")
    yield from _many_rows(instance, layer, p)


def mean_row(instance: Instance) -> Iterator[Need]:
    layer = linear(instance)
    total = combine((1,) * len(layer.rows), layer.rows, instance.proof)
    yield from _many_rows(instance, layer, total[:-1])


def _many_rows(instance: Instance, layer: Matrix, p: Row) -> Iterator[Need]:
    """Injective, though more than m - n rows have w.p >= 0."""
    many = [row for row in layer.rows if dot(row[:-1], p, instance.proof) >= 0]
    require(len(many) > len(layer.rows) - len(p), "not more than m - n rows")
    yield given(instance, True)


def shift(instance: Instance) -> Iterator[Need]:
    return _between(instance, lambda c, t: c != 0)


def factor(instance: Instance) -> Iterator[Need]:
    return _between(instance, lambda c, t: c > 0 and not any(t))


def _between(instance: Instance, allowed: Callable[[int, Row], bool]) -> Iterator[Need]:
    """Injective, but not with x -> cx + t after the first layer."""
    network = instance.network("N")
    require(len(network.layers) == 3, "there are not two hidden layers")
    first, second, last = network.layers
    c, t = instance.rational("c"), instance.vector("t", network.widths[1])
    require(allowed(c.nums[0], t.nums), "there is no such normalization")
    yield whole(instance.fields["N"], True, network.widths[0], 3)
    factor = multiply(c.nums[0], t.den, instance.proof)
    rows = [
        [
            *(multiply(factor, w, instance.proof) for w in row[:-1]),
            multiply(c.den, dot(row, (*t.nums, t.den), instance.proof), instance.proof),
        ]
        for row in second.rows
    ]
    den = second.den * c.den * t.den
    layers = [(first.den, first.rows), (den, rows), (last.den, last.rows)]
    changed = derived(layers, instance.proof)
    yield whole(changed, False, network.widths[0], 3)


def row_factors(instance: Instance) -> Iterator[Need]:
    layer = instance.hidden_layer("N")
    d = instance.vector("d", len(layer.rows))
    require(min(d.nums) > 0, "a factor is not positive")
    yield given(instance, True)
    rows = [
        [*(multiply(f, w, instance.proof) for w in row[:-1]), d.den * row[-1]]
        for f, row in zip(d.nums, layer.rows, strict=True)
    ]
    yield layer_is(instance, False, layer.den * d.den, rows)


def lemma_4(instance: Instance) -> Iterator[Need]:
    layer = instance.hidden_layer("N")
    unbiased = [[*row[:-1], 0] for row in layer.rows]
    yield layer_is(instance, True, layer.den, unbiased)
    yield given(instance, False)


def wedges(instance: Instance) -> Iterator[Need]:
    layer, proof = linear(instance), instance.proof
    x, y = (instance.vector(name, layer.width - 1).nums for name in ("x", "y"))
    ends = [(dot(row[:-1], x, proof), dot(row[:-1], y, proof)) for row in layer.rows]
    require(all(multiply(a, b, proof) < 0 for a, b in ends), "a row does not change its sign")
    # Rows i and j are 0 at the same point of the segment iff a_i b_j = a_j b_i.
    same = (dot((a, -b), (d, c), proof) == 0 for (a, b), (c, d) in combinations(ends, 2))
    require(not any(same), "two rows change at one point")
    yield given(instance, True)


def frame_bound(instance: Instance) -> Iterator[Need]:
    layer = linear(instance)
    require(all(map(any, layer.rows)), "a row is 0")
    yield about("transparent", instance.fields["N"], everywhere(layer.width - 1))
    yield given(instance, False)


def lower_bound(instance: Instance) -> Iterator[Need]:
    layer, proof = linear(instance), instance.proof
    require(layer.width < 3 and all(map(any, layer.rows)), "n > 1, or a row is 0")
    x, y = instance.vector("x", 1), instance.vector("y", 1)
    u, v = multiply(x.nums[0], y.den, proof), multiply(y.nums[0], x.den, proof)
    weights = [row[0] for row in layer.rows]
    sides = [max(w, 0) for w in weights], [max(-w, 0) for w in weights]
    least = min(dot(side, side, proof) for side in sides)
    steps = [max(multiply(w, u, proof), 0) - max(multiply(w, v, proof), 0) for w in weights]
    left, right = dot(steps, steps, proof), least * (u - v) * (u - v)
    # A frame bound may be a singular value or its square: the bound fails for both.
    fails = left < right and left * layer.den * layer.den < least * right
    require(fails, "the lower bound holds")
    yield given(instance, True)


def zero_column(instance: Instance) -> Iterator[Need]:
    layer = linear(instance)
    x = instance.vector("x", layer.width - 1)
    require(not all(map(any, [*zip(*layer.rows, strict=True)][:-1])), "no column is 0")
    values = [dot(row[:-1], x.nums, instance.proof) for row in layer.rows]
    require(all(values), "a row is 0 at the point")
    yield value_at(instance.fields["N"], x)
