"""What counterexamples to statements of S002 have in common: claims to ask for, rows to compare."""

from collections.abc import Iterator

from ..file import Proof
from ..numbers import Row
from ..objects import Network
from .lemma import Instance, Need, dot, equal, everywhere, generic, multiply, require


def one_function(instance: Instance, dim: int) -> Iterator[Need]:
    """Ask for two generic networks A and B with the same values everywhere."""
    a, b = instance.fields["A"], instance.fields["B"]
    yield from generic(a, dim)
    yield from generic(b, dim)
    yield equal(a, b, everywhere(dim))


def same_widths(instance: Instance, names: str, n_layers: int) -> list[Network]:
    """Return networks of one architecture with so many layers."""
    networks = [instance.network(name) for name in names]
    for network in networks:
        require(network.widths == networks[0].widths, "the networks have different widths")
    require(len(networks[0].layers) == n_layers, "another number of layers is needed")
    return networks


def direction(a: Row, b: Row, proof: Proof) -> int:
    """Return 1 if b is a positive multiple of a != 0, -1 if a negative one, else 0."""
    both = dot(a, b, proof)
    squares = multiply(dot(a, a, proof), dot(b, b, proof), proof)
    if multiply(both, both, proof) < squares:
        return 0
    return (both > 0) - (both < 0)


def is_bent(row: Row) -> bool:
    """Tell whether the row of a neuron on the orthant has both signs."""
    return min(row) < 0 and max(row) > 0
