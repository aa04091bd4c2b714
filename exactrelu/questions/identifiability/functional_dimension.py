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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Unpack

from flint import fmpq, fmpz_mat, nmod_mat

from exactrelu.answer import Part
from exactrelu.cells.tree import Region, tree
from exactrelu.cells.tree import regions as closed_regions
from exactrelu.certificates.certificate import Certificate, Found, claim
from exactrelu.certificates.evidence import kernel_record, minor_record
from exactrelu.certificates.trees import TreeWriter
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.linear import kernel, modular_minor, pivot_columns, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import word_primes
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector, vector
from exactrelu.network.network import (
    Network,
    PlainNetwork,
    trace,
)
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.identifiability.derivatives import (
    derivatives,
    is_smooth,
    jacobian,
    sample_points,
)
from exactrelu.questions.question import Call, question
from exactrelu.questions.regions import regions
from exactrelu.words import PEOPLE, Words

#: Beyond this the rank is computed modulo a prime at sample points: a lower bound.
EXACT_PARAMETERS = 600
#: Beyond these the functional dimension is not computed by default.
MAX_PARAMETERS = 2_500
MAX_REGIONS = 2_000
#: More regions are not written into a certificate: all derivatives on them are.
MAX_CERTIFIED = 300
#: Larger minors are not written: elimination is cubic in the checker.
MAX_MINOR = 400
#: The part of the time that the search for regions may take; sample points are quicker.
SHARE_OF_REGIONS = 0.4
#: What a derivative takes, exactly and modulo a prime.
BYTES_OF_ENTRY = 64
BYTES_OF_RESIDUE = 48
#: An elimination modulo a prime, for each pivot, row and column.
SECONDS_OF_STEP = 1e-9


def _unproved(found: FunctionalDimension) -> str:
    if found.stopped and not found.is_locally_identifiable:
        return "the bound"
    return "" if found.proof is not None else "the functional dimension"


