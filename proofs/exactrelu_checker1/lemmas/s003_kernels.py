"""What the counterexamples of s003 about convolutions must show; a row of N is a kernel."""

from collections.abc import Iterator
from itertools import product

from ..integers import dot, multiply
from ..values import RationalMatrix
from .lemma import Instance, Need, derived, require
from .s003_claims import about, linear, written


def _padded(instance: Instance) -> tuple[RationalMatrix, list[list[int]]]:
    """Return the kernels and their shifts within P, with bias 0."""
    layer, size = linear(instance), instance.index("P")
    gap = size - layer.width + 1
    require(gap >= 0, "the kernels are wider than P")
    instance.budget.spend(len(layer.rows) * size * (gap + 1))
    shifts = product(layer.rows, range(gap + 1))
    # A row of the layer ends with its bias 0, which comes first when it is turned around.
    return layer, [[*[0] * shift, *row[-2::-1], *[0] * (gap - shift + 1)] for row, shift in shifts]


def _convolution(layer: RationalMatrix, n: int, instance: Instance) -> list[list[int]]:
    """Return the rows of (Cx)_J = sum of c_(O-I+1) x_(J+I), J = 1, ..., n, with bias 0."""
    instance.budget.spend(len(layer.rows) * n * (n + layer.width))
    return [
        [*[*[0] * J, *row[-2::-1], *[0] * n][:n], 0]
        for row, J in product(layer.rows, range(1, n + 1))
    ]


def theorem_3(instance: Instance) -> Iterator[Need]:
    layer, shifts = _padded(instance)
    n = instance.index("n")
    require(instance.index("P") <= n, "P is larger than N")
    yield about("layer-injective", layer.den, shifts, instance)
    yield about("layer-not-injective", layer.den, _convolution(layer, n, instance), instance)


def lemma_3(instance: Instance) -> Iterator[Need]:
    layer, shift, n = linear(instance), instance.index("V"), instance.index("n")
    require(len(layer.rows) < 2, "there is more than one kernel")
    gap = n - shift - layer.width + 1
    require(gap >= 0, "the shifted kernel is too long")
    rows = _convolution(layer, n, instance)
    row = [*[0] * shift, *layer.rows[0][-2::-1], *[0] * gap]
    values = [dot((*row, 0), other, instance.budget) for other in rows]
    require(dot(row, row, instance.budget) not in values, "the shifted kernel may be a row")
    den, nums = written(layer.den, [row], instance)
    network = derived([(layer.den, rows)], instance.budget)
    yield Need(("value",), {"network": network, "point": [den, nums[0]]})


def kernel_count(instance: Instance) -> Iterator[Need]:
    layer, shifts = _padded(instance)
    size = instance.index("P")
    # q < 2 / (1 - O/P)
    gap = size - layer.width + 1
    require(gap > 0 and len(layer.rows) * gap < size + size, "there are as many kernels as said")
    yield about("layer-injective", layer.den, shifts, instance)


def example_1(instance: Instance) -> Iterator[Need]:
    height, width = instance.index("height"), instance.index("width")
    require(min(height, width) >= 2, "the kernels do not fit")
    instance.budget.spend(8 * height * height * width * width)
    rows: list[list[int]] = []
    for sign, peak, i, j in product((1, -1), range(4), range(height), range(width)):
        row = [0] * (height * width + 1)
        for k, (a, b) in enumerate(product(range(2), repeat=2)):
            row[(i + a) % height * width + (j + b) % width] += sign * (3 if k == peak else -1)
        rows.append(row)
    yield about("layer-not-injective", 1, rows, instance)


def appendix_f(instance: Instance) -> Iterator[Need]:
    layer, s = linear(instance), instance.rational("s")
    require(any(map(any, layer.rows)) and s.nums[0] != 0, "C or s is 0")
    up, down = (multiply(part, part, instance.budget) for part in (s.den, s.nums[0]))
    rows = [[f * w for w in row] for f in (up, -down) for row in layer.rows]
    yield about("layer-not-injective", layer.den * up, rows, instance)
