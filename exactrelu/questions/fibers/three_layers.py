"""The fiber of a three-layer network on R^n, up to permutation and positive scaling (theory 3.4).

For a generic bottleneck, n_0 ≥ n_1 ≥ 2, with some live neuron in layer 2, these are all generic
members:

- If layer 2 does not hide a neuron, the first layer is fixed, and the rest is the fiber of
  layers 2–3 on the orthant.
- If it hides neuron i and two or more neurons of layer 2 are live, the half-line T_i.
- If just one is live, 2^(n_1 − 1) half-lines, one for each set A of flips, disjoint.

Dead neurons of layer 2 keep any negative row and any outgoing weights.  For other networks the
same symmetries are there, but there may be more members: ``is_complete`` is False.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.hiding import Hiding, hiding, is_dead_row
from exactrelu.network.network import Layer, Network
from exactrelu.questions.fibers.component import Component
from exactrelu.questions.fibers.shallow import MAX_COMPONENTS, shallow_fiber
from exactrelu.questions.genericity.bottleneck import is_bottleneck
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.isomorphism import isomorphic

#: Beyond this many masks genericity is not decided, and the fiber is said to be a subset.
MAX_MASKS = 1_000_000


@dataclass(frozen=True)
class HalfLine:
    """T_i of the network after the flips of A: one member for each t > ``lower``."""

    hiding: Hiding
    flipped: tuple[int, ...]

    @property
    def is_nonempty(self) -> bool:
        return True

    @cached_property
    def sample(self) -> Network:
        """The member with t = 0."""
        return self.hiding.flip(self.flipped)

    @property
    def lower(self) -> fmpq:
        return self.hiding.lower

    @property
    def dimension(self) -> int:
        """1, and for each dead neuron its direction and its outgoing weights."""
        widths = self.hiding.network.widths
        n_dead = widths[2] - len(self.hiding.live)
        return 1 + n_dead * (widths[1] + widths[3])

    def translate(self, t: Any) -> Network:
        """The member at t; at t = ``lower`` still the same function, but not generic."""
        found = hiding(self.sample)
        if found is None:
            raise InputError("a flip does not hide")
        return found.translate(t)

    def contains(self, other: Network) -> bool:
        """Whether a network lies on this half-line, up to symmetry and dead neurons.

        Both are moved to the closed end of their half-lines, which has no freedom left.
        """
        theirs = hiding(_live(other))
        ours = hiding(_live(self.sample))
        if theirs is None or ours is None:
            return False
        ends = ours.translate(ours.lower), theirs.translate(theirs.lower)
        return bool(isomorphic(*ends).answer)

    def text(self) -> str:
        i = self.hiding.hidden + 1
        flips = ",".join(str(a + 1) for a in self.flipped)
        after = f", after the flips {{{flips}}}" if flips else ""
        return f"b1[{i}] + t and b2 − t·W2[:,{i}] for t > {self.lower}{after}"


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

    def translate(self, t: Any) -> Network:
        """The sample with the biases of its linear neurons moved by t, one for each."""
        return self._with(self.rest.translate(t))

    def text(self) -> str:
        signs = "".join(self.rest.signs) or "no bends"
        return f"layer 1 fixed, layers 2–3 on the orthant: {signs}"

    def _with(self, rest: Network) -> Network:
        return Network((self.first, *rest.layers))


@dataclass(frozen=True)
class ThreeLayerFiber:
    """Components; together all generic members if ``is_complete``, else a subset of them.

    ``reason`` says why.
    """

    network: Network
    components: tuple[HalfLine | Layerwise, ...]
    is_complete: bool
    reason: str

    @property
    def nonempty(self) -> tuple[HalfLine | Layerwise, ...]:
        return tuple(c for c in self.components if c.is_nonempty)

    def component(self, key: Sequence[int] | str = ()) -> HalfLine | Layerwise:
        """The half-line of a set of flips (neurons from 1), or the component with these signs."""
        for component in self.components:
            if isinstance(component, HalfLine):
                if set(component.flipped) == {int(a) - 1 for a in key}:
                    return component
            elif component.rest.signs == tuple(key):
                return component
        raise InputError(f"no component {key!r}")

    @property
    def flips(self) -> tuple[tuple[int, ...], ...]:
        """The sets A of the half-lines, neurons from 0; the group is A·B = A xor B."""
        return tuple(c.flipped for c in self.components if isinstance(c, HalfLine))

    def flip_table(self) -> list[list[int]]:
        """The group table of the flips, by their numbers in ``flips``."""
        numbers = {frozenset(A): k for k, A in enumerate(self.flips)}
        return [[numbers[frozenset(A) ^ frozenset(B)] for B in self.flips] for A in self.flips]


def three_layer_fiber(
    network: Network,
    domain: LinearSystem | None = None,
    *,
    general: bool = False,
    max_components: int = MAX_COMPONENTS,
    timeout: float | None = None,
) -> ThreeLayerFiber:
    """The fiber of a three-layer network on R^n, or a part of it.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]])
    >>> found = three_layer_fiber(net)
    >>> found.flips, found.is_complete
    (((), (1,)), True)
    >>> found.component([2]).translate(3).layers[0].affine
    Matrix([[1, -1, 3], [0, -1, 0]])
    """
    if len(network.layers) != 3:
        raise InputError(f"{len(network.layers)} layers, expected three")
    if domain is not None and domain.rows:
        raise InputError("a domain for two hidden layers, expected all of space")
    hidden = hiding(network)
    is_all, reason = _is_complete(network, timeout)
    if hidden is not None and 1 << (network.widths[1] - 1) <= max_components:
        lines = tuple(HalfLine(hidden, flipped) for flipped in hidden.all_flips())
        return ThreeLayerFiber(network, lines, is_all, reason)
    rest = shallow_fiber(
        network.truncate(2, 3),
        LinearSystem.orthant(network.widths[1]),
        general=general,
        max_components=max_components,
    )
    components = tuple(Layerwise(network.layers[0], component) for component in rest.components)
    if is_all and not rest.is_complete:
        is_all, reason = False, f"more than {max_components} components"
    return ThreeLayerFiber(network, components, is_all, reason)


def _is_complete(network: Network, timeout: float | None) -> tuple[bool, str]:
    """Whether theory 3.4 applies, and why."""
    if not is_bottleneck(network) or network.widths[1] < 2:
        return False, "a subset: the theorem needs n0 >= n1 >= 2"
    if not any(not is_dead_row(row) for row in network.layers[1].affine.rows()):
        return False, "a subset: the function is constant, all neurons of layer 2 are dead"
    generic = is_generic(network, max_masks=MAX_MASKS, timeout=timeout)
    if not generic.answer:
        word = "not generic" if generic.answer is False else "perhaps not generic"
        return False, f"a subset: {word}, {generic.reason}"
    return True, "all generic members, by the theorem on generic bottlenecks"


def _live(network: Network) -> Network:
    """Without the dead neurons of layer 2."""
    first, second, last = network.layers
    live = [j for j, row in enumerate(second.affine.rows()) if not is_dead_row(row)]
    if not live:
        return network
    return Network(
        (
            first,
            Layer(second.affine.take(rows=live)),
            Layer(last.affine.take(columns=[*live, last.n_inputs])),
        )
    )
