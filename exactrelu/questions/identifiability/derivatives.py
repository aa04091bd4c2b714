"""Derivatives of a network by its parameters, on a region.

On a region they are affine in x: with masks I_l of its pattern, a_l = I_l z_l, the derivative by
W_l[j,k] is (∂z_L,o/∂z_l,j)·a_{l−1},k(x).  So the coefficients of x_1, …, x_n and 1 span them all,
and no more points are needed.  On a flat domain they are functions on its affine hull.

Symbols: I_l → the signs of the pattern, ∂z_L/∂z_l → ``outgoing``, a_l → ``incoming``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from flint import fmpq

from exactrelu.effort import Effort
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.network.network import Network, Pattern, preactivation_maps, trace
from exactrelu.polyhedra.domain import Domain

#: Points that are tried where there are more regions.
N_SAMPLES = 512


def derivatives(network: Network, place: Domain, point: Vector) -> Matrix:
    """The derivatives on the region of a point, as functions on the affine hull of the domain.

    Along x = g + G·t the coefficient of t_k is Σ_j G_jk times that of x_j, that of 1 is the value
    at g.
    """
    found = jacobian(network, trace(network, point).pattern)
    if not place.is_flat:
        return found
    n, d = place.dimension, place.inner_dimension
    origin = place.flint_lift((ZERO,) * d)
    units = ([fmpq(int(i == k)) for i in range(d)] for k in range(d))
    columns = [(*place.flint_lift_direction(unit), ZERO) for unit in units]
    chart = Matrix([*columns, (*origin, fmpq(1))], n + 1)
    blocks = (
        chart @ found.take(rows=range(o * (n + 1), (o + 1) * (n + 1)))
        for o in range(network.n_outputs)
    )
    return Matrix([row for block in blocks for row in block.flint_rows()], network.n_parameters)


def jacobian(network: Network, pattern: Pattern) -> Matrix:
    """The derivatives of the outputs by the parameters on a region.

    A row for each output and each of the coefficients of x_1, …, x_n and 1; a column for
    each parameter, layer by layer, row by row of [W|b].

    >>> net = Network.from_arrays([[[2]], [[3]]], [[5], [7]])
    >>> jacobian(net, ((1,),)).rows()
    ((3, 0, 2, 0), (0, 3, 5, 1))
    """
    maps = preactivation_maps(network, pattern)
    n = network.n_inputs
    identity = Matrix.identity(n + 1)
    incoming = [identity]
    for affine, signs in zip(maps, pattern, strict=False):
        rows = [
            row if s > 0 else (ZERO,) * (n + 1)
            for row, s in zip(affine.flint_rows(), signs, strict=True)
        ]
        incoming.append(Matrix([*rows, identity.flint_row(n)]))
    outgoing = [Matrix.identity(network.n_outputs)]
    for layer, signs in zip(reversed(network.layers), reversed(pattern), strict=False):
        mask = Matrix.diagonal([fmpq(int(s > 0)) for s in signs])
        outgoing.append(outgoing[-1] @ layer.weights @ mask)
    outgoing.reverse()
    return Matrix(
        [
            [
                slope * entry
                for slopes, inputs in zip(outgoing, incoming, strict=True)
                for slope in slopes.flint_row(o)
                for entry in inputs.flint_column(c)
            ]
            for o in range(network.n_outputs)
            for c in range(n + 1)
        ]
    )


def is_smooth(pattern: Pattern) -> bool:
    """Whether no preactivation is 0, so that the function is affine near such a point."""
    return all(s != 0 for layer in pattern for s in layer)


def sample_points(network: Network, place: Domain, effort: Effort) -> Iterator[Vector]:
    """Points of different regions near a point inside the domain and far from it."""
    base = place.coordinates(place.flint_point)
    rng = random.Random(0)
    seen: set[Pattern] = set()
    for k in range(N_SAMPLES):
        effort.spend()
        scale = fmpq(2) ** (k % 16 - 8)
        inner = tuple(t + scale * rng.randint(-99, 99) for t in base)
        if place.inside.contains(inner):
            point = place.flint_lift(inner)
            pattern = trace(network, point).pattern
            if is_smooth(pattern) and pattern not in seen:
                seen.add(pattern)
                yield point
