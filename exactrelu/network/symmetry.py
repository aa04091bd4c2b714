"""The group of permutations and positive scalings of hidden neurons.

An element moves neuron π_l(i) of hidden layer l to place i and multiplies its
incoming weights and bias by s_l(i) > 0 and its outgoing weights by 1/s_l(i).
The function does not change, because s(λt) = λ s(t) for λ > 0.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.display import Shown
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Point, outward
from exactrelu.exact.scalar import ONE, Vector
from exactrelu.network.network import Layer, Network


@dataclass(frozen=True, repr=False)
class Symmetry(Shown):
    """One permutation (from 0) and one vector of positive scalings per hidden layer."""

    permutations: tuple[tuple[int, ...], ...]
    flint_scalings: tuple[Vector, ...]

    def __post_init__(self) -> None:
        if [len(p) for p in self.permutations] != [len(s) for s in self.flint_scalings]:
            raise InputError("permutations and scalings of different lengths")
        for l, (permutation, scaling) in enumerate(
            zip(self.permutations, self.flint_scalings, strict=True), 1
        ):
            if sorted(permutation) != list(range(len(permutation))):
                raise InputError(f"layer {l}: {list(permutation)} is not a permutation")
            if any(s <= 0 for s in scaling):
                raise InputError(f"layer {l}: scalings must be positive")

    @property
    def scalings(self) -> tuple[Point, ...]:
        return tuple(map(outward, self.flint_scalings))

    @classmethod
    def identity(cls, network: Network) -> Symmetry:
        widths = network.hidden_widths
        return cls(tuple(tuple(range(n)) for n in widths), tuple((ONE,) * n for n in widths))

    @classmethod
    def random(cls, network: Network, rng: random.Random, height: int = 4) -> Symmetry:
        """A random element with scalings p/q, 1 <= p, q <= height."""
        permutations, scalings = [], []
        for n in network.hidden_widths:
            permutations.append(tuple(rng.sample(range(n), n)))
            scalings.append(
                tuple(fmpq(rng.randint(1, height), rng.randint(1, height)) for _ in range(n))
            )
        return cls(tuple(permutations), tuple(scalings))

    def apply(self, network: Network) -> Network:
        """The network with its hidden neurons permuted and rescaled."""
        widths = [len(p) for p in self.permutations]
        if widths != list(network.hidden_widths):
            raise InputError(
                f"a symmetry of hidden widths {widths}, expected {list(network.hidden_widths)}"
            )
        layers = []
        rows_out: Sequence[int]
        for l, layer in enumerate(network.layers):
            rows = layer.affine.flint_rows()
            # Outgoing weights of the layer before: columns move, and divide by its scalings.
            columns, inverse = [*range(layer.n_inputs)], [ONE] * layer.n_inputs
            if l > 0:
                columns = list(self.permutations[l - 1])
                inverse = [1 / s for s in self.flint_scalings[l - 1]]
            columns.append(layer.n_inputs)
            inverse.append(ONE)
            is_hidden = l < len(self.permutations)
            rows_out = self.permutations[l] if is_hidden else range(layer.n_outputs)
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
        pairs = zip(self.permutations, network.neuron_names, strict=True)
        return tuple(tuple(names[i] for i in permutation) for permutation, names in pairs)

    def then(self, after: Symmetry) -> Symmetry:
        """The element that acts as self first and ``after`` second."""
        permutations, scalings = [], []
        for p, s, q, t in zip(
            self.permutations,
            self.flint_scalings,
            after.permutations,
            after.flint_scalings,
            strict=True,
        ):
            permutations.append(tuple(p[i] for i in q))
            scalings.append(tuple(t[k] * s[i] for k, i in enumerate(q)))
        return Symmetry(tuple(permutations), tuple(scalings))

    def inverse(self) -> Symmetry:
        """The element that undoes self."""
        permutations, scalings = [], []
        for p, s in zip(self.permutations, self.flint_scalings, strict=True):
            back = tuple(p.index(i) for i in range(len(p)))
            permutations.append(back)
            scalings.append(tuple(1 / s[k] for k in back))
        return Symmetry(tuple(permutations), tuple(scalings))
