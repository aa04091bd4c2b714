"""The network: x ↦ W_L s(W_{L−1} … s(W_1 x + b_1) … + b_{L−1}) + b_L, s(t) = max(t, 0).

Symbols to names: W_l, b_l → ``layers[l-1].weights``, ``.bias``; n_0, …, n_L →
``widths``; hidden layers are 1 … L−1; the last layer is affine.  Neurons are
written (layer, index), both from 1, in everything that a person reads.

Points are evaluated exactly, in integer homogeneous coordinates: ReLU is positively
homogeneous, so each layer is scaled by its common denominator once, a batch
goes through a layer as one FLINT product, and no fraction is ever reduced on
the way.

The *activation pattern* of x is the sign (−1, 0, +1) of every hidden preactivation.
Where one is exactly 0 the neuron counts as inactive in the *local affine map*, which
is then one of several that agree at x.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from operator import mul
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from flint import fmpq, fmpz, fmpz_mat

from exactrelu.display import Shown
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward, Point, outward
from exactrelu.exact.scalar import Vector, bits, common_denominator, is_table, sign, vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.exact.text import canonical_json, encode_matrix

if TYPE_CHECKING:
    from exactrelu.network.symmetry import Symmetry


#: What a coordinate of a point may be.
Number: TypeAlias = fmpq | fmpz | int | float | Fraction | str


@dataclass(frozen=True, repr=False)
class Layer(Shown):
    """The affine map x ↦ Wx + b, stored as the matrix [W|b]."""

    affine: Matrix

    @classmethod
    def of(cls, weights: Any, bias: Any, where: str = "layer") -> Layer:
        """A layer from nested sequences or arrays of exact numbers."""
        W = weights if isinstance(weights, Matrix) else Matrix(weights, where=f"{where}.weights")
        b = vector(bias, f"{where}.bias")
        if len(b) != W.n_rows:
            raise ShapeError(
                f"{where}.bias: found {len(b)} entries, expected {W.n_rows}, one for each row"
            )
        if 0 in W.shape:
            raise ShapeError(f"{where}.weights: found shape {W.shape}, expected at least 1 × 1")
        return cls(W.beside(Matrix.column_vector(b)))

    @property
    def n_inputs(self) -> int:
        return self.affine.n_columns - 1

    @property
    def n_outputs(self) -> int:
        return self.affine.n_rows

    @cached_property
    def weights(self) -> Matrix:
        """W, of shape (n_outputs, n_inputs): row i is neuron i."""
        return self.affine.take(columns=range(self.n_inputs))

    @property
    def bias(self) -> Point:
        return outward(self.flint_bias)

    @cached_property
    def flint_bias(self) -> Vector:
        return self.affine.flint_column(self.n_inputs)


@dataclass(frozen=True, repr=False)
class Network(Shown):
    """An immutable ReLU network with rational weights.

    Equality and hash are those of the parameters; names do not count.

    >>> import exactrelu as er
    >>> xor = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")
    >>> xor.widths, xor.n_parameters, xor([1, 1])
    ((2, 2, 1), 9, (-3,))
    """

    layers: tuple[Layer, ...]
    name: str = field(default="", compare=False)
    neuron_names: tuple[tuple[str, ...], ...] | None = field(default=None, compare=False)
    #: The hidden layers are ReLU layers; where a file did not say so, that it did not.
    activation: str = field(default="ReLU", compare=False)

    def __post_init__(self) -> None:
        if not self.layers:
            raise ShapeError("a network needs at least one layer")
        for l, (before, after) in enumerate(zip(self.layers, self.layers[1:], strict=False), 2):
            if before.n_outputs != after.n_inputs:
                raise ShapeError(
                    f"layer {l} takes {after.n_inputs} inputs, "
                    f"but layer {l - 1} has {before.n_outputs} outputs"
                )
        names = self.neuron_names
        if names is not None and [len(n) for n in names] != list(self.hidden_widths):
            raise InputError(
                f"neuron names for widths {[len(n) for n in names]}, "
                f"expected one for each hidden neuron {list(self.hidden_widths)}"
            )

    @classmethod
    def from_arrays(cls, weights: Sequence[Any], biases: Sequence[Any], name: str = "") -> Network:
        """The network of weight matrices and bias vectors, one of each per layer."""
        if len(weights) != len(biases):
            raise ShapeError(f"found {len(weights)} weight matrices and {len(biases)} biases")
        pairs = enumerate(zip(weights, biases, strict=True))
        return cls(tuple(Layer.of(W, b, f"layers[{l}]") for l, (W, b) in pairs), name)

    @property
    def widths(self) -> tuple[int, ...]:
        """(n_0, n_1, …, n_L)."""
        return (self.layers[0].n_inputs, *(layer.n_outputs for layer in self.layers))

    @property
    def n_inputs(self) -> int:
        return self.layers[0].n_inputs

    @property
    def n_outputs(self) -> int:
        return self.layers[-1].n_outputs

    @property
    def hidden_widths(self) -> tuple[int, ...]:
        """(n_1, …, n_{L−1})."""
        return self.widths[1:-1]

    @property
    def n_hidden_neurons(self) -> int:
        return sum(self.hidden_widths)

    @property
    def n_parameters(self) -> int:
        return sum(layer.affine.n_rows * layer.affine.n_columns for layer in self.layers)

    @cached_property
    def bits(self) -> int:
        """The size of the largest parameter in bits (of numerator or denominator)."""
        return max(bits(x) for layer in self.layers for x in layer.affine.flint.entries())

    def _headline(self) -> str:
        name = f" {self.name}" if self.name else ""
        parameters = f"{self.n_parameters:,} parameters, {self.bits} bits"
        assumed = "" if self.activation == "ReLU" else f", {self.activation}"
        return f"Network{name}: {widths_text(self)}, {parameters}{assumed}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        for l, layer in enumerate(self.layers, 1):
            yield f"layer {l}", f"{layer.n_outputs} × {layer.n_inputs}"

    def _plain(self) -> Any:
        from exactrelu.network.formats.load import network_text

        return json.loads(network_text(self))

    def neuron_name(self, layer: int, index: int) -> str:
        """The name of neuron (layer, index), both from 1."""
        if self.neuron_names is None:
            return f"({layer},{index})"
        return self.neuron_names[layer - 1][index - 1]

    @overload
    def __call__(self, x: Iterable[Number]) -> Point: ...

    @overload
    def __call__(self, x: Iterable[Iterable[Any]]) -> list[Point]: ...

    def __call__(self, x: Iterable[Any]) -> Point | list[Point]:
        """The exact value at one point, or at each of many, a row for each."""
        return evaluate_batch(self, x) if is_table(x) else evaluate(self, x)

    def truncate(self, first: int, last: int) -> Network:
        """Layers first … last (from 1) as a network of their own: its output is the
        preactivation of layer ``last``, its input the activations of layer first − 1.
        """
        if not 1 <= first <= last <= len(self.layers):
            raise InputError(
                f"layers {first}..{last}: expected 1 <= first <= last <= {len(self.layers)}"
            )
        names = None if self.neuron_names is None else self.neuron_names[first - 1 : last - 1]
        return Network(self.layers[first - 1 : last], self.name, names)

    def then(self, after: Network) -> Network:
        """The composition x ↦ after(self(x)); the two affine maps that meet become one."""
        if self.n_outputs != after.n_inputs:
            raise ShapeError(
                f"cannot compose: {self.n_outputs} outputs into {after.n_inputs} inputs"
            )
        meeting = Layer(after.layers[0].affine @ homogeneous(self.layers[-1].affine))
        return Network((*self.layers[:-1], meeting, *after.layers[1:]), self.name)

    def slice(self, base: Iterable[Any], directions: Sequence[Iterable[Any]]) -> Network:
        """The network on a slice: the function of t at x = base + Σ t_k·directions[k].

        Without directions it is a network without inputs: its value at the base point.
        """
        point = vector(base, "base")
        columns = [vector(d, f"directions[{k}]") for k, d in enumerate(directions)]
        if any(len(v) != self.n_inputs for v in (point, *columns)):
            raise ShapeError(
                f"a slice needs a base point and directions of {self.n_inputs} coordinates"
            )
        inclusion = Matrix([*columns, point]).T
        first = Layer(self.layers[0].affine @ homogeneous(inclusion))
        return Network((first, *self.layers[1:]), self.name, self.neuron_names)

    def transformed(self, symmetry: Symmetry) -> Network:
        """The same function with hidden neurons permuted and positively rescaled."""
        return symmetry.apply(self)

    def renamed(self, name: str) -> Network:
        return replace(self, name=name)

    def canonical_form(self) -> dict[str, Any]:
        """The network as certificates write it: per layer the common denominator
        and the integer rows [w…, b], in hexadecimal.  Names are not part of it.
        """
        return {
            "layers": [
                {
                    "inputs": layer.n_inputs,
                    "matrix": encode_matrix(layer.affine),
                    "outputs": layer.n_outputs,
                }
                for layer in self.layers
            ]
        }

    def canonical_bytes(self) -> bytes:
        """Canonical JSON of :meth:`canonical_form`: equal iff the parameters are equal."""
        return canonical_json(self.canonical_form()).encode()

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the canonical bytes, as the checker prints it."""
        return hashlib.sha256(self.canonical_bytes()).hexdigest()


