"""A layer of the network of a claim, and a polyhedron in the space of its inputs."""

from dataclasses import dataclass

from .budget import Budget
from .canonical import Fields
from .describe import widths_text
from .integers import combine
from .network import Network, read_network
from .statement import Subject, subject
from .system import System, read_system
from .values import RationalMatrix, RationalVector, read_index, read_list, read_rational_vector
from .verdicts import Reason, Refused

LAYER_FIELDS = frozenset({"domain", "layer", "network"})


@dataclass(frozen=True)
class LayerOnDomain:
    """Layer number ``number``, from 0, on a polyhedron; ReLU follows unless it is the last."""

    network: Network
    number: int
    domain: System
    subjects: tuple[Subject, ...]

    def matrix(self) -> RationalMatrix:
        """Return the rows (w | b) of the layer."""
        return self.network.layers[self.number]

    def is_last(self) -> bool:
        """Tell whether the layer is affine, without ReLU."""
        return not self.network.layers[self.number + 1 :]

    def text(self) -> str:
        """Name the layer, with the map that it is."""
        kind = "affine" if self.is_last() else "ReLU"
        widths = widths_text(self.network.widths())
        return f"layer {self.number + 1} ({kind}) of the network N of widths {widths}"

    def place(self) -> str:
        """Name the domain."""
        return f"the polyhedron D of {len(self.domain.rows)} rows in R^{self.domain.dim}"

    def image(self, point: RationalVector, budget: Budget) -> tuple[int, ...]:
        """Return the value at a point, times the denominators of both."""
        values = combine((*point.nums, point.den), self.matrix().rows, budget)
        return values if self.is_last() else tuple(max(value, 0) for value in values)


def read_layer_on_domain(claim: Fields, budget: Budget) -> LayerOnDomain:
    """Return the layer and the domain of a claim."""
    network = read_network(claim["network"], budget)
    number = read_index(claim["layer"])
    if number >= len(network.layers):
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"the network has no layer {number}")
    domain = read_system(claim["domain"], budget)
    inputs = network.layers[number].width - 1
    if domain.dim != inputs:
        raise Refused(
            Reason.DIMENSIONS_DIFFER, f"a domain in R^{domain.dim}, the layer has {inputs} inputs"
        )
    subjects = (subject("N", network.as_json()), subject("D", claim["domain"]))
    return LayerOnDomain(network, number, domain, subjects)


def read_two_points(
    value: object, dim: int, budget: Budget
) -> tuple[RationalVector, RationalVector]:
    """Return two different points; the rule places them in the domain."""
    first, second = (read_rational_vector(point, dim, budget) for point in read_list(value, 2))
    if first == second:
        raise Refused(Reason.POINTS_EQUAL, "the two points are the same")
    return first, second
