"""Injectivity of layers (theory 6)."""

from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.directed_spanning import is_directed_spanning_set, spark
from exactrelu.questions.injectivity.injective import is_injective
from exactrelu.questions.injectivity.layer import LayerProof, LayerUndecided, layer_injective
from exactrelu.questions.injectivity.shortcuts import shortcuts
from exactrelu.questions.injectivity.stability import stability

__all__ = [
    "Collision",
    "LayerProof",
    "LayerUndecided",
    "is_directed_spanning_set",
    "is_injective",
    "layer_injective",
    "shortcuts",
    "spark",
    "stability",
]
