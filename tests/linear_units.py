"""Random networks with linear units, the same functions by pairs of ReLUs, and brute force.

The *pairs* network has for each linear unit z two neurons, z = s(z) − s(−z): a plain network, for
which everything was known before there were linear units.  It has the same values, linear regions
and affine maps, and at least as many regions.

Brute force knows nothing of the library but its numbers: maps are composed over Fraction, unit by
unit, and PPL says which signs occur.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import fraction
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Layer, Network, Pattern
from exactrelu.polyhedra.polyhedron import Polyhedron

FractionRow = list[Fraction]
EQUAL = Sense.EQUAL

#: Small numbers make ties, constants, zero rows and duplicates.
NUMBERS: dict[str, Callable[[random.Random], Fraction]] = {
    "signs": lambda rng: Fraction(rng.choice((-1, 0, 0, 1))),
    "small": lambda rng: Fraction(rng.randint(-3, 3)),
    "long": lambda rng: Fraction(rng.randint(-(2**40), 2**40)),
    "ratios": lambda rng: Fraction(rng.randint(-9, 9), rng.randint(1, 6)),
    "extreme": lambda rng: rng.randint(-2, 2) * Fraction(2) ** rng.choice((-1000, 0, 0, 1000)),
}
DENSITIES = (0.15, 0.3, 0.5, 0.8)


def random_network(
    rng: random.Random,
    *,
    n_inputs: int | None = None,
    n_outputs: int | None = None,
    most: int = 4,
    deepest: int = 3,
    kind: str | None = None,
) -> Network:
    """Layers with linear units of any density, some of them without a neuron."""
    widths = [rng.choice((0, *[1] * 5, *[2] * 8, *[3] * 4)) if n_inputs is None else n_inputs]
    for _ in range(rng.randint(1, deepest)):
        widths.append(max(rng.randint(1, most), rng.randint(1, most)))
    widths.append(n_outputs or rng.randint(1, 2))
    number = NUMBERS[kind or rng.choice([*NUMBERS])]
    layers = []
    for l, (n, m) in enumerate(itertools.pairwise(widths), 1):
        rows = [[number(rng) for _ in range(n + 1)] for _ in range(m)]
        if m > 1 and rng.random() < 0.25:
            rows[-1] = [rng.choice((-1, 1, 2)) * x for x in rows[0]]
        if rng.random() < 0.15:
            rows[0] = [*[Fraction(0)] * n, rows[0][-1]]
        density = 1 if rng.random() < 0.08 else rng.choice(DENSITIES)
        is_last = l + 1 == len(widths)
        linear = [i for i in range(1, m + 1) if rng.random() < density]
        layers.append(Layer(Matrix(rows, n + 1), () if is_last else tuple(linear)))
    return Network(tuple(layers))


def random_domain(rng: random.Random, n: int) -> LinearSystem:
    """All of space, an orthant, a box, a flat box, a line or a point."""
    often = (*["space"] * 6, *["orthant"] * 3, *["box"] * 6, *["flat"] * 3, *["line"] * 3)
    kind = rng.choice((*often, "point"))
    if kind == "space":
        return LinearSystem(n)
    if kind == "orthant":
        return LinearSystem.orthant(n)
    if kind == "line" and n > 1:
        normal = [rng.randint(-2, 2) for _ in range(n)]
        return LinearSystem(n, (Row.of(normal, rng.choice((0, 1)) if any(normal) else 0, EQUAL),))
    lower = [rng.randint(-3, 0) for _ in range(n)]
    upper = [Fraction(rng.randint(1, 7), 2) for _ in range(n)]
    for k in range(n):
        if kind == "point" or (kind == "flat" and rng.random() < 0.6):
            upper[k] = Fraction(lower[k])
    return LinearSystem.box(list(zip(lower, upper, strict=True)))


def as_pairs(network: Network) -> Network:
    """The same function, with s(z) − s(−z) for each linear unit z."""
    layers = []
    before: Sequence[bool] = (False,) * network.n_inputs
    for l, layer in enumerate(network.layers):
        rows = []
        for row in rows_of(layer):
            entries: FractionRow = []
            for entry, is_linear in zip(row, before, strict=False):
                entries += [entry, -entry] if is_linear else [entry]
            rows.append([*entries, row[-1]])
        before = layer.passes
        if l + 1 < len(network.layers):
            rows = [
                turned
                for row, is_linear in zip(rows, before, strict=True)
                for turned in ([row, [-x for x in row]] if is_linear else [row])
            ]
        layers.append(Layer(Matrix(rows, len(rows[0]))))
    return Network(tuple(layers))


def rows_of(layer: Layer) -> list[FractionRow]:
    """The rows [w…, b] over Fraction."""
    return [[fraction(x) for x in row] for row in layer.affine.rows()]


def value_of(network: Network, point: Sequence[object]) -> FractionRow:
    """N(x), unit by unit."""
    values = [Fraction(str(x)) for x in point]
    for l, layer in enumerate(network.layers):
        values = [_at(row, values) for row in rows_of(layer)]
        if l + 1 < len(network.layers):
            kept = zip(values, layer.passes, strict=True)
            values = [z if is_linear else max(z, Fraction(0)) for z, is_linear in kept]
    return values


def _at(row: FractionRow, values: Sequence[Fraction]) -> Fraction:
    return sum((w * v for w, v in zip(row, values, strict=False)), row[-1])


def forms_at(network: Network, point: Sequence[Fraction]) -> dict[tuple[int, int], FractionRow]:
    """The preactivations of all neurons (layer, number), as functions [w…, b] near a point.

    Neurons that are 0 there count as inactive.
    """
    n = network.n_inputs
    inputs = [[Fraction(i == j) for j in range(n + 1)] for i in range(n)]
    found = {}
    for l, layer in enumerate(network.layers[:-1], 1):
        forms = [_composed(row, inputs, n) for row in rows_of(layer)]
        found |= {(l, i): f for i, f in enumerate(forms, 1) if i not in layer.linear}
        inputs = [
            form if is_linear or _at(form, point) > 0 else [Fraction(0)] * (n + 1)
            for form, is_linear in zip(forms, layer.passes, strict=True)
        ]
    return found


def distances_at(
    network: Network, point: Sequence[Fraction]
) -> tuple[Fraction | None, Fraction | None]:
    """The distance to the nearest neuron's zeros: in the maximum norm, and Euclidean, squared."""
    pairs = [
        (abs(_at(form, point)), form[:-1])
        for form in forms_at(network, point).values()
        if any(form[:-1])
    ]
    return (
        min((z / sum(map(abs, a)) for z, a in pairs), default=None),
        min((z * z / sum(x * x for x in a) for z, a in pairs), default=None),
    )


