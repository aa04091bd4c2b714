"""Components of a three-layer fiber with a fixed first layer (theory 3.4).

Layers 2 and 3 may be any network with the same values on the orthant, where the activations of
layer 1 are: a component of their fiber there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, primitive
from exactrelu.network.network import Layer, Network
from exactrelu.questions.fibers.classify import stratum_of
from exactrelu.questions.fibers.component import Component
from exactrelu.questions.fibers.description import Description, describe
from exactrelu.questions.shallow import shallow_equal


@dataclass(frozen=True)
class Layerwise:
    """The first layer as it is, and a component of the fiber of the rest on the orthant."""

    first: Layer
    rest: Component

    @property
    def is_nonempty(self) -> bool:
        return self.rest.is_nonempty

    @property
    def dimension(self) -> int | None:
        return self.rest.dimension

    @cached_property
    def sample(self) -> Network | None:
        rest = self.rest.sample
        return None if rest is None else self._with(rest)

    @cached_property
    def description(self) -> Description:
        """The equations and inequalities of the members, rows of layer 2 of ℓ1 norm 1."""
        return describe(self.rest.target, self.rest.stratum, self.first)

    def translate(self, t: Any) -> Network:
        """The sample with the biases of its linear neurons moved by t, one for each."""
        return self._with(self.rest.translate(t))

    def act(self, G: Any) -> Network:
        """The sample with the linear neurons of layer 2 mixed by an invertible matrix."""
        return self._with(self.rest.act(G))

    def random(self, rng: Random) -> Network:
        """A random member of small height."""
        return self._with(self.rest.random(rng))

    def contains(self, other: Network) -> bool:
        """Whether a network with the same function lies in this component, up to symmetry."""
        rest = rest_on(self.first, other)
        ours = self.rest.sample
        if rest is None or ours is None:
            return False
        if not shallow_equal(rest, ours, self.rest.target.form.domain).answer:
            return False
        return stratum_of(self.rest.target, rest) == self.rest.stratum

    def text(self) -> str:
        stratum = self.rest.stratum
        numbers = ((stratum.n_linear, "linear"), (stratum.n_dead, "dead"))
        more = "".join(f", {n} {name}" for n, name in numbers if n)
        if stratum.cancelling:
            more += f", canceling {' '.join(stratum.cancelling)}"
        return f"layer 1 fixed, layers 2–3 on the orthant: {stratum.name}{more}"

    def _with(self, rest: Network) -> Network:
        return Network((self.first, *rest.layers))


def rest_on(first: Layer, other: Network) -> Network | None:
    """Layers 2 and 3 of a network, for another first layer with the same rays; None if not.

    Where two rows of the first layer are on one ray, they are matched in order.
    """
    rows = other.layers[0].affine.rows()
    free = list(range(len(rows)))
    columns = []
    factors = []
    for row in first.affine.rows():
        ray = primitive(row)
        place = next((i for i in free if primitive(rows[i]) == ray), None)
        if place is None:
            return None
        free.remove(place)
        columns.append(place)
        # s(c·y) = c·s(y): the activation of theirs is c times ours.
        k = next((k for k, x in enumerate(row) if x != 0), None)
        factors.append(ONE if k is None else rows[place][k] / row[k])
    if free:
        return None
    second = other.layers[1].affine
    taken = second.take(columns=[*columns, second.n_columns - 1])
    return Network((Layer(taken @ Matrix.diagonal([*factors, ONE])), *other.layers[2:]))
