"""The answer to a question, with its evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from exactrelu.certificates.certificate import Certificate

#: What is said where a verdict about a flat domain would have a certificate on another one.
NO_CERTIFICATE = "no certificate, as the format has no flat domains yet"


@dataclass(frozen=True)
class Verdict:
    """``answer`` is True, False, or None for undecided; ``reason`` is a sentence.

    A verdict that is not undecided carries the certificate that proves it, but for those about
    flat domains, which certificates cannot speak of yet: their reason says so.
    """

    answer: bool | None
    reason: str
    witness: Any = None
    certificate: Certificate | None = None

    @property
    def word(self) -> str:
        """ "yes", "no" or "undecided", as the command line says it."""
        return {True: "yes", False: "no", None: "undecided"}[self.answer]

    def lifted(self, witness: Callable[[Any], Any]) -> Self:
        """The verdict about the restriction to a flat domain, said of the domain itself.

        ``witness`` takes what was found from the coordinates of the affine hull to those of x.
        """
        without = "" if self.answer is None else f"; {NO_CERTIFICATE}"
        return replace(
            self,
            reason=f"{self.reason}{without}",
            witness=None if self.witness is None else witness(self.witness),
            certificate=None,
        )

    def __bool__(self) -> bool:
        raise TypeError("a verdict can be undecided: use .answer (True, False or None)")
