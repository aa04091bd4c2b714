"""The functional dimension: how many directions of parameter space change the function.

It is the rank of the derivatives ∂f_o(x)/∂θ over all points x where f is affine near x
and all outputs o.  On a region these are affine in x: with masks I_l of its pattern,
a_l = I_l z_l, the derivative by W_l[j,k] is (∂z_L,o/∂z_l,j)·a_{l−1},k(x), so that the
coefficients of x_1, …, x_n and 1 span all of them, and no more points are needed.

It is at most #parameters − #hidden neurons, because scalings do not change f.  If it is equal,
the network is *locally* identifiable: the values at finitely many points have constant rank
near θ, so their fiber is a manifold of as many dimensions as there are hidden neurons, and the
scalings fill it.  If it is smaller, nothing follows.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Unpack

from flint import fmpq, fmpz_mat, nmod_mat

from exactrelu.certificates.certificate import Certificate, claim, record
from exactrelu.certificates.evidence import kernel_record, minor_record
from exactrelu.effort import Effort, Limits
from exactrelu.exact.linear import kernel, modular_minor, pivot_columns, rank, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import word_primes
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.network.network import Network, Pattern, preactivation_maps, trace
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.regions import regions

#: Beyond this the rank is computed modulo a prime at sample points: a lower bound.
EXACT_PARAMETERS = 600
#: Beyond these the functional dimension is not computed by default.
MAX_PARAMETERS = 2_500
MAX_REGIONS = 2_000
#: Larger minors are not written: elimination is cubic in the checker.
MAX_MINOR = 400
#: Points that are tried where there are more regions.
N_SAMPLES = 512


@dataclass(frozen=True)
class FunctionalDimension:
    """``value`` on the regions of ``points``: a lower bound unless they are all regions."""

    network: Network
    place: Domain
    value: int
    points: tuple[Vector, ...]
    is_complete: bool

    @property
    def upper_bound(self) -> int:
        """#parameters − #hidden neurons: scalings never change the function."""
        return self.network.n_parameters - self.network.n_hidden_neurons

    @property
    def is_locally_identifiable(self) -> bool | None:
        """True if the bound is met; None if nothing follows."""
        return True if self.value == self.upper_bound else None

    @property
    def lower_certificate(self) -> Certificate | None:
        """At least ``value``: the points of the regions that count, and a minor.

        None if it is large, and on a flat domain.
        """
        if self.value > MAX_MINOR or self.place.is_flat:
            return None
        minor = modular_minor(self._jacobian(), self.value)
        records = (record("points", points=list(self.points)), minor_record(minor))
        return claim(
            "functional-dimension-at-least",
            records,
            network=self.network,
            domain=self.place.inside,
            rank=len(minor.rows),
        )

    @property
    def certificate(self) -> Certificate | None:
        """Exactly ``value`` on the regions of the points; there is none on a flat domain."""
        if self.place.is_flat:
            return None
        proof = rank_proof(self._jacobian())
        records = (minor_record(proof.minor), kernel_record(proof.kernel))
        return claim(
            "functional-dimension",
            records,
            network=self.network,
            points=list(self.points),
            rank=proof.rank,
        )

    def _jacobian(self) -> Matrix:
        """With each block of columns as the checker scales it, so that kernels agree."""
        network = self.network
        rows = [
            row
            for point in self.points
            for row in jacobian(network, trace(network, point).pattern).rows()
        ]
        dens = [fmpq(layer.affine.integer_form[1]) for layer in network.layers]
        scales = [
            math.prod((d for k, d in enumerate(dens) if k != l), start=fmpq(1))
            for l in range(len(dens))
        ]
        factors = [
            scale
            for scale, layer in zip(scales, network.layers, strict=True)
            for _ in range(layer.affine.n_rows * layer.affine.n_columns)
        ]
        return Matrix(rows, network.n_parameters) @ Matrix.diagonal(factors)

    def text(self) -> str:
        sign = "" if self.is_complete else "at least "
        return (
            f"functional dimension {sign}{self.value} of at most {self.network.n_parameters} − "
            f"{self.network.n_hidden_neurons} = {self.upper_bound}"
        )


