"""Puthawala, Kothari, Lassas, Dokmanić, de Hoop: *Globally injective ReLU networks*."""

from exactrelu.lemmas.statement import AnyStatement

STATEMENTS: tuple[AnyStatement, ...] = ()
