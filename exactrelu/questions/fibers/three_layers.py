"""The fiber of a three-layer network on R^n, up to permutation and positive scaling (theory 3.4).

For a generic bottleneck, n_0 ≥ n_1 ≥ 2, with some live neuron in layer 2, these are all generic
members:

- If layer 2 does not hide a neuron, the first layer is fixed, and the rest is the fiber of
  layers 2–3 on the orthant.
- If it hides neuron i and two or more neurons of layer 2 are live, the half-line T_i.
- If just one is live, 2^(n_1 − 1) half-lines, one for each set A of flips, disjoint.

Dead neurons of layer 2 keep any negative row and any outgoing weights.  For other networks the
same symmetries are there, but there may be more members: ``is_complete`` is False.

Components are half-lines or layerwise: :mod:`.deep_components`.

:func:`fiber` takes networks of one hidden layer too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Unpack

from exactrelu.bounded import bounded_method
from exactrelu.certificates.certificate import Certificate, all_of, claim
from exactrelu.display import brief
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError, Unanswered
from exactrelu.exact.system import LinearSystem
from exactrelu.network.hiding import hiding, is_dead_row
from exactrelu.network.network import Network, PlainNetwork, plain
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.fibers.answers import DEEP
from exactrelu.questions.fibers.component import Component
from exactrelu.questions.fibers.deep_components import HalfLine, Layerwise, rests_on
from exactrelu.questions.fibers.fiber import (
    Fiber,
    FiberMembership,
    MemberPath,
    member_verdict,
)
from exactrelu.questions.fibers.minimal import OrientationSearch
from exactrelu.questions.fibers.parts import MAX_COMPONENTS, Parts
from exactrelu.questions.fibers.shallow import ShallowFiber, fiber_of, listed_strata, shallow_fiber
from exactrelu.questions.fibers.strata import Stratum
from exactrelu.questions.genericity.bottleneck import is_bottleneck
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words, count

#: Beyond this many masks genericity is not decided, and the fiber is said to be a subset.
MAX_MASKS = 1_000_000


@dataclass(frozen=True, repr=False)
class ThreeLayerFiber(Fiber):
    """The components of the fiber of two hidden layers: all generic members if ``is_complete``.

    Attributes
    ----------
    components : tuple of HalfLine or Layerwise
        What was found.
    is_complete : bool
        Whether these are all generic members; ``reason`` says why, or why not.
    own : HalfLine or Layerwise
        The component of the given network.
    flips : tuple of tuples of int
        The sets of neurons (from 1) that are flipped on the half-lines.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1, 0], [0, 1]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]])
    >>> found = er.fiber(net)
    >>> len(found), found.is_complete, found.dimension
    (2, True, 1)
    >>> found.component([2]).translate(3).layers[0].affine
    Matrix([[1, -1, 3], [0, -1, 0]])
    """

    PARTS = DEEP

    network: Network
    components: tuple[HalfLine | Layerwise, ...]
    is_complete: bool
    reason: str
    generic: Certificate | None = None
    #: The fiber of layers 2 and 3, where nothing is hidden.
    rest: ShallowFiber | None = None
    #: Why the search for components was stopped, if it was.
    stopped: str = ""

    def sentence(self, _words: Words = PEOPLE) -> str:
        """How many components there are, and whether they are all."""
        if self.stopped:
            return self.so_far(self.reason)
        n_empty = len(self.components) - len(self.nonempty)
        empty = f", {n_empty} more are empty" if n_empty else ""
        return f"{count(len(self.nonempty), 'component')}{empty}: {self.reason}"

    @property
    def proves_complete(self) -> bool:
        """Whether the certificate proves that these are all."""
        return self.is_complete and self.has_certificate

    @property
    def _has_proof(self) -> bool:
        return self.has_certificate

    @property
    def place(self) -> Domain:
        """All of space, as other domains are not asked about."""
        return Domain.of(None, self.network.n_inputs)

    @cached_property
    def own(self) -> HalfLine | Layerwise:
        """The component of the given network."""
        if self.rest is not None:
            return Layerwise(self.network.layers[0], self.rest.own)
        hidden = hiding(self.network)
        if hidden is None:
            raise Unanswered(f"{self.stopped}: the components are not known")
        return HalfLine(hidden, ())

    def component(self, key: Sequence[int] | str = ()) -> HalfLine | Layerwise:
        """The half-line of a set of flips, as (2, 3) or "{2,3}", or the component of this name."""
        if self.rest is not None and isinstance(key, str):
            return Layerwise(self.network.layers[0], self.rest.component(key))
        inside = key.strip("{} ").split(",") if isinstance(key, str) else key
        given = [str(a).strip() for a in inside if a != ""]
        if not all(map(str.isdecimal, given)):
            raise InputError(f"no component {brief(key)}, expected flipped neurons, as in {{2,3}}")
        flipped = {int(a) for a in given}
        for component in self.components:
            if isinstance(component, HalfLine) and set(component.flipped) == flipped:
                return component
        if not flipped:
            return self.own
        if self.is_complete:
            raise InputError(f"no component {brief(key)}")
        raise Unanswered(f"no component {brief(key)} is listed: {self.stopped or self.reason}")

    @property
    def flips(self) -> tuple[tuple[int, ...], ...]:
        """The sets A of the half-lines, neurons from 1; the group is A·B = A xor B."""
        return tuple(c.flipped for c in self.components if isinstance(c, HalfLine))

    def flip_table(self) -> list[list[int]]:
        """The group table of the flips, by their numbers in ``flips``."""
        numbers = {frozenset(A): k for k, A in enumerate(self.flips)}
        return [[numbers[frozenset(A) ^ frozenset(B)] for B in self.flips] for A in self.flips]

    @bounded_method
    def member(
        self,
        effort: Effort,
        /,
        other: Network,
        **limits: Unpack[Limits],
    ) -> FiberMembership:
        """Whether a network of the same widths has the same function; and where it lies."""
        other = plain(other, "membership in a fiber")
        everywhere = LinearSystem(self.network.n_inputs, ())
        equal = equivalent(self.network, other, everywhere, effort=effort)
        verdict = member_verdict(self.network, other, equal)
        if not verdict.answer:
            return FiberMembership.of(verdict)
        component = next((c for c in self.components if c.contains(other)), None)
        return FiberMembership.of(verdict, component=component)

    @bounded_method
    def parts(self, effort: Effort, /, **limits: Unpack[Limits]) -> Parts:
        """The components in parts between which there is no path of generic members.

        Half-lines are apart, one by one.  Else they are the parts of the fiber of layers 2 and 3 on
        the orthant, which are apart among all networks with this first layer.
        """
        if self.rest is None:
            lines = tuple((line,) for line in self.components)
            known = lines if self.is_complete else (self.components,)[: len(lines)]
            return Parts(known, lines, "generic networks", self.certificate)
        found = self.rest.parts(effort=effort)
        first = self.network.layers[0]

        def lifted(groups: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
            return tuple(tuple(s.behind(first) for s in group) for group in groups)

        certificate = all_of((self.certificate, found.certificate))
        among = "networks with this first layer" + ", and generic ones" * self.is_complete
        return Parts(lifted(found.parts), lifted(found.joined), among, certificate)

    @bounded_method
    def path(self, effort: Effort, /, other: Network, **limits: Unpack[Limits]) -> MemberPath:
        """Whether a path of members leads to another one; its corners are the witness.

        On a half-line they are the network, its closed end, which is that of the other network up
        to symmetry and dead neurons, and the other one.  A no is about generic networks, and
        about those with this first layer.
        """
        other = plain(other, "membership in a fiber")
        effort = effort.unless_given(components=MAX_COMPONENTS)
        found = self.member(other, effort=effort)
        if not found.answer:
            return MemberPath.of(found)
        if self.rest is not None:
            rests = [*rests_on(self.network.layers[0], other)]
            if not rests:
                return MemberPath(None, "the first layers differ")
            rest = next((x for x in rests if self.rest.member(x, effort=effort).answer), None)
            if rest is None:
                return MemberPath(None, "layers 2 and 3 differ on the orthant")
            verdict = self.rest.path(rest, effort=effort)
            corners = verdict.witness and tuple(
                Network((self.network.layers[0], *corner.layers)) for corner in verdict.witness
            )
            return replace(verdict, witness=corners)
        line, own = found.component, self.own
        if line is None or not isinstance(own, HalfLine):
            return MemberPath(None, "the other network is on none of these half-lines")
        if line == own:
            reason = "both are on one half-line, which this leads along to its closed end and back"
            ends = own.end(self.network), own.end(other)
            return MemberPath(True, reason, (self.network, *ends, other), found.certificate)
        if not self.is_complete:
            return MemberPath(None, "two half-lines, of a network that is perhaps not generic")
        reason = "no path of generic networks leads from one half-line to another"
        return MemberPath(False, reason, None, self.certificate)

    @property
    def has_certificate(self) -> bool:
        """Whether :attr:`certificate` is one, as there are half-lines or all strata are listed."""
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
        for o in OrientationSearch(target, target.n_spare - n_dead)
    )


@question(plain="the fiber")
def three_layer_fiber(
    call: Call[ThreeLayerFiber],
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
    (((), (2,)), True)
    >>> found.component([2]).translate(3).layers[0].affine
    Matrix([[1, -1, 3], [0, -1, 0]])
    """
    return _of_three(call, call.plain(network), general=general)


