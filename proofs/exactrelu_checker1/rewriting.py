"""Steps that change a network but not its function on a domain.

A layer is den and rows over it, row i holding the weights of neuron i and its bias. An input of a
layer is *nonnegative* if it is a hidden neuron, or a coordinate that a row of the domain keeps
positive. A neuron is *linear* if its bias and its weights from nonnegative inputs are >= 0 and its
other weights are 0: ReLU does not change it. It is *dead* if they are <= 0 and 0, or if every
weight that leads on from it is 0: it adds nothing. These are sufficient conditions only.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .budget import Budget
from .integers import Rows, combine, dot, lowest_terms, multiply
from .network import Network
from .system import System
from .values import RationalMatrix
from .verdicts import Reason, Refused

Layer = tuple[int, list[list[int]]]


@dataclass(frozen=True)
class Rewriting:
    """The layers of a network, A or B, after some steps; a step replaces two neighbours."""

    layers: list[Layer]
    positive: frozenset[int]  # the coordinates that the domain keeps positive
    budget: Budget

    def drop(self, layer: int, neuron: int) -> None:
        """Remove a dead neuron."""
        if not (self._has_sign(layer, neuron, -1) or self._is_unused(layer, neuron)):
            raise Refused(Reason.NEURON_NOT_DEAD, f"neuron {neuron} is not dead by its signs")
        self.remove(layer, [neuron])

    def merge(self, layer: int, neuron: int, into: int) -> None:
        """Remove a neuron whose row is c > 0 times another one; its column goes there c times."""
        rows = self.layers[layer][1]
        source, target = rows[neuron], rows[into]
        place = next((k for k, entry in enumerate(target) if entry), 0)
        top, bottom = abs(source[place]), abs(target[place])
        differences = [
            dot(pair, (bottom, -top), self.budget) for pair in zip(source, target, strict=True)
        ]
        if neuron == into or not top or not bottom or any(differences):
            raise Refused(Reason.NOT_PROPORTIONAL, "no positive multiple of the other row")
        den, following = self.layers[layer + 1]
        for row in following:
            self.budget.spend(len(row))
            moved = dot((row[into], row[neuron]), (bottom, top), self.budget)
            row[:] = combine((bottom,), [(entry,) for entry in row], self.budget)
            row[into] = moved
        self.layers[layer + 1] = (multiply(den, bottom, self.budget), following)
        self.remove(layer, [neuron])

    def refactor(
        self, layer: int, neurons: Sequence[int], left: RationalMatrix, right: RationalMatrix
    ) -> None:
        """Replace linear neurons by others: their map V·W is left·right, and V·b joins the bias."""
        den, rows = self.layers[layer]
        next_den, following = self.layers[layer + 1]
        self._require_linear(layer, [rows[number] for number in neurons])
        self._require_linear(layer, [[*row, 0] for row in right.rows])
        chosen = [rows[number] for number in neurons]
        maps = self._product(
            [[row[i] for i in neurons] for row in following], chosen, right.width + 1
        )
        products = self._product(left.rows, right.rows, right.width)
        scale = multiply(left.den, right.den, self.budget)
        total = multiply(den, next_den, self.budget)
        for ours, theirs in zip(maps, products, strict=True):
            for pair in zip(ours, theirs, strict=False):
                if dot(pair, (scale, -total), self.budget) != 0:
                    raise Refused(Reason.PRODUCT_DIFFERS, "left times right is another map")
        # Over one denominator: the layer den·right.den, the next one den·next_den·left.den.
        wide = [self.scaled(row, right.den) for row in rows]
        wide += [self.scaled([*row, 0], den) for row in right.rows]
        self.layers[layer] = (multiply(den, right.den, self.budget), wide)
        factor = multiply(den, left.den, self.budget)
        for row, new, added in zip(following, left.rows, maps, strict=True):
            old = self.scaled(row, factor)
            bias = dot((old[-1], added[-1]), (1, left.den), self.budget)
            row[:] = [*old[:-1], *self.scaled(new, total), bias]
        self.layers[layer + 1] = (multiply(total, left.den, self.budget), following)
        self.remove(layer, neurons)

    def compose(self, layer: int) -> None:
        """Join a layer of linear and dead neurons with the next one."""
        den, rows = self.layers[layer]
        next_den, following = self.layers[layer + 1]
        width = len(rows[0])
        kept = []
        for number, row in enumerate(rows):
            if self._has_sign(layer, number, 1):
                kept.append(row)
            elif self._has_sign(layer, number, -1) or self._is_unused(layer, number):
                kept.append([0] * width)
            else:
                raise Refused(
                    Reason.NEURON_NOT_LINEAR, f"neuron {number} is neither linear nor dead"
                )
        joined = self._product([row[:-1] for row in following], kept, width)
        for row, new in zip(following, joined, strict=True):
            new[-1] = dot((new[-1], row[-1]), (1, den), self.budget)
        self.layers[layer : layer + 2] = [(multiply(den, next_den, self.budget), joined)]
        self.reduce(layer)

    def network(self) -> Network:
        """Return the network as it now is."""
        return Network(tuple(RationalMatrix(den, rows, len(rows[0])) for den, rows in self.layers))

    def require_equal(self, other: "Rewriting") -> None:
        """Refuse unless the layers are now those of another one."""
        ours, theirs = self.network().layers, other.network().layers
        shapes = [[(len(layer.rows), layer.width) for layer in layers] for layers in (ours, theirs)]
        if shapes[0] != shapes[1]:
            raise Refused(Reason.RESULT_DIFFERS, "the steps lead to other widths")
        for layer, wanted in zip(ours, theirs, strict=True):
            for rows in zip(layer.rows, wanted.rows, strict=True):
                for pair in zip(*rows, strict=True):
                    if dot(pair, (wanted.den, -layer.den), self.budget) != 0:
                        raise Refused(Reason.RESULT_DIFFERS, "the steps lead to other weights")

    def _has_sign(self, layer: int, neuron: int, sign: int) -> bool:
        """Tell whether a neuron is linear (sign 1), or dead by its row (sign -1)."""
        return self._is_signed(layer, self.layers[layer][1][neuron], sign)

    def _is_signed(self, layer: int, row: Sequence[int], sign: int) -> bool:
        self.budget.spend(len(row))
        *weights, bias = row
        signed = all(
            sign * weight >= 0 if layer or number in self.positive else weight == 0
            for number, weight in enumerate(weights)
        )
        return signed and sign * bias >= 0

    def _require_linear(self, layer: int, rows: Rows) -> None:
        if not all(self._is_signed(layer, row, 1) for row in rows):
            raise Refused(Reason.NEURON_NOT_LINEAR, "a neuron is not linear by its signs")

    def _is_unused(self, layer: int, neuron: int) -> bool:
        following = self.layers[layer + 1][1]
        self.budget.spend(len(following))
        return not any(row[neuron] for row in following)

    def remove(self, layer: int, neurons: Sequence[int]) -> None:
        """Remove neurons, and the weights that lead on from them."""
        den, rows = self.layers[layer]
        next_den, following = self.layers[layer + 1]
        self.budget.spend(len(rows) * (1 + len(following)))
        gone = set(neurons)
        kept = [number for number in range(len(rows)) if number not in gone]
        if not kept:
            raise Refused(Reason.LAYER_EMPTY, "no neuron would be left in the layer")
        self.layers[layer] = (den, [rows[number] for number in kept])
        kept.append(len(rows))
        self.layers[layer + 1] = (next_den, [[row[i] for i in kept] for row in following])
        self.reduce(layer)
        self.reduce(layer + 1)

    def reduce(self, layer: int) -> None:
        """Bring a layer to lowest terms, so that numbers stay short."""
        self.layers[layer] = lowest_terms(*self.layers[layer], self.budget)

    def _product(self, left: Rows, right: Rows, width: int) -> list[list[int]]:
        columns = list(zip(*right, strict=True)) or [()] * width
        return [list(combine(row, columns, self.budget)) for row in left]

    def scaled(self, row: Sequence[int], factor: int) -> list[int]:
        """Return a row times a factor."""
        return list(combine((factor,), [(entry,) for entry in row], self.budget))


def rewritings(
    networks: Sequence[Network], domain: System, budget: Budget
) -> tuple[Rewriting, ...]:
    """Start from networks on a domain."""
    positive: set[int] = set()
    for row in domain.rows:
        budget.spend(len(row))
        n_used = sum(map(bool, row[:-1]))
        if n_used < 2 and row[-1] <= 0:
            positive.update(number for number, entry in enumerate(row[:-1]) if entry > 0)
    tables = [
        [(layer.den, [list(row) for row in layer.rows]) for layer in network.layers]
        for network in networks
    ]
    return tuple(Rewriting(layers, frozenset(positive), budget) for layers in tables)
