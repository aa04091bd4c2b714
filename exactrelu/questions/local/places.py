"""Sample points of a network, and the activation regions that they lie in.

**Regions** (Sattelberg et al.; theory 7).  The region of x is {y : every hidden preactivation has
at y the sign that it has at x}: the intersection of the half-spaces ±(a·y + b) > 0 over the
neurons whose preactivation a·y + b is not constant there.  On it f(y) = W y + b.  The *dual
points* of x are the rows (w_j, b_j) of [W|b], in R^{d+1}; C_j has the dual points of output j at
all sample points as its rows.

Ties: where a preactivation that is not constant is exactly 0, x lies on the boundary, the
distance is 0, and the map is one of several that agree at x (neurons at 0 count as inactive).
A preactivation that is 0 and constant near x is no tie.

There is no domain, so that no signs are known before the points are evaluated.

Symbols: [W|b] → ``SampledRegion.affine``, C_j → ``Local.dual_matrices``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Unpack

from flint import fmpq

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Found, claim
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError, place_in
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Point
from exactrelu.network.evaluation import pattern_numbers, pattern_text
from exactrelu.network.network import Evaluation, Network, Pattern, signs_text, trace_batch
from exactrelu.questions.local.boundary import Boundaries, Distance, RegionBoundary, output_maps
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words, count

#: Products of floats for one batch of points; one of exact numbers takes as long as some of them.
_MAX_PRODUCTS, _EXACT = 300_000_000, 30
#: What a certificate proves of each point.
_LISTED = ("point", "region", "linf.value", "l2_squared.value")
#: Points of a batch, however small the network.
_MAX_POINTS = 1_000


@dataclass(frozen=True)
class Place:
    """A point, the region that it lies in, and the boundary of it."""

    evaluation: Evaluation
    #: The number of the region, from 0, in the order in which the points meet them.
    region: int
    boundary: RegionBoundary


@dataclass(frozen=True)
class SampledRegion:
    """A sign pattern that some points have, the map [W|b] there, and how many have it."""

    pattern: Pattern
    affine: Matrix
    n_points: int

    @property
    def signs(self) -> str:
        """The signs of the hidden neurons as text, "+", "-" or "0", a word for each layer; "=" for
        a linear unit, which has none.
        """
        return signs_text(self.pattern)


def _words(found: Local, words: Words) -> Words:
    """The words for a list of all points, in which no two numbers look the same."""
    if not words.lists:
        return words.of_list(())
    maps = (x for region in found.regions for row in region.affine.rows() for x in row)
    points = (x for place in found.places for x in place.evaluation.point)
    distances = (d.value for place in found.places for d in place.boundary.distances)
    return words.of_list([*maps, *points, *distances])


def _lines(found: Local, words: Words) -> Iterator[str]:
    """Every point: its region, the affine map there, the distances to the boundary."""
    words = _words(found, words)
    for place in found.places:
        region = found.regions[place.region]
        point, signs = words.listed(place.evaluation.point), pattern_text(region.pattern)
        yield f"{point} in region {place.region + 1}, {signs}"
        for j, row in enumerate(region.affine.rows(), 1):
            yield words.affine_form(f"  y{j}", row[:-1], row[-1])
        yield f"  {_boundary(place.boundary, words)}"


def _boundary(boundary: RegionBoundary, words: Words) -> str:
    if not boundary.distances:
        return "no boundary: the region is all of space"
    if boundary.ties:
        neurons = ", ".join(f"({l},{i})" for l, i in boundary.ties)
        return f"on the boundary of {neurons}: counted as inactive"
    near, nearest = (
        f"{words.listed(one.value)} of ({one.neuron[0]},{one.neuron[1]})"
        for one in boundary.distances
    )
    return f"boundary at ℓ∞ {near}, ℓ2² {nearest}"


def _entries(found: Local) -> list[dict[str, Any]]:
    """What JSON has of every point."""
    return [
        {
            "point": place.evaluation.point,
            "output": place.evaluation.output,
            "region": place.region + 1,
            "pattern": pattern_numbers(region.pattern),
            "dual_points": region.affine,
            "ties": place.boundary.ties,
            "linf": _distance(place.boundary.linf),
            "l2_squared": _distance(place.boundary.l2_squared),
        }
        for place in found.places
        for region in (found.regions[place.region],)
    ]


def _distance(found: Distance | None) -> dict[str, Any] | None:
    return None if found is None else {"value": found.value, "neuron": found.neuron}


def _together(found: Local, _: Words) -> Iterator[str]:
    """What holds of all points together."""
    line = f"{found.size} of equal signs"
    if found.n_sharing:
        line += f", {found.n_sharing:,} share one"
    yield line + (f", {found.n_on_boundary:,} on a boundary" if found.n_on_boundary else "")


def _ranges(found: Local, words: Words) -> Iterator[str]:
    """Between what the distances are."""
    words = _words(found, words)
    for name, key in (("ℓ∞", "linf"), ("ℓ2²", "l2_squared")):
        values = [d.value for p in found.places if (d := getattr(p.boundary, key)) is not None]
        if values:
            low, high = words.listed(min(values)), words.listed(max(values))
            yield f"{name} distance to the boundary: from {low} to {high}"


def _is_all(found: Local) -> bool:
    return found.is_complete


@dataclass(frozen=True, repr=False)
class Local(Found):
    """What a network does at sample points; over a bound at the first of them only."""

    PARTS = (
        Part(
            "points",
            "of each `point` its `output`, `region`, `pattern`, `dual_points`, `ties` (neurons "
            "that are exactly 0), and the distances `linf` and `l2_squared`, each with `value` "
            "and `neuron`",
            of=_entries,
            proved=lambda found: _LISTED if found.is_complete else (),
            said=_lines,
            unproved=lambda found: (
                "signs, affine maps and nearest neurons of points" if found.is_complete else ""
            ),
            is_listed=True,
        ),
        Part(
            "n_points",
            "number of points",
            proved=_is_all,
            said=_together,
            unproved=lambda found: "" if found.is_complete else "all of this",
        ),
        Part("n_regions", "number of different regions among theirs", proved=_is_all),
        Part("n_sharing", "how many share theirs with another point", proved=_is_all),
        Part("n_on_boundary", "how many are on a boundary", proved=_is_all),
        Part(
            "region_sizes",
            "how many regions have 1 point, 2 points, …",
            proved=_is_all,
            said=_ranges,
        ),
    )

    network: Network
    places: tuple[Place, ...]
    regions: tuple[SampledRegion, ...]
    #: Why these are not all points.
    stopped: str | None = None
    #: How many points there are, if it is known.
    n_given: int | None = field(default=None, repr=False, compare=False)

    @property
    def is_complete(self) -> bool:
        """Whether these are all points."""
        return self.stopped is None

    @property
    def _has_proof(self) -> bool:
        return self.is_complete

    @property
    def n_points(self) -> int:
        """How many points were looked at."""
        return len(self.places)

    @property
    def n_regions(self) -> int:
        """In how many regions they lie."""
        return len(self.regions)

    @property
    def region_sizes(self) -> dict[str, int]:
        """How many regions have how many points."""
        sizes = Counter(region.n_points for region in self.regions)
        return {str(size): n for size, n in sorted(sizes.items())}

    @property
    def size(self) -> str:
        """How many points and regions there are, in words."""
        return f"{count(self.n_points, 'point')} in {count(self.n_regions, 'region')}"

    def sentence(self, _words: Words = PEOPLE) -> str:
        """How many points and regions there are, and whether these are all."""
        if self.is_complete:
            return self.size
        of = "" if self.n_given is None else f", of {self.n_given:,} points"
        return f"{self.stopped}: the first {self.size}{of}"

    def told(self, _question: str, words: Words) -> list[str]:
        """The points, what holds of all of them, and why they are not all."""
        said = self.said(words)
        return said if self.is_complete else [*said, self.sentence(words)]

    @property
    def n_on_boundary(self) -> int:
        """How many points lie on the boundary of their region."""
        return sum(1 for place in self.places if place.boundary.ties)

    @property
    def n_sharing(self) -> int:
        """How many points have another point in their region."""
        return sum(region.n_points for region in self.regions if region.n_points > 1)

    def dual_points(self, k: int) -> tuple[Point, ...]:
        """The dual points of point k (from 0): one for each output."""
        place = self.places[place_in(k, len(self.places), "point")]
        return self.regions[place.region].affine.rows()

    @cached_property
    def dual_matrices(self) -> tuple[Matrix, ...]:
        """For each output j the matrix C_j of the dual points of all sample points."""
        rows = [region.affine.flint_rows() for region in self.regions]
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
        """The points (x, 1), one row each; f_j(x) is the product with row x of C_j."""
        one = fmpq(1)
        entries = [v for place in self.places for v in (*place.evaluation.flint_point, one)]
        return Matrix.from_entries(len(self.places), self.network.n_inputs + 1, entries)

    @property
    def certificate(self) -> Certificate:
        """The claim ``local-regions`` about the region of every point and its distances."""
        return claim(
            "local-regions",
            "evaluation",
            network=self.network,
            points=[place.evaluation.flint_point for place in self.places],
            regions=[place.region for place in self.places],
            linf=[_value(place.boundary.linf) for place in self.places],
            squares=[_value(place.boundary.l2_squared) for place in self.places],
        )


@question
def local(
    call: Call[Local],
    network: Network,
    points: Iterable[Iterable[Any]],
    **limits: Unpack[Limits],
) -> Local:
    """The regions of sample points, the affine maps there and the distances to their boundaries.

    Parameters
    ----------
    network : Network
        The network.
    points : iterable of points
        A row for each point.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Local
        ``places``, one for each point, with ``region`` (from 0) and ``boundary``; ``regions`` with
        ``pattern``, ``affine`` and ``n_points``; ``certificate``.

    Notes
    -----
    Quick: one pass through the network for each point, and its neurons for the distances.  Over a
    bound only the first points.

    References
    ----------
    Sattelberg et al., *Locally linear attributes of ReLU neural networks*, section 2.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.local(er.load("example:xor"), [(1, 1), (2, 0), (1, -1)])
    >>> [place.region for place in found.places], found.n_on_boundary
    ([0, 0, 1], 1)
    >>> found.places[0].boundary.linf.value, found.places[0].boundary.l2_squared.value
    (1, 2)
    """
    effort = call.effort
    waiting = iter(points)
    cost = network.n_parameters * (network.n_inputs + _EXACT * (network.n_outputs + 2))
    at_once = min(_MAX_POINTS, max(1, _MAX_PRODUCTS // cost))
    run = _PointsRun(network, effort, len(points) if isinstance(points, Sequence) else None)
    call.knows(lambda stopped: run.result(str(stopped)))
    if isinstance(points, Sequence):
        effort.expect("points", len(points))
    while some := list(islice(waiting, at_once)):
        run.add(some)
    if not run.places:
        raise InputError("found no points, expected at least one")
    return run.result()


class _PointsRun:
    """The points so far, with the regions that they lie in."""

    def __init__(self, network: Network, effort: Effort, n_given: int | None) -> None:
        self.network = network
        self.effort = effort
        self.n_given = n_given
        self.places: list[Place] = []
        self._boundaries = Boundaries(network, effort)
        self._members: Counter[Pattern] = Counter()
        self._number: dict[Pattern, int] = {}
        self._maps: list[Matrix] = []

    def add(self, points: Sequence[Iterable[Any]]) -> None:
        """A batch of points: all of it, or none."""
        self.effort.spend("points", len(points))
        evaluations = trace_batch(self.network, points)
        boundaries = self._boundaries.of(evaluations)
        new = dict.fromkeys(e.pattern for e in evaluations if e.pattern not in self._number)
        self._maps += list(output_maps(self.network, list(new), self.effort))
        for pattern in new:
            self._number[pattern] = len(self._number)
        for e, boundary in zip(evaluations, boundaries, strict=True):
            self._members[e.pattern] += 1
            self.places.append(Place(e, self._number[e.pattern], boundary))

    def result(self, stopped: str | None = None) -> Local:
        regions = (
            SampledRegion(pattern, self._maps[i], self._members[pattern])
            for pattern, i in self._number.items()
        )
        return Local(self.network, tuple(self.places), tuple(regions), stopped, self.n_given)


def _value(distance: Distance | None) -> fmpq | list[fmpq]:
    """The distance; none at all, an empty list, where the region is all of space."""
    return [] if distance is None else distance.value
