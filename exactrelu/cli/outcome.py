"""What a command found: text for people, fields for ``--json``, an exit code.

A result says itself what its answer consists of (:mod:`exactrelu.answer`), and
``Ask.told`` makes an outcome of it.  What has no result is told by :func:`done` and
:func:`stopped`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    pass

YES, NO, BAD_INPUT, UNDECIDED = 0, 1, 2, 3
#: By the word of an answer; what is neither true nor false has none.
CODES = {"yes": YES, None: YES, "no": NO, "undecided": UNDECIDED}

#: Names of fields, or words for parts of an answer.
Names = tuple[str, ...]


class Savable(Protocol):
    """A certificate, or what is left of one in another process."""

    def to_bytes(self) -> bytes: ...

    def save(self, path: str) -> Path: ...


@dataclass(frozen=True)
class Outcome:
    """What a command found: text for people, fields for ``--json``, an exit code.

    Fields are exact values, as :func:`exactrelu.display.plain` takes them; one that costs is a
    function, which is called for ``--json`` only.

    ``certified`` names the fields that the certificate proves: what they say stands in its claim,
    or in evidence that the checker tests.  ``a.b`` is the field b of a, or of each entry of a.
    ``computed`` says in words what else the text shows, which no certificate proves.
    """

    text: str
    reason: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    certificate: Savable | None = None
    verdict: str | None = None
    exit_code: int = YES
    certified: Names = ()
    computed: Names = ()
    #: Certificates that are written beside, or their folder: files of the question's own names.
    files: Names = ()
    #: Lines for stderr, where stdout is for programs.
    notes: Names = ()
    #: Whether stdout has the text alone, and stderr what else is said.
    is_bare: bool = False

    def saying(self, *lines: str) -> Outcome:
        """The same, with more lines of text."""
        return replace(self, text="\n".join([self.text, *lines]))


def done(reason: str, lines: Iterable[str] | None = None, /, **fields: Any) -> Outcome:
    """What was computed where nothing was asked that is true or false; the text, if not reason."""
    return Outcome(reason if lines is None else "\n".join(lines), reason, fields)


def stopped(
    reason: str, lines: Iterable[str] = (), /, *, computed: Names = (), **fields: Any
) -> Outcome:
    """Over a bound on the work: what was found so far, and why it is not all."""
    shown = "\n".join([*lines, reason])
    return Outcome(shown, reason, fields, None, "undecided", UNDECIDED, computed=computed)
