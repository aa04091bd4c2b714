"""What a network computes: values, preactivations, activation patterns and their affine maps.

Points are evaluated exactly, in integer homogeneous coordinates: ReLU and identity are positively
homogeneous, so each layer is scaled by its common denominator once, a batch
goes through a layer as one FLINT product, and no fraction is ever reduced on
the way.

The *activation pattern* of x is the sign (−1, 0, +1) of every hidden preactivation; a linear unit
has +1 there whatever its value is, as it passes on its row.
Where one is exactly 0 the neuron counts as inactive in the *local affine map*, which
is then one of several that agree at x.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from operator import mul
from typing import TYPE_CHECKING, Any

from flint import fmpq, fmpz

from exactrelu.display import Shown
from exactrelu.drawn import Formula
from exactrelu.errors import InputError, ShapeError, WrongType, shortened
from exactrelu.exact import latex
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward, Point, outward
from exactrelu.exact.scalar import Vector, common_denominator, sign, vector
from exactrelu.exact.system import LinearSystem, Row, Sense

if TYPE_CHECKING:
    from exactrelu.network.network import Network


def homogeneous(affine: Matrix) -> Matrix:
    """[W|b] with the row (0, …, 0, 1) below it, so that products compose affine maps."""
    n = affine.n_columns - 1
    return affine.above(Matrix.from_entries(1, n + 1, [fmpq(0)] * n + [fmpq(1)]))


class Carried(int):
    """The entry of a linear unit in a pattern: no sign, but it counts as +1, for the unit passes
    on its row as an active neuron does.

    >>> CARRIED, CARRIED > 0, (CARRIED, -1) == (1, -1)
    (=, True, True)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "="

    def __reduce__(self) -> str:
        return "CARRIED"

    def _plain(self) -> None:
        """In JSON it is null."""


#: The one entry of this kind.
CARRIED = Carried(1)

#: The sign of every hidden preactivation, layer by layer; of a linear unit :data:`CARRIED`.
Pattern = tuple[tuple[int, ...], ...]


def signs_text(pattern: Pattern) -> str:
    """The signs of a pattern as text, layers apart; a linear unit has none.

    >>> signs_text(((1, -1), (0, CARRIED)))
    '+- 0='
    """
    return " ".join(map(layer_signs, pattern))


def layer_signs(signs: Iterable[int]) -> str:
    """The signs of one layer as text."""
    return "".join("=" if s is CARRIED else "-0+"[s + 1] for s in signs)


def pattern_text(pattern: Pattern) -> str:
    """``layer 1 +-0 · layer 2 ++``; ``·`` for a linear unit, which has no sign."""
    return " · ".join(pattern_lines(pattern)) or "no hidden layer"


def pattern_lines(pattern: Pattern) -> list[str]:
    """The pattern, a line for each layer."""
    layers = (layer_signs(signs).replace("=", "·") for signs in pattern)
    return [f"layer {l} {text}" for l, text in enumerate(layers, 1)]


def pattern_numbers(pattern: Pattern) -> list[list[int | None]]:
    """The pattern as JSON has it: 1 active, 0 inactive, -1 exactly 0; null if linear."""
    numbers = {1: 1, -1: 0, 0: -1}
    return [[None if s is CARRIED else numbers[s] for s in layer] for layer in pattern]


@dataclass(frozen=True, repr=False)
class AffineMap(Outward, Formula):
    """The affine map x ↦ ``matrix``·x + ``offset``; a call gives its value."""

    matrix: Matrix
    offset: Vector

    def __call__(self, x: Iterable[Any]) -> Point:
        pairs = zip(self.matrix.apply(vector(x)), outward(self.offset), strict=True)
        return tuple(y + c for y, c in pairs)

    def _latex(self) -> str | None:
        if len(self.offset) == 1:
            return rf"x \mapsto {latex.linear(self.matrix.row(0), self.offset[0])}"
        parts = latex.matrix(self.matrix), latex.matrix(Matrix.column_vector(self.offset))
        return None if None in parts else rf"x \mapsto {parts[0]} x + {parts[1]}"


