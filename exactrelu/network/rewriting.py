"""Rewriting steps that keep the function of a network on a domain, and a normal form by them.

An input of a layer is *nonnegative* if it is a hidden neuron, or a coordinate that
a row of the domain keeps positive.  By signs (theory 1.2) a neuron is *linear* if its
weights from nonnegative inputs and its bias are ≥ 0 and its other weights are 0, *dead* if
they are ≤ 0 and 0, or if every weight that leads on from it is 0.  Hidden hyperplanes move as in
:mod:`exactrelu.network.hiding`, where the next layer is ≤ 0 but for the weights from one neuron.
A neuron may also be dead by a bound tree (:mod:`exactrelu.cells.dead_neurons`).

Steps name hidden layers and neurons from 0.

Hidden hyperplanes have a normal form, whatever the widths (theory 3.1–3.3, 3.7).  Let all rows
[w|b] of the next layer that are not dead have one positive entry, a weight from the same neuron i.
Then (a weaker condition than hiding, theory 3.1: zeros may occur)

- T_i (:class:`Translate`) keeps the function for t ≥ max_j b_j / w_ji, which is ≤ 0.  Normal: t is
  that bound.
- M_A (:class:`Flip`) keeps it if, for each a in A, w_ja / w_ji is the same for all these rows j;
  one live neuron is a special case.  Normal: the first weight ≠ 0 of row a is positive, where
  inputs of later layers are taken in an order that does not depend on their numbering or scale.

Neither needs genericity.  T_i and M_A commute, and so the normal form of θ is that of every
T_i M_A θ, up to permutation and positive scaling.

Symbols: i ``hidden``, t ``shift``, A ``neurons``; w_j, b_j ``following``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ONE, ZERO, Vector, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.hiding import flipped, is_dead_row, replaced, translated
from exactrelu.network.network import Layer, Network, PlainNetwork


@dataclass(frozen=True)
class Drop:
    """Remove a dead neuron."""

    layer: int
    neuron: int


@dataclass(frozen=True)
class Merge:
    """Remove a neuron whose row is c > 0 times that of ``into``, which gets c times its column."""

    layer: int
    neuron: int
    into: int


@dataclass(frozen=True)
class Compose:
    """Join a layer of linear and dead neurons with the next layer."""

    layer: int


@dataclass(frozen=True)
class Refactor:
    """Replace linear neurons I by others at the end: V_I W_I = left·right, V_I b_I to the bias."""

    layer: int
    neurons: tuple[int, ...]
    left: Matrix
    right: Matrix


@dataclass(frozen=True)
class Translate(Outward):
    """Move the hidden neuron ``hidden`` by ``shift``: T_i of theory 3.2."""

    layer: int
    hidden: int
    shift: fmpq


@dataclass(frozen=True)
class Flip:
    """Turn the neurons A around where ``hidden`` is hidden: M_A of theory 3.3."""

    layer: int
    hidden: int
    neurons: tuple[int, ...]


@dataclass(frozen=True)
class BoundBranch:
    """A node of a bound tree: the neuron is active in the next subtree, inactive in the other."""

    layer: int
    neuron: int


@dataclass(frozen=True)
class BoundLeaf:
    """A leaf of a bound tree about neuron t: factor·z_t + Σ values·rows is ≤ a constant ≤ 0.

    Layers before that of t have slopes.  All multiply integer rows: [W|b] times the least common
    denominator of the layer, and primitive rows of the domain.
    """

    factor: int
    slopes: tuple[tuple[int, ...], ...]
    rows: tuple[int, ...]
    values: tuple[int, ...]


#: In preorder.
Tree: TypeAlias = tuple[BoundBranch | BoundLeaf, ...]


@dataclass(frozen=True)
class NeverActive:
    """Remove a neuron that is dead by a bound tree."""

    layer: int
    neuron: int
    tree: Tree


Step: TypeAlias = Drop | Merge | Compose | Refactor | Translate | Flip | NeverActive


def positive_coordinates(domain: LinearSystem) -> frozenset[int]:
    """The coordinates that a row of the domain keeps positive."""
    found = set()
    for row in domain.rows:
        used = [j for j, a in enumerate(row.flint_normal) if a != 0]
        if len(used) == 1 and row.flint_normal[used[0]] > 0 and row.flint_offset <= 0:
            found.add(used[0])
    return frozenset(found)


def has_sign(row: Vector, sign: int, layer: int, positive: frozenset[int]) -> bool:
    """Whether a row [w|b] makes a linear neuron (sign 1) or a dead one (sign −1)."""
    return sign * row[-1] >= 0 and all(
        w == 0 or (sign * w > 0 and (layer > 0 or j in positive)) for j, w in enumerate(row[:-1])
    )


def ratio(row: Vector, other: Vector) -> fmpq | None:
    """The c > 0 with row = c·other, neither of them 0, or None."""
    place = next((k for k, w in enumerate(other) if w != 0), None)
    if place is None:
        return None
    c = row[place] / other[place]
    return c if c > 0 and all(v == c * w for v, w in zip(row, other, strict=True)) else None


def rewritten(network: Network, step: Step, positive: frozenset[int]) -> Network:
    """The network after a step, whose condition the caller has established."""
    rows = network.layers[step.layer].affine.flint_rows()
    following = network.layers[step.layer + 1].affine.flint_rows()
    match step:
        case Compose(l):
            kept = [row if has_sign(row, 1, l, positive) else (ZERO,) * len(row) for row in rows]
            affine = Matrix([row[:-1] for row in following]) @ Matrix(kept)
            table = [
                (*row[:-1], row[-1] + out[-1])
                for row, out in zip(affine.flint_rows(), following, strict=True)
            ]
            joined = (Layer(Matrix(table)),)
            return Network((*network.layers[:l], *joined, *network.layers[l + 2 :]), network.name)
        case Translate(l, hidden, shift):
            return replaced(network, l, *translated(rows, following, hidden, shift))
        case Flip(l, hidden, neurons):
            return replaced(network, l, flipped(rows, following[0], hidden, neurons), following)
        case Drop(l, neuron) | NeverActive(l, neuron):
            gone: Sequence[int] = [neuron]
            columns = [list(out) for out in following]
            new: list[Vector] = []
        case Merge(l, neuron, into):
            gone, new = [neuron], []
            columns = [list(out) for out in following]
            c = ratio(rows[neuron], rows[into])
            for column in columns:
                column[into] += (c or ZERO) * column[neuron]
        case Refactor(l, neurons, left, right):
            gone = neurons
            columns = []
            for out, weights in zip(following, left.flint_rows(), strict=True):
                bias = sum((out[i] * rows[i][-1] for i in neurons), out[-1])
                columns.append([*out[:-1], *weights, bias])
            new = [(*row, ZERO) for row in right.flint_rows()]
    return _without(network, step.layer, set(gone), [*rows, *new], columns)


def _without(
    network: Network,
    l: int,
    gone: set[int],
    rows: Sequence[Vector],
    following: Sequence[Sequence[fmpq]],
) -> Network:
    kept = [i for i in range(len(rows)) if i not in gone]
    layer = Layer(Matrix([rows[i] for i in kept]))
    after = Layer(Matrix([[out[i] for i in (*kept, len(rows))] for out in following]))
    return Network((*network.layers[:l], layer, after, *network.layers[l + 2 :]), network.name)


#: Neurons in an order of their own, each with the number > 0 by which it is scaled.
Frame = list[tuple[int, fmpq]]


def hidden_neuron(following: Sequence[Vector]) -> int | None:
    """The neuron that is hidden by the live rows of the next layer, if there are any.

    >>> hidden_neuron([(fmpq(-1), fmpq(2), fmpq(0)), (fmpq(-1), fmpq(-1), fmpq(0))])
    1
    """
    found: int | None = None
    for row in following:
        for k, entry in enumerate(row):
            if entry > 0:
                if k == len(row) - 1 or found not in (None, k):
                    return None
                found = k
    return found


def unhidden(network: PlainNetwork) -> tuple[Network, tuple[Step, ...]]:
    """The network after the steps that bring its hidden neurons to the normal form.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, -1]], [[2, -1], [-1, 0]], [[1, 1]]], [[0, 3], [-4, 0], [0]])
    >>> for step in unhidden(net)[1]: print(step)
    Drop(layer=1, neuron=1)
    Flip(layer=0, hidden=0, neurons=(1,))
    Translate(layer=0, hidden=0, shift=-2)
    """
    current: Network = network
    steps = list[Step]()
    for l in range(len(network.layers) - 2):
        hidden = hidden_neuron(current.layers[l + 1].affine.flint_rows())
        if hidden is not None:
            for step in _steps(current, l, hidden):
                steps.append(step)
                current = rewritten(current, step, frozenset())
    return current, tuple(steps)


def _steps(network: Network, l: int, hidden: int) -> list[Step]:
    following = network.layers[l + 1].affine.flint_rows()
    dead = [j for j, row in enumerate(following) if is_dead_row(row)]
    steps: list[Step] = [Drop(l + 1, j) for j in reversed(dead)]
    live = [row for j, row in enumerate(following) if j not in set(dead)]
    turned = [
        a
        for a, row in enumerate(network.layers[l].affine.flint_rows())
        if a != hidden and _has_one_ratio(live, a, hidden) and _is_reversed(network, l, row)
    ]
    if turned:
        steps.append(Flip(l, hidden, tuple(turned)))
    lowest = max(row[-1] / row[hidden] for row in live)
    return [*steps, Translate(l, hidden, lowest)] if lowest else steps


def _has_one_ratio(rows: Sequence[Vector], a: int, hidden: int) -> bool:
    first = rows[0]
    return all(row[a] * first[hidden] == first[a] * row[hidden] for row in rows)


def _is_reversed(network: Network, l: int, row: Vector) -> bool:
    """Whether the first weight ≠ 0 of a row of layer l is negative."""
    return next((row[j] < 0 for j, _ in _frame(network, l) if row[j] != 0), False)


def _frame(network: Network, l: int) -> Frame:
    """The inputs of layer l in an order that permutations and scalings do not change."""
    frame: Frame = [(j, ONE) for j in range(network.n_inputs)]
    for layer in network.layers[:l]:
        rays = []
        for i, row in enumerate(layer.affine.flint_rows()):
            seen = [*(row[j] * scale for j, scale in frame), row[-1]]
            ray = primitive(seen)
            place = next((k for k, x in enumerate(ray) if x != 0), None)
            rays.append((ray, i, ONE if place is None else seen[place] / ray[place]))
        frame = [(i, scale) for _, i, scale in sorted(rays, key=lambda entry: entry[:2])]
    return frame


def duplicate(l: int, rows: tuple[Vector, ...]) -> Merge | None:
    """The step that removes a neuron whose row is a positive multiple of an earlier one."""
    first: dict[object, int] = {}
    for i, row in enumerate(rows):
        into = first.setdefault(primitive(row), i)
        if into != i:
            return Merge(l, i, into)
    return None
