"""Networks in records.

``widths w_1…w_k``         the units of each layer
``layer den entries…``     for each layer: rows·(x, 1)/den, one row after the other, den > 0
"""

from .file import Proof, form
from .objects import Network, layer_of


def recorded_network(proof: Proof, inputs: int) -> Network:
    """Read a network, without linear units, with so many inputs."""
    widths = proof.record("widths")[1]
    form(widths and min(widths) >= 1, "zero-width", "a network has layers, and these have units")
    layers = []
    for width in widths:
        step = inputs + 1
        den, *entries = proof.numbers("layer", 1 + width * step)
        form(den > 0, "denominator-not-positive", "a denominator is positive")
        layers.append(layer_of(den, (entries[k : k + step] for k in range(0, len(entries), step))))
        inputs = width
    return Network(tuple(layers))
