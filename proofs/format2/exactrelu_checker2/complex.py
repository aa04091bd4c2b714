"""The numbers of faces of the canonical polyhedral complex of a network.

*Complex.* On relint D the network has exactly counts[k] faces of dimension k, k = 0, …, n (see
``faces``; if D is flat, there are none of more than its dimension).

``faces``: a tree of faces, whose leaves are all faces, each once. Linear units cut nothing.
"""

from . import claims
from .claims import kind
from .faces import FaceTree
from .file import Proof, form, need
from .objects import Network, System, read_index


@kind(
    "complex",
    "the complex of {network} on the relative interior of {domain} has {counts} faces of dimension "
    "0, 1, ...",
    network=claims.network,
    counts=claims.listed(read_index),
    domain=claims.domain,
)
def complex(network: Network, counts: list[int], domain: System) -> None:
    """A number for each dimension up to that of the inputs."""
    claims.fits(domain, network.widths[0])
    form(len(counts) == domain.dim + 1, "wrong-length", "a number for each dimension")


def complex_by_faces(proof: Proof, network: Network, counts: list[int], domain: System) -> None:
    """Count the leaves by dimension."""
    tree = FaceTree(proof, [network], domain)
    found = [0] * len(counts)
    for codimension, _ in tree.faces():
        found[tree.chart.dim - codimension] += 1
    need(found == counts, "face-count", f"the proof has {found} faces")
