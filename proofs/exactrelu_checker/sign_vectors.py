"""All sign vectors of a network on a domain: what proofs about its faces start from.

*Sign vectors.* A point of relint D has a sign, -, 0 or +, for each hidden neuron of N, layer by
layer, and then for each row (a, b) of ``planes``, that of a·x + b. ``faces`` lists exactly the sign
vectors that occur, each once, as [k, P, M]: bit i of P says that place i has +, bit i of M that it
has -, and the points with these signs, the face, have codimension k (in the affine hull of D).

``faces``: a tree of faces of N and of a second network, whose neurons are the rows of ``planes``
and to which nothing listens. Its leaves are all faces, each once (see ``faces``).
"""

from typing import Any

from . import claims
from .claims import kind
from .faces import FaceTree
from .file import Proof, form, need
from .numbers import Row
from .objects import Network, System, layer_of, read_list, read_row


@kind(
    "on the relative interior of {domain} the hidden neurons of {network} and then the rows "
    "{planes} have exactly the signs [codimension, places of +, places of -] {faces}",
    network=claims.plain_network,
    domain=claims.domain,
    planes=claims.listed(lambda value: read_row(value, len(read_list(value)))),
    faces=claims.listed(lambda value: read_row(value, 3)),
).fitting
def sign_vectors(network: Network, domain: System, planes: Any, faces: Any) -> None:
    """A domain and rows in the space of the inputs."""
    claims.fits(domain, network.widths[0])
    ok = all(len(row) == domain.dim + 1 for row in planes)
    form(ok, "dimensions-differ", "rows in the space of the inputs")


def sign_vectors_by_faces(
    proof: Proof, network: Network, domain: System, planes: list[Row], faces: list[Row]
) -> None:
    """The leaves of a tree are what is listed."""
    networks, left = [network], set(faces)
    if planes:
        networks.append(Network((layer_of(1, planes), layer_of(1, [(0,) * (len(planes) + 1)]))))
    for codimension, layers in FaceTree(proof, networks, domain).faces():
        signs = [sign for layer in layers for sign in layer]
        proof.spend(len(signs))
        plus, minus = (sum(1 << i for i, s in enumerate(signs) if s == side) for side in (1, -1))
        ok = (codimension, plus, minus) in left
        need(ok, "face-not-listed", "a face of the tree is not listed")
        left.remove((codimension, plus, minus))
    ok = not left and len(set(faces)) == len(faces)
    need(ok, "face-not-there", "what is listed is no face, or is listed twice")
