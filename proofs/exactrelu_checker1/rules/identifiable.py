"""Identifiability of a generic bottleneck: three layers with n_1 <= n_0.

Statement. The network N is generic, and every generic network of the same widths with the same
function equals N up to permutation and positive scaling of hidden neurons, by the sign theorem
(Theorem 5 of arXiv 2605.18319 for n_1 >= 2; see the page of this kind for n_1 = 1).

Evidence. ``minors`` and that of ``generic-bottleneck``, or ``faces`` and that of ``generic`` on
the whole space. The checker reads the signs of [W_2 | b_2] off the network.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..integers import Rows
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System
from ..verdicts import Reason, Refused
from .generic import check_generic
from .generic_bottleneck import check_generic_bottleneck, require_bottleneck

_BY: Mapping[str, frozenset[str]] = MappingProxyType({"faces": frozenset(), "minors": frozenset()})


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    return Claim(
        f"the network N of widths {widths_text(network.widths())} is generic and, by the sign "
        "theorem for three-layer bottlenecks, identifiable: every generic network with its widths "
        "and its function equals it up to permutation and positive scaling of hidden neurons",
        (subject("N", network.as_json()),),
        partial(_check, network),
        (network,),
    )


def _check(network: Network, certificate: Certificate, budget: Budget) -> None:
    require_bottleneck(network)
    _require_signs(network.layers[1].rows, budget)
    check_generic_by(network, certificate, budget)


def check_generic_by(network: Network, certificate: Certificate, budget: Budget) -> None:
    """Check that a bottleneck is generic on the whole space, by minors or by faces."""
    name, _ = certificate.one_of(_BY)
    if name == "minors":
        check_generic_bottleneck(network, certificate, budget)
    else:
        everywhere = System(network.widths()[0], (), ())
        check_generic(network, everywhere, certificate, budget)


def _require_signs(rows: Rows, budget: Budget) -> None:
    """Refuse the sign patterns that are not identifiable; entries of generic ones are not 0."""
    budget.spend(len(rows) * len(rows[0]))
    patterns = {tuple(entry > 0 for entry in row) for row in rows}
    if any(len(set(pattern)) < 2 for pattern in patterns):
        raise Refused(Reason.NOT_IDENTIFIABLE, "a neuron of layer 2 is linear or dead")
    first = min(patterns)
    if len(patterns) < 2 and (len(first) < 3 or (sum(first) < 2 and not first[-1])):
        raise Refused(Reason.NOT_IDENTIFIABLE, "layer 2 hides a neuron of layer 1")


RULE = Rule(frozenset({"network"}), _read)
