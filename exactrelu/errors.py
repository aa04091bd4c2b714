"""The exceptions of exactrelu, named after outcomes.

Everything a user can cause derives from :class:`ExactReluError`; the command
line turns each into one line on stderr and an exit code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any, TypeVar

_Word = TypeVar("_Word", bound=str)
_Made = TypeVar("_Made")


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


class CheckerFailed(ExactReluError):
    """The independent checker came to no verdict: it is broken, was killed, or could not write."""


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


class ZeroDenominator(InputError, ZeroDivisionError):
    """A number with the denominator 0."""


class SingularMatrix(ExactReluError, ArithmeticError):
    """An inverse or a unique solution was asked of a singular matrix."""


#: Where another library goes on with its own options, or with what else one might do.
_ADVICE = re.compile(r"\n|[.!;] (?=[A-Z])|,? (?:when|with|set|use|using) `?\w+ ?=|\bweights_only\b")
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+|^\S+\.(?:cc|cpp|h):\d+: \w+: Assertion `.*` failed: ")
_LONGEST = 200


def said(error: BaseException) -> str:
    """What another library said of bad input, for one of our lines.

    Its advice is about options that are not ours, some of which run what is in a file; and an
    address in memory says nothing.

    >>> said(ValueError("Object arrays cannot be loaded when allow_pickle=False"))
    'Object arrays cannot be loaded'
    >>> said(ValueError("The header is large.\\nTo allow loading, fully trust the file."))
    'The header is large.'
    """
    text = str(error).strip()
    if isinstance(error, KeyError) or not text:
        return " ".join(f"{type(error).__name__} {text}".split())
    text = _ADVICE.split(_ADDRESS.sub("", text), maxsplit=1)[0]
    return " ".join(text.split())[:_LONGEST] or type(error).__name__


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
    close = close_to(given, known) if isinstance(given, str) else None
    meant = f"; did you mean {close!r}?" if close else ""
    raise InputError(f"{what} {shortened(given)}: expected one of {', '.join(known)}{meant}")


def close_to(given: str, known: Iterable[str]) -> str | None:
    """The nearest spelling, if one is near."""
    return next(iter(get_close_matches(given.lower(), list(known), n=1)), None)


def attempted(step: Callable[[Any], _Made], given: Any, where: str) -> _Made:
    """What a step makes of a value of the user's, which may fail in any way."""
    try:
        return step(given)
    except InputError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        place = f"{where}: " if where else ""
        kind = type(given).__name__
        raise WrongType(f"{place}a value of type {kind} fails: {one_line(what)}") from error


def place_in(k: int, n: int, what: str, first: int = 0) -> int:
    """A place among n that are counted from ``first``.

    >>> place_in(2, 2, "layer", first=1)
    2
    >>> place_in(2, 2, "row")
    Traceback (most recent call last):
    ...
    exactrelu.errors.InputError: row 2: expected one of 0 … 1
    """
    if not first <= k < n + first:
        said = f"one of {first} … {n + first - 1}" if n else f"nothing, as there is no {what}"
        raise InputError(f"{what} {shortened(k)}: expected {said}")
    return k


def pair_of(given: Any, where: str, expected: str) -> tuple[Any, Any]:
    """Two values, of which an error says what they should be."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise WrongType(f"{where}: found {shortened(given)}, expected {expected}")
    listed = attempted(list, given, where)
    if len(listed) != 2:
        raise ShapeError(f"{where}: found {len(listed)} values, expected {expected}")
    return listed[0], listed[1]


def one_line(text: str, width: int = 200) -> str:
    """A text of the user's, such as the name of a file, in the line of an error.

    >>> one_line("net\\n.json"), one_line("x" * 300, 4)
    ('net .json', 'xxx…')
    """
    line = " ".join(text.split()) if "\n" in text or "\r" in text else text
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line[: width + 1])
    return shown if len(shown) <= width else f"{shown[: width - 1]}…"


def shortened(given: object) -> str:
    """A value in the line of an error: texts and numbers, else its type.

    >>> shortened("a"), shortened(3), shortened([1])
    ("'a'", '3', 'a value of type list')
    """
    if given is None or isinstance(given, bool):
        return repr(given)
    if isinstance(given, int):
        return f"{given}" if abs(given) < 10**30 else f"an integer of {given.bit_length():,} bits"
    if isinstance(given, float):
        return repr(given)
    if isinstance(given, str):
        return repr(given if len(given) <= 40 else f"{given[:30]}…")
    return f"a value of type {type(given).__name__}"
