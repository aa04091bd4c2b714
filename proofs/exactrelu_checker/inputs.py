"""What a layer takes in: a domain, or what the layer before it can pass on."""

from collections.abc import Sequence

from .file import Proof
from .objects import Layer, System, coordinates


def taken_in(proof: Proof, layers: Sequence[Layer], k: int, domain: System) -> System:
    """Return what layer k, from 0, can take in, in normal form: >= 0 from neurons."""
    if k == 0:
        return domain
    linear, n = layers[k - 1].linear, len(layers[k - 1].rows)
    axes = [row for i, row in enumerate(coordinates(proof, n)) if i not in linear]
    return System(n, ("ge",) * len(axes), tuple(reversed(axes)))
