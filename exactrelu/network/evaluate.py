"""Exact evaluation, activation patterns and local affine maps.

Points are evaluated in integer homogeneous coordinates: ReLU is positively
homogeneous, so each layer is scaled by its common denominator once, a batch
goes through a layer as one FLINT product, and no fraction is ever reduced on
the way.

Signs: the activation pattern of x is the sign (−1, 0, +1) of every hidden
preactivation.  Where one is exactly 0 the neuron counts as inactive in the local
affine map, which is then one of several that agree at x.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import mul
from typing import Any

from flint import fmpq, fmpz, fmpz_mat

from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, common_denominator, sign, vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, homogeneous

#: The sign of every hidden preactivation, layer by layer.
Pattern = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class AffineMap:
    """x ↦ ``matrix``·x + ``offset``."""

    matrix: Matrix
    offset: Vector

    def __call__(self, x: Sequence[fmpq]) -> Vector:
        return tuple(y + c for y, c in zip(self.matrix.apply(x), self.offset, strict=True))


@dataclass(frozen=True)
class Evaluation:
    """A point with all its preactivations; the last of them is the output.

    Layer l has the preactivations ``numerators[l] / denominators[l]``, denominators > 0,
    not in lowest terms: signs and comparisons need no more.
    """

    point: Vector
    numerators: tuple[tuple[fmpz, ...], ...]
    denominators: tuple[fmpz, ...]

    @cached_property
    def preactivations(self) -> tuple[Vector, ...]:
        pairs = zip(self.numerators, self.denominators, strict=True)
        return tuple(tuple(fmpq(z, d) for z in layer) for layer, d in pairs)

    @property
    def output(self) -> Vector:
        return tuple(fmpq(z, self.denominators[-1]) for z in self.numerators[-1])

    @cached_property
    def pattern(self) -> Pattern:
        return tuple(tuple(map(sign, z)) for z in self.numerators[:-1])


def evaluate(network: Network, x: Iterable[Any]) -> Vector:
    """The exact output at one point."""
    return trace(network, x).output


def evaluate_batch(network: Network, points: Iterable[Iterable[Any]]) -> list[Vector]:
    """The exact outputs at many points, one FLINT product for each layer."""
    return [e.output for e in trace_batch(network, points)]


def trace(network: Network, x: Iterable[Any]) -> Evaluation:
    """All preactivations at one point."""
    return trace_batch(network, [x])[0]


def trace_batch(network: Network, points: Iterable[Iterable[Any]]) -> list[Evaluation]:
    """All preactivations at many points.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [e.pattern for e in trace_batch(xor, [(1, 1), (1, -1), (-1, -1)])]
    [((1, 1),), ((1, 0),), ((-1, -1),)]
    """
    vectors = [_point(network, i, x) for i, x in enumerate(points)]
    n_points = len(vectors)
    denominators = [common_denominator(x) for x in vectors]
    columns = [[v.p * (d // v.q) for v in x] for x, d in zip(vectors, denominators, strict=True)]
    products = homogeneous_preactivations(network, columns, denominators)
    scales = list(accumulate((layer.affine.integer_form[1] for layer in network.layers), mul))
    return [
        Evaluation(
            x,
            tuple(tuple(product[k::n_points]) for product in products),
            tuple(denominators[k] * scale for scale in scales),
        )
        for k, x in enumerate(vectors)
    ]


def homogeneous_preactivations(
    network: Network, columns: Sequence[Sequence[fmpz]], denominators: Sequence[fmpz]
) -> list[list[fmpz]]:
    """The preactivations of each layer at the points column/denominator, up to scale.

    Row by row, a row holds one neuron at all points: its preactivation times the
    denominator of the point and those of the layers so far, which are positive.  A
    denominator of 0 makes a direction of the column, and gives the slopes along it.
    """
    zero = fmpz(0)
    n_points = len(columns)
    activations = [column[i] for i in range(network.n_inputs) for column in columns]
    weights = list(denominators)
    products: list[list[fmpz]] = []
    for layer in network.layers:
        matrix, scale = layer.affine.integer_form
        batch = fmpz_mat(layer.n_inputs + 1, n_points, activations + weights)
        products.append((matrix * batch).entries())
        activations = [z if z > 0 else zero for z in products[-1]]
        weights = [d * scale for d in weights]
    return products


def _point(network: Network, number: int, x: Iterable[Any]) -> Vector:
    point = vector(x, f"point {number + 1}")
    if len(point) != network.n_inputs:
        raise ShapeError(
            f"point {number + 1} has {len(point)} coordinates, expected {network.n_inputs}"
        )
    return point


def preactivation_maps(network: Network, pattern: Pattern) -> list[Matrix]:
    """[A|c] of every layer's preactivation as a function of x where ``pattern`` holds.

    The last of them is the affine map of the output.
    """
    _check_pattern(network, pattern)
    maps: list[Matrix] = []
    incoming = homogeneous(
        Matrix.identity(network.n_inputs).beside(Matrix.zero(network.n_inputs, 1))
    )
    for l, layer in enumerate(network.layers):
        maps.append(layer.affine @ incoming)
        if l < len(pattern):
            incoming = homogeneous(_masked(maps[-1], pattern[l]))
    return maps


def _masked(affine: Matrix, signs: Sequence[int]) -> Matrix:
    zero_row = (fmpq(0),) * affine.n_columns
    rows = (row if s > 0 else zero_row for row, s in zip(affine.rows(), signs, strict=True))
    return Matrix.from_entries(*affine.shape, (x for row in rows for x in row))


def local_affine_map(network: Network, pattern: Pattern) -> AffineMap:
    """The affine map that the network computes where ``pattern`` holds."""
    affine = preactivation_maps(network, pattern)[-1]
    n = network.n_inputs
    return AffineMap(affine.take(columns=range(n)), affine.column(n))


def pattern_polyhedron(network: Network, pattern: Pattern) -> LinearSystem:
    """{x : every hidden preactivation has the given sign}: > 0, < 0 or = 0.

    One row for each hidden neuron, in order; the set may be empty.
    """
    n = network.n_inputs
    rows = []
    for affine, signs in zip(preactivation_maps(network, pattern), pattern, strict=False):
        for row, s in zip(affine.rows(), signs, strict=True):
            oriented = tuple(-x for x in row) if s < 0 else row
            rows.append(Row(oriented[:n], oriented[n], Sense.GREATER if s else Sense.EQUAL))
    return LinearSystem(n, tuple(rows))


def _check_pattern(network: Network, pattern: Pattern) -> None:
    found = [len(signs) for signs in pattern]
    if found != list(network.hidden_widths):
        raise InputError(
            f"a pattern for hidden widths {found}, expected {list(network.hidden_widths)}"
        )
    if any(s not in (-1, 0, 1) for signs in pattern for s in signs):
        raise InputError("a pattern holds the signs -1, 0 and 1 only")
