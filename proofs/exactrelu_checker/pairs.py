"""Statements about two networks with the same inputs and outputs, on the closure of a
domain.

They are about values, and networks are continuous: what holds on a dense part of D holds on
its closure. Networks may have linear units.

Statements about two points: what layers of a network tell apart. They are about the points
of D exactly as it is written. Layer 0 of a network passes its input on, a hidden layer what
it gives after ReLU, the last layer its output.
"""

from collections.abc import Callable
from typing import Any

from . import claims
from .claims import kind
from .evidence import point_in
from .file import Proof, form, need
from .objects import Network, System, Vector, difference


def pair_fits(a: Network, b: Network, **others: Any) -> None:
    """Two networks with the same inputs and outputs."""
    ok = (a.widths[0], a.widths[-1]) == (b.widths[0], b.widths[-1])
    form(ok, "dimensions-differ", "the networks have other inputs or outputs")


equal = kind(
    "{a} and {b} are equal on the closure of {domain}",
    "{a} and {b} differ at some point of the closure of {domain}",
)(pair_fits)


within = kind(
    "no output of {a} differs from that of {b} by more than {bound} on the closure of "
    "{domain}",
    "some output of {a} differs from that of {b} by more than {bound} somewhere on the "
    "closure of {domain}",
)(pair_fits)


@kind(
    "the largest difference of an output of {a} and that of {b} on the closure of "
    "{domain}, its supremum, is {sense} {bound}",
    bound=claims.limit,
)
def largest_difference(sense: str, bound: Vector | None, **pair: Any) -> None:
    """Comparable networks; the bound null is infinity, and nothing is more."""
    pair_fits(**pair)
    form(
        bound or sense == "exactly",
        "bound-infinite",
        "at least infinity is exactly infinity",
    )


@kind(
    "layer {layer} of {network}, alone, is one-to-one on {domain}",
    "layer {layer} of {network}, alone, is not one-to-one on {domain}",
)
def layer_injective(network: Network, layer: int, domain: System) -> int:
    """A layer from 1 and a domain of its inputs."""
    form(1 <= layer <= len(network.layers), "index-out-of-range", "no such layer")
    return network.widths[layer - 1]


@kind(
    "where layer {last} of {network} gives the same at two points of {domain}, layer "
    "{first} does",
    "layer {last} of {network} gives the same at two points of {domain} and layer {first} "
    "does not",
    network=claims.network,
)
def injective(network: Network, first: int, last: int, **others: Any) -> None:
    """Layers first < last of the network; 0 is its input."""
    form(first < last <= len(network.layers), "index-out-of-range", "layers first < last")


def closure(domain: System) -> System:
    """Return the closure: D has a point where all inequalities are strict."""
    return domain._replace(senses=tuple("ge" if s == "gt" else s for s in domain.senses))


def gaps_at(
    proof: Proof, a: Network, b: Network, domain: System, bound: Vector
) -> list[int]:
    """Read a point of the closure; return how far the outputs differ, less a bound, times p
    > 0.
    """
    point = point_in(proof, closure(domain))
    den, gaps = difference(*(network.values(proof, point)[-1] for network in (a, b)))
    return [abs(gap) * bound.den - bound.nums[0] * den for gap in gaps]


def exact(within: Callable[..., None]) -> Callable[..., None]:
    """Return the method that a largest difference is taken at a point of the closure, and
    exceeded nowhere, by a method for ``within``.
    """

    def largest_difference(proof: Proof, sense: str, bound: Any, **pair: Any) -> None:
        ok = bound and sense == "exactly"
        need(ok, "wrong-method", "the method shows the exact number")
        gaps = gaps_at(proof, **pair, bound=bound)
        need(0 in gaps, "bound-not-taken", "no output differs by just the bound there")
        within(proof, **pair, bound=bound)

    return largest_difference
