"""The hidden units of a network in order, as affine functions on the current cell.

On a cell on which all earlier neurons have a sign, the preactivation of the next
neuron is affine: z(x) = a·x + b.  A linear unit passes it on as it is, and counts as decided, with
the sign + whatever it is.  ReLU is positively homogeneous, so with every layer multiplied by its
common denominator, z is known up to one positive factor per layer: (a, b) are integers, and no
fraction is ever reduced.

A sign may be *known* beforehand, from bounds of the neuron wherever the cells lie: z ≥ 0, or z ≤ 0.
A neuron that is constant on a cell has the sign of the constant there, 0 too, whatever is known.

A :class:`Walk` is immutable; deciding a sign makes a new one, so that the two sides
of a split share their past and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exactrelu.exact.system import Row, Sense, row_of_integers
from exactrelu.network.network import CARRIED, Layer, Network, Pattern
from exactrelu.polyhedra.answers import IntegerRow

#: Signs of units by layer, None where nothing is known.
KnownSigns = Sequence[Sequence[int | None]]


@dataclass(frozen=True)
class IntegerLayer:
    """``scale``·[W|b] in integers: for each unit its nonzero weights, and its bias.

    ``passes`` says which units are linear.
    """

    scale: int
    units: tuple[tuple[tuple[tuple[int, int], ...], int], ...]
    passes: tuple[bool, ...]


def integer_layers(network: Network) -> tuple[IntegerLayer, ...]:
    """The layers, each scaled to integers."""
    return tuple(map(integer_layer, network.layers))


def integer_layer(layer: Layer) -> IntegerLayer:
    """A layer, scaled to integers."""
    n = layer.n_inputs
    units = tuple(
        (tuple((j, w) for j, w in row if j < n), next((b for j, b in row if j == n), 0))
        for row in layer.affine.integer_nonzeros()
    )
    return IntegerLayer(int(layer.affine.denominator), units, layer.passes)


@dataclass(frozen=True)
class Walk:
    """A cell during the refinement: which neurons are decided, and how.

    ``inputs[j]`` is ``scale`` times the j-th input of the current layer as an integer
    row (a, b) in x; None stands for the zero function.
    """

    layers: tuple[IntegerLayer, ...]
    dimension: int
    layer: int
    inputs: tuple[IntegerRow | None, ...]
    scale: int
    #: Signs and outputs of the decided neurons of the current layer.
    signs: tuple[int, ...]
    outputs: tuple[IntegerRow | None, ...]
    decided: Pattern
    #: Signs that are known beforehand, of all hidden units or of none.
    known: KnownSigns = ()

    @classmethod
    def start(cls, network: Network, known: KnownSigns = ()) -> Walk:
        """Before the first neuron."""
        n = network.n_inputs
        return cls(integer_layers(network)[:-1], n, 0, coordinates(n), 1, (), (), (), known)

    @property
    def is_done(self) -> bool:
        """Whether every hidden neuron has its sign."""
        return self.layer == len(self.layers)

    @property
    def next_neuron(self) -> int:
        """The index, from 0, of the next unit in the current layer."""
        return len(self.signs)

    def is_linear(self, ahead: int = 0) -> bool:
        """Whether the next unit, or one further ahead in its layer, has no ReLU."""
        return self.layers[self.layer].passes[self.next_neuron + ahead]

    def known_sign(self, ahead: int = 0) -> int | None:
        """The sign of the next unit, or of one further ahead, that is known beforehand."""
        return self.known[self.layer][self.next_neuron + ahead] if self.known else None

    def preactivation(self, ahead: int = 0) -> IntegerRow:
        """(a, b) of the next unit, or of one further ahead in its layer, up to a factor > 0."""
        weights, bias = self.layers[self.layer].units[self.next_neuron + ahead]
        row = [0] * self.dimension + [bias * self.scale]
        for j, weight in weights:
            incoming = self.inputs[j]
            if incoming is not None:
                for k, value in enumerate(incoming):
                    row[k] += weight * value
        return tuple(row)

    @property
    def n_left_in_layer(self) -> int:
        """How many units of the current layer are not decided yet."""
        return len(self.layers[self.layer].units) - self.next_neuron

    def decide(self, row: IntegerRow, sign: int) -> Walk:
        """The walk after the next unit, whose preactivation is ``row``, got its sign."""
        signs = (*self.signs, sign)
        outputs = (*self.outputs, row if sign > 0 else None)
        current = self.layers[self.layer]
        if len(signs) < len(current.units):
            return Walk(
                self.layers, self.dimension, self.layer, self.inputs, self.scale,
                signs, outputs, self.decided, self.known,
            )  # fmt: skip
        return Walk(
            self.layers, self.dimension, self.layer + 1, outputs, self.scale * current.scale,
            (), (), (*self.decided, signs), self.known,
        )  # fmt: skip


def next_cut(walk: Walk) -> tuple[Walk, IntegerRow | None]:
    """Pass linear units, constant neurons and known signs up to the next other neuron, if any."""
    while not walk.is_done:
        row = walk.preactivation()
        if walk.is_linear():
            walk = walk.decide(row, CARRIED)
        elif any(row[:-1]):
            known = walk.known_sign()
            if known is None:
                return walk, row
            walk = walk.decide(row, known)
        else:
            walk = walk.decide(row, (row[-1] > 0) - (row[-1] < 0))
    return walk, None


def coordinates(dimension: int) -> tuple[IntegerRow, ...]:
    """The functions x_1, …, x_n as rows."""
    return tuple(tuple(int(i == j) for j in range(dimension + 1)) for i in range(dimension))


def negated(row: Sequence[int]) -> IntegerRow:
    """−row."""
    return tuple(-value for value in row)


def strict_row(row: IntegerRow) -> Row:
    """(a, b) as the inequality a·x + b > 0."""
    return row_of_integers(row, Sense.GREATER)
