"""What the hidden neurons of a network with one hidden layer do on a domain."""

from dataclasses import dataclass

from .budget import Budget
from .network import Network
from .shallow_form import Form, Row, oriented
from .verdicts import Reason, Refused

_SIGNS = "0+-"


@dataclass(frozen=True)
class Roles:
    """The signs of the neurons on the bends, in their order, and the other neurons."""

    signs: str
    linear: tuple[int, ...]
    dead: tuple[int, ...]


def read_roles(network: Network, form: Form, orthant: bool, budget: Budget) -> Roles:
    """Return the roles if each bend of the form has one neuron and the others do not bend.

    A neuron is linear where its row is >= 0 and not 0, and dead where it is <= 0; on all of space
    only the bias may be other than 0.
    """
    _, bends, _ = form
    found: dict[Row, str] = {}
    linear, dead = [], []
    for number, entries in enumerate(network.layers[0].rows):
        _, sign, row = oriented(entries, budget)
        if row in bends:
            if row in found:
                raise Refused(Reason.BEND_SHARED, f"neuron {number} is not alone")
            found[row] = _SIGNS[sign]
        elif any(entries[:-1]) and not orthant:
            raise Refused(
                Reason.NEURON_CANCELS, f"neuron {number} bends where the network does not"
            )
        elif all(entry <= 0 for entry in entries):
            dead.append(number)
        elif all(entry >= 0 for entry in entries):
            linear.append(number)
        else:
            raise Refused(
                Reason.NEURON_CANCELS, f"neuron {number} bends where the network does not"
            )
    signs = "".join(found[row] for row in bends)
    return Roles(signs, tuple(linear), tuple(dead))
