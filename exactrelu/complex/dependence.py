"""Faces that lie in the zero sets of more neurons than their codimension (theory 2.2).

On the face of a point the neurons with a positive preactivation pass it on and the
others pass 0.  So the preactivations of the neurons that are 0 there are affine
functions on all of space, and the face is open in the set of their common zeros:
its codimension is the rank of their gradients.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Any

from exactrelu.exact.linear import nullspace
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, primitive, to_texts
from exactrelu.network.evaluate import Pattern, preactivation_maps, trace
from exactrelu.network.network import Network


@dataclass(frozen=True)
class OverfullFace:
    """A face with more zeros than its codimension, and why.

    ``coefficients`` has an integer for each neuron that is 0 on the face, in order, not
    all 0: Σ c_u·s_u·∇z_u = 0, where s_u is the product of the common denominators of
    the layers up to that of u.
    """

    signs: Pattern
    point: Vector
    dimension: int
    coefficients: tuple[int, ...]

    @property
    def zeros(self) -> tuple[tuple[int, int], ...]:
        """The neurons (layer, index), from 1, that are 0 on the face."""
        return tuple(
            (l, i)
            for l, layer in enumerate(self.signs, 1)
            for i, s in enumerate(layer, 1)
            if s == 0
        )

    def text(self) -> str:
        """Which neurons are 0 together, and where."""
        neurons = ", ".join(f"({l},{i})" for l, i in self.zeros)
        what = f"neurons {neurons} are" if len(self.zeros) > 1 else f"neuron {neurons} is"
        place = ", ".join(to_texts(self.point))
        return f"{what} 0 on a face of dimension {self.dimension}, at ({place})"

    def fields(self) -> dict[str, Any]:
        """The failure as ``--json`` writes it; layers and neurons from 1."""
        return {
            "condition": "supertransversal",
            "neurons": [list(neuron) for neuron in self.zeros],
            "dimension": self.dimension,
            "point": to_texts(self.point),
            "dependency": [str(c) for c in self.coefficients],
        }


def overfull_face(network: Network, point: Vector) -> OverfullFace | None:
    """The face of a point if it has more zeros than its codimension."""
    signs = trace(network, point).pattern
    scales = accumulate((layer.affine.integer_form[1] for layer in network.layers), mul)
    gradients = [
        tuple(scale * a for a in row[:-1])
        for layer, maps, scale in zip(
            signs, preactivation_maps(network, signs), scales, strict=False
        )
        for s, row in zip(layer, maps.rows(), strict=True)
        if s == 0
    ]
    kernel = nullspace(Matrix(gradients, network.n_inputs).T) if gradients else ()
    if not kernel:
        return None
    dimension = network.n_inputs - len(gradients) + len(kernel)
    coefficients = tuple(int(c) for c in primitive(kernel[0]))
    return OverfullFace(signs, point, dimension, coefficients)
