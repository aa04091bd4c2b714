"""Absence of cancelled facets of a network on a domain.

Statement. On the open polyhedron D, the complex of the network N has no cancelled facet: none
across which the Jacobian does not jump, although in every hidden layer after the first that bends
on it some neuron is positive on the facet.

Evidence. A face tree; the jump across each facet is computed from its signs.
"""

from ..budget import Budget
from ..domain import domain_rule
from ..face_tree import FaceTree
from ..facets import is_cancelled
from ..network import Network
from ..reader import Certificate
from ..system import System
from ..verdicts import Reason, Refused


def _check(network: Network, domain: System, certificate: Certificate, budget: Budget) -> None:
    for face in FaceTree(network, domain, budget).faces(certificate):
        if face.dimension == domain.dim - 1 and is_cancelled(network, face.signs, budget):
            raise Refused(Reason.FACET_CANCELLED, "a facet without a jump in an active network")


RULE = domain_rule("is cancellation-free", _check)
