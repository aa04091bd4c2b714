"""Random properties for the tests of chains and bounds."""

from __future__ import annotations

import random
from itertools import pairwise

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.property import Property


def network(rng: random.Random, widths: tuple[int, ...], share: float = 0.25) -> Network:
    """A network with small integer weights, and some linear units."""
    layers = []
    for l, (n, m) in enumerate(pairwise(widths), 2):
        rows = [[rng.randint(-4, 4) for _ in range(n + 1)] for _ in range(m)]
        is_last = l == len(widths)
        linear = [i for i in range(1, m + 1) if not is_last and rng.random() < share]
        layers.append(Layer(Matrix(rows), tuple(linear)))
    return Network(tuple(layers))


def nearby(rng: random.Random, f: Network) -> Network:
    """The same network but for a few weights."""
    layers = []
    for layer in f.layers:
        rows = [
            [x + rng.choice((0, 0, 0, 1)) * rng.randint(-1, 1) for x in row]
            for row in layer.affine.flint_rows()
        ]
        layers.append(Layer(Matrix(rows), layer.linear))
    return Network(tuple(layers))


def case(rng: random.Random, n: int, m: int, n_rows: int, offset: int = 20) -> LinearSystem:
    """Rows over (x, y)."""
    rows = []
    for _ in range(n_rows):
        weights = [rng.randint(-2, 2) for _ in range(n + m)]
        sense = rng.choice((Sense.AT_LEAST, Sense.GREATER))
        rows.append(Row.of(weights, rng.randint(-3 * offset, offset), sense))
    return LinearSystem(n + m, tuple(rows))


def one(rng: random.Random, *, flat: bool = False, rows: bool = False) -> Property:
    """One network on a box, on a part of a hyperplane, or with more rows."""
    n = rng.randint(2, 3)
    f = network(rng, (n, rng.randint(2, 5), rng.randint(2, 4), 2))
    system = LinearSystem.box([(f"{-rng.randint(1, 5)}/3", f"{rng.randint(1, 5)}/3")] * n)
    more = []
    if flat:
        more.append(Row.of([1, *[rng.randint(-2, 2) for _ in range(n - 1)]], 0, Sense.EQUAL))
    if rows:
        more += [Row.of([rng.randint(1, 3), -1, *[0] * (n - 2)], 1)]
    domain = Domain.of(LinearSystem(n, (*system.rows, *more)), n)
    cases = tuple(case(rng, n, 2, rng.randint(1, 2)) for _ in range(rng.randint(1, 2)))
    return Property((f,), domain, cases)


def pair(rng: random.Random, *, is_linked: bool = True) -> Property:
    """Two networks of one shape that differ a little, mostly on one input."""
    n = 2
    f = network(rng, (n, rng.randint(2, 4), rng.randint(2, 3), 1))
    g = nearby(rng, f)
    rows = list(LinearSystem.box([(-1, 1)] * (2 * n)).rows)
    if is_linked:
        links = ([int(j == i) - int(j == i + n) for j in range(2 * n)] for i in range(n))
        rows += [Row.of(link, 0, Sense.EQUAL) for link in links]
    domain = Domain.of(LinearSystem(2 * n, tuple(rows)), 2 * n)
    bound = rng.randint(1, 40)
    above = (Row.of([*[0] * (2 * n), sign, -sign], -bound, Sense.GREATER) for sign in (1, -1))
    return Property((f, g), domain, tuple(LinearSystem(2 * n + 2, (row,)) for row in above))


def jagged(bound: str = "799/100") -> Property:
    """Σ |x − k/8| for k < 16 is at least 8, and bounds on wide boxes are far from that."""
    rows = [[sign] for _ in range(16) for sign in (1, -1)]
    bias = [-sign * k / 8 for k in range(16) for sign in (1, -1)]
    f = Network.from_arrays([rows, [[1] * 32]], [bias, [0]])
    below = LinearSystem(2, (Row.of((0, -1), bound),))
    return Property((f,), Domain.of("box:-10,10", 1), (below,))
