"""A network, or some of its layers on what they see, is not one-to-one.

Statement. At the points x and y of the polyhedron D layer ``last`` of the network N has the same
output, but layer ``first`` has not. With first = 0 and last the last layer: N is not one-to-one.

Sound because the checker evaluates the network itself. There is no evidence.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import vector_text
from ..integers import dot
from ..reader import Certificate
from ..stage import STAGE_FIELDS, Stage, read_stage
from ..statement import Claim, Rule, subject
from ..values import RationalVector, read_rational_vector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    stage = read_stage(claim, budget)
    x, y = (read_rational_vector(claim[name], stage.domain.dim, budget) for name in ("x", "y"))
    return Claim(
        f"{stage.text()} is not one-to-one: {vector_text(x)} and {vector_text(y)}",
        (subject("N", stage.network.as_json()), subject("D", claim["domain"])),
        partial(_check, stage, x, y),
        (stage.network,),
    )


def _check(
    stage: Stage, x: RationalVector, y: RationalVector, certificate: Certificate, budget: Budget
) -> None:
    for point in (x, y):
        stage.domain.require_point(point, budget)
    if not _agree(stage, stage.last, x, y, budget):
        raise Refused(Reason.OUTPUTS_DIFFER, f"layer {stage.last} differs at the points")
    if _agree(stage, stage.first, x, y, budget):
        raise Refused(Reason.OUTPUTS_AGREE, f"layer {stage.first} is the same at the points")


def _agree(stage: Stage, layer: int, x: RationalVector, y: RationalVector, budget: Budget) -> bool:
    """Tell whether a layer passes the same on at two points."""
    at_x, at_y = (stage.output(layer, point, budget) for point in (x, y))
    pairs = zip(at_x.nums, at_y.nums, strict=True)
    return not any(dot(pair, (at_y.den, -at_x.den), budget) for pair in pairs)


RULE = Rule(STAGE_FIELDS | {"x", "y"}, _read)
