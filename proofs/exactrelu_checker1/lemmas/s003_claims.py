"""Claims about layers and networks that the statements of s003 ask for.

A matrix W, or the rows of kernels, come as a network with one hidden layer ReLU(Wx) without bias.
"""

from ..canonical import Fields
from ..integers import Rows, lowest_terms
from ..values import RationalMatrix
from .lemma import Instance, Need, derived, everywhere, require


def linear(instance: Instance) -> RationalMatrix:
    """Return the rows (W | 0) of the hidden layer."""
    layer = instance.hidden_layer("N")
    require(not any(row[-1] for row in layer.rows), "a bias is not 0")
    return layer


def given(kind: str, instance: Instance, number: int = 0) -> Need:
    """Return the claim about a layer of N on all of space."""
    network = instance.network("N")
    place = {"domain": everywhere(network.layers[number].width - 1), "layer": number}
    return Need((kind,), {"network": network.as_json(), **place})


def about(kind: str, den: int, rows: Rows, instance: Instance) -> Need:
    """Return the claim about the layer with rows (W | b) = rows / den on all of space."""
    network = derived([(den, rows), (1, [[0] * (len(rows) + 1)])], instance.budget)
    return Need((kind,), {"domain": everywhere(len(rows[0]) - 1), "layer": 0, "network": network})


def whole(kind: str, network: Fields, dim: int, last: int) -> Need:
    """Return the claim about a network on all of space."""
    return Need((kind,), {"domain": everywhere(dim), "first": 0, "last": last, "network": network})


def written(den: int, rows: Rows, instance: Instance) -> tuple[str, list[list[str]]]:
    """Return a rational matrix as files have it."""
    least, reduced = lowest_terms(den, rows, instance.budget)
    return f"{least:x}", [[f"{entry:x}" for entry in row] for row in reduced]
