"""The fiber of a network with one hidden layer on a polyhedron with interior (theory 1).

All parameters of the same widths with the same function, up to permutations and positive
scaling of the neurons: the finite union of strata
(:mod:`~exactrelu.questions.fibers.strata`).  If no two neurons of the given network share a
hyperplane and none cancels, only simple strata are listed unless all are asked for: the M_S of
theory 1.4, one for each orientation S of the bends (and, where fewer linear neurons suffice, each
number of dead ones).  They contain every generic member, and all members if there is just one
neuron for each bend; ``listed`` says which it is.

A network is a member iff it has the same widths and the same function; the latter is decided by
the canonical forms of theory 1.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, Unpack

from exactrelu.bounded import bounded_method
from exactrelu.certificates.certificate import Certificate, Verdict, claim
from exactrelu.certificates.moves import (
    SideRecords,
    network_records,
    not_pointed_records,
    rank_too_large_records,
)
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import InputError, Unanswered, shortened
from exactrelu.network.network import Network, PlainNetwork, plain
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.equivalence.canonical_forms import shallow_equal
from exactrelu.questions.fibers.answers import SHALLOW
from exactrelu.questions.fibers.component import Component
from exactrelu.questions.fibers.equations import equations_certificate
from exactrelu.questions.fibers.fiber import (
    Fiber,
    FiberMembership,
    MemberPath,
    Minimality,
    member_verdict,
)
from exactrelu.questions.fibers.members import no_member_records
from exactrelu.questions.fibers.minimal import (
    MAX_BENDS,
    OrientationSearch,
    constant_network,
    least_rank,
    minimality_proof,
    smaller_member,
)
from exactrelu.questions.fibers.parts import MAX_COMPONENTS, Parts, find_parts, joined_by_path
from exactrelu.questions.fibers.strata import Stratum, Target, all_strata, stratum_of, target_of
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words, count


@dataclass(frozen=True, repr=False)
class ShallowFiber(Fiber):
    """The components of the fiber of one hidden layer; all of them if ``is_complete``.

    ``len``, iteration and indexing are those of the components that have members.

    Attributes
    ----------
    components : tuple of Component
        All that were looked at; ``empty`` are those without members.
    dimension : int or None
        The largest dimension of a component.
    own : Component
        The component of the given network.
    is_minimal : bool or None
        Whether no narrower hidden layer gives this function.
    is_complete : bool
        Whether the components are all.
    certificate : Certificate or None
        The proof of the list.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [1]], [[1, 1]]], [[1, -1], [0]])
    >>> found = er.fiber(net, "orthant")
    >>> len(found), found.dimension, found.is_minimal
    (2, 1, True)
    >>> er.is_equivalent(found[1].sample, net, "orthant").answer
    True
    """

    PARTS = SHALLOW

    network: Network
    domain: Domain
    target: Target
    components: tuple[Component, ...]
    is_complete: bool
    #: Whether only simple strata are listed.
    is_simple: bool
    #: Why the components are not all, if they are not.
    stopped: str = ""

    @cached_property
    def own(self) -> Component:
        """The component of the given network."""
        return Component(self.target, stratum_of(self.target, self.network))

    @property
    def reason(self) -> str:
        """Why the components are not all, if they are not."""
        return self.stopped

    def sentence(self, words: Words = PEOPLE) -> str:
        """Where it bends, how many components have members, and whether it is minimal."""
        bends = count(len(self.target.bends), "hyperplane")
        bending = f"the network bends at {bends}{words.where}"
        if self.stopped:
            return self.so_far(bending)
        kinds = count(len(self.components), "orientation" if self.is_simple else "component")
        reason = f"{bending}; {len(self.nonempty):,} of {kinds} have members"
        reason += {True: "; it is minimal", False: "; it is not minimal", None: ""}[self.is_minimal]
        listed = f"; listed are the {self.listed}, all with --general"
        return reason + (listed if self.leaves_out else "")

    @property
    def proves_complete(self) -> bool:
        """Whether the certificate proves that these are all; it is of those that are listed."""
        return False

    @property
    def _has_proof(self) -> bool:
        return self.is_complete

    @property
    def place(self) -> Domain:
        """Where the function is that of the network."""
        return self.domain

    def component(self, name: str | Sequence[str]) -> Component:
        """The component of a name (:attr:`Stratum.name`), or of signs on each bend.

        In the component of some signs the other neurons are linear; it need not be listed.
        """
        wanted = Stratum.name_of(name)
        for component in self.components:
            if component.name == wanted:
                return component
        if self.is_complete:
            expected = f"expected signs on {len(self.target.bends)} bends, as in {self.own.name}"
            raise InputError(f"no component {shortened(wanted)}, {expected}")
        bends = tuple(wanted.split(","))
        if len(bends) == len(self.target.bends) and set(bends) <= {"+", "-"}:
            return Component(self.target, Stratum(bends, self.target.n_spare))
        if wanted == self.own.name:
            return self.own
        raise Unanswered(f"{self.stopped}: whether {wanted!r:.60} is a component is not known")

    @property
    def leaves_out(self) -> bool:
        """Whether some strata are not listed, as a spare neuron may join a bend or cancel."""
        return self.is_simple and self.target.n_spare > 0

    @property
    def listed(self) -> str:
        """Which members lie in the components."""
        if self.leaves_out:
            return "members with one neuron on each bend and none that cancel"
        return "all members"

    @bounded_method
    def member(
        self, effort: Effort, /, other: Network, **limits: Unpack[Limits]
    ) -> FiberMembership:
        """Whether a network of the same widths computes the function; and where it lies."""
        other = plain(other, "membership in a fiber")
        effort.spend()
        equal = shallow_equal(self.network, other, self.domain)
        verdict = member_verdict(self.network, other, equal)
        if not verdict.answer:
            return FiberMembership.of(verdict)
        component = Component(self.target, stratum_of(self.target, other))
        return FiberMembership.of(verdict, component=component)

    @bounded_method
    def parts(self, effort: Effort, /, **limits: Unpack[Limits]) -> Parts:
        """The sides that neurons of members have, in parts between which there is no path."""
        return find_parts(self.target, self.network, effort)

    @bounded_method
    def path(self, effort: Effort, /, other: Network, **limits: Unpack[Limits]) -> MemberPath:
        """Whether a path of members leads to another one; its corners are the witness.

        The last one is the other network up to the order and positive scaling of its neurons.
        """
        member = self.member(other, effort=effort)
        if not member.answer:
            return MemberPath.of(member)
        try:
            found = find_parts(self.target, self.network, effort)
            joined = joined_by_path(self.target, self.network, plain(other, ""), found, effort)
        except Stopped as stopped:
            return MemberPath.undecided(stopped)
        return MemberPath.of(joined)

    @cached_property
    def smaller(self) -> Network | None:
        """A network with fewer hidden neurons and the same function, if one was found.

        For a constant function that is one without hidden layer.
        """
        return constant_network(self.target) if self.target.is_constant else self._narrower

    @cached_property
    def _narrower(self) -> Network | None:
        """The same, with at least one hidden neuron."""
        return self._find_narrower(UNLIMITED)

    def _find_narrower(self, effort: Effort) -> Network | None:
        with_dead = (c for c in self.components if c.stratum.n_dead and c.is_nonempty)
        strata = (Stratum(c.signs, c.stratum.n_linear) for c in with_dead if self.is_simple)
        live = (stratum for stratum in strata if stratum.n_neurons)
        least = min(live, key=attrgetter("n_neurons"), default=None)
        if least is not None:
            return Component(self.target, least).sample
        if len(self.target.bends) > MAX_BENDS:
            return None
        return smaller_member(self.target, effort)

    @property
    def is_minimal(self) -> bool | None:
        """Whether no narrower hidden layer, or none at all for a constant, gives this function.

        None if unknown.
        """
        return False if self.target.is_constant else self._is_narrowest

    @cached_property
    def _is_narrowest(self) -> bool | None:
        return self._has_rank_of_all(UNLIMITED) or self._by_search(self._narrower)

    def _has_rank_of_all(self, effort: Effort) -> bool:
        """Whether there are no more linear neurons than every orientation needs."""
        n_spare = self.target.n_spare
        return n_spare == 0 or (
            self.is_complete and n_spare <= least_rank(self.target, n_spare, effort)
        )

    def _by_search(self, narrower: Network | None) -> bool | None:
        """What the search for a narrower network says about being narrowest."""
        if narrower is not None:
            return False
        return None if len(self.target.bends) > MAX_BENDS else True

    @cached_property
    def minimality(self) -> Minimality:
        """Whether no narrower hidden layer gives this function, with proof."""
        return self.minimal()

    @bounded_method
    def minimal(self, effort: Effort, /, **limits: Unpack[Limits]) -> Minimality:
        """The same within limits.

        A constant function needs no neuron.  Its proof is that of the equality with the constant,
        as a network without hidden layer.
        """
        if not self.target.is_constant:
            return Minimality.of(self._narrowness(effort))
        smaller = constant_network(self.target)
        reason = "the function is constant: no hidden neuron is needed"
        return Minimality(False, reason, smaller, self._equality(smaller))

    @cached_property
    def narrowness(self) -> Verdict:
        """Whether no hidden layer of fewer neurons, but at least one, will do, with proof."""
        return self._narrowness(UNLIMITED)

    def _narrowness(self, effort: Effort) -> Verdict:
        smaller = None
        reasons: tuple[str, list[str]] | None = None
        try:
            is_narrowest: bool | None = self._has_rank_of_all(effort)
            if not is_narrowest:
                smaller = self._find_narrower(effort)
                is_narrowest = self._by_search(smaller)
            if is_narrowest:
                reasons = minimality_proof(self.target, effort)
        except Stopped as stopped:
            return Verdict.undecided(stopped)
        if smaller is not None:
            records = [*network_records(smaller), *self._equality(smaller).evidence]
            proof = claim("minimal", "smaller", records, holds=False, **self._subjects)
            n = smaller.hidden_widths[0]
            enough = "1 hidden neuron suffices" if n == 1 else f"{n} hidden neurons suffice"
            return Verdict(False, enough, smaller, proof)
        if reasons is None:
            return Verdict(None, "too many orientations to try")
        method, records = reasons
        sides = SideRecords(self.target.sides).of(self.network)
        certificate = claim("minimal", method, [*sides, *records], holds=True, **self._subjects)
        reason = "no network with one hidden layer of fewer neurons has this function"
        if not self.target.bends:
            reason += ", though it is affine and needs no hidden layer"
        return Verdict(True, reason, None, certificate)

    def _equality(self, smaller: Network) -> Certificate:
        equal = shallow_equal(self.network, smaller, self.domain)
        if not isinstance(equal.certificate, Certificate) or not equal.answer:
            raise ArithmeticError("a smaller member with another function: a bug")
        return equal.certificate

    @property
    def case(self) -> int | None:
        """The case of theory 1.6, if the numbers of neurons are those of one of them."""
        own = self.own.stratum
        n0, n2 = self.target.n_inputs, self.target.n_outputs
        k = own.n_linear
        is_known = self.target.on_orthant or (self.target.is_everywhere and k == 0)
        if not own.is_simple or own.n_dead or not is_known:
            return None
        if k < min(n0, n2):
            return 1
        if k == n0:
            return 2 if n0 <= n2 else 4 if k == n2 + 1 else None
        return {n2: 3, n2 + 1: 4}.get(k)

    @cached_property
    def certificate(self) -> Certificate | None:
        """Of all components that are listed; None if they are not all."""
        if not self.is_complete:
            return None
        sides = SideRecords(self.target.sides)
        records = [*sides.of(self.network)]
        strata, members = listed_strata(self.components, sides)
        return claim("fiber-strata", "members", [*records, *members], **self._subjects, **strata)

    def equations(self, component: Component) -> Certificate | None:
        """That a component is given by its equations and inequalities; None if it is empty."""
        return equations_certificate(self.network, component)

    @property
    def _subjects(self) -> dict[str, Any]:
        return {"network": self.network, "domain": self.domain}


def listed_strata(
    components: Iterable[Component], sides: SideRecords | None = None
) -> tuple[dict[str, Any], list[str]]:
    """What a claim says of strata, ``nonempty`` and ``empty``, and the records that prove it.

    ``sides`` knows the rows whose sides on the domain stand before.
    """
    nonempty: list[dict[str, Any]] = []
    empty: list[dict[str, Any]] = []
    members: list[str] = []
    reasons: list[str] = []
    for component in components:
        member = component.sample if component.is_nonempty else None
        if member is not None:
            nonempty.append(component.stratum.subject)
            members += [*network_records(member), *(sides.of(member) if sides else ())]
        else:
            empty.append(component.stratum.subject)
            reasons += _no_member(component)
    return {"nonempty": nonempty, "empty": empty}, [*members, *reasons]


def _no_member(component: Component) -> list[str]:
    """Why a stratum has no member: what the search over orientations found, if that was made."""
    target, stratum, found = component.target, component.stratum, component.orientation
    if found is not None and found.minor is not None:
        if found.dependency is None:
            return rank_too_large_records(None, found.minor)
        return not_pointed_records(None, found.minor, found.dependency, None)
    k = 0 if target.is_everywhere else stratum.n_linear
    t = sum("-" in signs for signs in stratum.cancelling)
    records = no_member_records(target, stratum.bends, k, t)
    if records is None:
        raise ArithmeticError("a stratum without member and without proof: a bug")
    return records


@question(plain="the fiber")
def shallow_fiber(
    call: Call[ShallowFiber],
    network: Network,
    domain: DomainLike = None,
    *,
    general: bool = False,
    **limits: Unpack[Limits],
) -> ShallowFiber:
    """The components of the fiber; with ``general`` also those that are not simple.

    Over a limit those that were found until then.  There are 2^m simple ones for m bends: if
    these are more than ``max_components`` (by default ``MAX_COMPONENTS``), none is listed.

    >>> net = Network.from_arrays([[[1, 1], [1, "-1/2"]], [[1, 1]]], [[1, "1/4"], [0]])
    >>> found = shallow_fiber(net, "orthant")
    >>> [(c.signs, c.is_nonempty, c.dimension) for c in found.components]
    [(('+',), True, 1), (('-',), True, 1)]
    """
    return fiber_of(call, call.plain(network), general=general)


def fiber_of(call: Call[ShallowFiber], network: PlainNetwork, *, general: bool) -> ShallowFiber:
    """The same, whoever was asked."""
    effort, place = call.effort.unless_given(components=MAX_COMPONENTS), call.place
    target = target_of(network, place)
    simple = stratum_of(target, network).is_simple and not general
    components: list[Component] = []

    def so_far(stopped: Stopped) -> ShallowFiber:
        listed = tuple(components)
        return ShallowFiber(network, place, target, listed, False, simple, str(stopped))

    call.knows(so_far)
    if simple:
        effort.expect("components", 1 << len(target.bends))
    for component in _simple(target, effort) if simple else _all(target):
        effort.spend("components")
        if effort.seconds_left() is not None:
            # Else whether a stratum has members is decided when it is asked.
            component.decide(effort)
        components.append(component)
    return ShallowFiber(network, place, target, tuple(components), True, simple)


def _simple(target: Target, effort: Effort) -> Iterator[Component]:
    """One for each orientation, and those with dead neurons that have members."""
    k = target.n_spare
    for orientation in OrientationSearch(target, k, effort):
        least = orientation.least
        n_kinds = max(k - least, 0) if orientation.minor is None else 0
        for n_dead in range(n_kinds + 1):
            yield Component(target, Stratum(orientation.signs, k - n_dead, n_dead), orientation)


def _all(target: Target) -> Iterator[Component]:
    return (Component(target, stratum) for stratum in all_strata(target))
