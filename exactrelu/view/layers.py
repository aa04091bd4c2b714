"""The layers of a network as a picture in text, and as a graph for Graphviz.

    layer 1   2 inputs → 8 neurons + 3 linear units    33 entries   5 bits
    layer 2   11 units → 1 output                      12 entries   3 bits

Entries are those of [W|b] that are not 0.  A layer that is *sparse* keeps these only; a layer of
linear units alone stands where composing two maps would have filled a matrix.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from exactrelu.words import count

if TYPE_CHECKING:
    from exactrelu.network.network import Network

#: A network with more entries, zeros included, takes minutes to hash: its text is that long.
MAX_HASHED = 200_000_000


@dataclass(frozen=True)
class LayerSize:
    """How large a layer is."""

    number: int
    inputs: int
    neurons: int
    linear_units: int
    #: Outputs of the last layer, which has no units.
    outputs: int
    entries: int
    is_sparse: bool
    bits: int

    @property
    def made(self) -> str:
        """What the layer makes, in words."""
        if self.outputs:
            return count(self.outputs, "output")
        linear = count(self.linear_units, "linear unit") if self.linear_units else ""
        neurons = count(self.neurons, "neuron") if self.neurons or not linear else ""
        return " + ".join(part for part in (neurons, linear) if part)

    @property
    def size(self) -> tuple[str, str]:
        """Its entries and their bits, in words."""
        sparse = " (sparse)" * self.is_sparse
        many = "entry" if self.entries == 1 else "entries"
        return f"{self.entries:,} {many}{sparse}", count(self.bits, "bit")

    def to_object(self) -> dict[str, Any]:
        """The fields, for JSON."""
        return asdict(self)


def layer_sizes(network: Network) -> list[LayerSize]:
    """The sizes of all layers.

    >>> import exactrelu as er
    >>> [size.made for size in layer_sizes(er.load("example:xor"))]
    ['2 neurons', '1 output']
    """
    found = []
    for l, layer in enumerate(network.layers, 1):
        is_last = l == len(network.layers)
        n_linear = len(layer.linear)
        found.append(
            LayerSize(
                l,
                layer.n_inputs,
                0 if is_last else layer.n_outputs - n_linear,
                n_linear,
                layer.n_outputs if is_last else 0,
                layer.affine.n_entries,
                layer.affine.is_sparse,
                layer.affine.bits,
            )
        )
    return found


def drawn(network: Network) -> list[str]:
    """A line for each layer."""
    rows = []
    for size in layer_sizes(network):
        source = count(size.inputs, "input" if size.number == 1 else "unit")
        rows.append((f"layer {size.number}", f"{source} → {size.made}", *size.size))
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    return [
        f"{label:<{widths[0]}}   {map_:<{widths[1]}}   {entries:>{widths[2]}}   {bits}"
        for label, map_, entries, bits in rows
    ]


def dot(network: Network) -> str:
    """The layers as a directed graph in the language of Graphviz."""
    name = json.dumps(network.name or "network", ensure_ascii=False)
    lines = [f"digraph {name} {{", "  rankdir=TB;", "  node [shape=box];"]
    lines.append(f'  l0 [label="{count(network.n_inputs, "input")}", shape=ellipse];')
    for size in layer_sizes(network):
        shape = ", shape=ellipse" if size.outputs else ""
        lines.append(f'  l{size.number} [label="{size.made}"{shape}];')
        label = "\\n".join(size.size)
        lines.append(f'  l{size.number - 1} -> l{size.number} [label="{label}"];')
    return "\n".join([*lines, "}"]) + "\n"


def takes_long_to_hash(network: Network) -> bool:
    """Whether the network is so large that its hash, that of its dense text, takes minutes."""
    return network.n_parameters > MAX_HASHED
