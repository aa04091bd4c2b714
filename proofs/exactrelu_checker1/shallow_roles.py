"""What the hidden neurons of a network with one hidden layer do on a domain.

A neuron is on a bend of the network, on another hyperplane, where the output columns of all its
neurons add up to 0, or it does not bend: it is linear where its row is >= 0 and not 0, and dead
where it is <= 0. On all of space only the bias of a neuron that does not bend may be other than 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .budget import Budget
from .network import Network
from .shallow_form import Form, Row, oriented
from .verdicts import Reason, Refused

_SIGNS = "0+-"


@dataclass(frozen=True)
class Neuron:
    """A neuron on a hyperplane (h, c): its number, its side, and g > 0 with the row ±g·(h, c)."""

    number: int
    side: str
    factor: int


@dataclass(frozen=True)
class Parts:
    """The neurons on each bend, on each other hyperplane, the linear and the dead ones."""

    bends: dict[Row, list[Neuron]]
    others: dict[Row, list[Neuron]]
    linear: tuple[int, ...]
    dead: tuple[int, ...]


@dataclass(frozen=True)
class Roles:
    """The signs of the neurons on the bends, in their order, and the other neurons."""

    signs: str
    linear: tuple[int, ...]
    dead: tuple[int, ...]


def sides(neurons: Sequence[Neuron]) -> str:
    """Return the sides of some neurons, + first."""
    return "".join(sorted(neuron.side for neuron in neurons))


def has_both(neurons: Sequence[Neuron]) -> bool:
    """Tell whether neurons on one hyperplane are on both sides of it."""
    return len({neuron.side for neuron in neurons}) > 1


def read_parts(network: Network, form: Form, orthant: bool, budget: Budget) -> Parts:
    """Return the parts of all neurons of a network with a form."""
    bends: dict[Row, list[Neuron]] = {row: [] for row in form[1]}
    others: dict[Row, list[Neuron]] = {}
    linear, dead = [], []
    for number, entries in enumerate(network.layers[0].rows):
        factor, sign, row = oriented(entries, budget)
        crosses = any(entries[:-1]) and not (orthant and min(row) * max(row) >= 0)
        if crosses:
            group = bends[row] if row in bends else others.setdefault(row, [])
            group.append(Neuron(number, _SIGNS[sign], factor))
        elif any(entry > 0 for entry in entries):
            linear.append(number)
        else:
            dead.append(number)
    return Parts(bends, others, tuple(linear), tuple(dead))


def read_roles(network: Network, form: Form, orthant: bool, budget: Budget) -> Roles:
    """Return the roles if each bend of the form has one neuron and the others do not bend."""
    parts = read_parts(network, form, orthant, budget)
    if parts.others:
        raise Refused(Reason.NEURON_CANCELS, "a neuron bends where the network does not")
    if any(len(neurons) > 1 for neurons in parts.bends.values()):
        raise Refused(Reason.BEND_SHARED, "a neuron is not alone on its bend")
    signs = "".join(map(sides, parts.bends.values()))
    return Roles(signs, parts.linear, parts.dead)
