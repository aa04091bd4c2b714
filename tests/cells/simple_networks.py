"""Networks with numbers of several kinds; most of their complexes are simple."""

import random
from fractions import Fraction
from itertools import pairwise

from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network

KINDS = {
    "dyadic": lambda rng: Fraction(round(64 * rng.gauss(0, 1)), 64),
    "rational": lambda rng: Fraction(rng.randint(-999, 999), rng.randint(1, 99)),
    "scaled": lambda rng: Fraction(round(2**20 * rng.gauss(0, 1)), 2 ** rng.randint(10, 60)),
    "small": lambda rng: Fraction(rng.randint(-3, 3)),
}


def random_network(rng: random.Random, kind: str, widths: list[int]) -> Network:
    number = KINDS[kind]
    W = [[[number(rng) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)]
    return Network.from_arrays(W, [[number(rng) for _ in range(m)] for m in widths[1:]])


def random_domain(rng: random.Random, n: int) -> LinearSystem:
    box = LinearSystem.box([(-1, Fraction(3, 2))] * n)
    return rng.choice([LinearSystem(n), LinearSystem.orthant(n), box]).interior()