def _of_three(
    call: Call[ThreeLayerFiber], network: PlainNetwork, *, general: bool
) -> ThreeLayerFiber:
    if len(network.layers) != 3:
        raise InputError(f"{len(network.layers)} layers, expected three")
    if not call.place.is_everywhere:
        raise Unanswered("fibers of two hidden layers are known on all of space only")
    nothing = ThreeLayerFiber(network, (), False, "a subset")
    call.knows(lambda stopped: replace(nothing, stopped=str(stopped)))
    effort = call.effort.unless_given(components=MAX_COMPONENTS)
    return _fiber(network, effort, general=general)


def _fiber(network: PlainNetwork, effort: Effort, *, general: bool) -> ThreeLayerFiber:
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


def _theorem(network: PlainNetwork, effort: Effort) -> tuple[Certificate | None, str]:
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


@question(plain="the fiber")
def fiber(
    call: Call[ShallowFiber | ThreeLayerFiber],
    network: Network,
    domain: DomainLike = None,
    *,
    general: bool = False,
    **limits: Unpack[Limits],
) -> ShallowFiber | ThreeLayerFiber:
    """All parameters of the same widths with the same function, up to permutation and scaling.

    Parameters
    ----------
    network : Network
        The network.
    domain : str or Domain, optional
        All of space by default; for one hidden layer also ``"orthant"``, ``"box:0..1"``, or another
        polyhedron with interior.
    general : bool, optional
        Also the components in which several neurons share a bend, or cancel.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    ShallowFiber or ThreeLayerFiber
        Iteration gives the components that have members, each with ``dimension``, ``sample`` and
        ``description``; ``member(other)`` asks about another network.

    Notes
    -----
    For m bends there are 2^m components to look at; more than ``max_components`` are not listed.
    For two hidden layers the list is complete for generic bottlenecks, n_0 ≥ n_1 ≥ 2, and else a
    subset: ``is_complete`` and ``reason`` say which.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Sections 4.2, 5 and 6,
    repaired.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [1]], [[1, 1]]], [[1, -1], [0]])
    >>> found = er.fiber(net, "orthant")
    >>> [component.dimension for component in found], found.is_complete
    ([1, 1], True)
    >>> found.member(net).answer
    True
    """
    network = call.plain(network)
    n_hidden = len(network.layers) - 1
    if n_hidden == 1:
        return fiber_of(call, network, general=general)
    if n_hidden == 2:
        return _of_three(call, network, general=general)
    raise InputError(f"a network with {n_hidden} hidden layers, expected 1 or 2")
