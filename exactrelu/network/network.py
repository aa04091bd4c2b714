"""The network: x ↦ W_L σ(W_{L−1} … σ(W_1 x + b_1) … + b_{L−1}) + b_L, σ = max(·, 0) by units.

A hidden layer is an affine map, then ReLU on some coordinates and the identity on the others, its
*linear units*, which carry a value past the layer: z = W_l h + b_l, h_i = z_i for a linear unit i,
else max(z_i, 0).  The units with ReLU are the *neurons*.  A network without linear units is
*plain*, and what is about parameters is asked of plain networks only (:func:`plain`).  The last
layer is affine: it has no neurons, and no list of linear units either.

Symbols to names: W_l, b_l → ``layers[l-1].weights``, ``.bias``; n_0, …, n_L →
``widths``; hidden layers are 1 … L−1.  Units are written (layer, index), both from 1, in
everything that a person reads.

What it computes at points: :mod:`.evaluation`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NewType, TypeAlias, overload

from flint import fmpq, fmpz

from exactrelu.display import Shown
from exactrelu.drawn import Drawn
from exactrelu.errors import InputError, NotPlain, ShapeError, attempted, place_in
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Point, outward
from exactrelu.exact.scalar import Vector, is_table, vector
from exactrelu.network import written
from exactrelu.network.declared import Declared, fit
from exactrelu.network.evaluation import (
    CARRIED,
    AffineMap,
    Evaluation,
    Pattern,
    evaluate,
    evaluate_batch,
    homogeneous,
    homogeneous_preactivations,
    layer_signs,
    local_affine_map,
    pattern_polyhedron,
    preactivation_maps,
    signs_text,
    trace,
    trace_batch,
)

if TYPE_CHECKING:
    from exactrelu.network.symmetry import Symmetry

__all__ = [
    "CARRIED",
    "AffineMap",
    "Evaluation",
    "Layer",
    "Network",
    "Number",
    "Pattern",
    "evaluate",
    "evaluate_batch",
    "homogeneous",
    "homogeneous_preactivations",
    "layer_signs",
    "local_affine_map",
    "pattern_polyhedron",
    "preactivation_maps",
    "signs_text",
    "trace",
    "trace_batch",
    "widths_text",
]


#: What a coordinate of a point may be.
Number: TypeAlias = fmpq | fmpz | int | float | Fraction | str


@dataclass(frozen=True, repr=False)
class Layer(Shown):
    """One affine map x ↦ Wx + b of a network, stored as the matrix [W|b].

    Parameters
    ----------
    affine : Matrix
        The matrix [W|b]; :meth:`Layer.of` takes weights and bias.
    linear : tuple of int, optional
        The numbers of its *linear units*, from 1, which pass their value on as it is: no ReLU.

    Attributes
    ----------
    weights : Matrix
        W: row i is unit i.
    bias : tuple of rationals
        b.
    passes : tuple of bool
        Of each unit, whether it is linear.

    Examples
    --------
    >>> import exactrelu as er
    >>> layer = er.Layer.of([[1, "1/2"], [0, 3]], [1, -1])
    >>> layer.weights, layer.bias
    (Matrix([[1, 1/2], [0, 3]]), (1, -1))
    >>> layer = er.Layer.of([[-1, 1], [1, 0]], [0, 0], linear=[2])
    >>> layer.linear, layer.passes
    ((2,), (False, True))
    """

    affine: Matrix
    #: The numbers of the linear units, from 1, increasing; the other units have a ReLU.
    linear: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        steps = zip((0, *self.linear), (*self.linear, self.n_outputs + 1), strict=True)
        if not all(before < after for before, after in steps):
            raise InputError(
                f"linear units {list(self.linear)}: "
                f"expected increasing numbers of units, from 1 to {self.n_outputs}"
            )

    @classmethod
    def of(cls, weights: Any, bias: Any, where: str = "layer", linear: Iterable[int] = ()) -> Layer:
        """A layer from nested sequences or arrays of exact numbers."""
        W = weights if isinstance(weights, Matrix) else Matrix(weights, where=f"{where}.weights")
        b = vector(bias, f"{where}.bias")
        if len(b) != W.n_rows:
            raise ShapeError(
                f"{where}.bias: found {len(b)} entries, expected {W.n_rows}, one for each row"
            )
        if 0 in W.shape:
            raise ShapeError(f"{where}.weights: found shape {W.shape}, expected at least 1 × 1")
        return cls(W.beside(Matrix.column_vector(b)), tuple(linear))

    @property
    def is_plain(self) -> bool:
        """Whether every unit has a ReLU."""
        return not self.linear

    @cached_property
    def passes(self) -> tuple[bool, ...]:
        """Of each unit, whether it is linear."""
        linear = set(self.linear)
        return tuple(i in linear for i in range(1, self.n_outputs + 1))

    def with_affine(self, affine: Matrix) -> Layer:
        """The same units with other rows."""
        return Layer(affine, self.linear)

    @property
    def n_inputs(self) -> int:
        """The number of columns of W."""
        return self.affine.n_columns - 1

    @property
    def n_outputs(self) -> int:
        """The number of rows of W."""
        return self.affine.n_rows

    @cached_property
    def weights(self) -> Matrix:
        """The matrix W; row i is unit i."""
        return self.affine.take(columns=range(self.n_inputs))

    @property
    def bias(self) -> Point:
        """The vector b."""
        return outward(self.flint_bias)

    @cached_property
    def flint_bias(self) -> Vector:
        """The vector b."""
        return self.affine.flint_column(self.n_inputs)


@dataclass(frozen=True, repr=False)
class Network(Drawn):
    """An immutable ReLU network with rational weights.

    Hidden layers are x ↦ ReLU(Wx + b), but for their linear units, which have no ReLU; the last
    layer is affine.  Equality and hash are those of the parameters; names do not count.  A call
    gives the exact value at a point, or at many.

    Parameters
    ----------
    layers : tuple of Layer
        The layers; :meth:`Network.from_arrays` takes weights and biases.
    name : str, optional
        What texts call it.
    neuron_names : tuple of tuples of str, optional
        A name for each hidden neuron.
    activation : str, optional
        How it is known that the hidden layers are ReLU.
    input_tensors : tuple of Declared, optional
        Names and shapes of the inputs, as the file of a graph has them.
    output_tensors : tuple of Declared, optional
        The same of the outputs.

    Attributes
    ----------
    widths : tuple of int
        (n_0, n_1, …, n_L): inputs, hidden layers, outputs.
    n_parameters : int
        How many weights and biases there are.
    bits : int
        The size of the largest of them.

    Examples
    --------
    >>> import exactrelu as er
    >>> xor = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> xor.widths, xor.n_parameters
    ((2, 2, 1), 9)
    >>> xor([1, 1]), xor([[0, 0], [1, "-1/2"]])
    ((-3,), [(1,), (0,)])
    >>> xor == er.load("example:xor")
    True
    """

    layers: tuple[Layer, ...]
    name: str = field(default="", compare=False)
    neuron_names: tuple[tuple[str, ...], ...] | None = field(default=None, compare=False)
    #: The hidden layers are ReLU layers; where a file did not say so, that it did not.
    activation: str = field(default="ReLU", compare=False)
    input_tensors: tuple[Declared, ...] = field(default=(), compare=False)
    output_tensors: tuple[Declared, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.layers:
            raise ShapeError("a network needs at least one layer")
        if not self.layers[-1].is_plain:
            # No ReLU follows the last layer, so there is nothing that a unit could do without.
            object.__setattr__(self, "layers", (*self.layers[:-1], Layer(self.layers[-1].affine)))
        for l, (before, after) in enumerate(zip(self.layers, self.layers[1:], strict=False), 2):
            if before.n_outputs != after.n_inputs:
                raise ShapeError(
                    f"layer {l} takes {after.n_inputs} inputs, "
                    f"but layer {l - 1} has {before.n_outputs} outputs"
                )
        for what, tensors, n in (
            ("inputs", self.input_tensors, self.n_inputs),
            ("outputs", self.output_tensors, self.n_outputs),
        ):
            if not fit(tensors, n):
                said = ", ".join(tensor.text for tensor in tensors)
                raise ShapeError(f"{what} {said}: the network has {n:,}")
        names = self.neuron_names
        if names is not None and [len(n) for n in names] != list(self.hidden_widths):
            raise InputError(
                f"neuron names for widths {[len(n) for n in names]}, "
                f"expected one for each hidden neuron {list(self.hidden_widths)}"
            )

    @classmethod
    def from_arrays(cls, weights: Sequence[Any], biases: Sequence[Any], name: str = "") -> Network:
        """The network of weight matrices and bias vectors.

        Parameters
        ----------
        weights : sequence of matrices
            For each layer nested sequences or an array; row i is neuron i.  Floats are the dyadic
            rationals that they store.
        biases : sequence of vectors
            For each layer one number for each neuron.
        name : str, optional
            What texts call it.

        Returns
        -------
        Network
            Its hidden layers have ReLU, the last one is affine.

        Examples
        --------
        >>> import exactrelu as er
        >>> absolute = er.Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
        >>> absolute(["-1/2"])
        (1/2,)
        """
        weights, biases = attempted(list, weights, "weights"), attempted(list, biases, "biases")
        if len(weights) != len(biases):
            raise ShapeError(f"found {len(weights)} weight matrices and {len(biases)} biases")
        pairs = enumerate(zip(weights, biases, strict=True))
        return cls(tuple(Layer.of(W, b, f"layers[{l}]") for l, (W, b) in pairs), name)

    @property
    def widths(self) -> tuple[int, ...]:
        """The numbers of inputs, of units in hidden layers, of outputs, (n_0, n_1, …, n_L)."""
        return (self.layers[0].n_inputs, *(layer.n_outputs for layer in self.layers))

    @property
    def n_inputs(self) -> int:
        """The number of inputs."""
        return self.layers[0].n_inputs

    @property
    def n_outputs(self) -> int:
        """The number of outputs."""
        return self.layers[-1].n_outputs

    @property
    def hidden_widths(self) -> tuple[int, ...]:
        """The numbers of units of the hidden layers, (n_1, …, n_{L−1}), linear ones too."""
        return self.widths[1:-1]

    @property
    def is_plain(self) -> bool:
        """Whether every hidden unit has a ReLU, and none is linear."""
        return all(layer.is_plain for layer in self.layers)

    @property
    def n_linear_units(self) -> int:
        """The hidden units without a ReLU."""
        return sum(len(layer.linear) for layer in self.layers)

    @property
    def n_hidden_neurons(self) -> int:
        """The hidden units with a ReLU."""
        return sum(self.hidden_widths) - self.n_linear_units

    @property
    def n_parameters(self) -> int:
        """The number of weights and biases."""
        return sum(layer.n_outputs * (layer.n_inputs + 1) for layer in self.layers)

    @cached_property
    def bits(self) -> int:
        """The size of the largest parameter in bits (of numerator or denominator)."""
        return max(layer.affine.bits for layer in self.layers)

    def _headline(self) -> str:
        name = f" {self.name}" if self.name else ""
        parameters = f"{self.n_parameters:,} parameters, {self.bits} bits"
        assumed = "" if self.activation == "ReLU" else f", {self.activation}"
        return f"Network{name}: {widths_text(self)}, {parameters}{assumed}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        for l, layer in enumerate(self.layers, 1):
            yield f"layer {l}", f"{layer.n_outputs} × {layer.n_inputs}"

    def _plain(self) -> Any:
        return json.loads(written.network_text(self))

    def neuron_name(self, layer: int, index: int) -> str:
        """The name of neuron (layer, index), both from 1."""
        hidden = self.hidden_widths
        place_in(index, hidden[place_in(layer, len(hidden), "layer", 1) - 1], "neuron", 1)
        if self.neuron_names is None:
            return f"({layer},{index})"
        return self.neuron_names[layer - 1][index - 1]

    @overload
    def __call__(self, x: Iterable[Number]) -> Point: ...

    @overload
    def __call__(self, x: Iterable[Iterable[Any]]) -> list[Point]: ...

    def __call__(self, x: Iterable[Any] | Iterable[Iterable[Any]]) -> Point | list[Point]:
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
        if last - first == len(self.layers) - 1:
            return self
        names = None if self.neuron_names is None else self.neuron_names[first - 1 : last - 1]
        return Network(self.layers[first - 1 : last], self.name, names)

    def then(self, after: Network) -> Network:
        """The composition x ↦ after(self(x)); the two affine maps that meet become one."""
        if self.n_outputs != after.n_inputs:
            raise ShapeError(
                f"cannot compose: {self.n_outputs} outputs into {after.n_inputs} inputs"
            )
        first = after.layers[0]
        meeting = first.with_affine(first.affine @ homogeneous(self.layers[-1].affine))
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
        first = self.layers[0].with_affine(self.layers[0].affine @ homogeneous(inclusion))
        return Network((first, *self.layers[1:]), self.name, self.neuron_names)

    def transformed(self, symmetry: Symmetry) -> Network:
        """The same function with hidden neurons permuted and positively rescaled."""
        return symmetry.apply(self)

    def renamed(self, name: str) -> Network:
        """The same network with another name."""
        return replace(self, name=name)

    def canonical_form(self) -> dict[str, Any]:
        """The network as certificates write it: per layer the common denominator
        and the integer rows [w…, b], in hexadecimal, and linear units, from 0, where there are
        some.  Names are not part of it.
        """
        return written.canonical_form(self)

    def canonical_bytes(self) -> bytes:
        """Canonical JSON of :meth:`canonical_form`: equal iff the parameters are equal."""
        return written.canonical_bytes(self)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the canonical bytes, as the checker prints it."""
        return written.sha256(self)