@dataclass(frozen=True, repr=False)
class FunctionalDimension(Outward, Found):
    """``value_at_least`` on the regions of ``points``; ``value`` is None unless it is the number.

    ``stopped`` says which bound on the work was reached before all regions were seen.
    """

    PARTS = (
        Part(
            "functional_dimension",
            "its `value`, whether that `is_exact`, the `upper_bound`, and whether the network is "
            "therefore `locally_identifiable`",
            proved=("value",),
            unproved=_unproved,
            of="fields",
        ),
    )

    network: Network
    place: Domain
    value_at_least: int
    points: tuple[Vector, ...]
    is_complete: bool
    stopped: str = ""
    #: The point of the only region that counts, if one was asked for.
    at: Vector | None = None

    def sentence(self, words: Words = PEOPLE) -> str:
        """The functional dimension, and what follows."""
        locally = ": locally identifiable" if self.is_locally_identifiable else ""
        return f"{self.text()}{locally}{words.where}"

    @property
    def answer(self) -> bool | None:
        """None where it was stopped, and what is known tells nothing."""
        return None if self.stopped and not self.is_locally_identifiable else True

    @property
    def proof(self) -> Certificate | None:
        """Of the number, or from below where not all regions were seen."""
        return self.certificate if self.is_complete else self.lower_certificate

    @property
    def _has_proof(self) -> bool:
        return self.proof is not None

    @property
    def value(self) -> int | None:
        """The functional dimension, once all regions were seen or the upper bound is met."""
        is_known = self.is_complete or self.value_at_least == self.upper_bound
        return self.value_at_least if is_known else None

    @property
    def upper_bound(self) -> int:
        """Parameters less hidden neurons, as scalings never change the function."""
        return self.network.n_parameters - self.network.n_hidden_neurons

    @property
    def is_locally_identifiable(self) -> bool | None:
        """True if the bound is met; None if nothing follows."""
        return True if self.value_at_least == self.upper_bound else None

    @property
    def fields(self) -> dict[str, Any]:
        """The same as ``--json`` has it."""
        return {
            "value": self.value_at_least,
            "is_exact": self.is_complete,
            "upper_bound": self.upper_bound,
            "locally_identifiable": self.is_locally_identifiable,
        }

    @property
    def lower_certificate(self) -> Certificate | None:
        """The proof of at least ``value_at_least``, by points of regions that count, and a minor.

        None if it is large, and on a flat domain: there it is about the restriction, but a
        claim is about the network near its points, where the derivatives may span more.
        """
        if self.value_at_least > MAX_MINOR or self.place.is_flat:
            return None
        minor = modular_minor(self._jacobian(), self.value_at_least)
        return self._claim([minor_record(minor)], "at-least", len(minor.rows))

    @property
    def certificate(self) -> Certificate | None:
        """Exactly so much on the domain, by all regions; if these are not known, or more than
        ``MAX_CERTIFIED``, on the regions of the points, and on a flat domain there is none.
        """
        if self.is_complete and self.at is None:
            found = self._on_domain()
            if found is not None:
                return found
        if self.place.is_flat:
            return None
        proof = rank_proof(self._jacobian())
        records = [minor_record(proof.minor), kernel_record(proof.kernel)]
        return self._claim(records, "exactly", proof.rank)

    def _on_domain(self) -> Certificate | None:
        """The claim about the domain, with the tree of all its regions."""
        network, place = self.network, self.place
        writer = TreeWriter(network, place)
        records: list[str] = []
        points: list[Vector] = []
        for node in tree(place.restricted(network), place.inside, closed_regions):
            records += writer.records(node)
            if isinstance(node, Region):
                points.append(place.flint_lift(node.flint_point))
                if len(points) > MAX_CERTIFIED:
                    return None
        rows = [row for p in points for row in derivatives(network, place, p).flint_rows()]
        proof = rank_proof(self._scaled(rows))
        records += [minor_record(proof.minor), kernel_record(proof.kernel)]
        about: dict[str, Any] = {"network": network, "domain": place, "rank": proof.rank}
        return claim("functional-dimension-on", "cells", records, **about)

    def _claim(self, records: Sequence[str], sense: str, rank: int) -> Certificate:
        about: dict[str, Any] = {"network": self.network, "points": list(self.points)}
        return claim("functional-dimension", "minor", records, **about, sense=sense, rank=rank)

    def _jacobian(self) -> Matrix:
        """The derivatives on the regions of the points."""
        patterns = (trace(self.network, point).pattern for point in self.points)
        return self._scaled([row for p in patterns for row in jacobian(self.network, p)])

    def _scaled(self, rows: Sequence[Vector]) -> Matrix:
        """With each block of columns as the checker scales it, so that kernels agree."""
        network = self.network
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
        """The value, or that it is a lower bound, in words."""
        whose = " of the restriction to the affine hull" if self.place.is_flat else ""
        whose += "" if self.at is None else " on one region"
        sign = "" if self.is_complete else "at least "
        is_open = self.stopped and not self.is_locally_identifiable
        return (
            f"functional dimension{whose} {sign}{self.value_at_least} of at most "
            f"{self.network.n_parameters} − {self.network.n_hidden_neurons} = {self.upper_bound}"
            f"{f' ({self.stopped})' if is_open else ''}"
        )


