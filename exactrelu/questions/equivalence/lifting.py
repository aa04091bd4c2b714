"""Points where two networks differ, found in the space of first-layer preactivations.

If W1 has full row rank, then every y is y = W1 x + b1 for some x: what can be chosen for y
on the orthant or near a hyperplane y_i = 0 is lifted to inputs x.  This turns the
*no* of theory 3.7 into a point.  In this order:

1. for each neuron of the second layer, a point where it is active: where a hyperplane is
   hidden f is constant nearly everywhere, and random x find no other place;
2. if the rays of [W1|b1] are those of the other network and there are three layers: the rest
   are two shallow networks on the orthant, and y a point where they differ (theory 1.1);
3. on both sides of each hyperplane y_i = 0 that the other network does not have.

All are guesses: the networks are evaluated there, exactly.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from flint import fmpq, fmpz

from exactrelu.exact.linear import solve_wide
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network
from exactrelu.network.rewriting import ratio
from exactrelu.network.shallow import oriented, shallow_form
from exactrelu.questions.equivalence.witness import first_witness
from exactrelu.questions.shallow import nonzero_point

#: Points are rounded to so many binary places: as few as still tell the networks apart.
PLACES = (0, 8, 40, 200)
#: Distances from a hyperplane.
STEPS = (fmpq(1, 4), fmpq(1, 2**20))
#: So many places on a hyperplane are tried.
N_PLACES = 2
#: So many neurons of a layer are treated at most.
MAX_NEURONS = 128


def lifted_witness(a: Network, b: Network, domain: LinearSystem) -> Vector | None:
    """A point of the domain where the networks differ, if one is found in this way."""
    for one, other in ((a, b), (b, a)):
        if len(one.layers) < 3 or one.layers[0].n_outputs > one.n_inputs:
            continue
        for targets in _targets(one, other):
            points = _lifted(one.layers[0], targets) if targets else []
            for places in PLACES:
                rounded = (tuple(_round(v, places) for v in x) for x in points)
                inside = [x for x in rounded if domain.contains(x)]
                found = first_witness(a, b, inside) if inside else None
                if found is not None:
                    return found
    return None


def _lifted(layer: Layer, targets: Sequence[Vector]) -> list[Vector]:
    """Inputs x with Wx + b = y, for all targets y, or none where W has not full row rank."""
    shifted = [[v - b for v, b in zip(y, layer.bias, strict=True)] for y in targets]
    solved = solve_wide(layer.weights, Matrix(shifted).T)
    return [] if solved is None else list(solved.T.rows())


def _targets(one: Network, other: Network) -> Iterator[list[Vector]]:
    """Values of the first layer that may tell the networks apart."""
    rng = random.Random(one.n_inputs)
    rows = one.layers[1].affine.rows()[:MAX_NEURONS]
    yield [y for row in rows if (y := _activating(row, rng)) is not None]
    yield _shallow_difference(one, other)
    theirs = {oriented(row)[0] for row in other.layers[0].affine.rows()}
    mine = one.layers[0].affine.rows()[:MAX_NEURONS]
    near = []
    for i in (i for i, row in enumerate(mine) if oriented(row)[0] not in theirs):
        found = (y for row in rows if (y := _activating(row, rng, i)) is not None)
        for y in islice(found, N_PLACES):
            near += [(*y[:i], side, *y[i + 1 :]) for step in STEPS for side in (step, -step)]
    yield near


def _activating(row: Vector, rng: random.Random, zero: int | None = None) -> Vector | None:
    """Some y with w·s(y) + b > 0, and y_i = 0 for i = ``zero``, if there are any."""
    values = [fmpq(rng.randint(-8, 8)) for _ in row[:-1]]
    helpful = [k for k, w in enumerate(row[:-1]) if w > 0 and k != zero]
    if zero is not None:
        values[zero] = ZERO
    if not helpful:
        return tuple(min(v, ZERO) for v in values) if row[-1] > 0 else None
    value = sum((w * v for w, v in zip(row, values, strict=False) if v > 0), row[-1])
    k = rng.choice(helpful)
    if value <= 0:
        values[k] = max(values[k], ZERO) + (1 - value) / row[k]
    return tuple(values)


def _shallow_difference(one: Network, other: Network) -> list[Vector]:
    """A point of the orthant where what follows first layers with the same rays differs."""
    if not len(one.layers) == len(other.layers) == 3:
        return []
    rows, rest = one.layers[0].affine.rows(), one.layers[1:]
    places = {primitive(row): i for i, row in enumerate(rows)}
    columns = [[ZERO] * len(rows) for _ in range(other.layers[1].n_outputs)]
    weights = other.layers[1].affine.rows()
    for k, row in enumerate(other.layers[0].affine.rows()):
        i = places.get(primitive(row))
        c = None if i is None else ratio(row, rows[i])
        if i is None or c is None:
            return []
        for column, seen in zip(columns, weights, strict=True):
            column[i] += c * seen[k]
    same = Layer(
        Matrix([(*column, seen[-1]) for column, seen in zip(columns, weights, strict=True)])
    )
    orthant = LinearSystem.orthant(len(rows))
    tails = (Network(rest), Network((same, other.layers[2])))
    left, right = (shallow_form(tail, orthant) for tail in tails)
    point = nonzero_point(left - right)
    return [] if point is None else [point]


def _round(value: fmpq, places: int) -> fmpq:
    """The nearest multiple of 2^−places from below."""
    scale = fmpz(1) << places
    return fmpq(value.p * scale // value.q, scale)
