"""Decides claims about fold-sets and chains of bends of small networks by brute force."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

from face_truth import Complex, Signs, general
from surface_truth import Surface

Zeros = list[tuple[int, int]]


def zeros(signs: Signs) -> Zeros:
    """Return layer and number of the units that are 0."""
    return [(l, i) for l, row in enumerate(signs) for i, sign in enumerate(row) if sign == "0"]


def folds(claim: Any) -> bool:
    """Tell whether the numbers of the fold-set, its pieces and edges are as claimed."""
    surface = Surface(claim["network"], claim["domain"])
    counts = surface.counts()
    return {name: claim[name] for name in counts} == counts and surface.has_lists(claim)


def is_open(of: Complex, signs: Signs, layer: int) -> bool:
    """Tell whether a point with these signs is open for a layer."""
    widths = [of.dim, *map(len, of.layers)]
    before = signs[:layer]
    return widths[0] >= widths[layer] and not any(
        "0" in row or row.count("+") < widths[layer] for row in before
    )


def has_chain(of: Complex, layer: int, unit: int) -> bool:
    """Tell whether a chain starts at a unit, by trying all sequences of faces."""
    last = len(of.layers) - 2
    usable = [signs for signs in of.faces if is_open(of, signs, layer)]
    if layer >= last:
        wanted = [(layer, unit)] if layer == last else []
        return any(zeros(signs) == wanted for signs in usable)
    steps = [
        [s for s in usable if [m for m, _ in zeros(s)] == [k, k + 1]] for k in range(layer, last)
    ]
    return any(
        zeros(chain[0])[0] == (layer, unit)
        and all(goes_on(layer, *pair) for pair in pairwise(chain))
        for chain in product(*steps)
    )


def goes_on(layer: int, here: Signs, there: Signs) -> bool:
    """Tell whether the unit that ends at one bend goes straight on at the next."""
    (m, unit), second = zeros(here)
    if zeros(there)[0] != second:
        return False
    pairs = [
        (s, t)
        for k in range(layer, m + 1)
        for i, (s, t) in enumerate(zip(here[k], there[k], strict=True))
        if (k, i) != (m, unit)
    ]
    return all(s == t for s, t in pairs)


def no_chain(claim: Any) -> bool:
    """Tell whether no chain starts at the unit."""
    of = Complex(claim["network"], claim["domain"])
    return not has_chain(of, claim["layer"], claim["neuron"])


def determined(claim: Any) -> bool:
    """Tell whether the hypotheses of the theorem hold."""
    of = Complex(claim["network"], claim["domain"])
    widths = [of.dim, *map(len, of.layers)]
    if len(widths) < 3 or widths[-1] != 1 or widths != sorted(widths, reverse=True):
        return False
    cells = of.of_codimension(0)
    return (
        general(claim)
        and not of.has_zero_optimum()
        and all("+" in row or "0" in row for cell in cells for row in cell)
        and all(has_chain(of, l, i) for l, n in enumerate(widths[1:-1]) for i in range(n))
        and has_chain(of, len(widths) - 2, 0)
    )


FOLD_CLAIMS = {"determined": determined, "folds": folds, "no-chain": no_chain}