def functional_dimension(
    network: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> FunctionalDimension:
    """The rank of the derivatives over all regions in the relative interior of the domain.

    On a flat domain these are the derivatives of the restriction.  Over a limit, and with many
    parameters, it is a lower bound, from sample points.  A region on which a neuron is 0
    throughout has no derivative and does not count.

    >>> abs_ = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> functional_dimension(abs_).value
    4
    """
    effort = Effort.of(limits)
    left = effort.left("regions")
    max_regions = MAX_REGIONS if left is None else left
    timeout = effort.seconds_left()
    place = Domain.of(domain, network.n_inputs)
    if network.n_parameters > EXACT_PARAMETERS:
        return _modular(network, place)
    found = regions(network, place, max_regions=max_regions, timeout=timeout, certify=False)
    if found.is_complete:
        points = [region.point for region in found.regions if _is_smooth(region.pattern)]
        is_complete = len(points) == found.n_regions
    else:
        points, is_complete = _sample_points(network, place), False
    jacobians = {point: _derivatives(network, place, point) for point in points}
    chosen = _spanning(jacobians, network.n_parameters)
    value = rank(_stacked(jacobians, chosen, network.n_parameters))
    return FunctionalDimension(network, place, value, chosen, is_complete)


def _modular(network: Network, place: Domain) -> FunctionalDimension:
    """A lower bound from about twice as many points as could be needed, modulo a prime."""
    height = network.n_outputs * (place.inner_dimension + 1)
    most = 2 * network.n_parameters // height + 8
    points = tuple(_sample_points(network, place)[:most])
    rows = [row for point in points for row in _derivatives(network, place, point).rows()]
    stacked = Matrix(rows, network.n_parameters).integer_form[0]
    value = int(nmod_mat(stacked, next(word_primes())).rank())
    return FunctionalDimension(network, place, value, points, False)


def _derivatives(network: Network, place: Domain, point: Vector) -> Matrix:
    """The derivatives on the region of a point, as functions on the affine hull of the domain.

    Along x = g + G·t the coefficient of t_k is Σ_j G_jk times that of x_j, that of 1 is the value
    at g.
    """
    found = jacobian(network, trace(network, point).pattern)
    if not place.is_flat:
        return found
    n, d = place.dimension, place.inner_dimension
    origin = place.lift((ZERO,) * d)
    units = ([fmpq(int(i == k)) for i in range(d)] for k in range(d))
    columns = [(*place.lift_direction(unit), ZERO) for unit in units]
    chart = Matrix([*columns, (*origin, fmpq(1))], n + 1)
    blocks = (
        chart @ found.take(rows=range(o * (n + 1), (o + 1) * (n + 1)))
        for o in range(network.n_outputs)
    )
    return Matrix([row for block in blocks for row in block.rows()], network.n_parameters)


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
            row if s > 0 else (ZERO,) * (n + 1) for row, s in zip(affine.rows(), signs, strict=True)
        ]
        incoming.append(Matrix([*rows, identity.row(n)]))
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
                for slope in slopes.row(o)
                for entry in inputs.column(c)
            ]
            for o in range(network.n_outputs)
            for c in range(n + 1)
        ]
    )


def _is_smooth(pattern: Pattern) -> bool:
    return all(s != 0 for layer in pattern for s in layer)


def _sample_points(network: Network, place: Domain) -> list[Vector]:
    """Points of different regions near a point inside the domain and far from it."""
    base = place.coordinates(place.point)
    rng = random.Random(0)
    found: dict[Pattern, Vector] = {}
    for k in range(N_SAMPLES):
        scale = fmpq(2) ** (k % 16 - 8)
        inner = tuple(t + scale * rng.randint(-99, 99) for t in base)
        if place.inside.contains(inner):
            point = place.lift(inner)
            pattern = trace(network, point).pattern
            if _is_smooth(pattern):
                found.setdefault(pattern, point)
    return list(found.values())


def _spanning(jacobians: Mapping[Vector, Matrix], width: int) -> tuple[Vector, ...]:
    """Points whose rows span those of all points: modulo a prime, then exactly."""
    prime = next(word_primes())
    pivots: tuple[int, ...] = ()
    basis = nmod_mat(0, width, prime)
    chosen: list[Vector] = []
    for point, matrix in jacobians.items():
        rows = nmod_mat(matrix.integer_form[0], prime)
        if pivots:
            part = nmod_mat(
                rows.nrows(),
                len(pivots),
                [rows[i, j] for i in range(rows.nrows()) for j in pivots],
                prime,
            )
            rows -= part * basis
        if any(int(x) for x in rows.entries()):
            chosen.append(point)
            stacked = nmod_mat(
                basis.nrows() + rows.nrows(), width, [*basis.entries(), *rows.entries()], prime
            )
            reduced, n_pivots = stacked.rref()
            pivots = pivot_columns(reduced, n_pivots)
            basis = nmod_mat(n_pivots, width, reduced.entries()[: n_pivots * width], prime)
    # What the prime made dependent by accident is found by the kernel.
    while True:
        null = kernel(_stacked(jacobians, chosen, width).integer_form[0])
        columns = fmpz_mat(
            len(null.vectors), width, [x for v in null.vectors for x in v]
        ).transpose()
        missed = next(
            (p for p, A in jacobians.items() if any((A.integer_form[0] * columns).entries())), None
        )
        if missed is None:
            return tuple(chosen)
        chosen.append(missed)


def _stacked(jacobians: Mapping[Vector, Matrix], points: Iterable[Vector], width: int) -> Matrix:
    return Matrix([row for point in points for row in jacobians[point].rows()], width)
