"""Claims about layers and networks that the statements of s003 ask for.

A matrix W, or the rows of kernels, come as a network with one hidden layer ReLU(Wx) without bias.
"""

from ..numbers import Rows
from ..objects import Matrix
from .lemma import Fields, Instance, Need, derived, everywhere, require


def linear(instance: Instance) -> Matrix:
    """Return the rows (W | 0) of the hidden layer."""
    layer = instance.hidden_layer("N")
    require(not any(row[-1] for row in layer.rows), "a bias is not 0")
    return layer


def given(instance: Instance, holds: bool, number: int = 1, domain: Fields | None = None) -> Need:
    """Ask whether a layer of N, from 1, is one-to-one, on all of space or a domain."""
    place = domain or everywhere(instance.network("N").widths[number - 1])
    fields = {"network": instance.fields["N"], "layer": number, "domain": place, "holds": holds}
    return Need("layer-injective", fields)


def layer(instance: Instance, holds: bool, den: int, rows: Rows) -> Need:
    """Ask whether the layer with rows (W | b) = rows / den is one-to-one on all of space."""
    network = derived([(den, rows), (1, [[0] * (len(rows) + 1)])], instance.proof)
    place = everywhere(len(rows[0]) - 1)
    fields = {"network": network, "layer": 1, "domain": place, "holds": holds}
    return Need("layer-injective", fields)


def whole(network: object, holds: bool, dim: int, last: int) -> Need:
    """Ask whether a network is one-to-one on all of space."""
    fields = {"network": network, "first": 0, "last": last, "domain": everywhere(dim)}
    return Need("injective", {**fields, "holds": holds})
