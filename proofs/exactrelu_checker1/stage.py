"""Some layers of a network on a domain: the map that takes what layer a passes on to layer b.

Layer 0 passes the input on, hidden layer l the ReLU of its preactivations, the last one its output.
"""

from typing import NamedTuple

from .budget import Budget
from .canonical import Fields
from .describe import widths_text
from .domain import polyhedron_text, read_polyhedron
from .network import Network, read_network
from .system import System
from .values import RationalVector, read_index
from .verdicts import Reason, Refused

STAGE_FIELDS = frozenset({"domain", "first", "last", "network"})


class Stage(NamedTuple):
    """The map from the output of layer ``first`` to that of layer ``last``, inputs in D."""

    network: Network
    domain: System
    first: int
    last: int

    def text(self) -> str:
        """Describe the map in a few words."""
        where = polyhedron_text(self.domain)
        widths = widths_text(self.network.widths())
        if (self.first, self.last) == (0, len(self.network.layers)):
            return f"the network N of widths {widths} on {where}"
        image = f"the image of {where} under layer {self.first}" if self.first else where
        return f"the part of the network N of widths {widths} up to layer {self.last} on {image}"

    def up_to_last(self) -> Network:
        """Return the network with one layer, at most, after the last one of the stage."""
        return Network(self.network.layers[: self.last + 1])

    def output(self, layer: int, point: RationalVector, budget: Budget) -> RationalVector:
        """Return what a layer passes on at a point, not in lowest terms."""
        value, _ = Network(self.network.layers[:layer]).evaluate(point, budget)
        if layer in (0, len(self.network.layers)):
            return value
        return RationalVector(value.den, tuple(max(num, 0) for num in value.nums))


def read_stage(claim: Fields, budget: Budget) -> Stage:
    """Return the stage of a claim."""
    network = read_network(claim["network"], budget)
    domain = read_polyhedron(claim["domain"], network, budget)
    first, last = read_index(claim["first"]), read_index(claim["last"])
    if first >= last or last > len(network.layers):
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"no layers {first} < {last}")
    return Stage(network, domain, first, last)
