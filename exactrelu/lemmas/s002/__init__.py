"""*The symmetries of three-layer ReLU networks* (arXiv 2605.18319)."""

from exactrelu.lemmas.s002 import (
    bottleneck_test,
    breakpoints,
    complexes,
    components,
    general_fiber,
    global_claims,
    hiding,
    layerwise,
    lemma_9,
    nonnegative_rank,
    procedure,
    proposition_4,
    regions,
    representation,
    theorem_5,
    visibility,
)
from exactrelu.lemmas.statement import AnyStatement

STATEMENTS: tuple[AnyStatement, ...] = (
    *visibility.STATEMENTS,
    *representation.STATEMENTS,
    *layerwise.STATEMENTS,
    *components.STATEMENTS,
    *hiding.STATEMENTS,
    *proposition_4.STATEMENTS,
    *theorem_5.STATEMENTS,
    *procedure.STATEMENTS,
    *lemma_9.STATEMENTS,
    *bottleneck_test.STATEMENTS,
    *complexes.STATEMENTS,
    *breakpoints.STATEMENTS,
    *general_fiber.STATEMENTS,
    *nonnegative_rank.STATEMENTS,
    *regions.STATEMENTS,
    *global_claims.STATEMENTS,
)
