"""All statements, by id, in the order of the papers."""

from __future__ import annotations

from exactrelu.errors import InputError
from exactrelu.lemmas import s000, s001, s002, s003, s004
from exactrelu.lemmas.statement import AnyStatement

_PAPERS = (s000, s001, s002, s003, s004)

STATEMENTS: dict[str, AnyStatement] = {
    statement.id: statement for paper in _PAPERS for statement in paper.STATEMENTS
}


def statement(name: str) -> AnyStatement:
    """The statement of this id."""
    if name not in STATEMENTS:
        raise InputError(f"statement {name!r}: not known; `exactrelu lemmas` lists them")
    return STATEMENTS[name]
