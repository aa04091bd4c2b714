"""Hidden neurons of the first layer of three, and the symmetries that move them.

A neuron of layer 2 is dead if its row [W_2 | b_2] is <= 0, else live. It hides neuron i of layer 1
if its weight from i is positive, and its other weights and its bias are negative. Layer 2 hides i
if it has live neurons and all of them hide i.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .budget import Budget
from .integers import combine, dot, multiply
from .network import Network
from .verdicts import Reason, Refused


@dataclass(frozen=True)
class Hiding:
    """The neuron of layer 1 that layer 2 hides, and the live neurons."""

    hidden: int
    live: tuple[int, ...]


def live_neurons(network: Network, budget: Budget) -> tuple[int, ...]:
    """Return the neurons of layer 2 of a network of three layers that are not dead."""
    if len(network.layers) != 3:
        raise Refused(Reason.NOT_THREE_LAYERS, "a network of three layers is needed")
    second = network.layers[1]
    budget.spend(len(second.rows) * second.width)
    return tuple(j for j, row in enumerate(second.rows) if any(entry > 0 for entry in row))


def find_hiding(network: Network, budget: Budget) -> Hiding | None:
    """Return what layer 2 of a network of three layers hides, if it hides a neuron."""
    live = live_neurons(network, budget)
    second = network.layers[1]
    for neuron in range(second.width - 1):
        budget.spend(len(live) * second.width)
        if live and all(_hides(second.rows[j], neuron) for j in live):
            return Hiding(neuron, live)
    return None


def _hides(row: Sequence[int], neuron: int) -> bool:
    """Tell whether a live neuron, which has a positive entry, hides a neuron."""
    return all(entry < 0 for place, entry in enumerate(row) if place != neuron)


def require_flip(
    network: Network, found: Hiding, flipped: Sequence[int], member: Network, budget: Budget
) -> None:
    """Refuse a network that is not the given one after the flips of some neurons of layer 1.

    With w the row of the one live neuron, rows of layer 1 that are flipped change their sign, and
    w_a/w_i times their old ones are added to the row of the hidden neuron i, times w_i/w_i.
    """
    old, new = network.layers[0], member.layers[0]
    if network.layers[1:] != member.layers[1:]:
        raise Refused(Reason.WEIGHTS_DIFFER, "a flip changes layer 1 alone")
    hidden = found.hidden
    if hidden in flipped or (flipped and len(found.live) > 1):
        raise Refused(Reason.NOT_A_FLIP, "flips need one live neuron, which hides another one")
    weights = network.layers[1].rows[found.live[0]]
    turned = set(flipped)
    scale = multiply(weights[hidden], old.den, budget)
    columns = list(zip(*old.rows, strict=True))
    for number, row in enumerate(new.rows):
        budget.spend(len(weights))
        sources = [0] * len(old.rows)
        sources[number] = -weights[hidden] if number in turned else weights[hidden]
        if number == hidden:
            for neuron in turned:
                sources[neuron] = weights[neuron]
        expected = combine(sources, columns, budget)
        _require_equal(expected, row, new.den, scale, budget)


def _require_equal(
    expected: Sequence[int], row: Sequence[int], den: int, scale: int, budget: Budget
) -> None:
    for pair in zip(expected, row, strict=True):
        if dot(pair, (den, -scale), budget) != 0:
            raise Refused(Reason.WEIGHTS_DIFFER, "a row of layer 1 is not that of the flip")
