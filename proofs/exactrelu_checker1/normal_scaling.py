"""Normal scaling of hidden neurons, and what does not change under scalings.

Scaling a hidden neuron by d > 0 multiplies its row by d and divides its column in the next layer
by d. Inputs, outputs and the constant 1 of the biases cannot be scaled: call them the root, and
join two neurons, or a neuron and the root, where a weight or bias between them is not 0. Neurons
are anchored by their distance from the root, each by its entries that lead to the level before:
d makes the largest |entry| of the incoming ones 1, or of the outgoing ones if the incoming are 0.

Claim. Let g permute and scale A to B. Then g takes the neurons of a level to those of the same
level, and after normal scaling their entries are equal. By induction over the levels: the entries
to the level before correspond, and are equal once their other ends are normal, up to the scale of
the neuron, which the largest one fixes. A component without the root stays free, and only the
signs of its weights are used; unless one of its neurons is named and given the scale 1, in B its
image: the scales of g on the component may be multiplied by one number, so that g has 1 there.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from .budget import Budget
from .integers import dot, multiply, pay_euclid
from .network import Network

Neuron = tuple[int, int]  # hidden layer and number
Ratio = tuple[int, int]  # numerator and denominator > 0, in lowest terms


@dataclass(frozen=True)
class Normal:
    """Labels: entries that lead to the root. Edges: entries from the hidden layer before."""

    labels: dict[Neuron, tuple[object, ...]]
    edges: dict[Neuron, list[tuple[Neuron, Ratio]]]


def normal_form(network: Network, anchors: Iterable[Neuron], budget: Budget) -> Normal:
    """Return the hidden neurons after normal scaling, with the components of some anchored."""
    return _Scaling(network, budget).normal_form(anchors)


class _Scaling:
    def __init__(self, network: Network, budget: Budget) -> None:
        self._layers = network.layers
        self._budget = budget
        self._scales: dict[Neuron, Ratio] = {}
        self._outputs = {len(network.layers) - 2: network.layers[-1].rows}  # by hidden layer
        self._neurons = [
            (layer, number)
            for layer, matrix in enumerate(network.layers[:-1])
            for number in range(len(matrix.rows))
        ]

    def normal_form(self, anchors: Iterable[Neuron]) -> Normal:
        found = {neuron: self._from_root(neuron) for neuron in self._neurons}
        self._spread({neuron: scale for neuron, scale in found.items() if scale})
        for neuron in anchors:
            if neuron not in self._scales:
                self._spread({neuron: (1, 1)})
        labels = {neuron: self._label(neuron) for neuron in self._neurons}
        return Normal(labels, {neuron: self._edges(neuron) for neuron in self._neurons})

    def _spread(self, level: dict[Neuron, Ratio]) -> None:
        """Anchor the neurons of a level, then those joined to them, and so on."""
        while level:
            self._scales.update(level)
            free = [neuron for neuron in self._neurons if neuron not in self._scales]
            found = {neuron: self._from_level(neuron, level) for neuron in free}
            level = {neuron: scale for neuron, scale in found.items() if scale}

    def _from_root(self, neuron: Neuron) -> Ratio | None:
        layer, number = neuron
        matrix = self._layers[layer]
        incoming = self._root_entries(neuron)
        self._budget.spend(len(incoming) + len(self._layers[-1].rows))
        if any(incoming):
            return self._ratio(matrix.den, max(map(abs, incoming)))
        outgoing = [abs(row[number]) for row in self._outputs.get(layer, ())]
        return self._ratio(max(outgoing), self._layers[-1].den) if any(outgoing) else None

    def _from_level(self, neuron: Neuron, level: dict[Neuron, Ratio]) -> Ratio | None:
        layer, number = neuron
        self._budget.spend(self._layers[layer].width + len(self._layers[layer + 1].rows))
        incoming = [self._entry(1, neuron, u) for u in self._before(neuron) if u in level]
        if incoming:
            top, bottom = self._largest(incoming)
            return bottom, top
        outgoing = []
        for position, row in enumerate(self._layers[layer + 1].rows):
            if row[number] and (layer + 1, position) in level:
                outgoing.append(self._entry(1, (layer + 1, position), neuron))
        return self._largest(outgoing) if outgoing else None

    def _label(self, neuron: Neuron) -> tuple[object, ...]:
        layer, number = neuron
        if neuron not in self._scales:
            return (layer,)
        top, bottom = self._scales[neuron]
        den, last = self._layers[layer].den, self._layers[-1].den
        incoming = [self._product((w, den), (top, bottom)) for w in self._root_entries(neuron)]
        outgoing = [
            self._product((r[number], last), (bottom, top)) for r in self._outputs.get(layer, ())
        ]
        return (layer, tuple(incoming), tuple(outgoing))

    def _edges(self, neuron: Neuron) -> list[tuple[Neuron, Ratio]]:
        layer, number = neuron
        row = self._layers[layer].rows[number]
        self._budget.spend(len(row))
        edges: list[tuple[Neuron, Ratio]] = []
        for before in self._before(neuron):
            sign = row[before[1]] // abs(row[before[1]])
            free = neuron not in self._scales
            edges.append((before, (sign, 1) if free else self._entry(sign, neuron, before)))
        return edges

    def _before(self, neuron: Neuron) -> list[Neuron]:
        """Return the hidden neurons from which a weight that is not 0 leads to a neuron."""
        layer, number = neuron
        row = self._layers[layer].rows[number][:-1]
        return [(layer - 1, column) for column, weight in enumerate(row) if weight and layer > 0]

    def _entry(self, sign: int, to: Neuron, start: Neuron) -> Ratio:
        """Return a sign times the absolute value of a weight, scaled where its ends are."""
        matrix = self._layers[to[0]]
        weight = sign * abs(matrix.rows[to[1]][start[1]])
        p, q = self._scales.get(to, (1, 1))
        s, t = self._scales.get(start, (1, 1))
        return self._product(self._product((weight, matrix.den), (p, q)), (t, s))

    def _root_entries(self, neuron: Neuron) -> Sequence[int]:
        row = self._layers[neuron[0]].rows[neuron[1]]
        return row[-1:] if neuron[0] else row

    def _largest(self, ratios: Sequence[Ratio]) -> Ratio:
        """Return the largest of some positive ratios."""

        def compare(left: Ratio, right: Ratio) -> int:
            return dot((left[0], right[0]), (right[1], -left[1]), self._budget)

        return max(ratios, key=cmp_to_key(compare))

    def _product(self, left: Ratio, right: Ratio) -> Ratio:
        top = multiply(left[0], right[0], self._budget)
        return self._ratio(top, multiply(left[1], right[1], self._budget))

    def _ratio(self, top: int, bottom: int) -> Ratio:
        pay_euclid(top, bottom, self._budget)
        common = math.gcd(top, bottom)
        return top // common, bottom // common
