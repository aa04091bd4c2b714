"""Lower bound of the stability of a network on a polyhedron, layer by layer.

Statement. |N(x) - N(y)| >= r·|x - y| for all x, y in the polyhedron D.

Evidence. ``factors``: a bound for each layer, whose product is at least r. Then for each layer
the records that prove its bound, as for ``stability-at-least``: for the first layer on D, for the
others on the orthant. Sound because hidden layers pass on points of the orthant, so that each
layer keeps two points at least its bound times as far apart as they were.
"""

from functools import partial

from ..bound import read_bound
from ..budget import Budget
from ..canonical import Fields
from ..closed_tree import orthant
from ..describe import rational_text, widths_text
from ..domain import polyhedron_text, read_polyhedron
from ..integers import dot, multiply
from ..layer import LayerOnDomain
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import RationalVector, read_list
from ..verdicts import Reason, Refused
from .stability_at_least import check_stability


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_polyhedron(claim["domain"], network, budget)
    bound = read_bound(claim["bound"], budget)
    return Claim(
        f"the network N of widths {widths_text(network.widths())} satisfies |N(x) - N(y)| >= "
        f"{rational_text(bound)} |x - y| for all x, y in {polyhedron_text(domain)}",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, domain, bound),
        (network,),
    )


def _check(
    network: Network,
    domain: System,
    bound: RationalVector,
    certificate: Certificate,
    budget: Budget,
) -> None:
    record = certificate.record("factors", frozenset({"bounds"}))
    values = read_list(record["bounds"], len(network.layers))
    num, den = 1, 1
    for number, value in enumerate(values):
        factor = read_bound(value, budget)
        num = multiply(num, factor.nums[0], budget)
        den = multiply(den, factor.den, budget)
        check_stability(LayerOnDomain(network, number, domain, ()), factor, certificate, budget)
        domain = orthant(len(network.layers[number].rows), budget)
    if dot((num, den), (bound.den, -bound.nums[0]), budget) < 0:
        raise Refused(Reason.FACTORS_TOO_SMALL, "the product of the bounds is smaller")


RULE = Rule(frozenset({"bound", "domain", "network"}), _read)
