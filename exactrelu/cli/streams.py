"""What is printed: on any terminal, in any encoding, also where nothing can be written.

Answers have signs of mathematics, and an encoding such as cp1252, latin-1 or ASCII has few of them
or none.  What it has is written as it is; instead of the others stands what one types on a plain
keyboard: ``<=`` for ≤, ``*`` for ·, ``2^-60`` for 2⁻⁶⁰, ``sigma`` for σ; ``?`` where there is
nothing of the kind.

The exit code belongs to the answer.  It stays where the reader of the output went away (``| head``)
or nobody hears stderr; where the answer itself cannot be written, on a full disk or a stdout that
is closed, it is that of bad input.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
import unicodedata
from contextlib import suppress
from typing import TextIO

#: A sign and how it is typed; NFKD decomposes others, and Greek letters have names.
_TABLE = """
    −- –- —- ·* ×x ±+- ∓-+ ⁄/ ≤<= ≥>= ≠!= ≈~ ≡== ‖| →-> ↦-> ⇒=> ⟹=> “" ”" ‘' ’' ∖\\ □[] ∅{}
    ∞inf ∈in ∩and ∪or ∧and ∨or ≪<< ⊂inside ⊇contains ∇grad ∂d √sqrt ∏prod ∘o ⊗(x) ⊥perp ∎QED ℓl µmu
    ⌊floor( ⌋) ⌈ceil( ⌉) \u0302_hat \u0303_tilde \u0304_bar
"""
_TYPED = {pair[0]: pair[1:] for pair in _TABLE.split()}
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ"
#: An exponent, of which an encoding may have some digits and not others, or one sign.
_SIGNS = re.compile(rf"[{_RAISED}]+|[^\x00-\x7f]")
_GREEK = re.compile(r"GREEK (SMALL|CAPITAL) (?:LETTER (?:FINAL )?)(\w+)")


def writable(text: str, encoding: str, errors: str = "strict") -> str:
    """The text, with something plain for the signs that the encoding does not have.

    >>> writable("1 − 2⁻⁶⁰ ≤ σ·x", "ascii"), writable("2²⁰ ± 1", "latin-1")
    ('1 - 2^-60 <= sigma*x', '2^20 ± 1')
    """
    if _has(encoding, errors, text):
        return text
    return _SIGNS.sub(lambda s: s[0] if _has(encoding, errors, s[0]) else _typed(s[0]), text)


def _has(encoding: str, errors: str, text: str) -> bool:
    try:
        text.encode(encoding, errors)
    except UnicodeEncodeError:
        return False
    return True


def _typed(sign: str) -> str:
    """One sign, or an exponent, in ASCII."""
    if sign in _TYPED:
        return _TYPED[sign]
    if sign[0] in _RAISED:
        return "^" + "".join(_typed(s) for s in unicodedata.normalize("NFKD", sign))
    if greek := _GREEK.match(unicodedata.name(sign, "")):
        return greek[2].lower() if greek[1] == "SMALL" else greek[2].capitalize()
    parts = [s for s in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(s)]
    return "".join(s if s.isascii() else _TYPED.get(s, "?") for s in parts)


class AnyTextWriter(io.TextIOWrapper):
    """A stream that takes any text."""

    #: The stream beneath, which would close the file if nobody held it.
    beneath: TextIO | None = None

    def write(self, text: str, /) -> int:
        """Write it, with plain signs where it has to be."""
        # That of stderr, which would say \u2248.
        errors = "strict" if self.errors in (None, "backslashreplace") else self.errors
        return super().write(writable(text, self.encoding, errors))


def prepare() -> None:
    """Make stdout and stderr take any text; a stdout that is closed is bad input."""
    if sys.stderr is None:
        # Nobody listens; a file that is opened must not get the number of stderr.
        sys.stderr = _nowhere(2)
    if sys.stdout is None:
        sys.stdout = _nowhere(1)
        raise OSError(errno.EBADF, "it is closed", "stdout")
    sys.stdout, sys.stderr = _writer(sys.stdout), _writer(sys.stderr)


def _nowhere(number: int) -> TextIO:
    place = os.open(os.devnull, os.O_WRONLY)
    if place != number:
        os.dup2(place, number)
        os.close(place)
    return open(number, "w", encoding="utf-8", closefd=False)


def _writer(stream: TextIO) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper) or isinstance(stream, AnyTextWriter):
        return stream
    writer = AnyTextWriter(
        stream.buffer,
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    writer.beneath = stream
    return writer


def write(out: str, err: str, code: int, bad: int) -> int:
    """Write both and return the exit code: ``code``, or ``bad`` if the answer is not written."""
    try:
        if err:
            sys.stderr.write(err)
        sys.stderr.flush()
    except OSError:
        _leave(sys.stderr)
    try:
        if out:
            sys.stdout.write(out)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing to tell anybody.
        _leave(sys.stdout)
    except OSError as error:
        _leave(sys.stdout)
        return write("", f"exactrelu: error: stdout: {error.strerror or error}\n", bad, bad)
    return code


def _leave(stream: TextIO) -> None:
    """What is left to be written there would fail once more at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
