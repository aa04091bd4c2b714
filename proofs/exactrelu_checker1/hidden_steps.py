"""Steps that move a hidden hyperplane, and keep the function at every point.

Let y be what the neurons of a layer take in, and i one of them, such that the next layer is hidden
too and each of its neurons has a row whose entries, but for the weight w from i, are <= 0: it takes
in z = w·s(y_i) - sum of c_l·s(y_l) - d with c, d >= 0. Where z > 0, w > 0 and y_i > 0.

``translate``  y_i becomes y_i + t and d becomes d + w·t, which must be >= 0 again. Where z > 0,
               w·(y_i + t) > d + w·t >= 0, so y_i + t > 0 and z is the same.
``flip``       w > 0 and c_a = r_a·w in every row, for a in a set without i: y_a becomes -y_a and
               y_i becomes y_i - sum of r_a·y_a. Where z > 0, as s(y) - y = s(-y), w times the new
               y_i is z + d + sum of c_a·s(-y_a) over the set + sum of c_l·s(y_l) over the others:
               it is positive, and z is the same.

Both steps are undone by steps of the same kind, so z > 0 at the same points before and after.
"""

from collections.abc import Sequence

from .integers import dot, multiply
from .rewriting import Rewriting
from .values import RationalVector
from .verdicts import Reason, Refused


def translate(state: Rewriting, layer: int, hidden: int, shift: RationalVector) -> None:
    """Add a rational number to the bias of a hidden neuron."""
    _require_hidden(state, layer, hidden)
    budget, (num,) = state.budget, shift.nums
    den, rows = state.layers[layer]
    next_den, following = state.layers[layer + 1]
    here = [state.scaled(row, shift.den) for row in rows]
    here[hidden][-1] = dot((here[hidden][-1], num), (1, den), budget)
    after = [state.scaled(row, shift.den) for row in following]
    for row, old in zip(after, following, strict=True):
        row[-1] = dot((row[-1], -num), (1, old[hidden]), budget)
    state.layers[layer] = (multiply(den, shift.den, budget), here)
    state.layers[layer + 1] = (multiply(next_den, shift.den, budget), after)
    state.reduce(layer)
    state.reduce(layer + 1)
    _require_hidden(state, layer, hidden)


def flip(state: Rewriting, layer: int, hidden: int, neurons: Sequence[int]) -> None:
    """Turn other neurons than a hidden one around."""
    _require_hidden(state, layer, hidden)
    if hidden in neurons:
        raise Refused(Reason.NEURON_NOT_HIDDEN, "the hidden neuron itself is not turned around")
    budget, following = state.budget, state.layers[layer + 1][1]
    weights = following[0]
    for row in following:
        if row[hidden] <= 0:
            raise Refused(Reason.NEURON_NOT_HIDDEN, "a neuron of the next layer is dead")
        for number in neurons:
            pair = (row[number], row[hidden])
            if dot(pair, (weights[hidden], -weights[number]), budget) != 0:
                raise Refused(Reason.NOT_PROPORTIONAL, "the next layer weighs it in other ways")
    den, rows = state.layers[layer]
    wide = [state.scaled(row, weights[hidden]) for row in rows]
    for number in neurons:
        pairs = zip(wide[hidden], rows[number], strict=True)
        wide[hidden] = [dot(pair, (1, weights[number]), budget) for pair in pairs]
        wide[number] = [-entry for entry in wide[number]]
    state.layers[layer] = (multiply(den, weights[hidden], budget), wide)
    state.reduce(layer)


def _require_hidden(state: Rewriting, layer: int, hidden: int) -> None:
    """Refuse unless the next layer is hidden, and <= 0 but for the weights from a neuron."""
    if layer + 2 >= len(state.layers):
        raise Refused(Reason.NEURON_NOT_HIDDEN, "the next layer is the last: ReLU does not cut it")
    for row in state.layers[layer + 1][1]:
        state.budget.spend(len(row))
        if any(entry > 0 for number, entry in enumerate(row) if number != hidden):
            raise Refused(Reason.NEURON_NOT_HIDDEN, "a positive weight or bias in the next layer")
