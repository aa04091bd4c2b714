"""Regions, gradients and distances over Fraction, from the definitions."""

from __future__ import annotations

from fractions import Fraction

from exactrelu.exact.scalar import fraction
from exactrelu.network.network import Network
from exactrelu.questions.local.places import Local

Rows = list[list[Fraction]]


def hidden_rows(network: Network, pattern: object) -> list[list[list[Fraction]]]:
    """[a…, b] of every hidden neuron where the pattern holds, layer by layer, by substitution."""
    n = network.n_inputs
    forms: Rows = [[Fraction(int(i == j)) for j in range(n + 1)] for i in range(n)]
    result = []
    for layer, signs in zip(network.layers, [*pattern, None], strict=True):  # type: ignore[misc]
        rows: Rows = []
        for weights, bias in zip(layer.weights.rows(), layer.bias, strict=True):
            row = [Fraction(0)] * n + [fraction(bias)]
            for w, form in zip(weights, forms, strict=True):
                row = [r + fraction(w) * f for r, f in zip(row, form, strict=True)]
            rows.append(row)
        result.append(rows)
        if signs is not None:
            forms = [
                row if s > 0 else [Fraction(0)] * (n + 1)
                for row, s in zip(rows, signs, strict=True)
            ]
    return result


def distances(network: Network, x: list[Fraction], pattern: object) -> tuple[object, object]:
    """The least |a·x + b|/|a|₁ and (a·x + b)²/|a|² over the neurons that are not constant."""
    linf, l2 = [], []
    for rows in hidden_rows(network, pattern)[:-1]:
        for *a, b in rows:
            if any(a):
                value = sum((p * v for p, v in zip(a, x, strict=True)), b)
                linf.append(abs(value) / sum(map(abs, a)))
                l2.append(value**2 / sum(p * p for p in a))
    return min(linf, default=None), min(l2, default=None)


def found_distances(found: Local, k: int) -> tuple[object, object]:
    boundary = found.places[k].boundary
    return tuple(d and fraction(d.value) for d in (boundary.linf, boundary.l2_squared))  # type: ignore[return-value]
