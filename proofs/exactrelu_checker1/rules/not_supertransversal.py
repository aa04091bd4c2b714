"""Failure of supertransversality of a network on a domain.

Statement. On the open polyhedron D, some face of the complex of the network N lies in the zero sets
of more hidden neurons than its codimension.

Evidence. ``overfull``: a point of D, and coefficients, not all 0, for the neurons that are 0 there,
such that the gradients of their preactivations on the face of the point add up to 0. The
codimension of the face is the rank of these gradients, which is then smaller than their number.
"""

from ..affine import zero_rows
from ..budget import Budget
from ..domain import domain_rule
from ..integers import dot
from ..network import Network
from ..reader import Certificate
from ..system import System
from ..values import read_rational_vector, read_vector
from ..verdicts import Reason, Refused

_FIELDS = frozenset({"coefficients", "point"})


def _check(network: Network, domain: System, certificate: Certificate, budget: Budget) -> None:
    record = certificate.record("overfull", _FIELDS)
    point = read_rational_vector(record["point"], domain.dim, budget)
    domain.require_point(point, budget)
    signs = network.evaluate(point, budget)[1]
    normals = [row[:-1] for _, row in zero_rows(network, signs, budget)]
    coefficients = read_vector(record["coefficients"], len(normals), budget)
    if not any(coefficients):
        raise Refused(Reason.VECTOR_ZERO, "all coefficients are 0")
    if any(dot(coefficients, column, budget) for column in zip(*normals, strict=True)):
        raise Refused(Reason.COMBINATION_NOT_ZERO, "the combination of the gradients is not 0")


RULE = domain_rule("is not supertransversal", _check)
