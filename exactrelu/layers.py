"""Layers: which are one-to-one, how to complete those that are not, what their neurons do."""

from exactrelu.api import (
    Convolution,
    ShallowForm,
    completion,
    convolution_injective,
    exact_roles,
    is_directed_spanning_set,
    layer_injective,
    load_convolution,
    minimal_layer,
    network_stability,
    neuron_groups,
    neuron_roles,
    pattern_polyhedron,
    shallow_equal,
)
from exactrelu.api import injectivity_shortcuts as shortcuts

__all__ = [  # noqa: RUF022 - as in the table of names
    "layer_injective",
    "shortcuts",
    "is_directed_spanning_set",
    "completion",
    "minimal_layer",
    "network_stability",
    "Convolution",
    "load_convolution",
    "convolution_injective",
    "exact_roles",
    "neuron_roles",
    "neuron_groups",
    "pattern_polyhedron",
    "ShallowForm",
    "shallow_equal",
]
