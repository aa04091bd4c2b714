"""Which parameters a function determines: symmetries, volumes, conserved quantities, builders."""

from exactrelu.api import (
    Symmetry,
    build_identifiable,
    certain_breakpoints,
    certain_neurons,
    conserved_identity,
    has_no_zero_optimum,
    hiding,
    identify,
    is_conserved,
    is_supertransversal,
    non_localizable,
    share,
)
from exactrelu.api import identifiable_volume as volume

__all__ = [  # noqa: RUF022 - as in the table of names
    "Symmetry",
    "volume",
    "share",
    "is_supertransversal",
    "has_no_zero_optimum",
    "identify",
    "build_identifiable",
    "non_localizable",
    "hiding",
    "conserved_identity",
    "is_conserved",
    "certain_breakpoints",
    "certain_neurons",
]
