"""As few linear units as carry what they carry, and no unit that does nothing.

The linear units L of a hidden layer hand the map V_L·(W_L·u + b_L) of the units u before on to the
next layer.  Biases may be handed on later: V_L·b_L goes to the next bias.  What is left, the
matrix V_L·W_L, takes as many linear units as its rank r, and no fewer, as each carries one linear
form of u.  If r is the number of its columns they carry u itself, if it is that of its rows the
sums that the next layer wants; so the numbers are sums of products of what there was.  Else a basis
of its row space is carried.

A layer of linear units alone is composed with the next, unless it is a bottleneck that saves
parameters.  Neurons go that lead nowhere, that are constant, or whose row is a positive multiple of
another.  All of that is right at every point: no domain is asked.

Symbols: W_L → ``incoming``, b_L → ``biases``, V_L → ``outgoing``, V_L·W_L → ``product``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, primitive
from exactrelu.network.network import Layer, Network


def merged(network: Network, effort: Effort = UNLIMITED, *, to_rank: bool = True) -> Network:
    """The same function at every point, without units that it does not need.

    Unless ``to_rank``, linear units are merged where a whole layer goes only.

    >>> net = Network.from_arrays([[[1, 0], [0, 1], [1, 1]], [[1, 1, 2]]], [[0, 0, 5], [0]])
    >>> layers = Layer(net.layers[0].affine, linear=(1, 2)), net.layers[1]
    >>> merged(Network(layers))
    Network: 2-1+1-1, 9 parameters, 3 bits
    """
    work = _Merging(network, effort, to_rank)
    while work.round():
        effort.spend()
    return Network(tuple(work.layers), network.name)


class _Split(NamedTuple):
    """A matrix as the product of two, ``left`` with as many columns as ``right`` has rows."""

    left: Matrix
    right: Matrix


class _Merging:
    """Layers on their way."""

    def __init__(self, network: Network, effort: Effort, to_rank: bool) -> None:
        self.layers = list(network.layers)
        self._effort, self._to_rank = effort, to_rank

    def round(self) -> bool:
        """Make each layer smaller, from the last to the first; whether anything changed."""
        n_before = self._n_units
        for l in reversed(range(len(self.layers) - 1)):
            self._effort.spend()
            self._drop(l)
            if self._to_rank:
                self._carry(l)
            if self._is_composed(l):
                self.layers[l : l + 2] = [_composed(self.layers[l], self.layers[l + 1])]
        return self._n_units < n_before

    @property
    def _n_units(self) -> int:
        return sum(layer.n_outputs + 1 for layer in self.layers)

    def _drop(self, l: int) -> None:
        """Without neurons that are constant, copies, or lead nowhere."""
        here, after = self.layers[l], self.layers[l + 1]
        rows, columns = here.affine.flint_rows(), list(zip(*after.affine.flint_rows(), strict=True))
        bias: Vector = columns.pop()
        first: dict[object, int] = {}
        kept = []
        for i, (row, is_linear) in enumerate(zip(rows, here.passes, strict=True)):
            if not any(columns[i]):
                continue
            if not any(row[:-1]):
                value = row[-1] if is_linear else max(row[-1], ZERO)
                bias = _plus(bias, value, columns[i])
                continue
            into = i if is_linear else first.setdefault(primitive(row), i)
            if into == i:
                kept.append(i)
            else:
                j = next(j for j, x in enumerate(rows[into]) if x)
                columns[into] = _plus(columns[into], row[j] / rows[into][j], columns[i])
        linear = [k for k, i in enumerate(kept, 1) if here.passes[i]]
        self.layers[l] = Layer(here.affine.take(rows=kept), tuple(linear))
        table = Matrix([*(columns[i] for i in kept), bias], after.n_outputs).T
        self.layers[l + 1] = after.with_affine(table)

    def _carry(self, l: int) -> None:
        """As many linear units as the rank of what they hand on."""
        here, after = self.layers[l], self.layers[l + 1]
        linear = [i for i, is_linear in enumerate(here.passes) if is_linear]
        if not linear:
            return
        n = here.n_inputs
        others = [i for i in range(here.n_outputs) if not here.passes[i]]
        incoming, biases = here.affine.take(linear, range(n)), here.affine.take(linear, [n])
        outgoing = after.affine.take(columns=linear)
        split = _split(outgoing @ incoming, len(linear), self._effort)
        if split is None:
            return
        r = split.right.n_rows
        new = split.right.beside(Matrix.zero(r, 1))
        numbers = tuple(range(len(others) + 1, len(others) + r + 1))
        self.layers[l] = Layer(here.affine.take(rows=others).above(new), numbers)
        bias = after.affine.take(columns=[here.n_outputs]) + outgoing @ biases
        kept = after.affine.take(columns=others)
        self.layers[l + 1] = after.with_affine(kept.beside(split.left).beside(bias))

    def _is_composed(self, l: int) -> bool:
        here, after = self.layers[l], self.layers[l + 1]
        if not all(here.passes):
            return False
        n, k, m = here.n_inputs, here.n_outputs, after.n_outputs
        return k == 0 or not self._to_rank or m * (n + 1) <= k * (n + 1) + m * (k + 1)


def _plus(sum_: Vector, factor: fmpq, column: Sequence[fmpq]) -> Vector:
    return tuple(s + factor * x for s, x in zip(sum_, column, strict=True))


def _split(product: Matrix, n_units: int, effort: Effort) -> _Split | None:
    """A product of fewer units than there are, or None."""
    m, n = product.shape
    r = 0 if product.is_zero else rank(product, effort=effort)
    if r >= n_units:
        return None
    if r == n:
        return _Split(product, Matrix.identity(n))
    if r == m:
        return _Split(Matrix.identity(m), product)
    table = product.flint.rref()[0].table()[:r]
    right = Matrix([tuple(row) for row in table], n)
    # At the pivots the reduced rows are those of the identity.
    pivots = [next(j for j, x in enumerate(row) if x != 0) for row in table]
    return _Split(product.take(columns=pivots), right)


def _composed(here: Layer, after: Layer) -> Layer:
    """A layer of linear units and the next one."""
    joined = after.weights @ here.affine
    bias = after.affine.take(columns=[here.n_outputs])
    return after.with_affine(joined + Matrix.zero(after.n_outputs, here.n_inputs).beside(bias))
