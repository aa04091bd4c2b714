"""Numbers of faces of the canonical polyhedral complex of a network on a domain.

Statement. On the open polyhedron D the hidden preactivations of the network N have exactly f_0 + …
+ f_n different sign vectors (-, 0 or + for each neuron); the set of points with one of them is a
relatively open polyhedron, a face, and f_k of them have dimension k.

Evidence. A face tree.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..domain import domain_text, read_domain
from ..face_tree import FaceTree
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import read_index, read_list
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_domain(claim["domain"], network, budget)
    counts = [read_index(count) for count in read_list(claim["f_vector"], domain.dim + 1)]
    return Claim(
        f"the complex of the network N of widths {widths_text(network.widths())} on "
        f"{domain_text(domain)} has the f-vector ({', '.join(map(str, counts))})",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, domain, counts),
        (network,),
    )


def _check(
    network: Network, domain: System, counts: list[int], certificate: Certificate, budget: Budget
) -> None:
    found = [0] * len(counts)
    for face in FaceTree(network, domain, budget).faces(certificate):
        found[face.dimension] += 1
    if found != counts:
        raise Refused(Reason.FACE_COUNT, "the tree has other numbers of faces")


RULE = Rule(frozenset({"domain", "f_vector", "network"}), _read)
