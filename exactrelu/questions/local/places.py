"""Points and the activation regions that they lie in (Sattelberg et al.; theory 7).

The region of x is {y : every hidden preactivation has at y the sign that it has at x}: the
intersection of the half-spaces ±(a·y + b) > 0 over the neurons whose preactivation a·y + b is
not constant there.  On it f(y) = W y + b.  The *dual points* of x are the rows (w_j, b_j) of
[W|b], in R^{d+1}; C_j has the dual points of output j at all sample points as its rows.

Ties: where a preactivation that is not constant is exactly 0, x lies on the boundary, the
distance is 0, and the map is one of several that agree at x (neurons at 0 count as inactive).
A preactivation that is 0 and constant near x is no tie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.network.evaluate import Evaluation, Pattern, trace_batch
from exactrelu.network.network import Network
from exactrelu.questions.local.boundary import Boundary, Distance, boundaries
from exactrelu.questions.local.pulled_back import output_maps


@dataclass(frozen=True)
class Place:
    """A point, the region that it lies in, and the boundary of it."""

    evaluation: Evaluation
    #: The number of the region, from 0, in the order in which the points meet them.
    region: int
    boundary: Boundary


@dataclass(frozen=True)
class Region:
    """A sign pattern that some points have, the map [W|b] there, and how many have it."""

    pattern: Pattern
    affine: Matrix
    n_points: int


@dataclass(frozen=True)
class Local:
    """What a network does at sample points."""

    network: Network
    places: tuple[Place, ...]
    regions: tuple[Region, ...]

    @property
    def n_on_boundary(self) -> int:
        """How many points lie on the boundary of their region."""
        return sum(1 for place in self.places if place.boundary.ties)

    @property
    def n_sharing(self) -> int:
        """How many points have another point in their region."""
        return sum(region.n_points for region in self.regions if region.n_points > 1)

    def dual_points(self, k: int) -> tuple[tuple[fmpq, ...], ...]:
        """The dual points of point k (from 0): one for each output."""
        return self.regions[self.places[k].region].affine.rows()

    @cached_property
    def dual_matrices(self) -> tuple[Matrix, ...]:
        """C_j for each output j: the dual points of all sample points."""
        rows = [region.affine.rows() for region in self.regions]
        width = self.network.n_inputs + 1
        return tuple(
            Matrix.from_entries(
                len(self.places),
                width,
                [v for place in self.places for v in rows[place.region][j]],
            )
            for j in range(self.network.n_outputs)
        )

    @cached_property
    def homogeneous_points(self) -> Matrix:
        """The points (x, 1), one row each: f_j(x) is the product with row x of C_j."""
        one = fmpq(1)
        entries = [v for place in self.places for v in (*place.evaluation.point, one)]
        return Matrix.from_entries(len(self.places), self.network.n_inputs + 1, entries)

    @property
    def certificate(self) -> Certificate:
        """The claim ``local-regions``: the region of every point and its distances."""
        distances = {
            "linf": [_value(place.boundary.linf) for place in self.places],
            "l2-squared": [_value(place.boundary.l2_squared) for place in self.places],
        }
        return claim(
            "local-regions",
            network=self.network,
            points=[place.evaluation.point for place in self.places],
            regions=[place.region for place in self.places],
            **distances,
        )


def local(
    network: Network,
    points: Iterable[Iterable[Any]],
    *,
    progress: Callable[[], object] = lambda: None,
) -> Local:
    """The regions of points, the affine maps there and the distances to their boundaries.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> found = local(xor, [(1, 1), (2, 0), (1, -1)])
    >>> [place.region for place in found.places], found.n_on_boundary
    ([0, 0, 1], 1)
    >>> nearest = found.places[0].boundary
    >>> nearest.linf, nearest.l2_squared
    (Distance(value=1, neuron=(1, 2)), Distance(value=2, neuron=(1, 2)))
    """
    evaluations = trace_batch(network, points)
    if not evaluations:
        raise InputError("found no points, expected at least one")
    members = Counter(e.pattern for e in evaluations)
    number = {pattern: i for i, pattern in enumerate(members)}
    places = []
    for e, boundary in zip(evaluations, boundaries(network, evaluations), strict=True):
        places.append(Place(e, number[e.pattern], boundary))
        progress()
    regions = zip(members, output_maps(network, list(members)), strict=True)
    return Local(
        network,
        tuple(places),
        tuple(Region(pattern, affine, members[pattern]) for pattern, affine in regions),
    )


def _value(distance: Distance | None) -> fmpq | list[fmpq]:
    """The distance; none at all, an empty list, where the region is all of space."""
    return [] if distance is None else distance.value
