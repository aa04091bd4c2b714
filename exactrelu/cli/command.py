"""What a command is, and what it returns."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import Certificate
    from exactrelu.verdict import Verdict

YES, NO, BAD_INPUT, UNDECIDED = 0, 1, 2, 3


@dataclass(frozen=True)
class Outcome:
    """What a command found: text for people, fields for ``--json``, an exit code."""

    text: str
    reason: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    certificate: Certificate | None = None
    verdict: str | None = None
    exit_code: int = YES

    @classmethod
    def of(cls, verdict: Verdict, text: str, fields: Mapping[str, Any]) -> Outcome:
        """The outcome of a question."""
        code = {True: YES, False: NO, None: UNDECIDED}[verdict.answer]
        return cls(text, verdict.reason, fields, verdict.certificate, verdict.word, code)


@dataclass(frozen=True)
class Command:
    """A subcommand: its help, an example, its arguments and what it does."""

    name: str
    summary: str
    example: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Outcome]


def add_matrix_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of a question about a matrix."""
    parser.add_argument("matrix", metavar="FILE", help="a JSON list of rows of exact numbers")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
