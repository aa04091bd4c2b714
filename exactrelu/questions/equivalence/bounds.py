"""How far apart two networks are at most on a domain, by bounds that the checker computes too.

*Intervals.*  Where the inputs have ends, each output lies between ends of its own
(:mod:`exactrelu.network.roles`).  That is all that there is without an end of each input.

*Bounds of the box* (:mod:`exactrelu.cells.replay`): backward linear bounds of f_k − g_k on the box
of the domain, in integers.  Networks side by side have bounds of their own; where both have the
same units, *gaps* bound what is passed on in f minus what is in g, so that what is equal in both
cancels: a network and one with a weight changed a little stay close, however wide the bounds of
their values are.

So each bound is proved: it is the claim ``within``, by one box that is not cut.

Symbols: f, g → ``a``, ``b``, their largest difference is at most ``value``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import frexp, inf, prod

from flint import fmpq

from exactrelu.cells.box_bounds import has_box, input_ranges
from exactrelu.certificates.certificate import Certificate, record
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import ZERO, to_float
from exactrelu.network.network import Network
from exactrelu.network.roles import Interval, activated, layer_bounds
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.properties.cells import property_claim
from exactrelu.questions.properties.chain import gap_chain, has_gaps, side_by_side_chain
from exactrelu.questions.properties.pair import NetworkPair
from exactrelu.questions.properties.replay import CheckerBoxes

#: Products of two networks for whose box bounds are computed: half a second.
MAX_PRODUCTS = 50_000


@dataclass(frozen=True)
class DifferenceBound:
    """No output of two networks differs by more than ``value``, and how that is proved."""

    a: Network
    b: Network
    place: Domain
    value: fmpq
    method: str
    records: tuple[str, ...] = ()

    @property
    def certificate(self) -> Certificate:
        """That of the claim ``within``."""
        return self.at_most(self.value)

    def at_most(self, value: fmpq) -> Certificate:
        """The same for a larger bound."""
        asked = NetworkPair.within(self.a, self.b, self.place, value)
        return property_claim(asked, self.method, self.records, holds=True)


def difference_bounds(
    a: Network, b: Network, domain: DomainLike, effort: Effort = UNLIMITED
) -> Iterator[DifferenceBound]:
    """Bounds of how far outputs differ at a point of the domain, better and better.

    The first is that of interval arithmetic, if there is one.

    >>> a = Network.from_arrays([[[1], [1]], [[1, 1]]], [[0, -1], [0]])
    >>> b = Network.from_arrays([[[1], [1]], [[1, 1]]], [[0, -1], ["1/100"]])
    >>> [float(found.value) for found in difference_bounds(a, b, "box:-1,3")]
    [5.01, 3.013671875, 0.010009765625]
    """
    place = Domain.of(domain, a.n_inputs, effort)
    best = by_intervals(a, b, place, effort)
    if best is not None:
        yield best
    for found in _on_box(a, b, place, effort):
        if best is None or found.value < best.value:
            best = found
            yield best


def by_intervals(
    a: Network, b: Network, place: Domain, effort: Effort = UNLIMITED
) -> DifferenceBound | None:
    """By how much outputs differ at most, by the ends of each; None if one has no end.

    They are those that the checker computes, also where the domain is flat.

    >>> relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> identity = Network.from_arrays([[[1]]], [[0]])
    >>> by_intervals(relu, identity, Domain.of("box:-1,3", 1)).value
    4
    """
    largest = ZERO
    inputs = input_ranges(place, effort)
    left, right = (_output_bounds(network, inputs, effort) for network in (a, b))
    for (low, high), (least, most) in zip(left, right, strict=True):
        if low is None or high is None or least is None or most is None:
            return None
        largest = max(largest, high - least, most - low)
    return DifferenceBound(a, b, place, largest, "intervals")


def _output_bounds(
    network: Network, inputs: Sequence[Interval], effort: Effort
) -> Sequence[Interval]:
    for layer in network.layers[:-1]:
        inputs = activated(layer, layer_bounds(layer, inputs, effort))
    return layer_bounds(network.layers[-1], inputs, effort)


def _on_box(a: Network, b: Network, place: Domain, effort: Effort) -> Iterator[DifferenceBound]:
    """The bounds that the box of the domain shows, by both kinds of chains."""
    if not has_box(place) or _n_products(a) + _n_products(b) > MAX_PRODUCTS:
        return
    asked = NetworkPair.within(a, b, place, ZERO)
    plain = side_by_side_chain(asked)
    for chain in (plain, *([gap_chain(asked)] if has_gaps(asked) else [])):
        effort.spend()
        kernel = CheckerBoxes(asked, chain)
        node, numbers = kernel.anchored(kernel.root), kernel.each_goal()
        bound = (
            inf if node is None or not chain.is_finite else to_float(kernel.bound(node, numbers))
        )
        if node is not None and bound < inf:
            value = short_above(bound)
            if kernel.at(NetworkPair.within(a, b, place, value)).closes(node, [*numbers]):
                records = kernel.first, record("anchor"), record("leaf", *numbers)
                yield DifferenceBound(a, b, place, value, "bounds", records)


def _n_products(network: Network) -> int:
    return sum(prod(layer.weights.shape) for layer in network.layers)


def short_above(value: float) -> fmpq:
    """A number with few binary digits that is a little above a float.

    >>> short_above(0.1), short_above(3.0)
    (205/2048, 769/256)
    """
    if value <= 0:
        return ZERO
    mantissa, exponent = frexp(value)
    return fmpq((int(mantissa * 2048) + 2) << max(exponent, 0), 2048 << max(-exponent, 0))
