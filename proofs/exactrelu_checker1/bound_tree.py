"""Bound trees: a hidden neuron is never active on a domain, because linear bounds say so.

Let z be the preactivation of a neuron k of an earlier layer, s(z) = max(z, 0). For numbers a and m

    a·s(z) <= m·z   for all z >= 0 if m >= a, and for all z <= 0 if m <= 0.

A node of the tree has decided some neurons, *active* (z >= 0) or *inactive* (z <= 0). The records
come in preorder:

``branch``  an undecided neuron of an earlier layer: the node where it is active follows, then the
            node where it is inactive. Each point of the node is in one of the two.
``bound``   a factor of the neuron in question, a slope m for each neuron of the earlier layers, and
            positive multipliers of rows of the domain. From the last of these layers to the first
            each a·s(z), a the coefficient so far, is replaced by m·z, a function of the layer
            before; with the rows of the domain, which are positive, x must cancel. What is left is
            an upper bound of factor·(neuron): at most 0, and below 0 if the factor is 0.

Integers only: a slope multiplies den·z, the integer row of its neuron, so m is den times the slope.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from .budget import Budget
from .canonical import Fields
from .evidence import require_positive
from .integers import combine, multiply
from .reader import Certificate
from .rewriting import Layer
from .system import System
from .tree import Chain, listed
from .values import read_index_below, read_indices, read_integer, read_list, read_vector
from .verdicts import Reason, Refused

_RECORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "bound": frozenset({"factor", "rows", "slopes", "values"}),
        "branch": frozenset({"layer", "neuron"}),
    }
)
Neuron = tuple[int, int]  # layer, number


def check_never_active(
    before: Sequence[Layer],
    row: Sequence[int],
    domain: System,
    certificate: Certificate,
    budget: Budget,
) -> None:
    """Refuse unless a tree shows that a row, of the layer after these, is <= 0 on a domain."""
    stack: list[Chain[tuple[Neuron, bool]] | None] = [None]
    while stack:
        path = stack.pop()
        decided = dict(listed(path, budget))
        name, record = certificate.one_of(_RECORDS)
        if name == "bound":
            _check_bound(before, row, domain, decided, record, budget)
            continue
        layer = read_index_below(record["layer"], len(before))
        place = layer, read_index_below(record["neuron"], len(before[layer][1]))
        if place in decided:
            raise Refused(Reason.NEURON_DECIDED, f"neuron {place} is decided already")
        stack += [Chain(path, (place, False)), Chain(path, (place, True))]


def _check_bound(
    before: Sequence[Layer],
    row: Sequence[int],
    domain: System,
    decided: Mapping[Neuron, bool],
    record: Fields,
    budget: Budget,
) -> None:
    factor = read_integer(record["factor"], budget)
    if factor < 0:
        raise Refused(Reason.MULTIPLIER_NOT_POSITIVE, "the factor is negative")
    *coefficients, bound = combine((factor,), [(entry,) for entry in row], budget)
    lists = read_list(record["slopes"], len(before))
    for layer in reversed(range(len(before))):
        den, rows = before[layer]
        slopes = read_vector(lists[layer], len(rows), budget)
        for neuron, (slope, least) in enumerate(zip(slopes, coefficients, strict=True)):
            is_active = decided.get((layer, neuron))
            if is_active is not False and multiply(slope, den, budget) < least:
                raise Refused(Reason.SLOPE_TOO_SMALL, f"slope {layer}, {neuron}, where z >= 0")
            if is_active is not True and slope > 0:
                raise Refused(Reason.SLOPE_POSITIVE, f"slope {layer}, {neuron}, where z <= 0")
        *coefficients, offset = combine(slopes, list(zip(*rows, strict=True)), budget)
        bound += offset
    used = read_indices(record["rows"], len(domain.rows))
    values = read_vector(record["values"], len(used), budget)
    for position, value in zip(used, values, strict=True):
        require_positive(value, position)
    chosen = [(*coefficients, bound), *(domain.rows[position] for position in used)]
    *rest, bound = combine((1, *values), list(zip(*chosen, strict=True)), budget)
    if any(rest):
        raise Refused(Reason.COMBINATION_NOT_ZERO, "the coefficients of x do not cancel")
    if bound > 0:
        raise Refused(Reason.OFFSET_POSITIVE, "the upper bound is positive")
    if not (factor or bound):
        raise Refused(Reason.OFFSET_NOT_NEGATIVE, "0 <= 0 excludes nothing")
