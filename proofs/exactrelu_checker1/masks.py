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
    first: int,
    masks: Sequence[Sequence[int]],
    budget: Budget,
) -> Sequence[int]:
    """Return a combination of the neurons of the last mask as one of inputs of layer ``first``.

    A mask keeps rows of its layer and columns of the layer after it; the first layer has all its
    columns. The denominators of the layers are left out.
    """
    row = values
    kept = [range(network.layers[first].width - 1), *masks[:-1]]
    for layer, rows, columns in reversed(
        list(zip(network.layers[first : first + len(masks)], masks, kept, strict=True))
    ):
        budget.spend(len(rows) * len(columns))
        row = combine(row, [[layer.rows[i][j] for i in rows] for j in columns], budget)
    return row
