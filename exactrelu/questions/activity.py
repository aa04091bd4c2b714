"""Which neurons of a network are active where on a domain, and what that decides.

**Roles** of hidden neurons.  On a region a preactivation has one sign, and regions are dense in
the domain.  So a neuron is dead iff it is active on no region, linear iff it is inactive on no
region and active on some, nonlinear iff both occur.

**Transparency** (Phuong & Lampert; theory 4).  A network is transparent on a domain Z if for every
z in Z and every hidden layer some unit has a preactivation ≥ 0.  Points where a whole layer is
negative form an open set, and Z lies in the closure of its relative interior: so it is enough to
look at the full-dimensional cells there, in the affine hull of Z.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from exactrelu.cells.tree import Active, Inner, Negative, transparent, tree
from exactrelu.certificates.certificate import Verdict, claim, point_record
from exactrelu.certificates.trees import TreeWriter
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import CARRIED, Network, plain
from exactrelu.network.roles import Role
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.regions import regions


def exact_roles(
    network: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> tuple[tuple[Role, ...], ...]:
    """Which hidden neurons are dead, linear or nonlinear on a domain, decided exactly.

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
    The regions are listed (see :func:`regions`).  Over a bound neurons of which both signs were
    seen are nonlinear, the others ``UNDECIDED``.  :func:`neuron_roles` is quicker and decides less.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[0, 1], [-1], [0]])
    >>> [role.value for role in er.layers.exact_roles(net)[1]]
    ['linear']
    """
    effort = Effort.of(limits)
    nothing = tuple(
        tuple(Role.CARRIED if is_linear else Role.UNDECIDED for is_linear in layer.passes)
        for layer in network.layers[:-1]
    )
    with effort.knowing(lambda _: nothing):
        found = regions(network, domain, certify=False, effort=effort)
    return tuple(
        tuple(
            Role.CARRIED
            if is_linear
            else _role({r.pattern[l][i] for r in found.regions}, found.is_complete)
            for i, is_linear in enumerate(layer.passes)
        )
        for l, layer in enumerate(network.layers[:-1])
    )


def _role(signs: set[int], is_complete: bool) -> Role:
    if any(s is CARRIED for s in signs):
        return Role.CARRIED
    if signs >= {-1, 1}:
        return Role.NONLINEAR
    if not is_complete:
        return Role.UNDECIDED
    return Role.LINEAR if 1 in signs else Role.DEAD


@dataclass(frozen=True)
class NegativeLayer(Outward):
    """A point of the domain at which all units of a hidden layer (from 1) are negative."""

    layer: int
    point: Vector


def is_transparent(
    network: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> Verdict:
    """Whether at every point of the domain every hidden layer has a neuron with preactivation ≥ 0.

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
    Verdict
        The ``witness`` of a no has ``layer`` (from 1) and ``point``: the whole layer is negative
        there.

    Notes
    -----
    The cells of the domain are searched; ``max_regions`` bounds those on which every layer was
    found to have an active neuron.

    References
    ----------
    Phuong & Lampert, *Functional vs. parametric equivalence of ReLU networks*, transparent
    networks.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.is_transparent(er.load("example:transparent"), "box:-1..1").answer
    True
    >>> verdict = er.is_transparent(er.load("example:xor"))
    >>> verdict.answer, verdict.witness.layer, verdict.witness.point
    (False, 1, (-2, 0))
    """
    effort = Effort.of(limits)
    network = plain(network, "transparency")
    place = Domain.of(domain, network.n_inputs)
    subjects: dict[str, Any] = {"network": network, "domain": place}
    writer = TreeWriter(network, place)
    records: list[str] = []
    n_cells = 0
    nodes: Iterator[Inner | Active | Negative] = tree(
        place.restricted(network), place.inside, transparent, effort=effort
    )

    def known(stopped: Stopped) -> Verdict:
        return Verdict.undecided(stopped, f"{n_cells:,} cells so far, all of them active")

    with effort.knowing(known):
        try:
            for node in nodes:
                if isinstance(node, Negative):
                    at = NegativeLayer(node.layer, place.flint_lift(node.point))
                    point = point_record("point", at.point)
                    no = claim("transparent", "point", [point], holds=False, **subjects)
                    reason = f"all units of layer {at.layer} are negative at a point"
                    return Verdict(False, reason, at, no)
                if isinstance(node, Active):
                    effort.spend("regions")
                    n_cells += 1
                records += writer.records(node)
        except Stopped as stopped:
            return known(stopped)
    reason = f"every layer has an active unit on each of {n_cells:,} cells that cover the domain"
    yes = claim("transparent", "cells", records, holds=True, **subjects)
    return Verdict(True, reason, certificate=yes)
