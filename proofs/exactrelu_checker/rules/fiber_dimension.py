"""The dimension of the fiber of a network with one hidden layer, near the network.

Statement. N bends on D, all of space or the open orthant, with one neuron on each hyperplane, and
its k other neurons are linear on D. The networks with the widths of N and its values on D, with
neurons on the same hyperplanes, oriented as in N, and the other neurons linear, are near N, up to
positive scaling of each neuron, of dimension d.

Evidence. If k <= n2, the number of outputs, two ``minor`` records: the columns V of the output
weights of the linear neurons, and their rows W, have rank k. Otherwise one: V has rank n2.

Sound. Near N the networks of the statement differ from N, up to scaling, in V, W and the biases of
the linear neurons and in the output bias, which these determine; they have the values of N iff
V·W stays what it is. The k biases are positive and free, and scaling takes k dimensions away.
So d is the dimension of {(V, W): V·W = A, W >= 0} near N. The entries of W are positive, except
for whole columns that are 0, which are allowed if V has independent columns: then
such a column stays 0 as that of A is 0. If V and W have rank k, then the map (V, W) -> V·W has
constant rank k·(n0 + n2) - k² near N, so d = k². If V has rank n2, the map is a submersion, and
d = k·(n0 + n2) - n0·n2.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..domain import domain_text, read_domain
from ..evidence import check_minor
from ..integers import Rows
from ..network import Network, read_network
from ..reader import Certificate
from ..shallow_form import require_simple, shallow_form
from ..shallow_roles import read_roles
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import read_index
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_domain(claim["domain"], network, budget)
    dimension = read_index(claim["dimension"])
    return Claim(
        f"the networks with the widths {widths_text(network.widths())} of the network N, its "
        f"values on {domain_text(domain)}, its oriented hyperplanes and linear neurons are near "
        f"N, up to positive scaling, of dimension {dimension}",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, domain, dimension),
        (network,),
    )


def _check(
    network: Network, domain: System, dimension: int, certificate: Certificate, budget: Budget
) -> None:
    orthant = require_simple(domain, budget)
    if len(network.layers) != 2:
        raise Refused(Reason.NOT_SHALLOW, "a network without exactly one hidden layer")
    hidden, last = network.layers
    roles = read_roles(network, shallow_form(network, orthant, budget), orthant, budget)
    if roles.dead or (roles.linear and not orthant):
        raise Refused(Reason.WRONG_ROLES, "a neuron that is dead or constant")
    rows = [hidden.rows[number] for number in roles.linear]
    outputs = [[row[number] for number in roles.linear] for row in last.rows]
    k, n_inputs, n_outputs = len(rows), hidden.width - 1, len(last.rows)
    injective = k <= n_outputs
    _require_interior(rows, injective)
    if injective:
        expected = k * k
        check_minor(certificate, outputs, k, k, budget)
        check_minor(certificate, [row[:-1] for row in rows], n_inputs, k, budget)
    else:
        expected = k * (n_inputs + n_outputs) - n_inputs * n_outputs
        check_minor(certificate, outputs, k, n_outputs, budget)
    if dimension != expected:
        raise Refused(Reason.WRONG_DIMENSION, f"the dimension is {expected}")


def _require_interior(rows: Rows, injective: bool) -> None:
    """Refuse entries 0 of the linear rows, but for weights that are 0 in all of them."""
    for place, column in enumerate(zip(*rows, strict=True)):
        zero = injective and place < len(rows[0]) - 1 and not any(column)
        if not zero and 0 in column:
            raise Refused(Reason.ON_THE_BOUNDARY, f"a linear neuron has the entry 0 at {place}")


RULE = Rule(frozenset({"dimension", "domain", "network"}), _read)
