"""Rolnick, Kording: *Reverse-engineering deep ReLU networks*, appendix."""

from exactrelu.lemmas.s000.corners import BEND_STATEMENTS, INDICATOR_STATEMENTS
from exactrelu.lemmas.s000.regions import REGIONS_ASSUMPTION_STATEMENTS, SCALING_STATEMENTS
from exactrelu.lemmas.s000.signs import SCALE_STATEMENTS, SIGNS_STATEMENTS
from exactrelu.lemmas.statement import AnyStatement

STATEMENTS: tuple[AnyStatement, ...] = (
    *SCALING_STATEMENTS,
    *BEND_STATEMENTS,
    *REGIONS_ASSUMPTION_STATEMENTS,
    *SCALE_STATEMENTS,
    *INDICATOR_STATEMENTS,
    *SIGNS_STATEMENTS,
)
