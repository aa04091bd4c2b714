"""What counterexamples to statements of S002 have in common: claims to ask for, rows to compare."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..budget import Budget
from ..canonical import Fields
from ..integers import dot, multiply
from ..network import Network
from .lemma import Instance, Need, everywhere, require

_EQUAL = ("equal-by-cells", "equal-by-rewriting", "equal-shallow")
Row = Sequence[int]


def orthant(dim: int) -> Fields:
    """Return the open orthant, as a domain of a claim."""
    rows = [["gt", [f"{int(i == j):x}" for j in range(dim + 1)]] for i in range(dim)]
    return {"dim": dim, "rows": rows}


def about(network: Network, kind: str, domain: Callable[[int], Fields]) -> Need:
    """Ask for a claim about a network on a domain."""
    place = domain(network.widths()[0])
    return Need((kind,), {"domain": place, "network": network.as_json()})


def generic(network: Network) -> Need:
    """Ask for genericity on all of space; the proof for bottlenecks names no domain."""
    fields = {"domain": everywhere(network.widths()[0]), "network": network.as_json()}
    return Need(("generic", "generic-bottleneck"), fields, frozenset({"domain"}))


def _pair(a: Network, b: Network, domain: Fields) -> Mapping[str, object]:
    return {"a": a.as_json(), "b": b.as_json(), "domain": domain}


def equal(a: Network, b: Network, domain: Callable[[int], Fields]) -> Need:
    """Ask for equality on a domain."""
    return Need(_EQUAL, _pair(a, b, domain(a.widths()[0])))


def one_function(a: Network, b: Network) -> Iterator[Need]:
    """Ask for two generic networks with the same values everywhere."""
    yield generic(a)
    yield generic(b)
    yield equal(a, b, everywhere)


def same_widths(instance: Instance, names: str, n_layers: int) -> list[Network]:
    """Return networks of one architecture with so many layers."""
    networks = [instance.network(name) for name in names]
    for network in networks:
        require(network.widths() == networks[0].widths(), "the networks have different widths")
    require(len(networks[0].layers) == n_layers, "another number of layers is needed")
    return networks


def direction(a: Row, b: Row, budget: Budget) -> int:
    """Return 1 if b is a positive multiple of a != 0, -1 if a negative one, else 0."""
    both = dot(a, b, budget)
    squares = multiply(dot(a, a, budget), dot(b, b, budget), budget)
    if multiply(both, both, budget) < squares:
        return 0
    return (both > 0) - (both < 0)


def is_bent(row: Row) -> bool:
    """Tell whether the row of a neuron on the orthant has both signs."""
    return min(row) < 0 and max(row) > 0
