"""Random three-layer networks, and equality of two networks decided cell by cell."""

from __future__ import annotations

import random
from itertools import pairwise

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO
from exactrelu.network.network import Layer, Network, evaluate, local_affine_map
from exactrelu.questions.regions import regions


def random_network(rng: random.Random, widths: tuple[int, ...], height: int = 5) -> Network:
    """Integer weights, zeros too."""

    def entries(n: int) -> list[int]:
        return [rng.randint(-height, height) for _ in range(n)]

    weights = [[entries(n) for _ in range(m)] for n, m in pairwise(widths)]
    return Network.from_arrays(weights, [entries(m) for m in widths[1:]])


def signed_network(rng: random.Random, widths: tuple[int, ...], kind: str) -> Network:
    """A three-layer network whose second layer is all dead, linear, hiding or mirrored."""
    network = random_network(rng, widths)
    n_1 = widths[1]
    hidden = rng.randrange(n_1)

    def sign(k: int) -> int:
        if kind == "hidden":
            return 1 if k == hidden else -1
        if kind == "mirror":
            return -1 if k < n_1 else 1
        return {"dead": -1, "linear": 1}[kind]

    rows = [[sign(k) * rng.randint(1, 9) for k in range(n_1 + 1)] for _ in range(widths[2])]
    return Network((network.layers[0], Layer(Matrix(rows)), network.layers[2]))


def beside(a: Network, b: Network) -> Network:
    """x ↦ a(x) − b(x) as one network, for networks of the same depth."""
    layers = []
    last = len(a.layers) - 1
    for l, (one, two) in enumerate(zip(a.layers, b.layers, strict=True)):
        top, bottom = one.affine.rows(), two.affine.rows()
        if l == 0:
            rows = [*top, *bottom]
        elif l < last:
            rows = [(*r[:-1], *(ZERO,) * two.n_inputs, r[-1]) for r in top]
            rows += [(*(ZERO,) * one.n_inputs, *r) for r in bottom]
        else:
            rows = [
                (*r[:-1], *(-x for x in s[:-1]), r[-1] - s[-1])
                for r, s in zip(top, bottom, strict=True)
            ]
        layers.append(Layer(Matrix(rows)))
    return Network(tuple(layers))


def same_function(a: Network, b: Network) -> bool:
    """On every region of the difference its affine map is 0; and at points, as another way."""
    difference = beside(a, b)
    found = regions(difference, certify=False)
    maps = (local_affine_map(difference, region.pattern) for region in found.regions)
    by_regions = all(m.matrix.is_zero and not any(m.offset) for m in maps)
    rng = random.Random(0)
    points = [[rng.randint(-20, 20) for _ in range(a.n_inputs)] for _ in range(60)]
    by_points = all(evaluate(a, x) == evaluate(b, x) for x in points)
    assert by_points or not by_regions
    return by_regions
