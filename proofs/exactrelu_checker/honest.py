"""Honesty: where bent hyperplanes of several layers meet, the breakpoint complex bends.

A *ridge* is a face of codimension 2; it belongs to the breakpoint complex if it lies in the closure
of a visible facet (see ``facets``). It is *non-bending* if every visible facet around it (with the
ridge in its closure) is continued by another one around it, in the same hyperplane and with the
same jump. It lies in the bent hyperplane of a neuron if that bends on a facet around it.

*Honest.* On relint D every non-bending ridge of the breakpoint complex lies in bent hyperplanes of
one layer only. ``faces``: a tree of faces. Facets around a ridge are found by their signs (see
``stars``). The rows of a jump are multiples of the normal, as the network is continuous: facets
around one ridge with the same jump, which is not 0, lie in one hyperplane.

``part``, the negation: ``part a… b a… b…``, rows that cut the part of D where they are > 0; then a
tree of faces on this part, with a dishonest ridge. The part P is open in the affine hull, so its
faces are the nonempty sets F ∩ P for faces F on D, with the same signs and dimensions. A facet with
the ridge R in its closure meets P, as a point of R is in P. Jumps and bent layers depend on the
signs only: R is dishonest on D too.
"""

from .faces import FaceTree, Signs, about_faces
from .facets import Facet, facet
from .file import Proof, need
from .objects import Network, System
from .stars import Stars, part_of

honest = about_faces(
    "every non-bending ridge of the breakpoint complex of {network} on the relative interior of "
    "{domain} lies in bent hyperplanes of one layer only",
    "some non-bending ridge of the breakpoint complex of {network} on the relative interior of "
    "{domain} lies in bent hyperplanes of several layers",
)


def honest_by_faces(proof: Proof, network: Network, domain: System) -> None:
    """No ridge of a tree of faces is dishonest."""
    found = _has_dishonest_ridge(proof, network, domain)
    need(not found, "ridge-dishonest", "a non-bending ridge of several layers")


def honest_by_part(proof: Proof, network: Network, domain: System) -> None:
    """Some ridge of a part is dishonest."""
    part = part_of(domain, proof.record("part")[1])
    found = _has_dishonest_ridge(proof, network, part)
    need(found, "no-dishonest-ridge", "every ridge of the part is honest")


def _has_dishonest_ridge(proof: Proof, network: Network, domain: System) -> bool:
    """Read a tree of faces, and tell whether it has a dishonest ridge."""
    tree = FaceTree(proof, [network], domain)
    facets: dict[Signs, Facet] = {}
    ridges = []
    for codimension, signs in tree.faces():
        if codimension == 1:
            facets[signs] = facet(tree, [network], signs)
        if codimension == 2:
            ridges.append(signs)
    stars = Stars(proof, facets)
    return any(_is_dishonest(proof, stars.around(signs)) for signs in ridges)


def _is_dishonest(proof: Proof, around: list[Facet]) -> bool:
    jumps = [found.jump for found in around if found.is_visible]
    proof.spend(len(jumps) ** 2 * sum(map(len, jumps[0] if jumps else ())))
    layers = frozenset[int]().union(*(found.layers for found in around))
    return bool(jumps) and len(layers) > 1 and all(jumps.count(jump) > 1 for jump in jumps)
