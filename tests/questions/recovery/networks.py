"""Random networks to recover: float32 weights, as dyadics, or small rationals."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Network


def random_network(widths: tuple[int, ...], seed: int, kind: str = "float32") -> Network:
    rng = random.Random(seed)

    def number() -> Any:
        if kind == "float32":
            return float(np.float32(rng.gauss(0, 1)))
        return fmpq(rng.randint(-9, 9), rng.randint(1, 9))

    weights = [[[number() for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)]
    return Network.from_arrays(weights, [[number() for _ in range(m)] for m in widths[1:]])


class OnlyCallable:
    """A black box of which nothing can be asked but values; it remembers where it was asked."""

    __slots__ = ("_evaluate", "asked")

    def __init__(self, network: Network) -> None:
        self._evaluate = network.__call__
        self.asked: list[Vector] = []

    def __call__(self, x: Vector) -> Iterable[Any]:
        self.asked.append(x)
        return self._evaluate(x)
