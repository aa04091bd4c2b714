"""*The symmetries of three-layer ReLU networks* (arXiv 2605.18319).

The statements S002-….
"""

from exactrelu.lemmas.statement import AnyStatement
from exactrelu.lemmas.three_layers.complexes import BREAKPOINTS_STATEMENTS, COMPLEXES_STATEMENTS
from exactrelu.lemmas.three_layers.components import STATEMENTS as COMPONENTS_STATEMENTS
from exactrelu.lemmas.three_layers.global_claims import (
    BOTTLENECK_TEST_STATEMENTS,
    GLOBAL_CLAIMS_STATEMENTS,
)
from exactrelu.lemmas.three_layers.hiding import HIDING_STATEMENTS, VISIBILITY_STATEMENTS
from exactrelu.lemmas.three_layers.layerwise import STATEMENTS as LAYERWISE_STATEMENTS
from exactrelu.lemmas.three_layers.one_hidden_layer import (
    GENERAL_FIBER_STATEMENTS,
    NONNEGATIVE_RANK_STATEMENTS,
    REPRESENTATION_STATEMENTS,
)
from exactrelu.lemmas.three_layers.regions import LEMMA_9_STATEMENTS, REGIONS_STATEMENTS
from exactrelu.lemmas.three_layers.theorems import (
    PROCEDURE_STATEMENTS,
    PROPOSITION_4_STATEMENTS,
    THEOREM_5_STATEMENTS,
)

STATEMENTS: tuple[AnyStatement, ...] = (
    *VISIBILITY_STATEMENTS,
    *REPRESENTATION_STATEMENTS,
    *LAYERWISE_STATEMENTS,
    *COMPONENTS_STATEMENTS,
    *HIDING_STATEMENTS,
    *PROPOSITION_4_STATEMENTS,
    *THEOREM_5_STATEMENTS,
    *PROCEDURE_STATEMENTS,
    *LEMMA_9_STATEMENTS,
    *BOTTLENECK_TEST_STATEMENTS,
    *COMPLEXES_STATEMENTS,
    *BREAKPOINTS_STATEMENTS,
    *GENERAL_FIBER_STATEMENTS,
    *NONNEGATIVE_RANK_STATEMENTS,
    *REGIONS_STATEMENTS,
    *GLOBAL_CLAIMS_STATEMENTS,
)
