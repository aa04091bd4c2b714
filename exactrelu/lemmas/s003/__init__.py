"""Puthawala, Kothari, Lassas, Dokmanić, de Hoop: *Globally injective ReLU networks*."""

from exactrelu.lemmas.s003 import lemma_1
from exactrelu.lemmas.statement import AnyStatement

STATEMENTS: tuple[AnyStatement, ...] = (*lemma_1.STATEMENTS,)
