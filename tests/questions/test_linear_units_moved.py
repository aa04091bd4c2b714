"""What may be done with linear units without changing the function, or its regions.

Each is scaled by any c ≠ 0; those of a layer are replaced by an invertible combination; one that
others of its layer make is dropped and expanded into the next layer; a layer of linear units only
is composed with the next one, or put in anywhere; and a ReLU that is ≥ 0 on the domain is made
linear.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network, Pattern
from exactrelu.network.roles import bounded_signs
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.regions import regions
from tests.checking import assert_accepted
from tests.linear_units import FractionRow, random_domain, random_network, rows_of
from tests.seeds import seeds

Rows = list[FractionRow]


def with_rows(network: Network, l: int, rows: Rows, next_rows: Rows, linear: list[int]) -> Network:
    """The network with other layers l and l + 1, from 0."""
    changed = Layer(Matrix(rows, len(rows[0])), tuple(linear))
    following = network.layers[l + 1].with_affine(Matrix(next_rows, len(next_rows[0])))
    return Network((*network.layers[:l], changed, following, *network.layers[l + 2 :]))


def chosen(rng: random.Random, network: Network) -> tuple[int, Rows, Rows, list[int]] | None:
    """A layer with linear units, its rows and the next ones, and the units from 0."""
    places = [l for l, layer in enumerate(network.layers) if layer.linear]
    if not places:
        return None
    l = rng.choice(places)
    units = [i - 1 for i in network.layers[l].linear]
    return l, rows_of(network.layers[l]), rows_of(network.layers[l + 1]), units


def factor(rng: random.Random) -> Fraction:
    size = rng.choice((Fraction(1), Fraction(3, 7), Fraction(2) ** 1000, Fraction(2) ** -1000))
    return rng.choice((-1, 1)) * size


def scaled(rng: random.Random, network: Network) -> Network | None:
    """Rows times c, columns by c."""
    if (place := chosen(rng, network)) is None:
        return None
    l, rows, following, units = place
    for i in units:
        c = factor(rng)
        rows[i] = [c * x for x in rows[i]]
        for row in following:
            row[i] /= c
    return with_rows(network, l, rows, following, [i + 1 for i in units])


def combined(rng: random.Random, network: Network) -> Network | None:
    """Row operations on linear units, and what undoes them on the columns."""
    if (place := chosen(rng, network)) is None:
        return None
    l, rows, following, units = place
    for _ in range(3):
        i, j = rng.choice(units), rng.choice(units)
        if i == j:
            continue
        # z_i + c·z_j for z_i.
        c = factor(rng) * rng.randint(0, 2)
        rows[i] = [x + c * y for x, y in zip(rows[i], rows[j], strict=True)]
        for row in following:
            row[j] -= c * row[i]
    return with_rows(network, l, rows, following, [i + 1 for i in units])


def repeated(rng: random.Random, network: Network) -> Network | None:
    """One more linear unit, a combination of the others and 1, read in place of a part of them.

    Dropping it expands it into the next layer.
    """
    if (place := chosen(rng, network)) is None:
        return None
    l, rows, following, units = place
    weights = {i: Fraction(rng.randint(-2, 2)) for i in units}
    constant = Fraction(rng.randint(-2, 2))
    new = [sum(c * rows[i][k] for i, c in weights.items()) for k in range(len(rows[0]))]
    new[-1] += constant
    at = rng.randint(0, len(rows))
    for row in following:
        read = Fraction(rng.randint(-2, 2))
        for i, c in weights.items():
            row[i] -= read * c
        row[-1] -= read * constant
        row.insert(at, read)
    rows.insert(at, new)
    linear = sorted([at + 1, *(i + 1 + (i >= at) for i in units)])
    return with_rows(network, l, rows, following, linear)


def carried(rng: random.Random, network: Network) -> Network | None:
    """What a layer reads, or less than it in other coordinates, through a layer without neurons."""
    l = rng.randrange(len(network.layers))
    layer = network.layers[l]
    n = layer.n_inputs
    if n == 0:
        return None
    order = rng.sample(range(n), n)
    shift = [Fraction(rng.randint(-2, 2)) for _ in range(n)]
    scale = [factor(rng) for _ in range(n)]
    rows = [[Fraction(0)] * n + [s] for s in shift]
    following = [[Fraction(0)] * n + [row[-1]] for row in rows_of(layer)]
    for i, j in enumerate(order):
        rows[i][j] = scale[i]
        for new, row in zip(following, rows_of(layer), strict=True):
            new[i] = row[j] / scale[i]
            new[-1] -= new[i] * shift[i]
    carry = Layer(Matrix(rows), tuple(range(1, n + 1)))
    after = layer.with_affine(Matrix(following, n + 1))
    return Network((*network.layers[:l], carry, after, *network.layers[l + 1 :]))


def composed(_: random.Random, network: Network) -> Network | None:
    """All layers without neurons, expanded into the next ones."""
    layers = list(network.layers)
    while any(all(layer.passes) for layer in layers[:-1]):
        l = next(l for l, layer in enumerate(layers) if all(layer.passes))
        first, second = rows_of(layers[l]), rows_of(layers[l + 1])
        width = len(first[0])
        rows = []
        for row in second:
            form = [sum(w * r[k] for w, r in zip(row, first, strict=False)) for k in range(width)]
            form[-1] += row[-1]
            rows.append(form)
        layers[l : l + 2] = [layers[l + 1].with_affine(Matrix(rows, width))]
    return Network(tuple(layers)) if len(layers) < len(network.layers) else None


MOVES: dict[str, Callable[[random.Random, Network], Network | None]] = {
    "scaled": scaled,
    "combined": combined,
    "repeated": repeated,
    "carried": carried,
    "composed": composed,
}


def neuron_signs(network: Network, pattern: Pattern) -> Pattern:
    """The signs of neurons alone, without layers that have none."""
    layers = zip(network.layers, pattern, strict=False)
    kept = (
        tuple(s for s, is_linear in zip(signs, layer.passes, strict=True) if not is_linear)
        for layer, signs in layers
    )
    return tuple(signs for signs in kept if signs)


@pytest.mark.parametrize("seed", seeds(10, 400))
@pytest.mark.parametrize("move", MOVES)
def test_moves_change_neither_function_nor_regions(move: str, seed: int, tmp_path) -> None:
    rng = random.Random(f"{move} {seed}")
    moved = None
    while moved is None:
        network = random_network(rng, most=3)
        moved = MOVES[move](rng, network)
    domain = random_domain(rng, network.n_inputs)
    one, other = regions(network, domain), regions(moved, domain)
    assert sorted(neuron_signs(network, r.pattern) for r in one.regions) == sorted(
        neuron_signs(moved, r.pattern) for r in other.regions
    )
    assert one.n_linear_regions == other.n_linear_regions
    assert one.n_affine_maps == other.n_affine_maps
    assert {*one.by_affine_map} == {*other.by_affine_map} or one.place.is_flat
    faces = polyhedral_complex(network, domain)
    assert faces.f_vector == polyhedral_complex(moved, domain).f_vector
    equal = equivalent(network, moved, domain)
    assert equal.answer is True
    assert largest_difference(network, moved, domain).largest.value == 0
    assert_accepted([equal.certificate, other.certificate], tmp_path)


@pytest.mark.parametrize("seed", seeds(20, 400))
def test_a_neuron_that_is_not_negative_may_be_linear(seed: int, tmp_path) -> None:
    rng = random.Random(f"bounds {seed}")
    network, passing = None, []
    while not passing:
        network = random_network(rng, most=3, kind="small")
        domain = rng.choice(
            [LinearSystem.box([(0, 2)] * network.n_inputs), random_domain(rng, network.n_inputs)]
        )
        passing = [place for place, s in bounded_signs(network, domain).items() if s > 0]
    layers = list(network.layers)
    for l, i in passing:
        layers[l] = Layer(layers[l].affine, tuple(sorted({*layers[l].linear, i + 1})))
    moved = Network(tuple(layers))
    equal = equivalent(network, moved, domain)
    assert equal.answer is True
    one, other = regions(network, domain), regions(moved, domain)
    assert one.n_regions == other.n_regions
    assert one.n_linear_regions == other.n_linear_regions
    assert {*one.by_affine_map} == {*other.by_affine_map} or one.place.is_flat
    assert_accepted([equal.certificate, other.certificate], tmp_path)
