"""Fibers: all parameters with the function of a given network, by number of hidden layers."""

from __future__ import annotations

from typing import Any

from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.questions.fibers.shallow import ShallowFiber, shallow_fiber

__all__ = ["ShallowFiber", "fiber"]


def fiber(network: Network, domain: LinearSystem | None = None, **options: Any) -> ShallowFiber:
    """The fiber of a network on R^n or the orthant.

    >>> net = Network.from_arrays([[[1], [1]], [[1, 1]]], [[1, -1], [0]])
    >>> found = fiber(net, LinearSystem.orthant(1))
    >>> [component.dimension for component in found.nonempty]
    [1, 1]
    """
    n_hidden = len(network.layers) - 1
    if n_hidden == 1:
        return shallow_fiber(network, domain, **options)
    raise InputError(f"a network with {n_hidden} hidden layers, expected one")
