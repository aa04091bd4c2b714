"""The published statements that have a counterexample, and what each counterexample must
show.
"""

from collections.abc import Mapping

from . import s000, s001, s002, s003, s004
from .lemma import Lemma

LEMMAS: Mapping[str, Lemma] = (
    s000.LEMMAS | s001.LEMMAS | s002.LEMMAS | s003.LEMMAS | s004.LEMMAS
)