def signs_at(network: Network, point: Sequence[Fraction]) -> tuple[str, ...]:
    """The signs of the units at a point, a string for each hidden layer; = if linear."""
    forms = forms_at(network, point)
    return tuple(
        "".join(
            "=" if is_linear else "-0+"[1 + _sign(_at(forms[l, i], point))]
            for i, is_linear in enumerate(layer.passes, 1)
        )
        for l, layer in enumerate(network.layers[:-1], 1)
    )


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


class Face(NamedTuple):
    """A relatively open set of points with the same signs of all neurons; +1 at linear units."""

    signs: Pattern
    dimension: int
    rows: LinearSystem
    #: The affine map of the network on it, rows [w…, b].
    map: tuple[tuple[Fraction, ...], ...]


def brute_faces(network: Network, domain: LinearSystem) -> Iterator[Face]:
    """All faces on a domain with a relatively open description, one sign after the other."""
    n = network.n_inputs
    start = [[Fraction(i == j) for j in range(n + 1)] for i in range(n)]
    yield from _below(network, start, (), domain)


def _below(
    network: Network, inputs: list[FractionRow], signs: Pattern, cell: LinearSystem
) -> Iterator[Face]:
    layer = network.layers[len(signs)]
    forms = [_composed(row, inputs, network.n_inputs) for row in rows_of(layer)]
    if len(signs) + 1 == len(network.layers):
        yield Face(signs, Polyhedron(cell).dimension, cell, tuple(map(tuple, forms)))
        return
    nothing = [Fraction(0)] * (network.n_inputs + 1)
    todo: list[tuple[tuple[int, ...], LinearSystem]] = [((), cell)]
    while todo:
        known, part = todo.pop()
        if len(known) == len(forms):
            passed = [form if s > 0 else nothing for form, s in zip(forms, known, strict=True)]
            yield from _below(network, passed, (*signs, known), part)
        elif layer.passes[len(known)]:
            todo.append(((*known, 1), part))
        else:
            for sign in (-1, 0, 1):
                rows = (*part.rows, _side(forms[len(known)], sign))
                smaller = LinearSystem(part.dimension, rows)
                if not Polyhedron(smaller).is_empty:
                    todo.append(((*known, sign), smaller))


def _composed(row: FractionRow, inputs: list[FractionRow], n: int) -> FractionRow:
    form = [Fraction(0)] * n + [row[-1]]
    for w, values in zip(row, inputs, strict=False):
        form = [f + w * v for f, v in zip(form, values, strict=True)]
    return form


def _side(form: FractionRow, sign: int) -> Row:
    if sign == 0:
        return Row.of(form[:-1], form[-1], EQUAL)
    return Row.of([sign * x for x in form[:-1]], sign * form[-1], Sense.GREATER)