@question(plain="the functional dimension")
def functional_dimension(
    call: Call[FunctionalDimension],
    network: Network,
    domain: DomainLike = None,
    *,
    at: Iterable[Any] | None = None,
    **limits: Unpack[Limits],
) -> FunctionalDimension:
    """How many directions of the parameters change the function.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    at : sequence of rationals, optional
        A point of the domain: on the region of this point alone.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    FunctionalDimension
        ``value``; ``upper_bound``, parameters less hidden neurons; ``is_complete``;
        ``is_locally_identifiable`` where the bound is met.

    Notes
    -----
    The rank of the derivatives over all regions.  Over a bound (``max_regions``), and with many
    parameters, it is a lower bound, from sample points.

    Examples
    --------
    >>> import exactrelu as er
    >>> absolute = er.Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> found = er.functional_dimension(absolute)
    >>> found.value, found.upper_bound
    (4, 5)
    >>> er.functional_dimension(absolute, at=[1]).value
    2
    """
    effort, place = call.effort, call.place
    network = call.plain(network)
    if at is not None:
        return _on_region(network, place, vector(at, "at"), effort)
    if network.n_parameters > EXACT_PARAMETERS:
        return _modular(network, place, effort)
    few = effort.part(share=SHARE_OF_REGIONS).unless_given(regions=MAX_REGIONS)
    found = regions(network, place, certify=False, effort=few)
    if not found.is_complete:
        sampled = sample_points(network, place, effort)
        bound = _spanned(network, place, sampled, False, effort)
        return replace(bound, stopped=bound.stopped or found.reason)
    points = [region.flint_point for region in found.regions if is_smooth(region.pattern)]
    n_flat = len(found.regions) - len(points)
    bound = _spanned(network, place, points, not n_flat, effort)
    # A neuron that is 0 on a region has no derivative there.
    why = f"a neuron is 0 on all of {n_flat:,} of {len(found.regions):,} regions"
    return replace(bound, stopped=bound.stopped or why) if n_flat else bound


def _on_region(
    network: PlainNetwork, place: Domain, point: Vector, effort: Effort
) -> FunctionalDimension:
    """The rank on the region of a point."""
    if len(point) != network.n_inputs:
        raise ShapeError(f"at: found {len(point)} numbers, expected {network.n_inputs}")
    if not place.system.contains(point):
        raise InputError("at: the point is not in the domain")
    if not is_smooth(trace(network, point).pattern):
        raise InputError("at: a hidden neuron is 0 at the point, which is in no region")
    found = _spanned(network, place, [point], True, effort)
    return replace(found, points=(point,), at=point)


def is_full_at_samples(network: PlainNetwork, place: Domain, effort: Effort) -> bool:
    """Whether a few points show that scalings are all that keeps the function; False: perhaps not.

    >>> net = PlainNetwork(Network.from_arrays([[[1]], [[1]]], [[0], [0]]))
    >>> is_full_at_samples(net, Domain.of(None, 1), Effort())
    True
    """
    span = _Span(network, place, effort)
    for point in sample_points(network, place, effort):
        span.add(point)
        if span.is_full:
            return True
    return False


def _spanned(
    network: Network, place: Domain, points: Iterable[Vector], is_complete: bool, effort: Effort
) -> FunctionalDimension:
    """The rank over the regions of some points; if it is not found in time, a lower bound."""
    span = _Span(network, place, effort)
    try:
        for point in points:
            span.add(point)
            if span.is_full:
                break
        value = span.rank if span.is_full else span.exact_rank()
    except Stopped as stopped:
        found = tuple(span.chosen)
        return FunctionalDimension(network, place, span.rank, found, False, str(stopped))
    return FunctionalDimension(network, place, value, tuple(span.chosen), is_complete)


def _modular(network: PlainNetwork, place: Domain, effort: Effort) -> FunctionalDimension:
    """A lower bound from about twice as many points as could be needed, modulo a prime."""
    height = network.n_outputs * (place.inner_dimension + 1)
    most = 2 * network.n_parameters // height + 8
    effort.need(
        BYTES_OF_RESIDUE * most * height * network.n_parameters,
        f"a matrix of {most * height:,} × {network.n_parameters:,} derivatives",
    )
    prime = next(word_primes())
    points: list[Vector] = []
    residues: list[int] = []
    why = ""
    try:
        for point in islice(sample_points(network, place, effort), most):
            effort.spend()
            rows = derivatives(network, place, point).integer_form[0]
            residues += [int(x % prime) for x in rows.entries()]
            points.append(point)
    except Stopped as stopped:
        # The points so far: fewer rows, and a smaller bound.
        why = str(stopped)
    else:
        why = f"from {len(points):,} points, as there are more than {EXACT_PARAMETERS:,} parameters"
    n_rows = len(residues) // network.n_parameters
    value = int(nmod_mat(n_rows, network.n_parameters, residues, prime).rank())
    return FunctionalDimension(network, place, value, tuple(points), False, why)


