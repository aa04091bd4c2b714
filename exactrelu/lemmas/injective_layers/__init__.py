"""Puthawala, Kothari, Lassas, Dokmanić, de Hoop: *Globally injective ReLU networks*.

The statements S003-….
"""

from exactrelu.lemmas.injective_layers.convolutions import (
    APPROXIMATION_STATEMENTS,
    LEMMA_2_STATEMENTS,
    THEOREM_3_STATEMENTS,
)
from exactrelu.lemmas.injective_layers.corollaries import (
    COROLLARY_1_STATEMENTS,
    COROLLARY_2_STATEMENTS,
)
from exactrelu.lemmas.injective_layers.examples import EXAMPLE_1_STATEMENTS, GAUSSIAN_STATEMENTS
from exactrelu.lemmas.injective_layers.normalization import STATEMENTS as NORMALIZATION_STATEMENTS
from exactrelu.lemmas.injective_layers.scalars import STATEMENTS as SCALARS_STATEMENTS
from exactrelu.lemmas.injective_layers.spanning import (
    DEFINITION_1_STATEMENTS,
    LEMMA_1_STATEMENTS,
    THEOREM_1_STATEMENTS,
)
from exactrelu.lemmas.injective_layers.stability import (
    PROPOSITION_1_STATEMENTS,
    THEOREM_4_STATEMENTS,
)
from exactrelu.lemmas.statement import AnyStatement

STATEMENTS: tuple[AnyStatement, ...] = (
    *DEFINITION_1_STATEMENTS,
    *THEOREM_1_STATEMENTS,
    *LEMMA_1_STATEMENTS,
    *COROLLARY_1_STATEMENTS,
    *COROLLARY_2_STATEMENTS,
    *GAUSSIAN_STATEMENTS,
    *THEOREM_3_STATEMENTS,
    *EXAMPLE_1_STATEMENTS,
    *LEMMA_2_STATEMENTS,
    *NORMALIZATION_STATEMENTS,
    *THEOREM_4_STATEMENTS,
    *APPROXIMATION_STATEMENTS,
    *SCALARS_STATEMENTS,
    *PROPOSITION_1_STATEMENTS,
)
