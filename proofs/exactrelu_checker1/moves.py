"""Changes of a network that keep its function on the whole space: a network A and another one, B.

``dead``         neuron j of a hidden layer is <= 0 for all inputs in A and in B: its row and the
                 weights that lead on from it are free.
``linear``       neuron j is >= 0 for all inputs in A and in B: its bias changes by t, and those of
                 the next layer by -t times the weights that lead on from it.
``translation``  the next layer is hidden too, and its entries are <= 0 in A and in B, biases too,
                 but for the weights w from neuron i: the bias of i changes by t, those of the next
                 layer by -t·w. Sound: let a next neuron be positive at x, in A say. Then w > 0 and
                 neuron i has y > 0 and w·y > d, where -d is the bias. In B it has y + t in place of
                 y and d + w·t >= 0 in place of d; as w·(y + t) > d + w·t >= 0, y + t > 0 and both
                 have the same value. By symmetry both are positive at the same x.
``line``         three layers, one neuron in the first, its weights in B a multiple of those in A.
                 Both functions depend on one linear function u of x, and are affine in u between
                 the points where some neuron vanishes: equality there and beyond them is enough.
"""

from collections.abc import Mapping
from types import MappingProxyType

from .bounds import is_dead, is_linear, ranges
from .budget import Budget
from .canonical import Fields
from .integers import Rows, combine, dot, multiply
from .network import Network
from .values import RationalMatrix, RationalVector, read_index
from .verdicts import Reason, Refused

_AT = frozenset({"layer", "neuron"})
MOVES: Mapping[str, frozenset[str]] = MappingProxyType(
    {"dead": _AT, "line": frozenset(), "linear": _AT, "translation": _AT}
)
Pair = tuple[int, Rows, Rows]  # a denominator, and the rows of A and of B over it


def check_move(name: str, record: Fields, a: Network, b: Network, budget: Budget) -> None:
    """Check that B is A after the move of a record that was read; both have the same widths."""
    if name == "line":
        _check_line(a, b, budget)
        return
    layer, neuron = read_index(record["layer"]), read_index(record["neuron"])
    if layer >= len(a.layers) - 1 or neuron >= len(a.layers[layer].rows):
        raise Refused(Reason.INDEX_OUT_OF_RANGE, "there is no such hidden neuron")
    layers = [_paired(*pair, budget) for pair in zip(a.layers, b.layers, strict=True)]
    here, after = layers[layer : layer + 2]
    _require_equal([pair for pair in layers if pair is not here and pair is not after])
    if name == "dead":
        _require_equal([_without(here, neuron, None), _without(after, None, neuron)])
        if not all(is_dead(ranges(n, (), budget)[layer][neuron]) for n in (a, b)):
            raise Refused(Reason.NEURON_NOT_DEAD, "bounds do not show that the neuron is dead")
        return
    _require_compensated(here, after, neuron, budget)
    if name == "linear":
        if not all(is_linear(ranges(n, (), budget)[layer][neuron]) for n in (a, b)):
            raise Refused(Reason.NEURON_NOT_LINEAR, "bounds do not show that the neuron is linear")
        return
    if after is layers[-1]:
        raise Refused(Reason.NEURON_NOT_HIDDEN, "the next layer is the last: ReLU does not cut it")
    for row in (*after[1], *after[2]):
        if any(entry > 0 for number, entry in enumerate(row) if number != neuron):
            raise Refused(Reason.NEURON_NOT_HIDDEN, "a positive weight or bias in the next layer")


def _paired(a: RationalMatrix, b: RationalMatrix, budget: Budget) -> Pair:
    scaled = [
        [combine((factor,), [(entry,) for entry in row], budget) for row in rows]
        for factor, rows in ((b.den, a.rows), (a.den, b.rows))
    ]
    return multiply(a.den, b.den, budget), scaled[0], scaled[1]


def _without(pair: Pair, neuron: int | None, column: int | None) -> Pair:
    """Leave out a row or a column."""
    den, *sides = pair
    left, right = (
        [
            [entry for place, entry in enumerate(row) if place != column]
            for number, row in enumerate(rows)
            if number != neuron
        ]
        for rows in sides
    )
    return den, left, right


def _require_equal(layers: list[Pair]) -> None:
    for _, left, right in layers:
        if left != right:
            raise Refused(Reason.WEIGHTS_DIFFER, "a parameter changes that the move does not touch")


def _require_compensated(here: Pair, after: Pair, neuron: int, budget: Budget) -> None:
    """Only the bias of a neuron changes, by t, and next biases by -t times its weights."""
    (den, left, right), (_, next_left, next_right) = here, after
    bias, next_bias = len(left[0]) - 1, len(next_left[0]) - 1
    _require_equal([_without(here, neuron, None), _without(after, None, next_bias)])
    _require_equal([_without((den, [left[neuron]], [right[neuron]]), None, bias)])
    change = right[neuron][bias] - left[neuron][bias]
    for old, new in zip(next_left, next_right, strict=True):
        if dot((new[next_bias] - old[next_bias], old[neuron]), (den, change), budget) != 0:
            raise Refused(Reason.WEIGHTS_DIFFER, "a bias of the next layer does not compensate")


def _check_line(a: Network, b: Network, budget: Budget) -> None:
    weights, others = a.layers[0].rows[0][:-1], b.layers[0].rows[0][:-1]
    if len(a.layers) != 3 or len(a.layers[0].rows) > 1:
        raise Refused(Reason.NOT_A_LINE, "three layers with one neuron in the first are needed")
    square, product = dot(weights, weights, budget), dot(weights, others, budget)
    pairs = zip(weights, others, strict=True)
    if any(dot(pair, (product, -square), budget) for pair in pairs):
        raise Refused(Reason.NOT_A_LINE, "the first neurons have other directions")
    if product == 0:
        raise Refused(Reason.NOT_A_LINE, "a first neuron is constant")
    # The point x = (num / den)·weights for each zero of a neuron, and two points beyond them all.
    zeros = [
        zero
        for network, slope in ((a, square), (b, product))
        for zero in _zeros(network, slope, budget)
    ]
    far = 1 + max(abs(num) for num, _ in zeros)
    for num, den in (*zeros, (far, 1), (-far, 1)):
        point = RationalVector(den, combine((num,), [(entry,) for entry in weights], budget))
        left, right = a.evaluate(point, budget)[0], b.evaluate(point, budget)[0]
        values = zip(left.nums, right.nums, strict=True)
        if any(dot(pair, (right.den, -left.den), budget) for pair in values):
            raise Refused(Reason.FORMS_DIFFER, "the networks differ on the line")


def _zeros(network: Network, slope: int, budget: Budget) -> list[tuple[int, int]]:
    """Return where on the line neurons vanish; the first one has (slope·u + bias) / den at u."""
    first, second, _ = network.layers
    bias = first.rows[0][-1]
    found = [(-bias, slope)]
    for weight, offset in second.rows:
        if weight:
            top = dot((first.den, weight), (offset, bias), budget)
            found.append((-top, multiply(weight, slope, budget)))
    # num / den = num·den / den², which has a positive denominator.
    return [(multiply(num, den, budget), multiply(den, den, budget)) for num, den in found]