class _Span:
    """Points whose derivatives span those of all points so far: modulo a prime, then exactly."""

    def __init__(self, network: Network, place: Domain, effort: Effort) -> None:
        self._network, self._place, self._effort = network, place, effort
        self._width = network.n_parameters
        self._prime = next(word_primes())
        self._jacobians: dict[Vector, Matrix] = {}
        self._pivots: tuple[int, ...] = ()
        self._basis = nmod_mat(0, self._width, self._prime)
        self.chosen: list[Vector] = []

    @property
    def rank(self) -> int:
        """The rank modulo the prime: a lower bound."""
        return int(self._basis.nrows())

    @property
    def is_full(self) -> bool:
        """Whether scalings are all that is left: more points change nothing."""
        return self.rank == self._width - self._network.n_hidden_neurons

    def add(self, point: Vector) -> None:
        """Take the derivatives at one more point."""
        self._effort.spend()
        matrix = derivatives(self._network, self._place, point)
        self._jacobians[point] = matrix
        n_entries = len(self._jacobians) * matrix.n_rows * self._width
        self._effort.need(BYTES_OF_ENTRY * n_entries, f"{n_entries:,} derivatives")
        prime, pivots = self._prime, self._pivots
        rows = nmod_mat(matrix.integer_form[0], prime)
        if pivots:
            entries = [rows[i, j] for i in range(rows.nrows()) for j in pivots]
            rows -= nmod_mat(rows.nrows(), len(pivots), entries, prime) * self._basis
        if any(int(x) for x in rows.entries()):
            self.chosen.append(point)
            n_rows = self._basis.nrows() + rows.nrows()
            entries = [*self._basis.entries(), *rows.entries()]
            reduced, n_pivots = nmod_mat(n_rows, self._width, entries, prime).rref()
            self._pivots = pivot_columns(reduced, n_pivots)
            kept = reduced.entries()[: n_pivots * self._width]
            self._basis = nmod_mat(n_pivots, self._width, kept, prime)

    def exact_rank(self) -> int:
        """The rank over all points; what the prime made dependent by accident is chosen too."""
        while True:
            stacked = self._stacked()
            self._fits(stacked)
            null = kernel(stacked.integer_form[0])
            values = [x for v in null.flint_vectors for x in v]
            columns = fmpz_mat(len(null.flint_vectors), self._width, values).transpose()
            missed = next((p for p in self._jacobians if self._is_missed(p, columns)), None)
            if missed is None:
                return self._width - len(null.free)
            self.chosen.append(missed)

    def _is_missed(self, point: Vector, columns: fmpz_mat) -> bool:
        self._effort.spend()
        return any((self._jacobians[point].integer_form[0] * columns).entries())

    def _stacked(self) -> Matrix:
        rows = [row for point in self.chosen for row in self._jacobians[point].flint_rows()]
        return Matrix(rows, self._width)

    def _fits(self, stacked: Matrix) -> None:
        """Raise if an elimination, which cannot be interrupted, takes longer than is left.

        It is done modulo as many word-size primes as the minors of size r have words.
        """
        self._effort.spend()
        left = self._effort.seconds_left()
        if left is None:
            return
        bits = max((x.bit_length() for x in stacked.integer_form[0].entries()), default=0)
        n_words = 1 + self.rank * bits // 62
        if SECONDS_OF_STEP * n_words * self.rank * stacked.n_rows * self._width > left:
            raise Stopped("stopped before an elimination that takes too long")
