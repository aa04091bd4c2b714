"""Evaluation of a network over Fraction, neuron by neuron, and random small networks."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from exactrelu.exact.scalar import fraction
from exactrelu.network.network import Network


def preactivations(network: Network, x: list[Fraction]) -> list[list[Fraction]]:
    result = []
    for l, layer in enumerate(network.layers):
        if l > 0:
            x = [max(v, Fraction(0)) for v in x]
        x = [
            sum((fraction(w) * v for w, v in zip(row, x, strict=True)), fraction(b))
            for row, b in zip(layer.weights.rows(), layer.bias, strict=True)
        ]
        result.append(x)
    return result


def random_network(rng: random.Random, widths: list[int] | None = None) -> Network:
    """Small integers, halves and dyadics; zero rows and duplicate neurons are common."""
    if widths is None:
        widths = [rng.randint(1, 4) for _ in range(rng.randint(2, 5))]
    kind = rng.choice(["ternary", "integer", "rational", "float"])
    number = {
        "ternary": lambda: rng.randint(-1, 1),
        "integer": lambda: rng.randint(-3, 3),
        "rational": lambda: Fraction(rng.randint(-9, 9), rng.randint(1, 6)),
        "float": lambda: rng.choice([0.0, rng.gauss(0, 1)]),
    }[kind]
    weights, biases = [], []
    for n, m in itertools.pairwise(widths):
        rows = [[number() for _ in range(n)] for _ in range(m)]
        bias = [number() for _ in range(m)]
        if m > 1 and rng.random() < 0.3:
            rows[-1], bias[-1] = rows[0], bias[0]
        if rng.random() < 0.2:
            rows[0] = [0] * n
        weights.append(rows)
        biases.append(bias)
    return Network.from_arrays(weights, biases, name=kind)


def random_point(rng: random.Random, n: int) -> list[Fraction]:
    return [Fraction(rng.randint(-6, 6), rng.choice([1, 1, 2, 3])) for _ in range(n)]
