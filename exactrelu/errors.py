"""The exceptions of exactrelu, named after outcomes.

Everything a user can cause derives from :class:`ExactReluError`; the command
line turns each into one line on stderr and an exit code.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TypeVar

_Word = TypeVar("_Word", bound=str)


class ExactReluError(Exception):
    """The base of every error that exactrelu raises on purpose.

    Examples
    --------
    >>> import exactrelu as er
    >>> try:
    ...     er.load("example:xyz")
    ... except er.ExactReluError as error:
    ...     print(type(error).__name__)
    InputError
    """


class InputError(ExactReluError, ValueError):
    """Bad input: the message says what was found, where, and what was expected.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.Domain.of("box:1,0", 2)
    Traceback (most recent call last):
    ...
    exactrelu.errors.InputError: box:1,0: the domain is empty
    """


class ProgramError(InputError):
    """A program of the user's failed: where and how, and the instance that it was asked about."""

    def __init__(self, what: str, about: str = "") -> None:
        super().__init__(what, about)
        self.what, self.about = what, about

    def __str__(self) -> str:
        return f"{self.what}\n  {self.about}" if self.about else self.what


class Unanswered(ExactReluError):
    """A question that cannot be answered as it was asked; the message says what is missing."""


class NotPlain(InputError):
    """A question about parameters, asked of a network with linear units."""


#: The page of the manual with the formats and operators that are read, and what to do about others.
FORMATS_PAGE = "howto/load"


class UnsupportedFormat(InputError):
    """A file holds something that cannot be represented exactly as a ReLU network."""


class MissingExtra(ExactReluError, ImportError):
    """An optional dependency is needed; the message says how to install it."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package '{package}': pip install 'exactrelu[{extra}]'"
        )


class WrongType(InputError, TypeError):
    """A value of another type than the one that is expected; the message says how to get that."""


class ShapeError(InputError):
    """Matrices or vectors whose shapes do not fit together."""


class SingularMatrix(ExactReluError, ArithmeticError):
    """An inverse or a unique solution was asked of a singular matrix."""


def require_word(given: object, words: Iterable[_Word], what: str) -> _Word:
    """The word, if it is one of these; else an error with the nearest spelling.

    >>> require_word("tre", ("auto", "flats", "tree"), "method")
    Traceback (most recent call last):
    ...
    exactrelu.errors.InputError: method 'tre': expected one of auto, flats, tree; did you mean \
'tree'?
    """
    known = {str(word): word for word in words}
    if isinstance(given, str) and given in known:
        return known[given]
    close = get_close_matches(given.lower(), known, n=1) if isinstance(given, str) else []
    meant = f"; did you mean {close[0]!r}?" if close else ""
    raise InputError(f"{what} {given!r}: expected one of {', '.join(known)}{meant}")
