"""Roles of hidden neurons on a domain: which are dead, linear, nonlinear.

Let z be the preactivation of a hidden neuron, and D a domain.  The neuron is

    dead        if z ≤ 0 at every point of D: it passes 0 on, and may be left out;
    linear      if z ≥ 0 at every point of D and z > 0 at one: it is a unit without a ReLU;
    nonlinear   if z takes both signs: it bends the function somewhere, or what follows hides it.

So each neuron has just one role; one that is 0 on all of D is dead.  z is continuous, and D lies in
the closure of its relative interior: closed, open and flat domains have the same roles as that.

Signs are found by the portfolio (:mod:`exactrelu.cells.portfolio`): bounds on the box of the
domain, then points that show both signs, then cells.  What is left after that is decided by all
cells of the network without what is settled, as far as the effort goes.

The certificate is the claim ``roles``: signs by bounds and by cells, points for what is nonlinear.
Where the work is stopped it says what is known by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from exactrelu.answer import Part
from exactrelu.cells.knowledge import Knowledge
from exactrelu.cells.portfolio import KnowledgeStage, by_all_cells, by_cells, known
from exactrelu.certificates.certificate import Certificate, Verdict
from exactrelu.certificates.opening import roles_claim
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.network.network import Network
from exactrelu.network.roles import Role
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.question import Call, question
from exactrelu.words import Words

#: A neuron: its layer and its number there, both from 1.
Neuron = tuple[int, int]


def _always(_: object) -> bool:
    """An empty list is proved as well: there are no others."""
    return True


def _named(name: str, word: str = "") -> Callable[[Any, Words], Iterator[str]]:
    """Says the names of the neurons with a role, where everything is listed."""

    def said(found: Roles, words: Words) -> Iterator[str]:
        neurons = getattr(found, name)
        if words.lists and neurons and found.network is not None:
            names = (found.network.neuron_name(*neuron) for neuron in neurons)
            yield f"{word or name}: {', '.join(names)}"

    return said


@dataclass(frozen=True, eq=False, repr=False)
class Roles(Verdict):
    """The roles of all hidden neurons: yes once they are known.

    Attributes
    ----------
    dead : tuple of pairs
        The neurons (layer, number), from 1, that are never positive.
    linear : tuple of pairs
        Those that are never negative, and positive somewhere.
    nonlinear : tuple of pairs
        Those with both signs.
    left : tuple of pairs
        Those of which nothing is known; none in a yes.
    table : tuple of tuples of Role
        For each hidden layer the role of each unit, ``CARRIED`` for a linear unit.
    """

    PARTS = (
        Part(
            "dead",
            "the neurons that are never positive, each as [layer, number]",
            proved=_always,
            said=_named("dead"),
        ),
        Part(
            "linear",
            "those that are never negative, and positive somewhere",
            proved=_always,
            said=_named("linear"),
        ),
        Part("nonlinear", "those with both signs", proved=_always, said=_named("nonlinear")),
        Part(
            "undecided",
            "those of which nothing is known; none in a yes",
            said=_named("left", "undecided"),
            of="left",
        ),
    )

    dead: tuple[Neuron, ...] = ()
    linear: tuple[Neuron, ...] = ()
    nonlinear: tuple[Neuron, ...] = ()
    left: tuple[Neuron, ...] = ()
    table: tuple[tuple[Role, ...], ...] = ()
    network: Network | None = None

    def opening(self, _question: str, words: Words) -> str:
        """How many neurons have each role, and in each layer."""
        layers = (f"layer {l}: {counted(layer)}" for l, layer in enumerate(self.table, 1))
        return "\n".join([f"{self.reason}{words.where}", *layers])


@question
def roles(
    call: Call[Roles], network: Network, domain: DomainLike = None, **limits: Unpack[Limits]
) -> Roles:
    """Which hidden neurons are dead, linear or nonlinear on a domain.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Roles
        ``dead``, ``linear``, ``nonlinear``, each a list of neurons (layer, number) from 1, and a
        ``table`` of roles.  A neuron that is 0 on all of the domain is dead.

    Notes
    -----
    Bounds decide most neurons of large networks on small boxes, in less than a second.  The others
    may take all cells of the network; ``max_regions`` bounds how many are listed.  Over a bound the
    verdict is undecided, with what is known.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [1], [1]], [[1, 1, 1]]], [[2, -2, 0], [0]])
    >>> found = er.roles(net, "box:-1..1")
    >>> found.linear, found.dead, found.nonlinear
    (((1, 1),), ((1, 2),), ((1, 3),))
    >>> found.reason
    '1 dead, 1 linear, 1 nonlinear'
    """
    search = _SignSearch(Knowledge(network, call.place), call.effort)
    call.knows(search.so_far)
    return search.result()


def exact_roles(
    network: Network, domain: DomainLike = None, **limits: Unpack[Limits]
) -> tuple[tuple[Role, ...], ...]:
    """Which hidden neurons are dead, linear or nonlinear on a domain, as a table.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    tuple of tuples of Role
        For each hidden layer the role of each neuron, ``CARRIED`` for a linear unit.

    Notes
    -----
    The table of :func:`roles`, which has a certificate too.  :func:`neuron_roles` is about all of
    space, quicker, and decides less.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[0, 1], [-1], [0]])
    >>> [role.value for role in er.layers.exact_roles(net)[1]]
    ['linear']
    """
    return roles(network, domain, **limits).table


def counted(found: tuple[Role, ...]) -> str:
    """How many neurons have each role.

    >>> counted((Role.DEAD, Role.LINEAR, Role.DEAD, Role.CARRIED))
    '2 dead, 1 linear, 0 nonlinear'
    """
    shown = [Role.DEAD, Role.LINEAR, Role.NONLINEAR]
    if Role.UNDECIDED in found:
        shown.append(Role.UNDECIDED)
    return ", ".join(f"{found.count(role):,} {role.value}" for role in shown)


class _SignSearch:
    """A search for the signs of all neurons, and what is known at any moment."""

    def __init__(self, found: Knowledge, effort: Effort) -> None:
        self.found, self.effort = found, effort

    def result(self) -> Roles:
        """The answer; raises :class:`Stopped` over a bound."""
        network, place = self.found.network, self.found.domain
        self.found = known(network, place, self.effort)
        most = self.effort.left("regions")
        if most is None:
            self.found = known(network, place, self.effort, KnowledgeStage.CELLS)
        else:
            self.found = by_cells(self.found, self.effort, most) or self.found
        self.found = by_all_cells(self.found, self.effort)
        return self._said(True, "", self.effort)

    def so_far(self, stopped: Stopped) -> Roles:
        """What is known if the work stops now: proofs that take no search."""
        return self._said(None, f"{stopped}: ", UNLIMITED)

    def _said(self, answer: bool | None, before: str, effort: Effort) -> Roles:
        table = role_table(self.found)
        units = {
            role: tuple(
                (l, i)
                for l, roles in enumerate(table, 1)
                for i, other in enumerate(roles, 1)
                if other is role
            )
            for role in Role
        }
        return Roles(
            answer,
            f"{before}{counted(tuple(role for roles in table for role in roles))}",
            None,
            self._certificate(effort),
            units[Role.DEAD],
            units[Role.LINEAR],
            units[Role.NONLINEAR],
            units[Role.UNDECIDED],
            table,
            self.found.network,
        )

    def _certificate(self, effort: Effort) -> Certificate | None:
        """The claim, where something is known."""
        is_empty = self.found.network.n_hidden_neurons and not (self.found or self.found.bent)
        return None if is_empty else roles_claim(self.found, effort)


def role_table(found: Knowledge) -> tuple[tuple[Role, ...], ...]:
    """The roles that are known, layer by layer."""
    return tuple(
        tuple(
            Role.CARRIED if is_linear else _role(found, (l, i))
            for i, is_linear in enumerate(layer.passes)
        )
        for l, layer in enumerate(found.network.layers[:-1])
    )


def _role(found: Knowledge, unit: tuple[int, int]) -> Role:
    signs: dict[Any, Role] = {1: Role.LINEAR, -1: Role.DEAD}
    other = Role.NONLINEAR if unit in found.bent else Role.UNDECIDED
    return signs.get(found.settled.get(unit), other)
