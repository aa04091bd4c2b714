"""Phuong, Lampert: *Functional vs. parametric equivalence of ReLU networks*."""

from exactrelu.lemmas.s001.definitions import STATEMENTS as DEFINITIONS_STATEMENTS
from exactrelu.lemmas.s001.folds import FOLDS_STATEMENTS
from exactrelu.lemmas.s001.theorem import STATEMENTS as THEOREM_STATEMENTS
from exactrelu.lemmas.statement import AnyStatement

STATEMENTS: tuple[AnyStatement, ...] = (
    *DEFINITIONS_STATEMENTS,
    *FOLDS_STATEMENTS,
    *THEOREM_STATEMENTS,
)
