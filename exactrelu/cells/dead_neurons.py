"""Is a hidden neuron never active on a domain?  Branch and bound over a linear relaxation.

Let t be a neuron of layer L with preactivation z_t.  Variables are x and h_k for the neurons k of
the layers before L.  An *undecided* neuron has h_k ≥ 0 and h_k ≥ z_k, an *active* one
h_k = z_k ≥ 0, an *inactive* one h_k = 0 ≥ z_k, where z_k is affine in the layer before.  If
max z_t ≤ 0 over these rows and those of the domain, the node is closed; if not, the neuron whose
h_k is farthest from s(z_k) at the optimum is decided in both ways.  Cells are never enumerated:
most neurons stay undecided.

Neither the joint tree of a network and the one without the neuron (:mod:`.pairs`), which cuts at
affine neurons only, nor cells do as well: neurons of 6-8-8-2-1 that are planted to be dead on all
of space have trees of 25 to 91 nodes here (0.04 to 0.19 s), and more than 200 cuts there.  Only the
portfolio asks.

The dual of a closed node is a slope m_k for each neuron: with the coefficient a_k of h_k in what
bounds z_t so far, a_k·s(z) ≤ m_k·z for every z that the node allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot, primitive
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network, trace
from exactrelu.network.rewriting import BoundBranch, BoundLeaf, Tree
from exactrelu.polyhedra.answers import Infeasible, Optimum, Unbounded
from exactrelu.polyhedra.lp import maximize

#: (layer, number) of a hidden neuron, from 0.
Neuron = tuple[int, int]


@dataclass(frozen=True)
class ActivePoint:
    """A point of the closed domain where the neuron is active."""

    point: Vector


def bound_tree(
    network: Network,
    domain: LinearSystem,
    neuron: Neuron,
    max_nodes: int,
    effort: Effort = UNLIMITED,
) -> Tree | ActivePoint | None:
    """Why the neuron is ≤ 0 on the domain, or a point where it is not; None over the limit.

    >>> net = Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[-1, -1], [-1], [0]])
    >>> bound_tree(net, LinearSystem(1), (1, 0), 10)
    ActivePoint(point=(3,))
    >>> len(bound_tree(net, LinearSystem.box([(-2, 2)]), (1, 0), 10))
    7
    """
    relaxation = _Relaxation(network, domain, neuron)
    nodes: list[BoundBranch | BoundLeaf] = []
    stack: list[dict[Neuron, bool]] = [{}]
    while stack:
        if len(nodes) + len(stack) > max_nodes:
            return None
        effort.spend()
        decided = stack.pop()
        node = _RelaxationNode(relaxation, decided)
        answer = node.solved(effort)
        if isinstance(answer, BoundLeaf):
            nodes.append(answer)
            continue
        point = answer[: network.n_inputs]
        if trace(network, point).flint_numerators[neuron[0]][neuron[1]] > 0:
            return ActivePoint(point)
        chosen = node.loosest(answer)
        nodes.append(BoundBranch(*chosen))
        stack += [{**decided, chosen: False}, {**decided, chosen: True}]
    return tuple(nodes)


class _Relaxation:
    """What all nodes share: integer rows, and the neurons that the neuron depends on."""

    def __init__(self, network: Network, domain: LinearSystem, neuron: Neuron) -> None:
        last, number = neuron
        forms = [layer.affine.integer_form for layer in network.layers[: last + 1]]
        self.denominators = [fmpq(den) for _, den in forms]
        self.layers = [[tuple(map(fmpq, row)) for row in rows.table()] for rows, _ in forms]
        self.goal = self.layers.pop()[number]
        self.domain = [tuple(map(fmpq, row.flint_integers())) for row in domain.rows]
        self.n_inputs = network.n_inputs
        self.used: list[list[int]] = []
        rows: Sequence[Vector] = [self.goal]
        for layer in reversed(self.layers):
            used = [i for i in range(len(layer)) if any(row[i] for row in rows)]
            rows = [layer[i] for i in used]
            self.used.insert(0, used)


class _RelaxationNode:
    """The rows of a node, over x, the undecided neurons and 1."""

    def __init__(self, relaxation: _Relaxation, decided: Mapping[Neuron, bool]) -> None:
        self._relaxation = relaxation
        self._decided = decided
        used = [(l, i) for l, layer in enumerate(relaxation.used) for i in layer]
        self._open = [k for k in used if k not in decided]
        self._size = relaxation.n_inputs + len(self._open)
        places = {k: relaxation.n_inputs + j for j, k in enumerate(self._open)}
        self._rows = [(*row[:-1], *(ZERO,) * len(self._open), row[-1]) for row in relaxation.domain]
        #: The row of s(z) − z ≥ 0, of z ≥ 0 or of −z ≥ 0.
        self._row_of: dict[Neuron, int] = {}
        self._preactivations: dict[Neuron, Vector] = {}
        before = {j: self._unit(j) for j in range(relaxation.n_inputs)}
        for l, neurons in enumerate(relaxation.used):
            den = relaxation.denominators[l]
            after = {}
            for i in neurons:
                z = self._affine(relaxation.layers[l][i], before)
                self._preactivations[l, i] = z
                if (l, i) in places:
                    after[i] = self._unit(places[l, i])
                    self._rows.append(after[i])
                    row = tuple(den * h - v for h, v in zip(after[i], z, strict=True))
                elif decided[l, i]:
                    after[i] = tuple(v / den for v in z)
                    row = z
                else:
                    row = tuple(-v for v in z)
                self._row_of[l, i] = len(self._rows)
                self._rows.append(row)
            before = after
        self._goal = self._affine(relaxation.goal, before)

    def solved(self, effort: Effort) -> BoundLeaf | Vector:
        """Multipliers that close the node, or a point of it where the goal is > 0."""
        goal = self._goal
        rows = tuple(Row(row[:-1], row[-1]) for row in self._rows)
        answer = maximize(goal[:-1], LinearSystem(self._size, rows), effort=effort)
        match answer:
            case Unbounded(point, ray):
                slope = dot(goal[:-1], ray)
                missing = ONE - dot(goal, (*point, ONE))
                step = max(missing / slope, ONE)
                return tuple(x + step * d for x, d in zip(point, ray, strict=True))
            case Optimum() if answer.flint_value + goal[-1] > 0:
                return answer.flint_point
            case Optimum():
                return self._bound(ONE, dict(answer.flint_multipliers))
            case Infeasible(multipliers):
                return self._bound(ZERO, {i: fmpq(value) for i, value in multipliers})

    def loosest(self, point: Vector) -> Neuron:
        """The undecided neuron whose variable is farthest above its ReLU at a point."""
        gaps = {}
        for (l, i), h in zip(self._open, point[self._relaxation.n_inputs :], strict=True):
            z = dot(self._preactivations[l, i], (*point, ONE))
            gaps[l, i] = h - max(z / self._relaxation.denominators[l], ZERO)
        return max(self._open, key=gaps.__getitem__)

    def _bound(self, factor: fmpq, multipliers: Mapping[int, fmpq]) -> BoundLeaf:
        """Slopes from the multipliers of the rows, from the last layer to the first."""
        relaxation = self._relaxation
        coefficients = [factor * v for v in relaxation.goal[:-1]]
        slopes: list[list[fmpq]] = []
        for l in reversed(range(len(relaxation.layers))):
            layer, here = relaxation.layers[l], [ZERO] * len(relaxation.layers[l])
            for i in relaxation.used[l]:
                value = multipliers.get(self._row_of[l, i], ZERO)
                is_active = self._decided.get((l, i), False)
                own = coefficients[i] / relaxation.denominators[l]
                here[i] = own + value if is_active else -value
            slopes.insert(0, here)
            columns = list(zip(*layer, strict=True))[:-1]
            coefficients = [dot(here, column) for column in columns]
        used = [i for i in range(len(relaxation.domain)) if multipliers.get(i)]
        integers = primitive([factor, *chain(*slopes), *(multipliers[i] for i in used)])
        numbers = iter(map(int, integers))
        return BoundLeaf(
            next(numbers),
            tuple(tuple(next(numbers) for _ in layer) for layer in slopes),
            tuple(used),
            tuple(numbers),
        )

    def _unit(self, place: int) -> Vector:
        return tuple(ONE if j == place else ZERO for j in range(self._size + 1))

    def _affine(self, row: Vector, inputs: Mapping[int, Vector]) -> Vector:
        """A row of weights and bias as a function of the variables, from that of its inputs."""
        total = [ZERO] * self._size + [row[-1]]
        for j, form in inputs.items():
            if row[j] != 0:
                total = [t + row[j] * v for t, v in zip(total, form, strict=True)]
        return tuple(total)
