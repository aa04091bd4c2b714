"""The fiber of a three-layer network on R^n, up to permutation and positive scaling (theory 3.4).

For a generic bottleneck, n_0 ≥ n_1 ≥ 2, with some live neuron in layer 2, these are all generic
members:

- If layer 2 does not hide a neuron, the first layer is fixed, and the rest is the fiber of
  layers 2–3 on the orthant.
- If it hides neuron i and two or more neurons of layer 2 are live, the half-line T_i.
- If just one is live, 2^(n_1 − 1) half-lines, one for each set A of flips, disjoint.

Dead neurons of layer 2 keep any negative row and any outgoing weights.  For other networks the
same symmetries are there, but there may be more members: ``is_complete`` is False.

A component is thus of one of two kinds.

- :class:`HalfLine` (theory 3.2–3.4): a hidden neuron moves, others are flipped.  The parameters of
  T_i(θ_A) in the scaling of θ are those of θ_A, but for b1_i and b2_j of the live neurons j, with
  b2_j + W2_ji·b1_i fixed and b2_j < 0; and the rows of dead neurons, which are negative and here
  of ℓ1 norm 1, and their outgoing weights, which are free.
- :class:`Layerwise`: the first layer is fixed.  Layers 2 and 3 may be any network with the same
  values on the orthant, where the activations of layer 1 are: a component of their fiber there.

:func:`fiber` takes networks of one hidden layer too.  Symbols: A ``flipped``, θ_A ``sample``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any, Unpack

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.display import Shown
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError, Unanswered
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, primitive, to_text
from exactrelu.exact.system import LinearSystem
from exactrelu.network.hiding import Hiding, hiding, is_dead_row
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.equivalence.canonical_forms import isomorphic, shallow_equal
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.fibers.component import Component
from exactrelu.questions.fibers.description import (
    Constraint,
    Description,
    Names,
    describe,
    equation,
    fixed,
)
from exactrelu.questions.fibers.minimal import Search
from exactrelu.questions.fibers.shallow import (
    MAX_COMPONENTS,
    Fiber,
    Membership,
    ShallowFiber,
    listed_strata,
    member_verdict,
    shallow_fiber,
)
from exactrelu.questions.fibers.strata import Stratum, stratum_of
from exactrelu.questions.genericity.bottleneck import is_bottleneck
from exactrelu.questions.genericity.senses import is_generic

#: Beyond this many masks genericity is not decided, and the fiber is said to be a subset.
MAX_MASKS = 1_000_000


@dataclass(frozen=True, repr=False)
class HalfLine(Shown):
    """T_i of the network after the flips of A: one member for each t > ``lower``."""

    hiding: Hiding
    flipped: tuple[int, ...]

    @property
    def is_nonempty(self) -> bool:
        return True

    @property
    def name(self) -> str:
        """The neurons that are flipped, from 1."""
        return f"flips {', '.join(str(a + 1) for a in self.flipped) or 'nothing'}"

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
        return 1 + len(self._dead) * (widths[1] + widths[3])

    @property
    def _dead(self) -> list[int]:
        live = set(self.hiding.live)
        return [j for j in range(self.hiding.network.widths[2]) if j not in live]

    def translate(self, t: Any) -> Network:
        """The member at t; at t = ``lower`` still the same function, but not generic."""
        found = hiding(self.sample)
        if found is None:
            raise ArithmeticError("a flip does not hide: a bug")
        return found.translate(t)

    def flip(self, flipped: Iterable[int]) -> HalfLine:
        """The half-line after more flips, neurons from 0: A becomes A xor B."""
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
        sample, i = self.sample, self.hiding.hidden
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
        """Where the half-line goes, with its numbers in words that may be shorter."""
        i = self.hiding.hidden + 1
        flips = ",".join(str(a + 1) for a in self.flipped)
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
        return self.rest.is_nonempty

    @property
    def name(self) -> str:
        """What no other component of the fiber is called."""
        return self.rest.name

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
        if not shallow_equal(rest, ours, self.rest.target.place).answer:
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
    rows = other.layers[0].affine.flint_rows()
    free = list(range(len(rows)))
    columns = []
    factors = []
    for row in first.affine.flint_rows():
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


@dataclass(frozen=True, repr=False)
class ThreeLayerFiber(Fiber):
    """Components; together all generic members if ``is_complete``, else a subset of them.

    ``reason`` says why, and ``generic`` proves the hypothesis of the theorem, if it applies.
    """

    network: Network
    components: tuple[HalfLine | Layerwise, ...]
    is_complete: bool
    reason: str
    generic: Certificate | None = None
    #: The fiber of layers 2 and 3, where nothing is hidden.
    rest: ShallowFiber | None = None
    #: Why the search for components was stopped, if it was.
    stopped: str = ""

    @property
    def place(self) -> Domain:
        """All of space: other domains are not asked about."""
        return Domain.of(None, self.network.n_inputs)

    @cached_property
    def own(self) -> HalfLine | Layerwise:
        """The component of the given network."""
        if self.rest is not None:
            return Layerwise(self.network.layers[0], self.rest.own)
        return self.component()

    def component(self, key: Sequence[int] | str = ()) -> HalfLine | Layerwise:
        """The half-line of a set of flips (neurons from 1), or the component of this name."""
        if self.rest is not None and isinstance(key, str):
            return Layerwise(self.network.layers[0], self.rest.component(key))
        flipped = {int(a) - 1 for a in key}
        for component in self.components:
            if isinstance(component, HalfLine) and set(component.flipped) == flipped:
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

    def member(
        self,
        other: Network,
        **limits: Unpack[Limits],
    ) -> Membership[HalfLine | Layerwise]:
        """Whether a network of the same widths has the same function; and where it lies."""
        everywhere = LinearSystem(self.network.n_inputs, ())
        equal = equivalent(self.network, other, everywhere, effort=Effort.of(limits))
        verdict = member_verdict(self.network, other, equal)
        if not verdict.answer:
            return Membership(verdict, None)
        return Membership(verdict, next((c for c in self.components if c.contains(other)), None))

    def samples(self, n: int, seed: int = 0) -> list[Network]:
        """Random members of small height, from random components; the same for one seed."""
        rng = Random(seed)
        nonempty = self.nonempty
        if not nonempty:
            raise InputError("no component is listed")
        return [rng.choice(nonempty).random(rng) for _ in range(n)]

    @property
    def has_certificate(self) -> bool:
        """Whether :attr:`certificate` is one: there are half-lines, or all strata are listed."""
        return bool(self.components) if self.rest is None else self.rest.is_complete

    @cached_property
    def certificate(self) -> Certificate | None:
        """Of the components, and of completeness by the theorem."""
        if not self.has_certificate:
            return None
        generic = [] if self.generic is None else [part.evidence for part in self.generic.parts]
        records = [record for proof in generic for record in proof]
        about: dict[str, Any] = {"network": self.network, "complete": self.generic is not None}
        if self.rest is None:
            method = "bottleneck" if generic else "flips"
            return claim("fiber-half-lines", method, records, **about)
        strata, members = listed_strata(_strata(self.rest))
        method = "visibility" if generic else "members"
        return claim("fiber-layerwise", method, [*records, *members], **(about | strata))


def _strata(rest: ShallowFiber) -> Iterable[Component]:
    """All strata; those with one neuron on each bend for 0, 1, … dead neurons, if that is all."""
    if not rest.is_simple:
        return rest.components
    target = rest.target
    return (
        Component(target, Stratum(o.signs, target.n_spare - n_dead, n_dead), o)
        for n_dead in range(target.n_spare + 1)
        for o in Search(target, target.n_spare - n_dead)
    )


def three_layer_fiber(
    network: Network,
    domain: DomainLike = None,
    *,
    general: bool = False,
    **limits: Unpack[Limits],
) -> ThreeLayerFiber:
    """The fiber of a three-layer network on R^n, or a part of it.

    Over a limit these are the components so far, a subset.  Whether all of them are found is the
    question whether the network is generic, which has half of the time.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]])
    >>> found = three_layer_fiber(net)
    >>> found.flips, found.is_complete
    (((), (1,)), True)
    >>> found.component([2]).translate(3).layers[0].affine
    Matrix([[1, -1, 3], [0, -1, 0]])
    """
    effort = Effort.of(limits)
    if effort.left("components") is None:
        effort = effort.part(components=MAX_COMPONENTS)
    if len(network.layers) != 3:
        raise InputError(f"{len(network.layers)} layers, expected three")
    if not Domain.of(domain, network.n_inputs).is_everywhere:
        raise Unanswered("fibers of two hidden layers are known on all of space only")
    nothing = ThreeLayerFiber(network, (), False, "a subset")
    with effort.knowing(lambda stopped: replace(nothing, stopped=str(stopped))):
        return _fiber(network, effort, general=general)


def _fiber(network: Network, effort: Effort, *, general: bool) -> ThreeLayerFiber:
    generic, reason = _theorem(network, effort.part(share=0.5))
    hidden = hiding(network)
    if hidden is not None:
        most = effort.left("components") or 0
        flips = hidden.all_flips(most + 1)
        lines = tuple(HalfLine(hidden, flipped) for flipped in flips[:most])
        is_all = len(flips) <= most
        if not is_all:
            reason = f"{reason}; {len(lines)} of 2^{network.widths[1] - 1} components are listed"
        return ThreeLayerFiber(network, lines, is_all and generic is not None, reason, generic)
    orthant = LinearSystem.orthant(network.widths[1])
    rest = shallow_fiber(network.truncate(2, 3), orthant, general=general, effort=effort)
    components = tuple(Layerwise(network.layers[0], component) for component in rest.components)
    if not rest.is_complete:
        subset = "a subset: layer 1 as it is, and other layers 2 and 3"
        return ThreeLayerFiber(network, components, False, subset, None, rest, rest.stopped)
    return ThreeLayerFiber(network, components, generic is not None, reason, generic, rest)


def _theorem(network: Network, effort: Effort) -> tuple[Certificate | None, str]:
    """The proof of genericity if theory 3.4 applies, and why or why not."""
    if not is_bottleneck(network) or network.widths[1] < 2:
        return None, "a subset: the theorem needs n0 >= n1 >= 2"
    if not any(not is_dead_row(row) for row in network.layers[1].affine.flint_rows()):
        return None, "a subset: the function is constant, all neurons of layer 2 are dead"
    generic = is_generic(network, effort=effort.part(masks=MAX_MASKS))
    if not generic.answer or not isinstance(generic.certificate, Certificate):
        word = "not generic" if generic.answer is False else "perhaps not generic"
        return None, f"a subset: {word}, {generic.reason}"
    return generic.certificate, "all generic members, by the theorem on generic bottlenecks"


#: The fibers that are known, by the number of hidden layers.
BY_HIDDEN_LAYERS: Mapping[int, Callable[..., Any]] = MappingProxyType(
    {1: shallow_fiber, 2: three_layer_fiber}
)


def fiber(network: Network, domain: DomainLike = None, **options: Any) -> Any:
    """The fiber of a network on a domain: for one hidden layer a :class:`ShallowFiber`,
    for two a :class:`ThreeLayerFiber`.

    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [1]], [[1, 1]]], [[1, -1], [0]])
    >>> found = er.fiber(net, "orthant")
    >>> [component.dimension for component in found.nonempty]
    [1, 1]
    """
    n_hidden = len(network.layers) - 1
    if n_hidden not in BY_HIDDEN_LAYERS:
        known = " or ".join(map(str, BY_HIDDEN_LAYERS))
        raise InputError(f"a network with {n_hidden} hidden layers, expected {known}")
    return BY_HIDDEN_LAYERS[n_hidden](network, domain, **options)
