"""The fold-set of a network on a domain: the points at which it is not differentiable.

Statement. In the open polyhedron D the fold-set of the network N is the union of the closures of
exactly ``facets`` facets of its complex, which lie in ``hyperplanes`` hyperplanes. Of the faces
in the zero sets of hidden units, of all dimensions, ``hidden`` do not lie in the fold-set.

Evidence. A face tree. The checker computes the jump of the gradient across every facet.
"""

from functools import partial

from ..affine import zero_rows
from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..domain import domain_text, read_domain
from ..face_tree import Face, FaceTree
from ..facets import facet
from ..network import Network, read_network
from ..reader import Certificate
from ..shallow_form import Row, oriented
from ..stars import Stars
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import read_index
from ..verdicts import Reason, Refused

_COUNTS = ("facets", "hidden", "hyperplanes")


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_domain(claim["domain"], network, budget)
    facets, hidden, hyperplanes = counts = [read_index(claim[name]) for name in _COUNTS]
    return Claim(
        f"in {domain_text(domain)} the fold-set of the network N of widths "
        f"{widths_text(network.widths())} has {facets} facets in {hyperplanes} hyperplanes; "
        f"{hidden} faces in the zero sets of hidden units are not in it",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, domain, counts),
        (network,),
    )


def _check(
    network: Network, domain: System, counts: list[int], certificate: Certificate, budget: Budget
) -> None:
    faces = list(FaceTree(network, domain, budget).faces(certificate))
    stars = Stars[Face](budget)
    planes: set[Row] = set()
    facets = 0
    for face in faces:
        if face.dimension == domain.dim - 1 and facet(network, face.signs, budget).is_visible():
            facets += 1
            stars.add(face.signs, face)
            row = next(row for _, row in zero_rows(network, face.signs, budget) if any(row[:-1]))
            planes.add(oriented(row, budget)[2])
    hidden = 0
    for face in faces:
        signs = "".join(face.signs)
        if "0" in signs and not stars.around(signs):
            hidden += 1
    if [facets, hidden, len(planes)] != counts:
        raise Refused(Reason.FOLD_COUNT, "the fold-set has other numbers")


RULE = Rule(frozenset({"domain", "network", *_COUNTS}), _read)
