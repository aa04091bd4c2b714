"""The list of commands, in the order in which ``--help`` shows them."""

from __future__ import annotations

from exactrelu.cli.arrangement import ARRANGEMENT
from exactrelu.cli.build import BUILD
from exactrelu.cli.cancellation_free import CANCELLATION_FREE
from exactrelu.cli.canonical import CANONICAL
from exactrelu.cli.certify import CERTIFY
from exactrelu.cli.check import CHECK
from exactrelu.cli.command import Command
from exactrelu.cli.complex import COMPLEX
from exactrelu.cli.cone import CONE
from exactrelu.cli.conjecture import CONJECTURE
from exactrelu.cli.convert import CONVERT
from exactrelu.cli.convolution import CONVOLUTION
from exactrelu.cli.difference import DIFFERENCE
from exactrelu.cli.equivalent import EQUIVALENT
from exactrelu.cli.evaluate import EVAL
from exactrelu.cli.fiber import FIBER
from exactrelu.cli.folds import FOLDS
from exactrelu.cli.generic import GENERIC
from exactrelu.cli.honest import HONEST
from exactrelu.cli.identifiable import IDENTIFIABLE
from exactrelu.cli.info import INFO
from exactrelu.cli.injective import INJECTIVE
from exactrelu.cli.injective_table import INJECTIVE_TABLE
from exactrelu.cli.invert import INVERT
from exactrelu.cli.isomorphic import ISOMORPHIC
from exactrelu.cli.lemmas import LEMMAS
from exactrelu.cli.local import LOCAL
from exactrelu.cli.nnrank import NNRANK
from exactrelu.cli.plot import PLOT
from exactrelu.cli.polyhedron import POLYHEDRON
from exactrelu.cli.rank import RANK
from exactrelu.cli.recover import RECOVER
from exactrelu.cli.refute import REFUTE
from exactrelu.cli.regions import REGIONS
from exactrelu.cli.report import REPORT
from exactrelu.cli.shallow import SHALLOW
from exactrelu.cli.sigma import SIGMA
from exactrelu.cli.simplify import SIMPLIFY
from exactrelu.cli.spark import SPARK
from exactrelu.cli.stability import STABILITY
from exactrelu.cli.theorem_class import THEOREM_CLASS
from exactrelu.cli.transparent import TRANSPARENT

COMMANDS: tuple[Command, ...] = (
    INFO,
    EVAL,
    LOCAL,
    CONVERT,
    REGIONS,
    COMPLEX,
    HONEST,
    CANCELLATION_FREE,
    GENERIC,
    TRANSPARENT,
    FOLDS,
    ISOMORPHIC,
    EQUIVALENT,
    DIFFERENCE,
    IDENTIFIABLE,
    INJECTIVE,
    INVERT,
    CONVOLUTION,
    INJECTIVE_TABLE,
    STABILITY,
    THEOREM_CLASS,
    BUILD,
    CANONICAL,
    SIMPLIFY,
    SHALLOW,
    FIBER,
    RECOVER,
    RANK,
    NNRANK,
    SIGMA,
    SPARK,
    POLYHEDRON,
    CONE,
    ARRANGEMENT,
    PLOT,
    REPORT,
    LEMMAS,
    REFUTE,
    CONJECTURE,
    CERTIFY,
    CHECK,
)
