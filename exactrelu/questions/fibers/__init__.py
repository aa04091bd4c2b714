"""Fibers: all parameters with the function of a given network.

Each number of hidden layers has its own theory; ``BY_HIDDEN_LAYERS`` says where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from exactrelu.errors import InputError
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.fibers.shallow import ShallowFiber, shallow_fiber
from exactrelu.questions.fibers.three_layers import ThreeLayerFiber, three_layer_fiber

__all__ = ["BY_HIDDEN_LAYERS", "ShallowFiber", "ThreeLayerFiber", "fiber"]

BY_HIDDEN_LAYERS: Mapping[int, Callable[..., Any]] = MappingProxyType(
    {1: shallow_fiber, 2: three_layer_fiber}
)


def fiber(network: Network, domain: DomainLike = None, **options: Any) -> Any:
    """The fiber of a network on a domain: for one hidden layer a :class:`ShallowFiber`,
    for two a :class:`ThreeLayerFiber`.

    >>> net = Network.from_arrays([[[1], [1]], [[1, 1]]], [[1, -1], [0]])
    >>> found = fiber(net, "orthant")
    >>> [component.dimension for component in found.nonempty]
    [1, 1]
    """
    n_hidden = len(network.layers) - 1
    if n_hidden not in BY_HIDDEN_LAYERS:
        known = " or ".join(map(str, BY_HIDDEN_LAYERS))
        raise InputError(f"a network with {n_hidden} hidden layers, expected {known}")
    return BY_HIDDEN_LAYERS[n_hidden](network, domain, **options)