def widths_text(network: Network) -> str:
    """The widths as people write them: 2-2-1."""
    return "-".join(map(str, network.widths))


def homogeneous(affine: Matrix) -> Matrix:
    """[W|b] with the row (0, …, 0, 1) below it, so that products compose affine maps."""
    n = affine.n_columns - 1
    return affine.above(Matrix.from_entries(1, n + 1, [fmpq(0)] * n + [fmpq(1)]))


#: The sign of every hidden preactivation, layer by layer.
Pattern = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, repr=False)
class AffineMap(Outward, Shown):
    """x ↦ ``matrix``·x + ``offset``."""

    matrix: Matrix
    offset: Vector

    def __call__(self, x: Iterable[Any]) -> Point:
        pairs = zip(self.matrix.apply(vector(x)), outward(self.offset), strict=True)
        return tuple(y + c for y, c in pairs)


@dataclass(frozen=True, repr=False)
class Evaluation(Shown):
    """A point with all its preactivations; the last of them is the output.

    Layer l has the preactivations ``numerators[l] / denominators[l]``, denominators > 0,
    not in lowest terms: signs and comparisons need no more.
    """

    flint_point: Vector
    flint_numerators: tuple[tuple[fmpz, ...], ...]
    flint_denominators: tuple[fmpz, ...]

    @property
    def point(self) -> Point:
        return outward(self.flint_point)

    @property
    def numerators(self) -> tuple[Point, ...]:
        return tuple(map(outward, self.flint_numerators))

    @property
    def denominators(self) -> Point:
        return outward(self.flint_denominators)

    @property
    def preactivations(self) -> tuple[Point, ...]:
        return tuple(map(outward, self.flint_preactivations))

    @property
    def output(self) -> Point:
        return outward(self.flint_output)

    @cached_property
    def flint_preactivations(self) -> tuple[Vector, ...]:
        pairs = zip(self.flint_numerators, self.flint_denominators, strict=True)
        return tuple(tuple(fmpq(z, d) for z in layer) for layer, d in pairs)

    @property
    def flint_output(self) -> Vector:
        return tuple(fmpq(z, self.flint_denominators[-1]) for z in self.flint_numerators[-1])

    @cached_property
    def pattern(self) -> Pattern:
        return tuple(tuple(map(sign, z)) for z in self.flint_numerators[:-1])


