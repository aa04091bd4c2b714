"""Injectivity of a network, layer by layer.

Statement. The network N is one-to-one on the polyhedron D.

Evidence. For each layer the records that prove it one-to-one, as for ``layer-injective``: for the
first layer on D, for the others on the orthant, which has everything that hidden layers pass on.
Sound because maps that are one-to-one on what they get make a map that is one-to-one.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..closed_tree import orthant
from ..describe import widths_text
from ..domain import polyhedron_text, read_polyhedron
from ..network import Network, read_network
from ..reader import Certificate
from ..spanning import check_layer
from ..statement import Claim, Rule, subject
from ..system import System


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_polyhedron(claim["domain"], network, budget)
    return Claim(
        f"the network N of widths {widths_text(network.widths())} is one-to-one "
        f"on {polyhedron_text(domain)}, as its layers are",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, domain),
        (network,),
    )


def _check(network: Network, domain: System, certificate: Certificate, budget: Budget) -> None:
    *hidden, last = network.layers
    for layer in hidden:
        check_layer(layer.rows, domain, certificate, budget)
        domain = orthant(len(layer.rows), budget)
    check_layer(last.rows, domain, certificate, budget, [row[:-1] for row in last.rows])


RULE = Rule(frozenset({"domain", "network"}), _read)
