"""Injectivity of layers (theory 6)."""

from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.injective import is_injective
from exactrelu.questions.injectivity.layer import LayerProof, LayerUndecided, layer_injective

__all__ = ["Collision", "LayerProof", "LayerUndecided", "is_injective", "layer_injective"]
