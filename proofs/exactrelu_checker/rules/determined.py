"""Networks that are determined by their function on a domain, by Phuong and Lampert's theorem.

Statement. The network N is general and transparent on the open polyhedron D, and every network of
its widths that is general on D and has its function on D equals it up to permutation and positive
scaling of hidden neurons.

Evidence. That of ``general`` and of ``transparent``; for every hidden unit, layer by layer, a
``chain`` of bends from it to the last hidden layer; and a ``point`` that is open for the last
layer. The theorem, with paths of bends in the place of dependency paths, is proved on the page of
this kind.
"""

from collections.abc import Sequence
from itertools import pairwise

from ..budget import Budget
from ..chains import Hyperplane, bend, is_open, zeros
from ..domain import domain_rule
from ..network import Network
from ..reader import Certificate
from ..system import System
from ..values import read_list, read_rational_vector
from ..verdicts import Reason, Refused
from .general import check_general
from .transparent import check_transparent


def _check(network: Network, domain: System, certificate: Certificate, budget: Budget) -> None:
    widths = network.widths()
    if len(widths) < 3 or widths[-1] > 1 or any(a < b for a, b in pairwise(widths)):
        raise Refused(Reason.WIDTHS_INCREASE, "one output, and no layer wider than the one before")
    check_general(network, domain, certificate, budget)
    check_transparent(network, domain, certificate, budget)
    chains = _Chains(network, domain, budget)
    for layer, width in enumerate(widths[1:-1]):
        for unit in range(width):
            record = certificate.record("chain", frozenset({"points"}))
            chains.check(layer, unit, record["points"])
    record = certificate.record("point", frozenset({"point"}))
    chains.signs_at(record["point"], len(widths) - 2)


class _Chains:
    """The chains of bends of a network in a domain."""

    def __init__(self, network: Network, domain: System, budget: Budget) -> None:
        self._network = network
        self._domain = domain
        self._budget = budget
        self._last = len(network.layers) - 2

    def check(self, layer: int, unit: int, points: object) -> None:
        """Refuse unless these are the points of a chain from a unit."""
        if layer < self._last:
            self._check_bends(layer, unit, points)
            return
        (only,) = read_list(points, 1)
        if zeros(self.signs_at(only, layer)) != [(layer, unit)]:
            raise Refused(Reason.CHAIN_BROKEN, f"unit {unit} of layer {layer} is not the only 0")

    def _check_bends(self, layer: int, unit: int, points: object) -> None:
        expected: Sequence[Hyperplane] = [(layer, unit, ())]
        for point in read_list(points, self._last - layer):
            found = bend(layer, self.signs_at(point, layer))
            if found is None or found.straight not in expected:
                raise Refused(Reason.CHAIN_BROKEN, f"no bend that goes on from layer {layer}")
            expected = found.ending

    def signs_at(self, entry: object, layer: int) -> Sequence[str]:
        """Return the signs at a point of the domain that is open for a layer."""
        point = read_rational_vector(entry, self._domain.dim, self._budget)
        self._domain.require_point(point, self._budget)
        _, signs = self._network.evaluate(point, self._budget)
        if not is_open(layer, signs, self._network.widths()):
            raise Refused(Reason.POINT_NOT_OPEN, f"the point is not open for layer {layer}")
        return signs


RULE = domain_rule(
    "is general and transparent and, by the theorem of Phuong and Lampert with chains of bends for "
    "dependency paths, equal up to permutation and positive scaling of hidden neurons to every "
    "network with its widths and its function that is general",
    _check,
)
