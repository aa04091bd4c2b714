"""How far apart does a whole network keep points?  (Puthawala et al., Theorem 4, sharpened.)

Lower bounds of the inverse Lipschitz constant by composition.  If layer l keeps points at least
r_l times as far apart (:mod:`.stability`), the first one on D and the others on the orthant, the
network keeps them r_1·…·r_L times as far apart on D.  A layer that is not injective there makes
the bound 0, though the network may still be injective.

Layers after the first are asked about on the orthant, on which bounds know no signs.

Symbols: bounds of c → ``lower``, ``upper``, r_l → ``factors``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Unpack

from flint import fmpq

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Found, point_record
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ZERO, Vector, square_root
from exactrelu.network.network import Network, evaluate
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.injectivity.stability import Run, at_least, at_most, stability
from exactrelu.questions.injectivity.stability_bounds import (
    squared_distance,
)
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words


@dataclass(frozen=True, repr=False)
class NetworkStability(Outward, Found):
    """Bounds ``lower`` ≤ c ≤ ``upper`` of the inverse Lipschitz constant c of a network.

    Attributes
    ----------
    lower, upper : rational
        The bounds; 0 beside a larger upper one says nothing, and has no certificate.
    factors : tuple of rationals
        The bounds of the layers.
    points : pair of points
        They are moved apart by at most the upper bound times their distance; with one image they
        prove that c is 0.
    certificate : Certificate or None
        The proof of the lower bound.
    stopped : str or None
        Why the layer after those of the factors has no bound.
    """

    PARTS = (
        Part("lower", "c is at least so large", proved=lambda _: True, claim="bound"),
        Part("upper", "and at most so large", proved=lambda found: found.is_zero, claim="bound"),
        Part("is_trivial", "of a network: whether the bound is only that c ≥ 0"),
        Part(
            "factors",
            "of a network: the bounds of its layers",
            proved=lambda found: not found.is_zero,
        ),
        Part(
            "points",
            "two points that show the upper bound",
            proved=lambda found: found.is_zero,
        ),
    )

    lower: fmpq
    upper: fmpq
    factors: tuple[fmpq, ...]
    points: tuple[Vector, Vector]
    certificate: Certificate | None
    stopped: str | None = None

    @property
    def collapsing_layer(self) -> int | None:
        """The layer (from 1) that is not injective on what it is asked for; then the bound is 0."""
        return len(self.factors) if self.lower == 0 and self.stopped is None else None

    @property
    def answer(self) -> bool | None:
        """Whether a bound says something, or None."""
        return None if self.is_trivial else True

    @property
    def is_complete(self) -> bool:
        """Whether a bound says something."""
        return not self.is_trivial

    @property
    def _has_proof(self) -> bool:
        return self.certificate is not None and not self.is_trivial

    def sentence(self, words: Words = PEOPLE) -> str:
        """The bound, or why there is none."""
        between = f"between {words.at_least(self.lower)} and {words.at_most(self.upper)}"
        if self.is_zero:
            is_first = self.collapsing_layer == 1
            layer = "layer 1 takes two points to one" if is_first else "two points have one image"
            return f"c = 0, {layer}"
        if self.stopped is not None:
            return f"{self.stopped}: {between}, no bound of layer {len(self.factors) + 1}"
        if self.is_trivial:
            return (
                f"only the trivial bound c ≥ 0: layer {self.collapsing_layer} is not injective on "
                "the orthant, though it may be on what it gets"
            )
        return f"c ≥ {words.at_least(self.lower)}, layer by layer"

    def opening(self, _question: str, words: Words) -> str:
        """What is bounded, and how."""
        return f"|N(x) − N(y)| ≥ c·|x − y|: {self.sentence(words)}"

    @property
    def is_zero(self) -> bool:
        """Whether the constant itself is 0, as two points of the domain have one image."""
        return self.upper == 0

    @property
    def is_trivial(self) -> bool:
        """Whether the bound 0 says nothing; a later layer need not get the points that collapse."""
        return self.lower == 0 and not self.is_zero


@question(plain="the stability of a network")
def network_stability(
    call: Call[NetworkStability],
    network: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> NetworkStability:
    """Certified bounds of the inverse Lipschitz constant of a whole network.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    NetworkStability
        ``lower``, the product of the ``factors`` of the layers; ``upper``, by the pair ``points``;
        ``certificate``.

    Notes
    -----
    As for :func:`stability`, for each layer; a lower bound 0 may say nothing (``is_trivial``).

    References
    ----------
    Puthawala et al., *Globally injective ReLU networks*, Theorem 4, sharpened.

    Examples
    --------
    >>> import exactrelu as er
    >>> both = er.Network.from_arrays([[[1], [-1]], [[1, 0], [0, 1]]], [[0, 0], [0, 0]])
    >>> found = er.layers.network_stability(both)
    >>> found.is_zero, er.matrices.rational("0.7") < found.lower <= found.upper
    (False, True)
    """
    effort = call.effort
    network = call.plain(network)
    place = call.place
    run = Run(network, 1, place)
    factors: list[fmpq] = []

    def so_far(stopped: Stopped) -> NetworkStability:
        points = run.so_far(stopped).points
        return _not_below(network, place, factors, points, str(stopped))

    call.knows(so_far)
    return _by_layers(network, place, run, factors, effort)


def _by_layers(
    network: Network, place: Domain, run: Run, factors: list[fmpq], effort: Effort
) -> NetworkStability:
    """The product of the bounds of the layers, of which ``run`` is about the first."""
    records: list[str] = []
    first = run.bounds(effort)
    points = first.points
    for number in range(1, len(network.layers) + 1):
        found = first if number == 1 else stability(network, "orthant", layer=number, effort=effort)
        if found.stopped is not None:
            return _not_below(network, place, factors, points, found.stopped)
        factors.append(found.lower)
        if found.lower_certificate is None:
            return _not_below(network, place, factors, points)
        records += [point_record("factor", (found.lower,)), *found.lower_certificate.records]
    bound = prod(factors, start=fmpq(1))
    certificate = at_least(network, 0, place, bound, records)
    upper = _quotient(network, *points)
    return NetworkStability(bound, upper, tuple(factors), points, certificate)


def _not_below(
    network: Network,
    place: Domain,
    factors: list[fmpq],
    points: tuple[Vector, Vector],
    stopped: str | None = None,
) -> NetworkStability:
    """No more than c ≥ 0, and c ≤ what the points show: if that is 0, they prove c = 0."""
    upper = _quotient(network, *points)
    proof = at_most(network, 0, place, upper, points) if upper == 0 else None
    return NetworkStability(ZERO, upper, tuple(factors), points, proof, stopped)


def _quotient(network: Network, x: Vector, y: Vector) -> fmpq:
    """|N(x) − N(y)|/|x − y|, rounded up."""
    images = squared_distance(evaluate(network, x), evaluate(network, y))
    return square_root(images / squared_distance(x, y), up=True)