def evaluate(network: Network, x: Iterable[Any]) -> Point:
    """The exact output at one point."""
    return trace(network, x).output


def evaluate_batch(network: Network, points: Iterable[Iterable[Any]]) -> list[Point]:
    """The exact outputs at many points, one FLINT product for each layer."""
    return [e.output for e in trace_batch(network, points)]


def trace(network: Network, x: Iterable[Any]) -> Evaluation:
    """All preactivations at one point."""
    return trace_batch(network, [x])[0]


def trace_batch(network: Network, points: Iterable[Iterable[Any]]) -> list[Evaluation]:
    """All preactivations at many points.

    >>> import exactrelu as er
    >>> xor = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [e.pattern for e in er.trace_batch(xor, [(1, 1), (1, -1), (-1, -1)])]
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
    rows = (row if s > 0 else zero_row for row, s in zip(affine.flint_rows(), signs, strict=True))
    return Matrix.from_entries(*affine.shape, (x for row in rows for x in row))


def local_affine_map(network: Network, pattern: Pattern) -> AffineMap:
    """The affine map that the network computes where ``pattern`` holds."""
    affine = preactivation_maps(network, pattern)[-1]
    n = network.n_inputs
    return AffineMap(affine.take(columns=range(n)), affine.flint_column(n))


def pattern_polyhedron(network: Network, pattern: Pattern) -> LinearSystem:
    """{x : every hidden preactivation has the given sign}: > 0, < 0 or = 0.

    One row for each hidden neuron, in order; the set may be empty.
    """
    n = network.n_inputs
    rows = []
    for affine, signs in zip(preactivation_maps(network, pattern), pattern, strict=False):
        for row, s in zip(affine.flint_rows(), signs, strict=True):
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
