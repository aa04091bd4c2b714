"""The published statements that have a counterexample, and what each counterexample must show."""

from collections.abc import Mapping
from types import MappingProxyType

from . import s000, s001, s002, s003, s004
from .lemma import Lemma

LEMMAS: Mapping[str, Lemma] = MappingProxyType(
    {**s000.LEMMAS, **s001.LEMMAS, **s002.LEMMAS, **s003.LEMMAS, **s004.LEMMAS}
)
