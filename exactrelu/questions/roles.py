"""Roles of hidden neurons on a domain, decided exactly by the activation regions.

On a region a preactivation has one sign, and regions are dense in the domain.  So a
neuron is dead iff it is active on no region, linear iff it is inactive on no region and
active on some, nonlinear iff both occur.
"""

from __future__ import annotations

from exactrelu.network.network import Network
from exactrelu.network.roles import Role
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.regions import regions


def exact_roles(
    network: Network,
    domain: DomainLike = None,
    *,
    max_regions: int | None = None,
    timeout: float | None = None,
) -> tuple[tuple[Role, ...], ...]:
    """The role of every hidden neuron on a domain; undecided over a limit.

    s(x) + s(1 − x) − 1 is nowhere negative, which bounds alone do not show:

    >>> net = Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[0, 1], [-1], [0]])
    >>> exact_roles(net)[1]
    (<Role.LINEAR: 'linear'>,)
    """
    found = regions(network, domain, max_regions=max_regions, timeout=timeout, certify=False)
    if not found.is_complete:
        return tuple((Role.UNDECIDED,) * n for n in network.hidden_widths)
    return tuple(
        tuple(_role({r.pattern[l][i] for r in found.regions}) for i in range(n))
        for l, n in enumerate(network.hidden_widths)
    )


def _role(signs: set[int]) -> Role:
    if 1 not in signs:
        return Role.DEAD
    return Role.NONLINEAR if -1 in signs else Role.LINEAR
