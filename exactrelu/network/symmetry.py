"""The group of permutations and positive scalings of hidden neurons.

An element moves neuron π_l(i) of hidden layer l to place i and multiplies its
incoming weights and bias by s_l(i) > 0 and its outgoing weights by 1/s_l(i).
The function does not change, because s(λt) = λ s(t) for λ > 0.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.display import Shown
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Point, outward
from exactrelu.exact.scalar import ONE, Vector
from exactrelu.network.network import Layer, Network, plain
from exactrelu.words import Words


@dataclass(frozen=True, repr=False)
class Symmetry(Shown):
    """Permutations and positive scalings of hidden neurons: what never changes the function.

    Parameters
    ----------
    permutations : tuple of tuples of int
        For each hidden layer: neuron i of the new network is the neuron with that number, from 1.
    scalings : tuple of tuples of rationals
        For each hidden layer a positive factor for each neuron.

    Examples
    --------
    >>> import exactrelu as er
    >>> xor = er.load("example:xor")
    >>> swap = er.identifiability.Symmetry(((2, 1),), (er.matrices.vector([1, 2]),))
    >>> swap.apply(xor).layers[0].affine
    Matrix([[1, 1, 0], [2, 2, 2]])
    >>> er.is_equivalent(xor, swap.apply(xor)).answer
    True
    """

    permutations: tuple[tuple[int, ...], ...]
    flint_scalings: tuple[Vector, ...]

    def __post_init__(self) -> None:
        if [len(p) for p in self.permutations] != [len(s) for s in self.flint_scalings]:
            raise InputError("permutations and scalings of different lengths")
        for l, (permutation, scaling) in enumerate(
            zip(self.permutations, self.flint_scalings, strict=True), 1
        ):
            n = len(permutation)
            if sorted(permutation) != list(range(1, n + 1)):
                found = f"layer {l}: {list(permutation)} is not a permutation"
                raise InputError(f"{found} of the neurons, from 1 to {n}")
            if any(s <= 0 for s in scaling):
                raise InputError(f"layer {l}: scalings must be positive")

    @property
    def scalings(self) -> tuple[Point, ...]:
        """For each hidden layer the positive factors."""
        return tuple(map(outward, self.flint_scalings))

    def lines(self, words: Words) -> list[str]:
        """What moves, a line for each layer, in the order of the network that it leads to, B."""
        lines = []
        known = words.of_list(s for scaling in self.flint_scalings for s in scaling)
        pairs = zip(self.permutations, self.flint_scalings, strict=True)
        for l, (permutation, scaling) in enumerate(pairs, 1):
            moved = [
                f"{j} is {i} of A" + ("" if s == 1 else f" × {known.said(s)}")
                for j, (i, s) in enumerate(zip(permutation, scaling, strict=True), 1)
                if i != j or s != 1
            ]
            if moved:
                rest = ", the others stay" if len(moved) < len(permutation) else ""
                lines.append(f"  layer {l} of B: {', '.join(moved)}{rest}")
        return lines or ["  the identity: no neuron moves"]

    @classmethod
    def from_indices(
        cls, indices: Iterable[Sequence[int]], scalings: Iterable[Sequence[fmpq]]
    ) -> Symmetry:
        """The element of permutations that are counted from 0."""
        orders = tuple(tuple(i + 1 for i in order) for order in indices)
        return cls(orders, tuple(map(tuple, scalings)))

    @property
    def indices(self) -> tuple[tuple[int, ...], ...]:
        """The permutations, counted from 0."""
        return tuple(tuple(i - 1 for i in order) for order in self.permutations)

    @classmethod
    def identity(cls, network: Network) -> Symmetry:
        """The element that changes nothing."""
        widths = network.hidden_widths
        return cls.from_indices((range(n) for n in widths), ((ONE,) * n for n in widths))

    @classmethod
    def random(cls, network: Network, rng: random.Random, height: int = 4) -> Symmetry:
        """A random element with scalings p/q, 1 <= p, q <= height."""
        if height < 1:
            raise InputError(f"height: found {height}, expected at least 1")
        permutations, scalings = [], []
        for n in network.hidden_widths:
            permutations.append(tuple(rng.sample(range(n), n)))
            scalings.append(
                tuple(fmpq(rng.randint(1, height), rng.randint(1, height)) for _ in range(n))
            )
        return cls.from_indices(permutations, scalings)

    def apply(self, network: Network) -> Network:
        """The network with its hidden neurons permuted and rescaled."""
        network = plain(network, "the action of a symmetry")
        widths = [len(p) for p in self.permutations]
        if widths != list(network.hidden_widths):
            raise InputError(
                f"a symmetry of hidden widths {widths}, expected {list(network.hidden_widths)}"
            )
        layers = []
        indices = self.indices
        rows_out: Sequence[int]
        for l, layer in enumerate(network.layers):
            rows = layer.affine.flint_rows()
            # Outgoing weights of the layer before: columns move, and divide by its scalings.
            columns, inverse = [*range(layer.n_inputs)], [ONE] * layer.n_inputs
            if l > 0:
                columns = list(indices[l - 1])
                inverse = [1 / s for s in self.flint_scalings[l - 1]]
            columns.append(layer.n_inputs)
            inverse.append(ONE)
            is_hidden = l < len(indices)
            rows_out = indices[l] if is_hidden else range(layer.n_outputs)
            factors = self.flint_scalings[l] if is_hidden else (ONE,) * layer.n_outputs
            # Entry by entry: products with diagonal matrices would go through the common
            # denominator of all the scalings.
            entries = (
                rows[i][j] * s * t
                for i, s in zip(rows_out, factors, strict=True)
                for j, t in zip(columns, inverse, strict=True)
            )
            layers.append(Layer(Matrix.from_entries(*layer.affine.shape, entries)))
        return Network(tuple(layers), network.name, self._moved_names(network))

    def _moved_names(self, network: Network) -> tuple[tuple[str, ...], ...] | None:
        if network.neuron_names is None:
            return None
        pairs = zip(self.indices, network.neuron_names, strict=True)
        return tuple(tuple(names[i] for i in permutation) for permutation, names in pairs)

    def then(self, after: Symmetry) -> Symmetry:
        """The element that acts as self first and ``after`` second."""
        if list(map(len, self.permutations)) != list(map(len, after.permutations)):
            found, wanted = ([*map(len, g.permutations)] for g in (after, self))
            raise ShapeError(f"a symmetry of hidden widths {found}, expected {wanted}")
        permutations, scalings = [], []
        for p, s, q, t in zip(
            self.indices, self.flint_scalings, after.indices, after.flint_scalings, strict=True
        ):
            permutations.append(tuple(p[i] for i in q))
            scalings.append(tuple(t[k] * s[i] for k, i in enumerate(q)))
        return Symmetry.from_indices(permutations, scalings)

    def inverse(self) -> Symmetry:
        """The element that undoes self."""
        permutations, scalings = [], []
        for p, s in zip(self.indices, self.flint_scalings, strict=True):
            back = tuple(p.index(i) for i in range(len(p)))
            permutations.append(back)
            scalings.append(tuple(1 / s[k] for k in back))
        return Symmetry.from_indices(permutations, scalings)
