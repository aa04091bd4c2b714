"""Two units of a network with proportional affine functions.

Statement. The affine functions [w, b] of two different pairs of a unit and a nontrivial indicator
(see ``non_proportional``) are linearly dependent: one is a multiple of the other.

Sound because the checker computes both functions. There is no evidence.
"""

from collections.abc import Sequence
from functools import partial

from ..budget import Budget
from ..canonical import Fields, as_fields, require_fields
from ..describe import widths_text
from ..integers import Rows, combine, dot, multiply
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
    if len(masks) >= len(network.layers) or unit >= len(network.layers[len(masks)].rows):
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"unit {unit} of layer {len(masks) + 1}")
    return masks, unit


def _unit_text(of: Unit) -> str:
    masks, unit = of
    return f"unit {unit + 1} of layer {len(masks) + 1} with indicators of ({masks_text(masks)})"


def _check(
    network: Network, first: Unit, second: Unit, certificate: Certificate, budget: Budget
) -> None:
    if first == second:
        raise Refused(Reason.UNITS_EQUAL, "one unit with one indicator")
    for masks, _ in (first, second):
        if not all(masks):
            raise Refused(Reason.MASK_EMPTY, "an indicator with a layer of which nothing is active")
    left, right = (affine_function(network, of, budget) for of in (first, second))
    pivot = next((place for place, entry in enumerate(left) if entry), 0)
    for a, b in zip(left, right, strict=True):
        if dot((a, b), (right[pivot], -left[pivot]), budget) != 0:
            raise Refused(Reason.NOT_PROPORTIONAL, "the affine functions are independent")


def affine_function(network: Network, of: Unit, budget: Budget) -> Sequence[int]:
    """Return integers on the ray of [w, b]."""
    masks, unit = of
    kept = [*masks, [unit]]
    first = network.layers[0]
    rows: Rows = [first.rows[i] for i in kept[0]]
    one = first.den
    for layer, before, after in zip(network.layers[1:], kept, kept[1:], strict=False):
        constant = [0] * (first.width - 1) + [one]
        columns = list(zip(*rows, constant, strict=True))
        weights = [[*(layer.rows[i][j] for j in before), layer.rows[i][-1]] for i in after]
        rows = [combine(row, columns, budget) for row in weights]
        one = multiply(one, layer.den, budget)
    return rows[0]


RULE = Rule(frozenset({"first", "network", "second"}), _read)
