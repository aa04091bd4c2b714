"""Phuong, Lampert: *Functional vs. parametric equivalence of ReLU networks*.

The statements S001-….
"""

from exactrelu.lemmas.phuong_lampert.definitions import STATEMENTS as DEFINITIONS_STATEMENTS
from exactrelu.lemmas.phuong_lampert.folds import FOLDS_STATEMENTS
from exactrelu.lemmas.phuong_lampert.theorem import STATEMENTS as THEOREM_STATEMENTS
from exactrelu.lemmas.statement import AnyStatement, Untestable

_SOURCE = "Phuong & Lampert"
_OTHERS = (
    Untestable(
        "S001-surfaces",
        f"{_SOURCE}, Lemmas A.1 to A.6",
        "Unions of piece-wise linear surfaces are such surfaces, and each surface has just one "
        "canonical representation.",
        "about all surfaces and all their representations; only canonical ones are computed",
    ),
    Untestable(
        "S001-almost-all",
        f"{_SOURCE}, Lemmas A.10 to A.12",
        "All networks but a closed set of measure zero are general.",
        "about a measure on parameters; for one network generality is decided",
    ),
    Untestable(
        "S001-theorem-1",
        f"{_SOURCE}, Theorem 1, Lemma 4 (A.17)",
        "For every bounded domain and every architecture with widths that do not increase there is "
        "a network that is determined by its function, up to permutation and scaling, among "
        "general networks.",
        "about the existence of a network for each domain; they are built and proved one by one",
        known=("S001-P1-transparent",),
    ),
)

STATEMENTS: tuple[AnyStatement, ...] = (
    *DEFINITIONS_STATEMENTS,
    *FOLDS_STATEMENTS,
    *THEOREM_STATEMENTS,
    *_OTHERS,
)
