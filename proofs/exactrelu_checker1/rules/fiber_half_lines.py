"""The fiber of a network of three layers whose second layer hides a neuron of the first.

Statement. N has three layers, and layer 2 hides neuron i of layer 1. For each listed set A of
other neurons, let N_A be N after the flips of A, and N_A(t) be N_A with t added to the bias of i
and t·W_2[j,i] taken from that of each live neuron j of layer 2. N_A(t) has the values of N for all
t > max_j b_2[j] / W_2[j,i]. If ``complete``, N is moreover a generic bottleneck with n_1 >= 2, and
every generic network with the widths and the values of N is, up to permutation, positive scaling
and the rows and output weights of dead neurons of layer 2, some N_A(t) with t in this half-line,
for some A: any set if one neuron is live, the empty one if more are. These half-lines are
disjoint.

Evidence. If complete, ``minors`` or ``faces`` as in ``identifiable``. Then for each listed A
``member``: N_A, and the proof that it has the values of N (see ``equality``).

The theorem on fibers of generic bottlenecks (arXiv 2605.18319, Section 6) is taken from the paper.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..equality import check_equal
from ..hiding import Hiding, find_hiding, require_flip
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import read_indices, read_list
from ..verdicts import Reason, Refused
from .generic_bottleneck import require_bottleneck
from .identifiable import check_generic_by

_ALL = (
    "; by the theorem on generic bottlenecks every generic network with its widths and its "
    "values is on one of {} half-lines of such networks, up to permutation, positive scaling and "
    "dead neurons"
)


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    complete = read_flag(claim["complete"])
    found = find_hiding(network, budget)
    if found is None:
        raise Refused(Reason.NEURON_NOT_HIDDEN, "layer 2 hides no neuron of layer 1")
    width = network.widths()[1]
    flips = [read_indices(entry, width) for entry in read_list(claim["flips"])]
    number = "1" if len(found.live) > 1 else f"2^{width - 1}"
    return Claim(
        f"layer 2 of the network N of widths {widths_text(network.widths())} hides neuron "
        f"{found.hidden + 1} of layer 1, and its translations keep the values of N, after each of "
        f"{len(flips)} sets F of flips{_ALL.format(number) if complete else ''}",
        (subject("N", network.as_json()), subject("F", claim["flips"])),
        partial(_check, network, found, complete, flips),
        (network,),
    )


def read_flag(value: object) -> bool:
    """Return whether a string is ``yes``; else it must be ``no``."""
    if value not in ("yes", "no"):
        raise Refused(Reason.NOT_YES_OR_NO, "yes or no is needed")
    return value == "yes"


def require_wide_bottleneck(network: Network) -> None:
    """Refuse a network that is not a bottleneck with at least two neurons in layer 1."""
    require_bottleneck(network)
    if network.widths()[1] < 2:
        raise Refused(Reason.NOT_A_BOTTLENECK, "n_1 >= 2 is needed")


def _check(
    network: Network,
    found: Hiding,
    complete: bool,
    flips: list[list[int]],
    certificate: Certificate,
    budget: Budget,
) -> None:
    if complete:
        require_wide_bottleneck(network)
        check_generic_by(network, certificate, budget)
    everywhere = System(network.widths()[0], (), ())
    for flipped in flips:
        record = certificate.record("member", frozenset({"network"}))
        member = read_network(record["network"], budget)
        if member.widths() != network.widths():
            raise Refused(Reason.SHAPES_DIFFER, "the member has other widths")
        require_flip(network, found, flipped, member, budget)
        check_equal(network, member, everywhere, certificate, budget)


RULE = Rule(frozenset({"complete", "flips", "network"}), _read)
