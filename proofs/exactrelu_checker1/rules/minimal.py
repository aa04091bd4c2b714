"""A network with one hidden layer that has as few hidden neurons as possible.

Statement. N has one hidden layer. No network with one hidden layer of fewer neurons, but at least
one, has the values of N on D, all of space or the open orthant.

Evidence. Let N bend at m hyperplanes and have m + s hidden neurons. Nothing if s = 0 or there is
one neuron. Else ``by-rank``: for each orientation S of the bends, in order, a ``minor`` of size s
of A (see ``no_member``). Or ``by-cases``: for each set Q of less than s bends, smaller ones first,
and each orientation of the others, the proof that no network with neurons of both sides on the
bends of Q, and on the others as in S, has the function with s - 1 - |Q| linear neurons, or on all
of space with half as many more hyperplanes.

Sound. A network with the values of N has neurons on each bend. Let it have at most m + s - 1, and
Q, k and t be as in ``no_member``: |Q| + k + 2t < s. The rank of A is at most |Q| + k + t < s,
against ``by-rank``. A row c is the difference of two rows >= 0, so on the orthant t more rows are
k + 2t rows >= 0, as few as assumed.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..budget import Budget
from ..domain import domain_rule
from ..evidence import check_minor
from ..network import Network
from ..no_member import check_no_member, compensation, orientations
from ..reader import Certificate
from ..shallow_form import require_simple, shallow_form
from ..system import System
from ..verdicts import Reason, Refused

_BY: Mapping[str, frozenset[str]] = MappingProxyType(
    {"by-cases": frozenset(), "by-rank": frozenset()}
)


def _check(network: Network, domain: System, certificate: Certificate, budget: Budget) -> None:
    orthant = require_simple(domain, budget)
    if len(network.layers) < 2:
        raise Refused(Reason.NOT_SHALLOW, "a network without hidden layer")
    form = shallow_form(network, orthant, budget)
    n_bends = len(form[1])
    n_neurons = len(network.layers[0].rows)
    spare = n_neurons - n_bends
    if spare < 1 or n_neurons < 2:
        return
    kind, _ = certificate.one_of(_BY)
    if kind == "by-rank":
        for bends in orientations(n_bends, 0):
            slope = compensation(form, bends, budget)
            check_minor(certificate, slope, len(slope[0]), spare, budget)
        return
    for size in range(spare):
        left = spare - 1 - size
        k, t = (left, 0) if orthant else (0, left // 2)
        for bends in orientations(n_bends, size):
            check_no_member(form, bends, k, t, certificate, budget)


RULE = domain_rule(
    "has as few hidden neurons as any network of two layers, with at least one, and its values",
    _check,
)
