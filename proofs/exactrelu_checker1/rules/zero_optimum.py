"""Zero is a local optimum of a preactivation.

Statement. On the open polyhedron D, some hidden preactivation of the network N has a local minimum
or maximum (strict or not) with the value 0.

Evidence. ``optimum``: a neuron, and strict rows that cut an open part out of D; then a face tree of
N on this part, on whose faces the neuron is 0 somewhere, and not both negative and positive.
"""

from ..budget import Budget
from ..domain import domain_rule, read_part
from ..face_tree import FaceTree
from ..network import Network
from ..reader import Certificate
from ..system import System
from ..values import read_indices
from ..verdicts import Reason, Refused

_FIELDS = frozenset({"layer", "neuron", "rows"})


def _check(network: Network, domain: System, certificate: Certificate, budget: Budget) -> None:
    record = certificate.record("optimum", _FIELDS)
    (layer,) = read_indices([record["layer"]], len(network.layers) - 1)
    (neuron,) = read_indices([record["neuron"]], len(network.layers[layer].rows))
    part = read_part(record["rows"], domain, budget)
    faces = FaceTree(network, part, budget).faces(certificate)
    signs = {face.signs[layer][neuron] for face in faces}
    if signs not in ({"0"}, {"0", "+"}, {"0", "-"}):
        raise Refused(
            Reason.NOT_AN_OPTIMUM, "the neuron is not 0, or changes its sign, on the part"
        )


RULE = domain_rule("has a preactivation with the local optimum 0", _check)
