"""Networks that are determined by their function on a domain, by Phuong and Lampert's theorem.

Statement. The network N is general and transparent on the domain D, an open polyhedron or the
interior of a union of boxes, and every network of its widths that is general on D and has its
function on D equals it up to permutation and positive scaling of hidden neurons.

Evidence. That of ``general``, its faces in D show that N is transparent; for every hidden unit,
layer by layer, a ``chain`` of bends from it to the last hidden layer; and a ``point`` that is open
for the last layer. The theorem, with paths of bends in the place of dependency paths, is proved on
the page of this kind.
"""

from collections.abc import Callable, Sequence
from functools import partial

from ..budget import Budget
from ..chains import Hyperplane, bend, is_class, is_open, zeros
from ..domain import place_rule
from ..network import Network
from ..reader import Certificate
from ..region import Region, Signs, own_signs, read_region
from ..values import RationalVector, read_list, read_rational_vector
from ..verdicts import Reason, Refused
from .masked_rank import check_masked_ranks
from .no_zero_optimum import without_zero_optimum
from .non_proportional import check_non_proportional


def _check(network: Network, region: Region, certificate: Certificate, budget: Budget) -> None:
    widths = network.widths()
    if not is_class(widths):
        raise Refused(Reason.WIDTHS_INCREASE, "one output, and no layer wider than the one before")
    check_masked_ranks(network, certificate, budget)
    check_non_proportional(network, certificate, budget)
    fine, found = region.faces(network, certificate, budget)
    faces = without_zero_optimum(found, budget)
    known = {face.signs: own_signs(network, face.signs) for face in faces}
    if not all(row.strip("-") for signs in known.values() for row in signs):
        raise Refused(Reason.LAYER_NEGATIVE, "a layer is negative on a face")
    signs_at = partial(region.signs_at, fine, known, budget=budget)
    chains = _Chains(network, lambda point: known[signs_at(point)], budget)
    for layer, width in enumerate(widths[1:-1]):
        for unit in range(width):
            record = certificate.record("chain", frozenset({"points"}))
            chains.check(layer, unit, record["points"])
    record = certificate.record("point", frozenset({"point"}))
    chains.signs_at(record["point"], len(widths) - 2)


class _Chains:
    """The chains of bends of a network; ``signs_of`` gives the signs at points of the domain."""

    def __init__(
        self, network: Network, signs_of: Callable[[RationalVector], Signs], budget: Budget
    ) -> None:
        self._widths = network.widths()
        self._signs_of = signs_of
        self._budget = budget
        self._last = len(network.layers) - 2

    def check(self, layer: int, unit: int, points: object) -> None:
        """Refuse unless these are the points of a chain from a unit."""
        if layer < self._last:
            self._check_bends(layer, unit, points)
            return
        (only,) = read_list(points, 1)
        if (layer, unit) not in zeros(self.signs_at(only, layer)):
            raise Refused(Reason.CHAIN_BROKEN, f"unit {unit} of layer {layer} is not 0")

    def _check_bends(self, layer: int, unit: int, points: object) -> None:
        expected: Sequence[Hyperplane] = [(layer, unit, ())]
        for point in read_list(points, self._last - layer):
            found = bend(layer, self.signs_at(point, layer))
            if found is None or found.straight not in expected:
                raise Refused(Reason.CHAIN_BROKEN, f"no bend that goes on from layer {layer}")
            expected = found.ending

    def signs_at(self, entry: object, layer: int) -> Sequence[str]:
        """Return the signs at a point of the domain that is open for a layer."""
        signs = self._signs_of(read_rational_vector(entry, self._widths[0], self._budget))
        if not is_open(layer, signs, self._widths):
            raise Refused(Reason.POINT_NOT_OPEN, f"the point is not open for layer {layer}")
        return signs


RULE = place_rule(
    "is general and transparent and, by the theorem of Phuong and Lampert with chains of bends for "
    "dependency paths, equal up to permutation and positive scaling of hidden neurons to every "
    "network with its widths and its function that is general",
    _check,
    read_region,
    lambda region: region.text,
)