@dataclass(frozen=True, repr=False)
class Evaluation(Shown):
    """A point with all its preactivations; the last of them is the output.

    Layer l has the preactivations ``numerators[l] / denominators[l]``, denominators > 0,
    not in lowest terms: signs and comparisons need no more.
    """

    flint_point: Vector
    flint_numerators: tuple[tuple[fmpz, ...], ...]
    flint_denominators: tuple[fmpz, ...]
    #: Which units of each hidden layer are linear, as ``Layer.passes`` has them.
    passes: tuple[tuple[bool, ...], ...] = field(repr=False)

    @property
    def point(self) -> Point:
        """The point."""
        return outward(self.flint_point)

    @property
    def numerators(self) -> tuple[Point, ...]:
        """For each layer the numerators of the preactivations."""
        return tuple(map(outward, self.flint_numerators))

    @property
    def denominators(self) -> Point:
        """For each layer their common denominator."""
        return outward(self.flint_denominators)

    @property
    def preactivations(self) -> tuple[Point, ...]:
        """For each layer the values before ReLU."""
        return tuple(map(outward, self.flint_preactivations))

    @property
    def output(self) -> Point:
        """The value of the network."""
        return outward(self.flint_output)

    @cached_property
    def flint_preactivations(self) -> tuple[Vector, ...]:
        """The same in the numbers of FLINT."""
        pairs = zip(self.flint_numerators, self.flint_denominators, strict=True)
        return tuple(tuple(fmpq(z, d) for z in layer) for layer, d in pairs)

    @property
    def flint_output(self) -> Vector:
        """The same in the numbers of FLINT."""
        return tuple(fmpq(z, self.flint_denominators[-1]) for z in self.flint_numerators[-1])

    @cached_property
    def pattern(self) -> Pattern:
        """The sign, −1, 0 or 1, of every hidden preactivation, layer by layer."""
        layers = zip(self.flint_numerators[:-1], self.passes, strict=True)
        return tuple(
            tuple(CARRIED if is_linear else sign(z) for z, is_linear in zip(*layer, strict=True))
            for layer in layers
        )

    @property
    def signs(self) -> str:
        """The pattern as text, ``+- 0+``, layers apart; ``=`` for a linear unit."""
        return signs_text(self.pattern)


def evaluate(network: Network, x: Iterable[Any]) -> Point:
    """The exact value of a network at one point.

    Parameters
    ----------
    network : Network
        The network.
    x : sequence of numbers
        The point; floats are the dyadic rationals that they store.

    Returns
    -------
    tuple of rationals
        One number for each output; ``network(x)`` is the same.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.evaluate(er.load("example:xor"), [1, "-1/2"])
    (0,)
    """
    return outward(flint_value(network, _point(network, 0, x)))