def widths_text(network: Network) -> str:
    """The widths as people write them: 2-2-1, or 2-8+3-1 with 8 neurons and 3 linear units.

    >>> widths_text(Network((Layer.of([[-1, 1], [1, 0]], [0, 0], linear=[2]),
    ...                      Layer.of([[1, 1]], [0]))))
    '2-1+1-1'
    """
    layers = ((layer.n_outputs, len(layer.linear)) for layer in network.layers)
    units = (f"{n - linear}+{linear}" if linear else str(n) for n, linear in layers)
    return "-".join([str(network.n_inputs), *units])


#: A network that has no linear units: only :func:`plain` makes one, so a type checker finds a
#: question about parameters that forgot to ask.
PlainNetwork = NewType("PlainNetwork", Network)


def plain(network: Network, question: str) -> PlainNetwork:
    """The network, if it has no linear units; a question about parameters is defined for these.

    >>> layers = (Layer.of([[-1, 1], [1, 0]], [0, 0], linear=[2]), Layer.of([[1, 1]], [0]))
    >>> plain(Network(layers), "fiber")
    Traceback (most recent call last):
    exactrelu.errors.NotPlain: fiber is defined for layers of ReLUs; this network has 1 linear unit
    (layer 1: 1), a value that skips a layer; what is about its function alone answers for it:
    equivalent, difference, simplify, holds, robust, regions, roles, complex, injective, invert,
    local, plot
    """
    if network.is_plain:
        return PlainNetwork(network)
    counts = [(l, len(layer.linear)) for l, layer in enumerate(network.layers, 1) if layer.linear]
    listed = ", ".join(f"layer {l}: {n}" for l, n in counts[:3]) + ", …" * (len(counts) > 3)
    many = network.n_linear_units > 1
    raise NotPlain(
        f"{question} is defined for layers of ReLUs; this network has {network.n_linear_units} "
        f"linear unit{'s' * many} ({listed}), "
        f"{'values that skip' if many else 'a value that skips'} a layer; "
        "what is about its function alone answers for it: equivalent, difference, simplify, holds, "
        "robust, regions, roles, complex, injective, invert, local, plot"
    )
