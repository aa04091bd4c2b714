"""Masks of a claim: for each of some layers in a row, a set of its neurons."""

from collections.abc import Sequence

from .budget import Budget
from .integers import combine
from .network import Network
from .values import read_indices, read_list
from .verdicts import Reason, Refused


def read_masks(value: object, network: Network, first: int) -> list[list[int]]:
    """Return masks of the layers from ``first`` on, counted from 0, each increasing."""
    masks = read_list(value)
    if first + len(masks) > len(network.layers):
        raise Refused(Reason.INDEX_OUT_OF_RANGE, "masks of layers that the network does not have")
    heights = [len(layer.rows) for layer in network.layers[first:]]
    return [read_indices(mask, height) for mask, height in zip(masks, heights, strict=False)]


def masks_text(masks: Sequence[Sequence[int]]) -> str:
    """Return how many neurons each mask keeps, in a few words."""
    return ", ".join(str(len(mask)) for mask in masks[:12])


def pulled_back(
    values: Sequence[int],
    network: Network,
    last: int,
    masks: Sequence[Sequence[int]],
    budget: Budget,
) -> tuple[int, ...]:
    """Return a combination of neurons of a layer as one of the inputs of the first masked layer.

    Rows of the integer numerators of weights. ``values`` belong to the last mask, that of layer
    ``last``; the mask before it says which columns are kept, and so on; the first keeps them all.
    """
    row = tuple(values)
    for back, mask in enumerate(reversed(masks)):
        layer = network.layers[last - back]
        kept = masks[-back - 2] if back + 1 < len(masks) else range(layer.width - 1)
        budget.spend(len(mask) * len(kept))
        columns = [[layer.rows[i][j] for i in mask] for j in kept]
        row = combine(row, columns, budget)
    return row
