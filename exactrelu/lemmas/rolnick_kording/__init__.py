"""Rolnick, Kording: *Reverse-engineering deep ReLU networks*, appendix.

The statements S000-….
"""

from exactrelu.lemmas.rolnick_kording.corners import BEND_STATEMENTS, INDICATOR_STATEMENTS
from exactrelu.lemmas.rolnick_kording.regions import (
    REGIONS_ASSUMPTION_STATEMENTS,
    SCALING_STATEMENTS,
)
from exactrelu.lemmas.rolnick_kording.signs import SCALE_STATEMENTS, SIGNS_STATEMENTS
from exactrelu.lemmas.statement import AnyStatement, Untestable

_THEOREMS = (
    Untestable(
        "S000-theorem-1",
        "Rolnick & Kording, Theorem 1",
        "Under the Linear Regions Assumption, with probability 1 the boundary of a unit bends "
        "exactly where it meets boundaries of earlier layers.",
        "a probability over the weights; its steps are tested as S000-bend and S000-bend-only",
    ),
    Untestable(
        "S000-theorem-4",
        "Rolnick & Kording, Theorem 4",
        "The weights and biases of a layer can be recovered, up to isomorphism, from enough points "
        "on the boundaries with their local hyperplanes.",
        "about a procedure whose assumptions are stated in the main text only; its steps are "
        "tested as S000-scale, S000-indicator, S000-orientation, S000-signs, S000-constraints",
    ),
)

STATEMENTS: tuple[AnyStatement, ...] = (
    *SCALING_STATEMENTS,
    *BEND_STATEMENTS,
    *REGIONS_ASSUMPTION_STATEMENTS,
    *SCALE_STATEMENTS,
    *INDICATOR_STATEMENTS,
    *SIGNS_STATEMENTS,
    *_THEOREMS,
)
