"""Upper bound of the stability of a layer on a polyhedron.

Statement. |F(x) - F(y)| <= r·|x - y| for some x != y in the polyhedron D, where r >= 0 and F is the
layer x -> ReLU(Wx + b), or Wx + b if it is the last of the network N.

Evidence. ``points``: x and y. Sound because the checker evaluates the layer at both and compares
squares, which are of numbers that are not negative.
"""

from functools import partial

from ..bound import read_bound
from ..budget import Budget
from ..canonical import Fields
from ..describe import rational_text
from ..integers import combine, dot, multiply
from ..layer import LAYER_FIELDS, LayerOnDomain, read_layer_on_domain, read_two_points
from ..reader import Certificate
from ..statement import Claim, Rule
from ..values import RationalVector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    layer = read_layer_on_domain(claim, budget)
    bound = read_bound(claim["bound"], budget)
    return Claim(
        f"{layer.text()} satisfies |F(x) - F(y)| <= {rational_text(bound)} |x - y| "
        f"for some x != y in {layer.place()}",
        layer.subjects,
        partial(_check, layer, bound),
        (layer.network,),
    )


def _check(
    layer: LayerOnDomain, bound: RationalVector, certificate: Certificate, budget: Budget
) -> None:
    record = certificate.record("points", frozenset({"points"}))
    x, y = read_two_points(record["points"], layer.domain.dim, budget)
    for point in (x, y):
        layer.domain.require_point(point, budget)
    scales = (y.den, -x.den)
    images = zip(layer.image(x, budget), layer.image(y, budget), strict=True)
    apart = combine(scales, list(zip(x.nums, y.nums, strict=True)), budget)
    moved = combine(scales, list(images), budget)
    left = multiply(bound.den, bound.den, budget)
    right = multiply(bound.nums[0], layer.matrix().den, budget)
    squares = multiply(left, dot(moved, moved, budget), budget)
    if squares > multiply(multiply(right, right, budget), dot(apart, apart, budget), budget):
        raise Refused(Reason.IMAGE_TOO_LONG, "|F(x) - F(y)| exceeds r·|x - y|")


RULE = Rule(LAYER_FIELDS | {"bound"}, _read)
