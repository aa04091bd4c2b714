"""Genericity of a bottleneck: three layers, the first not wider than the input.

Statement. Every masked rank of the network N is maximal, and N is supertransversal on the whole
space.

Evidence. That of ``masked-rank``; then ``bias``, a modulus q >= 2. The checker computes modulo q
the minors of [b_2 | W_2] that contain b_2; none is 0. Sound because n + 1 neurons of layer 2 cannot
vanish together, then, where n neurons of layer 1 are active.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..integers import residues
from ..minors import Minors, column_sets
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..values import read_integer
from ..verdicts import Reason, Refused
from .masked_rank import check_masked_ranks


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    return Claim(
        f"the network N of widths {widths_text(network.widths())} has maximal masked ranks and is "
        "supertransversal on the whole space",
        (subject("N", network.as_json()),),
        partial(check_generic_bottleneck, network),
        (network,),
    )


def require_bottleneck(network: Network) -> None:
    """Refuse a network that has not three layers, or a first one wider than the input."""
    widths = network.widths()
    if len(widths) != 4 or widths[1] > widths[0]:
        raise Refused(Reason.NOT_A_BOTTLENECK, "three layers with n_1 <= n_0 are needed")


def check_generic_bottleneck(network: Network, certificate: Certificate, budget: Budget) -> None:
    """Check the masked ranks, then the minors with the bias."""
    require_bottleneck(network)
    check_masked_ranks(network, certificate, budget)
    record = certificate.record("bias", frozenset({"modulus"}))
    modulus = read_integer(record["modulus"], budget)
    if modulus < 2:
        raise Refused(Reason.MODULUS_TOO_SMALL, "modulo 1 every minor is 0")
    augmented = residues([[row[-1], *row[:-1]] for row in network.layers[1].rows], modulus, budget)
    _, inputs, outputs, _ = network.widths()
    for size in range(1, min(inputs + 1, outputs) + 1):
        # Column sets that have the bias, and those without their last column.
        families = [
            [columns for columns in sets if 0 in columns]
            for sets in column_sets(inputs + 1, size, budget)
        ]
        table = Minors(outputs, families, modulus, budget).of(augmented)
        if not all(map(all, table)):
            raise Refused(Reason.MINOR_ZERO, "a minor with the bias is 0 modulo q")


RULE = Rule(frozenset({"network"}), _read)
