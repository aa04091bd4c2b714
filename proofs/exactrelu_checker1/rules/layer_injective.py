"""Injectivity of a layer on a polyhedron.

Statement. The layer x -> ReLU(Wx + b), or Wx + b if it is the last of the network N, takes
different points of the polyhedron D to different points.

Evidence. At every point of D the rows with w·x + b >= 0, or all rows of the last layer, span R^n
with the normals of the equations that hold on D: see ``spanning``. Sound because at the middle of
two points x, y with one image every active row is constant on the segment from x to y, as are the
equations, so that x - y is orthogonal to all of R^n.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..layer import LAYER_FIELDS, LayerOnDomain, read_layer_on_domain
from ..reader import Certificate
from ..spanning import check_layer
from ..statement import Claim, Rule


def _read(claim: Fields, budget: Budget) -> Claim:
    layer = read_layer_on_domain(claim, budget)
    return Claim(
        f"{layer.text()} is injective on {layer.place()}",
        layer.subjects,
        partial(_check, layer),
        (layer.network,),
    )


def _check(layer: LayerOnDomain, certificate: Certificate, budget: Budget) -> None:
    rows = layer.matrix().rows
    known = [row[:-1] for row in rows] if layer.is_last() else []
    check_layer(rows, layer.domain, certificate, budget, known)


RULE = Rule(LAYER_FIELDS, _read)
