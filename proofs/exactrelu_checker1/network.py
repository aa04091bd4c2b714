"""ReLU networks with rational weights, evaluated with integers.

A layer is the rational matrix (W | b): row i holds the weights of neuron i and then its bias.
Hidden layers are x -> ReLU(Wx + b), the last layer is affine. ReLU is positively homogeneous:
if x = v / s with s > 0 and (W | b) = rows / den, then Wx + b = rows·(v, s) / (den·s), so that
signs and values need integers only.
"""

from dataclasses import dataclass
from itertools import pairwise

from .budget import Budget
from .canonical import Fields, as_fields, require_fields
from .integers import dot, multiply
from .values import RationalMatrix, RationalVector, read_index, read_list, read_rational_matrix
from .verdicts import Reason, Refused

_NETWORK_FIELDS = frozenset({"layers"})
_LAYER_FIELDS = frozenset({"inputs", "matrix", "outputs"})
_SIGNS = "0+-"


@dataclass(frozen=True)
class Network:
    """The matrices (W | b) of the layers, each in lowest terms."""

    layers: tuple[RationalMatrix, ...]

    def widths(self) -> tuple[int, ...]:
        """Return the widths, input first."""
        return (self.layers[0].width - 1, *(len(layer.rows) for layer in self.layers))

    def as_json(self) -> Fields:
        """Return the object whose canonical text is the canonical bytes of the network."""
        return {
            "layers": [
                {
                    "inputs": layer.width - 1,
                    "matrix": [
                        f"{layer.den:x}",
                        [[f"{entry:x}" for entry in row] for row in layer.rows],
                    ],
                    "outputs": len(layer.rows),
                }
                for layer in self.layers
            ]
        }

    def evaluate(
        self, point: RationalVector, budget: Budget
    ) -> tuple[RationalVector, tuple[str, ...]]:
        """Return the value at a point, not in lowest terms, and the signs of the hidden layers."""
        scale, values = point.den, point.nums
        signs: list[str] = []
        for position, layer in enumerate(self.layers):
            if position > 0:
                signs.append("".join(_SIGNS[(value > 0) - (value < 0)] for value in values))
                values = tuple(max(value, 0) for value in values)
            values = tuple(dot(row, (*values, scale), budget) for row in layer.rows)
            scale = multiply(scale, layer.den, budget)
        return RationalVector(scale, values), tuple(signs)


def read_network(value: object, budget: Budget) -> Network:
    """Return the network of a claim."""
    fields = as_fields(value, "a network")
    require_fields(fields, _NETWORK_FIELDS, "a network")
    layers = [_read_layer(layer, budget) for layer in read_list(fields["layers"])]
    if not layers:
        raise Refused(Reason.NO_LAYERS, "a network has at least one layer")
    for position, (before, layer) in enumerate(pairwise(layers), start=1):
        if len(before.rows) != layer.width - 1:
            raise Refused(
                Reason.WIDTHS_DIFFER,
                f"layer {position} has {len(before.rows)} outputs, "
                f"layer {position + 1} has {layer.width - 1} inputs",
            )
    return Network(tuple(layers))


def _read_layer(value: object, budget: Budget) -> RationalMatrix:
    fields = as_fields(value, "a layer")
    require_fields(fields, _LAYER_FIELDS, "a layer")
    inputs, outputs = read_index(fields["inputs"]), read_index(fields["outputs"])
    if min(inputs, outputs) < 1:
        raise Refused(Reason.ZERO_WIDTH, "a layer without inputs or outputs")
    return read_rational_matrix(fields["matrix"], outputs, inputs + 1, budget)
