"""Ridges of the breakpoint complex of a network, and whether the network is honest about them.

A ridge is a face of codimension 2 in the closure of a visible facet. It is *non-bending* if every
visible facet around it is continued by another one: same hyperplane, same jump. The rows of a jump
are multiples of the normal, so that facets around one ridge with the same jump, which is not 0, are
in one hyperplane. A ridge is *dishonest* if it is non-bending and neurons of more than one layer
bend on the facets around it.
"""

from collections import defaultdict

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
    faces: dict[int, list[tuple[str, ...]]] = defaultdict(list)
    for face in FaceTree(network, domain, budget).faces(certificate):
        faces[face.dimension].append(face.signs)
    facets = Stars[Facet](budget)
    for signs in faces[domain.dim - 1]:
        facets.add(signs, facet(network, signs, budget))
    return any(_is_dishonest(facets.around(signs), budget) for signs in faces[domain.dim - 2])


def _is_dishonest(around: list[Facet], budget: Budget) -> bool:
    jumps = [found.jump for found in around if found.is_visible()]
    budget.spend(len(jumps) * len(jumps))
    layers = {layer for found in around for layer in found.layers}
    return bool(jumps) and len(layers) > 1 and all(jumps.count(jump) > 1 for jump in jumps)
