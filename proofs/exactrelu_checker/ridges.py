"""Ridges of the breakpoint complex of a network, and whether the network is honest about them.

A ridge is a face of codimension 2 in the closure of a visible facet. It is *non-bending* if every
visible facet around it is continued by another one: same hyperplane, same jump. It is *dishonest*
if it is non-bending and neurons of more than one layer bend on the facets around it.
"""

from .budget import Budget
from .face_tree import FaceTree
from .facets import Facet, facet
from .network import Network
from .reader import Certificate
from .stars import Stars
from .system import System


def has_dishonest_ridge(
    network: Network, domain: System, certificate: Certificate, budget: Budget
) -> bool:
    """Read a face tree, and tell whether it has a dishonest ridge."""
    facets = Stars[Facet](budget)
    ridges: list[tuple[str, ...]] = []
    for face in FaceTree(network, domain, budget).faces(certificate):
        if face.dimension == domain.dim - 1:
            facets.add(face.signs, facet(network, face.signs, budget))
        elif face.dimension == domain.dim - 2:
            ridges.append(face.signs)
    return any(_is_dishonest(facets.around(signs), budget) for signs in ridges)


def _is_dishonest(around: list[Facet], budget: Budget) -> bool:
    visible = [found for found in around if found.is_visible()]
    layers = {layer for found in around for layer in found.layers}
    return (
        bool(visible)
        and len(layers) > 1
        and all(
            any(one.continues(other, budget) for other in visible if other is not one)
            for one in visible
        )
    )
