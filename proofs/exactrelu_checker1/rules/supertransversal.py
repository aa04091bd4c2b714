"""Supertransversality of a network on a domain.

Statement. On the open polyhedron D, every face of codimension k of the complex of the network N
lies in the zero sets of exactly k hidden neurons.

Evidence. A face tree; the zeros of every face are counted.
"""

from ..budget import Budget
from ..domain import domain_rule
from ..face_tree import FaceTree
from ..network import Network
from ..reader import Certificate
from ..system import System
from ..verdicts import Reason, Refused


def check_supertransversal(
    network: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    """Check that no face has more zeros than its codimension."""
    for face in FaceTree(network, domain, budget).faces(certificate):
        zeros = "".join(face.signs).count("0")
        if zeros > domain.dim - face.dimension:
            raise Refused(
                Reason.FACE_OVERFULL,
                f"{zeros} neurons are 0 on a face of dimension {face.dimension}",
            )


RULE = domain_rule("is supertransversal", check_supertransversal)
