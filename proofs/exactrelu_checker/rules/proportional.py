"""Two units of a network with proportional affine functions.

Statement. The affine functions [w, b] of two different pairs of a unit and a nontrivial indicator
(see ``non_proportional``) are linearly dependent: one is a multiple of the other.

Sound because the checker computes both functions. There is no evidence.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields, as_fields, require_fields
from ..describe import widths_text
from ..integers import dot, multiply
from ..masks import masks_text, read_masks
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..values import read_index
from ..verdicts import Reason, Refused

_UNIT_FIELDS = frozenset({"masks", "unit"})
Unit = tuple[list[list[int]], int]  # the indicator, and the neuron of the layer after it


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    first, second = (_read_unit(claim[name], network) for name in ("first", "second"))
    return Claim(
        f"in the network N of widths {widths_text(network.widths())} the affine functions of "
        f"{_unit_text(first)} and of {_unit_text(second)} are proportional",
        (subject("N", network.as_json()),),
        partial(_check, network, first, second),
        (network,),
    )


def _read_unit(value: object, network: Network) -> Unit:
    fields = as_fields(value, "a unit")
    require_fields(fields, _UNIT_FIELDS, "a unit")
    masks = read_masks(fields["masks"], network, 0)
    unit = read_index(fields["unit"])
    if len(masks) == len(network.layers) or unit >= len(network.layers[len(masks)].rows):
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"unit {unit} of layer {len(masks) + 1}")
    return masks, unit


def _unit_text(of: Unit) -> str:
    masks, unit = of
    active = f" with {masks_text(masks)} active neurons before it" if masks else ""
    return f"unit {unit + 1} of layer {len(masks) + 1}{active}"


def _check(
    network: Network, first: Unit, second: Unit, certificate: Certificate, budget: Budget
) -> None:
    if first == second:
        raise Refused(Reason.UNITS_EQUAL, "one unit with one indicator")
    for masks, _ in (first, second):
        if not all(masks):
            raise Refused(Reason.MASK_EMPTY, "an indicator with a layer of which nothing is active")
    left, right = (_affine_function(network, of, budget) for of in (first, second))
    pivot = next((place for place, entry in enumerate(left) if entry), 0)
    for a, b in zip(left, right, strict=True):
        if dot((a, b), (right[pivot], -left[pivot]), budget) != 0:
            raise Refused(Reason.NOT_PROPORTIONAL, "the affine functions are independent")


def _affine_function(network: Network, of: Unit, budget: Budget) -> list[int]:
    """Return integers on the ray of [w, b]."""
    masks, unit = of
    inputs = network.layers[0].width - 1
    rows = [[int(i == j) for j in range(inputs + 1)] for i in range(inputs)]
    one = [0] * inputs + [1]
    for place, layer in enumerate(network.layers[: len(masks) + 1]):
        before = range(inputs) if place == 0 else masks[place - 1]
        kept = masks[place] if place < len(masks) else [unit]
        columns = list(zip(*rows, one, strict=True))
        weights = [[*(layer.rows[i][j] for j in before), layer.rows[i][-1]] for i in kept]
        rows = [[dot(row, column, budget) for column in columns] for row in weights]
        one = [multiply(entry, layer.den, budget) for entry in one]
    return rows[0]


RULE = Rule(frozenset({"first", "network", "second"}), _read)
