"""The fiber of a network of three layers whose second layer hides nothing.

Statement. N has three layers. Let R be layers 2 and 3, and M(S, d) the networks with the first
layer of N and, on top of it, a network of M(S) for R on the open orthant with d dead neurons (see
``fiber-components``). M(S, d) is nonempty for the S that entry d of ``strata`` lists first, empty
for those that it lists then, and its members have the values of N. If ``complete``, N is moreover
a generic bottleneck with n_1 >= 2, layer 2 has a live neuron and hides nothing, and every generic
network with the widths and the values of N is in one of the M(S, d) that are listed as nonempty,
up to permutation and positive scaling.

Evidence. If complete, ``minors`` or ``faces`` as in ``identifiable``. Then that of
``fiber-components`` for each entry.

The theorem on fibers of generic bottlenecks (arXiv 2605.18319, Proposition 4) is taken from the
paper.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..hiding import find_hiding, live_neurons
from ..network import Network, read_network
from ..reader import Certificate
from ..shallow_form import shallow_form
from ..statement import Claim, Rule, subject
from ..values import read_list
from ..verdicts import Reason, Refused
from .fiber_components import Listed, check_components, read_orientations
from .fiber_half_lines import read_flag, require_wide_bottleneck
from .identifiable import check_generic_by

_ALL = (
    "; by the theorem on generic bottlenecks every generic network with the widths and the values "
    "of N is one of these, up to permutation and positive scaling"
)


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    complete = read_flag(claim["complete"])
    strata: list[Listed] = []
    for entry in read_list(claim["strata"]):
        nonempty, empty = map(read_orientations, read_list(entry, 2))
        strata.append((nonempty, empty))
    counts = [sum(len(lists[k]) for lists in strata) for k in (0, 1)]
    return Claim(
        f"among the networks with the first layer and the values of the network N of widths "
        f"{widths_text(network.widths())}, one neuron of layer 2 on each bend of layers 2 and 3, "
        f"the others linear or dead, {counts[0]} orientations with numbers of dead neurons occur "
        f"and {counts[1]} do not{_ALL if complete else ''}",
        (subject("N", network.as_json()), subject("S", claim["strata"])),
        partial(_check, network, complete, strata),
        (network,),
    )


def _check(
    network: Network, complete: bool, strata: list[Listed], certificate: Certificate, budget: Budget
) -> None:
    live = live_neurons(network, budget)
    rest = Network(network.layers[1:])
    form = shallow_form(rest, True, budget)
    n_spare = len(rest.layers[0].rows) - len(form[1])
    if len(strata) > n_spare + 1:
        raise Refused(Reason.WRONG_ROLES, f"{len(strata) - 1} dead neurons, at most {n_spare}")
    if complete:
        require_wide_bottleneck(network)
        if not live or find_hiding(network, budget) is not None:
            raise Refused(Reason.NEURON_HIDDEN, "layer 2 hides a neuron, or has no live one")
        if len(strata) <= n_spare:
            raise Refused(Reason.NOT_ALL_LISTED, "numbers of dead neurons are missing")
        check_generic_by(network, certificate, budget)
    for n_dead, lists in enumerate(strata):
        check_components(rest, form, True, n_dead, lists, certificate, budget)
        if complete and sum(map(len, lists)) < 1 << len(form[1]):
            raise Refused(Reason.NOT_ALL_LISTED, "orientations are missing")


RULE = Rule(frozenset({"complete", "network", "strata"}), _read)
