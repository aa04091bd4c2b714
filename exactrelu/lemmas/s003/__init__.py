"""Puthawala, Kothari, Lassas, Dokmanić, de Hoop: *Globally injective ReLU networks*."""

from exactrelu.lemmas.s003.convolutions import (
    APPROXIMATION_STATEMENTS,
    LEMMA_2_STATEMENTS,
    THEOREM_3_STATEMENTS,
)
from exactrelu.lemmas.s003.corollaries import COROLLARY_1_STATEMENTS, COROLLARY_2_STATEMENTS
from exactrelu.lemmas.s003.examples import EXAMPLE_1_STATEMENTS, GAUSSIAN_STATEMENTS
from exactrelu.lemmas.s003.normalization import STATEMENTS as NORMALIZATION_STATEMENTS
from exactrelu.lemmas.s003.scalars import STATEMENTS as SCALARS_STATEMENTS
from exactrelu.lemmas.s003.spanning import (
    DEFINITION_1_STATEMENTS,
    LEMMA_1_STATEMENTS,
    THEOREM_1_STATEMENTS,
)
from exactrelu.lemmas.s003.stability import PROPOSITION_1_STATEMENTS, THEOREM_4_STATEMENTS
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
