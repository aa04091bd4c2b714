"""A point where a network takes a value, by Newton's steps: for many inputs.

At a point x, on a region where f is affine with the Jacobian J, the shortest step d with
J·d = y − f(x) goes to where this affine map takes the value y; what leaves the box is put back on
its sides.  Floats take such steps until f(x) is y for them.  Where there are many more inputs than
outputs steps are short and few.

The last step is exact.  At a rational point next to that of the floats as many coordinates as there
are outputs are solved for, by one small system of equations; that the point lies in the domain, and
that the value is taken there, is tested.

Symbols: x ``point``, y ``values``, J ``slopes``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import fmpq

from exactrelu.cells.chain import Floats, floats
from exactrelu.exact.linear import solve
from exactrelu.exact.scalar import Vector, rational, to_float
from exactrelu.network.network import Network, local_affine_map, trace
from exactrelu.network.roles import box_around
from exactrelu.polyhedra.domain import Domain

#: From so many inputs on linear programs on regions take longer.
MIN_INPUTS = 13
N_STEPS = 40
#: How near the values must be, as a part of their size.
NEAR = 2.0**-40
#: The digits of the point that floats found, as a part of the sides of the box.
DIGITS = 30


def taken_by_steps(network: Network, place: Domain, values: Vector) -> Vector | None:
    """Coordinates t of a point of a domain within a box where the value is taken, if one is found.

    >>> net = Network.from_arrays([[[1] * 14], [[2]]], [[-1], [1]])
    >>> found = taken_by_steps(net, Domain.of("box:0..1", 14), (fmpq(9),))
    >>> sum(found)
    5
    """
    ends = box_around(place.inside)
    if place.inner_dimension < MIN_INPUTS or any(None in pair for pair in ends):
        return None
    start = place.coordinates(place.flint_point)
    with np.errstate(all="ignore"):
        point = _near(network, ends, start, np.array([*map(to_float, values)]))
    if point is None:
        return None
    x = tuple(_rounded(value, pair) for value, pair in zip(point, ends, strict=True))
    x = _solved(network, x, values) or x
    ok = place.on_hull.contains(x) and trace(network, x).flint_output == values
    return x if ok else None


def _near(
    network: Network, ends: Sequence[Sequence[fmpq | None]], start: Vector, values: Floats
) -> Floats | None:
    """Where floats take the values, inside the box."""
    low, high = (
        np.array([to_float(x or fmpq(0)) for x in side]) for side in zip(*ends, strict=True)
    )
    layers = [floats(layer.affine) for layer in network.layers]
    linear = [np.array(layer.passes, dtype=bool) for layer in network.layers]
    if not all(bool(np.isfinite(x).all()) for x in (low, high, values, *layers)):
        return None
    x = np.array([*map(to_float, start)])
    for _ in range(N_STEPS):
        passed, slopes = x, np.eye(len(x))
        for affine, is_linear in zip(layers[:-1], linear, strict=False):
            z = affine[:, :-1] @ passed + affine[:, -1]
            is_on = (z > 0) | is_linear
            passed, slopes = z * is_on, is_on[:, None] * (affine[:, :-1] @ slopes)
        rest = values - layers[-1][:, :-1] @ passed - layers[-1][:, -1]
        if np.abs(rest).max() <= NEAR * np.abs(values).max():
            return x
        step, *_ = np.linalg.lstsq(layers[-1][:, :-1] @ slopes, rest, rcond=None)
        x = np.clip(x + step, low, high)
    return None


def _rounded(value: float, ends: Sequence[fmpq | None]) -> fmpq:
    """A short number near a float, between two ends."""
    low, high = (end or fmpq(0) for end in ends)
    part = (rational(float(value), "value") - low) / (high - low)
    digits = fmpq(1 << DIGITS)
    return low + (high - low) * (part * digits).floor() / digits


def _solved(network: Network, x: Vector, values: Vector) -> Vector | None:
    """A point next to x where the affine map there takes the values."""
    pattern = trace(network, x).pattern
    affine = local_affine_map(network, pattern)
    slopes = floats(affine.matrix)
    places = _independent(slopes)
    if len(places) < len(values):
        return None
    rest = [y - z for y, z in zip(values, trace(network, x).flint_output, strict=True)]
    step = solve(affine.matrix.take(columns=places), rest)
    if step is None:
        return None
    found = list(x)
    for j, d in zip(places, step, strict=True):
        found[j] += d
    return tuple(found)


def _independent(slopes: Floats) -> list[int]:
    """Columns far from dependent, as many as there are rows if floats see so many."""
    left, found = slopes.copy(), []
    for _ in range(len(slopes)):
        sizes = (left**2).sum(axis=0)
        j = int(sizes.argmax())
        if not sizes[j] > 0:
            break
        found.append(j)
        direction = left[:, j] / np.sqrt(sizes[j])
        left -= np.outer(direction, direction @ left)
    return found
