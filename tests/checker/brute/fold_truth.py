"""Decides claims about fold-sets and chains of bends of small networks by brute force."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

from face_truth import Signs
from surface_truth import Folded, Surface, frame, is_face, refined
from truth import masked_ranks_are_maximal, no_two_are_proportional

Zeros = list[tuple[int, int]]


def zeros(signs: Signs) -> Zeros:
    """Return layer and number of the units that are 0."""
    return [(l, i) for l, row in enumerate(signs) for i, sign in enumerate(row) if sign == "0"]


def folds(claim: Any) -> bool:
    """Tell whether the numbers of the fold-set, its pieces and edges are as claimed."""
    surface = Surface(claim["network"], claim["domain"])
    counts = surface.counts()
    return {name: claim[name] for name in counts} == counts and surface.has_lists(claim)


def own_signs(claim: Any) -> tuple[list[int], list[Signs], bool]:
    """Return the widths, the signs in a domain, and whether some neuron has the optimum 0."""
    domain = claim["domain"]
    around, sides = frame(domain)
    of = Folded(refined(claim["network"], sides), around, domain)
    widths = [around["dim"], *(layer["outputs"] for layer in claim["network"]["layers"])]
    hidden = claim["network"]["layers"][:-1]
    width = hidden[0]["outputs"] if hidden else 0
    own = [(*(row[:width] for row in s[:1]), *s[1:]) for s in of.faces]
    optimum = False
    for signs in of.faces:
        cells = ["".join(s) for s in of.faces if is_face(signs, s) and not of.codimension(s)]
        for number, sign in enumerate("".join(signs)):
            if sign == "0" and not {"+", "-"} <= {cell[number] for cell in cells}:
                optimum = True
    return widths, own, optimum


def is_open(widths: list[int], signs: Signs, layer: int) -> bool:
    """Tell whether a point with these signs is open for a layer."""
    before = signs[:layer]
    return widths[0] >= widths[layer] and not any(
        "0" in row or row.count("+") < widths[layer] for row in before
    )


def has_chain(widths: list[int], faces: list[Signs], layer: int, unit: int) -> bool:
    """Tell whether a chain starts at a unit, by trying all sequences of faces."""
    last = len(widths) - 3
    usable = [signs for signs in faces if is_open(widths, signs, layer)]
    if layer > last:
        return bool(usable)
    if layer == last:
        return any((layer, unit) in zeros(signs) for signs in usable)
    steps = [
        [s for s in usable if is_bend([m for m, _ in zeros(s)], k)] for k in range(layer, last)
    ]
    return any(
        zeros(chain[0])[0] == (layer, unit)
        and all(goes_on(layer, *pair) for pair in pairwise(chain))
        for chain in product(*steps)
    )


def is_bend(layers: list[int], k: int) -> bool:
    """Tell whether zeros in these layers are one of layer k, the first, and some of the next."""
    return layers[:1] == [k] and layers.count(k) == 1 and k + 1 in layers


def goes_on(layer: int, here: Signs, there: Signs) -> bool:
    """Tell whether a unit that ends at one bend goes straight on at the next."""
    (m, unit), *others = zeros(here)
    if zeros(there)[0] not in others:
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
    widths, faces, _ = own_signs(claim)
    return not has_chain(widths, faces, claim["layer"], claim["neuron"])


def is_class(widths: list[int]) -> bool:
    """Tell whether the theorem is about these widths."""
    return len(widths) > 2 and widths[-1] == 1 and widths == sorted(widths, reverse=True)


def determined(claim: Any) -> bool:
    """Tell whether the hypotheses of the theorem hold."""
    widths, faces, optimum = own_signs(claim)
    return (
        is_class(widths)
        and masked_ranks_are_maximal(claim)
        and no_two_are_proportional(claim)
        and not optimum
        and all("+" in row or "0" in row for signs in faces for row in signs)
        and all(
            has_chain(widths, faces, l, i) for l, n in enumerate(widths[1:-1]) for i in range(n)
        )
        and has_chain(widths, faces, len(widths) - 2, 0)
    )


FOLD_KINDS: dict[str, Callable[[Any], bool]] = {
    "determined": determined,
    "folds": folds,
    "no-chain": no_chain,
}