def flint_value(network: Network, x: Vector) -> Vector:
    """The same in the numbers of FLINT."""
    d = common_denominator(x)
    products = homogeneous_preactivations(network, [[v.p * (d // v.q) for v in x]], [d])
    for layer in network.layers:
        d *= layer.affine.denominator
    return tuple([fmpq(z, d) for z in products[-1]])


def evaluate_batch(network: Network, points: Iterable[Iterable[Any]]) -> list[Point]:
    """The exact values of a network at many points.

    Parameters
    ----------
    network : Network
        The network.
    points : iterable of points
        A row for each point, an array for instance.

    Returns
    -------
    list of tuples of rationals
        The values in the same order.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.samples.evaluate_batch(er.load("example:xor"), [(0, 0), (0, -1), (1, 1)])
    [(1,), (-1,), (-3,)]
    """
    return [e.output for e in trace_batch(network, points)]


def trace(network: Network, x: Iterable[Any]) -> Evaluation:
    """All preactivations of a network at one point.

    Parameters
    ----------
    network : Network
        The network.
    x : sequence of numbers
        The point; floats are the dyadic rationals that they store.

    Returns
    -------
    Evaluation
        ``preactivations`` for each layer, ``output``, and ``pattern``, the sign of each hidden
        neuron.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.trace(er.load("example:xor"), [1, -1])
    >>> found.preactivations, found.pattern
    (((1, 0), (1,)), ((1, 0),))
    """
    return trace_batch(network, [x])[0]


def trace_batch(network: Network, points: Iterable[Iterable[Any]]) -> list[Evaluation]:
    """All preactivations of a network at many points.

    Parameters
    ----------
    network : Network
        The network.
    points : iterable of points
        A row for each point, an array for instance.

    Returns
    -------
    list of Evaluation
        What :func:`trace` gives, in the same order.

    Examples
    --------
    >>> import exactrelu as er
    >>> points = [(1, 1), (1, -1), (-1, -1)]
    >>> [found.pattern for found in er.samples.trace_batch(er.load("example:xor"), points)]
    [((1, 1),), ((1, 0),), ((-1, -1),)]
    """
    vectors = [_point(network, i, x) for i, x in enumerate(points)]
    n_points = len(vectors)
    denominators = [common_denominator(x) for x in vectors]
    columns = [[v.p * (d // v.q) for v in x] for x, d in zip(vectors, denominators, strict=True)]
    products = homogeneous_preactivations(network, columns, denominators)
    passes = tuple(layer.passes for layer in network.layers[:-1])
    scales = list(accumulate((layer.affine.denominator for layer in network.layers), mul))
    return [
        Evaluation(
            x,
            tuple(tuple(product[k::n_points]) for product in products),
            tuple(denominators[k] * scale for scale in scales),
            passes,
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
        products.append(layer.affine.integer_product(activations + weights, n_points))
        activations = [z if z > 0 else zero for z in products[-1]]
        for i in layer.linear:
            unit = slice((i - 1) * n_points, i * n_points)
            activations[unit] = products[-1][unit]
        weights = [d * layer.affine.denominator for d in weights]
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
    maps = [network.layers[0].affine]
    for layer, signs in zip(network.layers[1:], pattern, strict=True):
        maps.append(layer.affine @ homogeneous(_masked(maps[-1], signs)))
    return maps


def _masked(affine: Matrix, signs: Sequence[int]) -> Matrix:
    zero_row = (fmpq(0),) * affine.n_columns
    rows = (row if s > 0 else zero_row for row, s in zip(affine.flint_rows(), signs, strict=True))
    return Matrix.from_entries(*affine.shape, [x for row in rows for x in row])


def local_affine_map(network: Network, pattern: Pattern) -> AffineMap:
    """The affine map that a network computes where an activation pattern holds.

    Parameters
    ----------
    network : Network
        The network.
    pattern : tuple of tuples of int
        The sign of each hidden neuron, layer by layer; those at 0 count as inactive.

    Returns
    -------
    AffineMap
        ``matrix`` and ``offset``; the pattern need not occur anywhere.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.local_affine_map(er.load("example:xor"), ((1, -1),))
    >>> found.matrix, found.offset
    (Matrix([[2, 2]]), (1,))
    """
    affine = preactivation_maps(network, pattern)[-1]
    n = network.n_inputs
    return AffineMap(affine.take(columns=range(n)), affine.flint_column(n))


def pattern_polyhedron(network: Network, pattern: Pattern) -> LinearSystem:
    """The points where every hidden preactivation has a given sign.

    Parameters
    ----------
    network : Network
        The network.
    pattern : tuple of tuples of int
        The sign, 1, −1 or 0, of each hidden neuron, layer by layer.

    Returns
    -------
    LinearSystem
        A row for each hidden neuron, in order: > 0, or = 0, and none for a linear unit; the set may
        be empty.

    Examples
    --------
    >>> import exactrelu as er
    >>> xor = er.load("example:xor")
    >>> er.polyhedra.is_nonempty(er.layers.pattern_polyhedron(xor, ((1, -1),))).answer
    True
    >>> er.polyhedra.is_nonempty(er.layers.pattern_polyhedron(xor, ((-1, 1),))).answer
    False
    """
    n = network.n_inputs
    rows = []
    maps = preactivation_maps(network, pattern)
    for affine, signs, layer in zip(maps, pattern, network.layers, strict=False):
        for row, s, is_linear in zip(affine.flint_rows(), signs, layer.passes, strict=True):
            if is_linear:
                continue
            oriented = tuple(-x for x in row) if s < 0 else row
            rows.append(Row(oriented[:n], oriented[n], Sense.GREATER if s else Sense.EQUAL))
    return LinearSystem(n, tuple(rows))


def region_system(network: Network, pattern: Pattern) -> LinearSystem:
    """The open region of a pattern: a 0 in it stands for a preactivation that is 0 on all of it."""
    cell = pattern_polyhedron(network, pattern)
    return LinearSystem(cell.dimension, tuple(r for r in cell.rows if r.sense is not Sense.EQUAL))


def _is_list(given: object) -> bool:
    # Nearly all are tuples, which take a tenth of the time that the abstract class takes.
    return isinstance(given, tuple | list) or (
        isinstance(given, Sequence) and not isinstance(given, str)
    )


def _check_pattern(network: Network, pattern: Pattern) -> None:
    # A pattern is what trace finds; whatever else may not even have layers.
    if not _is_list(pattern) or not all(map(_is_list, pattern)):
        what = shortened(pattern)
        raise WrongType(f"pattern: found {what}, expected signs such as ((1, -1), (0, 1))")
    found = [len(signs) for signs in pattern]
    if found != list(network.hidden_widths):
        raise InputError(
            f"a pattern for hidden widths {found}, expected {list(network.hidden_widths)}"
        )
    if any(s not in (-1, 0, 1) for signs in pattern for s in signs):
        raise InputError("a pattern holds the signs -1, 0 and 1 only")
    for l, (signs, layer) in enumerate(zip(pattern, network.layers, strict=False), 1):
        for i in layer.linear:
            if signs[i - 1] != 1:
                raise InputError(f"unit ({l},{i}) is linear: it has 1 in every pattern")
