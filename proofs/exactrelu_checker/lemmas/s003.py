"""Statements of Puthawala et al., *Globally injective ReLU networks*.

A matrix W, or the rows of kernels, come as a network with one hidden layer ReLU(Wx) without
bias.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, product

from ..numbers import Row, Rows
from ..objects import Matrix, Vector
from .asked import about, derived, domain_json, everywhere, matrix_json, value_at
from .exact import combine, dot, lowest_terms, multiply
from .lemma import Fields, Instance, Need, lemma, require, table


def _linear(instance: Instance) -> Matrix:
    """Return the rows (W | 0) of the hidden layer."""
    layer = instance.hidden_layer("N")
    require(not any(row[-1] for row in layer.rows), "a bias is not 0")
    return layer


def _given(
    instance: Instance, holds: bool, number: int = 1, domain: Fields | None = None
) -> Need:
    """Ask whether a layer of N, from 1, is one-to-one, on all of space or a domain."""
    place = domain or everywhere(instance.network("N").widths[number - 1])
    fields = {
        "network": instance.fields["N"],
        "layer": number,
        "domain": place,
        "holds": holds,
    }
    return Need("layer-injective", fields)


def _layer_is(instance: Instance, holds: bool, den: int, rows: Rows) -> Need:
    """Ask whether the layer with rows (W | b) = rows / den is one-to-one on all of
    space.
    """
    network = derived([(den, rows), (1, [[0] * (len(rows) + 1)])], instance.proof)
    place = everywhere(len(rows[0]) - 1)
    fields = {"network": network, "layer": 1, "domain": place, "holds": holds}
    return Need("layer-injective", fields)


def _whole(network: object, holds: bool, dim: int, last: int) -> Need:
    """Ask whether a network is one-to-one on all of space."""
    fields = {"network": network, "first": 0, "last": last, "domain": everywhere(dim)}
    return Need("injective", {**fields, "holds": holds})


@lemma(
    "S003-definition-1-basis: N x",
    "if the rows of W with w.x >= 0 span R^n, the set of them is a basis",
)
def basis(instance: Instance) -> Iterator[Need]:
    layer = _linear(instance)
    n = layer.width - 1
    x = instance.vector("x", n).nums
    active = [row[:-1] for row in layer.rows if dot(row[:-1], x, instance.proof) >= 0]
    require(
        len({tuple(row) for row in active}) > n, "the active rows are no more than a basis"
    )
    entries = matrix_json(layer.den, active, instance.proof)
    matrix = {"cols": n, "matrix": entries, "rows": len(active)}
    yield Need("rank", {"matrix": matrix, "rank": n})


@lemma(
    "S003-lemma-1: N",
    "if ReLU(Wx + b) is injective, so is ReLU(W'x), W' the rows of W with b >= 0",
)
def lemma_1(instance: Instance) -> Iterator[Need]:
    layer = instance.hidden_layer("N")
    kept = [[*row[:-1], 0] for row in layer.rows if row[-1] >= 0]
    require(bool(kept), "no bias is nonnegative: the rows that are left are no layer")
    yield _given(instance, True)
    yield _layer_is(instance, False, layer.den, kept)


@lemma(
    "S003-corollary-1: N",
    "if every hidden layer is injective, so is the network",
)
def corollary_1(instance: Instance) -> Iterator[Need]:
    network = instance.network("N")
    hidden = len(network.layers) - 1
    require(hidden >= 1, "there is no hidden layer")
    for number in range(1, hidden + 1):
        yield _given(instance, True, number)
    yield _whole(instance.fields["N"], False, network.widths[0], hidden + 1)


@lemma(
    "S003-corollary-1-converse: N",
    "if a network with two hidden layers is injective, so is its second layer",
)
def converse(instance: Instance) -> Iterator[Need]:
    network = instance.network("N")
    require(len(network.layers) == 3, "there are not two hidden layers")
    yield _whole(instance.fields["N"], True, network.widths[0], 3)
    yield _given(instance, False, 2)


@lemma(
    "S003-necessary-near-origin: N",
    "if ReLU(Wx + b) is injective for -1 <= x <= 1, it is injective on R^n",
)
def near_origin(instance: Instance) -> Iterator[Need]:
    n = instance.hidden_layer("N").width - 1
    instance.proof.allocate(2 * n * n)
    sides = [
        (*(sign * (k == j) for k in range(n)), 1) for j in range(n) for sign in (1, -1)
    ]
    yield _given(instance, True, domain=domain_json(n, "ge", sides))
    yield _given(instance, False)


@lemma(
    "S003-closed-half-space: N p",
    "if p is not 0 and w.p >= 0 for more than m - n rows, ReLU(Wx) is not injective",
)
def half_space(instance: Instance) -> Iterator[Need]:
    layer = _linear(instance)
    p = instance.vector("p", layer.width - 1).nums
    require(any(p), "p is 0")
    yield from _many_rows(instance, layer, p)


@lemma(
    "S003-mean-row: N",
    "if w.v >= 0 for more than m - n rows, v the mean of the rows, ReLU(Wx) is not "
    "injective",
)
def mean_row(instance: Instance) -> Iterator[Need]:
    layer = _linear(instance)
    total = combine((1,) * len(layer.rows), layer.rows, instance.proof)
    yield from _many_rows(instance, layer, total[:-1])


def _many_rows(instance: Instance, layer: Matrix, p: Row) -> Iterator[Need]:
    """Injective, though more than m - n rows have w.p >= 0."""
    many = [row for row in layer.rows if dot(row[:-1], p, instance.proof) >= 0]
    require(len(many) > len(layer.rows) - len(p), "not more than m - n rows")
    yield _given(instance, True)


@lemma(
    "S003-renormalization: N c t",
    "if a network with two hidden layers is injective, it is with x -> cx + t, c not 0, "
    "between them",
)
def shift(instance: Instance) -> Iterator[Need]:
    return _between(instance, lambda c, t: c != 0)


@lemma(
    "S003-spectral-normalization: N c t",
    "if a network with two hidden layers is injective, it is with x -> cx, c > 0, between "
    "them",
)
def factor(instance: Instance) -> Iterator[Need]:
    return _between(instance, lambda c, t: c > 0 and not any(t))


def _between(instance: Instance, allowed: Callable[[int, Row], bool]) -> Iterator[Need]:
    """Injective, but not with x -> cx + t after the first layer."""
    network = instance.network("N")
    require(len(network.layers) == 3, "there are not two hidden layers")
    first, second, last = network.layers
    c, t = instance.rational("c"), instance.vector("t", network.widths[1])
    require(allowed(c.nums[0], t.nums), "there is no such normalization")
    yield _whole(instance.fields["N"], True, network.widths[0], 3)
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
    yield _whole(changed, False, network.widths[0], 3)


@lemma(
    "S003-weight-normalization: N d",
    "if ReLU(Wx + b) is injective, so is ReLU(DWx + b), D a positive diagonal matrix",
)
def row_factors(instance: Instance) -> Iterator[Need]:
    layer = instance.hidden_layer("N")
    d = instance.vector("d", len(layer.rows))
    require(min(d.nums) > 0, "a factor is not positive")
    yield _given(instance, True)
    rows = [
        [*(multiply(f, w, instance.proof) for w in row[:-1]), d.den * row[-1]]
        for f, row in zip(d.nums, layer.rows, strict=True)
    ]
    yield _layer_is(instance, False, layer.den * d.den, rows)


@lemma(
    "S003-lemma-4: N",
    "if ReLU(Wx) is injective, so is the network ReLU(Wx + b)",
)
def lemma_4(instance: Instance) -> Iterator[Need]:
    layer = instance.hidden_layer("N")
    unbiased = [[*row[:-1], 0] for row in layer.rows]
    yield _layer_is(instance, True, layer.den, unbiased)
    yield _given(instance, False)


@lemma(
    "S003-theorem-4-wedges: N x y",
    "if ReLU(Wx) is injective, the segment from x to y passes through at most m wedges",
)
def wedges(instance: Instance) -> Iterator[Need]:
    layer, proof = _linear(instance), instance.proof
    x, y = (instance.vector(name, layer.width - 1).nums for name in ("x", "y"))
    ends = [(dot(row[:-1], x, proof), dot(row[:-1], y, proof)) for row in layer.rows]
    require(
        all(multiply(a, b, proof) < 0 for a, b in ends), "a row does not change its sign"
    )
    # Rows i and j are 0 at the same point of the segment iff a_i b_j = a_j b_i.
    same = (dot((a, -b), (d, c), proof) == 0 for (a, b), (c, d) in combinations(ends, 2))
    require(not any(same), "two rows change at one point")
    yield _given(instance, True)


@lemma(
    "S003-proposition-1-if: N",
    "if no row of W is 0 and every x has a row with w.x >= 0, so that A_0 > 0, ReLU(Wx) is "
    "injective",
)
def frame_bound(instance: Instance) -> Iterator[Need]:
    layer = _linear(instance)
    require(all(map(any, layer.rows)), "a row is 0")
    yield about("transparent", instance.fields["N"], everywhere(layer.width - 1))
    yield _given(instance, False)


@lemma(
    "S003-proposition-1-lower: N x y",
    "if ReLU(Wx) is injective, n = 1, A_0 |x - y| <= |ReLU(Wx) - ReLU(Wy)|",
)
def lower_bound(instance: Instance) -> Iterator[Need]:
    layer, proof = _linear(instance), instance.proof
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
    yield _given(instance, True)


@lemma(
    "S003-zero-column: N x",
    "if a column of W is 0, every x has a row with w.x = 0: no set is admissible",
)
def zero_column(instance: Instance) -> Iterator[Need]:
    layer = _linear(instance)
    x = instance.vector("x", layer.width - 1)
    require(not all(map(any, [*zip(*layer.rows, strict=True)][:-1])), "no column is 0")
    values = [dot(row[:-1], x.nums, instance.proof) for row in layer.rows]
    require(all(values), "a row is 0 at the point")
    yield value_at(instance.fields["N"], x)


def _padded(instance: Instance) -> tuple[Matrix, list[list[int]]]:
    """Return the kernels and their shifts within P, with bias 0."""
    layer, size = _linear(instance), instance.index("P")
    gap = size - layer.width + 1
    require(gap >= 0, "the kernels are wider than P")
    instance.proof.allocate(len(layer.rows) * size * (gap + 1))
    shifts = product(layer.rows, range(gap + 1))
    # A row of the layer ends with its bias 0, which comes first when it is turned around.
    return layer, [
        [*[0] * shift, *row[-2::-1], *[0] * (gap - shift + 1)] for row, shift in shifts
    ]


def _convolution(layer: Matrix, n: int, instance: Instance) -> list[list[int]]:
    """Return the rows of (Cx)_J = sum of c_(O-I+1) x_(J+I), J = 1, ..., n, with bias 0."""
    instance.proof.allocate(len(layer.rows) * n * (n + layer.width))
    return [
        [*[*[0] * J, *row[-2::-1], *[0] * n][:n], 0]
        for row, J in product(layer.rows, range(1, n + 1))
    ]


@lemma(
    "S003-theorem-3: N P n",
    "if O <= P <= n and the layer of all shifts of the kernels within P is injective, so "
    "is the convolution (Cx)_J = sum of c_(O-I+1) x_(J+I) with zeros beyond the edges",
)
def theorem_3(instance: Instance) -> Iterator[Need]:
    layer, shifts = _padded(instance)
    n = instance.index("n")
    require(instance.index("P") <= n, "P is larger than N")
    yield _layer_is(instance, True, layer.den, shifts)
    yield _layer_is(instance, False, layer.den, _convolution(layer, n, instance))


@lemma(
    "S003-lemma-3: N V n",
    "if V + O <= n, the kernel shifted by V is a row of the convolution (Cx)_J = sum of "
    "c_(O-I+1) x_(J+I) with zeros beyond the edges",
)
def lemma_3(instance: Instance) -> Iterator[Need]:
    layer, shift, n = _linear(instance), instance.index("V"), instance.index("n")
    require(len(layer.rows) < 2, "there is more than one kernel")
    gap = n - shift - layer.width + 1
    require(gap >= 0, "the shifted kernel is too long")
    rows = _convolution(layer, n, instance)
    row = [*[0] * shift, *layer.rows[0][-2::-1], *[0] * gap]
    values = [dot((*row, 0), other, instance.proof) for other in rows]
    require(dot(row, row, instance.proof) not in values, "the shifted kernel may be a row")
    den, (nums,) = lowest_terms(layer.den, [row], instance.proof)
    yield value_at(derived([(layer.den, rows)], instance.proof), Vector(den, nums))


@lemma(
    "S003-kernel-count: N P",
    "if the layer of all shifts of q kernels of width O within P > O is injective, q >= "
    "2/(1 - O/P)",
)
def kernel_count(instance: Instance) -> Iterator[Need]:
    layer, shifts = _padded(instance)
    size = instance.index("P")
    # q < 2 / (1 - O/P)
    gap = size - layer.width + 1
    require(
        gap > 0 and len(layer.rows) * gap < size + size, "there are as many kernels as said"
    )
    yield _layer_is(instance, True, layer.den, shifts)


@lemma(
    "S003-example-1: height width",
    "the layer with the 2 x 2 kernels 3 at one place and -1 elsewhere and their opposites "
    "is injective on periodic images",
)
def example_1(instance: Instance) -> Iterator[Need]:
    height, width = instance.index("height"), instance.index("width")
    require(min(height, width) >= 2, "the kernels do not fit")
    instance.proof.allocate(8 * height * height * width * width)
    rows: list[list[int]] = []
    for sign, peak, i, j in product((1, -1), range(4), range(height), range(width)):
        row = [0] * (height * width + 1)
        for k, (a, b) in enumerate(product(range(2), repeat=2)):
            row[(i + a) % height * width + (j + b) % width] += sign * (
                3 if k == peak else -1
            )
        rows.append(row)
    yield _layer_is(instance, False, 1, rows)


@lemma(
    "S003-appendix-F: N s",
    "if C and s are not 0, the layer ReLU([C; -ssC]x) is injective",
)
def appendix_f(instance: Instance) -> Iterator[Need]:
    layer, s = _linear(instance), instance.rational("s")
    require(any(map(any, layer.rows)) and s.nums[0] != 0, "C or s is 0")
    up, down = (multiply(part, part, instance.proof) for part in (s.den, s.nums[0]))
    rows = [[f * w for w in row] for f in (up, -down) for row in layer.rows]
    yield _layer_is(instance, False, layer.den * up, rows)


LEMMAS = table(vars())
