"""The published statements that have a counterexample, and what each counterexample must show."""

from collections.abc import Mapping
from types import MappingProxyType

from . import s003
from .lemma import Lemma

LEMMAS: Mapping[str, Lemma] = MappingProxyType({**s003.LEMMAS})
