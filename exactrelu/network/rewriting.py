"""Rewriting steps that keep the function of a network on a domain.

An input of a layer is *nonnegative* if it is a hidden neuron, or a coordinate that
a row of the domain keeps positive.  By signs (theory 1.2) a neuron is *linear* if its
weights from nonnegative inputs and its bias are ≥ 0 and its other weights are 0, *dead* if
they are ≤ 0 and 0, or if every weight that leads on from it is 0.  Hidden hyperplanes move as in
:mod:`exactrelu.network.hiding`, where the next layer is ≤ 0 but for the weights from one neuron.

A neuron may also be dead by a bound tree (:mod:`exactrelu.complex.bound_tree`).

Steps name hidden layers and neurons from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.hiding import flipped, replaced, translated
from exactrelu.network.network import Layer, Network


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
class Translate:
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
class Branch:
    """A node of a bound tree: the neuron is active in the next subtree, inactive in the other."""

    layer: int
    neuron: int


@dataclass(frozen=True)
class Bound:
    """A leaf of a bound tree about neuron t: factor·z_t + Σ values·rows is ≤ a constant ≤ 0.

    Layers before that of t have slopes.  All multiply integer rows: [W|b] times the least common
    denominator of the layer, and primitive rows of the domain.
    """

    factor: int
    slopes: tuple[tuple[int, ...], ...]
    rows: tuple[int, ...]
    values: tuple[int, ...]


#: In preorder.
Tree: TypeAlias = tuple[Branch | Bound, ...]


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
        used = [j for j, a in enumerate(row.normal) if a != 0]
        if len(used) == 1 and row.normal[used[0]] > 0 and row.offset <= 0:
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
    rows = network.layers[step.layer].affine.rows()
    following = network.layers[step.layer + 1].affine.rows()
    match step:
        case Compose(l):
            kept = [row if has_sign(row, 1, l, positive) else (ZERO,) * len(row) for row in rows]
            affine = Matrix([row[:-1] for row in following]) @ Matrix(kept)
            table = [
                (*row[:-1], row[-1] + out[-1])
                for row, out in zip(affine.rows(), following, strict=True)
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
            for out, weights in zip(following, left.rows(), strict=True):
                bias = sum((out[i] * rows[i][-1] for i in neurons), out[-1])
                columns.append([*out[:-1], *weights, bias])
            new = [(*row, ZERO) for row in right.rows()]
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
