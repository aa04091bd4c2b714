"""Puthawala, Kothari, Lassas, Dokmanić, de Hoop: *Globally injective ReLU networks*."""

from exactrelu.lemmas.s003 import (
    approximation,
    corollary_1,
    corollary_2,
    definition_1,
    example_1,
    gaussian,
    lemma_1,
    lemma_2,
    normalization,
    proposition_1,
    scalars,
    theorem_1,
    theorem_3,
    theorem_4,
)
from exactrelu.lemmas.statement import AnyStatement

_MODULES = (
    definition_1,
    theorem_1,
    lemma_1,
    corollary_1,
    corollary_2,
    gaussian,
    theorem_3,
    example_1,
    lemma_2,
    normalization,
    theorem_4,
    approximation,
    scalars,
    proposition_1,
)

STATEMENTS: tuple[AnyStatement, ...] = tuple(
    statement for module in _MODULES for statement in module.STATEMENTS
)
