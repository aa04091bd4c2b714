"""The joint split tree of two networks: where are they equal, and where is which affine?

On a cell, an open polyhedron, the difference of the networks is computed formally
(:mod:`exactrelu.complex.forms`): neurons without a sign stay as atoms.  A branch ends as soon
as the difference has no atoms left: it is 0, or one affine function.  Otherwise the
cell is cut by a neuron that matters: one whose atom occurs in the difference, or inside
an atom that does, and that is affine on the cell.  Neurons that do not cut the cell
are decided with Farkas multipliers.  The nodes are the records of the certificates
``equal-by-cells`` and ``equal-within``, in preorder, the negative side first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

from exactrelu.complex.forms import Atoms, Form, integer_layers, total
from exactrelu.complex.split_tree import strict_row
from exactrelu.complex.walk import negated
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible
from exactrelu.polyhedra.integer_rows import IntegerRow, Multipliers, evaluate, homogeneous
from exactrelu.polyhedra.prober import Prober

#: (network, hidden layer, number), all from 0.
Neuron = tuple[int, int, int]

#: How many points of a cell are remembered to tell that a neuron cuts it.
MAX_POINTS = 32


@dataclass(frozen=True)
class Split:
    """The cell is cut by a neuron; its negative side follows, then its positive side."""

    neuron: Neuron


@dataclass(frozen=True)
class Sides:
    """Neurons with their sign on the whole cell.

    The multipliers are those of the rows of the cell, the domain's first, and then of the
    side of the neuron that is empty.
    """

    neurons: tuple[tuple[Neuron, int, Multipliers], ...]


@dataclass(frozen=True)
class Empty:
    """The domain is empty: multipliers of its rows."""

    multipliers: Multipliers


@dataclass(frozen=True)
class Leaf:
    """A cell on which output k of A minus that of B is the affine function rows[k]/den.

    ``system`` are the rows of the cell, the domain's first, and ``point`` lies inside.
    """

    rows: tuple[IntegerRow, ...]
    den: int
    system: LinearSystem
    point: Vector

    @property
    def is_same(self) -> bool:
        """Whether the networks are equal on the cell."""
        return not any(any(row) for row in self.rows)


@dataclass(frozen=True)
class Sample:
    """A point of the domain that was found on the way; no record of a certificate."""

    point: Vector


Node = Split | Sides | Empty | Leaf | Sample


@dataclass(frozen=True)
class _Cell:
    """A cell to be visited, with points inside; its last row is put on ``n_below`` others."""

    positive: Mapping[int, bool]
    n_below: int
    row: IntegerRow | None
    points: tuple[Vector, ...]


def pair_tree(a: Network, b: Network, domain: LinearSystem) -> Iterator[Node]:
    """The nodes of the tree on an open ``domain``, all of whose rows are strict.

    >>> a = Network.from_arrays([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    >>> b = Network.from_arrays([[[1]]], [[0]])
    >>> [node.is_same for node in pair_tree(a, b, LinearSystem(1)) if isinstance(node, Leaf)]
    [True]
    """
    prober = Prober(domain)
    answer = prober.feasible()
    if isinstance(answer, Infeasible):
        yield Empty(answer.multipliers)
        return
    pair = _Pair(a, b)
    stack = [_Cell({}, 0, None, (answer.point,))]
    while stack:
        cell = stack.pop()
        while prober.n_pushed > cell.n_below:
            prober.pop()
        if cell.row is not None:
            prober.push(strict_row(cell.row))
        below = yield from _visit(pair, prober, cell)
        stack += reversed(below)


class _Pair:
    """The two networks and the atoms that they have in common."""

    def __init__(self, a: Network, b: Network) -> None:
        self.atoms = Atoms(a.n_inputs)
        self._layers = (integer_layers(a), integer_layers(b))

    def differences(
        self, positive: Mapping[int, bool]
    ) -> tuple[list[Form], int, dict[int, tuple[Neuron, int]]]:
        """Outputs of A minus those of B, their denominator, and a neuron for each atom."""
        left, right = (self.atoms.through(layers, positive) for layers in self._layers)
        neurons: dict[int, tuple[Neuron, int]] = {}
        for network, passed in enumerate((left, right)):
            for number, (l, i, sign) in passed.neurons.items():
                neurons.setdefault(number, ((network, l, i), sign))
        forms = [
            self.atoms.plain(total([(right.den, f), (-left.den, g)]))
            for f, g in zip(left.outputs, right.outputs, strict=True)
        ]
        return forms, left.den * right.den, neurons

    def occurring(self, forms: Sequence[Form]) -> Counter[int]:
        """The affine atoms in forms or inside atoms in them, and how often each occurs."""
        found: Counter[int] = Counter()
        seen: set[int] = set()
        stack = list(forms)
        while stack:
            for number in self.atoms.inside(stack.pop()):
                if self.atoms.is_affine(number):
                    found[number] += 1
                elif number not in seen:
                    seen.add(number)
                    stack.append(self.atoms.forms[number])
        return found


def _visit(pair: _Pair, prober: Prober, cell: _Cell) -> Generator[Node, None, list[_Cell]]:
    """The nodes of a cell; returns the two cells below it if the last of them is a split."""
    positive, points = dict(cell.positive), list(cell.points)
    cutting: set[int] = set()
    while True:
        forms, den, neurons = pair.differences(positive)
        counts = pair.occurring(forms)
        if not counts:
            rows = tuple(row for f in forms if (row := pair.atoms.row(f)) is not None)
            yield Leaf(rows, den, prober.system, points[0])
            return []
        sides = []
        for number in counts:
            if number in cutting:
                continue
            row = pair.atoms.row(pair.atoms.forms[number]) or ()
            sign, multipliers = _sign(prober, row, points)
            if multipliers is None:
                cutting.add(number)
                yield Sample(points[-1])
                continue
            positive[number] = sign > 0
            neuron, orientation = neurons[number]
            sides.append((neuron, sign * orientation, multipliers))
        if sides:
            yield Sides(tuple(sides))
            continue
        number = max(counts, key=lambda k: (counts[k], -k))
        neuron, orientation = neurons[number]
        yield Split(neuron)
        row = pair.atoms.row(pair.atoms.forms[number]) or ()
        below = []
        for side in (-1, 1):
            oriented = row if side * orientation > 0 else negated(row)
            inside = [x for x in points if evaluate(oriented, homogeneous(x)) > 0]
            below.append(
                _Cell(
                    {**positive, number: side * orientation > 0},
                    prober.n_pushed,
                    oriented,
                    tuple(inside[-MAX_POINTS:]),
                )
            )
        return below


def _sign(prober: Prober, row: IntegerRow, points: list[Vector]) -> tuple[int, Multipliers | None]:
    """The sign of a row on the cell with multipliers; or it cuts, and ``points`` show that."""
    values = [evaluate(row, homogeneous(x)) for x in points]
    for sign, oriented in ((1, row), (-1, negated(row))):
        if any(value * sign < 0 for value in values):
            continue
        prober.push(strict_row(negated(oriented)))
        answer = prober.feasible()
        prober.pop()
        if isinstance(answer, Infeasible):
            return sign, answer.multipliers
        points.append(answer.point)
    return 0, None
