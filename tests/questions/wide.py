"""Networks with many inputs on small boxes, as those that look at images."""

from __future__ import annotations

import random
from itertools import pairwise

from flint import fmpq

from exactrelu.network.network import Network

WIDTHS = (40, 24, 24, 3)
RADIUS = fmpq(1, 200)


def wide_network(seed: int) -> Network:
    """Weights k/2^10 of the size of those that are trained."""
    rng = random.Random(seed)

    def numbers(m: int, size: float) -> list[fmpq]:
        return [fmpq(round(rng.gauss(0, 1) * size * 1024), 1024) for _ in range(m)]

    weights = [[numbers(m, m**-0.5) for _ in range(k)] for m, k in pairwise(WIDTHS)]
    return Network.from_arrays(weights, [numbers(k, 0.1) for k in WIDTHS[1:]])


def small_box(seed: int, times: int = 1) -> list[tuple[fmpq, fmpq]]:
    """A box around an image, most of which is 0; so many times as large as usual."""
    rng = random.Random(seed)
    image = [fmpq(rng.randint(1, 255) * (rng.random() < 0.2), 255) for _ in range(WIDTHS[0])]
    radius = times * RADIUS
    return [(x - radius, x + radius) for x in image]
