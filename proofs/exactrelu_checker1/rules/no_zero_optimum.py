"""Zero is no local optimum of a preactivation.

Statement. On the open polyhedron D, no hidden preactivation of the network N has a local minimum or
maximum (strict or not) with the value 0.

Evidence. A face tree. Where a neuron is 0 on a face, among the faces with this one in their closure
there must be one where it is negative and one where it is positive.
"""

from collections.abc import Iterable

from ..budget import Budget
from ..domain import domain_rule
from ..face_tree import Face, FaceTree
from ..network import Network
from ..reader import Certificate
from ..stars import Stars
from ..system import System
from ..verdicts import Reason, Refused


def check_no_zero_optimum(
    network: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    """Check that no preactivation has a local optimum 0."""
    without_zero_optimum(FaceTree(network, domain, budget).faces(certificate), budget)


def without_zero_optimum(found: Iterable[Face], budget: Budget) -> list[Face]:
    """Return faces; refuse if a neuron is 0 on one, and not of both signs on those around it."""
    faces = list(found)
    stars = Stars[str](budget)
    for face in faces:
        stars.add(face.signs, "".join(face.signs))
    for face in faces:
        signs = "".join(face.signs)
        around = stars.around(signs)
        budget.spend(len(around) * len(signs))
        for number, beside in enumerate(zip(*around, strict=True)):
            if signs[number] == "0" and len(set(beside)) < 3:
                raise Refused(Reason.ZERO_OPTIMUM, f"neuron {number} has a local optimum 0")
    return faces


RULE = domain_rule("has no preactivation with the local optimum 0", check_no_zero_optimum)
