"""The answer to a question, with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactrelu.certificates.certificate import Certificate


@dataclass(frozen=True)
class Verdict:
    """``answer`` is True, False, or None for undecided; ``reason`` is a sentence.

    A verdict that is not undecided carries the certificate that proves it.
    """

    answer: bool | None
    reason: str
    witness: Any = None
    certificate: Certificate | None = None

    @property
    def word(self) -> str:
        """ "yes", "no" or "undecided", as the command line says it."""
        return {True: "yes", False: "no", None: "undecided"}[self.answer]

    def __bool__(self) -> bool:
        raise TypeError("a verdict can be undecided: use .answer (True, False or None)")
