"""A stage of a network: the map from what layer a passes on to what layer b passes on.

Layer 0 passes the input x on, hidden layer l its activations, the last layer the output.
The stage is one-to-one on the image of D under layers 1, …, a iff for all x, y in D

    f_b(x) = f_b(y)  implies  f_a(x) = f_a(y).

The whole network is the stage from 0 to L, layer b on what it really sees that from b − 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from exactrelu.certificates.certificate import Named
from exactrelu.errors import InputError
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluate import evaluate
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, DomainLike


@dataclass(frozen=True)
class Stage:
    """Layers first + 1, …, last of ``network`` on the image of ``domain``."""

    network: Network
    domain: LinearSystem
    first: int
    last: int

    @classmethod
    def of(
        cls, network: Network, domain: DomainLike, first: int = 0, last: int | None = None
    ) -> Stage:
        """A stage of a network, all of it on all of space by default."""
        n_layers = len(network.layers)
        last = n_layers if last is None else last
        if not 0 <= first < last <= n_layers:
            raise InputError(f"layers {first + 1} to {last}: the network has {n_layers}")
        return cls(network, Domain.of(domain, network.n_inputs).system, first, last)

    @property
    def subjects(self) -> Named:
        """What a claim about the stage speaks of."""
        return {
            "network": self.network,
            "domain": self.domain,
            "first": self.first,
            "last": self.last,
        }

    @property
    def up_to_last(self) -> Network:
        """The network with at most one layer after the last of the stage."""
        return self.network.truncate(1, min(self.last + 1, len(self.network.layers)))

    def output(self, layer: int, x: Vector) -> Vector:
        """f_layer(x): what the layer passes on."""
        if layer == 0:
            return x
        values = evaluate(self.network.truncate(1, layer), x)
        if layer == len(self.network.layers):
            return values
        return tuple(max(value, ZERO) for value in values)
