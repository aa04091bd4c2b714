"""Two points of a polyhedron that a layer takes to one point.

Statement. The layer x -> ReLU(Wx + b), or Wx + b if it is the last of the network N, takes the
``points`` x != y of the polyhedron D to the same point.

Sound because the checker evaluates the layer itself. There is no evidence.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import vector_text
from ..integers import combine
from ..layer import LAYER_FIELDS, LayerOnDomain, read_layer_on_domain, read_two_points
from ..reader import Certificate
from ..statement import Claim, Rule
from ..values import RationalVector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    layer = read_layer_on_domain(claim, budget)
    points = read_two_points(claim["points"], layer.domain.dim, budget)
    first, second = map(vector_text, points)
    return Claim(
        f"{layer.text()} takes {first} and {second} in {layer.place()} to the same point",
        layer.subjects,
        partial(_check, layer, points),
        (layer.network,),
    )


def _check(
    layer: LayerOnDomain,
    points: tuple[RationalVector, RationalVector],
    certificate: Certificate,
    budget: Budget,
) -> None:
    first, second = points
    for point in points:
        layer.domain.require_point(point, budget)
    images = layer.image(first, budget), layer.image(second, budget)
    for number, pair in enumerate(zip(*images, strict=True)):
        if any(combine((second.den, -first.den), [pair], budget)):
            raise Refused(Reason.OUTPUTS_DIFFER, f"output {number} differs")


RULE = Rule(LAYER_FIELDS | {"points"}, _read)
