"""The components of the fiber of a three-layer network (theory 3.2–3.4).

- :class:`HalfLine`: a hidden neuron moves, others are flipped.  The parameters of T_i(θ_A) in the
  scaling of θ are those of θ_A, but for b1_i and b2_j of the live neurons j, with
  b2_j + W2_ji·b1_i fixed and b2_j < 0; and the rows of dead neurons, which are negative and here
  of ℓ1 norm 1, and their outgoing weights, which are free.
- :class:`Layerwise`: the first layer is fixed.  Layers 2 and 3 may be any network with the same
  values on the orthant, where the activations of layer 1 are: a component of their fiber there.

Symbols: A ``flipped``, θ_A ``sample``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, permutations, product
from random import Random
from typing import Any

from flint import fmpq, fmpz

from exactrelu.display import Shown
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, Vector, primitive, to_text
from exactrelu.network.hiding import Hiding, hiding, is_dead_row
from exactrelu.network.network import Layer, Network
from exactrelu.questions.equivalence.canonical_forms import isomorphic, shallow_equal
from exactrelu.questions.fibers.component import Component
from exactrelu.questions.fibers.description import (
    Constraint,
    Description,
    Names,
    describe,
    equation,
    fixed,
)
from exactrelu.questions.fibers.strata import stratum_of


@dataclass(frozen=True, repr=False)
class HalfLine(Shown):
    """T_i of the network after the flips of A: one member for each t > ``lower``."""

    hiding: Hiding
    flipped: tuple[int, ...]

    @property
    def is_nonempty(self) -> bool:
        """True, as there is a member for each t."""
        return True

    @property
    def name(self) -> str:
        """The set of neurons that are flipped, from 1, as "{2,3}"; "{}" is the given network."""
        return f"{{{','.join(map(str, self.flipped))}}}"

    @cached_property
    def sample(self) -> Network:
        """The member with t = 0."""
        return self.hiding.flip(self.flipped)

    @property
    def lower(self) -> fmpq:
        """The number above which t may be chosen."""
        return self.hiding.lower

    @property
    def dimension(self) -> int:
        """1, and for each dead neuron its direction and its outgoing weights."""
        widths = self.hiding.network.widths
        return 1 + len(self._dead) * (widths[1] + widths[3])

    @property
    def _dead(self) -> list[int]:
        live = set(self.hiding.live)
        return [j for j in range(self.hiding.network.widths[2]) if j + 1 not in live]

    def translate(self, t: Any) -> Network:
        """The member at t; at t = ``lower`` still the same function, but not generic."""
        found = hiding(self.sample)
        if found is None:
            raise ArithmeticError("a flip does not hide: a bug")
        return found.translate(t)

    def flip(self, flipped: Iterable[int]) -> HalfLine:
        """The half-line after more flips, neurons from 1: A becomes A xor B."""
        return HalfLine(self.hiding, tuple(sorted(set(self.flipped) ^ set(flipped))))

    def random(self, rng: Random) -> Network:
        """A random member of small height, with other dead neurons."""
        t = self.lower + fmpq(rng.randint(1, 12), rng.randint(1, 4))
        first, second, last = (
            [list(row) for row in layer.affine.flint_rows()] for layer in self.translate(t).layers
        )
        for j in self._dead:
            second[j] = [fmpq(-rng.randint(1, 5)) for _ in second[j]]
            for row in last:
                row[j] = fmpq(rng.randint(-5, 5))
        return Network(tuple(Layer(Matrix(rows)) for rows in (first, second, last)))

    def end(self, member: Network) -> Network:
        """The closed end of the half-line of a member."""
        found = hiding(member)
        if found is None:
            raise ArithmeticError("a member of a half-line does not hide: a bug")
        return found.translate(found.lower)

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

    @cached_property
    def description(self) -> Description:
        """The equations and inequalities of the members in the scaling of the network."""
        sample, i = self.sample, self.hiding.hidden - 1
        names = Names(sample.widths)
        first, second, last = (layer.affine.flint_rows() for layer in sample.layers)
        dead = set(self._dead)
        found = []
        for a, row in enumerate(first):
            cut = len(row) - (a == i)
            found += fixed([names.row(1, a)[:cut]], [row[:cut]])
        hidden_bias = names.row(1, i)[-1]
        for j, row in enumerate(second):
            named = names.row(2, j)
            if j in dead:
                found += [Constraint(((-ONE, (name,)),), ">") for name in named]
                found.append(equation([(ONE, (name,)) for name in named], -ONE))
                continue
            found += fixed([named[:-1]], [row[:-1]])
            terms = [(ONE, (named[-1],)), (row[i], (hidden_bias,))]
            found.append(equation(terms, row[-1] + row[i] * first[i][-1]))
            found.append(Constraint(((-ONE, (named[-1],)),), ">"))
        live = [k for k in range(len(last[0])) if k not in dead]
        found += fixed(
            [[row[k] for k in live] for row in names.rows(3)],
            [tuple(row[k] for k in live) for row in last],
        )
        return Description(names.all(), tuple(found))

    def text(self, number: Callable[[fmpq], str] = to_text) -> str:
        """The members in words."""
        i = self.hiding.hidden
        flips = ",".join(map(str, self.flipped))
        after = f", after the flips {{{flips}}}" if flips else ""
        return f"b1[{i}] + t and b2 − t·W2[:,{i}] for t > {number(self.lower)}{after}"


def _live(network: Network) -> Network:
    """Without the dead neurons of layer 2."""
    first, second, last = network.layers
    live = [j for j, row in enumerate(second.affine.flint_rows()) if not is_dead_row(row)]
    if not live:
        return network
    return Network(
        (
            first,
            Layer(second.affine.take(rows=live)),
            Layer(last.affine.take(columns=[*live, last.n_inputs])),
        )
    )


@dataclass(frozen=True, repr=False)
class Layerwise(Shown):
    """The first layer as it is, and a component of the fiber of the rest on the orthant."""

    first: Layer
    rest: Component

    @property
    def is_nonempty(self) -> bool:
        """Whether there are members."""
        return self.rest.is_nonempty

    @property
    def name(self) -> str:
        """What no other component of the fiber is called."""
        return self.rest.name

    @property
    def dimension(self) -> int | None:
        """The dimension, rows of layer 2 of ℓ1 norm 1; None if it is not known."""
        return self.rest.dimension

    @cached_property
    def sample(self) -> Network | None:
        """A member with small numbers; None if there is none."""
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
        ours, target = self.rest.sample, self.rest.target
        return ours is not None and any(
            shallow_equal(rest, ours, target.place).answer
            and stratum_of(target, rest) == self.rest.stratum
            for rest in rests_on(self.first, other)
        )

    def text(self, number: Callable[[fmpq], str] = to_text) -> str:
        """The members in words."""
        stratum = self.rest.stratum
        numbers = ((stratum.n_linear, "linear"), (stratum.n_dead, "dead"))
        more = "".join(f", {n} {name}" for n, name in numbers if n)
        if stratum.cancelling:
            more += f", canceling {' '.join(stratum.cancelling)}"
        return f"layer 1 fixed, layers 2–3 on the orthant: {stratum.name}{more}"

    def _with(self, rest: Network) -> Network:
        return Network((self.first, *rest.layers))


def rests_on(first: Layer, other: Network) -> Iterator[Network]:
    """Layers 2 and 3 of a network, for another first layer with the same rays; none if not.

    Where several rows of the first layer are on one ray, they are matched in each order.
    """
    ours, theirs = (_by_rays(layer) for layer in (first, other.layers[0]))
    if {ray: len(rows) for ray, rows in ours.items()} != {r: len(x) for r, x in theirs.items()}:
        return
    second = other.layers[1].affine
    for orders in product(*(permutations(theirs[ray]) for ray in ours)):
        places = dict(zip(chain(*ours.values()), chain(*orders), strict=True))
        columns = [places[i] for i in range(first.n_outputs)]
        # s(c·y) = c·s(y): the activation of theirs is c times ours.
        factors = [
            _quotient(other.layers[0].affine.flint_row(j), first.affine.flint_row(i))
            for i, j in enumerate(columns)
        ]
        taken = second.take(columns=[*columns, second.n_columns - 1])
        yield Network((Layer(taken @ Matrix.diagonal([*factors, ONE])), *other.layers[2:]))


def _by_rays(layer: Layer) -> dict[tuple[fmpz, ...], list[int]]:
    """The rows of a layer by their rays."""
    found: dict[tuple[fmpz, ...], list[int]] = {}
    for i, row in enumerate(layer.affine.flint_rows()):
        found.setdefault(tuple(primitive(row)), []).append(i)
    return found


def _quotient(a: Vector, b: Vector) -> fmpq:
    """a/b for rows on one ray, 1 if they are 0."""
    return next((x / y for x, y in zip(a, b, strict=True) if y != 0), ONE)
